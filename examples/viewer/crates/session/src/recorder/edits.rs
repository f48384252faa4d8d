//! Records changes of nodes that no event made: by panels, and by undo and redo after them.

use super::{NodeState, Recorder, flags_of};
use crate::editor::Editor;
use crate::replay_file::{EventKind, FlagEdit, ParentEdit};
use scene::bounds::Bounds;
use scene::flags::{FLAGS, Flag};
use scene::volume::NodeVolume;
use scene::{NodeChanges, Scene};
use std::collections::HashSet;
use wgpu_gizmo_core::Transform;

/// New values of nodes.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pub(super) parents: Vec<ParentEdit>,
    pub(super) locals: Vec<(usize, Transform)>,
    pub(super) names: Vec<(usize, String)>,
    pub(super) flags: Vec<FlagEdit>,
    pub(super) extents: Vec<(usize, Option<Bounds>)>,
}

/// Returns the nodes before `known` whose value differs from the one before, with their current values.
fn now<T: PartialEq>(
    before: &[(usize, T)],
    known: usize,
    of: impl Fn(usize) -> T,
) -> impl Iterator<Item = (usize, T)> {
    let known = before.iter().take_while(move |(node, _)| *node < known);
    known
        .map(move |(node, before)| (*node, before, of(*node)))
        .filter_map(|(node, before, now)| (*before != now).then_some((node, now)))
}

impl Edits {
    /// Returns the current values of nodes that have changed, except for those from `known` on, whose state
    /// follows from the event that copies them.
    pub(super) fn of(changes: &NodeChanges, known: usize, scene: &Scene) -> Self {
        let node = |node: usize| &scene.nodes()[node];
        let flags = now(&changes.flags, known, |node| FLAGS.map(|flag| scene.has_flag(node, flag)));
        Self {
            parents: now(&changes.parents, known, |index| node(index).parent).collect(),
            locals: now(&changes.locals, known, |index| node(index).local).collect(),
            names: now(&changes.names, known, |index| node(index).name.clone()).collect(),
            flags: flags.flat_map(|(node, _)| flags_of(node, scene)).collect(),
            extents: now(&changes.crops, known, |node| scene.crop_box(node)).collect(),
        }
    }

    /// Adds the values of a node, except for its name, that differ from those at the start, or all of them if there
    /// was no start.
    pub(super) fn push_since(&mut self, start: Option<&NodeState>, node: usize, scene: &Scene) {
        let now = NodeState::of(node, scene);
        if start.is_none_or(|start| start.parent != now.parent) {
            self.parents.push((node, now.parent));
        }
        if start.is_none_or(|start| start.local != now.local) {
            self.locals.push((node, now.local));
        }
        if start.is_none_or(|start| start.flags != now.flags) {
            self.flags.extend(flags_of(node, scene));
        }
        if start.is_none_or(|start| start.crop != now.crop) && scene.mesh_box(node).is_some() {
            self.extents.push((node, now.crop));
        }
    }
}

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
        self.has_all_steps = false;
        renamed
    }

    /// Records the changes that a recovery journal has restored. Unlike other copies, restored ones differ
    /// from their originals, and their names can be those of nodes that were renamed with them.
    pub fn restored(&mut self, editor: &mut Editor) {
        let changes = editor.take_changes().nodes;
        let scene = editor.scene();
        let known = self.names.len();
        let renamed = self.record_unnamed_copies(scene);
        let mut edits = Edits::of(&changes, known, scene);
        edits.names.extend(renamed);
        for copy in known..scene.nodes().len() {
            edits.push_since(None, copy, scene);
        }
        self.record_edits(edits);
        self.record_changed_volumes(&changes.volumes, scene);
        self.push(EventKind::Select(editor.selection().nodes().to_vec()));
    }

    /// Records changes of nodes that no event made. Returns true if there are any.
    pub(super) fn record_edits(&mut self, edits: Edits) -> bool {
        let Edits { parents, locals, names, flags, extents } = edits;
        // A deleted node's name can be reused, so deletions come before renames and restorations after.
        let is_gone = |(_, flag, on): &FlagEdit| *flag == Flag::Deleted && *on;
        let (gone, flags): (Vec<FlagEdit>, Vec<FlagEdit>) = flags.into_iter().partition(is_gone);
        let kinds = [
            (!gone.is_empty()).then_some(EventKind::Flags(gone)),
            (!parents.is_empty()).then_some(EventKind::Reparent(parents)),
            (!locals.is_empty()).then_some(EventKind::SetTransforms(locals)),
            (!extents.is_empty()).then_some(EventKind::SetExtents(extents)),
            (!names.is_empty()).then_some(EventKind::Rename(names)),
            (!flags.is_empty()).then_some(EventKind::Flags(flags)),
        ];
        let mut is_changed = false;
        for kind in kinds.into_iter().flatten() {
            (is_changed, self.has_all_steps) = (true, false);
            self.push(kind);
        }
        is_changed
    }

    /// Records cameras and lights that no event changed. Returns true if there are any.
    pub(super) fn record_changed_volumes(&mut self, before: &[(usize, NodeVolume)], scene: &Scene) -> bool {
        let changed: Vec<usize> = before
            .iter()
            .filter(|(index, before)| scene.volume(*index) != Some(*before))
            .map(|(index, _)| *index)
            .collect();
        self.record_volumes(changed.into_iter(), scene)
    }

    /// Records the values of cameras and lights. Returns true if there are any.
    pub(super) fn record_volumes(&mut self, indices: impl Iterator<Item = usize>, scene: &Scene) -> bool {
        let Some(kind) = self.volume_event(indices, scene) else { return false };
        self.has_all_steps = false;
        self.push(kind);
        true
    }

    /// Returns the cameras and lights that differ from those at the start.
    pub(super) fn changed_volumes(&self, scene: &Scene) -> Vec<usize> {
        let start = |index: usize| self.volume_starts.get(index).copied().flatten();
        (0..scene.volumes().len()).filter(|index| scene.volume(*index) != start(*index)).collect()
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

    /// Records the effect of an event after it was handled, if the event itself does not replay. Copies are
    /// recorded instead of the command that made them, because later events need their names.
    pub fn after(&mut self, editor: &mut Editor) {
        if editor.scene().nodes().len() > self.names.len() {
            self.events.pop();
            self.record_copies(editor.scene());
            self.push(EventKind::Select(editor.selection().nodes().to_vec()));
            self.before(editor);
        } else if std::mem::take(&mut self.is_through_history) {
            self.changed(editor);
        }
    }
}
