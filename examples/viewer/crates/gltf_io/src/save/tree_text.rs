//! Writes hierarchy changes into the text of the document: the lists of children, and the root lists of
//! the scenes.
//!
//! A deleted node keeps its index in the list of nodes, so the indices in skins, animations and extensions
//! stay valid, but no scene contains it. Copies are appended to the list.

use crate::json::Json;
use crate::json_text::{Change, Edits, JsonText};
use crate::source::{LoadedNode, Source};
use scene::Scene;
use scene::flags::Flag;
use serde_json::json;
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
) -> Tree {
    let was = &source.nodes;
    let copies: Vec<usize> = (was.len()..scene.nodes().len()).filter(|node| scene.exists(*node)).collect();
    let mut hierarchy = Hierarchy {
        was,
        scene,
        text,
        scene_index: was.iter().map(|node| node.file_index).zip(0..).collect(),
        index_of_copy: copies.iter().copied().zip(objects.len()..).collect(),
        moved: Vec::new(),
    };
    let is_moved = |node: &usize| hierarchy.now(*node) != hierarchy.before(*node);
    hierarchy.moved = (0..scene.nodes().len()).filter(is_moved).collect();
    let (false, Some(root)) = (hierarchy.moved.is_empty(), text.root()) else {
        return Tree { children: BTreeMap::new(), copies };
    };
    let children = hierarchy.children(&copies, objects);
    hierarchy.write_roots(&root, edits);
    Tree { children, copies }
}

/// The hierarchy of the file and that of the scene.
struct Hierarchy<'a> {
    was: &'a [LoadedNode],
    scene: &'a Scene,
    text: JsonText<'a>,
    /// The index of a node in the scene, by its index in the file.
    scene_index: HashMap<usize, usize>,
    /// The index that a copy gets in the file.
    index_of_copy: HashMap<usize, usize>,
    /// The nodes whose parentage has changed.
    moved: Vec<usize>,
}

impl Hierarchy<'_> {
    fn before(&self, node: usize) -> Parentage {
        self.was.get(node).map(|was| was.parent)
    }

    fn now(&self, node: usize) -> Parentage {
        let is_in_scene = match node < self.was.len() {
            true => !self.scene.has_flag(node, Flag::Deleted),
            false => self.scene.exists(node),
        };
        is_in_scene.then(|| self.scene.nodes()[node].parent)
    }

    fn file_index(&self, node: usize) -> Option<usize> {
        match self.was.get(node) {
            Some(was) => Some(was.file_index),
            None => self.index_of_copy.get(&node).copied(),
        }
    }

    /// Returns the index at a place of the text, which can also be written as `3.0`.
    fn index(&self, value: Range<usize>) -> Option<usize> {
        Json::root(&self.text.parsed(&value)?).index().ok()
    }

    /// Returns the list of indices at a key of an object.
    fn indices(&self, object: &Range<usize>, key: &str) -> Vec<usize> {
        self.text.items_of(object, key).into_iter().filter_map(|item| self.index(item)).collect()
    }

    /// Returns the roots of the scene, in ascending order.
    fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.scene.nodes().len()).filter(|node| self.now(*node) == Some(None))
    }

    /// Returns the children of a node that are not deleted.
    fn children_of(&self, parent: usize) -> Vec<usize> {
        let children = self.scene.nodes()[parent].children.iter().copied();
        children.filter(|child| self.now(*child) == Some(Some(parent))).collect()
    }

    /// Returns a list of the file with its remaining indices in their order, then the added ones.
    fn list(
        &self,
        (object, key): (&Range<usize>, &str),
        stays: impl Fn(usize) -> bool,
        added: impl IntoIterator<Item = usize>,
    ) -> Vec<usize> {
        let mut list = self.indices(object, key);
        // Nodes outside of the shown scene are left alone.
        list.retain(|index| self.scene_index.get(index).is_none_or(|node| stays(*node)));
        let added = added.into_iter().filter_map(|node| self.file_index(node));
        let added: Vec<usize> = added.filter(|index| !list.contains(index)).collect();
        list.extend(added);
        list
    }

    /// Returns the new children of every changed node and of every copy.
    fn children(&self, copies: &[usize], objects: &[Range<usize>]) -> BTreeMap<usize, Vec<usize>> {
        let indices =
            |nodes: Vec<usize>| nodes.into_iter().filter_map(|node| self.file_index(node)).collect();
        let mut children: BTreeMap<usize, Vec<usize>> =
            copies.iter().map(|copy| (*copy, indices(self.children_of(*copy)))).collect();
        for node in &self.moved {
            for parent in [self.before(*node), self.now(*node)].into_iter().flatten().flatten() {
                let (Some(was), false) = (self.was.get(parent), children.contains_key(&parent)) else {
                    continue;
                };
                let object = &objects[was.file_index];
                let is_child = |child: usize| self.now(child) == Some(Some(parent));
                children.insert(parent, self.list((object, "children"), is_child, self.children_of(parent)));
            }
        }
        children
    }

    /// Adds the edits for the root lists of all scenes.
    fn write_roots(&self, root: &Range<usize>, edits: &mut Edits) {
        let text = self.text;
        let scenes = text.items_of(root, "scenes");
        let shown = text.member(root, "scene").and_then(|scene| self.index(scene.value)).unwrap_or(0);
        for (index, object) in scenes.iter().enumerate() {
            let nodes = self.roots_of_scene(object, index == shown);
            if self.indices(object, "nodes") != nodes {
                let nodes = (!nodes.is_empty()).then(|| nodes.into());
                edits.change(text, object, vec![("nodes", Change::Set(nodes))]);
            }
        }
        let has_deleted = self.moved.iter().any(|node| self.now(*node).is_none());
        if scenes.is_empty() && has_deleted {
            // Readers show all nodes of a file without scenes, so a scene has to exclude the deleted ones.
            let roots: Vec<usize> = self.roots().filter_map(|node| self.file_index(node)).collect();
            let is_first = text.member(root, "scenes").is_none().then(|| ("scene", Change::to(0)));
            let scenes = ("scenes", Change::to(json!([{ "nodes": roots }])));
            edits.change(text, root, is_first.into_iter().chain([scenes]).collect());
        }
    }

    /// Returns the new root list of a scene of the file.
    fn roots_of_scene(&self, object: &Range<usize>, is_shown: bool) -> Vec<usize> {
        // Some exporters list nodes that are not roots. Such a node stays as long as it keeps its parent.
        let stays = |node: usize| {
            let parentage = self.now(node);
            parentage == Some(None) || (parentage.is_some() && parentage == self.before(node))
        };
        let new_roots = self.moved.iter().copied().filter(|node| is_shown && self.now(*node) == Some(None));
        let mut nodes = self.list((object, "nodes"), stays, new_roots);
        if nodes.is_empty() && is_shown {
            // The scene listed only descendants of its roots, and none of them is left: list the roots.
            nodes.extend(self.roots().filter_map(|node| self.file_index(node)));
        }
        nodes
    }
}
