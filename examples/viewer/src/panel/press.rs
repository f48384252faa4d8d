//! Gives every press a frame of its own, so that an edited text can be applied before the click.
//!
//! Besides, egui looks for the pressed widget at the last position of a frame, and in the frame of the release it
//! begins no drag and moves no slider.

use egui::{Context, Event, RawInput};

/// A plugin that splits the input of a frame at presses and releases.
#[derive(Debug, Default)]
pub(super) struct PressFirst {
    /// The events that the next frame gets.
    held: Vec<Event>,
}

impl egui::Plugin for PressFirst {
    fn debug_name(&self) -> &'static str {
        "press first"
    }

    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        input.events.splice(0..0, self.held.drain(..));
        let events = &input.events;
        let is_press = |event: &Event| matches!(event, Event::PointerButton { pressed: true, .. });
        let is_release = |event: &Event| matches!(event, Event::PointerButton { pressed: false, .. });
        let is_motion = |event: &Event| matches!(event, Event::PointerMoved(_));
        let after_press = events.iter().position(is_press).map(|press| press + 1);
        let before_release =
            events.iter().position(is_release).filter(|at| events[..*at].iter().any(is_motion));
        let split = after_press.into_iter().chain(before_release).min().filter(|at| *at < events.len());
        if let Some(at) = split {
            self.held = input.events.split_off(at);
            context.request_repaint();
        }
    }
}
