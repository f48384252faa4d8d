//! The two ways a replay describes its camera.

use crate::file_error::PlaceError;
use crate::json::Json;
use crate::orbit::Orbit;
use crate::scene::Scene;
use wgpu_gizmo::glam::{DMat4, DVec3};
use wgpu_gizmo::math::{DepthDirection, View, ViewError, Viewport};

/// Where the scene is seen from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Camera {
    /// As an app hands them over. Depth is 0..1.
    Matrices {
        /// View space from the world's.
        view_from_world: DMat4,
        /// Clip space from the view's.
        clip_from_view: DMat4,
    },
    /// Right-handed, looking down −z of its own space.
    LookAt {
        /// In the world.
        eye: DVec3,
        /// In the world; what is in the middle of the picture.
        look_at: DVec3,
        /// Need be neither of unit length nor square to the line of sight.
        up: DVec3,
        /// How view space becomes clip space.
        projection: Projection,
    },
}

/// What a [`Camera::LookAt`] sees round its line of sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Projection {
    /// Things look smaller farther away.
    Perspective {
        /// Vertical, in degrees.
        fov_y: f64,
        /// Greater than 0.
        near: f64,
        /// `None`: infinity.
        far: Option<f64>,
        /// Depth 1 at the near plane.
        reversed: bool,
    },
    /// All rays are parallel.
    Orthographic {
        /// What the viewport's height shows, in world units.
        height: f64,
        /// Distance along the line of sight; may be negative.
        near: f64,
        /// As `near`.
        far: f64,
        /// Depth 1 at the near plane.
        reversed: bool,
    },
}

impl Projection {
    /// Of a viewport with this ratio of width to height. Row by row: x and y scaled, z mapped so that the planes land on 0 and 1.
    pub(crate) fn clip_from_view(self, aspect: f64) -> DMat4 {
        // Both map z (negative in front) to `a z + b` before the division by w. Swapping the
        // planes swaps the depths.
        let columns = |x: f64, y: f64, a: f64, b: f64, w: [f64; 2]| {
            DMat4::from_cols_array_2d(&[
                [x, 0.0, 0.0, 0.0],
                [0.0, y, 0.0, 0.0],
                [0.0, 0.0, a, w[0]],
                [0.0, 0.0, b, w[1]],
            ])
        };
        match self {
            Self::Perspective { fov_y, near, far, reversed } => {
                let y = (fov_y.to_radians() * 0.5).tan().recip();
                let (a, b) = match (far, reversed) {
                    (Some(far), false) => (far / (near - far), near * far / (near - far)),
                    (Some(far), true) => (near / (far - near), near * far / (far - near)),
                    (None, false) => (-1.0, -near),
                    (None, true) => (0.0, near),
                };
                columns(y / aspect, y, a, b, [-1.0, 0.0])
            }
            Self::Orthographic { height, near, far, reversed } => {
                let y = 2.0 / height;
                let (zero, one) = if reversed { (far, near) } else { (near, far) };
                columns(y / aspect, y, 1.0 / (zero - one), zero / (zero - one), [0.0, 1.0])
            }
        }
    }

    fn depth_direction(self) -> DepthDirection {
        match self {
            Self::Perspective { reversed: true, .. } | Self::Orthographic { reversed: true, .. } => {
                DepthDirection::Reversed
            }
            _ => DepthDirection::Standard,
        }
    }
}

impl Camera {
    /// From where a window shows a scene first: the camera of a replay that names none.
    pub(crate) fn of_window(scene: &Scene, viewport: Viewport) -> Self {
        let [view_from_world, clip_from_view] = Orbit::of_scene(scene).matrices(viewport);
        Self::Matrices { view_from_world, clip_from_view }
    }

    /// The view of this camera through a viewport.
    pub(crate) fn view(&self, viewport: Viewport, scale_factor: f64) -> Result<View, ViewError> {
        match *self {
            Self::Matrices { view_from_world, clip_from_view } => {
                View::new(view_from_world, clip_from_view, viewport, scale_factor)
            }
            Self::LookAt { eye, look_at, up, projection } => {
                let view_from_world = view_from_world(eye, look_at, up);
                let clip_from_view = projection.clip_from_view(viewport.width / viewport.height);
                let view = View::new(view_from_world, clip_from_view, viewport, scale_factor)?;
                Ok(view.with_depth_direction(projection.depth_direction()))
            }
        }
    }
}

/// Right-handed, y up, looking down −z. NaN, which [`View::new`] refuses, where the three
/// vectors do not say which way is up.
fn view_from_world(eye: DVec3, look_at: DVec3, up: DVec3) -> DMat4 {
    let back = (eye - look_at).try_normalize();
    let right = back.and_then(|back| up.normalize_or_zero().cross(back).try_normalize());
    match (back, right) {
        (Some(back), Some(right)) => {
            let rows = [right, back.cross(right), back].map(|axis| axis.extend(-axis.dot(eye)));
            DMat4::from_cols(rows[0], rows[1], rows[2], DMat4::IDENTITY.w_axis).transpose()
        }
        _ => DMat4::NAN,
    }
}

/// Reads a camera and makes sure that it gives a view.
pub(super) fn read(json: &Json<'_>, viewport: Viewport) -> Result<Camera, PlaceError> {
    let camera = if json.get("eye")?.is_some() { look_at(json)? } else { matrices(json)? };
    match camera.view(viewport, 1.0) {
        Ok(_) => Ok(camera),
        Err(error) => Err(json.error(error.to_string())),
    }
}

fn matrices(json: &Json<'_>) -> Result<Camera, PlaceError> {
    json.only(&["view_from_world", "clip_from_view"])?;
    let matrix = |key| json.need(key)?.numbers::<16>().map(|m| DMat4::from_cols_array(&m));
    Ok(Camera::Matrices {
        view_from_world: matrix("view_from_world")?,
        clip_from_view: matrix("clip_from_view")?,
    })
}

fn look_at(json: &Json<'_>) -> Result<Camera, PlaceError> {
    json.only(&["eye", "look_at", "up", "projection"])?;
    let vector = |key| json.need(key)?.numbers::<3>().map(DVec3::from);
    let (eye, look_at, up) = (vector("eye")?, vector("look_at")?, vector("up")?);
    if eye == look_at {
        return Err(json.error("eye and look_at are the same point"));
    }
    if !view_from_world(eye, look_at, up).is_finite() {
        return Err(json.error("up must not be zero or along the line of sight"));
    }
    let projection = projection(&json.need("projection")?)?;
    Ok(Camera::LookAt { eye, look_at, up, projection })
}

fn projection(json: &Json<'_>) -> Result<Projection, PlaceError> {
    let kind = json.need("kind")?.one_of(&[("perspective", true), ("orthographic", false)])?;
    let reversed = json.get("reversed")?.map_or(Ok(false), |json| json.boolean())?;
    if kind {
        json.only(&["kind", "fov_y", "near", "far", "reversed"])?;
        let (fov_y, near) = (json.need("fov_y")?, json.need("near")?.positive()?);
        if fov_y.positive()? >= 180.0 {
            return Err(fov_y.error("must be less than 180 degrees"));
        }
        let far = match json.get_some("far")? {
            Some(far) if far.number()? <= near => return Err(far.error("must be greater than near")),
            Some(far) => Some(far.number()?),
            None => None,
        };
        return Ok(Projection::Perspective { fov_y: fov_y.number()?, near, far, reversed });
    }
    json.only(&["kind", "height", "near", "far", "reversed"])?;
    let (near, far) = (json.need("near")?.number()?, json.need("far")?);
    if far.number()? <= near {
        return Err(far.error("must be greater than near"));
    }
    let height = json.need("height")?.positive()?;
    Ok(Projection::Orthographic { height, near, far: far.number()?, reversed })
}
