//! Records changes of nodes that no event made: by panels, and by undo and redo after them.

use super::{Recorder, flagged, now};
use crate::editor::Editor;
use crate::replay_file::{EventKind, FlagEdit, ParentEdit};
use scene::flags::Flag;
use scene::history::Change;
use scene::volume::NodeVolume;
use scene::{NodeChanges, Scene};
use std::collections::HashSet;
use wgpu_gizmo::Transform;

impl Recorder {
    /// Records the copies that were made since the last call, with their names.
    pub(super) fn record_copies(&mut self, scene: &Scene) {
        let renamed = self.record_unnamed_copies(scene);
        if !renamed.is_empty() {
            self.push(EventKind::Rename(renamed));
        }
    }

    /// Records the copies that were made since the last call, under names that no node had at the
    /// start. Returns the copies that have other names now.
    fn record_unnamed_copies(&mut self, scene: &Scene) -> Vec<(usize, String)> {
        let new = self.names.len()..scene.nodes().len();
        if new.is_empty() {
            return Vec::new();
        }
        let mut taken: HashSet<String> = self.names.iter().cloned().collect();
        for node in new.clone() {
            let name = &scene.nodes()[node].name;
            let others = (2..).map(|number| format!("{name} ({number})"));
            let free = std::iter::once(name.clone()).chain(others).find(|name| taken.insert(name.clone()));
            self.names.extend(free);
        }
        let copies = |node: usize| Some((scene.nodes()[node].copy_of?, node));
        self.push(EventKind::Duplicate(new.clone().filter_map(copies).collect()));
        let renamed = new.clone().filter(|node| self.names[*node] != scene.nodes()[*node].name);
        let renamed: Vec<_> = renamed.map(|node| (node, scene.nodes()[node].name.clone())).collect();
        for edited in [&mut self.moved, &mut self.reparented, &mut self.flagged] {
            edited.extend(new.clone());
        }
        renamed
    }

    /// Records the changes that a recovery journal has restored. Unlike other copies, restored ones differ
    /// from their originals, and their names can be those of nodes that were renamed with them.
    pub fn restored(&mut self, editor: &mut Editor) {
        let NodeChanges { locals, parents, names, flags, volumes } = editor.take_changes().nodes;
        let scene = editor.scene();
        let known = self.names.len();
        let copies = known..scene.nodes().len();
        let mut renamed = self.record_unnamed_copies(scene);
        let is_known = |node: &usize| *node < known;
        let node = |node: usize| &scene.nodes()[node];
        let names = names.iter().map(|(index, _)| *index).filter(is_known);
        renamed.extend(names.map(|index| (index, node(index).name.clone())));
        let with_copies = |nodes: Vec<usize>| {
            let nodes = nodes.into_iter().filter(is_known);
            nodes.chain(copies.clone()).collect::<Vec<usize>>().into_iter()
        };
        let locals = with_copies(locals.iter().map(|(node, _)| *node).collect());
        let parents = with_copies(parents.iter().map(|(node, _)| *node).collect());
        let flags = with_copies(flags.iter().map(|(node, _)| *node).collect());
        let moved = locals.map(|index| (index, node(index).local)).collect();
        let reparented = parents.map(|index| (index, node(index).parent)).collect();
        let flags = flags.flat_map(|index| flagged(index, scene)).collect();
        self.record_edits((reparented, moved), renamed, flags);
        self.record_changed_volumes(&volumes, scene);
        self.push(EventKind::Select(editor.selection().nodes().to_vec()));
    }

    /// Records changes of nodes that no event made.
    pub(super) fn record_edits(
        &mut self,
        (reparented, moved): (Vec<ParentEdit>, Vec<(usize, Transform)>),
        names: Vec<(usize, String)>,
        flags: Vec<FlagEdit>,
    ) {
        self.reparented.extend(reparented.iter().map(|(node, _)| node));
        self.moved.extend(moved.iter().map(|(node, _)| node));
        self.flagged.extend(flags.iter().map(|(node, ..)| node));
        self.has_other_steps |= !names.is_empty();
        // A deleted node's name can be reused, so deletions come before renames and restorations after.
        let is_gone = |(_, flag, on): &FlagEdit| *flag == Flag::Deleted && *on;
        let (gone, flags): (Vec<FlagEdit>, Vec<FlagEdit>) = flags.into_iter().partition(is_gone);
        if !gone.is_empty() {
            self.push(EventKind::Flags(gone));
        }
        if !reparented.is_empty() {
            self.push(EventKind::Reparent(reparented));
        }
        if !moved.is_empty() {
            self.push(EventKind::SetTransforms(moved));
        }
        if !names.is_empty() {
            self.push(EventKind::Rename(names));
        }
        if !flags.is_empty() {
            self.push(EventKind::Flags(flags));
        }
    }

    /// Records cameras and lights that no event changed. Returns true if there are any.
    pub(super) fn record_changed_volumes(&mut self, before: &[(usize, NodeVolume)], scene: &Scene) -> bool {
        let changed: Vec<usize> = before
            .iter()
            .filter(|(index, before)| scene.volume(*index) != Some(*before))
            .map(|(index, _)| *index)
            .collect();
        self.volumes_set.extend(&changed);
        let kinds = self.volume_event(changed.iter().copied(), scene);
        kinds.map(|kind| self.push(kind)).is_some()
    }

    /// Records the values of all cameras and lights that other means than events have set.
    pub(super) fn record_volumes(&mut self, scene: &Scene) {
        if let Some(kind) = self.volume_event(self.volumes_set.iter().copied(), scene) {
            self.push(kind);
        }
    }

    /// Returns the event that sets cameras and lights, each by a node that has it.
    fn volume_event(&self, indices: impl Iterator<Item = usize>, scene: &Scene) -> Option<EventKind> {
        let set = indices.filter_map(|index| {
            let node = scene.node_with_volume(index).filter(|node| *node < self.names.len())?;
            Some((node, scene.volume(index)?))
        });
        let set: Vec<_> = set.collect();
        (!set.is_empty()).then_some(EventKind::SetVolumes(set))
    }

    /// Records where undo and redo lead after changes by panels, which are not steps of the replay's
    /// history. Records copies instead of the key that made them, because later events need their
    /// names.
    pub fn after(&mut self, kind: &EventKind, editor: &mut Editor) {
        if editor.scene().nodes().len() > self.names.len() {
            self.events.pop();
            self.record_copies(editor.scene());
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            self.before(editor);
            return;
        }
        let is_step = match kind {
            EventKind::Undo | EventKind::Redo => true,
            EventKind::Key(key) => ["z", "y"].iter().any(|step| key.eq_ignore_ascii_case(step)),
            _ => false,
        };
        if !is_step || editor.is_dragging() {
            return;
        }
        let is_as_played = self.moved.is_empty() && self.reparented.is_empty() && self.flagged.is_empty();
        let is_as_played = is_as_played && self.volumes_set.is_empty();
        if self.has_other_steps || !is_as_played {
            let names = editor.take_changes().nodes.names;
            let scene = editor.scene();
            // No key renames nodes, so the replay's names are unchanged.
            let name = |node: usize| scene.nodes()[node].name.clone();
            let names = now(&names, self.names.len(), name, |a, b| a != b).collect();
            // The replay may have undone a different step than this one.
            for change in editor.history().steps().iter().flat_map(|step| step.change.parts()) {
                match change {
                    Change::Moved(moved) => self.moved.extend(moved.iter().map(|(node, ..)| node)),
                    Change::Reparented(reparented) => {
                        self.reparented.extend(reparented.iter().map(|edit| edit.node));
                        self.moved.extend(reparented.iter().map(|edit| edit.node));
                    }
                    Change::FlagSet { nodes, .. } => self.flagged.extend(nodes),
                    Change::Duplicated { copies, .. } => self.flagged.extend(copies),
                    Change::VolumesSet(set) => self.volumes_set.extend(set.iter().map(|(index, ..)| index)),
                    Change::Renamed { .. }
                    | Change::PivotMoved { .. }
                    | Change::Resized(_)
                    | Change::All(_) => {}
                }
            }
            let reparented =
                self.reparented.iter().map(|node| (*node, scene.nodes()[*node].parent)).collect();
            let moved = self.moved.iter().map(|node| (*node, scene.nodes()[*node].local)).collect();
            let flags = self.flagged.iter().flat_map(|node| flagged(*node, scene)).collect();
            self.record_edits((reparented, moved), names, flags);
            self.record_volumes(scene);
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            self.before(editor);
        }
    }
}
