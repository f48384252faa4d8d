//! The window with the keyboard shortcuts.

use crate::preferences::Preferences;
use egui::{Align2, Context, Id, Key, Label, RichText, TextEdit, Ui, vec2};
use session::command::{IN_A_DRAG, IN_THE_PANEL, POINTER};
use session::keymap::Keymap;

/// Help for the axis keys outside of a drag.
const AXIS_KEYS: (&str, &str) = ("X, Y, Z", "Drag along this axis with the pointer; Shift: in the plane");

/// Maximum width of the window, in points: the width of the longest lines.
const WIDTH: f32 = 1080.0;
/// The width below which the tables are in one column, in points.
const ONE_COLUMN: f32 = 760.0;
/// Space between the columns, in points.
const COLUMN_GAP: f32 = 28.0;
/// Space around the contents, including the title, in points.
const MARGINS: egui::Vec2 = vec2(48.0, 90.0);

/// Shows the window while `shown` is true.
pub(super) fn show(context: &Context, shown: &mut bool, preferences: &mut Preferences) {
    let available = (context.content_rect().size() - MARGINS).max(vec2(120.0, 60.0));
    let width = available.x.min(WIDTH);
    let mut is_canceled = false;
    egui::Window::new("Keyboard shortcuts")
        .open(shown)
        .collapsible(false)
        .fade_in(false)
        .fade_out(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        // A fixed size is right in the first frame, which may be the only one for a while.
        .fixed_size([width, available.y])
        .show(context, |ui| {
            let id = Id::unique("search of shortcuts");
            let mut query = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_default();
            let is_new = context.read_response(id).is_none();
            ui.horizontal(|ui| {
                let field = TextEdit::singleline(&mut query).id(id).hint_text("Search").desired_width(160.0);
                let field = super::style::named(ui.add(field), "Search shortcuts");
                if is_new {
                    field.request_focus();
                }
                is_canceled = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
                ui.label(RichText::new("Keymap").weak());
                for (name, keymap) in Keymap::ALL {
                    let button = ui.selectable_value(&mut preferences.keymap, keymap, name);
                    super::style::named(button, &format!("Keymap: {name}"));
                }
            });
            ui.add_space(4.0);
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                let keymap = preferences.keymap;
                let of_group = |title: &'static str| {
                    let bindings = keymap.bindings().filter(|binding| !binding.command.is_absent());
                    let rows = bindings.filter(|binding| binding.command.group() == title);
                    let rows = rows.map(|binding| (binding.shown, binding.command.label()));
                    let axes = keymap.has_axis_keys() && title == "Gizmo";
                    (title, rows.chain(axes.then_some(AXIS_KEYS)).collect::<Vec<_>>())
                };
                let words = query.to_lowercase();
                let tables = |ui: &mut Ui, tables: Vec<(&str, Vec<(&str, &str)>)>, width| {
                    for (title, mut rows) in tables {
                        rows.retain(|(key, does)| format!("{key} {does}").to_lowercase().contains(&words));
                        if !rows.is_empty() {
                            keys(ui, title, &rows, width);
                            ui.add_space(12.0);
                        }
                    }
                };
                let left = ["Nodes and history", "View"].map(of_group).to_vec();
                let mut right = ["Gizmo", "Files and window"].map(of_group).to_vec();
                let others =
                    [("During a drag", IN_A_DRAG), ("In the panel", IN_THE_PANEL), ("Pointer", POINTER)];
                right.extend(others.map(|(title, rows)| (title, rows.to_vec())));
                let width = ui.available_width();
                if width < ONE_COLUMN {
                    tables(ui, [left, right].concat(), width);
                } else {
                    let width = 0.5 * (width - COLUMN_GAP);
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = COLUMN_GAP;
                        ui.vertical(|ui| tables(ui, left, width));
                        ui.vertical(|ui| tables(ui, right, width));
                    });
                }
            });
            ui.data_mut(|data| data.insert_temp(id, query));
        });
    *shown &= !is_canceled;
}

/// Shows a table of this width, with wrapped lines.
fn keys(ui: &mut Ui, title: &str, rows: &[(&str, &str)], width: f32) {
    const GAP: f32 = 16.0;
    let key_width = (0.36 * width).min(KEY_WIDTH);
    ui.set_width(width);
    ui.label(RichText::new(title).weak().small());
    for (name, does) in rows {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            column(ui, key_width, RichText::new(*name).strong());
            column(ui, width - key_width - GAP, RichText::new(*does));
        });
    }
}

/// Maximum width of the column of keys, in points.
const KEY_WIDTH: f32 = 190.0;

fn column(ui: &mut Ui, width: f32, text: RichText) {
    ui.vertical(|ui| {
        ui.set_width(width);
        ui.add(Label::new(text).wrap());
    });
}
