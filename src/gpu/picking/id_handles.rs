use crate::draw::parts::{Edge, Item, Line, Painting, PartEdge};
use crate::draw::{DepthStyle, DrawList};
use crate::gpu::device::error::GpuError;
use crate::gpu::device::vertex_memory::VertexMemory;
use crate::gpu::drawing::runs::Runs;
use crate::gpu::drawing::scene_depth::id_threshold;
use crate::gpu::id_target::tile_view::PixelGrid;
use glam::DVec2;
use std::mem::size_of;

/// One edge of a handle in the ID image, in the layout of the shader.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct EdgeRecord {
    /// The corner of a pixel, in pixels of the attachment and in NDC.
    pub(crate) anchor: [[f32; 2]; 2],
    /// The change of NDC per pixel, and the center of a rectangle in pixels from the anchor.
    pub(crate) scale_center: [[f32; 2]; 2],
    /// Half of the sides of the rectangle.
    pub(crate) halves: [[f32; 2]; 2],
    /// The start and the direction of the chord.
    pub(crate) chord: [[f32; 2]; 2],
    /// The length of the chord, four times the sagitta, and half of the width of a stroke at the start, or -1, and its
    /// change.
    pub(crate) curve: [f32; 4],
    /// Lines that also bound the pixels: a pixel `p` is inside of `x · p.x + y · p.y <= z`.
    pub(crate) first_bound: [f32; 3],
    pub(crate) second_bound: [f32; 3],
    /// The depth of the view at the start, its change per pixel, and the change from the outline of a ball to its middle.
    pub(crate) depth: [f32; 4],
    /// The reciprocal of the distance from the outline of a ball to its middle. Where objects may hide the handle, the
    /// depth that they must be nearer than: a factor on the depth of the handle, and an offset.
    pub(crate) inward_threshold: [f32; 3],
    pub(crate) id: u32,
}

/// The vertex buffer layout of [`EdgeRecord`].
pub(crate) const RECORD_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<EdgeRecord>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4,
        5 => Float32x3, 6 => Float32x3, 7 => Float32x4, 8 => Float32x3, 9 => Uint32,
    ],
};

impl EdgeRecord {
    fn new(anchor: DVec2, edge: &Edge, id: u32, threshold: [f32; 2], grid: &PixelGrid) -> Self {
        let vector = |by: DVec2| by.as_vec2().to_array();
        let line = |Line { normal, offset }: Line| normal.extend(offset).as_vec3().to_array();
        let [center, u, v] = edge.rect.map(vector);
        let [from, to] = edge.half_widths.unwrap_or([-1.0; 2]);
        let [front_depth, radius_px] = edge.round.unwrap_or([0.0, 1.0]);
        let depth = edge.depth.at(edge.start);
        let DVec2 { x, y } = edge.depth.change;
        Self {
            anchor: [grid.attachment_px(anchor), grid.ndc(anchor)].map(vector),
            scale_center: [vector(grid.ndc_per_px()), center],
            halves: [u, v],
            chord: [edge.start, edge.along].map(vector),
            curve: [edge.length, 4.0 * edge.sagitta, from, to - from].map(|number| number as f32),
            first_bound: line(edge.bounds[0]),
            second_bound: line(edge.bounds[1]),
            depth: [depth, x, y, front_depth].map(|number| number as f32),
            inward_threshold: [radius_px.recip() as f32, threshold[0], threshold[1]],
            id,
        }
    }
}

/// Bytes of the smallest buffer: the handles around a cursor.
const MIN_CAPACITY: usize = 1 << 14;

/// The edges of the handles in an ID image on the GPU, in the order of painting.
#[derive(Debug)]
pub(crate) struct IdHandles {
    records: VertexMemory<EdgeRecord>,
    runs: Runs,
    painting: Painting,
    /// The indices of the parts that have an edge, with repetitions.
    shown: Vec<usize>,
}

impl IdHandles {
    pub(crate) fn new() -> Self {
        Self {
            records: VertexMemory::new("wgpu-gizmo ids", wgpu::BufferUsages::VERTEX, MIN_CAPACITY),
            runs: Runs::default(),
            painting: Painting::default(),
            shown: Vec::new(),
        }
    }

    /// Returns the number of bytes of the last upload.
    pub(crate) fn uploaded_bytes(&self) -> u64 {
        self.records.uploaded_bytes()
    }

    /// Replaces the edges by what a list shows in the grid.
    pub(crate) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        grid: &PixelGrid,
    ) -> Result<(), GpuError> {
        let hidden = list.view().map(id_threshold);
        let Self { runs, shown, painting, .. } = self;
        let records = self.records.replace();
        runs.clear();
        shown.clear();
        painting.edges(list, grid.visible_px(), |PartEdge { item, depth_style, anchor_px, edge }| {
            if !grid.may_show_around(anchor_px, edge.rect) {
                return;
            }
            // Other styles leave no part out.
            let is_hidden = depth_style == DepthStyle::Hidden;
            let style = if is_hidden { DepthStyle::Hidden } else { DepthStyle::OnTop };
            let threshold = hidden.filter(|_| is_hidden);
            let threshold = threshold.map_or([0.0; 2], |threshold| [threshold.factor, threshold.offset]);
            let id = list.items()[item].handle_id();
            records.push(EdgeRecord::new(anchor_px, edge, id, threshold, grid));
            runs.add(style, records.len());
            if shown.last() != Some(&item) {
                shown.push(item);
            }
        });
        self.records.upload(device, queue)
    }

    /// Returns the parts that the last upload drew; a part may be repeated.
    pub(crate) fn shown<'a>(&'a self, list: &'a DrawList) -> impl Iterator<Item = &'a Item> {
        self.shown.iter().filter_map(|item| list.items().get(*item))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.records.elements().is_empty()
    }

    /// Returns true if handles are drawn that objects may hide.
    pub(crate) fn may_be_hidden(&self) -> bool {
        self.runs.iter().any(|(style, _)| style == DepthStyle::Hidden)
    }

    /// Draws the edges, each style with its pipeline.
    pub(crate) fn draw<'a>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: impl Fn(DepthStyle) -> &'a wgpu::RenderPipeline,
    ) {
        let Some(buffer) = self.records.buffer() else { return };
        pass.set_vertex_buffer(0, buffer.slice(..));
        for (style, range) in self.runs.iter() {
            pass.set_pipeline(pipeline(style));
            pass.draw(0..4, range);
        }
    }
}
