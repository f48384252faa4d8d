//! The text of a journal: JSON with one node per line.

use super::{CopyEntry, Journal, JournalFile, JournalHead, NodeEntry, NodeRef};
use super::{path_from_json, path_to_json};
use crate::replay_file::{to_json, transform_of_json};
use gltf_io::LocatedError;
use gltf_io::json::{self, Json};
use gltf_io::write_file::Fingerprint;
use scene::bounds::Bounds;
use serde_json::{Map, Value, json};
use wgpu_gizmo::glam::DVec3;

/// The version of the format.
const VERSION: usize = 1;

/// The keys of the flags, in the order of [`scene::flags::FLAGS`].
const FLAG_KEYS: [&str; 3] = ["hidden", "locked", "deleted"];

impl Journal {
    /// Returns the text.
    pub fn to_text(&self) -> String {
        let JournalHead { scene, file, viewer, time } = &self.head;
        let mut text = format!("{{\n  \"journal\": {VERSION},\n");
        let path = file.as_ref().and_then(|file| path_to_json(&file.path));
        let fingerprint = file.as_ref().and_then(|file| file.fingerprint);
        let contents = fingerprint.map(|known| format!("{:016x}", known.contents));
        for (key, value) in [
            ("viewer", json!(viewer)),
            ("time", json!(time)),
            ("scene", json!(scene)),
            ("path", json!(path)),
            ("length", json!(fingerprint.map(|known| known.length))),
            ("contents", json!(contents)),
            ("lost", json!(self.lost)),
        ] {
            text += &format!("  \"{key}\": {value},\n");
        }
        push_list(&mut text, "copies", self.copies.iter().map(copy_to_json));
        text += ",\n";
        push_list(&mut text, "changes", self.nodes.iter().map(entry_to_json));
        text += "\n}\n";
        text
    }

    /// Reads a text. An error names the place.
    pub fn of_text(text: &[u8]) -> Result<Self, LocatedError> {
        let value = json::parse(text)?;
        let root = Json::root(&value);
        let version = root.need("journal")?;
        if version.index()? != VERSION {
            return Err(version.error("was written by another version of the viewer"));
        }
        let file = match root.get_some("path")? {
            Some(path) => Some(JournalFile {
                path: path_from_json(path.value()).ok_or_else(|| path.error("must be an absolute path"))?,
                fingerprint: fingerprint(&root)?,
            }),
            None => None,
        };
        let text = |key| Ok(root.need(key)?.text()?.to_owned());
        let head = JournalHead {
            scene: text("scene")?,
            file,
            viewer: text("viewer")?,
            time: root.need("time")?.index()? as u64,
        };
        let copies: Vec<CopyEntry> = root.items_of("copies")?.iter().map(copy).collect::<Result<_, _>>()?;
        let entry = |json: &Json<'_>| entry(json, copies.len());
        let nodes = root.items_of("changes")?.iter().map(entry).collect::<Result<_, _>>()?;
        let lost = root.items_of("lost")?;
        let lost =
            lost.iter().map(|name| Ok(name.text()?.to_owned())).collect::<Result<_, LocatedError>>()?;
        Ok(Self { head, copies, nodes, lost })
    }
}

fn push_list(text: &mut String, key: &str, items: impl Iterator<Item = Value>) {
    *text += &format!("  \"{key}\": [");
    let mut end = "\n    ";
    for item in items {
        *text += end;
        *text += &item.to_string();
        end = ",\n    ";
    }
    *text += if end.starts_with(',') { "\n  ]" } else { "]" };
}

fn node_to_json(node: &NodeRef) -> Value {
    match node {
        NodeRef::InFile { index, name } => json!({ "index": index, "name": name }),
        NodeRef::Copy(copy) => json!({ "copy": copy }),
    }
}

fn copy_to_json(copy: &CopyEntry) -> Value {
    json!({ "of": node_to_json(&copy.of), "name": copy.name })
}

fn entry_to_json(entry: &NodeEntry) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    put("node", node_to_json(&entry.node));
    if let Some(name) = &entry.name {
        put("name", json!(name));
    }
    if let Some(parent) = &entry.parent {
        put("parent", json!(parent.as_ref().map(node_to_json)));
    }
    if let Some(local) = &entry.local {
        put("transform", to_json::transform(local));
    }
    for (key, on) in FLAG_KEYS.iter().zip(entry.flags) {
        if let Some(on) = on {
            put(key, json!(on));
        }
    }
    if let Some(Bounds { min, max }) = entry.extents {
        put("extents", json!([min.to_array(), max.to_array()]));
    }
    Value::Object(object)
}

fn fingerprint(root: &Json<'_>) -> Result<Option<Fingerprint>, LocatedError> {
    let (Some(length), Some(contents)) = (root.get_some("length")?, root.get_some("contents")?) else {
        return Ok(None);
    };
    let hash = u64::from_str_radix(contents.text()?, 16);
    let hash = hash.map_err(|_| contents.error("must be a hexadecimal number"))?;
    Ok(Some(Fingerprint { length: length.index()? as u64, contents: hash }))
}

/// Reads a reference to a node. There are `copies` copies.
fn node(json: &Json<'_>, copies: usize) -> Result<NodeRef, LocatedError> {
    if let Some(copy) = json.get("copy")? {
        return Ok(NodeRef::Copy(copy.index_below(copies, "copies")?));
    }
    let (index, name) = (json.need("index")?.index()?, json.need("name")?.text()?.to_owned());
    Ok(NodeRef::InFile { index, name })
}

fn copy(json: &Json<'_>) -> Result<CopyEntry, LocatedError> {
    Ok(CopyEntry { of: node(&json.need("of")?, 0)?, name: json.need("name")?.text()?.to_owned() })
}

fn entry(json: &Json<'_>, copies: usize) -> Result<NodeEntry, LocatedError> {
    let mut entry = NodeEntry::new(node(&json.need("node")?, copies)?);
    entry.name = json.get("name")?.map(|name| Ok(name.text()?.to_owned())).transpose()?;
    if let Some(parent) = json.get("parent")? {
        entry.parent = Some(if parent.is_null() { None } else { Some(node(&parent, copies)?) });
    }
    entry.local = json.get("transform")?.map(|local| transform_of_json(&local)).transpose()?;
    for (key, on) in FLAG_KEYS.iter().zip(&mut entry.flags) {
        *on = json.get(key)?.map(|on| on.boolean()).transpose()?;
    }
    if let Some(extents) = json.get("extents")? {
        let [min, max] =
            <[Json<'_>; 2]>::try_from(extents.items()?).map_err(|_| extents.error("must be two corners"))?;
        let corner = |json: &Json<'_>| json.numbers::<3>().map(DVec3::from);
        entry.extents = Some(Bounds { min: corner(&min)?, max: corner(&max)? });
    }
    Ok(entry)
}
