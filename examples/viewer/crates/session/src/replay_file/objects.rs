//! Reads a scene that is written in the replay.

use super::values::{Channels, normalizable};
use gltf_io::Result;
use gltf_io::json::Json;
use scene::shapes;
use scene::{Node, Scene};
use std::collections::HashMap;
use wgpu_gizmo_core::math::Transform;

/// The color of all objects, dark enough that shading and the pale hover outline stay visible.
const COLOR: [u8; 3] = [156, 164, 176];

/// The mesh index of each shape.
const SHAPES: [(&str, Option<usize>); 3] = [("cube", Some(0)), ("sphere", Some(1)), ("empty", None)];

pub(super) fn read(list: &Json<'_>) -> Result<Scene> {
    let objects = list.items()?;
    let mut index_of = HashMap::new();
    for (index, object) in objects.iter().enumerate() {
        object.only(&["name", "parent", "translation", "rotation", "scale", "shape"])?;
        let name = object.need("name")?;
        if name.text()?.is_empty() {
            return Err(name.error("must not be empty"));
        }
        if index_of.insert(name.text()?, index).is_some() {
            return Err(name.error(format!("another object is named `{}`", name.text()?)));
        }
    }
    let mut nodes = Vec::with_capacity(objects.len());
    for object in &objects {
        let parent = match object.get_some("parent")? {
            Some(parent) => {
                let index = index_of.get(parent.text()?).copied();
                Some(index.ok_or_else(|| {
                    parent.error(format!("no object is named `{}`", parent.text().unwrap_or_default()))
                })?)
            }
            None => None,
        };
        let mut node = Node::new(object.need("name")?.text()?, parent, transform(object)?);
        node.mesh = object.need("shape")?.one_of(&SHAPES)?;
        nodes.push(node);
    }
    let meshes = vec![shapes::cube().colored(COLOR), shapes::sphere().colored(COLOR)];
    Scene::new(nodes, meshes).map_err(|error| {
        let object = &objects[error.node];
        let what = error.to_string();
        object.get("parent").ok().flatten().map_or_else(|| object.error(&what), |parent| parent.error(&what))
    })
}

fn transform(object: &Json<'_>) -> Result<Transform> {
    object.read("rotation", normalizable)?;
    Ok(Channels::read(object)?.set_in(&Transform::IDENTITY))
}
