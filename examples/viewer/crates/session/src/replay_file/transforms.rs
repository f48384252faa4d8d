//! Local transforms by node name, and the values that an `expect` event compares.

use super::node_edits::{self, FLAGS, FlagEdit, ParentEdit, node_of};
use super::{extents, volumes};
use gltf_io::LocatedError;
use gltf_io::json::Json;
use scene::Scene;
use scene::bounds::Bounds;
use scene::volume::NodeVolume;
use serde_json::Value;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DQuat, DVec3};

/// The values that an `expect` event requires: local transforms, parents, names, flags, extents, cameras and
/// lights of nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expected {
    /// Local transforms.
    pub places: Vec<(usize, Transform)>,
    /// The maximum difference of each number of a transform.
    pub tolerance: f64,
    /// Parents.
    pub parents: Vec<ParentEdit>,
    /// Names.
    pub names: Vec<(usize, String)>,
    /// Flags.
    pub flags: Vec<FlagEdit>,
    /// Extents; `None` is the box of the mesh.
    pub extents: Vec<(usize, Option<Bounds>)>,
    /// Cameras and lights, with the same tolerance.
    pub volumes: Vec<(usize, NodeVolume)>,
}

impl Expected {
    /// Returns a line about the first value that is not as expected, or `None` if all are.
    pub fn missed(&self, scene: &Scene) -> Option<String> {
        let missed = self.missed_place(scene).or_else(|| self.missed_parent(scene));
        let missed = missed.or_else(|| self.missed_name(scene)).or_else(|| self.missed_flag(scene));
        missed.or_else(|| self.missed_extents(scene)).or_else(|| self.missed_volume(scene))
    }

    fn missed_parent(&self, scene: &Scene) -> Option<String> {
        let name = |node: Option<usize>| node.map_or("nothing", |node| scene.nodes()[node].name.as_str());
        let parent = |node: usize| scene.nodes()[node].parent;
        let missed = self.parents.iter().find(|(node, expected)| parent(*node) != *expected);
        missed.map(|(node, expected)| {
            format!("{}: its parent is {}, not {}", name(Some(*node)), name(parent(*node)), name(*expected))
        })
    }

    fn missed_name(&self, scene: &Scene) -> Option<String> {
        self.names.iter().find_map(|(node, expected)| {
            let name = &scene.nodes()[*node].name;
            (name != expected).then(|| format!("{name}: that is its name, not {expected}"))
        })
    }

    fn missed_flag(&self, scene: &Scene) -> Option<String> {
        let missed = self.flags.iter().find(|(node, flag, on)| scene.has_flag(*node, *flag) != *on);
        missed.map(|(node, flag, on)| {
            let label = FLAGS.iter().find(|(_, known)| known == flag).map_or("", |(label, _)| label);
            format!("{}: is {}{label}", scene.nodes()[*node].name, if *on { "not " } else { "" })
        })
    }

    fn missed_extents(&self, scene: &Scene) -> Option<String> {
        let missed = self.extents.iter().find(|(node, expected)| scene.crop_box(*node) != *expected);
        missed.map(|(node, expected)| {
            let shown = |crop: Option<Bounds>| match crop {
                Some(Bounds { min, max }) => format!("{:?}", [min.to_array(), max.to_array()]),
                None => "those of its shape".to_owned(),
            };
            let (name, found) = (&scene.nodes()[*node].name, scene.crop_box(*node));
            format!("{name}: its extents are {}, not {}", shown(found), shown(*expected))
        })
    }

    fn missed_volume(&self, scene: &Scene) -> Option<String> {
        self.volumes.iter().find_map(|(node, expected)| {
            let node = &scene.nodes()[*node];
            let slots = [node.light, node.camera].into_iter().flatten();
            let mut found = slots.filter_map(|index| scene.volume(index));
            let found = found.find(|volume| volume.is_same_kind(expected))?;
            let [shown, wanted] = [&found, expected].map(volumes::written);
            let is_missed = !is_within(&shown, &wanted, self.tolerance);
            is_missed.then(|| format!("{}: its values are {shown}, not {wanted}", node.name))
        })
    }

    fn missed_place(&self, scene: &Scene) -> Option<String> {
        let differs = |found: f64, expected: f64| (found - expected).abs() > self.tolerance;
        self.places.iter().find_map(|(node, expected)| {
            let node = &scene.nodes()[*node];
            let channels = |local: &Transform| {
                [
                    ("translation", local.translation.to_array().to_vec()),
                    ("rotation", local.rotation.to_array().to_vec()),
                    ("scale", local.scale.to_array().to_vec()),
                ]
            };
            channels(&node.local).into_iter().zip(channels(expected)).find_map(
                |((name, found), (_, expected))| {
                    let is_missed = found.iter().zip(&expected).any(|(a, b)| differs(*a, *b));
                    is_missed.then(|| format!("{}: {name} is {found:?}, not {expected:?}", node.name))
                },
            )
        })
    }
}

/// Returns true if two objects have the same keys, and numbers that differ by at most the tolerance.
fn is_within(found: &Value, expected: &Value, tolerance: f64) -> bool {
    let (Some(found), Some(expected)) = (found.as_object(), expected.as_object()) else { return false };
    let is_alike =
        |key: &String, wanted: &Value| match (found.get(key).and_then(Value::as_f64), wanted.as_f64()) {
            (Some(found), Some(wanted)) => (found - wanted).abs() <= tolerance,
            _ => found.get(key) == Some(wanted),
        };
    found.len() == expected.len() && expected.iter().all(|(key, wanted)| is_alike(key, wanted))
}

/// Reads `{"targets": {"NAME": TRANSFORM, …}, "tolerance": 0, "parents": …, "names": …, "flags": …,
/// "extents": …, "volumes": …}`. The last five have the form of the events `parent`, `rename`, `flags`, `extents` and
/// `volumes`.
pub(super) fn expected(json: &Json<'_>, scene: &Scene) -> Result<Expected, LocatedError> {
    json.only(&["targets", "tolerance", "parents", "names", "flags", "extents", "volumes"])?;
    let tolerance = match json.get_some("tolerance")? {
        Some(json) if json.number()? < 0.0 => return Err(json.error("must be 0 or more")),
        Some(json) => json.number()?,
        None => 0.0,
    };
    let parents = json.get("parents")?.map_or(Ok(Vec::new()), |json| node_edits::parents(&json, scene))?;
    let names = json.get("names")?.map_or(Ok(Vec::new()), |json| node_edits::names(&json, scene))?;
    let flags = json.get("flags")?.map_or(Ok(Vec::new()), |json| node_edits::flags(&json, scene))?;
    let extents = json.get("extents")?.map_or(Ok(Vec::new()), |json| extents::read(&json, scene))?;
    let volumes = json.get("volumes")?.map_or(Ok(Vec::new()), |json| volumes::read(&json, scene))?;
    let places = read(&json.need("targets")?, scene)?;
    Ok(Expected { places, tolerance, parents, names, flags, extents, volumes })
}

/// Reads transforms by node name, in the form in which a replay prints them.
pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, Transform)>, LocatedError> {
    let mut places = Vec::new();
    for name in json.keys()? {
        let place = json.need(name)?;
        places.push((node_of(&place, name, scene)?, transform(&place)?));
    }
    Ok(places)
}

/// Reads a transform. Absent channels default to the identity. A rotation may have length 0, because
/// rotations are printed exactly as loaded.
pub(crate) fn transform(json: &Json<'_>) -> Result<Transform, LocatedError> {
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
