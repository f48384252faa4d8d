//! The menu bar, with the name of the open file.

use super::menus::Menus;
use super::style;
use crate::files::Files;
use egui::{Align, Label, Layout, MenuBar, Ui};
use session::command::Menu;

/// Height of the menu bar, in points.
pub(super) const HEIGHT: f32 = 30.0;

/// Height that any menu fits into, in points.
const HIGHEST_MENU: f32 = 600.0;

/// Shows the bar.
pub(super) fn show(ui: &mut Ui, menus: &mut Menus<'_>, files: &mut Files) {
    // The margins center the menus vertically.
    let frame = style::bar(ui).inner_margin(egui::Margin::symmetric(style::EDGE, 4));
    let panel = egui::Panel::top("bar").frame(frame).exact_size(HEIGHT).show_separator_line(false);
    panel.show(ui, |ui| {
        MenuBar::new().ui(ui, |ui| {
            super::files::menu(ui, files);
            let shown =
                [("Edit", Menu::Edit), ("View", Menu::Views), ("Gizmo", Menu::Gizmo), ("Help", Menu::Help)];
            shown.into_iter().for_each(|(title, menu)| wide_menu(ui, title, |ui| menus.parts(ui, menu)));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = files.file.name();
                let is_saved = files.file.is_saved(menus.editor);
                let name = if is_saved { name } else { format!("{name} – unsaved") };
                ui.add(Label::new(style::weak(name)).truncate());
            });
        });
    });
}

fn wide_menu(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    // The height of the window below the bar, without the margins of a menu.
    let max_height = ui.ctx().content_rect().height() - HEIGHT - 24.0;
    ui.menu_button(title, |ui| {
        ui.set_min_width(220.0);
        // A low window scrolls its menus.
        match max_height < HIGHEST_MENU {
            true => drop(egui::ScrollArea::vertical().max_height(max_height).show(ui, contents)),
            false => contents(ui),
        }
    });
}
