//! The menus of commands, and the context menu of nodes.

use super::style::{checkbox, named, radio, weak};
use crate::preferences::Preferences;
use egui::{Button, Ui};
use session::command::{Command, Menu};
use session::editor::Editor;
use session::keymap::Keymap;
use session::settings::Setting;
use wgpu_gizmo::View;

/// The state that menus, the toolbar and the sections of the panel show and change, and the commands that were chosen,
/// which the window runs and records.
pub(super) struct Menus<'a> {
    pub(super) editor: &'a mut Editor,
    pub(super) view: &'a View,
    pub(super) preferences: &'a mut Preferences,
    pub(super) commands: &'a mut Vec<Command>,
}

impl Menus<'_> {
    /// Shows a command with its key and, if it toggles something, with its state.
    pub(super) fn command(&mut self, ui: &mut Ui, command: Command) {
        let key = weak(self.preferences.keymap.shown(command).unwrap_or_default());
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
        // Only the keymap Viewer has one key for all modes.
        let is_of_viewer = self.preferences.keymap == Keymap::Viewer;
        let is_shown = |command: &Command| {
            let grabs = command.grab_mode(self.editor).is_some();
            !grabs || (*command == Command::DragWithPointer) == is_of_viewer
        };
        let is_switch = |command: &Command| command.state(self.editor, self.view).is_some();
        let shown = Command::of_menu(menu, part).filter(is_shown);
        let (switches, commands): (Vec<_>, Vec<_>) = shown.partition(is_switch);
        let has_both = !switches.is_empty() && !commands.is_empty();
        commands.into_iter().for_each(|command| self.command(ui, command));
        if has_both {
            ui.separator();
        }
        switches.into_iter().for_each(|command| self.command(ui, command));
    }

    /// Shows all parts of a menu.
    pub(super) fn parts(&mut self, ui: &mut Ui, menu: Menu) {
        for part in (0..).take_while(|part| Command::of_menu(menu, *part).next().is_some()) {
            if part > 0 {
                ui.separator();
            }
            self.part(ui, menu, part);
            match (menu, part) {
                (Menu::Views, 3) => self.motion(ui),
                (Menu::Views, 4) => drop(ui.menu_button("Theme", |ui| self.radios(ui, Setting::Theme))),
                (Menu::Gizmo, 2) => {
                    ui.menu_button("Snap", |ui| self.snapping(ui));
                    ui.menu_button("Orientation", |ui| self.radios(ui, Setting::Orientation));
                    ui.menu_button("Pivot", |ui| self.pivot(ui));
                    ui.menu_button("Behind objects", |ui| self.radios(ui, Setting::DepthStyle));
                    ui.menu_button("Box handles", |ui| self.radios(ui, Setting::Box));
                    ui.menu_button("Non-uniform parents", |ui| self.radios(ui, Setting::Shear));
                }
                (Menu::Help, 0) => drop(ui.menu_button("Keymap", |ui| self.keymaps(ui))),
                (Menu::Help, 1) => {
                    ui.separator();
                    ui.label(weak(concat!("wgpu-gizmo-viewer ", env!("CARGO_PKG_VERSION"))));
                }
                _ => {}
            }
        }
    }

    fn motion(&mut self, ui: &mut Ui) {
        let reduces = self.preferences.reduces_motion();
        let check = checkbox(ui, reduces, "Reduced motion");
        if check.on_hover_text("The camera jumps without animation").changed() {
            self.preferences.reduced = Some(!reduces);
        }
    }

    fn keymaps(&mut self, ui: &mut Ui) {
        for (name, keymap) in Keymap::ALL {
            if radio(ui, self.preferences.keymap == keymap, format!("Keys of {name}")).clicked() {
                self.preferences.keymap = keymap;
                ui.close();
            }
        }
    }

    /// Shows the pivots, and the commands that edit the pivot.
    pub(super) fn pivot(&mut self, ui: &mut Ui) {
        self.radios(ui, Setting::Pivot);
        ui.separator();
        let check = checkbox(ui, self.editor.gizmo().is_editing_pivot(), "Edit the pivot");
        if check.on_hover_text("Drags move the gizmo instead of the selection").clicked() {
            self.commands.push(Command::EditPivot);
            ui.close();
        }
        self.command(ui, Command::ResetPivot);
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
    /// Shows the values of a setting.
    pub(super) fn radios(&mut self, ui: &mut Ui, setting: Setting) {
        self.radios_labeled(ui, setting, &setting.labels());
    }

    fn radios_labeled(&mut self, ui: &mut Ui, setting: Setting, labels: &[impl ToString]) {
        let chosen = setting.chosen(&self.editor.values());
        for (index, label) in labels.iter().enumerate() {
            if radio(ui, chosen == Some(index), label.to_string()).clicked() {
                self.editor.change(|values| setting.choose(values, index));
                ui.close();
            }
        }
    }

    /// Shows the ways to snap, and what is snapped to under the pointer.
    pub(super) fn snapping(&mut self, ui: &mut Ui) {
        ui.label(weak("Steps").small());
        self.radios_labeled(ui, Setting::SnapKind, &STEPS);
        self.grid_steps(ui, "Lengths follow the visible grid");
        ui.separator();
        ui.label(weak("Under the pointer").small());
        self.radios(ui, Setting::SnapTo);
    }

    /// Shows whether increments of translations follow the grid.
    pub(super) fn grid_steps(&mut self, ui: &mut Ui, text: &str) {
        let is_fixed = &mut self.preferences.has_fixed_steps;
        let about = "One step is the distance between two lines of the grid that is drawn";
        if checkbox(ui, !*is_fixed, text).on_hover_text(about).changed() {
            *is_fixed = !*is_fixed;
        }
    }
}

/// The ways to snap in steps.
pub(super) const STEPS: [&str; 3] = ["from the start", "to the grid", "to values"];
