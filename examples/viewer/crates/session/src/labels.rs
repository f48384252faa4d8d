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
    let axes = drag.axes();
    // Rounding must not produce −0.000.
    let number = |number: f64| format!("{:.3}", if number.abs() < 5e-4 { 0.0 } else { number });
    match (drag.motion().change, drag.handle().constraint()) {
        (Change::Resize { .. }, _) => format!("Resize {what}"),
        (Change::Translate(by), Constraint::Axis(axis)) => {
            format!("Translate {what} {axis:?} {}", number(by.dot(axes.col(axis.index()))))
        }
        (Change::Translate(by), Constraint::Plane(normal)) => {
            let [a, b] = normal.others().map(|axis| number(by.dot(axes.col(axis.index()))));
            format!("Translate {what} {} {a}, {b}", pair(normal))
        }
        (Change::Translate(by) | Change::Place { by, .. }, ..) => {
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
        _ => format!("Transform {what}"),
    }
}

/// Returns the name of a handle, such as `Translate X`.
pub(crate) fn handle(handle: HandleId) -> String {
    match handle.constraint() {
        Constraint::Axis(axis) => format!("Translate {axis:?}"),
        Constraint::Plane(normal) => format!("Translate {}", pair(normal)),
        Constraint::ViewPlane => "Translate in the view plane".to_owned(),
        Constraint::Ring(axis) => format!("Rotate {axis:?}"),
        Constraint::ViewRing => "Rotate in the view plane".to_owned(),
        Constraint::Trackball => "Rotate freely".to_owned(),
        Constraint::ScaleAxis(axis) => format!("Scale {axis:?}"),
        Constraint::ScalePlane(normal) => format!("Scale {}", pair(normal)),
        Constraint::ScaleUniform => "Scale uniformly".to_owned(),
        Constraint::Box(_) => "Box handle".to_owned(),
        _ => handle.name().to_owned(),
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

/// Returns the axes of a plane, such as `YZ` for the normal X.
fn pair(normal: Axis) -> String {
    normal.others().map(|axis| format!("{axis:?}")).concat()
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
