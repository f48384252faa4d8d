//! Progress and cancellation of a long load.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The progress of a load, shared between the loading thread and the waiting one.
#[derive(Default)]
pub struct Progress {
    /// Work done. Reading and converting a file each count its length in bytes.
    done: AtomicU64,
    total: AtomicU64,
    is_canceled: AtomicBool,
    /// Called when the permille changes.
    notify: Option<Box<dyn Fn() + Send + Sync>>,
}

impl std::fmt::Debug for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Progress").field("fraction", &self.fraction()).finish_non_exhaustive()
    }
}

/// Error text of a canceled load.
pub(crate) const CANCELED: &str = "canceled";

impl Progress {
    /// Creates a progress that calls `notify` from the loading thread when there is something new to show,
    /// at most a thousand times.
    pub fn with_notify(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self { notify: Some(Box::new(notify)), ..Self::default() }
    }

    /// Sets the total amount of work, in any unit.
    pub(crate) fn set_total(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// Adds to the amount of work done. Returns an error if the load was canceled.
    pub(crate) fn advance(&self, by: u64) -> Result<(), &'static str> {
        let before = self.permille();
        self.done.fetch_add(by, Ordering::Relaxed);
        if let Some(notify) = self.notify.as_ref().filter(|_| self.permille() != before) {
            notify();
        }
        self.check()
    }

    /// Returns an error if the load was canceled.
    pub fn check(&self) -> Result<(), &'static str> {
        if self.is_canceled.load(Ordering::Relaxed) { Err(CANCELED) } else { Ok(()) }
    }

    /// Returns the amount of work done and the total.
    pub fn state(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Returns the fraction of work done, from 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.permille() as f32 / 1000.0
    }

    fn permille(&self) -> u64 {
        let (done, total) = self.state();
        (u128::from(done) * 1000 / u128::from(total.max(1))).min(1000) as u64
    }

    /// Cancels the load, which ends at its next progress report.
    pub fn cancel(&self) {
        self.is_canceled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn each_permille_notifies_once_and_cancel_ends_load() {
        let notifications = Arc::new(AtomicU64::new(0));
        let counter = notifications.clone();
        let progress = Progress::with_notify(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        progress.set_total(1_000_000);
        (0..1_000_000).for_each(|_| assert_eq!(progress.advance(1), Ok(())));
        assert_eq!((notifications.load(Ordering::Relaxed), progress.fraction()), (1000, 1.0));
        progress.cancel();
        assert_eq!(progress.advance(1), Err(CANCELED));
    }
}
