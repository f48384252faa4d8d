use super::error::GpuError;
use super::resources::create_buffer;
use super::scene_depth::{Threshold, id_threshold};
use super::strokes::Strokes;
use super::tile_view::PixelGrid;
use crate::draw::shape::{Expansion, Purpose, Shape, ShapeKind};
use crate::draw::{DepthStyle, DrawList, GizmoEntry, Item, Piece, PiecePart};
use glam::DVec2;
use std::mem::size_of;
use std::ops::Range;

/// One shape in the layout of the shader.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct ShapeRecord {
    /// The corner of a pixel, in pixels of the attachment and in NDC.
    pub(super) anchor: [[f32; 2]; 2],
    /// The change of NDC per pixel, and the center of a rectangle in pixels from the anchor.
    pub(super) scale_center: [[f32; 2]; 2],
    /// Half of the sides of the rectangle.
    pub(super) halves: [[f32; 2]; 2],
    pub(super) data: [f32; 16],
    pub(super) colors: [[u8; 4]; 2],
    pub(super) halo: [f32; 2],
    pub(super) kind: u32,
    pub(super) id: u32,
    pub(super) depth: [f32; 4],
}

/// The vertex buffer layout of [`ShapeRecord`].
pub(super) const SHAPE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<ShapeRecord>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x4, 2 => Float32x4,
        3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Float32x4,
        7 => Unorm8x4, 8 => Unorm8x4, 9 => Float32x2, 10 => Uint32, 11 => Uint32,
        12 => Float32x4,
    ],
};

/// The shader stages for one kind of shape, or for all kinds, which are slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stages {
    Strokes,
    Cones,
    Cubes,
    Squares,
    Discs,
    All,
}

/// Shapes that one draw call draws.
#[derive(Debug)]
struct Run {
    stages: Stages,
    style: DepthStyle,
    /// A range of strokes or of records, depending on the stages.
    shapes: Range<u32>,
}

/// The maximum number of gizmos whose shapes are drawn kind by kind. More are drawn in one call, by the
/// stages for all kinds.
const MAX_GIZMOS_BY_KIND: usize = 4;

impl Stages {
    pub(super) const EACH: [Self; 6] =
        [Self::Strokes, Self::Cones, Self::Cubes, Self::Squares, Self::Discs, Self::All];

    fn of(kind: ShapeKind) -> Self {
        match kind {
            ShapeKind::Line | ShapeKind::Arc => Self::Strokes,
            ShapeKind::Cone => Self::Cones,
            ShapeKind::Cube => Self::Cubes,
            ShapeKind::Square => Self::Squares,
            ShapeKind::Disc => Self::Discs,
            ShapeKind::Triangle => Self::All,
        }
    }
}

/// Records of the smallest buffer: a gizmo with rings.
const MIN_CAPACITY: usize = 256;

/// The shapes of one draw list on the GPU, in the order of painting.
#[derive(Debug)]
pub(super) struct Instances {
    /// Created by the first upload; holds `capacity` records.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    // Kept between calls, so that an upload allocates nothing.
    staged: Vec<ShapeRecord>,
    /// The contents of the buffer.
    sent: Vec<ShapeRecord>,
    /// The strokes, if each kind has its own stages.
    strokes: Strokes,
    is_by_kind: bool,
    runs: Vec<Run>,
    /// The indices of the parts that have a shape, with repetitions.
    shown: Vec<u32>,
    /// The indices of the gizmos, farthest first.
    order: Vec<usize>,
    /// Scratch memory for the triangles of a custom mesh.
    triangles: Vec<(f64, u32)>,
    /// Bytes of the last upload.
    uploaded: u64,
}

impl ShapeRecord {
    fn new(shape: &Shape, id: u32, grid: &PixelGrid) -> Self {
        let vector = |by: DVec2| by.as_vec2().to_array();
        let [center, u, v] = shape.bounds.map(vector);
        let anchor = shape.anchor_px;
        Self {
            anchor: [grid.attachment_px(anchor), grid.ndc(anchor)].map(vector),
            scale_center: [vector(grid.ndc_per_px()), center],
            halves: [u, v],
            data: shape.data,
            colors: shape.colors.map(|color| color.map(|part| (255.0 * part).round() as u8)),
            halo: [shape.halo.width_px as f32, shape.halo.opacity],
            kind: shape.kind as u32,
            id,
            depth: shape.depth,
        }
    }

    /// Returns the record for an ID image in which objects may hide the shape.
    fn veiled(self, threshold: Threshold) -> Self {
        // The ID image has no halo.
        Self { halo: [threshold.factor, threshold.offset], ..self }
    }
}

/// Returns true if a piece is in the ID image.
fn is_in_ids(item: &Item, piece: &Piece) -> bool {
    item.id.is_some() && (piece.part != PiecePart::Far || item.is_whole_in_ids())
}

impl Instances {
    pub(super) fn new() -> Self {
        Self {
            buffer: None,
            capacity: 0,
            staged: Vec::new(),
            sent: Vec::new(),
            strokes: Strokes::default(),
            is_by_kind: false,
            runs: Vec::new(),
            shown: Vec::new(),
            order: Vec::new(),
            triangles: Vec::new(),
            uploaded: 0,
        }
    }

    /// Returns the number of bytes of the last upload.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        self.uploaded
    }

    /// Replaces the shapes with those of a list that may be visible in the grid.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        purpose: Purpose,
        grid: &PixelGrid,
    ) -> Result<(), GpuError> {
        self.collect(list, purpose, grid);
        self.uploaded = self.strokes.upload(device, queue)?;
        if self.staged.len() > self.capacity {
            let capacity = self.staged.len().next_power_of_two().max(MIN_CAPACITY);
            let bytes = (capacity * size_of::<ShapeRecord>()) as u64;
            let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
            self.buffer = Some(create_buffer(device, "wgpu-gizmo shapes", bytes, usage)?);
            self.capacity = capacity;
            self.sent.clear();
        }
        let [staged, sent]: [&[u8]; 2] = [&self.staged, &self.sent].map(|part| bytemuck::cast_slice(part));
        // Equal shapes are not uploaded again.
        if let (Some(buffer), true) = (&self.buffer, !staged.is_empty() && staged != sent) {
            queue.write_buffer(buffer, 0, staged);
            self.uploaded += staged.len() as u64;
            self.sent.clone_from(&self.staged);
        }
        Ok(())
    }

    fn collect(&mut self, list: &DrawList, purpose: Purpose, grid: &PixelGrid) {
        self.staged.clear();
        self.strokes.clear();
        self.shown.clear();
        self.runs.clear();
        self.sort(list.gizmos());
        // Ids are always drawn in one call: where strokes meet, a pixel could otherwise belong to two of
        // them.
        self.is_by_kind = purpose == Purpose::Picture && list.gizmos().len() <= MAX_GIZMOS_BY_KIND;
        for gizmo in &self.order {
            let entry = &list.gizmos()[*gizmo];
            if !grid.may_show(&entry.bounds_px) {
                continue;
            }
            let style = style_of(entry.depth_style, purpose);
            let threshold = (purpose == Purpose::Ids && style == DepthStyle::Hidden)
                .then(|| list.view().map(id_threshold))
                .flatten();
            for piece in list.pieces_of(*gizmo) {
                let item = &list.items()[piece.item as usize];
                if purpose == Purpose::Ids && !is_in_ids(item, piece) {
                    continue;
                }
                let is_by_kind = self.is_by_kind;
                let (staged, strokes, runs) = (&mut self.staged, &mut self.strokes, &mut self.runs);
                let mut is_shown = false;
                Expansion::new(list, piece, purpose).shapes(&mut self.triangles, |shape| {
                    if !grid.may_show_shape(&shape) {
                        return;
                    }
                    is_shown = true;
                    let stages = if is_by_kind { Stages::of(shape.kind) } else { Stages::All };
                    let end = if stages == Stages::Strokes {
                        strokes.push(&shape, grid);
                        strokes.count()
                    } else {
                        let record = ShapeRecord::new(&shape, item.handle_id(), grid);
                        staged.push(threshold.map_or(record, |threshold| record.veiled(threshold)));
                        staged.len()
                    };
                    extend(runs, (stages, style), end as u32);
                });
                if is_shown {
                    self.shown.push(piece.item);
                }
            }
        }
    }

    /// Sorts the gizmos from back to front. The first of two at the same distance is in front.
    fn sort(&mut self, gizmos: &[GizmoEntry]) {
        self.order.clear();
        self.order.extend(0..gizmos.len());
        self.order.sort_unstable_by(|a, b| gizmos[*b].depth.total_cmp(&gizmos[*a].depth).then(b.cmp(a)));
    }

    /// Returns the parts that the last upload drew; a part may be repeated.
    pub(super) fn shown<'a>(&'a self, list: &'a DrawList) -> impl Iterator<Item = &'a Item> {
        self.shown.iter().filter_map(|item| list.items().get(*item as usize))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.staged.is_empty() && self.strokes.count() == 0
    }

    /// Returns true if shapes of this style are drawn.
    pub(super) fn has_style(&self, style: DepthStyle) -> bool {
        self.runs.iter().any(|run| run.style == style)
    }

    /// Draws the shapes, each kind and style with its pipeline. `begin` is called where the style changes.
    pub(super) fn draw_runs<'a>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        begin: impl Fn(&mut wgpu::RenderPass<'_>, DepthStyle),
        pipeline: impl Fn(Stages, DepthStyle) -> &'a wgpu::RenderPipeline,
    ) {
        let mut last = None;
        for run in &self.runs {
            if last.replace(run.style) != Some(run.style) {
                begin(pass, run.style);
            }
            pass.set_pipeline(pipeline(run.stages, run.style));
            if run.stages == Stages::Strokes {
                self.strokes.draw(pass, run.shapes.clone());
            } else if let Some(buffer) = &self.buffer {
                pass.set_vertex_buffer(0, buffer.slice(..));
                let corners = if run.stages == Stages::Discs { 8 } else { 4 };
                pass.draw(0..corners, run.shapes.clone());
            }
        }
    }
}

/// Adds the record before `end` to the last run if it has the same stages and style.
fn extend(runs: &mut Vec<Run>, (stages, style): (Stages, DepthStyle), end: u32) {
    match runs.last_mut() {
        Some(run) if (run.stages, run.style) == (stages, style) => run.shapes.end = end,
        _ => runs.push(Run { stages, style, shapes: end - 1..end }),
    }
}

/// Returns the style that matters for a purpose: the ID image only leaves hidden parts out.
fn style_of(style: DepthStyle, purpose: Purpose) -> DepthStyle {
    match purpose {
        Purpose::Ids if style != DepthStyle::Hidden => DepthStyle::OnTop,
        Purpose::Ids | Purpose::Picture | Purpose::Samples => style,
    }
}
