//! Aligns the selected nodes with the active node.

use super::style::{self, ROW, labeled};
use egui::{Button, ComboBox, Ui, vec2};
use session::editor::{Edge, Editor};
use wgpu_gizmo::handle::Axis;

/// Width of an axis button, in points.
const BUTTON: f32 = 32.0;

/// Shows the controls if several nodes are selected. `edge` is the part of the nodes that is aligned.
pub(super) fn show(ui: &mut Ui, editor: &mut Editor, edge: &mut Edge) {
    let Some(active) = editor.selection().active().filter(|_| editor.selection().nodes().len() > 1) else {
        return;
    };
    let active_name = editor.scene().nodes()[active].name.clone();
    let can_move = editor.adjustable().next().is_some();
    ui.add_enabled_ui(can_move, |ui| {
        labeled(ui, "Align by", "The part of the nodes that is aligned with the active node", |ui| {
            let buttons = 3.0 * (BUTTON + ui.spacing().item_spacing.x);
            let [width] = style::columns(ui, buttons, [1.0]);
            let combo = ComboBox::from_id_salt("align").width(width).selected_text(edge.name());
            let response = combo.show_ui(ui, |ui| {
                for (name, other) in Edge::ALL {
                    ui.selectable_value(edge, other, name);
                }
            });
            style::named(response.response, "Align by");
            for (axis, key) in [(Axis::X, "F7"), (Axis::Y, "F8"), (Axis::Z, "F9")] {
                let button = ui.add(Button::new(format!("{axis:?}")).min_size(vec2(BUTTON, ROW)));
                let does = format!("Align in {axis:?}");
                let mut hint = format!("Move to the world {axis:?} of {active_name}");
                if *edge == Edge::Origin {
                    hint = format!("{hint} ({key})");
                }
                if style::named(button, &does).on_hover_text(hint).clicked() {
                    editor.align(axis, *edge);
                }
            }
        });
    });
}
