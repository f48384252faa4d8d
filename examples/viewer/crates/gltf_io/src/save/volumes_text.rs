//! Writes the changes of cameras and lights into the text of the document: the numbers that changed, and
//! nothing else.

use super::nodes_text::number;
use crate::file_error::LocatedError;
use crate::json_text::{Edits, JsonText};
use crate::read::lights::EXTENSION;
use crate::source::Source;
use scene::Scene;
use scene::lens::Lens;
use scene::volume::NodeVolume;
use std::ops::Range;

/// A number of a camera or light, by its key in glTF. `None` if it is absent.
type Field = (&'static str, Option<f64>);

/// Adds the edits that turn the cameras and lights of the file into those of the scene.
pub(crate) fn changes(source: &Source, scene: &Scene, edits: &mut Edits) -> Result<(), LocatedError> {
    let differing = source.volumes.iter().zip(scene.volumes()).enumerate();
    let mut differing = differing.filter(|(_, (was, now))| was != now).peekable();
    if differing.peek().is_none() {
        return Ok(());
    }
    let text = JsonText(source.container.json());
    let root = text.root().unwrap_or(0..0);
    let cameras = text.items_of(&root, "cameras");
    let lights = text.member(&root, "extensions").and_then(|member| text.member(&member.value, EXTENSION));
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
        Writer { text, edits }.volume(object, was, now);
    }
    Ok(())
}

struct Writer<'a> {
    text: JsonText<'a>,
    edits: &'a mut Edits,
}

impl Writer<'_> {
    fn volume(&mut self, object: &Range<usize>, was: &NodeVolume, now: &NodeVolume) {
        let (was, after) = (was.fields(), now.fields());
        match now {
            NodeVolume::Camera(Lens::Perspective { .. }) => self.nested(object, "perspective", &was, &after),
            NodeVolume::Camera(Lens::Orthographic { .. }) => {
                self.nested(object, "orthographic", &was, &after)
            }
            NodeVolume::Light(_) => {
                let of_cone = was.len().min(1);
                self.fields(object, &was[..of_cone], &after[..of_cone]);
                self.nested(object, "spot", &was[of_cone..], &after[of_cone..]);
            }
        }
    }

    /// Writes fields of an object in an object, which may be absent.
    fn nested(&mut self, object: &Range<usize>, key: &str, was: &[Field], now: &[Field]) {
        if was == now {
            return;
        }
        match self.text.member(object, key) {
            Some(member) => self.fields(&member.value, was, now),
            None => {
                let members: Vec<String> = now.iter().filter_map(member).collect();
                self.edits.insert(self.text, object, &[format!("\"{key}\":{{{}}}", members.join(","))]);
            }
        }
    }

    fn fields(&mut self, object: &Range<usize>, was: &[Field], now: &[Field]) {
        let mut added = Vec::new();
        for (was, now) in was.iter().zip(now).filter(|(was, now)| was != now) {
            match (self.text.member(object, was.0), now.1) {
                (Some(member), Some(value)) => self.edits.replace(member.value, number(value)),
                (Some(member), None) => self.edits.remove(self.text, object, &member),
                (None, _) => added.extend(member(now)),
            }
        }
        self.edits.insert(self.text, object, &added);
    }
}

fn member((key, value): &Field) -> Option<String> {
    Some(format!("\"{key}\":{}", number((*value)?)))
}
