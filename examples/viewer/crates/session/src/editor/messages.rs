//! Messages of the status line.

use super::Editor;
use crate::labels;

impl Editor {
    /// Shows a message to the user. An empty one ends the last message.
    pub fn show_message(&mut self, message: impl Into<String>) {
        self.message = Some(message.into()).filter(|message| !message.is_empty());
    }

    /// Returns the reason why the gizmo is not shown although nodes are selected.
    fn no_gizmo_reason(&self) -> Option<String> {
        let active = self.selection.active().filter(|_| self.moved.nodes.is_empty())?;
        if self.scene.pose().is_some() {
            return Some("An animation is shown: return to the rest pose to edit".to_owned());
        }
        let hidden = !self.scene.is_shown(active);
        let nodes_label = labels::nodes(&self.scene, self.selection.nodes());
        Some(format!("{nodes_label}: {}, so there are no handles", if hidden { "hidden" } else { "locked" }))
    }

    /// Returns the reason why moving the active node does not move its mesh, if it follows joints.
    fn skin_message(&self) -> Option<String> {
        let active = self.selection.active()?;
        let name = |node: usize| &self.scene.nodes()[node].name;
        let joint = self.scene.root_joint(active)?;
        Some(format!("{} follows its joints: move {} instead", name(active), name(joint)))
    }

    /// Returns the reason why a handle of the mode is disabled, if one is.
    fn disabled_message(&self) -> Option<String> {
        let mut handles = self.gizmo.settings.mode.handles().built_in();
        let refused = |handle| Some((handle, self.gizmo.disabled_reason(handle)?));
        let (handle, reason) = self.moved.nodes.last().and_then(|_| handles.find_map(refused))?;
        Some(format!("{}: {reason}", labels::handle(handle)))
    }

    /// Returns the message for the user: the last one, or the reason why handles are disabled.
    pub fn message(&self) -> Option<String> {
        let last = self.message.clone().or_else(|| self.no_gizmo_reason());
        last.or_else(|| self.skin_message()).or_else(|| self.disabled_message())
    }
}
