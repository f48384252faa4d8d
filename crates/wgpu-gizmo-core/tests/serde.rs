//! Settings, themes and transforms are equal after they were serialized and read again (§22 of docs/spec.md).
#![cfg(feature = "serde")]
#![allow(missing_docs, reason = "test names describe themselves")]

use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use wgpu_gizmo_core::draw::DepthStyle;
use wgpu_gizmo_core::glam::{BVec3, DQuat, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::{
    Axes, AxisKeys, BoxHandles, BoxResult, GrabMode, Limits, Locks, Pivot, ShearPolicy, SnapKind, SnapSource,
};
use wgpu_gizmo_core::pick::snap::SnapTo;
use wgpu_gizmo_core::{HandleId, Increment, Mode, Orientation, Settings, Snap, Solver, Theme, Transform};

fn assert_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    let back: T = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(&back, value, "{text}");
}

/// Settings as they were written when they had no groups. No field has its default.
const FLAT_SETTINGS: &str = r#"
    {"mode": {"handles": ["translate_x", "box_-x-y-z"]}, "orientation": {"custom": [0.6, 0.0, 0.0, 0.8]},
    "pivot": {"custom": [1.0, 2.0, 0.1]}, "solver": "closest_point", "shear": "local_only",
    "snap": {"translate": 0.5, "rotate": null, "scale": 0.1},
    "snap_while_held": {"translate": 0.25, "rotate": null, "scale": null},
    "snap_kind": {"grid": {"origin_world": [1.0, 0.0, 0.0]}},
    "limits": {"translation": [[null, 0.0, -1.0], [null, null, null]], "scale": [[null, null, null], [null, null,
    null]], "angle": [-1.0, null]},
    "locks": {"translation": [true, false, true], "rotation": true, "scale": [false, false, false]},
    "flip_toward_camera": true, "construction_lines": true, "size_lpx": 80.0, "tolerance_lpx": 22.0,
    "max_distance": 7.5, "allow_mirror": true, "grab": "either", "click_to_type": true, "axes": "own",
    "box_handles": {"result": "extents", "keep_aspect": false, "min_size": 0.001, "handles": ["box_+x", "box_-x",
    "box_+y", "box_-y", "box_+z", "box_-z", "box_+x+y", "box_+x-y", "box_-x+y", "box_-x-y", "box_+y+z", "box_+y-z",
    "box_-y+z", "box_-y-z", "box_+x+z", "box_+x-z", "box_-x+z", "box_-x-z", "box_+x+y+z", "box_+x+y-z",
    "box_+x-y+z", "box_+x-y-z", "box_-x+y+z", "box_-x+y-z", "box_-x-y+z", "box_-x-y-z"]},
    "orbit_in_drag": true, "wheel_nudge": true, "depth_style": {"dimmed": {"opacity": 0.25}}, "snap_to": 9,
    "snap_source": "nearest_vertex", "align_to_normal": "z"}"#;

/// The settings of [`FLAT_SETTINGS`].
fn settings() -> Settings {
    let shown = HandleId::box_handles().skip(25).chain(HandleId::from_name("translate_x"));
    let half = DVec3::new(f64::NEG_INFINITY, 0.0, -1.0);
    Settings::default().with(|s| {
        s.mode = Mode::Handles(shown.collect());
        s.orientation = Orientation::Custom(DQuat::from_xyzw(0.6, 0.0, 0.0, 0.8));
        s.pivot = Pivot::Custom(DVec3::new(1.0, 2.0, 0.1));
        s.axes = Axes::Own;
        s.snap.increments = Snap { rotate: None, ..Snap::DEFAULT_INCREMENTS };
        s.snap.while_held = Snap { translate: Increment::new(0.25), ..Snap::OFF };
        s.snap.kind = SnapKind::Grid { origin_world: DVec3::X };
        s.snap.to = SnapTo::VERTEX | SnapTo::FACE;
        s.snap.source = SnapSource::NearestVertex;
        s.snap.align_to_normal = Some(Axis::Z);
        s.motion.solver = Solver::ClosestPoint;
        s.motion.shear = ShearPolicy::LocalOnly;
        s.motion.max_distance = Some(7.5);
        s.motion.allow_mirror = true;
        s.motion.limits =
            Limits { translation: [half, DVec3::INFINITY], angle: [-1.0, f64::INFINITY], ..Limits::NONE };
        s.motion.locks = Locks { translation: BVec3::new(true, false, true), rotation: true, ..Locks::NONE };
        s.input.tolerance_lpx = 22.0;
        s.input.grab = GrabMode::Either;
        s.input.click_to_type = true;
        s.input.orbit_in_drag = true;
        s.input.wheel_nudge = true;
        s.display.size_lpx = 80.0;
        s.display.flip_toward_camera = true;
        s.display.construction_lines = true;
        s.display.depth_style = DepthStyle::Dimmed { opacity: 0.25 };
        s.box_handles.insert(BoxHandles::default()).result = BoxResult::Extents;
    })
}

/// A theme as it was written when it had no groups. No field has its default.
const FLAT_THEME: &str = r#"
    {"axes": [[0.015625, 0.25, 0.5, 1.0], [0.03125, 0.25, 0.5, 1.0], [0.046875, 0.25, 0.5, 1.0]],
    "neutral": [0.0625, 0.25, 0.5, 1.0], "hovered": [0.078125, 0.25, 0.5, 1.0], "active": [0.09375, 0.25, 0.5, 1.0],
    "disabled": [0.109375, 0.25, 0.5, 1.0], "ball_opacity": [0.125, 0.25], "square_opacity": [0.375, 0.5],
    "dimmed": 0.0625, "far_half": 0.75, "line_lpx": 4.0, "guide": [0.125, 0.25, 0.5, 1.0],
    "construction": [0.140625, 0.25, 0.5, 1.0], "guide_opacity": [0.625, 0.875], "sector_opacity": 0.3125,
    "guide_lpx": 2.0, "letters": true, "letter_lpx": 11.0}"#;

/// The theme of [`FLAT_THEME`].
fn theme() -> Theme {
    let color = |red: f32| [red / 64.0, 0.25, 0.5, 1.0];
    Theme::default().with(|t| {
        t.colors.axes = [1.0, 2.0, 3.0].map(color);
        t.colors.neutral = color(4.0);
        t.colors.hovered = color(5.0);
        t.colors.active = color(6.0);
        t.colors.disabled = color(7.0);
        t.colors.guide = color(8.0);
        t.colors.construction = color(9.0);
        t.opacities.ball = [0.125, 0.25];
        t.opacities.square = [0.375, 0.5];
        t.opacities.dimmed = 0.0625;
        t.opacities.far_half = 0.75;
        t.opacities.guide = [0.625, 0.875];
        t.opacities.sector = 0.3125;
        t.sizes.line_lpx = 4.0;
        t.sizes.guide_lpx = 2.0;
        t.sizes.letter_lpx = 11.0;
        t.letters = true;
    })
}

/// Fails unless the text is read as the value, and written again with the same fields.
fn assert_saved_as<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str, added: &str) {
    assert_eq!(&serde_json::from_str::<T>(text).expect("it can be read"), value);
    let mut fields: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
    let added: serde_json::Value = serde_json::from_str(added).expect("it is JSON");
    fields.as_object_mut().expect("a struct").extend(added.as_object().expect("a struct").clone());
    assert_eq!(serde_json::to_value(value).expect("it can be written"), fields);
}

#[test]
fn flat_settings_and_themes_of_before_load() {
    assert_saved_as(&settings(), FLAT_SETTINGS, r#"{"axis_keys": "when_hovered", "meters_per_unit": 1.0}"#);
    assert_saved_as(&theme(), FLAT_THEME, "{}");
}

#[test]
fn settings_round_trip_through_json() {
    assert_round_trip(&Settings::default());
    assert_round_trip(&settings().with(|s| s.input.axis_keys = AxisKeys::Always));
}

#[test]
fn theme_and_transform_round_trip_through_json() {
    for theme in [Theme::dark(), Theme::light(), Theme::color_blind_safe(), theme()] {
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
    assert_eq!(
        settings,
        Settings::default().with(|s| {
            s.mode = Mode::Rotate;
            s.snap.increments = snap;
        })
    );
    for wrong in
        [r#"{"snap": {"rotate": -1}}"#, r#"{"mode": {"handles": ["translate_w"]}}"#, r#"{"mode": "walk"}"#]
    {
        assert!(serde_json::from_str::<Settings>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn sets_name_custom_handles_by_slot() {
    use wgpu_gizmo_core::handle::{Axis, Constraint, CustomHandle, HandleMesh, HandleSet};
    let mut gizmo = wgpu_gizmo_core::Gizmo::new(&mut wgpu_gizmo_core::IdSpace::new()).expect("ids are free");
    for slot in 0..HandleId::MAX_CUSTOM {
        let constraint = Constraint::Axis(Axis::X);
        let custom = CustomHandle::new(constraint, HandleMesh::cube(), Transform::IDENTITY, [1.0; 4]);
        let set = HandleSet::from(gizmo.add_handle(custom).expect("the slot is free"));
        let text = format!(r#"["custom_{slot}"]"#);
        assert_eq!(serde_json::from_str::<HandleSet>(&text).ok(), Some(set));
        assert_round_trip(&set);
    }
    let past = format!(r#"["custom_{}"]"#, HandleId::MAX_CUSTOM);
    assert!(serde_json::from_str::<HandleSet>(&past).is_err());
}
