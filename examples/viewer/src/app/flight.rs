//! Flying in the window: captures the pointer and the keys, and steps the flight by the clock.

use super::screen::Screen;
use super::scroll::Scroll;
use session::command::Command;
use session::fly::Fly;
use session::replay_file::EventKind;
use web_time::Instant;
use wgpu_gizmo::glam::{DVec2, DVec3};
use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::CursorGrabMode;

/// A flight in progress.
pub(super) struct Flight {
    fly: Fly,
    /// Time of the last simulation step.
    last_step: Instant,
    /// Whether the pointer is locked, so that its motion comes from device events.
    is_locked: bool,
    /// The position that the pointer was warped to, until it arrives there.
    warped_px: Option<DVec2>,
}

/// The keys by their position on the keyboard, independent of the layout, and their directions: right, up, forward.
const MOVE_KEYS: [(KeyCode, DVec3); 6] = [
    (KeyCode::KeyW, DVec3::Z),
    (KeyCode::KeyS, DVec3::NEG_Z),
    (KeyCode::KeyA, DVec3::NEG_X),
    (KeyCode::KeyD, DVec3::X),
    (KeyCode::KeyE, DVec3::Y),
    (KeyCode::KeyQ, DVec3::NEG_Y),
];

impl Screen {
    /// Starts a flight with the viewer's camera, unless something is dragged.
    pub(super) fn start_flight(&mut self) {
        if self.session.editor.is_busy() || self.navigation.is_some() {
            return;
        }
        let orbit = self.session.orbit();
        orbit.is_orthographic = false;
        let fly = Fly::new(orbit);
        let is_locked = self.surface.window.set_cursor_grab(CursorGrabMode::Locked).is_ok();
        if !is_locked {
            // If it cannot be confined either, it is warped back before it leaves.
            let _ = self.surface.window.set_cursor_grab(CursorGrabMode::Confined);
        }
        self.surface.window.set_cursor_visible(false);
        self.forget_held();
        self.session.editor.pointer_left();
        self.session.editor.show_message("Flying: W A S D E Q move; Shift: faster; wheel: speed; Esc ends");
        self.flight = Some(Flight { fly, last_step: Instant::now(), is_locked, warped_px: None });
    }

    /// Ends the flight and releases the pointer.
    pub(super) fn end_flight(&mut self) {
        self.flight = None;
        let _ = self.surface.window.set_cursor_grab(CursorGrabMode::None);
        self.surface.window.set_cursor_visible(true);
        self.session.editor.show_message("");
        // The pointer hovers again.
        if self.session.canvas.viewport.contains(self.cursor_px) {
            self.act(EventKind::Move(self.cursor_px));
        }
    }

    /// Advances the flight to the current time. Returns true if it needs another step immediately.
    pub(super) fn step_flight(&mut self) -> bool {
        let Some(flight) = &mut self.flight else { return false };
        let now = Instant::now();
        let elapsed = now - std::mem::replace(&mut flight.last_step, now);
        flight.fly.step(self.session.orbit(), elapsed)
    }

    /// Handles an event during a flight. Returns false if there is none, or if the event must be handled as usual.
    pub(super) fn on_flight_event(&mut self, event: &WindowEvent) -> bool {
        let Some(flight) = &mut self.flight else { return false };
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.on_flight_cursor(DVec2::new(position.x, position.y))
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } | WindowEvent::Focused(false) => {
                self.end_flight();
                // Losing the focus has other effects too.
                return !matches!(event, WindowEvent::Focused(_));
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let scroll = Scroll::new(*delta, self.surface.window.scale_factor());
                let notches = scroll.notches(self.keyboard.modifiers.shift_key());
                flight.fly.speed_up(notches);
                let message = format!("Flying at {:.2} units per second; Esc ends", flight.fly.speed());
                self.session.editor.show_message(message);
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                flight.fly.is_fast = modifiers.state().shift_key();
                return false;
            }
            WindowEvent::KeyboardInput { event, .. } => self.on_flight_key(event),
            WindowEvent::Touch(_) | WindowEvent::MouseInput { .. } => {}
            _ => return false,
        }
        true
    }

    fn on_flight_key(&mut self, event: &KeyEvent) {
        let PhysicalKey::Code(code) = event.physical_key else { return };
        let is_pressed = event.state == ElementState::Pressed;
        match MOVE_KEYS.iter().find(|(key, _)| *key == code) {
            Some((_, direction)) => {
                self.step_flight();
                if let Some(flight) = &mut self.flight {
                    flight.fly.hold(*direction, is_pressed);
                }
            }
            None if is_pressed && !event.repeat => match code {
                KeyCode::Escape | KeyCode::Enter | KeyCode::KeyJ => self.end_flight(),
                KeyCode::KeyF => self.run(Command::FrameSelection),
                _ => {}
            },
            None => {}
        }
    }

    /// Handles motion of a pointer that is not locked: warps it back to the center before it reaches an
    /// edge.
    fn on_flight_cursor(&mut self, cursor_px: DVec2) {
        let before = std::mem::replace(&mut self.cursor_px, cursor_px);
        let Some(flight) = self.flight.as_mut().filter(|flight| !flight.is_locked) else { return };
        if let Some(warped_px) = flight.warped_px {
            // Motion from before the warp can still be in the queue; it is ignored.
            if warped_px.distance(cursor_px) < 2.0 {
                flight.warped_px = None;
            }
            return;
        }
        self.look_by(cursor_px - before);
        let size = DVec2::from(self.surface.size_px().map(f64::from));
        let center = (0.5 * size).floor();
        let off = (cursor_px - center).abs() / size;
        if off.max_element() > 0.3
            && self.surface.window.set_cursor_position(PhysicalPosition::new(center.x, center.y)).is_ok()
            && let Some(flight) = &mut self.flight
        {
            flight.warped_px = Some(center);
        }
    }

    /// Handles raw mouse motion, which looks around while the pointer is locked.
    pub(super) fn device_moved(&mut self, by_px: DVec2) {
        if self.flight.as_ref().is_some_and(|flight| flight.is_locked) {
            self.look_by(by_px);
            self.wake();
        }
    }

    fn look_by(&mut self, by_px: DVec2) {
        // Rotates the eye in place instead of orbiting.
        self.session.orbit().look(by_px / self.surface.window.scale_factor());
    }
}
