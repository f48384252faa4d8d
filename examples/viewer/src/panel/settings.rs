//! The settings of the gizmo, most of which also have keyboard shortcuts.

use super::menus::Menus;
use super::number::{Channel, Shown, Typed, add_field, evaluate, format_increment};
use super::style::{self, ROW, checkbox, labeled};
use egui::{Button, Color32, ComboBox, DragValue, TextStyle, Ui};
use session::command::Command;
use session::keymap::Keymap;
use session::settings::{AllSettings, Group, PanelRow, Setting, Widget};
use wgpu_gizmo::interaction::expression::ExpressionError;
use wgpu_gizmo::math::Increment;

/// Shows the settings that change most.
pub(super) fn show(ui: &mut Ui, menus: &mut Menus<'_>) {
    rows(ui, menus, Group::Gizmo);
    labeled(ui, "", "", |ui| {
        let gizmo = menus.editor.gizmo();
        let (is_editing, is_edited) = (gizmo.is_editing_pivot(), gizmo.has_edited_pivot());
        let about = "Drags move the gizmo instead of the selection (I)";
        let edit = (Button::selectable(is_editing, "Edit").frame_when_inactive(true), 70.0, true);
        command(ui, menus, edit, "Edit the pivot", about, Command::EditPivot);
        let (reset, about) = (Button::new("Reset"), "Put the gizmo back to its place (Shift+I)");
        command(ui, menus, (reset, 70.0, is_edited), "Reset the pivot", about, Command::ResetPivot);
    });
    rows(ui, menus, Group::Box);
    if menus.editor.values().box_result.is_some() {
        rows(ui, menus, Group::ShownBox);
    }
    sections(ui, menus);
}

/// Shows the buttons that cut the selected objects.
fn sections(ui: &mut Ui, menus: &mut Menus<'_>) {
    let editor = &*menus.editor;
    let is_cut = editor.adjustable().any(|node| editor.scene().crop_box(node).is_some());
    let is_box = editor.adjustable().any(|node| editor.scene().mesh_box(node).is_some());
    labeled(ui, "Section", "", |ui| {
        for (text, cut) in [("X", Command::SectionX), ("Y", Command::SectionY), ("Z", Command::SectionZ)] {
            let key = Keymap::default().shown(cut).unwrap_or_default();
            let about = format!("Cuts in half across {text}; again: the other half; then none ({key})");
            command(ui, menus, (Button::new(text), 34.0, is_box), &format!("Section {text}"), &about, cut);
        }
        let remove = (Button::new("Remove"), 70.0, is_cut);
        command(ui, menus, remove, "Remove the sections", "Ctrl+F10", Command::RemoveSections);
    });
}

/// Shows a button of a command.
fn command(
    ui: &mut Ui,
    menus: &mut Menus<'_>,
    (button, width, is_enabled): (Button<'_>, f32, bool),
    name: &str,
    about: &str,
    command: Command,
) {
    let button = ui.add_enabled(is_enabled, button.min_size(egui::vec2(width, ROW)));
    if style::named(button, name).on_hover_text(about).clicked() {
        menus.commands.push(command);
    }
}

/// Shows the settings of snapping. A changed increment of translations no longer follows the grid.
pub(super) fn snapping(ui: &mut Ui, menus: &mut Menus<'_>) {
    rows(ui, menus, Group::Steps);
    let mut values = menus.editor.values();
    let before = values.increments().translate;
    let error = increments(ui, &mut values);
    menus.preferences.has_fixed_steps |= values.increments().translate != before;
    labeled(ui, "", "", |ui| {
        let check = checkbox(ui, values.snaps_always(), "Snap always");
        if check.on_hover_text("Ctrl then turns it off (M)").changed() {
            values.toggle_snapping();
        }
    });
    menus.editor.set_values(values);
    if let Some(error) = error {
        menus.editor.show_message(error);
    }
    labeled(ui, "", "", |ui| menus.grid_steps(ui, "Lengths follow the grid"));
    ui.add_space(4.0);
    rows(ui, menus, Group::UnderPointer);
}

/// Shows the increments. Returns a message about a typed text that is not a valid number, if any.
fn increments(ui: &mut Ui, values: &mut AllSettings) -> Option<String> {
    let mut message = None;
    labeled(ui, "Increments", "The steps of translations, rotations and scales", |ui| {
        let snap = values.increments();
        // The fields share the row, because their numbers must not widen the panel.
        ui.spacing_mut().button_padding.x = 2.0;
        let [width, ..] = style::columns(ui, 12.0, [1.0; 3]);
        let fields = [
            (("Translate increment", ["", ""], 0.01, 1.0), Channel::Translate, &mut snap.translate),
            (("Rotate increment", ["", "°"], 0.5, 1f64.to_radians()), Channel::Rotate, &mut snap.rotate),
            (("Scale increment", ["×", ""], 0.01, 1.0), Channel::Scale, &mut snap.scale),
        ];
        for (field, channel, value) in fields {
            if let Err(error) = increment(ui, field, channel, value, width) {
                message = Some(format!("{}: {error}", field.0));
            }
        }
    });
    message
}

/// Shows a field for an increment; 0 turns it off. `unit` converts from the shown unit to the gizmo's.
fn increment(
    ui: &mut Ui,
    (name, [prefix, suffix], speed, unit): (&str, [&str; 2], f64, f64),
    channel: Channel,
    value: &mut Option<Increment>,
    width: f32,
) -> Result<(), ExpressionError> {
    let mut number = value.map_or(0.0, |increment| increment.get() / unit);
    // Shows 15 instead of 14.999999999999998.
    number = (number * 1e9).round() / 1e9;
    let has_focus = style::focus_of_next(ui);
    let write = move |value: f64, _: std::ops::RangeInclusive<usize>| match value {
        _ if has_focus() => format!("{value}"),
        0.0 => "off".to_owned(),
        value => format!("{prefix}{}{suffix}", format_increment(value)),
    };
    let before = number;
    let field = DragValue::new(&mut number)
        .speed(speed)
        .range(0.0..=1e9)
        .clamp_existing_to_range(false)
        .clip_text(true)
        .min_size(egui::vec2(width, ROW - 2.0))
        .custom_formatter(write);
    let (response, typed) = add_field(ui, Shown { value: before, is_mixed: false }, field);
    let response = style::named(response, name);
    if response.on_hover_text(format!("{name}; 0 turns it off")).changed() {
        *value = Increment::new(number * unit);
    }
    let Some(typed) = typed else { return Ok(()) };
    let typed = if typed == "off" { Typed::Value(0.0) } else { evaluate(&typed, channel)? };
    // A negative number turns the increment off, as dragging below 0 does.
    number = typed.apply(before).clamp(0.0, 1e9);
    *value = Increment::new(number * unit);
    Ok(())
}

/// Shows the settings of handles, the rules of drags, and the theme.
pub(super) fn rules(ui: &mut Ui, menus: &mut Menus<'_>) {
    rows(ui, menus, Group::Rules);
}

/// Shows the settings of a group.
fn rows(ui: &mut Ui, menus: &mut Menus<'_>, group: Group) {
    let mut values = menus.editor.values();
    for setting in Setting::ALL {
        if let Some(row) = setting.panel().filter(|row| row.group == group) {
            ui.add_enabled_ui(setting.is_used(&values), |ui| {
                labeled(ui, row.label, row.about, |ui| widget(ui, setting, row, &mut values));
            });
        }
    }
    menus.editor.set_values(values);
}

fn widget(ui: &mut Ui, setting: Setting, row: PanelRow, values: &mut AllSettings) {
    let PanelRow { label, about, .. } = row;
    match row.widget {
        Widget::Check(text, about) => {
            if checkbox(ui, setting.is_on(values), text).on_hover_text(about).changed() {
                setting.choose_next(values);
            }
        }
        Widget::Combo => {
            let [width] = style::columns(ui, 0.0, [1.0]);
            let combo = ComboBox::from_id_salt(label).width(width).selected_text(setting.shown(values));
            let response = combo.show_ui(ui, |ui| {
                let chosen = setting.chosen(values);
                for (index, name) in setting.labels().into_iter().enumerate() {
                    if ui.selectable_label(chosen == Some(index), name).clicked() {
                        setting.choose(values, index);
                    }
                }
            });
            style::named(response.response, label).on_hover_text(about);
        }
        Widget::Buttons => segments(ui, setting, row, values),
        Widget::Length => {
            if let Some(number) = setting.number(values) {
                let field = DragValue::new(number).speed(0.01).range(1e-3..=1e9).max_decimals(4);
                let field = field.clamp_existing_to_range(false);
                style::named(ui.add(field), label).on_hover_text(about);
            }
        }
    }
}

/// Shows the choices as buttons in a row.
fn segments(ui: &mut Ui, setting: Setting, row: PanelRow, values: &mut AllSettings) {
    const GAP: f32 = 2.0;
    ui.spacing_mut().item_spacing.x = GAP;
    // The buttons share the row, because their names must not widen the panel.
    ui.spacing_mut().button_padding.x = 1.0;
    let font = TextStyle::Button.resolve(ui.style());
    let wanted = |name: &String| {
        let text = ui.painter().layout_no_wrap(name.clone(), font.clone(), Color32::WHITE);
        text.size().x + 2.0 * SEGMENT_MARGIN
    };
    // No handles at all have a tool instead of a button.
    let first = usize::from(setting == Setting::Mode);
    let names = &setting.labels()[first..];
    let free = (ui.available_width() - GAP * (names.len() - 1) as f32).max(0.0);
    let widths: Vec<f32> = names.iter().map(wanted).collect();
    let total: f32 = widths.iter().sum();
    for (index, (name, width)) in names.iter().zip(widths).enumerate() {
        let index = first + index;
        let size = egui::vec2((free * width / total).floor(), ROW);
        let button =
            Button::selectable(setting.chosen(values) == Some(index), name).truncate().min_size(size);
        let response = ui.add_sized(size, button.frame_when_inactive(true));
        let response = style::named(response, &format!("{}: {name}", row.label)).on_hover_text(row.about);
        if response.clicked() {
            setting.choose(values, index);
        }
    }
}

/// Space on either side of a name in a row of buttons, in points, if there is enough.
const SEGMENT_MARGIN: f32 = 10.0;
