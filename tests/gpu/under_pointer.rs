//! Snapping to objects of a `PickScene`: through the facade, without the moved object, in a large scene.

use crate::common::prelude::*;

struct Host {
    tools: WgpuGizmo,
    scene: PickScene,
    batch: PickBatch,
    view: View,
    targets: Vec<Target>,
    moved: NonZeroU32,
    /// The world positions of the vertices that can be snapped to.
    vertices: Vec<DVec3>,
}

impl Host {
    fn new(count: usize) -> Self {
        let mut tools = WgpuGizmo::new(device(), PLAIN).expect("the render target is supported");
        tools.gizmo.settings.snap.to = SnapTo::VERTEX;
        let mut scene = PickScene::new(device()).expect("the device is alive");
        // A hundred vertices.
        let (positions, indices) = ball(9);
        let mesh = PickMesh::new(&positions, &indices).expect("the mesh is valid").with_snapping();
        let mesh = scene.add_mesh(device(), &mesh).expect("the device is alive");
        let ids = tools.ids.allocate(count as u32 + 1).expect("ids are free");
        let id = |i: usize| ids.id(i as u32).expect("the offset is in the range");
        let moved = id(count);
        scene.insert(&PickObject::new(mesh, placed(PIVOT_WORLD, 0.05), moved));
        let (mut rng, mut vertices) = (Rng::with_seed(3), Vec::new());
        for i in 0..count {
            let mut number = |size: f64| (rng.f64() * 2.0 - 1.0) * size;
            let world_from_local = placed(DVec3::new(number(3.0), number(2.0), number(2.0)), 0.05);
            scene.insert(&PickObject::new(mesh, world_from_local, id(i)));
            let corners = positions.iter().map(|p| Vec3::from(*p).as_dvec3());
            vertices.extend(corners.map(|p| world_from_local.transform_point3(p)));
        }
        let lens = rh::proj::directx::perspective_infinite_reverse(0.9, 4.0 / 3.0, 0.1);
        let camera = [DVec3::new(1.0, 1.0, 7.0), DVec3::ZERO];
        Self {
            batch: scene.batch(device()).expect("the device is alive"),
            tools,
            scene,
            view: cases::view(camera, lens, Viewport::from_size(800, 600), 1.0),
            targets: vec![Target::from_world(Transform::from_translation(PIVOT_WORLD))],
            moved,
            vertices,
        }
    }

    /// Renders a frame.
    fn frame(&mut self) {
        let Self { tools, scene, batch, view, targets, moved, .. } = self;
        let snap_to = tools.gizmo.settings.snap.to;
        let mut search = |query: &PickQuery, neighbors: &[NonZeroU32]| {
            assert!(!neighbors.contains(moved), "the moved object is left out");
            snap_to.find(query, &scene.snap_objects(neighbors))
        };
        let options = UpdateOptions::default().with_snap_search(&mut search);
        tools.update_with(&*view, targets, options).expect("the device is alive");
        let mut encoder = device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let draw = |pass: &mut wgpu::RenderPass<'_>, query: &PickQuery, clip_from_clip| {
            batch.select(scene, &query.view, Some(&query.frustum()));
            if query.is_snap {
                batch.exclude(scene, &[*moved]);
            }
            batch.draw(scene, device(), queue(), pass, clip_from_clip);
        };
        tools.prepare(Frame::new(device(), queue(), &mut encoder), view, draw).expect("the device is alive");
        queue().submit([encoder.finish()]);
        gpu().wait();
    }

    fn frames_until_settled(&mut self) -> usize {
        for frame in 0..50 {
            self.frame();
            if !self.tools.needs_redraw(0) {
                return frame;
            }
        }
        panic!("it never settles");
    }

    fn grab(&mut self) -> DVec2 {
        self.frame();
        let start_px = self.view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera");
        self.tools.gizmo.pointer_moved(start_px);
        self.tools.gizmo.pointer_pressed();
        self.frames_until_settled();
        assert_eq!(self.tools.gizmo.dragging().map(|handle| handle.name()), Some("translate_view"));
        start_px
    }
}

#[test]
fn drag_snaps_to_million_vertices_one_frame_later() {
    let mut host = Host::new(10_000);
    host.grab();
    let mut rng = Rng::with_seed(5);
    let mut snapped = 0;
    for _ in 0..60 {
        let cursor_px = DVec2::new(200.5 + rng.f64() * 400.0, 150.5 + rng.f64() * 300.0);
        host.tools.gizmo.pointer_moved(cursor_px);
        host.frame();
        // An update before the answer.
        host.tools.gizmo.update(&host.view, &mut host.targets);
        assert!(host.tools.needs_redraw(0), "the answer is on its way");
        host.frame();
        let Some(found) = host.tools.gizmo.snapped_to() else { continue };
        snapped += 1;
        let moved = host.targets[0].local.translation;
        let nearest = host.vertices.iter().map(|vertex| vertex.distance(moved)).fold(f64::MAX, f64::min);
        assert!(nearest < 1e-12 && found.point_world.distance(moved) < 1e-12, "{nearest:e}");
        let px = host.view.px_from_world(moved).expect("the point is in front of the camera");
        assert!(px.distance(cursor_px) <= 5.0);
    }
    assert!(snapped > 40, "{snapped}");
}

#[test]
fn surface_normal_equals_face_normal() {
    let case = cases::named("right-handed perspective");
    let (mut heap, mut picker) = (Heap::new(), picker());
    let turn = DQuat::from_euler(EulerRot::YXZ, 0.5, 0.4, 0.2);
    // The center of the cube is not its origin.
    let at = DAffine3::from_rotation_translation(turn, PIVOT_WORLD - turn * DVec3::splat(0.25));
    heap.insert(1, at, 1);
    let normals: Vec<DVec3> = DVec3::AXES.into_iter().flat_map(|n| [turn * n, turn * -n]).collect();
    let (mut batch, mut checked, mut near_edges) = (heap.batch(), 0, 0);
    for i in 0..900 {
        let by = DVec2::new(f64::from(i % 30), f64::from(i / 30)) - 15.0;
        let mut query = PickQuery::new(&case.view, case.px(PIVOT_WORLD) + 3.0 * by, 0.0);
        query.is_snap = true;
        batch.select(&heap.scene, &query.view, Some(&query.frustum()));
        let answer = heap.pick(&mut picker, &mut batch, &query);
        let PickOutcome::Hit(hit) = answer.outcome else { continue };
        let normal = hit.normal_world.expect("the surface has many texels");
        let error = normals.iter().map(|face| (*face - normal).length()).fold(f64::MAX, f64::min);
        let point = hit.position_world.expect("the depth is finite");
        assert!(normal.dot(case.view.direction_to(point)) < 0.0, "toward the viewer");
        if error < 1e-2 { checked += 1 } else { near_edges += 1 }
    }
    assert!(checked > 200 && near_edges * 50 < checked, "{checked} {near_edges}");
}

/// The face begins at the farthest texel that the tolerance reaches.
#[test]
fn surface_at_edge_of_tolerance_has_its_normal() {
    let case = cases::named("right-handed perspective");
    let (mut heap, mut picker) = (Heap::new(), picker());
    let toward_viewer = -case.view.forward();
    let turn = DQuat::from_rotation_arc(DVec3::Z, toward_viewer);
    heap.insert(1, DAffine3::from_rotation_translation(turn, PIVOT_WORLD - turn * DVec3::splat(0.25)), 1);
    let image = heap.image(&case, None);
    let mut batch = heap.batch();
    let center_px = case.px(PIVOT_WORLD).floor() + 0.5;
    let left = (0..).map(|i| center_px - DVec2::X * f64::from(i)).take_while(|px| image.id_at(*px).is_some());
    let left_px = left.last().expect("the cube is there");
    for radius_px in [0.0, 5.0, 13.0, 14.0, 15.0, 16.0, 22.0, 86.0, 87.0, 88.0] {
        let mut query = PickQuery::new(&case.view, left_px - DVec2::X * radius_px, radius_px);
        query.is_snap = true;
        batch.select(&heap.scene, &query.view, Some(&query.frustum()));
        let outcomes =
            [heap.pick(&mut picker, &mut batch, &query).outcome, image.pick(&query, &DrawList::new())];
        for outcome in outcomes {
            let PickOutcome::Hit(hit) = outcome else { panic!("nothing is found within {radius_px}") };
            let normal = hit.normal_world.unwrap_or_else(|| panic!("no normal at {radius_px}"));
            assert!(normal.distance(toward_viewer) < 1e-2, "{radius_px}: {normal}");
        }
    }
}
