//! An object of the host: a rectangle at the left side of the panel, which is picked and snapped to.

use crate::host::{BACKENDS, Host, PANEL, arrow, gpu};
use egui::PointerButton::Primary;
use egui::vec2;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DAffine3, DMat4, DVec3};
use wgpu_gizmo::pick::snap::{SnapMesh, SnapObject, SnapPoint, SnapTo};
use wgpu_gizmo::scene::{PickBatch, PickMesh, PickObject, PickScene};
use wgpu_gizmo::{Event as GizmoEvent, PickQuery, wgpu};
use wgpu_gizmo_egui::{DrawnObjects, PickedObjects};

/// In world units, of which one is 100 points.
const CORNERS: [[f32; 3]; 4] = [[-2.0, -1.5, 0.0], [-1.0, -1.5, 0.0], [-1.0, 0.25, 0.0], [-2.0, 0.25, 0.0]];
const INDICES: [u32; 6] = [0, 1, 2, 0, 2, 3];
/// The corner of the rectangle that is nearest to the gizmo.
const CORNER: DVec3 = DVec3::new(-1.0, 0.25, 0.0);

pub(crate) struct Objects {
    id: NonZeroU32,
    mesh: SnapMesh,
    scene: PickScene,
    batch: PickBatch,
    /// Whether each query was one for snapping.
    queries: Vec<bool>,
}

impl Objects {
    fn new(id: NonZeroU32) -> Self {
        let (device, _) = gpu();
        let mut scene = PickScene::new(device).expect("the device is alive");
        let mesh = PickMesh::new(&CORNERS, &INDICES).expect("the mesh is valid").with_snapping();
        let mesh = scene.add_mesh(device, &mesh).expect("the mesh is small");
        let object = PickObject::new(mesh, DAffine3::IDENTITY, id);
        scene.insert(&object).expect("the mesh exists");
        let batch = scene.batch(device).expect("the device is alive");
        let mesh = SnapMesh::new(&CORNERS, &INDICES).expect("the mesh is valid");
        Self { id, mesh, scene, batch, queries: Vec::new() }
    }
}

impl DrawnObjects for Objects {
    fn draw(&mut self, pass: &mut wgpu::RenderPass<'_>, query: &PickQuery, clip_from_clip: DMat4) {
        self.queries.push(query.is_snap);
        let (device, queue) = gpu();
        self.batch.select(&self.scene, &query.view, Some(&query.frustum()));
        self.batch.draw(&mut self.scene, device, queue, pass, clip_from_clip);
    }

    fn find(&mut self, query: &PickQuery, ids: &[NonZeroU32]) -> Option<SnapPoint> {
        SnapTo::VERTEX.find(query, &self.scene.snap_objects(ids))
    }
}

impl PickedObjects for Objects {
    fn pick(&mut self, query: &PickQuery) -> Option<NonZeroU32> {
        let hit = query.view.pointer_ray(query.cursor_px).plane_hit(DVec3::ZERO, DVec3::Z)?;
        (hit.x < CORNER.x && hit.y < CORNER.y).then_some(self.id)
    }

    fn find(&mut self, query: &PickQuery) -> Option<SnapPoint> {
        self.queries.push(query.is_snap);
        let object = SnapObject::new(&self.mesh, DAffine3::IDENTITY);
        SnapTo::VERTEX.find(query, &[object])
    }
}

fn hosts() -> [Host; 2] {
    BACKENDS.map(|backend| {
        let mut host = Host::new(backend, 1.0);
        let id = host.state().gizmo.ids().allocate(1).expect("ids are free").first();
        host.state().objects = Some(Objects::new(id));
        host
    })
}

#[test]
fn host_picks_its_objects_if_no_handle_is_there() {
    for mut host in hosts() {
        let object = host.state().objects.as_ref().map(|objects| objects.id).expect("there is an object");
        for (at, expected) in [
            (PANEL.left_bottom() + vec2(30.0, -30.0), GizmoEvent::ClickedObject(object)),
            (PANEL.max - vec2(30.0, 30.0), GizmoEvent::ClickedNothing),
        ] {
            host.state().events.clear();
            host.drag(Primary, at, at);
            assert_eq!(host.state().events.last().copied(), Some(expected));
        }
    }
}

#[test]
fn drag_snaps_to_vertex_of_object() {
    for mut host in hosts() {
        host.state().gizmo.core().settings.snap.to = SnapTo::VERTEX;
        let from = arrow(PANEL);
        // Two points from the corner, whose x is -1.
        host.drag(Primary, from, PANEL.center() + vec2(-98.0, -25.0));
        assert_eq!(host.x(), CORNER.x);
        let queries = &host.state().objects.as_ref().expect("there is an object").queries;
        assert!(queries.contains(&true), "{queries:?}");
        // Far from the object, the pointer decides.
        host.drag(Primary, from - vec2(100.0, 0.0), from - vec2(50.0, 0.0));
        assert!((host.x() + 0.5).abs() < 1e-4, "{}", host.x());
    }
}
