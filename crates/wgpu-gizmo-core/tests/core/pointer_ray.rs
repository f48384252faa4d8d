//! A ray as the pointer (§22): the drags of a ray through a pixel, of a hand elsewhere, and picks by angle.

use crate::oracle::{between, bits, cases, direction, handle};
use crate::stage::Stage;
use crate::views::{self, Camera};
use fastrand::Rng;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::Event;
use wgpu_gizmo_core::interaction::settings::Pivot;
use wgpu_gizmo_core::math::Ray;
use wgpu_gizmo_core::pick::snap::{SnapPoint, SnapTo};
use wgpu_gizmo_core::{Gizmo, HandleId, Mode, Orientation, Settings, Solver, Target, Transform, View};

/// The eye of [`Stage::new`] is at a distance of about 7; a hand is below it and nearer.
const HAND: DVec3 = DVec3::new(1.5, 0.4, 4.0);
const TOLERANCE: f64 = 0.02;
const PRESETS: [Mode; 3] = [Mode::Translate, Mode::Rotate, Mode::Universal];

fn ray_to(point: DVec3) -> Ray {
    Ray { origin: HAND, direction: point - HAND, start: 0.0 }
}

/// Returns a stage whose axes follow rays and pixels by the same solver.
fn stage(mode: Mode, camera: &Camera, projection: &views::Projection) -> Stage {
    let settings = Settings::default().with(|s| {
        s.mode = mode;
        s.motion.solver = Solver::ClosestPoint;
        s.input.tolerance_lpx = 0.0;
    });
    let mut stage = Stage::new(settings);
    stage.shot = projection.shot(&projection.adjusted(camera));
    stage.gizmo.settings.orientation = Orientation::View;
    stage
}

/// Presses the handle at the pixel `from` and drags it to `to`; returns the handle.
fn drag_by_px(stage: &mut Stage, from: DVec2, to: &[DVec2]) -> Option<HandleId> {
    let mut events = stage.grab(from);
    for px in to {
        stage.move_to(*px);
        events.extend(stage.update());
        stage.answer();
    }
    events.extend(stage.update());
    stage.gizmo.dragging()
}

fn drag_by_ray(stage: &mut Stage, from: Ray, to: &[Ray], tolerance: f64) -> (Option<HandleId>, Vec<Event>) {
    stage.update();
    stage.gizmo.pointer_ray(from, tolerance);
    stage.gizmo.pointer_pressed();
    let mut events = stage.update();
    let dragged = stage.gizmo.dragging();
    for ray in to {
        stage.gizmo.pointer_ray(*ray, tolerance);
        events.extend(stage.update());
    }
    (dragged, events)
}

fn camera(rng: &mut Rng) -> Camera {
    let look_at = DVec3::new(between(rng, -0.6, 0.6), between(rng, -0.6, 0.6), between(rng, -0.6, 0.6));
    Camera { look_at, ..Camera::at(direction(rng) * between(rng, 4.0, 9.0)) }
}

#[test]
fn ray_through_pixel_drags_like_that_pixel() {
    let mut compared = [0; 2];
    let counts = std::cell::RefCell::new(&mut compared);
    cases(3000, |rng| {
        let (projection, mode) = (views::ALL[rng.usize(..views::ALL.len())], PRESETS[rng.usize(..3)]);
        let camera = camera(rng);
        let [mut by_px, mut by_ray] = [(); 2].map(|()| stage(mode, &camera, &projection));
        let offset = direction(rng) * between(rng, 0.05, 1.2);
        let from = by_px.at(offset).floor() + 0.5;
        let to = [0; 3].map(|_| from + DVec2::new(between(rng, -90.0, 90.0), between(rng, -90.0, 90.0)));
        let view: View = by_px.shot.view;
        by_px.update();
        let list = by_px.draw();
        let around = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
        let is_at_edge = around.iter().any(|by| list.pick(from + *by, 0.0) != list.pick(from, 0.0));
        let expected = drag_by_px(&mut by_px, from, &to);
        let rays = to.map(|px| view.pointer_ray(px));
        let (dragged, _) = drag_by_ray(&mut by_ray, view.pointer_ray(from), &rays, 0.0);
        // The thicknesses of lines are equal for both only up to rounding.
        if is_at_edge {
            return;
        }
        assert_eq!(dragged, expected, "{} {mode:?} at {from}", projection.name);
        let Some(handle) = dragged else { return };
        let is_scale = handle.name().starts_with("scale");
        counts.borrow_mut()[usize::from(is_scale)] += 1;
        // Scale handles solve a pixel by the drawn line, and a ray by the closest point.
        let (expected, local) = (by_px.local(), by_ray.local());
        let off = (expected.translation - local.translation).length()
            + (expected.rotation - local.rotation)
                .length()
                .min((expected.rotation + local.rotation).length());
        let allowed = 1e-8 * (1.0 + expected.translation.length());
        assert!(is_scale || off < allowed, "{} {}: {off}", projection.name, handle.name());
    });
    assert!(compared[0] > 800 && compared[1] > 10, "{compared:?}");
}

#[test]
fn axis_drag_follows_closest_point_to_ray() {
    for name in ["translate_x", "translate_y", "translate_z", "scale_x", "scale_y", "scale_z"] {
        let mode = if name.starts_with("scale") { Mode::Scale } else { Mode::Translate };
        let mut stage = Stage::of_mode(mode);
        let Some(axis) = handle(name).constraint().axis() else { unreachable!("{name}") };
        let unit = axis.unit();
        let from = unit * 0.9 * stage.size();
        let to = [unit * 1.7 + DVec3::new(0.02, 0.01, -0.03), unit * -0.4, unit * 2.6];
        let (dragged, _) = drag_by_ray(&mut stage, ray_to(from), &to.map(ray_to), TOLERANCE);
        assert_eq!(dragged, Some(handle(name)));
        // The nearest point of the line to the last ray, by minimizing the squared distance.
        let nearest = |ray: Ray| {
            let d = ray.direction.normalize();
            let to_line = -ray.origin;
            let across = |v: DVec3| v - d * v.dot(d);
            -across(unit).dot(across(to_line)) / across(unit).length_squared()
        };
        let (grab, now) = (nearest(ray_to(from)), nearest(ray_to(to[2])));
        let local = stage.local();
        if name.starts_with("scale") {
            let factor = local.scale[axis.index()];
            assert!((factor - now / grab).abs() < 1e-9, "{name}: {factor} {}", now / grab);
        } else {
            let expected = unit * (now - grab);
            assert!((local.translation - expected).length() < 1e-9, "{name}: {}", local.translation);
        }
    }
}

#[test]
fn ring_rotates_by_angle_between_ray_hits() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    let size = stage.size();
    let on_ring = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        DVec3::new(cos, sin, 0.0) * size
    };
    let steps: Vec<Ray> = (1..=9).map(|step| ray_to(on_ring(20.0 + 40.0 * f64::from(step)) * 1.3)).collect();
    let (dragged, _) = drag_by_ray(&mut stage, ray_to(on_ring(20.0)), &steps, TOLERANCE);
    assert_eq!(dragged, Some(handle("rotate_z")));
    let drag = stage.gizmo.drag().expect("a drag is in progress");
    assert!((drag.numbers()[0].to_degrees() - 360.0).abs() < 1e-9, "{:?}", drag.numbers());
}

#[test]
fn ray_that_moves_without_turning_drags() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let from = ray_to(DVec3::new(0.9, 0.0, 0.0) * stage.size());
    let moved = Ray { origin: from.origin + DVec3::X * 0.25, ..from };
    let (dragged, events) = drag_by_ray(&mut stage, from, &[moved], TOLERANCE);
    assert_eq!(dragged, Some(handle("translate_x")));
    assert!((stage.local().translation - DVec3::X * 0.25).length() < 1e-9, "{}", stage.local().translation);
    assert!(events.iter().any(|event| matches!(event, Event::Changed(_))));
    // Back at the pressed ray the start returns bit for bit.
    stage.gizmo.pointer_ray(from, TOLERANCE);
    stage.update();
    assert_eq!(bits(&stage.local()), bits(&Transform::IDENTITY));
    assert!(stage.release().contains(&Event::Ended { changed: false }));
}

#[test]
fn moving_camera_does_not_change_ray_drag() {
    let mut stage = Stage::of_mode(Mode::Universal);
    let from = DVec3::new(0.0, 1.25, 0.0) * stage.size();
    let to = ray_to(from + DVec3::Y);
    drag_by_ray(&mut stage, ray_to(from), &[to], TOLERANCE);
    let before = stage.local();
    assert!(before.translation.y > 0.9 && stage.gizmo.held_view() == Some(&stage.shot.view));
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(-3.0, 1.0, 5.0)));
    stage.gizmo.pointer_ray(to, TOLERANCE);
    stage.update();
    assert_eq!(bits(&stage.local()), bits(&before));
}

#[test]
fn ray_hits_handle_within_angle_at_any_distance() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let tip = DVec3::X * 0.6 * stage.size();
    for distance in [0.4, 2.0, 30.0] {
        let origin = tip + DVec3::new(0.1, 0.3, 1.0).normalize() * distance;
        let toward = tip - origin;
        // The stem is thin: past its half width, the angle from its center line decides.
        let aside = toward.cross(DVec3::X).normalize() * distance;
        let half_width = 0.02 * stage.size() / distance;
        for (angle, is_hit) in [(0.0, true), (0.8, true), (1.2, false)] {
            let angle = angle * TOLERANCE + if is_hit { 0.0 } else { half_width };
            let ray = Ray { origin, direction: toward + aside * angle.tan(), start: 0.0 };
            stage.gizmo.pointer_ray(ray, TOLERANCE);
            stage.update();
            let hovered = stage.gizmo.hovered();
            assert_eq!(hovered == Some(handle("translate_x")), is_hit, "{distance} {angle}: {hovered:?}");
            assert!(!stage.gizmo.is_hover_pending() && stage.gizmo.pick_query().is_none());
        }
    }
}

#[test]
fn unusable_rays_change_nothing() {
    let mut stage = Stage::of_mode(Mode::Translate);
    let tip = DVec3::X * 0.6 * stage.size();
    stage.gizmo.pointer_ray(ray_to(tip), TOLERANCE);
    stage.update();
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
    let nan = DVec3::splat(f64::NAN);
    for ray in [
        Ray { origin: nan, ..ray_to(tip) },
        Ray { direction: nan, ..ray_to(tip) },
        Ray { direction: DVec3::ZERO, ..ray_to(tip) },
        Ray { start: f64::NAN, ..ray_to(tip) },
    ] {
        stage.gizmo.pointer_ray(ray, TOLERANCE);
        stage.update();
        assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")), "{ray:?} is ignored");
    }
    stage.gizmo.pointer_ray(ray_to(tip), f64::NAN);
    stage.update();
    assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")), "an exact hit needs no tolerance");
    // A ray that points away hits nothing, and in a drag the last motion holds.
    let away = Ray { direction: HAND - tip, ..ray_to(tip) };
    stage.gizmo.pointer_ray(away, TOLERANCE);
    stage.gizmo.pointer_pressed();
    assert!(stage.update().is_empty() && stage.gizmo.hovered().is_none());
    assert!(stage.release().is_empty(), "what the ray hit besides is not known");
    drag_by_ray(&mut stage, ray_to(tip), &[ray_to(tip + DVec3::X), away], TOLERANCE);
    assert!(stage.local().translation.x > 0.9, "{}", stage.local().translation);
    stage.gizmo.cancel();
    stage.update();
    assert_eq!(bits(&stage.local()), bits(&Transform::IDENTITY));
}

#[test]
fn ray_grabs_gizmo_of_one_target() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    let at = |x: f64| Target::from_world(Transform { translation: DVec3::X * x, ..Transform::IDENTITY });
    stage.targets = vec![at(-2.0), at(0.0), at(2.0)];
    let arrow = DVec3::new(-2.0, 0.0, 0.0) + DVec3::Y * 0.6 * stage.size();
    let (dragged, _) = drag_by_ray(&mut stage, ray_to(arrow), &[ray_to(arrow + DVec3::Y)], TOLERANCE);
    assert_eq!((dragged, stage.gizmo.hovered_target()), (Some(handle("translate_y")), Some(0)));
    assert!(stage.targets.iter().all(|target| (target.local.translation.y - 1.0).abs() < 0.05));
}

#[test]
fn pointer_pixel_replaces_earlier_ray() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.gizmo.pointer_ray(ray_to(DVec3::X * 0.6 * stage.size()), TOLERANCE);
    stage.update();
    assert!(stage.gizmo.hovered().is_some());
    stage.hover(DVec2::new(5.0, 5.0));
    assert!(stage.gizmo.hovered().is_none());
    let gizmo: &mut Gizmo = &mut stage.gizmo;
    gizmo.pointer_ray(ray_to(DVec3::ZERO), TOLERANCE);
    gizmo.pointer_left();
    stage.update();
    assert!(stage.gizmo.hovered().is_none());
}

/// A drag of a ray that a pixel continues snaps to what is under the pixel. It is free again once a ray continues it.
#[test]
fn ray_forgets_what_pixel_snapped_to() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.update();
    let from = stage.gizmo.handle_px(&stage.shot.view, handle("translate_view")).expect("it is visible");
    stage.gizmo.settings.snap.to = SnapTo::VERTEX;
    let view = stage.shot.view;
    stage.gizmo.pointer_ray(view.pointer_ray(from), 0.0);
    stage.gizmo.pointer_pressed();
    stage.update();
    assert!(stage.gizmo.is_active());
    let to = from + DVec2::new(60.0, 20.0);
    stage.point_at(to);
    let query = stage.gizmo.snap_query().expect("the drag snaps");
    let ray = view.pointer_ray(to);
    let vertex = ray.origin + ray.direction * 3.0;
    stage.gizmo.answer_snap(&query, Some(SnapPoint::new(vertex, SnapTo::VERTEX)));
    stage.update();
    let snapped = stage.local().translation;
    assert!(stage.gizmo.snapped_to().is_some());
    // The same position, as a ray.
    stage.gizmo.pointer_ray(ray, 0.0);
    stage.update();
    let free = stage.local().translation;
    assert!(free.distance(snapped) > 0.1, "{free} is still snapped to {vertex}");
    let off_plane = free.dot(view.forward());
    assert!(off_plane.abs() < 1e-9, "the plane of the view contains the start, not the vertex: {off_plane}");
}

#[test]
fn ray_hits_line_as_wide_as_camera_shows_it() {
    let arrow = handle("translate_x");
    let mut tested = 0;
    let counted = std::cell::RefCell::new(&mut tested);
    cases(300, |rng| {
        let mut stage = Stage::of_mode(Mode::Handles(arrow.into()));
        let projection = views::ALL[rng.usize(..views::ALL.len())];
        stage.shot = projection.shot(&projection.adjusted(&camera(rng)));
        stage.targets[0].local.translation = direction(rng) * between(rng, 0.0, 0.5);
        stage.update();
        // Anywhere, also where the ray points away from the camera's direction.
        let (pivot, view) = (stage.pivot(), stage.shot.view);
        let hand = pivot + direction(rng) * between(rng, 2.0, 6.0);
        let point = pivot + DVec3::X * 0.45 * stage.size();
        let toward = (point - hand).normalize();
        let across = toward.cross(DVec3::X);
        // The pixel of a view from the hand that shows the pivot as large as the camera does.
        let pixel = view.pixel_size(pivot) * toward.dot(point - hand) / toward.dot(pivot - hand);
        let mut hits = |offset_px: f64| {
            let to = point + across.normalize() * (offset_px * pixel);
            stage.gizmo.pointer_ray(Ray { origin: hand, direction: to - hand, start: 0.0 }, 0.0);
            stage.update();
            stage.gizmo.hovered() == Some(arrow)
        };
        if across.length() < 0.5 || !hits(0.0) {
            return;
        }
        let [left, right] = [-1.0, 1.0].map(|side| {
            let (mut inside, mut outside) = (0.0, 40.0);
            for _ in 0..12 {
                let middle = 0.5 * (inside + outside);
                if hits(side * middle) { inside = middle } else { outside = middle }
            }
            inside
        });
        // The line is 3 logical pixels wide. It is not parallel to the image, so that its end is nearer than its start.
        let half_lpx = 0.5 * (left + right) / view.scale_factor();
        assert!((left - right).abs() < 0.03, "{}: {left} and {right}", projection.name);
        assert!((half_lpx - 1.5).abs() < 0.3, "{}: {half_lpx}", projection.name);
        **counted.borrow_mut() += 1;
    });
    assert!(tested > 100, "{tested}");
}

#[test]
fn ray_through_two_gizmos_grabs_nearer_one() {
    for order in [[0, 1], [1, 0]] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.pivot = Pivot::EachTarget;
        let at = |translation: DVec3| Target::from_world(Transform { translation, ..Transform::IDENTITY });
        // The ray passes through both X arrows.
        let down = DVec3::new(0.0, -0.25, -1.0);
        stage.targets = order.map(|index| at([DVec3::ZERO, down * 2.0][index])).to_vec();
        stage.update();
        let ray = Ray { origin: DVec3::X * 0.6 * stage.size() - down * 3.0, direction: down, start: 0.0 };
        stage.gizmo.pointer_ray(ray, TOLERANCE);
        stage.update();
        assert_eq!(stage.gizmo.hovered(), Some(handle("translate_x")));
        assert_eq!(stage.gizmo.hovered_target(), order.iter().position(|index| *index == 0), "{order:?}");
    }
}

#[test]
fn each_update_ends_one_drag_of_ray() {
    for by_wheel in [false, true] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.input.wheel_nudge = true;
        stage.update();
        let at = |x: f64| ray_to(DVec3::X * x);
        stage.gizmo.pointer_ray(at(0.6), TOLERANCE);
        stage.update();
        if by_wheel {
            stage.gizmo.wheel(1.0);
            stage.update();
        } else {
            stage.gizmo.pointer_pressed();
            stage.gizmo.pointer_ray(at(0.8), TOLERANCE);
            stage.gizmo.pointer_released();
        }
        let px = stage.at(DVec3::X * if by_wheel { 1.2 } else { 0.9 });
        stage.gizmo.pointer_ray(stage.shot.view.pointer_ray(px), TOLERANCE);
        stage.gizmo.pointer_pressed();
        stage.gizmo.pointer_released();
        let events = stage.update();
        let ended = events.iter().filter(|event| matches!(event, Event::Ended { .. })).count();
        assert_eq!((ended, stage.gizmo.is_active()), (1, false), "{events:?}");
        assert_eq!(
            stage.gizmo.starts().collect::<Vec<_>>(),
            [Transform::IDENTITY],
            "those of the first drag"
        );
    }
}
