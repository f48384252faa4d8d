//! Collects the unsaved changes of an editor.

use super::{CopyEntry, Journal, JournalHead, NodeRef};
use crate::editor::Editor;
use gltf_io::Source;
use scene::Scene;
use scene::edit::Edit;
use scene::flags::Flag;
use scene::log::Values;
use scene::node_value::NodeValue;
use std::collections::BTreeMap;

impl Journal {
    /// Returns the unsaved changes of an editor, without a drag or an edit of a field in progress.
    /// `saved_indices` are those of the last save of the scene, or `None` if it is as it was opened.
    pub fn of(editor: &Editor, saved_indices: Option<&[Option<usize>]>, head: JournalHead) -> Self {
        let scene = editor.scene();
        let saved = editor.log().saved_values(scene);
        let journal = Self { head, ..Self::default() };
        let mut collector = Collector { scene, saved_indices, saved, copy_indices: BTreeMap::new(), journal };
        collector.copies();
        collector.changes(&editor.pending_starts());
        collector.journal
    }
}

struct Collector<'a> {
    scene: &'a Scene,
    saved_indices: Option<&'a [Option<usize>]>,
    /// The saved values of what has changed since.
    saved: Values,
    /// The index in the journal of each node that is a copy.
    copy_indices: BTreeMap<usize, usize>,
    journal: Journal,
}

impl Collector<'_> {
    /// Returns the index of a node in the file, or `None` if the file does not show it.
    fn file_index(&self, node: usize) -> Option<usize> {
        match (self.saved_indices, Source::of(self.scene)) {
            (Some(indices), _) => indices.get(node).copied().flatten(),
            (None, Some(source)) => source.file_index(node),
            (None, None) => self.scene.nodes()[node].copy_of.is_none().then_some(node),
        }
    }

    /// Returns a reference to a node that the file has.
    fn in_file(&self, node: usize) -> Option<NodeRef> {
        let name = self.saved.name(node).unwrap_or(&self.scene.nodes()[node].name).clone();
        Some(NodeRef::InFile { index: self.file_index(node)?, name })
    }

    /// Adds a node that the file or the list of copies has. Returns `None` for another one.
    fn refer_to(&mut self, node: usize) -> Option<usize> {
        let copy = || self.copy_indices.get(&node).copied().map(NodeRef::Copy);
        let reference = self.in_file(node).or_else(copy)?;
        self.journal.nodes.insert(node, reference);
        Some(node)
    }

    /// Lists the nodes that the file does not have.
    fn copies(&mut self) {
        let is_new = |node: &usize| self.file_index(*node).is_none() && self.scene.exists(*node);
        for node in (0..self.scene.nodes().len()).filter(is_new).collect::<Vec<_>>() {
            let mut originals =
                std::iter::successors(Some(node), |node| self.scene.nodes()[*node].copy_of).skip(1);
            let name = self.scene.nodes()[node].name.clone();
            match originals.find_map(|original| self.in_file(original)) {
                Some(of) => {
                    self.copy_indices.insert(node, self.journal.copies.len());
                    self.journal.copies.push(CopyEntry { of, name });
                }
                // The node was deleted by the last save and restored by undo since, or its original was.
                None => self.journal.unrestorable.push(name),
            }
        }
    }

    /// Lists the values that differ from the saved ones, and all values of copies. `starts` are the edits that restore
    /// the start of an edit in progress.
    fn changes(&mut self, starts: &[Edit]) {
        let copies = self.copy_indices.keys().copied().collect();
        for (node, value) in self.saved.changed(self.scene, starts, &copies) {
            if self.refer_to(node).is_none() {
                continue;
            }
            let is_copy = copies.contains(&node);
            // Its new parent is deleted and not in the file.
            let is_gone = |parent: Option<usize>| !is_copy && parent.is_none();
            let parent = self.scene.nodes()[node].parent.map(|parent| self.refer_to(parent));
            let value = match value {
                // The list of copies has their names. The name of a deleted node can be another's.
                NodeValue::Name(_) if is_copy || !self.scene.exists(node) => continue,
                // The file contains no deleted nodes.
                NodeValue::Flag(Flag::Deleted, false) => continue,
                NodeValue::Parent(_) if parent.is_some_and(is_gone) => NodeValue::Flag(Flag::Deleted, true),
                NodeValue::Local(_) if parent.is_some_and(is_gone) => continue,
                NodeValue::Parent(parent) => {
                    NodeValue::Parent(parent.and_then(|parent| self.refer_to(parent)))
                }
                NodeValue::Crop(crop) => match crop.or_else(|| self.scene.mesh_box(node)) {
                    None => continue,
                    extents => NodeValue::Crop(extents),
                },
                value => value,
            };
            self.journal.changes.entry(node).or_default().push(value);
        }
    }
}
