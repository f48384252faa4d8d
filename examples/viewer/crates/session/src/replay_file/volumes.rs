//! The numbers of cameras and lights, under the keys and in the units of glTF.

use gltf_io::LocatedError;
use gltf_io::json::Json;
use scene::lens::Lens;
use scene::volume::{Light, NodeVolume};
use serde_json::{Value, json};
use std::f64::consts::{FRAC_PI_2, PI};
use wgpu_gizmo_core::glam::DVec2;

/// Reads a camera or light: its keys say which. An absent `range` or `zfar` is not limited.
pub(crate) fn read(json: &Json<'_>) -> Result<NodeVolume, LocatedError> {
    let positive = |key| json.read(key, Json::positive);
    let volume = if json.get("yfov")?.is_some() {
        json.only(&["yfov", "znear", "zfar", "aspectRatio"])?;
        let (fov_y, near) = (json.need("yfov")?, json.need("znear")?.positive()?);
        if fov_y.positive()? >= PI {
            return Err(fov_y.error("must be less than pi radians"));
        }
        let (far, aspect) = (positive("zfar")?, positive("aspectRatio")?);
        NodeVolume::Camera(Lens::Perspective { fov_y: fov_y.number()?, near, far, aspect })
    } else if json.get("xmag")?.is_some() {
        json.only(&["xmag", "ymag", "znear", "zfar"])?;
        let half = DVec2::new(json.need("xmag")?.positive()?, json.need("ymag")?.positive()?);
        let (near, far) = (json.need("znear")?.number()?, json.need("zfar")?.number()?);
        NodeVolume::Camera(Lens::Orthographic { half, near, far })
    } else if json.get("outerConeAngle")?.is_some() {
        json.only(&["range", "innerConeAngle", "outerConeAngle"])?;
        let outer = json.need("outerConeAngle")?.number_in([0.0, FRAC_PI_2])?;
        let inner = json.need("innerConeAngle")?.number_in([0.0, outer])?;
        NodeVolume::Light(Light::Spot { range: positive("range")?, inner, outer })
    } else {
        json.only(&["range"])?;
        NodeVolume::Light(Light::Point { range: positive("range")? })
    };
    let what = "is not valid: znear must be less than zfar, innerConeAngle less than outerConeAngle, and all \
                numbers must fit into f32";
    if volume.is_valid() { Ok(volume) } else { Err(json.error(what)) }
}

/// Returns a camera or light as JSON, with its numbers unchanged.
pub fn write(volume: &NodeVolume) -> Value {
    Value::Object(volume.fields().into_iter().map(|(key, number)| (key.to_owned(), json!(number))).collect())
}
