//! The status line: the selection, the settings of the gizmo, and messages.

use super::style::{EDGE, colors};
use egui::{Align, Frame, Label, Layout, Margin, RichText, Ui};
use render::overlay::Overlay;
use session::editor::Editor;
use session::status;

/// Height of the status line, in points.
pub(super) const HEIGHT: f32 = 30.0;

/// Shows the status line.
pub(super) fn show(ui: &mut Ui, editor: &Editor, overlay: &Overlay) {
    let frame = Frame::new().fill(colors(ui).status_bar).inner_margin(Margin::symmetric(EDGE, 0));
    let panel = egui::Panel::bottom("status").frame(frame).exact_size(HEIGHT).show_separator_line(false);
    panel.show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 10.0;
            match status::selection(editor) {
                Some(name) => ui.label(RichText::new(name).strong()),
                None => ui.label(RichText::new("Nothing selected").weak()),
            };
            ui.separator();
            ui.label(RichText::new(status::mode(editor.gizmo())).strong());
            ui.label(RichText::new(status::orientation(editor.gizmo())).weak());
            ui.label(RichText::new(status::pivot(editor.gizmo())).weak());
            if let Some(snapping) = status::snapping(editor.gizmo()) {
                ui.label(RichText::new(snapping).weak());
            }
            if editor.is_through() {
                ui.label(RichText::new("Select occluded").weak());
            }
            if let Some(drawing) = status::drawing(editor) {
                ui.separator();
                ui.label(RichText::new(drawing).strong());
            }
            for (readout, _) in overlay.readouts() {
                ui.separator();
                ui.label(RichText::new(readout).color(colors(ui).readout).monospace());
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(RichText::new("F1: shortcuts").weak());
                if let Some(message) = editor.message() {
                    ui.separator();
                    ui.add(Label::new(RichText::new(&message).strong()).truncate());
                }
            });
        });
    });
}
