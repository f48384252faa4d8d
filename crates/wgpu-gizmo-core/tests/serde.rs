//! Settings, themes and transforms are equal after they were serialized and read again (§22 of docs/spec.md).
#![cfg(feature = "serde")]
#![allow(missing_docs, reason = "test names describe themselves")]

use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use wgpu_gizmo_core::glam::{BVec3, DQuat, DVec3};
use wgpu_gizmo_core::handle::HandleSet;
use wgpu_gizmo_core::interaction::settings::{
    Axes, BoxHandles, BoxResult, GrabMode, Limits, Locks, Pivot, ShearPolicy, SnapKind,
};
use wgpu_gizmo_core::{HandleId, Increment, Mode, Orientation, Settings, Snap, Solver, Theme, Transform};

fn assert_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    let back: T = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(&back, value, "{text}");
}

#[test]
fn settings_round_trip_through_json() {
    assert_round_trip(&Settings::default());
    let shown: HandleSet = HandleId::all().skip(3).chain(HandleId::box_handles().skip(9)).collect();
    let half = DVec3::new(f64::NEG_INFINITY, 0.0, -1.0);
    assert_round_trip(&Settings {
        mode: Mode::Handles(shown),
        orientation: Orientation::Custom(DQuat::from_rotation_y(0.1)),
        pivot: Pivot::Custom(DVec3::new(1.0, 2.0, 0.1)),
        solver: Solver::ClosestPoint,
        shear: ShearPolicy::LocalOnly,
        snap: Snap { rotate: None, ..Snap::DEFAULT_INCREMENTS },
        snap_kind: SnapKind::Grid { origin_world: DVec3::X },
        limits: Limits { translation: [half, DVec3::INFINITY], angle: [-1.0, f64::INFINITY], ..Limits::NONE },
        locks: Locks { translation: BVec3::new(true, false, true), rotation: true, ..Locks::NONE },
        grab: GrabMode::Either,
        axes: Axes::Own,
        box_handles: Some(BoxHandles { result: BoxResult::Extents, ..BoxHandles::default() }),
        max_distance: Some(7.5),
        ..Settings::default()
    });
}

#[test]
fn theme_and_transform_round_trip_through_json() {
    for theme in [Theme::dark(), Theme::light(), Theme::color_blind_safe()] {
        assert_round_trip(&theme);
    }
    let rotation = DQuat::from_rotation_x(0.3);
    assert_round_trip(&Transform {
        translation: DVec3::splat(0.1),
        rotation,
        scale: DVec3::new(1.0, -2.0, 0.0),
    });
}

#[test]
fn missing_fields_get_defaults_and_invalid_fields_fail() {
    let settings: Settings = serde_json::from_str(r#"{"mode": "rotate", "snap": {"rotate": 0.5}}"#)
        .expect("the document is valid");
    let snap = Snap { rotate: Increment::new(0.5), ..Snap::OFF };
    assert_eq!(settings, Settings { mode: Mode::Rotate, snap, ..Settings::default() });
    for wrong in
        [r#"{"snap": {"rotate": -1}}"#, r#"{"mode": {"handles": ["translate_w"]}}"#, r#"{"mode": "walk"}"#]
    {
        assert!(serde_json::from_str::<Settings>(wrong).is_err(), "{wrong}");
    }
}
