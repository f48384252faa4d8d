//! Events of the event loop besides those of the window system.

use crate::files::FileEvent;
use egui_winit::accesskit_winit;
use session::space_mouse::Report;

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
    /// The GPU device has reported an error.
    Device,
    /// A report of a 3D mouse.
    SpaceMouse(Report),
}

impl From<accesskit_winit::Event> for UserEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}
