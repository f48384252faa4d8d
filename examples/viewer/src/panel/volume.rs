//! The fields of the camera or the light of the active node.

use super::color;
use super::menus::Menus;
use super::number::{Channel, FieldStyle, evaluate, number};
use super::style::{self, checkbox, labeled};
use egui::Ui;
use scene::flags::Flag;
use scene::lens::Lens;
use scene::volume::{Light, LightShape, NodeVolume};
use session::command::Command;

/// Width of a number field, in points.
const WIDTH: f32 = 96.0;

/// The fields of a section, while they are shown.
#[derive(Default)]
struct Fields {
    /// The message about a text that is no number.
    refusal: Option<String>,
}

/// Shows the section and returns true, if the active node has a camera or a light.
pub(super) fn section(ui: &mut Ui, menus: &mut Menus<'_>, takes_focus: bool) -> bool {
    let Some((index, volume)) = menus.editor.active_volume() else { return false };
    let title = match volume {
        NodeVolume::Camera(_) => "Camera",
        NodeVolume::Light(_) => "Light",
    };
    style::section(ui, title, menus, takes_focus, |ui, menus| {
        let active = menus.editor.selection().active();
        let is_locked = active.is_some_and(|active| menus.editor.scene().is_flagged(active, Flag::Locked));
        ui.add_enabled_ui(!is_locked, |ui| {
            let (mut fields, mut now) = (Fields::default(), volume);
            fields.volume(ui, &mut now);
            if now != volume {
                menus.editor.adjust_volume(index, now);
            }
            if let Some(message) = fields.refusal {
                menus.editor.show_message(message);
            }
        });
        labeled(ui, "", "", |ui| {
            let about = "Drag the range, the cone, the field of view and the planes (Shift+O)";
            let check = checkbox(ui, menus.editor.shows_volumes, "Show handles");
            if check.on_hover_text(about).changed() {
                menus.commands.push(Command::CameraAndLightHandles);
            }
        });
    });
    true
}

impl Fields {
    /// Shows the fields of a camera or light.
    fn volume(&mut self, ui: &mut Ui, volume: &mut NodeVolume) {
        match volume {
            NodeVolume::Camera(Lens::Perspective { fov_y, near, far, .. }) => {
                let or = 100.0 * *near;
                self.angle(ui, "Field of view", fov_y);
                self.length(ui, "Near", near, 1.0);
                self.limit(ui, ("Far", "Infinite"), far, or);
            }
            NodeVolume::Camera(Lens::Orthographic { half, near, far }) => {
                self.length(ui, "Width", &mut half.x, 2.0);
                self.length(ui, "Height", &mut half.y, 2.0);
                self.length(ui, "Near", near, 1.0);
                self.length(ui, "Far", far, 1.0);
            }
            NodeVolume::Light(light) => self.light(ui, light),
        }
    }

    fn light(&mut self, ui: &mut Ui, Light { shape, color, intensity }: &mut Light) {
        *color = labeled(ui, "Color", "", |ui| color::field(ui, *color));
        let unit = if *shape == LightShape::Directional { " lx" } else { " cd" };
        let style = FieldStyle { unit, ..length_style(*intensity) };
        self.number(ui, "Intensity", (intensity, 1.0), style);
        match shape {
            LightShape::Point { range } => self.limit(ui, ("Range", "Unlimited"), range, 1.0),
            LightShape::Spot { range, inner, outer } => {
                self.limit(ui, ("Range", "Unlimited"), range, 1.0);
                self.angle(ui, "Inner cone", inner);
                self.angle(ui, "Outer cone", outer);
            }
            LightShape::Directional => {
                let why = "A directional light has no range and no cone. Rotate its node to turn it.";
                ui.label(style::weak(why));
            }
        }
    }

    /// Shows a value times a factor. A value that is not edited keeps its bits.
    fn number(&mut self, ui: &mut Ui, label: &str, (value, factor): (&mut f64, f64), style: FieldStyle) {
        let before = *value * factor;
        let mut now = before;
        let (response, typed) = labeled(ui, label, "", |ui| number(ui, &mut now, style, WIDTH));
        style::named(response, label);
        match typed.map(|typed| evaluate(&typed, style.channel)) {
            None => {}
            Some(Ok(typed)) => now = typed.apply(now),
            Some(Err(error)) => self.refusal = Some(format!("{label}: {error}")),
        }
        if now != before {
            *value = now / factor;
        }
    }

    /// Shows a length times a factor.
    fn length(&mut self, ui: &mut Ui, label: &str, value: &mut f64, factor: f64) {
        let style = length_style(*value * factor);
        self.number(ui, label, (value, factor), style);
    }

    /// Shows an angle in degrees.
    fn angle(&mut self, ui: &mut Ui, label: &str, radians: &mut f64) {
        let style =
            FieldStyle { channel: Channel::Rotate, unit: "°", speed: 0.5, noise: 0.0, is_mixed: false };
        self.number(ui, label, (radians, 1f64.to_degrees()), style);
    }

    /// Shows a length that may be unlimited. If it becomes limited, its value is `or`. The checkbox stays in place, so
    /// that a second click undoes the first.
    fn limit(&mut self, ui: &mut Ui, (label, unlimited): (&str, &str), value: &mut Option<f64>, or: f64) {
        let (is_limited, mut shown) = (value.is_some(), value.unwrap_or(or));
        ui.add_enabled_ui(is_limited, |ui| self.length(ui, label, &mut shown, 1.0));
        let is_toggled = labeled(ui, "", "", |ui| checkbox(ui, !is_limited, unlimited)).changed();
        *value = (is_limited != is_toggled).then_some(shown);
    }
}

fn length_style(value: f64) -> FieldStyle {
    let speed = (0.01 * value.abs()).max(1e-3);
    FieldStyle { channel: Channel::Translate, unit: "", speed, noise: 0.0, is_mixed: false }
}
