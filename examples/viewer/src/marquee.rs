//! Rectangles and lassos: what a press on nothing becomes when it is dragged, and what is to be
//! selected when it is released.

use crate::selection::How;
use std::collections::VecDeque;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::pick::Region;

/// How far a press may wander and still be a click, in logical pixels: as far as the gizmo lets it.
pub(crate) const STILL_LPX: f64 = 4.0;

/// Points of a lasso that are closer together than this, in physical pixels, are one.
const POINTS_APART_PX: f64 = 2.0;

/// From a press to its release.
#[derive(Debug, Clone, PartialEq)]
struct Gesture {
    /// The first is where it was pressed, the last where the pointer is.
    path_px: Vec<DVec2>,
    farthest_px: f64,
    how: How,
    is_lasso: bool,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Held,
    Released,
    GivenUp,
}

impl Gesture {
    fn follow(&mut self, cursor_px: DVec2) {
        let [first, .., last] = self.path_px[..] else {
            self.path_px.push(cursor_px);
            self.farthest_px = self.path_px[0].distance(cursor_px);
            return;
        };
        self.farthest_px = self.farthest_px.max(first.distance(cursor_px));
        // The last point is the pointer's; the one before it stays once it is far enough away.
        let before = self.path_px[self.path_px.len() - 2];
        if before.distance(last) < POINTS_APART_PX {
            self.path_px.pop();
        }
        self.path_px.push(cursor_px);
    }

    fn is_click(&self, view: &View) -> bool {
        self.farthest_px < STILL_LPX * view.scale_factor()
    }

    fn region(&self) -> Region {
        match self.path_px[..] {
            [first, .., last] if !self.is_lasso => Region::Rectangle([first, last]),
            _ => Region::Lasso(self.path_px.clone()),
        }
    }
}

/// A region to select what is in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RegionQuery {
    /// The view that it was drawn in.
    pub(crate) view: View,
    pub(crate) region: Region,
    /// Hidden things too.
    pub(crate) through: bool,
    pub(crate) how: How,
    /// Of the questions that still count.
    row: u64,
}

/// A region as it is being drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Drawn<'a> {
    pub(crate) view: &'a View,
    /// From where it was pressed to where the pointer is.
    pub(crate) path_px: &'a [DVec2],
    pub(crate) is_lasso: bool,
    pub(crate) how: How,
    pub(crate) through: bool,
}

/// Rectangles and lassos of the pointer.
#[derive(Debug, Default)]
pub(crate) struct Marquee {
    /// Presses of which it is not yet known what they hit, in order.
    pressed: VecDeque<Gesture>,
    /// The one that hit nothing and is still held.
    drawn: Option<(View, Gesture)>,
    is_lasso_held: bool,
    /// Hidden things are selected too.
    through: bool,
    query: Option<RegionQuery>,
    row: u64,
}

impl Marquee {
    /// The key of the lasso went down or up. What has become a lasso stays one.
    pub(crate) fn hold_lasso(&mut self, is_held: bool) {
        self.is_lasso_held = is_held;
        if let Some(gesture) = self.open().filter(|_| is_held) {
            gesture.is_lasso = true;
        }
    }

    /// Whether hidden things are selected too.
    pub(crate) fn is_through(&self) -> bool {
        self.through
    }

    /// Selects hidden things too from now on, or no longer.
    pub(crate) fn switch_through(&mut self) {
        self.through = !self.through;
    }

    /// The button went down. `alone`: no press before it waits to know what it hit.
    pub(crate) fn press(&mut self, cursor_px: DVec2, how: How, alone: bool) {
        if alone {
            self.pressed.clear();
        }
        // Where one is held still, its release went to another window.
        self.drawn = None;
        for held in self.pressed.iter_mut().filter(|gesture| gesture.stage == Stage::Held) {
            held.stage = Stage::GivenUp;
        }
        let (is_lasso, path_px) = (self.is_lasso_held, vec![cursor_px]);
        self.pressed.push_back(Gesture { path_px, farthest_px: 0.0, how, is_lasso, stage: Stage::Held });
    }

    /// The gesture whose button is down.
    fn open(&mut self) -> Option<&mut Gesture> {
        let waiting = self.pressed.back_mut().filter(|gesture| gesture.stage == Stage::Held);
        waiting.or(self.drawn.as_mut().map(|(_, gesture)| gesture))
    }

    /// The pointer moved.
    pub(crate) fn follow(&mut self, cursor_px: DVec2) {
        if let Some(gesture) = self.open() {
            gesture.follow(cursor_px);
        }
    }

    /// The button went up.
    pub(crate) fn release(&mut self) {
        if let Some(gesture) = self.pressed.back_mut().filter(|gesture| gesture.stage == Stage::Held) {
            gesture.stage = Stage::Released;
        } else if let Some((view, gesture)) = self.drawn.take() {
            self.finish(&view, &gesture);
        }
    }

    /// Nothing comes of what is being drawn.
    pub(crate) fn give_up(&mut self) {
        self.drawn = None;
        self.pressed.iter_mut().for_each(|gesture| gesture.stage = Stage::GivenUp);
    }

    /// How the next press that is waiting is meant, if it was at this point.
    pub(crate) fn how(&mut self, cursor_px: DVec2) -> Option<How> {
        // Presses that the gizmo made nothing of never come to be known.
        while self.pressed.front().is_some_and(|gesture| gesture.path_px[0] != cursor_px) {
            self.pressed.pop_front();
        }
        self.pressed.front().map(|gesture| gesture.how)
    }

    /// What the next press that is waiting has hit: nothing, or something.
    pub(crate) fn settle(&mut self, view: &View, hit_nothing: bool) {
        let Some(gesture) = self.pressed.pop_front().filter(|_| hit_nothing) else { return };
        match gesture.stage {
            Stage::Held => self.drawn = Some((*view, gesture)),
            Stage::Released => self.finish(view, &gesture),
            Stage::GivenUp => {}
        }
    }

    fn finish(&mut self, view: &View, gesture: &Gesture) {
        if !gesture.is_click(view) {
            self.ask(view, gesture.region(), self.through, gesture.how);
        }
    }

    /// Asks about a region.
    pub(crate) fn ask(&mut self, view: &View, region: Region, through: bool, how: How) {
        self.query = Some(RegionQuery { view: *view, region, through, how, row: self.row });
    }

    /// What is drawn belongs to the view that it was begun in, as that was.
    pub(crate) fn look(&mut self, view: &View) {
        if self.drawn.as_ref().is_some_and(|(drawn_in, _)| drawn_in != view) {
            self.give_up();
        }
    }

    /// Whether a press on nothing is held.
    pub(crate) fn is_held(&self) -> bool {
        self.drawn.is_some()
    }

    /// What is to be seen of it.
    pub(crate) fn drawn(&self) -> Option<Drawn<'_>> {
        let (view, gesture) = self.drawn.as_ref().filter(|(view, gesture)| !gesture.is_click(view))?;
        let Gesture { path_px, how, is_lasso, .. } = gesture;
        Some(Drawn { view, path_px, is_lasso: *is_lasso, how: *how, through: self.through })
    }

    /// Whether there is a region to ask about.
    pub(crate) fn has_query(&self) -> bool {
        self.query.is_some()
    }

    /// The region to ask about, once.
    pub(crate) fn take_query(&mut self) -> Option<RegionQuery> {
        self.query.take()
    }

    /// A question to be asked again: its answer was lost.
    pub(crate) fn ask_again(&mut self, query: RegionQuery) {
        if query.row == self.row {
            self.query.get_or_insert(query);
        }
    }

    /// Something else was selected: what was asked so far does not count any more.
    pub(crate) fn forget(&mut self) {
        self.query = None;
        self.row += 1;
    }

    /// Whether the answer to this question still counts.
    pub(crate) fn counts(&self, query: &RegionQuery) -> bool {
        query.row == self.row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::DMat4;

    fn view(scale_factor: f64) -> View {
        let viewport = Viewport::of_size(400, 300);
        View::from_clip_from_world(DMat4::IDENTITY, viewport, scale_factor).expect("usable")
    }

    fn px(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    #[test]
    fn a_fast_drag_on_nothing_loses_nothing() {
        let mut marquee = Marquee::default();
        marquee.press(px(10.0, 10.0), How::Add, true);
        marquee.follow(px(50.0, 10.0));
        marquee.follow(px(50.0, 40.0));
        marquee.release();
        marquee.press(px(80.0, 80.0), How::Replace, false);
        assert_eq!(marquee.take_query(), None, "what it hit is not known");
        assert_eq!(marquee.how(px(10.0, 10.0)), Some(How::Add));
        marquee.settle(&view(1.0), true);
        let query = marquee.take_query().expect("it went far");
        assert_eq!(query.region, Region::Rectangle([px(10.0, 10.0), px(50.0, 40.0)]));
        assert_eq!((query.how, query.through), (How::Add, false));
        assert_eq!(marquee.how(px(80.0, 80.0)), Some(How::Replace));
        marquee.settle(&view(1.0), false);
        marquee.release();
        assert_eq!((marquee.take_query(), marquee.is_held()), (None, false), "it hit something");
    }

    #[test]
    fn a_click_is_no_region_however_many_pixels_a_logical_one_has() {
        for (scale_factor, far) in [(1.0, 3.9), (2.0, 7.9)] {
            for (distance, is_click) in [(far, true), (far + 0.2, false)] {
                let mut marquee = Marquee::default();
                marquee.press(px(10.0, 10.0), How::Replace, true);
                marquee.settle(&view(scale_factor), true);
                marquee.follow(px(10.0 + distance, 10.0));
                marquee.follow(px(10.0, 10.0));
                assert_eq!(marquee.drawn().is_none(), is_click, "{scale_factor} {distance}");
                marquee.release();
                assert_eq!(marquee.take_query().is_none(), is_click, "{scale_factor} {distance}");
            }
        }
    }

    #[test]
    fn a_lasso_goes_where_the_pointer_went_and_stays_one() {
        let mut marquee = Marquee::default();
        marquee.press(px(0.0, 0.0), How::Replace, true);
        marquee.settle(&view(1.0), true);
        marquee.follow(px(20.0, 0.0));
        marquee.hold_lasso(true);
        marquee.hold_lasso(false);
        for x in 0..10 {
            marquee.follow(px(20.0 - f64::from(x) * 0.5, 30.0));
        }
        marquee.release();
        let Some(RegionQuery { region: Region::Lasso(points), .. }) = marquee.take_query() else {
            panic!("a lasso")
        };
        assert_eq!(
            (points[0], points[1], points.last()),
            (px(0.0, 0.0), px(20.0, 0.0), Some(&px(15.5, 30.0)))
        );
        assert!(points.len() < 9, "{points:?}");
        marquee.press(px(0.0, 0.0), How::Replace, true);
        marquee.settle(&view(1.0), true);
        marquee.follow(px(20.0, 30.0));
        assert_eq!(marquee.drawn().map(|drawn| drawn.is_lasso), Some(false), "the key is up again");
    }

    #[test]
    fn nothing_comes_of_what_was_given_up_or_seen_from_elsewhere() {
        for ends in [Marquee::give_up, |m: &mut Marquee| m.look(&view(2.0))] {
            let mut marquee = Marquee::default();
            marquee.press(px(0.0, 0.0), How::Replace, true);
            marquee.settle(&view(1.0), true);
            marquee.follow(px(90.0, 90.0));
            marquee.look(&view(1.0));
            assert!(marquee.drawn().is_some());
            ends(&mut marquee);
            marquee.release();
            assert!(marquee.drawn().is_none() && marquee.take_query().is_none());
        }
        let mut marquee = Marquee::default();
        for alone in [true, false] {
            marquee.press(px(0.0, 0.0), How::Replace, alone);
            marquee.follow(px(90.0, 90.0));
        }
        marquee.settle(&view(1.0), true);
        assert!(!marquee.is_held(), "its release was lost");
        marquee.give_up();
        marquee.settle(&view(1.0), true);
        assert!(!marquee.is_held(), "given up before it was known what it hit");
    }

    #[test]
    fn an_answer_that_comes_after_another_selection_does_not_count() {
        let mut marquee = Marquee::default();
        marquee.press(px(0.0, 0.0), How::Replace, true);
        marquee.settle(&view(1.0), true);
        marquee.follow(px(90.0, 90.0));
        marquee.release();
        let query = marquee.take_query().expect("far enough");
        marquee.ask_again(query.clone());
        let query = marquee.take_query().filter(|again| *again == query).expect("asked again");
        assert!(marquee.counts(&query));
        marquee.forget();
        marquee.ask_again(query.clone());
        assert!(!marquee.counts(&query) && marquee.take_query().is_none());
    }
}
