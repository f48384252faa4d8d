//! The frames of a stage.

use super::{Layout, Stage};
use crate::attachments::{Attachments, Views};
use crate::scene::{Gpu, Window, background, ground};
use crate::solids::{Solid, Surroundings};
use wgpu::RenderPass;
use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::dcamera::rh::{proj::directx::orthographic, view::look_at_mat4};
use wgpu_gizmo::glam::{DAffine3, DMat4, DVec3};
use wgpu_gizmo::gpu::{GpuError, IdTexels, SceneDepth};
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::scene::OutlineStyle;
use wgpu_gizmo::{PickQuery, Theme, View, Viewport};

/// Half of the height that the views along the axes show, in world units.
const HALF_HEIGHT: f64 = 2.6;

impl Stage {
    /// Updates the views for a window. A window without pixels has none.
    pub(super) fn look(&mut self, window: Window) {
        if self.window != Some(window) {
            (self.window, self.is_stale) = (Some(window), true);
        }
        let [width, height] = window.size;
        let all = Viewport::from_size(width, height);
        let views: Result<Vec<View>, ViewError> = match self.layout {
            Layout::One => self.perspective(all, window.scale_factor).map(|view| vec![view]),
            Layout::Four => self.four_views(all, window.scale_factor),
        };
        self.views = views.unwrap_or_default();
    }

    fn perspective(&self, viewport: Viewport, scale_factor: f64) -> Result<View, ViewError> {
        let lens = self.camera.clip_from_view(viewport.width / viewport.height);
        View::new(self.camera.view_from_world(), lens, viewport, scale_factor)
    }

    // code: four views
    fn four_views(&self, all: Viewport, scale_factor: f64) -> Result<Vec<View>, ViewError> {
        let (width, height) = ((all.width / 2.0).floor(), (all.height / 2.0).floor());
        let quarter = |x: f64, y: f64| Viewport { x: x * width, y: y * height, width, height };
        let along = |from: DVec3, up: DVec3, x: f64, y: f64, key: u64| {
            let eye = look_at_mat4(from * 20.0, DVec3::ZERO, up);
            let half = HALF_HEIGHT * DVec3::new(width / height, 1.0, 0.0).max(DVec3::ONE);
            let lens = orthographic(-half.x, half.x, -half.y, half.y, 0.1, 40.0);
            // The key tells the gizmo which view is which, also if their sizes change.
            Ok(View::new(eye, lens, quarter(x, y), scale_factor)?.with_key(key))
        };
        Ok(vec![
            self.perspective(quarter(1.0, 1.0), scale_factor)?.with_key(0),
            along(DVec3::Y, DVec3::NEG_Z, 0.0, 0.0, 1)?,
            along(DVec3::Z, DVec3::Y, 0.0, 1.0, 2)?,
            along(DVec3::X, DVec3::Y, 1.0, 0.0, 3)?,
        ])
    }
    // end

    /// Returns the view that a drag began in, or the one under the pointer.
    pub(super) fn current(&self) -> Option<&View> {
        let held = self.tools.gizmo.held_view().map(View::key);
        let is_current = |view: &&View| match (held, self.pointer_px) {
            (Some(key), _) => view.key() == key,
            (None, Some(px)) => view.viewport().contains(px),
            (None, None) => true,
        };
        self.views.iter().find(is_current).or(self.views.first())
    }

    pub(super) fn step(
        &mut self,
        gpu: &Gpu,
        window: Window,
        attachments: &mut Attachments,
        acquire: &mut dyn FnMut() -> Option<wgpu::TextureView>,
    ) -> Result<bool, GpuError> {
        self.look(window);
        let Some(view) = self.current().copied() else { return Ok(false) };
        let letters = self.tools.gizmo.theme.letters;
        let theme = if self.is_dark { Theme::dark() } else { Theme::light() };
        self.tools.gizmo.theme = theme.with(|t| t.letters = letters);
        self.update()?;
        if let Some((texels, region)) = self.probes.receive(&gpu.device)? {
            self.select_in(&texels, &region);
        }
        let must_draw = self.is_stale || self.tools.gizmo.needs_redraw(0);
        // A query in flight answers the newest position next; the picture stays as it is.
        let must_ask = self.tools.gizmo.is_hover_pending() && !self.tools.gpu.picker().is_pending();
        if !(must_draw || must_ask || self.probes.has_request()) {
            return Ok(false);
        }
        let target = must_draw.then(acquire).flatten();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let views = attachments.views(&gpu.device, window.size, gpu.format);
        self.prepare(gpu, &mut encoder, &view, &views)?;
        if let Some(target) = &target {
            self.draw(gpu, &mut encoder, target, &views)?;
            self.is_stale = false;
        }
        gpu.queue.submit([encoder.finish()]);
        Ok(target.is_some())
    }

    fn prepare(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        attachments: &Views,
    ) -> Result<(), GpuError> {
        let Gpu { device, queue, .. } = gpu;
        for index in 0..self.objects.len() {
            let world_from_local = DAffine3::from_mat4(self.world_from_mesh(index));
            self.scene.place(self.objects[index].id, world_from_local);
        }
        // The closure draws the ids of the objects around the pointer.
        let (scene, picks) = (&mut self.scene, &mut self.picks);
        let draw_objects = |pass: &mut RenderPass<'_>, query: &PickQuery, clip_from_clip: DMat4| {
            *picks += 1;
            scene.draw(device, queue, pass, query, clip_from_clip);
        };
        // code: prepare
        let depth =
            |view: &View| (view.key(), SceneDepth::new(&attachments.scene_depth, view.depth_direction()));
        let has_depth = self.tools.gizmo.settings.display.depth_style != DepthStyle::OnTop;
        let depths: Vec<_> = self.views.iter().filter(|_| has_depth).map(depth).collect();
        let frame = Frame::new(device, queue, encoder).with_depths(&depths);
        self.tools.prepare(frame, &self.views, draw_objects)?;
        // end
        self.probe(gpu, encoder, view)
    }

    fn probe(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, view: &View) -> Result<(), GpuError> {
        let Self { scene, probe_batches, probes, tools, .. } = self;
        let Some(list) = tools.gpu.list(view) else { return Ok(()) };
        probes.encode(gpu, encoder, view, list, &mut |batch, pass, clip_from_clip| {
            let batch = &mut probe_batches[batch];
            batch.select(&scene.scene, view, None);
            batch.draw(&mut scene.scene, &gpu.device, &gpu.queue, pass, clip_from_clip);
        })
    }

    // code: lasso
    fn select_in(&mut self, texels: &IdTexels, region: &Region) {
        // The lasso is a polygon in pixels; what is visible in it is selected.
        let ids = texels.ids_in(region);
        self.select(&ids);
    }
    // end

    /// Draws the solids, then the outlines and the gizmo over them.
    fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        attachments: &Views,
    ) -> Result<(), GpuError> {
        let Gpu { device, queue, format } = gpu;
        let clear = wgpu::LoadOp::Clear(background(self.is_dark, *format));
        self.upload(gpu);
        if self.layout == Layout::One {
            let ids: Vec<_> = self.selected.iter().map(|index| self.objects[*index].id).collect();
            let shown: &[_] = if self.objects.len() > 1 { &ids } else { &[] };
            let style = OutlineStyle { ids: shown, ..Default::default() };
            self.scene.prepare(device, queue, encoder, &self.views[0], &[style])?;
        }
        let mut pass = begin(encoder, &attachments.color, Some(target), clear, Some(&attachments.depth));
        self.draw_solids(&mut pass, |stage, pass, camera| stage.solids.draw(pass, &stage.buffers, camera));
        drop(pass);
        if self.tools.gizmo.settings.display.depth_style != DepthStyle::OnTop {
            let mut pass = depth_pass(encoder, &attachments.scene_depth);
            self.draw_solids(&mut pass, |stage, pass, camera| {
                stage.solids.draw_depth(pass, &stage.buffers, camera);
            });
        }
        let mut pass = begin(encoder, target, None, wgpu::LoadOp::Load, None);
        if self.layout == Layout::One {
            self.scene.render(&mut pass, &self.views[0]);
        }
        self.views.iter().for_each(|view| self.tools.render(&mut pass, view));
        Ok(())
    }

    fn upload(&mut self, gpu: &Gpu) {
        let solid = |index: usize| Solid {
            shape: self.objects[index].shape,
            world_from_local: self.world_from_mesh(index),
            color: self.objects[index].color,
        };
        let solids: Vec<Solid> = (0..self.objects.len()).map(solid).collect();
        let camera = |view: &View| Surroundings {
            clip_from_world: view.clip_from_world(),
            ground: ground(self.is_dark),
        };
        let cameras: Vec<Surroundings> = self.views.iter().map(camera).collect();
        self.solids.upload((&gpu.device, &gpu.queue), &mut self.buffers, &solids, &cameras);
    }

    fn draw_solids(&self, pass: &mut RenderPass<'_>, draw: impl Fn(&Self, &mut RenderPass<'_>, usize)) {
        for (camera, view) in self.views.iter().enumerate() {
            let Viewport { x, y, width, height } = view.viewport();
            pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
            pass.set_scissor_rect(x as u32, y as u32, width as u32, height as u32);
            draw(self, pass, camera);
        }
        // On WebGL, the scissor rectangle at the end of a pass cuts off what is resolved.
        let [width, height] = self.window.map_or([0; 2], |window| window.size);
        pass.set_scissor_rect(0, 0, width, height);
    }
}

/// Begins a pass over a color attachment, with an attachment to resolve into and a depth to clear.
pub(crate) fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
    resolve_target: Option<&wgpu::TextureView>,
    load: wgpu::LoadOp<wgpu::Color>,
    depth: Option<&wgpu::TextureView>,
) -> RenderPass<'e> {
    let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("gallery"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store },
        })],
        depth_stencil_attachment: depth.map(|view| depth_attachment(view, wgpu::StoreOp::Discard)),
        ..Default::default()
    })
}

fn depth_pass<'e>(encoder: &'e mut wgpu::CommandEncoder, view: &wgpu::TextureView) -> RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("scene depth"),
        depth_stencil_attachment: Some(depth_attachment(view, wgpu::StoreOp::Store)),
        ..Default::default()
    })
}

fn depth_attachment(
    view: &wgpu::TextureView,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store }),
        stencil_ops: None,
    }
}
