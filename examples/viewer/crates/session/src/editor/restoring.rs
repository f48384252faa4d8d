//! Restores the changes of a recovery journal.

use super::Editor;
use crate::journal::{CopyEntry, Journal, NodeRef};
use crate::labels;
use gltf_io::{Source, excerpt};
use scene::Scene;
use scene::bounds::Bounds;
use scene::edit::Edit;
use scene::flags::Flag;
use scene::node_value::NodeValue;
use scene::volume::{Light, NodeVolume};
use std::collections::{BTreeMap, HashMap, HashSet};
use wgpu_gizmo_core::Transform;

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
        let (count, new) = restorer.resolve(journal);
        // First, because a new name may be that of a deleted node.
        restorer.set_flags(&new.flags, |flag, on| flag == Flag::Deleted && on);
        restorer.rename(new.names);
        restorer.reparent(new.parents);
        restorer.make(Edit::Place(new.places));
        restorer.crop(new.extents);
        restorer.set_volumes(new.volumes, journal.keeps_colors);
        restorer.set_flags(&new.flags, |flag, _| flag != Flag::Deleted);
        let result = restorer.check();
        let Restorer { edits, mut inverses, missed, .. } = restorer;
        inverses.reverse();
        let (edit, undo) = (Edit::All(edits), Edit::All(inverses));
        if let Err(error) = result {
            // The values were there before.
            let _ = undo.apply(&mut self.scene);
            return Err(error);
        }
        self.edited(&edit);
        if !edit.parts().is_empty() {
            self.log.push(format!("Restore {}", labels::count(count, "change")), edit, undo);
        }
        Ok(Restored { count, missed })
    }
}

/// The new values of nodes.
#[derive(Default)]
struct New {
    names: Vec<(usize, String)>,
    parents: Vec<(usize, Option<usize>)>,
    places: Vec<(usize, Transform)>,
    extents: Vec<(usize, Bounds)>,
    flags: Vec<(usize, Flag, bool)>,
    volumes: Vec<(usize, NodeVolume)>,
}

/// The edits made so far.
struct Restorer<'a> {
    scene: &'a mut Scene,
    /// The nodes of the scene by their index in the file, if it is the same file.
    by_index: HashMap<usize, usize>,
    /// The copies by their index in the journal.
    copies: Vec<Option<usize>>,
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
        let (copies, edits, inverses) = Default::default();
        Self { scene, by_index, copies, edits, inverses, missed }
    }

    /// Makes an edit and keeps it, unless it is empty or impossible.
    fn make(&mut self, edit: Edit) {
        if edit.values().is_empty() {
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

    /// Finds the nodes with new values, and their new parents, before any node is renamed. Returns their number and
    /// the values.
    fn resolve(&mut self, journal: &Journal) -> (usize, New) {
        let (mut count, mut new) = (0, New::default());
        let of_copies = self.copies.iter().zip(&journal.copies);
        new.names = of_copies.filter_map(|(node, copy)| Some(((*node)?, copy.name.clone()))).collect();
        for (number, values) in &journal.changes {
            let find = |number: &usize| self.find(journal.nodes.get(number)?);
            let Some(node) = find(number) else {
                if let Some(NodeRef::InFile { name, .. }) = journal.nodes.get(number) {
                    self.missed.push(format!("{}: there is no such node", excerpt(name)));
                }
                continue;
            };
            let is_lost = |value: &NodeValue| matches!(value, NodeValue::Parent(Some(parent)) if find(parent).is_none());
            if values.iter().any(is_lost) {
                self.missed.push(format!("{}: its new parent does not exist", self.name(node)));
                continue;
            }
            count += 1;
            for value in values {
                match value {
                    NodeValue::Name(name) => new.names.push((node, name.clone())),
                    NodeValue::Parent(parent) => new.parents.push((node, parent.as_ref().and_then(find))),
                    NodeValue::Local(local) => new.places.push((node, *local)),
                    NodeValue::Crop(extents) => new.extents.extend(extents.map(|extents| (node, extents))),
                    NodeValue::Flag(flag, on) => new.flags.push((node, *flag, *on)),
                    NodeValue::Volume(volume) => new.volumes.push((node, *volume)),
                }
            }
        }
        (count, new)
    }

    fn name(&self, node: usize) -> String {
        excerpt(&self.scene.nodes()[node].name)
    }

    /// Renames nodes, all at once, so that they can exchange names. A name that stays taken is not given.
    fn rename(&mut self, names: Vec<(usize, String)>) {
        let renamed = names.into_iter().map(|(node, name)| (node, name.trim().to_owned()));
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

    fn reparent(&mut self, mut moved: Vec<(usize, Option<usize>)>) {
        moved.retain(|(node, parent)| self.scene.nodes()[*node].parent != *parent);
        // Detaches all nodes first, so that every state in between is a tree.
        self.make(Edit::Parent(moved.iter().map(|(node, _)| (*node, None)).collect()));
        for (node, parent) in moved {
            let Some(parent) = parent else { continue };
            if self.scene.is_in_subtree(parent, node) {
                self.missed.push(format!("{}: its new parent is below it", self.name(node)));
            } else {
                self.make(Edit::Parent(vec![(node, Some(parent))]));
            }
        }
    }

    fn crop(&mut self, extents: Vec<(usize, Bounds)>) {
        let extents = extents.into_iter().filter(|(node, _)| self.scene.extents(*node).is_some());
        let crops = extents.map(|(node, extents)| (node, self.scene.crop_for(node, extents)));
        self.make(Edit::Crop(crops.collect()));
    }

    /// Sets cameras and lights. Lights can keep their color and intensity.
    fn set_volumes(&mut self, volumes: Vec<(usize, NodeVolume)>, keeps_colors: bool) {
        for (node, volume) in volumes {
            let slot = self.scene.volume_like(node, &volume).filter(|_| volume.is_valid());
            let now = slot.and_then(|index| self.scene.volume(index));
            let volume = match (volume, now) {
                (NodeVolume::Light(new), Some(NodeVolume::Light(now))) if keeps_colors => {
                    NodeVolume::Light(Light { shape: new.shape, ..now })
                }
                (volume, _) => volume,
            };
            match slot {
                Some(_) => self.make(Edit::Volume(vec![(node, volume)])),
                None => self.missed.push(format!("{}: it has no such camera or light", self.name(node))),
            }
        }
    }

    /// Sets and clears the flags that `which` accepts.
    fn set_flags(&mut self, flags: &[(usize, Flag, bool)], which: impl Fn(Flag, bool) -> bool) {
        let is_new = |(node, flag, on): &&(usize, Flag, bool)| {
            which(*flag, *on) && self.scene.has_flag(*node, *flag) != *on
        };
        self.make(Edit::Flag(flags.iter().filter(is_new).copied().collect()));
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
