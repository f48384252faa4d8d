//! Click-through: each click at the same position picks the next object behind.

use crate::marquee::DRAG_THRESHOLD_LPX;
use std::num::NonZeroU32;
use wgpu_gizmo_core::View;
use wgpu_gizmo_core::pick::{ClickThrough, PickAnswer, PickOutcome, PickQuery};

/// A sequence of clicks at the same position in the same view.
#[derive(Debug, Default)]
pub(crate) struct ClickCycle {
    cycle: ClickThrough,
    view: Option<View>,
    /// The sequence number of the query of the last click.
    query: Option<u64>,
}

impl ClickCycle {
    /// Registers the query of a click. `may_continue` is true if the click can belong to a sequence.
    pub(crate) fn ask(&mut self, query: &PickQuery, may_continue: bool) {
        if !may_continue || self.view != Some(query.view) {
            self.reset();
        }
        if may_continue {
            self.view = Some(query.view);
            self.query = Some(query.sequence);
            self.cycle.click(query.cursor_px, DRAG_THRESHOLD_LPX * query.view.scale_factor());
        }
    }

    /// Returns true if the object with this id must be drawn for a query.
    pub(crate) fn shows(&self, query: &PickQuery, id: NonZeroU32) -> bool {
        self.query != Some(query.sequence) || self.cycle.shows(id)
    }

    /// Returns the outcome of a click. After the last object the sequence starts over, and the outcome is
    /// `Lost`, so that the query is repeated.
    pub(crate) fn answered(
        &mut self,
        answer: &PickAnswer,
        is_object: impl Fn(NonZeroU32) -> bool,
    ) -> PickOutcome {
        let PickAnswer { query, outcome, .. } = *answer;
        if self.query != Some(query.sequence) {
            return outcome;
        }
        let texel = query.cursor_px.floor();
        let outcome = match outcome {
            PickOutcome::Hit(hit) if !is_object(hit.id) => return outcome,
            // An object beside the pointer, within the tolerance, is not behind the one under it.
            PickOutcome::Hit(hit)
                if !self.cycle.passed().is_empty() && hit.pixel != (texel.x as i64, texel.y as i64) =>
            {
                PickOutcome::Nothing
            }
            outcome => outcome,
        };
        self.cycle.take(outcome)
    }

    /// Ends the sequence, because the scene or the selection has changed.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    fn id(id: u32) -> NonZeroU32 {
        NonZeroU32::new(id).expect("the id is not 0")
    }

    /// Clicks on a scene of ids, front to back, each with the column of its pixel, and returns the id that
    /// is hit. Id 1 is a handle.
    fn click(clicks: &mut ClickCycle, x: f64, scene: &[(u32, i64)], may_continue: bool) -> u32 {
        for _ in 0..2 {
            let query = PickQuery::new(&view(), DVec2::new(x, 0.5), 5.0);
            clicks.ask(&query, may_continue);
            let mut shown = scene.iter().filter(|(object, _)| clicks.shows(&query, id(*object)));
            let outcome = shown.next().map_or(PickOutcome::Nothing, |(object, column)| {
                PickOutcome::Hit(PickHit::at(id(*object), DVec2::new(*column as f64, 0.0)))
            });
            match clicks.answered(&PickAnswer::new(query, outcome), |id| id.get() != 1) {
                PickOutcome::Hit(hit) => return hit.id.get(),
                PickOutcome::Nothing => return 0,
                _ => {}
            }
        }
        panic!("the query was repeated more than once");
    }

    #[test]
    fn click_through_skips_objects_beside_pointer() {
        let (mut clicks, scene) = (ClickCycle::default(), [(7, 10), (3, 10), (9, 12)]);
        let found: Vec<u32> = (0..5).map(|_| click(&mut clicks, 10.5, &scene, true)).collect();
        assert_eq!(found, [7, 3, 7, 3, 7]);
        assert_eq!(click(&mut clicks, 90.5, &[(9, 92)], true), 9, "the first click is tolerant");
        assert_eq!(click(&mut clicks, 90.5, &[(9, 92)], true), 9);
    }
}
