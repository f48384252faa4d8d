use super::error::GpuError;
use super::pipelines::{PipelineFactory, PipelineState};
use super::target_state::TargetState;
use super::tile_view::PixelRect;
use super::vertex_memory::VertexMemory;
use crate::draw::{DrawList, GuideGrid};
use glam::{DMat3, DVec2, DVec3};
use std::mem::size_of;

/// The color conversions, followed by the grid shader.
pub(super) const SHADER: &str =
    concat!(include_str!("../../shaders/color.wgsl"), include_str!("../../shaders/grid.wgsl"));

/// A [`GuideGrid`] in the layout of the shader, which expands it into strokes.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct GridRecord {
    /// The homogeneous NDC (x, y, w) of its center, and their changes along its axes.
    pub(super) middle: [f32; 3],
    pub(super) axes: [[f32; 3]; 2],
    /// The offset of the first line across each axis, and the distance between lines.
    pub(super) lines: [f32; 3],
    /// The number of lines across the first axis.
    pub(super) across_first: u32,
    /// The size of the viewport that it is drawn in.
    pub(super) size_px: [f32; 2],
    /// Half of the width of a line, and the width of its halo.
    pub(super) width: [f32; 2],
    pub(super) color: [f32; 4],
}

/// The vertex buffer layout of [`GridRecord`].
pub(super) const GRID_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<GridRecord>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x3,
        4 => Uint32, 5 => Float32x2, 6 => Float32x2, 7 => Float32x4,
    ],
};

/// Strokes per line of a grid.
pub(super) const GRID_PIECES: u32 = 6;

/// Bytes of the smallest buffer: the grids of a drag.
const MIN_CAPACITY: usize = 4 * size_of::<GridRecord>();

impl GridRecord {
    /// `ndc_from_px` is the scale and the offset of both coordinates.
    fn new(grid: &GuideGrid, [scale, shift]: [DVec2; 2], size_px: DVec2) -> Self {
        let ndc_from_px = DMat3::from_cols(DVec3::X * scale.x, DVec3::Y * scale.y, shift.extend(1.0));
        let plane = ndc_from_px * grid.px_from_plane;
        // Scaled so that `f32` can represent it, whatever the unit of w in the view.
        let largest_w = plane.row(2).abs().max_element();
        let [a, b, middle] =
            [plane.x_axis, plane.y_axis, plane.z_axis].map(|v| (v / largest_w).as_vec3().to_array());
        let [first_a, first_b] = grid.first;
        Self {
            middle,
            axes: [a, b],
            lines: [first_a, first_b, grid.spacing].map(|length| length as f32),
            across_first: grid.lines[0],
            size_px: size_px.as_vec2().to_array(),
            width: [grid.half_width_px, grid.halo_px],
            color: grid.color,
        }
    }
}

/// Draws the grids of a draw list into the host's pass.
#[derive(Debug)]
pub(super) struct Grids {
    pipeline: wgpu::RenderPipeline,
    records: VertexMemory<GridRecord>,
    /// The number of vertices of each grid.
    vertices: Vec<u32>,
}

impl Grids {
    /// Returns the number of bytes of the last upload.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        self.records.uploaded_bytes()
    }

    /// `depth_stencil` must keep the depth and stencil of the pass.
    pub(super) fn new(
        factory: &PipelineFactory<'_>,
        target: TargetState,
        depth_stencil: &Option<wgpu::DepthStencilState>,
    ) -> Self {
        let pipeline = factory.shader("wgpu-gizmo grids", SHADER).pipeline(&PipelineState {
            entries: ["vs_grid", target.fragment_entry()],
            buffers: &[Some(GRID_LAYOUT)],
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth_stencil: depth_stencil.clone(),
            sample_count: target.sample_count,
            targets: &[Some(target.blended())],
            ..Default::default()
        });
        let records = VertexMemory::new("wgpu-gizmo grids", wgpu::BufferUsages::VERTEX, MIN_CAPACITY);
        Self { pipeline, records, vertices: Vec::new() }
    }

    /// Replaces the grids by what a list has, for a viewport with these pixels.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        pixels: &PixelRect,
    ) -> Result<(), GpuError> {
        let (origin, size) = (pixels.origin_px(), pixels.size_px());
        // Pixels run down and NDC runs up.
        let scale = DVec2::new(2.0, -2.0) / size;
        let ndc_from_px = [scale, DVec2::new(-1.0, 1.0) - origin * scale];
        let records = self.records.replace();
        self.vertices.clear();
        for grid in list.grids() {
            records.push(GridRecord::new(grid, ndc_from_px, size));
            self.vertices.push(6 * GRID_PIECES * (grid.lines[0] + grid.lines[1]));
        }
        self.records.upload(device, queue)
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let (Some(buffer), false) = (self.records.buffer(), self.vertices.is_empty()) {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, buffer.slice(..));
            for (grid, vertices) in (0..).zip(&self.vertices) {
                pass.draw(0..*vertices, grid..grid + 1);
            }
        }
    }
}

#[cfg(all(test, feature = "native"))]
mod pictures {
    use super::*;
    use crate::draw::Layer;
    use crate::draw::grid::Grid;
    use crate::draw::guides::{GuidePainter, HALO_OPACITY, StrokeStyle, faded, segment};
    use crate::gpu::GizmoRenderer;
    use crate::math::{View, Viewport};
    use glam::{DVec3, dcamera::rh};

    const SIZE: [u32; 2] = [320, 256];

    /// Returns the picture of a list's guides below the handles, on gray.
    fn picture(device: &wgpu::Device, queue: &wgpu::Queue, list: &DrawList) -> Vec<u8> {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let target = TargetState { format, sample_count: 1, depth_stencil: None };
        let mut renderer = GizmoRenderer::new(device, target).expect("the target is supported");
        renderer.prepare(device, queue, list).expect("the device is alive");
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let row_bytes = 4 * SIZE[0];
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(row_bytes * SIZE[1]),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let gray = wgpu::Color { r: 0.3, g: 0.3, b: 0.3, a: 1.0 };
        renderer.render(&mut encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &texture.create_view(&wgpu::TextureViewDescriptor::default()),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(gray), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        }));
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes),
                    rows_per_image: None,
                },
            },
            texture.size(),
        );
        encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., |result| {
            result.expect("the buffer is mapped")
        });
        queue.submit([encoder.finish()]);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is alive");
        buffer.get_mapped_range(..).expect("the buffer is mapped").to_vec()
    }

    /// Builds the strokes of the grid in double precision.
    fn strokes(painter: &mut GuidePainter<'_>, shape: &Grid, grid: &GuideGrid, width_lpx: f32) {
        let Grid { center, axes: [a, b], radius, .. } = *shape;
        for (family, (across, along)) in [(a, b), (b, a)].into_iter().enumerate() {
            for k in 0..grid.lines[family] {
                let offset = grid.first[family] + f64::from(k) * grid.spacing;
                let half = (1.0 - offset * offset).sqrt();
                let at = |piece: u32| half * (2.0 * f64::from(piece) / f64::from(GRID_PIECES) - 1.0);
                let world = |place: f64| center + (across * offset + along * place) * radius;
                for (from, to) in (0..GRID_PIECES).map(|piece| (at(piece), at(piece + 1))) {
                    let Some(seen) = segment(painter.view(), world(from), world(to)) else { continue };
                    let colors = seen.t.map(|t| {
                        let left = GuideGrid::brightness(offset.hypot(from + (to - from) * t));
                        faded(grid.color, left as f32)
                    });
                    painter.stroke_between(seen.px, colors, width_lpx);
                }
            }
        }
    }

    #[test]
    fn grid_record_equals_its_strokes() {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
        let adapter = adapter.expect("the tests need an adapter");
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults(),
            ..Default::default()
        }))
        .expect("the adapter provides a device");
        let viewport = Viewport { x: 14.0, y: -20.0, width: 300.0, height: 250.0 };
        let looking = |eye: DVec3| rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
        let wide = rh::proj::directx::perspective(1.4, 1.2, 0.01, 100.0);
        let parallel = rh::proj::directx::orthographic(-4.0, 4.0, -3.3, 3.3, 0.1, 100.0);
        let thousandth = |eye: DVec3| looking(eye / 1000.0);
        for (name, view_from_world, clip_from_view, unit, scale) in [
            ("from above", looking(DVec3::new(1.0, 4.0, 3.0)), wide, 1.0, 1.0),
            ("at a slant, twice the scale", looking(DVec3::new(1.0, 0.7, 4.0)), wide, 1.0, 2.0),
            ("reaching behind the viewer", looking(DVec3::new(0.1, 0.3, 0.8)), wide, 1.0, 1.0),
            ("with the viewer near the middle", looking(DVec3::new(0.01, 0.05, 0.1)), wide, 1.0, 1.5),
            ("parallel", looking(DVec3::new(1.0, 2.0, 3.0)), parallel, 1.0, 1.0),
            ("tiny", thousandth(DVec3::new(1.0, 2.0, 3.0)), wide, 1e-3, 1.0),
        ] {
            let view =
                View::new(view_from_world, clip_from_view, viewport, scale).expect("the view is valid");
            let shape = Grid {
                center: DVec3::new(0.3, 0.0, 0.1) * unit,
                anchor: DVec3::new(-7.0, 0.0, 11.0) * unit,
                axes: [DVec3::new(0.6, 0.0, 0.8), DVec3::new(-0.8, 0.0, 0.6)],
                spacing: 0.31 * unit,
                radius: 2.0 * unit,
            };
            let ink = StrokeStyle { color: [0.9, 0.8, 0.7, 0.8], width_lpx: 1.3 };
            let grid = shape.seen(&view, ink).expect("the grid is in sight");
            let mut list = DrawList::new();
            list.begin(&view).push_grid(grid);
            let unrolled = picture(&device, &queue, &list);
            list.begin(&view);
            let mut painter = list.guide_painter(Layer::Under).expect("the list has a view");
            strokes(&mut painter, &shape, &grid, ink.width_lpx);
            let laid_out = picture(&device, &queue, &list);
            let is_inked = |(i, part): &(usize, &u8)| part.abs_diff(laid_out[i % 4]) > 20;
            let inked = laid_out.iter().enumerate().filter(is_inked).count();
            assert!(inked > 3_000, "{name}: {inked} channels of ink");
            let apart = unrolled.iter().zip(&laid_out).map(|(a, b)| a.abs_diff(*b));
            let (most, sum) = apart.fold((0, 0), |(most, sum), by| (by.max(most), sum + u32::from(by)));
            let mean = f64::from(sum) / unrolled.len() as f64;
            println!("{name}: {most} at most, {mean:.4} in the mean, {inked} inked");
            // The ends of a piece differ by a fraction of a pixel, which changes at most a tenth of the halo.
            let halo = 255.0 * f64::from(ink.color[3]) * HALO_OPACITY;
            assert!(
                f64::from(most) <= 0.11 * halo && mean < 0.1,
                "{name}: {most} at most, {mean} in the mean"
            );
        }
    }
}
