//! The handles, the view cube and the nodes that can be drawn and picked in each view.

use crate::session::Session;
use std::num::NonZeroU32;
use wgpu_gizmo_core::interaction::Gizmos;
use wgpu_gizmo_core::pick::{PickAnswer, PickQuery};
use wgpu_gizmo_core::{DrawList, Gizmo, View};

impl Session {
    /// Returns true if a view is the main view. A query may have an older view, with another camera or
    /// another viewport, so the key decides.
    fn is_main(&self, view: &View) -> bool {
        self.views.main().key() == view.key()
    }

    /// Returns true if a view shows the view cube.
    pub(crate) fn has_cube(&self, view: &View) -> bool {
        self.cameras.shows_cube && self.is_main(view)
    }

    /// Returns the node that a view hides: the main view hides the node whose camera is looked through.
    pub fn hidden_node(&self, view: &View) -> Option<usize> {
        self.cameras.looks_through().filter(|_| self.is_main(view))
    }

    /// Returns a predicate for the nodes that can be picked in a view.
    pub fn pickable_in<'a>(&'a self, view: &View) -> impl Fn(usize) -> bool + use<'a> {
        let hidden_node = self.hidden_node(view);
        move |node| self.editor.pickable_id_of(node).is_some() && hidden_node != Some(node)
    }

    /// Returns a predicate for the nodes in the ID image of a query.
    pub fn pickable_for(&self, query: &PickQuery) -> impl Fn(usize) -> bool {
        let may_snap_to = query.is_snap.then(|| self.editor.may_snap_to());
        let is_pickable = self.pickable_in(&query.view);
        move |node| match &may_snap_to {
            Some(may_snap_to) => may_snap_to(node),
            None => is_pickable(node) && self.editor.id_for(query, node).is_some(),
        }
    }

    /// Adds the handles and the view cube.
    fn draw_handles(&mut self, list: &mut DrawList) {
        self.editor.draw_gizmo(list);
        if list.view().copied().is_some_and(|view| self.has_cube(&view)) {
            self.editor.draw_cube(list);
        }
    }

    /// Adds the icons of cameras and lights, with the ids by which they are picked.
    fn draw_icons(&self, list: &mut DrawList, id_of: impl Fn(usize) -> Option<NonZeroU32>) {
        let hidden_node = list.view().and_then(|view| self.hidden_node(view));
        self.editor.draw_icons(list, hidden_node, id_of);
    }
}

impl Gizmos for Session {
    fn next_query(&mut self) -> Option<PickQuery> {
        self.editor.pick_query().or_else(|| self.editor.snap_query())
    }

    fn answer(&mut self, answer: &PickAnswer, neighbors: &[NonZeroU32]) {
        match answer.query.is_snap {
            true => self.editor.answer_snap(answer, neighbors),
            false => self.editor.answer(answer),
        }
    }

    fn await_answer(&mut self, query: &PickQuery) {
        self.editor.for_each_gizmo(|gizmo| gizmo.await_answer(query));
    }

    fn picks_lost(&mut self) {
        self.editor.for_each_gizmo(Gizmo::picks_lost);
        self.editor.pointer.repeat_passed();
    }

    fn draw(&mut self, list: &mut DrawList) {
        self.draw_handles(list);
        self.draw_icons(list, |node| self.editor.pickable_id_of(node));
    }

    fn draw_for_pick(&mut self, list: &mut DrawList, query: &PickQuery) {
        // A click that a handle passes on is about what is behind the handles.
        if !self.editor.pointer().is_behind_handles(query) {
            self.draw_handles(list);
        }
        self.draw_icons(list, |node| self.editor.id_for(query, node));
    }

    fn needs_redraw(&self, view_key: u64) -> bool {
        self.editor.needs_redraw(view_key)
    }

    fn is_hover_pending(&self) -> bool {
        // Nothing is hovered while a box is drawn.
        let is_busy = self.editor.pointer.marquee.is_held() || self.editor.is_dragging();
        !is_busy && self.editor.gizmo.is_hover_pending()
    }

    fn is_busy(&self) -> bool {
        self.editor.is_gizmo_busy()
    }

    fn is_active(&self) -> bool {
        self.editor.is_dragging()
    }
}
