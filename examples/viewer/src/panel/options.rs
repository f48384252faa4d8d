//! Settings of the pivot, of box handles and of the grab mode.

use super::settings::{choice, name_in, segments};
use super::style::{self, ROW, checkbox, labeled};
use egui::{Button, DragValue, Ui};
use session::command::Command;
use session::editor::Editor;
use wgpu_gizmo::Settings;
use wgpu_gizmo::interaction::settings::{Axes, BoxResult, GrabMode};

pub(super) const BOXES: [(&str, Option<BoxResult>); 3] =
    [("Off", None), ("Transform", Some(BoxResult::Transform)), ("Crop box", Some(BoxResult::Extents))];

const GRABS: [(&str, GrabMode); 3] = [
    ("Hold the button", GrabMode::Hold),
    ("Click, move, click", GrabMode::Toggle),
    ("Either", GrabMode::Either),
];

const AXES: [(&str, Axes); 2] = [("Shared", Axes::Shared), ("Own", Axes::Own)];

/// Shows the buttons that edit the pivot. They are commands, which the window records.
pub(super) fn pivot_buttons(ui: &mut Ui, editor: &Editor, commands: &mut Vec<Command>) {
    let gizmo = editor.gizmo();
    labeled(ui, "", |ui| {
        let edit = Button::selectable(gizmo.is_editing_pivot(), "Edit").min_size(egui::vec2(70.0, ROW));
        let edit = style::named(ui.add(edit.frame_when_inactive(true)), "Edit the pivot");
        if edit.on_hover_text("Drags move the gizmo instead of the selection (I)").clicked() {
            commands.push(Command::EditPivot);
        }
        let reset = Button::new("Reset").min_size(egui::vec2(70.0, ROW));
        let reset = style::named(ui.add_enabled(gizmo.has_edited_pivot(), reset), "Reset the pivot");
        if reset.on_hover_text("Put the gizmo back to its place (Shift+I)").clicked() {
            commands.push(Command::ResetPivot);
        }
    });
}

/// Shows the axes that targets move along.
pub(super) fn axes(ui: &mut Ui, settings: &mut Settings) {
    labeled(ui, "Axes", |ui| segments(ui, "Axes", &AXES, &mut settings.axes, false));
}

/// Shows the settings of box handles.
pub(super) fn box_handles(ui: &mut Ui, editor: &mut Editor) {
    let mut result = editor.gizmo().settings.box_handles.map(|shown| shown.result);
    labeled(ui, "Box", |ui| segments(ui, "Box", &BOXES, &mut result, false));
    editor.set_box_handles(result);
    let mut settings = editor.gizmo().settings;
    let Some(shown) = &mut settings.box_handles else { return };
    labeled(ui, "", |ui| {
        let aspect = checkbox(ui, &mut shown.keep_aspect, "Keep the aspect");
        aspect.on_hover_text("Corners scale all sides by one factor");
    });
    labeled(ui, "Minimum side", |ui| {
        let field = DragValue::new(&mut shown.min_size).speed(0.01).range(1e-3..=1e9).max_decimals(4);
        let field = style::named(ui.add(field), "Minimum side");
        field.on_hover_text("The length at which a side of the box stops");
    });
    editor.set_settings(settings);
}

/// Shows the grab mode.
pub(super) fn grabbing(ui: &mut Ui, settings: &mut Settings) {
    // Shown as a combo box, because its names are long.
    choice(ui, "Grab", name_in(&GRABS, settings.grab), &GRABS, &mut settings.grab);
    labeled(ui, "", |ui| {
        let types = checkbox(ui, &mut settings.click_to_type, "Click to type");
        types.on_hover_text("A click on a handle types its number; Enter ends");
    });
    labeled(ui, "", |ui| {
        let nudges = checkbox(ui, &mut settings.wheel_nudge, "Wheel nudges handles");
        nudges.on_hover_text("5° per notch over a ring, one increment over an arrow");
    });
}
