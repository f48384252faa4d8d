//! The application as an event loop has it, which can also be reached between its events.

use super::App;
#[cfg(not(target_arch = "wasm32"))]
use crate::recovery::flush_registered;
use std::cell::RefCell;
use std::rc::Rc;
#[cfg(not(target_arch = "wasm32"))]
use std::rc::Weak;

/// An application whose events arrive by [`winit::application::ApplicationHandler`].
#[derive(Clone)]
pub(crate) struct SharedApp(pub(crate) Rc<RefCell<App>>);

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
