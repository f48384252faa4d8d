//! The window: events in, frames out.

mod deferred_input;
mod files;
mod flight;
mod input;
mod keyboard;
mod pace;
mod pointer_capture;
mod pointers;
mod recording;
mod screen;
mod size;

pub(crate) use recording::editor_of;

use crate::device::Backend;
use crate::editor::Editor;
use crate::files::{Ask, FileEvent};
use crate::replay_file::{Replay, SceneSource};
use egui_winit::accesskit_winit;
use screen::Screen;
use std::error::Error;
use std::path::PathBuf;
use wgpu_gizmo::glam::DVec2;
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy, OwnedDisplayHandle};
use winit::window::WindowId;

/// What reaches the window from elsewhere than the window system.
#[derive(Debug)]
pub(crate) enum UserEvent {
    /// A screen reader asks or acts.
    Accessibility(accesskit_winit::Event),
    /// A thread has something to tell of a file.
    File(FileEvent),
}

impl From<accesskit_winit::Event> for UserEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// What is to be seen first.
pub(crate) struct Start {
    /// Shown until the file is read, or for good.
    pub(crate) editor: Editor,
    /// What that is called.
    pub(crate) name: String,
    /// To be read.
    pub(crate) file: Option<PathBuf>,
    /// Whether the panel is shown from the start.
    pub(crate) shows_panel: bool,
    /// What the scene that is shown is made of.
    pub(crate) source: SceneSource,
    /// To be played.
    pub(crate) replay: Option<Replay>,
    /// Where to write what is done.
    pub(crate) record: Option<PathBuf>,
    /// Where tests go.
    pub(crate) out: PathBuf,
    /// Prints a line for each frame that is drawn.
    pub(crate) prints_frames: bool,
}

/// The program with a window, before and after there is one.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    proxy: EventLoopProxy<UserEvent>,
    backend: Option<Backend>,
    /// Waits for the window.
    start: Option<Start>,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
}

impl App {
    pub(crate) fn new(
        (display, proxy): (OwnedDisplayHandle, EventLoopProxy<UserEvent>),
        backend: Option<Backend>,
        start: Start,
    ) -> Self {
        Self { display, proxy, backend, start: Some(start), screen: None, failure: None }
    }

    /// What went wrong, if the window closed for it.
    pub(crate) fn outcome(self) -> Result<(), Box<dyn Error>> {
        self.failure.map_or(Ok(()), Err)
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Box<dyn Error>) {
        if let Some(screen) = &self.screen {
            screen.rescue();
        }
        self.failure = Some(error);
        event_loop.exit();
    }
}

impl ApplicationHandler<UserEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(start) = self.start.take() else { return };
        match Screen::new(event_loop, (self.display.clone(), self.proxy.clone()), self.backend, start) {
            Ok(screen) => self.screen = Some(screen),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        match event {
            WindowEvent::CloseRequested => screen.ask(Ask::Quit),
            WindowEvent::RedrawRequested => {
                if let Err(error) = screen.frame() {
                    self.fail(event_loop, error);
                    return;
                }
            }
            event => screen.on_event(&event),
        }
        if screen.may_close() {
            event_loop.exit();
        }
    }

    /// A tooltip, say, comes a while after the pointer has stopped.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &mut self.screen else { return };
        match screen.rest() {
            Ok(wake_at) => {
                event_loop.set_control_flow(wake_at.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
                if screen.may_close() {
                    event_loop.exit();
                }
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let (Some(screen), DeviceEvent::MouseMotion { delta: (x, y) }) = (&mut self.screen, event) {
            screen.device_moved(DVec2::new(x, y));
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        let written = self.screen.as_ref().map(Screen::write_recording);
        if let Some(Err(error)) = written {
            self.failure.get_or_insert(error.into());
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        let Some(screen) = &mut self.screen else { return };
        match event {
            UserEvent::Accessibility(event) => screen.accessibility(event),
            UserEvent::File(event) => screen.on_file_event(event),
        }
        // A window that nobody sees may have no frames.
        if screen.may_close() {
            event_loop.exit();
        }
    }
}
