//! The CPU pick (§14 of docs/spec.md).

use crate::stage::Stage;
use crate::views::{self, Camera};
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::{DrawList, HandleId, Mode};

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

#[test]
fn point_inside_handle_picks_it_unless_covered() {
    let (found, covered) = (Cell::new(0), Cell::new(0));
    for projection in views::ALL {
        for eye in EYES {
            for mode in [Mode::Translate, Mode::Rotate, Mode::Scale] {
                let mut stage = Stage::of_mode(mode);
                stage.shot = projection.shot(&Camera::at(eye));
                stage.update();
                let list = stage.draw();
                for handle in mode.handles().built_in() {
                    let id = stage.gizmo.id_of(handle);
                    if !list.items().iter().any(|item| item.id == Some(id)) {
                        continue;
                    }
                    for point in inside(handle.constraint(), eye.normalize()) {
                        // The view ring is parallel to the image plane, so an off-axis eye sees it at a
                        // slant.
                        if handle.name() == "rotate_view" && projection.name.contains("off-axis") {
                            continue;
                        }
                        let picked = list.pick(stage.at(point), 0.0).and_then(|id| stage.gizmo.handle_of(id));
                        let name = handle.name();
                        assert!(picked.is_some(), "{}: nothing at {point} of {name}", projection.name);
                        if picked == Some(handle) {
                            found.set(found.get() + 1);
                        } else {
                            covered.set(covered.get() + 1);
                        }
                    }
                }
            }
        }
    }
    let (found, covered) = (found.get(), covered.get());
    assert!(found > 20 * covered, "{found} found, {covered} covered by others");
}

fn front(mode: Mode) -> (Stage, DrawList) {
    let mut stage = Stage::of_mode(mode);
    stage.shot = views::ALL[7].shot(&Camera::at(DVec3::new(0.0, 0.0, 6.0)));
    stage.update();
    let list = stage.draw();
    (stage, list)
}

fn picked_name(stage: &Stage, list: &DrawList, px: DVec2, radius: f64) -> &'static str {
    let handle = list.pick(px, radius).and_then(|id| stage.gizmo.handle_of(id));
    handle.map_or("nothing", HandleId::name)
}

#[test]
fn tolerance_bounds_picks_beside_handles() {
    let (stage, list) = front(Mode::Translate);
    let on = stage.at(DVec3::X * 0.7).floor() + 0.5;
    let beside = |by: f64| on + DVec2::new(0.0, by);
    assert_eq!(picked_name(&stage, &list, on, 0.0), "translate_x");
    assert_eq!(picked_name(&stage, &list, beside(4.0), 0.0), "nothing");
    assert_eq!(picked_name(&stage, &list, beside(4.0), 5.0), "translate_x");
    assert_eq!(picked_name(&stage, &list, beside(-4.0), 5.0), "translate_x");
    assert_eq!(picked_name(&stage, &list, beside(9.0), 5.0), "nothing");
    assert_eq!(picked_name(&stage, &list, beside(9.0), f64::NAN), "nothing");
    assert_eq!(picked_name(&stage, &list, beside(9.0), -5.0), "nothing");
    assert_eq!(
        picked_name(&stage, &list, DVec2::new(-1.0, 300.0), 5000.0),
        "nothing",
        "outside the viewport"
    );
    assert_eq!(picked_name(&stage, &list, DVec2::NAN, 5000.0), "nothing");
}

#[test]
fn exact_hit_precedes_higher_priority_nearby() {
    let (stage, list) = front(Mode::Translate);
    // Inside the square, five pixels from its own border only. The arrows are within the tolerance.
    let square = stage.at(DVec3::new(0.4, 0.4, 0.0));
    assert_eq!(picked_name(&stage, &list, square, 60.0), "translate_xy");
    // The square is hit exactly, although an arrow is within half the radius.
    let beside_arrow = stage.at(DVec3::new(0.4, 0.31, 0.0));
    for radius in [0.0, 63.0] {
        assert_eq!(picked_name(&stage, &list, beside_arrow, radius), "translate_xy", "{radius}");
    }
    // Between the square and the arrow, both within half the radius, the arrow has priority.
    let between = stage.at(DVec3::new(0.4, 0.2, 0.0));
    assert_eq!(picked_name(&stage, &list, between, 0.0), "nothing");
    assert_eq!(picked_name(&stage, &list, between, 50.0), "translate_x");
    // A handle within half the radius precedes a farther one, whatever the priority.
    let near_square = stage.at(DVec3::new(0.4, 0.3, 0.0)) + DVec2::new(0.0, 3.0);
    assert_eq!(picked_name(&stage, &list, near_square, 30.0), "translate_xy");
}

#[test]
fn trackball_yields_to_handles_within_tolerance() {
    let (stage, list) = front(Mode::Rotate);
    let inside = DVec3::new(0.3, 0.4, 0.0);
    assert_eq!(picked_name(&stage, &list, stage.at(inside), 5.0), "rotate_trackball");
    let near_ring = stage.at(DVec3::new(0.6, 0.8, 0.0) * 0.88);
    assert_eq!(picked_name(&stage, &list, near_ring, 0.0), "rotate_trackball");
    assert_eq!(picked_name(&stage, &list, near_ring, 16.0), "rotate_z");
    let outside = stage.at(DVec3::new(0.6, 0.8, 0.0) * 1.32);
    assert_eq!(picked_name(&stage, &list, outside, 5.0), "nothing");
    assert_eq!(picked_name(&stage, &list, outside, 18.0), "rotate_view");
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

/// A pixel that shows a handle is found from every pixel that is within the tolerance of it.
#[test]
fn tolerance_reaches_every_pixel_of_handle() {
    let mut tested = 0;
    let eyes = [DVec3::new(2.0, 2.5, 6.0), DVec3::new(1.1, 0.7, 0.9), DVec3::new(-0.3, 3.0, 0.4)];
    for (projection, eye) in views::ALL.into_iter().flat_map(|projection| eyes.map(|eye| (projection, eye))) {
        // The trackball has no tolerance.
        let handles = HandleId::all().filter(|handle| handle.name() != "rotate_trackball");
        for handle in handles.chain(HandleId::box_handles().step_by(5)) {
            let mut stage = Stage::of_mode(Mode::Handles(handle.into()));
            stage.gizmo.settings.display.size_lpx = 140.0;
            stage.targets[0].bounds_local = Some([DVec3::splat(-0.4), DVec3::new(0.5, 0.3, 0.4)]);
            stage.gizmo.settings.box_handles = handle.box_index().map(|_| {
                let mut boxes = wgpu_gizmo_core::interaction::settings::BoxHandles::default();
                boxes.handles = handle.into();
                boxes
            });
            stage.shot = projection.shot(&projection.adjusted(&Camera::at(eye)));
            stage.update();
            let list = stage.draw();
            let Some(shown) = stage.gizmo.handle_px(&stage.shot.view, handle) else { continue };
            for (dx, dy) in [(1, 0), (0, -3), (-17, 4), (40, 9), (-30, -30), (5, 61), (61, 0), (11, -40)] {
                let by = DVec2::new(dx.into(), dy.into());
                if stage.shot.view.viewport().contains(shown + by) {
                    // The end of an arc is known to a pixel.
                    let found = list.pick(shown + by, by.length() + 1.0);
                    assert_eq!(
                        found,
                        Some(stage.gizmo.id_of(handle)),
                        "{} {}: {by}",
                        projection.name,
                        handle.name()
                    );
                    tested += 1;
                }
            }
        }
    }
    assert!(tested > 5_000, "{tested}");
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
