//! The settings of the gizmo, most of which also have keyboard shortcuts.

use super::expression::{self, ExpressionError, Typed};
use super::number::Channel;
use super::options;
use super::section;
use super::style::{self, ROW, checkbox, labeled};
use egui::{Color32, ComboBox, DragValue, TextStyle, Ui};
use session::command::Command;
use session::editor::Editor;
use session::replay_file::THEMES;
use session::status;
use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::handle::Axis;
use wgpu_gizmo::interaction::settings::{Pivot, ShearPolicy, SnapKind, SnapSource};
use wgpu_gizmo::interaction::{Settings, Solver};
use wgpu_gizmo::math::Increment;
use wgpu_gizmo::pick::snap::SnapTo;
use wgpu_gizmo::{Mode, Orientation, Snap};

const MODES: [(&str, Mode); 4] = [
    ("Translate", Mode::Translate),
    ("Rotate", Mode::Rotate),
    ("Scale", Mode::Scale),
    ("Universal", Mode::Universal),
];

pub(super) const ORIENTATIONS: [(&str, Orientation); 4] = [
    ("World", Orientation::World),
    ("Parent", Orientation::Parent),
    ("Local", Orientation::Local),
    ("View", Orientation::View),
];

pub(super) const PIVOTS: [(&str, Pivot); 5] = [
    ("Median", Pivot::Median),
    ("Active", Pivot::Active),
    ("Individual", Pivot::Individual),
    ("Bounds", Pivot::BoundsCenter),
    ("Each", Pivot::EachTarget),
];

const SOLVERS: [(&str, Solver); 3] = [
    ("Screen projection", Solver::ScreenProjection),
    ("Closest point", Solver::ClosestPoint),
    ("Movement plane", Solver::MovementPlane),
];

pub(super) const SHEARS: [(&str, ShearPolicy); 3] = [
    ("Nearest rotation", ShearPolicy::BestFit),
    ("Angle in the parent", ShearPolicy::LocalOnly),
    ("No rotation", ShearPolicy::Reject),
];

pub(super) const DEPTH_STYLES: [(&str, DepthStyle); 4] = [
    ("On top", DepthStyle::OnTop),
    ("Dimmed", DepthStyle::DIMMED),
    ("Hatched", DepthStyle::Hatched),
    ("Hidden", DepthStyle::Hidden),
];

pub(super) const SNAP_TOS: [(&str, SnapTo); 6] = [
    ("Nothing", SnapTo::NONE),
    ("Vertex", SnapTo::VERTEX),
    ("Edge", SnapTo::EDGE),
    ("Midpoint", SnapTo::MIDPOINT),
    ("Face", SnapTo::FACE),
    ("Surface", SnapTo::SURFACE),
];

const SNAP_SOURCES: [(&str, SnapSource); 3] = [
    ("The pivot", SnapSource::Pivot),
    ("Its vertex at the press", SnapSource::Vertex),
    ("Its vertex nearest to there", SnapSource::NearestVertex),
];

/// Shows the settings that change most. With `focus_first` the first one gets the focus. Chosen commands are
/// added to `commands`.
pub(super) fn show(ui: &mut Ui, editor: &mut Editor, commands: &mut Vec<Command>, focus_first: bool) {
    let orientation = status::orientation(editor.gizmo());
    let pivot = status::pivot(editor.gizmo());
    let mut changed = editor.gizmo().settings;
    let settings = &mut changed;
    labeled(ui, "Mode", |ui| segments(ui, "Mode", &MODES, &mut settings.mode, focus_first));
    // Scale handles always follow the local axes.
    ui.add_enabled_ui(settings.mode != Mode::Scale, |ui| {
        choice(ui, "Orientation", orientation, &ORIENTATIONS, &mut settings.orientation);
    });
    options::axes(ui, settings);
    choice(ui, "Pivot", pivot, &PIVOTS, &mut settings.pivot);
    options::pivot_buttons(ui, editor, commands);
    editor.set_settings(changed);
    options::box_handles(ui, editor);
    section::buttons(ui, editor, commands);
}

/// Shows the settings of snapping. A changed increment of translations no longer follows the grid.
pub(super) fn snapping_page(ui: &mut Ui, editor: &mut Editor, has_fixed_steps: &mut bool) {
    let mut changed = editor.gizmo().settings;
    let lengths = |settings: &Settings| settings.snap.translate.or(settings.snap_while_held.translate);
    let before = lengths(&changed);
    let error = snapping(ui, &mut changed);
    *has_fixed_steps |= lengths(&changed) != before;
    labeled(ui, "", |ui| {
        let mut follows = !*has_fixed_steps;
        let check = checkbox(ui, &mut follows, "Lengths follow the grid");
        let about = "One step is the distance between two lines of the grid that is drawn";
        if check.on_hover_text(about).changed() {
            *has_fixed_steps = !follows;
        }
    });
    ui.add_space(4.0);
    under_pointer(ui, &mut changed);
    editor.set_settings(changed);
    if let Some(error) = error {
        editor.show_message(error);
    }
}

/// Shows the settings of handles, the rules of drags, and the theme.
pub(super) fn rules(ui: &mut Ui, editor: &mut Editor) {
    let mut changed = editor.gizmo().settings;
    let settings = &mut changed;
    let depth_style = name_in(&DEPTH_STYLES, settings.depth_style);
    choice(ui, "Behind objects", depth_style, &DEPTH_STYLES, &mut settings.depth_style);
    checks(ui, settings);
    options::grabbing(ui, settings);
    let solver = name_in(&SOLVERS, settings.solver);
    choice(ui, "Solver", solver, &SOLVERS, &mut settings.solver);
    let shear = name_in(&SHEARS, settings.shear);
    choice(ui, "Shear", shear, &SHEARS, &mut settings.shear);
    ui.add_space(4.0);
    let theme = THEMES.iter().find(|(_, theme)| *theme == editor.gizmo().theme);
    let shown = theme.map_or("Custom", |(name, _)| theme_name(name));
    let themes = THEMES.map(|(name, theme)| (theme_name(name), theme));
    let mut theme = editor.gizmo().theme;
    choice(ui, "Theme", shown, &themes, &mut theme);
    editor.set_settings(changed);
    editor.set_theme(theme);
}

/// Shows the settings of snapping to the geometry under the pointer.
fn under_pointer(ui: &mut Ui, settings: &mut Settings) {
    let snap_to = name_in(&SNAP_TOS, settings.snap_to);
    choice(ui, "Under pointer", snap_to, &SNAP_TOS, &mut settings.snap_to);
    ui.add_enabled_ui(!settings.snap_to.is_empty(), |ui| {
        let source = name_in(&SNAP_SOURCES, settings.snap_source);
        choice(ui, "Snap source", source, &SNAP_SOURCES, &mut settings.snap_source);
        labeled(ui, "", |ui| {
            let mut is_aligned = settings.align_to_normal.is_some();
            let check = checkbox(ui, &mut is_aligned, "Align Y to the normal");
            if check.on_hover_text("Rotate the object to stand on the surface it snaps to").changed() {
                settings.align_to_normal = is_aligned.then_some(Axis::Y);
            }
        });
    });
}

pub(super) fn theme_name(name: &str) -> &'static str {
    match name {
        "dark" => "Dark",
        "light" => "Light",
        _ => "Color-blind safe",
    }
}

pub(super) fn name_in<T: PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, option)| *option == value).map_or("Custom", |(name, _)| name)
}

/// Shows the settings of snapping. Returns a message about a typed text that is not a valid number, if any.
fn snapping(ui: &mut Ui, settings: &mut Settings) -> Option<String> {
    let mut message = None;
    let kinds = [
        ("Relative", SnapKind::Relative),
        ("Grid", SnapKind::Grid { origin_world: Default::default() }),
        ("Values", SnapKind::Value),
    ];
    labeled(ui, "Snap to", |ui| {
        let [width, ..] = style::columns(ui, 12.0, [1.0; 3]);
        for (name, kind) in kinds {
            // A grid with a custom origin keeps it.
            let is_chosen = std::mem::discriminant(&settings.snap_kind) == std::mem::discriminant(&kind);
            let button = segment(ui, &format!("Snap to {}", name.to_lowercase()), name, is_chosen, width);
            if style::with_tooltip(button, "Snap to").clicked() && !is_chosen {
                settings.snap_kind = kind;
            }
        }
    });
    labeled(ui, "Increments", |ui| {
        let is_always = settings.snap != Snap::OFF;
        let snap = if is_always { &mut settings.snap } else { &mut settings.snap_while_held };
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
    labeled(ui, "", |ui| {
        let mut always = settings.snap != Snap::OFF;
        if checkbox(ui, &mut always, "Snap always").on_hover_text("Ctrl then turns it off (M)").changed() {
            (settings.snap, settings.snap_while_held) = match always {
                true => (settings.snap_while_held, Snap::OFF),
                false => (Snap::OFF, settings.snap),
            };
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
    let has_focus = style::next_has_focus(ui);
    let write = move |value: f64, _: std::ops::RangeInclusive<usize>| match value {
        _ if has_focus => format!("{value}"),
        0.0 => "off".to_owned(),
        value => format!("{prefix}{}{suffix}", (value * 1e4).round() / 1e4),
    };
    let before = number;
    let field = DragValue::new(&mut number)
        .speed(speed)
        .range(0.0..=1e9)
        .clip_text(true)
        .min_size(egui::vec2(width, ROW - 2.0))
        .custom_formatter(write);
    let (response, typed) = expression::add_field(ui, before, field);
    let response = style::named(response, name);
    if response.on_hover_text(format!("{name}; 0 turns it off")).changed() {
        *value = Increment::new(number * unit);
    }
    let Some(typed) = typed else { return Ok(()) };
    let typed = if typed == "off" { Typed::Value(0.0) } else { expression::evaluate(&typed, channel)? };
    // A negative number turns the increment off, as dragging below 0 does.
    number = typed.apply(before).clamp(0.0, 1e9);
    *value = Increment::new(number * unit);
    Ok(())
}

fn checks(ui: &mut Ui, settings: &mut Settings) {
    labeled(ui, "Handles", |ui| {
        let flip = checkbox(ui, &mut settings.flip_toward_camera, "Flip toward the camera");
        flip.on_hover_text("Arrows and planes turn to the side that is seen (Shift+F)");
    });
    labeled(ui, "", |ui| {
        let lines = checkbox(ui, &mut settings.construction_lines, "Construction lines");
        lines.on_hover_text("Show how a drag is solved (Ctrl+Shift+L)");
    });
    labeled(ui, "", |ui| {
        let mirror = checkbox(ui, &mut settings.allow_mirror, "Scale may mirror");
        mirror.on_hover_text("A scale handle can be dragged through the pivot");
    });
}

/// Shows a labeled combo box.
pub(super) fn choice<T: PartialEq + Copy>(
    ui: &mut Ui,
    label: &str,
    shown: &str,
    table: &[(&'static str, T)],
    value: &mut T,
) {
    labeled(ui, label, |ui| {
        let [width] = style::columns(ui, 0.0, [1.0]);
        let combo = ComboBox::from_id_salt(label).width(width).selected_text(shown);
        let response = combo.show_ui(ui, |ui| {
            for (name, option) in table {
                ui.selectable_value(value, *option, *name);
            }
        });
        style::with_tooltip(style::named(response.response, label), label);
    });
}

/// Shows the options as buttons in a row.
pub(super) fn segments<T: PartialEq + Copy, const N: usize>(
    ui: &mut Ui,
    what: &str,
    table: &[(&'static str, T); N],
    value: &mut T,
    focus_first: bool,
) {
    const GAP: f32 = 2.0;
    ui.spacing_mut().item_spacing.x = GAP;
    // The buttons share the row, because their names must not widen the panel.
    ui.spacing_mut().button_padding.x = 1.0;
    let font = TextStyle::Button.resolve(ui.style());
    let wanted = table.each_ref().map(|(name, _)| {
        let text = ui.painter().layout_no_wrap((*name).to_owned(), font.clone(), Color32::WHITE);
        text.size().x + 2.0 * SEGMENT_MARGIN
    });
    let widths = style::columns(ui, GAP * (N - 1) as f32, wanted);
    for (index, (name, option)) in table.iter().enumerate() {
        let width = widths[index];
        let response = segment(ui, &format!("{what}: {name}"), name, *value == *option, width);
        let response = style::with_tooltip(response, what);
        if focus_first && index == 0 {
            response.request_focus();
        }
        if response.clicked() {
            *value = *option;
        }
    }
}

/// Space on either side of a name in a row of buttons, in points, if there is enough.
const SEGMENT_MARGIN: f32 = 10.0;

fn segment(ui: &mut Ui, name: &str, text: &str, is_chosen: bool, width: f32) -> egui::Response {
    let button = egui::Button::selectable(is_chosen, text).truncate().min_size(egui::vec2(width, ROW));
    style::named(ui.add_sized([width, ROW], button.frame_when_inactive(true)), name)
}
