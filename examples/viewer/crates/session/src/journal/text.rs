//! The text of a journal: JSON with one node per line.

use super::{CopyEntry, Journal, JournalFile, JournalHead, NodeRef};
use super::{path_from_json, path_to_json};
use crate::replay_file::edits::{FLAG_KEYS, or_null, write_value};
use crate::replay_file::values::{bounds, list_text, object_text, transform};
use crate::replay_file::volumes;
use gltf_io::Result;
use gltf_io::json::{self, Json};
use gltf_io::write_file::Fingerprint;
use scene::flags::FLAGS;
use scene::node_value::NodeValue;
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
        let copy = |copy: &CopyEntry| json!({ "of": copy.of.write(), "name": copy.name }).to_string();
        let copies: Vec<String> = self.copies.iter().map(copy).collect();
        let changes: Vec<String> = self.changes.keys().map(|node| self.change(*node).to_string()).collect();
        let lists = [("copies", list_text(&copies)), ("changes", list_text(&changes))];
        object_text(head.into_iter().map(|(key, value)| (key, value.to_string())).chain(lists))
    }

    /// Reads a journal from its text. An error names the location.
    pub fn of_text(text: &[u8]) -> Result<Self> {
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
        let mut journal = Self { head, ..Self::default() };
        for name in root.items_of("lost")? {
            journal.unrestorable.push(name.text()?.to_owned());
        }
        for copy in root.items_of("copies")? {
            let of = NodeRef::read(&copy.need("of")?, 0)?;
            journal.copies.push(CopyEntry { of, name: copy.need("name")?.text()?.to_owned() });
        }
        root.items_of("changes")?.iter().try_for_each(|change| journal.read_change(change))?;
        Ok(journal)
    }

    /// Returns the new values of a node as JSON.
    fn change(&self, node: usize) -> Value {
        let reference = |node: usize| json!(self.nodes.get(&node).map(NodeRef::write));
        let mut object = json!({ "node": reference(node) });
        for value in self.changes.get(&node).into_iter().flatten() {
            let (key, json) = write_value(value, reference);
            match (value, &mut object[key]) {
                (NodeValue::Volume(_), Value::Array(volumes)) => volumes.push(json),
                (NodeValue::Volume(_), volumes) => *volumes = json!([json]),
                (_, member) => *member = json,
            }
        }
        object
    }

    /// Reads the new values of a node.
    fn read_change(&mut self, json: &Json<'_>) -> Result<()> {
        let copies = self.copies.len();
        let node = self.add_node(NodeRef::read(&json.need("node")?, copies)?);
        let name = json.read("name", |name| Ok(NodeValue::Name(name.text()?.to_owned())))?;
        let parent =
            json.get("parent")?.map(|parent| or_null(&parent, |parent| NodeRef::read(parent, copies)));
        let parent = parent.transpose()?.map(|parent| parent.map(|parent| self.add_node(parent)));
        let local = json.read("transform", transform)?.map(NodeValue::Local);
        let extents = json.read("extents", bounds)?.map(|extents| NodeValue::Crop(Some(extents)));
        let values = [name, parent.map(NodeValue::Parent), local, extents];
        let mut values: Vec<NodeValue> = values.into_iter().flatten().collect();
        for (key, flag) in FLAG_KEYS.into_iter().zip(FLAGS) {
            values.extend(json.read(key, Json::boolean)?.map(|on| NodeValue::Flag(flag, on)));
        }
        for json in json.items_of("volumes")? {
            let volume = volumes::read(&json, None)?;
            self.keeps_colors |= volume.light().is_some() && json.value().get("color").is_none();
            values.push(NodeValue::Volume(volume));
        }
        self.changes.insert(node, values);
        Ok(())
    }

    /// Adds a node and returns its number.
    fn add_node(&mut self, node: NodeRef) -> usize {
        let number = self.nodes.len();
        self.nodes.insert(number, node);
        number
    }
}

fn fingerprint(root: &Json<'_>) -> Result<Option<Fingerprint>> {
    let (Some(length), Some(contents)) = (root.get_some("length")?, root.get_some("contents")?) else {
        return Ok(None);
    };
    let hash = u64::from_str_radix(contents.text()?, 16);
    let hash = hash.map_err(|_| contents.error("must be a hexadecimal number"))?;
    Ok(Some(Fingerprint { length: length.index()? as u64, contents: hash }))
}

impl NodeRef {
    /// Reads a reference to a node. There are `copies` copies.
    fn read(json: &Json<'_>, copies: usize) -> Result<Self> {
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
