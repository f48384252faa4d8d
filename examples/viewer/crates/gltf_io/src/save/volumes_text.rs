//! Writes the changes of cameras and lights into the text of the document: the numbers that changed, and
//! nothing else.

use super::nodes_text::number;
use crate::file_error::LocatedError;
use crate::json_text::{Edits, JsonText};
use crate::read::lights::EXTENSION;
use crate::source::Source;
use scene::Scene;
use scene::lens::Lens;
use scene::volume::{Light, NodeVolume};
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
        match (projection(was), projection(now)) {
            (Some((key, was)), Some((_, now))) => self.nested(object, key, &was, &now),
            _ => {
                self.fields(object, &[("range", range(was))], &[("range", range(now))]);
                self.nested(object, "spot", &cone(was), &cone(now));
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

/// Returns the key and the fields of a camera.
fn projection(volume: &NodeVolume) -> Option<(&'static str, Vec<Field>)> {
    match *volume {
        NodeVolume::Camera(Lens::Perspective { fov_y, near, far, .. }) => {
            let fields = vec![("yfov", Some(fov_y)), ("znear", Some(near)), ("zfar", far)];
            Some(("perspective", fields))
        }
        NodeVolume::Camera(Lens::Orthographic { half, near, far }) => {
            let planes = [("znear", Some(near)), ("zfar", Some(far))];
            let fields = [("xmag", Some(half.x)), ("ymag", Some(half.y))].into_iter().chain(planes);
            Some(("orthographic", fields.collect()))
        }
        NodeVolume::Light(_) => None,
    }
}

fn range(volume: &NodeVolume) -> Option<f64> {
    match *volume {
        NodeVolume::Light(Light::Point { range } | Light::Spot { range, .. }) => range,
        _ => None,
    }
}

fn cone(volume: &NodeVolume) -> Vec<Field> {
    match *volume {
        NodeVolume::Light(Light::Spot { inner, outer, .. }) => {
            vec![("innerConeAngle", Some(inner)), ("outerConeAngle", Some(outer))]
        }
        _ => Vec::new(),
    }
}
