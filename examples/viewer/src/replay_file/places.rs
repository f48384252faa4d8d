//! Local transforms by the names of their nodes, and what nodes are expected to be.

use super::told::{self, FLAGS, Flagged, Hangs, node_of};
use crate::file_error::PlaceError;
use crate::json::Json;
use crate::scene::Scene;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::{DQuat, DVec3};

/// Where nodes must stand, what they must hang on, how they must be called, which must be hidden,
/// locked or deleted.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Expected {
    pub(crate) places: Vec<(usize, Transform)>,
    /// How far each number may be off; 0 for not at all.
    pub(crate) tolerance: f64,
    pub(crate) parents: Vec<Hangs>,
    pub(crate) names: Vec<(usize, String)>,
    pub(crate) flags: Vec<Flagged>,
}

impl Expected {
    /// The first node that is something else, as one line for the person.
    pub(crate) fn missed(&self, scene: &Scene) -> Option<String> {
        let missed = self.missed_place(scene).or_else(|| self.missed_parent(scene));
        missed.or_else(|| self.missed_name(scene)).or_else(|| self.missed_flag(scene))
    }

    fn missed_parent(&self, scene: &Scene) -> Option<String> {
        let name = |node: Option<usize>| node.map_or("nothing", |node| scene.nodes()[node].name.as_str());
        let hangs_on = |node: usize| scene.nodes()[node].parent;
        let missed = self.parents.iter().find(|(node, wanted)| hangs_on(*node) != *wanted);
        missed.map(|(node, wanted)| {
            format!("{}: its parent is {}, not {}", name(Some(*node)), name(hangs_on(*node)), name(*wanted))
        })
    }

    fn missed_name(&self, scene: &Scene) -> Option<String> {
        self.names.iter().find_map(|(node, wanted)| {
            let name = &scene.nodes()[*node].name;
            (name != wanted).then(|| format!("{name}: that is its name, not {wanted}"))
        })
    }

    fn missed_flag(&self, scene: &Scene) -> Option<String> {
        let missed = self.flags.iter().find(|(node, flag, on)| scene.has_flag(*node, *flag) != *on);
        missed.map(|(node, flag, on)| {
            let word = FLAGS.iter().find(|(_, known)| known == flag).map_or("", |(word, _)| word);
            format!("{}: is {}{word}", scene.nodes()[*node].name, if *on { "not " } else { "" })
        })
    }

    fn missed_place(&self, scene: &Scene) -> Option<String> {
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

/// `{"targets": {"NAME": TRANSFORM, …}, "tolerance": 0, "parents": …, "names": …, "flags": …}`, the last
/// three as in the events that give them.
pub(super) fn expected(json: &Json<'_>, scene: &Scene) -> Result<Expected, PlaceError> {
    json.only(&["targets", "tolerance", "parents", "names", "flags"])?;
    let tolerance = match json.get_some("tolerance")? {
        Some(json) if json.number()? < 0.0 => return Err(json.error("must be 0 or more")),
        Some(json) => json.number()?,
        None => 0.0,
    };
    let parents = json.get("parents")?.map_or(Ok(Vec::new()), |json| told::parents(&json, scene))?;
    let names = json.get("names")?.map_or(Ok(Vec::new()), |json| told::names(&json, scene))?;
    let flags = json.get("flags")?.map_or(Ok(Vec::new()), |json| told::flags(&json, scene))?;
    Ok(Expected { places: read(&json.need("targets")?, scene)?, tolerance, parents, names, flags })
}

/// Transforms as replays print them, by the names of their nodes.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, Transform)>, PlaceError> {
    let mut places = Vec::new();
    for name in json.keys()? {
        let place = json.need(name)?;
        places.push((node_of(&place, name, scene)?, transform(&place)?));
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
