//! The toolbar at the left edge of the viewport: what an artist changes most, with the state of each setting.

use super::choices::{self, Choices};
use super::style::{colors, named};
use super::toolbar_icons::{self, Icon};
use crate::preferences::Preferences;
use egui::{Popup, RectAlign, Response, ScrollArea, Sense, Ui, WidgetInfo, accesskit::Role, vec2};
use session::command::Command;
use session::editor::Editor;
use session::status;
use wgpu_gizmo::{Mode, Orientation, Snap, View};

/// Width of the toolbar in points, if its buttons are in one column.
pub(super) const WIDTH: f32 = 40.0;
/// Height in points that all buttons in one column need.
const HEIGHT: f32 = 560.0;
/// Side of a button and space between buttons, in points.
const BUTTON: f32 = 30.0;
const GAP: f32 = 2.0;

const MODES: [(Icon, Mode, &str); 5] = [
    (Icon::Select, Mode::None, "Select only: no handles"),
    (Icon::Translate, Mode::Translate, "Translate"),
    (Icon::Rotate, Mode::Rotate, "Rotate"),
    (Icon::Scale, Mode::Scale, "Scale"),
    (Icon::Universal, Mode::Universal, "Universal: translate, rotate and scale"),
];

/// A button of the toolbar.
struct Tool<'a> {
    icon: Icon,
    /// The name for screen readers.
    name: &'a str,
    tooltip: String,
    is_on: bool,
    /// Whether a menu opens beside the button.
    has_menu: bool,
}

/// Shows the toolbar. Chosen commands are added to `commands`.
pub(super) fn show(
    ui: &mut Ui,
    editor: &mut Editor,
    view: &View,
    preferences: &mut Preferences,
    commands: &mut Vec<Command>,
) {
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
            let mut group = |ui: &mut Ui, index: usize| match index {
                0 => modes(ui, editor, preferences),
                1 => frame_and_pivot(ui, editor, preferences, commands),
                2 => snapping(ui, editor, preferences, commands),
                3 => looks(ui, editor, preferences),
                _ => views(ui, editor, view, preferences, commands),
            };
            for index in 0..GROUPS {
                if index > 0 {
                    separator(ui);
                }
                match is_low {
                    true => drop(ui.horizontal_wrapped(|ui| group(ui, index))),
                    false => group(ui, index),
                }
            }
        });
    });
}

/// Number of groups of buttons.
const GROUPS: usize = 5;

fn modes(ui: &mut Ui, editor: &mut Editor, preferences: &Preferences) {
    let mut settings = editor.gizmo().settings;
    for (icon, mode, does) in MODES {
        let name = format!("Tool: {}", does.split(':').next().unwrap_or(does));
        let tooltip = with_key(does, Command::Mode(mode), preferences);
        let is_on = settings.mode == mode;
        if button(ui, Tool { icon, name: &name, tooltip, is_on, has_menu: false }).clicked() {
            settings.mode = mode;
        }
    }
    editor.set_settings(settings);
}

fn frame_and_pivot(ui: &mut Ui, editor: &mut Editor, preferences: &Preferences, commands: &mut Vec<Command>) {
    let mut settings = editor.gizmo().settings;
    let shown = status::orientation(editor.gizmo());
    let icon = match settings.orientation {
        _ if settings.mode == Mode::Scale => Icon::Local,
        Orientation::World | Orientation::Custom(_) => Icon::World,
        Orientation::Parent => Icon::Parent,
        Orientation::Local => Icon::Local,
        Orientation::View => Icon::View,
    };
    let about = match settings.mode {
        Mode::Scale => "Orientation: Local. Scale always follows the local axes".to_owned(),
        _ => with_next_key(&format!("Orientation: {shown}"), Command::NextOrientation, preferences),
    };
    let tool = Tool { icon, name: "Choose the orientation", tooltip: about, is_on: false, has_menu: true };
    menu(ui, tool, |ui| choices::orientation(ui, &mut settings));
    let about = format!("Pivot: {}", status::pivot(editor.gizmo()));
    let about = with_next_key(&about, Command::NextPivot, preferences);
    let is_on = editor.gizmo().is_editing_pivot() || editor.gizmo().has_edited_pivot();
    let tool = Tool { icon: Icon::Pivot, name: "Choose the pivot", tooltip: about, is_on, has_menu: true };
    menu(ui, tool, |ui| {
        choices::pivot(ui, &mut settings);
        ui.separator();
        choices::pivot_commands(ui, Choices { editor, keymap: preferences.keymap }, commands);
    });
    editor.set_settings(settings);
}

fn snapping(ui: &mut Ui, editor: &mut Editor, preferences: &mut Preferences, commands: &mut Vec<Command>) {
    let is_on = editor.gizmo().settings.snap != Snap::OFF;
    let about = match is_on {
        true => "Snapping is on; hold Ctrl to drag freely",
        false => "Snapping is off; hold Ctrl to snap",
    };
    let tooltip = with_key(about, Command::SnapAlways, preferences);
    let tool = Tool { icon: Icon::Magnet, name: "Toggle snapping", tooltip, is_on, has_menu: false };
    if button(ui, tool).clicked() {
        commands.push(Command::SnapAlways);
    }
    let mut settings = editor.gizmo().settings;
    let under = choices::snap_to_name(&settings);
    let steps = choices::snap_kind_name(&settings);
    let tooltip = format!("Snapping: steps {steps}; under the pointer: {}", under.to_lowercase());
    let is_on = !settings.snap_to.is_empty();
    let tool =
        Tool { icon: Icon::SnapTarget, name: "Choose what to snap to", tooltip, is_on, has_menu: true };
    menu(ui, tool, |ui| choices::snapping(ui, &mut settings, preferences));
    editor.set_settings(settings);
}

fn looks(ui: &mut Ui, editor: &mut Editor, preferences: &Preferences) {
    let mut settings = editor.gizmo().settings;
    let tooltip = format!("Handles behind objects: {}", choices::depth_style_name(&settings));
    let (name, is_on) = ("Choose the depth style", false);
    let tool = Tool { icon: Icon::Depth, name, tooltip, is_on, has_menu: true };
    menu(ui, tool, |ui| choices::depth_style(ui, &mut settings));
    editor.set_settings(settings);
    let mut result = settings.box_handles.map(|shown| shown.result);
    let about = format!("Box handles: {}", choices::box_name(result));
    let tooltip = with_next_key(&about, Command::NextBox, preferences);
    let is_on = result.is_some();
    let tool =
        Tool { icon: Icon::BoxHandles, name: "Choose the box handles", tooltip, is_on, has_menu: true };
    menu(ui, tool, |ui| choices::box_handles(ui, &mut result));
    editor.set_box_handles(result);
}

fn views(ui: &mut Ui, editor: &Editor, view: &View, preferences: &Preferences, commands: &mut Vec<Command>) {
    let style = editor.scene_style();
    for (icon, name, does, command, is_on) in [
        (Icon::Frame, "Frame the selection", "Frame the selection, or everything", Command::Frame, false),
        (
            Icon::Orthographic,
            "Toggle orthographic",
            "Orthographic view",
            Command::ToggleOrthographic,
            view.is_orthographic(),
        ),
        (Icon::Views, "Toggle four views", "One view or four", Command::Views, false),
        (Icon::Grid, "Toggle the grid", "Grid", Command::Grid, !style.without_grid),
        (
            Icon::Clay,
            "Toggle clay",
            "Clay instead of materials",
            Command::Shading,
            style.shading == scene::style::Shading::Clay,
        ),
    ] {
        let tooltip = with_key(does, command, preferences);
        if button(ui, Tool { icon, name, tooltip, is_on, has_menu: false }).clicked() {
            commands.push(command);
        }
    }
}

/// Returns a text with the key of a command, if it has one.
fn with_key(text: &str, command: Command, preferences: &Preferences) -> String {
    match preferences.keymap.shown(command) {
        Some(key) => format!("{text} ({key})"),
        None => text.to_owned(),
    }
}

/// Returns a text with the key that selects the next value.
fn with_next_key(text: &str, command: Command, preferences: &Preferences) -> String {
    match preferences.keymap.shown(command) {
        Some(key) => format!("{text} ({key}: next)"),
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
fn menu(ui: &mut Ui, tool: Tool<'_>, contents: impl FnOnce(&mut Ui)) {
    let response = button(ui, tool);
    Popup::menu(&response).align(RectAlign::RIGHT_START).gap(6.0).show(|ui| {
        ui.set_min_width(170.0);
        contents(ui);
    });
}

fn button(ui: &mut Ui, tool: Tool<'_>) -> Response {
    let Tool { icon, name, tooltip, is_on, has_menu } = tool;
    let (rect, response) = ui.allocate_exact_size(vec2(BUTTON, BUTTON), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, name));
    let (colors, visuals) = (colors(ui), ui.style().interact(&response));
    let fill = match (is_on, response.hovered() || response.has_focus()) {
        (true, _) => Some(colors.selected_row),
        (false, true) => Some(visuals.weak_bg_fill),
        (false, false) => None,
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, 4.0, fill);
    }
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.0, colors.focus);
        ui.painter().rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Inside);
    }
    let color = match (is_on, response.hovered()) {
        (true, _) => colors.active,
        (false, true) => colors.strong,
        (false, false) => colors.text,
    };
    toolbar_icons::paint(ui.painter(), rect, icon, color);
    if has_menu {
        // A small triangle in the corner, as on tools with variants elsewhere.
        let corner = rect.right_bottom() - vec2(3.0, 3.0);
        let triangle = vec![corner, corner - vec2(4.0, 0.0), corner - vec2(0.0, 4.0)];
        ui.painter().add(egui::Shape::convex_polygon(triangle, colors.weak, egui::Stroke::NONE));
    }
    named(response.on_hover_text(tooltip), name)
}
