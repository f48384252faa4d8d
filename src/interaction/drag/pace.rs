use glam::DVec3;

/// Pace of a precise drag.
const PRECISE: f64 = 0.1;

/// Where the pace last changed: what the cursor said and what was made of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    raw: DVec3,
    effective: DVec3,
    pub(super) is_precise: bool,
}

impl Pace {
    pub(super) fn new(identity: DVec3, is_precise: bool) -> Self {
        Self { raw: identity, effective: identity, is_precise }
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

    /// Goes on from `raw` at the other pace.
    pub(super) fn change(&mut self, raw: DVec3, is_precise: bool) {
        *self = Self { raw, effective: self.effective(raw), is_precise };
    }

    pub(super) fn is_as_pressed(&self) -> bool {
        self.raw == self.effective
    }
}
