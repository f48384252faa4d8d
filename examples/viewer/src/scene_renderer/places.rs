//! Where everything is: one instance for each node with a mesh, kept on the GPU from frame to
//! frame, and boxes round them to tell what a view or a pick cannot touch.

use super::meshes::Meshes;
use crate::bounds::Bounds;
use crate::scene::Scene;
use bytemuck::{Pod, Zeroable};
use std::cmp::Reverse;
use std::num::NonZeroU32;
use std::ops::Range;
use wgpu_gizmo::glam::{DMat4, DVec3, Vec3};
use wgpu_gizmo::math::Frustum;

/// As `Placed` in the shader. Positions are relative to [`Places::origin_world`], in two floats
/// each: together they hold 48 bits, so that a scene far from the origin does not tremble.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub(super) struct Instance {
    /// Rows; what is last in each is the translation, rounded.
    pub(super) rows: [[f32; 4]; 3],
    /// What the rounding of the translation has taken off.
    pub(super) low: [f32; 3],
    pub(super) id: u32,
}

/// Nodes to a box that is looked at first.
const BLOCK: usize = 64;

/// All nodes that have a mesh, those of a mesh side by side: a node's *place* is among these.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// A point near the scene.
    origin_world: DVec3,
    /// By place.
    nodes: Vec<u32>,
    boxes: Vec<[DVec3; 2]>,
    is_shown: Vec<bool>,
    /// Round the shown ones of every [`BLOCK`] places.
    blocks: Vec<Option<Bounds>>,
    /// By node.
    place_of: Vec<Option<u32>>,
    /// By mesh.
    of_mesh: Vec<Range<u32>>,
    instances: Option<wgpu::Buffer>,
    /// What of the scene is taken in.
    moves: u64,
    /// Grows whenever something has moved, come or gone.
    version: u64,
}

/// What is drawn of the places: runs of neighbors with the same mesh, the nearest first.
#[derive(Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Parts of meshes and which of the runs they are drawn for, in the order in which they are.
    parts: Vec<(u32, u32)>,
    /// Kept, so that nothing is allocated once it has grown: how far away, and which.
    blocks: Vec<(f64, usize)>,
}

/// Neighbors with the same mesh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) mesh: u32,
    pub(super) places: Range<u32>,
}

impl Runs {
    /// How many places there are in them.
    pub(super) fn len(&self) -> usize {
        self.runs.iter().map(|run| run.places.len()).sum()
    }

    /// What is to be drawn one after the other: a part of a mesh, and where.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u32, Range<u32>)> {
        self.parts.iter().map(|(part, run)| (*part, self.runs[*run as usize].places.clone()))
    }

    /// Puts the parts of all runs in order.
    fn arrange(&mut self, meshes: &Meshes) {
        self.parts.clear();
        for (run, place) in self.runs.iter().zip(0..) {
            self.parts.extend(meshes.of_mesh(run.mesh).iter().map(|part| (*part, place)));
        }
        self.parts.sort_unstable();
    }
}

/// From where a scene is looked at, and what of it is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) meshes: &'a Meshes,
    /// What is farther along this is drawn later, so that it is hidden before it is shaded.
    pub(super) forward: DVec3,
    /// What does not reach into this is left out.
    pub(super) frustum: Option<&'a Frustum>,
}

impl Places {
    /// Returns the places of another scene, of which nothing is taken in yet. No version of theirs is
    /// one of those before.
    pub(super) fn after(old: &Self) -> Self {
        Self { version: old.version + 1, ..Self::default() }
    }

    /// Takes in what has changed since the last call: a node that `id_of` has no id for is
    /// neither shown nor picked.
    pub(super) fn sync(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        id_of: impl Fn(usize) -> Option<NonZeroU32>,
    ) {
        if self.place_of.len() != scene.nodes().len() || self.of_mesh.len() != scene.meshes().len() {
            self.arrange(device, scene);
        }
        let moves = std::mem::replace(&mut self.moves, scene.moves());
        let is_new = self.boxes.is_empty();
        self.boxes.resize(self.nodes.len(), [DVec3::ZERO; 2]);
        let mut staged: Vec<Instance> = Vec::new();
        let mut staged_from = 0;
        let mut is_stale = vec![is_new; self.blocks.len()];
        for place in 0..self.nodes.len() {
            let node = self.nodes[place] as usize;
            let id = id_of(node);
            let has_moved = is_new || scene.moved_at(node) > moves;
            if !has_moved && id.is_some() == self.is_shown[place] {
                continue;
            }
            let instance = Instance::new(self.origin_world, scene.world_from_node(node), id);
            self.boxes[place] = scene.world_bounds(node).map_or([DVec3::ZERO; 2], roomy);
            self.is_shown[place] = instance.is_some();
            is_stale[place / BLOCK] = true;
            if staged_from + staged.len() != place {
                self.upload(queue, staged_from, &staged);
                staged.clear();
            }
            if staged.is_empty() {
                staged_from = place;
            }
            staged.push(instance.unwrap_or(Instance::zeroed()));
        }
        self.upload(queue, staged_from, &staged);
        for (block, _) in is_stale.iter().enumerate().filter(|(_, is_stale)| **is_stale) {
            let places = block * BLOCK..((block + 1) * BLOCK).min(self.nodes.len());
            let boxes = places.filter(|place| self.is_shown[*place]).map(|place| self.boxes[place]);
            self.blocks[block] = boxes.map(|[min, max]| Bounds { min, max }).reduce(Bounds::union);
            self.version += 1;
        }
    }

    /// Grows whenever something has moved, come or gone.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// A point near the scene, which positions on the GPU are relative to.
    pub(super) fn origin_world(&self) -> DVec3 {
        self.origin_world
    }

    /// Round everything that is shown, a little roomy.
    pub(super) fn bounds(&self) -> Option<Bounds> {
        self.blocks.iter().copied().flatten().reduce(Bounds::union)
    }

    /// In the middle of what is at a place, in world space.
    pub(super) fn middle(&self, place: u32) -> DVec3 {
        let [min, max] = self.boxes[place as usize];
        0.5 * min + 0.5 * max
    }

    /// Of all places, once anything is shown.
    pub(super) fn instances(&self) -> Option<&wgpu::Buffer> {
        self.instances.as_ref()
    }

    /// Of what is shown, all that may reach into the frustum, without what `takes` does not take.
    /// The order does not depend on the frustum: of two things at one depth the same one is first.
    pub(super) fn find(&self, search: Search<'_>, takes: impl Fn(usize) -> bool, found: &mut Runs) {
        let Search { meshes, forward, frustum } = search;
        let may_hold = |[min, max]: [DVec3; 2]| frustum.is_none_or(|f| f.may_intersect_box([min, max]));
        found.blocks.clear();
        for (block, bounds) in self.blocks.iter().enumerate() {
            if let Some(bounds) = bounds.filter(|b| may_hold([b.min, b.max])) {
                found.blocks.push((bounds.center().dot(forward), block));
            }
        }
        found.blocks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.runs.clear();
        for (_, block) in &found.blocks {
            let first = block * BLOCK;
            let mut mesh = self.mesh_of(first as u32);
            for place in first..(first + BLOCK).min(self.nodes.len()) {
                let is_in = self.is_shown[place] && may_hold(self.boxes[place]);
                if !(is_in && takes(self.nodes[place] as usize)) {
                    continue;
                }
                let place = place as u32;
                while self.of_mesh[mesh].end <= place {
                    mesh += 1;
                }
                match found.runs.last_mut() {
                    Some(run) if run.mesh as usize == mesh && run.places.end == place => {
                        run.places.end += 1;
                    }
                    _ => found.runs.push(Run { mesh: mesh as u32, places: place..place + 1 }),
                }
            }
        }
        found.arrange(meshes);
    }

    /// One node alone, if it is shown.
    pub(super) fn find_node(&self, node: usize, meshes: &Meshes, found: &mut Runs) {
        found.runs.clear();
        let place = self.place_of.get(node).copied().flatten();
        if let Some(place) = place.filter(|place| self.is_shown[*place as usize]) {
            found.runs.push(Run { mesh: self.mesh_of(place) as u32, places: place..place + 1 });
        }
        found.arrange(meshes);
    }

    fn mesh_of(&self, place: u32) -> usize {
        self.of_mesh.partition_point(|places| places.end <= place)
    }

    /// Gives every node its place.
    fn arrange(&mut self, device: &wgpu::Device, scene: &Scene) {
        let origin_world = scene.bounds().map_or(DVec3::ZERO, |bounds| bounds.center());
        let origin_world = if origin_world.is_finite() { origin_world } else { DVec3::ZERO };
        let reach = scene.bounds().map_or(1.0, |bounds| bounds.radius()).max(f64::MIN_POSITIVE);
        let nodes = scene.nodes().iter().enumerate();
        let mut nodes: Vec<(usize, u64, Reverse<u32>)> = nodes
            .filter_map(|(index, node)| {
                // Neighbors in space are neighbors here, so that few runs hold what a view sees.
                let at = (scene.world_from_node(index).w_axis.truncate() - origin_world) / reach;
                // Of what lies in one place the last one is drawn first, and so it is seen: a copy
                // hides what it is a copy of.
                Some((node.mesh?, along_a_curve(at), Reverse(index as u32)))
            })
            .collect();
        // No more than a buffer holds; the rest is not shown.
        nodes.truncate(device.limits().max_buffer_size as usize / size_of::<Instance>());
        nodes.sort_unstable();
        let count = nodes.len();
        let mut of_mesh = vec![0..0; scene.meshes().len()];
        let mut place_of = vec![None; scene.nodes().len()];
        for ((mesh, _, Reverse(node)), place) in nodes.iter().zip(0u32..) {
            place_of[*node as usize] = Some(place);
            let places = &mut of_mesh[*mesh];
            let first = if places.start < places.end { places.start } else { place };
            *places = first..place + 1;
        }
        // A mesh that nobody has is where the one before it ends.
        let mut end = 0;
        for places in &mut of_mesh {
            if places.start == places.end {
                *places = end..end;
            }
            end = places.end;
        }
        let instances = (count > 0).then(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("viewer instances"),
                size: (count * size_of::<Instance>()) as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        *self = Self {
            origin_world,
            nodes: nodes.into_iter().map(|(_, _, Reverse(node))| node).collect(),
            boxes: Vec::new(),
            is_shown: vec![false; count],
            blocks: vec![None; count.div_ceil(BLOCK)],
            place_of,
            of_mesh,
            instances,
            moves: 0,
            version: self.version + 1,
        };
    }

    fn upload(&self, queue: &wgpu::Queue, first: usize, instances: &[Instance]) {
        if let Some(buffer) = self.instances.as_ref().filter(|_| !instances.is_empty()) {
            let offset = first * size_of::<Instance>();
            queue.write_buffer(buffer, offset as u64, bytemuck::cast_slice(instances));
        }
    }
}

/// A position as two floats.
pub(super) fn two_floats(position: DVec3) -> [Vec3; 2] {
    let high = position.as_vec3();
    [high, (position - high.as_dvec3()).as_vec3()]
}

impl Instance {
    /// `None` without an id, and where a number is not finite or too large for a float.
    fn new(origin_world: DVec3, world_from_local: DMat4, id: Option<NonZeroU32>) -> Option<Self> {
        let [high, low] = two_floats(world_from_local.w_axis.truncate() - origin_world);
        let rows = [0, 1, 2].map(|i| world_from_local.row(i).truncate().as_vec3().extend(high[i]).to_array());
        let is_finite = rows.as_flattened().iter().all(|number| number.is_finite()) && low.is_finite();
        is_finite.then_some(Self { rows, low: low.to_array(), id: id?.get() })
    }
}

/// A box with room for what the GPU's rounding can do.
fn roomy(Bounds { min, max }: Bounds) -> [DVec3; 2] {
    let room = 1e-4 * (max - min).length() + 1e-6 * min.abs().max(max.abs());
    [min - room, max + room]
}

/// How far along Morton's curve a point of the cube from −1 to 1 is.
fn along_a_curve(point: DVec3) -> u64 {
    let spread = |v: f64| {
        let bits = ((v * 0.5 + 0.5).clamp(0.0, 1.0) * 1_048_575.0) as u64;
        (0..20).fold(0, |spread, bit| spread | (bits >> bit & 1) << (3 * bit))
    };
    spread(point.x) | spread(point.y) << 1 | spread(point.z) << 2
}
