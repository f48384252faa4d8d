//! Writes a recording to a file.

use super::Recorder;
use crate::editor::Editor;
use crate::replay_file::values::{list_text, object_text};
use crate::replay_file::{Event, EventKind, Expected, Mods, SceneSource};
use scene::edit::Edit;
use scene::flags::FLAGS;
use serde_json::json;
use std::collections::BTreeSet;
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
        let events: Vec<&str> = self.events.lines().chain(last).collect();
        let head = self.head.iter().map(|(key, value)| (key.as_str(), value.to_string()));
        object_text(head.chain([("scene", scene.to_string()), ("events", list_text(&events))]))
    }

    /// Returns the text of a replay that also checks its result: the exact transforms of all nodes that
    /// have moved or are selected, and the names, parents, flags, extents, cameras and lights that have changed.
    pub fn test(&self, path: &Path, editor: &Editor) -> String {
        let scene = editor.scene();
        let opened = editor.log().opened_values(scene);
        let mut moved: BTreeSet<usize> = editor.selection().nodes().iter().copied().collect();
        let (mut parents, mut names, mut flags, mut crops) = (vec![], vec![], vec![], vec![]);
        for (node, before) in opened.nodes {
            let (now, crop) = (&scene.nodes()[node], scene.crop_box(node));
            // A copy was not there.
            let is_new = now.copy_of.is_some();
            if is_new || before.local.is_some_and(|before| before != now.local) {
                moved.insert(node);
            }
            if is_new || before.parent.is_some_and(|before| before != now.parent) {
                parents.push((node, now.parent));
            }
            if self.names.get(node).is_some_and(|before| *before != now.name) {
                names.push((node, now.name.clone()));
            }
            for (flag, before) in FLAGS.into_iter().zip(before.flags) {
                let on = scene.has_flag(node, flag);
                if is_new || before.is_some_and(|before| before != on) {
                    flags.push((node, flag, on));
                }
            }
            if before.crop.is_some_and(|before| before != crop) || (is_new && crop.is_some()) {
                crops.push((node, crop));
            }
        }
        let places = moved.into_iter().map(|node| (node, scene.nodes()[node].local)).collect();
        let volumes = opened.volumes.into_iter().filter_map(|(index, before)| {
            let now = scene.volume(index).filter(|now| *now != before)?;
            Some((scene.node_with_volume(index)?, now))
        });
        let edits = [
            Edit::Place(places),
            Edit::Parent(parents),
            Edit::Rename(names),
            Edit::Flag(flags),
            Edit::Crop(crops),
            Edit::Volume(volumes.collect()),
        ];
        let edits = edits.into_iter().filter(|edit| !edit.is_empty()).collect();
        let expect = EventKind::Expect(Expected { edits, tolerance: 0.0 });
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
