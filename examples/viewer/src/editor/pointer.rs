//! What the pointer does: to the gizmo, to the row of clicks at one place, to rectangles and
//! lassos.

use super::Editor;
use crate::marquee::{Drawn, MarqueeQuery};
use crate::regions;
use crate::selection::How;
use std::num::NonZeroU32;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::pick::{PickAnswer, PickOutcome, PickQuery, Region};

impl Editor {
    /// The pointer is at this point of the target.
    pub(crate) fn pointer_moved(&mut self, cursor_px: DVec2) {
        self.cursor_px = Some(cursor_px);
        self.marquee.follow(cursor_px);
        self.gizmo.pointer_moved(cursor_px);
    }

    /// Where the pointer is, or was last.
    pub(crate) fn cursor_px(&self) -> Option<DVec2> {
        self.cursor_px
    }

    /// The pointer has left the window, or is over a panel.
    pub(crate) fn pointer_left(&mut self) {
        self.gizmo.pointer_left();
    }

    /// The primary button went down, with or without the keys that add and take away.
    pub(crate) fn pointer_pressed(&mut self, how: How) {
        let alone = !self.gizmo.is_busy();
        if alone {
            self.how = how;
        }
        if let Some(cursor_px) = self.cursor_px.filter(|_| !self.gizmo.is_active()) {
            self.marquee.press(cursor_px, how, alone);
        }
        self.gizmo.pointer_pressed();
    }

    /// The primary button went up.
    pub(crate) fn pointer_released(&mut self) {
        self.marquee.release();
        self.gizmo.pointer_released();
    }

    /// A drag, a rectangle or a lasso ends as if it had never been.
    pub(crate) fn cancel(&mut self) {
        self.marquee.cancel_drawing();
        self.gizmo.cancel();
    }

    /// Whether the pointer has begun something: a drag, a rectangle, or a press of which it is not
    /// yet known what it hit.
    pub(crate) fn is_busy(&self) -> bool {
        self.gizmo.is_busy() || self.marquee.is_held()
    }

    /// Whether something is to be asked, or is not yet known.
    pub(crate) fn waits(&self) -> bool {
        (self.gizmo.is_busy() && !self.gizmo.is_active()) || self.marquee.has_query()
    }

    /// The key of the lasso went down or up.
    pub(crate) fn hold_lasso(&mut self, is_held: bool) {
        self.marquee.hold_lasso(is_held);
    }

    /// The rectangle or lasso that is being drawn.
    pub(crate) fn drawn(&self) -> Option<Drawn<'_>> {
        self.marquee.drawn()
    }

    /// Whether rectangles and lassos select hidden nodes too.
    pub(crate) fn is_through(&self) -> bool {
        self.marquee.is_through()
    }

    /// The gizmo's next question to the ID image, if it has one.
    pub(crate) fn pick_query(&mut self) -> Option<PickQuery> {
        // Nothing lights up under a rectangle that is being drawn.
        if self.marquee.is_held() {
            return None;
        }
        let is_press = self.gizmo.is_busy() && !self.gizmo.is_active();
        let query = self.gizmo.pick_query()?;
        if is_press {
            self.pressed = Some(query.sequence);
            let how = self.marquee.how(query.cursor_px).unwrap_or(self.how);
            self.clicks.ask(&query, how == How::Replace);
        }
        Some(query)
    }

    /// The id of a node in the ID image for a question: clicks at one place leave out what those
    /// before them have found.
    pub(crate) fn id_for(&self, query: &PickQuery, node: usize) -> Option<NonZeroU32> {
        self.free_id_of(node).filter(|id| self.clicks.shows(query, *id))
    }

    /// Takes the answer to a question of [`Editor::pick_query`].
    pub(crate) fn answer(&mut self, answer: &PickAnswer) {
        let query = answer.query;
        let outcome = self.clicks.answered(answer, |id| self.ids.node(id).is_some());
        if self.pressed == Some(query.sequence) && outcome != PickOutcome::Lost {
            self.how = self.marquee.how(query.cursor_px).unwrap_or(self.how);
            self.marquee.settle(&query.view, outcome == PickOutcome::Nothing);
        }
        self.gizmo.answer(&PickAnswer { query, outcome });
    }

    /// The region to ask about, if one was drawn to its end.
    pub(crate) fn region_query(&mut self) -> Option<MarqueeQuery> {
        self.marquee.take_query()
    }

    /// Asks what is in a region of one view, to select it. A drag is cancelled first.
    pub(crate) fn select_region(&mut self, view: &View, region: Region, through: bool, how: How) {
        self.cancel();
        self.update(view);
        self.marquee.ask(view, region, through, how);
    }

    /// Takes what was found in a region. What came to nothing is asked again.
    pub(crate) fn answer_region(&mut self, answer: Option<regions::Answer>) {
        match answer {
            Some((query, Some(nodes))) if self.marquee.counts(&query) => {
                self.settle();
                self.selection = self.selection.with(&nodes, query.how);
                self.message = None;
                self.clicks.reset();
                self.gizmo.scene_changed();
            }
            Some((query, None)) => self.marquee.ask_again(query),
            _ => {}
        }
    }
}
