//! Changes of crop boxes, visibility and locks in the extensions and the extras of nodes, which leave everything
//! else there alone.

use crate::json_text::{Change, Edits, JsonText};
use crate::read::tree::{CROP_BOX, LOCKED, VISIBILITY};
use crate::save::nodes_text::{Losses, NodeText, list};
use crate::source::Marks;
use scene::bounds::Bounds;
use std::ops::Range;

impl NodeText<'_> {
    /// Changes the marks of the node with this name.
    pub(super) fn change_marks(&mut self, before: Marks, now: Marks, name: &str, losses: &mut Losses) {
        let box_text = |Bounds { min, max }: Bounds| {
            format!("{{\"min\":{},\"max\":{}}}", list(&min.to_array()), list(&max.to_array()))
        };
        let crop = (now.crop != before.crop).then(|| (CROP_BOX, Change::Set(now.crop.map(box_text))));
        let lock =
            (now.is_locked != before.is_locked).then(|| (LOCKED, Change::to(now.is_locked.to_string())));
        if self.text.is_other(&self.object, "extras") {
            losses.uncropped.extend(crop.map(|_| name.to_owned()));
            losses.unlocked.extend(lock.map(|_| name.to_owned()));
        } else {
            self.changes.push(("extras", Change::Members(crop.into_iter().chain(lock).collect())));
        }
        if now.is_hidden == before.is_hidden {
            return;
        }
        if self.text.is_other(&self.object, "extensions") {
            losses.unhidden.push(name.to_owned());
            return;
        }
        // The extension of the file stays, with what else it has.
        let visible = vec![("visible", Change::to((!now.is_hidden).to_string()))];
        self.changes.push(("extensions", Change::Members(vec![(VISIBILITY, Change::Members(visible))])));
        losses.hides_more |= now.is_hidden;
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
    match used.last() {
        _ if used.iter().any(is_visibility) => {}
        Some(last) => edits.replace(last.end..last.end, format!(",\"{VISIBILITY}\"")),
        None => edits.change(text, &root, vec![(KEY, Change::to(format!("[\"{VISIBILITY}\"]")))]),
    }
}
