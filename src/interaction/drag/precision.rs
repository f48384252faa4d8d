use crate::math::View;
use glam::{DVec2, DVec3};

/// Precision of a precise drag.
const PRECISE: f64 = 0.1;

/// Where the precision last changed: what the cursor said and what was made of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Precision {
    raw: DVec3,
    effective: DVec3,
    pub(super) is_precise: bool,
    /// Where the cursor was when it changed; `None` where it has not since the press.
    changed_at: Option<(DVec2, View)>,
}

impl Precision {
    pub(super) fn new(identity: DVec3, is_precise: bool) -> Self {
        Self { raw: identity, effective: identity, is_precise, changed_at: None }
    }

    pub(super) fn effective(&self, raw: DVec3) -> DVec3 {
        if self.is_precise {
            self.effective + (raw - self.raw) * PRECISE
        } else if self.is_as_pressed() {
            raw
        } else {
            self.effective + (raw - self.raw)
        }
    }

    /// Goes on from `raw`, which the cursor said here, at the other precision.
    pub(super) fn change(&mut self, raw: DVec3, is_precise: bool, cursor_px: DVec2, view: &View) {
        let effective = self.effective(raw);
        *self = Self { raw, effective, is_precise, changed_at: Some((cursor_px, *view)) };
    }

    /// Where the cursor was, and in which view, when it changed.
    pub(super) fn changed_at(&self) -> Option<(DVec2, View)> {
        self.changed_at
    }

    /// How far the motion was ahead of the cursor when it changed.
    pub(super) fn lead(&self) -> DVec3 {
        self.effective - self.raw
    }

    /// The same by another handle, by which the cursor says `raw` where the precision changed.
    pub(super) fn carried(self, raw: DVec3, lead: DVec3) -> Self {
        Self { raw, effective: raw + lead, ..self }
    }

    pub(super) fn is_as_pressed(&self) -> bool {
        self.raw == self.effective
    }
}
