use crate::handle::Priority;
use std::cmp::Ordering;
use std::num::NonZeroU32;

/// A handle or object within the tolerance of a pick, for the order in which candidates win (§14 of docs/spec.md).
///
/// The CPU pick measures distances to outlines, and the picker of `wgpu-gizmo` to the centers of texels. Both choose
/// the candidate that [`Candidate::order`] puts first.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// It is farther from the cursor than half of the tolerance.
    pub is_beyond_half: bool,
    /// The rank of the handle. All objects have the same.
    pub priority: Priority,
    /// The squared distance from the cursor in physical pixels.
    pub distance_squared: f64,
    /// Smaller is nearer to the viewer.
    pub depth: f64,
    /// Decides between equal candidates.
    pub id: NonZeroU32,
}

impl Candidate {
    /// Orders candidates: within half of the tolerance first, then by priority, distance, depth and id.
    pub fn order(&self, other: &Self) -> Ordering {
        (self.is_beyond_half, self.priority)
            .cmp(&(other.is_beyond_half, other.priority))
            .then(self.distance_squared.total_cmp(&other.distance_squared))
            .then(self.depth.total_cmp(&other.depth))
            .then(self.id.cmp(&other.id))
    }
}
