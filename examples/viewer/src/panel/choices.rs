//! Values of settings as radio items, for the toolbar and the menus.

use super::options::BOXES;
use super::settings::{DEPTH_STYLES, ORIENTATIONS, PIVOTS, SHEARS, SNAP_TOS, name_in};
use super::style::{checkbox, named, radio, weak};
use crate::preferences::Preferences;
use egui::{Button, Ui};
use scene::flags::Flag;
use session::command::Command;
use session::editor::Editor;
use session::keymap::Keymap;
use wgpu_gizmo::Settings;
use wgpu_gizmo::interaction::settings::{BoxResult, SnapKind};

/// The state that commands in a menu depend on.
#[derive(Clone, Copy)]
pub(super) struct Choices<'a> {
    pub(super) editor: &'a Editor,
    pub(super) keymap: Keymap,
}

/// Returns true if the command is absent in a browser: a page has neither a window of its own nor paths, and WebGPU
/// cannot find occluded objects.
pub(crate) fn is_absent(command: Command) -> bool {
    let needs_desktop =
        matches!(command, Command::Quit | Command::WriteRecording | Command::CopyAsTest | Command::Through);
    cfg!(target_arch = "wasm32") && needs_desktop
}

fn radios<T: PartialEq + Copy>(ui: &mut Ui, table: &[(&'static str, T)], value: &mut T) {
    for (name, option) in table {
        if radio(ui, *value == *option, *name).clicked() {
            *value = *option;
            ui.close();
        }
    }
}

pub(super) fn orientation(ui: &mut Ui, settings: &mut Settings) {
    radios(ui, &ORIENTATIONS, &mut settings.orientation);
}

pub(super) fn pivot(ui: &mut Ui, settings: &mut Settings) {
    radios(ui, &PIVOTS, &mut settings.pivot);
}

pub(super) fn shear(ui: &mut Ui, settings: &mut Settings) {
    radios(ui, &SHEARS, &mut settings.shear);
}

pub(super) fn depth_style(ui: &mut Ui, settings: &mut Settings) {
    radios(ui, &DEPTH_STYLES, &mut settings.depth_style);
}

pub(super) fn box_handles(ui: &mut Ui, result: &mut Option<BoxResult>) {
    radios(ui, &BOXES, result);
}

/// Shows the ways to snap, and what is snapped to under the pointer.
pub(super) fn snapping(ui: &mut Ui, settings: &mut Settings, preferences: &mut Preferences) {
    ui.label(weak("Steps").small());
    for (name, kind) in SNAP_KINDS {
        // A grid with a custom origin keeps it.
        let is_chosen = snap_kind_name(settings) == name;
        if radio(ui, is_chosen, name).clicked() && !is_chosen {
            settings.snap_kind = kind;
        }
    }
    let mut follows = !preferences.has_fixed_steps;
    let check = checkbox(ui, &mut follows, "Lengths follow the visible grid");
    let check = check.on_hover_text("One step is the distance between two lines of the grid that is drawn");
    if check.changed() {
        preferences.has_fixed_steps = !follows;
    }
    ui.separator();
    ui.label(weak("Under the pointer").small());
    radios(ui, &SNAP_TOS, &mut settings.snap_to);
}

const SNAP_KINDS: [(&str, SnapKind); 3] = [
    ("from the start", SnapKind::Relative),
    ("to the grid", SnapKind::Grid { origin_world: wgpu_gizmo::glam::DVec3::ZERO }),
    ("to values", SnapKind::Value),
];

pub(super) fn snap_kind_name(settings: &Settings) -> &'static str {
    match settings.snap_kind {
        SnapKind::Relative => SNAP_KINDS[0].0,
        SnapKind::Grid { .. } => SNAP_KINDS[1].0,
        SnapKind::Value => SNAP_KINDS[2].0,
    }
}

pub(super) fn snap_to_name(settings: &Settings) -> &'static str {
    name_in(&SNAP_TOS, settings.snap_to)
}

pub(super) fn depth_style_name(settings: &Settings) -> &'static str {
    name_in(&DEPTH_STYLES, settings.depth_style)
}

pub(super) fn box_name(result: Option<BoxResult>) -> &'static str {
    name_in(&BOXES, result)
}

/// Shows the commands that edit the pivot.
pub(super) fn pivot_commands(ui: &mut Ui, choices: Choices<'_>, commands: &mut Vec<Command>) {
    let mut is_editing = choices.editor.gizmo().is_editing_pivot();
    let check = checkbox(ui, &mut is_editing, "Edit the pivot");
    if check.on_hover_text("Drags move the gizmo instead of the selection").clicked() {
        commands.push(Command::EditPivot);
        ui.close();
    }
    command(ui, choices, Command::ResetPivot, commands);
}

/// Shows a command with its key.
pub(super) fn command(ui: &mut Ui, choices: Choices<'_>, command: Command, commands: &mut Vec<Command>) {
    let key = choices.keymap.shown(command).unwrap_or_default();
    let label = label(command, choices.editor);
    let button = Button::new(label).shortcut_text(weak(key));
    let response = ui.add_enabled(is_available(command, choices.editor), button);
    if named(response, label).clicked() {
        commands.push(command);
        ui.close();
    }
}

/// Returns the label of a command for the current selection.
fn label(command: Command, editor: &Editor) -> &'static str {
    let active = editor.selection().active();
    let is_set = |flag| active.is_some_and(|active| editor.scene().has_flag(active, flag));
    match command {
        Command::Hide if is_set(Flag::Hidden) => "Show",
        Command::Hide => "Hide",
        Command::Lock if is_set(Flag::Locked) => "Unlock",
        Command::Lock => "Lock",
        Command::LookThrough => "Look through, or return",
        _ => command.label(),
    }
}

/// Shows a command that toggles something, with its key and state.
pub(super) fn toggle(
    ui: &mut Ui,
    choices: Choices<'_>,
    (label, command): (&str, Command),
    is_on: bool,
    commands: &mut Vec<Command>,
) {
    let key = choices.keymap.shown(command).unwrap_or_default();
    let response = ui.add(Button::selectable(is_on, label).shortcut_text(weak(key)));
    if named(response, label).clicked() {
        commands.push(command);
        ui.close();
    }
}

/// Returns true if a command would have an effect now.
fn is_available(command: Command, editor: &Editor) -> bool {
    let (history, selected) = (editor.log(), editor.selection().nodes().len());
    match command {
        Command::Undo => history.done() > 0,
        Command::Redo => history.done() < history.entries().len(),
        Command::SelectNone | Command::Rename | Command::Hide | Command::Lock | Command::DropToGrid => {
            selected > 0
        }
        Command::Duplicate | Command::Delete => selected > 0,
        Command::ClearParent => {
            let mut nodes = editor.selection().nodes().iter();
            nodes.any(|node| editor.scene().nodes()[*node].parent.is_some())
        }
        Command::Grab(_) | Command::GrabInMode | Command::EditPivot | Command::LookThrough => selected > 0,
        Command::ResetPivot => editor.gizmo().has_edited_pivot(),
        Command::Align(_) | Command::ParentToActive => selected > 1,
        _ => true,
    }
}
