use super::Rect;
use glam::DVec2;

/// The shortest side of a viewport that shows handles, in physical pixels.
const MIN_SIDE_PX: f64 = 8.0;

/// The rectangle of the render target that a view fills.
///
/// Coordinates are physical pixels, with the origin in the top-left corner of the render target
/// and y pointing down.
///
/// ```
/// use wgpu_gizmo_core::{Viewport, glam::dvec2};
///
/// let right_half = Viewport { x: 400.0, ..Viewport::from_size(400, 600) };
/// assert!(right_half.contains(dvec2(400.0, 0.0)));
/// assert!(!right_half.contains(dvec2(800.0, 0.0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// The left edge.
    pub x: f64,
    /// The top edge.
    pub y: f64,
    /// The width, which must be greater than zero.
    pub width: f64,
    /// The height, which must be greater than zero.
    pub height: f64,
}

impl Viewport {
    /// Returns the top-left corner.
    pub(crate) fn origin_px(&self) -> DVec2 {
        DVec2::new(self.x, self.y)
    }

    /// Returns the viewport as a rectangle.
    pub fn rect(&self) -> Rect {
        Rect::from_min_size(self.origin_px(), DVec2::new(self.width, self.height))
    }

    /// Returns the viewport that covers a whole render target of this size, in physical pixels.
    pub fn from_size(width: u32, height: u32) -> Self {
        Self { x: 0.0, y: 0.0, width: width.into(), height: height.into() }
    }

    /// Returns true if a side is too short to place handles in, as that of a minimized window. A cursor from before
    /// it became so short would be thousands of viewports away.
    pub(crate) fn is_degenerate(&self) -> bool {
        self.width.min(self.height) < MIN_SIDE_PX
    }

    /// Returns true if the point lies inside. The left and top edges are inside, and the right and
    /// bottom edges are outside.
    pub fn contains(&self, px: DVec2) -> bool {
        px.x >= self.x && px.y >= self.y && px.x < self.x + self.width && px.y < self.y + self.height
    }
}

/// The direction in which the depth of a projection runs from near to far.
///
/// [`View::depth_direction`](super::View::depth_direction) reads it off the matrices:
///
/// ```
/// use wgpu_gizmo_core::glam::{DMat4, dcamera::rh};
/// use wgpu_gizmo_core::math::DepthDirection;
/// use wgpu_gizmo_core::{View, Viewport};
///
/// let reversed = rh::proj::directx::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.1);
/// let view = View::new(DMat4::IDENTITY, reversed, Viewport::from_size(800, 600), 1.0)?;
/// assert_eq!(view.depth_direction(), DepthDirection::Reversed);
/// # Ok::<(), wgpu_gizmo_core::math::ViewError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepthDirection {
    /// Near is 0 and far is 1.
    Standard,
    /// Near is 1 and far is 0.
    Reversed,
}

/// The reason why a [`View`](super::View) cannot be created.
///
/// A minimized window has an empty viewport, so no view can be created for it:
///
/// ```
/// use wgpu_gizmo_core::glam::DMat4;
/// use wgpu_gizmo_core::math::ViewError;
/// use wgpu_gizmo_core::{View, Viewport};
///
/// let view = View::new(DMat4::IDENTITY, DMat4::IDENTITY, Viewport::from_size(0, 0), 1.0);
/// assert_eq!(view, Err(ViewError::EmptyViewport));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The named matrix has an entry that is NaN or infinite.
    #[error("{0} has an entry that is NaN or infinite")]
    NotFinite(&'static str),
    /// The named matrix is singular, so pixels have no view rays.
    #[error("{0} is singular: pixels have no view rays")]
    Singular(&'static str),
    /// The viewport is empty, or one of its edges is not finite.
    #[error("the viewport is empty: width and height must be finite and greater than 0")]
    EmptyViewport,
    /// The scale factor is not finite or not greater than zero.
    #[error("the scale factor must be finite and greater than 0")]
    ScaleFactor,
}
