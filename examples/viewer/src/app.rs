//! The window: handles winit's events and draws frames.

mod commands;
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
mod touch;

pub(crate) use recording::editor_of;

use crate::files::Request;
use crate::user_event::UserEvent;
use gltf_io::AllowedFolders;
use screen::Screen;
use session::editor::Editor;
use session::replay_file::{Replay, SceneSource};
use std::error::Error;
use std::path::PathBuf;
use wgpu::Backends;
use wgpu_gizmo::glam::DVec2;
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy, OwnedDisplayHandle};
use winit::window::WindowId;

/// The initial state of the window, from the command line.
pub(crate) struct Start {
    /// The editor that is shown until the file is loaded, or permanently without a file.
    pub(crate) editor: Editor,
    /// The name of its scene.
    pub(crate) name: String,
    /// The file to load.
    pub(crate) file: Option<PathBuf>,
    /// Folders outside of the scene's own that may be read.
    pub(crate) allowed: AllowedFolders,
    /// Whether the panel is initially open.
    pub(crate) shows_panel: bool,
    /// The source of the scene, for recordings.
    pub(crate) source: SceneSource,
    /// The replay to play.
    pub(crate) replay: Option<Replay>,
    /// The file to write the recording to.
    pub(crate) record: Option<PathBuf>,
    /// The folder that tests are written to.
    pub(crate) out: PathBuf,
    /// Whether each drawn frame prints a line.
    pub(crate) prints_frames: bool,
}

/// The application: winit creates its window when the event loop starts.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    proxy: EventLoopProxy<UserEvent>,
    backends: Option<Backends>,
    /// Present until the window is created.
    start: Option<Start>,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
}

impl App {
    pub(crate) fn new(
        (display, proxy): (OwnedDisplayHandle, EventLoopProxy<UserEvent>),
        backends: Option<Backends>,
        start: Start,
    ) -> Self {
        Self { display, proxy, backends, start: Some(start), screen: None, failure: None }
    }

    /// Returns the error that closed the window, if any.
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
        match Screen::new(event_loop, (self.display.clone(), self.proxy.clone()), self.backends, start) {
            Ok(screen) => self.screen = Some(screen),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        match event {
            WindowEvent::CloseRequested => screen.request(Request::Quit),
            WindowEvent::RedrawRequested => {
                if let Err(error) = screen.frame() {
                    self.fail(event_loop, error);
                    return;
                }
            }
            event => screen.on_event(&event),
        }
        if screen.try_close() {
            event_loop.exit();
        }
    }

    /// Makes the pending step and sets the time of the next one, for example to show a tooltip.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &mut self.screen else { return };
        match screen.about_to_wait() {
            Ok(wake_at) => {
                event_loop.set_control_flow(wake_at.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
                if screen.try_close() {
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
        // A hidden window may get no redraw events.
        if screen.try_close() {
            event_loop.exit();
        }
    }
}
