//! The cameras and the lights of nodes.

use crate::file_error::Result;
use crate::json::Json;
use crate::read::Broken;
use scene::lens::Lens;
use scene::volume::{Light, LightShape, NodeVolume};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use wgpu_gizmo_core::glam::DVec2;

/// The extension of lights.
pub(crate) const LIGHTS: &str = "KHR_lights_punctual";

/// The cameras and lights of a file.
pub(crate) struct Volumes {
    /// The cameras and then the lights; `None` for those that cannot be used.
    pub(crate) list: Vec<Option<NodeVolume>>,
    /// The indices of the camera and the light of each node, in the order of the file's nodes.
    pub(crate) of_nodes: Vec<[Option<usize>; 2]>,
    /// Phrases about what is not shown.
    pub(crate) remarks: Vec<String>,
}

/// Reads the cameras and lights, and the nodes that have them. Lights are an extension that other programs may
/// leave out, so one that is not valid is a remark and no error.
pub(crate) fn read(root: &Json<'_>) -> Result<Volumes> {
    let (mut bad_cameras, mut bad_lights) = (Broken::default(), Broken::default());
    let cameras = root.items_of("cameras")?;
    let lights = root.extension(LIGHTS).and_then(|extension| match extension {
        Some(extension) => extension.items_of("lights"),
        None => Ok(Vec::new()),
    });
    let lights = bad_lights.keep(lights).unwrap_or_default();
    let camera = |json| bad_cameras.keep(lens(json)).map(NodeVolume::Camera);
    let mut list: Vec<_> = cameras.iter().map(camera).collect();
    list.extend(lights.iter().map(|json| bad_lights.keep(light(json)).map(NodeVolume::Light)));
    let light_of = |node: &Json<'_>| {
        let light = node.extension(LIGHTS)?.map(|extension| extension.need("light")).transpose()?;
        light.map(|light| Ok(cameras.len() + light.index_below(lights.len(), "lights")?)).transpose()
    };
    let volumes_of = |node: &Json<'_>| {
        let camera = node.get("camera")?;
        let camera = camera.map(|camera| camera.index_below(cameras.len(), "cameras")).transpose()?;
        Ok([camera, bad_lights.keep(light_of(node)).flatten()])
    };
    let of_nodes = root.items_of("nodes")?.iter().map(volumes_of).collect::<Result<_>>()?;
    let mut remarks = [remarks("camera", &bad_cameras), remarks("light", &bad_lights)].concat();
    if !lights.is_empty() {
        remarks.insert(0, format!("illumination by lights ({})", lights.len()));
    }
    Ok(Volumes { list, of_nodes, remarks })
}

/// Returns a phrase for each of the first errors, and one for the number of the others.
fn remarks(what: &str, Broken { count, first }: &Broken) -> Vec<String> {
    let mut remarks: Vec<_> = first.iter().map(|error| format!("a {what} ({error})")).collect();
    if *count > first.len() {
        remarks.push(format!("further {what}s ({})", count - first.len()));
    }
    remarks
}

fn lens(camera: &Json<'_>) -> Result<Lens> {
    if camera.need("type")?.one_of(&[("perspective", true), ("orthographic", false)])? {
        let perspective = camera.need("perspective")?;
        let (fov_y, near) = (perspective.need("yfov")?, perspective.need("znear")?.positive()?);
        if fov_y.positive()? >= PI {
            return Err(fov_y.error("must be less than pi radians"));
        }
        let far = perspective.get("zfar")?.map(|far| greater(&far, near)).transpose()?;
        let aspect = perspective.get("aspectRatio")?.map(|aspect| aspect.positive()).transpose()?;
        return Ok(Lens::Perspective { fov_y: fov_y.number()?, near, far, aspect });
    }
    let orthographic = camera.need("orthographic")?;
    let mag = |key| {
        let mag = orthographic.need(key)?;
        // Some exporters write negative values, which the specification advises against.
        let length = mag.number()?.abs();
        if length > 0.0 { Ok(length) } else { Err(mag.error("must not be 0")) }
    };
    let near = orthographic.need("znear")?.number()?;
    let far = greater(&orthographic.need("zfar")?, near)?;
    Ok(Lens::Orthographic { half: DVec2::new(mag("xmag")?, mag("ymag")?), near, far })
}

fn greater(far: &Json<'_>, near: f64) -> Result<f64> {
    match far.number()? {
        number if number > near => Ok(number),
        _ => Err(far.error("must be greater than znear")),
    }
}

fn light(json: &Json<'_>) -> Result<Light> {
    let Light { shape, color, intensity } = Light::new(shape(json)?);
    let intensity = json.get_or("intensity", intensity, Json::non_negative)?;
    Ok(Light { shape, color: json.get_or("color", color, Json::non_negatives)?, intensity })
}

fn shape(json: &Json<'_>) -> Result<LightShape> {
    let kinds = [("point", 0), ("spot", 1), ("directional", 2)];
    let kind = json.need("type")?.one_of(&kinds)?;
    if kind == 2 {
        return Ok(LightShape::Directional);
    }
    let range = json.get("range")?.map(|range| range.positive()).transpose()?;
    if kind == 0 {
        return Ok(LightShape::Point { range });
    }
    let spot = json.get("spot")?;
    let angle = |key| spot.as_ref().map_or(Ok(None), |spot| spot.get(key));
    let outer = match angle("outerConeAngle")? {
        Some(outer) if outer.positive()? <= FRAC_PI_2 => outer.number()?,
        // Rounding to `f32` makes a right angle larger.
        Some(outer) if outer.number()? <= f64::from(FRAC_PI_2 as f32) => FRAC_PI_2,
        Some(outer) => return Err(outer.error("must be at most half of pi radians")),
        None => FRAC_PI_4,
    };
    let inner = match angle("innerConeAngle")? {
        Some(inner) if (0.0..outer).contains(&inner.number()?) => inner.number()?,
        Some(inner) => return Err(inner.error("must be at least 0 and less than outerConeAngle")),
        None => 0.0,
    };
    Ok(LightShape::Spot { range, inner, outer })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn invalid_camera_becomes_remark() {
        let document = json!({
            "cameras": [
                {"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1, "aspectRatio": 1.5}},
                {"type": "orthographic", "orthographic": {"xmag": -2, "ymag": 1, "znear": 0, "zfar": 9}},
                {"type": "perspective", "perspective": {"yfov": 4, "znear": 0.1}},
                {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1, "zfar": 0.05}},
                {"type": "panorama"}
            ],
            "nodes": [{"camera": 1}, {}, {"camera": 0}, {"camera": 2}, {"camera": 4}]
        });
        let Volumes { list, of_nodes, remarks } = read(&Json::root(&document)).expect("a valid document");
        let expected = [
            Some(Lens::Perspective { fov_y: 0.8, near: 0.1, far: None, aspect: Some(1.5) }),
            Some(Lens::Orthographic { half: DVec2::new(2.0, 1.0), near: 0.0, far: 9.0 }),
            None,
            None,
            None,
        ];
        assert_eq!(list, expected.map(|lens| lens.map(NodeVolume::Camera)));
        assert_eq!(of_nodes, [Some(1), None, Some(0), Some(2), Some(4)].map(|camera| [camera, None]));
        let expected = [
            "a camera (cameras[2].perspective.yfov: must be less than pi radians)",
            "a camera (cameras[3].perspective.zfar: must be greater than znear)",
            "a camera (cameras[4].type: unknown: `panorama`; known: perspective, orthographic)",
        ];
        assert_eq!(remarks, expected);
        let document = json!({ "nodes": [{"camera": 3}] });
        let error = read(&Json::root(&document)).err().expect("the camera does not exist");
        assert_eq!(error.to_string(), "nodes[0].camera: index 3 is out of range (0 cameras)");
    }

    fn read_lights(lights: Value, nodes: Value) -> Volumes {
        let document =
            json!({ "extensions": { "KHR_lights_punctual": { "lights": lights } }, "nodes": nodes });
        read(&Json::root(&document)).expect("lights are no error")
    }

    fn node(light: Value) -> Value {
        json!({ "extensions": { "KHR_lights_punctual": { "light": light } } })
    }

    #[test]
    fn lights_are_read_with_their_defaults() {
        let lights = json!([
            { "type": "point", "range": 3, "color": [0.25, 0, 1], "intensity": 40 },
            { "type": "spot" },
            { "type": "spot", "range": 2.5, "spot": { "innerConeAngle": 0.25, "outerConeAngle": 1.5 } },
            { "type": "directional", "range": 7 },
            { "type": "spot", "spot": { "outerConeAngle": std::f32::consts::FRAC_PI_2 } }
        ]);
        let found = read_lights(lights, json!([node(json!(2)), {}, node(json!(0))]));
        let spot = |range, inner, outer| Some(Light::new(LightShape::Spot { range, inner, outer }));
        let point = Light::new(LightShape::Point { range: Some(3.0) });
        let expected = [
            Some(Light { color: [0.25, 0.0, 1.0], intensity: 40.0, ..point }),
            spot(None, 0.0, FRAC_PI_4),
            spot(Some(2.5), 0.25, 1.5),
            Some(Light::new(LightShape::Directional)),
            spot(None, 0.0, FRAC_PI_2),
        ];
        assert_eq!(found.list, expected.map(|light| light.map(NodeVolume::Light)));
        assert_eq!(found.of_nodes, [Some(2), None, Some(0)].map(|light| [None, light]));
        assert_eq!(found.remarks, ["illumination by lights (5)"]);
    }

    #[test]
    fn hostile_lights_become_remarks() {
        let point = |key: &str, value: Value| json!({ "type": "point", key: value });
        let spot = |spot: Value| json!({ "type": "spot", "spot": spot });
        let outer = |angle: Value| spot(json!({ "outerConeAngle": angle }));
        let inner = "spot.innerConeAngle: must be at least 0 and less than outerConeAngle";
        for (light, remark) in [
            (json!({}), "type: missing"),
            (json!({ "type": "laser" }), "type: unknown: `laser`; known: point, spot, directional"),
            (point("range", json!(-1)), "range: must be greater than 0, not the number -1"),
            (point("range", json!(0)), "range: must be greater than 0, not the number 0"),
            (point("range", json!("far")), "range: must be a number, not the string `far`"),
            (point("range", json!(null)), "range: must be a number, not null"),
            (point("intensity", json!(-1)), "intensity: must be 0 or more, not the number -1"),
            (point("color", json!([1, 1])), "color: must be a list of 3 numbers, not a list of 2"),
            (point("color", json!([1, 1, -1])), "color[2]: must be 0 or more, not the number -1"),
            (spot(json!([])), "spot: must be an object, not a list of 0"),
            (spot(json!({ "innerConeAngle": 0.8, "outerConeAngle": 0.8 })), inner),
            (spot(json!({ "innerConeAngle": -0.1 })), inner),
            (outer(json!(1.6)), "spot.outerConeAngle: must be at most half of pi radians"),
            (outer(json!(0)), "spot.outerConeAngle: must be greater than 0, not the number 0"),
        ] {
            let found = read_lights(json!([light]), json!([]));
            let expected = format!("a light (extensions.KHR_lights_punctual.lights[0].{remark})");
            assert_eq!((found.list, &found.remarks[1..]), (vec![None], &[expected][..]));
        }
        for (index, remark) in [
            (json!(1), "index 1 is out of range (1 lights)"),
            (json!(-1), "must be a non-negative integer, not the number -1"),
            (json!(1e30), "must be a non-negative integer, not the number 1e+30"),
        ] {
            let found = read_lights(json!([{ "type": "point" }]), json!([node(index)]));
            let expected = format!("a light (nodes[0].extensions.KHR_lights_punctual.light: {remark})");
            assert_eq!((found.of_nodes, &found.remarks[1..]), (vec![[None; 2]], &[expected][..]));
        }
        for lights in [json!(7), json!(null), json!({})] {
            let found = read_lights(lights, json!([]));
            assert_eq!((found.list.len(), found.remarks.len()), (0, 1));
        }
    }
}
