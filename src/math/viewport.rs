use glam::DVec2;

/// A rectangle in physical pixels of the target; the origin is its top-left corner, y down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Greater than zero.
    pub width: f64,
    /// Greater than zero.
    pub height: f64,
}

impl Viewport {
    /// Its top-left corner.
    pub(crate) fn origin_px(&self) -> DVec2 {
        DVec2::new(self.x, self.y)
    }

    /// The whole of a target of this size.
    pub fn of_size(width: u32, height: u32) -> Self {
        Self { x: 0.0, y: 0.0, width: width.into(), height: height.into() }
    }

    /// Whether the point lies inside; the left and top edges do, the right and bottom do not.
    pub fn contains(&self, px: DVec2) -> bool {
        px.x >= self.x && px.y >= self.y && px.x < self.x + self.width && px.y < self.y + self.height
    }
}

/// Which way a projection's depth runs from near to far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepthDirection {
    /// Near is 0 and far is 1.
    Standard,
    /// Near is 1 and far is 0.
    Reversed,
}

/// Why a [`View`](super::View) cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// A matrix has a NaN or an infinity in it.
    #[error("{0} has an entry that is not finite")]
    NotFinite(&'static str),
    /// A matrix flattens space: no ray belongs to a pixel.
    #[error("{0} is singular: no ray belongs to a pixel")]
    Singular(&'static str),
    /// The viewport has no pixels, or an edge that is not finite.
    #[error("the viewport is empty: width and height must be finite and greater than 0")]
    EmptyViewport,
    /// The scale factor is not a finite number greater than zero.
    #[error("the scale factor must be finite and greater than 0")]
    ScaleFactor,
}
