//! Draws the view cube: into a small multisampled render target that is composited over the image, and
//! its ids over those of the scene.

use super::shape::{self, CubeRect, CubeVertex, Paint};
use crate::device::Gpu;
use crate::scene_renderer::{DEPTH_FORMAT, ID_FORMATS};
use session::view_cube::Side;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::pick::IdRange;
use wgpu_gizmo::{Theme, View};

/// Samples per pixel of the render target.
const SAMPLES: u32 = 4;

/// The pipelines of the view cube, which all images share.
#[derive(Debug)]
pub(crate) struct CubeRenderer {
    format: wgpu::TextureFormat,
    color: wgpu::RenderPipeline,
    ids: wgpu::RenderPipeline,
    composite: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
}

/// The view cube in one image.
#[derive(Debug, Default)]
pub(crate) struct CubeDraws {
    render_target: Option<RenderTarget>,
    /// Left, top and side length in physical pixels, or `None` without a cube.
    square: Option<[f32; 3]>,
}

#[derive(Debug)]
struct RenderTarget {
    side_px: u32,
    samples: wgpu::TextureView,
    resolved: wgpu::TextureView,
    group: wgpu::BindGroup,
}

/// Draws the view cube into the ID image of one view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CubeIds<'a> {
    pub(crate) renderer: &'a CubeRenderer,
    /// One id for each side.
    pub(crate) ids: IdRange,
}

fn attributes() -> [wgpu::VertexAttribute; 3] {
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Uint32]
}

impl CubeRenderer {
    /// Creates the pipelines for color attachments of this format.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("view_cube.wgsl"));
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("viewer cube"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let pipeline = |name: &str, kind: Kind| kind.pipeline(device, &shader, &layout, format, name);
        Self {
            format,
            color: pipeline("viewer cube", Kind::Color),
            ids: pipeline("viewer cube ids", Kind::Ids),
            composite: pipeline("viewer cube composite", Kind::Composite),
            layout,
        }
    }

    /// Draws the cube of a view into its own render target, or nothing if `view` is `None` or too small.
    pub(crate) fn prepare(
        &self,
        Gpu { device, queue, .. }: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        view: Option<&View>,
        (theme, hovered): (Theme, Option<Side>),
        draws: &mut CubeDraws,
    ) {
        draws.square = None;
        let Some((view, rect)) = view.and_then(|view| Some((view, shape::cube_rect(view)?))) else { return };
        let CubeRect { center_px, half_px } = rect;
        let side_px = 2 * half_px.ceil() as u32;
        let corner = center_px - f64::from(side_px / 2);
        let paint = Paint { theme, hovered, to_srgb: self.format.is_srgb() };
        let vertices = shape::triangles(view, rect, &DMat4::IDENTITY, &paint, |_| 0);
        let buffer = vertex_buffer(device, queue, &vertices);
        let render_target = match draws.render_target.take() {
            Some(render_target) if render_target.side_px == side_px => render_target,
            _ => self.render_target(device, side_px),
        };
        let render_target = draws.render_target.insert(render_target);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewer cube"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &render_target.samples,
                depth_slice: None,
                resolve_target: Some(&render_target.resolved),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            ..Default::default()
        });
        // The viewport of the view, relative to the render target, which covers a part of it.
        let viewport = view.viewport();
        let [x, y] = [viewport.x - corner.x, viewport.y - corner.y].map(|v| v as f32);
        pass.set_viewport(x, y, viewport.width as f32, viewport.height as f32, 0.0, 1.0);
        pass.set_pipeline(&self.color);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..vertices.len() as u32, 0..1);
        draws.square = Some([corner.x as f32, corner.y as f32, side_px as f32]);
    }

    /// Composites the cube over the image.
    pub(crate) fn render(&self, draws: &CubeDraws, pass: &mut wgpu::RenderPass<'_>) {
        let (Some(render_target), Some([x, y, side])) = (&draws.render_target, draws.square) else { return };
        pass.set_viewport(x, y, side, side, 0.0, 1.0);
        pass.set_pipeline(&self.composite);
        pass.set_bind_group(0, &render_target.group, &[]);
        pass.draw(0..4, 0..1);
    }

    fn render_target(&self, device: &wgpu::Device, side_px: u32) -> RenderTarget {
        let texture = |label, sample_count, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: side_px, height: side_px, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format: self.format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let samples = texture("viewer cube 4x", SAMPLES, wgpu::TextureUsages::empty());
        let resolved = texture("viewer cube", 1, wgpu::TextureUsages::TEXTURE_BINDING);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("viewer cube"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&resolved),
            }],
        });
        RenderTarget { side_px, samples, resolved, group }
    }
}

impl CubeIds<'_> {
    /// Draws the ids into a pass of the ID image, over the scene and before the handles.
    pub(crate) fn draw(
        &self,
        Gpu { device, queue, .. }: &Gpu,
        view: &View,
        clip_from_clip: DMat4,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let Some(rect) = shape::cube_rect(view) else { return };
        let paint = Paint { theme: Theme::dark(), hovered: None, to_srgb: false };
        let id_of = |side: Side| self.ids.id(side.index()).map_or(0, std::num::NonZeroU32::get);
        let vertices = shape::triangles(view, rect, &clip_from_clip, &paint, id_of);
        let buffer = vertex_buffer(device, queue, &vertices);
        pass.set_pipeline(&self.renderer.ids);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..vertices.len() as u32, 0..1);
    }
}

/// Creates a vertex buffer. Each draw needs its own, because writes to a shared buffer would take effect
/// before all passes of a submission.
fn vertex_buffer(device: &wgpu::Device, queue: &wgpu::Queue, vertices: &[CubeVertex]) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(vertices);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("viewer cube"),
        size: (bytes.len() as u64).max(size_of::<CubeVertex>() as u64),
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    queue.write_buffer(&buffer, 0, bytes);
    buffer
}

/// Returns the depth state for triangles that cover everything, whether it is drawn before or after them.
fn always_in_front() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::Always),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Color,
    Ids,
    Composite,
}

impl Kind {
    fn pipeline(
        self,
        device: &wgpu::Device,
        module: &wgpu::ShaderModule,
        layout: &wgpu::BindGroupLayout,
        format: wgpu::TextureFormat,
        name: &str,
    ) -> wgpu::RenderPipeline {
        let groups = [Some(layout)];
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: if self == Self::Composite { &groups } else { &[] },
            immediate_size: 0,
        });
        let attributes = attributes();
        let vertices = [Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<CubeVertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let composite = [Some(wgpu::ColorTargetState { blend, ..format.into() })];
        let (plain, ids) = ([Some(format.into())], ID_FORMATS.map(|format| Some(format.into())));
        let (vertex, fragment, targets): (_, _, &[_]) = match self {
            Self::Color => ("vs_cube", "fs_color", &plain),
            Self::Ids => ("vs_cube", "fs_id", &ids),
            Self::Composite => ("vs_composite", "fs_composite", &composite),
        };
        let strip = wgpu::PrimitiveTopology::TriangleStrip;
        let topology = if self == Self::Composite { strip } else { wgpu::PrimitiveTopology::TriangleList };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(name),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: if self == Self::Composite { &[] } else { &vertices },
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            depth_stencil: (self == Self::Ids).then(always_in_front),
            multisample: wgpu::MultisampleState {
                count: if self == Self::Color { SAMPLES } else { 1 },
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
