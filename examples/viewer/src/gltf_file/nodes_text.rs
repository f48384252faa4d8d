//! Writes moved and renamed nodes into the document's text, and those that something hangs on now
//! or no longer: the numbers, names and lists that changed, and nothing else. Copies are added as what
//! they are copies of, changed in the same way.

use super::source::{Loaded, Source};
use super::tree_text::{self, Tree};
use crate::file_error::PlaceError;
use crate::flags::Flag;
use crate::json_text::{Edits, JsonText, Member};
use crate::scene::{Node, Scene};
use std::ops::Range;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::DQuat;

/// What a file cannot keep of a change.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Nodes whose matrix had shear, which went with it.
    pub(super) sheared: Vec<String>,
}

/// The changes that make the file's nodes those of the scene.
pub(super) fn changes(source: &Source, scene: &Scene, edits: &mut Edits) -> Result<Lost, PlaceError> {
    let mut lost = Lost::default();
    let text = JsonText(source.container.json());
    if scene.nodes().len() == source.nodes.len() && is_as_read(source, scene) {
        return Ok(lost);
    }
    let list = text.root().and_then(|root| text.member(&root, "nodes")).map(|member| member.value);
    let in_file = list.as_ref().map_or(Vec::new(), |list| text.items(list));
    let object_of = |node: usize| {
        let index = source.nodes[node].file_index;
        in_file.get(index).ok_or_else(|| PlaceError::new(format!("nodes[{index}]"), "is not where it was"))
    };
    let Tree { mut children, copies } = tree_text::changes(source, scene, (text, &in_file), edits)?;
    for (node, (was, now)) in source.nodes.iter().zip(scene.nodes()).enumerate() {
        let children = children.remove(&node);
        // A name that another node has taken over would be one of two in the file.
        let is_gone = scene.find(&now.name).is_some_and(|holder| holder != node);
        let renamed = is_gone.then(|| Node { name: format!("{} (deleted)", now.name), ..now.clone() });
        let now = renamed.as_ref().unwrap_or(now);
        if is_same(was, now) && children.is_none() {
            continue;
        }
        let place = || format!("nodes[{}]", was.file_index);
        let mut writer = Writer { text, object: object_of(node)?, edits, added: Vec::new(), emptied: None };
        if let Some(children) = children {
            writer.children(&children);
        }
        writer.node(was, now, &mut lost).map_err(|what| PlaceError::new(place(), what))?;
    }
    // All that the file says of a node, whatever it is, it says of a copy too.
    let mut written = String::new();
    let gap =
        in_file.first().zip(list.as_ref()).and_then(|(first, list)| text.0.get(list.start + 1..first.start));
    let gap = gap.map_or(String::new(), |gap| String::from_utf8_lossy(gap).into_owned());
    for (copy, index) in copies.into_iter().zip(in_file.len()..) {
        let origin = scene.origin(copy);
        let original = JsonText(text.0.get(object_of(origin)?.clone()).unwrap_or_default());
        let (object, mut edits) = (0..original.0.len(), Edits::default());
        let (added, emptied) = (Vec::new(), None);
        let mut writer = Writer { text: original, object: &object, edits: &mut edits, added, emptied };
        writer.children(&children.remove(&copy).unwrap_or_default());
        writer
            .node(&source.nodes[origin], &scene.nodes()[copy], &mut lost)
            .map_err(|what| PlaceError::new(format!("nodes[{index}]"), what))?;
        written = written + "," + &gap + &String::from_utf8_lossy(&edits.apply(original.0));
    }
    if let Some(last) = in_file.last().filter(|_| !written.is_empty()) {
        edits.replace(last.end..last.end, written);
    }
    Ok(lost)
}

/// Whether the scene's nodes, the copies aside, are what the file says.
fn is_as_read(source: &Source, scene: &Scene) -> bool {
    let both = source.nodes.iter().zip(scene.nodes()).enumerate();
    let mut both = both.map(|(node, (was, now))| (was, now, scene.has_flag(node, Flag::Deleted)));
    both.all(|(was, now, is_deleted)| is_same(was, now) && was.parent == now.parent && !is_deleted)
}

fn is_same(was: &Loaded, now: &Node) -> bool {
    was.name == now.name && channels(&was.local).iter().zip(channels(&now.local)).all(|(a, b)| same(a, &b))
}

/// Keys and numbers of a transform.
fn channels(local: &Transform) -> [Channel; 3] {
    [
        Channel { key: "translation", numbers: local.translation.to_array().to_vec() },
        Channel { key: "rotation", numbers: local.rotation.to_array().to_vec() },
        Channel { key: "scale", numbers: local.scale.to_array().to_vec() },
    ]
}

struct Channel {
    key: &'static str,
    numbers: Vec<f64>,
}

/// Bit for bit: −0 is not 0.
fn same(a: &Channel, b: &Channel) -> bool {
    a.numbers.iter().map(|n| n.to_bits()).eq(b.numbers.iter().map(|n| n.to_bits()))
}

/// Quaternions farther from unit length than rounding to f32 brings them are written anew: glTF
/// asks for unit ones.
const UNIT: f64 = 1e-6;

/// Changes one node's object.
struct Writer<'a> {
    text: JsonText<'a>,
    object: &'a Range<usize>,
    edits: &'a mut Edits,
    /// Members that it does not have yet.
    added: Vec<String>,
    /// The list of its children, where it has none any longer: an empty one is not allowed.
    emptied: Option<Member>,
}

impl Writer<'_> {
    fn node(mut self, was: &Loaded, now: &Node, lost: &mut Lost) -> Result<(), String> {
        if was.name != now.name {
            let name = serde_json::to_string(&now.name).map_err(|error| error.to_string())?;
            self.set("name", name);
        }
        let unit = unit(&was.local, &now.local)?;
        let [translation, rotation, scale] = channels(&was.local);
        let [new_translation, new_rotation, new_scale] = channels(&unit);
        let Some(matrix) = self.text.member(self.object, "matrix") else {
            for (was, now) in [(translation, new_translation), (rotation, new_rotation), (scale, new_scale)] {
                if !same(&was, &now) {
                    self.numbers(now.key, &was.numbers, &now.numbers);
                }
            }
            self.finish();
            return Ok(());
        };
        let items = self.text.items(&matrix.value);
        if same(&rotation, &new_rotation) && same(&scale, &new_scale) {
            // What the transform cannot express of the matrix, its shear, stays.
            self.exchange_numbers(
                &items[12.min(items.len())..],
                &translation.numbers,
                &new_translation.numbers,
            );
        } else {
            let in_file: Vec<f64> = items.iter().filter_map(|item| self.number_at(item)).collect();
            if has_shear(&in_file) {
                lost.sheared.push(was.name.clone());
            }
            let now = unit.to_matrix();
            if reads_back(&unit) {
                self.exchange_numbers(&items, &in_file, &now.to_cols_array());
            } else {
                // A matrix would not read back as the same transform, to the last bit of f32.
                let mut members = Vec::new();
                for channel in channels(&unit) {
                    match self.text.member(self.object, channel.key) {
                        Some(member) => self.edits.replace(member.value, list(&channel.numbers)),
                        None => members.push(format!("\"{}\":{}", channel.key, list(&channel.numbers))),
                    }
                }
                for other in self.text.members(self.object) {
                    if other.key == "matrix" && other.whole != matrix.whole {
                        self.edits.remove(self.text, self.object, &other);
                    }
                }
                self.edits.exchange(self.text, self.object, &matrix, &members);
            }
        }
        self.finish();
        Ok(())
    }

    /// Gives it these children, by their indices in the file.
    fn children(&mut self, children: &[usize]) {
        if !children.is_empty() {
            self.set("children", tree_text::list(children));
            return;
        }
        for member in self.text.members(self.object).into_iter().filter(|member| member.key == "children") {
            if let Some(other) = self.emptied.replace(member) {
                self.edits.remove(self.text, self.object, &other);
            }
        }
    }

    /// Writes what was added, in the place of what goes, where something does.
    fn finish(self) {
        let Self { text, object, edits, added, emptied } = self;
        match emptied {
            Some(member) => edits.exchange(text, object, &member, &added),
            None => edits.insert(text, object, &added),
        }
    }

    /// Gives a member this value, written as JSON.
    fn set(&mut self, key: &str, value: String) {
        match self.text.member(self.object, key) {
            Some(member) => self.edits.replace(member.value, value),
            None => self.added.push(format!("\"{key}\":{value}")),
        }
    }

    /// Gives a member these numbers, and leaves those alone that stay.
    fn numbers(&mut self, key: &str, was: &[f64], now: &[f64]) {
        let items = self.text.items_of(self.object, key);
        if items.len() == now.len() {
            self.exchange_numbers(&items, was, now);
        } else {
            self.set(key, list(now));
        }
    }

    fn exchange_numbers(&mut self, items: &[Range<usize>], was: &[f64], now: &[f64]) {
        for ((item, was), now) in items.iter().zip(was).zip(now) {
            if was.to_bits() != now.to_bits() {
                self.edits.replace(item.clone(), number(*now));
            }
        }
    }

    fn number_at(&self, item: &Range<usize>) -> Option<f64> {
        serde_json::from_slice(&self.text.0[item.clone()]).ok()
    }
}

/// The transform as it is to be written.
fn unit(was: &Transform, now: &Transform) -> Result<Transform, String> {
    if !now.is_finite() {
        return Err("the transform is not finite".to_owned());
    }
    let too_large =
        channels(now).iter().flat_map(|c| c.numbers.clone()).any(|n| n.abs() > f64::from(f32::MAX));
    if too_large && !is_equal(was, now) {
        return Err("the transform has numbers too large for glTF, which has f32".to_owned());
    }
    let bits = |rotation: DQuat| rotation.to_array().map(f64::to_bits);
    if bits(was.rotation) == bits(now.rotation) {
        return Ok(*now);
    }
    let length = now.rotation.length();
    if (length - 1.0).abs() <= UNIT {
        return Ok(*now);
    }
    if !(length > 0.0 && length.is_finite()) {
        return Err("the rotation is of no length".to_owned());
    }
    Ok(Transform { rotation: now.rotation / length, ..*now })
}

fn is_equal(a: &Transform, b: &Transform) -> bool {
    channels(a).iter().zip(channels(b)).all(|(a, b)| same(a, &b))
}

/// Whether a matrix is more than translation, rotation and scale.
fn has_shear(matrix: &[f64]) -> bool {
    let Ok(columns) = <[f64; 16]>::try_from(matrix) else { return false };
    let matrix = wgpu_gizmo::glam::DMat4::from_cols_array(&columns);
    Transform::from_matrix(matrix).is_some_and(|taken| taken.lost > super::tree::ROUNDING)
}

/// Whether the transform's matrix, read again, is the same transform to the last bit of f32.
fn reads_back(local: &Transform) -> bool {
    let bits = |local: &Transform| {
        let numbers = channels(local).into_iter().flat_map(|channel| channel.numbers);
        numbers.map(|number| (number as f32).to_bits()).collect::<Vec<_>>()
    };
    Transform::from_matrix(local.to_matrix()).is_some_and(|read| bits(&read.transform) == bits(local))
}

fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().copied().map(number).collect();
    format!("[{}]", numbers.join(","))
}

/// The shortest decimal number that reads back as the same f64, and so as the same f32.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-5..1e16).contains(&size) { value.to_string() } else { format!("{value:e}") }
}
