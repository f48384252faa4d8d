//! The text of a journal: JSON with one node per line.

use super::{CopyEntry, Journal, JournalFile, JournalHead, NodeEntry, NodeRef};
use super::{path_from_json, path_to_json};
use crate::replay_file::{bounds_of_json, transform_of_json, volumes};
use gltf_io::LocatedError;
use gltf_io::json::{self, Json};
use gltf_io::write_file::Fingerprint;
use scene::bounds::Bounds;
use serde_json::{Value, json};
use std::fmt::Write;
use wgpu_gizmo_core::Transform;

/// The version of the format.
const VERSION: usize = 1;

/// The keys of the flags, in the order of [`scene::flags::FLAGS`].
const FLAG_KEYS: [&str; 3] = ["hidden", "locked", "deleted"];

impl Journal {
    /// Returns the text of the journal.
    pub fn to_text(&self) -> String {
        let JournalHead { scene, file, viewer, time, is_whole } = &self.head;
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
            ("whole", json!(is_whole)),
            ("lost", json!(self.unrestorable)),
        ] {
            text += &format!("  \"{key}\": {value},\n");
        }
        push_list(&mut text, "copies", &self.copies, push_copy);
        text += ",\n";
        push_list(&mut text, "changes", &self.nodes, push_entry);
        text += "\n}\n";
        text
    }

    /// Reads a journal from its text. An error names the location.
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
            is_whole: root.need("whole")?.boolean()?,
        };
        let copies: Vec<CopyEntry> = root.items_of("copies")?.iter().map(copy).collect::<Result<_, _>>()?;
        let entry = |json: &Json<'_>| entry(json, copies.len());
        let nodes = root.items_of("changes")?.iter().map(entry).collect::<Result<_, _>>()?;
        let names = root.items_of("lost")?;
        let unrestorable =
            names.iter().map(|name| Ok(name.text()?.to_owned())).collect::<Result<_, LocatedError>>()?;
        Ok(Self { head, copies, nodes, unrestorable })
    }
}

fn push_list<T>(text: &mut String, key: &str, items: &[T], push: impl Fn(&mut String, &T)) {
    *text += &format!("  \"{key}\": [");
    for (index, item) in items.iter().enumerate() {
        *text += if index == 0 { "\n    " } else { ",\n    " };
        push(text, item);
    }
    *text += if items.is_empty() { "]" } else { "\n  ]" };
}

// Written without `Value`, because there can be as many entries as nodes.

fn push_text(text: &mut String, value: &str) {
    *text += &Value::from(value).to_string();
}

/// Appends numbers, in the shortest form that reads back as the same bits. JSON has no other than finite
/// numbers; a scene has none either.
fn push_numbers(text: &mut String, numbers: &[f64]) {
    *text += "[";
    for (index, number) in numbers.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        let _ = write!(text, "{separator}{number:?}");
    }
    *text += "]";
}

fn push_node(text: &mut String, node: &NodeRef) {
    match node {
        NodeRef::InFile { index, name } => {
            let _ = write!(text, "{{\"index\":{index},\"name\":");
            push_text(text, name);
            *text += "}";
        }
        NodeRef::Copy(copy) => {
            let _ = write!(text, "{{\"copy\":{copy}}}");
        }
    }
}

fn push_copy(text: &mut String, copy: &CopyEntry) {
    *text += "{\"of\":";
    push_node(text, &copy.of);
    *text += ",\"name\":";
    push_text(text, &copy.name);
    *text += "}";
}

fn push_entry(text: &mut String, entry: &NodeEntry) {
    *text += "{\"node\":";
    push_node(text, &entry.node);
    if let Some(name) = &entry.name {
        *text += ",\"name\":";
        push_text(text, name);
    }
    if let Some(parent) = &entry.parent {
        *text += ",\"parent\":";
        match parent {
            Some(parent) => push_node(text, parent),
            None => *text += "null",
        }
    }
    if let Some(Transform { translation, rotation, scale }) = &entry.local {
        *text += ",\"transform\":{\"translation\":";
        push_numbers(text, &translation.to_array());
        *text += ",\"rotation\":";
        push_numbers(text, &rotation.to_array());
        *text += ",\"scale\":";
        push_numbers(text, &scale.to_array());
        *text += "}";
    }
    for (key, on) in FLAG_KEYS.iter().zip(entry.flags) {
        if let Some(on) = on {
            let _ = write!(text, ",\"{key}\":{on}");
        }
    }
    if let Some(Bounds { min, max }) = entry.extents {
        *text += ",\"extents\":[";
        push_numbers(text, &min.to_array());
        *text += ",";
        push_numbers(text, &max.to_array());
        *text += "]";
    }
    if !entry.volumes.is_empty() {
        let volumes: Vec<Value> = entry.volumes.iter().map(volumes::written).collect();
        let _ = write!(text, ",\"volumes\":{}", Value::Array(volumes));
    }
    *text += "}";
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
    entry.extents = json.get("extents")?.map(|extents| bounds_of_json(&extents)).transpose()?;
    let volumes = json.items_of("volumes")?;
    entry.volumes = volumes.iter().map(volumes::volume).collect::<Result<_, _>>()?;
    Ok(entry)
}
