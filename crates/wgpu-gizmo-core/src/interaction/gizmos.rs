//! The gizmos that a GPU half draws and answers: one, several, or a host's own editor.

use crate::draw::DrawList;
use crate::interaction::gizmo::Gizmo;
use crate::pick::{PickAnswer, PickQuery};
use std::num::NonZeroU32;

/// One or more gizmos with ids of one [`IdSpace`](crate::pick::IdSpace), and what a host draws and picks with them.
///
/// A `GizmoGpu` of the crate `wgpu-gizmo` draws them and answers their queries. A [`Gizmo`] and a slice of gizmos
/// implement it. A host implements it for its editor if that draws more than gizmos, such as a navigation cube, or
/// decides what a click means.
///
/// ```
/// use std::num::NonZeroU32;
/// use wgpu_gizmo_core::interaction::Gizmos;
/// use wgpu_gizmo_core::pick::{PickAnswer, PickQuery};
/// use wgpu_gizmo_core::{DrawList, Gizmo};
///
/// struct Editor {
///     gizmo: Gizmo,
///     is_gizmo_shown: bool,
/// }
///
/// impl Gizmos for Editor {
///     fn next_query(&mut self) -> Option<PickQuery> {
///         self.gizmo.next_query()
///     }
///     fn answer(&mut self, answer: &PickAnswer, neighbors: &[NonZeroU32]) {
///         Gizmos::answer(&mut self.gizmo, answer, neighbors);
///     }
///     fn await_answer(&mut self, query: &PickQuery) {
///         self.gizmo.await_answer(query);
///     }
///     fn picks_lost(&mut self) {
///         self.gizmo.picks_lost();
///     }
///     fn draw(&mut self, list: &mut DrawList) {
///         if self.is_gizmo_shown {
///             self.gizmo.draw(list);
///         }
///     }
///     fn needs_redraw(&self, view_key: u64) -> bool {
///         self.gizmo.needs_redraw(view_key)
///     }
///     fn is_hover_pending(&self) -> bool {
///         self.gizmo.is_hover_pending()
///     }
///     fn is_busy(&self) -> bool {
///         self.gizmo.is_busy()
///     }
///     fn is_active(&self) -> bool {
///         self.gizmo.is_active()
///     }
/// }
/// # use wgpu_gizmo_core::{IdSpace, Target, Transform, View, Viewport, glam::{DMat4, DVec2}};
/// # let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(64, 48), 1.0)?;
/// # let mut editor = Editor { gizmo: Gizmo::new(&mut IdSpace::new())?, is_gizmo_shown: true };
/// # editor.gizmo.update(&view, &mut [Target::from_world(Transform::IDENTITY)]);
/// # let mut list = DrawList::new();
/// # editor.draw_for_pick(list.begin(&view), &PickQuery::new(&view, DVec2::ZERO, 4.0));
/// # assert!(!list.items().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Gizmos {
    /// Returns the next query: [`Gizmo::pick_query`] or [`Gizmo::snap_query`]. It is called only if the query can be
    /// answered.
    fn next_query(&mut self) -> Option<PickQuery>;

    /// Processes an answer: [`Gizmo::answer`]. For a snap query, `neighbors` are the ids within its tolerance, in
    /// which [`SnapTo::find`](crate::pick::snap::SnapTo::find) searches.
    fn answer(&mut self, answer: &PickAnswer, neighbors: &[NonZeroU32]);

    /// Records that a query is still in flight: [`Gizmo::await_answer`].
    fn await_answer(&mut self, query: &PickQuery);

    /// Records that the queries in flight will have no answer: [`Gizmo::picks_lost`].
    fn picks_lost(&mut self);

    /// Adds everything that a view shows: [`Gizmo::draw`].
    fn draw(&mut self, list: &mut DrawList);

    /// Adds everything that can be picked in the view of a query: [`Gizmo::draw_for_pick`].
    fn draw_for_pick(&mut self, list: &mut DrawList, query: &PickQuery) {
        let _ = query;
        self.draw(list);
    }

    /// Returns true if the views with a key must be drawn again: [`Gizmo::needs_redraw`].
    fn needs_redraw(&self, view_key: u64) -> bool;

    /// Returns true if a query about the hover is not answered: [`Gizmo::is_hover_pending`].
    fn is_hover_pending(&self) -> bool;

    /// Returns true if a press waits for its answer, or a drag is in progress: [`Gizmo::is_busy`].
    fn is_busy(&self) -> bool;

    /// Returns true if a drag is in progress: [`Gizmo::is_active`].
    fn is_active(&self) -> bool;
}

impl Gizmos for Gizmo {
    fn next_query(&mut self) -> Option<PickQuery> {
        self.pick_query().or_else(|| self.snap_query())
    }

    fn answer(&mut self, answer: &PickAnswer, _: &[NonZeroU32]) {
        self.answer(answer);
    }

    fn await_answer(&mut self, query: &PickQuery) {
        self.await_answer(query);
    }

    fn picks_lost(&mut self) {
        self.picks_lost();
    }

    fn draw(&mut self, list: &mut DrawList) {
        self.draw(list);
    }

    fn draw_for_pick(&mut self, list: &mut DrawList, _: &PickQuery) {
        self.draw_for_pick(list);
    }

    fn needs_redraw(&self, view_key: u64) -> bool {
        self.needs_redraw(view_key)
    }

    fn is_hover_pending(&self) -> bool {
        self.is_hover_pending()
    }

    fn is_busy(&self) -> bool {
        self.is_busy()
    }

    fn is_active(&self) -> bool {
        self.is_active()
    }
}

impl<G: Gizmos + ?Sized> Gizmos for &mut G {
    fn next_query(&mut self) -> Option<PickQuery> {
        (**self).next_query()
    }

    fn answer(&mut self, answer: &PickAnswer, neighbors: &[NonZeroU32]) {
        (**self).answer(answer, neighbors);
    }

    fn await_answer(&mut self, query: &PickQuery) {
        (**self).await_answer(query);
    }

    fn picks_lost(&mut self) {
        (**self).picks_lost();
    }

    fn draw(&mut self, list: &mut DrawList) {
        (**self).draw(list);
    }

    fn draw_for_pick(&mut self, list: &mut DrawList, query: &PickQuery) {
        (**self).draw_for_pick(list, query);
    }

    fn needs_redraw(&self, view_key: u64) -> bool {
        (**self).needs_redraw(view_key)
    }

    fn is_hover_pending(&self) -> bool {
        (**self).is_hover_pending()
    }

    fn is_busy(&self) -> bool {
        (**self).is_busy()
    }

    fn is_active(&self) -> bool {
        (**self).is_active()
    }
}

/// Gizmos that share a pointer: one query serves all of them.
impl<G: Gizmos> Gizmos for [G] {
    fn next_query(&mut self) -> Option<PickQuery> {
        if let Some(active) = self.iter_mut().find(|gizmos| gizmos.is_active()) {
            return active.next_query();
        }
        // All of them are asked, so that none repeats what another one asks.
        self.iter_mut().filter_map(Gizmos::next_query).last()
    }

    fn answer(&mut self, answer: &PickAnswer, neighbors: &[NonZeroU32]) {
        self.iter_mut().for_each(|gizmos| gizmos.answer(answer, neighbors));
    }

    fn await_answer(&mut self, query: &PickQuery) {
        self.iter_mut().for_each(|gizmos| gizmos.await_answer(query));
    }

    fn picks_lost(&mut self) {
        self.iter_mut().for_each(Gizmos::picks_lost);
    }

    fn draw(&mut self, list: &mut DrawList) {
        self.iter_mut().for_each(|gizmos| gizmos.draw(list));
    }

    fn draw_for_pick(&mut self, list: &mut DrawList, query: &PickQuery) {
        self.iter_mut().for_each(|gizmos| gizmos.draw_for_pick(list, query));
    }

    fn needs_redraw(&self, view_key: u64) -> bool {
        self.iter().any(|gizmos| gizmos.needs_redraw(view_key))
    }

    fn is_hover_pending(&self) -> bool {
        let active = self.iter().find(|gizmos| gizmos.is_active());
        // While one is dragged, the others do not ask.
        active.map_or_else(|| self.iter().any(Gizmos::is_hover_pending), Gizmos::is_hover_pending)
    }

    fn is_busy(&self) -> bool {
        self.iter().any(Gizmos::is_busy)
    }

    fn is_active(&self) -> bool {
        self.iter().any(Gizmos::is_active)
    }
}
