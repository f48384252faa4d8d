use crate::draw::{
    Arrangement, DrawContext, DrawList, Flips, GizmoEntry, HandleState, HandleStretch, HandleStyle,
    InvisibleReason, Layout, append, append_letter,
};
use crate::handle::{Axis, Constraint, HandleId, HandleSet};
use crate::interaction::drag::guides::DragGuides;
use crate::interaction::event::CursorHint;
use crate::interaction::gizmo::Gizmo;
use crate::interaction::gizmo::machine::Phase;
use crate::interaction::gizmo::view_memory::Seen;
use crate::interaction::placement::Placement;
use crate::interaction::settings::Orientation;
use crate::math::View;

/// Returns the axis whose letter a handle can show.
fn lettered_axis(handle: HandleId) -> Option<Axis> {
    let constraint = handle.constraint();
    // A plane is named after its normal, along which it does not move.
    let axis = constraint.axis().filter(|axis| constraint.involves(*axis));
    axis.filter(|_| handle.custom_index().is_none())
}

/// The purpose for which a gizmo is added to a list.
#[derive(Debug, Clone, Copy)]
enum Appearance<'a> {
    AtRest,
    /// In a drag: the dragged handle, and the handles that were shown at the press.
    Dragged(HandleId, HandleSet, HandleStretch),
    /// Picking by a ray, with the gizmo as this view shows it.
    ForRay(&'a View),
}

impl<'a> Appearance<'a> {
    /// Returns the view that shows the gizmo, if it is drawn for this one.
    fn seen_in(self, drawn_for: &'a View) -> &'a View {
        match self {
            Self::ForRay(shown) => shown,
            Self::AtRest | Self::Dragged(..) => drawn_for,
        }
    }
}

/// The handles of the gizmo on one target that are added to a list.
struct ShownHandles<'a> {
    context: DrawContext<'a>,
    set: HandleSet,
    copy: usize,
    /// The dragged handle.
    active: Option<HandleId>,
    stretch: HandleStretch,
    /// The view that decides which handles are hidden, the layout in it, and the handles that were hidden there.
    seen_in: &'a View,
    layout_seen: &'a Layout,
    were_hidden: HandleSet,
}

/// Drawing.
impl Gizmo {
    /// Adds the handles and guides, as seen in the list's view, to the list.
    pub fn draw(&mut self, list: &mut DrawList) {
        if !self.immediate.record_drawn(list.view()) {
            self.abandon();
        }
        let first = list.gizmos().len();
        self.draw_for_pick(list);
        let Some(view) = list.view() else { return };
        self.views.set_drawn(view.key(), self.output.look_revision());
        let is_visible = |entry: &GizmoEntry| entry.bounds_px.intersection(view.viewport().rect()).is_some();
        let is_drawn = list.gizmos()[first..].iter().any(is_visible);
        let reason = if is_drawn { None } else { self.invisible_reason(view) };
        if let Some(reason) = self.output.set_invisible(reason) {
            log::debug!("no handle of the gizmo is visible: {reason}");
        }
    }

    /// Does the same as [`Gizmo::draw`] for a pick in another view than that of the frame: it does not count as a frame
    /// that the user sees.
    pub fn draw_for_pick(&mut self, list: &mut DrawList) {
        let Some(view) = list.view().copied() else { return };
        if let Phase::Dragging(drag, _) = &self.phase {
            let (placement, copy) = (drag.placement(), drag.copy());
            let dragged = Appearance::Dragged(drag.handle(), drag.handles(), drag.handle_stretch());
            let layout = self.append_gizmo(list, &view, placement, copy, dragged);
            if let Phase::Dragging(drag, _) = &self.phase {
                let guides = DragGuides {
                    drag,
                    theme: &self.theme,
                    modifiers: self.modifiers(),
                    has_construction_lines: self.settings.display.construction_lines,
                };
                guides.append(list, &view, layout.as_ref());
            }
            return;
        }
        for i in 0..self.placements.shown().len() {
            let (copy, placement) = self.placements.shown()[i];
            // A drag keeps the axes of its press.
            let placement = self.placement_in(&view, placement);
            self.append_gizmo(list, &view, placement, copy, Appearance::AtRest);
        }
    }

    /// Adds the gizmo of one target, as a view shows it, to a list that is seen from elsewhere.
    pub(super) fn append_for_ray(&mut self, list: &mut DrawList, shown: &View, copy: Option<usize>) {
        let Some(view) = list.view().copied() else { return };
        if let Some(placement) = self.placements.of(copy) {
            let placement = self.placement_in(&view, placement);
            self.append_gizmo(list, &view, placement, copy, Appearance::ForRay(shown));
        }
    }

    /// Returns the placement in one view: with the orientation View, the axes differ per view.
    fn placement_in(&self, view: &View, placement: Placement) -> Placement {
        match self.settings.orientation {
            Orientation::View if !self.pivot_edit.has_rotation() => {
                Placement { axes: view.axes(), ..placement }
            }
            _ => placement,
        }
    }

    /// Returns why no handle is visible in a view, as of the last update; `None` if one is. While it is not
    /// `None`, keys begin no drag; [`Gizmo::drive`] works all the same.
    ///
    /// ```
    /// use wgpu_gizmo_core::draw::InvisibleReason;
    /// use wgpu_gizmo_core::glam::DMat4;
    /// use wgpu_gizmo_core::{Gizmo, IdSpace, View, Viewport};
    ///
    /// let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(800, 600), 1.0)?;
    /// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
    /// gizmo.update(&view, &mut []);
    /// assert_eq!(gizmo.invisible_reason(&view), Some(InvisibleReason::NoTarget));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn invisible_reason(&self, view: &View) -> Option<InvisibleReason> {
        if let Some(drag) = self.drag() {
            return self.invisible_reason_of(view, drag.placement(), drag.copy(), drag.handles());
        }
        if self.placements.active().is_none() {
            return Some(self.placements.missing());
        }
        let handles = self.settings.handles();
        let shown = self.placements.shown().iter();
        let mut reasons =
            shown.map(|(copy, placement)| self.invisible_reason_of(view, *placement, *copy, handles));
        reasons.try_fold(InvisibleReason::NoTarget, |_, reason| reason)
    }

    /// Returns why the gizmo of one target, or the only one, is not visible.
    fn invisible_reason_of(
        &self,
        view: &View,
        placement: Placement,
        copy: Option<usize>,
        shown: HandleSet,
    ) -> Option<InvisibleReason> {
        let mut layout = match self.placement_in(view, placement).layout(view, self.settings.display.size_lpx)
        {
            Ok(layout) => layout,
            Err(reason) => return Some(reason),
        };
        layout.oriented_box = self.settings.box_handles.and_then(|_| self.placements.oriented_box(copy));
        let of_box = if layout.oriented_box.is_some() { HandleSet::all_of_box() } else { HandleSet::EMPTY };
        let set = shown & (self.custom.set() | of_box);
        if set.is_empty() {
            return Some(InvisibleReason::NoHandle);
        }
        let custom = self.custom.slots();
        let arrangement =
            Arrangement::new(set, custom, Flips::default(), layout.size_world).with_box(&layout);
        let bounds = layout.bounds_px(view, self.theme.sizes.line_lpx, &arrangement);
        if bounds.intersection(view.viewport().rect()).is_none() {
            return Some(InvisibleReason::OutsideView);
        }
        let hidden = self.views.seen(view, copy.unwrap_or_default()).hidden;
        let is_shown = |handle: HandleId| {
            self.is_active() || layout.glancing_opacity(handle, custom, hidden.contains(handle)).is_some()
        };
        let is_any_shown = set.iter().filter_map(|index| self.handle_at(index)).any(is_shown);
        (!is_any_shown).then_some(InvisibleReason::SeenEndOn)
    }

    /// Adds the gizmo of one target to the list. Returns its layout, if it has one in this view.
    fn append_gizmo(
        &mut self,
        list: &mut DrawList,
        view: &View,
        placement: Placement,
        copy: Option<usize>,
        appearance: Appearance<'_>,
    ) -> Option<Layout> {
        let mut layout = placement.layout(view, self.settings.display.size_lpx).ok()?;
        if self.settings.box_handles.is_some() {
            layout.oriented_box = self.placements.oriented_box(copy);
        }
        let copy = copy.unwrap_or_default();
        let (active, shown, stretch) = match appearance {
            Appearance::Dragged(handle, handles, stretch) => (Some(handle), handles, stretch),
            Appearance::AtRest | Appearance::ForRay(_) => {
                (None, self.settings.handles(), HandleStretch::NONE)
            }
        };
        let seen_in = appearance.seen_in(view);
        let layout_seen = match appearance {
            Appearance::ForRay(shown) => placement.layout(shown, self.settings.display.size_lpx).ok()?,
            Appearance::AtRest | Appearance::Dragged(..) => layout,
        };
        let of_box = if layout.oriented_box.is_some() { HandleSet::all_of_box() } else { HandleSet::EMPTY };
        let set = shown & (self.custom.set() | of_box);
        let seen = self.views.seen(seen_in, copy);
        let flips = match active {
            Some(_) => seen.flips,
            None if self.settings.display.flip_toward_camera => layout_seen.flips(seen.flips),
            None => Flips::default(),
        };
        let custom = self.custom.slots();
        let arrangement = Arrangement::new(set, custom, flips, layout.size_world);
        let arrangement = arrangement.with_box(&layout).with_stretch(stretch);
        layout.begin(list, view);
        list.set_depth_style(self.settings.display.depth_style);
        list.record_id_space(self.ids().space());
        let shown = ShownHandles {
            context: DrawContext::new(view, &self.theme, &layout, &arrangement, custom),
            set,
            copy,
            active,
            stretch,
            seen_in,
            layout_seen: &layout_seen,
            were_hidden: seen.hidden,
        };
        let now = Seen { hidden: self.append_handles(list, &shown), flips };
        list.end_gizmo(layout.bounds_px(view, self.theme.sizes.line_lpx, &arrangement));
        if matches!(appearance, Appearance::ForRay(_)) {
            return Some(layout);
        }
        // A pick with another camera can change which handles are hidden. Then another frame is needed.
        let is_change = self.views.remember(view, copy, now);
        self.output.redraw_if(is_change);
        Some(layout)
    }

    /// Adds the handles of the gizmo on one target. Returns those that are hidden at this angle.
    fn append_handles(&self, list: &mut DrawList, shown: &ShownHandles<'_>) -> HandleSet {
        let ShownHandles { context, active, seen_in, layout_seen, were_hidden, .. } = *shown;
        let (mut rest, mut lettered, mut hidden) = (shown.set, [false; 3], HandleSet::EMPTY);
        let has_hidden = !were_hidden.is_empty();
        while let Some(index) = rest.pop_first() {
            let Some(handle) = self.handle_at(index) else { continue };
            let was_hidden = has_hidden && were_hidden.contains(handle);
            let opacity = match active {
                // A key may choose a handle that was hidden.
                Some(active) => (!was_hidden || active == handle).then_some(1.0),
                None => layout_seen.glancing_opacity(handle, context.custom, was_hidden),
            };
            let Some(opacity) = opacity else {
                hidden = hidden.with(handle);
                continue;
            };
            let is_beside =
                |grip| !context.layout.oriented_box.is_some_and(|shown| shown.shows(grip, seen_in));
            let state = match handle.constraint() {
                Constraint::Box(grip) if active != Some(handle) && is_beside(grip) => HandleState::Passive,
                _ => self.handle_state(handle, shown.copy, active),
            };
            if state == HandleState::Dimmed && !self.has_dimmed_handles() {
                continue;
            }
            let stretch = if state == HandleState::Active { shown.stretch } else { HandleStretch::NONE };
            let look = HandleStyle { id: self.id_on(handle, shown.copy), state, opacity, stretch };
            append(list, &context, handle, look);
            if self.takes_letter(handle, state, &mut lettered) {
                append_letter(list, &context, handle, look);
            }
        }
        hidden
    }

    /// Returns true if the other handles are shown in a drag.
    fn has_dimmed_handles(&self) -> bool {
        self.theme.opacities.dimmed > 0.0
    }

    /// Returns true if a handle shows the letter of its axis. Only the first handle on an axis does: an arrow,
    /// else a ring, else a cube.
    fn takes_letter(&self, handle: HandleId, state: HandleState, lettered: &mut [bool; 3]) -> bool {
        let is_lit = matches!(state, HandleState::Hovered | HandleState::Active);
        let axis = lettered_axis(handle).filter(|_| self.theme.letters || is_lit);
        axis.is_some_and(|axis| !std::mem::replace(&mut lettered[axis.index()], true))
    }

    /// Returns how a handle of the gizmo on one target looks. `active` is the dragged handle.
    fn handle_state(&self, handle: HandleId, copy: usize, active: Option<HandleId>) -> HandleState {
        if self.disabled_reason(handle).is_some() {
            HandleState::Disabled
        } else if active == Some(handle) {
            HandleState::Active
        } else if active.is_some() {
            HandleState::Dimmed
        } else if self.hover.handle() == Some(handle) && self.hover.copy() == copy {
            HandleState::Hovered
        } else {
            HandleState::Plain
        }
    }

    /// Returns true if the gizmo looks different from when it was last drawn in a view with this key
    /// ([`View::with_key`], 0 by default), or an update is needed ([`Gizmo::needs_update`]).
    ///
    /// Changes of the targets since [`Gizmo::update`] have no effect until the next update.
    pub fn needs_redraw(&self, view_key: u64) -> bool {
        self.needs_update() || self.views.drawn(view_key) != self.output.look_revision()
    }

    /// Returns true if the next [`Gizmo::update`] may change something: input is queued, a press waits for its
    /// pick, or the settings or the theme were changed.
    ///
    /// After an update with events it returns true until the next update, because the host may react to
    /// them, for example with another selection.
    pub fn needs_update(&self) -> bool {
        let effective = self.pivot_edit.effective_settings(&self.settings);
        let is_set_anew = self.placements.is_outdated(&effective, &self.theme, self.is_active());
        let is_waiting = !self.input.is_empty() || matches!(self.phase, Phase::Pressed(_));
        let is_switched = matches!(self.phase, Phase::Idle) && self.pivot_edit.is_switched();
        let is_edited = is_switched || self.pivot_edit.is_waiting();
        self.output.has_reported() || is_set_anew || is_waiting || is_edited
    }

    /// Returns the shape that the pointer should have.
    pub fn cursor_hint(&self) -> CursorHint {
        match self.phase {
            Phase::Dragging(..) => CursorHint::Grabbing,
            _ if self.hover.handle().is_some() => CursorHint::Grab,
            _ => CursorHint::Default,
        }
    }
}
