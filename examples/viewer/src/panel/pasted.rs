//! Caps text from the clipboard, the keyboard and input methods before egui lays it out.

use egui::{Context, Event, ImeEvent, RawInput};

/// The largest number of characters that one paste, key or composition inserts, and that a text field holds.
pub(super) const MAX_CHARACTERS: usize = 4096;

/// A plugin that cuts long texts in the input. Every context of the user interface has it.
#[derive(Debug, Default)]
pub(super) struct TextLimit {
    /// Whether a text was cut since the last call of [`take_message`].
    has_cut: bool,
}

impl egui::Plugin for TextLimit {
    fn debug_name(&self) -> &'static str {
        "text limit"
    }

    fn input_hook(&mut self, _: &Context, input: &mut RawInput) {
        for event in &mut input.events {
            let text = match event {
                Event::Paste(text) | Event::Text(text) | Event::MiddleClickPaste { text, .. } => text,
                Event::Ime(ImeEvent::Commit(text)) => text,
                // A composition has positions in its text, so it is dropped and not cut.
                Event::Ime(ImeEvent::Preedit { text, active_range_chars }) => {
                    if cut(text) {
                        self.has_cut = true;
                        text.clear();
                        *active_range_chars = None;
                    }
                    continue;
                }
                _ => continue,
            };
            self.has_cut |= cut(text);
        }
    }
}

/// Cuts a text after [`MAX_CHARACTERS`]. Returns true if it was longer.
fn cut(text: &mut String) -> bool {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => {
            text.truncate(end);
            // The rest of a long text would keep its memory as long as the undo history of the field.
            text.shrink_to_fit();
            true
        }
        None => false,
    }
}

/// Returns a message if a text was cut since the last call.
pub(super) fn take_message(context: &Context) -> Option<String> {
    let has_cut =
        context.with_plugin(|limit: &mut TextLimit| std::mem::take(&mut limit.has_cut)).unwrap_or_default();
    has_cut.then(|| format!("The text was cut after {MAX_CHARACTERS} characters"))
}
