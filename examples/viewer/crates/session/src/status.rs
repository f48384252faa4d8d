//! Texts of the status line.

use crate::editor::Editor;
use crate::settings::AllSettings;
use wgpu_gizmo_core::interaction::settings::SnapKind;

/// Describes the selection, such as `3 nodes, active: forearm`. `None` if nothing is selected.
pub fn selection(editor: &Editor) -> Option<String> {
    let selection = editor.selection();
    let name = &editor.scene().nodes()[selection.active()?].name;
    Some(match selection.nodes().len() {
        1 => name.clone(),
        count => format!("{count} nodes, active: {name}"),
    })
}

/// Describes the snapping that applies without a held key, if any.
pub fn snapping(values: &AllSettings) -> Option<&'static str> {
    match (values.snaps_always(), values.gizmo.snap.kind) {
        (true, SnapKind::Grid { .. }) => Some("Snap to grid"),
        (true, SnapKind::Value) => Some("Snap to values"),
        (true, _) => Some("Snap"),
        (false, SnapKind::Grid { .. }) => Some("Ctrl: grid"),
        (false, _) => None,
    }
}
