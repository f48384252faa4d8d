use glam::DVec2;

/// An axis-aligned rectangle in physical pixels of the render target.
///
/// The origin of the render target is its top-left corner, and y points down.
///
/// ```
/// use wgpu_gizmo_core::{glam::dvec2, math::Rect};
///
/// let rect = Rect::from_min_size(dvec2(10.0, 20.0), dvec2(30.0, 40.0));
/// assert_eq!(rect, Rect { min: dvec2(10.0, 20.0), max: dvec2(40.0, 60.0) });
/// assert_eq!(rect.size(), dvec2(30.0, 40.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// The top-left corner.
    pub min: DVec2,
    /// The bottom-right corner.
    pub max: DVec2,
}

impl Rect {
    /// The rectangle that contains every pixel.
    pub const EVERYWHERE: Self = Self { min: DVec2::NEG_INFINITY, max: DVec2::INFINITY };

    /// Returns the rectangle of this size with this top-left corner.
    pub fn from_min_size(min: DVec2, size: DVec2) -> Self {
        Self { min, max: min + size }
    }

    /// Returns the width and the height.
    pub fn size(&self) -> DVec2 {
        self.max - self.min
    }

    /// Returns the smallest rectangle that contains both.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns true if another rectangle is at most this far away.
    pub fn touches(&self, other: &Self, margin: f64) -> bool {
        !(other.max.cmplt(self.min - margin).any() || other.min.cmpgt(self.max + margin).any())
    }

    /// Returns the intersection of both, or `None` if it has no area.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        common.min.cmplt(common.max).all().then_some(common)
    }
}
