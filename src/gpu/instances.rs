use super::error::GpuError;
use super::meshes::HandleMeshes;
use super::resources::check_alive;
use crate::draw::{DrawList, GizmoSpan, Item, PartInstance, VisiblePieces};
use crate::handle::{MAX_PIECES, MeshKind};
use glam::{DMat4, Mat4};
use std::mem::size_of;
use std::ops::Range;

/// The vertex buffer layout of [`PartInstance`].
pub(super) const INSTANCE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<PartInstance>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32x4,
        8 => Float32x4, 9 => Float32x4, 10 => Float32x4,
        11 => Float32, 12 => Float32, 13 => Float32, 14 => Uint32,
    ],
};

/// Instances of the smallest buffer: two gizmos of a dozen parts.
const MIN_CAPACITY: usize = 32;

/// The parts of one draw list on the GPU.
#[derive(Debug)]
pub(super) struct Instances {
    /// Created by the first upload; holds `capacity` instances.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    runs: Vec<DrawRun>,
    // Kept between calls, so that an upload allocates nothing.
    staged: Vec<PartInstance>,
    /// The contents of the buffer.
    sent: Vec<PartInstance>,
    /// The parts that are drawn, in the order of the list.
    visible: Vec<VisiblePart>,
    bins: Vec<Bin>,
    /// The indices of the gizmos, farthest first.
    order: Vec<usize>,
    slices: Vec<Slice>,
    /// Bytes of the last upload.
    uploaded: u64,
}

/// A range of instances that one draw call draws.
#[derive(Debug)]
struct DrawRun {
    mesh: MeshKind,
    pieces: Range<u16>,
    translucent: bool,
    instances: Range<u32>,
}

/// A part that is drawn, by its index in the list and the index of its gizmo.
#[derive(Debug, Clone, Copy)]
struct VisiblePart {
    item: usize,
    gizmo: usize,
    share: VisiblePieces,
}

/// The parts that are drawn of one mesh or of one piece of it.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    count: u32,
    /// The index of the last one in the list.
    item: usize,
    /// The index of the next instance.
    place: u32,
}

/// Bins per mesh; a whole mesh is in the first.
const BINS: usize = MAX_PIECES as usize;

impl VisiblePieces {
    /// Returns the bins of its mesh that a part is in.
    fn bins(self) -> impl Iterator<Item = usize> {
        let bits = match self {
            Self::Nothing => 0,
            Self::Whole => 1,
            Self::Pieces(bits) => bits,
        };
        (0..BINS).filter(move |bin| bits >> bin & 1 == 1)
    }
}

/// The share of a gizmo in the depth range: clip z becomes `of_z · z + of_w · w`.
#[derive(Debug, Clone, Copy)]
struct Slice {
    of_z: f64,
    of_w: f64,
}

impl Slice {
    const WHOLE: Self = Self { of_z: 1.0, of_w: 0.0 };

    /// Returns the slice of the `rank`th farthest of `count` gizmos, with a margin at either end.
    fn new(rank: usize, count: usize, own_depths: [f64; 2]) -> Self {
        let [far, near] = own_depths;
        let [low, high] = [0.02, 0.98].map(|part| (rank as f64 + part) / count as f64);
        let of_z = (high - low) / (near - far);
        // Without a depth range, all of the gizmo is at the center of the slice.
        if !of_z.is_finite() {
            return Self { of_z: 0.0, of_w: 0.5 * (low + high) };
        }
        Self { of_z, of_w: low - of_z * far }
    }
}

impl Instances {
    pub(super) fn new() -> Self {
        Self {
            buffer: None,
            capacity: 0,
            runs: Vec::new(),
            staged: Vec::new(),
            sent: Vec::new(),
            visible: Vec::new(),
            bins: Vec::new(),
            order: Vec::new(),
            slices: Vec::new(),
            uploaded: 0,
        }
    }

    /// Returns the number of bytes of the last upload.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        self.uploaded
    }

    /// Replaces the instances by those of a list. `may_show` returns false for gizmos that are not drawn,
    /// and `visible_pieces` returns the pieces of a part to draw. `clip_from_clip` is applied after the
    /// matrices of the instances.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        list: &DrawList,
        may_show: impl Fn(&GizmoSpan) -> bool,
        visible_pieces: impl Fn(&Item) -> VisiblePieces,
        clip_from_clip: DMat4,
    ) -> Result<(), GpuError> {
        self.collect(list, may_show, visible_pieces);
        self.sort(list);
        self.slice(list);
        for VisiblePart { item, gizmo, share } in &self.visible {
            let item = &list.items()[*item];
            let Some(first) = first_bin(list, item) else { continue };
            let instance = seen_through(clip_from_clip, item.instance, &self.slices[*gizmo]);
            for bin in share.bins() {
                let place = &mut self.bins[first + bin].place;
                self.staged[*place as usize] = instance;
                *place += 1;
            }
        }
        if self.staged.len() > self.capacity {
            check_alive(device)?;
            self.capacity = self.staged.len().next_power_of_two().max(MIN_CAPACITY);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("wgpu-gizmo instances"),
                size: (self.capacity * size_of::<PartInstance>()) as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
            self.sent.clear();
        }
        self.uploaded = 0;
        let [staged, sent]: [&[u8]; 2] = [&self.staged, &self.sent].map(|part| bytemuck::cast_slice(part));
        // Equal instances are not uploaded again.
        if let (Some(buffer), true) = (&self.buffer, !staged.is_empty() && staged != sent) {
            queue.write_buffer(buffer, 0, staged);
            self.uploaded = staged.len() as u64;
            self.sent.clone_from(&self.staged);
        }
        Ok(())
    }

    /// Collects the parts that are drawn, visiting each part once.
    fn collect(
        &mut self,
        list: &DrawList,
        may_show: impl Fn(&GizmoSpan) -> bool,
        visible_pieces: impl Fn(&Item) -> VisiblePieces,
    ) {
        self.visible.clear();
        let mut item = 0;
        for (gizmo, (span, items)) in list.gizmos().enumerate() {
            if may_show(span) {
                let shares = (item..).zip(items.iter().map(&visible_pieces));
                let seen = shares.filter(|(_, share)| *share != VisiblePieces::Nothing);
                self.visible.extend(seen.map(|(item, share)| VisiblePart { item, gizmo, share }));
            }
            item += items.len();
        }
    }

    /// Assigns an index to every instance: opaque parts first, and each piece of each mesh in one run.
    fn sort(&mut self, list: &DrawList) {
        let kinds = kinds(list);
        self.bins.clear();
        self.bins.resize(2 * kinds * BINS, Bin::default());
        for VisiblePart { item, share, .. } in &self.visible {
            let Some(first) = first_bin(list, &list.items()[*item]) else { continue };
            for bin in share.bins() {
                let bin = &mut self.bins[first + bin];
                (bin.count, bin.item) = (bin.count + 1, *item);
            }
        }
        let is_whole = self.visible.iter().any(|visible| visible.share == VisiblePieces::Whole);
        self.runs.clear();
        let mut end = 0;
        for i in 0..self.bins.len() {
            let Bin { count, item, .. } = self.bins[i];
            if count == 0 {
                continue;
            }
            let (kind, piece) = (i / BINS, (i % BINS) as u16);
            let (mesh, translucent) = (kind_at(list, kind % kinds), kind >= kinds);
            // Consecutive pieces of a single part are drawn in one call.
            let before = self.bins[i.saturating_sub(1)];
            if let (Some(run), [1, 1], true) = (self.runs.last_mut(), [before.count, count], piece > 0) {
                if before.item == item {
                    run.pieces.end = piece + 1;
                    self.bins[i].place = end - 1;
                    continue;
                }
            }
            let pieces = if is_whole { 0..mesh.pieces() } else { piece..piece + 1 };
            self.runs.push(DrawRun { mesh, pieces, translucent, instances: end..end + count });
            self.bins[i].place = end;
            end += count;
        }
        self.staged.clear();
        self.staged.resize(end as usize, bytemuck::Zeroable::zeroed());
    }

    /// Assigns a slice of the depth range to every gizmo, nearer ones in front. A single gizmo has all of
    /// it.
    fn slice(&mut self, list: &DrawList) {
        let spans = list.spans();
        self.slices.clear();
        self.slices.resize(spans.len(), Slice::WHOLE);
        if spans.len() < 2 {
            return;
        }
        self.order.clear();
        self.order.extend(0..spans.len());
        // The first of two at the same distance is in front.
        self.order.sort_unstable_by(|a, b| spans[*b].depth.total_cmp(&spans[*a].depth).then(b.cmp(a)));
        for (rank, place) in self.order.iter().enumerate() {
            self.slices[*place] = Slice::new(rank, spans.len(), spans[*place].own_depths);
        }
    }

    /// Returns the parts that the last upload drew.
    pub(super) fn visible<'a>(&'a self, list: &'a DrawList) -> impl Iterator<Item = &'a Item> {
        self.visible.iter().filter_map(|visible| list.items().get(visible.item))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.staged.is_empty()
    }

    /// Binds the instances and the built-in meshes in a pass.
    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &HandleMeshes) {
        meshes.bind(pass);
        if let Some(buffer) = &self.buffer {
            pass.set_vertex_buffer(1, buffer.slice(..));
        }
    }

    /// Draws the opaque or the translucent parts, after [`Instances::bind`].
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &HandleMeshes, translucent: bool) {
        for run in self.runs.iter().filter(|run| run.translucent == translucent) {
            meshes.draw(pass, run.mesh, run.pieces.clone(), run.instances.clone());
        }
    }

    /// Draws the same, each piece of all parts before the next. The order of triangles, which matters at
    /// equal depths, then does not depend on the pieces that are culled.
    pub(super) fn draw_pieces(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        meshes: &HandleMeshes,
        translucent: bool,
    ) {
        for run in self.runs.iter().filter(|run| run.translucent == translucent) {
            let Range { start, end } = run.pieces;
            let step = if run.instances.len() == 1 { end - start } else { 1 };
            for piece in (start..end).step_by(step.into()) {
                meshes.draw(pass, run.mesh, piece..piece + step, run.instances.clone());
            }
        }
    }
}

/// Returns the number of built-in and custom meshes.
fn kinds(list: &DrawList) -> usize {
    MeshKind::ALL.len() + list.custom_meshes().len()
}

/// Returns the mesh with this index: the built-in ones, then the custom ones.
fn kind_at(list: &DrawList, place: usize) -> MeshKind {
    let custom = |place: usize| MeshKind::Custom(list.custom_meshes()[place].data().key);
    MeshKind::ALL.get(place).copied().unwrap_or_else(|| custom(place - MeshKind::ALL.len()))
}

/// Returns the first bin of the mesh of a part.
fn first_bin(list: &DrawList, item: &Item) -> Option<usize> {
    Some((list.mesh_index(item.mesh)? + if item.translucent { kinds(list) } else { 0 }) * BINS)
}

fn seen_through(clip_from_clip: DMat4, mut instance: PartInstance, slice: &Slice) -> PartInstance {
    // Without a slice or a crop, no bit may change.
    if slice.of_w != 0.0 {
        for [_, _, z, w] in &mut instance.clip_from_part {
            *z = (slice.of_z * f64::from(*z) + slice.of_w * f64::from(*w)) as f32;
        }
    }
    if clip_from_clip != DMat4::IDENTITY {
        let clip_from_part = Mat4::from_cols_array_2d(&instance.clip_from_part).as_dmat4();
        instance.clip_from_part = (clip_from_clip * clip_from_part).as_mat4().to_cols_array_2d();
    }
    instance
}
