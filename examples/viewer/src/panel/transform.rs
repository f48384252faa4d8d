//! The transform of what is selected: local, to be changed, and in the world, to be read.

use super::align::Align as Aligned;
use super::angles::{Angles, Moment};
use super::expression::{self, Typed};
use super::style::{self, ROW, colors};
use super::transform_text;
use crate::editor::Editor;
use crate::flags::Flag;
use crate::scene::{Scene, Version};
use egui::{Align, DragValue, Event, Key, Label, Layout, Response, RichText, Sense, Ui, vec2};
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::{Transform, handle::Channel};

/// What is shown of transforms.
#[derive(Debug, Default)]
pub(super) struct Fields {
    angles: Angles,
    /// [`History::jumps`](crate::history::History::jumps) as of the angles.
    jumps: u64,
    typed: Typed_,
    version: Version,
    /// World units for each point that a field of lengths is dragged: a small part of what the
    /// scene measured when it was first seen.
    speed: f64,
    /// The field that is being dragged began at this value.
    dragged_from: Option<f64>,
    /// Why a text could not be pasted.
    refused: Option<String>,
    align: Aligned,
}

/// Three fields that belong together.
struct Group {
    channel: Channel,
    title: &'static str,
    /// What reset puts into each.
    rest: f64,
    unit: &'static str,
}

const GROUPS: [Group; 3] = [
    Group { channel: Channel::Translate, title: "Position", rest: 0.0, unit: "" },
    Group { channel: Channel::Rotate, title: "Rotation", rest: 0.0, unit: "°" },
    Group { channel: Channel::Scale, title: "Scale", rest: 1.0, unit: "" },
];

const AXES: [&str; 3] = ["X", "Y", "Z"];

/// Beyond so many selected nodes it is not looked for which of them differ.
const COMPARED: usize = 2000;

/// Widths of the columns, in points: the group's title, the axis, the button that resets.
const TITLE: f32 = 62.0;
const AXIS: f32 = 14.0;
const RESET: f32 = 20.0;

/// How a field was changed: what that means for the other selected nodes.
#[derive(Clone, Copy)]
enum Entry {
    /// All get this value, or their own changed by this.
    Typed(Typed),
    /// All change by as much.
    Dragged(f64),
}

impl Fields {
    /// Shows the fields. `begins`: the keys are to go to the first of them.
    pub(super) fn show(&mut self, ui: &mut Ui, editor: &mut Editor, begins: bool) {
        if !editor.scene().version().is_same_tree(self.version) {
            self.version = editor.scene().version();
            self.speed = length_speed(editor.scene());
            self.angles.clear();
        }
        self.clipboard(ui, editor);
        let Some(active) = editor.selection().active() else {
            ui.label(style::quiet("Select a node in the view or in the tree."));
            return;
        };
        let is_locked = editor.scene().is_flagged(active, Flag::Locked);
        let others = editor.selection().nodes().len() - 1;
        if others > 0 {
            let name = &editor.scene().nodes()[active].name;
            ui.label(style::quiet(format!("Of {name}; changes go to {} nodes", others + 1)));
        }
        if is_locked {
            let own = editor.scene().has_flag(active, Flag::Locked);
            let why = if own { "Locked: K unlocks" } else { "Locked with what it hangs on" };
            ui.label(RichText::new(why).color(colors(ui).active));
        }
        self.header(ui);
        let world = Transform::from_matrix(editor.scene().world_from_node(active));
        let world_degrees = world.map(|world| {
            // Shown only, so nothing has to be remembered.
            Angles::default().of(active, world.transform.rotation)
        });
        ui.add_enabled_ui(!is_locked, |ui| {
            for group in &GROUPS {
                let local = self.values(group.channel, active, editor);
                let world = world.map(|world| match group.channel {
                    Channel::Translate => world.transform.translation,
                    Channel::Rotate => world_degrees.unwrap_or_default(),
                    Channel::Scale => world.transform.scale,
                });
                let world = world.or((group.channel == Channel::Translate)
                    .then(|| editor.scene().world_from_node(active).w_axis.truncate()));
                for axis in 0..3 {
                    self.field(ui, editor, (group, axis), (local, world), begins);
                }
                ui.add_space(4.0);
            }
        });
        match world {
            None => {
                ui.label(style::quiet("Flattened in the world by a scale of 0").small());
            }
            Some(world) if world.lost > 1e-6 => {
                let text = style::quiet("Sheared in the world by a parent's uneven scale").small();
                ui.label(text).on_hover_text("No rotation and scale are quite what it looks like there.");
            }
            Some(_) => {}
        }
        self.buttons(ui, editor, active, is_locked);
        self.align.show(ui, editor);
        if let Some(refused) = &self.refused {
            ui.label(RichText::new(refused).color(colors(ui).wrong).small());
        }
    }

    fn header(&self, ui: &mut Ui) {
        let columns = Columns::of(ui);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.allocate_exact_size(vec2(TITLE + AXIS, 18.0), Sense::hover());
            let small = |text| Label::new(style::quiet(text).small()).selectable(false);
            let right = Layout::right_to_left(Align::Center);
            ui.add_sized([columns.local, 18.0], small("Local"));
            ui.allocate_exact_size(vec2(RESET + 8.0, 18.0), Sense::hover());
            ui.allocate_ui_with_layout(vec2(columns.world, 18.0), right, |ui| ui.add(small("World")));
        });
    }

    /// What the fields of a channel show of a node.
    fn values(&mut self, channel: Channel, node: usize, editor: &Editor) -> DVec3 {
        let local = &editor.scene().nodes()[node].local;
        match channel {
            Channel::Translate => local.translation,
            Channel::Rotate => self.angles.of(node, local.rotation),
            Channel::Scale => local.scale,
        }
    }

    fn field(
        &mut self,
        ui: &mut Ui,
        editor: &mut Editor,
        (group, axis): (&Group, usize),
        (local, world): (DVec3, Option<DVec3>),
        begins: bool,
    ) {
        let columns = Columns::of(ui);
        let name = format!("{} {}", group.title, AXES[axis]);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let (rect, _) = ui.allocate_exact_size(vec2(TITLE + AXIS, ROW), Sense::hover());
            let font = egui::TextStyle::Body.resolve(ui.style());
            let middle = egui::Align2::LEFT_CENTER;
            if axis == 0 {
                ui.painter().text(rect.left_center(), middle, group.title, font.clone(), colors(ui).quiet);
            }
            let at = rect.left_center() + vec2(TITLE, 0.0);
            ui.painter().text(at, middle, AXES[axis], font, colors(ui).axes[axis]);

            let is_mixed = self.is_mixed(group.channel, axis, editor);
            let mut value = local[axis];
            let (response, typed) = number(ui, &mut value, (group, self.speed), columns.local, is_mixed);
            let response = style::named(response, &name);
            if begins && group.channel == Channel::Translate && axis == 0 {
                response.request_focus();
            }
            if response.drag_started() {
                self.dragged_from = Some(local[axis]);
            }
            if response.changed() {
                let entry = match (response.dragged(), self.dragged_from) {
                    (true, Some(from)) => Entry::Dragged(value - from),
                    _ => Entry::Typed(Typed::Value(value)),
                };
                self.write(editor, (group, axis), entry);
            }
            match typed.as_deref().map(expression::read) {
                // Where angles are read from a rotation and made to one again, digits are lost.
                Some(Ok(Typed::Value(typed))) if typed == local[axis] && !is_mixed => {}
                Some(Ok(typed)) => {
                    editor.settle();
                    self.write(editor, (group, axis), Entry::Typed(typed));
                    editor.settle();
                }
                Some(Err(error)) => editor.say(format!("{name}: {error}")),
                None => {}
            }
            // Steps of the arrow keys are one change until the keys go elsewhere.
            if response.drag_stopped() || (response.changed() && !response.dragged() && !response.has_focus())
            {
                self.dragged_from = None;
                editor.settle();
            }
            if is_mixed {
                let _ = response.on_hover_text("Not the same in all selected nodes");
            }
            let is_at_rest = local[axis] == group.rest && !is_mixed;
            let does = format!("Reset {name}");
            if reset_button(ui, &does, !is_at_rest).clicked() {
                self.reset(editor, &[(group, axis)], &does);
            }
            ui.add_space(8.0);
            let world = world.map(|world| shown(world[axis], group.channel) + group.unit);
            let world = world.unwrap_or_else(|| "–".to_owned());
            let text = RichText::new(&world).monospace().color(colors(ui).plain);
            let right = Layout::right_to_left(Align::Center);
            ui.allocate_ui_with_layout(vec2(columns.world, ROW), right, |ui| {
                let label = ui.add(Label::new(text).truncate());
                style::named(label, &format!("World {} {}: {world}", group.title.to_lowercase(), AXES[axis]));
            });
        });
    }

    fn is_mixed(&self, channel: Channel, axis: usize, editor: &Editor) -> bool {
        let nodes = editor.selection().nodes();
        let Some(active) = editor.selection().active().filter(|_| nodes.len() <= COMPARED) else {
            return false;
        };
        let local = |node: usize| &editor.scene().nodes()[node].local;
        let differs = |node: &usize| match channel {
            Channel::Translate => local(*node).translation[axis] != local(active).translation[axis],
            // One angle of a rotation says little without the others.
            Channel::Rotate => local(*node).rotation != local(active).rotation,
            Channel::Scale => local(*node).scale[axis] != local(active).scale[axis],
        };
        nodes.iter().any(differs)
    }

    fn write(&mut self, editor: &mut Editor, (group, axis): (&Group, usize), entry: Entry) {
        let name = format!("{} {}", group.title, AXES[axis]);
        let how = match entry {
            Entry::Typed(Typed::Value(value)) => {
                format!("{name} of {{}}: {}{}", shown(value, group.channel), group.unit)
            }
            Entry::Typed(Typed::From(operator, by)) => {
                let unit = if operator.has_unit() { group.unit } else { "" };
                format!("{name} of {{}}: {} {}{unit}", operator.text(), shown(by, group.channel))
            }
            Entry::Dragged(by) => format!("{name} of {{}} by {}{}", shown(by, group.channel), group.unit),
        };
        let starts = &mut self.angles;
        editor.adjust(&name, &how, |node, start| {
            let entered = |from: f64| match entry {
                Entry::Typed(typed) => typed.of(from),
                Entry::Dragged(by) => from + by,
            };
            let mut local = *start;
            match group.channel {
                Channel::Translate => local.translation[axis] = entered(start.translation[axis]),
                Channel::Scale => local.scale[axis] = entered(start.scale[axis]),
                Channel::Rotate => {
                    let mut degrees = starts.since(node, start.rotation);
                    degrees[axis] = entered(degrees[axis]);
                    local.rotation = starts.turn(node, degrees);
                }
            }
            local
        });
    }

    fn reset(&mut self, editor: &mut Editor, fields: &[(&Group, usize)], name: &str) {
        editor.settle();
        let angles = &mut self.angles;
        editor.adjust(name, &format!("{name} of {{}}"), |node, start| {
            let mut local = *start;
            let mut degrees = angles.of(node, start.rotation);
            let mut turns = false;
            for (group, axis) in fields {
                match group.channel {
                    Channel::Translate => local.translation[*axis] = group.rest,
                    Channel::Scale => local.scale[*axis] = group.rest,
                    Channel::Rotate => (degrees[*axis], turns) = (group.rest, true),
                }
            }
            if turns {
                local.rotation = angles.turn(node, degrees);
            }
            local
        });
        editor.settle();
    }

    fn buttons(&mut self, ui: &mut Ui, editor: &mut Editor, active: usize, is_locked: bool) {
        ui.horizontal(|ui| {
            let copy = style::named(ui.button("Copy"), "Copy transform");
            if copy.on_hover_text("As JSON text (Ctrl+C)").clicked() {
                self.copy(ui, editor);
            }
            ui.add_enabled_ui(!is_locked, |ui| {
                let paste = style::named(ui.button("Paste"), "Paste transform");
                if paste.on_hover_text("JSON text of a transform (Ctrl+V)").clicked() {
                    ui.ctx().send_viewport_cmd(egui::ViewportCommand::RequestPaste);
                }
                let local = &editor.scene().nodes()[active].local;
                let all = ui.add_enabled(*local != Transform::IDENTITY, egui::Button::new("Reset all"));
                if style::named(all, "Reset transform").clicked() {
                    let fields: Vec<_> =
                        GROUPS.iter().flat_map(|group| (0..3).map(move |axis| (group, axis))).collect();
                    self.reset(editor, &fields, "Reset transform");
                }
            });
        });
    }

    fn copy(&mut self, ui: &Ui, editor: &Editor) {
        if let Some(active) = editor.selection().active() {
            self.refused = None;
            ui.copy_text(transform_text::write(&editor.scene().nodes()[active].local));
        }
    }

    /// Copy and paste by keys, where no text is being edited.
    fn clipboard(&mut self, ui: &Ui, editor: &mut Editor) {
        if ui.ctx().text_edit_focused() {
            return;
        }
        let mut pasted = None;
        let copies = ui.input(|input| {
            for event in &input.raw.events {
                if let Event::Paste(text) = event {
                    pasted = Some(text.clone());
                }
            }
            input.raw.events.iter().any(|event| matches!(event, Event::Copy))
        });
        if copies {
            self.copy(ui, editor);
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.refused = None;
        }
        let Some(text) = pasted else { return };
        match transform_text::read(&text) {
            Ok(paste) => {
                self.refused = None;
                editor.settle();
                editor.adjust("Paste", "Paste transform into {}", |_, start| paste(start));
                editor.settle();
            }
            Err(error) => self.refused = Some(format!("The clipboard holds no transform: {error}")),
        }
    }
}

/// What is left of the panel's width for the columns of numbers, in points.
struct Columns {
    local: f32,
    world: f32,
}

impl Columns {
    fn of(ui: &Ui) -> Self {
        let width = ui.available_width() - TITLE - AXIS - RESET - 8.0;
        let local = (0.56 * width).floor();
        Self { local, world: width - local }
    }
}

fn number(
    ui: &mut Ui,
    value: &mut f64,
    (group, speed): (&Group, f64),
    width: f32,
    is_mixed: bool,
) -> (Response, Option<String>) {
    let channel = group.channel;
    let speed = match channel {
        Channel::Translate => speed,
        Channel::Rotate => 0.5,
        Channel::Scale => 0.01,
    };
    ui.scope(|ui| {
        if is_mixed {
            ui.visuals_mut().override_text_color = Some(colors(ui).active);
        }
        // Every digit while it is typed: what is not changed there must not lose any.
        let has_focus = style::next_has_focus(ui);
        let write = move |value: f64, _: std::ops::RangeInclusive<usize>| match has_focus {
            true => format!("{value}"),
            false => shown(value, channel),
        };
        let before = *value;
        let field = DragValue::new(value)
            .speed(speed)
            .clip_text(true)
            .min_size(vec2(width, ROW - 2.0))
            .custom_formatter(write)
            .suffix(if has_focus { "" } else { group.unit });
        expression::add_field(ui, before, field)
    })
    .inner
}

/// A button with an arrow that goes back round; nothing to see where there is nothing to reset.
fn reset_button(ui: &mut Ui, does: &str, is_enabled: bool) -> Response {
    let button = egui::Button::new("").frame(false).min_size(vec2(RESET, ROW));
    let response = ui.add_enabled_ui(is_enabled, |ui| ui.add_sized([RESET, ROW], button)).inner;
    if is_enabled && ui.is_enabled() {
        let is_near = response.hovered() || response.has_focus();
        let stroke = egui::Stroke::new(1.3, if is_near { colors(ui).clear } else { colors(ui).quiet });
        let center = response.rect.center();
        let at = |turn: f32, radius: f32| center + radius * egui::Vec2::angled(std::f32::consts::TAU * turn);
        // From a quarter to the right of the top, clockwise, to the top.
        let arc = (0..=12).map(|i| at(-0.06 + 0.76 * i as f32 / 12.0, 4.2)).collect();
        ui.painter().add(egui::epaint::PathShape::line(arc, stroke));
        let tip = at(0.70, 4.2);
        let head = [tip + vec2(-0.5, -3.0), tip + vec2(3.8, 0.4), tip + vec2(-0.5, 3.2)];
        ui.painter().add(egui::epaint::PathShape::convex_polygon(
            head.to_vec(),
            stroke.color,
            egui::Stroke::NONE,
        ));
    }
    style::named(response.on_hover_text(does), does)
}

fn length_speed(scene: &Scene) -> f64 {
    let radius = scene.bounds().map_or(1.0, |bounds| bounds.radius());
    if radius.is_finite() && radius > 0.0 { 10f64.powf(radius.log10().floor() - 2.0) } else { 0.01 }
}

/// A number as it is read: three digits after the point, or powers of ten where those say nothing.
fn shown(value: f64, channel: Channel) -> String {
    let size = value.abs();
    let text = match channel {
        _ if size >= 1e6 => format!("{value:.3e}"),
        _ if size > 0.0 && size < 5e-4 => format!("{value:.1e}"),
        Channel::Rotate => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    match text.strip_prefix('-') {
        // Rounding must not write −0.
        Some(rest) if rest.trim_start_matches(['0', '.']).is_empty() => rest.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_minus_nothing() {
        let texts = |values: &[f64], channel| values.iter().map(|v| shown(*v, channel)).collect::<Vec<_>>();
        let values = [0.0, -0.0, 1.25, -0.8004, 2e-7, 1.5e9, 999_999.0];
        assert_eq!(
            texts(&values, Channel::Translate),
            ["0.000", "0.000", "1.250", "-0.800", "2.0e-7", "1.500e9", "999999.000"]
        );
        assert_eq!(texts(&[-0.0, 89.999, -0.001], Channel::Rotate), ["0.00", "90.00", "0.00"]);
    }
}
