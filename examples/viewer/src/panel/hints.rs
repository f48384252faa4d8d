//! Hints about what the pointer and the keys can do now, and the amount of the drag near the pointer.

use super::style::colors;
use egui::text::{LayoutJob, TextFormat};
use egui::{Context, TextStyle, Ui};
use render::overlay::Overlay;
use scene::selection::SelectMode;
use session::command::Command;
use session::editor::Editor;
use session::keymap::Keymap;
use session::labels::{self, parts};
use session::settings::Setting;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::handle::Constraint;
use wgpu_gizmo::interaction::Drag;
use wgpu_gizmo::interaction::settings::AxisKeys;
use wgpu_gizmo::math::Rect;
use wgpu_gizmo::{HandleId, Mode, View};

/// A key or a use of the pointer, and its effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hint {
    pub(super) key: String,
    pub(super) does: String,
}

impl Hint {
    pub(super) fn spoken(&self) -> String {
        format!("{} {}", self.key, self.does)
    }
}

fn hint(key: impl Into<String>, does: impl Into<String>) -> Hint {
    Hint { key: key.into(), does: does.into() }
}

/// Returns the hints for what the pointer is over, or for what is in progress.
pub(super) fn now(editor: &Editor, keymap: Keymap) -> Vec<Hint> {
    if let Some(drawn) = editor.pointer().drawn() {
        let does = match drawn.mode {
            SelectMode::Replace => "select",
            SelectMode::Add => "add to the selection",
            SelectMode::Remove => "remove from the selection",
        };
        return vec![hint("Release", does), hint("D", "lasso"), hint("Esc", "cancel")];
    }
    if let Some(drag) = editor.gizmo().drag() {
        return of_drag(editor, drag);
    }
    if let Some(handle) = editor.gizmo().hovered() {
        return of_handle(editor, handle);
    }
    if let [_, Some(name)] | [Some(name), None] = editor.volume_handles_in_use() {
        let ends = hint("Esc, right button", "cancel");
        let dragged = editor.is_dragging().then_some(ends);
        let first = [hint(labels::volume_handle(&name), ""), hint("Drag", "change it"), hint("Ctrl", "snap")];
        return first.into_iter().chain(dragged).chain([hint("0-9", "type")]).collect();
    }
    let mut hints = Vec::new();
    let has_selection = !editor.selection().nodes().is_empty();
    match editor.gizmo().hovered_object() {
        Some(id) if editor.cube.side_of(id).is_some() => {
            return vec![hint("Click", "look from this side"), hint("Drag", "orbit")];
        }
        Some(id) => {
            hints.extend(of_object(editor, editor.node_of(id)));
            hints.push(hint("Shift+drag", "box"));
        }
        None => {
            hints.extend((!has_selection).then(|| hint("Click", "an object, to select it")));
            hints.extend([hint("Drag", "box select"), hint("D", "lasso")]);
        }
    }
    if !editor.moved().is_empty() {
        hints.extend(of_keys(editor, keymap));
    }
    hints.extend([hint("Right drag", "orbit"), hint("Shift+right drag", "pan"), hint("Wheel", "zoom")]);
    hints
}

/// Returns the hints for the object under the pointer.
pub(super) fn of_object(editor: &Editor, node: Option<usize>) -> Vec<Hint> {
    let name = node.map_or("it", |node| editor.scene().nodes()[node].name.as_str());
    let selected = editor.selection().nodes();
    if !node.is_some_and(|node| selected.contains(&node)) {
        return vec![hint("Click", format!("select {name}")), hint("Shift", "add")];
    }
    let only = (selected.len() > 1).then(|| hint("Click", format!("select only {name}")));
    only.into_iter().chain([hint("Shift", "remove")]).collect()
}

/// Returns the hints for the keys that begin drags.
fn of_keys(editor: &Editor, keymap: Keymap) -> Vec<Hint> {
    if editor.values().gizmo.mode == Mode::None && keymap != Keymap::Blender {
        return Vec::new();
    }
    // A drag that is refused is not promised. The reason is in the status bar.
    let is_possible = |mode| {
        let handle = session::free_handle(mode);
        handle.is_some_and(|handle| editor.gizmo().disabled_reason(handle).is_none())
    };
    match keymap {
        Keymap::Blender => {
            const DRAGS: [(Mode, &str, &str); 3] =
                [(Mode::Translate, "G", "move"), (Mode::Rotate, "R", "rotate"), (Mode::Scale, "S", "scale")];
            let possible = DRAGS.into_iter().filter(|(mode, ..)| is_possible(*mode));
            let (keys, verbs): (Vec<_>, Vec<_>) = possible.map(|(_, key, verb)| (key, verb)).unzip();
            if keys.is_empty() { Vec::new() } else { vec![hint(keys.join(" "), verbs.join(", "))] }
        }
        Keymap::Viewer if !is_possible(editor.values().gizmo.mode) => Vec::new(),
        Keymap::Viewer => {
            let key = keymap.shown(Command::DragWithPointer).unwrap_or_default();
            let is_on = editor.values().gizmo.input.axis_keys == AxisKeys::Always;
            let keys = format!("{key}{}", if is_on { " X Y Z" } else { "" });
            vec![hint(keys, format!("{} with the pointer", verb(editor)))]
        }
        Keymap::Unity => Vec::new(),
    }
}

fn verb(editor: &Editor) -> &'static str {
    match editor.values().gizmo.mode {
        Mode::Rotate => "rotate",
        Mode::Scale => "scale",
        _ => "move",
    }
}

pub(super) fn of_handle(editor: &Editor, handle: HandleId) -> Vec<Hint> {
    let values = editor.values();
    let [title, action] = words(handle);
    let mut hints = vec![hint(title, ""), hint("Drag", action)];
    if Setting::ClickToType.is_on(&values) {
        hints.push(hint("Click", "type a number"));
    }
    hints.extend(snap_hint(editor, handle));
    hints.push(hint("Shift", "precise"));
    if Setting::WheelNudge.is_on(&values) {
        hints.push(hint("Wheel", "nudge"));
    }
    if handle.box_index().is_some() {
        hints.push(hint("Alt", "about the center"));
    }
    hints
}

/// Returns the hint for the snap key, which has no effect on the trackball.
fn snap_hint(editor: &Editor, handle: HandleId) -> Option<Hint> {
    let does = if editor.values().snaps_always() { "do not snap" } else { "snap" };
    (handle.constraint() != Constraint::Trackball).then(|| hint("Ctrl", does))
}

fn of_drag(editor: &Editor, drag: &Drag) -> Vec<Hint> {
    let is_held = drag.cursor_px().is_some() && editor.pointer().is_button_held;
    let confirm = match (drag.cursor_px().is_some(), is_held) {
        (true, true) => hint("Release", "confirm"),
        (true, false) => hint("Click, Enter", "confirm"),
        (false, _) => hint("Enter", "confirm"),
    };
    let mut hints = vec![confirm, hint("Esc, right button", "cancel")];
    let constraint = drag.handle().constraint();
    let is_box = drag.handle().box_index().is_some();
    if drag.typed().is_some() {
        hints.extend([
            hint(format!("0-9 . + - * / ( ) {}", unit(constraint)), "type"),
            hint("Backspace", "delete"),
        ]);
        if drag.numbers().len() == 2 {
            hints.push(hint("Tab", "second number"));
        }
        return hints;
    }
    hints.push(hint("X Y Z", "axis"));
    if !constraint.rotates() && !is_box {
        hints.push(hint("Shift+X Y Z", "plane"));
    }
    if is_box {
        hints.push(hint("Alt", "about the center"));
    }
    hints.extend(snap_hint(editor, drag.handle()));
    if matches!(constraint, Constraint::Axis(_) | Constraint::Plane(_) | Constraint::ViewPlane) {
        hints.push(hint("V", "snap to a vertex"));
    }
    hints.extend([hint("Shift", "precise"), hint("0-9", "type"), hint("Arrows", "nudge")]);
    hints
}

/// Returns an example of a unit that a number can have.
pub(super) fn unit(constraint: Constraint) -> &'static str {
    match () {
        () if constraint.rotates() => "rad",
        () if is_scale(constraint) => "%",
        () => "cm",
    }
}

fn is_scale(constraint: Constraint) -> bool {
    matches!(constraint, Constraint::ScaleAxis(_) | Constraint::ScalePlane(_) | Constraint::ScaleUniform)
}

/// Returns the name of a handle, such as `X arrow`, and the effect of dragging it, such as `move along X`, in the words of
/// the sliders for screen readers.
fn words(handle: HandleId) -> [String; 2] {
    let (kind, along) = parts(handle);
    let verb = if kind == "Translate" { "move".to_owned() } else { kind.to_lowercase() };
    let (title, action) = match handle.constraint() {
        Constraint::Axis(_) => (format!("{along} arrow"), format!("along {along}")),
        Constraint::Plane(_) | Constraint::ScalePlane(_) => {
            (format!("{along} square"), format!("in {along}"))
        }
        Constraint::ViewPlane => ("Center".to_owned(), "in the view".to_owned()),
        Constraint::Ring(_) => (format!("{along} ring"), format!("about {along}")),
        Constraint::ViewRing => ("Outer ring".to_owned(), "on screen".to_owned()),
        Constraint::Trackball => ("Ball".to_owned(), "freely".to_owned()),
        Constraint::ScaleAxis(_) => (format!("{along} cube"), format!("along {along}")),
        Constraint::ScaleUniform => ("Center cube".to_owned(), "evenly".to_owned()),
        _ => (format!("Box handle {along}"), along),
    };
    [title, format!("{verb} {action}")]
}

/// Returns the amount of the drag with its unit, such as `Translate X 1.250 m`. A unit of the world is a meter, as in
/// glTF.
pub(super) fn amount(editor: &Editor, view: &View) -> Option<String> {
    let drag = editor.gizmo().drag()?;
    let (kind, along) = parts(drag.handle());
    let constraint = drag.handle().constraint();
    // As many digits as the pointer can control.
    let pixel = view.pixel_size(drag.pivot_world());
    let digits = if pixel.is_finite() && pixel > 0.0 { (-pixel.log10()).ceil() } else { 3.0 };
    let digits = digits.clamp(0.0, 9.0) as usize;
    let length = |number: f64| format!("{:.digits$}", if number == 0.0 { 0.0 } else { number });
    let is_scale = is_scale(constraint);
    let numbers = drag.numbers();
    let amount = match drag.typed() {
        Some(typed) if typed.contains(|c: char| c.is_alphabetic() || c == '%') => typed.to_owned(),
        Some(typed) if constraint.rotates() => format!("{typed}°"),
        Some(typed) if is_scale => format!("× {typed}"),
        Some(typed) => format!("{typed} m"),
        None if constraint.rotates() => format!("{:.1}°", numbers.first()?.to_degrees()),
        None if is_scale => format!("× {:.3}", numbers.first()?),
        None => {
            let numbers: Vec<String> = numbers.iter().map(|number| length(*number)).collect();
            format!("{} m", numbers.join(", "))
        }
    };
    let limit = match (drag.is_typed_refused(), drag.motion().clamped) {
        (true, _) => " (not a number)",
        (false, true) => " (limit)",
        (false, false) => "",
    };
    let space = if along.is_empty() { "" } else { " " };
    Some(format!("{kind}{space}{along} {amount}{limit}"))
}

/// Returns the hints as one line of text, with the keys emphasized.
pub(super) fn line(ui: &Ui, hints: &[Hint]) -> LayoutJob {
    let font = TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::default();
    for (index, Hint { key, does }) in hints.iter().enumerate() {
        let gap = if index > 0 { 14.0 } else { 0.0 };
        job.append(key, gap, TextFormat::simple(font.clone(), colors(ui).strong));
        job.append(does, 5.0, TextFormat::simple(font.clone(), colors(ui).weak));
    }
    job
}

/// The distance from the pointer, in points, within which the readout of the library is near the hand.
const NEAR: f64 = 260.0;

/// Returns the amount of the drag and its anchor beside the pointer, unless the readout at the gizmo is near it.
pub(super) fn beside_pointer(
    editor: &Editor,
    view: &View,
    overlay: &Overlay,
    context: &Context,
) -> Option<(String, DVec2)> {
    let points = f64::from(context.pixels_per_point());
    let (text, cursor_px) = amount(editor, view).zip(editor.pointer().cursor_px)?;
    let is_near = |(_, anchor): &(_, DVec2)| anchor.distance(cursor_px) < NEAR * points;
    // A character takes eight points, and the line sixteen.
    let size = DVec2::new(8.0 * text.chars().count() as f64 + 8.0, 24.0) * points;
    let Rect { min, max } = view.viewport().rect();
    let anchor = (cursor_px + DVec2::new(18.0, 28.0) * points).min(max - size).max(min + 0.5 * size.y);
    (!overlay.readouts.iter().any(is_near)).then_some((text, anchor))
}
