//! Brings what is selected in line with the active node.

use super::style::{self, ROW, labeled};
use crate::editor::{Edge, Editor};
use egui::{Button, ComboBox, Ui, vec2};
use wgpu_gizmo::handle::Axis;

/// Width of the button of an axis, in points.
const BUTTON: f32 = 32.0;

/// By what nodes are aligned.
#[derive(Debug, Default)]
pub(super) struct Align {
    edge: Edge,
}

impl Align {
    /// Shows a line of it, where several are selected.
    pub(super) fn show(&mut self, ui: &mut Ui, editor: &mut Editor) {
        let Some(active) = editor.selection().active().filter(|_| editor.selection().nodes().len() > 1)
        else {
            return;
        };
        let to = editor.scene().nodes()[active].name.clone();
        let can_move = editor.adjustable().next().is_some();
        ui.add_enabled_ui(can_move, |ui| {
            labeled(ui, "Align by", |ui| {
                let buttons = 3.0 * (BUTTON + ui.spacing().item_spacing.x);
                let width = (ui.available_width() - buttons).max(80.0);
                let combo = ComboBox::from_id_salt("align").width(width).selected_text(self.edge.name());
                let response = combo.show_ui(ui, |ui| {
                    for (name, edge) in Edge::ALL {
                        ui.selectable_value(&mut self.edge, edge, name);
                    }
                });
                style::named(response.response, "Align by");
                for (axis, key) in [(Axis::X, "F7"), (Axis::Y, "F8"), (Axis::Z, "F9")] {
                    let button = ui.add(Button::new(format!("{axis:?}")).min_size(vec2(BUTTON, ROW)));
                    let does = format!("Align in {axis:?}");
                    let mut says = format!("As far along the world's {axis:?} as {to}");
                    if self.edge == Edge::Origin {
                        says = format!("{says} ({key})");
                    }
                    if style::named(button, &does).on_hover_text(says).clicked() {
                        editor.align(axis, self.edge);
                    }
                }
            });
        });
    }
}
