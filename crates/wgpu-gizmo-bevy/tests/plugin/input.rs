//! Claims, and input from other sources than a mouse in a window.

use crate::scene::{Scene, assert_near, lpx};
use bevy::ecs::system::RunSystemOnce;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardFocusLost};
use bevy::input::mouse::MouseButtonInput;
use bevy::input::touch::{TouchInput, TouchPhase};
use bevy::prelude::*;
use bevy::window::{CursorLeft, CursorMoved, WindowFocused};
use wgpu_gizmo_bevy::core::Mode;
use wgpu_gizmo_bevy::core::interaction::Claims;
use wgpu_gizmo_bevy::{
    ClickPassed, DragCanceled, DragEnded, DragStarted, GizmoClaims, GizmoInput, GizmoPlugin, GizmoTarget,
    conditions,
};

#[derive(Resource, Default)]
struct Runs {
    orbit: u32,
    select: u32,
}

/// Adds a camera controller and a selection that yield to the gizmo.
fn with_systems(scene: &mut Scene) {
    let orbit = |mut runs: ResMut<Runs>, buttons: Res<ButtonInput<MouseButton>>| {
        runs.orbit += u32::from(buttons.pressed(MouseButton::Left));
    };
    let select = |mut runs: ResMut<Runs>, buttons: Res<ButtonInput<MouseButton>>| {
        runs.select += u32::from(buttons.just_released(MouseButton::Left));
    };
    let systems = (orbit.run_if(conditions::primary_is_free), select.run_if(conditions::click_is_free));
    scene.app.init_resource::<Runs>().add_systems(Update, systems);
}

/// Returns whether the secondary and the middle button, the wheel and the keys are free.
fn free(scene: &mut Scene) -> [bool; 4] {
    use conditions::{keys_are_free, middle_is_free, secondary_is_free, wheel_is_free};
    type Condition = fn(Option<Res<GizmoClaims>>) -> bool;
    let conditions: [Condition; 4] = [secondary_is_free, middle_is_free, wheel_is_free, keys_are_free];
    conditions.map(|is_free| scene.app.world_mut().run_system_once(is_free).expect("it is a system"))
}

#[test]
fn claims_follow_hover_press_drag_and_release() {
    let (mut scene, _) = Scene::with(Transform::IDENTITY);
    assert_eq!((scene.claims(), free(&mut scene)), (Claims::default(), [true; 4]));
    scene.settings().input.wheel_nudge = true;
    scene.move_to(lpx(0.6, 0.0));
    scene.frame();
    let claims = scene.claims();
    assert!(claims.primary_press && !claims.primary_drag && !claims.secondary && !claims.keys);
    assert_eq!(free(&mut scene), [true, true, false, true], "the wheel would move the target");
    scene.press();
    scene.frame();
    let claims = scene.claims();
    assert!(claims.primary_drag && claims.secondary && claims.keys && claims.middle);
    assert_eq!(free(&mut scene), [false; 4]);
    scene.move_to(lpx(1.6, 0.0));
    scene.release();
    scene.move_to(lpx(-2.0, 2.0));
    scene.frame();
    assert!(scene.claims().click, "the release selects nothing");
    scene.frame();
    assert_eq!(scene.claims(), Claims::default());
}

#[test]
fn systems_with_conditions_run_only_if_pointer_is_free() {
    let mut scene = Scene::new();
    with_systems(&mut scene);
    scene.target(Transform::IDENTITY);
    scene.frame();
    scene.drag(lpx(0.6, 0.0), lpx(1.6, 0.0));
    let runs = scene.app.world().resource::<Runs>();
    assert_eq!((runs.orbit, runs.select), (0, 0));
    scene.drag(lpx(-2.0, -2.0), lpx(-2.0, -2.0));
    let runs = scene.app.world().resource::<Runs>();
    assert_eq!((runs.orbit, runs.select), (2, 1));
    // An orbit that passes over a handle goes on.
    scene.drag(lpx(-2.0, -2.0), lpx(1.6, 0.0));
    assert_eq!(scene.app.world().resource::<Runs>().orbit, 4);
}

#[test]
fn click_on_center_is_passed_to_selection() {
    let mut scene = Scene::new();
    with_systems(&mut scene);
    scene.target(Transform::IDENTITY);
    scene.frame();
    scene.drag(lpx(0.0, 0.0), lpx(0.0, 0.0));
    assert_eq!(scene.read::<ClickPassed>().len(), 1);
    assert_eq!(scene.app.world().resource::<Runs>().select, 1);
    assert!(!scene.read::<DragEnded>()[0].changed);
}

#[test]
fn messages_without_window_events_are_read() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    let window = scene.window;
    let world = |scene: &mut Scene, position| {
        scene.app.world_mut().write_message(CursorMoved { window, position, delta: None });
    };
    let button = |scene: &mut Scene, state| {
        scene.app.world_mut().write_message(MouseButtonInput { button: MouseButton::Left, state, window });
        scene.app.update();
    };
    world(&mut scene, lpx(0.6, 0.0));
    button(&mut scene, ButtonState::Pressed);
    world(&mut scene, lpx(1.6, 0.0));
    button(&mut scene, ButtonState::Released);
    assert_near(scene.transform(target).translation, Vec3::X);
}

#[test]
fn ignored_pointer_and_keys_do_nothing() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.move_to(lpx(0.6, 0.0));
    scene.frame();
    assert!(scene.claims().primary_press);
    scene.app.world_mut().resource_mut::<GizmoInput>().ignore_pointer = true;
    scene.frame();
    assert!(!scene.claims().primary_press);
    scene.drag(lpx(0.6, 0.0), lpx(1.6, 0.0));
    let mut input = scene.app.world_mut().resource_mut::<GizmoInput>();
    (input.ignore_pointer, input.ignore_keys) = (false, true);
    scene.move_to(lpx(0.6, 0.0));
    scene.type_key("x");
    scene.type_key("2");
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::ZERO);
    assert!(scene.read::<DragStarted>().is_empty());
}

#[test]
fn drag_goes_on_while_pointer_is_ignored() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    scene.move_to(lpx(0.6, 0.0));
    scene.press();
    scene.frame();
    scene.app.world_mut().resource_mut::<GizmoInput>().ignore_pointer = true;
    scene.move_to(lpx(1.6, 0.0));
    scene.frame();
    scene.release();
    scene.frame();
    assert_near(scene.transform(target).translation, Vec3::X);
    assert!(scene.read::<DragEnded>()[0].changed);
}

#[test]
fn lost_focus_cancels_drag() {
    for by_keyboard in [true, false] {
        let (mut scene, target) = Scene::with(Transform::IDENTITY);
        scene.begin(lpx(0.6, 0.0), lpx(1.6, 0.0));
        let window = scene.window;
        if by_keyboard {
            scene.write(KeyboardFocusLost);
        } else {
            scene.write(WindowFocused { window, focused: false });
        }
        scene.frame();
        assert_eq!(scene.transform(target), Transform::IDENTITY);
        assert_eq!(scene.read::<DragCanceled>().len(), 1);
        scene.drag(lpx(0.6, 0.0), lpx(1.1, 0.0));
        assert_near(scene.transform(target).translation, Vec3::X * 0.5);
    }
}

#[test]
fn pointer_that_left_window_hovers_nothing() {
    let (mut scene, _) = Scene::with(Transform::IDENTITY);
    scene.move_to(lpx(0.6, 0.0));
    scene.frame();
    assert!(scene.gizmo().hovered().is_some());
    let window = scene.window;
    scene.write(CursorLeft { window });
    scene.frame();
    assert!(scene.gizmo().hovered().is_none() && !scene.claims().primary_press);
}

#[test]
fn finger_drags_with_larger_tolerance() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    let window = scene.window;
    let mut touch = |phase, position| {
        scene.write(TouchInput { phase, position, window, force: None, id: 7 });
        scene.frame();
    };
    // A mouse misses the arrow by this much.
    let off = Vec2::new(0.0, 12.0);
    touch(TouchPhase::Started, lpx(0.6, 0.0) + off);
    touch(TouchPhase::Moved, lpx(1.6, 0.0) + off);
    touch(TouchPhase::Ended, lpx(1.6, 0.0) + off);
    assert_near(scene.transform(target).translation, Vec3::X);
    assert!(scene.gizmo().hovered().is_none());
    scene.drag(lpx(1.6, 0.0) + off, lpx(2.6, 0.0) + off);
    assert_near(scene.transform(target).translation, Vec3::X);
}

#[test]
fn touch_whose_end_was_lost_cancels_drag_and_starts_anew() {
    let (mut scene, target) = Scene::with(Transform::IDENTITY);
    let window = scene.window;
    let touch = |scene: &mut Scene, phase, position| {
        scene.write(TouchInput { phase, position, window, force: None, id: 7 });
        scene.frame();
    };
    touch(&mut scene, TouchPhase::Started, lpx(0.6, 0.0));
    touch(&mut scene, TouchPhase::Moved, lpx(1.6, 0.0));
    assert_near(scene.transform(target).translation, Vec3::X);
    touch(&mut scene, TouchPhase::Started, lpx(0.7, 0.0));
    assert_eq!(scene.transform(target), Transform::IDENTITY);
    touch(&mut scene, TouchPhase::Moved, lpx(2.7, 0.0));
    touch(&mut scene, TouchPhase::Ended, lpx(2.7, 0.0));
    assert_near(scene.transform(target).translation, 2.0 * Vec3::X);
}

#[test]
fn wheel_nudges_if_settings_say_so() {
    let mut scene = Scene::new();
    scene.settings().mode = Mode::Translate;
    let target = scene.target(Transform::IDENTITY);
    scene.frame();
    scene.move_to(lpx(0.6, 0.0));
    scene.wheel(Vec2::Y);
    scene.frame();
    assert_eq!(scene.transform(target), Transform::IDENTITY);
    assert!(!scene.claims().wheel);
    scene.settings().input.wheel_nudge = true;
    scene.frame();
    assert!(scene.claims().wheel);
    scene.wheel(Vec2::Y);
    scene.frame();
    let x = scene.transform(target).translation.x;
    assert!(x > 0.0);
    // On macOS and in browsers, Shift turns the wheel sideways.
    scene.wheel(Vec2::X);
    scene.frame();
    assert_eq!(scene.transform(target).translation.x, x);
    scene.key(KeyCode::ShiftLeft, Key::Shift, ButtonState::Pressed);
    scene.wheel(Vec2::X);
    scene.frame();
    assert!(scene.transform(target).translation.x > x);
}

#[test]
fn undo_shortcut_begins_no_drag() {
    let (mut scene, _) = Scene::with(Transform::IDENTITY);
    scene.move_to(lpx(0.6, 0.0));
    scene.key(KeyCode::ControlLeft, Key::Control, ButtonState::Pressed);
    scene.key(KeyCode::KeyZ, Key::Character("z".into()), ButtonState::Pressed);
    scene.frame();
    assert!(scene.read::<DragStarted>().is_empty() && !scene.claims().keys);
}

#[test]
fn plugin_without_windows_and_renderer_does_nothing() {
    let mut app = App::new();
    app.add_plugins((GizmoPlugin, MinimalPlugins));
    let target = app.world_mut().spawn((GizmoTarget, Transform::IDENTITY)).id();
    app.finish();
    app.cleanup();
    app.world_mut().write_message(KeyboardFocusLost);
    app.update();
    app.update();
    assert_eq!(app.world().get::<Transform>(target), Some(&Transform::IDENTITY));
    assert_eq!(**app.world().resource::<GizmoClaims>(), Claims::default());
}
