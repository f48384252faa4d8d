//! §15: in the steady state the core asks the allocator for nothing. A binary of its own,
//! because the allocator that is counted in is the whole program's.
use wgpu_gizmo::glam::{DQuat, DVec2, DVec3, dcamera};
use wgpu_gizmo::handle::{Axis, Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo::interaction::{Key, KeyModifiers, Pivot};
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
        gizmo.theme = Theme::color_blind_safe();
        let own = CustomHandle {
            constraint: Constraint::ViewPlane,
            mesh: HandleMesh::ball(),
            placement: Transform { scale: DVec3::splat(0.1), ..Transform::IDENTITY },
            color: [1.0; 4],
        };
        let own = gizmo.add_handle(own).expect("there is room");
        gizmo.settings.mode = Mode::Handles(mode.handles().with(own));
        gizmo.settings.snap_while_held = Snap::DEFAULT_INCREMENTS;
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

#[test]
fn dragging_thousand_targets_allocates_nothing() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
        for pivot in [Pivot::Median, Pivot::Individual, Pivot::BoundsCenter, Pivot::EachTarget] {
            let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("free ids");
            gizmo.settings.mode = mode;
            gizmo.settings.pivot = pivot;
            let mut targets: Vec<Target> = (0..1000).map(|i| odd_target(f64::from(i))).collect();
            let shown = view(DVec3::new(2.0, 2.5, 40.0));
            gizmo.update(&shown, &mut targets);
            gizmo.key(Key::Axis(Axis::X), KeyModifiers::NONE);
            gizmo.update(&shown, &mut targets);
            assert!(gizmo.is_active(), "{mode:?}, {pivot:?}");
            let mut step = 0u32;
            let mut typing = || {
                const KEYS: [Key; 9] = [
                    Key::Digit(1),
                    Key::Point,
                    Key::Digit(5),
                    Key::Minus,
                    Key::Right,
                    Key::Up,
                    Key::Backspace,
                    Key::Axis(Axis::Y),
                    Key::Plane(Axis::Z),
                ];
                step += 1;
                gizmo.key(KEYS[step as usize % KEYS.len()], KeyModifiers::NONE);
                let nan = if step.is_multiple_of(3) { f64::NAN } else { 400.0 };
                gizmo.pointer_moved(DVec2::new(nan, 300.0));
                gizmo.precision_held(step.is_multiple_of(5));
                gizmo.update_with(&shown, &mut targets, &mut |_| Some(DVec3::NAN));
            };
            (0..50).for_each(|_| typing());
            let asked = allocation_counter::measure(|| (0..100).for_each(|_| typing()));
            assert_eq!(asked.count_total, 0, "{mode:?}, {pivot:?}");
            // And with nothing to move.
            gizmo.cancel();
            gizmo.update(&shown, &mut targets);
            let mut nothing = || {
                gizmo.pointer_moved(DVec2::splat(f64::NAN));
                gizmo.update(&shown, &mut []);
                gizmo.answer_on_cpu();
            };
            nothing();
            let asked = allocation_counter::measure(|| (0..100).for_each(|_| nothing()));
            assert_eq!(asked.count_total, 0, "{mode:?}, {pivot:?}, nothing selected");
        }
    }
}

/// Under an uneven parent of its own, now and then with no rotation or no scale at all.
fn odd_target(i: f64) -> Target {
    let parent = Transform {
        translation: DVec3::new(i.sin(), i.cos(), 0.001 * i),
        rotation: DQuat::from_rotation_y(i),
        scale: DVec3::new(1.0, 2.0, -0.5),
    };
    let rotation =
        if i % 7.0 == 0.0 { DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0) } else { DQuat::from_rotation_x(i) };
    let scale = if i % 11.0 == 0.0 { DVec3::ZERO } else { DVec3::ONE };
    Target::new(Transform { translation: DVec3::ZERO, rotation, scale }, parent.to_matrix())
}
