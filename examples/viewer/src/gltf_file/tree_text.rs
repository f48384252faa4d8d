//! What hangs on what, in the document's text: lists of children and of the scenes' roots, where they
//! are others than before.
//!
//! A deleted node stays where it is in the list of nodes, so that all indices of skins, animations
//! and extensions stay right; no scene contains it any longer. Copies that are there come at the
//! list's end.

use super::source::Source;
use crate::file_error::PlaceError;
use crate::flags::Flag;
use crate::json_text::{Edits, JsonText};
use crate::scene::Scene;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// What a node hangs on, by its index in the scene; `None` for what is in no scene.
type Place = Option<Option<usize>>;

/// The tree as it becomes.
pub(super) struct Tree {
    /// By index in the scene, of the nodes whose children have changed and of all copies: the
    /// children, by their indices in the file.
    pub(super) children: BTreeMap<usize, Vec<usize>>,
    /// The copies, in the order in which they come in the file.
    pub(super) copies: Vec<usize>,
}

/// Writes the roots that have changed. `in_file`: where the document's nodes stand.
pub(super) fn changes(
    source: &Source,
    scene: &Scene,
    (text, in_file): (JsonText<'_>, &[Range<usize>]),
    edits: &mut Edits,
) -> Result<Tree, PlaceError> {
    let was = &source.nodes;
    let copies: Vec<usize> = (was.len()..scene.nodes().len()).filter(|node| scene.is_there(*node)).collect();
    let before = |node: usize| -> Place { was.get(node).map(|was| was.parent) };
    let place = |node: usize| -> Place {
        let is_in =
            if node < was.len() { !scene.has_flag(node, Flag::Deleted) } else { scene.is_there(node) };
        is_in.then(|| scene.nodes()[node].parent)
    };
    let moved: Vec<usize> = (0..scene.nodes().len()).filter(|node| place(*node) != before(*node)).collect();
    let mut children = BTreeMap::new();
    let (false, Some(root)) = (moved.is_empty(), text.root()) else { return Ok(Tree { children, copies }) };
    let scene_index: HashMap<usize, usize> = was.iter().map(|node| node.file_index).zip(0..).collect();
    let index_of_copy: HashMap<usize, usize> = copies.iter().copied().zip(in_file.len()..).collect();
    let file_index = |node: usize| match was.get(node) {
        Some(was) => Some(was.file_index),
        None => index_of_copy.get(&node).copied(),
    };
    // Those that stay, in their order, then those that come.
    let list = |object: &Range<usize>, key: &str, stays: &dyn Fn(usize) -> bool, come: Vec<usize>| {
        let items = text.items_of(object, key);
        let mut list: Vec<usize> =
            items.iter().filter_map(|item| serde_json::from_slice(&text.0[item.clone()]).ok()).collect();
        // What the scene does not have is nobody's to change.
        list.retain(|index| scene_index.get(index).is_none_or(|node| stays(*node)));
        let come: Vec<usize> =
            come.into_iter().filter_map(file_index).filter(|index| !list.contains(index)).collect();
        list.extend(come);
        list
    };
    let children_of = |parent: usize| {
        let children = scene.nodes()[parent].children.iter().copied();
        children.filter(move |child| place(*child) == Some(Some(parent))).collect::<Vec<_>>()
    };
    for copy in &copies {
        children.insert(*copy, children_of(*copy).into_iter().filter_map(file_index).collect());
    }
    for node in &moved {
        for parent in [before(*node).flatten(), place(*node).flatten()].into_iter().flatten() {
            let (Some(was), false) = (was.get(parent), children.contains_key(&parent)) else { continue };
            let Some(object) = in_file.get(was.file_index) else {
                return Err(PlaceError::new(format!("nodes[{}]", was.file_index), "is not where it was"));
            };
            let is_child = |child: usize| place(child) == Some(Some(parent));
            children.insert(parent, list(object, "children", &is_child, children_of(parent)));
        }
    }
    let roots = || moved.iter().copied().filter(|node| place(*node) == Some(None));
    let scenes = text.items_of(&root, "scenes");
    let shown =
        text.member(&root, "scene").and_then(|index| serde_json::from_slice(&text.0[index.value]).ok());
    for (index, object) in scenes.iter().enumerate() {
        // Some writers list nodes that are no roots: such a one stays while it hangs where it did.
        let stays = |node: usize| {
            let place = place(node);
            place == Some(None) || (place.is_some() && place == before(node))
        };
        let come = if index == shown.unwrap_or(0) { roots().collect() } else { Vec::new() };
        let mut nodes = list(object, "nodes", &stays, come);
        if nodes.is_empty() && index == shown.unwrap_or(0) {
            // It listed no root, only nodes on them: they are what is left of it.
            let tops = (0..scene.nodes().len()).filter(|node| place(*node) == Some(None));
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
    let has_gone = moved.iter().any(|node| place(*node).is_none());
    if scenes.is_empty() && has_gone {
        // A file of parts: readers show all of them, unless a scene says which.
        let tops = (0..scene.nodes().len()).filter(|node| place(*node) == Some(None)).filter_map(file_index);
        let scenes = format!("[{{\"nodes\":{}}}]", self::list(&tops.collect::<Vec<_>>()));
        match text.member(&root, "scenes") {
            Some(member) => edits.replace(member.value, scenes),
            None => edits.insert(text, &root, &["\"scene\":0".to_owned(), format!("\"scenes\":{scenes}")]),
        }
    }
    Ok(Tree { children, copies })
}

/// Whether a list in the text says this.
fn is_list(text: JsonText<'_>, items: &[Range<usize>], wanted: &[usize]) -> bool {
    let numbers = items.iter().map(|item| serde_json::from_slice::<usize>(&text.0[item.clone()]).ok());
    numbers.eq(wanted.iter().map(|index| Some(*index)))
}

/// Indices as JSON.
pub(super) fn list(indices: &[usize]) -> String {
    let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
    format!("[{}]", indices.join(","))
}
