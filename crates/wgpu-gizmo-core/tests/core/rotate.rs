//! Rotation (§6 of docs/spec.md).

use crate::oracle::{self, begin, px, size_world, target_at};
use crate::views::{self, Camera, Shot};
use std::f64::consts::TAU;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo_core::interaction::{Drag, Motion};
use wgpu_gizmo_core::{Increment, Orientation, Settings, Snap, Target, Transform};

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

/// Returns the position of a camera this many degrees above the plane of the Z ring.
fn above(degrees: f64) -> DVec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    DVec3::new(0.6 * cos, -0.8 * cos, sin) * 6.0
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
