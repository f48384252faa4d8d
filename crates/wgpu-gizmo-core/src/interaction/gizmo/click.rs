use super::super::settings::GrabMode;
use super::Gizmo;
use super::phase::{By, Phase};
use super::ray::PointerRay;
use crate::handle::{Constraint, HandleId};
use crate::math::View;
use glam::DVec2;

/// The state that decides whether a press and its release are a click, and what the click does to a drag.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Click {
    /// Whether the press in progress, or the release just handled, is on a handle.
    pub(super) is_own: bool,
    /// Whether the pointer has moved too far from the press for a click.
    has_strayed: bool,
    /// Whether the motion has changed.
    has_changed: bool,
}

impl Click {
    /// Returns the click of a drag that begins.
    pub(super) fn began(self) -> Self {
        Self { is_own: self.is_own, ..Self::default() }
    }

    pub(super) fn note_change(&mut self) {
        self.has_changed = true;
    }
}

/// The effect of releasing the button on a drag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Release {
    /// The drag ends.
    Ends,
    /// The drag ends, and the click passes to the object behind this handle.
    PassesClick(HandleId),
    /// The drag goes on without the button.
    Carries,
    /// The drag goes on with keys alone.
    Types,
}

impl Gizmo {
    /// The maximum distance that the pointer moves during a click, in logical pixels.
    pub const CLICK_RADIUS_LPX: f64 = 4.0;

    /// Records a move of the pointer in a drag.
    pub(super) fn note_move(&mut self, view: &View, cursor_px: DVec2) {
        self.note_move_in_burst();
        if let Phase::Dragging(drag, By::Button) = &self.phase {
            let still_px = Self::CLICK_RADIUS_LPX * view.scale_factor();
            let has_strayed = drag.press().0.is_some_and(|press_px| press_px.distance(cursor_px) >= still_px);
            self.click.has_strayed |= has_strayed;
        }
    }

    /// Records a move of a ray in a drag.
    pub(super) fn note_ray(&mut self, pointer: &PointerRay) {
        self.note_move_in_burst();
        self.click.has_strayed |= self.has_ray_strayed(pointer);
    }

    /// Returns the effect of releasing the button on the drag of a handle.
    pub(super) fn release_of(&self, handle: HandleId) -> Release {
        let Click { has_strayed, has_changed, .. } = self.click;
        let is_click = !has_strayed && !has_changed;
        match self.settings.grab {
            GrabMode::Toggle => Release::Carries,
            GrabMode::Either if !has_strayed => Release::Carries,
            GrabMode::Hold if is_click && passes_clicks(handle) => Release::PassesClick(handle),
            GrabMode::Hold if is_click && self.settings.click_to_type => Release::Types,
            GrabMode::Hold | GrabMode::Either => Release::Ends,
        }
    }
}

/// Returns true if a click on the handle is meant for the object behind it.
fn passes_clicks(handle: HandleId) -> bool {
    let is_cover = matches!(handle.constraint(), Constraint::Trackball | Constraint::ViewPlane);
    is_cover && handle.custom_index().is_none()
}
