//! How far a long load has come, told to whoever waits for it, and whether it is still wanted.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Shared between who loads and who waits.
#[derive(Default)]
pub(crate) struct Progress {
    /// In bytes of the file, and as many again for what is made of them.
    done: AtomicU64,
    whole: AtomicU64,
    is_cancelled: AtomicBool,
    /// Called each time that the permille changes.
    tell: Option<Box<dyn Fn() + Send + Sync>>,
}

impl std::fmt::Debug for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Progress").field("part", &self.part()).finish_non_exhaustive()
    }
}

/// What a load that was cancelled says where an error stands.
pub(crate) const CANCELLED: &str = "cancelled";

impl Progress {
    /// `tell` is called when there is something new to show, from the loading thread, at most a
    /// thousand times.
    pub(crate) fn telling(tell: impl Fn() + Send + Sync + 'static) -> Self {
        Self { tell: Some(Box::new(tell)), ..Self::default() }
    }

    /// Says how much there is to do, in units of the caller's choice.
    pub(crate) fn expect(&self, whole: u64) {
        self.whole.store(whole, Ordering::Relaxed);
    }

    /// Says how much is done. An error where nobody waits any longer.
    pub(crate) fn reached(&self, done: u64) -> Result<(), &'static str> {
        let before = self.permille();
        self.done.store(done, Ordering::Relaxed);
        if let Some(tell) = self.tell.as_ref().filter(|_| self.permille() != before) {
            tell();
        }
        if self.is_cancelled.load(Ordering::Relaxed) { Err(CANCELLED) } else { Ok(()) }
    }

    /// As [`Progress::reached`], of so much more than before.
    pub(crate) fn advanced(&self, by: u64) -> Result<(), &'static str> {
        self.reached(self.done.load(Ordering::Relaxed) + by)
    }

    /// How much is done, and how much there is to do.
    pub(crate) fn state(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.whole.load(Ordering::Relaxed))
    }

    /// From 0 to 1.
    pub(crate) fn part(&self) -> f32 {
        self.permille() as f32 / 1000.0
    }

    fn permille(&self) -> u64 {
        let (done, whole) = self.state();
        (u128::from(done) * 1000 / u128::from(whole.max(1))).min(1000) as u64
    }

    /// Nobody waits any longer.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn each_permille_is_told_once_and_a_cancelled_load_ends() {
        let told = Arc::new(AtomicU64::new(0));
        let counter = told.clone();
        let progress = Progress::telling(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        progress.expect(1_000_000);
        for done in 0..=1_000_000 {
            assert_eq!(progress.reached(done), Ok(()));
        }
        assert_eq!((told.load(Ordering::Relaxed), progress.part()), (1000, 1.0));
        progress.cancel();
        assert_eq!(progress.advanced(1), Err(CANCELLED));
    }
}
