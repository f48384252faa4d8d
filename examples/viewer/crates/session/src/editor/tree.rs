//! Edits of nodes that leave their transforms alone: names, visibility, locks and deletion.

use super::Editor;
use crate::labels;
use scene::RenameError;
use scene::edit::{Edit, EditError};
use scene::flags::Flag;

impl Editor {
    /// Renames a node: one undo step, unless the name stays the same. Does nothing during a drag.
    pub fn rename(&mut self, node: usize, name: &str) -> Result<(), RenameError> {
        if self.is_dragging() {
            return Ok(());
        }
        self.settle();
        let (before, name) = (&self.scene.nodes()[node].name, name.trim());
        if before == name {
            return Ok(());
        }
        match self.edit(format!("Rename {before} to {name}"), Edit::Rename(vec![(node, name.to_owned())])) {
            Err(EditError::Name(error)) => {
                let name = &self.scene.nodes()[node].name;
                self.message = Some(format!("Could not rename {name}: {error}"));
                Err(error)
            }
            _ => Ok(()),
        }
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
        let does = match (flag, on) {
            (Flag::Hidden, true) => "Hide",
            (Flag::Hidden, false) => "Show",
            (Flag::Locked, true) => "Lock",
            (Flag::Locked, false) => "Unlock",
            (Flag::Deleted, true) => "Delete",
            (Flag::Deleted, false) => "Bring back",
        };
        let name = format!("{does} {}", labels::nodes(&self.scene, &nodes));
        // Flags can always be set.
        let _ = self.edit(name, Edit::Flag(nodes.into_iter().map(|node| (node, flag, on)).collect()));
    }

    /// Hides or locks the selected nodes. If the active node is hidden or locked already, shows or
    /// unlocks them all instead.
    pub(crate) fn switch_flag(&mut self, flag: Flag) {
        let Some(active) = self.selection.active() else { return self.explain_no_change() };
        let on = !self.scene.has_flag(active, flag);
        let nodes = self.selection.nodes().to_vec();
        self.set_flag(&nodes, flag, on);
    }

    /// Shows all nodes.
    pub(crate) fn show_all(&mut self) {
        let all: Vec<usize> = (0..self.scene.nodes().len()).filter(|node| self.scene.exists(*node)).collect();
        self.set_flag(&all, Flag::Hidden, false);
    }
}
