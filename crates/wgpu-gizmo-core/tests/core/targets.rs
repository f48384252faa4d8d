//! Several targets, and targets inside others (§9 of docs/spec.md).

mod limits;
mod nested;

use crate::prelude::*;
use std::collections::BTreeSet;

/// Begins a keyboard drag of a handle and types a number.
fn typed(name: &str, number: &str, targets: &[Target], settings: &Settings) -> Drag {
    let view = Stage::new(*settings).shot.view;
    let mut drag = Drag::begin_by_keys(handle(name), &view, targets, settings, Snap::OFF)
        .unwrap_or_else(|disabled_reason| panic!("{name}: {disabled_reason}"));
    for key in number.chars().filter_map(Key::from_char) {
        drag.key(key, Snap::OFF);
    }
    drag
}

fn at(x: f64, y: f64, z: f64) -> Target {
    target_at(DVec3::new(x, y, z))
}

#[test]
fn each_target_gizmo_rotates_all_about_grabbed_one() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    stage.gizmo.settings.display.size_lpx = 60.0;
    stage.targets = vec![at(-1.5, 0.0, 0.0), at(1.5, 0.0, 0.0), at(0.0, 1.5, 0.0)];
    stage.targets[2].inside = Some(1);
    stage.update();
    let list = stage.draw();
    let ids: BTreeSet<u32> = list.items().iter().map(|item| item.handle_id()).collect();
    assert_eq!(ids.len(), 2 * 5, "five handles on each of two gizmos");

    // The outer ring of the first gizmo, directly above its center.
    let outer = 1.15 * 60.0;
    let center = px(&stage.shot, stage.targets[0].position_world());
    let events = stage.grab(center - DVec2::Y * outer);
    assert_eq!(events, [Event::Started(handle("rotate_view"))]);
    assert_eq!(stage.gizmo.hovered_target(), Some(0));
    let before: Vec<_> = stage.targets.iter().map(|target| target.local.translation).collect();
    stage.point_at(center + DVec2::X * outer);
    let after: Vec<_> = stage.targets.iter().map(|target| target.local.translation).collect();
    assert_eq!((after[0], after[2]), (before[0], before[2]), "the third one is carried along");
    assert!((after[1].distance(after[0]) - 3.0).abs() < 1e-12 && after[1].distance(before[1]) > 1.0);
}

#[test]
fn tiny_or_huge_parent_is_not_singular() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 5.0)));
    for factor in [1e-120, 1e-30, 1e-8, 1e8, 1e30, 1e120] {
        let parent = DMat4::from_scale(DVec3::new(factor, -factor, factor));
        let start = Target::new(Transform::IDENTITY, parent);
        for name in ["translate_x", "rotate_y", "scale_uniform"] {
            let press = px(&shot, DVec3::ZERO) + 40.0;
            let mut drag = begin(handle(name), &shot, press, start, &Settings::default());
            drag.solve(&shot.view, press + DVec2::new(33.0, -20.0), Snap::OFF);
            let mut targets = [start];
            drag.apply(&mut targets);
            assert!(targets[0].local.is_finite() && targets[0] != start, "{name} in {factor}");
        }
    }
}

/// Drags a handle of one object by four frames, and returns the object as the host stores it.
fn dragged<T: HostTransform>(mode: Mode, name: &str, mut object: T) -> T {
    let mut stage = Stage::of_mode(mode);
    stage.gizmo.update_one(&stage.shot.view, &mut object);
    let press = stage.gizmo.handle_px(&stage.shot.view, handle(name)).expect("the handle is visible");
    stage.gizmo.pointer_moved(press);
    stage.gizmo.pointer_pressed();
    stage.gizmo.update_one(&stage.shot.view, &mut object);
    stage.answer();
    for step in [10.0, 30.0, -20.0, 50.0] {
        stage.gizmo.pointer_moved(press + DVec2::new(step, 0.6 * step));
        stage.gizmo.update_one(&stage.shot.view, &mut object);
    }
    stage.gizmo.pointer_released();
    let events = stage.gizmo.update_one(&stage.shot.view, &mut object);
    assert!(events.contains(&Event::Ended { changed: true }), "{name}: {events:?}");
    object
}

#[test]
fn matrix_of_host_moves_like_transform() {
    let start = Transform {
        translation: DVec3::new(0.3, -0.2, 0.1),
        rotation: DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -0.7, 1.1),
        scale: DVec3::new(-1.5, 0.7, 1.2),
    };
    for (mode, name) in [
        (Mode::Translate, "translate_x"),
        (Mode::Rotate, "rotate_y"),
        (Mode::Scale, "scale_x"),
        (Mode::Scale, "scale_uniform"),
    ] {
        let expected = dragged(mode, name, start).to_matrix();
        assert!(!expected.abs_diff_eq(start.to_matrix(), 0.1), "{name}: the drag is long");
        assert!(dragged(mode, name, start.to_matrix()).abs_diff_eq(expected, 1e-12), "{name}");
        let rounded = dragged(mode, name, start.to_matrix().as_mat4().to_cols_array());
        assert!(DMat4::from_cols_array(&rounded.map(f64::from)).abs_diff_eq(expected, 1e-5), "{name}");
    }
}

#[test]
fn matrix_that_is_not_moved_keeps_its_bits() {
    let mut sheared = glam::Mat4::from_rotation_x(0.3);
    sheared.y_axis.x = 0.5;
    let mut projective = sheared;
    projective.z_axis.w = 0.1;
    let mut missing = sheared;
    missing.w_axis.x = f32::NAN;
    for matrix in [sheared, projective, missing, glam::Mat4::from_scale(Vec3::new(1.0, 0.0, 2.0))] {
        let mut stage = Stage::of_mode(Mode::Translate);
        let mut object = matrix;
        stage.gizmo.update_one(&stage.shot.view, &mut object);
        stage.hover(stage.at(ARROW_X));
        stage.gizmo.update_one(&stage.shot.view, &mut object);
        let bits = |matrix: glam::Mat4| matrix.to_cols_array().map(f32::to_bits);
        assert_eq!(bits(object), bits(matrix));
    }
    let translated = dragged(Mode::Translate, "translate_x", sheared);
    assert_eq!(glam::Mat3::from_mat4(translated), glam::Mat3::from_mat4(sheared));
    let rotated = dragged(Mode::Rotate, "rotate_y", sheared);
    assert!(rotated.x_axis.dot(rotated.y_axis).abs() < 1e-6, "the shear is dropped");
}
