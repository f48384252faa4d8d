//! Records the changes of nodes. The scene reports each change, so that the nodes need not be compared in
//! every frame.

use super::Scene;
use crate::bounds::Bounds;
use crate::volume::NodeVolume;
use wgpu_gizmo_core::Transform;

/// The nodes, cameras and lights that have changed, each with its value before the first change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeChanges {
    /// Local transforms.
    pub locals: Vec<(usize, Transform)>,
    /// Indices of the parents.
    pub parents: Vec<(usize, Option<usize>)>,
    /// Names.
    pub names: Vec<(usize, String)>,
    /// The flags in the order of [`crate::flags::FLAGS`].
    pub flags: Vec<(usize, [bool; 3])>,
    /// Crop boxes.
    pub crops: Vec<(usize, Option<Bounds>)>,
    /// Cameras and lights, by their index in [`Scene::volumes`].
    pub volumes: Vec<(usize, NodeVolume)>,
}

/// A list with at most one value per node.
#[derive(Debug, Clone)]
struct Log<T> {
    entries: Vec<(usize, T)>,
    /// Whether a node has an entry. Shorter than the list of nodes if the last ones have none.
    has_entry: Vec<bool>,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), has_entry: Vec::new() }
    }
}

impl<T> Log<T> {
    fn note(&mut self, node: usize, before: impl FnOnce() -> T) {
        if self.has_entry.len() <= node {
            self.has_entry.resize(node + 1, false);
        }
        if !std::mem::replace(&mut self.has_entry[node], true) {
            self.entries.push((node, before()));
        }
    }

    fn take(&mut self) -> Vec<(usize, T)> {
        for (node, _) in &self.entries {
            self.has_entry[*node] = false;
        }
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by_key(|(node, _)| *node);
        entries
    }
}

/// Collects changes until they are taken. If they are never taken, there is at most one entry per node.
#[derive(Debug, Clone, Default)]
pub(super) struct Reports {
    locals: Log<Transform>,
    parents: Log<Option<usize>>,
    names: Log<String>,
    flags: Log<[bool; 3]>,
    crops: Log<Option<Bounds>>,
    volumes: Log<NodeVolume>,
}

impl Reports {
    pub(super) fn moved(&mut self, node: usize, before: &Transform) {
        self.locals.note(node, || *before);
    }

    pub(super) fn reparented(&mut self, node: usize, before: Option<usize>) {
        self.parents.note(node, || before);
    }

    pub(super) fn renamed(&mut self, node: usize, before: &str) {
        self.names.note(node, || before.to_owned());
    }

    pub(super) fn flagged(&mut self, node: usize, before: [bool; 3]) {
        self.flags.note(node, || before);
    }

    pub(super) fn cropped(&mut self, node: usize, before: Option<Bounds>) {
        self.crops.note(node, || before);
    }

    pub(super) fn volume_set(&mut self, index: usize, before: NodeVolume) {
        self.volumes.note(index, || before);
    }

    pub(super) fn take(&mut self) -> NodeChanges {
        NodeChanges {
            locals: self.locals.take(),
            parents: self.parents.take(),
            names: self.names.take(),
            flags: self.flags.take(),
            crops: self.crops.take(),
            volumes: self.volumes.take(),
        }
    }
}

/// Records which nodes have changed since the scene was saved, for a journal. Unlike those of [`Reports`],
/// these changes are never taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Unsaved {
    since_save: Reports,
    /// The changes since the save in progress began, which are kept apart because it may fail.
    since_begin: Option<Reports>,
}

impl Unsaved {
    /// Calls `note` for each log that is kept.
    pub(super) fn note(&mut self, note: impl Fn(&mut Reports)) {
        note(&mut self.since_save);
        self.since_begin.iter_mut().for_each(note);
    }

    /// Remembers the current state as the one that is being saved.
    pub(super) fn begin_save(&mut self) {
        self.since_begin = Some(Reports::default());
    }

    /// Records that the state at [`Unsaved::begin_save`] was saved, or that saving it failed.
    pub(super) fn end_save(&mut self, is_saved: bool) {
        if let Some(since_begin) = self.since_begin.take().filter(|_| is_saved) {
            self.since_save = since_begin;
        }
    }

    /// Returns the nodes that have changed since the last save, with their saved values.
    pub(super) fn changes(&self) -> NodeChanges {
        self.since_save.clone().take()
    }
}

impl Scene {
    /// Returns the nodes that have changed since the last call.
    pub fn take_changes(&mut self) -> NodeChanges {
        self.reports.take()
    }

    /// Remembers the current state as the one that is being saved.
    pub fn begin_save(&mut self) {
        self.unsaved.begin_save();
    }

    /// Records that the state at [`Scene::begin_save`] was saved, or that saving it failed.
    pub fn end_save(&mut self, is_saved: bool) {
        self.unsaved.end_save(is_saved);
    }

    /// Returns the nodes that may have changed since the scene was opened or last saved, each with its value
    /// then.
    pub fn unsaved(&self) -> NodeChanges {
        self.unsaved.changes()
    }

    /// Makes the current state the one that was opened, without changes.
    pub fn forget_changes(&mut self) {
        (self.reports, self.unsaved) = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use crate::flags::Flag;
    use crate::{Node, NodeChanges, Scene};
    use wgpu_gizmo_core::Transform;
    use wgpu_gizmo_core::glam::DVec3;

    fn at(x: f64) -> Transform {
        Transform { translation: DVec3::X * x, ..Transform::IDENTITY }
    }

    #[test]
    fn changes_are_reported_once_with_first_value() {
        let nodes = (0..4).map(|index| Node::new(format!("n{index}"), None, at(0.0))).collect();
        let mut scene = Scene::new(nodes, Vec::new()).expect("the nodes form a tree");
        assert_eq!(scene.take_changes(), NodeChanges::default(), "a new scene has no changes");
        scene.set_local(2, at(1.0));
        scene.set_local(2, at(2.0));
        scene.set_local(1, at(0.0));
        scene.rename(3, "other").expect("the name is free");
        scene.rename(3, "another").expect("the name is free");
        scene.set_flag(0, Flag::Locked, true);
        scene.set_flag(1, Flag::Locked, false);
        assert!(scene.reparent(3, Some(0), at(7.0)));
        let changes = scene.take_changes();
        assert_eq!(changes.locals, [(2, at(0.0)), (3, at(0.0))]);
        assert_eq!(changes.names, [(3, "n3".to_owned())]);
        assert_eq!((changes.parents, changes.flags), (vec![(3, None)], vec![(0, [false; 3])]));
        assert_eq!(scene.take_changes(), NodeChanges::default(), "the changes were taken");
        scene.set_local(2, at(3.0));
        assert_eq!(scene.take_changes().locals, [(2, at(2.0))]);
    }

    #[test]
    fn unsaved_changes_are_those_since_last_successful_save() {
        let nodes = (0..3).map(|index| Node::new(format!("n{index}"), None, at(0.0))).collect();
        let mut scene = Scene::new(nodes, Vec::new()).expect("the nodes form a tree");
        scene.set_local(0, at(1.0));
        scene.set_flag(2, Flag::Hidden, true);
        drop(scene.take_changes());
        assert_eq!(scene.unsaved().locals, [(0, at(0.0))], "taking changes leaves them unsaved");
        scene.begin_save();
        scene.set_local(0, at(2.0));
        scene.set_local(1, at(-0.0));
        scene.end_save(false);
        assert_eq!(scene.unsaved().locals, [(0, at(0.0)), (1, at(0.0))], "the save failed");
        scene.begin_save();
        scene.set_local(0, at(3.0));
        scene.end_save(true);
        assert_eq!(scene.unsaved().locals, [(0, at(2.0))]);
        assert_eq!(scene.unsaved().flags, [], "a save writes the flag");
    }
}
