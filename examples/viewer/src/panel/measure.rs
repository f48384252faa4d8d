//! Lengths of the selection: the size of the active node, and the distance of two nodes.

use super::number::{Channel, NOISE, format_value, without_noise};
use super::style::{labeled, named};
use egui::{Label, RichText, Ui};
use session::editor::Editor;

/// Shows the size of the active node along its own axes, and the distance between two selected nodes.
pub(super) fn show(ui: &mut Ui, editor: &Editor, active: usize) {
    let scene = editor.scene();
    let format = |length: f64| format_value(length, Channel::Translate);
    if let Some(extents) = scene.extents(active) {
        let (matrix, size) = (scene.world_from_node(active), extents.max - extents.min);
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        let lengths = columns.into_iter().zip(size.to_array());
        let lengths = lengths.map(|(column, size)| format(column.truncate().length() * size));
        let text = lengths.collect::<Vec<_>>().join(" × ");
        row(
            ui,
            "Size",
            &text,
            "Sides of the mesh in meters, along the node's own X, Y and Z, as it is cropped",
        );
    }
    if let [a, b] = editor.selection().nodes() {
        let [from, to] = [a, b].map(|node| scene.world_from_node(*node).w_axis.truncate());
        let noise = NOISE * from.abs().max(to.abs()).max_element();
        let format = |length| format(without_noise(length, noise));
        let by = (to - from).to_array().map(format);
        let tooltip = format!("Between the origins, in meters: X {}, Y {}, Z {}", by[0], by[1], by[2]);
        row(ui, "Distance", &format(from.distance(to)), &tooltip);
    }
}

fn row(ui: &mut Ui, label: &str, text: &str, tooltip: &str) {
    labeled(ui, label, "", |ui| {
        let shown = ui.add(Label::new(RichText::new(text).monospace()).selectable(true).truncate());
        named(shown, &format!("{label}: {text}")).on_hover_text(tooltip);
    });
}
