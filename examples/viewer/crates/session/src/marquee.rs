//! Box and lasso selection: a press on nothing that is dragged becomes a region, and its release selects
//! what is in it.

use scene::selection::SelectMode;
use std::collections::VecDeque;
use wgpu_gizmo_core::View;
use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::pick::Region;

/// The drag threshold in logical pixels, the same as the gizmo's: a press that moves less is a click.
pub const DRAG_THRESHOLD_LPX: f64 = 4.0;

/// The minimum distance between two points of a lasso, in physical pixels.
const MIN_POINT_DISTANCE_PX: f64 = 2.0;

/// A gesture from a press to its release.
#[derive(Debug, Clone, PartialEq)]
struct Gesture {
    /// From the position of the press to that of the pointer.
    path_px: Vec<DVec2>,
    /// The maximum distance from the position of the press.
    max_distance_px: f64,
    mode: SelectMode,
    is_lasso: bool,
    stage: Stage,
}

#[derive(Debug, Clone, PartialEq)]
enum Stage {
    Held,
    /// Released while its pick was pending, in this view.
    Released(Option<Box<View>>),
    Canceled,
}

impl Gesture {
    fn follow(&mut self, cursor_px: DVec2) {
        let [first, .., last] = self.path_px[..] else {
            self.path_px.push(cursor_px);
            self.max_distance_px = self.path_px[0].distance(cursor_px);
            return;
        };
        self.max_distance_px = self.max_distance_px.max(first.distance(cursor_px));
        // The last point follows the pointer until it is far enough from the one before it.
        let previous = self.path_px[self.path_px.len() - 2];
        if previous.distance(last) < MIN_POINT_DISTANCE_PX {
            self.path_px.pop();
        }
        self.path_px.push(cursor_px);
    }

    fn is_click(&self, view: &View) -> bool {
        self.max_distance_px < DRAG_THRESHOLD_LPX * view.scale_factor()
    }

    fn region(&self) -> Region {
        match self.path_px[..] {
            [first, .., last] if !self.is_lasso => Region::Rectangle([first, last]),
            _ => Region::Lasso(self.path_px.clone()),
        }
    }
}

/// A query for the nodes in a region, which will be selected.
#[derive(Debug, Clone, PartialEq)]
pub struct MarqueeQuery {
    /// The view in which the region was drawn.
    pub view: View,
    /// The region, in physical pixels.
    pub region: Region,
    /// Whether occluded nodes are selected too.
    pub through: bool,
    /// The way the nodes change the selection.
    pub mode: SelectMode,
    /// The generation of the selection. The answer to a query of an older one is stale.
    generation: u64,
}

/// A query and the nodes it found, or `None` if the query must be repeated.
pub type RegionAnswer = (MarqueeQuery, Option<Vec<usize>>);

/// The region that is being drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnRegion {
    /// The view in which it is drawn.
    pub view: View,
    /// From the position of the press to that of the pointer.
    pub path_px: Vec<DVec2>,
    /// Whether it is a lasso instead of a box.
    pub is_lasso: bool,
    /// The way the nodes will change the selection.
    pub mode: SelectMode,
    /// Whether occluded nodes are selected too.
    pub through: bool,
}

/// The state of box and lasso selection.
#[derive(Debug, Default)]
pub struct Marquee {
    /// Presses whose picks are pending, in order.
    pressed: VecDeque<Gesture>,
    /// The press on nothing that is held, with the view it is in.
    drawn: Option<(View, Gesture)>,
    /// The view that is shown.
    view: Option<View>,
    is_lasso_held: bool,
    /// Whether occluded nodes are selected too.
    pub(crate) through: bool,
    /// The query of a finished box or lasso.
    pub(crate) query: Option<MarqueeQuery>,
    generation: u64,
}

impl Marquee {
    /// Handles the lasso key. A lasso remains one when the key is released.
    pub fn hold_lasso(&mut self, is_held: bool) {
        self.is_lasso_held = is_held;
        if let Some(gesture) = self.open().filter(|_| is_held) {
            gesture.is_lasso = true;
        }
    }

    /// Handles a press of the button. `alone` is true if the picks of all earlier presses are known.
    pub fn press(&mut self, cursor_px: DVec2, mode: SelectMode, alone: bool) {
        if alone {
            self.pressed.clear();
        }
        // If another press is still held, its release went to another window.
        self.drawn = None;
        for held in self.pressed.iter_mut().filter(|gesture| gesture.stage == Stage::Held) {
            held.stage = Stage::Canceled;
        }
        let (is_lasso, path_px, stage) = (self.is_lasso_held, vec![cursor_px], Stage::Held);
        self.pressed.push_back(Gesture { path_px, max_distance_px: 0.0, mode, is_lasso, stage });
    }

    /// Returns the gesture whose button is down.
    fn open(&mut self) -> Option<&mut Gesture> {
        let pending = self.pressed.back_mut().filter(|gesture| gesture.stage == Stage::Held);
        pending.or(self.drawn.as_mut().map(|(_, gesture)| gesture))
    }

    /// Handles a move of the pointer.
    pub fn follow(&mut self, cursor_px: DVec2) {
        if let Some(gesture) = self.open() {
            gesture.follow(cursor_px);
        }
    }

    /// Handles the release of the button.
    pub fn release(&mut self) {
        if let Some(gesture) = self.pressed.back_mut().filter(|gesture| gesture.stage == Stage::Held) {
            gesture.stage = Stage::Released(self.view.map(Box::new));
        } else if let Some((view, gesture)) = self.drawn.take() {
            self.finish(&view, &gesture);
        }
    }

    /// Cancels the box or lasso, and presses whose picks are pending.
    pub(crate) fn cancel_drawing(&mut self) {
        self.drawn = None;
        self.pressed.iter_mut().for_each(|gesture| gesture.stage = Stage::Canceled);
    }

    /// Returns how the next pending press changes the selection, if it was at this point.
    pub fn mode(&mut self, cursor_px: DVec2) -> Option<SelectMode> {
        // The gizmo never reports presses that it ignored.
        while self.pressed.front().is_some_and(|gesture| gesture.path_px[0] != cursor_px) {
            self.pressed.pop_front();
        }
        self.pressed.front().map(|gesture| gesture.mode)
    }

    /// Handles the pick of the next pending press.
    pub fn settle(&mut self, view: &View, hit_nothing: bool) {
        let Some(gesture) = self.pressed.pop_front().filter(|_| hit_nothing) else { return };
        match &gesture.stage {
            Stage::Held => self.drawn = Some((*view, gesture)),
            // The camera may have moved between the press and the release.
            Stage::Released(last) => {
                let last = last.as_deref().filter(|last| is_in_same_place(last, view));
                self.finish(last.unwrap_or(view), &gesture);
            }
            Stage::Canceled => {}
        }
    }

    fn finish(&mut self, view: &View, gesture: &Gesture) {
        if !gesture.is_click(view) {
            self.ask(view, gesture.region(), self.through, gesture.mode);
        }
    }

    /// Creates a query for a region.
    pub fn ask(&mut self, view: &View, region: Region, through: bool, mode: SelectMode) {
        let generation = self.generation;
        self.query = Some(MarqueeQuery { view: *view, region, through, mode, generation });
    }

    /// Handles a change of the view. The camera may move, as at the end of a jump, but a view of another size cancels
    /// the box or lasso.
    pub fn look(&mut self, view: &View) {
        self.view = Some(*view);
        match &mut self.drawn {
            Some((drawn_in, _)) if is_in_same_place(drawn_in, view) => *drawn_in = *view,
            Some(_) => self.cancel_drawing(),
            None => {}
        }
    }

    /// Returns true while a press on nothing is held.
    pub(crate) fn is_held(&self) -> bool {
        self.drawn.is_some()
    }

    /// Returns the box or lasso to show, if the pointer has passed the drag threshold.
    pub fn drawn(&self) -> Option<DrawnRegion> {
        let (view, gesture) = self.drawn.as_ref().filter(|(view, gesture)| !gesture.is_click(view))?;
        let Gesture { path_px, mode, is_lasso, .. } = gesture.clone();
        Some(DrawnRegion { view: *view, path_px, is_lasso, mode, through: self.through })
    }

    /// Repeats a query whose answer was lost, unless it is stale.
    pub(crate) fn ask_again(&mut self, query: MarqueeQuery) {
        if self.counts(&query) {
            self.query.get_or_insert(query);
        }
    }

    /// Makes all queries so far stale, because the selection has changed in another way.
    pub fn forget(&mut self) {
        self.query = None;
        self.generation += 1;
    }

    /// Returns true if a query is not stale.
    pub fn counts(&self, query: &MarqueeQuery) -> bool {
        query.generation == self.generation
    }
}

/// Returns true if positions in one view are the same ones in the other.
fn is_in_same_place(a: &View, b: &View) -> bool {
    (a.viewport(), a.scale_factor()) == (b.viewport(), b.scale_factor())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::*;

    fn view(scale_factor: f64) -> View {
        let viewport = Viewport::from_size(400, 300);
        View::from_clip_from_world(DMat4::IDENTITY, viewport, scale_factor).expect("the view is valid")
    }

    fn px(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    /// Returns a press on nothing that is held, from (0, 0).
    fn held(scale_factor: f64) -> Marquee {
        let mut marquee = Marquee::default();
        marquee.press(px(0.0, 0.0), SelectMode::Replace, true);
        marquee.settle(&view(scale_factor), true);
        marquee
    }

    #[test]
    fn fast_drag_before_pick_keeps_whole_box() {
        let mut marquee = Marquee::default();
        marquee.press(px(10.0, 10.0), SelectMode::Add, true);
        marquee.follow(px(50.0, 10.0));
        marquee.follow(px(50.0, 40.0));
        marquee.release();
        marquee.press(px(80.0, 80.0), SelectMode::Replace, false);
        assert_eq!(marquee.query.take(), None, "the pick is pending");
        assert_eq!(marquee.mode(px(10.0, 10.0)), Some(SelectMode::Add));
        marquee.settle(&view(1.0), true);
        let query = marquee.query.take().expect("the pointer passed the drag threshold");
        assert_eq!(query.region, Region::Rectangle([px(10.0, 10.0), px(50.0, 40.0)]));
        assert_eq!((query.mode, query.through), (SelectMode::Add, false));
        assert_eq!(marquee.mode(px(80.0, 80.0)), Some(SelectMode::Replace));
        marquee.settle(&view(1.0), false);
        marquee.release();
        assert_eq!((marquee.query.take(), marquee.is_held()), (None, false), "the press hit an object");
    }

    #[test]
    fn drag_threshold_is_in_logical_pixels() {
        for (scale_factor, below) in [(1.0, 3.9), (2.0, 7.9)] {
            for (distance, is_click) in [(below, true), (below + 0.2, false)] {
                let mut marquee = held(scale_factor);
                marquee.follow(px(distance, 0.0));
                marquee.follow(px(0.0, 0.0));
                assert_eq!(marquee.drawn().is_none(), is_click, "{scale_factor} {distance}");
                marquee.release();
                assert_eq!(marquee.query.take().is_none(), is_click, "{scale_factor} {distance}");
            }
        }
    }

    #[test]
    fn lasso_follows_pointer_after_key_is_released() {
        let mut marquee = held(1.0);
        marquee.follow(px(20.0, 0.0));
        marquee.hold_lasso(true);
        marquee.hold_lasso(false);
        for x in 0..10 {
            marquee.follow(px(20.0 - f64::from(x) * 0.5, 30.0));
        }
        marquee.release();
        let Some(MarqueeQuery { region: Region::Lasso(points), .. }) = marquee.query.take() else {
            panic!("the region is a lasso")
        };
        assert_eq!(
            (points[0], points[1], points.last()),
            (px(0.0, 0.0), px(20.0, 0.0), Some(&px(15.5, 30.0)))
        );
        assert!(points.len() < 9, "{points:?}");
        marquee.press(px(0.0, 0.0), SelectMode::Replace, true);
        marquee.settle(&view(1.0), true);
        marquee.follow(px(20.0, 30.0));
        assert_eq!(marquee.drawn().map(|drawn| drawn.is_lasso), Some(false), "the key is no longer held");
    }

    #[test]
    fn box_goes_on_where_camera_is_at_release() {
        let moved = {
            let clip_from_world = DMat4::from_scale(DVec3::new(0.5, 0.5, 1.0));
            View::from_clip_from_world(clip_from_world, view(1.0).viewport(), 1.0).expect("the view is valid")
        };
        for is_pending in [false, true] {
            let mut marquee = Marquee::default();
            marquee.look(&view(1.0));
            marquee.press(px(0.0, 0.0), SelectMode::Replace, true);
            if !is_pending {
                marquee.settle(&view(1.0), true);
            }
            marquee.look(&moved);
            marquee.follow(px(90.0, 90.0));
            marquee.release();
            marquee.look(&view(1.0));
            if is_pending {
                marquee.settle(&view(1.0), true);
            }
            assert_eq!(marquee.query.take().map(|query| query.view), Some(moved), "{is_pending}");
        }
    }

    #[test]
    fn canceled_or_resized_view_makes_no_query() {
        for cancel in [Marquee::cancel_drawing, |m: &mut Marquee| m.look(&view(2.0))] {
            let mut marquee = held(1.0);
            marquee.follow(px(90.0, 90.0));
            marquee.look(&view(1.0));
            assert!(marquee.drawn().is_some());
            cancel(&mut marquee);
            marquee.release();
            assert!(marquee.drawn().is_none() && marquee.query.take().is_none());
        }
        let mut marquee = Marquee::default();
        for alone in [true, false] {
            marquee.press(px(0.0, 0.0), SelectMode::Replace, alone);
            marquee.follow(px(90.0, 90.0));
        }
        marquee.settle(&view(1.0), true);
        assert!(!marquee.is_held(), "the release of the first press was lost");
        marquee.cancel_drawing();
        marquee.settle(&view(1.0), true);
        assert!(!marquee.is_held(), "canceled before the pick was known");
    }

    #[test]
    fn query_is_stale_after_another_selection() {
        let mut marquee = held(1.0);
        marquee.follow(px(90.0, 90.0));
        marquee.release();
        let query = marquee.query.take().expect("the pointer passed the drag threshold");
        marquee.ask_again(query.clone());
        let query = marquee.query.take().filter(|again| *again == query).expect("the query is repeated");
        assert!(marquee.counts(&query));
        marquee.forget();
        marquee.ask_again(query.clone());
        assert!(!marquee.counts(&query) && marquee.query.take().is_none());
    }
}
