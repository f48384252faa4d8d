//! The toolbar at the left edge of the viewport: what an artist changes most, with the state of each setting.

use super::icons::{self, Icon};
use super::menus::{Menus, STEPS};
use super::style::{colors, named};
use egui::{
    Color32, Popup, RectAlign, Response, ScrollArea, Sense, Tooltip, Ui, WidgetInfo, accesskit::Role, vec2,
};
use session::command::Command;
use session::settings::Setting;

/// Width of the toolbar in points, if its buttons are in one column.
pub(super) const WIDTH: f32 = 40.0;
/// Height in points that all buttons in one column need.
const HEIGHT: f32 = 560.0;
/// Side of a button and space between buttons, in points.
const BUTTON: f32 = 30.0;
const GAP: f32 = 2.0;

/// A button of a command: its icon, its name for screen readers, and its tooltip.
type CommandButton = (Icon, &'static str, &'static str, Command);

const MODES: [CommandButton; 5] = [
    (icons::SELECT, "Tool: Select only", "Select only: no handles", Command::NoHandles),
    (icons::TRANSLATE, "Tool: Translate", "Translate", Command::Translate),
    (icons::ROTATE, "Tool: Rotate", "Rotate", Command::Rotate),
    (icons::SCALE, "Tool: Scale", "Scale", Command::Scale),
    (icons::UNIVERSAL, "Tool: Universal", "Universal: translate, rotate and scale", Command::Universal),
];

const VIEWS: [CommandButton; 5] = [
    (icons::FRAME, "Frame the selection", "Frame the selection, or everything", Command::FrameSelection),
    (icons::ORTHOGRAPHIC, "Toggle orthographic", "Orthographic view", Command::Orthographic),
    (icons::VIEWS, "Toggle four views", "One view or four", Command::FourViews),
    (icons::GRID, "Toggle the grid", "Grid", Command::Grid),
    (icons::CLAY, "Toggle clay", "Clay instead of materials", Command::Clay),
];

/// Shows the toolbar.
pub(super) fn show(ui: &mut Ui, menus: &mut Menus<'_>) {
    let frame = egui::Frame::new().fill(colors(ui).background).inner_margin(egui::Margin::symmetric(5, 6));
    // In a low window the buttons are in two columns, and below that they scroll.
    let is_low = ui.available_height() < HEIGHT;
    // The line at the edge takes a point of the second column.
    let width = if is_low { WIDTH + GAP + BUTTON + 1.0 } else { WIDTH };
    let panel = egui::Panel::left("toolbar").resizable(false).exact_size(width).frame(frame);
    panel.show(ui, |ui| {
        ui.spacing_mut().scroll = egui::style::ScrollStyle {
            // Beside the buttons, which have a margin.
            bar_outer_margin: -4.0,
            bar_width: 3.0,
            floating_allocated_width: 0.0,
            ..egui::style::ScrollStyle::thin()
        };
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for (index, group) in [modes, frame_and_pivot, snapping, looks, views].into_iter().enumerate() {
                if index > 0 {
                    separator(ui);
                }
                if is_low { drop(ui.horizontal_wrapped(|ui| group(ui, menus))) } else { group(ui, menus) }
            }
        });
    });
}

fn command(ui: &mut Ui, menus: &mut Menus<'_>, (icon, name, about, command): CommandButton) {
    let tooltip = with_key(about, command, "", menus);
    let is_on = command.state(menus.editor, menus.view).unwrap_or_default();
    if button(ui, icon, name, tooltip, [is_on, false]).clicked() {
        menus.commands.push(command);
    }
}

fn modes(ui: &mut Ui, menus: &mut Menus<'_>) {
    MODES.into_iter().for_each(|button| command(ui, menus, button));
}

fn views(ui: &mut Ui, menus: &mut Menus<'_>) {
    VIEWS.into_iter().for_each(|button| command(ui, menus, button));
}

fn frame_and_pivot(ui: &mut Ui, menus: &mut Menus<'_>) {
    let values = menus.editor.values();
    let shown = Setting::Orientation.shown(&values);
    let icon: Icon = match shown.as_str() {
        "Parent" => icons::PARENT,
        "Local" => icons::LOCAL,
        "View" => icons::VIEW,
        _ => icons::WORLD,
    };
    let about = format!("Orientation: {shown}");
    let tooltip = match Setting::Orientation.is_used(&values) {
        true => with_key(&about, Command::NextOrientation, ": next", menus),
        false => format!("{about}. Scale always follows the local axes"),
    };
    menu(ui, icon, "Choose the orientation", tooltip, false, |ui| menus.radios(ui, Setting::Orientation));
    let about = format!("Pivot: {}", Setting::Pivot.shown(&values));
    let tooltip = with_key(&about, Command::NextPivot, ": next", menus);
    let is_on = menus.editor.gizmo().is_editing_pivot() || menus.editor.gizmo().has_edited_pivot();
    menu(ui, icons::PIVOT, "Choose the pivot", tooltip, is_on, |ui| menus.pivot(ui));
}

fn snapping(ui: &mut Ui, menus: &mut Menus<'_>) {
    let values = menus.editor.values();
    let about = match values.snaps_always() {
        true => "Snapping is on; hold Ctrl to drag freely",
        false => "Snapping is off; hold Ctrl to snap",
    };
    command(ui, menus, (icons::MAGNET, "Toggle snapping", about, Command::SnapAlways));
    let under = Setting::SnapTo.shown(&values).to_lowercase();
    let steps = Setting::SnapKind.chosen(&values).map_or("", |index| STEPS[index]);
    let tooltip = format!("Snapping: steps {steps}; under the pointer: {under}");
    let is_on = Setting::SnapTo.chosen(&values) != Some(0);
    menu(ui, icons::SNAP_TARGET, "Choose what to snap to", tooltip, is_on, |ui| menus.snapping(ui));
}

fn looks(ui: &mut Ui, menus: &mut Menus<'_>) {
    let values = menus.editor.values();
    let tooltip = format!("Handles behind objects: {}", Setting::DepthStyle.shown(&values));
    let contents = |ui: &mut Ui| menus.radios(ui, Setting::DepthStyle);
    menu(ui, icons::DEPTH, "Choose the depth style", tooltip, false, contents);
    let about = format!("Box handles: {}", Setting::Box.shown(&values));
    let tooltip = with_key(&about, Command::NextBoxHandles, ": next", menus);
    let is_on = Setting::Box.chosen(&values) != Some(0);
    let contents = |ui: &mut Ui| menus.radios(ui, Setting::Box);
    menu(ui, icons::BOX_HANDLES, "Choose the box handles", tooltip, is_on, contents);
}

/// Returns a text with the key of a command, if it has one, and a note about the key.
fn with_key(text: &str, command: Command, note: &str, menus: &Menus<'_>) -> String {
    match menus.preferences.keymap.shown(command) {
        Some(key) => format!("{text} ({key}{note})"),
        None => text.to_owned(),
    }
}

fn separator(ui: &mut Ui) {
    ui.add_space(3.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().rect_filled(rect.shrink2(vec2(3.0, 0.0)), 0.0, colors(ui).line);
    ui.add_space(3.0);
}

/// Shows a button with a menu beside it.
fn menu(ui: &mut Ui, icon: Icon, name: &str, tooltip: String, is_on: bool, contents: impl FnOnce(&mut Ui)) {
    let response = button(ui, icon, name, tooltip, [is_on, true]);
    Popup::menu(&response).align(RectAlign::RIGHT_START).gap(6.0).show(|ui| {
        ui.set_min_width(170.0);
        contents(ui);
    });
}

/// Shows a button with a name for screen readers.
fn button(ui: &mut Ui, icon: Icon, name: &str, tooltip: String, [is_on, has_menu]: [bool; 2]) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(BUTTON, BUTTON), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, name));
    let (colors, visuals) = (colors(ui), ui.style().interact(&response));
    let fill = match (is_on, response.hovered() || response.has_focus()) {
        (true, _) => colors.selected_row,
        (false, true) => visuals.weak_bg_fill,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.0, colors.focus);
        ui.painter().rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Inside);
    }
    let color = match (is_on, response.hovered()) {
        (true, _) => colors.active,
        (false, true) => colors.strong,
        (false, false) => colors.text,
    };
    icons::paint(ui.painter(), rect, icon, color);
    if has_menu {
        // A small triangle in the corner, as on tools with variants elsewhere.
        let corner = rect.right_bottom() - vec2(3.0, 3.0);
        let triangle = vec![corner, corner - vec2(4.0, 0.0), corner - vec2(0.0, 4.0)];
        ui.painter().add(egui::Shape::convex_polygon(triangle, colors.weak, egui::Stroke::NONE));
    }
    // Beside the buttons, which a tooltip below would cover.
    let mut beside = Tooltip::for_enabled(&response);
    beside.popup = beside.popup.align(RectAlign::RIGHT).gap(8.0);
    beside.show(|ui| ui.label(tooltip));
    named(response, name)
}
