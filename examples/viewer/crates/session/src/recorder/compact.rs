//! Compacts a recording that has grown too long: replaces it with events that lead directly to the
//! current state.

use super::Recorder;
use super::edits::Edits;
use crate::command::Command;
use crate::editor::Editor;
use crate::replay_file::{EventKind, SettingsPatch};
use crate::session::Session;
use scene::flags::Flag;
use scene::style::Shading;
use scene::{CopyPair, Scene};
use std::collections::BTreeSet;

impl Recorder {
    /// Replaces all events with events that lead to the current state. Undoing earlier steps is no
    /// longer part of the replay. Must not be called during a drag.
    pub(super) fn compact(&mut self, session: &Session) {
        let (editor, scene) = (&session.editor, session.editor.scene());
        self.events.clear();
        self.idle_px = None;
        self.record_all_copies(scene);
        let is_known = |node: &usize| scene.nodes()[*node].copy_of.is_none() || self.copied.contains(node);
        let known: Vec<usize> = (0..scene.nodes().len()).filter(is_known).collect();
        let mut edits = Edits::default();
        for node in known.iter().copied() {
            let start = self.starts.get(node).filter(|_| !self.copied.contains(&node));
            edits.push_since(start, node, scene);
        }
        edits.flags.extend(self.rename_all(&known, scene));
        self.record_edits(edits);
        self.record_volumes(self.changed_volumes(scene).into_iter(), scene);
        self.push(EventKind::Set(Box::new(SettingsPatch::of(editor.gizmo()))));
        self.push(EventKind::Select(editor.selection().nodes().to_vec()));
        if editor.gizmo().has_edited_pivot() {
            self.push(EventKind::PlacePivot(editor.gizmo().pivot_place()));
        }
        self.push_switches(editor);
        self.push_pose();
        self.push(EventKind::Window(self.shown.canvas));
        self.push(EventKind::Views(self.shown.ortho_views));
        self.push(match self.shown.looks_through {
            Some(node) => EventKind::LookThrough(Some(node)),
            None => EventKind::Camera(self.shown.camera.clone()),
        });
        if let Some(cursor_px) = editor.cursor_px() {
            self.push(EventKind::Move(cursor_px));
        }
        self.has_all_steps = false;
    }

    /// Records and names all copies, when the originals are still as they were opened. A copy must have
    /// its name before an event that copies it.
    fn record_all_copies(&mut self, scene: &Scene) {
        let mut group: Vec<CopyPair> = Vec::new();
        for copy in self.copied.clone() {
            let Some(of) = scene.nodes()[copy].copy_of else { continue };
            if group.iter().any(|(_, copy)| *copy == of) {
                self.push(EventKind::Duplicate(std::mem::take(&mut group)));
            }
            group.push((of, copy));
        }
        if !group.is_empty() {
            self.push(EventKind::Duplicate(group));
        }
    }

    /// Records the names of all nodes. Deleted nodes may share a name with others, so all nodes
    /// involved are deleted first. Returns the flags that restore those that exist.
    fn rename_all(&mut self, known: &[usize], scene: &Scene) -> Vec<(usize, Flag, bool)> {
        let name = |node: usize| &scene.nodes()[node].name;
        let differ: Vec<usize> =
            known.iter().copied().filter(|node| *name(*node) != self.names[*node]).collect();
        if differ.is_empty() {
            return Vec::new();
        }
        let used_names: BTreeSet<&str> =
            differ.iter().flat_map(|node| [name(*node).as_str(), self.names[*node].as_str()]).collect();
        let uses_one = |node: &usize| {
            used_names.contains(name(*node).as_str()) || used_names.contains(self.names[*node].as_str())
        };
        let involved: Vec<usize> = known.iter().copied().filter(uses_one).collect();
        let gone = involved.iter().map(|node| (*node, Flag::Deleted, true)).collect();
        let names: Vec<_> = differ.iter().map(|node| (*node, name(*node).clone())).collect();
        self.push(EventKind::Flags(gone));
        for name in names {
            self.push(EventKind::Rename(vec![name]));
        }
        let is_deleted = |node: usize| (node, Flag::Deleted, scene.has_flag(node, Flag::Deleted));
        involved.into_iter().map(is_deleted).collect()
    }

    /// Records the pose, if it is not the one at rest, with which a replay starts.
    pub(super) fn push_pose(&mut self) {
        if self.shown.pose.is_some() {
            self.push(EventKind::Pose(self.shown.pose));
        }
    }

    /// Records the commands that toggle options outside of the settings. A replay starts with all of these off.
    pub(super) fn push_switches(&mut self, editor: &Editor) {
        let scene_style = editor.scene_style();
        let switched = [
            (editor.gizmo().is_editing_pivot(), Command::EditPivot),
            (editor.is_through(), Command::Through),
            (editor.shows_volumes(), Command::Volumes),
            (scene_style.without_grid, Command::Grid),
            (scene_style.shading == Shading::Clay, Command::Shading),
        ];
        for (_, command) in switched.into_iter().filter(|(is_on, _)| *is_on) {
            self.push(EventKind::Command(command));
        }
    }
}
