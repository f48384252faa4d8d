//! The depth of the scene with one sample per pixel, which the handles are compared with.

use super::SceneKey;
use crate::resources::{RENDERED, begin_depth, size_px, texture, texture_view};
use crate::scene_renderer::{DEPTH_FORMAT, Progress, SceneRenderer, ViewDraws, far_depth};

/// The depth attachment and what is drawn into it.
#[derive(Debug, Default)]
pub(super) struct DepthLayer {
    view: Option<wgpu::TextureView>,
    /// Whether it has, or will have, the depth of the last picture.
    is_current: bool,
    /// Whether handles are drawn in another style where the scene hides them.
    pub(super) is_shown: bool,
    pub(super) progress: Progress,
}

impl DepthLayer {
    /// Prepares to draw the depth of the prepared views if it is shown and has changed.
    pub(super) fn update<'a>(
        &mut self,
        renderer: &SceneRenderer,
        (scene, is_same): (&SceneKey, bool),
        views: impl Iterator<Item = &'a ViewDraws>,
    ) {
        if !self.is_shown {
            (self.is_current, self.progress) = (false, Progress::NONE);
        }
        if !self.is_shown || (self.is_current && is_same) {
            return;
        }
        if self.view.as_ref().is_none_or(|view| size_px(view) != scene.size_px) {
            let depth = texture("viewer depth", scene.size_px, DEPTH_FORMAT, RENDERED);
            self.view = Some(texture_view(&renderer.gpu.device, &depth));
        }
        self.progress = Progress::start(views.map(|view| renderer.flat_work(&view.runs)).sum());
        self.is_current = true;
    }

    /// Draws as much as the budget allows, and returns the depth if it is shown.
    pub(super) fn draw<'a>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &SceneRenderer,
        (scene, views): (&SceneKey, impl Iterator<Item = &'a ViewDraws>),
        budget: &mut f64,
    ) -> Option<&wgpu::TextureView> {
        let view = self.view.as_ref().filter(|_| self.is_shown)?;
        let Some(mut portion) = self.progress.next(budget) else { return Some(view) };
        let far = far_depth(scene.views.first()?.view.depth_direction());
        let mut pass = begin_depth(encoder, "viewer depth", view, portion.load(far));
        for (shown, draws) in scene.views.iter().zip(views) {
            let v = shown.view.viewport();
            pass.set_viewport(v.x as f32, v.y as f32, v.width as f32, v.height as f32, 0.0, 1.0);
            renderer.render_depth(draws, shown.view.depth_direction(), &mut portion, &mut pass);
        }
        Some(view)
    }
}
