//! The menus View, Gizmo and Help, and the context menu of nodes.

use super::style::{checkbox, named, radio, weak};
use crate::preferences::{Motion, Preferences};
use egui::{Button, Ui};
use session::command::{Command, Menu};
use session::editor::Editor;
use session::keymap::Keymap;
use session::settings::{AllSettings, Setting};
use wgpu_gizmo::View;

/// The state that commands in menus depend on, and the commands that were chosen.
pub(super) struct Menus<'a> {
    pub(super) editor: &'a Editor,
    pub(super) view: &'a View,
    pub(super) keymap: Keymap,
    pub(super) commands: &'a mut Vec<Command>,
}

impl Menus<'_> {
    /// Shows a command with its key and, if it toggles something, with its state.
    pub(super) fn command(&mut self, ui: &mut Ui, command: Command) {
        let key = weak(self.keymap.shown(command).unwrap_or_default());
        let label = command.menu_label(self.editor);
        let button = match command.state(self.editor, self.view) {
            Some(is_on) => Button::selectable(is_on, label),
            None => Button::new(label),
        };
        let response = ui.add_enabled(command.is_available(self.editor), button.shortcut_text(key));
        if named(response, label).clicked() {
            self.commands.push(command);
            ui.close();
        }
    }

    /// Shows the commands in a part of a menu, and below a line its switches.
    fn part(&mut self, ui: &mut Ui, menu: Menu, part: u8) {
        let is_switch = |command: &Command| command.state(self.editor, self.view).is_some();
        let (switches, commands): (Vec<_>, Vec<_>) = Command::of_menu(menu, part).partition(is_switch);
        let has_both = !switches.is_empty() && !commands.is_empty();
        commands.into_iter().for_each(|command| self.command(ui, command));
        if has_both {
            ui.separator();
        }
        switches.into_iter().for_each(|command| self.command(ui, command));
    }

    /// Shows the commands in all parts of a menu.
    pub(super) fn parts(&mut self, ui: &mut Ui, menu: Menu) {
        for part in (0..).take_while(|part| Command::of_menu(menu, *part).next().is_some()) {
            if part > 0 {
                ui.separator();
            }
            self.part(ui, menu, part);
        }
    }

    /// Shows the contents of the View menu.
    pub(super) fn view(&mut self, ui: &mut Ui, values: &mut AllSettings, preferences: &mut Preferences) {
        for part in 0..3 {
            self.part(ui, Menu::Views, part);
            ui.separator();
        }
        self.part(ui, Menu::Views, 3);
        let mut reduces = preferences.reduces_motion();
        let check = checkbox(ui, &mut reduces, "Reduced motion");
        if check.on_hover_text("The camera jumps without animation").changed() {
            preferences.motion = if reduces { Motion::Reduced } else { Motion::Full };
        }
        ui.separator();
        self.part(ui, Menu::Views, 4);
        ui.menu_button("Theme", |ui| radios(ui, Setting::Theme, values));
    }

    /// Shows the contents of the Gizmo menu.
    pub(super) fn gizmo(&mut self, ui: &mut Ui, values: &mut AllSettings, preferences: &mut Preferences) {
        self.part(ui, Menu::Gizmo, 0);
        ui.separator();
        // Only the keymap Viewer has one key for all modes.
        let is_shown = |command: &Command| {
            (*command == Command::DragWithPointer) == (preferences.keymap == Keymap::Viewer)
        };
        for command in Command::of_menu(Menu::Gizmo, 1).filter(is_shown) {
            self.command(ui, command);
        }
        ui.separator();
        self.part(ui, Menu::Gizmo, 2);
        ui.menu_button("Snap", |ui| snapping(ui, values, preferences));
        ui.menu_button("Orientation", |ui| radios(ui, Setting::Orientation, values));
        ui.menu_button("Pivot", |ui| self.pivot(ui, values));
        ui.menu_button("Behind objects", |ui| radios(ui, Setting::DepthStyle, values));
        ui.menu_button("Box handles", |ui| radios(ui, Setting::Box, values));
        ui.menu_button("Non-uniform parents", |ui| radios(ui, Setting::Shear, values));
        ui.separator();
        self.part(ui, Menu::Gizmo, 3);
    }

    /// Shows the pivots, and the commands that edit the pivot.
    pub(super) fn pivot(&mut self, ui: &mut Ui, values: &mut AllSettings) {
        radios(ui, Setting::Pivot, values);
        ui.separator();
        let mut is_editing = self.editor.gizmo().is_editing_pivot();
        let check = checkbox(ui, &mut is_editing, "Edit the pivot");
        if check.on_hover_text("Drags move the gizmo instead of the selection").clicked() {
            self.commands.push(Command::EditPivot);
            ui.close();
        }
        self.command(ui, Command::ResetPivot);
    }

    /// Shows the contents of the Help menu.
    pub(super) fn help(&mut self, ui: &mut Ui, preferences: &mut Preferences) {
        self.part(ui, Menu::Help, 0);
        ui.menu_button("Keymap", |ui| {
            for (name, keymap) in Keymap::ALL {
                if radio(ui, preferences.keymap == keymap, format!("Keys of {name}")).clicked() {
                    preferences.keymap = keymap;
                    ui.close();
                }
            }
        });
        ui.separator();
        self.part(ui, Menu::Help, 1);
        ui.separator();
        ui.label(weak(concat!("wgpu-gizmo-viewer ", env!("CARGO_PKG_VERSION"))));
    }

    /// Shows the context menu of the selected nodes.
    pub(super) fn of_nodes(&mut self, ui: &mut Ui) {
        ui.set_min_width(220.0);
        match session::status::selection(self.editor) {
            Some(selection) => {
                ui.label(weak(selection).small());
                self.parts(ui, Menu::Nodes);
            }
            None => {
                for command in [Command::SelectAll, Command::ShowAll, Command::FrameAll] {
                    self.command(ui, command);
                }
            }
        }
    }
}

/// Shows the values of a setting.
pub(super) fn radios(ui: &mut Ui, setting: Setting, values: &mut AllSettings) {
    radios_labeled(ui, setting, values, &setting.labels());
}

fn radios_labeled(ui: &mut Ui, setting: Setting, values: &mut AllSettings, labels: &[impl ToString]) {
    let chosen = setting.chosen(values);
    for (index, label) in labels.iter().enumerate() {
        if radio(ui, chosen == Some(index), label.to_string()).clicked() {
            setting.choose(values, index);
            ui.close();
        }
    }
}

/// The ways to snap in steps.
pub(super) const STEPS: [&str; 3] = ["from the start", "to the grid", "to values"];

/// Shows the ways to snap, and what is snapped to under the pointer.
pub(super) fn snapping(ui: &mut Ui, values: &mut AllSettings, preferences: &mut Preferences) {
    ui.label(weak("Steps").small());
    radios_labeled(ui, Setting::SnapKind, values, &STEPS);
    grid_steps(ui, "Lengths follow the visible grid", &mut preferences.has_fixed_steps);
    ui.separator();
    ui.label(weak("Under the pointer").small());
    radios(ui, Setting::SnapTo, values);
}

/// Shows whether increments of translations follow the grid.
pub(super) fn grid_steps(ui: &mut Ui, text: &str, has_fixed_steps: &mut bool) {
    let mut follows = !*has_fixed_steps;
    let about = "One step is the distance between two lines of the grid that is drawn";
    if checkbox(ui, &mut follows, text).on_hover_text(about).changed() {
        *has_fixed_steps = !follows;
    }
}
