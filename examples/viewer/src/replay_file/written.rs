//! Events and what stands at the head of a replay, as the file has them: what reading undoes.

use super::camera::{Camera, Projection};
use super::events::{Button, Event, EventKind, Mods};
use super::places::Expected;
use super::settings::{self, SettingsPatch};
use super::told::{FLAGS, Flagged, Hangs};
use crate::command::{LASSO_KEY, VERTEX_KEY};
use crate::scene::Copied;
use crate::views::{Frame, PlanPlace, Plans};
use serde_json::{Map, Value, json};
use wgpu_gizmo::glam::{DQuat, DVec3};
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::{Transform, Viewport};

/// One event. Nodes go by these names.
pub(crate) fn event(event: &Event, names: &[String]) -> Value {
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
        EventKind::Cancel | EventKind::Undo | EventKind::Redo | EventKind::Handles | EventKind::Readouts => {
            json!(true)
        }
        EventKind::Key(key) => json!(key),
        EventKind::Set(patch) => settings(patch),
        EventKind::Select(nodes) => nodes.iter().map(|node| name(*node, names)).collect(),
        EventKind::SelectRegion { region, through } => {
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
        EventKind::Camera(camera) => self::camera(camera),
        EventKind::LookThrough(node) => node.map_or(Value::Null, |node| name(node, names)),
        EventKind::Views(plans) => views(plans.as_ref()),
        EventKind::ViewCube(is_shown) => json!(is_shown),
        EventKind::Window(frame) => Value::Object(self::frame(frame)),
        EventKind::Place(places) => self::places(places, names),
        EventKind::Rename(given) => self::names(given, names),
        EventKind::Duplicate(copies) => {
            let named = |(of, copy): &Copied| Some((names.get(*of)?.clone(), name(*copy, names)));
            Value::Object(copies.iter().filter_map(named).collect())
        }
        EventKind::Hang(hangs) => parents(hangs, names),
        EventKind::Flags(said) => flags(said, names),
        EventKind::Expect(Expected { places, tolerance, parents: hangs, names: given, flags: said }) => {
            let mut object = json!({ "targets": self::places(places, names), "tolerance": tolerance });
            if !hangs.is_empty() {
                object["parents"] = parents(hangs, names);
            }
            if !given.is_empty() {
                object["names"] = self::names(given, names);
            }
            if !said.is_empty() {
                object["flags"] = flags(said, names);
            }
            object
        }
        EventKind::Pick(pixel) => json!(pixel),
        EventKind::Region(corners) => json!(corners),
        EventKind::DumpIds(name) | EventKind::Screenshot(name) | EventKind::Save(name) => json!(name),
    }
}

/// What is to be changed of settings.
pub(crate) fn settings(patch: &SettingsPatch) -> Value {
    Value::Object(settings::written(patch))
}

/// The name of a node.
pub(crate) fn name(node: usize, names: &[String]) -> Value {
    names.get(node).map_or(Value::Null, |name| json!(name))
}

/// Local transforms by the names of their nodes.
fn places(places: &[(usize, Transform)], names: &[String]) -> Value {
    let named = |(node, local): &(usize, Transform)| Some((names.get(*node)?.clone(), transform(local)));
    Value::Object(places.iter().filter_map(named).collect())
}

/// What nodes are to be called, by what they were called at first.
fn names(given: &[(usize, String)], names: &[String]) -> Value {
    let named = |(node, name): &(usize, String)| Some((names.get(*node)?.clone(), json!(name)));
    Value::Object(given.iter().filter_map(named).collect())
}

/// What nodes hang on.
fn parents(hangs: &[Hangs], names: &[String]) -> Value {
    let named = |(node, parent): &Hangs| {
        Some((names.get(*node)?.clone(), parent.map_or(Value::Null, |parent| name(parent, names))))
    };
    Value::Object(hangs.iter().filter_map(named).collect())
}

/// Which nodes are hidden, locked or deleted, or no longer.
fn flags(said: &[Flagged], names: &[String]) -> Value {
    let mut object = json!({});
    for (node, flag, on) in said {
        let word = FLAGS.iter().find(|(_, known)| known == flag).map(|(word, _)| *word);
        if let (Some(name), Some(word)) = (names.get(*node), word) {
            object[name.as_str()][word] = json!(on);
        }
    }
    object
}

/// A camera, as it was given.
pub(crate) fn camera(camera: &Camera) -> Value {
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

/// One view, or the cameras of the other three.
pub(crate) fn views(plans: Option<&Plans>) -> Value {
    let Some(plans) = plans else { return json!("one") };
    let place = |PlanPlace { center, height, reach }: PlanPlace| json!({ "center": center.to_array(), "height": height, "reach": reach });
    let [top, front, side] = plans.places().map(place);
    json!({ "quad": { "top": top, "front": front, "side": side } })
}

/// The target, the part of it that shows the scene, its pixels.
pub(crate) fn frame(frame: &Frame) -> Map<String, Value> {
    let Frame { size_px, viewport: Viewport { x, y, width, height }, scale_factor } = *frame;
    let object =
        json!({ "size_px": size_px, "viewport": [x, y, width, height], "scale_factor": scale_factor });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Local, as it is.
pub(crate) fn transform(local: &Transform) -> Value {
    let vector = |v: DVec3| json!(v.to_array());
    let quaternion = |q: DQuat| json!(q.to_array());
    json!({
        "translation": vector(local.translation),
        "rotation": quaternion(local.rotation),
        "scale": vector(local.scale),
    })
}
