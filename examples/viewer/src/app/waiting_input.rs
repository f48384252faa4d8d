//! Input that waits: keys until the widget that they are meant for has the focus, and presses until it is known what
//! those before them have selected. The gizmo queues what follows a press, but within one view only, so motion in
//! another view waits here too.

use super::screen::Screen;
use std::collections::VecDeque;
use wgpu_gizmo::glam::DVec2;
use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, KeyEvent, Touch, TouchPhase, WindowEvent};
use winit::keyboard::{Key, NamedKey};

/// Number of frames until a widget that was clicked or focused accepts keys: it gets the focus in the first
/// and edits text from the second.
const FRAMES: u8 = 2;

/// egui moves the focus before it reads the text that was typed in the same frame, so these keys, and presses of
/// buttons, wait for the next one.
const FOCUS_KEYS: [Key; 2] = [Key::Named(NamedKey::Tab), Key::Named(NamedKey::F6)];

/// The events that wait, in order of arrival.
#[derive(Debug, Default)]
pub(super) struct WaitingInput {
    events: VecDeque<WindowEvent>,
    /// Frames until the focus has changed.
    frames_left: u8,
}

impl WaitingInput {
    /// Lets keys wait for the next frames, because the focus is about to change. Fast typing is neither lost nor
    /// interpreted as shortcuts.
    pub(super) fn wait_for_focus(&mut self) {
        self.frames_left = FRAMES;
    }

    /// Discards presses, which were meant for a scene that is no longer shown.
    pub(super) fn drop_presses(&mut self) {
        self.events.retain(|event| !is_press(event));
    }
}

impl Screen {
    /// Keeps an event back if it must wait. Returns true if so.
    pub(super) fn defer(&mut self, event: &WindowEvent) -> bool {
        // A click must not overtake the key that was pressed before it, so all input after a waiting event waits.
        let is_ordered =
            is_user_input(event) || is_request(event) || matches!(event, WindowEvent::ModifiersChanged(_));
        let is_after = is_ordered && !self.waiting_input.events.is_empty();
        let waits = is_after || self.must_wait(event);
        if waits {
            self.waiting_input.events.push_back(event.clone());
        }
        waits
    }

    /// Counts a frame, and handles the events that need not wait any longer. Returns true if another step is needed.
    pub(super) fn run_waiting_input(&mut self) -> bool {
        self.waiting_input.frames_left = self.waiting_input.frames_left.saturating_sub(1);
        let mut has_run = false;
        while let Some(event) = self.waiting_input.events.pop_front() {
            if self.must_wait(&event) {
                self.waiting_input.events.push_front(event);
                return true;
            }
            if is_press(&event) {
                // A click on the view cube before it may have turned the camera.
                self.end_easing();
                self.record_views();
                let _ = self.update_session();
            }
            self.handle_event(&event);
            has_run = true;
        }
        has_run || self.waiting_input.frames_left > 0
    }

    /// Returns true if an event acts on something that is not known yet.
    fn must_wait(&mut self, event: &WindowEvent) -> bool {
        if self.panel.takes_text() && self.files.dialog.is_none() && self.is_for_files(event) {
            // The typed text is applied first.
            self.panel.page.ends_text = true;
            self.waiting_input.wait_for_focus();
        }
        match event {
            WindowEvent::ModifiersChanged(_) => self.waiting_input.frames_left > 0,
            WindowEvent::KeyboardInput { event, .. } => {
                self.waiting_input.frames_left > 0
                    || event.state == ElementState::Pressed
                        && (self.key_waits(event)
                            || FOCUS_KEYS.contains(&event.logical_key) && self.panel.has_keys())
            }
            WindowEvent::CursorMoved { position, .. } => self.motion_waits(*position),
            WindowEvent::Touch(Touch { phase: TouchPhase::Moved, location, .. }) => {
                self.motion_waits(*location)
            }
            // Without pixels there are no picks, and the window would wait forever.
            event if is_request(event) => {
                let waits = self.waiting_input.frames_left > 0 || self.is_selecting();
                waits && !self.surface.size_px().contains(&0)
            }
            event => {
                is_press(event) && (self.is_selecting() || self.panel.has_keys() && self.panel.takes_text())
            }
        }
    }

    /// Returns true while it is not known what a click or a box selects.
    pub(super) fn is_selecting(&self) -> bool {
        self.session.editor.waits() || self.stage.is_finding_region()
    }

    /// Returns true if the press of a key acts on what is being selected.
    fn key_waits(&self, event: &KeyEvent) -> bool {
        // Esc cancels a picture that takes long, whose pick would take long too.
        let cancels = event.logical_key == Key::Named(NamedKey::Escape) && self.stage.progress().is_some();
        !cancels && !self.session.editor.gizmo().claims().keys && self.is_selecting()
    }

    /// Returns true if the pointer moves in another view than that of a pending press.
    fn motion_waits(&self, position: PhysicalPosition<f64>) -> bool {
        let views = &self.session.views;
        let at_px = DVec2::new(position.x, position.y);
        self.session.editor.awaits_press() && views.at(at_px).viewport() != views.current().viewport()
    }
}

/// Returns true for the press of a key, a button or a finger.
fn is_press(event: &WindowEvent) -> bool {
    match event {
        WindowEvent::KeyboardInput { event, .. } => event.state == ElementState::Pressed,
        WindowEvent::MouseInput { state, .. } => *state == ElementState::Pressed,
        WindowEvent::Touch(touch) => touch.phase == TouchPhase::Started,
        WindowEvent::DoubleTapGesture { .. } => true,
        _ => false,
    }
}

/// Returns true if the user closes the window or drops a file.
pub(super) fn is_request(event: &WindowEvent) -> bool {
    matches!(event, WindowEvent::CloseRequested | WindowEvent::DroppedFile(_))
}

/// Returns true for events that the user causes and that act on the scene.
pub(super) fn is_user_input(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::CursorMoved { .. }
            | WindowEvent::CursorLeft { .. }
            | WindowEvent::MouseInput { .. }
            | WindowEvent::MouseWheel { .. }
            | WindowEvent::KeyboardInput { .. }
            | WindowEvent::Touch(_)
            | WindowEvent::PinchGesture { .. }
            | WindowEvent::PanGesture { .. }
            | WindowEvent::RotationGesture { .. }
            | WindowEvent::DoubleTapGesture { .. }
            | WindowEvent::Focused(false)
    )
}
