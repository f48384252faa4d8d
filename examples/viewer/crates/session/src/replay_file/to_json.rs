//! Writes events and the other values of a replay as JSON, which reads back as the same values.

use super::camera::Camera;
use super::drives;
use super::events::{Button, Event, EventKind, Mods};
use super::extents;
use super::node_edits::{FLAGS, FlagEdit, ParentEdit};
use super::settings::{self, SettingsPatch};
use super::transforms::Expected;
use super::volumes;
use crate::command::{LASSO_KEY, VERTEX_KEY};
use crate::views::{Canvas, OrthoArea, OrthoViews};
use scene::CopyPair;
use scene::projection::Projection;
use scene::volume::NodeVolume;
use serde_json::{Map, Value, json};
use wgpu_gizmo_core::glam::{DQuat, DVec3};
use wgpu_gizmo_core::pick::Region;
use wgpu_gizmo_core::{Transform, Viewport};

/// Returns an event as JSON. Nodes are identified by these names.
pub fn event(event: &Event, names: &[String]) -> Value {
    let mut object = Map::new();
    object.insert(event.kind.name().to_owned(), kind(&event.kind, names));
    let Mods { shift, ctrl, alt, vertex, lasso } = event.mods;
    let held = [(shift, "shift"), (ctrl, "ctrl"), (alt, "alt"), (vertex, VERTEX_KEY), (lasso, LASSO_KEY)];
    let held: Vec<&str> = held.iter().filter(|(is_held, _)| *is_held).map(|(_, name)| *name).collect();
    if !held.is_empty() {
        object.insert("mods".to_owned(), json!(held));
    }
    Value::Object(object)
}

fn kind(kind: &EventKind, names: &[String]) -> Value {
    match kind {
        EventKind::Move(px) => json!(px.to_array()),
        EventKind::Press(button) | EventKind::Release(button) => json!(match button {
            Button::Primary => "primary",
            Button::Secondary => "secondary",
            Button::Middle => "middle",
        }),
        EventKind::Cancel
        | EventKind::Undo
        | EventKind::Redo
        | EventKind::Handles
        | EventKind::Readouts
        | EventKind::ResetPivot
        | EventKind::Claims => json!(true),
        EventKind::Drive(handle, amount) => drives::written(*handle, *amount),
        EventKind::Grab(handle) => json!(handle.name()),
        EventKind::Wheel(notches) => json!(notches),
        EventKind::EditPivot(is_on) => json!(is_on),
        EventKind::Key(key) => json!(key),
        EventKind::Command(command) => json!(command.name()),
        EventKind::Set(patch) => settings(patch),
        EventKind::Select(nodes) => nodes.iter().map(|node| name(*node, names)).collect(),
        EventKind::SelectRegion { region, through } => self::region(region, *through),
        EventKind::Camera(camera) => self::camera(camera),
        EventKind::LookThrough(node) => node.map_or(Value::Null, |node| name(node, names)),
        EventKind::Views(ortho_views) => views(ortho_views.as_ref()),
        EventKind::ViewCube(is_shown) => json!(is_shown),
        EventKind::Pose(pose) => {
            pose.map_or(Value::Null, |pose| json!({ "animation": pose.animation, "time": pose.time }))
        }
        EventKind::Window(canvas) => Value::Object(self::canvas(canvas)),
        EventKind::SetTransforms(places) => self::places(places, names),
        EventKind::SetExtents(set) => extents::written(set, names),
        EventKind::PlacePivot(place) => pivot(place.as_ref()),
        EventKind::SetVolumes(set) => self::volumes(set, names),
        EventKind::Rename(new_names) => self::names(new_names, names),
        EventKind::Duplicate(copies) => self::copies(copies, names),
        EventKind::Reparent(edits) => parents(edits, names),
        EventKind::Flags(edits) => flags(edits, names),
        EventKind::Expect(expected) => self::expected(expected, names),
        EventKind::Pick(pixel) => json!(pixel),
        EventKind::Region(corners) => json!(corners),
        EventKind::DumpIds(name) | EventKind::Screenshot(name) | EventKind::Save(name) => json!(name),
    }
}

fn region(region: &Region, through: bool) -> Value {
    let mut object = match region {
        Region::Rectangle([a, b]) => json!({ "rect": [a.x, a.y, b.x, b.y] }),
        Region::Lasso(points) => {
            let points: Vec<[f64; 2]> = points.iter().map(|px| px.to_array()).collect();
            json!({ "lasso": points })
        }
    };
    object["through"] = json!(through);
    object
}

/// Returns the values that an `expect` event requires. Empty lists are omitted.
fn expected(expected: &Expected, names: &[String]) -> Value {
    let Expected { places, tolerance, parents: reparented, names: new_names, flags: edits, .. } = expected;
    let mut object = json!({ "targets": self::places(places, names), "tolerance": tolerance });
    if !reparented.is_empty() {
        object["parents"] = parents(reparented, names);
    }
    if !new_names.is_empty() {
        object["names"] = self::names(new_names, names);
    }
    if !edits.is_empty() {
        object["flags"] = flags(edits, names);
    }
    if !expected.extents.is_empty() {
        object["extents"] = extents::written(&expected.extents, names);
    }
    if !expected.volumes.is_empty() {
        object["volumes"] = self::volumes(&expected.volumes, names);
    }
    object
}

/// Returns a settings patch as JSON.
pub fn settings(patch: &SettingsPatch) -> Value {
    Value::Object(settings::written(patch))
}

/// Returns the name of a node as JSON.
pub fn name(node: usize, names: &[String]) -> Value {
    names.get(node).map_or(Value::Null, |name| json!(name))
}

/// Returns local transforms by node name.
fn places(places: &[(usize, Transform)], names: &[String]) -> Value {
    let named = |(node, local): &(usize, Transform)| Some((names.get(*node)?.clone(), transform(local)));
    Value::Object(places.iter().filter_map(named).collect())
}

/// Returns cameras and lights by node name.
fn volumes(set: &[(usize, NodeVolume)], names: &[String]) -> Value {
    let named = |(node, one): &(usize, _)| Some((names.get(*node)?.clone(), volumes::written(one)));
    Value::Object(set.iter().filter_map(named).collect())
}

/// Returns the new names of nodes, by their names at the start.
fn names(new_names: &[(usize, String)], names: &[String]) -> Value {
    let named = |(node, name): &(usize, String)| Some((names.get(*node)?.clone(), json!(name)));
    Value::Object(new_names.iter().filter_map(named).collect())
}

/// Returns the names of copies by the names of their originals: a list, unless the order of the keys is that of the
/// copies.
fn copies(copies: &[CopyPair], names: &[String]) -> Value {
    let named = copies.iter().filter_map(|(of, copy)| Some((names.get(*of)?, names.get(*copy)?)));
    let object = |(of, copy): (&String, &String)| (of.clone(), json!(copy));
    match named.clone().is_sorted_by(|(a, _), (b, _)| a < b) {
        true => Value::Object(named.map(object).collect()),
        false => named.map(|pair| Value::Object([object(pair)].into_iter().collect())).collect(),
    }
}

/// Returns the parents of nodes, by node name.
fn parents(edits: &[ParentEdit], names: &[String]) -> Value {
    let named = |(node, parent): &ParentEdit| {
        Some((names.get(*node)?.clone(), parent.map_or(Value::Null, |parent| name(parent, names))))
    };
    Value::Object(edits.iter().filter_map(named).collect())
}

/// Returns the changed flags of nodes, by node name.
fn flags(edits: &[FlagEdit], names: &[String]) -> Value {
    let mut object = json!({});
    for (node, flag, on) in edits {
        let label = FLAGS.iter().find(|(_, known)| known == flag).map(|(label, _)| *label);
        if let (Some(name), Some(label)) = (names.get(*node), label) {
            object[name.as_str()][label] = json!(on);
        }
    }
    object
}

/// Returns a camera as JSON, in the form in which it was given.
pub fn camera(camera: &Camera) -> Value {
    match camera {
        Camera::Matrices { view_from_world, clip_from_view } => json!({
            "view_from_world": view_from_world.to_cols_array(),
            "clip_from_view": clip_from_view.to_cols_array(),
        }),
        Camera::LookAt { eye, look_at, up, projection } => json!({
            "eye": eye.to_array(),
            "look_at": look_at.to_array(),
            "up": up.to_array(),
            "projection": match *projection {
                Projection::Perspective { fov_y, near, far, reversed } => json!({
                    "kind": "perspective", "fov_y": fov_y, "near": near, "far": far, "reversed": reversed
                }),
                Projection::Orthographic { height, near, far, reversed } => json!({
                    "kind": "orthographic", "height": height, "near": near, "far": far, "reversed": reversed
                }),
            },
        }),
    }
}

/// Returns the cameras of the top, front and side views as JSON, or `"one"`.
pub fn views(ortho_views: Option<&OrthoViews>) -> Value {
    let Some(ortho_views) = ortho_views else { return json!("one") };
    let place = |OrthoArea { center, height, reach }: OrthoArea| json!({ "center": center.to_array(), "height": height, "reach": reach });
    let [top, front, side] = ortho_views.areas().map(place);
    json!({ "quad": { "top": top, "front": front, "side": side } })
}

/// Returns the size of the render target, the viewport and the scale factor as JSON.
pub fn canvas(canvas: &Canvas) -> Map<String, Value> {
    let Canvas { size_px, viewport: Viewport { x, y, width, height }, scale_factor } = *canvas;
    let object =
        json!({ "size_px": size_px, "viewport": [x, y, width, height], "scale_factor": scale_factor });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Returns the place of the gizmo as JSON, or `null`.
pub fn pivot(place: Option<&Transform>) -> Value {
    place.map_or(
        Value::Null,
        |place| json!({ "point": place.translation.to_array(), "rotation": place.rotation.to_array() }),
    )
}

/// Returns a transform as JSON, with its numbers unchanged.
pub fn transform(local: &Transform) -> Value {
    let vector = |v: DVec3| json!(v.to_array());
    let quaternion = |q: DQuat| json!(q.to_array());
    json!({
        "translation": vector(local.translation),
        "rotation": quaternion(local.rotation),
        "scale": vector(local.scale),
    })
}
