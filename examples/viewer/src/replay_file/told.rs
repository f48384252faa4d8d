//! Names, eyes and locks that nodes are given, whether they are there, and what they hang on. Nodes go by the names that they have in the scene as
//! it is opened, whatever they are called by then: so that can be checked before the first event.

use super::events::{Event, EventKind};
use crate::file_error::PlaceError;
use crate::flags::Flag;
use crate::json::Json;
use crate::scene::{RenameError, Scene};

/// A node, what is said of it, and whether it is so.
pub(crate) type Flagged = (usize, Flag, bool);

/// What is said of a node, as files have it.
pub(super) const FLAGS: [(&str, Flag); 3] =
    [("hidden", Flag::Hidden), ("locked", Flag::Locked), ("deleted", Flag::Deleted)];

/// A node, and what it hangs on.
pub(crate) type Hangs = (usize, Option<usize>);

/// `{"NAME": "NEW NAME", …}`. Whether the names are free, [`check`] says.
pub(super) fn names(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, String)>, PlaceError> {
    let name = |key| {
        let name = json.need(key)?;
        Ok((node_of(&name, key, scene)?, name.text()?.trim().to_owned()))
    };
    json.keys()?.map(name).collect()
}

/// `{"NAME": {"hidden": true, "locked": false}, …}`; what is absent stays as it is.
pub(super) fn flags(json: &Json<'_>, scene: &Scene) -> Result<Vec<Flagged>, PlaceError> {
    let mut said = Vec::new();
    for key in json.keys()? {
        let flags = json.need(key)?;
        let node = node_of(&flags, key, scene)?;
        flags.only(&FLAGS.map(|(name, _)| name))?;
        for (name, flag) in FLAGS {
            if let Some(on) = flags.get(name)? {
                said.push((node, flag, on.boolean()?));
            }
        }
    }
    Ok(said)
}

/// `{"NAME": "NAME OF ITS PARENT", "OTHER": null, …}`. Whether none is its own ancestor, is known when
/// it is done.
pub(super) fn parents(json: &Json<'_>, scene: &Scene) -> Result<Vec<Hangs>, PlaceError> {
    let mut hangs = Vec::new();
    for key in json.keys()? {
        let parent = json.need(key)?;
        let node = node_of(&parent, key, scene)?;
        hangs.push((
            node,
            if parent.is_null() { None } else { Some(node_of(&parent, parent.text()?, scene)?) },
        ));
    }
    Ok(hangs)
}

/// The node that a key names.
pub(super) fn node_of(value: &Json<'_>, key: &str, scene: &Scene) -> Result<usize, PlaceError> {
    scene.find(key).ok_or_else(|| value.error(format!("no object is called `{key}`")))
}

/// Whether each name is free when it is given. Nothing else in a replay gives names.
pub(super) fn check(places: &[Json<'_>], events: &[Event], scene: &Scene) -> Result<(), PlaceError> {
    let mut renamed: Option<Scene> = None;
    for (place, event) in places.iter().zip(events) {
        if let EventKind::Rename(names) = &event.kind {
            let scene = renamed.get_or_insert_with(|| scene.clone());
            let taken = |error: RenameError| {
                PlaceError::new(format!("{}.{}", place.place(), event.kind.name()), error.to_string())
            };
            scene.rename_all(names).map_err(taken)?;
        }
    }
    Ok(())
}
