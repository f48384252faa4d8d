//! Schedules steps and frames.
//!
//! A step handles what has happened since the last one. It is cheap and determines whether a pixel can have
//! changed; a frame is drawn only if so.

use std::time::Duration;
use web_time::Instant;

/// Minimum interval between two steps. No display refreshes faster.
const MIN_INTERVAL: Duration = Duration::from_millis(4);

/// The time of the next step, and whether a frame must be drawn before it.
#[derive(Debug, Default)]
pub(super) struct Pace {
    due: Option<Instant>,
    /// Time of the last step.
    last: Option<Instant>,
    /// Whether the last step requested a frame that is not drawn yet.
    frame_pending: bool,
}

impl Pace {
    /// Schedules a step at this time, or earlier if one is already scheduled.
    pub(super) fn wake(&mut self, at: Instant) {
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    /// Starts a step. Requests for the next step must come after this call.
    pub(super) fn begin_step(&mut self, now: Instant) {
        *self = Self { due: None, last: Some(now), frame_pending: false };
    }

    /// Records that the last step needs a frame. No other step is made before that frame.
    pub(super) fn wait_for_frame(&mut self) {
        self.frame_pending = true;
    }

    /// Starts a frame. Returns true if its step has already been made.
    pub(super) fn begin_frame(&mut self) -> bool {
        std::mem::take(&mut self.frame_pending)
    }

    /// Discards the prepared frame and schedules a step, because the size of the window has changed.
    pub(super) fn invalidate(&mut self, now: Instant) {
        self.frame_pending = false;
        self.wake(now);
    }

    /// Returns true if neither a step nor a frame is pending.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn is_idle(&self) -> bool {
        self.due.is_none() && !self.frame_pending
    }

    /// Returns the time of the next step, or `None` if a frame is pending or no step is scheduled.
    pub(super) fn next_step(&self) -> Option<Instant> {
        let due = self.due.filter(|_| !self.frame_pending)?;
        Some(self.last.map_or(due, |last| due.max(last + MIN_INTERVAL)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_between_steps_cause_one_step() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        assert_eq!(pace.next_step(), None, "no step is scheduled");
        pace.wake(start);
        assert_eq!(pace.next_step(), Some(start), "the first step is immediate");
        pace.begin_step(start);
        assert_eq!(pace.next_step(), None);
        pace.wake(start + Duration::from_secs(1));
        pace.wake(start + Duration::from_micros(1));
        pace.wake(start + Duration::from_secs(2));
        assert_eq!(pace.next_step(), Some(start + MIN_INTERVAL));
        pace.begin_step(start + MIN_INTERVAL);
        assert_eq!(pace.next_step(), None);
        pace.wake(start + Duration::from_secs(1));
        assert_eq!(pace.next_step(), Some(start + Duration::from_secs(1)), "not before it is due");
    }

    #[test]
    fn step_waits_for_frame_of_last_step() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        pace.begin_step(start);
        pace.wait_for_frame();
        pace.wake(start);
        assert_eq!(pace.next_step(), None);
        assert!(pace.begin_frame() && pace.next_step().is_some());
        assert!(!pace.begin_frame(), "an unrequested frame needs a step");
        pace.wait_for_frame();
        pace.invalidate(start);
        assert!(!pace.begin_frame(), "a frame of a new size needs a step");
    }
}
