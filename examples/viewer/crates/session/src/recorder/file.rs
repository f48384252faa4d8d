//! Writes a recording to a file.

use super::Recorder;
use crate::editor::Editor;
use crate::replay_file::values::{list_text, object_text};
use crate::replay_file::{Event, EventKind, Expected, Mods, SceneSource};
use scene::node_value::NodeValue;
use serde_json::json;
use std::path::{Component, Path, PathBuf};

impl Recorder {
    /// Returns the text of a replay of all events. Its paths are relative to `path`.
    pub fn replay(&self, path: &Path) -> String {
        self.text(path, None)
    }

    /// Returns the text, with one event per line and optionally a last event.
    fn text(&self, path: &Path, last: Option<&str>) -> String {
        let folder = path.parent().unwrap_or(Path::new(""));
        let scene = match &self.source {
            SceneSource::BuiltIn(name) => json!({ "built_in": name }),
            SceneSource::Gltf(file) => {
                json!({ "gltf": from_folder(file, folder), "contents": self.contents })
            }
            SceneSource::Objects(objects) => json!({ "objects": objects }),
        };
        let events: Vec<&str> = self.events.lines.iter().map(AsRef::as_ref).chain(last).collect();
        let head = self.head.iter().map(|(key, value)| (key.as_str(), value.to_string()));
        object_text(head.chain([("scene", scene.to_string()), ("events", list_text(&events))]))
    }

    /// Returns the text of a replay that also checks its result: the exact transforms of all nodes that
    /// have moved or are selected, and the names, parents, flags, extents, cameras and lights that have changed.
    pub fn test(&self, path: &Path, editor: &Editor) -> String {
        let (scene, opened) = (editor.scene(), editor.log().opened_values(editor.scene()));
        let is_copy = |node: &usize| scene.nodes()[*node].copy_of.is_some();
        let mut values = opened.changed(scene, &[], &opened.nodes().filter(is_copy).collect());
        values.retain(|(node, value)| match value {
            NodeValue::Name(name) => self.names.get(*node) != Some(name),
            // A copy that has none needs no line, unless it had one.
            NodeValue::Crop(None) if is_copy(node) => {
                matches!(opened.get(*node, value), Some(NodeValue::Crop(Some(_))))
            }
            _ => true,
        });
        let local = |node: &usize| (*node, NodeValue::Local(scene.nodes()[*node].local));
        values.extend(editor.selection().nodes().iter().map(local));
        let expect = EventKind::Expect(Expected { values, tolerance: 0.0 });
        let expect = Event { kind: expect, mods: Mods::default() };
        self.text(path, Some(&expect.write(&self.names).to_string()))
    }
}

/// Returns the path of a file relative to a folder, with `/` as separator, or the path itself if there
/// is no relative path.
pub(super) fn from_folder(file: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).and_then(|path| path.canonicalize().or(Ok(path)));
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(file), Ok(folder)) = (absolute(file), absolute(here)) else {
        return file.to_string_lossy().into_owned();
    };
    let (to, from): (Vec<Component<'_>>, Vec<_>) =
        (file.components().collect(), folder.components().collect());
    let same = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    if same == 0 {
        return file.to_string_lossy().into_owned();
    }
    let up = std::iter::repeat_n(Path::new("..").to_path_buf(), from.len() - same);
    let down = to[same..].iter().map(|part| PathBuf::from(part.as_os_str()));
    let parts: Vec<String> = up.chain(down).map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/")
}
