use super::query::{PickHit, PickOutcome};
use glam::DVec2;
use std::num::NonZeroU32;

/// Repeated clicks at one place, each of which means what lies behind the last.
///
/// For a click, [`PickCycle::click`]; then draw all but [`PickCycle::passed`] into the ID image
/// for its pick, and hand the outcome to [`PickCycle::take`]. One pick a click, however many
/// things lie there.
#[derive(Debug, Clone, Default)]
pub struct PickCycle {
    place_px: Option<DVec2>,
    /// In ascending order.
    passed: Vec<NonZeroU32>,
}

impl PickCycle {
    /// Nothing was clicked yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A click at a point of the target, in physical pixels. Farther than `still_px` from the
    /// first of the row, or where it is no point, a new row begins.
    pub fn click(&mut self, cursor_px: DVec2, still_px: f64) {
        let is_same = self.place_px.is_some_and(|place_px| place_px.distance(cursor_px) <= still_px);
        if !is_same {
            self.passed.clear();
            self.place_px = Some(cursor_px).filter(|cursor_px| cursor_px.is_finite());
        }
    }

    /// A new row begins with the next click: the camera has moved, or the scene has changed.
    pub fn reset(&mut self) {
        self.passed.clear();
        self.place_px = None;
    }

    /// What the clicks before have found, in ascending order: leave it out.
    pub fn passed(&self) -> &[NonZeroU32] {
        &self.passed
    }

    /// Whether something with this id is to be drawn for the pick.
    pub fn shows(&self, id: NonZeroU32) -> bool {
        self.passed.binary_search(&id).is_err()
    }

    /// What the click means. After the last thing comes the first again: where nothing is left,
    /// [`PickNext::AskAgain`] with nothing left out.
    pub fn take(&mut self, outcome: PickOutcome) -> PickNext {
        match outcome {
            PickOutcome::Hit(hit) => {
                if let Err(place) = self.passed.binary_search(&hit.id) {
                    self.passed.insert(place, hit.id);
                }
                PickNext::Hit(hit)
            }
            PickOutcome::Nothing if self.passed.is_empty() => PickNext::Nothing,
            PickOutcome::Nothing => {
                self.passed.clear();
                PickNext::AskAgain
            }
            PickOutcome::Lost => PickNext::AskAgain,
        }
    }
}

/// What one of a row of clicks means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PickNext {
    /// The next thing that lies there.
    Hit(PickHit),
    /// Nothing lies there at all.
    Nothing,
    /// The row is through, or the question was lost: ask once more.
    AskAgain,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three things behind each other, the nearest first.
    fn pick(cycle: &PickCycle, scene: &[u32]) -> PickOutcome {
        let ids = scene.iter().filter_map(|id| NonZeroU32::new(*id));
        let nearest = ids.into_iter().find(|id| cycle.shows(*id));
        nearest.map_or(PickOutcome::Nothing, |id| {
            PickOutcome::Hit(PickHit { id, pixel: (0, 0), depth: 0.0, position_world: None })
        })
    }

    fn click(cycle: &mut PickCycle, x: f64, scene: &[u32]) -> Option<u32> {
        cycle.click(DVec2::new(x, 0.0), 4.0);
        for _ in 0..2 {
            match cycle.take(pick(cycle, scene)) {
                PickNext::Hit(hit) => return Some(hit.id.get()),
                PickNext::Nothing => return None,
                PickNext::AskAgain => {}
            }
        }
        panic!("asked more than twice");
    }

    #[test]
    fn clicks_at_one_place_go_from_front_to_back_and_round_again() {
        let (mut cycle, scene) = (PickCycle::new(), [7, 3, 9]);
        let found: Vec<_> = (0..7).map(|_| click(&mut cycle, 10.0, &scene)).collect();
        assert_eq!(found, [7, 3, 9, 7, 3, 9, 7].map(Some));
        assert_eq!(click(&mut cycle, 13.0, &scene), Some(3), "a hand is not that still");
        assert_eq!(click(&mut cycle, 20.0, &scene), Some(7), "another place");
        cycle.reset();
        assert_eq!(click(&mut cycle, 20.0, &scene), Some(7));
    }

    #[test]
    fn nothing_stays_nothing_and_no_place_is_none() {
        let mut cycle = PickCycle::new();
        assert_eq!(click(&mut cycle, 1.0, &[]), None);
        assert_eq!(click(&mut cycle, f64::NAN, &[5, 6]), Some(5));
        assert_eq!(click(&mut cycle, f64::NAN, &[5, 6]), Some(5), "nowhere twice is no row");
    }
}
