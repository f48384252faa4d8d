//! Transforms, boxes and lists of events, in the form in which replays and journals have them.

use gltf_io::Result;
use gltf_io::json::Json;
use scene::bounds::Bounds;
use serde_json::{Value, json};
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DQuat, DVec3};

/// Returns the text of an object with one member per line, from the keys and the texts of the values.
pub(crate) fn object_text<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let lines: Vec<String> = members.map(|(key, value)| format!("  {}: {value}", json!(key))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Returns the text of a member of [`object_text`] that is a list with one item per line.
pub(crate) fn list_text(items: &[impl AsRef<str>]) -> String {
    let lines: Vec<String> = items.iter().map(|item| format!("\n    {}", item.as_ref())).collect();
    format!("[{}{}]", lines.join(","), if lines.is_empty() { "" } else { "\n  " })
}

/// Reads a transform. Absent channels default to the identity. A rotation may have length 0, because
/// rotations are printed exactly as loaded.
pub(crate) fn transform(json: &Json<'_>) -> Result<Transform> {
    json.only(&CHANNELS)?;
    Ok(Channels::read(json)?.set_in(&Transform::IDENTITY))
}

/// The keys of a transform.
pub const CHANNELS: [&str; 3] = ["translation", "rotation", "scale"];

/// The channels of a transform that an object has.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Channels {
    translation: Option<DVec3>,
    rotation: Option<DQuat>,
    scale: Option<DVec3>,
}

impl Channels {
    /// Reads the channels from an object that may have other keys.
    pub fn read(json: &Json<'_>) -> Result<Self> {
        let vector = |key| json.read(key, |json| json.numbers::<3>().map(DVec3::from));
        let rotation = json.read("rotation", |json| json.numbers::<4>().map(DQuat::from_array))?;
        Ok(Self { translation: vector("translation")?, rotation, scale: vector("scale")? })
    }

    /// Returns a transform with these channels, and otherwise those of `start`.
    #[must_use]
    pub fn set_in(&self, start: &Transform) -> Transform {
        Transform {
            translation: self.translation.unwrap_or(start.translation),
            rotation: self.rotation.unwrap_or(start.rotation),
            scale: self.scale.unwrap_or(start.scale),
        }
    }
}

/// Returns a transform as JSON, with its numbers unchanged.
pub fn transform_to_json(Transform { translation, rotation, scale }: &Transform) -> Value {
    json!({
        "translation": translation.to_array(),
        "rotation": rotation.to_array(),
        "scale": scale.to_array(),
    })
}

/// Reads a quaternion that can be normalized.
pub fn normalizable(json: &Json<'_>) -> Result<DQuat> {
    let rotation = DQuat::from_array(json.numbers::<4>()?);
    let length = rotation.length();
    match length.is_finite() && length > 0.0 {
        true => Ok(rotation),
        false => Err(json.error("is not a rotation: its length must be finite and greater than 0")),
    }
}

/// Reads a box from two opposite corners, the lower one first.
pub(crate) fn bounds(json: &Json<'_>) -> Result<Bounds> {
    let corners = <[Json<'_>; 2]>::try_from(json.items()?).map_err(|_| json.error("must be two corners"))?;
    let corner = |json: &Json<'_>| json.numbers::<3>().map(DVec3::from);
    let [min, max] = [corner(&corners[0])?, corner(&corners[1])?];
    match min.cmple(max).all() {
        true => Ok(Bounds { min, max }),
        false => Err(json.error("the first corner must not be above the second")),
    }
}

/// Returns a box as JSON.
pub fn bounds_to_json(Bounds { min, max }: Bounds) -> Value {
    json!([min.to_array(), max.to_array()])
}

/// Returns the place of the gizmo as JSON.
pub fn place_to_json(place: &Transform) -> Value {
    json!({ "point": place.translation.to_array(), "rotation": place.rotation.to_array() })
}
