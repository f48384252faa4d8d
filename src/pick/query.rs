use super::in_flight::InFlight;
use crate::math::{DepthDirection, Frustum, Rect, View};
use glam::{DVec2, DVec3};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

/// A question to the ID image: what is under this cursor, in this view? It travels with its
/// answer, so a late answer is never taken for a newer one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PickQuery {
    /// A point of the target, in physical pixels; its texel is the floor.
    pub cursor_px: DVec2,
    /// The view as the user saw it.
    pub view: View,
    /// Tolerance round the cursor's texel, in physical pixels; 0 asks for the exact texel, more
    /// than [`PickQuery::MAX_RADIUS_PX`] counts as that.
    pub radius_px: f64,
    /// Grows with every question, whoever asks.
    pub sequence: u64,
}

/// One count for all questions: which of two is newer can then be told whoever asked.
static LAST: AtomicU64 = AtomicU64::new(0);

impl PickQuery {
    /// A new question of the host's own.
    pub fn new(view: &View, cursor_px: DVec2, radius_px: f64) -> Self {
        Self { cursor_px, view: *view, radius_px, sequence: Self::next_sequence() }
    }

    /// What can be under the cursor or within its tolerance: what is outside need not be drawn for
    /// this pick.
    pub fn frustum(&self) -> Frustum {
        let radius = self.radius_px.max(0.0).clamp(0.0, Self::MAX_RADIUS_PX).floor();
        let min = self.cursor_px.floor() - radius;
        Frustum::new(&self.view, Rect::of_size(min, DVec2::splat(2.0 * radius + 1.0)))
    }

    /// Marks the question as in flight for as long as the returned value lives, so that a gizmo
    /// waits for the answer. A `Picker` does so by itself.
    pub fn in_flight(&self) -> InFlight {
        InFlight::new(self.cursor_px, &self.view, self.sequence)
    }

    pub(crate) fn next_sequence() -> u64 {
        LAST.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The number of the newest question there is.
    pub(crate) fn last_sequence() -> u64 {
        LAST.load(Ordering::Relaxed)
    }

    /// Largest tolerance, in physical pixels: what the larger tile holds.
    pub const MAX_RADIUS_PX: f64 = 63.0;
}

/// What the ID image says to a [`PickQuery`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PickAnswer {
    /// The question.
    pub query: PickQuery,
    /// The answer.
    pub outcome: PickOutcome,
}

impl PickAnswer {
    /// How far what was hit is from the viewer, along the ray through the middle of its pixel, in
    /// world units: from the eye, or, in a parallel projection, from the near end of the view.
    /// `None` where nothing was hit, or the depth is infinitely far.
    pub fn distance(&self) -> Option<f64> {
        let PickOutcome::Hit(hit) = self.outcome else { return None };
        let view = &self.query.view;
        let near = match view.depth_direction() {
            DepthDirection::Standard => 0.0,
            DepthDirection::Reversed => 1.0,
        };
        let center_px = DVec2::new(hit.pixel.0 as f64 + 0.5, hit.pixel.1 as f64 + 0.5);
        let from = view.eye().or_else(|| view.unproject(center_px, near))?;
        Some(hit.position_world?.distance(from))
    }
}

/// The answer of the ID image.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PickOutcome {
    /// There is nothing within the tolerance.
    Nothing,
    /// There is something.
    Hit(PickHit),
    /// The question went nowhere: its command buffer was dropped before it was submitted. Ask
    /// again.
    Lost,
}

/// The texel that was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PickHit {
    /// Whose texel it is.
    pub id: NonZeroU32,
    /// Its column and row in the target.
    pub pixel: (i64, i64),
    /// Its depth, as the view's projection writes it.
    pub depth: f32,
    /// The point seen there; `None` where the depth is infinitely far.
    pub position_world: Option<DVec3>,
}
