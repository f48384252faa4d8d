//! Restores the changes of a recovery journal.

use super::Editor;
use crate::journal::{CopyEntry, Journal, NodeEntry, NodeRef};
use crate::labels;
use gltf_io::{Source, excerpt};
use scene::Scene;
use scene::edit::Edit;
use scene::flags::{FLAGS, Flag};
use scene::volume::{Light, NodeVolume};
use std::collections::{BTreeMap, HashMap, HashSet};

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
        // First, because a new name may be that of a deleted node.
        restorer.set_flags(|flag, on| flag == Flag::Deleted && on);
        restorer.rename(&journal.copies);
        restorer.reparent();
        restorer.transform();
        restorer.set_volumes();
        restorer.set_flags(|flag, _| flag != Flag::Deleted);
        let result = restorer.check();
        let Restorer { edits, mut inverses, missed, entries, .. } = restorer;
        inverses.reverse();
        let (edit, undo) = (Edit::All(edits), Edit::All(inverses));
        if let Err(error) = result {
            // The values were there before.
            let _ = undo.apply(&mut self.scene);
            return Err(error);
        }
        let count = entries.len();
        self.edited(&edit);
        if !edit.parts().is_empty() {
            self.log.push(format!("Restore {}", labels::count(count, "change")), edit, undo);
        }
        Ok(Restored { count, missed })
    }
}

/// The edits made so far.
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
    edits: Vec<Edit>,
    /// The inverses of the edits.
    inverses: Vec<Edit>,
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
        let (copies, entries, parents, edits, inverses) = Default::default();
        Self { scene, by_index, copies, entries, parents, edits, inverses, missed }
    }

    /// Makes an edit and keeps it, unless it is empty or impossible.
    fn make(&mut self, edit: Edit) {
        if edit.is_empty() {
            return;
        }
        if let Ok(inverse) = edit.apply(self.scene) {
            self.edits.push(edit);
            self.inverses.push(inverse);
        }
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
        let pairs = self.scene.reserve_copies(&planned_copies).unwrap_or_default();
        let mut made = pairs.iter().map(|(_, copy)| *copy);
        self.copies = planned.iter().map(|plan| plan.as_ref().and_then(|_| made.next())).collect();
        self.make(Edit::Copy(pairs));
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

    /// Renames nodes, all at once, so that they can exchange names. A name that stays taken is not given.
    fn rename(&mut self, copies: &[CopyEntry]) {
        let name_of = |entry: &NodeEntry| match (&entry.name, &entry.node) {
            (Some(name), _) => Some(name.trim().to_owned()),
            (None, NodeRef::Copy(copy)) => copies.get(*copy).map(|copy| copy.name.trim().to_owned()),
            (None, NodeRef::InFile { .. }) => None,
        };
        let renamed = self.entries.iter().filter_map(|(node, entry)| Some((*node, name_of(entry)?)));
        let renamed =
            renamed.filter(|(node, name)| !name.is_empty() && self.scene.nodes()[*node].name != *name);
        let mut renamed: BTreeMap<usize, String> = renamed.collect();
        loop {
            let mut new_names = HashSet::new();
            let is_taken = |node: usize, name: &str| {
                let holder = self.scene.find(name).filter(|holder| !renamed.contains_key(holder));
                holder.is_some_and(|holder| holder != node)
            };
            let is_refused = |(node, name): &(&usize, &String)| {
                is_taken(**node, name) || !new_names.insert((*name).clone())
            };
            let refused: Vec<usize> = renamed.iter().filter(is_refused).map(|(node, _)| *node).collect();
            for node in &refused {
                let name = renamed.remove(node).unwrap_or_default();
                self.missed.push(format!("{}: the name {} is taken", self.name(*node), excerpt(&name)));
            }
            // The old names of the refused nodes stay taken too.
            if refused.is_empty() {
                break;
            }
        }
        self.make(Edit::Rename(renamed.into_iter().collect()));
    }

    fn reparent(&mut self) {
        let moved = self.entries.iter().zip(&self.parents);
        let moved = moved.filter_map(|((node, _), parent)| Some((*node, (*parent)?)));
        let is_new = |(node, parent): &(usize, Option<usize>)| self.scene.nodes()[*node].parent != *parent;
        let moved: Vec<(usize, Option<usize>)> = moved.filter(is_new).collect();
        // Detaches all nodes first, so that every state in between is a tree.
        self.make(Edit::Parent(moved.iter().map(|(node, _)| (*node, None)).collect()));
        for (node, parent) in moved {
            let Some(parent) = parent else { continue };
            if self.scene.is_in_subtree(parent, node) {
                let name = self.name(node);
                self.missed.push(format!("{name}: its new parent is below it"));
            } else {
                self.make(Edit::Parent(vec![(node, Some(parent))]));
            }
        }
    }

    fn transform(&mut self) {
        let local = |(node, entry): &(usize, &NodeEntry)| Some((*node, entry.local?));
        self.make(Edit::Place(self.entries.iter().filter_map(local).collect()));
        let crop = |(node, entry): &(usize, &NodeEntry)| {
            self.scene.extents(*node)?;
            Some((*node, self.scene.crop_for(*node, entry.extents?)))
        };
        self.make(Edit::Crop(self.entries.iter().filter_map(crop).collect()));
    }

    fn set_volumes(&mut self) {
        for (node, entry) in self.entries.clone() {
            for volume in entry.volumes.iter().copied() {
                let slot = self.scene.volume_like(node, &volume).filter(|_| volume.is_valid());
                let now = slot.and_then(|index| self.scene.volume(index));
                let volume = match (volume, now) {
                    (NodeVolume::Light(new), Some(NodeVolume::Light(now))) if entry.keeps_color => {
                        NodeVolume::Light(Light { shape: new.shape, ..now })
                    }
                    (volume, _) => volume,
                };
                match slot {
                    Some(_) => self.make(Edit::Volume(vec![(node, volume)])),
                    None => {
                        let name = self.name(node);
                        self.missed.push(format!("{name}: it has no such camera or light"));
                    }
                }
            }
        }
    }

    /// Sets and clears the flags that `which` accepts.
    fn set_flags(&mut self, which: impl Fn(Flag, bool) -> bool) {
        let mut flags = Vec::new();
        for (node, entry) in &self.entries {
            let new = FLAGS.into_iter().zip(entry.flags).filter_map(|(flag, on)| Some((*node, flag, on?)));
            flags.extend(new.filter(|(_, flag, on)| which(*flag, *on)));
        }
        flags.retain(|(node, flag, on)| self.scene.has_flag(*node, *flag) != *on);
        self.make(Edit::Flag(flags));
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
