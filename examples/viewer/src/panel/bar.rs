//! The menu bar, with the name of the open file.

use super::style;
use crate::files::Files;
use egui::{Align, Button, Label, Layout, MenuBar, Ui};
use session::command::{Command, SHORTCUTS};
use session::editor::Editor;
use wgpu_gizmo::handle::Axis;

/// Height of the menu bar, in points.
pub(super) const HEIGHT: f32 = 30.0;

/// Commands of the Edit menu, in groups.
const EDIT: [&[Command]; 5] = [
    &[Command::Undo, Command::Redo],
    &[Command::SelectAll, Command::SelectNone],
    &[Command::Rename, Command::Hide, Command::ShowAll, Command::Lock],
    &[Command::ParentToActive, Command::ClearParent, Command::Duplicate, Command::Delete],
    &[Command::DropToGrid, Command::Align(Axis::X), Command::Align(Axis::Y), Command::Align(Axis::Z)],
];

/// Commands of the View menu, in groups.
const VIEW: [&[Command]; 3] =
    [&[Command::Frame, Command::Views], &[Command::Panel, Command::NextTheme], &[Command::Help]];

/// Shows the bar. Chosen commands are added to `commands`.
pub(super) fn show(ui: &mut Ui, editor: &Editor, files: &mut Files, commands: &mut Vec<Command>) {
    // The margins center the menus vertically.
    let frame = style::bar(ui).inner_margin(egui::Margin::symmetric(style::EDGE, 4));
    let panel = egui::Panel::top("bar").frame(frame).exact_size(HEIGHT).show_separator_line(false);
    panel.show(ui, |ui| {
        MenuBar::new().ui(ui, |ui| {
            super::files::menu(ui, files);
            menu(ui, "Edit", &EDIT, editor, commands);
            menu(ui, "View", &VIEW, editor, commands);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = files.name();
                let is_saved = editor.is_saved() && !files.is_only_copy();
                let name = if is_saved { name } else { format!("{name} – unsaved") };
                ui.add(Label::new(style::weak(name)).truncate());
            });
        });
    });
}

fn menu(ui: &mut Ui, title: &str, groups: &[&[Command]], editor: &Editor, commands: &mut Vec<Command>) {
    ui.menu_button(title, |ui| {
        ui.set_min_width(220.0);
        for (index, group) in groups.iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            for command in *group {
                let Some(shortcut) = SHORTCUTS.iter().find(|shortcut| shortcut.command == *command) else {
                    continue;
                };
                let button = Button::new(shortcut.does).shortcut_text(style::weak(shortcut.shown));
                if ui.add_enabled(is_available(*command, editor), button).clicked() {
                    commands.push(*command);
                    ui.close();
                }
            }
        }
    });
}

/// Returns true if a command would have an effect now.
fn is_available(command: Command, editor: &Editor) -> bool {
    let (history, selected) = (editor.history(), editor.selection().nodes().len());
    match command {
        Command::Undo => history.done() > 0,
        Command::Redo => history.done() < history.steps().len(),
        Command::SelectNone | Command::Rename | Command::Hide | Command::Lock | Command::DropToGrid => {
            selected > 0
        }
        Command::ClearParent | Command::Duplicate | Command::Delete => selected > 0,
        Command::Align(_) | Command::ParentToActive => selected > 1,
        _ => true,
    }
}
