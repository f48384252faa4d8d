//! How much of a picture is drawn per submission, so that a slow device does not block its user.

use std::sync::mpsc::{Receiver, Sender, channel};
use web_time::Instant;

/// A picture that takes at most this long is drawn at once.
const WHOLE_SECONDS: f64 = 1.0;
/// The duration of a chunk of a picture that takes longer.
const CHUNK_SECONDS: f64 = 0.25;
/// Measurements of less than this say little about the speed, because each submission has a fixed cost.
const MIN_SECONDS: f64 = 0.05;

/// The work that a device does per second, as measured last.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Speed(f64);

impl Speed {
    /// The speed of a slow device.
    const INITIAL: Self = Self(3e7);
    /// If chunks were smaller, most of the time would go into the fixed cost of each.
    const MIN: f64 = 8e6;

    /// Returns how much of this work is drawn next.
    fn budget(self, work: f64) -> f64 {
        if work <= self.0 * WHOLE_SECONDS { f64::INFINITY } else { self.0 * CHUNK_SECONDS }
    }

    /// Returns the speed after a measurement. It changes in steps, because an estimate of work can be wrong.
    fn measured(self, work: f64, seconds: f64) -> Self {
        let speed = work / seconds.max(1e-3);
        match speed < self.0 {
            true if seconds < MIN_SECONDS || work < self.0 * MIN_SECONDS => self,
            true => Self(speed.max(0.25 * self.0).max(Self::MIN)),
            false => Self(speed.min(4.0 * self.0)),
        }
    }
}

/// Measures the device, and limits what is submitted.
#[derive(Debug)]
pub(super) struct Pacing {
    speed: Speed,
    done: (Sender<Chunk>, Receiver<Chunk>),
    in_flight: usize,
    last_done: Option<Instant>,
}

/// A chunk that the device has drawn.
#[derive(Debug)]
struct Chunk {
    work: f64,
    submitted: Instant,
    done: Instant,
}

impl Pacing {
    pub(super) fn new() -> Self {
        Self { speed: Speed::INITIAL, done: channel(), in_flight: 0, last_done: None }
    }

    /// Returns true while the device draws.
    pub(super) fn is_drawing(&self) -> bool {
        self.in_flight > 0
    }

    /// Returns the budget for the next submission if this work is left.
    pub(super) fn budget(&self, work: f64) -> f64 {
        self.speed.budget(work)
    }

    /// Measures how long the commands of an encoder take, which must be submitted.
    pub(super) fn measure(&mut self, encoder: &wgpu::CommandEncoder, work: f64) {
        self.in_flight += 1;
        let (sender, submitted) = (self.done.0.clone(), Instant::now());
        encoder.on_submitted_work_done(move || {
            // Fails if the stage was dropped.
            let _ = sender.send(Chunk { work, submitted, done: Instant::now() });
        });
    }

    /// Learns from the chunks that the device has drawn.
    pub(super) fn poll(&mut self, device: &wgpu::Device) {
        if self.in_flight > 0 {
            // Fails only if the device is lost, which it reports itself.
            let _ = device.poll(wgpu::PollType::Poll);
        }
        while let Ok(Chunk { work, submitted, done }) = self.done.1.try_recv() {
            self.in_flight = self.in_flight.saturating_sub(1);
            let begun = self.last_done.map_or(submitted, |last| last.max(submitted));
            self.last_done = Some(done);
            self.speed = self.speed.measured(work, done.saturating_duration_since(begun).as_secs_f64());
        }
    }
}

#[cfg(test)]
impl Pacing {
    /// Returns a pacing that draws this much work per chunk, whatever the device does.
    pub(super) fn fixed(work: f64) -> Self {
        Self { speed: Speed(work / CHUNK_SECONDS), ..Self::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_of_more_than_a_second_is_chunked() {
        let speed = Speed(1e9);
        assert_eq!(speed.budget(0.9e9), f64::INFINITY);
        assert_eq!(speed.budget(1.1e9), 0.25e9);
    }

    #[test]
    fn speed_follows_measurements_in_steps() {
        let speed = Speed(1e9);
        assert_eq!(speed.measured(2e9, 1.0), Speed(2e9));
        assert_eq!(speed.measured(1e12, 1.0), Speed(4e9));
        assert_eq!(speed.measured(0.5e9, 1.0), Speed(0.5e9));
        assert_eq!(speed.measured(1e8, 1.0), Speed(0.25e9));
        for (work, seconds) in [(10.0, 0.01), (10.0, 1.0)] {
            assert_eq!(speed.measured(work, seconds), speed, "{work} in {seconds} s is mostly a fixed cost");
        }
        assert_eq!(speed.measured(0.0, 0.0), speed);
        assert_eq!(Speed(9e6).measured(1e6, 1.0), Speed(Speed::MIN));
    }
}
