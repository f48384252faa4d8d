use crate::math::View;
use glam::{DVec2, DVec3};

/// The speed of a precise drag, relative to the pointer.
const PRECISE: f64 = 0.1;

/// The raw and the effective value at the last change of precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Precision {
    raw: DVec3,
    effective: DVec3,
    pub(super) is_precise: bool,
    /// The cursor and the view at the change; `None` if there was none since the press.
    pub(super) changed_at: Option<(DVec2, View)>,
}

impl Precision {
    pub(super) fn new(is_precise: bool) -> Self {
        Self { raw: DVec3::ZERO, effective: DVec3::ZERO, is_precise, changed_at: None }
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

    /// Continues from the value at this cursor with the other precision.
    pub(super) fn change(&mut self, raw: DVec3, is_precise: bool, cursor_px: DVec2, view: &View) {
        let effective = self.effective(raw);
        *self = Self { raw, effective, is_precise, changed_at: Some((cursor_px, *view)) };
    }

    /// Returns how far the motion was ahead of the cursor at the last change.
    pub(super) fn precision_offset(&self) -> DVec3 {
        self.effective - self.raw
    }

    /// Returns the precision for another handle, for which the cursor at the change has the value `raw`.
    pub(super) fn carried(self, raw: DVec3, offset: DVec3) -> Self {
        Self { raw, effective: raw + offset, ..self }
    }

    pub(super) fn is_as_pressed(&self) -> bool {
        self.raw == self.effective
    }
}
