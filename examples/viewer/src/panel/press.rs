//! Gives a press a frame of its own while a text is edited, so the text can be applied before the click.

use egui::{Context, Event, RawInput};

/// A plugin that splits the input after a press while a text is edited.
#[derive(Debug, Default)]
pub(super) struct PressFirst {
    /// The events after the press, which the next frame gets.
    held: Vec<Event>,
}

impl egui::Plugin for PressFirst {
    fn debug_name(&self) -> &'static str {
        "press first"
    }

    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        input.events.splice(0..0, self.held.drain(..));
        let is_press = |event: &Event| matches!(event, Event::PointerButton { pressed: true, .. });
        if let Some(press) = input.events.iter().position(is_press)
            && press + 1 < input.events.len()
            && context.text_edit_focused()
        {
            self.held = input.events.split_off(press + 1);
            context.request_repaint();
        }
    }
}
