//! Builds a glTF file for a scene that was not read from one: the built-in scene or the objects of a
//! replay.

use super::nodes_text::{CHANNELS, numbers, unit};
use crate::container;
use crate::file_error::{LocatedError, Result};
use crate::source::{LoadedNode, Marks, Source};
use scene::mesh::Mesh;
use scene::{Node, Scene, SceneError};
use serde_json::{Value, json};
use std::collections::HashMap;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DQuat, Vec3};

/// Returns a generated file and its scene as if they had been read. Deleted nodes are left out.
pub(crate) fn source(scene: &Scene) -> Result<(Source, Scene)> {
    let scene = without_deleted(scene).map_err(|error| LocatedError::new("scene", error.to_string()))?;
    let nodes = scene.nodes();
    let document = json!({
        "asset": { "version": "2.0", "generator": "wgpu-gizmo-viewer" },
        "scene": 0,
        "scenes": [{}],
    });
    let mut writer = Writer { document, binary: Vec::new() };
    scene.meshes().iter().for_each(|mesh| writer.mesh(mesh));
    for (index, node) in nodes.iter().enumerate() {
        push(&mut writer.document["nodes"], self::node(node));
        if node.parent.is_none() {
            push(&mut writer.document["scenes"][0]["nodes"], json!(index));
        }
    }
    let bytes = writer.binary.len();
    if bytes > 0 {
        push(&mut writer.document["buffers"], json!({ "byteLength": bytes }));
    }
    let text = writer.document.to_string().into_bytes();
    let bytes = crate::save::whole_glb(&text, &writer.binary)?;
    // The marks are not in it yet.
    let loaded = |node| LoadedNode { marks: Marks::default(), ..LoadedNode::of(&scene, node, node) };
    let nodes = (0..nodes.len()).map(loaded).collect();
    Ok((Source { container: container::split(bytes)?, nodes, ..Source::default() }, scene))
}

/// Returns a scene of the nodes that are not deleted.
fn without_deleted(scene: &Scene) -> Result<Scene, SceneError> {
    let kept: Vec<usize> = (0..scene.nodes().len()).filter(|node| scene.exists(*node)).collect();
    let index_of: HashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
    let node = |node: &usize| {
        let Node { name, parent, local, mesh, .. } = &scene.nodes()[*node];
        let parent = parent.and_then(|parent| index_of.get(&parent).copied());
        Node { mesh: *mesh, ..Node::new(name, parent, *local) }
    };
    let mut whole = Scene::with_meshes(kept.iter().map(node).collect(), scene.meshes().to_vec())?;
    for (index, node) in kept.iter().enumerate() {
        Marks::of(scene, *node).apply(&mut whole, index);
    }
    Ok(whole)
}

fn node(node: &Node) -> Value {
    let mut value = json!({ "name": node.name });
    if !node.children.is_empty() {
        value["children"] = json!(node.children);
    }
    if let Some(mesh) = node.mesh {
        value["mesh"] = json!(mesh);
    }
    let rotation = unit(node.local.rotation).unwrap_or(DQuat::IDENTITY);
    let local = numbers(&Transform { rotation, ..node.local });
    for (key, range) in CHANNELS {
        if local[range.clone()] != numbers(&Transform::IDENTITY)[range.clone()] {
            value[key] = json!(local[range]);
        }
    }
    value
}

/// Buffer view targets for vertex attributes and indices: glTF 2.0 specification, §5.11.5.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
/// Component types: §3.6.2.2.
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

struct Writer {
    document: Value,
    binary: Vec<u8>,
}

/// Adds an item to a list, and returns its index. A list begins with its first item, because glTF does not allow empty
/// arrays.
fn push(list: &mut Value, item: Value) -> usize {
    let mut items = match list.take() {
        Value::Array(items) => items,
        _ => Vec::new(),
    };
    items.push(item);
    let index = items.len() - 1;
    *list = Value::Array(items);
    index
}

impl Writer {
    fn mesh(&mut self, mesh: &Mesh) {
        let bytes = |numbers: &[[f32; 3]]| numbers.iter().flatten().flat_map(|n| n.to_le_bytes()).collect();
        let mut position = json!({ "componentType": F32, "count": mesh.positions.len(), "type": "VEC3" });
        let positions = mesh.positions.iter().copied().map(Vec3::from);
        if let (Some(min), Some(max)) = (positions.clone().reduce(Vec3::min), positions.reduce(Vec3::max)) {
            position["min"] = json!(min.to_array());
            position["max"] = json!(max.to_array());
        }
        let mut attributes =
            json!({ "POSITION": self.accessor(position, bytes(&mesh.positions), ARRAY_BUFFER) });
        let unit: Vec<[f32; 3]> =
            mesh.normals.iter().map(|normal| Vec3::from(*normal).normalize_or_zero().to_array()).collect();
        // Without normals, readers compute flat ones, as this viewer does.
        if !unit.contains(&[0.0; 3]) {
            let normal = json!({ "componentType": F32, "count": unit.len(), "type": "VEC3" });
            attributes["NORMAL"] = json!(self.accessor(normal, bytes(&unit), ARRAY_BUFFER));
        }
        let colors =
            mesh.colors.iter().flat_map(|[r, g, b, _]| [linear16(*r), linear16(*g), linear16(*b), u16::MAX]);
        let colors: Vec<u8> = colors.flat_map(u16::to_le_bytes).collect();
        let color =
            json!({ "componentType": U16, "count": mesh.colors.len(), "type": "VEC4", "normalized": true });
        attributes["COLOR_0"] = json!(self.accessor(color, colors, ARRAY_BUFFER));
        let index = json!({ "componentType": U32, "count": mesh.indices.len(), "type": "SCALAR" });
        let indices = mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let indices = self.accessor(index, indices, ELEMENT_ARRAY_BUFFER);
        let primitive = json!({ "attributes": attributes, "indices": indices });
        push(&mut self.document["meshes"], json!({ "primitives": [primitive] }));
    }

    /// Appends an accessor with its data and returns its index. Components must have 2 or 4 bytes and
    /// elements a multiple of 4 bytes, so that all offsets are aligned.
    fn accessor(&mut self, mut accessor: Value, bytes: Vec<u8>, target: u32) -> usize {
        let view = json!({
            "buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len(), "target": target,
        });
        self.binary.extend(bytes);
        accessor["bufferView"] = json!(push(&mut self.document["bufferViews"], view));
        push(&mut self.document["accessors"], accessor)
    }
}

/// Converts sRGB in 8 bits to linear in 16 bits, which has a finer resolution everywhere.
fn linear16(srgb8: u8) -> u16 {
    let c = f32::from(srgb8) / 255.0;
    let linear = if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    (linear * 65535.0 + 0.5) as u16
}
