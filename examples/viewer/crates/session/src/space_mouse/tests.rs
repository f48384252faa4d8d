use super::*;
use crate::cameras::Cameras;
use crate::editor::Editor;
use crate::replay_file::{EventKind, Mods};
use crate::views::Canvas;
use scene::built_in;
use scene::selection::Selection;
use wgpu_gizmo_core::glam::DQuat;
use wgpu_gizmo_core::{Increment, Mode, Transform, Viewport};

const STEP: Duration = Duration::from_millis(10);

/// Returns a session in this mode with the crate selected, which is a root.
fn session(mode: Mode) -> (Session, usize) {
    let editor = Editor::new(built_in::scene()).expect("there are enough ids");
    let cameras = Cameras::of_scene(editor.scene());
    let viewport = Viewport::from_size(640, 480);
    let canvas = Canvas { size_px: [640, 480], viewport, scale_factor: 1.0 };
    let mut session = Session::new(editor, cameras, canvas).expect("the view is valid");
    let node = session.editor.scene().find("crate").expect("the scene has a crate");
    session.editor.select(Selection::of(&[node]), session.views.current());
    set(&mut session, |settings| settings.mode = mode);
    session.update().expect("the view is valid");
    (session, node)
}

fn set(session: &mut Session, change: impl FnOnce(&mut wgpu_gizmo_core::interaction::Settings)) {
    session.editor.change(|values| change(&mut values.gizmo));
}

fn deflection(translation: [f64; 3], rotation: [f64; 3]) -> Deflection {
    Deflection { translation: translation.into(), rotation: rotation.into() }
}

/// Holds the cap for some steps, as frames do. Returns the drag that has ended.
fn hold(
    session: &mut Session,
    mouse: &mut SpaceMouse,
    deflection: Deflection,
    (steps, moves): (u32, Moves),
) -> Option<Drive> {
    mouse.set(deflection);
    let mut ended = None;
    for _ in 0..steps {
        let drive = session.move_by_space_mouse(mouse, moves, STEP);
        session.look().expect("the view is valid");
        session.update().expect("the view is valid");
        ended = ended.or(drive);
    }
    ended
}

fn local(session: &Session, node: usize) -> Transform {
    session.editor.scene().nodes()[node].local
}

#[test]
fn stroke_from_rest_to_rest_is_one_undo_step() {
    for (mode, cap, handles) in [
        (Mode::Translate, deflection([0.1, 0.9, 0.0], [0.0, 1.0, 0.0]), "translate_y"),
        (Mode::Rotate, deflection([0.0, 1.0, 0.0], [0.0, -0.7, 0.1]), "rotate_y"),
        (Mode::Scale, deflection([0.0, 0.5, 0.2], [0.0, 1.0, 0.0]), "scale_uniform"),
        (Mode::Universal, deflection([0.0, 0.4, 0.0], [0.0, 0.8, 0.0]), "rotate_y"),
    ] {
        let (mut session, node) = session(mode);
        let (mut mouse, start) = (SpaceMouse::default(), local(&session, node));
        let steps = session.editor.log().done();
        assert_eq!(hold(&mut session, &mut mouse, cap, (20, Moves::Selection)), None);
        assert!(mouse.is_driving() && session.editor.is_busy());
        // The other hand moves the pointer.
        session.take(&EventKind::Move(DVec2::new(300.0, 200.0)), Mods::default()).expect("the view is valid");
        hold(&mut session, &mut mouse, cap, (20, Moves::Selection));
        let drive = hold(&mut session, &mut mouse, Deflection::REST, (2, Moves::Selection));
        let drive = drive.expect("the drag has ended");
        assert_eq!(drive.handle.name(), handles);
        assert!(!mouse.is_active() && !session.editor.is_busy());
        let moved = local(&session, node);
        assert_ne!(moved, start, "{mode}");
        assert_eq!(session.editor.log().done(), steps + 1, "{mode}");
        session.editor.undo(session.views.current());
        assert_eq!(local(&session, node), start, "{mode}");
        // A recording has the total.
        let again = EventKind::Drive(drive.handle, drive.amount());
        session.take(&again, Mods::default()).expect("the view is valid");
        assert_eq!(local(&session, node), moved, "{mode}");
    }
}

#[test]
fn distance_is_independent_of_frame_rate() {
    let moved = |step: Duration, count: u32| {
        let (mut session, node) = session(Mode::Translate);
        // In perspective, the speed depends on the depth, which changes on the way.
        session.cameras.toggle_orthographic(&session.views);
        session.look().expect("the view is valid");
        let (mut mouse, start) = (SpaceMouse::default(), local(&session, node));
        mouse.set(deflection([0.0, 0.8, 0.0], [0.0; 3]));
        for _ in 0..count {
            session.move_by_space_mouse(&mut mouse, Moves::Selection, step);
        }
        (local(&session, node).translation - start.translation).y
    };
    let reference = moved(Duration::from_millis(50), 10);
    assert!(reference > 0.1, "{reference}");
    assert!((moved(Duration::from_millis(5), 100) / reference - 1.0).abs() < 1e-9);
    assert_eq!(moved(Duration::from_secs(3600), 1), moved(MAX_STEP, 1), "a slow frame causes no jump");
}

#[test]
fn dead_zone_moves_nothing() {
    let (mut session, node) = session(Mode::Universal);
    let (mut mouse, start) = (SpaceMouse::default(), local(&session, node));
    let camera = session.cameras.orbit();
    let touch = 0.99 * DEAD_ZONE;
    hold(&mut session, &mut mouse, deflection([touch, -touch, touch], [touch; 3]), (50, Moves::Selection));
    assert!(!mouse.is_active());
    assert_eq!((local(&session, node), session.cameras.orbit()), (start, camera));
}

#[test]
fn total_of_stroke_is_snapped() {
    let (mut session, node) = session(Mode::Translate);
    set(&mut session, |settings| settings.snap.increments.translate = Increment::new(0.25));
    let (mut mouse, start) = (SpaceMouse::default(), local(&session, node));
    let cap = deflection([0.0, 0.6, 0.0], [0.0; 3]);
    hold(&mut session, &mut mouse, cap, (200, Moves::Selection));
    hold(&mut session, &mut mouse, Deflection::REST, (1, Moves::Selection));
    let steps = (local(&session, node).translation.y - start.translation.y) / 0.25;
    assert!(steps >= 1.0 && (steps - steps.round()).abs() < 1e-9, "{steps}");
}

#[test]
fn canceled_stroke_restores_start_until_rest() {
    let (mut session, node) = session(Mode::Translate);
    let (mut mouse, start) = (SpaceMouse::default(), local(&session, node));
    let cap = deflection([1.0, 0.0, 0.0], [0.0; 3]);
    hold(&mut session, &mut mouse, cap, (10, Moves::Selection));
    assert_ne!(local(&session, node), start);
    session.cancel_space_mouse_drive(&mut mouse);
    assert_eq!(hold(&mut session, &mut mouse, cap, (10, Moves::Selection)), None);
    assert_eq!(local(&session, node), start);
    assert_eq!(hold(&mut session, &mut mouse, Deflection::REST, (1, Moves::Selection)), None);
    hold(&mut session, &mut mouse, cap, (10, Moves::Selection));
    assert_ne!(local(&session, node), start, "the next stroke moves it");
    assert_eq!(session.editor.log().done(), 0);
}

#[test]
fn camera_moves_if_nothing_is_selected_or_set_so() {
    let cap = deflection([0.5, -0.5, 0.5], [0.5; 3]);
    for (is_selected, moves) in [(false, Moves::Selection), (true, Moves::Camera)] {
        let (mut session, node) = session(Mode::Translate);
        if !is_selected {
            session.editor.select(Selection::default(), session.views.current());
            session.update().expect("the view is valid");
        }
        let (mut mouse, start) = (SpaceMouse::default(), local(&session, node));
        let before = session.cameras.orbit();
        assert_eq!(hold(&mut session, &mut mouse, cap, (10, moves)), None);
        assert_ne!(session.cameras.orbit(), before);
        let drive = hold(&mut session, &mut mouse, Deflection::REST, (1, moves));
        assert_eq!((drive, local(&session, node)), (None, start));
    }
}

#[test]
fn scene_follows_cap_when_camera_moves() {
    // The motion of a point of the scene in view space.
    let moved = |cap: Deflection| {
        let (mut session, _) = session(Mode::None);
        let seen = |session: &Session, point: DVec3| {
            let view = session.views.main();
            let from_eye = point - view.eye().expect("the camera is in perspective");
            DVec3::new(view.right().dot(from_eye), view.up().dot(from_eye), -view.forward().dot(from_eye))
        };
        let view = session.views.main();
        let center = session.cameras.orbit().expect("it is the orbit camera").center();
        let point = center + 0.3 * view.up() + 0.2 * view.right() - 0.1 * view.forward();
        let before = seen(&session, point);
        hold(&mut session, &mut SpaceMouse::default(), cap, (5, Moves::Selection));
        seen(&session, point) - before
    };
    assert!(moved(deflection([1.0, 0.0, 0.0], [0.0; 3])).x > 0.01);
    assert!(moved(deflection([0.0, 1.0, 0.0], [0.0; 3])).y > 0.01);
    assert!(moved(deflection([0.0, 0.0, 1.0], [0.0; 3])).z > 0.01);
    // A point above the center comes nearer if the scene tips over the right axis, and one at its right recedes if
    // the scene turns about the up axis.
    assert!(moved(deflection([0.0; 3], [1.0, 0.0, 0.0])).z > 0.01);
    assert!(moved(deflection([0.0; 3], [0.0, 1.0, 0.0])).z < -0.01);
}

#[test]
fn push_selects_nearest_axis_of_gizmo_in_view() {
    let (session, _) = session(Mode::Translate);
    let view = *session.views.main();
    let place = session.editor.gizmo().pivot_place().expect("the crate is selected");
    for direction in [DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_X] {
        let axis = place.rotation * direction;
        let from_world = DMat3::from_cols(view.right(), view.up(), -view.forward()).transpose();
        let cap = Deflection { translation: from_world * axis, rotation: DVec3::ZERO };
        let handle = session.handle_toward(cap).expect("the mode has arrows");
        let name = ["translate_x", "translate_y", "translate_z"][direction.abs().max_position()];
        assert_eq!(handle.name(), name);
        let amount = session.amount_of(handle, cap, 0.1);
        assert_eq!(amount.signum(), direction.element_sum().signum(), "{direction}");
    }
    assert!(place.rotation.angle_between(DQuat::IDENTITY) < 1e-12);
}

#[test]
fn busy_or_locked_selection_leaves_cap_to_camera() {
    let (mut session, node) = session(Mode::Translate);
    session.editor.gizmo_key(
        wgpu_gizmo_core::interaction::Key::Axis(wgpu_gizmo_core::handle::Axis::X),
        Default::default(),
    );
    session.update().expect("the view is valid");
    assert!(session.editor.is_busy());
    let (mut mouse, before) = (SpaceMouse::default(), session.cameras.orbit());
    hold(&mut session, &mut mouse, deflection([1.0, 0.0, 0.0], [0.0; 3]), (5, Moves::Selection));
    assert!(session.editor.is_busy() && session.cameras.orbit() != before);
    session.editor.cancel();
    session.update().expect("the view is valid");
    session.editor.set_flag(&[node], scene::flags::Flag::Locked, true);
    session.update().expect("the view is valid");
    hold(&mut session, &mut mouse, Deflection::REST, (1, Moves::Selection));
    let (before, start) = (session.cameras.orbit(), local(&session, node));
    hold(&mut session, &mut mouse, deflection([1.0, 0.0, 0.0], [0.0; 3]), (5, Moves::Selection));
    assert!(session.cameras.orbit() != before && local(&session, node) == start);
}
