//! Window events, and how a gizmo responds to them.
#![allow(missing_docs, reason = "test names describe themselves")]

use wgpu_gizmo_core::glam::{DVec2, DVec3, dcamera::rh};
use wgpu_gizmo_core::interaction::Key as GizmoKey;
use wgpu_gizmo_core::{Event, Gizmo, IdSpace, Snap, Target, Transform, View, Viewport};
use wgpu_gizmo_winit::{Response, WinitInput, cursor_icon, gizmo_key};
use winit::dpi::PhysicalPosition;
use winit::event::{DeviceId, ElementState, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};
use winit::window::CursorIcon;

/// A pixel of the x arrow, and one where nothing is.
const ARROW: DVec2 = DVec2::new(460.0, 300.0);
const EMPTY: DVec2 = DVec2::new(100.0, 100.0);

struct Host {
    input: WinitInput,
    gizmo: Gizmo,
    targets: [Target; 1],
    view: View,
    events: Vec<Event>,
}

impl Host {
    /// A world unit is 100 pixels, and the gizmo is in the center.
    fn new() -> Self {
        let view = View::new(
            rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y),
            rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0),
            Viewport::from_size(800, 600),
            1.0,
        );
        let mut host = Self {
            input: WinitInput::new(1.0),
            gizmo: Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids"),
            targets: [Target::from_world(Transform::IDENTITY)],
            view: view.expect("the view is valid"),
            events: Vec::new(),
        };
        host.frame();
        host
    }

    fn frame(&mut self) {
        for _ in 0..3 {
            self.events.extend(self.gizmo.update(&self.view, &mut self.targets));
            self.gizmo.answer_on_cpu();
        }
    }

    fn on(&mut self, event: &WindowEvent) -> Response {
        self.input.on_window_event(&mut self.gizmo, event)
    }

    fn move_to(&mut self, px: DVec2) -> bool {
        let position = PhysicalPosition::new(px.x, px.y);
        self.on(&WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position }).consumed
    }

    fn button(&mut self, button: MouseButton, state: ElementState) -> bool {
        self.on(&WindowEvent::MouseInput { device_id: DeviceId::dummy(), state, button }).consumed
    }

    fn touch(&mut self, id: u64, phase: TouchPhase, px: DVec2) -> bool {
        self.on(&touch(id, phase, px)).consumed
    }

    fn wheel(&mut self, delta: MouseScrollDelta) -> bool {
        let event = WindowEvent::MouseWheel { device_id: DeviceId::dummy(), delta, phase: TouchPhase::Moved };
        self.on(&event).consumed
    }

    fn x(&self) -> f64 {
        self.targets[0].local.translation.x
    }
}

fn touch(id: u64, phase: TouchPhase, px: DVec2) -> WindowEvent {
    let location = PhysicalPosition::new(px.x, px.y);
    WindowEvent::Touch(Touch { device_id: DeviceId::dummy(), phase, location, force: None, id })
}

use ElementState::{Pressed, Released};
use MouseButton::{Left, Middle, Right};

#[test]
fn mouse_drag_is_consumed_and_moves_target() {
    let mut host = Host::new();
    assert!(!host.move_to(ARROW));
    host.frame();
    assert_eq!(cursor_icon(&host.gizmo), CursorIcon::Grab);
    assert!(host.button(Left, Pressed));
    host.frame();
    assert!(host.move_to(ARROW + DVec2::new(100.0, 40.0)));
    host.frame();
    assert_eq!(cursor_icon(&host.gizmo), CursorIcon::Grabbing);
    assert!(host.button(Left, Released));
    host.frame();
    assert!((host.x() - 1.0).abs() < 1e-9);
    assert!(matches!(host.events[..], [Event::Started(_), .., Event::Ended { changed: true }]));
}

#[test]
fn hovered_handle_leaves_other_buttons_to_camera() {
    let mut host = Host::new();
    host.move_to(ARROW);
    host.frame();
    assert!(host.gizmo.hovered().is_some());
    for button in [Middle, Right, MouseButton::Back] {
        assert!(!host.button(button, Pressed) && !host.button(button, Released), "{button:?}");
    }
    assert!(!host.wheel(MouseScrollDelta::LineDelta(0.0, 1.0)));
}

#[test]
fn wheel_that_shift_turns_sideways_nudges() {
    let mut host = Host::new();
    host.gizmo.settings.input.wheel_nudge = true;
    host.move_to(ARROW);
    host.frame();
    for (delta, x) in [
        (MouseScrollDelta::LineDelta(1.0, 0.0), 0.5),
        (MouseScrollDelta::PixelDelta((50.0, 0.0).into()), 1.0),
    ] {
        host.on(&WindowEvent::ModifiersChanged(ModifiersState::empty().into()));
        assert!(!host.wheel(delta), "it scrolls sideways");
        host.on(&WindowEvent::ModifiersChanged(ModifiersState::SHIFT.into()));
        assert!(host.wheel(delta));
        host.frame();
        assert!((host.x() - x).abs() < 1e-9, "{}", host.x());
    }
}

/// Otherwise the context menu of the host would open.
#[test]
fn release_of_right_button_that_canceled_is_consumed() {
    let mut host = Host::new();
    host.move_to(ARROW);
    host.button(Left, Pressed);
    host.frame();
    assert!(host.button(Right, Pressed));
    host.frame();
    assert_eq!(host.events.last(), Some(&Event::Canceled));
    assert!(host.button(Right, Released));
    assert!(!host.button(Right, Pressed) && !host.button(Right, Released), "that is a click of the host");
}

#[test]
fn press_with_unknown_hover_is_consumed_until_answer() {
    let mut host = Host::new();
    host.move_to(EMPTY);
    assert!(host.button(Left, Pressed), "nobody knows yet what is there");
    assert!(host.move_to(EMPTY + 1.0));
    host.frame();
    assert!(!host.move_to(EMPTY + 2.0), "nothing was there");
}

#[test]
fn press_modifiers_outlive_release_of_keys() {
    let mut host = Host::new();
    host.move_to(EMPTY);
    host.on(&WindowEvent::ModifiersChanged(ModifiersState::SHIFT.into()));
    host.button(Left, Pressed);
    host.button(Left, Released);
    host.on(&WindowEvent::ModifiersChanged(ModifiersState::empty().into()));
    // The click is known only now, after an answer.
    host.frame();
    assert_eq!(host.events, [Event::ClickedNothing]);
    assert_eq!(host.input.modifiers(), ModifiersState::empty());
    assert_eq!(host.input.press_modifiers(), ModifiersState::SHIFT);
    host.button(Left, Pressed);
    assert_eq!(host.input.press_modifiers(), ModifiersState::empty());
}

#[test]
fn lost_focus_cancels_and_forgets_modifiers() {
    let mut host = Host::new();
    host.on(&WindowEvent::ModifiersChanged(ModifiersState::SHIFT.into()));
    host.move_to(ARROW);
    host.button(Left, Pressed);
    host.frame();
    host.on(&WindowEvent::Focused(false));
    host.frame();
    assert!(host.events.contains(&Event::Canceled));
    assert_eq!(host.input.modifiers(), ModifiersState::empty());
    // The release went to another window, so nothing is held any more.
    host.move_to(ARROW);
    host.frame();
    host.frame();
    let claims = host.gizmo.claims();
    assert!(claims.primary_press && !claims.primary_drag && !claims.click, "{claims:?}");
    host.button(Left, Pressed);
    host.frame();
    assert!(host.gizmo.is_active());
}

#[test]
fn closing_window_cancels_drag() {
    for event in [WindowEvent::CloseRequested, WindowEvent::Destroyed] {
        let mut host = Host::new();
        host.move_to(ARROW);
        host.button(Left, Pressed);
        host.frame();
        host.move_to(ARROW + DVec2::new(50.0, 0.0));
        host.frame();
        assert!(host.targets[0].local != Transform::IDENTITY);
        assert!(!host.on(&event).consumed);
        host.frame();
        assert_eq!(host.events.last(), Some(&Event::Canceled));
        assert!(host.targets[0].local == Transform::IDENTITY && !host.gizmo.is_active());
    }
}

#[test]
fn control_key_snaps() {
    let mut host = Host::new();
    host.gizmo.settings.snap.while_held = Snap::DEFAULT_INCREMENTS;
    host.move_to(ARROW);
    host.button(Left, Pressed);
    host.frame();
    host.move_to(ARROW + DVec2::new(97.0, 0.0));
    host.frame();
    let free = host.x();
    let keys = if cfg!(target_os = "macos") { ModifiersState::SUPER } else { ModifiersState::CONTROL };
    host.on(&WindowEvent::ModifiersChanged(keys.into()));
    host.frame();
    assert!((free - 0.97).abs() < 1e-9 && (host.x() - 1.0).abs() < 1e-9, "{free}, {}", host.x());
    // With other modifiers, it is one of those.
    host.input.snap_modifiers = ModifiersState::ALT | ModifiersState::SHIFT;
    host.on(&WindowEvent::ModifiersChanged(keys.into()));
    host.frame();
    assert_eq!(host.x(), free);
    host.on(&WindowEvent::ModifiersChanged(ModifiersState::ALT.into()));
    host.frame();
    assert!((host.x() - 1.0).abs() < 1e-9, "{}", host.x());
}

#[test]
fn finger_has_larger_tolerance_until_mouse_moves() {
    let mut host = Host::new();
    let beside = ARROW + DVec2::new(0.0, 20.0);
    let mouse = host.gizmo.settings.input.tolerance_lpx;
    host.move_to(beside);
    host.frame();
    assert_eq!(host.gizmo.hovered(), None);
    host.touch(1, TouchPhase::Started, beside);
    // Some systems report the finger as a mouse, too.
    host.move_to(beside);
    host.frame();
    assert!(host.gizmo.is_active());
    assert!(host.touch(1, TouchPhase::Moved, beside + DVec2::new(50.0, 0.0)));
    assert!(host.touch(1, TouchPhase::Ended, beside + DVec2::new(50.0, 0.0)));
    host.frame();
    assert!((host.x() - 0.5).abs() < 1e-9, "{}", host.x());
    assert_eq!(host.gizmo.hovered(), None, "a finger that is up hovers over nothing");
    host.move_to(beside);
    host.frame();
    assert_eq!((host.gizmo.hovered(), host.gizmo.settings.input.tolerance_lpx), (None, mouse));
}

#[test]
fn second_finger_cancels_drag() {
    let mut host = Host::new();
    host.gizmo.settings.snap.while_held = Snap::DEFAULT_INCREMENTS;
    host.on(&WindowEvent::ModifiersChanged(host.input.snap_modifiers.into()));
    host.touch(1, TouchPhase::Started, ARROW);
    host.frame();
    host.touch(1, TouchPhase::Moved, ARROW + 60.0);
    host.frame();
    assert!(host.x() > 0.1);
    assert!(!host.touch(2, TouchPhase::Started, EMPTY));
    host.frame();
    assert_eq!(host.x(), 0.0);
    assert!(!host.touch(1, TouchPhase::Moved, ARROW + 90.0));
    host.touch(1, TouchPhase::Ended, ARROW);
    host.touch(2, TouchPhase::Ended, EMPTY);
    host.frame();
    assert!(!host.gizmo.is_busy() && host.x() == 0.0);
    // The modifier is still held.
    host.touch(1, TouchPhase::Started, ARROW);
    host.touch(1, TouchPhase::Moved, ARROW + DVec2::new(97.0, 0.0));
    host.frame();
    assert!((host.x() - 1.0).abs() < 1e-9, "{}", host.x());
    // Another window gets the end of the touch.
    host.on(&WindowEvent::Focused(false));
    host.frame();
    assert_eq!((host.x(), host.gizmo.hovered()), (0.0, None));
    assert!(host.touch(2, TouchPhase::Started, ARROW), "it is the only finger");
}

#[test]
fn keys_are_consumed_only_in_drags() {
    let mut host = Host::new();
    host.move_to(EMPTY);
    host.frame();
    let character = |text: &str| Key::Character(text.into());
    let press = |host: &mut Host, key: &Key, code| {
        let consumed = host.input.key(&mut host.gizmo, key, PhysicalKey::Code(code));
        host.frame();
        consumed
    };
    assert!(!press(&mut host, &character("5"), KeyCode::Digit5));
    assert!(!press(&mut host, &Key::Named(NamedKey::Escape), KeyCode::Escape));
    assert!(!press(&mut host, &character("ч"), KeyCode::KeyX), "no handle is hovered");
    host.move_to(ARROW);
    host.frame();
    assert!(press(&mut host, &character("ч"), KeyCode::KeyX), "it begins a drag along X");
    assert!(press(&mut host, &character("q"), KeyCode::KeyQ), "a key of the host would disturb");
    assert!(press(&mut host, &character("5"), KeyCode::Digit5));
    assert!(press(&mut host, &Key::Named(NamedKey::Enter), KeyCode::Enter));
    assert!((host.x() - 5.0).abs() < 1e-9);
    // Undo is not a drag along Z.
    host.on(&WindowEvent::ModifiersChanged(ModifiersState::CONTROL.into()));
    assert!(!press(&mut host, &character("z"), KeyCode::KeyZ));
    let x = gizmo_key(&character("x"), PhysicalKey::Code(KeyCode::KeyX), ModifiersState::empty());
    assert!(matches!(x, Some(GizmoKey::Axis(_))));
}
