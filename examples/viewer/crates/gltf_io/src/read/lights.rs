//! The lights of nodes: the extension `KHR_lights_punctual`.

use super::cameras;
use crate::file_error::LocatedError;
use crate::json::Json;
use scene::volume::{Light, LightShape};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

pub(crate) const EXTENSION: &str = "KHR_lights_punctual";

/// The lights of a file.
pub(crate) struct Lights {
    /// Each light; `None` if it cannot be used.
    pub(crate) lights: Vec<Option<Light>>,
    /// The index of the light of each node, in the order of the file's nodes.
    pub(crate) of_nodes: Vec<Option<usize>>,
    /// Phrases about the lights that cannot be used.
    pub(crate) remarks: Vec<String>,
}

/// Reads the lights, and the nodes that have them. They are an extension that other programs may leave out, so
/// one that is not valid is a remark and no error.
pub(crate) fn read(root: &Json<'_>) -> Lights {
    let mut errors = Vec::new();
    let list = root.extension(EXTENSION).and_then(|extension| match extension {
        Some(extension) => extension.items_of("lights"),
        None => Ok(Vec::new()),
    });
    let list = noted(list, &mut errors).unwrap_or_default();
    let lights: Vec<Option<Light>> = list.iter().map(|json| noted(light(json), &mut errors)).collect();
    let light_of = |node: &Json<'_>| {
        let light = node.extension(EXTENSION)?.map(|extension| extension.need("light")).transpose()?;
        light.map(|light| light.index_below(lights.len(), "lights")).transpose()
    };
    let nodes = root.items_of("nodes").unwrap_or_default();
    let of_nodes = nodes.iter().map(|node| noted(light_of(node), &mut errors).flatten()).collect();
    Lights { of_nodes, remarks: cameras::remarks("light", errors.iter()), lights }
}

/// Returns a value, or `None` after adding its error to a list.
fn noted<T>(result: Result<T, LocatedError>, errors: &mut Vec<LocatedError>) -> Option<T> {
    result.map_err(|error| errors.push(error)).ok()
}

fn light(json: &Json<'_>) -> Result<Light, LocatedError> {
    let mut light = Light::new(shape(json)?);
    if let Some(intensity) = json.get("intensity")? {
        light.intensity = intensity.non_negative()?;
    }
    if let Some(color) = json.get("color")? {
        light.color = color.non_negatives()?;
    }
    Ok(light)
}

fn shape(json: &Json<'_>) -> Result<LightShape, LocatedError> {
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

    fn read_lights(lights: Value, nodes: Value) -> Lights {
        let document =
            json!({ "extensions": { "KHR_lights_punctual": { "lights": lights } }, "nodes": nodes });
        read(&Json::root(&document))
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
        assert_eq!(found.lights, expected);
        assert_eq!((found.of_nodes, found.remarks), (vec![Some(2), None, Some(0)], Vec::new()));
    }

    #[test]
    fn hostile_lights_become_remarks() {
        for (light, remark) in [
            (json!({}), "type: missing"),
            (json!({ "type": "laser" }), "type: unknown: `laser`; known: point, spot, directional"),
            (json!({ "type": "point", "range": -1 }), "range: must be greater than 0, not the number -1"),
            (json!({ "type": "point", "range": 0 }), "range: must be greater than 0, not the number 0"),
            (json!({ "type": "point", "range": "far" }), "range: must be a number, not the string `far`"),
            (json!({ "type": "point", "range": null }), "range: must be a number, not null"),
            (
                json!({ "type": "spot", "spot": { "outerConeAngle": 1.6 } }),
                "spot.outerConeAngle: must be at most half of pi radians",
            ),
            (
                json!({ "type": "spot", "spot": { "outerConeAngle": 0 } }),
                "spot.outerConeAngle: must be greater than 0, not the number 0",
            ),
            (
                json!({ "type": "spot", "spot": { "innerConeAngle": 0.8, "outerConeAngle": 0.8 } }),
                "spot.innerConeAngle: must be at least 0 and less than outerConeAngle",
            ),
            (
                json!({ "type": "spot", "spot": { "innerConeAngle": -0.1 } }),
                "spot.innerConeAngle: must be at least 0 and less than outerConeAngle",
            ),
            (json!({ "type": "spot", "spot": [] }), "spot: must be an object, not a list of 0"),
            (json!({ "type": "point", "intensity": -1 }), "intensity: must be 0 or more, not the number -1"),
            (
                json!({ "type": "point", "color": [1, 1] }),
                "color: must be a list of 3 numbers, not a list of 2",
            ),
            (
                json!({ "type": "directional", "color": [1, 1, -1] }),
                "color[2]: must be 0 or more, not the number -1",
            ),
        ] {
            let found = read_lights(json!([light]), json!([]));
            let expected = format!("a light (extensions.KHR_lights_punctual.lights[0].{remark})");
            assert_eq!((found.lights, found.remarks), (vec![None], vec![expected]));
        }
        for (index, remark) in [
            (json!(1), "index 1 is out of range (1 lights)"),
            (json!(-1), "must be a non-negative integer, not the number -1"),
            (json!(1e30), "must be a non-negative integer, not the number 1e+30"),
        ] {
            let found = read_lights(json!([{ "type": "point" }]), json!([node(index)]));
            let expected = format!("a light (nodes[0].extensions.KHR_lights_punctual.light: {remark})");
            assert_eq!((found.of_nodes, found.remarks), (vec![None], vec![expected]));
        }
        for lights in [json!(7), json!(null), json!({})] {
            let found = read_lights(lights, json!([]));
            assert_eq!((found.lights.len(), found.remarks.len()), (0, 1));
        }
    }
}
