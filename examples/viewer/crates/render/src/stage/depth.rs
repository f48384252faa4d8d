//! The depth of the scene with one sample per pixel, which the handles are compared with.

use super::SceneKey;
use crate::device::Gpu;
use crate::resources::{RENDERED, begin_depth, texture, texture_view};
use crate::scene_renderer::{DEPTH_FORMAT, IdDraws, Progress, SceneRenderer, far_depth, frustum_of};
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::scene::ViewPart;

/// The depth attachment and what is drawn into it.
#[derive(Debug, Default)]
pub(super) struct DepthLayer {
    view: Option<wgpu::TextureView>,
    size_px: [u32; 2],
    /// One per view of the scene.
    draws: Vec<IdDraws>,
    /// Whether it has, or will have, the depth of the last picture.
    is_current: bool,
    is_shown: bool,
    pub(super) progress: Progress,
}

impl DepthLayer {
    /// Prepares to draw the depth of the scene if it is shown and has changed.
    pub(super) fn update(
        &mut self,
        renderer: &SceneRenderer,
        (scene, is_same): (&SceneKey, bool),
        is_shown: bool,
    ) {
        self.is_shown = is_shown;
        self.is_current &= is_same && is_shown;
        if !is_shown {
            self.progress = Progress::NONE;
        }
        if !is_shown || self.is_current {
            return;
        }
        let Gpu { device, queue, .. } = &renderer.gpu;
        self.resize(device, scene.size_px);
        self.draws.resize_with(scene.views.len().max(self.draws.len()), IdDraws::default);
        let mut work = 0.0;
        for (shown, draws) in scene.views.iter().zip(&mut self.draws) {
            let frustum = frustum_of(&shown.view);
            let (view, clip_from_clip) = (&shown.view, DMat4::IDENTITY);
            let part = ViewPart { device, queue, view, frustum, clip_from_clip };
            renderer.prepare_ids(&part, |node| shown.hidden_node != Some(node), draws);
            work += renderer.depth_work(draws);
        }
        self.progress = Progress::start(work);
        self.is_current = true;
    }

    /// Draws as much as the budget allows, and returns the depth if it is shown.
    pub(super) fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &SceneRenderer,
        scene: &SceneKey,
        budget: &mut f64,
    ) -> Option<&wgpu::TextureView> {
        let view = self.view.as_ref().filter(|_| self.is_shown)?;
        let Some(mut portion) = self.progress.next(budget) else { return Some(view) };
        let far = far_depth(scene.views.first()?.view.depth_direction());
        let mut pass = begin_depth(encoder, "viewer depth", view, portion.load(far));
        for (shown, draws) in scene.views.iter().zip(&self.draws) {
            let v = shown.view.viewport();
            pass.set_viewport(v.x as f32, v.y as f32, v.width as f32, v.height as f32, 0.0, 1.0);
            renderer.render_depth(draws, shown.view.depth_direction(), &mut portion, &mut pass);
        }
        Some(view)
    }

    fn resize(&mut self, device: &wgpu::Device, size_px: [u32; 2]) {
        if self.view.is_some() && self.size_px == size_px {
            return;
        }
        let depth = texture("viewer depth", size_px, DEPTH_FORMAT, RENDERED);
        self.view = Some(texture_view(device, &depth));
        self.size_px = size_px;
    }
}
