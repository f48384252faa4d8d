//! The transform of what is selected: local, to be changed, and in the world, to be read.

use super::align::Align as Aligned;
use super::angles::{Angles, Moment};
use super::expression::{self, Typed};
use super::number::{Looks, NOISE, number, shown, without_noise};
use super::style::{self, ROW, colors};
use super::transform_text;
use crate::editor::Editor;
use crate::flags::Flag;
use crate::scene::{Scene, Version};
use egui::{Align, Event, Key, Label, Layout, Response, RichText, Sense, Ui, vec2};
use std::collections::HashMap;
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::{Transform, handle::Channel};

/// What is shown of transforms.
#[derive(Debug, Default)]
pub(super) struct Fields {
    angles: Angles,
    /// [`History::jumps`](crate::history::History::jumps) as of the angles.
    jumps: u64,
    /// Values as they were typed, by node, group and axis: those are shown whatever they are.
    typed: HashMap<(usize, Channel, usize), f64>,
    /// Radius of the scene as it was when it was first seen; 0 if it shows nothing.
    size: f64,
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
            self.size = size(editor.scene());
            self.speed = length_speed(self.size);
            self.angles.clear();
            self.typed.clear();
        }
        if editor.history().jumps() != self.jumps {
            self.jumps = editor.history().jumps();
            self.angles.jump();
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
            Angles::default().of(active, world.transform.rotation, Moment::AtRest)
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
        let moment = if editor.is_changing() { Moment::Changing } else { Moment::AtRest };
        match channel {
            Channel::Translate => local.translation,
            Channel::Rotate => self.angles.of(node, local.rotation, moment),
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
            let [noise, world_noise] = self.noise((group.channel, axis), (local, world), editor);
            let mut value = local[axis];
            let looks =
                Looks { channel: group.channel, unit: group.unit, speed: self.speed, noise, is_mixed };
            let (response, typed) = number(ui, &mut value, looks, columns.local);
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
                    if let Typed::Value(value) = typed {
                        let fields = editor.adjustable().map(|node| (node, group.channel, axis));
                        self.typed.extend(fields.map(|field| (field, value)));
                    }
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
            let world =
                world.map(|world| shown(without_noise(world[axis], world_noise), group.channel) + group.unit);
            let world = world.unwrap_or_else(|| "–".to_owned());
            let text = RichText::new(&world).monospace().color(colors(ui).plain);
            let right = Layout::right_to_left(Align::Center);
            ui.allocate_ui_with_layout(vec2(columns.world, ROW), right, |ui| {
                let label = ui.add(Label::new(text).truncate());
                style::named(label, &format!("World {} {}: {world}", group.title.to_lowercase(), AXES[axis]));
            });
        });
    }

    /// Returns the sizes up to which a local and a world value of the active node are rounding noise
    /// beside the other components of their vector and beside the scene. What was typed is none.
    fn noise(
        &self,
        (channel, axis): (Channel, usize),
        (local, world): (DVec3, Option<DVec3>),
        editor: &Editor,
    ) -> [f64; 2] {
        let Some(active) = editor.selection().active() else { return [0.0; 2] };
        let parent = editor.scene().world_from_parent(active);
        let scale = [parent.x_axis, parent.y_axis, parent.z_axis].map(|axis| axis.truncate().length());
        let scale = scale.into_iter().fold(0.0, f64::max);
        // Only lengths can be compared with the scene, in the units that they are given in.
        let size = if channel == Channel::Translate { self.size } else { 0.0 };
        let local_size = if scale > 0.0 { size / scale } else { 0.0 };
        let noise = |values: DVec3, size: f64| NOISE * values.abs().max_element().max(size);
        let is_typed = self.typed.get(&(active, channel, axis)) == Some(&local[axis]);
        let world = world.filter(|world| !is_typed || world[axis] != local[axis]);
        [if is_typed { 0.0 } else { noise(local, local_size) }, world.map_or(0.0, |world| noise(world, size))]
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
            let mut degrees = angles.of(node, start.rotation, Moment::AtRest);
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

fn size(scene: &Scene) -> f64 {
    let radius = scene.bounds().map_or(0.0, |bounds| bounds.radius());
    if radius.is_finite() { radius } else { 0.0 }
}

fn length_speed(size: f64) -> f64 {
    if size > 0.0 { 10f64.powf(size.log10().floor() - 2.0) } else { 0.01 }
}
