//! Restores the changes of a recovery journal.

use super::Editor;
use crate::journal::{CopyEntry, Journal, NodeEntry, NodeRef};
use crate::labels;
use gltf_io::{Source, excerpt};
use scene::bounds::Bounds;
use scene::flags::{FLAGS, Flag};
use scene::history::{Change, Reparented, Step};
use scene::{CopyPair, Scene};
use std::collections::{HashMap, HashSet};

/// Maximum number of nodes of a scene with its copies, which is also that of a file.
const MAX_NODES: usize = 1_000_000;

/// The result of restoring a journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restored {
    /// Number of nodes that were changed.
    pub count: usize,
    /// The changes that could not be restored, each with the name of its node.
    pub missed: Vec<String>,
}

/// The reason why no change of a journal can be restored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// There are more copies than a scene can have nodes.
    #[error("there are too many copies")]
    TooManyNodes,
    /// The product of the transforms from the root to a node overflows.
    #[error("the world transform of {0} overflows")]
    NotFinite(String),
    /// No node would be left.
    #[error("all nodes are deleted")]
    Empty,
}

impl Editor {
    /// Returns the starts of a drag or an edit of a field in progress.
    pub(crate) fn pending_starts(&self) -> impl Iterator<Item = (usize, wgpu_gizmo_core::Transform)> {
        let is_dragged = self.gizmo.is_active();
        let dragged = self.moved.iter().copied().zip(self.gizmo.starts()).filter(move |_| is_dragged);
        let adjusted = self.adjusting.iter().flat_map(|adjusting| adjusting.starts());
        dragged.chain(adjusted)
    }

    /// Returns the extents that a drag in progress has changed, with their former values.
    pub(crate) fn pending_extents(&self) -> impl Iterator<Item = (usize, Bounds)> {
        let is_dragged = self.gizmo.is_active();
        self.resized.iter().copied().filter(move |_| is_dragged)
    }

    /// Restores the changes of a journal: one undo step. `is_same` is true if the scene is the one that the
    /// journal was written for; otherwise nodes are matched by name, and changes that do not fit are left
    /// out. On an error nothing changes. Does nothing during a drag.
    pub fn restore(&mut self, journal: &Journal, is_same: bool) -> Result<Restored, RestoreError> {
        if self.is_dragging() {
            return Ok(Restored::default());
        }
        self.settle();
        let count = self.scene.nodes().len().saturating_add(journal.copies.len());
        if count > MAX_NODES.max(self.scene.nodes().len()) || self.ids.grow_to(count).is_err() {
            return Err(RestoreError::TooManyNodes);
        }
        let mut restorer = Restorer::new(&mut self.scene, journal, is_same);
        restorer.copies(&journal.copies);
        restorer.resolve(&journal.nodes);
        restorer.delete();
        restorer.rename(&journal.copies);
        restorer.reparent();
        restorer.transform();
        restorer.set_flags();
        let result = restorer.check();
        let Restorer { changes, missed, entries, .. } = restorer;
        let change = Change::All(changes);
        if let Err(error) = result {
            change.undo(&mut self.scene);
            return Err(error);
        }
        let count = entries.len();
        if !change.parts().is_empty() {
            self.history.push(Step { name: format!("Restore {}", labels::count(count, "change")), change });
        }
        let selection = self.selection.retain(|node| self.scene.exists(node));
        self.report_selection(selection);
        self.changed();
        Ok(Restored { count, missed })
    }
}

/// The changes made so far.
struct Restorer<'a> {
    scene: &'a mut Scene,
    /// The nodes of the scene by their index in the file, if it is the same file.
    by_index: HashMap<usize, usize>,
    /// The copies by their index in the journal.
    copies: Vec<Option<usize>>,
    /// The nodes of the entries that were found.
    entries: Vec<(usize, &'a NodeEntry)>,
    /// The parents of the entries, found before any node is renamed. `None` if there is no new one.
    parents: Vec<Option<Option<usize>>>,
    changes: Vec<Change>,
    missed: Vec<String>,
}

impl<'a> Restorer<'a> {
    fn new(scene: &'a mut Scene, journal: &Journal, is_same: bool) -> Self {
        let source = Source::of(scene);
        let index = |node: usize| Some((source.map_or(Some(node), |source| source.file_index(node))?, node));
        let by_index = match is_same {
            true => (0..scene.nodes().len()).filter_map(index).collect(),
            false => HashMap::new(),
        };
        let line = |name: &String| format!("{}: it was deleted in the file", excerpt(name));
        let missed = journal.unrestorable.iter().map(line).collect();
        let (copies, entries, parents, changes) = Default::default();
        Self { scene, by_index, copies, entries, parents, changes, missed }
    }

    /// Makes a change and records it.
    fn make(&mut self, change: Change) {
        change.redo(self.scene);
        self.changes.push(change);
    }

    fn find(&self, reference: &NodeRef) -> Option<usize> {
        match reference {
            NodeRef::Copy(copy) => self.copies.get(*copy).copied().flatten(),
            NodeRef::InFile { index, name } => {
                let has_name = |node: &usize| self.scene.nodes()[*node].name == *name;
                let by_index = self.by_index.get(index).copied().filter(has_name);
                by_index.or_else(|| self.scene.find(name))
            }
        }
    }

    /// Makes the copies, under free names.
    fn copies(&mut self, copies: &[CopyEntry]) {
        let mut taken = HashSet::new();
        let mut numbers = 1..;
        let mut planned = Vec::new();
        for copy in copies {
            let of = self.find(&copy.of);
            if of.is_none() {
                self.missed.push(format!("the copy {}", excerpt(&copy.name)));
            }
            let is_free =
                |name: &String| !name.is_empty() && self.scene.named(name).is_none() && !taken.contains(name);
            // A copy whose name is not free yet is renamed later.
            let numbered = numbers.by_ref().map(|number| format!("copy.{number:03}"));
            let names = std::iter::once(copy.name.trim().to_owned()).chain(numbered);
            let name = { names }.find(is_free).unwrap_or_default();
            taken.insert(name.clone());
            planned.push(of.map(|of| (of, name)));
        }
        let planned_copies: Vec<_> = planned.iter().flatten().cloned().collect();
        let made = self.scene.reserve_copies(&planned_copies);
        let made = made.and_then(|pairs| self.scene.fill_copies(&pairs).map(|()| pairs));
        let pairs: Vec<CopyPair> = made.unwrap_or_default();
        let mut made = pairs.iter().map(|(_, copy)| *copy);
        self.copies = planned.iter().map(|plan| plan.as_ref().and_then(|_| made.next())).collect();
        if !pairs.is_empty() {
            let (originals, copies) = pairs.into_iter().unzip();
            self.changes.push(Change::Duplicated { originals, copies });
        }
    }

    /// Finds the nodes of the entries.
    fn resolve(&mut self, entries: &'a [NodeEntry]) {
        for entry in entries {
            let Some(node) = self.find(&entry.node) else {
                if let NodeRef::InFile { name, .. } = &entry.node {
                    self.missed.push(format!("{}: there is no such node", excerpt(name)));
                }
                continue;
            };
            let parent = match &entry.parent {
                None => None,
                Some(None) => Some(None),
                Some(Some(parent)) => match self.find(parent) {
                    Some(parent) => Some(Some(parent)),
                    None => {
                        let name = self.name(node);
                        self.missed.push(format!("{name}: its new parent does not exist"));
                        continue;
                    }
                },
            };
            self.entries.push((node, entry));
            self.parents.push(parent);
        }
    }

    fn name(&self, node: usize) -> String {
        excerpt(&self.scene.nodes()[node].name)
    }

    fn delete(&mut self) {
        // First, because a new name may be that of a deleted node.
        let deleted = flagged(&self.entries, Flag::Deleted, true);
        let nodes: Vec<usize> = deleted.filter(|node| !self.scene.has_flag(*node, Flag::Deleted)).collect();
        if !nodes.is_empty() {
            self.make(Change::FlagSet { flag: Flag::Deleted, nodes, on: true });
        }
    }

    /// Renames nodes, each after the node that has its new name. Nodes that exchange names get other names
    /// in between.
    fn rename(&mut self, copies: &[CopyEntry]) {
        let name_of = |entry: &NodeEntry| match (&entry.name, &entry.node) {
            (Some(name), _) => Some(name.trim().to_owned()),
            (None, NodeRef::Copy(copy)) => copies.get(*copy).map(|copy| copy.name.trim().to_owned()),
            (None, NodeRef::InFile { .. }) => None,
        };
        let renamed = self.entries.iter().filter_map(|(node, entry)| Some((*node, name_of(entry)?)));
        let renamed =
            renamed.filter(|(node, name)| !name.is_empty() && self.scene.nodes()[*node].name != *name);
        let mut pending: HashMap<usize, String> = renamed.collect();
        let mut nodes: Vec<usize> = pending.keys().copied().collect();
        nodes.sort_unstable();
        let mut numbers = 1..;
        for first in nodes {
            let mut chain = vec![first];
            let mut is_in_chain = HashSet::from([first]);
            while let Some(node) = chain.last().copied() {
                let Some(name) = pending.get(&node).cloned() else {
                    chain.pop();
                    continue;
                };
                match self.scene.find(&name).filter(|holder| *holder != node) {
                    None => {
                        self.rename_to(node, name);
                        pending.remove(&node);
                    }
                    Some(holder) if pending.contains_key(&holder) && is_in_chain.insert(holder) => {
                        chain.push(holder);
                    }
                    Some(holder) if pending.contains_key(&holder) => {
                        let mut names = numbers.by_ref().map(|number| format!("renamed.{number:03}"));
                        let free = names.find(|name| self.scene.named(name).is_none());
                        self.rename_to(holder, free.unwrap_or_default());
                    }
                    Some(_) => {
                        let message = format!("{}: the name {} is taken", self.name(node), excerpt(&name));
                        self.missed.push(message);
                        pending.remove(&node);
                    }
                }
            }
        }
    }

    fn rename_to(&mut self, node: usize, after: String) {
        let before = self.scene.nodes()[node].name.clone();
        self.make(Change::Renamed { node, before, after });
    }

    fn reparent(&mut self) {
        let moved: Vec<_> = self.entries.iter().zip(&self.parents).collect();
        let parent_of = |scene: &Scene, node: usize| scene.nodes()[node].parent;
        let moved: Vec<(usize, Option<usize>)> = moved
            .into_iter()
            .filter_map(|((node, _), parent)| Some((*node, (*parent)?)))
            .filter(|(node, parent)| parent_of(self.scene, *node) != *parent)
            .collect();
        if moved.is_empty() {
            return;
        }
        let edit = |scene: &Scene, node: usize, parent: Option<usize>| {
            let local = scene.nodes()[node].local;
            Reparented { node, before: (parent_of(scene, node), local), after: (parent, local) }
        };
        // Detaches all nodes first, so that every state in between is a tree.
        let detached = moved.iter().map(|(node, _)| edit(self.scene, *node, None)).collect();
        self.make(Change::Reparented(detached));
        for (node, parent) in moved {
            let Some(parent) = parent else { continue };
            if self.scene.is_in_subtree(parent, node) {
                let name = self.name(node);
                self.missed.push(format!("{name}: its new parent is below it"));
            } else {
                let edit = edit(self.scene, node, Some(parent));
                self.make(Change::Reparented(vec![edit]));
            }
        }
    }

    fn transform(&mut self) {
        let local = |(node, entry): &(usize, &NodeEntry)| {
            Some((*node, self.scene.nodes()[*node].local, entry.local?))
        };
        let moved: Vec<_> = self.entries.iter().filter_map(local).collect();
        if !moved.is_empty() {
            self.make(Change::Moved(moved));
        }
        let extents =
            |(node, entry): &(usize, &NodeEntry)| Some((*node, self.scene.extents(*node)?, entry.extents?));
        let resized: Vec<_> = self.entries.iter().filter_map(extents).collect();
        if !resized.is_empty() {
            self.make(Change::Resized(resized));
        }
        self.set_volumes();
    }

    fn set_volumes(&mut self) {
        for (node, entry) in self.entries.clone() {
            let slots = [self.scene.nodes()[node].light, self.scene.nodes()[node].camera];
            for now in &entry.volumes {
                let slot = slots.into_iter().flatten().find_map(|index| {
                    let before = self.scene.volume(index).filter(|before| before.is_same_kind(now))?;
                    Some((index, before))
                });
                match slot.filter(|_| now.is_valid()) {
                    Some((index, before)) => self.make(Change::VolumesSet(vec![(index, before, *now)])),
                    None => {
                        let name = self.name(node);
                        self.missed.push(format!("{name}: it has no such camera or light"));
                    }
                }
            }
        }
    }

    fn set_flags(&mut self) {
        for flag in FLAGS.into_iter().filter(|flag| *flag != Flag::Deleted) {
            for on in [true, false] {
                let nodes = flagged(&self.entries, flag, on);
                let nodes: Vec<usize> = nodes.filter(|node| self.scene.has_flag(*node, flag) != on).collect();
                if !nodes.is_empty() {
                    self.make(Change::FlagSet { flag, nodes, on });
                }
            }
        }
    }

    /// Returns an error if the result is not a valid scene.
    fn check(&self) -> Result<(), RestoreError> {
        let mut nodes = 0..self.scene.nodes().len();
        if let Some(node) = nodes.clone().find(|node| !self.scene.world_from_node(*node).is_finite()) {
            return Err(RestoreError::NotFinite(self.name(node)));
        }
        let is_valid = self.scene.nodes().is_empty() || nodes.any(|node| self.scene.exists(node));
        if is_valid { Ok(()) } else { Err(RestoreError::Empty) }
    }
}

/// Returns the nodes for which a journal sets or clears a flag, each once.
fn flagged(entries: &[(usize, &NodeEntry)], flag: Flag, on: bool) -> impl Iterator<Item = usize> {
    let index = FLAGS.iter().position(|other| *other == flag).unwrap_or(0);
    let mut seen = HashSet::new();
    let nodes = entries.iter().filter(move |(_, entry)| entry.flags[index] == Some(on));
    nodes.map(|(node, _)| *node).filter(|node| seen.insert(*node)).collect::<Vec<_>>().into_iter()
}
