//! The window: handles winit's events and draws frames.

mod commands;
#[cfg_attr(target_arch = "wasm32", path = "app/page_dialogs.rs")]
mod desktop_dialogs;
mod device;
mod easing;
mod files;
mod flight;
mod grabbing;
mod input;
mod keyboard;
mod navigation;
mod opening;
mod pace;
mod pointer_capture;
mod pointers;
mod recording;
#[cfg(target_arch = "wasm32")]
mod report;
mod screen;
mod scroll;
mod shared;
#[cfg_attr(target_arch = "wasm32", path = "app/page_size.rs")]
mod size;
mod test_hook;
mod waiting_input;
mod window_surface;

pub(crate) use shared::SharedApp;
pub(crate) use test_hook::TestHook;

use crate::files::Request;
use crate::options::Options;
use crate::user_event::UserEvent;
use opening::Opening;
use screen::Screen;
use session::editor::Editor;
use session::replay_file::{Replay, SceneSource};
use std::error::Error;
use std::sync::Arc;
use wgpu::Backends;
use wgpu_gizmo::glam::DVec2;
use winit::application::ApplicationHandler;
#[cfg(not(target_arch = "wasm32"))]
use winit::error::EventLoopError;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy, OwnedDisplayHandle};
use winit::window::{Window, WindowId};

/// The initial state of the window.
pub(crate) struct Start {
    /// The editor that is shown until the file is loaded, or permanently without a file.
    pub(crate) editor: Editor,
    /// The name of its scene.
    pub(crate) name: &'static str,
    /// The source of the scene, for recordings.
    pub(crate) source: SceneSource,
    /// The replay to play.
    pub(crate) replay: Option<Replay>,
    pub(crate) options: Options,
}

/// The application: winit creates its window when the event loop starts.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    proxy: EventLoopProxy<UserEvent>,
    backends: Option<Backends>,
    /// Present until the window is created.
    start: Option<Start>,
    /// The device that is being opened.
    opening: Opening,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
    test_hook: Option<TestHook>,
}

/// The error if a signal has closed the window.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("Ended by signal {0}")]
pub(crate) struct Signaled(pub(crate) i32);

impl App {
    pub(crate) fn new(
        (display, proxy): (OwnedDisplayHandle, EventLoopProxy<UserEvent>),
        start: Start,
    ) -> Self {
        Self {
            display,
            proxy,
            backends: start.options.backends,
            test_hook: start.options.test_hook,
            start: Some(start),
            opening: Opening::default(),
            screen: None,
            failure: None,
        }
    }

    /// Returns the error that closed the window, if any. `result` is that of the event loop, which fails
    /// when the display goes away.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn outcome(&mut self, result: Result<(), EventLoopError>) -> Result<(), Box<dyn Error>> {
        let failure = self.failure.take();
        if result.is_err() && failure.is_none() {
            self.keep_unsaved();
        }
        failure.map_or(result.map_err(Into::into), Err)
    }

    /// Keeps unsaved changes before the window closes without a question.
    #[cfg(not(target_arch = "wasm32"))]
    fn keep_unsaved(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.keep_unsaved();
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Box<dyn Error>) {
        #[cfg(target_arch = "wasm32")]
        crate::page::failed(&error.to_string(), self.screen.as_mut().and_then(Screen::unsaved_file));
        #[cfg(not(target_arch = "wasm32"))]
        self.keep_unsaved();
        self.failure = Some(error);
        event_loop.exit();
    }

    /// Closes the window if the user has closed it and nothing would be lost.
    fn try_close(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.as_mut().is_some_and(Screen::try_close) {
            event_loop.exit();
        }
    }

    /// Returns the value of a successful step. After the loss of the device, continues on a new one; any
    /// other error closes the window.
    fn handle<T>(
        &mut self,
        event_loop: &ActiveEventLoop,
        step: impl FnOnce(&mut Screen) -> Result<T, Box<dyn Error>>,
    ) -> Option<T> {
        let screen = self.screen.as_mut().filter(|_| self.failure.is_none() && !self.opening.is_pending())?;
        let result = screen.device_state.check().and_then(|()| step(screen));
        let error = match result.and_then(|value| screen.device_state.check().map(|()| value)) {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let may_renew = screen.device_state.is_lost() && self.test_hook != Some(TestHook::LoseDevice);
        let renewed = if may_renew { screen.begin_renewal() } else { Err(error) };
        match renewed {
            Ok(()) => {
                let window = screen.surface.window.clone();
                self.open_device(event_loop, window);
            }
            Err(error) => self.fail(event_loop, error),
        }
        None
    }

    /// Opens a device for a window.
    fn open_device(&mut self, event_loop: &ActiveEventLoop, window: Arc<Window>) {
        self.opening.begin((self.display.clone(), self.proxy.clone()), self.backends, window);
        self.continue_opening(event_loop);
    }

    /// Shows the scene once a device is there.
    fn continue_opening(&mut self, event_loop: &ActiveEventLoop) {
        let Some(opened) = self.opening.take() else { return };
        let proxy = self.proxy.clone();
        let shown = opened.and_then(|opened| match (&mut self.screen, self.start.take()) {
            (Some(screen), _) => screen.continue_on(opened),
            (None, Some(start)) => {
                self.screen = Some(Screen::new(event_loop, proxy, opened, start)?);
                Ok(())
            }
            (None, None) => Ok(()),
        });
        if let Err(error) = shown {
            self.fail(event_loop, error);
        }
    }
}

impl ApplicationHandler<UserEvent> for SharedApp {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let app = &mut *self.0.borrow_mut();
        let Some(start) = app.start.as_ref().filter(|_| !app.opening.is_pending()) else { return };
        let title = format!("{} – wgpu-gizmo", start.name);
        match screen::hidden_window(event_loop, &title, start.replay.as_ref()) {
            Ok(window) => app.open_device(event_loop, window),
            Err(error) => app.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let app = &mut *self.0.borrow_mut();
        let Some(screen) = &mut app.screen else { return };
        match event {
            WindowEvent::RedrawRequested => {
                if app.handle(event_loop, Screen::frame).is_none() {
                    return;
                }
            }
            event => {
                match app.test_hook.filter(|_| test_hook::is_trigger(&event)) {
                    Some(hook) => screen.run_test_hook(hook),
                    None => screen.on_event(&event),
                }
                // Without a display, the next call of the window system ends the process.
                screen.files.update_journal(&screen.session.editor);
            }
        }
        app.try_close(event_loop);
    }

    /// Makes the pending step and sets the time of the next one, for example to show a tooltip.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let app = &mut *self.0.borrow_mut();
        if let Some(wake_at) = app.handle(event_loop, Screen::about_to_wait) {
            event_loop.set_control_flow(wake_at.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
            app.try_close(event_loop);
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        let app = &mut *self.0.borrow_mut();
        if let (Some(screen), DeviceEvent::MouseMotion { delta: (x, y) }) = (&mut app.screen, event) {
            screen.device_moved(DVec2::new(x, y));
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        let app = &mut *self.0.borrow_mut();
        let written = app.screen.as_ref().map(|screen| screen.recording.write());
        if let Some(Err(error)) = written {
            app.failure.get_or_insert(error.into());
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        let app = &mut *self.0.borrow_mut();
        if let UserEvent::Signal(signal) = event {
            app.fail(event_loop, Signaled(signal).into());
            return;
        }
        app.continue_opening(event_loop);
        let Some(screen) = &mut app.screen else { return };
        match event {
            UserEvent::Accessibility(event) => {
                screen.panel.accessibility(event);
                screen.wake();
            }
            UserEvent::File(event) => screen.on_file_event(event),
            UserEvent::Device => screen.wake(),
            UserEvent::ContextLost => match screen.begin_renewal() {
                Ok(()) => app.opening.wait(),
                Err(error) => app.fail(event_loop, error),
            },
            UserEvent::ContextRestored => {
                let window = screen.surface.window.clone();
                app.open_device(event_loop, window);
            }
            UserEvent::Given(path) => screen.request(Request::OpenFile(path)),
            UserEvent::Signal(_) => {}
        }
        // A hidden window may get no redraw events.
        app.try_close(event_loop);
    }
}
