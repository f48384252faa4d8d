//! The numbers of cameras and lights, under the keys and in the units of glTF.

use gltf_io::Result;
use gltf_io::json::Json;
use scene::lens::Lens;
use scene::volume::{Light, LightShape, NodeVolume};
use serde_json::{Map, Value, json};
use std::f64::consts::{FRAC_PI_2, PI};
use wgpu_gizmo_core::glam::DVec2;

/// The type of a light that has neither range nor cone.
const DIRECTIONAL: &str = "directional";

/// Reads a camera or light: its keys say which. An absent `range` or `zfar` is not limited. An absent color or
/// intensity is that of `light`, because older replays do not have them.
pub(crate) fn read(json: &Json<'_>, light: Option<Light>) -> Result<NodeVolume> {
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
    } else {
        let shape = if json.get("outerConeAngle")?.is_some() {
            json.only(&["range", "innerConeAngle", "outerConeAngle", "color", "intensity"])?;
            let outer = json.need("outerConeAngle")?.number_in([0.0, FRAC_PI_2])?;
            let inner = json.need("innerConeAngle")?.number_in([0.0, outer])?;
            LightShape::Spot { range: positive("range")?, inner, outer }
        } else if json.get("type")?.is_some() {
            json.only(&["type", "color", "intensity"])?;
            json.need("type")?.one_of(&[(DIRECTIONAL, ())])?;
            LightShape::Directional
        } else {
            json.only(&["range", "color", "intensity"])?;
            LightShape::Point { range: positive("range")? }
        };
        let default = light.unwrap_or(Light::new(shape));
        let color = json.read("color", Json::non_negatives)?.unwrap_or(default.color);
        let intensity = json.read("intensity", Json::non_negative)?.unwrap_or(default.intensity);
        NodeVolume::Light(Light { shape, color, intensity })
    };
    let what = "is not valid: znear must be less than zfar, innerConeAngle less than outerConeAngle, and all \
                numbers must fit into f32";
    if volume.is_valid() { Ok(volume) } else { Err(json.error(what)) }
}

/// Returns a camera or light as JSON, with its numbers unchanged.
pub fn write(volume: &NodeVolume) -> Value {
    let fields = volume.fields().into_iter().map(|(key, number)| (key.to_owned(), json!(number)));
    let mut object = Map::from_iter(fields);
    if let Some(light) = volume.light() {
        object.insert("color".to_owned(), json!(light.color));
        if light.shape == LightShape::Directional {
            // Without it, the object would be a point light.
            object.insert("type".to_owned(), json!(DIRECTIONAL));
        }
    }
    Value::Object(object)
}
