use super::error::{GpuError, check_alive};
use super::id_pass;
use super::target_state::TargetState;
use super::tile::Tile;
use super::window::{TileMode, Window};
use crate::handle::Rgba;
use crate::math::View;
use glam::{DMat4, DVec2};
use std::mem::size_of;
use std::num::NonZeroU32;
use wgpu::TextureFormat;

/// Lines round what can be seen of some objects: the selected, say, and the hovered one.
///
/// [`Outline::prepare`] draws the objects' ids, as large as the view, and finds out what is where,
/// all on the GPU; [`Outline::render`] lays the lines into the host's pass. They go round objects of
/// one style together, on the outside, as wide everywhere; what hides an object has the line on
/// it. Handles do not matter to them.
///
/// One for each view that is shown in a frame: preparing again before the submit replaces what
/// was prepared. It takes 20 bytes a pixel of the view.
#[derive(Debug)]
pub struct Outline {
    passes: Passes,
    uniform: wgpu::Buffer,
    table: Table,
    widths_lpx: [f32; Outline::STYLES],
    colors: [Rgba; Outline::STYLES],
    /// Made at the first prepare that has something to draw.
    layers: Option<Layers>,
    prepared: Option<Window>,
}

/// How some objects are outlined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlineStyle<'a> {
    /// Of the objects, in any order. One that several styles have gets the first of them.
    pub ids: &'a [NonZeroU32],
    /// Of the line, straight sRGB.
    pub color: Rgba,
    /// Of the line, in logical pixels; at most 16 physical ones. Half a line is not drawn.
    pub width_lpx: f32,
}

impl Default for OutlineStyle<'_> {
    /// Of nothing.
    fn default() -> Self {
        Self { ids: &[], color: [1.0, 0.6, 0.1, 1.0], width_lpx: 2.0 }
    }
}

/// `Outline` in shaders/outline.wgsl.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Uniform {
    colors: [[f32; 4]; Outline::STYLES],
    widths_px: [f32; Outline::STYLES],
    origin_px: [i32; 2],
    id_count: u32,
    reach: i32,
}

/// The rules of colour, and what finds and draws lines.
const SHADER: &str =
    concat!(include_str!("../../shaders/color.wgsl"), include_str!("../../shaders/outline.wgsl"));

/// A channel for each style.
const SHAPE_FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;
/// Texels along the side of a cell, as in the shader.
const CELL: u32 = 16;
/// Widest line, in physical pixels: the shader looks at all texels that far off.
const WIDEST_PX: f64 = 16.0;
/// Ids in a row of the table: every device has textures that wide.
const TABLE_WIDTH: u32 = 1024;

impl Outline {
    /// How many styles there are.
    pub const STYLES: usize = 4;

    /// For passes with these attachments.
    ///
    /// # Errors
    /// [`GpuError::ColorFormat`], [`GpuError::SampleCount`] and [`GpuError::DepthFormat`] where
    /// the device has no such pass, or cannot blend into it; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        check_alive(device)?;
        let passes = Passes::new(device, target)?;
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("wgpu-gizmo outline"),
            size: size_of::<Uniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Self {
            passes,
            uniform,
            table: Table::new(device, 1),
            widths_lpx: [0.0; Self::STYLES],
            colors: [[0.0; 4]; Self::STYLES],
            layers: None,
            prepared: None,
        })
    }

    /// Says what is outlined from the next [`Outline::prepare`] on. Of two styles whose lines
    /// cross the first is on top. Only changes need it.
    ///
    /// # Errors
    /// [`GpuError::BufferSize`] where there are more ids than the device has room for: two
    /// million always fit; [`GpuError::DeviceLost`].
    pub fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        styles: [OutlineStyle<'_>; Self::STYLES],
    ) -> Result<(), GpuError> {
        // A line round nothing has no width.
        self.widths_lpx = styles.map(|style| if style.ids.is_empty() { 0.0 } else { style.width_lpx });
        self.colors = styles.map(|style| style.color);
        if self.table.set(device, queue, styles.map(|style| style.ids))? {
            // They look at the table that was.
            self.layers = None;
        }
        Ok(())
    }

    /// Finds the lines for a view. Call it outside of any pass, once a frame, on the encoder of
    /// the pass that they go into, or on one submitted before. `draw_objects` draws the host's
    /// objects as for [`Picker::encode`](super::Picker::encode), all that can hide or be
    /// outlined; it is not called where no id is outlined. On a lost device nothing is drawn.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: &View,
        draw_objects: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
    ) {
        self.prepared = None;
        let widths_px = self.widths_px(view.scale_factor());
        let widest_px = widths_px.iter().fold(-1.0f32, |widest, width| widest.max(*width));
        if self.table.is_empty() || widest_px <= 0.0 {
            return;
        }
        let v = view.viewport();
        let limit = device.limits().max_texture_dimension_2d;
        // Before the target's first pixel nothing is seen.
        let all = [DVec2::new(v.x, v.y).max(DVec2::ZERO), DVec2::new(v.x + v.width, v.y + v.height)];
        let Some(window) = Window::holding(all, view, limit) else { return };
        let layers = match &mut self.layers {
            Some(layers) if layers.size == window.size => layers,
            other => {
                let made = Layers::new(device, &self.passes, &self.table, &self.uniform, window.size);
                let Ok(made) = made else { return };
                other.insert(made)
            }
        };
        let uniform = Uniform {
            colors: self.colors,
            widths_px,
            origin_px: window.origin.map(|o| o as i32),
            id_count: self.table.len(),
            reach: (widest_px + 1.0).ceil() as i32,
        };
        queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
        let placement = window.place(view, TileMode::Shifted, limit);
        id_pass::encode_objects(encoder, &layers.ids, &placement, view.depth_direction(), draw_objects);
        layers.encode(encoder, &self.passes);
        self.prepared = Some(window);
    }

    fn widths_px(&self, scale_factor: f64) -> [f32; Self::STYLES] {
        self.widths_lpx.map(|width_lpx| {
            let width_px = f64::from(width_lpx) * scale_factor;
            if width_px > 0.0 { width_px.min(WIDEST_PX) as f32 } else { -1.0 }
        })
    }

    /// Lays what was prepared into the host's pass, over what is there. Draws nothing where
    /// nothing was prepared.
    ///
    /// Of the pass' state it changes the viewport, the pipeline and bind group 0. It leaves the
    /// scissor rectangle, which cuts the lines as it cuts everything.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        let (Some(window), Some(layers)) = (&self.prepared, &self.layers) else { return };
        let ([x, y], [width, height]) = (window.origin, window.size);
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_pipeline(&self.passes.lines);
        pass.set_bind_group(0, &layers.to_lines, &[]);
        pass.draw(0..4, 0..1);
    }
}

/// The ids that are outlined, sorted, as a texture.
#[derive(Debug)]
struct Table {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// Id and style. Kept, so that nothing is allocated once it has grown.
    entries: Vec<[u32; 2]>,
}

impl Table {
    fn new(device: &wgpu::Device, rows: u32) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("wgpu-gizmo outlined ids"),
            size: wgpu::Extent3d { width: TABLE_WIDTH, height: rows, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: TextureFormat::Rg32Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view, entries: Vec::new() }
    }

    fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether the texture is another one now.
    fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        ids: [&[NonZeroU32]; Outline::STYLES],
    ) -> Result<bool, GpuError> {
        self.entries.clear();
        for (style, ids) in (0..).zip(ids) {
            self.entries.extend(ids.iter().map(|id| [id.get(), style]));
        }
        // By id, then by style: the first style stays.
        self.entries.sort_unstable();
        self.entries.dedup_by_key(|[id, _]| *id);
        if self.entries.is_empty() {
            return Ok(false);
        }
        let count = self.entries.len();
        let rows = count.div_ceil(TABLE_WIDTH as usize);
        let limit = device.limits().max_texture_dimension_2d;
        if rows > limit as usize {
            self.entries.clear();
            let row_bytes = u64::from(TABLE_WIDTH) * size_of::<[u32; 2]>() as u64;
            let (bytes, limit) = (row_bytes * rows as u64, row_bytes * u64::from(limit));
            return Err(GpuError::BufferSize { bytes, limit });
        }
        let is_larger = rows > self.texture.height() as usize;
        if is_larger {
            check_alive(device)?;
            let entries = std::mem::take(&mut self.entries);
            *self = Self { entries, ..Self::new(device, (rows as u32).next_power_of_two().min(limit)) };
        }
        // Whole rows are copied.
        self.entries.resize(rows * TABLE_WIDTH as usize, [u32::MAX, 0]);
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(TABLE_WIDTH * size_of::<[u32; 2]>() as u32),
            rows_per_image: None,
        };
        let extent = wgpu::Extent3d { width: TABLE_WIDTH, height: rows as u32, depth_or_array_layers: 1 };
        let bytes = bytemuck::cast_slice(&self.entries);
        queue.write_texture(self.texture.as_image_copy(), bytes, layout, extent);
        self.entries.truncate(count);
        Ok(is_larger)
    }
}

/// The pipelines, in the order in which they run.
#[derive(Debug)]
struct Passes {
    uint_bindings: wgpu::BindGroupLayout,
    float_bindings: wgpu::BindGroupLayout,
    marks: wgpu::RenderPipeline,
    cells: wgpu::RenderPipeline,
    coverage: wgpu::RenderPipeline,
    lines: wgpu::RenderPipeline,
}

impl Passes {
    fn new(device: &wgpu::Device, target: TargetState) -> Result<Self, GpuError> {
        let depth_stencil = target.check(device)?;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("wgpu-gizmo outline"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let uint_bindings = bindings(device, wgpu::TextureSampleType::Uint);
        let float_bindings = bindings(device, wgpu::TextureSampleType::Float { filterable: false });
        let shape = Drawn {
            entry: "",
            depth_stencil: None,
            sample_count: 1,
            target: wgpu::ColorTargetState::from(SHAPE_FORMAT),
        };
        let lines = Drawn {
            entry: target.fragment_entry(),
            depth_stencil,
            sample_count: target.sample_count,
            target: wgpu::ColorTargetState {
                format: target.format,
                blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            },
        };
        let own = |entry| Drawn { entry, ..shape.clone() };
        Ok(Self {
            marks: pipeline(device, &module, &uint_bindings, own("fs_marks")),
            cells: pipeline(device, &module, &float_bindings, own("fs_cells")),
            coverage: pipeline(device, &module, &float_bindings, own("fs_coverage")),
            lines: pipeline(device, &module, &float_bindings, lines),
            uint_bindings,
            float_bindings,
        })
    }
}

/// What a pass writes, and into what.
#[derive(Clone)]
struct Drawn {
    entry: &'static str,
    depth_stencil: Option<wgpu::DepthStencilState>,
    sample_count: u32,
    target: wgpu::ColorTargetState,
}

fn pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    bindings: &wgpu::BindGroupLayout,
    drawn: Drawn,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("wgpu-gizmo outline"),
        bind_group_layouts: &[Some(bindings)],
        ..Default::default()
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("wgpu-gizmo outline"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs_outline"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: drawn.depth_stencil,
        multisample: wgpu::MultisampleState { count: drawn.sample_count, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(drawn.entry),
            compilation_options: Default::default(),
            targets: &[Some(drawn.target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Two textures and the uniform.
fn bindings(device: &wgpu::Device, sample_type: wgpu::TextureSampleType) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = wgpu::BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: std::num::NonZeroU64::new(size_of::<Uniform>() as u64),
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("wgpu-gizmo outline"),
        entries: &[entry(0, texture), entry(1, texture), entry(2, uniform)],
    })
}

/// What the passes write, for views of one size.
#[derive(Debug)]
struct Layers {
    size: [u32; 2],
    ids: Tile,
    marks: wgpu::TextureView,
    cells: wgpu::TextureView,
    coverage: wgpu::TextureView,
    to_marks: wgpu::BindGroup,
    to_cells: wgpu::BindGroup,
    to_coverage: wgpu::BindGroup,
    to_lines: wgpu::BindGroup,
}

impl Layers {
    fn new(
        device: &wgpu::Device,
        passes: &Passes,
        table: &Table,
        uniform: &wgpu::Buffer,
        size: [u32; 2],
    ) -> Result<Self, GpuError> {
        let ids = Tile::new(device, size)?;
        let layer = |[width, height]: [u32; 2]| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("wgpu-gizmo outline"),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: SHAPE_FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let (marks, coverage) = (layer(size), layer(size));
        let cells = layer(size.map(|side| side.div_ceil(CELL)));
        let bind_group = |layout, a, b| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("wgpu-gizmo outline"),
                layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(a) },
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(b) },
                    wgpu::BindGroupEntry { binding: 2, resource: uniform.as_entire_binding() },
                ],
            })
        };
        Ok(Self {
            to_marks: bind_group(&passes.uint_bindings, &ids.ids_view, &table.view),
            // It has no use for the second.
            to_cells: bind_group(&passes.float_bindings, &marks, &marks),
            to_coverage: bind_group(&passes.float_bindings, &marks, &cells),
            to_lines: bind_group(&passes.float_bindings, &coverage, &cells),
            size,
            ids,
            marks,
            cells,
            coverage,
        })
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder, passes: &Passes) {
        for (pipeline, bind_group, view) in [
            (&passes.marks, &self.to_marks, &self.marks),
            (&passes.cells, &self.to_cells, &self.cells),
            (&passes.coverage, &self.to_coverage, &self.coverage),
        ] {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("wgpu-gizmo outline"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bind_group, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::gpu::instances::tests::agree_on_uniform;
    use std::mem::offset_of;

    #[test]
    fn rust_and_wgsl_agree_on_outlines() {
        let rust = [
            ("colors", offset_of!(Uniform, colors)),
            ("widths_px", offset_of!(Uniform, widths_px)),
            ("origin_px", offset_of!(Uniform, origin_px)),
            ("id_count", offset_of!(Uniform, id_count)),
            ("reach", offset_of!(Uniform, reach)),
        ];
        agree_on_uniform((SHADER, "Outline"), &rust, size_of::<Uniform>());
        assert!(SHADER.contains(&format!("const CELL = {CELL};")));
    }
}
