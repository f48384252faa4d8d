use super::drawing::{DrawOrder, InstanceBuffers};
use super::instance::two_floats;
use super::occlusion::Occlusion;
use super::scene::PickScene;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::create_buffer;
use crate::math::{DepthDirection, Frustum, View, Viewport};
use glam::{DMat4, DVec2, DVec3, Vec3};
use std::mem::size_of;
use std::num::NonZeroU32;

/// Draws selected objects of a [`PickScene`] into an ID image.
///
/// Call [`PickBatch::select`] first, then [`PickBatch::draw`] from the `draw_objects` callback of the image
/// or the pick.
///
/// ```no_run
/// # use wgpu_gizmo::{gpu::*, scene::*, *};
/// # fn frame(device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder,
/// #     picker: &mut Picker, scene: &mut PickScene, batch: &mut PickBatch,
/// #     query: &PickQuery, list: &DrawList) -> Result<(), GpuError> {
/// batch.select(scene, &query.view, Some(&query.frustum()));
/// picker.encode(device, queue, encoder, query, list, |pass, clip_from_clip| {
///     batch.draw(scene, device, queue, pass, clip_from_clip);
/// })
/// # }
/// ```
///
/// A batch owns the buffers that the GPU reads, so two queries or images that are encoded before one
/// submit need two batches. After the submit a batch can be used again at once. Once its buffers have
/// grown, it allocates nothing. A batch that draws the whole scene has 64 bytes per object on the GPU; keep
/// it, so that it uploads only what has changed.
#[derive(Debug)]
pub struct PickBatch {
    camera: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    selected: Selection,
    /// Selected slots in ascending order; unused while everything is selected.
    slots: Vec<u32>,
    occlusion: Occlusion,
    /// The selected objects; unused while everything is selected.
    order: DrawOrder,
    instances: InstanceBuffers,
    view: Option<ViewParams>,
    /// The view and frustum that the slots were selected with.
    culled: Option<(View, Frustum)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selection {
    All,
    Slots,
}

/// Initial capacity; few cursors have more objects under them.
const INITIAL_CAPACITY: usize = 1024;

/// The subpixels per pixel of GPUs.
const UNITS_PER_PX: f64 = 256.0;

/// The parameters of a view that the shader needs.
#[derive(Debug, Clone, Copy)]
struct ViewParams {
    clip_from_world: DMat4,
    /// The point where precision is highest: the eye, or the center of an orthographic view.
    anchor_world: DVec3,
    depth: DepthDirection,
    viewport: Viewport,
}

/// `Camera` in shaders/object.wgsl.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Camera {
    pub(super) clip_from_anchor: [[f32; 4]; 4],
    pub(super) anchor_high: [f32; 4],
    pub(super) anchor_low: [f32; 4],
    pub(super) half_size: [f32; 2],
    /// Uniforms end at multiples of 16 bytes.
    unused: [f32; 2],
}

/// Batches.
impl PickScene {
    /// Creates a batch that draws objects of this scene, or of another one on the same device. Each
    /// image or query that is encoded before a submit needs its own batch.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`].
    pub fn batch(&self, device: &wgpu::Device) -> Result<PickBatch, GpuError> {
        PickBatch::new(device, &self.bindings)
    }
}

impl PickBatch {
    fn new(device: &wgpu::Device, bindings: &wgpu::BindGroupLayout) -> Result<Self, GpuError> {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let camera = create_buffer(device, "wgpu-gizmo object camera", size_of::<Camera>() as u64, usage)?;
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wgpu-gizmo object camera"),
            layout: bindings,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: camera.as_entire_binding() }],
        });
        Ok(Self {
            camera,
            bind_group,
            selected: Selection::Slots,
            slots: Vec::with_capacity(INITIAL_CAPACITY),
            occlusion: Occlusion::default(),
            order: DrawOrder::default(),
            instances: InstanceBuffers::default(),
            view: None,
            culled: None,
        })
    }

    /// Selects the objects that may be visible in a frustum of the view, or all objects if there is
    /// no frustum. Use [`PickQuery::frustum`](crate::PickQuery::frustum) for a pick and `None` for
    /// a whole image. Hidden objects are not selected. This runs on the CPU; [`PickBatch::draw`]
    /// uploads the result.
    pub fn select(&mut self, scene: &PickScene, view: &View, frustum: Option<&Frustum>) {
        let v = view.viewport();
        let center_px = DVec2::new(v.x + 0.5 * v.width, v.y + 0.5 * v.height);
        self.view = Some(ViewParams {
            clip_from_world: view.clip_from_world(),
            anchor_world: view.eye().unwrap_or_else(|| view.pointer_ray(center_px).origin),
            depth: view.depth_direction(),
            viewport: v,
        });
        self.slots.clear();
        self.culled = frustum.map(|frustum| (*view, *frustum));
        self.selected = Selection::All;
        if let Some(frustum) = frustum {
            self.selected = Selection::Slots;
            scene.store.spheres.find(frustum, scene.store.origin_world, &mut self.slots);
        }
    }

    /// Removes objects with these ids from the selection, such as those that a
    /// [`ClickThrough`](crate::pick::ClickThrough) has passed. The ids must be in ascending order.
    pub fn exclude(&mut self, scene: &PickScene, ids: &[NonZeroU32]) {
        if !ids.is_empty() {
            self.retain(scene, |id| ids.binary_search(&id).is_err());
        }
    }

    /// Removes all objects except those with these ids, such as the outlined ones for
    /// [`Outline::prepare_with_occluded`](crate::scene::Outline::prepare_with_occluded). The ids must
    /// be in ascending order.
    pub fn keep(&mut self, scene: &PickScene, ids: &[NonZeroU32]) {
        self.retain(scene, |id| ids.binary_search(&id).is_ok());
    }

    fn retain(&mut self, scene: &PickScene, is_wanted: impl Fn(NonZeroU32) -> bool) {
        if self.selected == Selection::All {
            self.selected = Selection::Slots;
            scene.store.spheres.all(&mut self.slots);
        }
        let id_of = |slot: u32| scene.store.instances.get(slot as usize).and_then(|i| NonZeroU32::new(i.id));
        self.slots.retain(|slot| id_of(*slot).is_some_and(&is_wanted));
    }

    /// Returns the number of selected objects, or `None` if the whole scene is selected.
    pub fn selected(&self) -> Option<usize> {
        (self.selected == Selection::Slots).then_some(self.slots.len())
    }

    /// Returns the number of objects in the last draw that had a frustum.
    pub fn drawn(&self) -> usize {
        self.order.slots().len()
    }

    /// Draws the selected objects with their current transforms. With a small frustum, objects that
    /// closed meshes occlude on all of its pixels are skipped (see [`PickMesh`](super::PickMesh)).
    /// `clip_from_clip` is the matrix that `draw_objects` receives; the pass is that of a pick or
    /// of an ID image. If the device is lost or has rejected the pipelines of the scene, nothing is drawn.
    ///
    /// Changes the pipeline, bind group 0, the index buffer and vertex buffers 0 and 1 of the pass.
    pub fn draw(
        &mut self,
        scene: &mut PickScene,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pass: &mut wgpu::RenderPass<'_>,
        clip_from_clip: DMat4,
    ) {
        let Some(params) = self.view else { return };
        if scene.check_pipelines().is_err() {
            return;
        }
        if self.selected == Selection::All {
            scene.arrange();
        }
        let scene = &*scene;
        let camera = params.camera(clip_from_clip, scene.store.origin_world);
        let meshes = scene.meshes();
        let order = match self.selected {
            Selection::All => scene.everything(),
            Selection::Slots => {
                let extent_of = |mesh| meshes.extent_of(mesh);
                let culled = self.culled.as_ref().map(|(view, frustum)| (view, frustum));
                let visible = culled
                    .and_then(|culled| self.occlusion.visible(&scene.store, extent_of, culled, &self.slots));
                self.order.arrange(&scene.store, meshes.len(), visible.unwrap_or(&self.slots));
                &self.order
            }
        };
        if self.instances.upload(device, queue, &scene.store, order).is_err() {
            return;
        }
        queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&camera));
        pass.set_pipeline(scene.pipeline(params.depth));
        pass.set_bind_group(0, &self.bind_group, &[]);
        self.instances.draw(pass, order, meshes);
    }

    /// Prepares the selected objects for [`PickBatch::draw_one`] and returns their ids in drawing
    /// order.
    pub(crate) fn arrange_singly(&mut self, scene: &PickScene) -> Vec<NonZeroU32> {
        self.order.arrange(&scene.store, scene.meshes().len(), &self.slots);
        let id = |slot: &u32| NonZeroU32::new(scene.store.instances.get(*slot as usize)?.id);
        self.order.slots().iter().filter_map(id).collect()
    }

    /// Uploads the objects arranged by [`PickBatch::arrange_singly`].
    pub(crate) fn upload(
        &mut self,
        scene: &PickScene,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        clip_from_clip: DMat4,
    ) -> Result<(), GpuError> {
        let Some(params) = self.view else { return Ok(()) };
        let camera = params.camera(clip_from_clip, scene.store.origin_world);
        queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&camera));
        self.instances.upload(device, queue, &scene.store, &self.order)
    }

    /// Draws one object for a [`XrayRegion`](crate::scene::XrayRegion).
    pub(crate) fn draw_one(&self, scene: &PickScene, pass: &mut wgpu::RenderPass<'_>, index: u32) {
        pass.set_pipeline(scene.xray_pipeline());
        pass.set_bind_group(0, &self.bind_group, &[]);
        self.instances.draw_one(pass, &self.order, scene.meshes(), index);
    }
}

impl ViewParams {
    fn camera(&self, clip_from_clip: DMat4, origin_world: DVec3) -> Camera {
        let clip_from_anchor =
            clip_from_clip * self.clip_from_world * DMat4::from_translation(self.anchor_world);
        let [high, low] =
            two_floats(self.anchor_world - origin_world).map(|v: Vec3| v.extend(0.0).to_array());
        let v = &self.viewport;
        let stretch = DVec2::new(clip_from_clip.x_axis.x, clip_from_clip.y_axis.y);
        let half_size = DVec2::new(v.width, v.height) / stretch * (0.5 * UNITS_PER_PX);
        Camera {
            clip_from_anchor: clip_from_anchor.as_mat4().to_cols_array_2d(),
            anchor_high: high,
            anchor_low: low,
            half_size: half_size.as_vec2().to_array(),
            unused: [0.0; 2],
        }
    }
}
