//! A stage as a scene of the page.

use super::{Layout, Object, Stage};
use crate::attachments::Attachments;
use crate::camera::Camera;
use crate::probes::Probes;
use crate::scene::{Combine, Gpu, Scene, Window};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::{DrawList, Gizmo, HandleId, Transform, View};

impl Scene for Stage {
    fn step(
        &mut self,
        gpu: &Gpu,
        window: Window,
        attachments: &mut Attachments,
        acquire: &mut dyn FnMut() -> Option<wgpu::TextureView>,
    ) -> Result<bool, GpuError> {
        self.step(gpu, window, attachments, acquire)
    }

    fn needs_step(&self) -> bool {
        self.is_stale || self.tools.needs_redraw(0) || self.probes.is_pending()
    }

    fn gizmos(&mut self, each: &mut dyn FnMut(&mut Gizmo)) {
        each(&mut self.tools.gizmo);
    }

    fn keyed_gizmo(&mut self) -> &mut Gizmo {
        &mut self.tools.gizmo
    }

    fn list(&self) -> Option<&DrawList> {
        self.tools.gpu.list(self.current()?)
    }

    fn current_view(&self) -> Option<View> {
        self.current().copied()
    }

    fn pointer_at(&mut self, px: Option<DVec2>) {
        self.pointer_px = px;
        if let Some(px) = px {
            self.probes.magnify(px);
        }
    }

    fn transforms(&self) -> Vec<Transform> {
        let world = |index| Transform::from_matrix(self.world_from_local(index));
        (0..self.objects.len()).map(|index| world(index).unwrap_or_default()).collect()
    }

    fn selected(&self) -> &[usize] {
        &self.selected
    }

    fn object_name(&self, index: usize) -> &'static str {
        self.objects.get(index).map_or("", |object| object.name)
    }

    fn choose(&mut self, index: usize) {
        if index < self.objects.len() {
            self.selected = vec![index];
            self.is_stale = true;
        }
    }

    fn undo(&mut self) -> bool {
        self.is_stale = true;
        self.undo()
    }

    fn save(&self) -> Vec<f64> {
        let numbers = |object: &Object| {
            let Transform { translation, rotation, scale } = object.local;
            [&translation.to_array()[..], &rotation.to_array(), &scale.to_array()].concat()
        };
        let mut state: Vec<f64> = self.objects.iter().flat_map(numbers).collect();
        state.extend(self.camera.save());
        state
    }

    fn restore(&mut self, state: &[f64]) {
        let Some((locals, camera)) = state.split_last_chunk::<3>() else { return };
        if locals.len() != 10 * self.objects.len() || !state.iter().all(|number| number.is_finite()) {
            return;
        }
        for (object, numbers) in self.objects.iter_mut().zip(locals.chunks_exact(10)) {
            object.local = Transform {
                translation: DVec3::from_slice(numbers),
                rotation: DQuat::from_slice(&numbers[3..]),
                scale: DVec3::from_slice(&numbers[7..]),
            };
        }
        self.camera.restore(*camera);
        self.is_stale = true;
    }

    fn camera(&mut self) -> Option<&mut Camera> {
        // The views along the axes are fixed.
        let is_fixed = self.layout == Layout::Four && self.current().is_some_and(|view| view.key() != 0);
        (!is_fixed).then_some(&mut self.camera)
    }

    fn has_lasso(&self) -> bool {
        self.has_lasso
    }

    fn set_combine(&mut self, combine: Combine) {
        self.combine = combine;
    }

    fn name_of(&self, id: NonZeroU32) -> Option<String> {
        if let Some(handle) = self.tools.gizmo.handle_of(id) {
            return Some(handle.name().to_owned());
        }
        let index = self.objects.iter().position(|object| object.id == id)?;
        let number = if self.objects.len() > 9 { format!(" {}", index + 1) } else { String::new() };
        Some(format!("{}{number}", self.objects[index].name))
    }

    fn drive(&mut self, handle: &str, amount: f64) -> Result<(), String> {
        let handle = HandleId::from_name(handle).ok_or("There is no handle of this name.")?;
        let mut targets = self.targets();
        // code: drive
        let gizmo = &mut self.tools.gizmo;
        let driven = gizmo.drive(handle, amount, &mut targets).map_err(|error| error.to_string())?;
        // end
        for (index, target) in self.selected.iter().zip(&targets) {
            self.objects[*index].local = target.local;
        }
        if driven.changed {
            self.push_undo();
        }
        self.is_stale = true;
        Ok(())
    }

    fn probes(&mut self) -> &mut Probes {
        &mut self.probes
    }

    fn set_dark(&mut self, is_dark: bool) {
        self.is_stale |= self.is_dark != is_dark;
        self.is_dark = is_dark;
    }

    fn redraw(&mut self) {
        self.is_stale = true;
    }

    fn picks(&self) -> u64 {
        self.picks
    }
}
