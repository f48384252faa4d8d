//! The fields of the camera or the light of the active node.

use super::color;
use super::number::{Channel, FieldStyle, evaluate, number, select_digits};
use super::style::{self, checkbox, labeled};
use egui::{Response, Ui};
use scene::flags::Flag;
use scene::lens::Lens;
use scene::volume::{Light, LightShape, NodeVolume};
use session::command::Command;
use session::editor::Editor;
use std::collections::BTreeMap;

/// Width of a number field, in points.
const WIDTH: f32 = 96.0;

/// The fields of a section, while they are shown.
struct Fields {
    /// Whether the next field gets the focus.
    takes_focus: bool,
    /// The message about a text that is no number.
    refusal: Option<String>,
}

/// Shows the section and returns true, if the active node has a camera or a light. With `focus_first` the first field
/// gets the focus.
pub(super) fn section(
    ui: &mut Ui,
    editor: &mut Editor,
    sections: &mut BTreeMap<String, bool>,
    commands: &mut Vec<Command>,
    focus_first: bool,
) -> bool {
    let Some((index, volume)) = editor.active_volume() else { return false };
    let title = match volume {
        NodeVolume::Camera(_) => "Camera",
        NodeVolume::Light(_) => "Light",
    };
    if focus_first {
        sections.insert(title.to_owned(), true);
    }
    style::section(ui, title, sections, |ui| {
        let active = editor.selection().active();
        let is_locked = active.is_some_and(|active| editor.scene().is_flagged(active, Flag::Locked));
        ui.add_enabled_ui(!is_locked, |ui| {
            let mut fields = Fields { takes_focus: focus_first, refusal: None };
            let now = fields.volume(ui, volume);
            if now != volume {
                editor.adjust_volume(index, now);
            }
            if let Some(message) = fields.refusal {
                editor.show_message(message);
            }
        });
        labeled(ui, "", |ui| {
            let mut is_shown = editor.shows_volumes;
            let handles = checkbox(ui, &mut is_shown, "Show handles");
            if handles
                .on_hover_text("Drag the range, the cone, the field of view and the planes (Shift+O)")
                .changed()
            {
                commands.push(Command::CameraAndLightHandles);
            }
        });
    });
    true
}

impl Fields {
    /// Shows the fields of a camera or light and returns it with their values.
    fn volume(&mut self, ui: &mut Ui, volume: NodeVolume) -> NodeVolume {
        match volume {
            NodeVolume::Camera(Lens::Perspective { fov_y, near, far, aspect }) => {
                NodeVolume::Camera(Lens::Perspective {
                    fov_y: self.angle(ui, "Field of view", fov_y),
                    near: self.length(ui, "Near", near),
                    far: self.limit(ui, ("Far", "Infinite"), far, 100.0 * near),
                    aspect,
                })
            }
            NodeVolume::Camera(Lens::Orthographic { half, near, far }) => {
                let [x, y] = [("Width", half.x), ("Height", half.y)]
                    .map(|(label, half)| changed(half, 2.0, |whole| self.length(ui, label, whole)));
                let (near, far) = (self.length(ui, "Near", near), self.length(ui, "Far", far));
                NodeVolume::Camera(Lens::Orthographic { half: [x, y].into(), near, far })
            }
            NodeVolume::Light(light) => NodeVolume::Light(self.light(ui, light)),
        }
    }

    fn light(&mut self, ui: &mut Ui, Light { shape, color, intensity }: Light) -> Light {
        let color = labeled(ui, "Color", |ui| color::field(ui, color, |button| _ = self.take_focus(button)));
        let unit = if shape == LightShape::Directional { " lx" } else { " cd" };
        let intensity =
            self.number(ui, "Intensity", intensity, FieldStyle { unit, ..length_style(intensity) });
        let shape = match shape {
            LightShape::Point { range } => {
                LightShape::Point { range: self.limit(ui, ("Range", "Unlimited"), range, 1.0) }
            }
            LightShape::Spot { range, inner, outer } => LightShape::Spot {
                range: self.limit(ui, ("Range", "Unlimited"), range, 1.0),
                inner: self.angle(ui, "Inner cone", inner),
                outer: self.angle(ui, "Outer cone", outer),
            },
            LightShape::Directional => {
                ui.label(style::weak(
                    "A directional light has no range and no cone. Rotate its node to turn it.",
                ));
                shape
            }
        };
        Light { shape, color, intensity }
    }

    /// Focuses the first field if that was requested. Returns true if this field was focused.
    fn take_focus(&mut self, field: &Response) -> bool {
        let takes_focus = std::mem::take(&mut self.takes_focus);
        if takes_focus {
            field.request_focus();
            field.scroll_to_me(None);
        }
        takes_focus
    }

    fn number(&mut self, ui: &mut Ui, label: &str, mut value: f64, style: FieldStyle) -> f64 {
        let (response, typed) = labeled(ui, label, |ui| number(ui, &mut value, style, WIDTH));
        let response = style::named(response, label);
        if self.take_focus(&response) {
            select_digits(&response);
        }
        match typed.map(|typed| evaluate(&typed, style.channel)) {
            None => value,
            Some(Ok(typed)) => typed.apply(value),
            Some(Err(error)) => {
                self.refusal = Some(format!("{label}: {error}"));
                value
            }
        }
    }

    fn length(&mut self, ui: &mut Ui, label: &str, value: f64) -> f64 {
        self.number(ui, label, value, length_style(value))
    }

    /// Shows an angle in degrees.
    fn angle(&mut self, ui: &mut Ui, label: &str, radians: f64) -> f64 {
        let style =
            FieldStyle { channel: Channel::Rotate, unit: "°", speed: 0.5, noise: 0.0, is_mixed: false };
        changed(radians, 1f64.to_degrees(), |degrees| self.number(ui, label, degrees, style))
    }

    /// Shows a length that may be unlimited. If it becomes limited, its value is `or`. The checkbox stays in place, so
    /// that a second click undoes the first.
    fn limit(
        &mut self,
        ui: &mut Ui,
        (label, unlimited): (&str, &str),
        value: Option<f64>,
        or: f64,
    ) -> Option<f64> {
        let shown =
            ui.add_enabled_ui(value.is_some(), |ui| self.length(ui, label, value.unwrap_or(or))).inner;
        let mut is_unlimited = value.is_none();
        labeled(ui, "", |ui| checkbox(ui, &mut is_unlimited, unlimited));
        (!is_unlimited).then_some(shown)
    }
}

/// Shows `shown` times a value and returns the value. One that is not edited keeps its bits.
fn changed(value: f64, shown: f64, show: impl FnOnce(f64) -> f64) -> f64 {
    let before = value * shown;
    let after = show(before);
    if after == before { value } else { after / shown }
}

fn length_style(value: f64) -> FieldStyle {
    let speed = (0.01 * value.abs()).max(1e-3);
    FieldStyle { channel: Channel::Translate, unit: "", speed, noise: 0.0, is_mixed: false }
}
