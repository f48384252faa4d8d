//! When the window takes in what has happened, and when it is drawn.
//!
//! A step takes in what has happened: it is cheap, and finds out whether a pixel can have changed.
//! Only then a frame is drawn.

use std::time::{Duration, Instant};

/// Steps are at least this far apart: no display shows more of them.
const PAUSE: Duration = Duration::from_millis(4);

/// When the next step is due, and whether a frame is to be drawn before.
#[derive(Debug, Default)]
pub(super) struct Pace {
    due: Option<Instant>,
    /// When the last step was made.
    last: Option<Instant>,
    /// The frame that the last step has found necessary is not drawn yet.
    has_frame: bool,
}

impl Pace {
    /// Something has happened, or will have by then: a step is due.
    pub(super) fn wake(&mut self, at: Instant) {
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    /// A step begins. What calls for the next one comes after this.
    pub(super) fn begin_step(&mut self, now: Instant) {
        *self = Self { due: None, last: Some(now), has_frame: false };
    }

    /// The step that was made last calls for a frame: there is no other step before it.
    pub(super) fn wait_for_frame(&mut self) {
        self.has_frame = true;
    }

    /// A frame is to be drawn now. Returns whether its step has been made already.
    pub(super) fn begin_frame(&mut self) -> bool {
        std::mem::take(&mut self.has_frame)
    }

    /// What was prepared fits the window no longer.
    pub(super) fn outdate(&mut self, now: Instant) {
        self.has_frame = false;
        self.wake(now);
    }

    /// When to make the next step. `None` while a frame is waited for, or nothing at all.
    pub(super) fn next_step(&self) -> Option<Instant> {
        let due = self.due.filter(|_| !self.has_frame)?;
        Some(self.last.map_or(due, |last| due.max(last + PAUSE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_between_two_steps_make_one() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        assert_eq!(pace.next_step(), None, "nothing has happened");
        pace.wake(start);
        assert_eq!(pace.next_step(), Some(start), "the first step waits for nothing");
        pace.begin_step(start);
        assert_eq!(pace.next_step(), None);
        pace.wake(start + Duration::from_secs(1));
        pace.wake(start + Duration::from_micros(1));
        pace.wake(start + Duration::from_secs(2));
        assert_eq!(pace.next_step(), Some(start + PAUSE));
        pace.begin_step(start + PAUSE);
        assert_eq!(pace.next_step(), None);
        pace.wake(start + Duration::from_secs(1));
        assert_eq!(pace.next_step(), Some(start + Duration::from_secs(1)), "no sooner than it is due");
    }

    #[test]
    fn step_waits_for_frame_of_last_step() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        pace.begin_step(start);
        pace.wait_for_frame();
        pace.wake(start);
        assert_eq!(pace.next_step(), None);
        assert!(pace.begin_frame() && pace.next_step().is_some());
        assert!(!pace.begin_frame(), "a frame that nobody asked for needs a step");
        pace.wait_for_frame();
        pace.outdate(start);
        assert!(!pace.begin_frame(), "a frame of another size needs a step");
    }
}
