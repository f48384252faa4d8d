//! Names, eyes and locks that nodes are given, whether they are there, and what they hang on. Nodes go by the names that they have in the scene as
//! it is opened, whatever they are called by then: so that can be checked before the first event.

use super::events::{Event, EventKind};
use crate::command::Command;
use crate::file_error::PlaceError;
use crate::flags::Flag;
use crate::json::Json;
use crate::scene::{Copied, RenameError, Scene};

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
    scene.named(key).ok_or_else(|| value.error(format!("no object is called `{key}`")))
}

/// Gives all copies that events make their names and places in the scene, where they are not there
/// yet: `{"duplicate": {"NAME": "NAME OF THE COPY", …}}`.
pub(super) fn reserve_copies(events: &[Json<'_>], scene: &mut Scene) -> Result<(), PlaceError> {
    for event in events {
        let Some(copies) = event.get("duplicate")? else { continue };
        let named = names(&copies, scene)?;
        // One that another event gives a copy: no name is there for two, whenever they are.
        if let Some((_, name)) = named.iter().find(|(_, name)| scene.named(name).is_some()) {
            return Err(copies.error(RenameError::Taken(name.clone()).to_string()));
        }
        scene.reserve_copies(&named).map_err(|error| copies.error(error.to_string()))?;
    }
    Ok(())
}

/// What [`reserve_copies`] has made of it.
pub(super) fn copied(json: &Json<'_>, scene: &Scene) -> Result<Vec<Copied>, PlaceError> {
    let named = names(json, scene)?;
    let of_name = |(of, name): (usize, String)| Some((of, scene.named(&name)?));
    named.into_iter().map(|named| of_name(named).ok_or_else(|| json.error("a copy has no name"))).collect()
}

/// Whether each name is free when it is given, as far as that does not depend on which nodes are there
/// by then. Nothing else in a replay gives names.
pub(super) fn check(places: &[Json<'_>], events: &[Event], scene: &Scene) -> Result<(), PlaceError> {
    let mut renamed: Option<Scene> = None;
    let mut may_be_gone = false;
    for (place, event) in places.iter().zip(events) {
        may_be_gone |= match &event.kind {
            EventKind::Key(key) => {
                let command = Command::of(key, event.mods.ctrl, event.mods.shift);
                matches!(command, Some(Command::Delete | Command::Duplicate))
            }
            EventKind::Flags(flags) => flags.iter().any(|(_, flag, _)| *flag == Flag::Deleted),
            EventKind::Duplicate(_) => true,
            _ => false,
        };
        if let EventKind::Rename(names) = &event.kind {
            let scene = renamed.get_or_insert_with(|| scene.clone());
            let taken = |error: RenameError| {
                PlaceError::new(format!("{}.{}", place.place(), event.kind.name()), error.to_string())
            };
            match scene.rename_all(names) {
                Err(RenameError::Taken(_)) if may_be_gone => {}
                renamed => renamed.map_err(taken)?,
            }
        }
    }
    Ok(())
}
