//! How the gizmo behaves: what the keys of the first page of the help change as well.

use super::expression::{self, ExpressionError, Typed};
use super::style::{self, ROW, labeled};
use crate::editor::Editor;
use crate::labels::{self, THEMES};
use egui::{ComboBox, DragValue, Ui};
use wgpu_gizmo::interaction::{Pivot, Settings, ShearPolicy, SnapKind, Solver};
use wgpu_gizmo::math::Increment;
use wgpu_gizmo::{Mode, Orientation, Snap};

const MODES: [(&str, Mode); 4] =
    [("Move", Mode::Translate), ("Rotate", Mode::Rotate), ("Scale", Mode::Scale), ("All", Mode::Universal)];

const ORIENTATIONS: [(&str, Orientation); 4] = [
    ("World", Orientation::World),
    ("Parent", Orientation::Parent),
    ("Local", Orientation::Local),
    ("View", Orientation::View),
];

const PIVOTS: [(&str, Pivot); 5] = [
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

const SHEARS: [(&str, ShearPolicy); 3] = [
    ("Nearest rotation", ShearPolicy::BestFit),
    ("Angle in the parent", ShearPolicy::LocalOnly),
    ("No turning", ShearPolicy::Reject),
];

/// Shows the settings. `begins`: the keys are to go to the first of them.
pub(super) fn show(ui: &mut Ui, editor: &mut Editor, begins: bool) {
    let before = (editor.gizmo.settings, editor.gizmo.theme);
    let orientation = labels::orientation(&editor.gizmo);
    let pivot = labels::pivot(&editor.gizmo);
    let settings = &mut editor.gizmo.settings;
    labeled(ui, "Mode", |ui| segments(ui, "Mode", &MODES, &mut settings.mode, begins));
    // Scale handles stand along the local axes whatever is chosen here.
    ui.add_enabled_ui(settings.mode != Mode::Scale, |ui| {
        choice(ui, "Orientation", orientation, &ORIENTATIONS, &mut settings.orientation);
    });
    choice(ui, "Pivot", pivot, &PIVOTS, &mut settings.pivot);
    let solver = name_in(&SOLVERS, settings.solver);
    choice(ui, "Solver", solver, &SOLVERS, &mut settings.solver);
    let shear = name_in(&SHEARS, settings.shear);
    choice(ui, "Uneven parent", shear, &SHEARS, &mut settings.shear);
    ui.add_space(4.0);
    let refused = snapping(ui, settings);
    ui.add_space(4.0);
    checks(ui, settings);
    ui.add_space(4.0);
    let theme = THEMES.iter().find(|(_, theme)| *theme == editor.gizmo.theme);
    let shown = theme.map_or("Custom", |(name, _)| theme_name(name));
    let themes = THEMES.map(|(name, theme)| (theme_name(name), theme));
    choice(ui, "Colors", shown, &themes, &mut editor.gizmo.theme);
    if before != (editor.gizmo.settings, editor.gizmo.theme) {
        editor.gizmo.scene_changed();
    }
    if let Some(refused) = refused {
        editor.say(refused);
    }
}

fn theme_name(name: &str) -> &'static str {
    match name {
        "dark" => "Dark",
        "light" => "Light",
        _ => "Color-blind safe",
    }
}

fn name_in<T: PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, of)| *of == value).map_or("Custom", |(name, _)| name)
}

/// Says what was typed and is no number.
fn snapping(ui: &mut Ui, settings: &mut Settings) -> Option<String> {
    let mut refused = None;
    let kinds =
        [("Steps", SnapKind::Relative), ("Grid", SnapKind::Grid { origin_world: Default::default() })];
    labeled(ui, "Snap to", |ui| {
        // A grid with an origin of its own stays where it is.
        let is_grid = matches!(settings.snap_kind, SnapKind::Grid { .. });
        for (name, kind) in kinds {
            let is_this = is_grid == matches!(kind, SnapKind::Grid { .. });
            if segment(ui, &format!("Snap to {}", name.to_lowercase()), name, is_this, 62.0).clicked()
                && !is_this
            {
                settings.snap_kind = kind;
            }
        }
    });
    labeled(ui, "Increments", |ui| {
        let is_always = settings.snap != Snap::OFF;
        let snap = if is_always { &mut settings.snap } else { &mut settings.snap_while_held };
        let width = ((ui.available_width() - 12.0) / 3.0).floor();
        let fields = [
            (("Move increment", ["", ""], 0.01, 1.0), &mut snap.translate),
            (("Rotate increment", ["", "°"], 0.5, 1f64.to_radians()), &mut snap.rotate),
            (("Scale increment", ["×", ""], 0.01, 1.0), &mut snap.scale),
        ];
        for (field, value) in fields {
            if let Err(error) = increment(ui, field, value, width) {
                refused = Some(format!("{}: {error}", field.0));
            }
        }
    });
    labeled(ui, "", |ui| {
        let mut always = settings.snap != Snap::OFF;
        if ui.checkbox(&mut always, "Snap always").on_hover_text("Ctrl then lets go (M)").changed() {
            (settings.snap, settings.snap_while_held) = match always {
                true => (settings.snap_while_held, Snap::OFF),
                false => (Snap::OFF, settings.snap),
            };
        }
    });
    refused
}

/// A field for an increment; 0 is none. `unit` is what one of it is in the gizmo's numbers.
fn increment(
    ui: &mut Ui,
    (name, [prefix, suffix], speed, unit): (&str, [&str; 2], f64, f64),
    value: &mut Option<Increment>,
    width: f32,
) -> Result<(), ExpressionError> {
    let mut number = value.map_or(0.0, |increment| increment.get() / unit);
    // 15 for 14.999999999999998.
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
    if response.on_hover_text(format!("{name}; 0 is off")).changed() {
        *value = Increment::new(number * unit);
    }
    let Some(typed) = typed else { return Ok(()) };
    let typed = if typed == "off" { Typed::Value(0.0) } else { expression::read(&typed)? };
    // As a drag has it, what is less than nothing is none.
    number = typed.of(before).clamp(0.0, 1e9);
    *value = Increment::new(number * unit);
    Ok(())
}

fn checks(ui: &mut Ui, settings: &mut Settings) {
    labeled(ui, "Handles", |ui| {
        let flip = ui.checkbox(&mut settings.flip_toward_camera, "Turn toward the camera");
        flip.on_hover_text("Shift+F");
    });
    labeled(ui, "", |ui| {
        let lines = ui.checkbox(&mut settings.construction_lines, "Construction lines");
        lines.on_hover_text("Show how a drag is solved (L)");
    });
    labeled(ui, "", |ui| {
        let mirror = ui.checkbox(&mut settings.allow_mirror, "Scale may mirror");
        mirror.on_hover_text("A scale handle can be dragged through the pivot");
    });
}

/// A list to choose from.
fn choice<T: PartialEq + Copy>(
    ui: &mut Ui,
    label: &str,
    shown: &str,
    table: &[(&'static str, T)],
    value: &mut T,
) {
    labeled(ui, label, |ui| {
        let width = ui.available_width();
        let combo = ComboBox::from_id_salt(label).width(width).selected_text(shown);
        let response = combo.show_ui(ui, |ui| {
            for (name, of) in table {
                ui.selectable_value(value, *of, *name);
            }
        });
        style::named(response.response, label);
    });
}

/// A few things side by side, one of which is chosen.
fn segments<T: PartialEq + Copy>(
    ui: &mut Ui,
    what: &str,
    table: &[(&'static str, T)],
    value: &mut T,
    begins: bool,
) {
    ui.spacing_mut().item_spacing.x = 2.0;
    // A word must not make the panel wider.
    ui.spacing_mut().button_padding.x = 2.0;
    let width = (ui.available_width() - 2.0 * (table.len() - 1) as f32) / table.len() as f32;
    for (place, (name, of)) in table.iter().enumerate() {
        let response = segment(ui, &format!("{what}: {name}"), name, *value == *of, width.floor());
        if begins && place == 0 {
            response.request_focus();
        }
        if response.clicked() {
            *value = *of;
        }
    }
}

fn segment(ui: &mut Ui, name: &str, text: &str, is_chosen: bool, width: f32) -> egui::Response {
    let button = egui::Button::selectable(is_chosen, text).min_size(egui::vec2(width, ROW));
    style::named(ui.add_sized([width, ROW], button.frame_when_inactive(true)), name)
}
