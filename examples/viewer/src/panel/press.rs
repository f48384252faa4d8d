//! Gives a press a frame of its own while a text is edited, so the text can be applied before the click.
//!
//! It does so too if the pointer moves on in the same frame: egui looks for the pressed widget at the last position of
//! a frame, and begins no drag in the frame of the release.

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
        let is_after_press = !self.held.is_empty();
        input.events.splice(0..0, self.held.drain(..));
        let events = &input.events;
        let is_press = |event: &Event| matches!(event, Event::PointerButton { pressed: true, .. });
        let is_release = |event: &Event| matches!(event, Event::PointerButton { pressed: false, .. });
        let has_motion =
            |events: &[Event]| events.iter().any(|event| matches!(event, Event::PointerMoved(_)));
        let after_press = events.iter().position(is_press).map(|press| press + 1);
        let after_press = after_press.filter(|at| context.text_edit_focused() || has_motion(&events[*at..]));
        let before_release = events.iter().position(is_release).filter(|_| is_after_press);
        let before_release = before_release.filter(|at| has_motion(&events[..*at]));
        let split = after_press.into_iter().chain(before_release).min().filter(|at| *at < events.len());
        if let Some(at) = split {
            self.held = input.events.split_off(at);
            context.request_repaint();
        }
    }
}
