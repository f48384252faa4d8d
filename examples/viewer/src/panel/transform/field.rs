//! One field of the Transform section: its titles, its number, its reset button and its world value.

use super::super::icons;
use super::super::number::{Channel, FieldStyle, Typed, evaluate, format_value, number, without_noise};
use super::super::style::{self, ROW, colors};
use super::{AXES, AXIS, Fields, Group, RESET, TITLE, number_columns};
use egui::{Align, Label, Layout, Response, RichText, Sense, Ui, vec2};
use session::editor::Editor;
use wgpu_gizmo::glam::DVec3;

/// A field: an axis of a channel.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) group: &'a Group,
    pub(super) axis: usize,
}

impl Field<'_> {
    fn name(&self) -> String {
        format!("{} {}", self.group.title, AXES[self.axis])
    }
}

/// The values that a field shows.
pub(super) struct FieldValues {
    /// The local values of the channel, with rotations in degrees.
    pub(super) local: DVec3,
    /// The world values, if there are any.
    pub(super) world: Option<DVec3>,
}

impl Fields {
    /// Shows one row: the local value to edit, the button that resets it, and the world value.
    pub(super) fn field(&mut self, ui: &mut Ui, editor: &mut Editor, field: Field<'_>, values: &FieldValues) {
        let [local_width, world_width] = number_columns(ui);
        let (Field { group, axis }, name) = (field, field.name());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            titles(ui, field);
            let is_mixed = self.compared.is_mixed(group.channel, axis);
            let [noise, world_noise] =
                self.noise((group.channel, axis), (values.local, values.world), editor);
            let mut value = values.local[axis];
            let field_style =
                FieldStyle { channel: group.channel, unit: group.unit, speed: self.speed, noise, is_mixed };
            let (response, typed) = number(ui, &mut value, field_style, local_width);
            let response = style::named(response, &name);
            self.enter(editor, field, (values.local[axis], is_mixed), (&response, value, typed));
            let with_unit = match group.channel {
                Channel::Translate => "25 mm",
                Channel::Rotate => "0.5 rad",
                Channel::Scale => "150%",
            };
            let about = match is_mixed {
                true => format!(
                    "Differs among the selected nodes. Type 2, 1/3, {with_unit} or +=0.5; drag to change all"
                ),
                false => format!("Drag to change, click to type: 2, 1/3, {with_unit}, +=0.5"),
            };
            let _ = response.on_hover_text(about);
            let is_default = values.local[axis] == group.default && !is_mixed;
            let does = format!("Reset {name}");
            if reset_button(ui, &does, !is_default).clicked() {
                self.reset(editor, &[field], &does);
            }
            ui.add_space(8.0);
            let world = values.world.map(|world| {
                format_value(without_noise(world[axis], world_noise), group.channel) + group.unit
            });
            world_value(ui, field, &world.unwrap_or_else(|| "–".to_owned()), world_width);
        });
    }

    /// Applies what was dragged or typed in a field that showed this value.
    fn enter(
        &mut self,
        editor: &mut Editor,
        field: Field<'_>,
        (shown, is_mixed): (f64, bool),
        (response, value, typed): (&Response, f64, Option<String>),
    ) {
        let (Group { channel, unit, .. }, name) = (*field.group, field.name());
        let format = |value: f64| format_value(value, channel);
        if response.drag_started() {
            self.dragged_from = Some(shown);
        }
        if response.changed() {
            let (by, how) = match (response.dragged(), self.dragged_from) {
                (true, Some(from)) => {
                    let by = value - from;
                    (Typed::Change('+', by), format!("{name} of {{}} by {}{unit}", format(by)))
                }
                _ => (Typed::Value(value), format!("{name} of {{}}: {}{unit}", format(value))),
            };
            self.change(editor, &name, &how, &[(field, by)]);
        }
        match typed.as_deref().map(|typed| evaluate(typed, channel)) {
            // An unchanged value is not written: converting angles to a rotation and back loses digits.
            Some(Ok(Typed::Value(typed))) if typed == shown && !is_mixed => {}
            Some(Ok(typed)) => {
                editor.settle();
                let how = match typed {
                    Typed::Value(value) => format!("{}{unit}", format(value)),
                    Typed::Change(operator, by) => {
                        let unit = if "+-".contains(operator) { unit } else { "" };
                        format!("{operator}= {}{unit}", format(by))
                    }
                };
                self.change(editor, &name, &format!("{name} of {{}}: {how}"), &[(field, typed)]);
                if let Typed::Value(value) = typed {
                    let fields = editor.adjustable().map(|node| (node, channel, field.axis));
                    self.typed.extend(fields.map(|field| (field, value)));
                }
                editor.settle();
            }
            Some(Err(error)) => editor.show_message(format!("{name}: {error}")),
            None => {}
        }
        // Steps with the arrow keys are one change until the field loses the focus.
        if response.drag_stopped() || (response.changed() && !response.dragged() && !response.has_focus()) {
            self.dragged_from = None;
            editor.settle();
        }
    }

    /// Changes fields of all adjustable nodes.
    fn change(&mut self, editor: &mut Editor, name: &str, how: &str, changes: &[(Field<'_>, Typed)]) {
        let angles = &mut self.angles;
        let rotates = changes.iter().any(|(field, _)| field.group.channel == Channel::Rotate);
        editor.adjust(name, how, |node, start| {
            let mut local = *start;
            let mut degrees = if rotates { angles.since(node, start.rotation) } else { DVec3::ZERO };
            for (Field { group, axis }, typed) in changes {
                let values = match group.channel {
                    Channel::Translate => &mut local.translation,
                    Channel::Rotate => &mut degrees,
                    Channel::Scale => &mut local.scale,
                };
                values[*axis] = typed.apply(values[*axis]);
            }
            if rotates {
                local.rotation = angles.turn(node, degrees);
            }
            local
        });
    }

    /// Resets fields of all adjustable nodes: one undo step.
    pub(super) fn reset(&mut self, editor: &mut Editor, fields: &[Field<'_>], name: &str) {
        editor.settle();
        let defaults = fields.iter().map(|field| (*field, Typed::Value(field.group.default)));
        self.change(editor, name, &format!("{name} of {{}}"), &defaults.collect::<Vec<_>>());
        editor.settle();
    }
}

/// Shows the title of the group, in its first row, and the name of the axis.
fn titles(ui: &mut Ui, Field { group, axis }: Field<'_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(TITLE + AXIS, ROW), Sense::hover());
    let font = egui::TextStyle::Body.resolve(ui.style());
    let left_center = egui::Align2::LEFT_CENTER;
    if axis == 0 {
        ui.painter().text(rect.left_center(), left_center, group.title, font.clone(), colors(ui).weak);
    }
    let at = rect.left_center() + vec2(TITLE, 0.0);
    ui.painter().text(at, left_center, AXES[axis], font, colors(ui).axes[axis]);
}

/// Shows a world value, aligned to the right.
fn world_value(ui: &mut Ui, Field { group, axis }: Field<'_>, world: &str, width: f32) {
    let text = RichText::new(world).monospace().color(colors(ui).text);
    let right = Layout::right_to_left(Align::Center);
    ui.allocate_ui_with_layout(vec2(width, ROW), right, |ui| {
        let label = ui.add(Label::new(text).truncate());
        style::named(label, &format!("World {} {}: {world}", group.title.to_lowercase(), AXES[axis]));
    });
}

/// Shows a button with a circular arrow. It is invisible if there is nothing to reset.
fn reset_button(ui: &mut Ui, does: &str, is_enabled: bool) -> Response {
    // Without the focus, so that Tab leads to the next field.
    let button = egui::Button::new("").frame(false).min_size(vec2(RESET, ROW)).sense(Sense::CLICK);
    let response = ui.add_enabled_ui(is_enabled, |ui| ui.add_sized([RESET, ROW], button)).inner;
    if is_enabled && ui.is_enabled() {
        let color = if response.hovered() { colors(ui).strong } else { colors(ui).weak };
        icons::paint(ui.painter(), response.rect, icons::RESET, color);
    }
    style::named(response.on_hover_text(does), does)
}
