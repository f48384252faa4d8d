//! A lost device and its successor.

use super::{id, id_of};
use crate::common::prelude::*;

/// Different from all ids of the gizmo.
const OBJECT_ID: u32 = 1 << 31;

/// Everything that a host creates on a device.
struct Resources {
    gpu: Gpu,
    picker: Picker,
    scene: PickScene,
    batch: PickBatch,
    renderer: GizmoRenderer,
    outline: Outline,
}

impl Resources {
    /// Creates a device, and on it a scene of one outlined ball.
    fn new(world_from_local: DAffine3) -> Self {
        let gpu = Gpu::new();
        let Gpu { device, queue } = &gpu;
        let mut scene = PickScene::new(device).expect("the device is alive");
        let (corners, indices) = ball(6);
        let mesh = PickMesh::new(&corners, &indices).expect("the mesh is valid");
        let mesh = scene.add_mesh(device, &mesh).expect("the device is alive");
        scene.insert(&PickObject::new(mesh, world_from_local, id(OBJECT_ID))).expect("the mesh exists");
        let mut outline = Outline::new(device, PLAIN).expect("the render target is supported");
        let chosen = [id(OBJECT_ID)];
        let style = OutlineStyle { ids: &chosen, ..OutlineStyle::default() };
        let none = OutlineStyle::default();
        outline.set(device, queue, &[style, none, none, none]).expect("the ids fit");
        Self {
            picker: Picker::new(device).expect("the backend is not WebGL"),
            batch: scene.batch(device).expect("the device is alive"),
            renderer: GizmoRenderer::new(device, PLAIN).expect("the render target is supported"),
            scene,
            outline,
            gpu,
        }
    }

    fn pick(&mut self, list: &DrawList, px: DVec2) -> Result<PickOutcome, GpuError> {
        let Self { gpu: Gpu { device, queue }, picker, scene, batch, .. } = self;
        let query = PickQuery::new(list.view().expect("the list has begun"), px, 5.0);
        batch.select(scene, &query.view, Some(&query.frustum()));
        let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip: DMat4| {
            batch.draw(scene, device, queue, pass, clip_from_clip);
        };
        let answer = picker.pick_blocking(device, queue, &query, list, draw, TIMEOUT)?;
        Ok(answer.outcome)
    }

    /// Destroys the device while this query is in flight.
    fn lose(&mut self, query: &PickQuery, list: &DrawList) {
        let Self { gpu: Gpu { device, queue }, picker, .. } = self;
        let mut encoder = device.create_command_encoder(&Default::default());
        picker.encode(device, queue, &mut encoder, query, list, |_, _| {}).expect("a slot is free");
        queue.submit([encoder.finish()]);
        device.destroy();
        while picker.is_pending() {
            match picker.poll(device) {
                Err(GpuError::DeviceLost) => {}
                // It had finished before. An unfinished one must not report a miss.
                Ok(Some(answer)) => {
                    assert_ne!(answer.outcome, PickOutcome::Nothing, "{answer:?}");
                    break;
                }
                Ok(None) => {}
                Err(other) => panic!("{other}"),
            }
        }
    }

    /// Checks that on the lost device nothing panics, and nothing can be created.
    fn assert_lost(&mut self, list: &DrawList, px: DVec2) {
        let late = self.pick(list, px);
        assert!(matches!(late, Err(GpuError::DeviceLost)), "{late:?}");
        let Self { gpu: Gpu { device, queue }, scene, batch, renderer, outline, .. } = self;
        let view = list.view().expect("the list has begun");
        batch.select(scene, view, None);
        let mut encoder = device.create_command_encoder(&Default::default());
        let prepared = outline.prepare(device, queue, &mut encoder, view, |_, _| {});
        assert!(matches!(prepared, Err(GpuError::DeviceLost)), "{prepared:?}");
        let many: Vec<_> = (1..5000).map(id).collect();
        for _ in 0..2 {
            let style = OutlineStyle { ids: &many, ..OutlineStyle::default() };
            let set = outline.set(device, queue, &[style]);
            assert!(matches!(set, Err(GpuError::DeviceLost)), "the larger table has no texture: {set:?}");
        }
        let prepared = renderer.prepare(device, queue, list);
        assert!(matches!(prepared, Err(GpuError::DeviceLost)), "{prepared:?}");
        let created = [
            Picker::new(device).err(),
            IdImage::new(device, 8, 8).err(),
            GizmoRenderer::new(device, PLAIN).err(),
            Outline::new(device, PLAIN).err(),
            PickScene::new(device).err(),
            scene.batch(device).err(),
        ];
        assert!(created.iter().all(|error| matches!(error, Some(GpuError::DeviceLost))), "{created:?}");
        let (corners, indices) = ball(6);
        let mesh = PickMesh::new(&corners, &indices).expect("the mesh is valid");
        assert!(matches!(scene.add_mesh(device, &mesh).err(), Some(GpuError::DeviceLost)));
    }
}

#[test]
fn lost_device_is_rebuilt_with_same_answers() {
    let case = cases::named("left-handed, reversed depth, infinite far");
    let (mut gizmo, mut targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
    let pivot_px = case.px(PIVOT_WORLD);
    let px = pivot_px + DVec2::new(-110.0, 70.0);
    let at = case.view.pointer_ray(px).at(4.0);
    let world_from_local = placed(at, 20.0 * case.view.pixel_size(at));
    let mut before = None;
    for life in 0..3 {
        let mut resources = Resources::new(world_from_local);
        let mut list = DrawList::new();
        list.begin(&case.view);
        gizmo.draw(&mut list);
        let outcomes = [px, pivot_px].map(|px| resources.pick(&list, px).expect("the device is alive"));
        assert_eq!(id_of(outcomes[0]), OBJECT_ID);
        assert!(gizmo.handle_of(id(id_of(outcomes[1]))).is_some());
        assert_eq!(*before.get_or_insert(outcomes), outcomes, "device {life}");

        // The device is lost while a query of the gizmo is in flight. The query is repeated.
        gizmo.pointer_moved(pivot_px + DVec2::new(f64::from(life), 0.0));
        gizmo.update(&case.view, &mut targets);
        let query = gizmo.pick_query().expect("the pointer has moved");
        resources.lose(&query, &list);
        gizmo.picks_lost();
        gizmo.update(&case.view, &mut targets);
        assert!(gizmo.pick_query().is_some_and(|again| again.sequence > query.sequence));
        resources.assert_lost(&list, px);
    }
}
