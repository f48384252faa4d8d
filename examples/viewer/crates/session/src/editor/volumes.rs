//! The volumes of cameras and lights: their handles, and edits of their numbers.

use super::Editor;
use crate::labels::{field_of_handle, volume_field};
use scene::edit::Edit;
use scene::lens;
use scene::log::OpenEdit;
use scene::volume::NodeVolume;
use std::num::NonZeroU32;
use wgpu_gizmo_core::interaction::{Claims, Drag, Event, Key};
use wgpu_gizmo_core::{Gizmo, Settings, Transform, View};
use wgpu_gizmo_extras::volume::{VolumeHandles, VolumeTarget};

/// The handles of the camera or light of the active node. They have a gizmo of their own.
#[derive(Debug, Default)]
pub(crate) struct Volumes {
    /// The handles. A scene without cameras and lights has none.
    pub(super) handles: Option<VolumeHandles>,
    /// The node that the main view looks through, and the key of that view. Its handles are hidden, which would be at
    /// the edge of the picture.
    pub(crate) hidden_node: Option<(usize, u64)>,
    /// The node whose volume is dragged, with its value at the start.
    start: Option<(usize, NodeVolume)>,
}

impl Volumes {
    /// Returns the gizmo of the handles.
    pub(super) fn gizmo(&self) -> Option<&Gizmo> {
        self.handles.as_ref().map(|handles| &handles.gizmo)
    }

    /// Returns the gizmo of the handles, to give input to it.
    pub(super) fn gizmo_mut(&mut self) -> Option<&mut Gizmo> {
        self.handles.as_mut().map(|handles| &mut handles.gizmo)
    }

    /// Returns true while a handle is dragged.
    pub(super) fn is_dragged(&self) -> bool {
        self.gizmo().is_some_and(Gizmo::is_active)
    }
}

impl Editor {
    /// Returns true while a handle of the gizmo, of a camera or of a light is dragged.
    pub fn is_dragging(&self) -> bool {
        self.gizmo.is_active() || self.volumes.is_dragged()
    }

    /// Returns the gizmo whose handle is dragged, or the main one.
    pub(super) fn input_gizmo(&mut self) -> &mut Gizmo {
        match self.volumes.is_dragged() {
            true => self.volumes.gizmo_mut().unwrap_or(&mut self.gizmo),
            false => &mut self.gizmo,
        }
    }

    /// Returns the uses of pointer and keys that belong to a gizmo at the moment.
    pub fn claims(&self) -> Claims {
        let mut claims = self.gizmo.claims();
        if let Some(other) = self.volumes.gizmo().map(Gizmo::claims) {
            claims.primary_press |= other.primary_press;
            claims.primary_drag |= other.primary_drag;
            claims.click |= other.click;
            claims.secondary |= other.secondary;
            claims.middle |= other.middle;
            claims.wheel |= other.wheel;
            claims.keys |= other.keys;
        }
        claims
    }

    /// Returns true if a gizmo shows something else than in the last picture of a view.
    pub(crate) fn needs_redraw(&self, view_key: u64) -> bool {
        let other = self.volumes.gizmo();
        self.gizmo.needs_redraw(view_key) || other.is_some_and(|gizmo| gizmo.needs_redraw(view_key))
    }

    /// Returns true if a gizmo uses this key now.
    pub(crate) fn uses_key(&self, key: Key) -> bool {
        let other = self.volumes.gizmo().filter(|gizmo| gizmo.claims().keys);
        other.unwrap_or(&self.gizmo).uses_key(key)
    }

    /// Returns the name of the handle of a camera or light with this id, such as `volume_range`.
    pub fn volume_handle_of(&self, id: NonZeroU32) -> Option<String> {
        let handles = self.volumes.handles.as_ref()?;
        let name = handles.name_of(handles.gizmo.handle_of(id)?)?;
        Some(format!("volume_{name}"))
    }

    /// Returns the names of the hovered and of the dragged handle of a camera or light.
    pub fn volume_handles_in_use(&self) -> [Option<String>; 2] {
        let name =
            |handles: &VolumeHandles, handle| handles.name_of(handle).map(|name| format!("volume_{name}"));
        let handles = self.volumes.handles.as_ref();
        let hovered = handles.and_then(|handles| name(handles, handles.gizmo.hovered()?));
        [hovered, handles.and_then(|handles| name(handles, handles.gizmo.dragging()?))]
    }

    /// Returns the camera or light whose handles are shown, with its index.
    fn shown_volume(&self) -> Option<(usize, NodeVolume, usize)> {
        let node = self.selection.active().filter(|_| self.shows_volumes)?;
        let is_hidden = self.volumes.hidden_node.is_some_and(|(hidden, _)| hidden == node);
        let is_shown = self.scene.is_pickable(node) && !is_hidden;
        let index = self.scene.volume_of(node).filter(|_| is_shown)?;
        Some((index, self.scene.volume(index)?, node))
    }

    /// Updates the handles with the pending input, and the scene with the dragged volume.
    pub(super) fn update_volume(&mut self, view: &View) {
        let shown = self.shown_volume();
        let Some(handles) = &mut self.volumes.handles else { return };
        handles.gizmo.settings = settings(&self.gizmo.settings);
        handles.gizmo.theme = self.gizmo.theme;
        let aspect = view.viewport().width / view.viewport().height;
        let mut target = shown.map(|(_, one, node)| {
            VolumeTarget::new(placement(&self.scene, node), one.volume(aspect)).with_key(node as u64)
        });
        let events = handles.update(view, target.as_mut()).to_vec();
        if let (Some((index, before, node)), Some(target)) = (shown, target) {
            let now = before.with_volume(target.volume);
            if now != before && self.scene.set_volume(index, now) {
                self.volumes.start.get_or_insert((node, before));
            }
        }
        for event in events {
            self.volume_event(event);
        }
    }

    fn volume_event(&mut self, event: Event) {
        match event {
            Event::Started(_) => {
                self.settle();
                self.message = None;
                self.pointer.marquee.forget();
            }
            Event::Ended { .. } => {
                if let Some((node, before)) = self.volumes.start.take() {
                    let start = Edit::Volume(vec![(node, before)]);
                    self.log.finish(self.volume_step_name(node, &before), start, &self.scene);
                    self.pointer.clicks.reset();
                } else {
                    let last_drag = self.volumes.gizmo().and_then(Gizmo::last_drag);
                    self.pass_click_on_icon(last_drag.is_some_and(Drag::was_click));
                }
                self.gizmo.scene_changed();
            }
            Event::Canceled => {
                if let Some(start) = self.dragged_volume() {
                    // The values were there before.
                    let _ = start.apply(&mut self.scene);
                }
                self.volumes.start = None;
                self.gizmo.scene_changed();
            }
            Event::Refused(handle, reason) => {
                let name = self.volumes.handles.as_ref().and_then(|handles| handles.name_of(handle));
                self.message = Some(format!("{}: {reason}", name.unwrap_or(handle.name())));
            }
            _ => {}
        }
    }

    /// Returns the name of an undo step that has changed the camera or light of a node, after the first field that
    /// differs.
    fn volume_step_name(&self, node: usize, before: &NodeVolume) -> String {
        let now = self.scene.volume_of(node).and_then(|index| self.scene.volume(index)).unwrap_or(*before);
        let mut fields = before.fields().into_iter().zip(now.fields());
        let field =
            fields.find(|(before, now)| before != now).map_or("Color", |((key, _), _)| volume_field(key));
        format!("{field} of {}", self.scene.nodes()[node].name)
    }

    /// Returns the text to show for a readout of a drag. The handle of a camera or light shows the value that it sets,
    /// such as `Outer cone 30.0°`, instead of its motion; a typed number is shown as well.
    pub fn readout(&self, text: &str) -> String {
        self.field_readout(text).unwrap_or_else(|| text.to_owned())
    }

    fn field_readout(&self, text: &str) -> Option<String> {
        let handles = self.volumes.handles.as_ref()?;
        let drag = handles.gizmo.drag()?;
        let handle = handles.name_of(drag.handle())?;
        // The sides of an orthographic camera keep the text of the gizmo.
        let wanted = field_of_handle(handle)?;
        let fields = self.shown_volume()?.1.fields();
        let value = fields.into_iter().find(|(key, _)| *key == wanted)?.1?;
        let is_angle = drag.handle().constraint().rotates();
        let value = if is_angle { format!("{:.1}°", value.to_degrees()) } else { format!("{value:.3} m") };
        let typed = drag.typed().map_or(String::new(), |_| format!("{text}: "));
        Some(format!("{typed}{} {value}", volume_field(wanted)))
    }

    /// Returns the edit that restores the camera or light at the start of its drag.
    pub(super) fn dragged_volume(&self) -> Option<Edit> {
        self.volumes.start.map(|start| Edit::Volume(vec![start]))
    }

    /// Returns the index and the value of the camera or light of the active node.
    pub fn active_volume(&self) -> Option<(usize, NodeVolume)> {
        let index = self.scene.volume_of(self.selection.active()?)?;
        Some((index, self.scene.volume(index)?))
    }

    /// Sets a camera or light from a field. The edit lasts until [`Editor::settle`] and is one undo step.
    /// Numbers that are not valid are rejected with a message. Does nothing during a drag.
    pub fn adjust_volume(&mut self, index: usize, now: NodeVolume) {
        let (Some(before), Some(node)) = (self.scene.volume(index), self.scene.node_with_volume(index))
        else {
            return;
        };
        if self.is_dragging() || before == now {
            return;
        }
        let key = format!("volume {index}");
        let is_open = self.open_edit(&key).is_some();
        let is_set = self.scene.set_volume(index, now);
        self.changed();
        if !is_set {
            self.message = Some("Could not set the value: it is out of range".to_owned());
        } else if !is_open {
            let (name, start) = (self.volume_step_name(node, &before), Edit::Volume(vec![(node, before)]));
            self.log.open = Some(OpenEdit { key, name, start });
        }
    }
}

/// Returns the settings of the handles: those of the gizmo, as far as they apply.
fn settings(main: &Settings) -> Settings {
    Settings::default().with(|s| {
        s.display.size_lpx = main.display.size_lpx;
        s.input.tolerance_lpx = main.input.tolerance_lpx;
        s.motion.solver = main.motion.solver;
        s.snap.increments = main.snap.increments;
        s.snap.while_held = main.snap.while_held;
        s.input.grab = main.input.grab;
        s.input.click_to_type = main.input.click_to_type;
        s.display.depth_style = main.display.depth_style;
        s.display.construction_lines = main.display.construction_lines;
    })
}

/// Returns the position and the rotation of a node in world space. Cameras and lights ignore its scale.
fn placement(scene: &scene::Scene, node: usize) -> Transform {
    let (_, rotation, translation) =
        lens::view_from_world(scene, node).inverse().to_scale_rotation_translation();
    Transform { translation, rotation, ..Transform::IDENTITY }
}

#[cfg(test)]
mod tests;
