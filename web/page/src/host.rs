//! A host of the gizmo: its view, its objects and its frames.

use crate::cubes::{Cube, CubeRenderer};
use std::num::NonZeroU32;
use wgpu_gizmo::facade::Frame;
use wgpu_gizmo::glam::dcamera::rh::{proj::directx::perspective, view::look_at_mat4};
use wgpu_gizmo::glam::{DAffine3, DVec2, DVec3, Vec3};
use wgpu_gizmo::gpu::{IdImage, Picker};
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::scene::{PickBatch, PickMesh, PickObject, PickScene, RegionPicker, RegionQuery};
use wgpu_gizmo::{
    DrawList, Event, HandleId, IdSpace, Mode, PickOutcome, PickQuery, Solver, Target, Transform, View,
    Viewport, WgpuGizmo,
};

/// An error of the host.
pub type HostError = Box<dyn std::error::Error>;

/// The positions of the cubes that the gizmo does not move.
const OTHERS: [DVec3; 3] =
    [DVec3::new(-1.6, 0.2, 0.3), DVec3::new(0.4, -0.9, -1.4), DVec3::new(1.7, 0.9, -2.5)];

/// What is at a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The column of the pixel.
    pub x: u32,
    /// The row of the pixel.
    pub y: u32,
    /// The id, or 0 for nothing.
    pub id: u32,
}

/// A scene with a gizmo.
#[derive(Debug)]
pub struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    tools: WgpuGizmo,
    renderer: CubeRenderer,
    scene: PickScene,
    batch: PickBatch,
    /// Answers [`Host::ask`]. The picker of `tools` answers the gizmo.
    probe: Picker,
    image: Option<IdImage>,
    regions: RegionPicker,
    targets: [Target; 1],
    object_ids: [NonZeroU32; 4],
    size: [u32; 2],
    scale_factor: f64,
    /// The events since the last [`Host::take_events`].
    events: Vec<&'static str>,
}

impl Host {
    /// Creates a host for a render target of this format.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn new(
        device: wgpu::Device,
        queue: wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self, HostError> {
        let mut ids = IdSpace::new();
        let range = ids.allocate(4)?;
        let mut object_ids = [range.first(); 4];
        for (offset, id) in (0..).zip(&mut object_ids) {
            *id = range.id(offset).unwrap_or(*id);
        }
        let tools = WgpuGizmo::with_ids(&device, format, ids)?;
        let targets = [Target::from_world(Transform::IDENTITY)];
        Self::with(device, queue, format, tools, targets, object_ids)
    }

    fn with(
        device: wgpu::Device,
        queue: wgpu::Queue,
        format: wgpu::TextureFormat,
        mut tools: WgpuGizmo,
        targets: [Target; 1],
        object_ids: [NonZeroU32; 4],
    ) -> Result<Self, HostError> {
        let mut scene = PickScene::new(&device)?;
        let (corners, indices) = cube_mesh();
        let mesh = scene.add_mesh(&device, &PickMesh::new(&corners, &indices)?)?;
        for (center, id) in OTHERS.into_iter().zip(&object_ids[1..]) {
            let world_from_local = DAffine3::from_translation(center);
            scene.insert(&PickObject::new(mesh, world_from_local, *id)).ok_or("the mesh is there")?;
        }
        tools.gizmo.settings.mode = Mode::Universal;
        // The tests know its closed form.
        tools.gizmo.settings.motion.solver = Solver::ClosestPoint;
        Ok(Self {
            renderer: CubeRenderer::new(&device, format, 4),
            batch: scene.batch(&device)?,
            scene,
            probe: Picker::new(&device)?,
            image: None,
            regions: RegionPicker::new(&device)?,
            tools,
            targets,
            object_ids,
            size: [800, 600],
            scale_factor: 1.0,
            events: Vec::new(),
            device,
            queue,
        })
    }

    /// Continues on a new device after the old one was lost. The gizmo keeps its state.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn rebuild(
        self,
        device: wgpu::Device,
        queue: wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self, HostError> {
        let Self { mut tools, targets, object_ids, size, scale_factor, .. } = self;
        tools.rebuild(&device)?;
        tools.gpu.set_target(0, format)?;
        let built = Self::with(device, queue, format, tools, targets, object_ids)?;
        Ok(Self { size, scale_factor, ..built })
    }

    /// Returns the gizmo.
    pub fn tools(&mut self) -> &mut WgpuGizmo {
        &mut self.tools
    }

    /// Returns the device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Returns the transform of the cube with the gizmo.
    pub fn target(&self) -> Transform {
        self.targets[0].local
    }

    /// Returns the ids of the cubes. The gizmo moves the first.
    pub fn object_ids(&self) -> [NonZeroU32; 4] {
        self.object_ids
    }

    /// Sets the size of the render target in pixels, and the pixels per logical pixel.
    pub fn resize(&mut self, size: [u32; 2], scale_factor: f64) {
        (self.size, self.scale_factor) = (size, scale_factor);
        self.tools.gizmo.scene_changed();
    }

    /// Returns the view.
    ///
    /// # Errors
    /// An error if the size is 0.
    pub fn view(&self) -> Result<View, HostError> {
        let [width, height] = self.size;
        let eye = look_at_mat4(DVec3::new(2.5, 2.0, 4.0), DVec3::ZERO, DVec3::Y);
        let lens = perspective(0.8, f64::from(width) / f64::from(height), 0.1, 100.0);
        Ok(View::new(eye, lens, Viewport::from_size(width, height), self.scale_factor)?)
    }

    /// Returns the names of the events since the last call.
    pub fn take_events(&mut self) -> Vec<&'static str> {
        std::mem::take(&mut self.events)
    }

    fn cubes(&self) -> [Cube; 4] {
        let Transform { translation, rotation, scale } = self.targets[0].local;
        let moved = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        let [first, others @ ..] = self.object_ids;
        let colors = [[0.8, 0.8, 0.82], [0.75, 0.5, 0.3], [0.35, 0.6, 0.5], [0.5, 0.45, 0.75]];
        let places = [moved, at(OTHERS[0]), at(OTHERS[1]), at(OTHERS[2])];
        let ids = [first, others[0], others[1], others[2]];
        std::array::from_fn(|i| Cube {
            world_from_cube: places[i],
            color: Vec3::from_array(colors[i]),
            id: ids[i],
        })
    }

    /// Polls picks and handles input. Returns true if a frame must be drawn then; while a pick is in flight, none
    /// must.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn update(&mut self) -> Result<bool, HostError> {
        let view = self.view()?;
        for event in self.tools.update(&view, &mut self.targets)? {
            self.events.push(match event {
                Event::Started(_) => "started",
                Event::Changed(_) => "changed",
                Event::Ended { .. } => "ended",
                Event::Canceled => "canceled",
                _ => "other",
            });
        }
        let is_asking = self.tools.gpu.picker().is_pending();
        Ok(self.tools.gizmo.needs_redraw(0) || self.tools.gizmo.is_hover_pending() && !is_asking)
    }

    /// Updates the gizmo and draws a frame.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn frame(&mut self, target: &wgpu::TextureView) -> Result<(), HostError> {
        self.update()?;
        let view = self.view()?;
        let cubes = self.cubes();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let Self { device, queue, tools, renderer, scene, batch, .. } = self;
        tools.prepare(Frame::new(device, queue, &mut encoder), &view, |pass, query, clip_from_clip| {
            renderer.draw_id(queue, pass, clip_from_clip * query.view.clip_from_world(), &cubes[0]);
            batch.select(scene, &query.view, Some(&query.frustum()));
            batch.draw(scene, device, queue, pass, clip_from_clip);
        })?;
        renderer.draw((device, queue), &mut encoder, target, view.clip_from_world(), &cubes);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("gizmo"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        tools.render(&mut pass, &view);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Shows a frame.
    pub fn present(&self, texture: wgpu::SurfaceTexture) {
        self.queue.present(texture);
    }

    /// Draws the gizmo into a list.
    fn list(&mut self, view: &View) -> DrawList {
        let mut list = DrawList::new();
        self.tools.gizmo.draw(list.begin(view));
        list
    }

    /// Asks what is at a pixel. Returns false if the picker has no capacity; then call [`Host::answer`] first.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn ask(&mut self, x: u32, y: u32) -> Result<bool, HostError> {
        if !self.probe.has_capacity() {
            return Ok(false);
        }
        let view = self.view()?;
        let list = self.list(&view);
        let cubes = self.cubes();
        let query = PickQuery::new(&view, DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5), 0.0);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let Self { device, queue, renderer, scene, batch, probe, .. } = self;
        probe.encode(device, queue, &mut encoder, &query, &list, |pass, clip_from_clip| {
            renderer.draw_id(queue, pass, clip_from_clip * view.clip_from_world(), &cubes[0]);
            batch.select(scene, &view, Some(&query.frustum()));
            batch.draw(scene, device, queue, pass, clip_from_clip);
        })?;
        self.queue.submit([encoder.finish()]);
        Ok(true)
    }

    /// Returns the next answer to [`Host::ask`], if it is there.
    ///
    /// # Errors
    /// The errors of the library, or an error if the query was lost.
    pub fn answer(&mut self) -> Result<Option<Found>, HostError> {
        let Some(answer) = self.probe.poll(&self.device)? else { return Ok(None) };
        let [x, y] = answer.query.cursor_px.to_array().map(|n| n as u32);
        match answer.outcome {
            PickOutcome::Hit(hit) => Ok(Some(Found { x, y, id: hit.id.get() })),
            PickOutcome::Nothing => Ok(Some(Found { x, y, id: 0 })),
            _ => Err("a query was lost".into()),
        }
    }

    /// Returns what is at a pixel, without the GPU: the handle, or the nearest cube on the ray.
    ///
    /// # Errors
    /// An error if the size is 0.
    pub fn found_on_cpu(&mut self, x: u32, y: u32) -> Result<Found, HostError> {
        let view = self.view()?;
        let cursor_px = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        if let Some(id) = self.list(&view).pick(cursor_px, 0.0) {
            return Ok(Found { x, y, id: id.get() });
        }
        let ray = view.pointer_ray(cursor_px);
        let hits = self.cubes().into_iter().filter_map(|cube| {
            let cube_from_world = cube.world_from_cube.inverse();
            let origin = cube_from_world.transform_point3(ray.origin);
            let way = cube_from_world.transform_vector3(ray.direction);
            let (a, b) = ((-0.5 - origin) / way, (0.5 - origin) / way);
            let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
            (enter <= leave && leave > 0.0).then_some((enter, cube.id.get()))
        });
        let id = hits.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, id)| id);
        Ok(Found { x, y, id })
    }

    /// Returns a pixel near the pivot at which a handle is, found without the GPU.
    ///
    /// # Errors
    /// An error if the size is 0.
    pub fn spot_of(&mut self, name: &str) -> Result<Option<[u32; 2]>, HostError> {
        let view = self.view()?;
        let list = self.list(&view);
        let wanted = HandleId::from_name(name).map(|handle| self.tools.gizmo.id_of(handle));
        let [left, top] = self.size.map(|side| (side / 2).saturating_sub(300));
        let rows = (0..600u32).step_by(2);
        let pixels = rows.flat_map(|y| (0..600u32).step_by(2).map(move |x| [left + x, top + y]));
        let is_wanted = |[x, y]: &[u32; 2]| {
            let cursor_px = DVec2::new(f64::from(*x) + 0.5, f64::from(*y) + 0.5);
            wanted.is_some() && list.pick(cursor_px, 0.0) == wanted
        };
        let spots: Vec<_> = pixels.filter(is_wanted).collect();
        Ok(spots.get(spots.len() / 2).copied())
    }

    /// Asks for the ids that are visible in a rectangle of pixels, without handles.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn ask_visible(&mut self) -> Result<(), HostError> {
        let view = self.view()?;
        let cubes = self.cubes();
        let [width, height] = self.size;
        let mut image = IdImage::new(&self.device, width, height)?;
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let Self { device, queue, renderer, scene, batch, .. } = self;
        image.encode(device, queue, &mut encoder, &view, &DrawList::new(), |pass, clip_from_clip| {
            renderer.draw_id(queue, pass, clip_from_clip * view.clip_from_world(), &cubes[0]);
            batch.select(scene, &view, None);
            batch.draw(scene, device, queue, pass, clip_from_clip);
        })?;
        self.queue.submit([encoder.finish()]);
        self.image = Some(image);
        Ok(())
    }

    /// Returns the answer to [`Host::ask_visible`], if it is there.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn visible(&mut self, region: &Region) -> Result<Option<Vec<u32>>, HostError> {
        let Some(image) = &mut self.image else { return Ok(None) };
        let Some(texels) = image.poll(&self.device)? else { return Ok(None) };
        self.image = None;
        Ok(Some(texels.ids_in(region).into_iter().map(NonZeroU32::get).collect()))
    }

    /// Asks for the ids in a region, occluded or not, of the cubes that the gizmo does not move.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn ask_all(&mut self, region: &Region) -> Result<(), HostError> {
        let view = self.view()?;
        let query = RegionQuery { view: &view, target_px: self.size, region, with_occluded: true };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let Self { device, queue, scene, batch, regions, .. } = self;
        regions.encode(device, queue, &mut encoder, query, &mut (scene, batch))?;
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Returns the answer to [`Host::ask_all`], if it is there.
    ///
    /// # Errors
    /// The errors of the library.
    pub fn all(&mut self) -> Result<Option<Vec<u32>>, HostError> {
        let found = self.regions.poll(&self.device)?;
        Ok(found.map(|found| found.into_iter().map(NonZeroU32::get).collect()))
    }

    /// Returns true if a frame must be drawn.
    pub fn needs_frame(&self) -> bool {
        self.tools.needs_redraw(0)
    }
}

fn at(center: DVec3) -> DAffine3 {
    DAffine3::from_translation(center)
}

/// Returns the corners and triangles of a cube of side 1.
fn cube_mesh() -> (Vec<[f32; 3]>, Vec<u32>) {
    let side = |bit: u32| if bit == 0 { -0.5 } else { 0.5 };
    let corners = (0..8u32).map(|i| [side(i & 1), side(i & 2), side(i & 4)]).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]).collect();
    (corners, triangles)
}
