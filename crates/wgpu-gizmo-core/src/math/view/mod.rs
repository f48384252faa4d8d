mod conversions;
mod from_ray;

use super::matrix::{Matrix4, rows};
use super::viewport::{DepthDirection, ViewError, Viewport};
use crate::math::is_positive;
use glam::{DMat3, DMat4, DVec3, DVec4};

/// A camera, together with the rectangle of the render target that it fills.
///
/// It supports right- and left-handed worlds, perspective and orthographic projections, off-axis
/// projections, infinite far planes, and standard and reversed depth. Everything is read off the
/// matrices. Clip depth runs from 0 to 1, as in wgpu.
///
/// ```
/// use wgpu_gizmo_core::glam::{DVec3, dcamera::rh, dvec2};
/// use wgpu_gizmo_core::{View, Viewport};
///
/// let view_from_world = rh::view::look_at_mat4(DVec3::Z * 10.0, DVec3::ZERO, DVec3::Y);
/// let clip_from_view = rh::proj::directx::perspective(1.0, 4.0 / 3.0, 0.1, 100.0);
/// let view = View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0)?;
/// assert_eq!(view.px_from_world(DVec3::ZERO), Some(dvec2(400.0, 300.0)));
/// assert!(view.pointer_ray(dvec2(400.0, 300.0)).direction.abs_diff_eq(-DVec3::Z, 1e-12));
/// # Ok::<(), wgpu_gizmo_core::math::ViewError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    clip_from_world: DMat4,
    viewport: Viewport,
    scale_factor: f64,
    rays: Rays,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    depth: DepthDirection,
    key: u64,
}

/// The view rays as a function of NDC.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rays {
    /// All rays start at the eye, in world space, and run along `ahead + u · ndc.x + v · ndc.y`.
    Eye { eye: DVec3, ahead: DVec3, u: DVec3, v: DVec3 },
    /// All rays are parallel, through `origin + u · ndc.x + v · ndc.y` at half of the depth range.
    Parallel { origin: DVec3, u: DVec3, v: DVec3 },
}

/// A ratio of lengths, or a cosine, below this is a rounding error.
const NEGLIGIBLE: f64 = 1e-13;

impl View {
    /// Creates a view from its `view_from_world` and `clip_from_view` matrices.
    ///
    /// `scale_factor` is the number of physical pixels per logical pixel.
    ///
    /// A perspective matrix determines which end of the depth range is near. An orthographic matrix
    /// does not, so the end closer to the origin of the view is taken as near; if both are equally
    /// far, the view is assumed to look along −z. [`View::with_depth_direction`] overrides this.
    ///
    /// # Errors
    /// Returns an error if a matrix is singular or not finite, if the viewport is empty, or if
    /// `scale_factor` is not finite and greater than zero.
    pub fn new(
        view_from_world: impl Matrix4,
        clip_from_view: impl Matrix4,
        viewport: Viewport,
        scale_factor: f64,
    ) -> Result<Self, ViewError> {
        let view_from_world = view_from_world.into_dmat4();
        let clip_from_view = clip_from_view.into_dmat4();
        if !view_from_world.is_finite() {
            return Err(ViewError::NotFinite("view_from_world"));
        }
        if !clip_from_view.is_finite() {
            return Err(ViewError::NotFinite("clip_from_view"));
        }
        let frame = [view_from_world.row(0).truncate(), view_from_world.row(1).truncate()];
        let linear = DMat3::from_mat4(view_from_world).transpose();
        if !independent(linear.x_axis, linear.y_axis, linear.z_axis) {
            return Err(ViewError::Singular("view_from_world"));
        }
        let mut view = Self::from_parts(
            clip_from_view * view_from_world,
            frame,
            viewport,
            scale_factor,
            "clip_from_view",
        )?;
        if view.is_orthographic() {
            // Clip depth at the origin of the view, and its derivative along the view's z.
            let (at_origin, along_z) = (clip_from_view.w_axis.z, clip_from_view.z_axis.z);
            let depth = match at_origin - 0.5 {
                d if d < -NEGLIGIBLE => DepthDirection::Standard,
                d if d > NEGLIGIBLE => DepthDirection::Reversed,
                _ if along_z < 0.0 => DepthDirection::Standard,
                _ => DepthDirection::Reversed,
            };
            view = view.with_depth_direction(depth);
        } else if let (Rays::Eye { eye, .. }, Some(exact_eye)) =
            (&mut view.rays, eye_of(view_from_world, clip_from_view))
        {
            *eye = exact_eye;
        }
        Ok(view)
    }

    /// Creates a view from one combined matrix, for hosts that have no others.
    ///
    /// The X and Y axes of the orientation View (§8 of docs/spec.md) are read off its first two
    /// rows. An orthographic projection is assumed to have standard depth;
    /// [`View::with_depth_direction`] overrides this.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`View::new`].
    pub fn from_clip_from_world(
        clip_from_world: impl Matrix4,
        viewport: Viewport,
        scale_factor: f64,
    ) -> Result<Self, ViewError> {
        let clip_from_world = clip_from_world.into_dmat4();
        if !clip_from_world.is_finite() {
            return Err(ViewError::NotFinite("clip_from_world"));
        }
        let [x, y, _, w] = rows(clip_from_world);
        let n = w.truncate().normalize_or_zero();
        let frame = [x.truncate().reject_from_normalized(n), y.truncate().reject_from_normalized(n)];
        Self::from_parts(clip_from_world, frame, viewport, scale_factor, "clip_from_world")
    }

    fn from_parts(
        clip_from_world: DMat4,
        [right, up]: [DVec3; 2],
        viewport: Viewport,
        scale_factor: f64,
        name: &'static str,
    ) -> Result<Self, ViewError> {
        let Viewport { x, y, width, height } = viewport;
        let is_placed = x.is_finite() && y.is_finite();
        if !(is_placed && [width, height].into_iter().all(is_positive)) {
            return Err(ViewError::EmptyViewport);
        }
        if !is_positive(scale_factor) {
            return Err(ViewError::ScaleFactor);
        }
        if !clip_from_world.is_finite() {
            return Err(ViewError::NotFinite(name));
        }
        let singular = ViewError::Singular(name);
        let [rx, ry, rz, rw] = rows(clip_from_world);
        let (x_row, y_row, z_row, w_row) = (rx.truncate(), ry.truncate(), rz.truncate(), rw.truncate());
        let orthographic = w_row.length() <= NEGLIGIBLE * x_row.length().max(y_row.length());
        let (rays, forward, depth) = if orthographic {
            if !(independent(x_row, y_row, z_row) && rw.w > 0.0) {
                return Err(singular);
            }
            let from_rows = DMat3::from_cols(x_row, y_row, z_row).transpose().inverse() * rw.w;
            let origin = from_rows * (DVec3::new(0.0, 0.0, 0.5) - DVec3::new(rx.w, ry.w, rz.w) / rw.w);
            let rays = Rays::Parallel { origin, u: from_rows.x_axis, v: from_rows.y_axis };
            (rays, from_rows.z_axis.normalize(), DepthDirection::Standard)
        } else {
            if !independent(x_row, y_row, w_row) {
                return Err(singular);
            }
            // Clip x, y and w are all zero at the eye.
            let from_rows = DMat3::from_cols(x_row, y_row, w_row).transpose().inverse();
            let eye = -(from_rows * DVec3::new(rx.w, ry.w, rw.w));
            let depth = depth_at_eye(rz, eye).ok_or(singular)?;
            // A ray lies in both planes x = ndc.x · w and y = ndc.y · w, so it runs along the cross
            // product of their normals. Multiplied out, the terms do not cancel far outside the viewport.
            // Clip coordinates may have any scale. Products of extreme ones would leave the range of numbers.
            let length = w_row.length();
            let factor = if (1e-50..1e50).contains(&length) { 1.0 } else { length.recip() };
            let [x_row, y_row, w_unit] = [x_row, y_row, w_row].map(|row| row * factor);
            let ahead = x_row.cross(y_row);
            let scale = ahead.dot(w_unit).signum() / ahead.length();
            let [ahead, u, v] = [ahead, y_row.cross(w_unit), w_unit.cross(x_row)].map(|part| part * scale);
            (Rays::Eye { eye, ahead, u, v }, w_row.normalize(), depth)
        };
        let unit = |v: DVec3| if has_length(v) { v.normalize() } else { DVec3::ZERO };
        let (right, up) = (unit(right), unit(up));
        let view = Self { clip_from_world, viewport, scale_factor, rays, forward, right, up, depth, key: 0 };
        let finite = match rays {
            Rays::Eye { eye, ahead, u, v } => [eye, ahead, u, v].iter().all(|part| part.is_finite()),
            Rays::Parallel { origin, u, v } => origin.is_finite() && independent(u, v, forward),
        };
        let framed = right.cross(up).length() > NEGLIGIBLE;
        // If the squared length was subnormal, normalizing gave no unit vector.
        let directed = (forward.length_squared() - 1.0).abs() < 1e-9;
        if finite && framed && directed { Ok(view) } else { Err(singular) }
    }

    /// Sets which end of the depth range is near, for an orthographic projection.
    ///
    /// The matrices of such a projection do not determine it (see [`View::new`]). A perspective
    /// projection does, so it ignores this call.
    #[must_use]
    pub fn with_depth_direction(mut self, depth: DepthDirection) -> Self {
        if self.is_orthographic() && self.depth != depth {
            self.depth = depth;
            self.forward = -self.forward;
        }
        self
    }

    /// Sets a key that distinguishes this view from others, for example the number of its window.
    ///
    /// A gizmo stores its state per view, by this key and the viewport. The views of several windows need
    /// keys, because their viewports can be equal. So do several viewports of one window, because a drag goes on
    /// in the view with its key if the window is resized. The default is 0.
    #[must_use]
    pub fn with_key(mut self, key: u64) -> Self {
        self.key = key;
        self
    }

    /// Returns the key set by [`View::with_key`], or 0.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the matrix from world space to clip space, before the division by w.
    pub fn clip_from_world(&self) -> DMat4 {
        self.clip_from_world
    }

    /// Returns the rectangle of the render target that this view fills.
    pub fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// Returns the number of physical pixels per logical pixel.
    pub fn scale_factor(&self) -> f64 {
        self.scale_factor
    }

    /// Returns which end of the depth range is near.
    pub fn depth_direction(&self) -> DepthDirection {
        self.depth
    }

    /// Returns true if all view rays are parallel.
    pub fn is_orthographic(&self) -> bool {
        matches!(self.rays, Rays::Parallel { .. })
    }

    /// Returns the unit normal of the image plane, in world space, pointing away from the viewer.
    pub fn forward(&self) -> DVec3 {
        match self.rays {
            Rays::Eye { .. } => self.forward,
            // The rays of an oblique parallel projection are not perpendicular to the image plane.
            Rays::Parallel { u, v, .. } => {
                // Normalized before the product, because the product of two tiny vectors underflows.
                let normal = u.normalize().cross(v.normalize()).normalize();
                normal * normal.dot(self.forward).signum()
            }
        }
    }

    /// Returns the unit vector, in world space, along row 0 of `view_from_world`: right on screen,
    /// unless the projection mirrors the image.
    pub fn right(&self) -> DVec3 {
        self.right
    }

    /// Returns the unit vector, in world space, along row 1 of `view_from_world`: up on screen,
    /// unless the projection mirrors the image.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// Returns the reference frame of the orientation View: orthonormal world-space axes, with X
    /// right, Y up and Z = X × Y.
    pub fn axes(&self) -> DMat3 {
        // Done twice, because the first difference is mostly rounding if right and up nearly coincide.
        let across = |v: DVec3| v.reject_from_normalized(self.right).try_normalize();
        let y = across(self.up).and_then(across).unwrap_or(self.up);
        DMat3::from_cols(self.right, y, self.right.cross(y))
    }

    /// Returns the position of the eye in world space, or `None` for an orthographic projection.
    pub fn eye(&self) -> Option<DVec3> {
        match self.rays {
            Rays::Eye { eye, .. } => Some(eye),
            Rays::Parallel { .. } => None,
        }
    }
}

/// Returns true if three directions are linearly independent, regardless of their lengths.
fn independent(a: DVec3, b: DVec3, c: DVec3) -> bool {
    [a, b, c].into_iter().all(has_length)
        && a.normalize().cross(b.normalize()).dot(c.normalize()).abs() > NEGLIGIBLE
}

/// Returns true if the squared length neither overflows nor loses digits to underflow.
fn has_length(v: DVec3) -> bool {
    (1e-290..1e290).contains(&v.length_squared())
}

/// Returns the depth direction of a perspective projection, or `None` if all depths are equal.
///
/// Along the view axis z/w = a + b/w, where b is the clip z at the eye. The sign of b decides.
fn depth_at_eye(z_row: DVec4, eye: DVec3) -> Option<DepthDirection> {
    let at_eye = z_row.dot(eye.extend(1.0));
    let terms = z_row.truncate().length() * eye.length() + z_row.w.abs();
    if at_eye < -NEGLIGIBLE * terms {
        Some(DepthDirection::Standard)
    } else if at_eye > NEGLIGIBLE * terms {
        Some(DepthDirection::Reversed)
    } else {
        None
    }
}

/// Returns the eye in world space, computed in view space.
///
/// The combined matrix would round far from the world's origin.
fn eye_of(view_from_world: DMat4, clip_from_view: DMat4) -> Option<DVec3> {
    let [rx, ry, _, rw] = rows(clip_from_view);
    let from_rows = DMat3::from_cols(rx.truncate(), ry.truncate(), rw.truncate()).transpose().inverse();
    let eye_view = -(from_rows * DVec3::new(rx.w, ry.w, rw.w));
    let world_from_view = DMat3::from_mat4(view_from_world).inverse();
    let eye = world_from_view * (eye_view - view_from_world.w_axis.truncate());
    eye.is_finite().then_some(eye)
}
