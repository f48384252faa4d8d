//! Drags compared with their closed form.

use crate::scene::{Scene, assert_near, lpx};
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode};
use bevy::prelude::*;
use wgpu_gizmo_bevy::core::glam::{DAffine3, DVec3};
use wgpu_gizmo_bevy::core::pick::snap::{SnapMesh, SnapObject, SnapTo};
use wgpu_gizmo_bevy::core::{Increment, Mode};
use wgpu_gizmo_bevy::{DragCanceled, DragChanged, DragEnded, DragStarted, GizmoCore};

/// Parents whose product shears.
fn parents() -> [Transform; 2] {
    let outer = Transform::from_xyz(0.4, -0.3, 0.2)
        .with_rotation(Quat::from_rotation_z(0.7))
        .with_scale(Vec3::new(2.0, 0.5, 1.5));
    let inner = Transform::from_xyz(-0.2, 0.5, 0.1)
        .with_rotation(Quat::from_euler(EulerRot::XYZ, 0.4, -0.3, 1.1))
        .with_scale(Vec3::new(0.7, 1.3, 1.0));
    [outer, inner]
}

#[test]
fn drag_under_sheared_parents_follows_cursor_within_frame() {
    let mut scene = Scene::new();
    let target = scene.target_in(&parents(), Transform::from_xyz(0.3, 0.2, -0.4));
    scene.frame();
    let before = scene.world(target);
    let start = before.w_axis.truncate();
    scene.drag(lpx(start.x + 0.6, start.y), lpx(start.x + 1.85, start.y + 0.3));
    let after = scene.world(target);
    assert_near(after.w_axis.truncate(), start + Vec3::X * 1.25);
    // A translation changes nothing else.
    assert!(after.x_axis.abs_diff_eq(before.x_axis, 1e-5) && after.z_axis.abs_diff_eq(before.z_axis, 1e-5));
}

#[test]
fn ring_rotates_by_cursor_angle_under_uniform_parents() {
    let mut scene = Scene::new();
    scene.settings().mode = Mode::Rotate;
    let parent = Transform::from_xyz(0.3, 0.1, 0.0)
        .with_rotation(Quat::from_euler(EulerRot::YXZ, 0.5, 0.8, -0.3))
        .with_scale(Vec3::splat(1.5));
    let at = Transform::from_xyz(0.2, -0.4, 0.3).with_rotation(Quat::from_rotation_x(0.9));
    let target = scene.target_in(&[parent], at);
    scene.frame();
    let before = scene.world(target);
    let pivot = before.w_axis.truncate();
    let on_ring = scene.handle_lpx(scene.camera, "rotate_z");
    let center = lpx(pivot.x, pivot.y);
    // Pixels have y down: this is counterclockwise on screen.
    let to = center + Vec2::from_angle(-0.6).rotate(on_ring - center) * 1.3;
    scene.drag(on_ring, to);
    let turn = Mat4::from_translation(pivot) * Mat4::from_rotation_z(0.6) * Mat4::from_translation(-pivot);
    assert!(
        scene.world(target).abs_diff_eq(turn * before, 1e-4),
        "{} {}",
        scene.world(target),
        turn * before
    );
}

#[test]
fn snapping_and_limits_of_settings_apply() {
    let mut scene = Scene::new();
    scene.settings().snap.increments.translate = Increment::new(0.5);
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.drag(lpx(0.6, 0.0), lpx(1.97, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X * 1.5);
    let mut limits = scene.settings().motion.limits;
    limits.translation[1] = DVec3::new(1.75, f64::INFINITY, f64::INFINITY);
    let settings = &mut scene.settings();
    settings.motion.limits = limits;
    settings.snap.increments.translate = None;
    scene.drag(lpx(2.1, 0.0), lpx(3.5, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X * 1.75);
}

#[test]
fn snap_key_snaps_while_held() {
    let mut scene = Scene::new();
    let step = scene.settings().snap.while_held.translate.unwrap().get() as f32;
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    let key = if cfg!(target_os = "macos") { KeyCode::SuperLeft } else { KeyCode::ControlLeft };
    scene.key(key, Key::Control, ButtonState::Pressed);
    scene.drag(lpx(0.6, 0.0), lpx(0.6 + 2.2 * step, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X * 2.0 * step);
    scene.key(key, Key::Control, ButtonState::Released);
    scene.drag(lpx(2.0 * step + 0.6, 0.0), lpx(2.0 * step + 0.93, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X * (2.0 * step + 0.33));
}

#[test]
fn dead_key_that_space_completes_is_typed() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.move_to(lpx(0.6, 0.0));
    scene.frame();
    for key in ["x", "2"] {
        scene.type_key(key);
    }
    scene.complete_dead_key(KeyCode::Space, Key::Space, "^");
    scene.type_key("3");
    // On Windows, the key after the dead key has the text of both.
    scene.type_key("-");
    scene.complete_dead_key(KeyCode::Digit2, Key::Character("2".into()), "1^2");
    scene.frame();
    // 2³ - 1
    assert_near(scene.transform(target).translation, Vec3::X * 7.0);
}

#[test]
fn typed_number_moves_along_axis() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.move_to(lpx(0.6, 0.0));
    for text in ["y", "-", "2", ".", "5"] {
        scene.type_key(text);
    }
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::Y * -2.5);
    assert!(scene.claims().keys);
    scene.key(KeyCode::Enter, Key::Enter, ButtonState::Pressed);
    scene.frame();
    assert!(scene.claims().keys, "Enter belongs to the drag");
    assert!(scene.read::<DragEnded>()[0].changed);
    scene.frame();
    assert!(!scene.claims().keys);
}

#[test]
fn drag_within_one_frame_is_complete() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.move_to(lpx(0.6, 0.0));
    scene.press();
    scene.move_to(lpx(1.6, 0.0));
    scene.release();
    scene.move_to(lpx(3.0, 2.0));
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::X);
    assert!(scene.claims().click && scene.claims().primary_press, "the frame belongs to the drag");
}

#[test]
fn messages_tell_a_drag_and_undo_it() {
    let mut scene = Scene::new();
    let at = Transform::from_xyz(0.1, 0.2, 0.3).with_rotation(Quat::from_rotation_y(0.3));
    let target = scene.target_in(&parents(), at);
    scene.frame();
    let start = scene.world(target).w_axis;
    scene.move_to(lpx(start.x + 0.6, start.y));
    scene.frame();
    scene.press();
    scene.frame();
    let started = scene.read::<DragStarted>();
    assert_eq!((started[0].handle.name(), started[0].camera), ("translate_x", Some(scene.camera)));
    assert_eq!(started[0].targets, [target]);
    scene.move_to(lpx(start.x + 1.6, start.y));
    scene.frame();
    assert_eq!(scene.read::<DragChanged>().len(), 1);
    scene.release();
    scene.frame();
    let ended = scene.read::<DragEnded>().remove(0);
    let moved = ended.targets[0];
    assert!(ended.changed && moved.entity == target);
    assert_eq!((moved.start, moved.end), (at, scene.transform(target)));
    *scene.app.world_mut().get_mut::<Transform>(target).unwrap() = moved.start;
    scene.frame();
    assert_near(scene.world(target).w_axis.truncate(), start.truncate());
}

#[test]
fn escape_and_secondary_button_restore_start_bits() {
    let at = Transform::from_xyz(0.1, 1.0 / 3.0, 0.3).with_rotation(Quat::from_rotation_z(0.1));
    for by_key in [true, false] {
        let (mut scene, target) = Scene::with(at);
        scene.begin(lpx(0.7, 1.0 / 3.0), lpx(1.9, 0.0));
        assert_ne!(scene.transform(target), at);
        if by_key {
            scene.key(KeyCode::Escape, Key::Escape, ButtonState::Pressed);
        } else {
            scene.button(MouseButton::Right, ButtonState::Pressed);
        }
        scene.frame();
        assert_eq!(scene.transform(target), at);
        assert_eq!(scene.read::<DragCanceled>()[0].targets, [target]);
        scene.move_to(lpx(2.5, 0.0));
        scene.frame();
        assert_eq!(scene.transform(target), at, "the rest of the press drags nothing");
        assert_eq!(scene.claims().secondary, !by_key, "the button is still down");
        scene.button(MouseButton::Right, ButtonState::Released);
        scene.frame();
        scene.frame();
        assert!(!scene.claims().secondary);
    }
}

#[test]
fn system_of_host_answers_snap_queries_within_frame() {
    let mut scene = Scene::new();
    scene.settings().snap.to = SnapTo::VERTEX;
    let mesh = SnapMesh::new(&[[2.0, 0.02, 0.0], [2.5, 1.0, 0.0], [2.5, -1.0, 0.0]], &[0, 1, 2]).unwrap();
    scene.app.add_systems(Update, move |mut gizmo: ResMut<GizmoCore>| {
        if let Some(query) = gizmo.snap_query() {
            let found = SnapTo::VERTEX.find(&query, &[SnapObject::new(&mesh, DAffine3::IDENTITY)]);
            gizmo.answer_snap(&query, found);
        }
    });
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.drag(lpx(0.6, 0.0), lpx(1.98, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X * 2.0);
}
