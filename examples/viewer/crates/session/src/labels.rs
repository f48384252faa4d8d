//! Texts of the status line and of history steps.

use crate::command::Command;
use crate::editor::Editor;
use scene::Scene;
use scene::selection::SelectMode;
use scene::style::Shading;
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::handle::{Axis, Constraint};
use wgpu_gizmo::interaction::{Change, Drag, Pivot, ShearPolicy, SnapKind};
use wgpu_gizmo::{Gizmo, Mode, Orientation, Snap, Theme};

/// The themes, with their names in replays.
pub const THEMES: [(&str, Theme); 3] =
    [("dark", Theme::dark()), ("light", Theme::light()), ("colour_blind_safe", Theme::color_blind_safe())];

/// Returns the name of a drag's undo step, such as `Translate forearm X 0.250`.
pub fn drag_step_name(drag: Option<&Drag>, what: &str) -> String {
    let Some(drag) = drag else { return format!("Transform {what}") };
    let axes = drag.axes();
    // Rounding must not produce −0.000.
    let number = |number: f64| format!("{:.3}", if number.abs() < 5e-4 { 0.0 } else { number });
    let pair = |normal: Axis| normal.others().map(|axis| format!("{axis:?}")).concat();
    match (drag.motion().change, drag.handle().constraint()) {
        (Change::Resize { .. }, _) => format!("Resize {what}"),
        (Change::Translate(by), Constraint::Axis(axis)) => {
            format!("Translate {what} {axis:?} {}", number(by.dot(axes.col(axis.index()))))
        }
        (Change::Translate(by), Constraint::Plane(normal)) => {
            let [a, b] = normal.others().map(|axis| number(by.dot(axes.col(axis.index()))));
            format!("Translate {what} {} {a}, {b}", pair(normal))
        }
        (Change::Translate(by), ..) => {
            let DVec3 { x, y, z } = by;
            format!("Translate {what} {}, {}, {}", number(x), number(y), number(z))
        }
        (change @ Change::Rotate { .. }, Constraint::Ring(axis)) => {
            format!("Rotate {what} {axis:?} {:.1}°", change.total_angle().to_degrees())
        }
        (change @ Change::Rotate { .. }, ..) => {
            format!("Rotate {what} {:.1}°", change.total_angle().to_degrees())
        }
        (Change::RotateFreely(by), ..) => {
            format!("Rotate {what} freely {:.1}°", by.to_axis_angle().1.to_degrees())
        }
        (Change::Scale(by), Constraint::ScaleAxis(axis)) => {
            format!("Scale {what} {axis:?} ×{}", number(by[axis.index()]))
        }
        (Change::Scale(by), Constraint::ScalePlane(normal)) => {
            format!("Scale {what} {} ×{}", pair(normal), number(by[normal.others()[0].index()]))
        }
        (Change::Scale(by), ..) => format!("Scale {what} ×{}", number(by.x)),
    }
}

/// Returns the name of a single node, or the number of several nodes.
pub fn nodes(scene: &Scene, nodes: &[usize]) -> String {
    match nodes {
        [node] => scene.nodes()[*node].name.clone(),
        nodes => format!("{} nodes", nodes.len()),
    }
}

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

/// Returns the new value of the setting that a command has changed, if the rest of the status line does not
/// show it.
pub(crate) fn command_message(command: Command, editor: &Editor) -> Option<String> {
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
        Command::Flip => format!("Flip handles toward the camera: {}", on(settings.flip_toward_camera)),
        Command::ConstructionLines => format!("Construction lines: {}", on(settings.construction_lines)),
        Command::Grid => format!("Grid: {}", on(!editor.scene_style().without_grid)),
        Command::Shading => match editor.scene_style().shading {
            Shading::Materials => "Shading: materials".to_owned(),
            Shading::Clay => "Shading: clay".to_owned(),
        },
        Command::Through => match editor.is_through() {
            true => "Box and lasso selection: including occluded nodes".to_owned(),
            false => "Box and lasso selection: visible nodes only".to_owned(),
        },
        _ => return None,
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::gizmo_key;
    use scene::Node;
    use scene::selection::Selection;
    use wgpu_gizmo::glam::{DMat4, DQuat};
    use wgpu_gizmo::interaction::KeyModifiers;
    use wgpu_gizmo::{Transform, View, Viewport};

    /// Returns the names of the steps that these keys make. There are two nodes, and the first is rotated
    /// by 90° about Z.
    fn names(mode: Mode, orientation: Orientation, selected: &[usize], keys: &[&str]) -> Vec<String> {
        let turned = Transform { rotation: DQuat::from_rotation_z(1f64.atan2(0.0)), ..Transform::IDENTITY };
        let nodes = vec![Node::new("arm", None, turned), Node::new("box", None, Transform::IDENTITY)];
        let mut editor = Editor::new(Scene::new(nodes, Vec::new()).expect("the nodes form a tree"))
            .expect("there are few nodes");
        let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(400, 300), 1.0);
        let view = view.expect("the view is valid");
        editor.gizmo.settings.mode = mode;
        editor.gizmo.settings.orientation = orientation;
        editor.select(Selection::of(selected), &view);
        editor.update(&view);
        for key in keys {
            let is_capital = key.chars().all(char::is_uppercase);
            let key = gizmo_key(key, is_capital).expect("the gizmo uses this key");
            editor.gizmo.key(key, KeyModifiers::NONE);
            editor.update(&view);
        }
        editor.history().steps().iter().map(|step| step.name.clone()).collect()
    }

    #[test]
    fn step_names_show_amount_along_dragged_axes() {
        let (world, local) = (Orientation::World, Orientation::Local);
        let typed = |axis, number: &'static str| {
            let digits = number.split("").filter(|digit| !digit.is_empty());
            [axis].into_iter().chain(digits).chain(["enter"]).collect::<Vec<&str>>()
        };
        for (mode, orientation, selected, axis, number, wanted) in [
            (Mode::Translate, world, &[0][..], "x", ".25", "Translate arm X 0.250"),
            (Mode::Translate, local, &[0], "x", "-.25", "Translate arm X -0.250"),
            (Mode::Translate, world, &[0, 1], "y", "3", "Translate 2 nodes Y 3.000"),
            (Mode::Translate, local, &[0], "Z", "2", "Translate arm XY 2.000, 0.000"),
            (Mode::Rotate, world, &[1], "z", "45", "Rotate box Z 45.0°"),
            (Mode::Scale, world, &[1], "y", "1.5", "Scale box Y ×1.500"),
        ] {
            assert_eq!(names(mode, orientation, selected, &typed(axis, number)), [wanted]);
        }
        assert_eq!(names(Mode::Translate, world, &[0], &["x", "1", "escape"]), [""; 0]);
    }
}
