//! The cube on the GPU: a small multisampled target of its own, laid over the picture, and its
//! ids over those of the scene.

use super::Side;
use super::shape::{self, CubeVertex, Paint, Place};
use crate::device::Gpu;
use crate::scene_renderer::{DEPTH_FORMAT, ID_FORMATS};
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::pick::IdRange;
use wgpu_gizmo::{Theme, View};

/// Samples in a pixel of its colours.
const SAMPLES: u32 = 4;

/// Pipelines; nothing that belongs to a picture.
#[derive(Debug)]
pub(crate) struct CubeRenderer {
    format: wgpu::TextureFormat,
    color: wgpu::RenderPipeline,
    ids: wgpu::RenderPipeline,
    laid: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
}

/// What one picture shows of the cube.
#[derive(Debug, Default)]
pub(crate) struct CubeDraws {
    target: Option<Target>,
    /// Left, top and side in physical pixels, where there is a cube.
    square: Option<[f32; 3]>,
}

#[derive(Debug)]
struct Target {
    side_px: u32,
    samples: wgpu::TextureView,
    resolved: wgpu::TextureView,
    group: wgpu::BindGroup,
}

/// The cube as one view has it in its ID image.
#[derive(Clone, Copy)]
pub(crate) struct CubeIds<'a> {
    pub(crate) renderer: &'a CubeRenderer,
    /// One for each side.
    pub(crate) ids: IdRange,
}

fn attributes() -> [wgpu::VertexAttribute; 3] {
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Uint32]
}

impl CubeRenderer {
    /// For colour targets of this format.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("../view_cube.wgsl"));
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
            laid: pipeline("viewer cube laid over", Kind::Laid),
            layout,
        }
    }

    /// Draws the cube of a view into a target of its own; nothing where it has none.
    pub(crate) fn prepare(
        &self,
        Gpu { device, queue, .. }: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        view: Option<&View>,
        (theme, hovered): (Theme, Option<Side>),
        draws: &mut CubeDraws,
    ) {
        draws.square = None;
        let Some((view, place)) = view.and_then(|view| Some((view, shape::place(view)?))) else { return };
        let Place { middle_px, half_px } = place;
        let side_px = 2 * half_px.ceil() as u32;
        let corner = middle_px - f64::from(side_px / 2);
        let paint = Paint { theme, hovered, to_srgb: self.format.is_srgb() };
        let vertices = shape::triangles(view, place, &DMat4::IDENTITY, &paint, |_| 0);
        let buffer = vertex_buffer(device, queue, &vertices);
        let target = match draws.target.take() {
            Some(target) if target.side_px == side_px => target,
            _ => self.target(device, side_px),
        };
        let target = draws.target.insert(target);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("viewer cube"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.samples,
                depth_slice: None,
                resolve_target: Some(&target.resolved),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            ..Default::default()
        });
        // The view's own viewport, of which the target is a part.
        let viewport = view.viewport();
        let [x, y] = [viewport.x - corner.x, viewport.y - corner.y].map(|v| v as f32);
        pass.set_viewport(x, y, viewport.width as f32, viewport.height as f32, 0.0, 1.0);
        pass.set_pipeline(&self.color);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..vertices.len() as u32, 0..1);
        draws.square = Some([corner.x as f32, corner.y as f32, side_px as f32]);
    }

    /// Lays it over the picture.
    pub(crate) fn render(&self, draws: &CubeDraws, pass: &mut wgpu::RenderPass<'_>) {
        let (Some(target), Some([x, y, side])) = (&draws.target, draws.square) else { return };
        pass.set_viewport(x, y, side, side, 0.0, 1.0);
        pass.set_pipeline(&self.laid);
        pass.set_bind_group(0, &target.group, &[]);
        pass.draw(0..4, 0..1);
    }

    fn target(&self, device: &wgpu::Device, side_px: u32) -> Target {
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
        Target { side_px, samples, resolved, group }
    }
}

impl CubeIds<'_> {
    /// Draws the ids into a pass of the ID image, over whatever is there: the scene has been drawn,
    /// the handles come after.
    pub(crate) fn draw(
        &self,
        Gpu { device, queue, .. }: &Gpu,
        view: &View,
        clip_from_clip: DMat4,
        pass: &mut wgpu::RenderPass<'_>,
    ) {
        let Some(place) = shape::place(view) else { return };
        let paint = Paint { theme: Theme::dark(), hovered: None, to_srgb: false };
        let id_of = |side: Side| self.ids.id(side.index()).map_or(0, std::num::NonZeroU32::get);
        let vertices = shape::triangles(view, place, &clip_from_clip, &paint, id_of);
        let buffer = vertex_buffer(device, queue, &vertices);
        pass.set_pipeline(&self.renderer.ids);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..vertices.len() as u32, 0..1);
    }
}

/// A new one each time: passes of one submit would overwrite each other's.
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

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Color,
    Ids,
    Laid,
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
            bind_group_layouts: if self == Self::Laid { &groups } else { &[] },
            immediate_size: 0,
        });
        let attributes = attributes();
        let vertices = [Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<CubeVertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let laid = [Some(wgpu::ColorTargetState { blend, ..format.into() })];
        let (plain, ids) = ([Some(format.into())], ID_FORMATS.map(|format| Some(format.into())));
        let (vertex, fragment, targets): (_, _, &[_]) = match self {
            Self::Color => ("vs_cube", "fs_color", &plain),
            Self::Ids => ("vs_cube", "fs_id", &ids),
            Self::Laid => ("vs_laid", "fs_laid", &laid),
        };
        let strip = wgpu::PrimitiveTopology::TriangleStrip;
        let topology = if self == Self::Laid { strip } else { wgpu::PrimitiveTopology::TriangleList };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(name),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: if self == Self::Laid { &[] } else { &vertices },
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            // In front of all that is there, and all that may come.
            depth_stencil: (self == Self::Ids).then(|| wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
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
