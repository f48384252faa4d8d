//! The text of a journal: JSON with one node per line.

use super::{CopyEntry, Journal, JournalFile, JournalHead, NodeEntry, NodeRef};
use super::{path_from_json, path_to_json};
use crate::replay_file::edits::{FLAG_KEYS, or_null};
use crate::replay_file::values::{
    bounds, bounds_to_json, list_text, object_text, transform, transform_to_json,
};
use crate::replay_file::volumes;
use gltf_io::LocatedError;
use gltf_io::json::{self, Json};
use gltf_io::write_file::Fingerprint;
use scene::flags::FLAGS;
use scene::volume::NodeVolume;
use serde_json::{Value, json};

/// The version of the format.
const VERSION: usize = 1;

impl Journal {
    /// Returns the text of the journal.
    pub fn to_text(&self) -> String {
        let JournalHead { scene, file, viewer, time, is_whole } = &self.head;
        let path = file.as_ref().and_then(|file| path_to_json(&file.path));
        let fingerprint = file.as_ref().and_then(|file| file.fingerprint);
        let contents = fingerprint.map(|known| format!("{:016x}", known.contents));
        let head = [
            ("journal", json!(VERSION)),
            ("viewer", json!(viewer)),
            ("time", json!(time)),
            ("scene", json!(scene)),
            ("path", json!(path)),
            ("length", json!(fingerprint.map(|known| known.length))),
            ("contents", json!(contents)),
            ("whole", json!(is_whole)),
            ("lost", json!(self.unrestorable)),
        ];
        let copies: Vec<String> = self.copies.iter().map(|copy| copy.write().to_string()).collect();
        let changes: Vec<String> = self.nodes.iter().map(|node| node.write().to_string()).collect();
        let lists = [("copies", list_text(&copies)), ("changes", list_text(&changes))];
        object_text(head.into_iter().map(|(key, value)| (key, value.to_string())).chain(lists))
    }

    /// Reads a journal from its text. An error names the location.
    pub fn of_text(text: &[u8]) -> Result<Self, LocatedError> {
        let value = json::parse(text)?;
        let root = Json::root(&value);
        let version = root.need("journal")?;
        if version.index()? != VERSION {
            return Err(version.error("was written by another version of the viewer"));
        }
        let path = |json: &Json<'_>| {
            path_from_json(json.value()).ok_or_else(|| json.error("must be an absolute path"))
        };
        let file = match root.read("path", path)? {
            Some(path) => Some(JournalFile { path, fingerprint: fingerprint(&root)? }),
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
        let copies = list(&root, "copies", CopyEntry::read)?;
        let nodes = list(&root, "changes", |json| NodeEntry::read(json, copies.len()))?;
        let unrestorable = list(&root, "lost", |name| Ok(name.text()?.to_owned()))?;
        Ok(Self { head, copies, nodes, unrestorable })
    }
}

fn list<T>(
    json: &Json<'_>,
    key: &str,
    read: impl Fn(&Json<'_>) -> Result<T, LocatedError>,
) -> Result<Vec<T>, LocatedError> {
    json.items_of(key)?.iter().map(read).collect()
}

fn fingerprint(root: &Json<'_>) -> Result<Option<Fingerprint>, LocatedError> {
    let (Some(length), Some(contents)) = (root.get_some("length")?, root.get_some("contents")?) else {
        return Ok(None);
    };
    let hash = u64::from_str_radix(contents.text()?, 16);
    let hash = hash.map_err(|_| contents.error("must be a hexadecimal number"))?;
    Ok(Some(Fingerprint { length: length.index()? as u64, contents: hash }))
}

impl NodeRef {
    /// Reads a reference to a node. There are `copies` copies.
    fn read(json: &Json<'_>, copies: usize) -> Result<Self, LocatedError> {
        if let Some(copy) = json.get("copy")? {
            return Ok(Self::Copy(copy.index_below(copies, "copies")?));
        }
        let (index, name) = (json.need("index")?.index()?, json.need("name")?.text()?.to_owned());
        Ok(Self::InFile { index, name })
    }

    fn write(&self) -> Value {
        match self {
            Self::InFile { index, name } => json!({ "index": index, "name": name }),
            Self::Copy(copy) => json!({ "copy": copy }),
        }
    }
}

impl CopyEntry {
    fn read(json: &Json<'_>) -> Result<Self, LocatedError> {
        let of = NodeRef::read(&json.need("of")?, 0)?;
        Ok(Self { of, name: json.need("name")?.text()?.to_owned() })
    }

    fn write(&self) -> Value {
        json!({ "of": self.of.write(), "name": self.name })
    }
}

impl NodeEntry {
    /// Reads the new values of a node. There are `copies` copies.
    fn read(json: &Json<'_>, copies: usize) -> Result<Self, LocatedError> {
        let parent = json.get("parent")?;
        let parent = parent.map(|parent| or_null(&parent, |parent| NodeRef::read(parent, copies)));
        let mut flags = [None; FLAGS.len()];
        for (key, on) in FLAG_KEYS.iter().zip(&mut flags) {
            *on = json.read(key, Json::boolean)?;
        }
        let volumes = list(json, "volumes", |json| volumes::read(json, None))?;
        let has_no_color = |(json, volume): (&Json<'_>, &NodeVolume)| {
            volume.light().is_some() && json.value().get("color").is_none()
        };
        Ok(Self {
            node: NodeRef::read(&json.need("node")?, copies)?,
            name: json.read("name", |name| Ok(name.text()?.to_owned()))?,
            parent: parent.transpose()?,
            local: json.read("transform", transform)?,
            flags,
            extents: json.read("extents", bounds)?,
            keeps_color: json.items_of("volumes")?.iter().zip(&volumes).any(has_no_color),
            volumes,
        })
    }

    fn write(&self) -> Value {
        // A light that is written always has a color.
        let Self { node, name, parent, local, flags, extents, volumes, keeps_color: _ } = self;
        let mut object = json!({ "node": node.write() });
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                object[key] = value;
            }
        };
        put("name", name.as_ref().map(|name| json!(name)));
        put("parent", parent.as_ref().map(|parent| json!(parent.as_ref().map(NodeRef::write))));
        put("transform", local.as_ref().map(transform_to_json));
        FLAG_KEYS.iter().zip(flags).for_each(|(key, on)| put(key, on.map(Value::from)));
        put("extents", extents.map(bounds_to_json));
        put("volumes", (!volumes.is_empty()).then(|| volumes.iter().map(volumes::write).collect()));
        object
    }
}
