//! The page of keys.

use crate::command::{IN_A_DRAG, IN_THE_PANEL, POINTER, SHORTCUTS};
use egui::{Align2, Context, RichText, Ui};

/// Shows the page, while it is to be shown.
pub(super) fn show(context: &Context, shown: &mut bool) {
    let room = context.content_rect().height() - 90.0;
    egui::Window::new("Keys")
        .open(shown)
        .collapsible(false)
        .resizable(false)
        .fade_in(false)
        .fade_out(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(context, |ui| {
            egui::ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    let shortcuts: Vec<_> = SHORTCUTS.iter().map(|s| (s.shown, s.does)).collect();
                    ui.vertical(|ui| keys(ui, "Keys", &shortcuts));
                    ui.add_space(28.0);
                    ui.vertical(|ui| {
                        keys(ui, "In a drag", IN_A_DRAG);
                        ui.add_space(12.0);
                        keys(ui, "In the panel", IN_THE_PANEL);
                        ui.add_space(12.0);
                        keys(ui, "Pointer", POINTER);
                    });
                });
            });
        });
}

fn keys(ui: &mut Ui, title: &str, rows: &[(&str, &str)]) {
    ui.label(RichText::new(title).weak().small());
    egui::Grid::new(title).num_columns(2).spacing([20.0, 4.0]).min_row_height(17.0).show(ui, |ui| {
        for (key, does) in rows {
            ui.label(RichText::new(*key).strong());
            ui.label(*does);
            ui.end_row();
        }
    });
}
