//! Collects the unsaved changes of an editor.

use super::{CopyEntry, Journal, JournalHead, NodeEntry, NodeRef, bits};
use crate::editor::Editor;
use gltf_io::Source;
use scene::Scene;
use scene::bounds::Bounds;
use scene::flags::{FLAGS, Flag};
use scene::log::{NodeValues, Values};
use scene::volume::NodeVolume;
use std::collections::{BTreeMap, BTreeSet};
use wgpu_gizmo_core::Transform;

impl Journal {
    /// Returns the unsaved changes of an editor, without a drag or an edit of a field in progress.
    /// `saved_indices` are those of the last save of the scene, or `None` if it is as it was opened.
    pub fn of(editor: &Editor, saved_indices: Option<&[Option<usize>]>, head: JournalHead) -> Self {
        let scene = editor.scene();
        let mut pending = Values::default();
        editor.pending_starts().iter().for_each(|edit| pending.add(edit, scene));
        let mut collector = Collector {
            scene,
            saved_indices,
            saved: editor.log().saved_values(scene),
            pending,
            copy_indices: BTreeMap::new(),
            journal: Self { head, copies: Vec::new(), nodes: Vec::new(), unrestorable: Vec::new() },
        };
        collector.copies();
        collector.nodes();
        collector.journal
    }
}

struct Collector<'a> {
    scene: &'a Scene,
    saved_indices: Option<&'a [Option<usize>]>,
    /// The saved values of what has changed since.
    saved: Values,
    /// The values at the start of an edit in progress.
    pending: Values,
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
        let saved = self.saved.nodes.get(&node).and_then(|saved| saved.name.as_ref());
        let name = saved.unwrap_or(&self.scene.nodes()[node].name).clone();
        Some(NodeRef::InFile { index: self.file_index(node)?, name })
    }

    /// Returns a reference to a node that the file or the list of copies has.
    fn reference(&self, node: usize) -> Option<NodeRef> {
        self.in_file(node).or_else(|| self.copy_indices.get(&node).copied().map(NodeRef::Copy))
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

    fn nodes(&mut self) {
        let mut volumes = self.volumes();
        let mut changed: BTreeSet<usize> = self.saved.nodes.keys().copied().collect();
        changed.extend(self.copy_indices.keys().chain(volumes.keys()));
        for node in changed {
            let Some(reference) = self.reference(node) else { continue };
            let mut entry = match reference {
                NodeRef::InFile { .. } => self.entry(node, reference),
                NodeRef::Copy(_) => self.copy_entry(node, reference),
            };
            entry.volumes = volumes.remove(&node).unwrap_or_default();
            if !entry.is_empty() {
                self.journal.nodes.push(entry);
            }
        }
    }

    /// Returns the cameras and lights that differ from the saved ones, each by the first node that has it.
    fn volumes(&self) -> BTreeMap<usize, Vec<NodeVolume>> {
        let mut changed: BTreeMap<usize, Vec<NodeVolume>> = BTreeMap::new();
        for (index, saved) in &self.saved.volumes {
            let now = self.pending.volumes.get(index).copied().or_else(|| self.scene.volume(*index));
            let now = now.filter(|now| now != saved);
            if let (Some(now), Some(node)) = (now, self.scene.node_with_volume(*index)) {
                changed.entry(node).or_default().push(now);
            }
        }
        changed
    }

    /// Returns the entry of a node of the file.
    fn entry(&self, node: usize, reference: NodeRef) -> NodeEntry {
        let now = &self.scene.nodes()[node];
        let mut entry = NodeEntry::new(reference);
        let Some(saved) = self.saved.nodes.get(&node) else { return entry };
        if self.scene.exists(node) && saved.name.as_ref().is_some_and(|name| *name != now.name) {
            entry.name = Some(now.name.clone());
        }
        if saved.parent.is_some_and(|parent| parent != now.parent) {
            entry.parent = self.parent(node);
        }
        let local = self.local(node);
        if saved.local.is_some_and(|saved| bits(&saved) != bits(&local)) {
            entry.local = Some(local);
        }
        for ((new, flag), before) in entry.flags.iter_mut().zip(FLAGS).zip(saved.flags) {
            // The file contains no deleted nodes.
            let before = before.map(|before| before && flag != Flag::Deleted);
            let now = self.scene.has_flag(node, flag);
            *new = before.filter(|before| *before != now).map(|_| now);
        }
        let extents = self.extents(node);
        if saved.crop.is_some_and(|saved| saved.or(self.scene.mesh_box(node)) != extents) {
            entry.extents = extents;
        }
        if entry.parent == Some(None) && now.parent.is_some() {
            // Its new parent is deleted and not in the file.
            (entry.parent, entry.local) = (None, None);
            entry.flags[Flag::Deleted as usize] = Some(true);
        }
        entry
    }

    /// Returns the entry of a copy, with all values.
    fn copy_entry(&self, node: usize, reference: NodeRef) -> NodeEntry {
        // A copy that exists is not deleted.
        let flags = FLAGS.map(|flag| (flag != Flag::Deleted).then(|| self.scene.has_flag(node, flag)));
        let (parent, local, extents) = (self.parent(node), Some(self.local(node)), self.extents(node));
        NodeEntry { parent, local, flags, extents, ..NodeEntry::new(reference) }
    }

    fn parent(&self, node: usize) -> Option<Option<NodeRef>> {
        Some(self.scene.nodes()[node].parent.and_then(|parent| self.reference(parent)))
    }

    fn pending(&self, node: usize) -> NodeValues {
        self.pending.nodes.get(&node).cloned().unwrap_or_default()
    }

    fn extents(&self, node: usize) -> Option<Bounds> {
        let crop = self.pending(node).crop.unwrap_or(self.scene.crop_box(node));
        crop.or_else(|| self.scene.mesh_box(node))
    }

    fn local(&self, node: usize) -> Transform {
        self.pending(node).local.unwrap_or(self.scene.nodes()[node].local)
    }
}
