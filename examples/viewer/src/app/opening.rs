//! Opens a device for a window: at once natively, and in a later turn of the page in a browser.

use super::window_surface::WindowSurface;
use crate::tasks;
use crate::user_event::UserEvent;
use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;
use wgpu::Backends;
use winit::event_loop::{EventLoopProxy, OwnedDisplayHandle};
use winit::window::Window;

type Answer = Result<WindowSurface, Box<dyn Error>>;

/// The device that is being opened, if any.
#[derive(Default)]
pub(super) struct Opening(Option<Rc<RefCell<Option<Answer>>>>);

impl Opening {
    /// Begins to open a device. Where this takes more than this call, an event follows.
    pub(super) fn begin(
        &mut self,
        (display, proxy): (OwnedDisplayHandle, EventLoopProxy<UserEvent>),
        backends: Option<Backends>,
        window: Arc<Window>,
    ) {
        let answer = Rc::new(RefCell::new(None));
        self.0 = Some(answer.clone());
        tasks::start(async move {
            let opened = WindowSurface::open(window, display, backends).await;
            *answer.borrow_mut() = Some(opened);
            if cfg!(target_arch = "wasm32") {
                // Sending fails only if the event loop is closed.
                let _ = proxy.send_event(UserEvent::Device);
            }
        });
    }

    /// Waits until a device can be opened again.
    pub(super) fn wait(&mut self) {
        self.0 = Some(Rc::default());
    }

    /// Returns true while a device is being opened.
    pub(super) fn is_pending(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the device once it is there.
    pub(super) fn take(&mut self) -> Option<Answer> {
        let answer = self.0.as_ref()?.borrow_mut().take()?;
        self.0 = None;
        Some(answer)
    }
}
