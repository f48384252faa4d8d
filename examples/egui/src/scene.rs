//! Two cubes that can be picked and snapped to.

use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DMat4, DVec3};
use wgpu_gizmo::pick::IdRange;
use wgpu_gizmo::pick::snap::{SnapPoint, SnapTo};
use wgpu_gizmo::scene::{PickBatch, PickMesh, PickObject, PickObjectKey, PickScene};
use wgpu_gizmo::{PickQuery, Transform, wgpu};
use wgpu_gizmo_egui::DrawnObjects;

/// The corners of a cube; the bits of an index are the sides.
pub(crate) const CORNERS: [[f32; 3]; 8] = {
    let (a, b) = (-0.5, 0.5);
    [[a, a, a], [b, a, a], [a, b, a], [b, b, a], [a, a, b], [b, a, b], [a, b, b], [b, b, b]]
};
const INDICES: [u32; 36] = [
    0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7,
    3,
];

pub(crate) struct Scene {
    pub(crate) cubes: [Transform; 2],
    /// The index of the cube that has the gizmo.
    pub(crate) selected: usize,
    ids: IdRange,
    objects: PickScene,
    keys: Vec<PickObjectKey>,
    batch: PickBatch,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Scene {
    /// `ids` has an id for each cube.
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue, ids: IdRange) -> Result<Self, SceneError> {
        let beside = Transform { translation: DVec3::new(1.5, 0.0, -0.5), ..Transform::IDENTITY };
        let cubes = [Transform::IDENTITY, beside];
        let mut objects = PickScene::new(device)?;
        let mesh = objects.add_mesh(device, &PickMesh::new(&CORNERS, &INDICES)?.with_snapping())?;
        let keys = (0..).zip(&cubes).filter_map(|(index, cube)| {
            objects.insert(&PickObject::new(mesh, (*cube).into(), ids.id(index)?))
        });
        let keys = keys.collect();
        let batch = objects.batch(device)?;
        Ok(Self {
            cubes,
            selected: 0,
            ids,
            objects,
            keys,
            batch,
            device: device.clone(),
            queue: queue.clone(),
        })
    }

    pub(crate) fn move_to(&mut self, cube: usize, to: Transform) {
        self.cubes[cube] = to;
        self.objects.move_to(self.keys[cube], to.into());
    }

    pub(crate) fn select(&mut self, id: NonZeroU32) {
        self.selected = self.ids.offset_of(id).map_or(self.selected, |index| index as usize);
    }
}

impl DrawnObjects for Scene {
    fn draw(&mut self, pass: &mut wgpu::RenderPass<'_>, query: &PickQuery, clip_from_clip: DMat4) {
        self.batch.select(&self.objects, &query.view, Some(&query.frustum()));
        if query.is_snap {
            // A cube does not snap to itself.
            let moved = self.ids.id(self.selected as u32);
            self.batch.exclude(&self.objects, moved.as_slice());
        }
        self.batch.draw(&mut self.objects, &self.device, &self.queue, pass, clip_from_clip);
    }

    fn find(&mut self, query: &PickQuery, ids: &[NonZeroU32]) -> Option<SnapPoint> {
        SnapTo::VERTEX.find(query, &self.objects.snap_objects(ids))
    }
}

/// An error of the graphics card, or of the mesh.
pub(crate) type SceneError = Box<dyn std::error::Error + Send + Sync>;
