//! The window: events in, frames out.

mod flight;
mod input;
mod recording;
mod screen;

pub(crate) use recording::editor_of;

use crate::device::Backend;
use crate::editor::Editor;
use crate::replay_file::{Replay, SceneSource};
use egui_winit::accesskit_winit;
use screen::Screen;
use std::error::Error;
use std::path::PathBuf;
use wgpu_gizmo::glam::DVec2;
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
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

/// What is shown when the window opens.
pub(crate) struct Opening {
    pub(crate) editor: Editor,
    /// What its scene is made of.
    pub(crate) source: SceneSource,
    /// To be played.
    pub(crate) replay: Option<Replay>,
    /// Where to write what is done.
    pub(crate) record: Option<PathBuf>,
    /// Where tests go.
    pub(crate) out: PathBuf,
    pub(crate) title: String,
}

/// The program with a window, before and after there is one.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    proxy: EventLoopProxy<UserEvent>,
    backend: Option<Backend>,
    /// Waits for the window.
    opening: Option<Opening>,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
}

impl App {
    pub(crate) fn new(
        (display, proxy): (OwnedDisplayHandle, EventLoopProxy<UserEvent>),
        backend: Option<Backend>,
        opening: Opening,
    ) -> Self {
        Self { display, proxy, backend, opening: Some(opening), screen: None, failure: None }
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
        let Some(opening) = self.opening.take() else { return };
        let system = (self.display.clone(), self.proxy.clone());
        match Screen::new(event_loop, system, self.backend, opening) {
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

    fn user_event(&mut self, _: &ActiveEventLoop, event: UserEvent) {
        let Some(screen) = &mut self.screen else { return };
        match event {
            UserEvent::Accessibility(event) => screen.accessibility(event),
        }
    }
}
