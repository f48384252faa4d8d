//! Messages of the status line.

use super::Editor;
use crate::command::Command;
use crate::labels;
use crate::replay_file::THEMES;
use scene::style::Shading;
use wgpu_gizmo_core::Snap;
use wgpu_gizmo_core::interaction::settings::{BoxResult, GrabMode, ShearPolicy, SnapKind};

/// Returns the new value of the setting that a command has changed, if the rest of the status line does not
/// show it.
pub(super) fn command_message(command: Command, editor: &Editor) -> Option<String> {
    let gizmo = &editor.gizmo;
    let settings = &gizmo.settings;
    let on = |on| if on { "on" } else { "off" };
    Some(match command {
        Command::NextShear => {
            let rule = match settings.shear {
                ShearPolicy::BestFit => "nearest rotation",
                ShearPolicy::LocalOnly => "angle in the parent",
                ShearPolicy::Reject => "no rotation",
            };
            format!("Rotation under non-uniform scale: {rule}")
        }
        Command::SnapKind => match settings.snap_kind {
            SnapKind::Relative => "Snap: relative to the start".to_owned(),
            SnapKind::Grid { .. } => "Snap: grid".to_owned(),
            SnapKind::Value => "Snap: values".to_owned(),
        },
        Command::SnapAlways => format!("Snap always: {}", on(settings.snap != Snap::OFF)),
        Command::NextTheme => {
            let name = match THEMES.iter().find(|(_, theme)| *theme == gizmo.theme).map(|(name, _)| *name) {
                Some("colour_blind_safe") => "color-blind safe",
                Some(name) => name,
                None => "custom",
            };
            format!("Theme: {name}")
        }
        Command::NextGrab => match settings.grab {
            GrabMode::Hold => "Grab: hold the button".to_owned(),
            GrabMode::Toggle => "Grab: click, move, click".to_owned(),
            GrabMode::Either => "Grab: hold the button, or click, move, click".to_owned(),
        },
        Command::NextBox => match settings.box_handles.map(|shown| shown.result) {
            None => "Box handles: off".to_owned(),
            Some(BoxResult::Transform) => "Box handles: change the transform".to_owned(),
            Some(BoxResult::Extents) => "Box handles: change the crop box".to_owned(),
        },
        Command::EditPivot => match gizmo.is_editing_pivot() {
            true => "Pivot: drags move the gizmo; I ends, Shift+I resets".to_owned(),
            false => "Pivot: drags move the selection".to_owned(),
        },
        Command::ResetPivot => "Pivot: reset".to_owned(),
        Command::Flip => format!("Flip handles toward the camera: {}", on(settings.flip_toward_camera)),
        Command::ConstructionLines => format!("Construction lines: {}", on(settings.construction_lines)),
        Command::Grid => format!("Grid: {}", on(!editor.scene_style().without_grid)),
        Command::Shading => match editor.scene_style().shading {
            Shading::Materials => "Shading: materials".to_owned(),
            Shading::Clay => "Shading: clay".to_owned(),
        },
        Command::Volumes => format!("Handles of cameras and lights: {}", on(editor.shows_volumes())),
        Command::Through => match editor.is_through() {
            true => "Box and lasso selection: including occluded nodes".to_owned(),
            false => "Box and lasso selection: visible nodes only".to_owned(),
        },
        _ => return None,
    })
}

impl Editor {
    /// Shows a message to the user.
    pub fn show_message(&mut self, message: impl Into<String>) {
        self.message = Some(message.into());
    }

    /// Returns the reason why the gizmo is not shown although nodes are selected.
    fn no_gizmo_reason(&self) -> Option<String> {
        let active = self.selection.active().filter(|_| self.moved.is_empty())?;
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

    /// Returns the message for the user: the last one, or the reason why handles are disabled.
    pub fn message(&self) -> Option<String> {
        self.message.clone().or_else(|| {
            if let Some(reason) = self.no_gizmo_reason() {
                return Some(reason);
            }
            if let Some(message) = self.skin_message() {
                return Some(message);
            }
            let mut handles = self.gizmo.settings.mode.handles().built_in();
            let refused =
                |handle| self.gizmo.disabled_reason(handle).map(|disabled_reason| (handle, disabled_reason));
            let (handle, disabled_reason) = self.moved.last().and_then(|_| handles.find_map(refused))?;
            Some(format!("{}: {disabled_reason}", labels::handle(handle)))
        })
    }
}
