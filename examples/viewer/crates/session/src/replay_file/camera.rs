//! The camera of a replay, in its two forms.

use crate::orbit::Orbit;
use gltf_io::Result;
use gltf_io::json::Json;
use scene::Scene;
use scene::projection::Projection;
use serde_json::{Value, json};
use wgpu_gizmo_core::glam::{DMat4, DVec3};
use wgpu_gizmo_core::math::{View, ViewError, Viewport};

/// The camera of a view.
#[derive(Debug, Clone, PartialEq)]
pub enum Camera {
    /// A camera given by its matrices. Clip depth is 0 to 1.
    Matrices {
        /// The view matrix.
        view_from_world: DMat4,
        /// The projection matrix.
        clip_from_view: DMat4,
    },
    /// A camera given by points. View space is right-handed and the camera looks along −z.
    LookAt {
        /// The position of the camera in world space.
        eye: DVec3,
        /// The point at the center of the viewport, in world space.
        look_at: DVec3,
        /// The up direction. It need not be normalized or perpendicular to the line of sight.
        up: DVec3,
        /// The projection from view space to clip space.
        projection: Projection,
    },
}

impl Camera {
    /// Returns the camera that a window starts with for a scene, which is the default of a replay.
    pub fn of_window(scene: &Scene, viewport: Viewport) -> Self {
        let [view_from_world, clip_from_view] = Orbit::framing(scene).matrices(viewport);
        Self::Matrices { view_from_world, clip_from_view }
    }

    /// Returns the view of this camera through a viewport.
    pub fn view(&self, viewport: Viewport, scale_factor: f64) -> Result<View, ViewError> {
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

/// Returns a right-handed view matrix, with y up and looking along −z. The matrix is NaN, which
/// [`View::new`] rejects, if `up` is zero or parallel to the line of sight.
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

/// Reads a camera and checks that a view can be made from it.
pub(super) fn read(json: &Json<'_>, viewport: Viewport) -> Result<Camera> {
    let camera = if json.get("eye")?.is_some() { look_at(json)? } else { matrices(json)? };
    match camera.view(viewport, 1.0) {
        Ok(_) => Ok(camera),
        Err(error) => Err(json.error(error.to_string())),
    }
}

fn matrices(json: &Json<'_>) -> Result<Camera> {
    json.only(&["view_from_world", "clip_from_view"])?;
    let matrix = |key| json.need(key)?.numbers::<16>().map(|m| DMat4::from_cols_array(&m));
    Ok(Camera::Matrices {
        view_from_world: matrix("view_from_world")?,
        clip_from_view: matrix("clip_from_view")?,
    })
}

fn look_at(json: &Json<'_>) -> Result<Camera> {
    json.only(&["eye", "look_at", "up", "projection"])?;
    let vector = |key| json.need(key)?.numbers::<3>().map(DVec3::from);
    let (eye, look_at, up) = (vector("eye")?, vector("look_at")?, vector("up")?);
    if eye == look_at {
        return Err(json.error("eye and look_at must differ"));
    }
    if !view_from_world(eye, look_at, up).is_finite() {
        return Err(json.error("up must not be zero or parallel to the line of sight"));
    }
    let projection = projection(&json.need("projection")?)?;
    Ok(Camera::LookAt { eye, look_at, up, projection })
}

fn projection(json: &Json<'_>) -> Result<Projection> {
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

/// Returns a camera as JSON, in the form in which it was given.
pub(crate) fn write(camera: &Camera) -> Value {
    match camera {
        Camera::Matrices { view_from_world, clip_from_view } => json!({
            "view_from_world": view_from_world.to_cols_array(),
            "clip_from_view": clip_from_view.to_cols_array(),
        }),
        Camera::LookAt { eye, look_at, up, projection } => json!({
            "eye": eye.to_array(),
            "look_at": look_at.to_array(),
            "up": up.to_array(),
            "projection": match *projection {
                Projection::Perspective { fov_y, near, far, reversed } => json!({
                    "kind": "perspective", "fov_y": fov_y, "near": near, "far": far, "reversed": reversed
                }),
                Projection::Orthographic { height, near, far, reversed } => json!({
                    "kind": "orthographic", "height": height, "near": near, "far": far, "reversed": reversed
                }),
            },
        }),
    }
}
