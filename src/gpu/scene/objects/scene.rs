use super::batch::PickBatch;
use super::drawing::Drawing;
use super::instance::{Ball, INSTANCE_LAYOUT};
use super::mesh::{CORNER_LAYOUT, Meshes, PickMesh};
use super::store::{PickMeshKey, PickObject, PickObjectKey, Store};
use crate::gpu::error::{GpuError, check_alive};
use crate::gpu::id_pass;
use crate::gpu::scene::xray::RegionThrough;
use crate::math::DepthDirection;
use glam::DAffine3;

/// Objects of the host's that the crate draws into the ID image: for hosts that want to write no
/// pipeline for that, and for scenes of a million objects.
///
/// Meshes are uploaded once; an object is a mesh, a matrix and an id, and costs 100 bytes here.
/// For a pick, a [`PickBatch`] takes the few objects that lie under the cursor by balls round
/// them, and looks at boxes round groups of balls first. For a million that takes a millisecond at
/// most, and a tenth of that where they were inserted in some order of place. No structure has to
/// be rebuilt when they move. So in every frame all of them may move: one after the other, by
/// [`PickScene::move_to`].
///
/// What is seen through (cut out by a texture, say) the host draws itself, into the same pass:
/// [`Picker`](crate::gpu::Picker) says how.
#[derive(Debug)]
pub struct PickScene {
    /// For views whose depth is standard and reversed.
    pipelines: [wgpu::RenderPipeline; 2],
    /// For regions, hidden objects and all.
    through: wgpu::RenderPipeline,
    bindings: wgpu::BindGroupLayout,
    meshes: Meshes,
    pub(super) store: Store,
    /// All of them, for whole images.
    everything: Drawing,
    /// The place of every slot in `everything`, if it has one.
    places: Vec<Option<u32>>,
    /// Whether `everything` has all that it should have.
    is_arranged: bool,
    /// Kept, so that nothing is allocated once it has grown.
    shown: Vec<u32>,
}

impl PickScene {
    /// A scene without objects.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`].
    pub fn new(device: &wgpu::Device) -> Result<Self, GpuError> {
        check_alive(device)?;
        let bindings = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
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
        });
        let module = device.create_shader_module(wgpu::include_wgsl!("../../../../shaders/object.wgsl"));
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("wgpu-gizmo objects"),
            bind_group_layouts: &[Some(&bindings)],
            ..Default::default()
        });
        let pipelines = [DepthDirection::Standard, DepthDirection::Reversed]
            .map(|depth| pipeline(device, &layout, &module, id_pass::depth_stencil(depth)));
        Ok(Self {
            pipelines,
            through: pipeline(device, &layout, &module, RegionThrough::depth_stencil()),
            bindings,
            meshes: Meshes::default(),
            store: Store::default(),
            everything: Drawing::default(),
            places: Vec::new(),
            is_arranged: true,
            shown: Vec::new(),
        })
    }

    /// What draws objects of this scene, or of another on the same device: one for each image or
    /// question that is encoded before a submit.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`].
    pub fn batch(&self, device: &wgpu::Device) -> Result<PickBatch, GpuError> {
        PickBatch::new(device, &self.bindings)
    }

    /// Uploads a mesh.
    ///
    /// # Errors
    /// [`GpuError::BufferSize`] where it is larger than the device's buffers can be;
    /// [`GpuError::DeviceLost`].
    pub fn add_mesh(&mut self, device: &wgpu::Device, mesh: &PickMesh<'_>) -> Result<PickMeshKey, GpuError> {
        self.meshes.add(device, mesh)
    }

    /// No new object gets this mesh; it goes with the last one that has it. `false` where it was
    /// removed before.
    pub fn remove_mesh(&mut self, mesh: PickMeshKey) -> bool {
        self.meshes.remove(mesh)
    }

    /// Adds an object. `None` where its mesh was removed.
    pub fn insert(&mut self, object: &PickObject) -> Option<PickObjectKey> {
        let bounds = self.meshes.bounds_of(object.mesh)?;
        let key = self.store.insert(object, bounds)?;
        self.meshes.take(object.mesh.0.slot);
        self.is_arranged = false;
        Some(key)
    }

    /// Puts another object in the place of one; it is hidden if that was. `false` where that was
    /// removed, or the mesh was.
    pub fn replace(&mut self, key: PickObjectKey, object: &PickObject) -> bool {
        let (slot, bounds) = (self.store.slot_of(key), self.meshes.bounds_of(object.mesh));
        let (Some(slot), Some(bounds)) = (slot, bounds) else { return false };
        let mesh = self.store.meshes[slot as usize];
        self.store.put(slot, object, bounds);
        if mesh != object.mesh.0.slot {
            self.meshes.take(object.mesh.0.slot);
            self.meshes.leave(mesh);
            self.is_arranged = false;
        }
        self.touch(slot);
        true
    }

    /// Moves an object: world space from its mesh's own. `false` where it was removed.
    pub fn move_to(&mut self, key: PickObjectKey, world_from_local: DAffine3) -> bool {
        self.change(key, |store, slot, bounds| store.move_to(slot, world_from_local, bounds))
    }

    /// From now on the object is neither drawn nor picked. `false` where it was removed.
    pub fn hide(&mut self, key: PickObjectKey) -> bool {
        self.change(key, |store, slot, bounds| store.set_hidden(slot, true, bounds))
    }

    /// The end of [`PickScene::hide`]. `false` where it was removed.
    pub fn show(&mut self, key: PickObjectKey) -> bool {
        self.change(key, |store, slot, bounds| store.set_hidden(slot, false, bounds))
    }

    /// Takes an object away. `false` where it was removed before.
    pub fn remove(&mut self, key: PickObjectKey) -> bool {
        let Some(slot) = self.store.slot_of(key) else { return false };
        self.store.remove(slot);
        self.meshes.leave(self.store.meshes[slot as usize]);
        self.touch(slot);
        true
    }

    /// How many objects there are, hidden ones among them.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there are none.
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

    /// What a slot has is to be uploaded before the next whole image.
    fn touch(&mut self, slot: u32) {
        match self.places.get(slot as usize) {
            Some(Some(place)) => self.everything.touch(*place as usize),
            // Not drawn so far: it needs a place.
            _ => self.is_arranged &= !self.store.is_drawn(slot),
        }
    }

    pub(super) fn pipeline(&self, depth: DepthDirection) -> &wgpu::RenderPipeline {
        match depth {
            DepthDirection::Standard => &self.pipelines[0],
            DepthDirection::Reversed => &self.pipelines[1],
        }
    }

    pub(super) fn through(&self) -> &wgpu::RenderPipeline {
        &self.through
    }

    pub(super) fn meshes(&self) -> &Meshes {
        &self.meshes
    }

    /// Makes everything there is ready to be drawn.
    pub(super) fn prepare(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), GpuError> {
        if !self.is_arranged {
            self.shown.clear();
            self.store.spheres.all(&mut self.shown);
            self.everything.arrange(&self.store, self.meshes.len(), &self.shown);
            self.places.clear();
            self.places.resize(self.store.instances.len(), None);
            for (place, slot) in (0..).zip(self.everything.slots()) {
                self.places[*slot as usize] = Some(place);
            }
            self.is_arranged = true;
        }
        self.everything.upload(device, queue, &self.store)
    }

    /// Everything there is, after [`PickScene::prepare`].
    pub(super) fn everything(&self) -> &Drawing {
        &self.everything
    }
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    depth_stencil: wgpu::DepthStencilState,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("wgpu-gizmo objects"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs_object"),
            compilation_options: Default::default(),
            buffers: &[Some(CORNER_LAYOUT), Some(INSTANCE_LAYOUT)],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(depth_stencil),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some("fs_object"),
            compilation_options: Default::default(),
            targets: &id_pass::color_targets(),
        }),
        multiview_mask: None,
        cache: None,
    })
}
