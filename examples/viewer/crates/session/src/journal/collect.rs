//! Collects the unsaved changes of an editor.

use super::{CopyEntry, Journal, JournalHead, NodeEntry, NodeRef};
use crate::editor::Editor;
use gltf_io::Source;
use scene::Scene;
use scene::bounds::Bounds;
use scene::flags::{FLAGS, Flag};
use scene::volume::NodeVolume;
use std::collections::BTreeMap;
use wgpu_gizmo_core::Transform;

impl Journal {
    /// Returns the unsaved changes of an editor, without a drag or an edit of a field in progress.
    /// `saved_indices` are those of the last save of the scene, or `None` if it is as it was opened.
    pub fn of(editor: &Editor, saved_indices: Option<&[Option<usize>]>, head: JournalHead) -> Self {
        let unsaved = editor.scene().unsaved();
        let mut collector = Collector {
            scene: editor.scene(),
            saved_indices,
            names: unsaved.names.into(),
            parents: unsaved.parents.into(),
            locals: unsaved.locals.into(),
            flags: unsaved.flags.into(),
            crops: unsaved.crops.into(),
            pending: editor.pending_starts().collect::<Vec<_>>().into(),
            pending_extents: editor.pending_extents().collect::<Vec<_>>().into(),
            volumes: changed_volumes(editor, unsaved.volumes).into(),
            copy_indices: ByNode::default(),
            journal: Self { head, copies: Vec::new(), nodes: Vec::new(), unrestorable: Vec::new() },
        };
        collector.copies();
        collector.nodes();
        collector.journal
    }
}

/// Returns the cameras and lights that differ from the saved ones, each by the first node that has it.
fn changed_volumes(editor: &Editor, saved: Vec<(usize, NodeVolume)>) -> Vec<(usize, Vec<NodeVolume>)> {
    let scene = editor.scene();
    let mut changed: BTreeMap<usize, Vec<NodeVolume>> = BTreeMap::new();
    for (index, saved) in saved {
        let pending = editor.pending_volumes().find(|(pending, _)| *pending == index);
        let now = pending.map(|(_, start)| start).or_else(|| scene.volume(index));
        let now = now.filter(|now| *now != saved);
        if let (Some(now), Some(node)) = (now, scene.node_with_volume(index)) {
            changed.entry(node).or_default().push(now);
        }
    }
    changed.into_iter().collect()
}

/// Values of nodes, sorted by node. Faster than a map, because there can be as many as nodes.
struct ByNode<T>(Vec<(usize, T)>);

impl<T> Default for ByNode<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> From<Vec<(usize, T)>> for ByNode<T> {
    fn from(mut values: Vec<(usize, T)>) -> Self {
        values.sort_by_key(|(node, _)| *node);
        values.dedup_by_key(|(node, _)| *node);
        Self(values)
    }
}

impl<T> ByNode<T> {
    fn get(&self, node: usize) -> Option<&T> {
        let index = self.0.binary_search_by_key(&node, |(node, _)| *node).ok()?;
        Some(&self.0[index].1)
    }

    fn nodes(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|(node, _)| *node)
    }
}

struct Collector<'a> {
    scene: &'a Scene,
    saved_indices: Option<&'a [Option<usize>]>,
    // Saved values by node.
    names: ByNode<String>,
    parents: ByNode<Option<usize>>,
    locals: ByNode<Transform>,
    flags: ByNode<[bool; FLAGS.len()]>,
    crops: ByNode<Option<Bounds>>,
    /// The starts of an edit in progress.
    pending: ByNode<Transform>,
    pending_extents: ByNode<Bounds>,
    /// The cameras and lights that have changed.
    volumes: ByNode<Vec<NodeVolume>>,
    copy_indices: ByNode<usize>,
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

    /// Returns a reference to a node that the file or the list of copies has.
    fn reference(&self, node: usize) -> Option<NodeRef> {
        let copy = || self.copy_indices.get(node).copied().map(NodeRef::Copy);
        let name = || self.names.get(node).unwrap_or(&self.scene.nodes()[node].name).clone();
        self.file_index(node).map(|index| NodeRef::InFile { index, name: name() }).or_else(copy)
    }

    /// Lists the nodes that the file does not have.
    fn copies(&mut self) {
        let is_new = |node: &usize| self.file_index(*node).is_none() && self.scene.exists(*node);
        for node in (0..self.scene.nodes().len()).filter(is_new).collect::<Vec<_>>() {
            let mut originals =
                std::iter::successors(Some(node), |node| self.scene.nodes()[*node].copy_of).skip(1);
            let name = self.scene.nodes()[node].name.clone();
            match originals.find_map(|original| self.reference(original)) {
                Some(of @ NodeRef::InFile { .. }) => {
                    // In ascending order.
                    self.copy_indices.0.push((node, self.journal.copies.len()));
                    self.journal.copies.push(CopyEntry { of, name });
                }
                // The node was deleted by the last save and restored by undo since, or its original was.
                _ => self.journal.unrestorable.push(name),
            }
        }
    }

    fn nodes(&mut self) {
        let mut changed: Vec<usize> = self.copy_indices.nodes().chain(self.names.nodes()).collect();
        changed.extend(self.parents.nodes().chain(self.locals.nodes()).chain(self.flags.nodes()));
        changed.extend(self.crops.nodes().chain(self.volumes.nodes()));
        changed.sort_unstable();
        changed.dedup();
        for node in changed {
            let Some(reference) = self.reference(node) else { continue };
            let mut entry = match reference {
                NodeRef::InFile { .. } => self.entry(node, reference),
                NodeRef::Copy(_) => self.copy_entry(node, reference),
            };
            entry.volumes = self.volumes.get(node).cloned().unwrap_or_default();
            if !entry.is_empty() {
                self.journal.nodes.push(entry);
            }
        }
    }

    /// Returns the entry of a node of the file.
    fn entry(&self, node: usize, reference: NodeRef) -> NodeEntry {
        let now = &self.scene.nodes()[node];
        let mut entry = NodeEntry::new(reference);
        if self.scene.exists(node) && self.names.get(node).is_some_and(|name| *name != now.name) {
            entry.name = Some(now.name.clone());
        }
        if self.parents.get(node).is_some_and(|parent| *parent != now.parent) {
            entry.parent = self.parent(node);
        }
        let local = self.local(node);
        if self.locals.get(node).is_some_and(|saved| bits(saved) != bits(&local)) {
            entry.local = Some(local);
        }
        if let Some(before) = self.flags.get(node) {
            for ((new, flag), before) in entry.flags.iter_mut().zip(FLAGS).zip(before) {
                // The file contains no deleted nodes.
                let before = *before && flag != Flag::Deleted;
                let now = self.scene.has_flag(node, flag);
                *new = (now != before).then_some(now);
            }
        }
        let extents = self.extents(node);
        if self.crops.get(node).is_some_and(|saved| saved.or(self.scene.mesh_box(node)) != extents) {
            entry.extents = extents;
        }
        if entry.parent == Some(None) && now.parent.is_some() {
            // Its new parent is deleted and not in the file.
            (entry.parent, entry.local) = (None, None);
            entry.flags[FLAGS.iter().position(|flag| *flag == Flag::Deleted).unwrap_or(0)] = Some(true);
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

    fn extents(&self, node: usize) -> Option<Bounds> {
        self.pending_extents.get(node).copied().or_else(|| self.scene.extents(node))
    }

    fn local(&self, node: usize) -> Transform {
        self.pending.get(node).copied().unwrap_or(self.scene.nodes()[node].local)
    }
}

/// Returns the bits of all numbers, because 0 and −0 are equal.
pub(super) fn bits(local: &Transform) -> [u64; 10] {
    let Transform { translation, rotation, scale } = local;
    let mut bits = [0; 10];
    let numbers = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
    bits.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = number.to_bits());
    bits
}
