//! Reads the node tree of the scene that is shown.

use crate::budget::{Budget, Charge};
use crate::file_error::{Result, excerpt};
use crate::json::Json;
use crate::source::Marks;
use scene::Node;
use scene::bounds::Bounds;
use std::collections::HashMap;
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec3};
use wgpu_gizmo_core::math::Transform;

/// The shown nodes in the order of the file. The lists are parallel.
pub(crate) struct Tree<'a> {
    pub(crate) nodes: Vec<Node>,
    /// The JSON value that holds the mesh index of each node.
    pub(crate) meshes: Vec<Option<Json<'a>>>,
    /// Index of each node in the file.
    pub(crate) file_indices: Vec<usize>,
    /// The marks of each node.
    pub(crate) marks: Vec<Marks>,
    /// Phrases about properties that are not shown.
    pub(crate) remarks: Vec<String>,
}

/// A decomposition with a loss (`Transform::error_against`) up to this is exact apart from rounding to `f32`.
pub(crate) const ROUNDING: f64 = 1e-5;

/// Reads the node tree of the default scene, or of the first scene if there is no default.
pub(crate) fn read<'a>(root: &Json<'a>, budget: &Budget) -> Result<Tree<'a>> {
    charge_nodes(root, budget)?;
    let file_nodes = root.items_of("nodes")?;
    let parents = parents(&file_nodes)?;
    let shown = shown(root, &file_nodes, &parents)?;
    let names = unique_names(&file_nodes)?;

    let file_indices: Vec<usize> = (0..file_nodes.len()).filter(|&i| shown[i]).collect();
    let scene_index: HashMap<usize, usize> = file_indices.iter().copied().zip(0..).collect();
    let mut tree =
        Tree { nodes: Vec::new(), meshes: Vec::new(), file_indices, marks: Vec::new(), remarks: Vec::new() };
    let mut sheared: Vec<&str> = Vec::new();
    for &index in &tree.file_indices {
        let node = &file_nodes[index];
        let (local, lost) = transform(node)?;
        if lost > ROUNDING {
            sheared.push(&names[index]);
        }
        let parent = parents[index].and_then(|parent| scene_index.get(&parent).copied());
        tree.nodes.push(Node::new(names[index].clone(), parent, local));
        tree.meshes.push(node.get("mesh")?);
        tree.marks.push(marks(node));
    }
    if let Some(first) = sheared.first() {
        let count = sheared.len();
        tree.remarks.push(format!("the shear of matrix nodes ({count}; first: {})", excerpt(first)));
    }
    let outside = file_nodes.len() - tree.nodes.len();
    if outside > 0 {
        tree.remarks.push(format!("nodes outside the scene ({outside})"));
    }
    Ok(tree)
}

/// Memory per node while a file is read: the node of the scene with its matrix and its entry in the table of
/// names, its original state, and the values and lists of this module.
const NODE_BYTES: u64 = 1024;
/// Longest name that a node is shown with. A node with a longer one is shown as `node N`.
const MAX_NAME_BYTES: usize = 4096;

/// Charges the nodes and their names before any list of them is made.
fn charge_nodes(root: &Json<'_>, budget: &Budget) -> Result<()> {
    let Some(list) = root.get("nodes")? else { return Ok(()) };
    let nodes = list.value().as_array().map_or(&[][..], Vec::as_slice);
    let name = |node: &serde_json::Value| node.get("name")?.as_str().map(str::len);
    let text: usize = nodes.iter().filter_map(name).filter(|length| *length <= MAX_NAME_BYTES).sum();
    let charges = [
        (Charge::Nodes, nodes.len() as u64),
        (Charge::Text, text as u64),
        // A name is kept four times.
        (Charge::Memory, nodes.len() as u64 * NODE_BYTES + 4 * text as u64),
    ];
    for (charge, amount) in charges {
        budget.charge(charge, amount, &list)?;
    }
    Ok(())
}

/// Returns the parent of each node. Two parents or a cycle are errors.
fn parents(nodes: &[Json<'_>]) -> Result<Vec<Option<usize>>> {
    let mut parents = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for child in node.items_of("children")? {
            let index = child.index_below(nodes.len(), "nodes")?;
            if let Some(first) = parents[index].replace(parent) {
                return Err(child.error(format!("node {index} is already a child of node {first}")));
            }
        }
    }
    // Each node has at most one parent, so walking up from a node either ends at a root or runs into a
    // cycle. Nodes that are known to reach a root are not visited again.
    let mut reaches_root = vec![false; nodes.len()];
    for start in 0..nodes.len() {
        let mut visited = Vec::new();
        let mut at = Some(start);
        while let Some(index) = at.filter(|&index| !reaches_root[index]) {
            if visited.len() > nodes.len() {
                return Err(nodes[index].error("is its own ancestor"));
            }
            visited.push(index);
            at = parents[index];
        }
        visited.into_iter().for_each(|index| reaches_root[index] = true);
    }
    Ok(parents)
}

/// Returns for each node whether the scene contains it.
fn shown(root: &Json<'_>, nodes: &[Json<'_>], parents: &[Option<usize>]) -> Result<Vec<bool>> {
    let scenes = root.items_of("scenes")?;
    if scenes.is_empty() && root.get("scene")?.is_none() {
        // A valid file without scenes, such as a library of parts: all nodes are shown.
        return Ok(vec![true; nodes.len()]);
    }
    let index = root.get_or("scene", 0, |index| index.index_below(scenes.len(), "scenes"))?;
    let scene = scenes.get(index).ok_or_else(|| root.error("the file has no scene"))?;
    let mut shown = vec![false; nodes.len()];
    let mut visited = vec![false; nodes.len()];
    let mut pending = Vec::new();
    for top in scene.items_of("nodes")? {
        let index = top.index_below(nodes.len(), "nodes")?;
        // Only roots are allowed here, but some exporters list other nodes. The ancestors of such a node
        // define its transform, so they are part of the scene as well.
        let mut ancestor = parents[index];
        while let Some(parent) = ancestor.filter(|&parent| !shown[parent]) {
            shown[parent] = true;
            ancestor = parents[parent];
        }
        pending.push(index);
    }
    if pending.is_empty() {
        return Err(scene.error("the scene is empty: it has no nodes"));
    }
    while let Some(index) = pending.pop() {
        shown[index] = true;
        if !std::mem::replace(&mut visited[index], true) {
            for child in nodes[index].items_of("children")? {
                pending.push(child.index_below(nodes.len(), "nodes")?);
            }
        }
    }
    Ok(shown)
}

/// Returns a unique name for each node: its own name, or `node N` if it has no name or a very long one,
/// shares its name, or has a name that is needed for such a node.
fn unique_names(nodes: &[Json<'_>]) -> Result<Vec<String>> {
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut numbered = Vec::new();
    let mut names = vec![String::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        match node.get_or("name", "", Json::text)? {
            name if name.is_empty() || name.len() > MAX_NAME_BYTES => numbered.push(index),
            name => {
                name.clone_into(&mut names[index]);
                holders.entry(name).or_default().push(index);
            }
        }
    }
    let repeated = holders.values().filter(|indices| indices.len() > 1);
    numbered.extend(repeated.flatten());
    while let Some(index) = numbered.pop() {
        let number = format!("node {index}");
        if let Some(&[holder]) = holders.get(number.as_str()).map(Vec::as_slice)
            && holder != index
            && names[holder] == number
        {
            numbered.push(holder);
        }
        names[index] = number;
    }
    Ok(names)
}

/// The member of `extras` that has the crop box of a node: an object with `min` and `max`.
pub(crate) const CROP_BOX: &str = "crop_box";

/// The member of `extras` that says whether a node is locked.
pub(crate) const LOCKED: &str = "locked";

/// The extension that says whether a node is visible.
pub(crate) const VISIBILITY: &str = "KHR_node_visibility";

/// Reads the marks of a node. Other programs may use the names in `extras` for something else, so a value of
/// another kind is ignored.
fn marks(node: &Json<'_>) -> Marks {
    let extras = node.get("extras").ok().flatten();
    let extra = |key| extras.as_ref()?.get(key).ok().flatten();
    let visible = || node.extension(VISIBILITY).ok()??.get("visible").ok()??.boolean().ok();
    Marks {
        crop: extra(CROP_BOX).and_then(|crop| crop_box(&crop)),
        is_hidden: visible() == Some(false),
        is_locked: extra(LOCKED).is_some_and(|locked| locked.boolean() == Ok(true)),
    }
}

fn crop_box(crop: &Json<'_>) -> Option<Bounds> {
    let end = |key| crop.get(key).ok().flatten()?.numbers::<3>().ok().map(DVec3::from);
    let (min, max) = (end("min")?, end("max")?);
    (min.is_finite() && max.is_finite() && min.cmplt(max).all()).then_some(Bounds { min, max })
}

/// Reads the local transform of a node. The second value is the loss of decomposing a matrix.
fn transform(node: &Json<'_>) -> Result<(Transform, f64)> {
    if let Some(matrix) = node.get("matrix")? {
        let parent_from_node = DMat4::from_cols_array(&matrix.numbers::<16>()?);
        if parent_from_node == DMat4::IDENTITY {
            return Ok((Transform::IDENTITY, 0.0));
        }
        let decomposed = Transform::from_matrix(parent_from_node)
            .map(|local| (local, local.error_against(parent_from_node)))
            .filter(|(local, lost)| local.is_finite() && lost.is_finite());
        return decomposed.ok_or_else(|| matrix.error("the matrix is singular"));
    }
    let rotation = DQuat::from_array(node.get_or("rotation", [0.0, 0.0, 0.0, 1.0], Json::numbers)?);
    let translation = DVec3::from(node.get_or("translation", [0.0; 3], Json::numbers)?);
    let scale = DVec3::from(node.get_or("scale", [1.0; 3], Json::numbers)?);
    Ok((Transform { translation, rotation, scale }, 0.0))
}
