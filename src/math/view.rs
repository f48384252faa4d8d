use super::matrix::{IntoDMat4, rows};
use super::ray::Ray;
use super::viewport::{DepthDirection, ViewError, Viewport};
use glam::{DMat3, DMat4, DVec2, DVec3, DVec4};

/// A camera and the rectangle of the target that it fills.
///
/// Any handedness, perspective or orthographic, off-axis, infinite far, standard or reversed
/// depth: everything is read off the matrices. Depth is wgpu's, 0..1.
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

/// Where the rays come from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rays {
    /// All from one point in world space, along `ahead + u · ndc.x + v · ndc.y`.
    Eye { eye: DVec3, ahead: DVec3, u: DVec3, v: DVec3 },
    /// All parallel: `origin + u · ndc.x + v · ndc.y`, at the depth half way.
    Parallel { origin: DVec3, u: DVec3, v: DVec3 },
}

/// Below this, a ratio of lengths or a cosine is rounding.
const NEGLIGIBLE: f64 = 1e-13;

impl View {
    /// From the two matrices an app has: `view_from_world`, then `clip_from_view`.
    ///
    /// Which end of the depth is near follows from a perspective matrix. A parallel projection
    /// says it only through its planes: of the two, the near one is the one closer to the
    /// view's origin, and where both are as far, the view is taken to look down −z. Override it
    /// with [`View::with_depth_direction`].
    pub fn new(
        view_from_world: impl IntoDMat4,
        clip_from_view: impl IntoDMat4,
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
            // Clip depth of the view's origin and how it changes along the view's z.
            let (at_origin, along_z) = (clip_from_view.w_axis.z, clip_from_view.z_axis.z);
            let depth = match at_origin - 0.5 {
                d if d < -NEGLIGIBLE => DepthDirection::Standard,
                d if d > NEGLIGIBLE => DepthDirection::Reversed,
                _ if along_z < 0.0 => DepthDirection::Standard,
                _ => DepthDirection::Reversed,
            };
            view = view.with_depth_direction(depth);
        } else if let (Rays::Eye { eye, .. }, Some((exact_eye, depth))) =
            (&mut view.rays, eye_of(view_from_world, clip_from_view))
        {
            *eye = exact_eye;
            view.depth = depth;
        }
        Ok(view)
    }

    /// From one combined matrix. The view's X and Y (SPEC: orientation View) are read off its
    /// first two rows. A parallel projection is taken to have standard depth.
    pub fn from_clip_from_world(
        clip_from_world: impl IntoDMat4,
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
        let finite = [x, y, width, height].iter().all(|v| v.is_finite());
        if !(finite && width > 0.0 && height > 0.0) {
            return Err(ViewError::EmptyViewport);
        }
        if !(scale_factor.is_finite() && scale_factor > 0.0) {
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
            // The eye is where x, y and w are all zero.
            let from_rows = DMat3::from_cols(x_row, y_row, w_row).transpose().inverse();
            let eye = -(from_rows * DVec3::new(rx.w, ry.w, rw.w));
            let depth = depth_at_eye(rz, eye).ok_or(singular)?;
            // A ray is in both planes x = ndc.x · w and y = ndc.y · w: along their cross product,
            // multiplied out, or the two would cancel far outside the viewport.
            let ahead = x_row.cross(y_row);
            let scale = ahead.dot(w_row).signum() / ahead.length();
            let [ahead, u, v] = [ahead, y_row.cross(w_row), w_row.cross(x_row)].map(|part| part * scale);
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
        // A length whose square has lost its digits leaves no unit vector.
        let directed = (forward.length_squared() - 1.0).abs() < 1e-9;
        if finite && framed && directed { Ok(view) } else { Err(singular) }
    }

    /// Says which end of the depth is near, for a parallel projection whose matrices leave it
    /// open (see [`View::new`]). A perspective matrix tells by itself and ignores this.
    #[must_use]
    pub fn with_depth_direction(mut self, depth: DepthDirection) -> Self {
        if self.is_orthographic() && self.depth != depth {
            self.depth = depth;
            self.forward = -self.forward;
        }
        self
    }

    /// Sets a key that tells this view from others, such as a number of its window: gizmos keep what
    /// they remember of a view by key and viewport. Views of several windows need keys, since their
    /// viewports can be equal; without one, the key is 0.
    #[must_use]
    pub fn with_key(mut self, key: u64) -> Self {
        self.key = key;
        self
    }

    /// Returns the key that [`View::with_key`] has set, or 0.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Clip space (x right, y up, depth 0..1 before the division by w) from world space.
    pub fn clip_from_world(&self) -> DMat4 {
        self.clip_from_world
    }

    /// The rectangle of the target this view fills.
    pub fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// Physical pixels in one logical pixel.
    pub fn scale_factor(&self) -> f64 {
        self.scale_factor
    }

    /// Which end of the depth is near.
    pub fn depth_direction(&self) -> DepthDirection {
        self.depth
    }

    /// Whether all rays are parallel.
    pub fn is_orthographic(&self) -> bool {
        matches!(self.rays, Rays::Parallel { .. })
    }

    /// Unit normal of the image plane in world space, away from the viewer.
    pub fn forward(&self) -> DVec3 {
        match self.rays {
            Rays::Eye { .. } => self.forward,
            // An oblique parallel projection looks along its rays, not along this normal.
            Rays::Parallel { u, v, .. } => {
                // Each for itself first: the product of two tiny vectors has no length left.
                let normal = u.normalize().cross(v.normalize()).normalize();
                normal * normal.dot(self.forward).signum()
            }
        }
    }

    /// A displacement in physical pixels, in the coordinates of [`View::frame`]'s X and Y, which
    /// point the other way where the projection mirrors the picture.
    pub(crate) fn frame_from_px(&self, by_px: DVec2) -> DVec2 {
        let [x, y, ..] = rows(self.clip_from_world).map(DVec4::truncate);
        let along = |row: DVec3, axis: DVec3| if row.dot(axis) < 0.0 { -1.0 } else { 1.0 };
        DVec2::new(by_px.x * along(x, self.right), -by_px.y * along(y, self.up))
    }

    /// Unit vector in world space along row 0 of `view_from_world`: right on screen, unless the
    /// projection mirrors.
    pub fn right(&self) -> DVec3 {
        self.right
    }

    /// Unit vector in world space along row 1 of `view_from_world`: up on screen, unless the
    /// projection mirrors.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// The axes of orientation View: X right, Y up, Z = X × Y, orthonormal.
    pub fn frame(&self) -> DMat3 {
        // Twice: where the two nearly coincide, the first difference is mostly rounding.
        let across = |v: DVec3| v.reject_from_normalized(self.right).try_normalize();
        let y = across(self.up).and_then(across).unwrap_or(self.up);
        DMat3::from_cols(self.right, y, self.right.cross(y))
    }

    /// The eye in world space; `None` for parallel projections.
    pub fn eye(&self) -> Option<DVec3> {
        match self.rays {
            Rays::Eye { eye, .. } => Some(eye),
            Rays::Parallel { .. } => None,
        }
    }

    /// Clip w of a world point: its view depth in perspective; greater than 0 in front.
    pub fn clip_w(&self, point_world: DVec3) -> f64 {
        self.clip_from_world.row(3).dot(point_world.extend(1.0))
    }

    /// NDC of a point in physical pixels; y flips because pixels run down and NDC runs up.
    pub fn ndc_from_px(&self, px: DVec2) -> DVec2 {
        let Viewport { x, y, width, height } = self.viewport;
        DVec2::new(2.0 * (px.x - x) / width - 1.0, 1.0 - 2.0 * (px.y - y) / height)
    }

    /// Physical pixels of a point in NDC.
    pub fn px_from_ndc(&self, ndc: DVec2) -> DVec2 {
        let v = self.viewport;
        DVec2::new(v.x + (ndc.x + 1.0) * 0.5 * v.width, v.y + (1.0 - ndc.y) * 0.5 * v.height)
    }

    /// Linear forms of a point in the world, as rows: pixel x and y times clip w, and clip w.
    pub(crate) fn px_rows(&self) -> [DVec4; 3] {
        let [x, y, _, w] = rows(self.clip_from_world);
        let v = self.viewport;
        [
            w * (v.x + 0.5 * v.width) + x * (0.5 * v.width),
            w * (v.y + 0.5 * v.height) - y * (0.5 * v.height),
            w,
        ]
    }

    /// `(x_px · w, y_px · w, w)` of a homogeneous world vector: what the division by w turns
    /// into pixels. Linear, so directions (w = 0) go through it as well.
    pub(crate) fn px_homogeneous(&self, world: DVec4) -> DVec3 {
        let clip = self.clip_from_world * world;
        let v = self.viewport;
        DVec3::new(
            v.x * clip.w + (clip.x + clip.w) * 0.5 * v.width,
            v.y * clip.w + (clip.w - clip.y) * 0.5 * v.height,
            clip.w,
        )
    }

    /// Physical pixels of a world point; `None` where it is not in front of the viewer.
    pub fn px_from_world(&self, point_world: DVec3) -> Option<DVec2> {
        let homogeneous = self.px_homogeneous(point_world.extend(1.0));
        let px = homogeneous.truncate() / homogeneous.z;
        (homogeneous.z > 0.0 && px.is_finite()).then_some(px)
    }

    /// The ray through a point of the screen. Positions outside the viewport are fine.
    pub fn pointer_ray(&self, px: DVec2) -> Ray {
        self.pointer_ray_from(DVec3::ZERO, px)
    }

    /// The same in coordinates that begin at `point_world`: where that is near what is looked at,
    /// nothing is lost to its distance from the world's origin.
    pub(crate) fn pointer_ray_from(&self, point_world: DVec3, px: DVec2) -> Ray {
        let ndc = self.ndc_from_px(px);
        match self.rays {
            Rays::Eye { eye, ahead, u, v } => Ray {
                origin: eye - point_world,
                direction: (ahead + u * ndc.x + v * ndc.y).normalize_or(self.forward),
                start: 0.0,
            },
            Rays::Parallel { origin, u, v } => Ray {
                origin: origin - point_world + u * ndc.x + v * ndc.y,
                direction: self.forward,
                start: f64::NEG_INFINITY,
            },
        }
    }

    /// Unit direction in which the viewer sees a world point.
    pub fn direction_to(&self, point_world: DVec3) -> DVec3 {
        match self.rays {
            Rays::Eye { eye, .. } => (point_world - eye).normalize_or(self.forward),
            Rays::Parallel { .. } => self.forward,
        }
    }

    /// How many pixels a world length of 1 in the image plane is, times clip w: what
    /// [`View::pixel_size`] says of it is w over this.
    pub(crate) fn px_per_w(&self) -> f64 {
        let [_, y, _, w] = rows(self.clip_from_world).map(DVec4::truncate);
        0.5 * self.viewport.height * y.reject_from_normalized(w.normalize_or_zero()).length()
    }

    /// World length of one physical pixel at a point, in the image plane.
    ///
    /// With r = xyz of row 1 of `clip_from_world` and n = the unit xyz of its row 3: moving a
    /// point by one unit along r − (r·n) n leaves w alone and moves NDC y by g / w, where g is
    /// that vector's length; a pixel is 2 / height of NDC.
    pub fn pixel_size(&self, point_world: DVec3) -> f64 {
        let [_, y, _, w] = rows(self.clip_from_world).map(DVec4::truncate);
        let g = y.reject_from_normalized(w.normalize_or_zero()).length();
        let w_point =
            if self.is_orthographic() { self.clip_from_world.w_axis.w } else { self.clip_w(point_world) };
        2.0 * w_point / (self.viewport.height * g)
    }

    /// The world point seen at `px` with depth `depth` (0..1 as the projection writes it);
    /// `None` where that is at infinity or behind.
    pub fn unproject(&self, px: DVec2, depth: f64) -> Option<DVec3> {
        let ray = self.pointer_ray(px);
        let [_, _, z, w] = rows(self.clip_from_world);
        let plane = z - depth * w;
        let distance = -plane.dot(ray.origin.extend(1.0)) / plane.truncate().dot(ray.direction);
        (distance.is_finite() && distance > ray.start).then(|| ray.at(distance))
    }
}

/// Whether three directions span space, whatever their lengths.
fn independent(a: DVec3, b: DVec3, c: DVec3) -> bool {
    let lengths = has_length(a) && has_length(b) && has_length(c);
    lengths && a.normalize().cross(b.normalize()).dot(c.normalize()).abs() > NEGLIGIBLE
}

/// Whether the square of its length is a number with all its digits.
fn has_length(v: DVec3) -> bool {
    (1e-290..1e290).contains(&v.length_squared())
}

/// z/w = a + b/w along the view's axis, with b the clip z at the eye: its sign tells near from
/// far. `None` where every depth is the same.
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

/// The eye through the view's own origin, and the depth direction found there: exact where the
/// combined matrix, far from the world's origin, would round.
fn eye_of(view_from_world: DMat4, clip_from_view: DMat4) -> Option<(DVec3, DepthDirection)> {
    let [rx, ry, rz, rw] = rows(clip_from_view);
    let from_rows = DMat3::from_cols(rx.truncate(), ry.truncate(), rw.truncate()).transpose().inverse();
    let eye_view = -(from_rows * DVec3::new(rx.w, ry.w, rw.w));
    let depth = depth_at_eye(rz, eye_view)?;
    let world_from_view = DMat3::from_mat4(view_from_world).inverse();
    let eye = world_from_view * (eye_view - view_from_world.w_axis.truncate());
    eye.is_finite().then_some((eye, depth))
}
