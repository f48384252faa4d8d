use super::covered::Covered;
use super::drawing::Drawing;
use super::instance::two_floats;
use super::scene::PickScene;
use crate::gpu::error::{GpuError, check_alive};
use crate::math::{DepthDirection, Frustum, View};
use glam::{DMat4, DVec2, DVec3, Vec3};
use std::mem::size_of;
use std::num::NonZeroU32;

/// Draws objects of a [`PickScene`] into an ID image: first [`PickBatch::select`], then
/// [`PickBatch::draw`] where the image's or the pick's `draw_objects` is called.
///
/// ```no_run
/// # use wgpu_gizmo::{gpu::*, *};
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
/// It owns what the GPU reads: two questions that are encoded before one submit need two batches.
/// After a submit it can be used again at once. Once it has grown, it allocates nothing.
#[derive(Debug)]
pub struct PickBatch {
    camera: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    selected: Selected,
    /// What is selected, where that is not everything, in ascending order.
    slots: Vec<u32>,
    covered: Covered,
    drawing: Drawing,
    view: Option<Seen>,
    /// Where the slots were looked for.
    culled: Option<(View, Frustum)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selected {
    Everything,
    Slots,
}

/// More objects than lie under most cursors.
const UNDER_A_CURSOR: usize = 1024;

/// What of a view the shader needs.
#[derive(Debug, Clone, Copy)]
struct Seen {
    clip_from_world: DMat4,
    /// A point that what is seen most precisely is near to.
    anchor_world: DVec3,
    depth: DepthDirection,
}

/// `Camera` in shaders/object.wgsl.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Camera {
    pub(super) clip_from_anchor: [[f32; 4]; 4],
    pub(super) anchor_high: [f32; 4],
    pub(super) anchor_low: [f32; 4],
}

impl PickBatch {
    pub(super) fn new(device: &wgpu::Device, bindings: &wgpu::BindGroupLayout) -> Result<Self, GpuError> {
        check_alive(device)?;
        let camera = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("wgpu-gizmo object camera"),
            size: size_of::<Camera>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wgpu-gizmo object camera"),
            layout: bindings,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: camera.as_entire_binding() }],
        });
        Ok(Self {
            camera,
            bind_group,
            selected: Selected::Slots,
            slots: Vec::with_capacity(UNDER_A_CURSOR),
            covered: Covered::default(),
            drawing: Drawing::default(),
            view: None,
            culled: None,
        })
    }

    /// Takes the objects that may be seen in a frustum of the view, or all of them: a few for a
    /// pick ([`PickQuery::frustum`](crate::PickQuery::frustum)), all for a whole image. Those that
    /// are hidden are left out. On the CPU; the GPU hears of it in [`PickBatch::draw`].
    pub fn select(&mut self, scene: &PickScene, view: &View, frustum: Option<&Frustum>) {
        let v = view.viewport();
        let middle_px = DVec2::new(v.x + 0.5 * v.width, v.y + 0.5 * v.height);
        self.view = Some(Seen {
            clip_from_world: view.clip_from_world(),
            anchor_world: view.eye().unwrap_or_else(|| view.pointer_ray(middle_px).origin),
            depth: view.depth_direction(),
        });
        self.slots.clear();
        self.culled = frustum.map(|frustum| (*view, *frustum));
        self.selected = Selected::Everything;
        if let Some(frustum) = frustum {
            self.selected = Selected::Slots;
            scene.store.spheres.find(frustum, scene.store.origin_world, &mut self.slots);
        }
    }

    /// Leaves out objects of these ids, which are in ascending order: what a
    /// [`PickCycle`](crate::pick::PickCycle) has passed.
    pub fn leave_out(&mut self, scene: &PickScene, ids: &[NonZeroU32]) {
        if !ids.is_empty() {
            self.retain(scene, |id| ids.binary_search(&id).is_err());
        }
    }

    /// Leaves out all but objects of these ids, which are in ascending order: the outlined ones, for
    /// [`Outline::prepare_whole`](crate::gpu::scene::Outline::prepare_whole).
    pub fn keep(&mut self, scene: &PickScene, ids: &[NonZeroU32]) {
        self.retain(scene, |id| ids.binary_search(&id).is_ok());
    }

    fn retain(&mut self, scene: &PickScene, is_wanted: impl Fn(NonZeroU32) -> bool) {
        if self.selected == Selected::Everything {
            self.selected = Selected::Slots;
            scene.store.spheres.all(&mut self.slots);
        }
        let id_of = |slot: u32| scene.store.instances.get(slot as usize).and_then(|i| NonZeroU32::new(i.id));
        self.slots.retain(|slot| id_of(*slot).is_some_and(&is_wanted));
    }

    /// How many objects are selected; of a whole scene it is not counted.
    pub fn selected(&self) -> Option<usize> {
        (self.selected == Selected::Slots).then_some(self.slots.len())
    }

    /// How many objects the last draw of what a frustum has selected has drawn.
    pub fn drawn(&self) -> usize {
        self.drawing.slots().len()
    }

    /// Draws what is selected, as it is now, but for what many others lie before: where a small
    /// frustum was selected in, objects that are wholly hidden on all of its pixels are left out
    /// (behind closed meshes: see [`PickMesh`](super::PickMesh)). `clip_from_clip` is what `draw_objects` gets; the
    /// pass is that of a pick or of an ID image. On a lost device nothing is drawn.
    ///
    /// Of the pass' state it changes the pipeline, bind group 0, the index buffer and vertex
    /// buffers 0 and 1.
    pub fn draw(
        &mut self,
        scene: &mut PickScene,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pass: &mut wgpu::RenderPass<'_>,
        clip_from_clip: DMat4,
    ) {
        let Some(seen) = self.view else { return };
        let camera = seen.through(clip_from_clip, scene.store.origin_world);
        let uploaded = match self.selected {
            Selected::Everything => scene.prepare(device, queue),
            Selected::Slots => {
                let meshes = scene.meshes();
                let extent_of = |mesh| meshes.extent_of(mesh);
                let culled = self.culled.as_ref().map(|(view, frustum)| (view, frustum));
                let seen =
                    culled.and_then(|culled| self.covered.seen(&scene.store, extent_of, culled, &self.slots));
                self.drawing.arrange(&scene.store, meshes.len(), seen.unwrap_or(&self.slots));
                self.drawing.upload(device, queue, &scene.store)
            }
        };
        if uploaded.is_err() {
            return;
        }
        queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&camera));
        pass.set_pipeline(scene.pipeline(seen.depth));
        pass.set_bind_group(0, &self.bind_group, &[]);
        match self.selected {
            Selected::Everything => scene.everything().draw(pass, scene.meshes()),
            Selected::Slots => self.drawing.draw(pass, scene.meshes()),
        }
    }

    /// Makes what is selected ready to be drawn one by one, by [`PickBatch::draw_one`]; gives the
    /// ids in that order.
    pub(in crate::gpu) fn one_by_one(&mut self, scene: &PickScene) -> Vec<NonZeroU32> {
        self.drawing.arrange(&scene.store, scene.meshes().len(), &self.slots);
        let id = |slot: &u32| NonZeroU32::new(scene.store.instances.get(*slot as usize)?.id);
        self.drawing.slots().iter().filter_map(id).collect()
    }

    /// Uploads what [`PickBatch::one_by_one`] has arranged.
    pub(in crate::gpu) fn upload(
        &mut self,
        scene: &PickScene,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        clip_from_clip: DMat4,
    ) -> Result<(), GpuError> {
        let Some(seen) = self.view else { return Ok(()) };
        let camera = seen.through(clip_from_clip, scene.store.origin_world);
        queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&camera));
        self.drawing.upload(device, queue, &scene.store)
    }

    /// Draws one object for a [`RegionThrough`](crate::gpu::scene::RegionThrough).
    pub(in crate::gpu) fn draw_one(&self, scene: &PickScene, pass: &mut wgpu::RenderPass<'_>, place: u32) {
        pass.set_pipeline(scene.through());
        pass.set_bind_group(0, &self.bind_group, &[]);
        self.drawing.draw_one(pass, scene.meshes(), place);
    }
}

impl Seen {
    fn through(&self, clip_from_clip: DMat4, origin_world: DVec3) -> Camera {
        let clip_from_anchor =
            clip_from_clip * self.clip_from_world * DMat4::from_translation(self.anchor_world);
        let [high, low] =
            two_floats(self.anchor_world - origin_world).map(|v: Vec3| v.extend(0.0).to_array());
        Camera {
            clip_from_anchor: clip_from_anchor.as_mat4().to_cols_array_2d(),
            anchor_high: high,
            anchor_low: low,
        }
    }
}
