//! Repeated clicks at one place, each of which means what lies behind the last.

use crate::marquee::STILL_LPX;
use std::num::NonZeroU32;
use wgpu_gizmo::View;
use wgpu_gizmo::pick::{PickAnswer, PickCycle, PickNext, PickOutcome, PickQuery};

/// A row of clicks.
#[derive(Debug, Default)]
pub(crate) struct Clicks {
    cycle: PickCycle,
    view: Option<View>,
    /// The question of the last click of a row.
    asked: Option<u64>,
}

impl Clicks {
    /// A click is about to be asked about. `goes_on`: it is one that may belong to a row.
    pub(crate) fn ask(&mut self, query: &PickQuery, goes_on: bool) {
        if !goes_on || self.view != Some(query.view) {
            self.reset();
        }
        if goes_on {
            self.view = Some(query.view);
            self.asked = Some(query.sequence);
            self.cycle.click(query.cursor_px, STILL_LPX * query.view.scale_factor());
        }
    }

    /// Whether what has this id is to be drawn for a question.
    pub(crate) fn shows(&self, query: &PickQuery, id: NonZeroU32) -> bool {
        self.asked != Some(query.sequence) || self.cycle.shows(id)
    }

    /// What an answer means. Where the row is through, it is to be asked again.
    pub(crate) fn answered(
        &mut self,
        answer: &PickAnswer,
        is_object: impl Fn(NonZeroU32) -> bool,
    ) -> PickOutcome {
        let PickAnswer { query, outcome } = *answer;
        if self.asked != Some(query.sequence) {
            return outcome;
        }
        let outcome = match outcome {
            PickOutcome::Hit(hit) if !is_object(hit.id) => return outcome,
            // Beside the pointer is not behind what is under it.
            PickOutcome::Hit(hit) if !self.cycle.passed().is_empty() && hit.pixel != texel(&query) => {
                PickOutcome::Nothing
            }
            outcome => outcome,
        };
        match self.cycle.take(outcome) {
            PickNext::Hit(hit) => PickOutcome::Hit(hit),
            PickNext::Nothing => PickOutcome::Nothing,
            PickNext::AskAgain => PickOutcome::Lost,
        }
    }

    /// The scene or the selection is another: a new row begins.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}

fn texel(query: &PickQuery) -> (i64, i64) {
    let texel = query.cursor_px.floor();
    (texel.x as i64, texel.y as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::{DMat4, DVec2};
    use wgpu_gizmo::pick::PickHit;

    fn id(id: u32) -> NonZeroU32 {
        NonZeroU32::new(id).expect("not 0")
    }

    fn view() -> View {
        View::from_clip_from_world(DMat4::IDENTITY, Viewport::of_size(400, 300), 1.0).expect("usable")
    }

    /// 1 is a handle; a thing has an id, and a column that it is seen in.
    fn click(clicks: &mut Clicks, x: f64, scene: &[(u32, i64)], goes_on: bool) -> u32 {
        for _ in 0..2 {
            let query = PickQuery::new(&view(), DVec2::new(x, 0.5), 5.0);
            clicks.ask(&query, goes_on);
            let mut shown = scene.iter().filter(|(thing, _)| clicks.shows(&query, id(*thing)));
            let outcome = shown.next().map_or(PickOutcome::Nothing, |(thing, column)| {
                let pixel = (*column, 0);
                PickOutcome::Hit(PickHit { id: id(*thing), pixel, depth: 0.0, position_world: None })
            });
            match clicks.answered(&PickAnswer { query, outcome }, |id| id.get() != 1) {
                PickOutcome::Hit(hit) => return hit.id.get(),
                PickOutcome::Nothing => return 0,
                PickOutcome::Lost => {}
            }
        }
        panic!("asked more than twice");
    }

    #[test]
    fn what_is_beside_the_pointer_is_not_behind_what_is_under_it() {
        let (mut clicks, scene) = (Clicks::default(), [(7, 10), (3, 10), (9, 12)]);
        let found: Vec<u32> = (0..5).map(|_| click(&mut clicks, 10.5, &scene, true)).collect();
        assert_eq!(found, [7, 3, 7, 3, 7]);
        assert_eq!(click(&mut clicks, 90.5, &[(9, 92)], true), 9, "but near enough for a first click");
        assert_eq!(click(&mut clicks, 90.5, &[(9, 92)], true), 9);
    }

    #[test]
    fn a_handle_is_a_handle_and_a_click_that_adds_is_of_no_row() {
        let (mut clicks, scene) = (Clicks::default(), [(7, 10), (3, 10)]);
        assert_eq!(click(&mut clicks, 10.5, &scene, true), 7);
        assert_eq!(click(&mut clicks, 10.5, &[(1, 10), (7, 10)], true), 1);
        assert_eq!(click(&mut clicks, 10.5, &scene, true), 3, "and the row goes on behind it");
        assert_eq!(click(&mut clicks, 10.5, &scene, false), 7);
        assert_eq!(click(&mut clicks, 10.5, &scene, false), 7);
        assert_eq!(click(&mut clicks, 10.5, &scene, true), 7);
        clicks.reset();
        assert_eq!(click(&mut clicks, 10.5, &scene, true), 7);
    }
}
