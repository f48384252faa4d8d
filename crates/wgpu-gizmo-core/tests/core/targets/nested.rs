//! A selection whose last target is inside of another one: everything follows one active target (§9).

use super::{at, with_pivot};
use crate::oracle::handle;
use crate::stage::Stage;
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec3};
use wgpu_gizmo_core::interaction::settings::{BoxHandles, Pivot, SnapKind};
use wgpu_gizmo_core::{Mode, Orientation, Settings, Snap, Target, Transform};

fn turned(degrees: f64, scale: f64) -> Transform {
    let rotation = DQuat::from_rotation_z(degrees.to_radians());
    Transform { rotation, scale: DVec3::splat(scale), ..Transform::IDENTITY }
}

/// Returns a stage with an outer target, and an active child inside of it that has other axes.
fn nested(settings: Settings, outer: Transform) -> Stage {
    let mut stage = Stage::new(settings);
    let parent = outer.to_matrix() * DMat4::from_translation(DVec3::X);
    let child = Target::new(turned(50.0, 0.7), parent).with_ancestor(0);
    stage.targets = vec![Target::from_world(outer), child];
    stage.update();
    stage
}

#[test]
fn pivot_and_axes_belong_to_same_target() {
    for pivot in [Pivot::Active, Pivot::Individual, Pivot::EachTarget] {
        let settings = with_pivot(pivot).with(|s| s.orientation = Orientation::Local);
        let stage = nested(settings, Transform { translation: DVec3::Y, ..turned(30.0, 1.0) });
        let place = stage.gizmo.pivot_place().expect("a target is selected");
        assert_eq!(place.translation, DVec3::Y, "{pivot:?}");
        assert!(place.rotation.angle_between(turned(30.0, 1.0).rotation) < 1e-7, "{pivot:?}: {place:?}");
    }
}

#[test]
fn values_snap_from_target_that_moves() {
    let snapping = Settings::default().with(|s| {
        s.snap.increments = Snap::DEFAULT_INCREMENTS;
        s.snap.kind = SnapKind::Value;
        s.orientation = Orientation::Local;
    });
    let mut stage = nested(snapping.with(|s| s.mode = Mode::Rotate), turned(7.0, 1.0));
    stage.gizmo.drive(handle("rotate_z"), 10f64.to_radians(), &mut stage.targets).expect("it is usable");
    let angle = stage.local().rotation.to_scaled_axis().z.to_degrees();
    assert!((angle - 15.0).abs() < 1e-9, "{angle}");
    let mut stage = nested(snapping.with(|s| s.mode = Mode::Scale), turned(0.0, 1.0));
    stage.gizmo.drive(handle("scale_uniform"), 1.33, &mut stage.targets).expect("it is usable");
    assert!((stage.local().scale.x - 1.3).abs() < 1e-12, "{}", stage.local().scale);
}

#[test]
fn box_and_edited_pivot_belong_to_target_that_moves() {
    let settings = Settings::default().with(|s| s.box_handles = Some(BoxHandles::default()));
    let mut stage = nested(settings, Transform::IDENTITY);
    for target in &mut stage.targets {
        target.bounds_local = Some([DVec3::splat(-0.5), DVec3::splat(0.5)]);
    }
    stage.update();
    stage.gizmo.drive(handle("box_+x"), 2.0, &mut stage.targets).expect("the box has this face");
    assert_eq!(stage.local().scale, DVec3::new(2.0, 1.0, 1.0));
    let mut stage = nested(Settings::default(), Transform::IDENTITY);
    stage.gizmo.pivot_to(DVec3::Z);
    stage.update();
    stage.targets[1].local.translation = DVec3::splat(5.0);
    stage.update();
    assert_eq!(stage.gizmo.pivot_place().map(|place| place.translation), Some(DVec3::Z));
    stage.targets[0] = at(0.0, 3.0, 0.0);
    stage.update();
    assert_eq!(stage.gizmo.pivot_place().map(|place| place.translation), Some(DVec3::new(0.0, 3.0, 1.0)));
}
