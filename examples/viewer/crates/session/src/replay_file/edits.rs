//! Edits of nodes. Nodes are identified by the names that they have when the scene is opened, even after a rename,
//! so all names can be checked before the first event.

use super::events::{Event, EventKind};
use super::values::{self, bounds_to_json, transform_to_json};
use super::volumes;
use crate::command::Command;
use gltf_io::Result;
use gltf_io::json::Json;
use scene::edit::Edit;
use scene::flags::{FLAGS, Flag};
use scene::node_value::NodeValue;
use scene::volume::NodeVolume;
use scene::{CopyPair, RenameError, Scene};
use serde_json::{Value, json};
use wgpu_gizmo_core::glam::DVec3;

/// The keys of the flags, in the order of [`FLAGS`].
pub(crate) const FLAG_KEYS: [&str; FLAGS.len()] = ["hidden", "locked", "deleted"];

/// The edit of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The name of the undo step.
    pub name: String,
    /// The edit. If it is empty, the edit in progress is canceled.
    pub edit: Edit,
    /// Whether the edit is in progress, such as a field that is being dragged. The next one replaces it.
    pub is_open: bool,
}

impl Step {
    /// Reads `{"name": "NAME", "changes": [EDIT, …], "open": false}`.
    pub(super) fn read(json: &Json<'_>, scene: &Scene) -> Result<Self> {
        json.only(&["name", "changes", "open"])?;
        let changes = json.need("changes")?.items()?;
        let mut edits = changes.iter().map(|change| {
            let mut keys = change.keys()?;
            match (keys.next(), keys.next()) {
                (Some(key), None) => match read(key, &change.need(key)?, scene)? {
                    Some(edit) => Ok(edit),
                    None => Err(change.error(format!("unknown change `{key}`"))),
                },
                _ => Err(change.error("must have one key")),
            }
        });
        let edit = match edits.len() {
            1 => edits.next().unwrap_or(Ok(Edit::All(Vec::new())))?,
            _ => Edit::All(edits.collect::<Result<_, _>>()?),
        };
        let is_open = json.read("open", Json::boolean)?.unwrap_or(false);
        Ok(Self { name: json.need("name")?.text()?.to_owned(), edit, is_open })
    }

    /// Returns the edit as JSON. Nodes are identified by these names.
    pub(super) fn write(&self, names: &[String]) -> Value {
        let change = |edit: &Edit| {
            let (key, value) = write(edit, names);
            json!({ key: value })
        };
        let changes: Vec<Value> = self.edit.parts().iter().map(change).collect();
        let mut object = json!({ "name": self.name, "changes": changes });
        if self.is_open {
            object["open"] = json!(true);
        }
        object
    }
}

/// The keys of edits.
pub(super) const KEYS: [&str; 8] =
    ["place", "volumes", "extents", "rename", "duplicate", "parent", "flags", "pivot"];

/// Reads the edit with this key, or returns `None` if there is no such edit.
///
/// - `place`: `{"NAME": TRANSFORM, …}`
/// - `volumes`: `{"NAME": VOLUME, …}`, where each node has a camera or a light of that kind
/// - `extents`: `{"NAME": [[x0, y0, z0], [x1, y1, z1]], "OTHER": null, …}`; `null` is the box of the mesh
/// - `rename`: `{"NAME": "NEW NAME", …}`. [`check`] tells whether the new names are free
/// - `duplicate`: `{"NAME": "NAME OF THE COPY", …}`, or a list of such objects
/// - `parent`: `{"NAME": "PARENT", "OTHER": null, …}`. Whether a node would become its own ancestor is checked
///   when the edit is made
/// - `flags`: `{"NAME": {"hidden": true, "locked": false}, …}`. An absent flag stays
/// - `pivot`: `{"point": [x, y, z], "rotation": [x, y, z, w]}` in world space, both optional, or `null`
pub(super) fn read(key: &str, json: &Json<'_>, scene: &Scene) -> Result<Option<Edit>> {
    Ok(Some(match key {
        "place" => Edit::Place(by_node(json, scene, |json, _| values::transform(json))?),
        "volumes" => Edit::Volume(by_node(json, scene, |json, node| volume(json, node, scene))?),
        "extents" => Edit::Crop(by_node(json, scene, |json, node| match scene.mesh_box(node) {
            Some(_) => or_null(json, values::bounds),
            None => Err(json.error("the object has no shape")),
        })?),
        "rename" => Edit::Rename(new_names(json, scene)?),
        "duplicate" => Edit::Copy(copies(json, scene)?),
        "parent" => Edit::Parent(by_node(json, scene, |json, _| or_null(json, |json| node(json, scene)))?),
        "flags" => {
            let mut edits = Vec::new();
            for (node, flags) in by_node(json, scene, |json, _| flags(json))? {
                let set = FLAGS.into_iter().zip(flags);
                edits.extend(set.filter_map(|(flag, on)| Some((node, flag, on?))));
            }
            Edit::Flag(edits)
        }
        "pivot" if json.is_null() => Edit::Pivot(Vec::new(), (None, None)),
        "pivot" => {
            json.only(&["point", "rotation"])?;
            let point = json.read("point", |json| json.numbers::<3>().map(DVec3::from))?;
            Edit::Pivot(Vec::new(), (point, json.read("rotation", values::normalizable)?))
        }
        _ => return Ok(None),
    }))
}

/// Returns the key and the value of an edit, which must not consist of others.
pub(super) fn write(edit: &Edit, names: &[String]) -> (&'static str, Value) {
    let key = match edit {
        Edit::Place(_) => "place",
        Edit::Volume(_) => "volumes",
        Edit::Crop(_) => "extents",
        Edit::Rename(_) => "rename",
        Edit::Copy(copies) => return ("duplicate", written_copies(copies, names)),
        Edit::Parent(_) => "parent",
        Edit::Flag(_) => "flags",
        Edit::Pivot(_, (None, None)) => return ("pivot", Value::Null),
        Edit::Pivot(_, (point, rotation)) => {
            let mut object = json!({});
            point.iter().for_each(|point| object["point"] = json!(point.to_array()));
            rotation.iter().for_each(|rotation| object["rotation"] = json!(rotation.to_array()));
            return ("pivot", object);
        }
        Edit::All(_) => return ("edit", Value::Null),
    };
    let mut object = json!({});
    edit.values().iter().for_each(|(node, value)| put(&mut object, *node, value, names));
    (key, object)
}

/// Adds a value of a node to an object, under the name of the node.
pub(super) fn put(object: &mut Value, node: usize, value: &NodeValue, names: &[String]) {
    let Some(node_name) = names.get(node) else { return };
    let (key, json) = write_value(value, |parent| name(parent, names));
    let member = &mut object[node_name.as_str()];
    match value {
        NodeValue::Flag(..) => member[key] = json,
        _ => *member = json,
    }
}

/// Returns a value as JSON, with its key in a journal and in messages. `reference` writes the parent.
pub(crate) fn write_value(value: &NodeValue, reference: impl Fn(usize) -> Value) -> (&'static str, Value) {
    match value {
        NodeValue::Name(name) => ("name", json!(name)),
        NodeValue::Parent(parent) => ("parent", parent.map_or(Value::Null, reference)),
        NodeValue::Local(local) => ("transform", transform_to_json(local)),
        NodeValue::Flag(flag, on) => (FLAG_KEYS[*flag as usize], json!(on)),
        NodeValue::Crop(crop) => ("extents", json!(crop.map(bounds_to_json))),
        NodeValue::Volume(volume) => ("volumes", volumes::write(volume)),
    }
}

/// Returns the name of a node as JSON.
pub(crate) fn name(node: usize, names: &[String]) -> Value {
    json!(names.get(node))
}

/// Reads the name of a node.
pub(super) fn node(name: &Json<'_>, scene: &Scene) -> Result<usize> {
    node_named(name, name.text()?, scene)
}

fn node_named(value: &Json<'_>, name: &str, scene: &Scene) -> Result<usize> {
    scene.named(name).ok_or_else(|| value.error(format!("no object is named `{name}`")))
}

/// Reads a value that can be `null`.
pub(crate) fn or_null<'a, T>(
    json: &Json<'a>,
    read: impl FnOnce(&Json<'a>) -> Result<T>,
) -> Result<Option<T>> {
    if json.is_null() { Ok(None) } else { read(json).map(Some) }
}

/// Reads an object with a value for each of some nodes.
fn by_node<'a, T>(
    json: &Json<'a>,
    scene: &Scene,
    read: impl Fn(&Json<'a>, usize) -> Result<T>,
) -> Result<Vec<(usize, T)>> {
    let one = |name| {
        let value = json.need(name)?;
        let node = node_named(&value, name, scene)?;
        Ok((node, read(&value, node)?))
    };
    json.keys()?.map(one).collect()
}

fn new_names(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, String)>> {
    by_node(json, scene, |name, _| Ok(name.text()?.trim().to_owned()))
}

fn volume(json: &Json<'_>, node: usize, scene: &Scene) -> Result<NodeVolume> {
    let light = scene.nodes()[node].light.and_then(|index| scene.volume(index)?.light());
    let volume = volumes::read(json, light)?;
    let slot = scene.volume_like(node, &volume);
    slot.map(|_| volume).ok_or_else(|| json.error("the object has no camera or light of this kind"))
}

/// Reads flags in the order of [`FLAGS`].
fn flags(json: &Json<'_>) -> Result<[Option<bool>; FLAGS.len()]> {
    json.only(&FLAG_KEYS)?;
    let [hidden, locked, deleted] = FLAG_KEYS.map(|key| json.read(key, Json::boolean));
    Ok([hidden?, locked?, deleted?])
}

/// Reads `{"NAME": "NAME OF THE COPY", …}`, or a list of such objects, which decides the order of the copies.
fn copy_names(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, String)>> {
    if !json.value().is_array() {
        return new_names(json, scene);
    }
    let lists = json.items()?.iter().map(|item| new_names(item, scene)).collect::<Result<Vec<_>, _>>()?;
    Ok(lists.concat())
}

/// Returns the copies that [`reserve_copies`] has reserved.
fn copies(json: &Json<'_>, scene: &Scene) -> Result<Vec<CopyPair>> {
    let reserved = |(of, name): (usize, String)| Ok((of, node_named(json, &name, scene)?));
    copy_names(json, scene)?.into_iter().map(reserved).collect()
}

/// Returns the names of copies by the names of their originals: a list, unless the order of the keys is that of the
/// copies.
fn written_copies(copies: &[CopyPair], names: &[String]) -> Value {
    let named = copies.iter().filter_map(|(of, copy)| Some((names.get(*of)?, names.get(*copy)?)));
    let object = |(of, copy): (&String, &String)| (of.clone(), json!(copy));
    match named.clone().is_sorted_by(|(a, _), (b, _)| a < b) {
        true => Value::Object(named.map(object).collect()),
        false => named.map(|pair| Value::Object([object(pair)].into_iter().collect())).collect(),
    }
}

/// Reserves a deleted node with the right name in the scene for every copy that an event makes.
pub(super) fn reserve_copies(events: &[Json<'_>], scene: &mut Scene) -> Result<()> {
    for event in events {
        let mut edits = vec![event.clone()];
        if let Some(step) = event.get("edit")? {
            edits.extend(step.items_of("changes")?);
        }
        for edit in edits {
            let Some(copies) = edit.get("duplicate")? else { continue };
            let named = copy_names(&copies, scene)?;
            // The name of a copy stays taken, also by a copy of another event.
            if let Some((_, name)) = named.iter().find(|(_, name)| scene.named(name).is_some()) {
                return Err(copies.error(RenameError::Taken(name.clone()).to_string()));
            }
            scene.reserve_copies(&named).map_err(|error| copies.error(error.to_string()))?;
        }
    }
    Ok(())
}

/// Returns an error if a `rename` event uses a name that is taken by then. Once a node may have been
/// deleted, this depends on the run and is no longer checked.
pub(super) fn check(items: &[Json<'_>], events: &[Event], scene: &Scene) -> Result<()> {
    let mut renamed: Option<Scene> = None;
    let mut may_be_deleted = false;
    for (item, event) in items.iter().zip(events) {
        may_be_deleted |= match &event.kind {
            EventKind::Raw(Edit::Flag(flags)) => flags.iter().any(|(_, flag, _)| *flag == Flag::Deleted),
            EventKind::Raw(Edit::Copy(_)) | EventKind::Edit(_) => true,
            _ => matches!(event.kind.command(event.mods), Some(Command::Delete | Command::Duplicate)),
        };
        if let EventKind::Raw(Edit::Rename(names)) = &event.kind {
            let scene = renamed.get_or_insert_with(|| scene.clone());
            match scene.rename_all(names) {
                Err(RenameError::Taken(_)) if may_be_deleted => {}
                Err(error) => return Err(item.need("rename")?.error(error.to_string())),
                Ok(()) => {}
            }
        }
    }
    Ok(())
}
