//! §15: in the steady state the core asks the allocator for nothing. A binary of its own,
//! because the allocator that is counted in is the whole program's.
use wgpu_gizmo::glam::{DQuat, DVec2, DVec3, dcamera};
use wgpu_gizmo::handle::{Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, Snap, Target, Theme, Transform, View, Viewport};

const FRAMES: u32 = 1000;

fn view(eye: DVec3) -> View {
    let view_from_world = dcamera::rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
    let clip_from_view = dcamera::rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
    View::new(view_from_world, clip_from_view, Viewport::of_size(800, 600), 1.0).expect("usable")
}

/// How often the allocator was asked in `FRAMES` frames, after some to warm up in.
fn asked_for(mut frame: impl FnMut(f64)) -> u64 {
    // A whole sweep: the first ray past a shape makes its mesh, once in the life of the program.
    for i in 0..400 {
        frame(f64::from(i));
    }
    let asked = allocation_counter::measure(|| (0..FRAMES).for_each(|i| frame(f64::from(i))));
    asked.count_total
}

#[test]
fn hovering_dragging_and_drawing_allocate_nothing_once_warm() {
    let all = Mode::Handles(HandleId::all().collect());
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, all] {
        let mut ids = IdSpace::new();
        let mut gizmo = Gizmo::new(&mut ids).expect("free ids");
        gizmo.settings.mode = mode;
        // All that can be shown is.
        gizmo.settings.construction_lines = true;
        gizmo.settings.flip_toward_camera = true;
        gizmo.theme = Theme::colour_blind_safe();
        let own = CustomHandle {
            constraint: Constraint::ViewPlane,
            mesh: HandleMesh::ball(),
            placement: Transform { scale: DVec3::splat(0.1), ..Transform::IDENTITY },
            color: [1.0; 4],
        };
        let own = gizmo.add_handle(own).expect("there is room");
        gizmo.settings.mode = Mode::Handles(mode.handles().with(own));
        gizmo.settings.snap_while_held = Snap::USUAL;
        let parent = Transform {
            rotation: DQuat::from_rotation_y(0.4),
            scale: DVec3::new(1.0, 2.0, -0.5),
            ..Transform::IDENTITY
        };
        let target = Target::new(Transform::IDENTITY, parent.to_matrix());
        let mut targets = [target; 3];
        let mut list = DrawList::new();
        let mut frame = |gizmo: &mut Gizmo, cursor: DVec2, eye: DVec3| {
            let view = view(eye);
            gizmo.pointer_moved(cursor);
            gizmo.pointer_moved(cursor + 0.5);
            let events = gizmo.update(&view, &mut targets).len();
            gizmo.answer_on_cpu();
            list.begin(&view);
            gizmo.draw(&mut list);
            events
        };
        let eye = DVec3::new(2.0, 2.5, 6.0);
        // The camera moves as well, so that nothing is taken from the frame before.
        let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![0u8; 100])));
        assert_eq!(counted.count_total, 1, "the counter counts");
        let hover = asked_for(|i| {
            frame(&mut gizmo, DVec2::new(300.0 + i % 200.0, 250.0), eye + DVec3::X * 1e-3 * i);
        });
        assert_eq!(hover, 0, "{mode:?}, hovering");

        gizmo.pointer_moved(DVec2::new(400.0, 300.0));
        gizmo.pointer_pressed();
        frame(&mut gizmo, DVec2::new(400.0, 300.0), eye);
        frame(&mut gizmo, DVec2::new(400.0, 300.0), eye);
        assert!(gizmo.is_active(), "{mode:?}: the middle holds a handle");
        let mut events = 0;
        let drag = asked_for(|i| {
            gizmo.snap_held((i as u32).is_multiple_of(7));
            let cursor = DVec2::new(405.0 + i % 300.0, 290.0);
            events += frame(&mut gizmo, cursor, eye + DVec3::X * 1e-3 * i);
        });
        assert!(events > 500, "{mode:?}: it moves");
        assert_eq!(drag, 0, "{mode:?}, dragging");
    }
}
