//! Changes of crop boxes, visibility and locks in the extensions and the extras of nodes, which leave everything
//! else there alone.

use crate::json_text::{Change, Edits, JsonText};
use crate::read::tree::{CROP_BOX, LOCKED, VISIBILITY};
use crate::save::nodes_text::Losses;
use crate::source::Marks;
use scene::bounds::Bounds;
use std::ops::Range;

/// Returns the changes of the marks of the node with this name.
pub(super) fn changes(
    (text, object): (JsonText<'_>, &Range<usize>),
    (before, now): (Marks, Marks),
    name: &str,
    losses: &mut Losses,
) -> Vec<(&'static str, Change)> {
    let mut changes = Vec::new();
    let box_of = |Bounds { min, max }: Bounds| {
        let ends = [("min", min), ("max", max)];
        Change::Members(ends.map(|(key, end)| (key, Change::to(end.to_array().to_vec()))).into())
    };
    let crop = (now.crop != before.crop).then(|| (CROP_BOX, now.crop.map_or(Change::Set(None), box_of)));
    let lock = (now.is_locked != before.is_locked).then(|| (LOCKED, Change::to(now.is_locked)));
    if text.is_other(object, "extras") {
        losses.uncropped.extend(crop.map(|_| name.to_owned()));
        losses.unlocked.extend(lock.map(|_| name.to_owned()));
    } else {
        changes.push(("extras", Change::Members(crop.into_iter().chain(lock).collect())));
    }
    if now.is_hidden == before.is_hidden {
        return changes;
    }
    if text.is_other(object, "extensions") {
        losses.unhidden.push(name.to_owned());
        return changes;
    }
    // The extension of the file stays, with what else it has.
    let visible = vec![("visible", Change::to(!now.is_hidden))];
    changes.push(("extensions", Change::Members(vec![(VISIBILITY, Change::Members(visible))])));
    losses.hides_more |= now.is_hidden;
    changes
}

/// Lists the extension for visibility among those that the file uses.
pub(super) fn use_visibility(text: JsonText<'_>, edits: &mut Edits) {
    const KEY: &str = "extensionsUsed";
    let Some(root) = text.root() else { return };
    let used = text.items_of(&root, KEY);
    let is_visibility =
        |item: &Range<usize>| text.parsed::<String>(item).is_some_and(|name| name == VISIBILITY);
    match used.last() {
        _ if used.iter().any(is_visibility) => {}
        Some(last) => edits.replace(last.end..last.end, format!(",\"{VISIBILITY}\"")),
        None => edits.change(text, &root, vec![(KEY, Change::to(vec![VISIBILITY]))]),
    }
}
