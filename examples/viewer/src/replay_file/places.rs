//! Local transforms by the names of their nodes.

use crate::file_error::PlaceError;
use crate::json::Json;
use crate::scene::Scene;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::{DQuat, DVec3};

/// Where nodes must stand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expected {
    pub(crate) places: Vec<(usize, Transform)>,
    /// How far each number may be off; 0 for not at all.
    pub(crate) tolerance: f64,
}

impl Expected {
    /// The first node that is elsewhere, as one line for the person.
    pub(crate) fn missed(&self, scene: &Scene) -> Option<String> {
        let is_off = |found: f64, wanted: f64| (found - wanted).abs() > self.tolerance;
        self.places.iter().find_map(|(node, wanted)| {
            let node = &scene.nodes()[*node];
            let channels = |local: &Transform| {
                [
                    ("translation", local.translation.to_array().to_vec()),
                    ("rotation", local.rotation.to_array().to_vec()),
                    ("scale", local.scale.to_array().to_vec()),
                ]
            };
            channels(&node.local).into_iter().zip(channels(wanted)).find_map(
                |((name, found), (_, wanted))| {
                    let is_off = found.iter().zip(&wanted).any(|(found, wanted)| is_off(*found, *wanted));
                    is_off.then(|| format!("{}: {name} is {found:?}, not {wanted:?}", node.name))
                },
            )
        })
    }
}

/// `{"targets": {"NAME": TRANSFORM, …}, "tolerance": 0}`.
pub(super) fn expected(json: &Json<'_>, scene: &Scene) -> Result<Expected, PlaceError> {
    json.only(&["targets", "tolerance"])?;
    let tolerance = match json.get_some("tolerance")? {
        Some(json) if json.number()? < 0.0 => return Err(json.error("must be 0 or more")),
        Some(json) => json.number()?,
        None => 0.0,
    };
    Ok(Expected { places: read(&json.need("targets")?, scene)?, tolerance })
}

/// Transforms as replays print them, by the names of their nodes.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, Transform)>, PlaceError> {
    let mut places = Vec::new();
    for name in json.keys()? {
        let place = json.need(name)?;
        let node = scene.find(name).ok_or_else(|| place.error(format!("no object is called `{name}`")))?;
        places.push((node, transform(&place)?));
    }
    Ok(places)
}

/// What is absent is as if there were none. A rotation that is none counts as such: it is printed
/// as it is, and so it is read.
fn transform(json: &Json<'_>) -> Result<Transform, PlaceError> {
    json.only(&["translation", "rotation", "scale"])?;
    let vector = |key, or| match json.get(key)? {
        Some(json) => json.numbers::<3>().map(DVec3::from),
        None => Ok(or),
    };
    let rotation = match json.get("rotation")? {
        Some(json) => DQuat::from_array(json.numbers::<4>()?),
        None => DQuat::IDENTITY,
    };
    Ok(Transform {
        translation: vector("translation", DVec3::ZERO)?,
        rotation,
        scale: vector("scale", DVec3::ONE)?,
    })
}
