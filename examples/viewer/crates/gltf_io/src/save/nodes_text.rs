//! Writes node changes into the text of the document: the numbers, names and child lists that changed,
//! and nothing else. A copy of a node is appended as the text of its original, with the same kinds of
//! changes.

use crate::file_error::{LocatedError, Result, excerpt};
use crate::json_text::{Change, Edits, JsonText};
use crate::save::marks_text;
use crate::save::tree_text::{self, Tree};
use crate::source::{LoadedNode, Marks, Source};
use scene::flags::Flag;
use scene::{Node, Scene};
use std::collections::HashSet;
use std::ops::Range;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::DQuat;

/// The properties that are lost when a scene is saved.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// Names of the nodes whose matrix lost its shear.
    pub(crate) sheared: Vec<String>,
    /// Names of the nodes whose crop box cannot be stored, because their `extras` is not an object.
    pub(crate) uncropped: Vec<String>,
    /// Names of the nodes whose lock cannot be stored, for the same reason.
    pub(crate) unlocked: Vec<String>,
    /// Names of the nodes whose visibility cannot be stored, because their `extensions` is not an object.
    pub(crate) unhidden: Vec<String>,
    /// Whether a node is hidden that was not hidden in the file.
    pub(crate) hides_more: bool,
}

impl Losses {
    /// Returns a phrase for the user about each kind of loss.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = String> {
        let phrase = |names: &[String], lost: &str, of: &str| {
            let (count, first) = (names.len(), excerpt(names.first()?));
            Some(format!("without {lost} {of} ({count}; first: {first})"))
        };
        let crops = phrase(&self.uncropped, "the crop boxes of", "nodes with other extras");
        let locks = phrase(&self.unlocked, "the locks of", "nodes with other extras");
        let hidden = phrase(&self.unhidden, "the visibility of", "nodes with other extensions");
        let shears = phrase(&self.sheared, "the shear of", "matrix nodes");
        [crops, locks, hidden, shears].into_iter().flatten()
    }
}

/// Adds the edits that turn the nodes of the file into those of the scene.
pub(crate) fn changes(source: &Source, scene: &Scene, edits: &mut Edits) -> Result<Losses> {
    let mut losses = Losses::default();
    let text = JsonText(source.container.json());
    if scene.nodes().len() == source.nodes.len() && is_as_read(source, scene) {
        return Ok(losses);
    }
    let objects = text.nodes();
    let error = |index: usize, what: String| LocatedError::new(format!("nodes[{index}]"), what);
    if let Some(node) = source.nodes.iter().find(|node| node.file_index >= objects.len()) {
        return Err(error(node.file_index, "is missing in the document text".to_owned()));
    }
    let Tree { mut children, copies } = tree_text::changes(source, scene, (text, &objects), edits);
    for (node, (was, now)) in source.nodes.iter().zip(scene.nodes()).enumerate() {
        let children = children.remove(&node);
        // A deleted node keeps its name in the scene, but names must stay unique in the file.
        let is_name_taken = scene.find(&now.name).is_some_and(|holder| holder != node);
        let renamed = is_name_taken.then(|| Node { name: name_of_deleted(&now.name), ..now.clone() });
        let now = renamed.as_ref().unwrap_or(now);
        let marks = Marks::of(scene, node);
        if is_unchanged(was, now) && was.marks == marks && children.is_none() {
            continue;
        }
        let change = NodeChange { was, now, marks, children };
        let written = change.write(text, &objects[was.file_index], edits, &mut losses);
        written.map_err(|what| error(was.file_index, what))?;
    }
    // So does a node outside the scene, which may have been deleted before.
    let in_scene: HashSet<usize> = source.nodes.iter().map(|node| node.file_index).collect();
    for (_, object) in objects.iter().enumerate().filter(|(index, _)| !in_scene.contains(index)) {
        let name = text.member(object, "name").and_then(|member| text.parsed(&member.value));
        if let Some(name) = name.filter(|name: &String| scene.find(name).is_some()) {
            edits.change(text, object, vec![("name", Change::to(name_of_deleted(&name)))]);
        }
    }
    // A copy keeps every property of its original, including unknown ones.
    let mut appended = String::new();
    let before = objects.first().map_or(&[][..], |first| &text.0[..first.start]);
    let gap = String::from_utf8_lossy(&before[before.trim_ascii_end().len()..]);
    for (copy, index) in copies.into_iter().zip(objects.len()..) {
        // The name is always written: that of the original in the scene may differ from that in the file.
        let was = &LoadedNode { name: String::new(), ..source.nodes[scene.origin(copy)].clone() };
        let original = JsonText(&text.0[objects[was.file_index].clone()]);
        let (now, marks) = (&scene.nodes()[copy], Marks::of(scene, copy));
        let change = NodeChange { was, now, marks, children: children.remove(&copy).or(Some(Vec::new())) };
        let mut edits = Edits::default();
        let written = change.write(original, &(0..original.0.len()), &mut edits, &mut losses);
        written.map_err(|what| error(index, what))?;
        appended = appended + "," + &gap + &String::from_utf8_lossy(&edits.apply(original.0));
    }
    if losses.hides_more {
        marks_text::use_visibility(text, edits);
    }
    if let Some(last) = objects.last().filter(|_| !appended.is_empty()) {
        edits.replace(last.end..last.end, appended);
    }
    Ok(losses)
}

fn name_of_deleted(name: &str) -> String {
    format!("{name} (deleted)")
}

/// Returns true if the scene's nodes, except for copies, are unchanged since they were read.
fn is_as_read(source: &Source, scene: &Scene) -> bool {
    let both = source.nodes.iter().zip(scene.nodes()).enumerate();
    let mut both = both.map(|(node, (was, now))| {
        let is_marked_anew = was.marks != Marks::of(scene, node);
        (was, now, is_marked_anew || scene.has_flag(node, Flag::Deleted))
    });
    both.all(|(was, now, has_changed)| is_unchanged(was, now) && was.parent == now.parent && !has_changed)
}

fn is_unchanged(was: &LoadedNode, now: &Node) -> bool {
    was.name == now.name && is_same(&numbers(&was.local), &numbers(&now.local))
}

/// The keys of the channels of a transform in glTF, with the ranges of their numbers in [`numbers`].
pub(super) const CHANNELS: [(&str, Range<usize>); 3] =
    [("translation", 0..3), ("rotation", 3..7), ("scale", 7..10)];

/// Returns the numbers of a transform.
pub(super) fn numbers(Transform { translation, rotation, scale }: &Transform) -> [f64; 10] {
    let ([tx, ty, tz], [rx, ry, rz, rw]) = (translation.to_array(), rotation.to_array());
    let [sx, sy, sz] = scale.to_array();
    [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]
}

/// Compares bit for bit, so −0 differs from 0.
fn is_same(a: &[f64], b: &[f64]) -> bool {
    a.iter().map(|n| n.to_bits()).eq(b.iter().map(|n| n.to_bits()))
}

/// Quaternions whose length differs from 1 by more than this, which exceeds rounding to `f32`, are
/// normalized: glTF requires unit quaternions.
const UNIT_TOLERANCE: f64 = 1e-6;

/// A node as it was read and as it is now, with its marks and, if there are new ones, its children as indices in the
/// file.
struct NodeChange<'a> {
    was: &'a LoadedNode,
    now: &'a Node,
    marks: Marks,
    children: Option<Vec<usize>>,
}

impl NodeChange<'_> {
    /// Adds the edits of the JSON object of the node.
    fn write(
        self,
        text: JsonText<'_>,
        object: &Range<usize>,
        edits: &mut Edits,
        losses: &mut Losses,
    ) -> Result<(), String> {
        let Self { was, now, marks, children } = self;
        // glTF does not allow an empty array.
        let children = children.map(|list| Change::Set((!list.is_empty()).then(|| list.into())));
        let mut changes: Vec<_> = children.into_iter().map(|children| ("children", children)).collect();
        changes.extend(marks_text::changes((text, object), (was.marks, marks), &now.name, losses));
        if was.name != now.name {
            changes.push(("name", Change::to(now.name.as_str())));
        }
        changes.extend(transform(text, object, (was, now), losses)?);
        edits.change(text, object, changes);
        Ok(())
    }
}

/// Returns the changes of the transform.
fn transform(
    text: JsonText<'_>,
    object: &Range<usize>,
    (was, now): (&LoadedNode, &Node),
    losses: &mut Losses,
) -> Result<Vec<(&'static str, Change)>, String> {
    let normalized = normalized(&was.local, &now.local)?;
    let (before, after) = (numbers(&was.local), numbers(&normalized));
    let Some(matrix) = text.member(object, "matrix") else {
        let differing =
            CHANNELS.into_iter().filter(|(_, range)| !is_same(&before[range.clone()], &after[range.clone()]));
        return Ok(differing.map(|(key, range)| (key, Change::to(after[range].to_vec()))).collect());
    };
    let mut old_matrix: Vec<f64> = text.parsed(&matrix.value).unwrap_or_default();
    if is_same(&before[3..], &after[3..]) {
        // The shear of the matrix, which a transform cannot express, stays.
        old_matrix.iter_mut().skip(12).zip(&after[..3]).for_each(|(number, now)| *number = *now);
        return Ok(vec![("matrix", Change::to(old_matrix))]);
    }
    if has_shear(&old_matrix) {
        losses.sheared.push(now.name.clone());
    }
    let new_matrix = normalized.to_matrix();
    if Transform::from_matrix(new_matrix).is_some_and(|read| f32_bits(&read) == f32_bits(&normalized)) {
        return Ok(vec![("matrix", Change::to(new_matrix.to_cols_array().to_vec()))]);
    }
    // A matrix would not read back as the same transform in `f32`.
    let channels = CHANNELS.map(|(key, range)| (key, Change::to(after[range].to_vec())));
    Ok([("matrix", Change::Set(None))].into_iter().chain(channels).collect())
}

/// Returns the transform as it is written to the file: with a unit quaternion, unless the rotation is
/// unchanged. A transform that glTF cannot store is an error.
fn normalized(was: &Transform, now: &Transform) -> Result<Transform, String> {
    if !now.is_finite() {
        return Err("the transform is not finite".to_owned());
    }
    let is_too_large = numbers(now).iter().any(|n| n.abs() > f64::from(f32::MAX));
    if is_too_large && !is_same(&numbers(was), &numbers(now)) {
        return Err("the transform has numbers too large for f32, which glTF uses".to_owned());
    }
    if is_same(&was.rotation.to_array(), &now.rotation.to_array()) {
        return Ok(*now);
    }
    let rotation = unit(now.rotation).ok_or("the rotation cannot be normalized")?;
    Ok(Transform { rotation, ..*now })
}

/// Returns a rotation as glTF stores it: as it is if it is a unit quaternion up to rounding.
pub(super) fn unit(rotation: DQuat) -> Option<DQuat> {
    let length = rotation.length();
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        return Some(rotation);
    }
    (length > 0.0 && length.is_finite()).then(|| rotation / length)
}

/// Returns true if a matrix has shear, which translation, rotation and scale cannot express.
fn has_shear(matrix: &[f64]) -> bool {
    let Ok(columns) = <[f64; 16]>::try_from(matrix) else { return false };
    let matrix = wgpu_gizmo_core::glam::DMat4::from_cols_array(&columns);
    Transform::from_matrix(matrix)
        .is_some_and(|taken| taken.error_against(matrix) > crate::read::tree::ROUNDING)
}

/// Returns the numbers of a transform as other readers see them.
pub(super) fn f32_bits(local: &Transform) -> [u32; 10] {
    numbers(local).map(|number| (number as f32).to_bits())
}
