//! The menus View, Gizmo and Help, and the context menu of nodes.

use super::choices::{self, Choices};
use super::settings::theme_name;
use super::style::{checkbox, radio};
use crate::preferences::{Motion, Preferences};
use egui::Ui;
use scene::style::Shading;
use session::command::Command;
use session::editor::Editor;
use session::keymap::Keymap;
use session::replay_file::THEMES;
use session::space_mouse::Moves;
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::{Mode, Snap, View};

const SIDES: [Command; 7] = [
    Command::Face(DVec3::Z),
    Command::Face(DVec3::NEG_Z),
    Command::Face(DVec3::X),
    Command::Face(DVec3::NEG_X),
    Command::Face(DVec3::Y),
    Command::Face(DVec3::NEG_Y),
    Command::Opposite,
];

const MODES: [Mode; 5] = [Mode::None, Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal];

/// Commands on the selected nodes, in groups.
const OF_NODES: [&[Command]; 4] = [
    &[Command::Rename, Command::Duplicate, Command::Delete],
    &[Command::Hide, Command::ShowAll, Command::Lock],
    &[Command::Frame, Command::LookThrough],
    &[Command::ParentToActive, Command::ClearParent],
];

/// Shows the contents of the View menu.
pub(super) fn view(
    ui: &mut Ui,
    editor: &mut Editor,
    view: &View,
    preferences: &mut Preferences,
    commands: &mut Vec<Command>,
) {
    let choices = Choices { editor, keymap: preferences.keymap };
    for command in [Command::Frame, Command::FrameAll] {
        choices::command(ui, choices, command, commands);
    }
    ui.separator();
    for command in SIDES {
        choices::command(ui, choices, command, commands);
    }
    let toggle = ("Orthographic", Command::ToggleOrthographic);
    choices::toggle(ui, choices, toggle, view.is_orthographic(), commands);
    ui.separator();
    for command in [Command::Views, Command::LookThrough, Command::Fly] {
        choices::command(ui, choices, command, commands);
    }
    ui.separator();
    let style = editor.scene_style();
    choices::toggle(ui, choices, ("Grid", Command::Grid), !style.without_grid, commands);
    choices::toggle(ui, choices, ("Clay", Command::Shading), style.shading == Shading::Clay, commands);
    let handles = ("Handles of cameras and lights", Command::Volumes);
    choices::toggle(ui, choices, handles, editor.shows_volumes(), commands);
    let mut reduces = preferences.reduces_motion();
    let check = checkbox(ui, &mut reduces, "Reduced motion");
    if check.on_hover_text("The camera jumps without animation").changed() {
        preferences.motion = if reduces { Motion::Reduced } else { Motion::Full };
    }
    if !cfg!(target_arch = "wasm32") {
        space_mouse(ui, preferences);
    }
    ui.separator();
    choices::command(ui, choices, Command::Panel, commands);
    let mut theme = editor.gizmo().theme;
    ui.menu_button("Theme", |ui| {
        for (name, option) in THEMES {
            if radio(ui, theme == option, theme_name(name)).clicked() {
                theme = option;
                ui.close();
            }
        }
    });
    editor.set_theme(theme);
}

/// Shows the contents of the Gizmo menu.
pub(super) fn gizmo(
    ui: &mut Ui,
    editor: &mut Editor,
    preferences: &mut Preferences,
    commands: &mut Vec<Command>,
) {
    let choices = Choices { editor, keymap: preferences.keymap };
    for mode in MODES {
        let command = Command::Mode(mode);
        let is_on = editor.gizmo().settings.mode == mode;
        choices::toggle(ui, choices, (command.label(), command), is_on, commands);
    }
    ui.separator();
    let grabs = match preferences.keymap {
        Keymap::Viewer => &[Command::GrabInMode][..],
        Keymap::Blender | Keymap::Unity => {
            &[Command::Grab(Mode::Translate), Command::Grab(Mode::Rotate), Command::Grab(Mode::Scale)]
        }
    };
    for command in grabs {
        choices::command(ui, choices, *command, commands);
    }
    ui.separator();
    let is_on = editor.gizmo().settings.snap != Snap::OFF;
    choices::toggle(ui, choices, ("Snapping", Command::SnapAlways), is_on, commands);
    let mut settings = editor.gizmo().settings;
    ui.menu_button("Snap", |ui| choices::snapping(ui, &mut settings, preferences));
    ui.menu_button("Orientation", |ui| choices::orientation(ui, &mut settings));
    ui.menu_button("Pivot", |ui| {
        choices::pivot(ui, &mut settings);
        ui.separator();
        choices::pivot_commands(ui, choices, commands);
    });
    ui.menu_button("Behind objects", |ui| choices::depth_style(ui, &mut settings));
    let before = settings.box_handles.map(|shown| shown.result);
    let mut result = before;
    ui.menu_button("Box handles", |ui| choices::box_handles(ui, &mut result));
    ui.menu_button("Non-uniform parents", |ui| choices::shear(ui, &mut settings));
    ui.separator();
    let flips = settings.flip_toward_camera;
    choices::toggle(ui, choices, ("Flip toward the camera", Command::Flip), flips, commands);
    let lines = settings.construction_lines;
    choices::toggle(ui, choices, ("Construction lines", Command::ConstructionLines), lines, commands);
    editor.set_settings(settings);
    if result != before {
        editor.set_box_handles(result);
    }
}

/// Shows the contents of the Help menu.
pub(super) fn help(ui: &mut Ui, editor: &Editor, preferences: &mut Preferences, commands: &mut Vec<Command>) {
    let choices = Choices { editor, keymap: preferences.keymap };
    choices::command(ui, choices, Command::Help, commands);
    ui.menu_button("Keymap", |ui| keymaps(ui, preferences));
    ui.separator();
    let recordings = [Command::WriteRecording, Command::CopyAsTest].into_iter();
    for command in recordings.filter(|command| !choices::is_absent(*command)) {
        choices::command(ui, choices, command, commands);
    }
    ui.separator();
    ui.label(super::style::weak(concat!("wgpu-gizmo-viewer ", env!("CARGO_PKG_VERSION"))));
}

/// Shows the keymaps.
pub(super) fn keymaps(ui: &mut Ui, preferences: &mut Preferences) {
    for (name, keymap) in Keymap::ALL {
        if radio(ui, preferences.keymap == keymap, format!("Keys of {name}")).clicked() {
            preferences.keymap = keymap;
            ui.close();
        }
    }
}

/// Shows the context menu of the selected nodes.
pub(super) fn of_nodes(ui: &mut Ui, choices: Choices<'_>, commands: &mut Vec<Command>) {
    ui.set_min_width(220.0);
    match session::status::selection(choices.editor) {
        Some(selection) => {
            ui.label(super::style::weak(selection).small());
            for (index, group) in OF_NODES.iter().enumerate() {
                if index > 0 {
                    ui.separator();
                }
                for command in *group {
                    choices::command(ui, choices, *command, commands);
                }
            }
        }
        None => {
            for command in [Command::SelectAll, Command::ShowAll, Command::FrameAll] {
                choices::command(ui, choices, command, commands);
            }
        }
    }
}

/// Shows what a SpaceMouse moves. Browsers have none.
fn space_mouse(ui: &mut Ui, preferences: &mut Preferences) {
    let mut is_of_camera = preferences.space_mouse == Moves::Camera;
    let check = checkbox(ui, &mut is_of_camera, "SpaceMouse moves only the camera");
    if check.on_hover_text("Otherwise it moves the selection. Its first button toggles this").changed() {
        preferences.space_mouse = if is_of_camera { Moves::Camera } else { Moves::Selection };
    }
}
