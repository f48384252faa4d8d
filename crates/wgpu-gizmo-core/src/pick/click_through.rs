use super::query::PickOutcome;
use glam::DVec2;
use std::num::NonZeroU32;

/// Click-through selection: each click at the same pixel picks the next object behind.
///
/// For each click, call [`ClickThrough::click`], draw only the objects for which [`ClickThrough::shows`]
/// returns true into the ID image, and pass the outcome of the pick to [`ClickThrough::take`]. A click
/// takes one pick, however many objects lie under the pixel, and one more when the cycle starts again.
///
/// ```
/// use std::num::NonZeroU32;
/// use wgpu_gizmo_core::PickOutcome;
/// use wgpu_gizmo_core::{glam::DVec2, pick::{ClickThrough, PickHit}};
///
/// let mut cycle = ClickThrough::new();
/// cycle.click(DVec2::new(40.0, 30.0), 4.0);
/// // The picker reports the object in front. The next click leaves it out of the ID image.
/// let id = NonZeroU32::MIN;
/// let hit = PickHit::at(id, DVec2::new(40.0, 30.0));
/// assert_eq!(cycle.take(PickOutcome::Hit(hit)), PickOutcome::Hit(hit));
/// cycle.click(DVec2::new(41.0, 30.0), 4.0);
/// assert!(!cycle.shows(id));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ClickThrough {
    /// The first click of the cycle.
    first_click_px: Option<DVec2>,
    /// The ids that the cycle has found, in ascending order.
    passed: Vec<NonZeroU32>,
}

impl ClickThrough {
    /// Creates a cycle without clicks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a click at a point of the render target, in physical pixels.
    ///
    /// A new cycle starts if the click is farther than `tolerance_px` from the first click of the current
    /// one, or if `cursor_px` is not finite.
    pub fn click(&mut self, cursor_px: DVec2, tolerance_px: f64) {
        let is_same = self
            .first_click_px
            .is_some_and(|first_click_px| first_click_px.distance(cursor_px) <= tolerance_px);
        if !is_same {
            self.passed.clear();
            self.first_click_px = Some(cursor_px).filter(|cursor_px| cursor_px.is_finite());
        }
    }

    /// Ends the cycle, so that the next click starts a new one.
    ///
    /// Call it when the camera moves or the scene changes.
    pub fn reset(&mut self) {
        self.passed.clear();
        self.first_click_px = None;
    }

    /// Returns the ids that earlier clicks of the cycle found, in ascending order. The next pick must
    /// not show them.
    pub fn passed(&self) -> &[NonZeroU32] {
        &self.passed
    }

    /// Returns true if the object with this id must be drawn for the next pick.
    pub fn shows(&self, id: NonZeroU32) -> bool {
        self.passed.binary_search(&id).is_err()
    }

    /// Takes the outcome of the pick, and returns the outcome of the click.
    ///
    /// [`PickOutcome::Lost`] means that the pick must be repeated for the same click: either the query was
    /// lost, or nothing is left behind the last object and the cycle has started again at the first one.
    pub fn take(&mut self, outcome: PickOutcome) -> PickOutcome {
        match outcome {
            PickOutcome::Hit(hit) => {
                if let Err(index) = self.passed.binary_search(&hit.id) {
                    self.passed.insert(index, hit.id);
                }
                outcome
            }
            PickOutcome::Nothing if !self.passed.is_empty() => {
                self.passed.clear();
                PickOutcome::Lost
            }
            PickOutcome::Nothing | PickOutcome::Lost => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::PickHit;
    use super::*;

    /// Picks from objects behind each other, nearest first.
    fn pick(cycle: &ClickThrough, scene: &[u32]) -> PickOutcome {
        let ids = scene.iter().filter_map(|id| NonZeroU32::new(*id));
        let nearest = ids.into_iter().find(|id| cycle.shows(*id));
        nearest.map_or(PickOutcome::Nothing, |id| PickOutcome::Hit(PickHit::at(id, DVec2::ZERO)))
    }

    fn click(cycle: &mut ClickThrough, x: f64, scene: &[u32]) -> Option<u32> {
        cycle.click(DVec2::new(x, 0.0), 4.0);
        for _ in 0..2 {
            match cycle.take(pick(cycle, scene)) {
                PickOutcome::Hit(hit) => return Some(hit.id.get()),
                PickOutcome::Nothing => return None,
                PickOutcome::Lost => {}
            }
        }
        panic!("more than two picks for one click");
    }

    #[test]
    fn repeated_clicks_cycle_front_to_back() {
        let (mut cycle, scene) = (ClickThrough::new(), [7, 3, 9]);
        let found: Vec<_> = (0..7).map(|_| click(&mut cycle, 10.0, &scene)).collect();
        assert_eq!(found, [7, 3, 9, 7, 3, 9, 7].map(Some));
        assert_eq!(click(&mut cycle, 13.0, &scene), Some(3), "within the tolerance of the first click");
        assert_eq!(cycle.passed().iter().map(|id| id.get()).collect::<Vec<_>>(), [3, 7]);
        assert_eq!(
            click(&mut cycle, 16.0, &scene),
            Some(7),
            "outside the tolerance, though near the last click"
        );
        cycle.reset();
        assert_eq!(click(&mut cycle, 16.0, &scene), Some(7));
    }

    #[test]
    fn empty_pixel_and_nan_cursor_start_no_cycle() {
        let mut cycle = ClickThrough::new();
        assert_eq!(click(&mut cycle, 1.0, &[]), None);
        assert_eq!(click(&mut cycle, f64::NAN, &[5, 6]), Some(5));
        assert_eq!(click(&mut cycle, f64::NAN, &[5, 6]), Some(5), "NaN is not a pixel");
    }
}
