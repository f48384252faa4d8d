//! Input: for the gizmo, for click-through, and for box and lasso selection.

use super::Editor;
use crate::clicks::ClickCycle;
use crate::marquee::{DrawnRegion, Marquee, MarqueeQuery, RegionAnswer};
use crate::replay_file::Mods;
use scene::selection::{SelectMode, Selection};
use std::num::NonZeroU32;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::{HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::pick::{PickAnswer, PickOutcome, PickQuery, Region};
use wgpu_gizmo_core::{Gizmo, View};

/// The distance in physical pixels within which the pointer counts as still over the point that was found.
const STILL_PX: f64 = 4.0;

/// Returns a new query about the same point.
fn again(query: &PickQuery) -> PickQuery {
    PickQuery::new(&query.view, query.cursor_px, query.radius_px)
}

/// The pointer, and the presses, clicks and regions that it makes.
#[derive(Debug, Default)]
pub struct Pointer {
    /// The last known position.
    pub cursor_px: Option<DVec2>,
    /// Whether the primary button is down.
    pub is_button_held: bool,
    /// The last point of the scene that was found under the pointer, with the position of the pointer.
    under_pointer: Option<(DVec2, DVec3)>,
    /// The selection mode of the last press.
    mode: SelectMode,
    /// The query of the last press.
    pressed: Option<PickQuery>,
    /// The query for what is behind a handle that was clicked, and whether it was asked.
    passed: Option<(PickQuery, bool)>,
    pub(super) clicks: ClickCycle,
    pub(crate) marquee: Marquee,
}

impl Pointer {
    /// Returns the point of the scene under the pointer in world space, as far as it is known: hovering finds
    /// it.
    pub fn point_world(&self) -> Option<DVec3> {
        let (found_px, point) = self.under_pointer?;
        self.cursor_px.filter(|px| px.distance(found_px) <= STILL_PX).map(|_| point)
    }

    /// Returns the box or lasso that is being drawn.
    pub fn drawn(&self) -> Option<DrawnRegion> {
        self.marquee.drawn()
    }

    /// Asks what is behind the handle that was clicked.
    pub(super) fn pass_click(&mut self) {
        self.passed = self.pressed.map(|pressed| (again(&pressed), false));
    }

    /// Asks again what is behind the handle, because there will be no answer.
    pub(crate) fn repeat_passed(&mut self) {
        self.passed = self.passed.map(|(query, _)| (again(&query), false));
    }

    /// Returns true if a query is about what is behind the handles, so that they must not be drawn.
    pub(crate) fn is_behind_handles(&self, query: &PickQuery) -> bool {
        self.passed.is_some_and(|(passed, _)| passed.sequence == query.sequence)
    }
}

impl Editor {
    /// Returns the pointer, to read its state.
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// Moves the pointer to a position in the render target, in physical pixels.
    pub fn pointer_moved(&mut self, cursor_px: DVec2) {
        self.pointer.cursor_px = Some(cursor_px);
        self.pointer.marquee.follow(cursor_px);
        self.for_each_gizmo(|gizmo| gizmo.pointer_moved(cursor_px));
    }

    /// Handles the pointer leaving the window or entering a panel.
    pub fn pointer_left(&mut self) {
        self.for_each_gizmo(Gizmo::pointer_left);
    }

    /// Handles a press of the primary button. `mode` comes from the modifier keys.
    pub fn pointer_pressed(&mut self, mode: SelectMode) {
        self.pointer.is_button_held = true;
        let alone = !self.is_gizmo_busy() && self.pointer.passed.is_none();
        if alone {
            self.pointer.mode = mode;
        }
        let is_taken = self.claims().keys;
        if let Some(cursor_px) = self.pointer.cursor_px.filter(|_| !is_taken) {
            self.pointer.marquee.press(cursor_px, mode, alone);
        }
        // The gizmo that is dragged ignores the press, or ends its drag. It must not begin one of the other.
        match is_taken {
            true => self.input_gizmo().pointer_pressed(),
            false => self.for_each_gizmo(Gizmo::pointer_pressed),
        }
    }

    /// Handles the release of the primary button.
    pub fn pointer_released(&mut self) {
        self.pointer.is_button_held = false;
        self.pointer.marquee.release();
        self.for_each_gizmo(Gizmo::pointer_released);
    }

    /// Cancels a drag, box or lasso.
    pub fn cancel(&mut self) {
        self.pointer.marquee.cancel_drawing();
        self.for_each_gizmo(Gizmo::cancel);
    }

    /// Passes input or an answer to the gizmo and to the handles of cameras and lights.
    pub(crate) fn for_each_gizmo(&mut self, pass: impl Fn(&mut Gizmo)) {
        [Some(&mut self.gizmo), self.volumes.gizmo_mut()].into_iter().flatten().for_each(pass);
    }

    /// Returns true while a drag or the pick of a press is in progress.
    pub(crate) fn is_gizmo_busy(&self) -> bool {
        self.gizmo.is_busy() || self.volumes.is_dragged()
    }

    /// Returns true while a drag, a box or the pick of a press is in progress.
    pub fn is_busy(&self) -> bool {
        self.is_gizmo_busy() || self.pointer.marquee.is_held()
    }

    /// Returns true while a query is pending or in flight.
    pub fn waits(&self) -> bool {
        self.awaits_press() || self.pointer.marquee.query.is_some() || self.pointer.passed.is_some()
    }

    /// Returns true while the pick of a press is pending.
    pub fn awaits_press(&self) -> bool {
        self.gizmo.is_busy() && !self.is_dragging()
    }

    /// Returns the view of the press or drag in progress, as it was at the press.
    pub(crate) fn held_view(&self) -> Option<&View> {
        let of_volume = || self.volumes.gizmo().and_then(Gizmo::held_view);
        self.gizmo.held_view().or_else(of_volume)
    }

    /// Sets the modifier keys that are held.
    pub fn hold(&mut self, mods: Mods) {
        let was_vertex_held = std::mem::replace(&mut self.snapping.is_vertex_held, mods.vertex);
        // A drag that is released at once has left the vertex, too.
        if was_vertex_held && !mods.vertex && self.pointer.is_button_held && self.gizmo.is_active() {
            self.pointer.cursor_px.into_iter().for_each(|cursor_px| self.gizmo.pointer_moved(cursor_px));
        }
        self.pointer.marquee.hold_lasso(mods.lasso);
        let held = HeldKeys { snap: mods.ctrl, precision: mods.shift, symmetric: mods.alt };
        self.for_each_gizmo(|gizmo| gizmo.set_held_keys(held));
    }

    /// Gives a key to the gizmo.
    pub(crate) fn gizmo_key(&mut self, key: Key, modifiers: KeyModifiers) {
        self.input_gizmo().key(key, modifiers);
    }

    /// Returns true if boxes and lassos select occluded nodes too.
    pub fn is_through(&self) -> bool {
        self.pointer.marquee.through
    }

    /// Returns the gizmo's next pick query, if it has one.
    pub(crate) fn pick_query(&mut self) -> Option<PickQuery> {
        if let Some((query, is_asked @ false)) = &mut self.pointer.passed {
            *is_asked = true;
            let query = *query;
            // The handle of a selected light is always on its icon, which could not be clicked through otherwise.
            if self.pointer.mode == SelectMode::Replace && self.is_on_icon(&query) {
                self.pointer.clicks.ask(&query, true);
            }
            return Some(query);
        }
        // Nothing is hovered while a box is drawn.
        if self.pointer.marquee.is_held() || self.volumes.is_dragged() {
            return None;
        }
        let is_press = self.gizmo.is_busy() && !self.gizmo.is_active();
        // Both gizmos ask about one pointer, and one answer serves both.
        let other = match self.gizmo.is_active() {
            true => None,
            false => self.volumes.gizmo_mut().and_then(Gizmo::pick_query),
        };
        let own = self.gizmo.pick_query();
        let is_press = is_press && own.is_some();
        let query = own.or(other)?;
        if is_press {
            self.pointer.pressed = Some(query);
            let mode = self.pointer.marquee.mode(query.cursor_px).unwrap_or(self.pointer.mode);
            self.pointer.clicks.ask(&query, mode == SelectMode::Replace);
        }
        Some(query)
    }

    /// Answers the gizmo's pending query on the CPU, from the handles alone. For tests without a GPU.
    pub fn answer_on_cpu(&mut self) {
        self.gizmo.answer_on_cpu();
    }

    /// Returns a node's id in the ID image for a query. Click-through omits the nodes that earlier
    /// clicks at the same position have found.
    pub(crate) fn id_for(&self, query: &PickQuery, node: usize) -> Option<NonZeroU32> {
        self.pickable_id_of(node).filter(|id| self.pointer.clicks.shows(query, *id))
    }

    /// Handles the answer to a query of [`Editor::pick_query`].
    pub(crate) fn answer(&mut self, answer: &PickAnswer) {
        let query = answer.query;
        let outcome = self.pointer.clicks.answered(answer, |id| self.ids.node(id).is_some());
        if self.pointer.is_behind_handles(&query) {
            return self.answer_passed(outcome);
        }
        if self.pointer.pressed.is_some_and(|pressed| pressed.sequence == query.sequence)
            && outcome != PickOutcome::Lost
        {
            self.pointer.mode = self.pointer.marquee.mode(query.cursor_px).unwrap_or(self.pointer.mode);
            // With a modifier, a box can begin on a node too, whose press selects or deselects it as the box does.
            let begins_box = match outcome {
                PickOutcome::Hit(hit) => {
                    self.pointer.mode != SelectMode::Replace && self.node_of(hit.id).is_some()
                }
                _ => outcome == PickOutcome::Nothing,
            };
            self.pointer.marquee.settle(&query.view, begins_box);
        }
        self.pointer.under_pointer = match outcome {
            PickOutcome::Hit(hit) if self.node_of(hit.id).is_some() => {
                self.point_of_hit(&query.view, &hit).map(|point| (query.cursor_px, point))
            }
            _ => None,
        };
        let answer = PickAnswer::new(query, outcome);
        self.for_each_gizmo(|gizmo| gizmo.answer(&answer));
    }

    /// Handles a click on a node or on nothing.
    pub(super) fn clicked(&mut self, node: Option<usize>) {
        self.settle();
        // Undo can remove a node before its click is known.
        if node.is_some_and(|node| !self.scene.exists(node)) {
            return;
        }
        // A missed click with a modifier key held must not clear the selection.
        if node.is_some() || self.pointer.mode == SelectMode::Replace {
            let selection =
                node.map_or_else(Selection::default, |node| self.selection.clicked(node, self.pointer.mode));
            self.selection = selection;
            // A box that began with this press adds to its result.
            let added = self.pointer.marquee.query.take().filter(|query| query.mode != SelectMode::Replace);
            self.pointer.marquee.forget();
            if let Some(query) = added {
                self.pointer.marquee.ask(&query.view, query.region, query.through, query.mode);
            }
        }
        self.gizmo.scene_changed();
    }

    /// Asks what is behind a handle after a drag that has changed nothing, if it was a click over an icon. Such a
    /// handle covers much of the icon, which could not be clicked there otherwise.
    pub(super) fn pass_click_on_icon(&mut self, was_click: bool) {
        let pressed = self.pointer.pressed.filter(|_| was_click);
        if pressed.is_some_and(|pressed| self.is_on_icon(&pressed)) {
            self.pointer.pass_click();
        }
    }

    /// Handles the answer about what is behind a handle that was clicked.
    fn answer_passed(&mut self, outcome: PickOutcome) {
        match outcome {
            PickOutcome::Lost => return self.pointer.repeat_passed(),
            PickOutcome::Hit(hit) => self.clicked(self.node_of(hit.id)),
            _ => self.clicked(None),
        }
        self.pointer.passed = None;
    }

    /// Takes the query of a finished box or lasso.
    pub fn region_query(&mut self) -> Option<MarqueeQuery> {
        self.pointer.marquee.query.take()
    }

    /// Queries the nodes in a region of a view, to select them. Cancels a drag first.
    pub fn select_region(&mut self, view: &View, region: Region, through: bool, mode: SelectMode) {
        self.end_wheel(view);
        self.cancel();
        self.update(view);
        self.pointer.marquee.ask(view, region, through, mode);
    }

    /// Selects the nodes that were found in a region. A lost answer is queried again.
    pub fn answer_region(&mut self, answer: Option<RegionAnswer>) {
        match answer {
            Some((query, Some(mut nodes))) if self.pointer.marquee.counts(&query) => {
                nodes.retain(|node| self.scene.exists(*node));
                self.add_icons_in(&query.view, &query.region, &mut nodes);
                self.settle();
                self.selection = self.selection.with(&nodes, query.mode);
                self.message = None;
                self.pointer.clicks.reset();
                self.gizmo.scene_changed();
            }
            Some((query, None)) => self.pointer.marquee.ask_again(query),
            _ => {}
        }
    }
}
