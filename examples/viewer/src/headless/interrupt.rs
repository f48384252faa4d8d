//! Ends a run without a window at a signal, but never within a line or a file, and shows the progress of a long
//! one.

use super::super::messages::print_error;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Held while a line or a file is written.
static WRITING: Mutex<()> = Mutex::new(());
/// The number of events that have been played, and of all.
static PLAYED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Waits for the end of a write, and holds off a signal until the guard is dropped.
pub(crate) fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the number of events that have been played, and of all.
pub(super) fn set_played(played: usize, all: usize) {
    PLAYED[1].store(all, Ordering::Relaxed);
    PLAYED[0].store(played, Ordering::Relaxed);
}

/// Ends the process at SIGINT or SIGTERM from now on, with the exit status of shells, 128 plus the signal. A
/// second signal does not wait for the end of a write.
#[cfg(unix)]
pub(crate) fn end_at_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let is_ending = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, is_ending.clone());
    }
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let _ = thread.spawn(move || {
        if let Some(signal) = signals.forever().next() {
            is_ending.store(true, Ordering::Relaxed);
            let _writing = writing();
            // Does not wait for the driver, whose threads can be busy for minutes.
            signal_hook::low_level::exit(128 + signal);
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn end_at_signals() {}

/// Prints a line per second to stderr, beginning after two seconds. Only to a terminal: a program that reads
/// stderr expects errors.
pub(crate) fn show_progress() {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let thread = std::thread::Builder::new().name("progress".to_owned());
    let _ = thread.spawn(|| {
        std::thread::sleep(Duration::from_secs(1));
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let [played, all] = PLAYED.each_ref().map(|count| count.load(Ordering::Relaxed));
            match all {
                0 => print_error("Loading …"),
                _ if played < all => print_error(&format!("Playing event {} of {all} …", played + 1)),
                _ => print_error("Drawing …"),
            }
        }
    });
}
