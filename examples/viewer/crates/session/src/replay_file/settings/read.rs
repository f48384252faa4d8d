//! Reads a settings patch.

use super::{DEPTH_STYLES, MODES, ORIENTATIONS, PIVOTS, SHEARS, SNAP_KINDS, SOLVERS, SettingsPatch, THEMES};
use crate::replay_file::values::normalizable;
use gltf_io::LocatedError;
use gltf_io::json::Json;
use wgpu_gizmo_core::glam::{BVec3, DVec3};
use wgpu_gizmo_core::interaction::settings::{
    Axes, BoxResult, GrabMode, Limits, Locks, Pivot, SnapKind, SnapSource,
};
use wgpu_gizmo_core::pick::snap::SnapTo;
use wgpu_gizmo_core::{Increment, Orientation, Snap};

/// The limits of the length of an arrow, in logical pixels.
const SIZES_LPX: [f64; 2] = [0.01, 16384.0];
/// The largest radius of a tolerant pick, in logical pixels.
const MAX_TOLERANCE_LPX: f64 = 1024.0;

/// The keys of a patch.
const KEYS: [&str; 27] = [
    "mode",
    "orientation",
    "pivot",
    "solver",
    "shear",
    "snap",
    "snap_while_held",
    "snap_kind",
    "limits",
    "locks",
    "theme",
    "flip",
    "construction_lines",
    "size",
    "tolerance",
    "allow_mirror",
    "grab",
    "click_to_type",
    "axes",
    "wheel_nudge",
    "box",
    "keep_aspect",
    "min_size",
    "depth_style",
    "snap_to",
    "snap_source",
    "align_to_normal",
];

/// Reads settings. Every key is optional.
pub(in crate::replay_file) fn read(json: &Json<'_>) -> Result<SettingsPatch, LocatedError> {
    json.only(&KEYS)?;
    Ok(SettingsPatch {
        mode: read_key(json, "mode", |mode| mode.one_of(&MODES))?,
        orientation: read_key(json, "orientation", orientation)?,
        pivot: read_key(json, "pivot", |pivot| match pivot.is_text() {
            true => pivot.one_of(&PIVOTS),
            false => Ok(Pivot::Custom(of(pivot, "custom")?.numbers::<3>()?.into())),
        })?,
        solver: read_key(json, "solver", |solver| solver.one_of(&SOLVERS))?,
        shear: read_key(json, "shear", |shear| shear.one_of(&SHEARS))?,
        snap: read_key(json, "snap", snap)?,
        snap_while_held: read_key(json, "snap_while_held", snap)?,
        snap_kind: read_key(json, "snap_kind", |kind| match kind.is_text() {
            true => kind.one_of(&SNAP_KINDS),
            false => Ok(SnapKind::Grid { origin_world: of(kind, "grid")?.numbers::<3>()?.into() }),
        })?,
        limits: read_key(json, "limits", limits)?,
        locks: read_key(json, "locks", locks)?,
        theme: read_key(json, "theme", |theme| theme.one_of(&THEMES))?,
        flip: read_key(json, "flip", Json::boolean)?,
        construction_lines: read_key(json, "construction_lines", Json::boolean)?,
        size: read_key(json, "size", |json| json.number_in(SIZES_LPX))?,
        tolerance: read_key(json, "tolerance", |json| json.number_in([0.0, MAX_TOLERANCE_LPX]))?,
        allow_mirror: read_key(json, "allow_mirror", Json::boolean)?,
        grab: read_key(json, "grab", |grab| grab.one_of(&GrabMode::ALL.map(|grab| (grab.name(), grab))))?,
        click_to_type: read_key(json, "click_to_type", Json::boolean)?,
        axes: read_key(json, "axes", |axes| axes.one_of(&Axes::ALL.map(|axes| (axes.name(), axes))))?,
        wheel_nudge: read_key(json, "wheel_nudge", Json::boolean)?,
        box_result: read_key(json, "box", |result| match result.is_null() {
            true => Ok(None),
            false => result.one_of(&BoxResult::ALL.map(|result| (result.name(), result))).map(Some),
        })?,
        keep_aspect: read_key(json, "keep_aspect", Json::boolean)?,
        min_size: read_key(json, "min_size", Json::positive)?,
        depth_style: read_key(json, "depth_style", |style| style.one_of(&DEPTH_STYLES))?,
        snap_to: read_key(json, "snap_to", |kind| match kind.is_null() {
            true => Ok(SnapTo::NONE),
            false => kind.one_of(&SnapTo::EACH.map(|kind| (kind.name(), kind))),
        })?,
        snap_source: read_key(json, "snap_source", |source| {
            source.one_of(&SnapSource::ALL.map(|source| (source.name(), source)))
        })?,
        align_to_normal: read_key(json, "align_to_normal", Json::boolean)?,
    })
}

fn read_key<'a, T>(
    json: &Json<'a>,
    key: &str,
    read: impl FnOnce(&Json<'a>) -> Result<T, LocatedError>,
) -> Result<Option<T>, LocatedError> {
    json.get(key)?.as_ref().map(read).transpose()
}

fn orientation(json: &Json<'_>) -> Result<Orientation, LocatedError> {
    match json.is_text() {
        true => json.one_of(&ORIENTATIONS),
        false => Ok(Orientation::Custom(normalizable(&of(json, "custom")?)?)),
    }
}

/// Returns the value of an object's only key.
fn of<'a>(json: &Json<'a>, key: &str) -> Result<Json<'a>, LocatedError> {
    json.only(&[key])?;
    json.need(key)
}

fn snap(json: &Json<'_>) -> Result<Snap, LocatedError> {
    if json.is_null() {
        return Ok(Snap::OFF);
    }
    json.only(&["translate", "rotate", "scale"])?;
    let increment = |key, unit: f64| {
        let Some(value) = json.get_some(key)? else { return Ok(None) };
        // A tiny number of degrees can underflow to 0 radians.
        Increment::new(value.positive()? * unit)
            .map(Some)
            .ok_or_else(|| value.error("is too small to snap to"))
    };
    Ok(Snap {
        translate: increment("translate", 1.0)?,
        rotate: increment("rotate", 1f64.to_radians())?,
        scale: increment("scale", 1.0)?,
    })
}

/// Reads `{"translation": [LOW, HIGH], "scale": [LOW, HIGH], "angle": [low, high]}`. `LOW` and `HIGH` are
/// lists of three, the angle is in degrees, and `null` at any depth means no limit.
fn limits(json: &Json<'_>) -> Result<Limits, LocatedError> {
    if json.is_null() {
        return Ok(Limits::NONE);
    }
    json.only(&["translation", "scale", "angle"])?;
    let of_three = |key, none: [DVec3; 2]| {
        let Some(value) = json.get_some(key)? else { return Ok(none) };
        let [low, high] = ends(&value)?;
        let read = |end: &Json<'_>, none: DVec3| {
            if end.is_null() {
                return Ok(none);
            }
            let items = end.items()?;
            let [x, y, z] = items.as_slice() else { return Err(end.error("must be a list of 3")) };
            Ok(DVec3::new(or(x, none.x)?, or(y, none.y)?, or(z, none.z)?))
        };
        let range = [read(&low, none[0])?, read(&high, none[1])?];
        in_order(&value, range[0].cmple(range[1]).all()).map(|()| range)
    };
    let Limits { translation, scale, angle } = Limits::NONE;
    let angle = match json.get_some("angle")? {
        None => angle,
        Some(value) => {
            let [low, high] = ends(&value)?;
            let range = [or(&low, angle[0])?, or(&high, angle[1])?];
            in_order(&value, range[0] <= range[1])?;
            range.map(f64::to_radians)
        }
    };
    Ok(Limits { translation: of_three("translation", translation)?, scale: of_three("scale", scale)?, angle })
}

fn ends<'a>(json: &Json<'a>) -> Result<[Json<'a>; 2], LocatedError> {
    json.items()?.try_into().map_err(|_| json.error("must be a list of a low and a high value"))
}

fn or(json: &Json<'_>, none: f64) -> Result<f64, LocatedError> {
    if json.is_null() { Ok(none) } else { json.number() }
}

fn in_order(json: &Json<'_>, is_in_order: bool) -> Result<(), LocatedError> {
    if is_in_order { Ok(()) } else { Err(json.error("the low value must not exceed the high value")) }
}

/// Reads a list of locked channels: `rotation`, and `translation` and `scale` with or without an axis.
fn locks(json: &Json<'_>) -> Result<Locks, LocatedError> {
    const AXES: [(&str, BVec3); 4] = [
        ("", BVec3::TRUE),
        ("_x", BVec3::new(true, false, false)),
        ("_y", BVec3::new(false, true, false)),
        ("_z", BVec3::new(false, false, true)),
    ];
    let mut locks = Locks::NONE;
    if json.is_null() {
        return Ok(locks);
    }
    for name in json.items()? {
        let text = name.text()?;
        let axes = |kind: &str| {
            let rest = text.strip_prefix(kind)?;
            AXES.iter().find(|(axis, _)| *axis == rest).map(|(_, axes)| *axes)
        };
        match (axes("translation"), axes("scale")) {
            (Some(axes), _) => locks.translation |= axes,
            (_, Some(axes)) => locks.scale |= axes,
            _ if text == "rotation" => locks.rotation = true,
            _ => {
                return Err(name.error(format!(
                    "unknown: `{text}`; known: translation, scale (also translation_x, …), rotation"
                )));
            }
        }
    }
    Ok(locks)
}
