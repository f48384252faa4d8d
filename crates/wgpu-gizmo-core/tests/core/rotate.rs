//! Rotation (§6 of docs/spec.md).

use crate::oracle::{
    self, any_shot, begin, between, cases, direction_to, handle_of, oriented, plane_hit, px, size_world,
    target_at, visible_point, w,
};
use crate::translate_axis::any_cursor;
use crate::views::{self, Camera, Projection, Shot};
use std::cell::Cell;
use std::f64::consts::{PI, TAU};
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::{Change, Drag, Motion};
use wgpu_gizmo_core::{Increment, Orientation, Settings, Snap, Target, Transform};

/// Angles in degrees that the cursor moves around the ring.
const TURNS: [f64; 8] = [10.0, 45.0, 90.0, 135.0, 180.0, 270.0, 350.0, 725.0];

fn rotation(motion: Motion) -> (DVec3, f64) {
    let Change::Rotate { axis, principal, .. } = motion.change else { panic!("no rotation: {motion:?}") };
    assert!(principal > -PI && principal <= PI, "{principal}");
    (axis, principal)
}

#[test]
fn grabbed_direction_follows_cursor() {
    let checked = Cell::new(0u64);
    cases(100_000, |rng| {
        let (projection, camera, shot) = any_shot(rng);
        let pivot = visible_point(rng, &shot);
        let frame = oracle::rotation(rng);
        let axis = Axis::ALL[rng.usize(..3)];
        let normal = frame * axis.unit();
        let settings = oriented(Orientation::Custom(frame));
        let size = size_world(&shot, pivot, &settings);
        let [a, b] = axis.others().map(|other| frame * other.unit());
        let (sin, cos) = between(rng, 0.0, TAU).sin_cos();
        let point = pivot + (a * cos + b * sin) * size;
        let sine = normal.dot(direction_to(&projection, &camera, point));
        if sine.abs() < 10.1f64.to_radians().sin() || w(&shot, point) < 0.05 * w(&shot, pivot) {
            return;
        }
        let press = px(&shot, point);
        let mut drag = begin(handle_of(Constraint::Ring(axis)), &shot, press, target_at(pivot), &settings);
        let cursor = any_cursor(rng, &shot);
        if px(&shot, pivot).distance(cursor) < 2.1 * shot.view.scale_factor() {
            return;
        }
        let hit = plane_hit(&shot, cursor, pivot, normal);
        let in_front = w(&shot, hit) > 0.0;
        let ray = shot.view.pointer_ray(cursor).direction;
        let to = if in_front { hit - pivot } else { ray };
        let to = to.reject_from_normalized(normal).normalize();
        let (about, angle) = rotation(drag.solve(&shot.view, cursor, Snap::OFF));
        assert!(about.distance(normal) < 1e-12);
        let from = (point - pivot).reject_from_normalized(normal).normalize();
        let from = DQuat::from_axis_angle(normal, angle) * from;
        let off = from.cross(to).length().atan2(from.dot(to));
        // The error of the oracle itself, if the ray grazes the plane or the hit is far away.
        let rounding = 1e-15 * (1.0 + pivot.length() + camera.eye.length()) / size
            + 1e-14 * (hit - pivot).length() / size
            + 1e-15 / ray.dot(normal).abs();
        if rounding > 1e-10 {
            return;
        }
        checked.set(checked.get() + 1);
        assert!(off < 1e-9, "{}: {off} rad off", projection.name);
    });
    assert!(checked.get() > 40_000, "{}", checked.get());
}

/// Moves the cursor around a ring by `degrees`, in steps of at most 45°, and returns the motion.
fn move_around(shot: &Shot, axis: DVec3, drag: &mut Drag, from: DVec3, degrees: f64) -> Motion {
    let steps = (degrees.abs() / 44.0).ceil();
    let mut motion = drag.motion();
    for step in 1..=steps as i32 {
        let angle = (degrees * f64::from(step) / steps).to_radians();
        let cursor = px(shot, DQuat::from_axis_angle(axis, angle) * from);
        motion = drag.solve(&shot.view, cursor, Snap::OFF);
    }
    motion
}

fn assert_ring_follows_cursor(projection: &Projection, eye: DVec3, up: DVec3) {
    let settings = Settings::default();
    let shot = projection.shot(&Camera { up, ..Camera::at(eye) });
    let radius = size_world(&shot, DVec3::ZERO, &settings);
    // The point of the ring at which the pressed ray is the steepest.
    let from = eye.reject_from_normalized(DVec3::Z).normalize_or(DVec3::X) * radius;
    for degrees in TURNS.into_iter().flat_map(|d| [d, -d]) {
        let start = Transform { rotation: DQuat::from_axis_angle(DVec3::Y, 0.7), ..Transform::IDENTITY };
        let mut targets = [Target::from_world(start)];
        let mut drag = begin(oracle::handle("rotate_z"), &shot, px(&shot, from), targets[0], &settings);
        let motion = move_around(&shot, DVec3::Z, &mut drag, from, degrees);
        let angle = motion.change.total_angle();
        let name = projection.name;
        assert!((angle - degrees.to_radians()).abs() < 1e-9, "{name} from {eye}: {degrees} gave {angle}");
        drag.apply(&mut targets);
        let expected = DQuat::from_axis_angle(DVec3::Z, degrees.to_radians()) * start.rotation;
        let off = targets[0].local.rotation.dot(expected).abs();
        assert!((1.0 - off).abs() < 1e-12, "{name} from {eye}: {degrees}: {off}");
        assert!(targets[0].local.rotation.angle_between(expected) < 1e-7);
        assert_eq!(targets[0].local.translation, DVec3::ZERO);
    }
}

/// Returns the position of a camera this many degrees above the plane of the Z ring.
fn above(degrees: f64) -> DVec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    DVec3::new(0.6 * cos, -0.8 * cos, sin) * 6.0
}

#[test]
fn ring_rotates_by_cursor_angle() {
    // Cameras in front, oblique, and 12° above the plane of the ring.
    for projection in views::ALL {
        assert_ring_follows_cursor(&projection, DVec3::new(0.0, 0.0, 6.0), DVec3::Y);
        assert_ring_follows_cursor(&projection, DVec3::new(3.0, 3.0, 3.0), DVec3::Y);
        assert_ring_follows_cursor(&projection, above(12.0), DVec3::Z);
    }
}

#[test]
fn edge_on_ring_rotates_one_radian_per_radius() {
    for projection in views::ALL {
        for elevation in [4.0, -4.0, 0.0] {
            let eye = above(elevation);
            let shot = projection.shot(&Camera { up: DVec3::Z, ..Camera::at(eye) });
            let settings = Settings::default();
            let radius = size_world(&shot, DVec3::ZERO, &settings);
            let radius_px = radius / oracle::world_per_px(&shot, DVec3::ZERO);
            let toward = eye.reject_from_normalized(DVec3::Z).normalize();
            for grabbed_at in [0.0, 0.5, -1.1, 1.35, -1.3] {
                let on_ring = |a: f64| DQuat::from_axis_angle(DVec3::Z, grabbed_at + a) * toward * radius;
                let (from, step) = (on_ring(0.0), 1e-3);
                let slope = |h: f64| (px(&shot, on_ring(h)) - px(&shot, on_ring(-h))) / (2.0 * h);
                // Richardson extrapolation: the remaining error is of fourth order.
                let tangent = (slope(step) * 4.0 - slope(2.0 * step)).normalize();
                let press = px(&shot, from);
                for (along, across) in [(0.3, 0.0), (-1.7, 0.2), (4.0, -1.0), (20.0, 3.0)] {
                    let mut drag =
                        begin(oracle::handle("rotate_z"), &shot, press, target_at(DVec3::ZERO), &settings);
                    let cursor = press + (tangent * along + tangent.perp() * across) * radius_px;
                    let angle = drag.solve(&shot.view, cursor, Snap::OFF).change.total_angle();
                    let name = projection.name;
                    assert!(
                        (angle - along).abs() < 1e-9,
                        "{name} from {elevation}° at {grabbed_at}: {angle} for {along}"
                    );
                }
            }
        }
    }
}

#[test]
fn view_ring_rotates_by_screen_angle() {
    cases(20_000, |rng| {
        let (projection, _, shot) = any_shot(rng);
        let pivot = visible_point(rng, &shot);
        let settings = Settings::default();
        let center = px(&shot, pivot);
        let at = |angle: f64, radius: f64| center + DVec2::new(angle.cos(), -angle.sin()) * radius;
        let start = between(rng, 0.0, TAU);
        let mut drag =
            begin(oracle::handle("rotate_view"), &shot, at(start, 110.0), target_at(pivot), &settings);
        let total = between(rng, -20.0, 20.0);
        let steps = (total.abs() / 0.7).ceil().max(1.0);
        let mut motion = drag.motion();
        for step in 1..=steps as i32 {
            let angle = start + total * f64::from(step) / steps;
            motion = drag.solve(&shot.view, at(angle, between(rng, 20.0, 300.0)), Snap::OFF);
        }
        let angle = motion.change.total_angle();
        assert!((angle - total).abs() < 1e-9, "{}: {angle} for {total}", projection.name);
        let [x, y] = [0, 1].map(|i| shot.view_from_world.row(i).truncate().normalize());
        let (axis, _) = rotation(motion);
        assert!(axis.distance(x.cross(y)) < 1e-6, "{}: {axis}", projection.name);
        // A quarter turn rotates right to up, in right- and left-handed worlds.
        let up = DQuat::from_axis_angle(axis, 0.5 * PI) * x;
        assert!(up.distance(y) < 1e-6, "{}", projection.name);
    });
}

#[test]
fn last_angle_holds_near_pivot_pixel() {
    for projection in views::ALL {
        let shot = projection.shot(&Camera::at(DVec3::new(2.0, 1.0, 5.0)));
        for name in ["rotate_z", "rotate_view"] {
            let scale = shot.view.scale_factor();
            let center = px(&shot, DVec3::ZERO);
            let press = center + DVec2::new(90.0, 0.0) * scale;
            let mut drag =
                begin(oracle::handle(name), &shot, press, target_at(DVec3::ZERO), &Settings::default());
            let motion = drag.solve(&shot.view, center + DVec2::new(0.0, -60.0) * scale, Snap::OFF);
            for near in [DVec2::ZERO, DVec2::new(1.9, 0.0), DVec2::new(-1.0, 1.0)] {
                assert_eq!(drag.solve(&shot.view, center + near * scale, Snap::OFF), motion);
            }
            assert_ne!(drag.solve(&shot.view, center + DVec2::new(2.1, 0.0) * scale, Snap::OFF), motion);
        }
    }
}

#[test]
fn total_angle_snaps_and_whole_turns_restore_starts() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.0, 0.0, 6.0)));
    let settings = Settings::default();
    let radius = size_world(&shot, DVec3::ZERO, &settings);
    let from = DVec3::X * radius;
    let increment = 15f64.to_radians();
    let snap = Snap { rotate: Increment::new(increment), ..Snap::OFF };
    for turns in [-3.0, -1.0, 1.0, 2.0, 7.0] {
        let start = Transform {
            translation: DVec3::new(-0.0, 0.1, 1.0 / 3.0),
            rotation: DQuat::from_xyzw(0.3, -0.0, 0.9, -2.0),
            scale: DVec3::new(-1.0, 0.3, 1e-9),
        };
        let settings = settings.with(|s| s.orientation = Orientation::World);
        let mut targets = [Target::from_world(start)];
        let mut drag = begin(oracle::handle("rotate_view"), &shot, px(&shot, from), targets[0], &settings);
        // The cursor stops 3° before whole turns, and the angle snaps to them.
        let short = 360.0 * turns - 3.0;
        move_around(&shot, DVec3::Z, &mut drag, from, short);
        let near = px(&shot, DQuat::from_axis_angle(DVec3::Z, short.to_radians()) * from);
        let motion = drag.solve(&shot.view, near, snap);
        let angle = motion.change.total_angle();
        assert!((angle - TAU * turns).abs() < 1e-12, "{angle} for {turns} turns");
        drag.apply(&mut targets);
        assert_eq!(format!("{:?}", targets[0].local), format!("{start:?}"), "{turns} turns");
        let free = drag.solve(&shot.view, px(&shot, from), Snap::OFF);
        drag.apply(&mut targets);
        assert_eq!(format!("{:?}", targets[0].local), format!("{start:?}"), "{free:?}");
    }
}
