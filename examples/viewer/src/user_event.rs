//! Events of the event loop besides those of the window system.

use crate::files::FileEvent;
use egui_winit::accesskit_winit;
use std::path::PathBuf;

/// An event that does not come from the window system.
#[derive(Debug)]
pub(crate) enum UserEvent {
    /// A request of a screen reader.
    Accessibility(accesskit_winit::Event),
    /// An event of a thread that reads, writes or watches a file.
    File(FileEvent),
    /// A signal that asks the process to end, by its number.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has signals"))]
    Signal(i32),
    /// The GPU device has reported an error, or a new device is there.
    Device,
    /// The page was given this file.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "only pages are given files"))]
    Given(PathBuf),
    /// The context of the page's canvas was lost.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "only canvases have contexts"))]
    ContextLost,
    /// The page's canvas has a new context.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "only canvases have contexts"))]
    ContextRestored,
}

impl From<accesskit_winit::Event> for UserEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}
