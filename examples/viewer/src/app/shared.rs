//! The application as an event loop has it, which can also be reached between its events.

use super::App;
#[cfg(not(target_arch = "wasm32"))]
use crate::recovery::flush_registered;
use crate::user_event::UserEvent;
use std::cell::RefCell;
#[cfg(not(target_arch = "wasm32"))]
use std::error::Error;
use std::rc::Rc;
#[cfg(not(target_arch = "wasm32"))]
use std::rc::Weak;
use winit::application::ApplicationHandler;
#[cfg(not(target_arch = "wasm32"))]
use winit::error::EventLoopError;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::window::WindowId;

/// An application that passes the events of the window on.
#[derive(Clone)]
pub(crate) struct SharedApp(Rc<RefCell<App>>);

impl SharedApp {
    pub(crate) fn new(app: App) -> Self {
        Self(Rc::new(RefCell::new(app)))
    }

    /// Returns the value of a function of the application.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn with<T>(&self, function: impl FnOnce(&App) -> T) -> T {
        function(&self.0.borrow())
    }

    /// Keeps unsaved changes if a library ends the process from now on.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn keep_at_exit(&self) {
        AT_EXIT.with_borrow_mut(|at_exit| at_exit.0 = Rc::downgrade(&self.0));
    }

    /// As [`App::outcome`].
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn outcome(&self, result: Result<(), EventLoopError>) -> Result<(), Box<dyn Error>> {
        self.0.borrow_mut().outcome(result)
    }
}

#[cfg(not(target_arch = "wasm32"))]
thread_local! {
    static AT_EXIT: RefCell<AtExit> = const { RefCell::new(AtExit(Weak::new())) };
}

/// Keeps unsaved changes when it is dropped while the application exists: the C library drops the values of a thread
/// when that calls `exit`. Xlib does so when the display goes away.
#[cfg(not(target_arch = "wasm32"))]
struct AtExit(Weak<RefCell<App>>);

#[cfg(not(target_arch = "wasm32"))]
impl Drop for AtExit {
    fn drop(&mut self) {
        let Some(app) = self.0.upgrade() else { return };
        match app.try_borrow_mut() {
            Ok(mut app) => app.keep_unsaved(),
            // An event is being handled: only what the journal was given before can be kept.
            Err(_) => flush_registered(),
        }
    }
}

impl ApplicationHandler<UserEvent> for SharedApp {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.0.borrow_mut().resumed(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, window: WindowId, event: WindowEvent) {
        self.0.borrow_mut().window_event(event_loop, window, event);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.0.borrow_mut().about_to_wait(event_loop);
    }

    fn device_event(&mut self, event_loop: &ActiveEventLoop, device: DeviceId, event: DeviceEvent) {
        self.0.borrow_mut().device_event(event_loop, device, event);
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        self.0.borrow_mut().exiting(event_loop);
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        self.0.borrow_mut().user_event(event_loop, event);
    }
}
