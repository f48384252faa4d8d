//! The window: events in, frames out.

mod input;
mod screen;

use crate::device::Backend;
use crate::editor::Editor;
use egui_winit::accesskit_winit;
use screen::Screen;
use std::error::Error;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy, OwnedDisplayHandle};
use winit::window::WindowId;

/// What reaches the window from elsewhere than the window system.
#[derive(Debug)]
pub(crate) enum UserEvent {
    /// A screen reader asks or acts.
    Accessibility(accesskit_winit::Event),
}

impl From<accesskit_winit::Event> for UserEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// The program with a window, before and after there is one.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    proxy: EventLoopProxy<UserEvent>,
    backend: Option<Backend>,
    title: String,
    /// Waits for the window.
    editor: Option<Editor>,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
}

impl App {
    pub(crate) fn new(
        (display, proxy): (OwnedDisplayHandle, EventLoopProxy<UserEvent>),
        backend: Option<Backend>,
        editor: Editor,
        title: String,
    ) -> Self {
        Self { display, proxy, backend, title, editor: Some(editor), screen: None, failure: None }
    }

    /// What went wrong, if the window closed for it.
    pub(crate) fn outcome(self) -> Result<(), Box<dyn Error>> {
        self.failure.map_or(Ok(()), Err)
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Box<dyn Error>) {
        self.failure = Some(error);
        event_loop.exit();
    }
}

impl ApplicationHandler<UserEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(editor) = self.editor.take() else { return };
        match Screen::new(
            event_loop,
            (self.display.clone(), self.proxy.clone()),
            self.backend,
            editor,
            &self.title,
        ) {
            Ok(screen) => self.screen = Some(screen),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                if let Err(error) = screen.frame() {
                    self.fail(event_loop, error);
                }
            }
            event => screen.on_event(&event),
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, event: UserEvent) {
        let Some(screen) = &mut self.screen else { return };
        match event {
            UserEvent::Accessibility(event) => screen.accessibility(event),
        }
    }
}
