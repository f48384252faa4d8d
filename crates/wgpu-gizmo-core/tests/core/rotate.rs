//! Rotation (§6 of docs/spec.md).

use crate::oracle;
use crate::prelude::*;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

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

/// Where the field of view is wide and the gizmo large, the front of a ring is behind the viewer. A modal tool grabs
/// the ring wherever the pointer is.
#[test]
fn edge_on_ring_around_viewer_follows_drawn_line() {
    let camera = dcamera::rh::view::look_at_mat4(DVec3::Z * 5.0, DVec3::ZERO, DVec3::Y);
    let lens = dcamera::rh::proj::directx::perspective(130f64.to_radians(), 1.0, 0.1, 100.0);
    let view = View::new(camera, lens, Viewport::from_size(240, 240), 1.0).expect("the view is valid");
    let (center, settings) = (DVec2::splat(120.0), Settings::default());
    for (ring, line) in [("rotate_x", DVec2::Y), ("rotate_y", DVec2::X)] {
        for beside in [0.0, 5.0] {
            let press = center + line * 20.0 + line.perp() * beside;
            let targets = [target_at(DVec3::ZERO)];
            let mut drag = Drag::begin(oracle::handle(ring), &view, press, &targets, &settings, Snap::OFF)
                .expect("the handle is usable");
            let cursor = press + line * 48.0 + line.perp() * 30.0;
            // A radian is one radius: 0.4 of the viewport.
            let angle = drag.solve(&view, cursor, Snap::OFF).change.total_angle();
            assert!((angle - 0.5).abs() < 1e-9, "{ring}, {beside} px beside its line: {angle}");
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

/// A limit, or the precision key that was held at the press, leaves a part of the turn.
#[test]
fn pressed_position_is_start_after_whole_turn() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(2.0, 1.0, 5.0)));
    let limits = Limits { angle: [-0.5, 0.5], ..Limits::NONE };
    for (limits, precise) in [(limits, false), (Limits::NONE, true)] {
        let settings = Settings::default().with(|s| s.motion.limits = limits);
        let modifiers = Modifiers { precise, ..Modifiers::default() };
        let at = |eighths: f64| px(&shot, DVec3::ZERO) + DVec2::from_angle(eighths * FRAC_PI_4) * 90.0;
        let (ring, press) = (oracle::handle("rotate_view"), at(0.0));
        let mut drag = Drag::begin(ring, &shot.view, press, &[target_at(DVec3::ZERO)], &settings, modifiers)
            .expect("the handle is usable");
        for eighths in 1..8 {
            assert!(!drag.solve(&shot.view, at(f64::from(eighths)), modifiers).change.is_identity());
        }
        assert!(drag.solve(&shot.view, press, modifiers).change.is_identity(), "{precise}");
    }
}

#[test]
fn ring_grabbed_at_pivot_does_not_jump() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 5.0));
    let center = px(&shot, DVec3::ZERO);
    for ring in ["rotate_view", "rotate_z"].map(oracle::handle) {
        let mut drag = begin(ring, &shot, center, target_at(DVec3::ZERO), &Settings::default());
        // The pointer leaves the pivot downward, and goes round by a quarter.
        for (at, angle) in [(DVec2::Y, 0.0), (DVec2::Y * 9.0, 0.0), (DVec2::X * 90.0, FRAC_PI_2)] {
            let motion = drag.solve(&shot.view, center + at, Snap::OFF);
            assert!((motion.change.total_angle() - angle).abs() < 1e-9, "{} {at}: {motion:?}", ring.name());
        }
    }
}
