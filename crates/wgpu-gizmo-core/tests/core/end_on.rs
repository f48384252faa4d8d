//! Axes and planes that are seen end-on (§4 and §5), from all sides.

use crate::prelude::*;

/// Returns the solvers that make a difference: a plane has one way to follow the cursor.
fn solvers(constraint: Constraint) -> &'static [Solver] {
    if matches!(constraint, Constraint::Axis(_) | Constraint::ScaleAxis(_)) {
        &Solver::ALL
    } else {
        &Solver::ALL[..1]
    }
}

/// Returns the directions to the faces, edges and corners of a cube, with coordinates −1, 0 and 1.
fn look_directions() -> impl Iterator<Item = DVec3> {
    let side = |i: i32| f64::from(i % 3 - 1);
    (0..27).map(move |i| DVec3::new(side(i), side(i / 3), side(i / 9))).filter(|d| *d != DVec3::ZERO)
}

/// Returns the reference frames, in which the look directions are given.
fn reference_frames() -> [DQuat; 2] {
    [DQuat::IDENTITY, DQuat::from_axis_angle(DVec3::new(0.3, -0.5, 0.8).normalize(), 1.1)]
}

const PIVOTS: [DVec3; 2] = [DVec3::ZERO, DVec3::new(120.0, -35.0, 61.0)];

fn camera(pivot: DVec3, frame: DQuat, direction: DVec3) -> Camera {
    let up = if direction.x == 0.0 && direction.z == 0.0 { DVec3::Z } else { DVec3::Y };
    let eye = pivot - frame * direction.normalize() * 10.0;
    Camera { look_at: pivot, up: frame * up, ..Camera::at(eye) }
}

/// Returns true if the handle is seen end-on: an axis, if the view looks along it; a plane, if the look
/// direction lies in it.
fn is_end_on(constraint: Constraint, direction: DVec3) -> bool {
    let [x, y, z] = direction.to_array().map(|part| part != 0.0);
    match constraint {
        Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => [!y && !z, !x && !z, !x && !y][axis.index()],
        Constraint::Plane(axis) | Constraint::ScalePlane(axis) => [!x, !y, !z][axis.index()],
        _ => false,
    }
}

fn constraints() -> impl Iterator<Item = Constraint> {
    let all = [Constraint::Axis, Constraint::Plane, Constraint::ScaleAxis, Constraint::ScalePlane];
    all.into_iter().flat_map(|of| Axis::ALL.map(of))
}

/// Calls `check` for every projection, pivot, reference frame and look direction.
fn every_look(mut check: impl FnMut(&Projection, DVec3, DQuat, DVec3)) {
    for projection in &views::ALL {
        for pivot in PIVOTS {
            for frame in reference_frames() {
                look_directions().for_each(|direction| check(projection, pivot, frame, direction));
            }
        }
    }
}

/// Returns a grid of positions over the viewport, including the pivot.
fn presses(shot: &Shot, pivot: DVec3) -> impl Iterator<Item = DVec2> {
    let (center_px, scale) = (px(shot, pivot), shot.view.scale_factor());
    let by = [-251.3, 0.0, 173.1];
    by.into_iter().flat_map(move |x| by.map(|y| center_px + scale * DVec2::new(x, 0.9 * y)))
}

fn start(pivot: DVec3, frame: DQuat) -> Target {
    Target::from_world(Transform { translation: pivot, rotation: frame, ..Transform::IDENTITY })
}

/// Returns the default `max_distance`, plus a tolerance for rounding.
fn max_reach(shot: &Shot, pivot: DVec3) -> f64 {
    1000.0 * world_per_px(shot, pivot) * shot.view.viewport().height * (1.0 + 1e-5)
}

#[test]
fn press_is_refused_and_drag_holds_in_end_on_views() {
    let (mut held, mut followed) = (0, 0);
    every_look(|projection, pivot, frame, direction| {
        let oblique = projection.shot(&camera(pivot, frame, DVec3::new(-1.0, -0.8, -0.55)));
        let shot = projection.shot(&camera(pivot, frame, direction));
        for constraint in constraints() {
            for solver in solvers(constraint).iter().copied() {
                let settings = Settings::default().with(|s| {
                    s.motion.solver = solver;
                    s.orientation = Orientation::Custom(frame);
                });
                let begin = |shot: &Shot, press: DVec2| {
                    let (handle, targets) = (handle_of(constraint), [start(pivot, frame)]);
                    Drag::begin(handle, &shot.view, press, &targets, &settings, Snap::OFF)
                };
                let press = px(&oblique, pivot + frame * DVec3::new(0.5, 0.45, 0.55));
                let mut drag = begin(&oblique, press).expect("nothing is end-on");
                let good = drag.solve(&oblique.view, press + DVec2::new(31.0, -17.0), Snap::OFF);
                let name = || format!("{} {direction} {solver:?}", projection.name);
                for cursor in presses(&shot, pivot) {
                    let refused = begin(&shot, cursor).err();
                    let now = drag.solve(&shot.view, cursor, Snap::OFF);
                    if is_end_on(constraint, direction) {
                        assert_eq!(refused, Some(DisabledReason::SeenEndOn), "{}, {constraint:?}", name());
                        assert_eq!(now, good, "{}, {constraint:?}", name());
                        held += 1;
                    } else {
                        assert_eq!(refused, None, "{}, {constraint:?}", name());
                        followed += 1;
                    }
                }
            }
        }
    });
    // Projections, pivots, reference frames and presses. Out of 26 × 12 handles, 6 axes and 2 · 6 + 12 planes are
    // end-on, each of them for translation and for scale. Axes have three solvers.
    let each = 15 * 2 * 2 * 9;
    let end_on = 2 * (3 * 6 + 24);
    assert_eq!((held, followed), (each * end_on, each * (26 * (3 * 6 + 6) - end_on)));
}

#[test]
fn key_for_end_on_constraint_keeps_allowed_motion() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 9.0));
    let press = px(&shot, DVec3::ZERO);
    for (key, allowed) in
        [(Key::Axis(Axis::Z), DVec3::ZERO), (Key::Plane(Axis::X), DVec3::Y), (Key::Plane(Axis::Y), DVec3::X)]
    {
        let center = handle_of(Constraint::ViewPlane);
        let mut drag = begin(center, &shot, press, target_at(DVec3::ZERO), &Settings::default());
        let before = displacement(drag.solve(&shot.view, press + DVec2::new(30.0, 20.0), Snap::OFF));
        assert!(drag.key(key, Snap::OFF));
        let now = displacement(drag.solve(&shot.view, press + DVec2::new(-300.0, 211.0), Snap::OFF));
        assert!(now.distance(before * allowed) < 1e-9, "{key:?}: {now}");
    }
}

#[test]
fn plane_holds_at_horizon_and_clamps_beyond() {
    let shot = views::ALL[0]
        .shot(&Camera { look_at: DVec3::new(0.0, 2.0, 0.0), ..Camera::at(DVec3::new(0.0, 2.0, 9.0)) });
    let press = px(&shot, DVec3::new(0.4, 0.0, 0.4));
    let ground = handle_of(Constraint::Plane(Axis::Y));
    let begin = |press: DVec2| {
        let targets = [target_at(DVec3::ZERO)];
        Drag::begin(ground, &shot.view, press, &targets, &Settings::default(), Snap::OFF)
    };
    let mut drag = begin(press).expect("the plane is seen from above");
    let good = drag.solve(&shot.view, press + DVec2::new(40.0, -9.0), Snap::OFF);
    let horizon = DVec2::new(451.0, 300.0);
    assert_eq!(drag.solve(&shot.view, horizon, Snap::OFF), good);
    let beyond = drag.solve(&shot.view, horizon - DVec2::Y, Snap::OFF);
    assert!(beyond.clamped && displacement(beyond).length() > 0.999 * max_reach(&shot, DVec3::ZERO));
    assert_eq!(begin(horizon).err(), Some(DisabledReason::SeenEndOn));
}

#[test]
fn key_for_constraint_past_horizon_of_press_moves_nothing() {
    let shot = views::ALL[0]
        .shot(&Camera { look_at: DVec3::new(0.0, 2.0, 0.0), ..Camera::at(DVec3::new(0.0, 2.0, 9.0)) });
    // The horizon of the ground is at 300, and the vanishing point of Z in its middle.
    let press = DVec2::new(400.0, 270.0);
    for key in [Key::Plane(Axis::Y), Key::Axis(Axis::Z)] {
        let upward = handle_of(Constraint::Axis(Axis::Y));
        let mut drag = begin(upward, &shot, press, target_at(DVec3::ZERO), &Settings::default());
        drag.solve(&shot.view, press + DVec2::Y * 100.0, Snap::OFF);
        assert!(drag.key(key, Snap::OFF));
        let now = displacement(drag.solve(&shot.view, press + DVec2::new(20.0, 120.0), Snap::OFF));
        assert_eq!(now, DVec3::ZERO, "{key:?}");
    }
}
