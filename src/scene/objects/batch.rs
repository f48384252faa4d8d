use super::instance::{ObjectInstance, two_floats};
use super::occlusion::{Occlusion, Solid};
use super::scene::PickScene;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::resources::{check_device, create_buffer};
use crate::math::{Frustum, View};
use crate::scene::ViewPart;
use glam::{DMat4, DVec2};
use std::mem::size_of;
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

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
/// it, so that it uploads only what has changed. One image draws as many objects as a buffer has room for: four million
/// on every device.
#[derive(Debug)]
pub struct PickBatch {
    device: wgpu::Device,
    camera: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    /// The view of the selection, and its frustum if it has one.
    view: Option<View>,
    frustum: Option<Frustum>,
    is_everything: bool,
    /// Selected slots in ascending order; unused while everything is selected.
    selected: Vec<u32>,
    occlusion: Occlusion,
    /// The slots that are drawn, sorted by mesh.
    order: Vec<u32>,
    /// The ranges of the order that have the same mesh.
    runs: Vec<Range<usize>>,
    /// The arrangement of the scene, if the order has everything in it.
    arranged: Option<Arc<()>>,
    /// The instances in this order.
    instances: Option<wgpu::Buffer>,
    /// The revision of the scene that was uploaded in this order; 0 if none was.
    uploaded: u64,
    /// Kept between calls, so that nothing is allocated once it has grown.
    staged: Vec<ObjectInstance>,
}

/// Instances whose changes are uploaded together: 64 KiB.
const BLOCK: usize = 1 << 10;
/// The size of the smallest buffer, enough for the objects under a cursor.
const MIN_BYTES: u64 = 32 * size_of::<ObjectInstance>() as u64;
/// Initial capacity of a selection; few cursors have more objects under them.
const INITIAL_CAPACITY: usize = 1024;
/// The subpixels per pixel of GPUs.
const UNITS_PER_PX: f64 = 256.0;

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
    /// [`GpuError::OtherDevice`]; [`GpuError::DeviceLost`].
    pub fn batch(&self, device: &wgpu::Device) -> Result<PickBatch, GpuError> {
        check_device(&self.device, device)?;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let camera = create_buffer(device, "wgpu-gizmo object camera", size_of::<Camera>() as u64, usage)?;
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("wgpu-gizmo object camera"),
            layout: &self.bindings,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: camera.as_entire_binding() }],
        });
        Ok(PickBatch {
            device: device.clone(),
            camera,
            bind_group,
            view: None,
            frustum: None,
            is_everything: false,
            selected: Vec::with_capacity(INITIAL_CAPACITY),
            occlusion: Occlusion::default(),
            order: Vec::new(),
            runs: Vec::new(),
            arranged: None,
            instances: None,
            uploaded: 0,
            staged: Vec::new(),
        })
    }
}

impl PickBatch {
    /// Selects the objects that may be visible in a frustum of the view, or all objects if there is
    /// no frustum. Use [`PickQuery::frustum`](crate::PickQuery::frustum) for a pick and `None` for
    /// a whole image. Hidden objects are not selected. This runs on the CPU; [`PickBatch::draw`]
    /// uploads the result.
    pub fn select(&mut self, scene: &PickScene, view: &View, frustum: Option<&Frustum>) {
        (self.view, self.frustum) = (Some(*view), frustum.copied());
        self.is_everything = frustum.is_none();
        self.selected.clear();
        if let Some(frustum) = frustum {
            scene.balls.find(frustum, scene.origin_world, &mut self.selected);
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
        if std::mem::take(&mut self.is_everything) {
            self.selected.extend(scene.balls.all());
        }
        self.selected.retain(|slot| id_of(scene, *slot).is_some_and(&is_wanted));
    }

    /// Returns the number of selected objects, or `None` if the whole scene is selected.
    pub fn selected(&self) -> Option<usize> {
        (!self.is_everything).then_some(self.selected.len())
    }

    /// Returns the number of objects in the last draw.
    pub fn drawn(&self) -> usize {
        self.order.len()
    }

    /// Draws the selected objects with their current transforms. With a small frustum, objects that
    /// closed meshes occlude on all of its pixels are skipped (see [`PickMesh`](super::PickMesh)).
    /// `clip_from_clip` is the matrix that `draw_objects` receives; the pass is that of a pick or
    /// of an ID image. If the device is lost, has rejected the pipelines of the scene, or is not that of the scene
    /// and the batch, nothing is drawn.
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
        let Some(view) = self.view.filter(|_| scene.errors.check().is_ok()) else { return };
        if !self.is_everything {
            let culled = self.frustum.as_ref().and_then(|frustum| {
                let solid = |slot: u32| solid(scene, slot);
                let (balls, origin_world) = (&scene.balls, scene.origin_world);
                self.occlusion.visible((&view, frustum), origin_world, balls, solid, &self.selected)
            });
            self.order.clear();
            self.order.extend_from_slice(culled.unwrap_or(&self.selected));
            self.arrange(scene);
        } else if self.arranged.as_ref().is_none_or(|arranged| !Arc::ptr_eq(arranged, &scene.arrangement)) {
            self.order.clear();
            self.order.extend(scene.balls.all());
            self.arrange(scene);
            self.arranged = Some(scene.arrangement.clone());
        }
        if self.upload(scene, device, queue, clip_from_clip).is_err() {
            return;
        }
        pass.set_pipeline(&scene.pipelines[view.depth_direction() as usize]);
        pass.set_bind_group(0, &self.bind_group, &[]);
        self.runs.iter().for_each(|run| self.draw_run(scene, pass, run.clone()));
    }

    /// Sorts the objects of the order by mesh, and finds the runs of equal meshes.
    fn arrange(&mut self, scene: &PickScene) {
        let Self { order, runs, .. } = self;
        order.retain(|slot| scene.is_drawn(*slot));
        let mesh_of = |slot: &u32| scene.slots[*slot as usize].mesh.as_ref().map(|mesh| mesh.key);
        // Then by slot, so that of objects with equal depths the same one is visible in every image.
        order.sort_unstable_by_key(|slot| (mesh_of(slot), *slot));
        runs.clear();
        for run in order.chunk_by(|a, b| mesh_of(a) == mesh_of(b)) {
            let start = runs.last().map_or(0, |run| run.end);
            runs.push(start..start + run.len());
        }
        (self.arranged, self.uploaded) = (None, 0);
    }

    /// Prepares the objects in a part of a view for [`PickBatch::draw_one`] and returns their ids in drawing
    /// order.
    pub(crate) fn prepare_singly(&mut self, scene: &PickScene, part: &ViewPart<'_>) -> Vec<NonZeroU32> {
        self.select(scene, part.view, Some(&part.frustum));
        self.order.clone_from(&self.selected);
        self.arrange(scene);
        let uploaded = self.upload(scene, part.device, part.queue, part.clip_from_clip);
        let order = self.order.iter().filter(|_| uploaded.is_ok());
        order.filter_map(|slot| id_of(scene, *slot)).collect()
    }

    /// Uploads the camera, and the instances that have changed since the last upload.
    fn upload(
        &mut self,
        scene: &PickScene,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        clip_from_clip: DMat4,
    ) -> Result<(), GpuError> {
        let Some(view) = &self.view else { return Ok(()) };
        check_device(&scene.device, device).and(check_device(&self.device, device))?;
        queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&camera(view, clip_from_clip, scene)));
        let bytes = (self.order.len() * size_of::<ObjectInstance>()) as u64;
        let instances = match &self.instances {
            Some(instances) if instances.size() >= bytes => instances,
            _ => {
                let limit = device.limits().max_buffer_size.max(bytes);
                let bytes = bytes.next_power_of_two().max(MIN_BYTES).min(limit);
                let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
                self.uploaded = 0;
                self.instances.insert(create_buffer(device, "wgpu-gizmo objects", bytes, usage)?)
            }
        };
        if self.uploaded == scene.revision {
            return Ok(());
        }
        for (block, slots) in (0..).zip(self.order.chunks(BLOCK)) {
            if slots.iter().any(|slot| scene.changed[*slot as usize] > self.uploaded) {
                let instance = |slot: &u32| match scene.is_drawn(*slot) {
                    true => scene.slots[*slot as usize].instance,
                    false => ObjectInstance::COLLAPSED,
                };
                self.staged.clear();
                self.staged.extend(slots.iter().map(instance));
                let offset = block * (BLOCK * size_of::<ObjectInstance>()) as u64;
                queue.write_buffer(instances, offset, bytemuck::cast_slice(&self.staged));
            }
        }
        self.uploaded = scene.revision;
        Ok(())
    }

    /// Draws one of the objects that [`PickBatch::prepare_singly`] has prepared.
    pub(crate) fn draw_one(&self, scene: &PickScene, pass: &mut wgpu::RenderPass<'_>, index: u32) {
        pass.set_pipeline(&scene.pipelines[2]);
        pass.set_bind_group(0, &self.bind_group, &[]);
        self.draw_run(scene, pass, index as usize..index as usize + 1);
    }

    fn draw_run(&self, scene: &PickScene, pass: &mut wgpu::RenderPass<'_>, run: Range<usize>) {
        // The mesh of an object that was not removed since then.
        let mesh = self.order[run.clone()].iter().find_map(|slot| scene.slots[*slot as usize].mesh.as_ref());
        if let (Some(mesh), Some(instances)) = (mesh, &self.instances) {
            let bytes = |index: usize| (index * size_of::<ObjectInstance>()) as u64;
            mesh.draw(pass, instances.slice(bytes(run.start)..bytes(run.end)), run.len() as u32);
        }
    }
}

fn id_of(scene: &PickScene, slot: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(scene.slots.get(slot as usize)?.instance.id)
}

fn solid(scene: &PickScene, slot: u32) -> Option<Solid> {
    let slot = scene.slots.get(slot as usize)?;
    let inner = slot.mesh.as_ref()?.inner?;
    Some(Solid { inner, linear: slot.instance.linear(), translation: slot.instance.translation() })
}

fn camera(view: &View, clip_from_clip: DMat4, scene: &PickScene) -> Camera {
    let v = view.viewport();
    let size = DVec2::new(v.width, v.height);
    let center_px = DVec2::new(v.x, v.y) + 0.5 * size;
    let anchor_world = view.eye().unwrap_or_else(|| view.pointer_ray(center_px).origin);
    let clip_from_anchor = clip_from_clip * view.clip_from_world() * DMat4::from_translation(anchor_world);
    let [high, low] = two_floats(anchor_world - scene.origin_world).map(|v| v.extend(0.0).to_array());
    let stretch = DVec2::new(clip_from_clip.x_axis.x, clip_from_clip.y_axis.y);
    Camera {
        clip_from_anchor: clip_from_anchor.as_mat4().to_cols_array_2d(),
        anchor_high: high,
        anchor_low: low,
        half_size: (size / stretch * (0.5 * UNITS_PER_PX)).as_vec2().to_array(),
        unused: [0.0; 2],
    }
}
