//! The messages of windows and input devices, in the order of the operating system where it is known.

use bevy::app::App;
use bevy::ecs::message::{Message, MessageReader};
use bevy::ecs::system::SystemParam;
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::input::mouse::{MouseButtonInput, MouseWheel};
use bevy::input::touch::TouchInput;
use bevy::window::{
    CursorLeft, CursorMoved, WindowCloseRequested, WindowDestroyed, WindowEvent, WindowFocused,
};

/// The messages of a frame.
///
/// [`WindowEvent`] has all of them in order, and `bevy_winit` writes each twice: as a `WindowEvent` and as a
/// message of its own kind. Tests and input devices of other crates may write the second one alone. So a kind
/// is read from its own messages if no `WindowEvent` of the frame is of this kind: positions first, then
/// buttons.
#[derive(SystemParam)]
pub(crate) struct InputMessages<'w, 's> {
    all: MessageReader<'w, 's, WindowEvent>,
    moved: MessageReader<'w, 's, CursorMoved>,
    left: MessageReader<'w, 's, CursorLeft>,
    keys: MessageReader<'w, 's, KeyboardInput>,
    buttons: MessageReader<'w, 's, MouseButtonInput>,
    wheels: MessageReader<'w, 's, MouseWheel>,
    touches: MessageReader<'w, 's, TouchInput>,
    focus: MessageReader<'w, 's, WindowFocused>,
    keyboard_focus: MessageReader<'w, 's, KeyboardFocusLost>,
    close_requests: MessageReader<'w, 's, WindowCloseRequested>,
    destroyed: MessageReader<'w, 's, WindowDestroyed>,
}

/// Adds the messages that are read, for apps without windows or input.
pub(crate) fn add_messages(app: &mut App) {
    app.add_message::<WindowEvent>()
        .add_message::<CursorMoved>()
        .add_message::<CursorLeft>()
        .add_message::<KeyboardInput>()
        .add_message::<MouseButtonInput>()
        .add_message::<MouseWheel>()
        .add_message::<TouchInput>()
        .add_message::<WindowFocused>()
        .add_message::<KeyboardFocusLost>()
        .add_message::<WindowCloseRequested>()
        .add_message::<WindowDestroyed>();
}

/// Adds the messages of a kind to events that have none of this kind.
fn add_missing<M>(events: &mut Vec<WindowEvent>, messages: &mut MessageReader<'_, '_, M>)
where
    M: Message + Clone + Into<WindowEvent>,
{
    let messages: Vec<WindowEvent> = messages.read().cloned().map(Into::into).collect();
    let Some(first) = messages.first() else { return };
    let kind = std::mem::discriminant(first);
    if events.iter().all(|event| std::mem::discriminant(event) != kind) {
        events.extend(messages);
    }
}

impl InputMessages<'_, '_> {
    /// Returns the messages since the last call.
    pub(crate) fn read(&mut self) -> Vec<WindowEvent> {
        let mut events: Vec<WindowEvent> = self.all.read().cloned().collect();
        let events_mut = &mut events;
        add_missing(events_mut, &mut self.moved);
        add_missing(events_mut, &mut self.left);
        add_missing(events_mut, &mut self.keys);
        add_missing(events_mut, &mut self.buttons);
        add_missing(events_mut, &mut self.wheels);
        add_missing(events_mut, &mut self.touches);
        add_missing(events_mut, &mut self.focus);
        add_missing(events_mut, &mut self.keyboard_focus);
        add_missing(events_mut, &mut self.close_requests);
        add_missing(events_mut, &mut self.destroyed);
        events
    }
}
