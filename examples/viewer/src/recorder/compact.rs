//! A recording that has grown too long begins anew: with events that lead at once to where things are.

use super::{Recorder, flagged};
use crate::command::{Command, SHORTCUTS};
use crate::editor::Editor;
use crate::flags::Flag;
use crate::replay_file::{EventKind, Mods, SettingsPatch};
use crate::scene::{CopyPair, Scene};
use crate::scene_renderer::Shading;
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet};

impl Recorder {
    /// Puts the events that lead to the present state in the place of all that have led to it. What was
    /// done before is no step of the replay any longer; not while something is held.
    pub(super) fn compact(&mut self, session: &Session<'_>) {
        let (editor, scene) = (&*session.editor, session.editor.scene());
        self.events.clear();
        self.wandering = None;
        self.copy_anew(scene);
        let is_known = |node: &usize| scene.nodes()[*node].copy_of.is_none() || self.copied.contains(node);
        let known: Vec<usize> = (0..scene.nodes().len()).filter(is_known).collect();
        let is_copy = |node: &usize| self.copied.contains(node);
        let hung = known.iter().map(|node| (*node, scene.nodes()[*node].parent));
        let hung = hung.filter(|(node, parent)| is_copy(node) || self.parents.get(*node) != Some(parent));
        let hung = hung.collect();
        let moved = known.iter().map(|node| (*node, scene.nodes()[*node].local));
        let moved = moved.filter(|(node, local)| is_copy(node) || self.starts.get(*node) != Some(local));
        let moved = moved.collect();
        let flags = known.iter().flat_map(|node| flagged(*node, scene));
        let flags = flags.filter(|(node, _, on)| *on || is_copy(node) || self.flagged.contains(node));
        let mut flags: Vec<_> = flags.collect();
        flags.extend(self.rename_all(&known, scene));
        self.put((hung, moved), Vec::new(), flags);
        self.push(EventKind::Set(Box::new(SettingsPatch::of(&editor.gizmo))));
        self.push(EventKind::Select(editor.selection().nodes().to_vec()));
        self.push_switches(editor);
        self.push(EventKind::Window(self.shown.frame));
        self.push(EventKind::Views(self.shown.plans));
        self.push(match self.shown.looks_through {
            Some(node) => EventKind::LookThrough(Some(node)),
            None => EventKind::Camera(self.shown.camera.clone()),
        });
        if let Some(cursor_px) = editor.cursor_px() {
            self.push(EventKind::Move(cursor_px));
        }
        self.has_other_steps = true;
    }

    /// Makes and names all copies. The originals are as they were opened by then. A copy is named before copies
    /// are made of it: in an event before theirs.
    fn copy_anew(&mut self, scene: &Scene) {
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

    /// Gives all nodes their names. Of nodes that are not there, several may have one name: so all that are
    /// concerned are deleted for that. Returns the flags that bring back those that are there.
    fn rename_all(&mut self, known: &[usize], scene: &Scene) -> Vec<(usize, Flag, bool)> {
        let name = |node: usize| &scene.nodes()[node].name;
        let differ: Vec<usize> =
            known.iter().copied().filter(|node| *name(*node) != self.names[*node]).collect();
        if differ.is_empty() {
            return Vec::new();
        }
        let given: BTreeSet<&str> =
            differ.iter().flat_map(|node| [name(*node).as_str(), self.names[*node].as_str()]).collect();
        let has_one =
            |node: &usize| given.contains(name(*node).as_str()) || given.contains(self.names[*node].as_str());
        let concerned: Vec<usize> = known.iter().copied().filter(has_one).collect();
        let gone = concerned.iter().map(|node| (*node, Flag::Deleted, true)).collect();
        let names: Vec<_> = differ.iter().map(|node| (*node, name(*node).clone())).collect();
        self.flagged.extend(&concerned);
        self.push(EventKind::Flags(gone));
        for name in names {
            self.push(EventKind::Rename(vec![name]));
        }
        let is_deleted = |node: usize| (node, Flag::Deleted, scene.has_flag(node, Flag::Deleted));
        concerned.into_iter().map(is_deleted).collect()
    }

    /// What keys switch and settings do not say, as a replay has it off at first.
    pub(super) fn push_switches(&mut self, editor: &Editor) {
        let scene_style = editor.scene_style();
        let switched = [
            (editor.is_through(), Command::Through),
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
