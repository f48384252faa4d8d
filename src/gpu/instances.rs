use super::error::GpuError;
use super::runs::{self, Run, Runs, Stages};
use super::scene_depth::{Threshold, id_threshold};
use super::strokes::{self, Strokes, bytes};
use super::tile_view::PixelGrid;
use super::vertex_memory::{IndexMemory, VertexMemory};
use crate::draw::shape::{Expansion, Purpose, Shape, ShapeKind};
use crate::draw::{DepthStyle, DrawList, GizmoEntry, GuideVertex, Item, Piece, PiecePart, Rim};
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
    /// Its width in pixels and its opacity, and the width of the rim.
    pub(super) halo: [f32; 3],
    pub(super) kind: u32,
    pub(super) id: u32,
    pub(super) depth: [f32; 4],
    pub(super) rim_color: [u8; 4],
}

/// The vertex buffer layout of [`ShapeRecord`].
pub(super) const SHAPE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<ShapeRecord>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x4, 2 => Float32x4,
        3 => Float32x4, 4 => Float32x4, 5 => Float32x4, 6 => Float32x4,
        7 => Unorm8x4, 8 => Unorm8x4, 9 => Float32x3, 10 => Uint32, 11 => Uint32,
        12 => Float32x4, 13 => Unorm8x4,
    ],
};

/// With more gizmos than this, all shapes have the same stages, so that one draw call is enough.
const MAX_GIZMOS_BY_KIND: usize = 4;

/// The division of the shapes of a list among stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Division {
    ByKind,
    /// All shapes are strokes or wedges.
    AsStrokes,
    /// One stage for all shapes. It is exact for several samples per pixel; separate strokes would both count
    /// a sample where they meet.
    None,
}

/// The context in which the pieces of one gizmo are collected.
struct Collected<'a> {
    purpose: Purpose,
    division: Division,
    style: DepthStyle,
    threshold: Option<Threshold>,
    grid: &'a PixelGrid,
}

impl Division {
    fn of(list: &DrawList, purpose: Purpose) -> Self {
        match purpose {
            Purpose::Picture if list.gizmos().len() <= MAX_GIZMOS_BY_KIND => Self::ByKind,
            // Wedges have no depth.
            Purpose::Picture if list.gizmos().iter().any(|gizmo| gizmo.depth_style != DepthStyle::OnTop) => {
                Self::None
            }
            Purpose::Picture => Self::AsStrokes,
            Purpose::Samples | Purpose::Ids => Self::None,
        }
    }

    fn stages_of(self, shape: &Shape) -> Stages {
        match self {
            Self::ByKind => Stages::of(shape.kind),
            Self::AsStrokes => Stages::Strokes,
            Self::None => Stages::All,
        }
    }
}

/// Bytes of the smallest buffer: a gizmo with rings.
const MIN_CAPACITY: usize = 1 << 15;

/// The shapes of one draw list on the GPU, in the order of painting.
#[derive(Debug)]
pub(super) struct Instances {
    memory: VertexMemory,
    /// Of the strokes.
    indices: IndexMemory,
    contents: Contents,
    // Kept between calls, so that an upload allocates nothing.
    last_contents: Contents,
    /// The offset of the contents of each of the stages in the buffer.
    offsets: [u64; Stages::COUNT],
    runs: Runs,
    /// The indices of the parts that have a shape, with repetitions.
    shown: Vec<u32>,
    /// The indices of the gizmos, farthest first.
    order: Vec<usize>,
    /// Scratch memory for the triangles of a custom mesh.
    triangles: Vec<(f64, u32)>,
    /// Bytes of the last upload.
    uploaded: u64,
}

/// The triangles of strokes, and the records of each of the other stages.
#[derive(Debug, Default)]
struct Contents {
    strokes: Strokes,
    /// By [`Stages`].
    records: [Vec<ShapeRecord>; Stages::COUNT],
}

/// The context in which a shape is added.
struct Pushed<'a> {
    /// The id of the handle.
    id: u32,
    threshold: Option<Threshold>,
    /// The rim inside of the outline.
    rim: Option<Rim>,
    grid: &'a PixelGrid,
}

impl Contents {
    fn clear(&mut self) {
        self.strokes.clear();
        self.records.iter_mut().for_each(Vec::clear);
    }

    fn is_empty(&self) -> bool {
        self.strokes.indices.is_empty() && self.records.iter().all(Vec::is_empty)
    }

    /// Returns the bytes of each of the stages.
    fn parts(&self) -> [&[u8]; Stages::COUNT] {
        Stages::EACH.map(|stages| match stages {
            Stages::Strokes => bytemuck::cast_slice(&self.strokes.vertices),
            _ => bytemuck::cast_slice(&self.records[stages as usize]),
        })
    }

    /// Returns the number of indices or records of some stages.
    fn count(&self, stages: Stages) -> u32 {
        let count = match stages {
            Stages::Strokes => self.strokes.indices.len(),
            _ => self.records[stages as usize].len(),
        };
        count as u32
    }

    /// Adds a shape, and returns its indices or records.
    fn push(
        &mut self,
        stages: Stages,
        shape: &Shape,
        &Pushed { id, threshold, rim, grid }: &Pushed<'_>,
    ) -> Range<u32> {
        let start = self.count(stages);
        match stages {
            Stages::Strokes if Stages::of(shape.kind) == Stages::Strokes => {
                self.strokes.push(shape, rim, grid);
            }
            Stages::Strokes => self.strokes.push_wedges(shape, rim, grid),
            _ => {
                let record = ShapeRecord::new(shape, id, rim, grid);
                let record = threshold.map_or(record, |threshold| record.veiled(threshold));
                self.records[stages as usize].push(record);
            }
        }
        start..self.count(stages)
    }
}

impl ShapeRecord {
    fn new(shape: &Shape, id: u32, rim: Option<Rim>, grid: &PixelGrid) -> Self {
        let vector = |by: DVec2| by.as_vec2().to_array();
        let [center, u, v] = shape.bounds.map(vector);
        let anchor = shape.anchor_px;
        Self {
            anchor: [grid.attachment_px(anchor), grid.ndc(anchor)].map(vector),
            scale_center: [vector(grid.ndc_per_px()), center],
            halves: [u, v],
            data: shape.data,
            colors: shape.colors.map(bytes),
            halo: [
                shape.halo.width_px as f32,
                shape.halo.opacity,
                rim.map_or(0.0, |rim| rim.width_px as f32),
            ],
            kind: shape.kind as u32,
            id,
            depth: shape.depth,
            rim_color: rim.map_or([0; 4], |rim| bytes(rim.color)),
        }
    }

    /// Returns the record for an ID image in which objects may hide the shape.
    fn veiled(self, threshold: Threshold) -> Self {
        // The ID image has no halo.
        Self { halo: [threshold.factor, threshold.offset, 0.0], ..self }
    }
}

/// Returns true if a piece is in the ID image.
fn is_in_ids(item: &Item, piece: &Piece) -> bool {
    let is_part = match piece.part {
        PiecePart::Whole | PiecePart::Near => true,
        PiecePart::Far => item.is_whole_in_ids(),
    };
    item.id.is_some() && is_part
}

impl Instances {
    pub(super) fn new() -> Self {
        Self {
            memory: VertexMemory::new("wgpu-gizmo shapes", MIN_CAPACITY),
            indices: IndexMemory::new("wgpu-gizmo indices", MIN_CAPACITY),
            contents: Contents::default(),
            last_contents: Contents::default(),
            offsets: [0; Stages::COUNT],
            runs: Runs::default(),
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

    /// Replaces the shapes by those of a list that may be in the grid.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        purpose: Purpose,
        grid: &PixelGrid,
    ) -> Result<(), GpuError> {
        std::mem::swap(&mut self.contents, &mut self.last_contents);
        self.collect(list, purpose, grid);
        let parts = self.contents.parts();
        let mut offset = 0;
        for (stages, part) in parts.iter().enumerate() {
            self.offsets[stages] = offset;
            offset += part.len() as u64;
        }
        let vertices = self.memory.write(device, queue, parts, self.last_contents.parts())?;
        self.uploaded = vertices + self.indices.write(device, queue, &self.contents.strokes.indices)?;
        Ok(())
    }

    fn collect(&mut self, list: &DrawList, purpose: Purpose, grid: &PixelGrid) {
        self.contents.clear();
        self.shown.clear();
        self.runs.clear();
        self.sort(list.gizmos());
        let division = Division::of(list, purpose);
        let [under, over] = list.guides();
        if purpose != Purpose::Ids {
            self.collect_guides(under, grid);
        }
        for i in 0..self.order.len() {
            let gizmo = self.order[i];
            let entry = &list.gizmos()[gizmo];
            if !grid.may_show(&entry.bounds_px) {
                continue;
            }
            let style = style_of(entry.depth_style, purpose);
            let threshold = (purpose == Purpose::Ids && style == DepthStyle::Hidden)
                .then(|| list.view().map(id_threshold))
                .flatten();
            self.runs.begin_gizmo();
            for piece in list.pieces_of(gizmo) {
                if purpose != Purpose::Ids || is_in_ids(&list.items()[piece.item as usize], piece) {
                    let target = Collected { purpose, division, style, threshold, grid };
                    self.collect_piece(list, piece, &target);
                }
            }
        }
        if purpose != Purpose::Ids {
            self.collect_guides(over, grid);
        }
    }

    fn collect_guides(&mut self, guides: &[GuideVertex], grid: &PixelGrid) {
        for quad in guides.chunks_exact(4).filter_map(|four| <&[_; 4]>::try_from(four).ok()) {
            let start = self.contents.count(Stages::Strokes);
            self.contents.strokes.push_guide(quad, grid);
            let end = self.contents.count(Stages::Strokes);
            self.runs.add(Stages::Strokes, DepthStyle::OnTop, start..end, strokes::guide_bounds(quad));
        }
    }

    fn collect_piece(&mut self, list: &DrawList, piece: &Piece, target: &Collected<'_>) {
        let Collected { purpose, division, style, threshold, grid } = *target;
        let item = &list.items()[piece.item as usize];
        let (id, rim) = (item.handle_id(), item.rim);
        let expansion = Expansion::new(list, piece, purpose);
        let (contents, runs) = (&mut self.contents, &mut self.runs);
        let mut is_shown = false;
        expansion.shapes(&mut self.triangles, |shape| {
            if !grid.may_show_shape(&shape) {
                return;
            }
            is_shown = true;
            let stages = division.stages_of(&shape);
            // The other shapes are lit by their shaders.
            let rim = match shape.kind {
                ShapeKind::Line | ShapeKind::Arc => rim.map(|rim| rim.lit(item.color(), shape.colors[0])),
                _ => rim,
            };
            let pushed = contents.push(stages, &shape, &Pushed { id, threshold, rim, grid });
            runs.add(stages, style, pushed, runs::bounds_of(&shape));
        });
        if is_shown {
            self.shown.push(piece.item);
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
        self.contents.is_empty()
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
        let Some(buffer) = self.memory.buffer() else { return };
        let mut last = None;
        for Run { stages, style, shapes } in self.runs.iter() {
            if last.replace(*style) != Some(*style) {
                begin(pass, *style);
            }
            pass.set_pipeline(pipeline(*stages, *style));
            pass.set_vertex_buffer(0, buffer.slice(self.offsets[*stages as usize]..));
            match stages {
                Stages::Strokes => {
                    let Some(indices) = self.indices.buffer() else { continue };
                    pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                    pass.draw_indexed(shapes.clone(), 0, 0..1);
                }
                // An octagon.
                Stages::Discs => pass.draw(0..8, shapes.clone()),
                _ => pass.draw(0..4, shapes.clone()),
            }
        }
    }
}

/// Returns the style that matters for a purpose: the ID image only leaves hidden parts out.
fn style_of(style: DepthStyle, purpose: Purpose) -> DepthStyle {
    match purpose {
        Purpose::Ids if style != DepthStyle::Hidden => DepthStyle::OnTop,
        Purpose::Ids | Purpose::Picture | Purpose::Samples => style,
    }
}
