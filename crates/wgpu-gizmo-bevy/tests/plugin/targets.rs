//! Several targets, and targets that go away.

use crate::scene::{Scene, assert_near, lpx};
use bevy::camera::primitives::Aabb;
use bevy::prelude::*;
use wgpu_gizmo_bevy::core::interaction::settings::Pivot;
use wgpu_gizmo_bevy::{DragCanceled, DragEnded, DragStarted, GizmoCore, GizmoTarget, PivotChanged};

/// Begins a drag of the arrow at a pivot and moves the pointer by one unit.
fn begin(scene: &mut Scene, x: f32, y: f32) {
    scene.begin(lpx(x + 0.6, y), lpx(x + 1.6, y));
    assert_eq!(scene.read::<DragStarted>().len(), 1);
}

#[test]
fn several_targets_move_together() {
    let mut scene = Scene::new();
    let a = scene.target(Transform::from_xyz(-1.0, 0.0, 0.0));
    let b = scene.target(Transform::from_xyz(1.0, 1.0, 0.0));
    scene.settings().pivot = Pivot::Median;
    scene.frame();
    begin(&mut scene, 0.0, 0.5);
    assert_near(scene.transform(a).translation, Vec3::ZERO);
    assert_near(scene.transform(b).translation, Vec3::new(2.0, 1.0, 0.0));
}

#[test]
fn last_marked_target_is_active() {
    let mut scene = Scene::new();
    let a = scene.target(Transform::from_xyz(-2.0, 0.0, 0.0));
    let b = scene.target(Transform::from_xyz(2.0, 0.0, 0.0));
    scene.settings().pivot = Pivot::Active;
    scene.frame();
    for target in [b, a] {
        scene.app.world_mut().entity_mut(target).insert(GizmoTarget);
        scene.frame();
        let x = scene.transform(target).translation.x;
        begin(&mut scene, x, 0.0);
        scene.release();
        scene.frame();
        assert_eq!(scene.read::<DragEnded>()[0].targets.last().unwrap().entity, target);
    }
}

#[test]
fn child_of_target_moves_along_and_keeps_its_transform() {
    let mut scene = Scene::new();
    let parent = scene.target(Transform::from_rotation(Quat::from_rotation_z(1.0)));
    let middle = scene.app.world_mut().spawn((Transform::IDENTITY, ChildOf(parent))).id();
    let child = scene.target(Transform::from_xyz(1.0, 0.0, 0.0));
    scene.app.world_mut().entity_mut(child).insert(ChildOf(middle));
    scene.settings().pivot = Pivot::Custom(default());
    scene.frame();
    let before = scene.world(child).w_axis.truncate();
    begin(&mut scene, 0.0, 0.0);
    assert_eq!(scene.transform(child), Transform::from_xyz(1.0, 0.0, 0.0));
    assert_near(scene.world(child).w_axis.truncate(), before + Vec3::X);
}

#[test]
fn bounds_of_meshes_give_pivot() {
    let mut scene = Scene::new();
    let target = scene.target(Transform::from_xyz(-1.0, 0.0, 0.0));
    let bounds = Aabb::from_min_max(Vec3::ZERO, Vec3::new(2.0, 1.0, 1.0));
    scene.app.world_mut().entity_mut(target).insert(bounds);
    scene.settings().pivot = Pivot::BoundsCenter;
    scene.frame();
    begin(&mut scene, 0.0, 0.5);
    assert_near(scene.transform(target).translation, Vec3::ZERO);
}

#[test]
fn despawned_target_cancels_drag_and_others_return() {
    let mut scene = Scene::new();
    let at = Transform::from_xyz(0.1, 0.0, 0.0);
    let kept = scene.target(at);
    let gone = scene.target(Transform::from_xyz(-0.1, 0.0, 0.0));
    scene.frame();
    begin(&mut scene, 0.0, 0.0);
    assert_ne!(scene.transform(kept), at);
    scene.app.world_mut().despawn(gone);
    scene.frame();
    assert_eq!(scene.transform(kept), at);
    assert_eq!(scene.read::<DragCanceled>()[0].targets, [kept, gone]);
    assert!(!scene.gizmo().is_busy());
}

#[test]
fn only_target_despawned_in_drag_cancels_it() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    begin(&mut scene, 0.0, 0.0);
    scene.app.world_mut().despawn(target);
    scene.frame();
    assert_eq!(scene.read::<DragCanceled>()[0].targets, [target]);
    scene.release();
    scene.frame();
    assert!(scene.read::<DragEnded>().is_empty());
}

#[test]
fn target_unmarked_in_drag_returns_to_start() {
    let mut scene = Scene::new();
    let at = Transform::from_xyz(0.0, 1.0 / 3.0, 0.0);
    let target = scene.target(at);
    scene.frame();
    begin(&mut scene, 0.0, 1.0 / 3.0);
    scene.app.world_mut().entity_mut(target).remove::<GizmoTarget>();
    scene.frame();
    assert_eq!(scene.transform(target), at);
    assert_eq!(scene.read::<DragCanceled>().len(), 1);
}

#[test]
fn hidden_target_has_no_gizmo_and_cancels_drag() {
    let mut scene = Scene::new();
    let target = scene.target_in(&[Transform::IDENTITY], Transform::IDENTITY);
    let parent = scene.app.world().get::<ChildOf>(target).unwrap().0;
    scene.frame();
    begin(&mut scene, 0.0, 0.0);
    scene.app.world_mut().entity_mut(parent).insert(Visibility::Hidden);
    scene.frame();
    assert_eq!(scene.transform(target), Transform::IDENTITY);
    assert_eq!(scene.read::<DragCanceled>().len(), 1);
    scene.release();
    scene.drag(lpx(0.6, 0.0), lpx(1.6, 0.0));
    assert!(scene.read::<DragStarted>().is_empty());
    // A visible entity in a hidden parent is visible.
    scene.app.world_mut().entity_mut(target).insert(Visibility::Visible);
    scene.frame();
    begin(&mut scene, 0.0, 0.0);
}

#[test]
fn target_moved_by_others_is_not_written_without_drag() {
    let (mut scene, target) = Scene::with(Transform::from_xyz(f32::NAN, 0.0, 0.0));
    scene.app.world_mut().clear_trackers();
    let last_change = scene.app.world_mut().entity_mut(target).get_ref::<Transform>().unwrap().last_changed();
    scene.move_to(lpx(0.6, 0.0));
    scene.frame();
    scene.frame();
    let is_same = scene.app.world_mut().entity_mut(target).get_ref::<Transform>().unwrap().last_changed();
    assert_eq!(is_same, last_change);
}

#[test]
fn edited_pivot_moves_gizmo_alone() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.app.world_mut().resource_mut::<GizmoCore>().edit_pivot();
    scene.frame();
    scene.drag(lpx(0.6, 0.0), lpx(1.6, 0.0));
    assert_eq!(scene.transform(target), Transform::IDENTITY);
    let changes = scene.read::<PivotChanged>();
    assert_eq!(changes.len(), 1);
    assert!((changes[0].to.unwrap().translation.x - 1.0).abs() < 1e-6);
    scene.app.world_mut().resource_mut::<GizmoCore>().end_pivot_edit();
    scene.read::<DragStarted>();
    scene.frame();
    begin(&mut scene, 1.0, 0.0);
    assert_near(scene.transform(target).translation, Vec3::X);
}
