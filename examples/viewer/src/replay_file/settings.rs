//! Settings, as a patch: what is absent stays as it is.

use super::not_yet;
use super::objects::unit_able;
use crate::file_error::PlaceError;
use crate::json::Json;
use wgpu_gizmo::interaction::Pivot;
use wgpu_gizmo::{Increment, Mode, Orientation, Snap, Solver};

/// What the file or a `set` event changes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct SettingsPatch {
    /// See [`Mode`].
    pub(crate) mode: Option<Mode>,
    /// See [`Orientation`].
    pub(crate) orientation: Option<Orientation>,
    /// See [`Pivot`].
    pub(crate) pivot: Option<Pivot>,
    /// See [`Solver`].
    pub(crate) solver: Option<Solver>,
    /// `snap` is one key: where it stands, it replaces all three increments.
    pub(crate) snap: Option<Snap>,
    /// Length of an arrow in logical pixels.
    pub(crate) size: Option<f64>,
    /// Radius of a tolerant pick in logical pixels.
    pub(crate) tolerance: Option<f64>,
    /// Whether a scale may turn negative.
    pub(crate) allow_mirror: Option<bool>,
}

/// `None`: known, but not built yet.
const MODES: [(&str, Option<Mode>); 5] = [
    ("none", Some(Mode::None)),
    ("translate", Some(Mode::Translate)),
    ("rotate", Some(Mode::Rotate)),
    ("scale", Some(Mode::Scale)),
    ("universal", None),
];

const ORIENTATIONS: [(&str, Orientation); 4] = [
    ("world", Orientation::World),
    ("parent", Orientation::Parent),
    ("local", Orientation::Local),
    ("view", Orientation::View),
];

/// `None`: known, but not built yet.
const PIVOTS: [(&str, Option<Pivot>); 4] = [
    ("median", Some(Pivot::Median)),
    ("active", Some(Pivot::Active)),
    ("individual", None),
    ("bounds", None),
];

const SOLVERS: [(&str, Solver); 3] = [
    ("screen_projection", Solver::ScreenProjection),
    ("closest_point", Solver::ClosestPoint),
    ("movement_plane", Solver::MovementPlane),
];

/// Reads settings; every key is optional.
pub(super) fn read(json: &Json<'_>) -> Result<SettingsPatch, PlaceError> {
    json.only(&[
        "mode",
        "orientation",
        "pivot",
        "solver",
        "snap",
        "snap_kind",
        "size",
        "tolerance",
        "allow_mirror",
    ])?;
    if let Some(kind) = json.get("snap_kind")?
        && !kind.one_of(&[("relative", true), ("grid", false)])?
    {
        return Err(not_yet(&kind, "grid"));
    }
    let built = |json: &Json<'_>| not_yet(json, json.text().unwrap_or_default());
    Ok(SettingsPatch {
        mode: read_key(json, "mode", |mode| mode.one_of(&MODES)?.ok_or_else(|| built(mode)))?,
        orientation: read_key(json, "orientation", orientation)?,
        pivot: read_key(json, "pivot", |pivot| {
            if !pivot.is_text() {
                custom(pivot)?.numbers::<3>()?;
                return Err(not_yet(pivot, "custom"));
            }
            pivot.one_of(&PIVOTS)?.ok_or_else(|| built(pivot))
        })?,
        solver: read_key(json, "solver", |solver| solver.one_of(&SOLVERS))?,
        snap: read_key(json, "snap", snap)?,
        size: read_key(json, "size", Json::positive)?,
        tolerance: read_key(json, "tolerance", |json| match json.number()? {
            radius if radius >= 0.0 => Ok(radius),
            _ => Err(json.error("must be 0 or more")),
        })?,
        allow_mirror: read_key(json, "allow_mirror", Json::boolean)?,
    })
}

fn read_key<'a, T>(
    json: &Json<'a>,
    key: &str,
    read: impl FnOnce(&Json<'a>) -> Result<T, PlaceError>,
) -> Result<Option<T>, PlaceError> {
    json.get(key)?.as_ref().map(read).transpose()
}

fn orientation(json: &Json<'_>) -> Result<Orientation, PlaceError> {
    match json.is_text() {
        true => json.one_of(&ORIENTATIONS),
        false => Ok(Orientation::Custom(unit_able(&custom(json)?)?)),
    }
}

fn custom<'a>(json: &Json<'a>) -> Result<Json<'a>, PlaceError> {
    json.only(&["custom"])?;
    json.need("custom")
}

fn snap(json: &Json<'_>) -> Result<Snap, PlaceError> {
    if json.is_null() {
        return Ok(Snap::OFF);
    }
    json.only(&["translate", "rotate", "scale"])?;
    let increment = |key, unit: f64| {
        let Some(value) = json.get_some(key)? else { return Ok(None) };
        // What is greater than 0 in degrees may be nothing in radians.
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
