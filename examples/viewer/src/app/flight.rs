//! Flying in the window: who has the pointer and the keys meanwhile, and the clock.

use super::screen::Screen;
use crate::command::Command;
use crate::fly::{Fly, Way};
use crate::replay_file::EventKind;
use std::time::Instant;
use wgpu_gizmo::glam::DVec2;
use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, KeyEvent, MouseScrollDelta, WindowEvent};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::CursorGrabMode;

/// A flight under way.
pub(super) struct Flight {
    fly: Fly,
    /// As far as it has been flown.
    until: Instant,
    /// The pointer stays where it is, and its motion comes from the device.
    is_locked: bool,
    /// Where the pointer was sent, until it is there.
    sent_px: Option<DVec2>,
}

/// By where keys are, not by what is on them.
const WAYS: [(KeyCode, Way); 6] = [
    (KeyCode::KeyW, Way::Forward),
    (KeyCode::KeyS, Way::Back),
    (KeyCode::KeyA, Way::Left),
    (KeyCode::KeyD, Way::Right),
    (KeyCode::KeyE, Way::Up),
    (KeyCode::KeyQ, Way::Down),
];

impl Screen {
    pub(super) fn take_off(&mut self) {
        if self.editor.is_busy() || self.navigating.is_some() {
            return;
        }
        let orbit = self.cameras.own(&self.views);
        orbit.set_parallel(false);
        let fly = Fly::new(orbit);
        let is_locked = self.window.set_cursor_grab(CursorGrabMode::Locked).is_ok();
        if !is_locked {
            // Where it cannot be kept in either, it is sent back before it leaves.
            let _ = self.window.set_cursor_grab(CursorGrabMode::Confined);
        }
        self.window.set_cursor_visible(false);
        self.editor.pointer_left();
        self.editor.say("Flying: W A S D E Q, Shift faster, wheel for the speed, Esc to end");
        self.flight = Some(Flight { fly, until: Instant::now(), is_locked, sent_px: None });
    }

    pub(super) fn land(&mut self) {
        self.flight = None;
        let _ = self.window.set_cursor_grab(CursorGrabMode::None);
        self.window.set_cursor_visible(true);
        self.editor.say("");
        // The pointer is somewhere again.
        let (at_px, v) = (self.cursor_px, self.picture.viewport);
        let first = DVec2::new(v.x, v.y);
        let past = first + DVec2::new(v.width, v.height);
        if at_px.cmpge(first).all() && at_px.cmplt(past).all() {
            self.act(EventKind::Move(at_px));
        }
    }

    /// The eye goes on as the clock has. Says whether it is to go on at once.
    pub(super) fn fly_on(&mut self) -> bool {
        let Some(flight) = &mut self.flight else { return false };
        let now = Instant::now();
        let elapsed = now - std::mem::replace(&mut flight.until, now);
        flight.fly.step(self.cameras.own(&self.views), elapsed);
        flight.fly.is_moving()
    }

    /// Takes an event while flying; `false` for those that are about something else.
    pub(super) fn flown(&mut self, event: &WindowEvent) -> bool {
        match event {
            WindowEvent::CursorMoved { position, .. } => self.flown_past(DVec2::new(position.x, position.y)),
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } | WindowEvent::Focused(false) => {
                self.land();
                // Other things come of a focus that is lost.
                return !matches!(event, WindowEvent::Focused(_));
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => f64::from(*lines),
                    MouseScrollDelta::PixelDelta(by) => by.y / (40.0 * self.window.scale_factor()),
                };
                if let Some(flight) = &mut self.flight {
                    flight.fly.speed_up(notches);
                    self.editor.say(format!("Flying {:.2} units a second", flight.fly.speed()));
                }
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                if let Some(flight) = &mut self.flight {
                    flight.fly.hurry(modifiers.state().shift_key());
                }
                return false;
            }
            WindowEvent::KeyboardInput { event, .. } => self.flown_by_key(event),
            WindowEvent::Touch(_) | WindowEvent::MouseInput { .. } => {}
            _ => return false,
        }
        true
    }

    fn flown_by_key(&mut self, event: &KeyEvent) {
        let PhysicalKey::Code(code) = event.physical_key else { return };
        let is_pressed = event.state == ElementState::Pressed;
        match WAYS.iter().find(|(key, _)| *key == code) {
            Some((_, way)) => {
                self.fly_on();
                if let Some(flight) = &mut self.flight {
                    flight.fly.hold(*way, is_pressed);
                }
            }
            None if is_pressed && !event.repeat => match code {
                KeyCode::Escape | KeyCode::Enter | KeyCode::KeyJ => self.land(),
                KeyCode::KeyF => self.run(Command::Frame),
                _ => {}
            },
            None => {}
        }
    }

    /// The pointer went here, where it is not locked: it is sent back to the middle before it
    /// reaches an edge.
    fn flown_past(&mut self, cursor_px: DVec2) {
        let before = std::mem::replace(&mut self.cursor_px, cursor_px);
        let Some(flight) = self.flight.as_mut().filter(|flight| !flight.is_locked) else { return };
        if let Some(sent_px) = flight.sent_px {
            // What was under way before it was sent is not about where it is now.
            if sent_px.distance(cursor_px) < 2.0 {
                flight.sent_px = None;
            }
            return;
        }
        self.look_round(cursor_px - before);
        let size = self.window.inner_size();
        let size = DVec2::new(size.width.into(), size.height.into());
        let middle = (0.5 * size).floor();
        let off = (cursor_px - middle).abs() / size;
        if off.max_element() > 0.3
            && self.window.set_cursor_position(PhysicalPosition::new(middle.x, middle.y)).is_ok()
            && let Some(flight) = &mut self.flight
        {
            flight.sent_px = Some(middle);
        }
    }

    /// The mouse itself has moved, wherever the pointer is.
    pub(super) fn device_moved(&mut self, by_px: DVec2) {
        if self.flight.as_ref().is_some_and(|flight| flight.is_locked) {
            self.look_round(by_px);
            self.wake();
        }
    }

    fn look_round(&mut self, by_px: DVec2) {
        let by_lpx = by_px / self.window.scale_factor();
        if let Some(flight) = &self.flight {
            // With the head, not with the world.
            flight.fly.look(self.cameras.own(&self.views), by_lpx);
        }
    }
}
