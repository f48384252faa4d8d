//! Signals that ask the window to end: SIGTERM, SIGINT and SIGHUP. Windows has none, so a killed viewer
//! leaves only its journal, at most a second old.

#[cfg(unix)]
use crate::tasks;
use crate::user_event::UserEvent;
use winit::event_loop::EventLoopProxy;

/// Sends [`UserEvent::Signal`] for each signal from now on. A second one ends the process at once, in case
/// the event loop is stuck.
#[cfg(unix)]
pub(crate) fn forward(proxy: EventLoopProxy<UserEvent>) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let ignored = ignored_signals();
    let handled = [SIGTERM, SIGINT, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    // Without them, the system ends the process and the journal stays.
    let Ok(mut signals) = Signals::new(handled) else { return };
    let _ = tasks::spawn("signals", move || {
        for (count, signal) in signals.forever().enumerate() {
            crate::recovery::flush_registered();
            if count > 0 || proxy.send_event(UserEvent::Signal(signal)).is_err() {
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        }
    });
}

/// Does nothing.
#[cfg(not(unix))]
pub(crate) fn forward(_: EventLoopProxy<UserEvent>) {}

/// Returns the signals that the process was started to ignore, as `nohup` does, one bit each.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    // Only Linux reports them.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
