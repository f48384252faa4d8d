//! A replay that is played in a window: how far it is, and when it goes on.

use crate::replay_file::{Event, EventKind, Replay};
use crate::scene::Scene;
use std::time::{Duration, Instant};

/// Events in a second, at most; more where the GPU takes its time.
const PACE: Duration = Duration::from_millis(33);
/// Frames that nothing must be under way in before the next event: what one has asked for is
/// asked in the frame after it.
const QUIET_FRAMES: u32 = 2;

/// What a person can ask of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Play,
    Pause,
    Step,
    Restart,
}

/// A replay and the next of its events.
#[derive(Debug)]
pub(crate) struct Player {
    replay: Replay,
    next: usize,
    is_playing: bool,
    /// One more event, whether it plays or not.
    steps: bool,
    /// From the start again, once nothing is under way.
    restarts: bool,
    quiet_frames: u32,
    last: Option<Instant>,
    /// What was not as it was expected to be first.
    missed: Option<String>,
}

/// What is to be done now.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    Nothing,
    Event(Box<Event>),
    Restart,
}

impl Player {
    /// Plays from the start.
    pub(crate) fn new(replay: Replay) -> Self {
        Self {
            replay,
            next: 0,
            is_playing: true,
            steps: false,
            restarts: false,
            quiet_frames: 0,
            last: None,
            missed: None,
        }
    }

    pub(crate) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Does what a person asks.
    pub(crate) fn ask(&mut self, ask: Wish) {
        match ask {
            Wish::Play => self.is_playing = true,
            Wish::Pause => self.is_playing = false,
            Wish::Step => (self.is_playing, self.steps) = (false, true),
            Wish::Restart => self.restarts = true,
        }
    }

    /// Whether events are to come by themselves, or something else is to be done.
    pub(crate) fn wants_frames(&self) -> bool {
        self.restarts || ((self.is_playing || self.steps) && !self.is_over())
    }

    /// Whether all events have been played.
    pub(crate) fn is_over(&self) -> bool {
        self.next >= self.replay.events.len()
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.is_playing && !self.is_over()
    }

    /// What is to be done in a frame. `is_settled`: nothing is under way.
    pub(crate) fn next(&mut self, is_settled: bool, now: Instant) -> Next {
        self.quiet_frames = if is_settled { self.quiet_frames + 1 } else { 0 };
        if self.quiet_frames < QUIET_FRAMES {
            return Next::Nothing;
        }
        if std::mem::take(&mut self.restarts) {
            (self.next, self.steps, self.is_playing, self.missed) = (0, false, true, None);
            return Next::Restart;
        }
        let is_time = self.last.is_none_or(|last| now.duration_since(last) >= PACE);
        if !(self.steps || self.is_playing && is_time) {
            return Next::Nothing;
        }
        let Some(event) = self.replay.events.get(self.next) else { return Next::Nothing };
        self.next += 1;
        (self.steps, self.quiet_frames, self.last) = (false, 0, Some(now));
        Next::Event(Box::new(event.clone()))
    }

    /// Compares with what is expected, if an event expects something.
    pub(crate) fn check(&mut self, event: &Event, scene: &Scene) {
        if let EventKind::Expect(expected) = &event.kind {
            self.missed = self.missed.take().or_else(|| expected.missed(scene));
        }
    }

    /// What was not as it was expected to be first.
    pub(crate) fn missed(&self) -> Option<&str> {
        self.missed.as_deref()
    }

    /// Whether any event expects something.
    pub(crate) fn expects(&self) -> bool {
        self.replay.events.iter().any(|event| matches!(event.kind, EventKind::Expect(_)))
    }

    /// How many events have been played, of how many.
    pub(crate) fn progress(&self) -> [usize; 2] {
        [self.next, self.replay.events.len()]
    }

    /// The event that was played last, as the file calls it.
    pub(crate) fn last_event(&self) -> Option<&Event> {
        self.next.checked_sub(1).and_then(|last| self.replay.events.get(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay_file;
    use std::path::Path;

    fn player() -> Player {
        let text = br#"{"version": 1, "size_px": [64, 48], "scene": {"built_in": "robot_arm"},
            "events": [{"move": [1, 2]}, {"expect": {"targets": {"ball": {"scale": [2, 2, 2]}}}}, {"undo": true}]}"#;
        Player::new(replay_file::from_bytes(text, Path::new("a.json")).expect("good"))
    }

    /// Names of the events that come in so many frames, each an hour after the last.
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
    fn events_come_in_order_and_none_while_anything_is_under_way() {
        let mut player = player();
        assert_eq!(frames(&mut player, 99, false), [""; 0]);
        assert_eq!(frames(&mut player, 99, true), ["move", "expect", "undo"]);
        assert!(player.is_over() && !player.wants_frames());
    }

    #[test]
    fn a_step_is_one_event_and_a_restart_begins_again() {
        let mut player = player();
        player.ask(Wish::Pause);
        assert_eq!(frames(&mut player, 9, true), [""; 0]);
        player.ask(Wish::Step);
        assert!(player.wants_frames());
        assert_eq!(frames(&mut player, 9, true), ["move"]);
        assert_eq!(player.progress(), [1, 3]);
        player.ask(Wish::Restart);
        assert_eq!(frames(&mut player, 9, false), [""; 0]);
        assert_eq!(frames(&mut player, 99, true), ["restart", "move", "expect", "undo"]);
    }

    #[test]
    fn events_do_not_come_faster_than_the_pace() {
        let mut player = player();
        let now = Instant::now();
        let count = (0..99).filter(|_| matches!(player.next(true, now), Next::Event(_))).count();
        assert_eq!(count, 1);
    }

    #[test]
    fn what_is_not_as_expected_is_said() {
        let mut player = player();
        let event = player.replay.events[1].clone();
        let scene = player.replay.scene.clone();
        player.check(&event, &scene);
        assert!(player.missed().is_some_and(|missed| missed.starts_with("ball: ")), "{:?}", player.missed());
    }
}
