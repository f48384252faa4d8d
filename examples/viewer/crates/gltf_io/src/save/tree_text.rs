//! Writes hierarchy changes into the text of the document: the lists of children, and the root lists of
//! the scenes.
//!
//! A deleted node keeps its index in the list of nodes, so the indices in skins, animations and
//! extensions stay valid, but no scene contains it any more. Copies are appended to the list.

use crate::file_error::LocatedError;
use crate::json_text::{Edits, JsonText};
use crate::source::Source;
use scene::Scene;
use scene::flags::Flag;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The parent of a node by its index in the scene, or `Some(None)` for a root and `None` for a node that
/// no scene contains.
type Parentage = Option<Option<usize>>;

/// The changes of the node tree.
pub(crate) struct Tree {
    /// The new children of every changed node and of every copy, as indices in the file, by index of the
    /// node in the scene.
    pub(crate) children: BTreeMap<usize, Vec<usize>>,
    /// The copies that are not deleted, in the order in which they are appended to the file.
    pub(crate) copies: Vec<usize>,
}

/// Adds the edits for the changed root lists and returns the other changes. `objects` holds the ranges
/// of the nodes in the text.
pub(crate) fn changes(
    source: &Source,
    scene: &Scene,
    (text, objects): (JsonText<'_>, &[Range<usize>]),
    edits: &mut Edits,
) -> Result<Tree, LocatedError> {
    let was = &source.nodes;
    let copies: Vec<usize> = (was.len()..scene.nodes().len()).filter(|node| scene.exists(*node)).collect();
    let before = |node: usize| -> Parentage { was.get(node).map(|was| was.parent) };
    let now = |node: usize| -> Parentage {
        let is_in_scene =
            if node < was.len() { !scene.has_flag(node, Flag::Deleted) } else { scene.exists(node) };
        is_in_scene.then(|| scene.nodes()[node].parent)
    };
    let moved: Vec<usize> = (0..scene.nodes().len()).filter(|node| now(*node) != before(*node)).collect();
    let mut children = BTreeMap::new();
    let (false, Some(root)) = (moved.is_empty(), text.root()) else { return Ok(Tree { children, copies }) };
    let scene_index: HashMap<usize, usize> = was.iter().map(|node| node.file_index).zip(0..).collect();
    let index_of_copy: HashMap<usize, usize> = copies.iter().copied().zip(objects.len()..).collect();
    let file_index = |node: usize| match was.get(node) {
        Some(was) => Some(was.file_index),
        None => index_of_copy.get(&node).copied(),
    };
    // The remaining indices in their order, then the added ones.
    let list = |object: &Range<usize>, key: &str, stays: &dyn Fn(usize) -> bool, added: Vec<usize>| {
        let items = text.items_of(object, key);
        let mut list: Vec<usize> =
            items.iter().filter_map(|item| serde_json::from_slice(&text.0[item.clone()]).ok()).collect();
        // Nodes outside of the shown scene are left alone.
        list.retain(|index| scene_index.get(index).is_none_or(|node| stays(*node)));
        let added: Vec<usize> =
            added.into_iter().filter_map(file_index).filter(|index| !list.contains(index)).collect();
        list.extend(added);
        list
    };
    let children_of = |parent: usize| {
        let children = scene.nodes()[parent].children.iter().copied();
        children.filter(move |child| now(*child) == Some(Some(parent))).collect::<Vec<_>>()
    };
    for copy in &copies {
        children.insert(*copy, children_of(*copy).into_iter().filter_map(file_index).collect());
    }
    for node in &moved {
        for parent in [before(*node).flatten(), now(*node).flatten()].into_iter().flatten() {
            let (Some(was), false) = (was.get(parent), children.contains_key(&parent)) else { continue };
            let Some(object) = objects.get(was.file_index) else {
                return Err(LocatedError::new(
                    format!("nodes[{}]", was.file_index),
                    "is missing in the document text",
                ));
            };
            let is_child = |child: usize| now(child) == Some(Some(parent));
            children.insert(parent, list(object, "children", &is_child, children_of(parent)));
        }
    }
    let roots = || moved.iter().copied().filter(|node| now(*node) == Some(None));
    let scenes = text.items_of(&root, "scenes");
    let shown =
        text.member(&root, "scene").and_then(|index| serde_json::from_slice(&text.0[index.value]).ok());
    for (index, object) in scenes.iter().enumerate() {
        // Some exporters list nodes that are not roots. Such a node stays as long as it keeps its parent.
        let stays = |node: usize| {
            let parentage = now(node);
            parentage == Some(None) || (parentage.is_some() && parentage == before(node))
        };
        let added = if index == shown.unwrap_or(0) { roots().collect() } else { Vec::new() };
        let mut nodes = list(object, "nodes", &stays, added);
        if nodes.is_empty() && index == shown.unwrap_or(0) {
            // The scene listed only descendants of its roots, and none of them is left: list the roots.
            let tops = (0..scene.nodes().len()).filter(|node| now(*node) == Some(None));
            nodes.extend(tops.filter_map(file_index));
        }
        let items = text.items_of(object, "nodes");
        match text.member(object, "nodes") {
            Some(_) if is_list(text, &items, &nodes) => {}
            Some(member) if nodes.is_empty() => edits.remove(text, object, &member),
            Some(member) => edits.replace(member.value, self::list(&nodes)),
            None if nodes.is_empty() => {}
            None => edits.insert(text, object, &[format!("\"nodes\":{}", self::list(&nodes))]),
        }
    }
    let has_deleted = moved.iter().any(|node| now(*node).is_none());
    if scenes.is_empty() && has_deleted {
        // Readers show all nodes of a file without scenes, so a scene has to exclude the deleted ones.
        let tops = (0..scene.nodes().len()).filter(|node| now(*node) == Some(None)).filter_map(file_index);
        let scenes = format!("[{{\"nodes\":{}}}]", self::list(&tops.collect::<Vec<_>>()));
        match text.member(&root, "scenes") {
            Some(member) => edits.replace(member.value, scenes),
            None => edits.insert(text, &root, &["\"scene\":0".to_owned(), format!("\"scenes\":{scenes}")]),
        }
    }
    Ok(Tree { children, copies })
}

/// Returns true if the array items in the text are the indices `expected`.
fn is_list(text: JsonText<'_>, items: &[Range<usize>], expected: &[usize]) -> bool {
    let numbers = items.iter().map(|item| serde_json::from_slice::<usize>(&text.0[item.clone()]).ok());
    numbers.eq(expected.iter().map(|index| Some(*index)))
}

/// Returns indices as a JSON array.
pub(crate) fn list(indices: &[usize]) -> String {
    let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
    format!("[{}]", indices.join(","))
}
