//! The CPU pick (§14 of docs/spec.md).

use crate::prelude::*;

/// Returns points inside a handle according to the layout of §2, in sizes from the pivot. `eye` is the
/// direction to the viewer.
fn inside(constraint: Constraint, eye: DVec3) -> Vec<DVec3> {
    let on = |axis: Axis, distances: &[f64]| distances.iter().map(|s| axis.unit() * *s).collect();
    let ring = |axis: Axis| {
        let [a, b] = axis.others().map(Axis::unit);
        let around = (0..24).map(|i| (f64::from(i) * 15f64 + 7.0).to_radians().sin_cos());
        around.map(|(sin, cos)| a * cos + b * sin).filter(|p| p.dot(eye) > 0.05).collect()
    };
    match constraint {
        Constraint::Axis(axis) => on(axis, &[0.3, 0.5, 0.8, 0.9, 0.97]),
        Constraint::ScaleAxis(axis) => on(axis, &[0.35, 0.5, 0.8, 0.95]),
        Constraint::Plane(axis) | Constraint::ScalePlane(axis) => {
            let [a, b] = axis.others().map(Axis::unit);
            [(0.4, 0.4), (0.32, 0.48), (0.48, 0.32)].map(|(s, t)| a * s + b * t).to_vec()
        }
        Constraint::ViewPlane | Constraint::ScaleUniform => vec![DVec3::ZERO],
        Constraint::Ring(axis) => ring(axis),
        Constraint::ViewRing => {
            let (u, v) = eye.any_orthonormal_pair();
            (0..12).map(|i| f64::from(i).sin_cos()).map(|(s, c)| (u * c + v * s) * 1.15).collect()
        }
        Constraint::Trackball => vec![DVec3::ZERO],
        // Not about the pivot.
        Constraint::Box(_) => Vec::new(),
        other => unreachable!("{other:?}"),
    }
}

const EYES: [DVec3; 8] = [
    DVec3::new(4.0, 3.0, 5.0),
    DVec3::new(-4.0, 3.5, 5.0),
    DVec3::new(4.0, -3.0, 5.0),
    DVec3::new(4.0, 5.0, -3.0),
    DVec3::new(-4.0, -5.0, 3.0),
    DVec3::new(-3.0, 4.0, -5.0),
    DVec3::new(4.0, -4.0, -4.0),
    DVec3::new(-4.0, -3.0, -5.0),
];

fn front(mode: Mode) -> (Stage, DrawList) {
    let mut stage = Stage::of_mode(mode);
    stage.shot = views::ALL[7].shot(&Camera::at(DVec3::new(0.0, 0.0, 6.0)));
    stage.update();
    let list = stage.draw();
    (stage, list)
}

/// Each radius as in §14: the handle at the pixel, the nearer half of the radius, then priority; the trackball last.
#[test]
fn tolerant_pick_follows_order_of_spec() {
    let beside = DVec2::new(0.0, 4.0);
    for (mode, at, by_px, radius, expected) in [
        (Mode::Translate, [0.7, 0.0], DVec2::ZERO, 0.0, "translate_x"),
        (Mode::Translate, [0.7, 0.0], beside, 0.0, "nothing"),
        (Mode::Translate, [0.7, 0.0], beside, 5.0, "translate_x"),
        (Mode::Translate, [0.7, 0.0], -beside, 5.0, "translate_x"),
        (Mode::Translate, [0.7, 0.0], beside * 2.2, 5.0, "nothing"),
        (Mode::Translate, [0.7, 0.0], beside * 2.2, f64::NAN, "nothing"),
        (Mode::Translate, [0.7, 0.0], beside * 200.0, 5000.0, "nothing"),
        // A finger on a screen with a scale factor of 3.
        (Mode::Translate, [0.4, 0.0], beside * 16.4, 66.0, "translate_x"),
        // The square is hit exactly, although an arrow is within half the radius.
        (Mode::Translate, [0.4, 0.31], DVec2::ZERO, 63.0, "translate_xy"),
        // Between the square and the arrow, both within half the radius, the arrow has priority.
        (Mode::Translate, [0.4, 0.2], DVec2::ZERO, 50.0, "translate_x"),
        // A handle within half the radius precedes a farther one.
        (Mode::Translate, [0.4, 0.3], DVec2::Y * 3.0, 30.0, "translate_xy"),
        (Mode::Rotate, [0.3, 0.4], DVec2::ZERO, 5.0, "rotate_trackball"),
        (Mode::Rotate, [0.528, 0.704], DVec2::ZERO, 0.0, "rotate_trackball"),
        (Mode::Rotate, [0.528, 0.704], DVec2::ZERO, 16.0, "rotate_z"),
        (Mode::Rotate, [0.792, 1.056], DVec2::ZERO, 18.0, "rotate_view"),
    ] {
        let (stage, list) = front(mode);
        let px = stage.at(DVec3::new(at[0], at[1], 0.0)) + by_px;
        let handle = list.pick(px, radius).and_then(|id| stage.gizmo.handle_of(id));
        assert_eq!(handle.map_or("nothing", HandleId::name), expected, "{at:?} {by_px} {radius}");
    }
}

#[test]
fn pixel_of_handle_is_well_inside_where_possible() {
    let around = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
    let (mut well, mut narrow) = (0, 0);
    for (projection, eye) in views::ALL.into_iter().flat_map(|projection| EYES.map(|eye| (projection, eye))) {
        for mode in [Mode::Translate, Mode::Rotate, Mode::Scale] {
            let mut stage = Stage::of_mode(mode);
            stage.shot = projection.shot(&projection.adjusted(&Camera::at(eye)));
            stage.update();
            let list = stage.draw();
            let view = stage.shot.view;
            for handle in mode.handles().built_in() {
                let id = stage.gizmo.id_of(handle);
                let is_hit = |px: DVec2| list.pick(px, 0.0) == Some(id);
                let Some(px) = stage.gizmo.handle_px(&view, handle) else {
                    // Not at any of its points that show it elsewhere.
                    let points = inside(handle.constraint(), eye.normalize());
                    let is_shown = points.iter().any(|point| is_hit(stage.at(*point)));
                    assert!(!is_shown, "{}: {}", projection.name, handle.name());
                    continue;
                };
                assert!(
                    is_hit(px) && list.pick(px, 5.0) == Some(id) && px.fract() == DVec2::splat(0.5),
                    "{}: {}",
                    projection.name,
                    handle.name()
                );
                let is_inside = around.iter().all(|by| is_hit(px + *by * 1.5));
                *if is_inside { &mut well } else { &mut narrow } += 1;
            }
        }
    }

    assert!(well > 2_000 && narrow * 50 < well, "{well} well inside, {narrow} not");
}

/// The gizmo of the first target is behind the one of the second.
#[test]
fn pixel_of_handle_is_found_on_target_that_shows_it() {
    let (mut stage, _) = front(Mode::Translate);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    stage.targets = [-0.01, 0.0].map(|z| target_at(DVec3::Z * z)).to_vec();
    stage.update();
    let center = handle("translate_view");
    let px = stage.gizmo.handle_px(&stage.shot.view, center).expect("that of the second target is visible");
    let hit = stage.draw().pick(px, 5.0);
    assert_eq!(hit.and_then(|id| stage.gizmo.target_of(id)), Some(1));
}

#[test]
fn trackball_yields_within_one_pixel() {
    let (stage, list) = front(Mode::Rotate);
    let ball = stage.gizmo.id_of(HandleId::from_name("rotate_trackball").expect("it is built in"));
    let center = stage.at(DVec3::ZERO).floor() + 0.5;
    let is_beside =
        |px: &DVec2| list.pick(*px, 0.0) == Some(ball) && list.pick(*px, 1.0 - 1e-9) == Some(ball);
    let along = (0..200).flat_map(|x| (0..40).map(move |y| center + DVec2::new(x.into(), y.into())));
    let yielding = along.filter(is_beside).filter(|px| list.pick(*px, 1.0) != Some(ball));
    assert!(yielding.count() > 0, "handles at most one pixel away win");
}

#[test]
fn tolerance_ends_at_edge_of_view() {
    for (x_px, expected) in [(4.5, Some("translate_y")), (-4.5, None)] {
        let (mut stage, _) = front(Mode::Translate);
        // The upright arrow is beside the left edge of the view, 3 pixels wide.
        let by_px = x_px - stage.at(DVec3::ZERO).x;
        stage.targets[0].local.translation.x += by_px * stage.shot.view.pixel_size(DVec3::ZERO);
        stage.update();
        let at = DVec2::new(0.5, stage.at(DVec3::Y * 0.5).y);
        let found = stage.draw().pick(at, 5.0).and_then(|id| stage.gizmo.handle_of(id));
        assert_eq!(found.map(HandleId::name), expected, "{x_px}");
    }
}
