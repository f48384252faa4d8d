//! Compacts a recording that has grown too long: replaces it with events that lead directly to the
//! current state.

use super::{Recorder, flagged};
use crate::command::{Command, SHORTCUTS};
use crate::editor::Editor;
use crate::replay_file::{EventKind, Mods, SettingsPatch};
use crate::session::Session;
use scene::flags::Flag;
use scene::style::Shading;
use scene::{CopyPair, Scene};
use std::collections::{BTreeMap, BTreeSet};

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
        let is_copy = |node: &usize| self.copied.contains(node);
        let reparented = known.iter().map(|node| (*node, scene.nodes()[*node].parent));
        let reparented =
            reparented.filter(|(node, parent)| is_copy(node) || self.parents.get(*node) != Some(parent));
        let reparented = reparented.collect();
        let moved = known.iter().map(|node| (*node, scene.nodes()[*node].local));
        let moved = moved.filter(|(node, local)| is_copy(node) || self.starts.get(*node) != Some(local));
        let moved = moved.collect();
        let flags = known.iter().flat_map(|node| flagged(*node, scene));
        let flags = flags.filter(|(node, _, on)| *on || is_copy(node) || self.flagged.contains(node));
        let mut flags: Vec<_> = flags.collect();
        flags.extend(self.rename_all(&known, scene));
        self.record_edits((reparented, moved), Vec::new(), flags);
        self.volumes_set
            .extend((0..scene.volumes().len()).filter(|index| {
                scene.volumes()[*index] != self.volume_starts.get(*index).copied().flatten()
            }));
        self.record_volumes(scene);
        self.push(EventKind::Set(Box::new(SettingsPatch::of(editor.gizmo()))));
        self.push(EventKind::Select(editor.selection().nodes().to_vec()));
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
        self.has_other_steps = true;
    }

    /// Records and names all copies, when the originals are still as they were opened. A copy must have
    /// its name before an event that copies it.
    fn record_all_copies(&mut self, scene: &Scene) {
        let mut generations: BTreeMap<usize, Vec<CopyPair>> = BTreeMap::new();
        for copy in &self.copied {
            let of = |node: &usize| scene.nodes()[*node].copy_of;
            let generation = std::iter::successors(Some(*copy), of).count();
            generations.entry(generation).or_default().extend(of(copy).map(|of| (of, *copy)));
        }
        for copies in generations.into_values() {
            self.push(EventKind::Duplicate(copies));
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
        self.flagged.extend(&involved);
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

    /// Records the keys that toggle options outside of the settings. A replay starts with all of these off.
    pub(super) fn push_switches(&mut self, editor: &Editor) {
        let scene_style = editor.scene_style();
        let switched = [
            (editor.is_through(), Command::Through),
            (editor.shows_volumes(), Command::Volumes),
            (scene_style.without_grid, Command::Grid),
            (scene_style.shading == Shading::Clay, Command::Shading),
        ];
        for (_, command) in switched.into_iter().filter(|(is_on, _)| *is_on) {
            if let Some(shortcut) = SHORTCUTS.iter().find(|shortcut| shortcut.command == command) {
                let mods = Mods { shift: shortcut.shift, ctrl: shortcut.ctrl, ..Mods::default() };
                self.event(&EventKind::Key(shortcut.key.to_owned()), mods, super::Held::Something);
            }
        }
    }
}
