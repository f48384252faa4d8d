//! The core does not allocate in the steady state (§15 of docs/spec.md). This is a separate binary, because
//! it counts the allocations of the whole process.
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3, dcamera};
use wgpu_gizmo_core::handle::{Axis, Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo_core::interaction::settings::{AxisKeys, Pivot};
use wgpu_gizmo_core::interaction::{HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::{
    DrawList, Gizmo, HandleId, IdSpace, Mode, Snap, Target, Theme, Transform, View, Viewport,
};

const FRAMES: u32 = 1000;

fn view(eye: DVec3) -> View {
    let view_from_world = dcamera::rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
    let clip_from_view = dcamera::rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
    View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0).expect("the view is valid")
}

/// Returns the number of allocations in `FRAMES` frames, after a warm-up.
fn allocations_of(mut frame: impl FnMut(f64)) -> u64 {
    // A whole sweep, because the first ray that passes a shape creates its mesh, once per process.
    for i in 0..400 {
        frame(f64::from(i));
    }
    let counted = allocation_counter::measure(|| (0..FRAMES).for_each(|i| frame(f64::from(i))));
    counted.count_total
}

fn small_ball() -> CustomHandle {
    CustomHandle::new(
        Constraint::ViewPlane,
        HandleMesh::ball(),
        Transform { scale: DVec3::splat(0.1), ..Transform::IDENTITY },
        [1.0; 4],
    )
}

#[test]
fn warm_frames_allocate_nothing() {
    let all = Mode::Handles(HandleId::all().collect());
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, all] {
        let mut ids = IdSpace::new();
        let mut gizmo = Gizmo::new(&mut ids).expect("a new id space has free ids");
        gizmo.settings.mode = mode;
        // Everything that can be shown is shown.
        gizmo.settings.display.construction_lines = true;
        gizmo.settings.display.flip_toward_camera = true;
        gizmo.theme = Theme::color_blind_safe();
        let custom = gizmo.add_handle(small_ball()).expect("a handle slot is free");
        gizmo.settings.mode = Mode::Handles(mode.handles().with(custom));
        gizmo.settings.snap.while_held = Snap::DEFAULT_INCREMENTS;
        let parent = Transform {
            rotation: DQuat::from_rotation_y(0.4),
            scale: DVec3::new(1.0, 2.0, -0.5),
            ..Transform::IDENTITY
        };
        let target = Target::new(Transform::IDENTITY, parent.to_matrix());
        let mut targets = [target; 3];
        let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
        let mut frame = |gizmo: &mut Gizmo, cursor: DVec2, eye: DVec3| {
            let view = view(eye);
            gizmo.pointer_moved(cursor);
            gizmo.pointer_moved(cursor + 0.5);
            let events = gizmo.update(&view, &mut targets).len();
            gizmo.answer_on_cpu();
            list.begin(&view);
            gizmo.draw(&mut list);
            list.triangles_px(&mut triangles);
            events
        };
        let eye = DVec3::new(2.0, 2.5, 6.0);
        // The camera moves as well, so that nothing is reused from the last frame.
        let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![0u8; 100])));
        assert_eq!(counted.count_total, 1, "the counter works");
        let hover = allocations_of(|i| {
            frame(&mut gizmo, DVec2::new(300.0 + i % 200.0, 250.0), eye + DVec3::X * 1e-3 * i);
        });
        assert_eq!(hover, 0, "{mode:?}, hovering");

        gizmo.pointer_moved(DVec2::new(400.0, 300.0));
        gizmo.pointer_pressed();
        frame(&mut gizmo, DVec2::new(400.0, 300.0), eye);
        frame(&mut gizmo, DVec2::new(400.0, 300.0), eye);
        assert!(gizmo.is_active(), "{mode:?}: no handle at the center");
        let mut events = 0;
        let drag = allocations_of(|i| {
            gizmo.set_held_keys(HeldKeys { snap: (i as u32).is_multiple_of(7), ..HeldKeys::NONE });
            let cursor = DVec2::new(405.0 + i % 300.0, 290.0);
            events += frame(&mut gizmo, cursor, eye + DVec3::X * 1e-3 * i);
        });
        assert!(events > 500, "{mode:?}: the targets do not move");
        assert_eq!(drag, 0, "{mode:?}, dragging");
    }
}

#[test]
fn dragging_thousand_targets_allocates_nothing() {
    for mode in [Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal] {
        for pivot in [Pivot::Median, Pivot::Individual, Pivot::BoundsCenter, Pivot::EachTarget] {
            let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
            gizmo.settings.mode = mode;
            gizmo.settings.pivot = pivot;
            gizmo.settings.input.axis_keys = AxisKeys::Always;
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
                gizmo.set_held_keys(HeldKeys { precision: step.is_multiple_of(5), ..HeldKeys::NONE });
                gizmo.update_with(&shown, &mut targets, &mut |_| Some(DVec3::NAN));
            };
            (0..50).for_each(|_| typing());
            let counted = allocation_counter::measure(|| (0..100).for_each(|_| typing()));
            assert_eq!(counted.count_total, 0, "{mode:?}, {pivot:?}");
            // Without targets.
            gizmo.cancel();
            gizmo.update(&shown, &mut targets);
            let mut nothing = || {
                gizmo.pointer_moved(DVec2::splat(f64::NAN));
                gizmo.update(&shown, &mut []);
                gizmo.answer_on_cpu();
            };
            nothing();
            let counted = allocation_counter::measure(|| (0..100).for_each(|_| nothing()));
            assert_eq!(counted.count_total, 0, "{mode:?}, {pivot:?}, without targets");
        }
    }
}

/// Returns a target under a non-uniform parent. Some targets have a rotation or a scale of zero.
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
