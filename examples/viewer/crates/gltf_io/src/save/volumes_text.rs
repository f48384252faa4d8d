//! Writes the changes of cameras and lights into the text of the document: the numbers that changed, and
//! nothing else.

use crate::file_error::{LocatedError, Result};
use crate::json_text::{Change, Edits, JsonText};
use crate::read::volumes::LIGHTS;
use crate::source::Source;
use scene::Scene;
use scene::lens::Lens;
use scene::volume::NodeVolume;
use serde_json::Value;
use std::ops::Range;

/// A number of a camera or light, by its key in glTF. `None` if it is absent.
type Field = (&'static str, Option<f64>);

/// Adds the edits that turn the cameras and lights of the file into those of the scene.
pub(crate) fn changes(source: &Source, scene: &Scene, edits: &mut Edits) -> Result<()> {
    let differing = source.volumes.iter().zip(scene.volumes()).enumerate();
    let mut differing = differing.filter(|(_, (was, now))| was != now).peekable();
    if differing.peek().is_none() {
        return Ok(());
    }
    let text = JsonText(source.container.json());
    let root = text.root().unwrap_or(0..0);
    let cameras = text.items_of(&root, "cameras");
    let lights = text.member(&root, "extensions").and_then(|member| text.member(&member.value, LIGHTS));
    let lights = lights.map_or(Vec::new(), |member| text.items_of(&member.value, "lights"));
    for (index, (was, now)) in differing {
        let (Some(was), Some(now)) = (was, now) else { continue };
        let object = match index.checked_sub(cameras.len()) {
            None => cameras.get(index),
            Some(light) => lights.get(light),
        };
        let object = object.ok_or_else(|| {
            LocatedError::new(format!("camera or light {index}"), "is missing in the document text")
        })?;
        edits.change(text, object, members(text, object, (was, now)));
    }
    Ok(())
}

/// Returns the changes of a camera or light.
fn members(
    text: JsonText<'_>,
    object: &Range<usize>,
    (was, now): (&NodeVolume, &NodeVolume),
) -> Vec<(&'static str, Change)> {
    let fields: Vec<(Field, Field)> = was.fields().into_iter().zip(now.fields()).collect();
    let (key, own) = match now {
        NodeVolume::Camera(Lens::Perspective { .. }) => ("perspective", 0),
        NodeVolume::Camera(Lens::Orthographic { .. }) => ("orthographic", 0),
        // The intensity and the range are numbers of the light itself.
        NodeVolume::Light(_) => ("spot", fields.len().min(2)),
    };
    let change = |(_, (key, value)): &(Field, Field)| (*key, Change::Set(value.map(Value::from)));
    let changes = |fields: &[(Field, Field)], with_unchanged: bool| -> Vec<_> {
        let changed = fields.iter().filter(|(was, now)| was != now || with_unchanged);
        // New ones take the place of those that are removed.
        let (removed, others): (Vec<_>, Vec<_>) =
            changed.map(change).partition(|(_, change)| matches!(change, Change::Set(None)));
        [removed, others].into_iter().flatten().collect()
    };
    let (own, nested) = fields.split_at(own);
    let mut members = changes(own, false);
    // An object that is new has all of its numbers.
    let is_new = text.member(object, key).is_none() && nested.iter().any(|(was, now)| was != now);
    members.push((key, Change::Members(changes(nested, is_new))));
    if let (Some(was), Some(now)) = (was.light(), now.light())
        && was.color != now.color
    {
        members.push(("color", Change::to(now.color.to_vec())));
    }
    members
}
