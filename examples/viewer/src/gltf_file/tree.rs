//! The nodes of the scene that is shown.

use crate::file_error::{PlaceError, printable};
use crate::json::Json;
use crate::scene::Node;
use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat4, DQuat, DVec3};
use wgpu_gizmo::math::Transform;

/// The shown nodes in the order of the file; the lists run in parallel.
pub(super) struct Tree<'a> {
    pub(super) nodes: Vec<Node>,
    /// Where the index of each node's mesh stands.
    pub(super) meshes: Vec<Option<Json<'a>>>,
    /// Each node's index in the file.
    pub(super) file_indices: Vec<usize>,
    /// What is lost.
    pub(super) remarks: Vec<String>,
}

/// A matrix that loses less than this (see `Decomposed::lost`) is a transform, written in f32.
pub(super) const ROUNDING: f64 = 1e-5;

/// Reads the tree of the default scene, or of the first one.
pub(super) fn read<'a>(root: &Json<'a>) -> Result<Tree<'a>, PlaceError> {
    let in_file = root.items_of("nodes")?;
    let parents = parents(&in_file)?;
    let shown = shown(root, &in_file, &parents)?;
    let names = unique_names(&in_file)?;

    let file_indices: Vec<usize> = (0..in_file.len()).filter(|&i| shown[i]).collect();
    let scene_index: HashMap<usize, usize> = file_indices.iter().copied().zip(0..).collect();
    let mut tree = Tree { nodes: Vec::new(), meshes: Vec::new(), file_indices, remarks: Vec::new() };
    let mut sheared: Vec<&str> = Vec::new();
    for &index in &tree.file_indices {
        let node = &in_file[index];
        let (local, lost) = transform(node)?;
        if lost > ROUNDING {
            sheared.push(&names[index]);
        }
        let parent = parents[index].and_then(|parent| scene_index.get(&parent).copied());
        tree.nodes.push(Node::new(names[index].clone(), parent, local));
        tree.meshes.push(node.get("mesh")?);
    }
    if let Some(first) = sheared.first() {
        let count = sheared.len();
        tree.remarks.push(format!("the shear of {count} matrix nodes (first: {})", printable(first)));
    }
    let elsewhere = in_file.len() - tree.nodes.len();
    if elsewhere > 0 {
        tree.remarks.push(format!("nodes outside the scene ({elsewhere})"));
    }
    Ok(tree)
}

fn parents(nodes: &[Json<'_>]) -> Result<Vec<Option<usize>>, PlaceError> {
    let mut parents = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for child in node.items_of("children")? {
            let index = child.index_below(nodes.len(), "node")?;
            if let Some(first) = parents[index].replace(parent) {
                return Err(child.error(format!("node {index} has the parent {first} already")));
            }
        }
    }
    // Each node has one parent at most, so walking up from a loop never ends, and from
    // anywhere else it ends at a root. Nodes known to end there are not walked again.
    let mut ends = vec![false; nodes.len()];
    for start in 0..nodes.len() {
        let mut walked = Vec::new();
        let mut at = Some(start);
        while let Some(index) = at.filter(|&index| !ends[index]) {
            if walked.len() > nodes.len() {
                return Err(nodes[index].error("is its own ancestor"));
            }
            walked.push(index);
            at = parents[index];
        }
        walked.into_iter().for_each(|index| ends[index] = true);
    }
    Ok(parents)
}

/// Which nodes the scene contains.
fn shown(root: &Json<'_>, nodes: &[Json<'_>], parents: &[Option<usize>]) -> Result<Vec<bool>, PlaceError> {
    let scenes = root.items_of("scenes")?;
    if scenes.is_empty() && root.get("scene")?.is_none() {
        // Legal: a file of parts. All of them are worth seeing.
        return Ok(vec![true; nodes.len()]);
    }
    let index = root.get("scene")?.map_or(Ok(0), |index| index.index_below(scenes.len(), "scene"))?;
    let scene = scenes.get(index).ok_or_else(|| root.error("the file has no scene"))?;
    let mut shown = vec![false; nodes.len()];
    let mut walked = vec![false; nodes.len()];
    let mut rest = Vec::new();
    for top in scene.items_of("nodes")? {
        let index = top.index_below(nodes.len(), "node")?;
        // A node that is no root should not stand here, but some writers put one. What it
        // hangs on places it, so that is part of the scene as well.
        let mut above = parents[index];
        while let Some(parent) = above.filter(|&parent| !shown[parent]) {
            shown[parent] = true;
            above = parents[parent];
        }
        rest.push(index);
    }
    if rest.is_empty() {
        return Err(scene.error("the scene is empty: it has no nodes"));
    }
    while let Some(index) = rest.pop() {
        shown[index] = true;
        if !std::mem::replace(&mut walked[index], true) {
            for child in nodes[index].items_of("children")? {
                rest.push(child.index_below(nodes.len(), "node")?);
            }
        }
    }
    Ok(shown)
}

/// Each node's own name, or `node N` where it has none, shares it, or has one that another
/// node needs for that reason.
fn unique_names(nodes: &[Json<'_>]) -> Result<Vec<String>, PlaceError> {
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut numbered = Vec::new();
    let mut names = vec![String::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        match node.get("name")?.map_or(Ok(""), |name| name.text())? {
            "" => numbered.push(index),
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

/// The local transform, and how much of a matrix it cannot express.
fn transform(node: &Json<'_>) -> Result<(Transform, f64), PlaceError> {
    if let Some(matrix) = node.get("matrix")? {
        let parent_from_node = DMat4::from_cols_array(&matrix.numbers::<16>()?);
        if parent_from_node == DMat4::IDENTITY {
            return Ok((Transform::IDENTITY, 0.0));
        }
        let taken = Transform::from_matrix(parent_from_node);
        let taken = taken.filter(|t| t.transform.is_finite() && t.lost.is_finite());
        let taken = taken.ok_or_else(|| matrix.error("the matrix is singular"))?;
        return Ok((taken.transform, taken.lost));
    }
    let vector = |key, or| match node.get(key)? {
        Some(json) => json.numbers::<3>().map(DVec3::from),
        None => Ok(or),
    };
    let rotation = match node.get("rotation")? {
        Some(json) => DQuat::from_array(json.numbers::<4>()?),
        None => DQuat::IDENTITY,
    };
    let translation = vector("translation", DVec3::ZERO)?;
    let scale = vector("scale", DVec3::ONE)?;
    Ok((Transform { translation, rotation, scale }, 0.0))
}
