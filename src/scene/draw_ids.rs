use super::{PickBatch, PickScene};
use crate::math::{Frustum, View};
use glam::DMat4;
use std::num::NonZeroU32;

/// Draws the objects of a host into the ID images that the library makes, in a region for example.
///
/// It is implemented for a [`PickScene`] with a [`PickBatch`], as `(&mut scene, &mut batch)`. Hosts whose objects are
/// not in a `PickScene`, such as deformed meshes, implement it for their own renderer, whose pipelines are described
/// in [`Picker`](crate::gpu::Picker). Each image that is encoded before a submit needs buffers of its own.
pub trait DrawIds {
    /// Draws the objects that can be picked. Those outside of the frustum can be left out.
    fn draw_ids(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>);

    /// Prepares to draw objects one by one, and returns their ids, by index. Objects outside of the frustum can be
    /// left out, and several may share an id.
    fn prepare_singly(&mut self, part: &ViewPart<'_>) -> Vec<NonZeroU32>;

    /// Draws the prepared object with this index, with a pipeline for
    /// [`RegionPicker::depth_stencil`](super::RegionPicker::depth_stencil). It must set all state of the pass that it
    /// needs.
    fn draw_one(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>, index: u32);
}

/// The part of a view that an ID image shows.
#[derive(Debug, Clone, Copy)]
pub struct ViewPart<'a> {
    /// The device that the image is on.
    pub device: &'a wgpu::Device,
    /// The queue, to upload what the GPU reads.
    pub queue: &'a wgpu::Queue,
    /// The view.
    pub view: &'a View,
    /// Contains everything that the image shows.
    pub frustum: Frustum,
    /// The matrix to apply after that of the view.
    pub clip_from_clip: DMat4,
}

impl DrawIds for (&mut PickScene, &mut PickBatch) {
    fn draw_ids(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>) {
        let (scene, batch) = self;
        batch.select(scene, part.view, Some(&part.frustum));
        batch.draw(scene, part.device, part.queue, pass, part.clip_from_clip);
    }

    fn prepare_singly(&mut self, part: &ViewPart<'_>) -> Vec<NonZeroU32> {
        let (scene, batch) = self;
        batch.prepare_singly(scene, part)
    }

    fn draw_one(&mut self, pass: &mut wgpu::RenderPass<'_>, _: &ViewPart<'_>, index: u32) {
        let (scene, batch) = self;
        batch.draw_one(scene, pass, index);
    }
}
