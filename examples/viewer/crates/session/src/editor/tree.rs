//! Edits of nodes that leave their transforms alone: names, visibility, locks and deletion.

use super::Editor;
use crate::labels;
use crate::replay_file::FlagEdit;
use scene::RenameError;
use scene::flags::Flag;
use scene::history::{Change, Step};
use wgpu_gizmo_core::View;

impl Editor {
    /// Renames a node: one undo step, unless the name stays the same. Does nothing during a drag.
    pub fn rename(&mut self, node: usize, name: &str) -> Result<(), RenameError> {
        if self.is_dragging() {
            return Ok(());
        }
        self.settle();
        let before = self.scene.nodes()[node].name.clone();
        let renamed = self.scene.rename(node, name);
        if let Err(error) = &renamed {
            self.message = Some(error.to_string());
            return renamed;
        }
        let after = self.scene.nodes()[node].name.clone();
        if before != after {
            let name = format!("Rename {before} to {after}");
            self.history.push(Step { name, change: Change::Renamed { node, before, after } });
            self.changed();
        }
        Ok(())
    }

    /// Hides, shows, locks, unlocks, deletes or restores nodes: one undo step if any of them changes.
    /// Does nothing during a drag.
    pub fn set_flag(&mut self, nodes: &[usize], flag: Flag, on: bool) {
        if self.is_dragging() {
            return;
        }
        self.settle();
        let nodes: Vec<usize> =
            nodes.iter().copied().filter(|node| self.scene.has_flag(*node, flag) != on).collect();
        if nodes.is_empty() {
            return;
        }
        nodes.iter().for_each(|node| self.scene.set_flag(*node, flag, on));
        let does = match (flag, on) {
            (Flag::Hidden, true) => "Hide",
            (Flag::Hidden, false) => "Show",
            (Flag::Locked, true) => "Lock",
            (Flag::Locked, false) => "Unlock",
            (Flag::Deleted, true) => "Delete",
            (Flag::Deleted, false) => "Bring back",
        };
        let name = format!("{does} {}", labels::nodes(&self.scene, &nodes));
        self.history.push(Step { name, change: Change::FlagSet { flag, nodes, on } });
        self.changed();
    }

    /// Renames nodes, all at once and without an undo step. Cancels a drag first.
    pub(crate) fn rename_raw(&mut self, names: &[(usize, String)], view: &View) {
        self.set_transforms_raw(&[], view);
        if let Err(error) = self.scene.rename_all(names) {
            self.message = Some(error.to_string());
        }
    }

    /// Hides, shows, locks, unlocks, deletes or restores nodes without an undo step. Cancels a drag
    /// first.
    pub(crate) fn set_flags_raw(&mut self, flags: &[FlagEdit], view: &View) {
        self.set_transforms_raw(&[], view);
        flags.iter().for_each(|(node, flag, on)| self.scene.set_flag(*node, *flag, *on));
        self.report_selection(self.selection.retain(|node| self.scene.exists(node)));
    }

    /// Hides or locks the selected nodes. If the active node is hidden or locked already, shows or
    /// unlocks them all instead.
    pub(super) fn switch_flag(&mut self, flag: Flag) {
        let Some(active) = self.selection.active() else { return };
        let on = !self.scene.has_flag(active, flag);
        let nodes = self.selection.nodes().to_vec();
        self.set_flag(&nodes, flag, on);
    }

    /// Shows all nodes.
    pub(super) fn show_all(&mut self) {
        let all: Vec<usize> = (0..self.scene.nodes().len()).filter(|node| self.scene.exists(*node)).collect();
        self.set_flag(&all, Flag::Hidden, false);
    }
}
