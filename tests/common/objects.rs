//! The host's own triangles in the ID image.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::device::{IdLayout, device, gpu, id_layout, queue, with_whole_image};
use super::host::{Stages, pipeline};
use super::pool::Pool;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DMat4, DVec3};
use wgpu_gizmo::gpu::{IdTexels, Picker, object_pass};
use wgpu_gizmo::scene::{DrawIds, ViewPart};
use wgpu_gizmo::{DrawList, PickAnswer, PickQuery, View, wgpu};

/// The shader of a host that takes part in picking; positions are in clip space.
const SHADER: &str = "
    struct Texel { @location(0) id_and_depth_bits: vec4u, @location(1) depth_bits: u32 }
    fn texel(id: u32, depth: f32) -> Texel {
        return Texel(vec4u(id, bitcast<u32>(depth), 0u, 0u), bitcast<u32>(depth));
    }
    struct Raster {
        @builtin(position) position: vec4f,
        @location(0) @interpolate(flat) id: u32,
        @location(1) along: f32,
    }
    @vertex fn vs(@location(0) corner_clip: vec4f, @location(1) id: u32,
                  @builtin(vertex_index) index: u32) -> Raster {
        return Raster(corner_clip, id, f32(index % 3u));
    }
    @fragment fn fs(in: Raster) -> Texel { return texel(in.id, in.position.z); }
    // Discards every other stripe of the triangle.
    @fragment fn fs_cut_out(in: Raster) -> Texel {
        if fract(4.0 * in.along) < 0.5 { discard; }
        return texel(in.id, in.position.z);
    }
";

/// A host with triangles in its scene.
pub(crate) struct Host {
    pipeline: wgpu::RenderPipeline,
    view: View,
    pub(crate) triangles: Vec<([DVec3; 3], NonZeroU32)>,
}

impl Host {
    /// Creates a host with the depth state of the ID image.
    pub(crate) fn new(view: &View, triangles: Vec<([DVec3; 3], NonZeroU32)>) -> Self {
        Self::with_depth(view, triangles, object_pass::depth_stencil(view.depth_direction()))
    }

    /// Creates a host whose triangles have alpha-tested stripes.
    pub(crate) fn cut_out(view: &View, triangles: Vec<([DVec3; 3], NonZeroU32)>) -> Self {
        Self::build(view, triangles, object_pass::depth_stencil(view.depth_direction()), "fs_cut_out")
    }

    pub(crate) fn with_depth(
        view: &View,
        triangles: Vec<([DVec3; 3], NonZeroU32)>,
        depth_stencil: wgpu::DepthStencilState,
    ) -> Self {
        Self::build(view, triangles, depth_stencil, "fs")
    }

    fn build(
        view: &View,
        triangles: Vec<([DVec3; 3], NonZeroU32)>,
        depth_stencil: wgpu::DepthStencilState,
        fragment: &'static str,
    ) -> Self {
        static PIPELINES: Pool<(&str, wgpu::DepthStencilState, IdLayout), wgpu::RenderPipeline> = Pool::new();
        let layout = wgpu::VertexBufferLayout {
            array_stride: 20,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Uint32],
        };
        let key = (fragment, depth_stencil.clone(), id_layout());
        let create = || {
            let stages = Stages { shader: SHADER, fragment, buffers: &[Some(layout)] };
            pipeline(stages, object_pass::color_targets(device()), Some(depth_stencil))
        };
        let pipeline = PIPELINES.with(key, create, |pipeline| pipeline.clone());
        Self { pipeline, view: *view, triangles }
    }

    /// Returns the ID image of a whole render target with its triangles.
    pub(crate) fn image(&self, size: [u32; 2], list: &DrawList) -> IdTexels {
        with_whole_image(size, |image| {
            gpu().read_with(image, &self.view, list, |pass, clip_from_clip| self.draw(pass, clip_from_clip))
        })
    }

    /// Waits for the answer to a query about its triangles.
    pub(crate) fn pick(&self, picker: &mut Picker, query: &PickQuery, list: &DrawList) -> PickAnswer {
        gpu().pick(picker, query, list, |pass, clip_from_clip| self.draw(pass, clip_from_clip))
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4) {
        self.draw_some(pass, clip_from_clip, 0..self.triangles.len());
    }

    pub(crate) fn draw_some(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        clip_from_clip: DMat4,
        which: std::ops::Range<usize>,
    ) {
        let triangles = &self.triangles[which];
        let clip_from_world = clip_from_clip * self.view.clip_from_world();
        let mut bytes = Vec::new();
        for (corners, id) in triangles {
            for corner in corners {
                let clip = (clip_from_world * corner.extend(1.0)).as_vec4();
                clip.to_array().iter().for_each(|n| bytes.extend(n.to_ne_bytes()));
                bytes.extend(id.get().to_ne_bytes());
            }
        }
        let buffer = device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("host triangles"),
            size: bytes.len() as u64,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        queue().write_buffer(&buffer, 0, &bytes);
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..3 * triangles.len() as u32, 0..1);
    }
}

/// Draws all triangles, or each of them as an object.
impl DrawIds for &Host {
    fn draw_ids(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>) {
        self.draw(pass, part.clip_from_clip);
    }

    fn prepare_singly(&mut self, _: &ViewPart<'_>) -> Vec<NonZeroU32> {
        self.triangles.iter().map(|(_, id)| *id).collect()
    }

    fn draw_one(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>, index: u32) {
        self.draw_some(pass, part.clip_from_clip, index as usize..index as usize + 1);
    }
}

/// Returns a triangle around a point, parallel to the image plane, with a size in pixels.
pub(crate) fn facing(view: &View, at_world: DVec3, size_px: f64) -> [DVec3; 3] {
    let frame = view.axes();
    let size = size_px * view.pixel_size(at_world);
    [[-1.0, -0.7], [1.0, -0.7], [0.0, 1.2]]
        .map(|[x, y]| at_world + (frame.x_axis * x + frame.y_axis * y) * size)
}
