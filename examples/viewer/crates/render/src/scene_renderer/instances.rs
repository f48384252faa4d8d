//! The instances of a scene: one per node with a mesh, kept on the GPU across frames, with bounding
//! boxes for frustum culling.

use super::meshes::Meshes;
use super::portion::{Screen, Shading};
use crate::device::Gpu;
use crate::resources;
use bytemuck::{Pod, Zeroable};
use scene::bounds::Bounds;
use scene::{Scene, Version};
use std::cmp::Reverse;
use std::num::NonZeroU32;
use std::ops::Range;
use wgpu_gizmo::glam::{DMat4, DVec3, Vec3};
use wgpu_gizmo::math::Frustum;

/// Layout of `Instance` in the shader. Positions are relative to [`Instances::origin_world`], in two floats
/// each. Together they hold 48 bits, so that a scene far from the origin does not jitter.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Instance {
    /// The rows of the matrix. The last column is the translation, rounded.
    pub(super) rows: [[f32; 4]; 3],
    /// The rounding error of the translation.
    pub(super) low: [f32; 3],
    pub(super) id: u32,
    /// The crop box in local space; `f32::MIN` and `f32::MAX` where nothing is cut.
    pub(super) crop: [[f32; 3]; 2],
}

/// The bounds of a node whose own are not known.
const EMPTY: Bounds = Bounds { min: DVec3::ZERO, max: DVec3::ZERO };

/// The number of slots per block. Blocks are culled before their slots.
const BLOCK: usize = 64;

/// A node with a mesh.
#[derive(Debug, Clone, Copy)]
struct Slot {
    node: u32,
    /// The bounding box in world space, slightly padded.
    bounds: Bounds,
    /// The id of the node if it is shown.
    id: Option<NonZeroU32>,
    is_cropped: bool,
    /// Whether it is drawn exactly where the previous slot is.
    repeats: bool,
}

/// All nodes that have a mesh, sorted by mesh. The index of a node in this order is its *slot*.
#[derive(Debug, Default)]
pub(super) struct Instances {
    /// A point near the scene that positions on the GPU are relative to.
    pub(super) origin_world: DVec3,
    slots: Vec<Slot>,
    /// The bounding boxes of the shown nodes in every [`BLOCK`] slots.
    blocks: Vec<Option<Bounds>>,
    /// The version of the scene that the slots are for.
    arranged: Version,
    /// The slots of each mesh.
    slots_of_mesh: Vec<Range<u32>>,
    /// The instances of all slots, or `None` for an empty scene.
    pub(super) buffer: Option<wgpu::Buffer>,
    /// The scene's counter of moves at the last sync.
    moves: u64,
    /// Increases whenever a node has moved, appeared or disappeared.
    pub(super) version: u64,
}

/// The slots to draw: runs of consecutive slots with the same mesh, nearest first.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    /// Pairs of a mesh part and a run, in drawing order.
    parts: Vec<(u32, u32)>,
    /// Distances of visible blocks with their indices. Kept to avoid allocations.
    blocks: Vec<(f64, usize)>,
}

/// Consecutive slots with the same mesh.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    mesh: u32,
    pub(super) slots: Range<u32>,
    /// Whether the nodes have crop boxes.
    pub(super) is_cropped: bool,
    /// An estimate of the pixels that all of them cover.
    pub(super) pixels: f64,
}

impl Runs {
    /// Returns the number of slots in all runs.
    pub(crate) fn len(&self) -> usize {
        self.runs.iter().map(|run| run.slots.len()).sum()
    }

    /// Returns the mesh parts to draw with their slots, in drawing order.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u32, &Run)> {
        self.parts.iter().map(|(part, run)| (*part, &self.runs[*run as usize]))
    }

    /// Returns the work of drawing them.
    pub(super) fn work(&self, meshes: &Meshes, shading: Shading) -> f64 {
        let work = |(part, run)| shading.work(run, meshes.batch(part)) * run.slots.len() as f64;
        self.parts().map(work).sum()
    }

    /// Sorts the parts of all runs into drawing order.
    fn arrange(&mut self, meshes: &Meshes) {
        self.parts.clear();
        for (run, index) in self.runs.iter().zip(0..) {
            self.parts.extend(meshes.of_mesh(run.mesh).iter().map(|part| (*part, index)));
        }
        self.parts.sort_unstable();
    }
}

/// The direction of view, and the filters of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) meshes: &'a Meshes,
    /// Slots are sorted along this direction, so that occluded fragments are not shaded.
    pub(super) forward: DVec3,
    /// Slots that do not intersect this are culled.
    pub(super) frustum: Option<&'a Frustum>,
    pub(super) screen: Screen,
}

impl Instances {
    /// Creates an empty list for another scene, with a version that differs from all earlier ones.
    pub(super) fn after(old: &Self) -> Self {
        Self { version: old.version + 1, ..Self::default() }
    }

    /// Uploads what has changed since the last call. `id_of` returns the ids of nodes; those without one are neither
    /// shown nor picked.
    pub(super) fn sync(
        &mut self,
        Gpu { device, queue, .. }: &Gpu,
        scene: &Scene,
        id_of: impl Fn(usize) -> Option<NonZeroU32>,
    ) {
        // A replay has all of its copies from the start, so counting nodes is not enough.
        let is_new = !scene.version().has_same_hierarchy(self.arranged);
        if is_new {
            self.arrange(device, scene);
        }
        let moves = std::mem::replace(&mut self.moves, scene.moves());
        let mut staged: Vec<Instance> = Vec::new();
        let mut staged_from = 0;
        let mut is_stale = vec![is_new; self.blocks.len()];
        for slot in 0..self.slots.len() {
            let known = &mut self.slots[slot];
            let node = known.node as usize;
            let has_moved = is_new || scene.moved_at(node) > moves;
            let is_shown = scene.is_shown(node);
            if !has_moved && is_shown == known.id.is_some() {
                continue;
            }
            let id = id_of(node).filter(|_| is_shown);
            let crop = scene.crop_box(node).zip(scene.mesh_box(node)).map(cutting_sides);
            let instance = Instance::new(self.origin_world, scene.world_from_node(node), crop, id);
            known.bounds = scene.world_bounds(node).map_or(EMPTY, padded);
            known.id = id.filter(|_| instance.is_some());
            known.is_cropped = crop.is_some();
            is_stale[slot / BLOCK] = true;
            if staged_from + staged.len() != slot {
                self.upload(queue, staged_from, &staged);
                staged.clear();
            }
            if staged.is_empty() {
                staged_from = slot;
            }
            staged.push(instance.unwrap_or(Instance::zeroed()));
        }
        self.upload(queue, staged_from, &staged);
        for (block, _) in is_stale.iter().enumerate().filter(|(_, is_stale)| **is_stale) {
            let [first, end] = [block, block + 1].map(|block| (block * BLOCK).min(self.slots.len()));
            let shown = self.slots[first..end].iter().filter(|slot| slot.id.is_some());
            self.blocks[block] = shown.map(|slot| slot.bounds).reduce(Bounds::union);
            // The first slot of the next block is compared with the last one of this block.
            for slot in first.max(1)..(end + 1).min(self.slots.len()) {
                self.slots[slot].repeats = coincide(scene, [&self.slots[slot - 1], &self.slots[slot]]);
            }
            self.version += 1;
        }
    }

    /// Returns the bounding box of everything shown, slightly padded.
    pub(super) fn bounds(&self) -> Option<Bounds> {
        self.blocks.iter().copied().flatten().reduce(Bounds::union)
    }

    /// Returns the center of a slot's bounding box, in world space.
    pub(super) fn center(&self, slot: u32) -> DVec3 {
        self.slots[slot as usize].bounds.center()
    }

    /// Finds the shown slots that may intersect the frustum and whose nodes `accepts` accepts. The order
    /// does not depend on the frustum, so that ties in depth are always resolved the same way. Of opaque
    /// nodes that coincide only the first is found, because the depth test rejects the others.
    pub(super) fn find(&self, search: Search<'_>, accepts: impl Fn(usize) -> bool, found: &mut Runs) {
        let Search { meshes, forward, frustum, screen } = search;
        let may_intersect = |b: Bounds| frustum.is_none_or(|f| f.may_intersect_box([b.min, b.max]));
        found.blocks.clear();
        for (block, bounds) in self.blocks.iter().enumerate() {
            if let Some(bounds) = bounds.filter(|b| may_intersect(*b)) {
                found.blocks.push((bounds.center().dot(forward), block));
            }
        }
        found.blocks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.runs.clear();
        // The last slot that was found, or coincides with one that was.
        let mut covered = None;
        for (_, block) in &found.blocks {
            let first = block * BLOCK;
            let mut mesh = self.mesh_of(first as u32);
            for slot in first..(first + BLOCK).min(self.slots.len()) {
                let Slot { node, bounds, id, is_cropped, repeats } = self.slots[slot];
                if !(id.is_some() && may_intersect(bounds)) {
                    continue;
                }
                let is_covered = repeats && covered == slot.checked_sub(1);
                let is_accepted = accepts(node as usize);
                if is_covered || is_accepted {
                    covered = Some(slot);
                }
                if !is_accepted {
                    continue;
                }
                let slot = slot as u32;
                while self.slots_of_mesh[mesh].end <= slot {
                    mesh += 1;
                }
                if is_covered && !meshes.is_blended(mesh as u32) {
                    continue;
                }
                let pixels = screen.pixels(bounds);
                match found.runs.last_mut() {
                    Some(run)
                        if run.mesh as usize == mesh
                            && run.slots.end == slot
                            && run.is_cropped == is_cropped =>
                    {
                        run.slots.end += 1;
                        run.pixels += pixels;
                    }
                    _ => {
                        found.runs.push(Run { mesh: mesh as u32, slots: slot..slot + 1, is_cropped, pixels })
                    }
                }
            }
        }
        found.arrange(meshes);
    }

    /// Finds the shown slots that may intersect the frustum and whose nodes `accepts` accepts, also those that
    /// coincide. Returns their ids.
    pub(super) fn find_singly(
        &self,
        frustum: &Frustum,
        accepts: impl Fn(usize) -> bool,
        found: &mut Vec<u32>,
    ) -> Vec<NonZeroU32> {
        let may_show = |Slot { node, bounds: Bounds { min, max }, .. }: &Slot| {
            accepts(*node as usize) && frustum.may_intersect_box([*min, *max])
        };
        let shown = (0..).zip(&self.slots).filter_map(|(index, slot)| Some((index, slot.id?, slot)));
        let shown = shown.filter(|(.., slot)| may_show(slot));
        let (slots, ids) = shown.map(|(index, id, _)| (index, id)).unzip();
        *found = slots;
        ids
    }

    /// Makes a single slot the one to draw.
    pub(super) fn take_slot(&self, slot: u32, meshes: &Meshes, found: &mut Runs) {
        found.runs.clear();
        let (mesh, is_cropped) = (self.mesh_of(slot) as u32, self.slots[slot as usize].is_cropped);
        found.runs.push(Run { mesh, slots: slot..slot + 1, is_cropped, pixels: 0.0 });
        found.arrange(meshes);
    }

    fn mesh_of(&self, slot: u32) -> usize {
        self.slots_of_mesh.partition_point(|slots| slots.end <= slot)
    }

    /// Assigns a slot to every node with a mesh.
    fn arrange(&mut self, device: &wgpu::Device, scene: &Scene) {
        let origin_world = scene.bounds().map_or(DVec3::ZERO, |bounds| bounds.center());
        let origin_world = if origin_world.is_finite() { origin_world } else { DVec3::ZERO };
        let reach = scene.bounds().map_or(1.0, |bounds| bounds.radius()).max(f64::MIN_POSITIVE);
        let nodes = scene.nodes().iter().enumerate();
        let mut nodes: Vec<(usize, u64, Reverse<u32>)> = nodes
            .filter_map(|(index, node)| {
                // Sort along a space-filling curve, so that a view sees few long runs.
                let at = (scene.world_from_node(index).w_axis.truncate() - origin_world) / reach;
                // Among nodes at the same position, the last is drawn first and therefore visible, so a
                // copy covers its original.
                Some((node.mesh?, morton_code(at), Reverse(index as u32)))
            })
            .collect();
        // Nodes beyond the capacity of a buffer are not shown.
        nodes.truncate(device.limits().max_buffer_size as usize / size_of::<Instance>());
        nodes.sort_unstable();
        let count = nodes.len();
        let new_slot = |node| Slot { node, bounds: EMPTY, id: None, is_cropped: false, repeats: false };
        // An unused mesh gets an empty range at the end of the previous one.
        let first_of = |mesh: usize| nodes.partition_point(|(other, ..)| *other < mesh) as u32;
        let slots_of_mesh =
            (0..scene.meshes().len()).map(|mesh| first_of(mesh)..first_of(mesh + 1)).collect();
        let buffer = (count > 0).then(|| {
            let size = count * size_of::<Instance>();
            resources::buffer(device, "viewer instances", size, wgpu::BufferUsages::VERTEX)
        });
        *self = Self {
            origin_world,
            slots: nodes.into_iter().map(|(_, _, Reverse(node))| new_slot(node)).collect(),
            blocks: vec![None; count.div_ceil(BLOCK)],
            arranged: scene.version(),
            slots_of_mesh,
            buffer,
            ..Self::after(self)
        };
    }

    fn upload(&self, queue: &wgpu::Queue, first: usize, instances: &[Instance]) {
        if let Some(buffer) = self.buffer.as_ref().filter(|_| !instances.is_empty()) {
            let offset = first * size_of::<Instance>();
            queue.write_buffer(buffer, offset as u64, bytemuck::cast_slice(instances));
        }
    }
}

/// Returns true if two slots are shown and cover the same pixels at the same depths.
fn coincide(scene: &Scene, slots: [&Slot; 2]) -> bool {
    let [a, b] = slots.map(|slot| slot.node as usize);
    slots.iter().all(|slot| slot.id.is_some())
        && scene.nodes()[a].mesh == scene.nodes()[b].mesh
        && scene.world_from_node(a) == scene.world_from_node(b)
        && scene.crop_box(a) == scene.crop_box(b)
}

/// Splits a position into two floats.
pub(super) fn two_floats(position: DVec3) -> [Vec3; 2] {
    let high = position.as_vec3();
    [high, (position - high.as_dvec3()).as_vec3()]
}

impl Instance {
    /// Creates an instance. Returns `None` without an id, or if a number is not finite as a float.
    fn new(
        origin_world: DVec3,
        world_from_local: DMat4,
        crop: Option<Bounds>,
        id: Option<NonZeroU32>,
    ) -> Option<Self> {
        let [high, low] = two_floats(world_from_local.w_axis.truncate() - origin_world);
        let rows = [0, 1, 2].map(|i| world_from_local.row(i).truncate().as_vec3().extend(high[i]).to_array());
        let is_finite = rows.as_flattened().iter().all(|number| number.is_finite()) && low.is_finite();
        let crop = crop.map_or([[f32::MIN; 3], [f32::MAX; 3]], |crop| {
            [crop.min, crop.max].map(|end| end.as_vec3().clamp(Vec3::MIN, Vec3::MAX).to_array())
        });
        is_finite.then_some(Self { rows, low: low.to_array(), id: id?.get(), crop })
    }
}

/// Returns a crop box with the sides that cut a mesh with this box. Along another side, the smooth edge of the cut would
/// make half of the silhouette transparent.
fn cutting_sides((crop, mesh): (Bounds, Bounds)) -> Bounds {
    Bounds {
        min: DVec3::select(crop.min.cmpgt(mesh.min), crop.min, DVec3::MIN),
        max: DVec3::select(crop.max.cmplt(mesh.max), crop.max, DVec3::MAX),
    }
}

/// Returns a box padded by the rounding errors of the GPU.
fn padded(Bounds { min, max }: Bounds) -> Bounds {
    let padding = 1e-4 * (max - min).length() + 1e-6 * min.abs().max(max.abs());
    Bounds { min: min - padding, max: max + padding }
}

/// Returns the position of a point along the Morton curve in the cube from −1 to 1.
fn morton_code(point: DVec3) -> u64 {
    let spread = |v: f64| {
        let bits = ((v * 0.5 + 0.5).clamp(0.0, 1.0) * 1_048_575.0) as u64;
        (0..20).fold(0, |spread, bit| spread | (bits >> bit & 1) << (3 * bit))
    };
    spread(point.x) | spread(point.y) << 1 | spread(point.z) << 2
}
