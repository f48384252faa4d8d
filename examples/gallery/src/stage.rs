//! Objects with one gizmo: the host of most scenes.

mod frame;
pub(crate) use frame::begin;
mod scene;

use crate::camera::Camera;
use crate::probes::Probes;
use crate::scene::{Combine, Gpu, Window};
use crate::shapes::Shape;
use crate::solids::{SolidBuffers, Solids};
use std::error::Error;
use std::num::NonZeroU32;
use std::rc::Rc;
use wgpu_gizmo::glam::{DAffine3, DMat4, DVec2, DVec3};
use wgpu_gizmo::gpu::GpuError;
use wgpu_gizmo::interaction::settings::AxisKeys;
use wgpu_gizmo::scene::{OutlinedScene, PickBatch, PickMesh, PickMeshKey};
use wgpu_gizmo::{Event, Target, Transform, View, WgpuGizmo};

/// Objects with one gizmo.
pub(crate) struct Stage {
    pub(crate) tools: WgpuGizmo,
    pub(crate) objects: Vec<Object>,
    /// Indices of objects, the active one last.
    pub(crate) selected: Vec<usize>,
    pub(crate) camera: Camera,
    pub(crate) layout: Layout,
    /// A drag over empty space draws a lasso.
    pub(crate) has_lasso: bool,
    scene: OutlinedScene,
    meshes: Vec<PickMeshKey>,
    probe_batches: [PickBatch; 2],
    solids: Rc<Solids>,
    buffers: SolidBuffers,
    undo: Vec<Vec<(usize, Transform)>>,
    probes: Probes,
    combine: Combine,
    is_dark: bool,
    is_stale: bool,
    window: Option<Window>,
    pub(crate) pointer_px: Option<DVec2>,
    views: Vec<View>,
    picks: u64,
}

/// An object of a stage.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) id: NonZeroU32,
    pub(crate) shape: Shape,
    pub(crate) local: Transform,
    /// The center and the size of the shape in the space of the object.
    pub(crate) center: DVec3,
    pub(crate) size: DVec3,
    /// The index of the parent.
    pub(crate) parent: Option<usize>,
    pub(crate) color: [f32; 3],
    pub(crate) name: &'static str,
}

impl Object {
    /// Returns the corners of its bounding box in its own space.
    fn bounds(&self) -> [DVec3; 2] {
        [self.center - 0.5 * self.size, self.center + 0.5 * self.size]
    }
}

/// The views of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Layout {
    #[default]
    One,
    /// Top, front, side and perspective.
    Four,
}

impl Stage {
    pub(crate) fn new(gpu: &Gpu, solids: &Rc<Solids>) -> Result<Self, Box<dyn Error>> {
        let mut tools = WgpuGizmo::new(&gpu.device, gpu.format)?;
        // The page shows the readouts as text.
        tools.gpu.stroke_readouts = false;
        // The scene that has the focus gets the keys.
        tools.gizmo.settings.input.axis_keys = AxisKeys::Always;
        let mut scene = OutlinedScene::new(&gpu.device, tools.gpu.target())?;
        let mut meshes = Vec::new();
        for shape in Shape::ALL {
            let triangles = shape.triangles();
            let mesh = PickMesh::new(&triangles.positions, &triangles.indices)?;
            meshes.push(scene.add_mesh(&gpu.device, &mesh)?);
        }
        let probe_batches = [scene.scene.batch(&gpu.device)?, scene.scene.batch(&gpu.device)?];
        Ok(Self {
            tools,
            objects: Vec::new(),
            selected: Vec::new(),
            camera: Camera::default(),
            layout: Layout::One,
            has_lasso: false,
            scene,
            meshes,
            probe_batches,
            solids: solids.clone(),
            buffers: SolidBuffers::default(),
            undo: Vec::new(),
            probes: Probes::default(),
            combine: Combine::Replace,
            is_dark: true,
            is_stale: true,
            window: None,
            pointer_px: None,
            views: Vec::new(),
            picks: 0,
        })
    }

    /// Adds an object and returns its index.
    pub(crate) fn add(
        &mut self,
        name: &'static str,
        shape: Shape,
        local: Transform,
        color: [f32; 3],
    ) -> Result<usize, Box<dyn Error>> {
        let mesh = self.meshes[shape.index()];
        let id = self.scene.insert(&mut self.tools.ids, mesh, DAffine3::IDENTITY);
        let id = id.ok_or("the id space has no free id")?;
        let (center, size, parent) = (DVec3::ZERO, DVec3::ONE, None);
        self.objects.push(Object { id, shape, local, center, size, parent, color, name });
        Ok(self.objects.len() - 1)
    }

    /// Returns the matrix of an object.
    pub(crate) fn world_from_local(&self, index: usize) -> DMat4 {
        let object = &self.objects[index];
        self.world_from_parent(index) * object.local.to_matrix()
    }

    /// Returns the matrix of the shape of an object.
    fn world_from_mesh(&self, index: usize) -> DMat4 {
        let Object { center, size, .. } = self.objects[index];
        self.world_from_local(index) * DMat4::from_translation(center) * DMat4::from_scale(size)
    }

    fn world_from_parent(&self, index: usize) -> DMat4 {
        self.objects[index].parent.map_or(DMat4::IDENTITY, |parent| self.world_from_local(parent))
    }

    /// Returns the index in the selection of the nearest selected ancestor.
    fn selected_ancestor(&self, index: usize) -> Option<usize> {
        let parent = self.objects[index].parent?;
        let selected = self.selected.iter().position(|other| *other == parent);
        selected.or_else(|| self.selected_ancestor(parent))
    }

    // code: targets
    fn targets(&self) -> Vec<Target> {
        let target = |index: &usize| {
            let object = &self.objects[*index];
            let mut target = Target::new(object.local, self.world_from_parent(*index));
            // It moves along with a selected ancestor, and keeps its local transform.
            target.inside = self.selected_ancestor(*index);
            // The key cancels a drag if the selection changes; the bounds are for box handles.
            target.with_key(*index as u64).with_bounds(object.bounds())
        };
        self.selected.iter().map(target).collect()
    }
    // end

    // code: update
    fn update(&mut self) -> Result<(), GpuError> {
        let mut targets = self.targets();
        let events = self.tools.update(&self.views, &mut targets)?;
        for (index, target) in self.selected.iter().zip(&targets) {
            self.objects[*index].local = target.local;
        }
        for event in events {
            match event {
                Event::Ended { changed: true } => self.push_undo(),
                Event::ClickedObject(id) => self.select(&[id]),
                Event::ClickedNothing => self.select(&[]),
                _ => {}
            }
        }
        Ok(())
    }
    // end

    fn push_undo(&mut self) {
        let starts = self.tools.gizmo.starts();
        self.undo.push(self.selected.iter().copied().zip(starts).collect());
    }

    fn undo(&mut self) -> bool {
        let step = self.undo.pop();
        for (index, local) in step.iter().flatten() {
            self.objects[*index].local = *local;
        }
        step.is_some()
    }

    /// Selects objects by their ids.
    fn select(&mut self, ids: &[NonZeroU32]) {
        let mut selected = match self.combine {
            Combine::Replace => Vec::new(),
            Combine::Add => std::mem::take(&mut self.selected),
        };
        for id in ids {
            let Some(index) = self.objects.iter().position(|object| object.id == *id) else { continue };
            let old = selected.len();
            selected.retain(|other| *other != index);
            // A second click with Shift removes the object.
            if selected.len() == old || ids.len() > 1 {
                selected.push(index);
            }
        }
        // A scene with one object keeps its handles.
        if !(selected.is_empty() && self.objects.len() == 1) {
            self.selected = selected;
        }
        self.is_stale = true;
    }
}
