//! The contents of the lines that a replay prints.

use serde_json::{Map, Value, json};
use session::editor::Editor;
use session::replay_file::values::{bounds_to_json, place_to_json, transform_to_json};
use session::replay_file::volumes;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use wgpu_gizmo::HandleId;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::handle::{BoxGrip, Constraint};
use wgpu_gizmo::interaction::Claims;
use wgpu_gizmo::interaction::settings::BoxResult;

/// Returns the name of a side of the view cube, such as `+x`, `-y+z` or `+x+y-z`.
fn side_name(side: BoxGrip) -> &'static str {
    let name = HandleId::from_constraint(Constraint::Box(side)).name();
    name.strip_prefix("box_").unwrap_or(name)
}

/// Returns the state after an event.
pub(crate) fn state(editor: &Editor, shows_cube: bool) -> Value {
    let (gizmo, scene, nodes) = (editor.gizmo(), editor.scene(), editor.scene().nodes());
    let of_selected = |value: &dyn Fn(usize) -> Option<Value>| -> Value {
        let named = |node: &usize| Some((nodes[*node].name.clone(), value(*node)?));
        Value::Object(editor.selection().nodes().iter().filter_map(named).collect())
    };
    let [volume_hovered, volume_dragged] = editor.volume_handles_in_use();
    let name = |handle: Option<HandleId>, other: Option<String>| {
        handle.map(|handle| handle.name().to_owned()).or(other)
    };
    let mut state = json!({
        "hover": name(gizmo.hovered(), volume_hovered),
        "object": editor.hovered_node().map(|node| nodes[node].name.as_str()),
        "dragging": name(gizmo.dragging(), volume_dragged),
        "clamped": gizmo.drag().is_some_and(|drag| drag.motion().clamped),
        "targets": of_selected(&|node| Some(transform_to_json(&nodes[node].local))),
    });
    let shows_extents = gizmo.settings.box_handles.is_some_and(|shown| shown.result == BoxResult::Extents);
    // Undoing the only section hides the handles again, and a replay must show that nothing is cut.
    if shows_extents || editor.has_ever_cropped() {
        state["extents"] = of_selected(&|node| scene.extents(node).map(bounds_to_json));
    }
    if editor.shows_volumes {
        let volume = |node| Some(volumes::write(&scene.volume(scene.volume_of(node)?)?));
        state["volumes"] = of_selected(&volume);
    }
    if editor.has_ever_edited_pivot() {
        state["pivot"] = json!(gizmo.pivot_place().as_ref().map(place_to_json));
    }
    if shows_cube {
        state["view_cube"] = json!(editor.hovered_side().map(side_name));
    }
    state
}

/// Returns the uses of pointer and keys that belong to the gizmo.
pub(crate) fn claims(claims: &Claims) -> Value {
    let Claims { primary_press, primary_drag, click, secondary, middle, wheel, keys, .. } = *claims;
    json!({ "claims": {
        "primary_press": primary_press,
        "primary_drag": primary_drag,
        "click": click,
        "secondary": secondary,
        "middle": middle,
        "wheel": wheel,
        "keys": keys,
    } })
}

/// Returns the readouts of the drag and their positions.
pub(crate) fn readouts(readouts: &[(String, DVec2)]) -> Value {
    let readouts: Vec<Value> =
        readouts.iter().map(|(text, at)| json!({ "text": text, "at": at.to_array() })).collect();
    json!({ "readouts": readouts })
}

/// Returns the owner of an id: a handle, a side of the view cube, an object, or `null`.
pub(crate) fn hit(id: u32, editor: &Editor) -> Value {
    let Some(id) = NonZeroU32::new(id) else { return Value::Null };
    if let Some(handle) = editor.gizmo().handle_of(id) {
        return json!(handle.name());
    }
    if let Some(name) = editor.volume_handle_of(id) {
        return json!(name);
    }
    if let Some(side) = editor.cube.side_of(id) {
        return json!({ "view_cube": side_name(side) });
    }
    let name = editor.node_of(id).map(|node| editor.scene().nodes()[node].name.as_str());
    name.map_or(Value::Null, |name| json!({ "object": name }))
}

/// Returns the handles and objects that are visible in a region, in the order of the ids. A handle that several targets
/// have is listed once.
pub(crate) fn region(ids: &[NonZeroU32], editor: &Editor) -> Value {
    let mut hits: Vec<Value> = Vec::with_capacity(ids.len());
    for hit in ids.iter().map(|id| hit(id.get(), editor)).filter(|hit| !hit.is_null()) {
        if !hits.contains(&hit) {
            hits.push(hit);
        }
    }
    json!({ "hits": hits })
}

/// Returns the id, a pixel well inside, and the pixel count of each visible handle.
pub(crate) fn handles(texels: &IdTexels, editor: &Editor) -> Value {
    let (depths, nodes) = (depths_inside(texels), editor.scene().nodes());
    let width = texels.width as usize;
    let is_handle =
        |id: NonZeroU32| editor.gizmo().handle_of(id).is_some() || editor.volume_handle_of(id).is_some();
    let mut found: Map<String, Value> = Map::new();
    let mut texels_of: BTreeMap<NonZeroU32, Vec<usize>> = BTreeMap::new();
    for (index, id) in texels.ids.iter().enumerate() {
        if let Some(id) = NonZeroU32::new(*id).filter(|id| is_handle(*id)) {
            texels_of.entry(id).or_default().push(index);
        }
    }
    for (id, indices) in texels_of {
        let handle = editor.gizmo().handle_of(id);
        let Some(max_depth) = indices.iter().map(|index| depths[*index]).max() else { continue };
        let at = |index: usize| DVec2::new((index % width) as f64, (index / width) as f64);
        let center = indices.iter().map(|index| at(*index)).sum::<DVec2>() / indices.len() as f64;
        // The one closest to the center of the handle is taken. The ends of an edge-on ring, where two strokes meet,
        // are deeper than its midpoint and harder to press.
        let is_ring = handle.is_some_and(|handle| matches!(handle.constraint(), Constraint::Ring(_)));
        let min_depth = if is_ring { 0.6 } else { 1.0 } * f64::from(max_depth);
        let deep = indices.iter().filter(|index| f64::from(depths[**index]) >= min_depth);
        let offset = |index: &usize| at(*index).distance_squared(center);
        let Some(best) = deep.min_by(|a, b| offset(a).total_cmp(&offset(b))) else { continue };
        let at = [best % width, best / width];
        let name = match (handle, other_target(id, editor)) {
            (Some(handle), Some(node)) => format!("{}@{}", handle.name(), nodes[node].name),
            (Some(handle), None) => handle.name().to_owned(),
            (None, _) => editor.volume_handle_of(id).unwrap_or_default(),
        };
        found.insert(name, json!({ "id": id, "at": at, "pixels": indices.len() }));
    }
    json!({ "handles": found })
}

/// Returns the node whose gizmo an id belongs to, unless it is the active node. Only the pivot that
/// shows a gizmo on every target has such ids.
fn other_target(id: NonZeroU32, editor: &Editor) -> Option<usize> {
    let node = editor.moved().get(editor.gizmo().target_of(id)?).copied();
    node.filter(|node| Some(node) != editor.moved().last())
}

/// Returns the distance of each texel to the nearest one with another id, with weight 3 for a step to a
/// side and 4 for a diagonal step (G. Borgefors, "Distance Transformations in Digital Images", 1986).
fn depths_inside(texels: &IdTexels) -> Vec<u32> {
    let (width, height) = (texels.width as i64, texels.height as i64);
    let mut depths = vec![0u32; texels.ids.len()];
    let mut pass = |x: i64, y: i64, neighbors: &[(i64, i64, u32)], first: bool| {
        let here = (y * width + x) as usize;
        let mut depth = if first { u32::MAX } else { depths[here] };
        for (dx, dy, step) in neighbors {
            let (nx, ny) = (x + dx, y + dy);
            let inside = nx >= 0 && ny >= 0 && nx < width && ny < height;
            let there = (ny * width + nx) as usize;
            let same = inside && texels.ids[there] == texels.ids[here];
            depth = depth.min(if same { depths[there].saturating_add(*step) } else { *step });
        }
        depths[here] = depth;
    };
    for y in 0..height {
        for x in 0..width {
            pass(x, y, &[(-1, 0, 3), (0, -1, 3), (-1, -1, 4), (1, -1, 4)], true);
        }
    }
    for y in (0..height).rev() {
        for x in (0..width).rev() {
            pass(x, y, &[(1, 0, 3), (0, 1, 3), (1, 1, 4), (-1, 1, 4)], false);
        }
    }
    depths
}
