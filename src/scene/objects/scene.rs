use super::balls::Balls;
use super::instance::{INSTANCE_LAYOUT, ObjectInstance};
use super::mesh::{CORNER_LAYOUT, PickMesh, PickMeshKey, UploadedMesh};
use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::PipelineState;
use crate::gpu::device::resources::check_device;
use crate::gpu::id_target::object_pass;
use crate::math::DepthDirection;
use crate::pick::snap::SnapObject;
use glam::{DAffine3, DVec3};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

/// Identifies an object of a [`PickScene`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PickObjectKey {
    slot: u32,
    /// How often the slot was freed before this key was created.
    generation: u32,
}

/// An object that can be picked: a mesh, its transform and its id.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PickObject {
    /// The mesh.
    pub mesh: PickMeshKey,
    /// Transforms from the mesh's local space to world space. If a number in it is not finite or
    /// exceeds the range of `f32`, the object is neither drawn nor picked.
    pub world_from_local: DAffine3,
    /// The id that the ID image contains for it. Several objects may share one.
    pub id: NonZeroU32,
}

impl PickObject {
    /// Creates an object.
    pub fn new(mesh: PickMeshKey, world_from_local: DAffine3, id: NonZeroU32) -> Self {
        Self { mesh, world_from_local, id }
    }
}

/// Objects of the host that the crate draws into the ID image.
///
/// Use it to avoid writing a pipeline for picking, or for scenes of up to a million objects. The module
/// [`scene`](crate::scene) has an example.
///
/// Meshes are uploaded once. An object is a mesh, a transform and an id, and takes 108 bytes. For a pick, a
/// [`PickBatch`](super::PickBatch) selects the few objects under the cursor by their bounding balls, after
/// testing bounding boxes of groups of balls. For a million objects that takes at most a millisecond, and a
/// tenth of that if they were inserted in spatial order. No structure must be rebuilt when objects move, so
/// all of them can move in every frame, each by [`PickScene::move_to`].
///
/// Objects with cut-outs, such as alpha-tested textures, must be drawn by the host into the same
/// pass; see [`Picker`](crate::gpu::Picker).
#[derive(Debug)]
pub struct PickScene {
    pub(super) device: wgpu::Device,
    /// For standard depth, for reversed depth, and for regions that include occluded objects.
    pub(super) pipelines: [wgpu::RenderPipeline; 3],
    pub(super) bindings: wgpu::BindGroupLayout,
    meshes: BTreeMap<PickMeshKey, Arc<UploadedMesh>>,
    /// The key of the next mesh.
    next_mesh: PickMeshKey,
    /// The position of the first object. Positions are relative to it, so that a scene far from the
    /// world's origin is culled as tightly as one near it.
    pub(super) origin_world: DVec3,
    pub(super) slots: Vec<Slot>,
    free: Vec<u32>,
    /// The bounding balls of the objects that are drawn, by slot.
    pub(super) balls: Balls,
    /// The number of changes so far.
    pub(super) revision: u64,
    /// The revision of each slot's last change.
    pub(super) changed: Vec<u64>,
    /// Replaced when an object appears or gets another mesh.
    pub(super) arrangement: Arc<()>,
    /// The transforms of objects whose meshes have [snapping](PickMesh::with_snapping), by id and slot.
    snappable: BTreeMap<[u32; 2], DAffine3>,
    /// The errors of the pipelines.
    pub(crate) errors: DeviceErrors,
}

/// An object, or room for one.
#[derive(Debug)]
pub(super) struct Slot {
    generation: u32,
    is_hidden: bool,
    /// `None` if the slot is free.
    pub(super) mesh: Option<Arc<UploadedMesh>>,
    pub(super) instance: ObjectInstance,
}

impl PickScene {
    /// Creates a scene without objects.
    ///
    /// # Errors
    /// [`GpuError::Rejected`]; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let mut errors = DeviceErrors::default();
        let (bindings, pipelines) = errors.create_pipelines(device, |factory| {
            let bindings = device.create_bind_group_layout(&BINDINGS);
            let shader = factory.shader("wgpu-gizmo objects", SHADER);
            let depth_stencils = [
                object_pass::depth_stencil(DepthDirection::Standard),
                object_pass::depth_stencil(DepthDirection::Reversed),
                object_pass::xray_depth_stencil(),
            ];
            let pipelines = depth_stencils.map(|depth_stencil| {
                shader.pipeline(&PipelineState {
                    entries: ["vs_object", "fs_object"],
                    groups: &[Some(&bindings)],
                    buffers: &[Some(CORNER_LAYOUT), Some(INSTANCE_LAYOUT)],
                    topology: wgpu::PrimitiveTopology::TriangleList,
                    depth_stencil: Some(depth_stencil),
                    targets: object_pass::color_targets(device),
                    ..Default::default()
                })
            });
            (bindings, pipelines)
        })?;
        Ok(Self {
            device: device.clone(),
            pipelines,
            bindings,
            meshes: BTreeMap::new(),
            next_mesh: PickMeshKey(0),
            origin_world: DVec3::ZERO,
            slots: Vec::new(),
            free: Vec::new(),
            balls: Balls::default(),
            revision: 0,
            changed: Vec::new(),
            arrangement: Arc::default(),
            snappable: BTreeMap::new(),
            errors,
        })
    }

    /// Uploads a mesh.
    ///
    /// # Errors
    /// [`GpuError::BufferSize`] if the mesh exceeds the device's maximum buffer size; [`GpuError::Rejected`];
    /// [`GpuError::OtherDevice`]; [`GpuError::DeviceLost`].
    pub fn add_mesh(&mut self, device: &wgpu::Device, mesh: &PickMesh<'_>) -> Result<PickMeshKey, GpuError> {
        check_device(&self.device, device)?;
        self.errors.check()?;
        let key = self.next_mesh;
        self.meshes.insert(key, Arc::new(UploadedMesh::new(device, mesh, key)?));
        self.next_mesh.0 += 1;
        Ok(key)
    }

    /// Removes a mesh: no new object can use it, and it is dropped with the last object that does.
    /// Returns `false` if it was already removed.
    pub fn remove_mesh(&mut self, mesh: PickMeshKey) -> bool {
        self.meshes.remove(&mesh).is_some()
    }

    /// Adds an object. Returns `None` if its mesh was removed.
    pub fn insert(&mut self, object: &PickObject) -> Option<PickObjectKey> {
        let mesh = self.meshes.get(&object.mesh)?.clone();
        if self.is_empty() && ObjectInstance::new(object.world_from_local, 0).is_finite() {
            self.origin_world = object.world_from_local.translation;
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.slots.len()).ok()?;
                self.slots.push(Slot {
                    generation: 0,
                    is_hidden: false,
                    mesh: None,
                    instance: ObjectInstance::COLLAPSED,
                });
                self.changed.push(0);
                slot
            }
        };
        let Slot { generation, is_hidden, .. } = &mut self.slots[slot as usize];
        *is_hidden = false;
        let key = PickObjectKey { slot, generation: *generation };
        self.put(slot, object, mesh);
        Some(key)
    }

    /// Replaces an object and keeps its key. A hidden object stays hidden. Returns `false` if the
    /// object or the new mesh was removed.
    pub fn replace(&mut self, key: PickObjectKey, object: &PickObject) -> bool {
        let (slot, mesh) = (self.slot_of(key), self.meshes.get(&object.mesh).cloned());
        slot.zip(mesh).map(|(slot, mesh)| self.put(slot, object, mesh)).is_some()
    }

    /// Moves an object. Returns `false` if it was removed.
    pub fn move_to(&mut self, key: PickObjectKey, world_from_local: DAffine3) -> bool {
        self.slot_of(key).map(|slot| self.place(slot, world_from_local)).is_some()
    }

    /// Hides an object: it is neither drawn nor picked. Returns `false` if it was removed.
    pub fn hide(&mut self, key: PickObjectKey) -> bool {
        self.set_hidden(key, true)
    }

    /// Shows an object that was hidden. Returns `false` if it was removed.
    pub fn show(&mut self, key: PickObjectKey) -> bool {
        self.set_hidden(key, false)
    }

    /// Removes an object. Returns `false` if it was already removed.
    pub fn remove(&mut self, key: PickObjectKey) -> bool {
        let Some(slot) = self.slot_of(key) else { return false };
        let Slot { generation, mesh, instance, .. } = &mut self.slots[slot as usize];
        *generation = generation.wrapping_add(1);
        *mesh = None;
        self.snappable.remove(&[instance.id, slot]);
        self.free.push(slot);
        self.update(slot);
        true
    }

    /// Returns the objects with these ids that can be snapped to, for
    /// [`SnapTo::find`](crate::pick::snap::SnapTo::find): those whose meshes were added
    /// [with snapping](PickMesh::with_snapping), without hidden ones.
    ///
    /// ```no_run
    /// use wgpu_gizmo::facade::UpdateOptions;
    /// use wgpu_gizmo::gpu::GpuError;
    /// use wgpu_gizmo::scene::PickScene;
    /// use wgpu_gizmo::{PickQuery, Target, View, WgpuGizmo};
    ///
    /// fn update(
    ///     tools: &mut WgpuGizmo,
    ///     (view, targets): (&View, &mut [Target]),
    ///     scene: &PickScene,
    /// ) -> Result<(), GpuError> {
    ///     let snap_to = tools.gizmo.settings.snap.to;
    ///     let mut search = |query: &PickQuery, neighbors: &[std::num::NonZeroU32]| {
    ///         snap_to.find(query, &scene.snap_objects(neighbors))
    ///     };
    ///     tools.update_with(view, targets, UpdateOptions::default().with_snap_search(&mut search))?;
    ///     Ok(())
    /// }
    /// ```
    pub fn snap_objects(&self, ids: &[NonZeroU32]) -> Vec<SnapObject<'_>> {
        let of_id = |id: &NonZeroU32| self.snappable.range([id.get(), 0]..=[id.get(), u32::MAX]);
        let drawn = ids.iter().flat_map(of_id).filter(|([_, slot], _)| self.is_drawn(*slot));
        drawn
            .filter_map(|([_, slot], world_from_local)| {
                let mesh = self.slots[*slot as usize].mesh.as_ref()?.geometry.as_ref()?;
                Some(SnapObject::new(mesh, *world_from_local))
            })
            .collect()
    }

    /// Returns the number of objects, including hidden ones.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Returns true if the scene has no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the slot of an object, or `None` if it was removed.
    fn slot_of(&self, key: PickObjectKey) -> Option<u32> {
        let Slot { generation, mesh, .. } = self.slots.get(key.slot as usize)?;
        (mesh.is_some() && *generation == key.generation).then_some(key.slot)
    }

    /// Returns true if there is an object in a slot that is drawn.
    pub(super) fn is_drawn(&self, slot: u32) -> bool {
        self.balls.get(slot).is_some()
    }

    /// Puts an object into a slot.
    fn put(&mut self, slot: u32, object: &PickObject, mesh: Arc<UploadedMesh>) {
        let before = &mut self.slots[slot as usize];
        self.snappable.remove(&[before.instance.id, slot]);
        if before.mesh.as_ref().is_none_or(|before| before.key != mesh.key) {
            self.arrangement = Arc::default();
        }
        (before.mesh, before.instance.id) = (Some(mesh), object.id.get());
        self.place(slot, object.world_from_local);
    }

    fn place(&mut self, slot: u32, world_from_local: DAffine3) {
        let Slot { mesh, instance, .. } = &mut self.slots[slot as usize];
        let translation = world_from_local.translation - self.origin_world;
        *instance = ObjectInstance::new(DAffine3 { translation, ..world_from_local }, instance.id);
        if mesh.as_ref().is_some_and(|mesh| mesh.geometry.is_some()) {
            self.snappable.insert([instance.id, slot], world_from_local);
        }
        self.update(slot);
    }

    fn set_hidden(&mut self, key: PickObjectKey, is_hidden: bool) -> bool {
        let Some(slot) = self.slot_of(key) else { return false };
        self.slots[slot as usize].is_hidden = is_hidden;
        self.update(slot);
        true
    }

    /// Updates what depends on the object in a slot.
    fn update(&mut self, slot: u32) {
        let Slot { mesh, is_hidden, instance, .. } = &self.slots[slot as usize];
        let drawn = mesh.as_ref().filter(|_| !is_hidden && instance.is_finite());
        let ball = drawn.map(|mesh| instance.ball(mesh.bounds));
        if ball.is_some() && !self.is_drawn(slot) {
            self.arrangement = Arc::default();
        }
        self.balls.set(slot, ball);
        self.revision += 1;
        self.changed[slot as usize] = self.revision;
    }
}

/// How a pipeline writes ids, and the pipeline of the objects.
pub(crate) const SHADER: &str =
    concat!(include_str!("../../../shaders/id_texel.wgsl"), include_str!("../../../shaders/object.wgsl"));

const BINDINGS: wgpu::BindGroupLayoutDescriptor<'static> = wgpu::BindGroupLayoutDescriptor {
    label: Some("wgpu-gizmo objects"),
    entries: &[wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::VERTEX,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }],
};
