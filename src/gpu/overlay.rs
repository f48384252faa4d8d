use super::error::GpuError;
use super::resources::check_alive;
use super::target_state::TargetState;
use super::window::Window;
use std::mem::size_of;

/// Draws the texture with the handles into the host's pass.
#[derive(Debug)]
pub(super) struct Overlay {
    pipeline: wgpu::RenderPipeline,
    bindings: wgpu::BindGroupLayout,
    uniform: wgpu::Buffer,
}

/// `Overlay` in shaders/overlay.wgsl.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct OverlayUniform {
    pub(super) origin_px: [i32; 2],
    pub(super) size_px: [i32; 2],
    pub(super) halo_px: f32,
    pub(super) halo_opacity: f32,
}

/// The color conversions, followed by the overlay shader.
pub(super) const SHADER: &str =
    concat!(include_str!("../../shaders/color.wgsl"), include_str!("../../shaders/overlay.wgsl"));

/// The width of the halo in logical pixels: enough to separate a handle from a background of its color.
const HALO_LPX: f64 = 1.0;
/// The shader loads (2 n + 1)² texels for a halo of n pixels.
const MAX_HALO_PX: f64 = 4.0;
/// The opacity of the black halo: visible on white, but not an outline.
const HALO_OPACITY: f32 = 0.42;

impl Overlay {
    /// The number of bytes that [`Overlay::write`] uploads.
    pub(super) const BYTES: u64 = size_of::<OverlayUniform>() as u64;

    pub(super) fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        check_alive(device)?;
        let depth_stencil = target.check(device)?;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("wgpu-gizmo overlay"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let bindings = bind_group_layout(device);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("wgpu-gizmo overlay"),
            bind_group_layouts: &[Some(&bindings)],
            ..Default::default()
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("wgpu-gizmo overlay"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs_overlay"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil,
            multisample: wgpu::MultisampleState { count: target.sample_count, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(target.fragment_entry()),
                compilation_options: Default::default(),
                targets: &[Some(target.blended())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("wgpu-gizmo overlay"),
            size: size_of::<OverlayUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Self { pipeline, bindings, uniform })
    }

    pub(super) fn bind_group(&self, device: &wgpu::Device, handles: &wgpu::TextureView) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wgpu-gizmo overlay"),
            layout: &self.bindings,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(handles) },
                wgpu::BindGroupEntry { binding: 1, resource: self.uniform.as_entire_binding() },
            ],
        })
    }

    /// Uploads the position of the first texel. `scale_factor` is the number of physical pixels per
    /// logical pixel.
    pub(super) fn write(&self, queue: &wgpu::Queue, window: &Window, scale_factor: f64) {
        let uniform = OverlayUniform {
            origin_px: window.origin.map(|o| o as i32),
            size_px: window.size.map(|s| s as i32),
            halo_px: (HALO_LPX * scale_factor).clamp(1.0, MAX_HALO_PX) as f32,
            halo_opacity: HALO_OPACITY,
        };
        queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
    }

    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bind_group: &wgpu::BindGroup,
        window: &Window,
    ) {
        window.set_viewport(pass);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bind_group, &[]);
        pass.draw(0..4, 0..1);
    }
}

/// Creates a layout of the texture, for the fragment stage, and the uniform, for both stages.
fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let handles = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: std::num::NonZeroU64::new(size_of::<OverlayUniform>() as u64),
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("wgpu-gizmo overlay"),
        entries: &[
            entry(0, wgpu::ShaderStages::FRAGMENT, handles),
            entry(1, wgpu::ShaderStages::VERTEX_FRAGMENT, uniform),
        ],
    })
}
