//! Scale handles (§7 of docs/spec.md).

use crate::oracle::{self, begin, px, target_at};
use crate::stage::Stage;
use crate::views::{self, Camera};
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::settings::Limits;
use wgpu_gizmo_core::interaction::{Change, Key, KeyModifiers, Motion};
use wgpu_gizmo_core::{Increment, Mode, Settings, Snap};

fn factors(motion: Motion) -> DVec3 {
    let Change::Scale(by) = motion.change else { panic!("no scale: {motion:?}") };
    assert!(by.is_finite() && by.abs().min_element() >= 1e-4, "{by}");
    by
}

#[test]
fn factor_clamps_unless_mirroring_is_allowed() {
    for projection in views::ALL {
        let shot = projection.shot(&Camera::at(DVec3::new(1.0, 2.0, 6.0)));
        for (mirror, sign) in [(false, 1.0), (true, -1.0)] {
            let settings = Settings::default().with(|s| s.motion.allow_mirror = mirror);
            let press = DVec3::X * 0.5;
            let mut drag =
                begin(oracle::handle("scale_x"), &shot, px(&shot, press), target_at(DVec3::ZERO), &settings);
            let motion = drag.solve(&shot.view, px(&shot, -1.5 * press), Snap::OFF);
            let expected = if mirror { -1.5 } else { 1e-4 };
            assert!((factors(motion).x - expected).abs() < 1e-6, "{}: {motion:?}", projection.name);
            assert_eq!(motion.clamped, !mirror, "{}", projection.name);
            let smallest = drag.solve(&shot.view, px(&shot, -1e-6 * press), Snap::OFF);
            assert!((factors(smallest).x - sign * 1e-4).abs() < 1e-12, "{}: {smallest:?}", projection.name);
            assert!(smallest.clamped);
            // The min snapped factor is one increment.
            let snap = Snap { scale: Increment::new(0.25), ..Snap::OFF };
            let snapped = drag.solve(&shot.view, px(&shot, press * 0.05), snap);
            assert!((factors(snapped).x - 0.25).abs() < 1e-12, "{snapped:?}");
            let snapped = drag.solve(&shot.view, px(&shot, press * 1.6), snap);
            assert!((factors(snapped).x - 1.5).abs() < 1e-12, "{snapped:?}");
        }
    }
}

#[test]
fn zero_limit_does_not_flatten_mirrored_scale() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 6.0)));
    let limits = Limits { scale: [DVec3::ZERO, DVec3::INFINITY], ..Limits::NONE };
    let settings = Settings::default().with(|s| {
        s.motion.allow_mirror = true;
        s.motion.limits = limits;
    });
    let press = DVec3::X * 0.5;
    let handle = oracle::handle("scale_x");
    let mut drag = begin(handle, &shot, px(&shot, press), target_at(DVec3::ZERO), &settings);
    let motion = drag.solve(&shot.view, px(&shot, -1.5 * press), Snap::OFF);
    assert_eq!((factors(motion).x, motion.clamped), (1e-4, true));
}

#[test]
fn press_beside_pivot_does_not_jump() {
    for projection in views::ALL {
        let shot = projection.shot(&Camera::at(DVec3::new(1.0, 2.0, 6.0)));
        for name in ["scale_x", "scale_xy"] {
            for at in [-0.01, 0.0, 0.003, 0.02] {
                // Within the tolerance of a press beside the stem.
                let press = px(&shot, DVec3::new(at, at, 0.0)) + DVec2::new(0.0, 3.0);
                let target = target_at(DVec3::ZERO);
                let mut drag = begin(oracle::handle(name), &shot, press, target, &Settings::default());
                let motion = drag.solve(&shot.view, press + DVec2::splat(1e-3), Snap::OFF);
                let by = factors(motion);
                assert!(by.distance(DVec3::ONE) < 1e-2, "{} {name}: {by} at {at}", projection.name);
            }
        }
    }
}

/// A scale handle that points at the viewer stops at a tenth of the pivot's distance; before, it is at its length.
#[test]
fn stretched_handle_stays_in_front_of_viewer() {
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::new(0.4, 0.3, 6.0)));
    stage.update();
    let pivot_w = stage.shot.view.clip_w(DVec3::ZERO);
    let size = stage.size();
    stage.gizmo.grab(crate::oracle::handle("scale_z"));
    stage.update();
    for factor in ["2", "3", "5", "70", "4000"] {
        for digit in factor.chars().filter_map(Key::from_char) {
            stage.gizmo.key(digit, KeyModifiers::NONE);
        }
        stage.update();
        let list = stage.draw();
        let id = stage.gizmo.id_of(crate::oracle::handle("scale_z"));
        let cubes = list.items().iter().filter(|item| item.id == Some(id));
        let farthest = cubes.map(|item| item.world_from_part.translation.z).fold(0.0, f64::max);
        let nearest_w = stage.shot.view.clip_w(DVec3::Z * farthest);
        let wanted = factor.parse::<f64>().expect("a number") * size;
        let is_near = stage.shot.view.clip_w(DVec3::Z * wanted) < 0.1 * pivot_w;
        if is_near {
            assert!((nearest_w / pivot_w - 0.1).abs() < 1e-9, "{factor}: {}", nearest_w / pivot_w);
        } else {
            // The center of the cube is before the end of the handle.
            assert!((0.9..1.0).contains(&(farthest / wanted)), "{factor}: {farthest} instead of {wanted}");
        }
        for _ in factor.chars() {
            stage.gizmo.key(Key::Backspace, KeyModifiers::NONE);
        }
    }
}

#[test]
fn parts_are_drawn_where_they_are_in_world() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
        let mut stage = Stage::of_mode(mode);
        stage.gizmo.settings.box_handles = Some(Default::default());
        let bounds = [DVec3::new(-0.4, -0.3, -0.6), DVec3::new(0.5, 0.7, 0.2)];
        stage.targets[0].bounds_local = Some(bounds);
        stage.targets[0].local.rotation = wgpu_gizmo_core::glam::DQuat::from_rotation_y(0.3);
        stage.gizmo.settings.orientation = wgpu_gizmo_core::Orientation::Local;
        stage.update();
        for item in stage.draw().items() {
            for point in [DVec3::ZERO, DVec3::new(0.3, 0.2, 0.1)] {
                let drawn = item.px_from_part(point).expect("the part is in front");
                let expected = crate::oracle::px(&stage.shot, item.world_from_part.transform_point3(point));
                assert!(drawn.distance(expected) < 1e-6, "{mode:?}: {drawn} instead of {expected}");
            }
        }
    }
}
