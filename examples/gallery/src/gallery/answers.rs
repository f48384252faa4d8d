//! What the page and its tests ask of a gallery.

use crate::gallery::Gallery;
use crate::scene::Scene;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::interaction::CursorHint;
use wgpu_gizmo::{Gizmo, HandleId, Transform, View};

/// What the page shows.
impl Gallery {
    /// Returns the names of the handles that [`Gallery::drive`] can use.
    pub fn driven_handles(&mut self, index: usize) -> Vec<&'static str> {
        let Some(scene) = self.scene(index) else { return Vec::new() };
        let gizmo = scene.keyed_gizmo();
        let mode = gizmo.settings.mode;
        let is_boxed = gizmo.settings.box_handles.is_some();
        let is_custom = mode.handles().built_in().next().is_none() && !is_boxed;
        let shown = if is_custom { wgpu_gizmo::Mode::Translate } else { mode };
        let named = shown.handles().built_in().chain(HandleId::box_handles().filter(|_| is_boxed));
        // Handles in a plane take two numbers.
        let takes_one = |name: &&str| {
            let last = name.rsplit('_').next().unwrap_or("");
            !(name.starts_with("translate") && last.len() != 1)
        };
        named.map(HandleId::name).filter(takes_one).collect()
    }

    /// Returns the name of the hovered handle or object.
    pub fn hovered(&mut self, index: usize) -> Option<String> {
        let scene = self.scene(index)?;
        let mut id: Option<NonZeroU32> = None;
        scene.gizmos(&mut |gizmo| {
            let handle = gizmo.hovered().map(|handle| gizmo.id_of(handle));
            id = id.or(handle).or_else(|| gizmo.hovered_object());
        });
        scene.name_of(id?)
    }

    /// Returns the id of the handle at a pixel, found without the GPU, or 0.
    pub fn handle_on_cpu(&self, index: usize, px: DVec2) -> u32 {
        let list = self.scene_ref(index).and_then(|scene| scene.list());
        list.and_then(|list| list.pick(px, 0.0)).map_or(0, NonZeroU32::get)
    }

    /// Returns the name of the handle that is dragged.
    pub fn dragging(&mut self, index: usize) -> Option<String> {
        let scene = self.scene(index)?;
        let mut id = None;
        scene.gizmos(&mut |gizmo| id = id.or(gizmo.dragging().map(|handle| gizmo.id_of(handle))));
        scene.name_of(id?)
    }

    /// Returns the shape of the pointer, as CSS names it.
    pub fn cursor(&mut self, index: usize) -> &'static str {
        let mut hint = CursorHint::Default;
        if let Some(scene) = self.scene(index) {
            scene.gizmos(&mut |gizmo: &mut Gizmo| {
                hint = if hint == CursorHint::Default { gizmo.cursor_hint() } else { hint };
            });
        }
        match hint {
            CursorHint::Grab => "grab",
            CursorHint::Grabbing => "grabbing",
            _ => "default",
        }
    }

    /// Returns the text of the drag, and the left end of its line in physical pixels.
    pub fn readout(&self, index: usize) -> Option<(String, DVec2)> {
        let readout = self.scene_ref(index)?.list()?.readouts().next()?;
        Some((readout.text.to_owned(), readout.anchor_px))
    }

    /// Returns the lasso that is being drawn, in physical pixels.
    pub fn lasso(&self, index: usize) -> &[DVec2] {
        self.entries.get(index).map_or(&[], |entry| entry.input.lasso())
    }

    /// Returns the last position of the pointer, in physical pixels.
    pub fn pointer_px(&self, index: usize) -> Option<DVec2> {
        self.entries.get(index)?.input.last_px()
    }

    /// Returns the transforms of the objects of a scene, in the world.
    pub fn transforms(&self, index: usize) -> Vec<Transform> {
        self.scene_ref(index).map(Scene::transforms).unwrap_or_default()
    }

    /// Returns the indices of the selected objects.
    pub fn selected(&self, index: usize) -> &[usize] {
        self.scene_ref(index).map_or(&[], Scene::selected)
    }

    /// Returns the view under the pointer.
    pub fn view(&self, index: usize) -> Option<View> {
        self.scene_ref(index)?.current_view()
    }

    /// Returns the pixel of a point in the world.
    pub fn px_of(&self, index: usize, point_world: DVec3) -> Option<DVec2> {
        self.view(index)?.px_from_world(point_world)
    }

    /// Returns the ids around the pointer, as the picker sees them.
    pub fn magnified(&mut self, index: usize) -> Option<&IdTexels> {
        self.scene(index)?.probes().magnified.as_ref()
    }

    /// Returns the ids that [`Gallery::request_ids`] asked for, once they are there.
    pub fn take_ids(&mut self, index: usize) -> Option<IdTexels> {
        self.scene(index)?.probes().whole_texels.take()
    }

    /// Returns a name for an id.
    pub fn name_of(&self, index: usize, id: u32) -> Option<String> {
        self.scene_ref(index)?.name_of(NonZeroU32::new(id)?)
    }

    /// Returns the numbers of frames drawn and of picks.
    pub fn counts(&self, index: usize) -> [u64; 2] {
        let Some(entry) = self.entries.get(index) else { return [0; 2] };
        [entry.frames, entry.scene.as_ref().map_or(0, |scene| scene.picks())]
    }
}
