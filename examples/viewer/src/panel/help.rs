//! The page of keys.

use crate::command::{IN_A_DRAG, IN_THE_PANEL, POINTER, SHORTCUTS};
use egui::{Align2, Context, Label, RichText, Ui, vec2};

/// As wide as the longest lines want it, in points.
const WIDTH: f32 = 1080.0;
/// Below this there is room for one column of tables alone.
const ONE_COLUMN: f32 = 760.0;
/// Between the columns.
const BETWEEN: f32 = 28.0;
/// Round the page, title included.
const ROUND: egui::Vec2 = vec2(48.0, 90.0);

/// Shows the page, while it is to be shown.
pub(super) fn show(context: &Context, shown: &mut bool) {
    let room = (context.content_rect().size() - ROUND).max(vec2(120.0, 60.0));
    let width = room.x.min(WIDTH);
    egui::Window::new("Keyboard shortcuts")
        .open(shown)
        .collapsible(false)
        .fade_in(false)
        .fade_out(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        // Said, not found out by and by: the first frame may be the only one for a while.
        .fixed_size([width, room.y])
        .show(context, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                let shortcuts: Vec<_> = SHORTCUTS.iter().map(|s| (s.shown, s.does)).collect();
                let others = |ui: &mut Ui, width| {
                    for (title, rows) in
                        [("In a drag", IN_A_DRAG), ("In the panel", IN_THE_PANEL), ("Pointer", POINTER)]
                    {
                        keys(ui, title, rows, width);
                        ui.add_space(12.0);
                    }
                };
                let width = ui.available_width();
                if width < ONE_COLUMN {
                    keys(ui, "Keys", &shortcuts, width);
                    ui.add_space(12.0);
                    others(ui, width);
                } else {
                    let width = 0.5 * (width - BETWEEN);
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = BETWEEN;
                        ui.vertical(|ui| keys(ui, "Keys", &shortcuts, width));
                        ui.vertical(|ui| others(ui, width));
                    });
                }
            });
        });
}

/// A table of this width: what does not fit into a line goes on in the next one.
fn keys(ui: &mut Ui, title: &str, rows: &[(&str, &str)], width: f32) {
    const GAP: f32 = 16.0;
    let key = (0.36 * width).min(KEY);
    ui.set_width(width);
    ui.label(RichText::new(title).weak().small());
    for (name, does) in rows {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            column(ui, key, RichText::new(*name).strong());
            column(ui, width - key - GAP, RichText::new(*does));
        });
    }
}

/// Width of the keys' column where there is room, in points.
const KEY: f32 = 190.0;

fn column(ui: &mut Ui, width: f32, text: RichText) {
    ui.vertical(|ui| {
        ui.set_width(width);
        ui.add(Label::new(text).wrap());
    });
}
