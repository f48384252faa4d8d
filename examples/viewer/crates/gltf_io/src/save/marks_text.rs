//! Writes crop boxes, visibility and locks into the extensions and the extras of nodes, and leaves everything
//! else there alone.

use crate::json_text::{Edits, JsonText};
use crate::read::tree::{CROP_BOX, LOCKED, VISIBILITY};
use crate::save::nodes_text::{Losses, Writer, list};
use crate::source::{LoadedNode, Marks};
use scene::bounds::Bounds;
use std::ops::Range;

/// A key, and its new value or `None` if it is removed.
type NewMember = (&'static str, Option<String>);

impl Writer<'_> {
    /// Writes the marks of a node. Returns true if the node is hidden now and was not before.
    pub(super) fn marks(&mut self, was: &LoadedNode, now: Marks, losses: &mut Losses) -> bool {
        let before = was.marks;
        let box_text = |Bounds { min, max }: Bounds| {
            format!("{{\"min\":{},\"max\":{}}}", list(&min.to_array()), list(&max.to_array()))
        };
        let crop = (now.crop != before.crop).then(|| (CROP_BOX, now.crop.map(box_text)));
        let lock = (now.is_locked != before.is_locked).then(|| (LOCKED, Some(now.is_locked.to_string())));
        if !self.set_members("extras", crop.iter().chain(&lock).cloned().collect()) {
            losses.uncropped.extend(crop.map(|_| was.name.clone()));
            losses.unlocked.extend(lock.map(|_| was.name.clone()));
        }
        if now.is_hidden == before.is_hidden {
            return false;
        }
        let is_stored = self.visibility(!now.is_hidden);
        if !is_stored {
            losses.unhidden.push(was.name.clone());
        }
        is_stored && now.is_hidden
    }

    /// Writes whether the node is visible. Returns false if its extensions are not an object.
    fn visibility(&mut self, is_visible: bool) -> bool {
        let extensions = self.text.object_of(self.object, "extensions");
        let visibility = extensions.and_then(|extensions| self.text.object_of(&extensions, VISIBILITY));
        match visibility {
            // The extension of the file stays, with what else it has.
            Some(visibility) => self.edit(&visibility, vec![("visible", Some(is_visible.to_string()))]),
            None => {
                let extension = format!("{{\"visible\":{is_visible}}}");
                return self.set_members("extensions", vec![(VISIBILITY, Some(extension))]);
            }
        }
        true
    }

    /// Sets members of the object at a key of the node. Returns false if its value is not an object.
    fn set_members(&mut self, key: &str, members: Vec<NewMember>) -> bool {
        if members.is_empty() {
            return true;
        }
        if self.text.member(self.object, key).is_none() {
            let written =
                members.iter().filter_map(|(key, value)| Some(format!("\"{key}\":{}", value.as_ref()?)));
            let written: Vec<String> = written.collect();
            if !written.is_empty() {
                self.added.push(format!("\"{key}\":{{{}}}", written.join(",")));
            }
            return true;
        }
        let object = self.text.object_of(self.object, key);
        object.map(|object| self.edit(&object, members)).is_some()
    }

    /// Sets members of an object. At most one of them is removed.
    fn edit(&mut self, object: &Range<usize>, members: Vec<NewMember>) {
        let (mut added, mut removed) = (Vec::new(), None);
        for (key, value) in members {
            match (self.text.member(object, key), value) {
                (Some(member), Some(value)) => self.edits.replace(member.value, value),
                (Some(member), None) => removed = Some(member),
                (None, Some(value)) => added.push(format!("\"{key}\":{value}")),
                (None, None) => {}
            }
        }
        match removed {
            Some(member) => self.edits.exchange(self.text, object, &member, &added),
            None => self.edits.insert(self.text, object, &added),
        }
    }
}

/// Lists the extension for visibility among those that the file uses.
pub(super) fn use_visibility(text: JsonText<'_>, edits: &mut Edits) {
    const KEY: &str = "extensionsUsed";
    let Some(root) = text.root() else { return };
    let used = text.items_of(&root, KEY);
    let is_visibility = |item: &Range<usize>| {
        serde_json::from_slice::<String>(&text.0[item.clone()]).is_ok_and(|name| name == VISIBILITY)
    };
    match (used.last(), text.member(&root, KEY)) {
        _ if used.iter().any(is_visibility) => {}
        (Some(last), _) => edits.replace(last.end..last.end, format!(",\"{VISIBILITY}\"")),
        (None, Some(member)) => edits.replace(member.value, format!("[\"{VISIBILITY}\"]")),
        (None, None) => edits.insert(text, &root, &[format!("\"{KEY}\":[\"{VISIBILITY}\"]")]),
    }
}
