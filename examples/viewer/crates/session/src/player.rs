//! Playback of a replay in a window: its progress, and when the next event is due.

use crate::replay_file::{Event, EventKind, Replay};
use scene::Scene;
use std::time::Duration;
use web_time::Instant;

/// The minimum time between two events.
const MIN_INTERVAL: Duration = Duration::from_millis(33);
/// The number of frames without work in flight before the next event. One is not enough, because a
/// query is sent in the frame after the event that needs it.
const MIN_IDLE_FRAMES: u32 = 2;

/// A request of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerRequest {
    /// Continues playing.
    Play,
    /// Pauses before the next event.
    Pause,
    /// Plays a single event.
    Step,
    /// Plays from the start.
    Restart,
}

/// A replay with its playback position.
#[derive(Debug)]
pub struct Player {
    /// The replay that is played.
    pub replay: Replay,
    next: usize,
    is_playing: bool,
    /// Plays one more event, even if paused.
    step_pending: bool,
    /// Restarts once nothing is in flight.
    restart_pending: bool,
    idle_frames: u32,
    last: Option<Instant>,
    /// The first value that was not as expected.
    missed: Option<String>,
}

/// The action of a frame.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// Nothing is due.
    Nothing,
    /// This event must be handled.
    Event(Box<Event>),
    /// The replay starts over.
    Restart,
}

impl Player {
    /// Returns a player at the first event that is playing.
    pub fn new(replay: Replay) -> Self {
        let (next, step_pending, restart_pending, idle_frames, last, missed) = Default::default();
        Self { replay, next, is_playing: true, step_pending, restart_pending, idle_frames, last, missed }
    }

    /// Handles a request.
    pub fn ask(&mut self, request: PlayerRequest) {
        match request {
            PlayerRequest::Play => self.is_playing = true,
            PlayerRequest::Pause => self.is_playing = false,
            PlayerRequest::Step => (self.is_playing, self.step_pending) = (false, true),
            PlayerRequest::Restart => self.restart_pending = true,
        }
    }

    /// Returns true if the next frames will play events or restart.
    pub fn wants_frames(&self) -> bool {
        self.restart_pending || ((self.is_playing || self.step_pending) && !self.is_over())
    }

    /// Returns true if all events have been played.
    pub fn is_over(&self) -> bool {
        self.next >= self.replay.events.len()
    }

    /// Returns true while the replay plays, false if it is paused or has ended.
    pub fn is_playing(&self) -> bool {
        self.is_playing && !self.is_over()
    }

    /// Returns the action of a frame. `is_settled` is true if no work is in flight.
    pub fn next(&mut self, is_settled: bool, now: Instant) -> Next {
        self.idle_frames = if is_settled { self.idle_frames + 1 } else { 0 };
        if self.idle_frames < MIN_IDLE_FRAMES {
            return Next::Nothing;
        }
        if std::mem::take(&mut self.restart_pending) {
            (self.next, self.step_pending, self.is_playing, self.missed) = (0, false, true, None);
            return Next::Restart;
        }
        let is_time = self.last.is_none_or(|last| now.duration_since(last) >= MIN_INTERVAL);
        if !(self.step_pending || self.is_playing && is_time) {
            return Next::Nothing;
        }
        let Some(event) = self.replay.events.get(self.next) else { return Next::Nothing };
        self.next += 1;
        (self.step_pending, self.idle_frames, self.last) = (false, 0, Some(now));
        Next::Event(Box::new(event.clone()))
    }

    /// Compares the scene with the expected values, if this is an `expect` event.
    pub fn check(&mut self, event: &Event, scene: &Scene) {
        if let EventKind::Expect(expected) = &event.kind {
            self.missed = self.missed.take().or_else(|| expected.missed(scene));
        }
    }

    /// Returns the first value that was not as expected.
    pub fn missed(&self) -> Option<&str> {
        self.missed.as_deref()
    }

    /// Returns true if the replay has an `expect` event.
    pub fn expects(&self) -> bool {
        self.replay.events.iter().any(|event| matches!(event.kind, EventKind::Expect(_)))
    }

    /// Returns the number of events that have been played, and of all events.
    pub fn progress(&self) -> [usize; 2] {
        [self.next, self.replay.events.len()]
    }

    /// Returns the event that was played last.
    pub fn last_event(&self) -> Option<&Event> {
        self.next.checked_sub(1).and_then(|last| self.replay.events.get(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    fn player() -> Player {
        let text = br#"{"version": 1, "size_px": [64, 48], "scene": {"built_in": "robot_arm"},
            "events": [{"move": [1, 2]}, {"expect": {"targets": {"ball": {"scale": [2, 2, 2]}}}}, {"undo": true}]}"#;
        Player::new(replay_file::from_bytes(text, Path::new("a.json")).expect("the replay is valid"))
    }

    /// Returns the names of the events that are played in `count` frames, which are an hour apart.
    fn frames(player: &mut Player, count: u32, is_settled: bool) -> Vec<&'static str> {
        let mut now = Instant::now();
        let mut names = Vec::new();
        for _ in 0..count {
            now += Duration::from_secs(3600);
            match player.next(is_settled, now) {
                Next::Event(event) => names.push(event.kind.name()),
                Next::Restart => names.push("restart"),
                Next::Nothing => {}
            }
        }
        names
    }

    #[test]
    fn events_come_in_order_only_while_settled() {
        let mut player = player();
        assert_eq!(frames(&mut player, 99, false), [""; 0]);
        assert_eq!(frames(&mut player, 99, true), ["move", "expect", "undo"]);
        assert!(player.is_over() && !player.wants_frames());
    }

    #[test]
    fn step_plays_one_event_and_restart_plays_all() {
        let mut player = player();
        player.ask(PlayerRequest::Pause);
        assert_eq!(frames(&mut player, 9, true), [""; 0]);
        player.ask(PlayerRequest::Step);
        assert!(player.wants_frames());
        assert_eq!(frames(&mut player, 9, true), ["move"]);
        assert_eq!(player.progress(), [1, 3]);
        player.ask(PlayerRequest::Restart);
        assert_eq!(frames(&mut player, 9, false), [""; 0]);
        assert_eq!(frames(&mut player, 99, true), ["restart", "move", "expect", "undo"]);
    }

    #[test]
    fn unmet_expectation_is_reported() {
        let mut player = player();
        let event = player.replay.events[1].clone();
        let scene = player.replay.scene.clone();
        player.check(&event, &scene);
        assert!(player.missed().is_some_and(|missed| missed.starts_with("ball: ")), "{:?}", player.missed());
        player.ask(PlayerRequest::Restart);
        assert_eq!((frames(&mut player, 2, true), player.missed()), (vec!["restart"], None));
    }
}
