//! Writes a settings patch as JSON.

use super::{DEPTH_STYLES, MODES, ORIENTATIONS, PIVOTS, SHEARS, SOLVERS, SettingsPatch, THEMES};
use serde_json::{Map, Value, json};
use wgpu_gizmo_core::glam::{BVec3, DVec3};
use wgpu_gizmo_core::interaction::settings::{BoxResult, Limits, Locks, Pivot, SnapKind};
use wgpu_gizmo_core::pick::snap::SnapTo;
use wgpu_gizmo_core::{Increment, Orientation, Snap};

/// Returns a patch in the form of a file. A custom mode has no name there and is omitted.
pub(crate) fn written(patch: &SettingsPatch) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            object.insert(key.to_owned(), value);
        }
    };
    put("mode", patch.mode.and_then(|mode| name_of(mode, &MODES)));
    put(
        "orientation",
        patch.orientation.and_then(|orientation| match orientation {
            Orientation::Custom(rotation) => Some(json!({ "custom": rotation.to_array() })),
            named => name_of(named, &ORIENTATIONS),
        }),
    );
    put(
        "pivot",
        patch.pivot.and_then(|pivot| match pivot {
            Pivot::Custom(point) => Some(json!({ "custom": point.to_array() })),
            named => name_of(named, &PIVOTS),
        }),
    );
    put("solver", patch.solver.and_then(|solver| name_of(solver, &SOLVERS)));
    put("shear", patch.shear.and_then(|shear| name_of(shear, &SHEARS)));
    put("snap", patch.snap.map(written_snap));
    put("snap_while_held", patch.snap_while_held.map(written_snap));
    put("snap_kind", patch.snap_kind.map(written_snap_kind));
    put("limits", patch.limits.map(written_limits));
    put("locks", patch.locks.map(written_locks));
    put("theme", patch.theme.and_then(|theme| name_of(theme, &THEMES)));
    put("flip", patch.flip.map(Value::from));
    put("construction_lines", patch.construction_lines.map(Value::from));
    put("size", patch.size.map(Value::from));
    put("tolerance", patch.tolerance.map(Value::from));
    put("allow_mirror", patch.allow_mirror.map(Value::from));
    put("grab", patch.grab.map(|grab| json!(grab.name())));
    put("click_to_type", patch.click_to_type.map(Value::from));
    put("axes", patch.axes.map(|axes| json!(axes.name())));
    put("wheel_nudge", patch.wheel_nudge.map(Value::from));
    put("box", patch.box_result.map(|shown| json!(shown.map(BoxResult::name))));
    put("keep_aspect", patch.keep_aspect.map(Value::from));
    put("min_size", patch.min_size.map(Value::from));
    put("depth_style", patch.depth_style.and_then(|style| name_of(style, &DEPTH_STYLES)));
    put(
        "snap_to",
        patch.snap_to.and_then(|kind| match kind {
            SnapTo::NONE => Some(Value::Null),
            kind => SnapTo::EACH.contains(&kind).then(|| json!(kind.name())),
        }),
    );
    put("snap_source", patch.snap_source.map(|source| json!(source.name())));
    put("align_to_normal", patch.align_to_normal.map(Value::from));
    object
}

fn written_snap_kind(kind: SnapKind) -> Value {
    match kind {
        SnapKind::Relative => json!("relative"),
        SnapKind::Value => json!("value"),
        SnapKind::Grid { origin_world } => json!({ "grid": origin_world.to_array() }),
    }
}

fn name_of<T: PartialEq + Copy>(value: T, table: &[(&str, T)]) -> Option<Value> {
    table.iter().find(|(_, named)| *named == value).map(|(name, _)| json!(name))
}

fn written_snap(Snap { translate, rotate, scale }: Snap) -> Value {
    let size = |increment: Option<Increment>| increment.map(Increment::get);
    json!({ "translate": size(translate), "rotate": size(rotate).map(degrees), "scale": size(scale) })
}

fn written_locks(Locks { translation, rotation, scale }: Locks) -> Value {
    let axes = |kind: &str, axes: BVec3| {
        let axes = <[bool; 3]>::from(axes).into_iter().zip(["x", "y", "z"]);
        let locked = axes.filter(|(is_locked, _)| *is_locked);
        locked.map(|(_, axis)| format!("{kind}_{axis}")).collect::<Vec<_>>()
    };
    let turns = rotation.then(|| "rotation".to_owned());
    json!([axes("translation", translation), axes("scale", scale), turns.into_iter().collect()].concat())
}

fn written_limits(Limits { translation, scale, angle }: Limits) -> Value {
    let or_none = |limit: f64| limit.is_finite().then_some(limit);
    let of_three = |ends: [DVec3; 2]| ends.map(|end| end.to_array().map(or_none));
    json!({
        "translation": of_three(translation),
        "scale": of_three(scale),
        "angle": angle.map(|end| or_none(end).map(degrees)),
    })
}

/// Returns a number of degrees that reads back as exactly this number of radians, if one exists.
pub(in crate::replay_file) fn degrees(radians: f64) -> f64 {
    let near = radians.to_degrees();
    let up = std::iter::successors(Some(near), |n| Some(n.next_up())).take(4);
    let down = std::iter::successors(Some(near), |n| Some(n.next_down())).take(4);
    // The shortest of them is the most likely to be the number that was typed.
    let exact = up.chain(down).filter(|degrees| degrees.to_radians() == radians);
    exact.min_by_key(|degrees| degrees.to_string().len()).unwrap_or(near)
}
