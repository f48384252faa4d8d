//! The curve as a scene of the page.

use super::{Curve, NAMES};
use crate::attachments::Attachments;
use crate::camera::Camera;
use crate::probes::Probes;
use crate::scene::{Combine, Gpu, Scene, Window, background};
use crate::stage::begin;
use std::num::NonZeroU32;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::interaction::Gizmos;
use wgpu_gizmo::{DrawList, Gizmo, Target, Theme, Transform, View, Viewport};

impl Curve {
    fn look(&mut self, window: Window) {
        if self.window != Some(window) {
            (self.window, self.is_stale) = (Some(window), true);
        }
        let viewport = Viewport::from_size(window.size[0], window.size[1]);
        let lens = self.camera.clip_from_view(viewport.width / viewport.height);
        self.view = View::new(self.camera.view_from_world(), lens, viewport, window.scale_factor).ok();
    }

    fn any(&self, is_so: impl Fn(&Gizmo) -> bool) -> bool {
        self.gizmos.iter().any(is_so)
    }
}

impl Scene for Curve {
    fn step(
        &mut self,
        gpu: &Gpu,
        window: Window,
        attachments: &mut Attachments,
        acquire: &mut dyn FnMut() -> Option<wgpu::TextureView>,
    ) -> Result<bool, GpuError> {
        self.look(window);
        let Some(view) = self.view else { return Ok(false) };
        let theme = if self.is_dark { Theme::dark() } else { Theme::light() };
        self.gizmos.iter_mut().for_each(|gizmo| gizmo.theme = theme);
        self.update(&view)?;
        // Lassos select nothing here.
        let _ = self.probes.receive(&gpu.device)?;
        let must_draw = self.is_stale || self.any(|gizmo| gizmo.needs_redraw(0));
        let must_ask = self.gizmos.is_hover_pending() && !self.gpu.picker().is_pending();
        if !(must_draw || must_ask || self.probes.has_request()) {
            return Ok(false);
        }
        let target = must_draw.then(acquire).flatten();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let frame = Frame::new(&gpu.device, &gpu.queue, &mut encoder);
        let picks = &mut self.picks;
        self.gpu.prepare(frame, self.gizmos.as_mut_slice(), &view, |_, _, _, _| *picks += 1)?;
        if let Some(list) = self.gpu.list(&view) {
            self.probes.encode(gpu, &mut encoder, &view, list, &mut |_, _, _| {})?;
        }
        if let Some(target) = &target {
            let views = attachments.views(&gpu.device, window.size, gpu.format);
            let triangles = self.triangles(&view);
            self.strokes.upload(&gpu.device, &gpu.queue, &triangles);
            let clear = wgpu::LoadOp::Clear(background(self.is_dark, gpu.format));
            let mut pass = begin(&mut encoder, &views.color, Some(target), clear, Some(&views.depth));
            self.strokes.draw(&mut pass);
            drop(pass);
            let mut pass = begin(&mut encoder, target, None, wgpu::LoadOp::Load, None);
            self.gpu.render(&mut pass, &view);
            self.is_stale = false;
        }
        gpu.queue.submit([encoder.finish()]);
        Ok(target.is_some())
    }

    fn needs_step(&self) -> bool {
        let needs_redraw = self.gpu.needs_redraw(self.gizmos.as_slice(), 0);
        self.is_stale || needs_redraw || self.probes.is_pending()
    }

    fn gizmos(&mut self, each: &mut dyn FnMut(&mut Gizmo)) {
        self.gizmos.iter_mut().for_each(each);
    }

    fn keyed_gizmo(&mut self) -> &mut Gizmo {
        let index = self.gizmos.iter().position(Gizmo::is_active);
        &mut self.gizmos[index.unwrap_or(self.selected[0])]
    }

    fn list(&self) -> Option<&DrawList> {
        self.gpu.list(&self.view?)
    }

    fn current_view(&self) -> Option<View> {
        self.view
    }

    fn pointer_at(&mut self, px: Option<DVec2>) {
        if let Some(px) = px {
            self.probes.magnify(px);
        }
    }

    fn transforms(&self) -> Vec<Transform> {
        self.positions.map(|translation| Transform { translation, ..Transform::IDENTITY }).into()
    }

    fn selected(&self) -> &[usize] {
        &self.selected
    }

    fn object_name(&self, index: usize) -> &'static str {
        NAMES.get(index).copied().unwrap_or("")
    }

    fn choose(&mut self, index: usize) {
        if index < self.gizmos.len() {
            self.selected = vec![index];
        }
    }

    fn undo(&mut self) -> bool {
        let step = self.undo.pop();
        self.positions = step.unwrap_or(self.positions);
        self.is_stale = true;
        step.is_some()
    }

    fn save(&self) -> Vec<f64> {
        let mut state: Vec<f64> = self.positions.iter().flat_map(DVec3::to_array).collect();
        state.extend(self.camera.save());
        state
    }

    fn restore(&mut self, state: &[f64]) {
        let Some((positions, camera)) = state.split_last_chunk::<3>() else { return };
        if positions.len() != 3 * self.gizmos.len() || !state.iter().all(|number| number.is_finite()) {
            return;
        }
        for (position, numbers) in self.positions.iter_mut().zip(positions.chunks_exact(3)) {
            *position = DVec3::from_slice(numbers);
        }
        self.camera.restore(*camera);
        self.is_stale = true;
    }

    fn camera(&mut self) -> Option<&mut Camera> {
        Some(&mut self.camera)
    }

    fn has_lasso(&self) -> bool {
        false
    }

    fn set_combine(&mut self, _: Combine) {}

    fn name_of(&self, id: NonZeroU32) -> Option<String> {
        let index = self.gizmos.iter().position(|gizmo| gizmo.handle_of(id).is_some())?;
        Some(NAMES[index].to_owned())
    }

    fn drive(&mut self, handle: &str, amount: f64) -> Result<(), String> {
        let index = self.selected[0];
        let handle = wgpu_gizmo::HandleId::from_name(handle).ok_or("There is no handle of this name.")?;
        let here = Transform { translation: self.positions[index], ..Transform::IDENTITY };
        let mut targets = [Target::from_world(here)];
        let driven = self.gizmos[index].drive(handle, amount, &mut targets);
        let driven = driven.map_err(|error| error.to_string())?;
        self.positions[index] = targets[0].local.translation;
        if driven.changed {
            self.push_undo(index);
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
