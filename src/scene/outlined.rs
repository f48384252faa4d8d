use super::{Outline, OutlineStyle, PickBatch, PickMesh, PickMeshKey, PickObject, PickObjectKey, PickScene};
use crate::gpu::{GpuError, TargetState};
use crate::interaction::Views;
use crate::math::View;
use crate::pick::{IdRange, IdSpace, PickQuery};
use glam::{DAffine3, DMat4};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// The host's objects by id: they can be picked and outlined.
///
/// It holds a [`PickScene`], the batches that draw it, and an [`Outline`] per view. An object is inserted once and placed
/// whenever it moves. Without [`OutlinedScene::prepare`] it has no outlines, and picks all the same:
///
/// ```no_run
/// use wgpu_gizmo::facade::Frame;
/// use wgpu_gizmo::glam::{DAffine3, DVec3};
/// use wgpu_gizmo::gpu::GpuError;
/// use wgpu_gizmo::scene::{OutlineStyle, OutlinedScene, PickMesh};
/// use wgpu_gizmo::{View, WgpuGizmo, wgpu};
///
/// # fn new(tools: &mut WgpuGizmo, device: &wgpu::Device) -> Result<(), Box<dyn std::error::Error>> {
/// let mut objects = OutlinedScene::new(device, tools.gpu.target())?;
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mesh = objects.add_mesh(device, &PickMesh::new(&corners, &[0, 1, 2])?)?;
/// let id = objects.insert(&mut tools.ids, mesh, DAffine3::IDENTITY).expect("an id is free");
/// objects.place(id, DAffine3::from_translation(DVec3::X));
/// # Ok(())
/// # }
///
/// /// `selected` are the ids of [`Event::ClickedObject`](wgpu_gizmo::Event::ClickedObject), for example.
/// fn frame(
///     (tools, objects): (&mut WgpuGizmo, &mut OutlinedScene),
///     (device, queue): (&wgpu::Device, &wgpu::Queue),
///     encoder: &mut wgpu::CommandEncoder,
///     views: &[View],
///     selected: &[std::num::NonZeroU32],
/// ) -> Result<(), GpuError> {
///     let style = OutlineStyle { ids: selected, ..OutlineStyle::default() };
///     objects.prepare(device, queue, encoder, views, &[style])?;
///     // In the pass, call `objects.render(&mut pass, view)` before `tools.render(&mut pass, view)`.
///     tools.prepare(Frame::new(device, queue, encoder), views, |pass, query, clip_from_clip| {
///         objects.draw(device, queue, pass, query, clip_from_clip);
///     })
/// }
/// ```
#[derive(Debug)]
pub struct OutlinedScene {
    /// The meshes and the objects. Objects that the host inserts itself take part in picks, too.
    pub scene: PickScene,
    /// The objects that are being moved, in ascending order: a query about what to snap to does not hit them. Default:
    /// none.
    pub moved: Vec<NonZeroU32>,
    target: TargetState,
    outlines: Vec<ViewOutline>,
    objects: BTreeMap<NonZeroU32, Object>,
    /// Used in turn, because two queries that are encoded before a submit need two.
    pick_batches: [PickBatch; 3],
    picks: usize,
}

/// The outlines of one view.
#[derive(Debug)]
struct ViewOutline {
    view: Option<View>,
    outline: Outline,
    batch: PickBatch,
}

impl ViewOutline {
    fn new(device: &wgpu::Device, target: TargetState, scene: &PickScene) -> Result<Self, GpuError> {
        Ok(Self { view: None, outline: Outline::new(device, target)?, batch: scene.batch(device)? })
    }
}

#[derive(Debug)]
struct Object {
    key: PickObjectKey,
    range: IdRange,
}

impl OutlinedScene {
    /// Creates a scene without objects, whose outlines are rendered in passes with these attachments.
    ///
    /// # Errors
    /// The errors of [`Outline::new`].
    pub fn new(device: &wgpu::Device, target: impl Into<TargetState>) -> Result<Self, GpuError> {
        let scene = PickScene::new(device)?;
        let batch = || scene.batch(device);
        let target = target.into();
        Ok(Self {
            outlines: vec![ViewOutline::new(device, target, &scene)?],
            target,
            moved: Vec::new(),
            objects: BTreeMap::new(),
            pick_batches: [batch()?, batch()?, batch()?],
            picks: 0,
            scene,
        })
    }

    /// Uploads a mesh.
    ///
    /// # Errors
    /// The errors of [`PickScene::add_mesh`].
    pub fn add_mesh(&mut self, device: &wgpu::Device, mesh: &PickMesh<'_>) -> Result<PickMeshKey, GpuError> {
        self.scene.add_mesh(device, mesh)
    }

    /// Adds an object and returns its id, which it allocates. Returns `None` if the mesh was removed or no
    /// id is left.
    pub fn insert(
        &mut self,
        ids: &mut IdSpace,
        mesh: PickMeshKey,
        world_from_local: impl Into<DAffine3>,
    ) -> Option<NonZeroU32> {
        let range = ids.allocate(1).ok()?;
        let id = range.first();
        let object = PickObject::new(mesh, world_from_local.into(), id);
        let Some(key) = self.scene.insert(&object) else {
            ids.free(range);
            return None;
        };
        self.objects.insert(id, Object { key, range });
        Some(id)
    }

    /// Moves an object. Returns false if there is none with this id.
    pub fn place(&mut self, id: NonZeroU32, world_from_local: impl Into<DAffine3>) -> bool {
        let object = self.objects.get(&id);
        object.is_some_and(|object| self.scene.move_to(object.key, world_from_local.into()))
    }

    /// Removes an object and frees its id. Returns false if there is none with this id.
    pub fn remove(&mut self, ids: &mut IdSpace, id: NonZeroU32) -> bool {
        let Some(object) = self.objects.remove(&id) else { return false };
        ids.free(object.range);
        self.scene.remove(object.key)
    }

    /// Returns the key of an object in [`OutlinedScene::scene`], to hide it for example.
    pub fn key(&self, id: NonZeroU32) -> Option<PickObjectKey> {
        self.objects.get(&id).map(|object| object.key)
    }

    /// Finds the outlines for all views that are shown before the next call. Call it outside of any pass. The styles
    /// are those of [`Outline::set`].
    ///
    /// # Errors
    /// The errors of [`Outline::new`], [`Outline::set`] and [`Outline::prepare`].
    pub fn prepare<'v>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        views: impl Into<Views<'v>>,
        styles: &[OutlineStyle<'_>],
    ) -> Result<(), GpuError> {
        let views = views.into().all();
        let Self { scene, outlines, .. } = self;
        outlines.truncate(views.len());
        // After an error, nothing of an earlier frame is drawn.
        outlines.iter_mut().for_each(|shown| shown.view = None);
        scene.errors.check()?;
        while outlines.len() < views.len() {
            outlines.push(ViewOutline::new(device, self.target, scene)?);
        }
        for (ViewOutline { view: shown, outline, batch }, view) in outlines.iter_mut().zip(views) {
            outline.set(device, queue, styles)?;
            batch.select(scene, view, None);
            outline.prepare(device, queue, encoder, view, |pass, clip_from_clip| {
                batch.draw(scene, device, queue, pass, clip_from_clip);
            })?;
            *shown = Some(*view);
        }
        Ok(())
    }

    /// Draws the outlines of a view over the contents of the host's pass: see [`Outline::render`]. Draws nothing if
    /// the last [`OutlinedScene::prepare`] had no view with its key and viewport.
    pub fn render(&self, pass: &mut wgpu::RenderPass<'_>, view: &View) {
        let is_same = |shown: &View| shown.key() == view.key() && shown.viewport() == view.viewport();
        let mut shown = self.outlines.iter().filter(|shown| shown.view.as_ref().is_some_and(is_same));
        if let Some(ViewOutline { outline, .. }) = shown.next() {
            outline.render(pass);
        }
    }

    /// Draws the objects that a pick can hit into the ID image: call it in the closure of
    /// [`WgpuGizmo::prepare`](crate::WgpuGizmo::prepare) or [`Picker::encode`](crate::gpu::Picker::encode).
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pass: &mut wgpu::RenderPass<'_>,
        query: &PickQuery,
        clip_from_clip: DMat4,
    ) {
        self.picks = (self.picks + 1) % self.pick_batches.len();
        let batch = &mut self.pick_batches[self.picks];
        batch.select(&self.scene, &query.view, Some(&query.frustum()));
        if query.is_snap {
            batch.exclude(&self.scene, &self.moved);
        }
        batch.draw(&mut self.scene, device, queue, pass, clip_from_clip);
    }
}
