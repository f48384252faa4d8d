use super::gizmo::{Gizmo, Phase};
use super::placement::Placement;
use super::reference_frame::Orientation;
use super::settings::Pivot;
use crate::handle::{DrawList, HandleId, HandleSet, Look, Shown, append};
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

impl Gizmo {
    /// Adds the handles, as the list's view sees them, to the list.
    pub fn draw(&mut self, list: &mut DrawList) {
        if !self.immediate.may_draw(list.view()) {
            self.abandon();
        }
        self.needs_redraw = false;
        self.append_to(list);
    }

    pub(super) fn append_to(&mut self, list: &mut DrawList) {
        let Some(view) = list.view().copied() else { return };
        if let Phase::Dragging(drag) = &self.phase {
            let (placement, copy) = (drag.placement(), drag.copy().unwrap_or_default());
            let dragged = Some((drag.handle(), drag.handles()));
            self.append_gizmo(list, &view, placement, copy, dragged);
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
        let handles = dragged.map_or(self.settings.mode.handles(), |(_, handles)| handles);
        let was_gone = self.was_gone(view, copy);
        let mut gone = HandleSet::EMPTY;
        layout.begin(list, view);
        for handle in handles.built_in() {
            let is_gone = was_gone.contains(handle);
            let opacity = match active {
                // A key may choose a handle that was gone.
                Some(active) => (!is_gone || active == handle).then_some(1.0),
                None => layout.glancing_opacity(view, handle.constraint(), is_gone),
            };
            let Some(opacity) = opacity else {
                gone = gone.with(handle);
                continue;
            };
            let shown = if self.refusals[handle.index()].is_some() {
                Shown::Disabled
            } else if active == Some(handle) {
                Shown::Active
            } else if active.is_some() {
                Shown::Dimmed
            } else if self.hovered == Some(handle) && self.hovered_copy == copy {
                Shown::Hovered
            } else {
                Shown::Plain
            };
            let look = Look { id: self.id_on(handle, copy), shown, opacity };
            append(list, &layout, view, &self.theme, handle, look);
        }
        list.include_bounds(layout.bounds_px(view, self.theme.line_lpx));
        self.remember_gone(view, copy, gone);
    }

    fn was_gone(&self, view: &View, copy: usize) -> HandleSet {
        let seen = self.gone.iter().find(|(viewport, _)| *viewport == view.viewport());
        seen.and_then(|(_, gone)| gone.get(copy).copied()).unwrap_or_default()
    }

    fn remember_gone(&mut self, view: &View, copy: usize, gone: HandleSet) {
        let viewport = view.viewport();
        let seen = self.gone.iter().position(|(v, _)| *v == viewport).unwrap_or_else(|| {
            // A window being resized shows a new viewport every frame; the oldest go.
            if self.gone.len() >= 16 {
                self.gone.remove(0);
            }
            self.gone.push((viewport, Vec::new()));
            self.gone.len() - 1
        });
        let of_viewport = &mut self.gone[seen].1;
        if of_viewport.len() <= copy {
            of_viewport.resize(copy + 1, HandleSet::EMPTY);
        }
        of_viewport[copy] = gone;
    }

    /// Whether it would look different from when it was last drawn, or a press is waiting.
    pub fn needs_redraw(&self) -> bool {
        self.needs_redraw || !self.inputs.is_empty() || matches!(self.phase, Phase::Pressed(_))
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
