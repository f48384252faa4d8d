//! Names of history steps, handles and nodes, as the user sees them.

use scene::Scene;
use wgpu_gizmo_core::HandleId;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::{Change, Drag};

/// Returns a number with its noun, such as `1 change` or `2 changes`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the name of a drag's undo step, such as `Translate forearm X 0.250`.
pub(crate) fn drag_step_name(drag: Option<&Drag>, what: &str) -> String {
    let Some(drag) = drag else { return format!("Transform {what}") };
    // Rounding must not produce −0.000.
    let number = |number: f64| format!("{:.3}", if number.abs() < 5e-4 { 0.0 } else { number });
    let along = |by: DVec3, axis: Axis| number(by.dot(drag.axes().col(axis.index())));
    let amount = match (drag.motion().change, drag.handle().constraint()) {
        (Change::Resize { .. }, _) => return format!("Resize {what}"),
        (Change::Translate(by), Constraint::Axis(axis)) => along(by, axis),
        (Change::Translate(by), Constraint::Plane(normal)) => {
            normal.others().map(|axis| along(by, axis)).join(", ")
        }
        (Change::Translate(by) | Change::Place { by, .. }, ..) => {
            return format!("Translate {what} {}", by.to_array().map(number).join(", "));
        }
        (change @ Change::Rotate { .. }, ..) => format!("{:.1}°", change.total_angle().to_degrees()),
        (Change::RotateFreely(by), ..) => format!("freely {:.1}°", by.to_axis_angle().1.to_degrees()),
        (Change::Scale(by), Constraint::ScaleAxis(axis)) => format!("×{}", number(by[axis.index()])),
        (Change::Scale(by), Constraint::ScalePlane(normal)) => {
            format!("×{}", number(by[normal.others()[0].index()]))
        }
        (Change::Scale(by), ..) => format!("×{}", number(by.x)),
        _ => return format!("Transform {what}"),
    };
    match parts(drag.handle()) {
        (kind, axes) if axes.is_empty() => format!("{kind} {what} {amount}"),
        (kind, axes) => format!("{kind} {what} {axes} {amount}"),
    }
}

/// Returns the kind of change of a handle and its axes, such as `Translate` and `XY`.
pub fn parts(handle: HandleId) -> (&'static str, String) {
    let name = handle.name();
    let (kind, along) = name.split_once('_').unwrap_or((name, ""));
    let along = match along {
        "view" | "trackball" | "uniform" => String::new(),
        along => along.to_uppercase(),
    };
    let kind = match kind {
        "translate" => "Translate",
        "rotate" => "Rotate",
        "scale" => "Scale",
        "box" => "Resize",
        _ => "Drag",
    };
    (kind, along)
}

/// Returns the name of a handle, such as `Translate X`.
pub(crate) fn handle(handle: HandleId) -> String {
    let (kind, axes) = parts(handle);
    match handle.constraint() {
        Constraint::ViewPlane | Constraint::ViewRing => format!("{kind} in the view plane"),
        Constraint::Trackball => format!("{kind} freely"),
        Constraint::ScaleUniform => format!("{kind} uniformly"),
        Constraint::Box(_) => "Box handle".to_owned(),
        _ => format!("{kind} {axes}"),
    }
}

/// Returns the name of a field of a camera or light, by its key in glTF.
pub(crate) fn volume_field(key: &str) -> &'static str {
    match key {
        "intensity" => "Intensity",
        "range" => "Range",
        "innerConeAngle" => "Inner cone",
        "outerConeAngle" => "Outer cone",
        "yfov" => "Field of view",
        "znear" => "Near plane",
        "zfar" => "Far plane",
        _ => "Size",
    }
}

/// Returns the key of the field that a handle of a camera or light sets. A side of an orthographic camera sets none.
pub(crate) fn field_of_handle(name: &str) -> Option<&'static str> {
    match name.trim_start_matches("volume_").split('_').next()? {
        "fov" => Some("yfov"),
        "inner" => Some("innerConeAngle"),
        "outer" => Some("outerConeAngle"),
        "radius" | "range" => Some("range"),
        "near" => Some("znear"),
        "far" => Some("zfar"),
        _ => None,
    }
}

/// Returns the name of what a handle of a camera or light sets, such as `Outer cone` for `volume_outer_left`.
pub fn volume_handle(name: &str) -> &'static str {
    field_of_handle(name).map_or("Width and height", volume_field)
}

/// Returns the name of a single node, or the number of several nodes.
pub fn nodes(scene: &Scene, nodes: &[usize]) -> String {
    match nodes {
        [node] => scene.nodes()[*node].name.clone(),
        nodes => format!("{} nodes", nodes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_names_are_unique() {
        let mut names: Vec<String> = HandleId::all().map(handle).collect();
        assert_eq!(names[..4], ["Translate X", "Translate Y", "Translate Z", "Translate YZ"]);
        names.sort();
        names.dedup();
        assert_eq!(names.len(), HandleId::BUILT_IN);
    }
}
