use super::drag_guides::DragGuides;
use super::gizmo::{Gizmo, Phase, Seen};
use super::placement::Placement;
use super::settings::{Orientation, Pivot};
use crate::draw::{
    Arrangement, DrawContext, DrawList, Flips, HandleState, HandleStyle, append, append_letter,
};
use crate::handle::{Axis, Constraint, HandleId, HandleSet};
use crate::math::View;

/// The pointer shape that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CursorHint {
    /// The host's own.
    #[default]
    Default,
    /// Something can be taken hold of.
    Grab,
    /// Something is held.
    Grabbing,
}

/// The axis whose letter a handle can show.
fn lettered_axis(handle: HandleId) -> Option<Axis> {
    match handle.constraint() {
        Constraint::Axis(axis) | Constraint::Ring(axis) | Constraint::ScaleAxis(axis) => Some(axis),
        _ => None,
    }
    .filter(|_| handle.custom_index().is_none())
}

impl Gizmo {
    /// Adds the handles, as the list's view sees them, to the list.
    pub fn draw(&mut self, list: &mut DrawList) {
        if !self.immediate.note_drawn(list.view()) {
            self.abandon();
        }
        self.append_to(list);
        self.needs_redraw = false;
    }

    pub(super) fn append_to(&mut self, list: &mut DrawList) {
        let Some(view) = list.view().copied() else { return };
        if let Phase::Dragging(drag) = &self.phase {
            let (placement, copy) = (drag.placement(), drag.copy().unwrap_or_default());
            let dragged = Some((drag.handle(), drag.handles()));
            self.append_gizmo(list, &view, placement, copy, dragged);
            if let Phase::Dragging(drag) = &self.phase {
                let layout = placement.layout(&view, self.settings.size_lpx);
                let guides = DragGuides {
                    drag,
                    theme: &self.theme,
                    modifiers: self.held(),
                    has_construction_lines: self.settings.construction_lines,
                };
                guides.append(list, &view, layout.as_ref());
            }
            return;
        }
        let each = self.settings.pivot == Pivot::EachTarget;
        let count = if each { self.copies.len() } else { usize::from(self.placement.is_some()) };
        for i in 0..count {
            let at_rest = if each { self.copies.get(i).copied() } else { self.placement.map(|p| (0, p)) };
            let Some((copy, placement)) = at_rest else { continue };
            // Each view has axes of its own; a drag keeps those that it began with.
            let placement = match self.settings.orientation {
                Orientation::View => Placement { axes: view.frame(), ..placement },
                _ => placement,
            };
            self.append_gizmo(list, &view, placement, copy, None);
        }
    }

    /// One gizmo; of `copy`, where each target has one. In a drag, the handle that is dragged and
    /// those that were shown when it began.
    fn append_gizmo(
        &mut self,
        list: &mut DrawList,
        view: &View,
        placement: Placement,
        copy: usize,
        dragged: Option<(HandleId, HandleSet)>,
    ) {
        let Some(layout) = placement.layout(view, self.settings.size_lpx) else { return };
        let active = dragged.map(|(handle, _)| handle);
        let set = dragged.map_or(self.settings.mode.handles(), |(_, handles)| handles);
        let set: HandleSet = self.handles().filter(|handle| set.contains(*handle)).collect();
        let seen = self.seen(view, copy);
        let flips = match active {
            Some(_) => seen.flips,
            None if self.settings.flip_toward_camera => layout.flips(seen.flips),
            None => Flips::default(),
        };
        let mut now = Seen { gone: HandleSet::EMPTY, flips };
        let arrangement = Arrangement::new(set, &self.custom, flips);
        let (theme, custom) = (&self.theme, &self.custom[..]);
        let stand = DrawContext::new(view, theme, &layout, &arrangement, custom);
        layout.begin(list, view, &arrangement);
        list.note_id_space(self.ids.space());
        let mut lettered = [false; 3];
        for handle in self.handles().filter(|handle| set.contains(*handle)) {
            let is_gone = seen.gone.contains(handle);
            let opacity = match active {
                // A key may choose a handle that was gone.
                Some(active) => (!is_gone || active == handle).then_some(1.0),
                None => layout.glancing_opacity(handle, custom, is_gone),
            };
            let Some(opacity) = opacity else {
                now.gone = now.gone.with(handle);
                continue;
            };
            let shown = if self.disabled_reasons[handle.index()].is_some() {
                HandleState::Disabled
            } else if active == Some(handle) {
                HandleState::Active
            } else if active.is_some() {
                HandleState::Dimmed
            } else if self.hovered == Some(handle) && self.hovered_copy == copy {
                HandleState::Hovered
            } else {
                HandleState::Plain
            };
            let look = HandleStyle { id: self.id_on(handle, copy), state: shown, opacity };
            append(list, &stand, handle, look);
            // Of the handles on an axis the first has the letter: arrows, then rings, then cubes.
            if let (true, Some(axis)) = (theme.letters, lettered_axis(handle)) {
                if !std::mem::replace(&mut lettered[axis.index()], true) {
                    append_letter(list, &stand, handle, look);
                }
            }
        }
        list.end_gizmo(layout.bounds_px(view, theme.line_lpx, &arrangement));
        self.remember(view, copy, now);
    }

    fn seen(&self, view: &View, copy: usize) -> Seen {
        let key = (view.key(), view.viewport());
        let of_viewport = self.seen.iter().find(|(other, _)| *other == key);
        of_viewport.and_then(|(_, seen)| seen.get(copy).copied()).unwrap_or_default()
    }

    fn remember(&mut self, view: &View, copy: usize, now: Seen) {
        let key = (view.key(), view.viewport());
        let place = self.seen.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
            // A window being resized shows a new viewport every frame; the oldest go.
            if self.seen.len() >= 16 {
                self.seen.remove(0);
            }
            self.seen.push((key, Vec::new()));
            self.seen.len() - 1
        });
        let of_viewport = &mut self.seen[place].1;
        if of_viewport.len() <= copy {
            of_viewport.resize(copy + 1, Seen::default());
        }
        // Where it was asked for and not drawn, in a view that looks from elsewhere, the next drawing
        // begins from this.
        self.needs_redraw |= of_viewport[copy] != now;
        of_viewport[copy] = now;
    }

    /// Whether it would look different from when it was last drawn, or a press is waiting. After an
    /// update with events this stays true until the next update, which sees what the host has made
    /// of them: another selection, say. What else has become of the targets since
    /// [`Gizmo::update`], it cannot know.
    pub fn needs_redraw(&self) -> bool {
        let known = if self.is_active() { self.placement_cache.shown } else { self.placement_cache.settings };
        let (settings, theme) = (self.settings, self.theme);
        // With a NaN in it nothing is ever as it was.
        let is_set_anew = known.is_some_and(|known| known != settings && settings == self.settings)
            || (known.is_some() && self.placement_cache.theme != theme && theme == self.theme);
        let is_waiting = !self.inputs.is_empty() || matches!(self.phase, Phase::Pressed(_));
        self.needs_redraw || self.has_reported || is_set_anew || is_waiting
    }

    /// The pointer shape that fits.
    pub fn cursor_hint(&self) -> CursorHint {
        match self.phase {
            Phase::Dragging(_) => CursorHint::Grabbing,
            _ if self.hovered.is_some() => CursorHint::Grab,
            _ => CursorHint::Default,
        }
    }
}
