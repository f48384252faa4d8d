//! The Transform section: editable local values of the selected nodes, with the world values beside them.

mod compared;
mod field;

use super::align;
use super::angles::{Angles, Moment};
use super::measure;
use super::number::{Channel, NOISE};
use super::style::{self, colors};
use super::transform_text;
use compared::Compared;
use egui::{Align, Event, InputState, Label, Layout, RichText, Sense, Ui, vec2};
use field::{Field, FieldValues};
use scene::flags::Flag;
use scene::{Scene, Version};
use session::editor::{Edge, Editor};
use std::collections::HashMap;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DVec3;

/// State of the Transform section.
#[derive(Debug, Default)]
pub(super) struct Fields {
    angles: Angles,
    /// [`Log::jumps`](scene::log::Log::jumps) when the angles were last updated.
    jumps: u64,
    /// Typed values by node, channel and axis. They never count as rounding noise.
    typed: HashMap<(usize, Channel, usize), f64>,
    /// Radius of the scene when it was first shown; 0 if it has no geometry.
    size: f64,
    version: Version,
    /// World units per point of dragging a length: a small fraction of the size of the scene.
    speed: f64,
    /// Start value of the field that is being dragged.
    dragged_from: Option<f64>,
    /// The part of the nodes that *Align by* aligns.
    edge: Edge,
    compared: Compared,
}

/// The three fields of a channel.
#[derive(Clone, Copy)]
struct Group {
    channel: Channel,
    title: &'static str,
    /// The value that a reset sets.
    default: f64,
    unit: &'static str,
}

const GROUPS: [Group; 3] = [
    Group { channel: Channel::Translate, title: "Position", default: 0.0, unit: "" },
    Group { channel: Channel::Rotate, title: "Rotation", default: 0.0, unit: "°" },
    Group { channel: Channel::Scale, title: "Scale", default: 1.0, unit: "" },
];

const AXES: [&str; 3] = ["X", "Y", "Z"];

/// Widths of the columns, in points: the title of the group, the axis and the reset button.
const TITLE: f32 = 62.0;
const AXIS: f32 = 14.0;
const RESET: f32 = 20.0;

/// Returns the widths of the columns of local and of world values, in points.
fn number_columns(ui: &Ui) -> [f32; 2] {
    style::columns(ui, TITLE + AXIS + RESET + 8.0, [0.56, 0.44])
}

impl Fields {
    /// Shows the fields.
    pub(super) fn show(&mut self, ui: &mut Ui, editor: &mut Editor) {
        self.follow(editor);
        let Some(active) = editor.selection().active() else {
            ui.label(style::weak("Select a node in the viewport or in the tree."));
            return;
        };
        let is_locked = editor.scene().is_flagged(active, Flag::Locked);
        let others = editor.selection().nodes().len() - 1;
        if others > 0 {
            let name = &editor.scene().nodes()[active].name;
            ui.label(style::weak(format!("Shows {name}; changes apply to {} nodes", others + 1)));
        }
        if is_locked {
            let own = editor.scene().has_flag(active, Flag::Locked);
            let why = if own { "Locked: K unlocks" } else { "An ancestor is locked" };
            ui.label(RichText::new(why).color(colors(ui).active));
        }
        self.compared.update(editor);
        self.header(ui);
        let world_from_node = editor.scene().world_from_node(active);
        let world = Transform::from_matrix(world_from_node);
        ui.add_enabled_ui(!is_locked, |ui| self.groups(ui, editor, active));
        match world {
            None => {
                ui.label(style::weak("The world transform has a scale of 0").small());
            }
            Some(world) if world.error_against(world_from_node) > 1e-6 => {
                let text = style::weak("Sheared in the world by a parent's non-uniform scale").small();
                ui.label(text).on_hover_text("The world values are the nearest ones without shear.");
            }
            Some(_) => {}
        }
        measure::show(ui, editor, active);
        self.buttons(ui, editor, is_locked);
        align::show(ui, editor, &mut self.edge);
    }

    /// Updates what is stored about the scene and its angles.
    fn follow(&mut self, editor: &Editor) {
        if !editor.scene().version().is_same_tree(self.version) {
            self.version = editor.scene().version();
            self.size = size(editor.scene());
            self.speed = if self.size > 0.0 { 10f64.powf(self.size.log10().floor() - 2.0) } else { 0.01 };
            self.angles.clear();
            self.typed.clear();
        }
        if editor.log().jumps != self.jumps {
            self.jumps = editor.log().jumps;
            self.angles.jump();
        }
    }

    /// Shows the fields of all channels.
    fn groups(&mut self, ui: &mut Ui, editor: &mut Editor, active: usize) {
        let world_from_node = editor.scene().world_from_node(active);
        let world = Transform::from_matrix(world_from_node);
        // World angles are not edited, so they need no stored state.
        let world_degrees = world.map(|world| Angles::default().of(active, world.rotation, Moment::AtRest));
        for group in &GROUPS {
            let local = self.values(group.channel, active, editor);
            let world = match group.channel {
                Channel::Translate => {
                    Some(world.map_or(world_from_node.w_axis.truncate(), |world| world.translation))
                }
                Channel::Rotate => world_degrees,
                Channel::Scale => world.map(|world| world.scale),
            };
            for axis in 0..3 {
                self.field(ui, editor, Field { group, axis }, &FieldValues { local, world });
            }
            ui.add_space(4.0);
        }
    }

    fn header(&self, ui: &mut Ui) {
        let [local, world] = number_columns(ui);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.allocate_exact_size(vec2(TITLE + AXIS, 18.0), Sense::hover());
            let small = |text| Label::new(style::weak(text).small()).selectable(false);
            let right = Layout::right_to_left(Align::Center);
            ui.add_sized([local, 18.0], small("Local"));
            ui.allocate_exact_size(vec2(RESET + 8.0, 18.0), Sense::hover());
            ui.allocate_ui_with_layout(vec2(world, 18.0), right, |ui| ui.add(small("World")));
        });
    }

    /// Returns the local values of a channel of a node, with rotations in degrees.
    fn values(&mut self, channel: Channel, node: usize, editor: &Editor) -> DVec3 {
        let local = &editor.scene().nodes()[node].local;
        let moment = if editor.is_changing() { Moment::Changing } else { Moment::AtRest };
        match channel {
            Channel::Translate => local.translation,
            Channel::Rotate => self.angles.of(node, local.rotation, moment),
            Channel::Scale => local.scale,
        }
    }

    /// Returns the sizes up to which a local and a world value of the active node count as rounding noise,
    /// compared with the other components of their vector and with the scene. A typed value never does.
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
        // Only lengths can be compared with the size of the scene, converted to the same space.
        let size = if channel == Channel::Translate { self.size } else { 0.0 };
        let local_size = if scale > 0.0 { size / scale } else { 0.0 };
        let noise = |values: DVec3, size: f64| NOISE * values.abs().max_element().max(size);
        let is_typed = self.typed.get(&(active, channel, axis)) == Some(&local[axis]);
        let world = world.filter(|world| !is_typed || world[axis] != local[axis]);
        [if is_typed { 0.0 } else { noise(local, local_size) }, world.map_or(0.0, |world| noise(world, size))]
    }

    fn buttons(&mut self, ui: &mut Ui, editor: &mut Editor, is_locked: bool) {
        ui.horizontal(|ui| {
            let copied = style::named(ui.button("Copy"), "Copy transform");
            if copied.on_hover_text("As JSON text (Ctrl+C)").clicked() {
                copy(ui, editor);
            }
            ui.add_enabled_ui(!is_locked, |ui| {
                let paste = style::named(ui.button("Paste"), "Paste transform");
                if paste.on_hover_text("JSON text of a transform (Ctrl+V)").clicked() {
                    ui.ctx().send_viewport_cmd(egui::ViewportCommand::RequestPaste);
                }
                let all = ui.add_enabled(self.compared.may_reset(), egui::Button::new("Reset All"));
                let all = style::named(all, "Reset transform");
                if all.on_hover_text("Position and rotation 0, scale 1").clicked() {
                    let of_group = |group| (0..3).map(move |axis| Field { group, axis });
                    let fields: Vec<_> = GROUPS.iter().flat_map(of_group).collect();
                    self.reset(editor, &fields, "Reset transform");
                }
            });
        });
    }
}

fn copy(ui: &Ui, editor: &mut Editor) {
    let Some(active) = editor.selection().active() else { return editor.explain_no_change() };
    let node = &editor.scene().nodes()[active];
    ui.copy_text(transform_text::write(&node.local));
    editor.show_message(format!("Copied the transform of {}", node.name));
}

/// Handles Ctrl+C and Ctrl+V while no text is edited.
pub(super) fn clipboard(ui: &Ui, editor: &mut Editor) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    let pasted = |event: &Event| match event {
        Event::Paste(text) => Some(text.clone()),
        _ => None,
    };
    let events = |input: &InputState| {
        let events = &input.raw.events;
        (events.contains(&Event::Copy), events.iter().rev().find_map(pasted))
    };
    let (copies, pasted) = ui.input(events);
    if copies {
        copy(ui, editor);
    }
    let Some(text) = pasted else { return };
    match transform_text::read(&text) {
        Ok(paste) => {
            editor.settle();
            editor.adjust("Paste", "Paste transform into {}", |_, start| paste(start));
            editor.settle();
        }
        Err(error) => editor.show_message(format!("Could not paste a transform: {error}")),
    }
}

fn size(scene: &Scene) -> f64 {
    let radius = scene.bounds().map_or(0.0, |bounds| bounds.radius());
    if radius.is_finite() { radius } else { 0.0 }
}
