use super::error::{GpuError, check_alive};
use super::target_state::TargetState;
use super::window::Window;
use crate::handle::{DrawList, GuideVertex};
use glam::DVec2;
use std::mem::size_of;
use std::ops::Range;

/// The rules of colour, and what paints guides.
pub(super) const SHADER: &str =
    concat!(include_str!("../../shaders/color.wgsl"), include_str!("../../shaders/guide.wgsl"));

/// Four [`GuideVertex`]es as they reach the shader.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Quad {
    /// In NDC.
    pub(super) corners: [[f32; 2]; 4],
    /// Pixels from the middle of the stroke, on its first and its other side; half its width; how
    /// far its halo goes. As halves.
    pub(super) across: [u16; 4],
    /// Of its first and its other end.
    pub(super) colors: [[u8; 4]; 2],
}

/// How a [`Quad`] reaches the shader.
pub(super) const GUIDE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Quad>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x4, 2 => Float16x4, 3 => Unorm8x4, 4 => Unorm8x4,
    ],
};

/// Quads of a first upload: a line, its ends and a letter for each axis.
const SMALLEST: usize = 64;

impl Quad {
    /// `ndc_from_px` is of both coordinates, a scale and what is added.
    fn new(corners: &[GuideVertex; 4], [scale, shift]: [DVec2; 2]) -> Self {
        let [a, b, c, _] = corners;
        let ndc = |corner: &GuideVertex| {
            let [x, y] = corner.position_px;
            (DVec2::new(x.into(), y.into()) * scale + shift).as_vec2().to_array()
        };
        let [first, half, halo] = a.across_px;
        Self {
            corners: corners.each_ref().map(ndc),
            across: [first, b.across_px[0], half, halo].map(half_float),
            colors: [a.color, c.color].map(|color| color.map(|part| (255.0 * part).round() as u8)),
        }
    }
}

/// The nearest number of half precision, which a shader reads as a float; the largest there is
/// for what is larger.
fn half_float(number: f32) -> u16 {
    let sign = (number.to_bits() >> 16) as u16 & 0x8000;
    let bits = number.abs().min(65504.0).to_bits();
    // Below 2^-14 there are only multiples of 2^-24.
    if bits < 0x3880_0000 {
        return sign | (number.abs() * 16_777_216.0).round() as u16;
    }
    // Thirteen bits fewer, to the nearest, and an exponent that begins 112 lower.
    sign | ((bits + 0xfff + (bits >> 13 & 1) - (112 << 23)) >> 13) as u16
}

/// Paints the guides of a draw list into the host's pass.
#[derive(Debug)]
pub(super) struct Guides {
    pipeline: wgpu::RenderPipeline,
    /// Made at the first upload that has something in it; holds `capacity` quads.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    /// Kept, so that an upload allocates nothing.
    staged: Vec<Quad>,
    /// Under the handles, and over them.
    layers: [Range<u32>; 2],
    window: Option<Window>,
    /// Bytes of the last upload.
    uploaded: u64,
}

impl Guides {
    /// Bytes that the last upload handed to the queue.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        self.uploaded
    }

    /// `depth_stencil` leaves the pass' depth and stencil alone.
    pub(super) fn new(
        device: &wgpu::Device,
        target: TargetState,
        depth_stencil: Option<wgpu::DepthStencilState>,
    ) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("wgpu-gizmo guides"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("wgpu-gizmo guides"),
            ..Default::default()
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("wgpu-gizmo guides"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_guide"),
                compilation_options: Default::default(),
                buffers: &[Some(GUIDE_LAYOUT)],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil,
            multisample: wgpu::MultisampleState { count: target.sample_count, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(target.fragment_entry()),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: target.format,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self {
            pipeline,
            buffer: None,
            capacity: 0,
            staged: Vec::new(),
            layers: [0..0, 0..0],
            window: None,
            uploaded: 0,
        }
    }

    /// Nothing is drawn until the next upload.
    pub(super) fn clear(&mut self) {
        self.window = None;
    }

    /// Replaces what was there by the guides of a list.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
    ) -> Result<(), GpuError> {
        self.window = None;
        self.uploaded = 0;
        let [under, over] = list.guides();
        let Some(view) = list.view().filter(|_| !(under.is_empty() && over.is_empty())) else {
            return Ok(());
        };
        let v = view.viewport();
        // No pixel of a target is left of or above 0, and a window is no longer than a target may be.
        let all = [DVec2::new(v.x, v.y).max(DVec2::ZERO), DVec2::new(v.x + v.width, v.y + v.height)];
        let limit = device.limits().max_texture_dimension_2d;
        let Some(window) = Window::holding(all, view, limit) else { return Ok(()) };
        let origin = DVec2::new(window.origin[0] as f64, window.origin[1] as f64);
        let size = DVec2::new(window.size[0].into(), window.size[1].into());
        // Pixels run down and NDC runs up.
        let scale = DVec2::new(2.0, -2.0) / size;
        let ndc_from_px = [scale, DVec2::new(-1.0, 1.0) - origin * scale];
        self.staged.clear();
        let quads = |layer: &[GuideVertex]| layer.len() / 4;
        for layer in [under, over] {
            let corners = layer.chunks_exact(4).filter_map(|four| <&[_; 4]>::try_from(four).ok());
            self.staged.extend(corners.map(|corners| Quad::new(corners, ndc_from_px)));
        }
        let (middle, end) = (quads(under) as u32, self.staged.len() as u32);
        self.layers = [0..middle, middle..end];
        if self.staged.len() > self.capacity {
            check_alive(device)?;
            self.capacity = self.staged.len().next_power_of_two().max(SMALLEST);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("wgpu-gizmo guides"),
                size: (self.capacity * size_of::<Quad>()) as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytemuck::cast_slice(&self.staged));
            self.uploaded = size_of_val(&self.staged[..]) as u64;
        }
        self.window = Some(window);
        Ok(())
    }

    pub(super) fn draw_under(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.layers[0]);
    }

    pub(super) fn draw_over(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.layers[1]);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: &Range<u32>) {
        let (Some(window), Some(buffer)) = (&self.window, &self.buffer) else { return };
        if layer.is_empty() {
            return;
        }
        let ([x, y], [width, height]) = (window.origin, window.size);
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..6, layer.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::half_float;

    #[test]
    fn halves_are_the_nearest_there_are() {
        let float = |half: u16| {
            let (exponent, digits) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
            let size = match exponent {
                0 => digits * 2f64.powi(-24),
                _ => (1024.0 + digits) * 2f64.powi(exponent - 25),
            };
            if half & 0x8000 == 0 { size } else { -size }
        };
        for (number, half) in [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (1e9, 0x7bff)] {
            assert_eq!(half_float(number), half, "{number}");
        }
        for i in 1..20_000u16 {
            let number = f32::from(i) * 0.0031;
            let half = half_float(number);
            let off = |half: u16| (float(half) - f64::from(number)).abs();
            assert!(off(half) <= off(half - 1) && off(half) <= off(half + 1), "{number}: {}", float(half));
        }
    }
}
