//! What hangs on what, in the document's text: lists of children and of the scenes' roots, where they
//! are others than before.
//!
//! A deleted node stays where it is in the list of nodes, so that all indices of skins, animations
//! and extensions stay right; no scene contains it any longer.

use super::source::Source;
use crate::file_error::PlaceError;
use crate::flags::Flag;
use crate::json_text::{Edits, JsonText};
use crate::scene::Scene;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// What a node hangs on, by its index in the scene; `None` for what is in no scene.
type Place = Option<Option<usize>>;

/// Writes the roots that have changed, and answers with the children, by their indices in the file,
/// of the nodes of the scene whose children have changed.
pub(super) fn changes(
    source: &Source,
    scene: &Scene,
    text: JsonText<'_>,
    edits: &mut Edits,
) -> Result<BTreeMap<usize, Vec<usize>>, PlaceError> {
    let place =
        |node: usize| -> Place { (!scene.has_flag(node, Flag::Deleted)).then(|| scene.nodes()[node].parent) };
    let was = &source.nodes;
    let moved: Vec<usize> = (0..was.len()).filter(|node| place(*node) != Some(was[*node].parent)).collect();
    let mut changed = BTreeMap::new();
    let (false, Some(root)) = (moved.is_empty(), text.root()) else { return Ok(changed) };
    let scene_index: HashMap<usize, usize> = was.iter().map(|node| node.file_index).zip(0..).collect();
    let in_file = text.items_of(&root, "nodes");
    // Those that stay, in their order, then those that come.
    let list = |object: &Range<usize>, key: &str, stays: &dyn Fn(usize) -> bool, come: Vec<usize>| {
        let items = text.items_of(object, key);
        let mut list: Vec<usize> =
            items.iter().filter_map(|item| serde_json::from_slice(&text.0[item.clone()]).ok()).collect();
        // What the scene does not have is nobody's to change.
        list.retain(|index| scene_index.get(index).is_none_or(|node| stays(*node)));
        let come = come.into_iter().map(|node| was[node].file_index);
        let come: Vec<usize> = come.filter(|index| !list.contains(index)).collect();
        list.extend(come);
        list
    };
    for node in &moved {
        for parent in [was[*node].parent, place(*node).flatten()].into_iter().flatten() {
            if changed.contains_key(&parent) {
                continue;
            }
            let Some(object) = in_file.get(was[parent].file_index) else {
                let place = format!("nodes[{}]", was[parent].file_index);
                return Err(PlaceError::new(place, "is not where it was"));
            };
            let is_child = |child: usize| place(child) == Some(Some(parent));
            let come = scene.nodes()[parent].children.iter().copied().filter(|child| is_child(*child));
            changed.insert(parent, list(object, "children", &is_child, come.collect()));
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
            place == Some(None) || (place.is_some() && place == Some(was[node].parent))
        };
        let come = if index == shown.unwrap_or(0) { roots().collect() } else { Vec::new() };
        let nodes = list(object, "nodes", &stays, come);
        let before = text.items_of(object, "nodes");
        match text.member(object, "nodes") {
            Some(_) if is_list(text, &before, &nodes) => {}
            Some(member) if nodes.is_empty() => edits.remove(text, object, &member),
            Some(member) => edits.replace(member.value, self::list(&nodes)),
            None if nodes.is_empty() => {}
            None => edits.insert(text, object, &[format!("\"nodes\":{}", self::list(&nodes))]),
        }
    }
    let has_gone = moved.iter().any(|node| place(*node).is_none());
    if scenes.is_empty() && has_gone {
        // A file of parts: readers show all of them, unless a scene says which.
        let tops = (0..was.len()).filter(|node| place(*node) == Some(None)).map(|node| was[node].file_index);
        let scenes = format!("[{{\"nodes\":{}}}]", self::list(&tops.collect::<Vec<_>>()));
        match text.member(&root, "scenes") {
            Some(member) => edits.replace(member.value, scenes),
            None => edits.insert(text, &root, &["\"scene\":0".to_owned(), format!("\"scenes\":{scenes}")]),
        }
    }
    Ok(changed)
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
