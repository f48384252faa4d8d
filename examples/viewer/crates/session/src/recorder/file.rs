//! Writes a recording to a file.

use super::Recorder;
use super::edits::Edits;
use crate::editor::Editor;
use crate::replay_file::{Event, EventKind, Expected, Mods, SceneSource, to_json};
use gltf_io::FileError;
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
            SceneSource::Gltf(file) => json!({ "gltf": from_folder(file, folder) }),
            SceneSource::Objects(objects) => json!({ "objects": objects }),
        };
        let mut text = String::from("{\n");
        for (key, value) in
            self.head.iter().map(|(key, value)| (key.as_str(), value)).chain([("scene", &scene)])
        {
            text += &format!("  {}: {value},\n", json!(key));
        }
        text += "  \"events\": [";
        let mut end = "\n    ";
        for event in self.events.lines().chain(last) {
            text += end;
            text += event;
            end = ",\n    ";
        }
        text += if end.starts_with(',') { "\n  ]\n}\n" } else { "]\n}\n" };
        text
    }

    /// Returns the text of a replay that also checks its result: the exact transforms of all nodes that
    /// have moved or are selected, and the names, parents, flags, extents, cameras and lights that have changed.
    pub fn test(&self, path: &Path, editor: &Editor) -> String {
        let scene = editor.scene();
        // A replay that is playing may not have reached all of its copies yet.
        let is_known = |node: &usize| scene.nodes()[*node].copy_of.is_none() || self.copied.contains(node);
        let mut edits = Edits::default();
        for node in (0..scene.nodes().len()).filter(is_known) {
            edits.push_since(self.starts.get(node), node, scene);
            if editor.selection().nodes().contains(&node)
                && edits.locals.last().is_none_or(|(last, _)| *last != node)
            {
                edits.locals.push((node, scene.nodes()[node].local));
            }
        }
        let renamed = self.names.iter().zip(scene.nodes()).enumerate();
        let renamed = renamed.filter(|(_, (before, node))| **before != node.name);
        let names = renamed.map(|(index, (_, node))| (index, node.name.clone())).collect();
        let volumes = self.changed_volumes(scene).into_iter().filter_map(|index| {
            let node = scene.node_with_volume(index).filter(is_known)?;
            Some((node, scene.volume(index)?))
        });
        let volumes = volumes.collect();
        let Edits { parents, locals: places, flags, extents, .. } = edits;
        let expect =
            EventKind::Expect(Expected { places, tolerance: 0.0, parents, names, flags, extents, volumes });
        let expect = Event { kind: expect, mods: Mods::default() };
        self.text(path, Some(&to_json::event(&expect, &self.names).to_string()))
    }
}

/// Writes a file atomically: on failure, the old file stays.
pub fn write(path: &Path, text: &str) -> Result<(), FileError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed =
        |error: &dyn std::fmt::Display| FileError::new(path, format!("could not be written: {error}"));
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let written = gltf_io::write_file::write(path, &[text.as_bytes()]);
    written.map(drop).map_err(|error| FileError::new(path, error))
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
