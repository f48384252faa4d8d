//! The buttons of section planes.

use super::style::{self, ROW, labeled};
use egui::{Button, Ui};
use session::command::Command;
use session::editor::Editor;
use wgpu_gizmo::handle::Axis;

const AXES: [(&str, Axis, &str); 3] =
    [("X", Axis::X, "Ctrl+F7"), ("Y", Axis::Y, "Ctrl+F8"), ("Z", Axis::Z, "Ctrl+F9")];

/// Shows the buttons that cut the selected objects. They are commands, which the window records.
pub(super) fn buttons(ui: &mut Ui, editor: &Editor, commands: &mut Vec<Command>) {
    let is_cut = editor.adjustable().any(|node| editor.scene().crop_box(node).is_some());
    let is_box = editor.adjustable().any(|node| editor.scene().mesh_box(node).is_some());
    labeled(ui, "Section", |ui| {
        for (text, axis, key) in AXES {
            let button = ui.add_enabled(is_box, Button::new(text).min_size(egui::vec2(34.0, ROW)));
            let button = style::named(button, &format!("Section {text}"));
            let hint = format!("Cuts in half across {text}; again: the other half; then none ({key})");
            if button.on_hover_text(hint).clicked() {
                commands.push(Command::Section(axis));
            }
        }
        let remove = ui.add_enabled(is_cut, Button::new("Remove").min_size(egui::vec2(70.0, ROW)));
        if style::named(remove, "Remove the sections").on_hover_text("Ctrl+F10").clicked() {
            commands.push(Command::RemoveSections);
        }
    });
}
