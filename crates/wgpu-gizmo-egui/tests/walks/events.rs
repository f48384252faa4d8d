//! Random events of the pointer, the fingers, the keyboard and assistive technology.

use crate::golden::choose;
use crate::{Host, PANELS, matrices, thousandths};
use egui::accesskit::{Action, ActionData, ActionRequest, TreeId};
use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchDeviceId, TouchId,
    TouchPhase, pos2, vec2,
};
use fastrand::Rng;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::{Transform, View, Viewport};

impl Host {
    /// Returns a point on a handle, near one, or anywhere.
    fn aim(&mut self, rng: &mut Rng) -> Pos2 {
        let by = vec2(thousandths(rng, 80_000), thousandths(rng, 80_000));
        let rect = PANELS[rng.usize(..2)];
        let [eye, lens] = matrices(rect);
        let viewport = Viewport::from_size(rect.width() as u32, rect.height() as u32);
        let view = View::new(eye, lens, viewport, 1.0).expect("the view is valid");
        let seen = |at: DVec3| {
            let px = view.px_from_world(at).unwrap_or_default();
            rect.min + vec2(px.x as f32, px.y as f32)
        };
        let corners = [PANELS[0].left_top(), pos2(60.0, 372.0), PANELS[1].center(), PANELS[0].center()];
        let is_active = self.gizmo.gizmo.is_active();
        let at = match rng.u8(..10) {
            0..=4 if is_active => self.cursor + by,
            // On the object, which is snapped to.
            5..=9 if is_active => seen(DVec3::NEG_X),
            0 => self.cursor + by,
            1 => choose(rng, &corners),
            2 => PANELS[0].center() + vec2(60.0, 0.0),
            _ => {
                let place = self.gizmo.gizmo.pivot_place().unwrap_or(Transform::IDENTITY);
                let along = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.5, 0.5, 0.0), DVec3::ZERO];
                let along = place.rotation * choose(rng, &along) * choose(rng, &[0.7, 0.9, 1.0]);
                let size = 96.0 * view.pixel_size(place.translation);
                seen(place.translation + along * size) + vec2(choose(rng, &[0.0, 0.0, 10.0, 20.0]), 0.0)
            }
        };
        at.round()
    }

    fn button(&self, button: PointerButton, pressed: bool) -> Event {
        Event::PointerButton { pos: self.cursor, button, pressed, modifiers: self.modifiers }
    }

    fn touch(&mut self, rng: &mut Rng) -> Vec<Event> {
        let touch = |id: u64, phase, pos| Event::Touch {
            device_id: TouchDeviceId(0),
            id: TouchId(id),
            phase,
            pos,
            force: None,
        };
        let moved = Event::PointerMoved(self.cursor);
        match rng.u8(..6) {
            0 | 1 => {
                self.cursor = self.aim(rng);
                let pressed = self.button(PointerButton::Primary, true);
                vec![touch(0, TouchPhase::Start, self.cursor), Event::PointerMoved(self.cursor), pressed]
            }
            2 | 3 => {
                self.cursor = self.aim(rng);
                vec![touch(0, TouchPhase::Move, self.cursor), Event::PointerMoved(self.cursor)]
            }
            4 => {
                let released = self.button(PointerButton::Primary, false);
                vec![touch(0, TouchPhase::End, self.cursor), moved, released, Event::PointerGone]
            }
            _ => vec![touch(1, choose(rng, &[TouchPhase::Start, TouchPhase::Cancel]), self.cursor)],
        }
    }

    fn keys(&mut self, rng: &mut Rng) -> Vec<Event> {
        let keys = [
            (Key::X, "x"),
            (Key::Y, "ч"),
            (Key::Num3, "3"),
            (Key::Num8, "*"),
            (Key::Period, "."),
            (Key::Minus, "-"),
            (Key::Tab, ""),
            (Key::Enter, ""),
            (Key::Escape, ""),
            (Key::ArrowUp, ""),
            (Key::Backspace, ""),
            (Key::C, "c"),
        ];
        let (key, text) = choose(rng, &keys);
        let repeat = rng.u8(..8) == 0;
        let pressed =
            Event::Key { key, physical_key: None, pressed: true, repeat, modifiers: self.modifiers };
        let typed = (!text.is_empty()).then(|| Event::Text(text.to_owned()));
        [pressed].into_iter().chain(typed).collect()
    }

    fn request(&self, rng: &mut Rng) -> Vec<Event> {
        if self.sliders.is_empty() {
            return vec![];
        }
        let target_node = choose(rng, &self.sliders);
        let (action, data) = choose(
            rng,
            &[
                (Action::Increment, None),
                (Action::Decrement, None),
                (Action::Focus, None),
                (Action::SetValue, Some(ActionData::NumericValue(0.75))),
            ],
        );
        let target_tree = TreeId::ROOT;
        vec![Event::AccessKitActionRequest(ActionRequest { action, target_tree, target_node, data })]
    }

    /// Returns the events of a step, or changes what the host shows.
    pub(crate) fn step(&mut self, rng: &mut Rng) -> Vec<Event> {
        match rng.u8(..40) {
            0..=9 => {
                self.cursor = self.aim(rng);
                vec![Event::PointerMoved(self.cursor)]
            }
            10..=12 => vec![self.button(PointerButton::Primary, true)],
            13 => {
                // A click beside the handles.
                self.cursor = choose(rng, &PANELS).center() + vec2(-60.0 + thousandths(rng, 50_000), -20.0);
                [true, false].map(|pressed| self.button(PointerButton::Primary, pressed)).to_vec()
            }
            14..=17 => vec![self.button(PointerButton::Primary, false)],
            18 => vec![
                self.button(PointerButton::Secondary, true),
                self.button(PointerButton::Secondary, false),
            ],
            19 => vec![self.button(PointerButton::Middle, rng.bool())],
            20 | 21 => {
                let unit = choose(rng, &[MouseWheelUnit::Point, MouseWheelUnit::Line]);
                let delta = vec2(3.0, if unit == MouseWheelUnit::Line { 1.0 } else { -70.0 });
                let (phase, source, modifiers) =
                    (TouchPhase::Move, MouseWheelSource::Unknown, self.modifiers);
                vec![Event::MouseWheel { unit, delta, phase, source, modifiers }]
            }
            22..=25 => self.touch(rng),
            26..=29 => self.keys(rng),
            30 | 31 => {
                let all =
                    [Modifiers::COMMAND | Modifiers::CTRL, Modifiers::SHIFT, Modifiers::ALT, Modifiers::NONE];
                self.modifiers = choose(rng, &all);
                vec![Event::ModifiersChanged(self.modifiers)]
            }
            32 => {
                self.is_focused = !self.is_focused;
                vec![Event::WindowFocused(self.is_focused)]
            }
            33 => vec![Event::PointerGone],
            34 | 35 => self.request(rng),
            _ => {
                match rng.u8(..5) {
                    0 => self.shown[rng.usize(..2)] ^= true,
                    1 => self.has_button ^= true,
                    2 => self.has_window ^= true,
                    3 => self.change_settings(rng),
                    _ => self.targets[1].local.translation.x += 0.25,
                }
                vec![]
            }
        }
    }
}
