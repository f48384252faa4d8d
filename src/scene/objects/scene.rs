use super::drawing::DrawOrder;
use super::instance::INSTANCE_LAYOUT;
use super::mesh::{CORNER_LAYOUT, PickMesh, PickMeshes};
use super::store::{PickMeshKey, PickObject, PickObjectKey, Store};
use crate::gpu::device::device_errors::DeviceErrors;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::pipelines::PipelineState;
use crate::gpu::id_target::object_pass;
use crate::math::{Ball, DepthDirection};
use crate::pick::snap::SnapObject;
use glam::DAffine3;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// Objects of the host that the crate draws into the ID image.
///
/// Use it to avoid writing a pipeline for picking, or for scenes of up to a million objects. The module
/// [`scene`](crate::scene) has an example.
///
/// Meshes are uploaded once. An object is a mesh, a transform and an id, and takes 100 bytes. For a pick, a
/// [`PickBatch`](super::PickBatch) selects the few objects under the cursor by their bounding balls, after
/// testing bounding boxes of groups of balls. For a million objects that takes at most a millisecond, and a
/// tenth of that if they were inserted in spatial order. No structure must be rebuilt when objects move, so
/// all of them can move in every frame, each by [`PickScene::move_to`].
///
/// Objects with cut-outs, such as alpha-tested textures, must be drawn by the host into the same
/// pass; see [`Picker`](crate::gpu::Picker).
#[derive(Debug)]
pub struct PickScene {
    /// One pipeline for standard and one for reversed depth.
    pipelines: [wgpu::RenderPipeline; 2],
    /// For regions that include occluded objects.
    xray: wgpu::RenderPipeline,
    pub(super) bindings: wgpu::BindGroupLayout,
    meshes: PickMeshes,
    pub(super) store: Store,
    /// All objects, for whole images.
    everything: DrawOrder,
    /// Per slot: its index in `everything`, if it is there.
    indices: Vec<Option<u32>>,
    /// False if `everything` must be arranged again.
    is_arranged: bool,
    /// Kept between calls, so that nothing is allocated once it has grown.
    drawn: Vec<u32>,
    /// The transforms of objects whose meshes have [snapping](PickMesh::with_snapping), by id and slot.
    snappable: BTreeMap<[u32; 2], DAffine3>,
    /// The errors of the pipelines.
    pub(crate) errors: DeviceErrors,
}

impl PickScene {
    /// Creates a scene without objects.
    ///
    /// # Errors
    /// [`GpuError::Rejected`]; [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        let mut errors = DeviceErrors::default();
        let (bindings, pipelines, xray) = errors.create_pipelines(device, |factory| {
            let bindings = device.create_bind_group_layout(&BINDINGS);
            let shader = factory.shader("wgpu-gizmo objects", SHADER);
            let pipeline = |depth_stencil| {
                shader.pipeline(&PipelineState {
                    entries: ["vs_object", "fs_object"],
                    groups: &[Some(&bindings)],
                    buffers: &[Some(CORNER_LAYOUT), Some(INSTANCE_LAYOUT)],
                    topology: wgpu::PrimitiveTopology::TriangleList,
                    depth_stencil: Some(depth_stencil),
                    targets: object_pass::color_targets(device),
                    ..Default::default()
                })
            };
            let directions = [DepthDirection::Standard, DepthDirection::Reversed];
            let pipelines = directions.map(|depth| pipeline(object_pass::depth_stencil(depth)));
            let xray = pipeline(object_pass::xray_depth_stencil());
            (bindings, pipelines, xray)
        })?;
        Ok(Self {
            pipelines,
            xray,
            bindings,
            meshes: PickMeshes::default(),
            store: Store::default(),
            everything: DrawOrder::default(),
            indices: Vec::new(),
            is_arranged: true,
            drawn: Vec::new(),
            snappable: BTreeMap::new(),
            errors,
        })
    }

    /// Uploads a mesh.
    ///
    /// # Errors
    /// [`GpuError::BufferSize`] if the mesh exceeds the device's maximum buffer size; [`GpuError::Rejected`];
    /// [`GpuError::DeviceLost`].
    pub fn add_mesh(&mut self, device: &wgpu::Device, mesh: &PickMesh<'_>) -> Result<PickMeshKey, GpuError> {
        self.check_pipelines()?;
        self.meshes.add(device, mesh)
    }

    /// Removes a mesh: no new object can use it, and it is dropped with the last object that does.
    /// Returns `false` if it was already removed.
    pub fn remove_mesh(&mut self, mesh: PickMeshKey) -> bool {
        self.meshes.remove(mesh)
    }

    /// Adds an object. Returns `None` if its mesh was removed.
    pub fn insert(&mut self, object: &PickObject) -> Option<PickObjectKey> {
        let bounds = self.meshes.bounds_of(object.mesh)?;
        let key = self.store.insert(object, bounds)?;
        self.meshes.acquire(object.mesh.0.slot);
        self.is_arranged = false;
        if let Some(slot) = self.store.slot_of(key) {
            self.keep_transform(slot, object.world_from_local);
        }
        Some(key)
    }

    /// Replaces an object and keeps its key. A hidden object stays hidden. Returns `false` if the
    /// object or the new mesh was removed.
    pub fn replace(&mut self, key: PickObjectKey, object: &PickObject) -> bool {
        let (slot, bounds) = (self.store.slot_of(key), self.meshes.bounds_of(object.mesh));
        let (Some(slot), Some(bounds)) = (slot, bounds) else { return false };
        let mesh = self.store.meshes[slot as usize];
        self.forget_transform(slot);
        self.store.put(slot, object, bounds);
        if mesh != object.mesh.0.slot {
            self.meshes.acquire(object.mesh.0.slot);
            self.meshes.release(mesh);
            self.is_arranged = false;
        }
        self.keep_transform(slot, object.world_from_local);
        self.touch(slot);
        true
    }

    /// Moves an object. Returns `false` if it was removed.
    pub fn move_to(&mut self, key: PickObjectKey, world_from_local: DAffine3) -> bool {
        let is_there = self.change(key, |store, slot, bounds| store.move_to(slot, world_from_local, bounds));
        if let (true, Some(slot)) = (is_there, self.store.slot_of(key)) {
            self.keep_transform(slot, world_from_local);
        }
        is_there
    }

    /// Hides an object: it is neither drawn nor picked. Returns `false` if it was removed.
    pub fn hide(&mut self, key: PickObjectKey) -> bool {
        self.change(key, |store, slot, bounds| store.set_hidden(slot, true, bounds))
    }

    /// Shows an object that was hidden. Returns `false` if it was removed.
    pub fn show(&mut self, key: PickObjectKey) -> bool {
        self.change(key, |store, slot, bounds| store.set_hidden(slot, false, bounds))
    }

    /// Removes an object. Returns `false` if it was already removed.
    pub fn remove(&mut self, key: PickObjectKey) -> bool {
        let Some(slot) = self.store.slot_of(key) else { return false };
        self.forget_transform(slot);
        self.store.remove(slot);
        self.meshes.release(self.store.meshes[slot as usize]);
        self.touch(slot);
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
    ///     let snap_to = tools.gizmo.settings.snap_to;
    ///     let mut search = |query: &PickQuery, neighbors: &[std::num::NonZeroU32]| {
    ///         snap_to.find(query, &scene.snap_objects(neighbors))
    ///     };
    ///     tools.update_with(view, targets, UpdateOptions::default().with_snap_search(&mut search))?;
    ///     Ok(())
    /// }
    /// ```
    pub fn snap_objects(&self, ids: &[NonZeroU32]) -> Vec<SnapObject<'_>> {
        let of_id = |id: &NonZeroU32| self.snappable.range([id.get(), 0]..=[id.get(), u32::MAX]);
        let drawn = ids.iter().flat_map(of_id).filter(|([_, slot], _)| self.store.is_drawn(*slot));
        drawn
            .filter_map(|([_, slot], world_from_local)| {
                let mesh = self.meshes.get(self.store.meshes[*slot as usize])?.geometry.as_ref()?;
                Some(SnapObject { mesh, world_from_local: *world_from_local })
            })
            .collect()
    }

    fn forget_transform(&mut self, slot: u32) {
        self.snappable.remove(&[self.store.instances[slot as usize].id, slot]);
    }

    fn keep_transform(&mut self, slot: u32, world_from_local: DAffine3) {
        let mesh = self.meshes.get(self.store.meshes[slot as usize]);
        if mesh.is_some_and(|mesh| mesh.geometry.is_some()) {
            self.snappable.insert([self.store.instances[slot as usize].id, slot], world_from_local);
        }
    }

    /// Returns the number of objects, including hidden ones.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns true if the scene has no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn change(&mut self, key: PickObjectKey, how: impl FnOnce(&mut Store, u32, Ball)) -> bool {
        let Some(slot) = self.store.slot_of(key) else { return false };
        let Some(mesh) = self.meshes.get(self.store.meshes[slot as usize]) else { return false };
        how(&mut self.store, slot, mesh.bounds);
        self.touch(slot);
        true
    }

    /// Records that the object in a slot has changed, for the next whole image.
    fn touch(&mut self, slot: u32) {
        match self.indices.get(slot as usize) {
            Some(Some(index)) => self.everything.touch(*index as usize),
            // It is not in `everything` yet.
            _ => self.is_arranged &= !self.store.is_drawn(slot),
        }
    }

    pub(super) fn pipeline(&self, depth: DepthDirection) -> &wgpu::RenderPipeline {
        match depth {
            DepthDirection::Standard => &self.pipelines[0],
            DepthDirection::Reversed => &self.pipelines[1],
        }
    }

    /// Returns the error that the device has reported for the pipelines.
    pub(crate) fn check_pipelines(&mut self) -> Result<(), GpuError> {
        self.errors.check()
    }

    pub(super) fn xray_pipeline(&self) -> &wgpu::RenderPipeline {
        &self.xray
    }

    pub(super) fn meshes(&self) -> &PickMeshes {
        &self.meshes
    }

    /// Arranges all objects before a whole image is drawn.
    pub(super) fn arrange(&mut self) {
        if !self.is_arranged {
            self.drawn.clear();
            self.store.spheres.all(&mut self.drawn);
            self.everything.arrange(&self.store, self.meshes.len(), &self.drawn);
            self.indices.clear();
            self.indices.resize(self.store.instances.len(), None);
            for (index, slot) in (0..).zip(self.everything.slots()) {
                self.indices[*slot as usize] = Some(index);
            }
            self.is_arranged = true;
        }
    }

    /// Returns all objects, as arranged by [`PickScene::arrange`].
    pub(super) fn everything(&self) -> &DrawOrder {
        &self.everything
    }
}

const SHADER: &str = include_str!("../../../shaders/object.wgsl");

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
