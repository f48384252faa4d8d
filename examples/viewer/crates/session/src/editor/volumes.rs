//! The volumes of cameras and lights: their handles, and edits of their numbers.

use super::Editor;
use scene::history::{Change, Step};
use scene::lens;
use scene::volume::NodeVolume;
use std::num::NonZeroU32;
use wgpu_gizmo_core::interaction::{Claims, Event, Key};
use wgpu_gizmo_core::pick::IdSpaceExhausted;
use wgpu_gizmo_core::{DrawList, Gizmo, Settings, Transform, View};
use wgpu_gizmo_extras::volume::{VolumeHandles, VolumeTarget};

/// The handles of the camera or light of the active node. They have a gizmo of their own.
#[derive(Debug, Default)]
pub(super) struct Volumes {
    /// The handles. A scene without cameras and lights has none.
    handles: Option<VolumeHandles>,
    is_shown: bool,
    /// The node that the main view looks through. Its handles would be at the edge of the picture.
    hidden_node: Option<usize>,
    /// The index of the volume that is dragged, with its value at the start.
    start: Option<(usize, NodeVolume)>,
    /// The index of the volume whose field is edited, with its value at the start.
    adjusted: Option<(usize, NodeVolume)>,
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

    /// Returns true while a field is edited.
    pub(super) fn is_adjusted(&self) -> bool {
        self.adjusted.is_some()
    }
}

impl Editor {
    /// Allocates the handles, if the scene has cameras or lights.
    pub(super) fn add_volume_handles(&mut self) -> Result<(), IdSpaceExhausted> {
        if self.scene.volumes().iter().any(Option::is_some) {
            self.volumes.handles = Some(VolumeHandles::new(self.ids.space_mut())?);
        }
        Ok(())
    }

    /// Shows or hides the handles of cameras and lights.
    pub fn show_volumes(&mut self, is_shown: bool) {
        self.volumes.is_shown = is_shown;
        self.gizmo.scene_changed();
    }

    /// Returns true if the handles of cameras and lights are shown.
    pub fn shows_volumes(&self) -> bool {
        self.volumes.is_shown
    }

    /// Hides the handles of the node that the main view looks through.
    pub(crate) fn look_through_volume(&mut self, node: Option<usize>) {
        self.volumes.hidden_node = node;
    }

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
    pub fn needs_redraw(&self, view_key: u64) -> bool {
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

    /// Adds the handles to a list.
    pub(super) fn draw_volume(&mut self, list: &mut DrawList) {
        if let Some(handles) = &mut self.volumes.handles {
            handles.draw(list);
        }
    }

    /// Returns the camera or light whose handles are shown, with its index.
    fn shown_volume(&self) -> Option<(usize, NodeVolume, usize)> {
        let node = self.selection.active().filter(|_| self.volumes.is_shown)?;
        let is_shown = self.scene.is_pickable(node) && self.volumes.hidden_node != Some(node);
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
        if let (Some((index, before, _)), Some(target)) = (shown, target) {
            let now = before.with_volume(target.volume);
            if now != before && self.scene.set_volume(index, now) {
                self.volumes.start.get_or_insert((index, before));
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
                self.marquee.forget();
            }
            Event::Ended { .. } => {
                if let Some((index, before)) = self.volumes.start.take() {
                    self.record_volume(index, before);
                    self.clicks.reset();
                }
                self.gizmo.scene_changed();
            }
            Event::Canceled => {
                if let Some((index, before)) = self.volumes.start.take() {
                    self.scene.set_volume(index, before);
                }
                self.gizmo.scene_changed();
            }
            Event::Refused(handle, reason) => {
                let name = self.volumes.handles.as_ref().and_then(|handles| handles.name_of(handle));
                self.message = Some(format!("{}: {reason}", name.unwrap_or(handle.name())));
            }
            _ => {}
        }
    }

    /// Adds an undo step for a changed camera or light.
    fn record_volume(&mut self, index: usize, before: NodeVolume) {
        let Some(after) = self.scene.volume(index).filter(|after| *after != before) else { return };
        let kind = match after {
            NodeVolume::Camera(_) => "camera",
            NodeVolume::Light(_) => "light",
        };
        let name = self.scene.node_with_volume(index).map(|node| self.scene.nodes()[node].name.as_str());
        let name = format!("Edit {kind} {}", name.unwrap_or_default());
        self.history.push(Step { name, change: Change::VolumesSet(vec![(index, before, after)]) });
    }

    /// Returns the index and the value of the camera or light of the active node.
    pub fn active_volume(&self) -> Option<(usize, NodeVolume)> {
        let index = self.scene.volume_of(self.selection.active()?)?;
        Some((index, self.scene.volume(index)?))
    }

    /// Sets a camera or light from a field. The edit lasts until [`Editor::settle`] and is one undo step.
    /// Numbers that are not valid are rejected with a message. Does nothing during a drag.
    pub fn adjust_volume(&mut self, index: usize, now: NodeVolume) {
        if self.is_dragging() || self.scene.volume(index).is_none_or(|before| before == now) {
            return;
        }
        if self.adjusting.is_some() || self.volumes.adjusted.is_some_and(|(adjusted, _)| adjusted != index) {
            self.settle();
        }
        let before = self.scene.volume(index);
        let is_set = self.scene.set_volume(index, now);
        self.changed();
        match before.filter(|_| is_set) {
            Some(before) => drop(self.volumes.adjusted.get_or_insert((index, before))),
            None => self.message = Some("Could not set the value: it is out of range".to_owned()),
        }
    }

    /// Ends the edit of a field, which becomes one undo step if anything changed.
    pub(super) fn settle_volume(&mut self) {
        if let Some((index, before)) = self.volumes.adjusted.take() {
            self.record_volume(index, before);
        }
    }

    /// Cancels the edit of a field.
    pub(super) fn cancel_adjusting_volume(&mut self) {
        if let Some((index, before)) = self.volumes.adjusted.take() {
            self.scene.set_volume(index, before);
            self.changed();
        }
    }

    /// Sets the cameras and lights of nodes without an undo step. Cancels a drag first.
    pub(crate) fn set_volumes_raw(&mut self, volumes: &[(usize, NodeVolume)], view: &View) {
        self.cancel();
        self.update(view);
        for (node, now) in volumes {
            let node = &self.scene.nodes()[*node];
            // A node can have a camera and a light.
            let set = [node.light, node.camera].into_iter().flatten();
            for index in set.collect::<Vec<_>>() {
                self.scene.set_volume(index, *now);
            }
        }
        self.changed();
    }

    /// Returns the starts of a drag or an edit of a field in progress.
    pub(crate) fn pending_volumes(&self) -> impl Iterator<Item = (usize, NodeVolume)> {
        let dragged = self.volumes.start.filter(|_| self.volumes.is_dragged());
        dragged.into_iter().chain(self.volumes.adjusted)
    }
}

/// Returns the settings of the handles: those of the gizmo, as far as they apply.
fn settings(main: &Settings) -> Settings {
    Settings {
        size_lpx: main.size_lpx,
        tolerance_lpx: main.tolerance_lpx,
        solver: main.solver,
        snap: main.snap,
        snap_while_held: main.snap_while_held,
        grab: main.grab,
        click_to_type: main.click_to_type,
        depth_style: main.depth_style,
        construction_lines: main.construction_lines,
        ..Settings::default()
    }
}

/// Returns the position and the rotation of a node in world space. Cameras and lights ignore its scale.
fn placement(scene: &scene::Scene, node: usize) -> Transform {
    let (_, rotation, translation) =
        lens::view_from_world(scene, node).inverse().to_scale_rotation_translation();
    Transform { translation, rotation, ..Transform::IDENTITY }
}

#[cfg(test)]
mod tests;
