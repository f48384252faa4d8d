//! Texts of the status line.

use crate::editor::Editor;
use scene::selection::SelectMode;
use wgpu_gizmo_core::interaction::settings::{Pivot, SnapKind};
use wgpu_gizmo_core::{Gizmo, Mode, Orientation, Snap};

/// Describes the selection, such as `3 nodes, active: forearm`. `None` if nothing is selected.
pub fn selection(editor: &Editor) -> Option<String> {
    let selection = editor.selection();
    let name = &editor.scene().nodes()[selection.active()?].name;
    Some(match selection.nodes().len() {
        1 => name.clone(),
        count => format!("{count} nodes, active: {name}"),
    })
}

/// Returns the name of the mode.
pub fn mode(gizmo: &Gizmo) -> &'static str {
    match gizmo.settings.mode {
        Mode::None => "None",
        Mode::Translate => "Translate",
        Mode::Rotate => "Rotate",
        Mode::Scale => "Scale",
        Mode::Universal => "Universal",
        Mode::Handles(_) => "Custom",
    }
}

/// Returns the name of the orientation. Scale handles always follow the local axes.
pub fn orientation(gizmo: &Gizmo) -> &'static str {
    match gizmo.settings.orientation {
        _ if gizmo.settings.mode == Mode::Scale => "Local",
        Orientation::World => "World",
        Orientation::Parent => "Parent",
        Orientation::Local => "Local",
        Orientation::View => "View",
        Orientation::Custom(_) => "Custom",
    }
}

/// Returns the name of the pivot.
pub fn pivot(gizmo: &Gizmo) -> &'static str {
    match gizmo.settings.pivot {
        Pivot::Median => "Median",
        Pivot::Active => "Active",
        Pivot::Individual => "Individual",
        Pivot::BoundsCenter => "Bounds",
        Pivot::EachTarget => "Each",
        Pivot::Custom(_) => "Custom",
    }
}

/// Describes the snapping that applies without a held key, if any.
pub fn snapping(gizmo: &Gizmo) -> Option<&'static str> {
    match (gizmo.settings.snap == Snap::OFF, gizmo.settings.snap_kind) {
        (true, SnapKind::Relative | SnapKind::Value) => None,
        (true, SnapKind::Grid { .. }) => Some("Ctrl: grid"),
        (false, SnapKind::Relative) => Some("Snap"),
        (false, SnapKind::Grid { .. }) => Some("Snap to grid"),
        (false, SnapKind::Value) => Some("Snap to values"),
    }
}

/// Describes the box or lasso that is being drawn and how to cancel it.
pub fn drawing(editor: &Editor) -> Option<String> {
    let drawn = editor.drawn()?;
    let shape = if drawn.is_lasso { "Lasso" } else { "Box" };
    let does = match drawn.mode {
        SelectMode::Replace => "select",
        SelectMode::Add => "add",
        SelectMode::Remove => "remove",
    };
    let what = if drawn.through { "visible and occluded nodes" } else { "visible nodes" };
    Some(format!("{shape}: {does} {what}; Esc cancels"))
}
