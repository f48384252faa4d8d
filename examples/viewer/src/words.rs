//! What is said about the state of things: the words of the status line.

use crate::command::Command;
use crate::editor::Editor;
use crate::scene_renderer::Shading;
use crate::selection::How;
use wgpu_gizmo::interaction::{Pivot, ShearPolicy, SnapKind};
use wgpu_gizmo::{Gizmo, Mode, Orientation, Snap, Theme};

/// The themes, by the names that replays give them.
pub(crate) const THEMES: [(&str, Theme); 3] =
    [("dark", Theme::dark()), ("light", Theme::light()), ("colour_blind_safe", Theme::colour_blind_safe())];

/// What is selected, such as `3 nodes, active forearm`.
pub(crate) fn selection(editor: &Editor) -> Option<String> {
    let selection = editor.selection();
    let name = &editor.scene().nodes()[selection.active()?].name;
    Some(match selection.nodes().len() {
        1 => name.clone(),
        count => format!("{count} nodes, active {name}"),
    })
}

/// Name of the mode.
pub(crate) fn mode(gizmo: &Gizmo) -> &'static str {
    match gizmo.settings.mode {
        Mode::None => "None",
        Mode::Translate => "Move",
        Mode::Rotate => "Rotate",
        Mode::Scale => "Scale",
        Mode::Universal => "Universal",
        Mode::Handles(_) => "Custom",
    }
}

/// Name of the orientation. Scale handles follow the local axes whatever it is.
pub(crate) fn orientation(gizmo: &Gizmo) -> &'static str {
    match gizmo.settings.orientation {
        _ if gizmo.settings.mode == Mode::Scale => "Local",
        Orientation::World => "World",
        Orientation::Parent => "Parent",
        Orientation::Local => "Local",
        Orientation::View => "View",
        Orientation::Custom(_) => "Custom",
    }
}

/// Name of the pivot.
pub(crate) fn pivot(gizmo: &Gizmo) -> &'static str {
    match gizmo.settings.pivot {
        Pivot::Median => "Median",
        Pivot::Active => "Active",
        Pivot::Individual => "Individual",
        Pivot::BoundsCenter => "Bounds",
        Pivot::EachTarget => "Each",
        Pivot::Custom(_) => "Custom",
    }
}

/// Which snapping there is without a key held, if any.
pub(crate) fn snapping(gizmo: &Gizmo) -> Option<&'static str> {
    match (gizmo.settings.snap == Snap::OFF, gizmo.settings.snap_kind) {
        (true, SnapKind::Relative) => None,
        (true, SnapKind::Grid { .. }) => Some("Ctrl: grid"),
        (false, SnapKind::Relative) => Some("Snap"),
        (false, SnapKind::Grid { .. }) => Some("Snap to grid"),
    }
}

/// What a key has just changed, where the rest of the status line does not say it.
pub(crate) fn said(command: Command, editor: &Editor) -> Option<String> {
    let gizmo = &editor.gizmo;
    let settings = &gizmo.settings;
    let on = |on| if on { "on" } else { "off" };
    Some(match command {
        Command::NextShear => {
            let rule = match settings.shear {
                ShearPolicy::BestFit => "the nearest rotation",
                ShearPolicy::LocalOnly => "the angle as the parent sees it",
                ShearPolicy::Reject => "none",
            };
            format!("Turns under an uneven scale: {rule}")
        }
        Command::SnapKind => match settings.snap_kind {
            SnapKind::Relative => "Snapping to steps from the start".to_owned(),
            SnapKind::Grid { .. } => "Snapping to the grid".to_owned(),
        },
        Command::SnapAlways => format!("Snapping without Ctrl: {}", on(settings.snap != Snap::OFF)),
        Command::NextTheme => {
            let name =
                THEMES.iter().find(|(_, theme)| *theme == gizmo.theme).map_or("custom", |(name, _)| name);
            format!("Colours: {}", name.replace('_', " "))
        }
        Command::Flip => format!("Handles turn toward the camera: {}", on(settings.flip_toward_camera)),
        Command::ConstructionLines => format!("Construction lines: {}", on(settings.construction_lines)),
        Command::Grid => format!("Grid: {}", on(!editor.air().without_grid)),
        Command::Shading => match editor.air().shading {
            Shading::Materials => "Shown with its materials".to_owned(),
            Shading::Clay => "Shown as of clay".to_owned(),
        },
        Command::Through => match editor.is_through() {
            true => "Boxes and lassos select what is hidden too".to_owned(),
            false => "Boxes and lassos select what is seen".to_owned(),
        },
        _ => return None,
    })
}

/// What the pointer is drawing, and how it ends.
pub(crate) fn drawing(editor: &Editor) -> Option<String> {
    let drawn = editor.drawn()?;
    let shape = if drawn.is_lasso { "Lasso" } else { "Box" };
    let does = match drawn.how {
        How::Replace => "selects",
        How::Add => "adds",
        How::TakeAway => "takes away",
    };
    let what = if drawn.through { "all, hidden or not" } else { "what is seen" };
    Some(format!("{shape}: {does} {what}; Esc cancels"))
}
