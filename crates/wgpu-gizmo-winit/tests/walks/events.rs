//! Random events of the pointer, the fingers, the window and the keyboard.

use crate::golden::choose;
use crate::{Host, thousandths};
use fastrand::Rng;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use winit::dpi::PhysicalPosition;
use winit::event::{
    DeviceId, ElementState, Ime, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent,
};
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// Returns a key with a text. Its event cannot be made without a window.
pub(crate) fn key(rng: &mut Rng) -> (Key, PhysicalKey, Option<&'static str>) {
    use NamedKey::{ArrowLeft, ArrowUp, Backspace, Enter, Escape, F5, Space, Tab};
    let letters: Vec<char> = "xXyzZчНé٥ž157.-*q".chars().collect();
    let letter = Key::Character(choose(rng, &letters).to_string().into());
    let named = Key::Named(choose(rng, &[ArrowLeft, ArrowUp, Backspace, Enter, Escape, F5, Space, Tab]));
    let other = choose(rng, &[Key::Dead(Some('^')), Key::Character("ab".into())]);
    let logical = choose(rng, &[letter.clone(), letter, named, other]);
    let codes = [KeyCode::KeyX, KeyCode::KeyY, KeyCode::KeyA, KeyCode::Digit3, KeyCode::Numpad7];
    let text = choose(rng, &[None, Some("x"), Some("^"), Some("^3"), Some("\r"), Some(" "), Some("")]);
    (logical, PhysicalKey::Code(choose(rng, &codes)), text)
}

impl Host {
    /// Returns a whole pixel on a handle, near one, or anywhere.
    fn aim(&self, rng: &mut Rng) -> PhysicalPosition<f64> {
        let view = &self.windows[self.pointer_in].view;
        let place = self.gizmo.pivot_place().unwrap_or(Transform::IDENTITY);
        let size =
            self.gizmo.settings.display.size_lpx * view.scale_factor() * view.pixel_size(place.translation);
        let directions =
            [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, 0.6, 0.0), DVec3::new(0.0, 0.3, 0.3), DVec3::ZERO];
        let along = place.rotation * choose(rng, &directions) * choose(rng, &[0.7, 0.9, 1.0]);
        let off = DVec2::new(thousandths(rng, 1000), thousandths(rng, 1000)) * choose(rng, &[0.0, 8.0, 25.0]);
        let by = DVec2::new(thousandths(rng, 90_000), thousandths(rng, 90_000));
        let on_handle = view.px_from_world(place.translation + size * along);
        let px = match on_handle.filter(|_| !self.gizmo.is_active()) {
            Some(px) if rng.u8(..5) > 0 => px + off,
            _ => self.cursor_px + by,
        };
        PhysicalPosition::new(px.x.round(), px.y.round())
    }

    fn touch(&mut self, rng: &mut Rng) -> (&'static str, WindowEvent) {
        let is_down = !self.fingers.is_empty() && rng.u8(..5) > 0;
        let id = if is_down { choose(rng, &self.fingers) } else { rng.u64(1..7) };
        // Most moves.
        use TouchPhase::{Cancelled, Ended, Moved, Started};
        let phase = choose(rng, &[Moved, Moved, Moved, Moved, Ended, Ended, Cancelled]);
        let (name, phase) = match phase {
            _ if !is_down => ("finger down", Started),
            Moved => ("finger", phase),
            Ended => ("finger up", phase),
            _ => ("finger canceled", phase),
        };
        if matches!(phase, Ended | Cancelled) {
            self.fingers.retain(|other| *other != id);
        } else if phase == Started {
            self.fingers.push(id);
        }
        let location = self.aim(rng);
        (name, WindowEvent::Touch(Touch { device_id: DeviceId::dummy(), phase, location, force: None, id }))
    }

    pub(crate) fn event(&mut self, rng: &mut Rng) -> (&'static str, WindowEvent) {
        let device_id = DeviceId::dummy();
        let button = |button, state| WindowEvent::MouseInput { device_id, state, button };
        let (pressed, released) = (ElementState::Pressed, ElementState::Released);
        match if self.has_gestures && rng.bool() { 24 } else { rng.u8(..40) } {
            0..=9 => ("moved", WindowEvent::CursorMoved { device_id, position: self.aim(rng) }),
            10..=13 => ("pressed", button(MouseButton::Left, pressed)),
            14..=16 => ("released", button(MouseButton::Left, released)),
            17 => ("right", button(MouseButton::Right, pressed)),
            18 => ("right up", button(MouseButton::Right, released)),
            19 => ("middle", button(choose(rng, &[MouseButton::Middle, MouseButton::Back]), pressed)),
            20 => ("middle up", button(MouseButton::Middle, released)),
            21..=23 => {
                let amount = choose(rng, &[0.0, 1.0, -1.0, 2.5]);
                let px = MouseScrollDelta::PixelDelta(PhysicalPosition::new(7.0, 30.0 * f64::from(amount)));
                let delta = choose(rng, &[MouseScrollDelta::LineDelta(1.0, amount), px]);
                ("wheel", WindowEvent::MouseWheel { device_id, delta, phase: TouchPhase::Moved })
            }
            24..=32 => self.touch(rng),
            33..=35 => {
                let [none, shift] = [ModifiersState::empty(), ModifiersState::SHIFT];
                let others = [ModifiersState::CONTROL, ModifiersState::ALT, ModifiersState::SUPER];
                let held = choose(rng, &[none, shift]) | choose(rng, &others) & choose(rng, &[none, !none]);
                ("modifiers", WindowEvent::ModifiersChanged(held.into()))
            }
            36 => ("left", WindowEvent::CursorLeft { device_id }),
            _ => {
                let ime = WindowEvent::Ime(Ime::Commit("x".to_owned()));
                let rare = [
                    ("focus lost", WindowEvent::Focused(false)),
                    ("focus", WindowEvent::Focused(true)),
                    ("closing", WindowEvent::CloseRequested),
                    ("closed", WindowEvent::Destroyed),
                    ("resized", WindowEvent::Resized((640, 480).into())),
                    ("shown", WindowEvent::Occluded(false)),
                    ("hidden", WindowEvent::Occluded(true)),
                    ("entered", WindowEvent::CursorEntered { device_id }),
                    ("ime", ime),
                ];
                choose(rng, &rare)
            }
        }
    }
}
