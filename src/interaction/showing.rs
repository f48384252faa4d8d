use super::gizmo::{Gizmo, Phase};
use super::placement::Placement;
use super::reference_frame::Orientation;
use crate::handle::{DrawList, HandleId, Look, Shown, append};
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
        let dragged = match &self.phase {
            Phase::Dragging(drag) => Some((drag.handle(), drag.placement())),
            _ => None,
        };
        // Each view has axes of its own; a drag keeps those that it began with.
        let at_rest = self.placement.map(|placement| match self.settings.orientation {
            Orientation::View => Placement { axes: view.frame(), ..placement },
            _ => placement,
        });
        let placement = dragged.map(|(_, placement)| placement).or(at_rest);
        let Some(layout) = placement.and_then(|p| p.layout(&view, self.settings.size_lpx)) else { return };
        let active = dragged.map(|(handle, _)| handle);
        let mode = self.settings.mode;
        // The mode of a drag is that of its handle until it is released.
        let channel = active.map(|handle| handle.constraint().channel());
        let handles = HandleId::all().filter(|h| match channel {
            Some(channel) => h.constraint().channel() == channel,
            None => mode.handles().contains(*h),
        });
        let was_gone = self.gone.iter().find(|(v, _)| *v == view.viewport()).map_or(0, |(_, gone)| *gone);
        let mut gone = 0;
        layout.begin(list, &view);
        for handle in handles {
            let bit = 1 << handle.index();
            let opacity = match active {
                Some(_) => (was_gone & bit == 0).then_some(1.0),
                None => layout.glancing_opacity(&view, handle.constraint(), was_gone & bit != 0),
            };
            let Some(opacity) = opacity else {
                gone |= bit;
                continue;
            };
            let shown = if self.refusals[handle.index()].is_some() {
                Shown::Disabled
            } else if active == Some(handle) {
                Shown::Active
            } else if active.is_some() {
                Shown::Dimmed
            } else if self.hovered == Some(handle) {
                Shown::Hovered
            } else {
                Shown::Plain
            };
            let look = Look { id: self.id_of(handle), shown, opacity };
            append(list, &layout, &view, &self.theme, handle, look);
        }
        list.include_bounds(layout.bounds_px(&view, self.theme.line_lpx));
        self.remember_gone(&view, gone);
    }

    fn remember_gone(&mut self, view: &View, gone: u32) {
        let viewport = view.viewport();
        match self.gone.iter_mut().find(|(v, _)| *v == viewport) {
            Some((_, bits)) => *bits = gone,
            None => {
                // A window being resized shows a new viewport every frame; the oldest go.
                if self.gone.len() >= 16 {
                    self.gone.remove(0);
                }
                self.gone.push((viewport, gone));
            }
        }
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
