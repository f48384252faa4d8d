//! Reads a 3D mouse in a thread: from the daemon spacenavd on Unix and, with the feature `spacemouse`, as a HID
//! device.

#[cfg(feature = "spacemouse")]
mod hid;
#[cfg(unix)]
mod spacenavd;

use crate::user_event::UserEvent;
use session::space_mouse::{Deflection, Report};
use std::time::Duration;
use winit::event_loop::EventLoopProxy;

/// The time after which a missing device is looked for again.
const RETRY: Duration = Duration::from_secs(3);

/// The error if the window is closed, so that nobody reads the reports.
struct Closed;

/// Sends [`UserEvent::SpaceMouse`] for each report from now on. A device may be plugged in and out at any time.
pub(crate) fn forward(proxy: EventLoopProxy<UserEvent>) {
    if !cfg!(unix) && !cfg!(feature = "spacemouse") {
        return;
    }
    let thread = std::thread::Builder::new().name("3D mouse".to_owned());
    // Without the thread there is no 3D mouse; everything else works.
    let _ = thread.spawn(move || {
        let mut send = |report: Report| proxy.send_event(UserEvent::SpaceMouse(report)).map_err(|_| Closed);
        while read_all(&mut send).is_ok() {
            std::thread::sleep(RETRY);
        }
    });
}

/// Reads until the device is unplugged, or returns at once if there is none.
fn read_all(send: &mut impl FnMut(Report) -> Result<(), Closed>) -> Result<(), Closed> {
    let mut was_found = false;
    #[cfg(unix)]
    if let Some(socket) = spacenavd::connect() {
        was_found = true;
        spacenavd::read(socket, send)?;
    }
    // The daemon reads HID devices too: with both, they would move twice as fast.
    #[cfg(feature = "spacemouse")]
    if !was_found {
        was_found = hid::read(send)?;
    }
    match was_found {
        true => send(Report::Moved(Deflection::REST)),
        false => Ok(()),
    }
}
