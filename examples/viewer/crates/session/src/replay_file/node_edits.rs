//! Names, parents, flags and copies of nodes. Nodes are identified by the names that they have when the scene
//! is opened, even after a rename, so all names can be checked before the first event.

use super::events::{Event, EventKind};
use crate::command::Command;
use gltf_io::LocatedError;
use gltf_io::json::Json;
use scene::flags::Flag;
use scene::{CopyPair, RenameError, Scene};

/// A node, a flag, and whether the flag is set.
pub type FlagEdit = (usize, Flag, bool);

/// The flags of a node, by their keys in a file.
pub(super) const FLAGS: [(&str, Flag); 3] =
    [("hidden", Flag::Hidden), ("locked", Flag::Locked), ("deleted", Flag::Deleted)];

/// A node and its parent.
pub type ParentEdit = (usize, Option<usize>);

/// Reads `{"NAME": "NEW NAME", …}`. [`check`] tells whether the new names are free.
pub(super) fn names(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, String)>, LocatedError> {
    let name = |key| {
        let name = json.need(key)?;
        Ok((node_of(&name, key, scene)?, name.text()?.trim().to_owned()))
    };
    json.keys()?.map(name).collect()
}

/// Reads `{"NAME": "NAME OF THE COPY", …}`, or a list of such objects, which decides the order of the copies.
fn copy_names(json: &Json<'_>, scene: &Scene) -> Result<Vec<(usize, String)>, LocatedError> {
    if !json.value().is_array() {
        return names(json, scene);
    }
    let lists = json.items()?.iter().map(|item| names(item, scene)).collect::<Result<Vec<_>, _>>()?;
    Ok(lists.concat())
}

/// Reads `{"NAME": {"hidden": true, "locked": false}, …}`. An absent flag stays.
pub(super) fn flags(json: &Json<'_>, scene: &Scene) -> Result<Vec<FlagEdit>, LocatedError> {
    let mut edits = Vec::new();
    for key in json.keys()? {
        let flags = json.need(key)?;
        let node = node_of(&flags, key, scene)?;
        flags.only(&FLAGS.map(|(name, _)| name))?;
        for (name, flag) in FLAGS {
            if let Some(on) = flags.get(name)? {
                edits.push((node, flag, on.boolean()?));
            }
        }
    }
    Ok(edits)
}

/// Reads `{"NAME": "PARENT", "OTHER": null, …}`. Whether a node would become its own ancestor is checked
/// when the event runs.
pub(super) fn parents(json: &Json<'_>, scene: &Scene) -> Result<Vec<ParentEdit>, LocatedError> {
    let mut edits = Vec::new();
    for key in json.keys()? {
        let parent = json.need(key)?;
        let node = node_of(&parent, key, scene)?;
        edits.push((
            node,
            if parent.is_null() { None } else { Some(node_of(&parent, parent.text()?, scene)?) },
        ));
    }
    Ok(edits)
}

/// Returns the node that a key names.
pub(super) fn node_of(value: &Json<'_>, key: &str, scene: &Scene) -> Result<usize, LocatedError> {
    scene.named(key).ok_or_else(|| value.error(format!("no object is named `{key}`")))
}

/// Reserves a deleted node with the right name in the scene for every copy that an event makes:
/// `{"duplicate": {"NAME": "NAME OF THE COPY", …}}`.
pub(super) fn reserve_copies(events: &[Json<'_>], scene: &mut Scene) -> Result<(), LocatedError> {
    for event in events {
        let Some(copies) = event.get("duplicate")? else { continue };
        let named = copy_names(&copies, scene)?;
        // The name of a copy stays taken, also by a copy of another event.
        if let Some((_, name)) = named.iter().find(|(_, name)| scene.named(name).is_some()) {
            return Err(copies.error(RenameError::Taken(name.clone()).to_string()));
        }
        scene.reserve_copies(&named).map_err(|error| copies.error(error.to_string()))?;
    }
    Ok(())
}

/// Returns the copies that [`reserve_copies`] has reserved for an event.
pub(super) fn copied(json: &Json<'_>, scene: &Scene) -> Result<Vec<CopyPair>, LocatedError> {
    let named = copy_names(json, scene)?;
    let of_name = |(of, name): (usize, String)| Some((of, scene.named(&name)?));
    named.into_iter().map(|named| of_name(named).ok_or_else(|| json.error("a copy has no name"))).collect()
}

/// Returns an error if a `rename` event uses a name that is taken by then. Once a node may have been
/// deleted, this depends on the run and is no longer checked.
pub(super) fn check(items: &[Json<'_>], events: &[Event], scene: &Scene) -> Result<(), LocatedError> {
    let mut renamed: Option<Scene> = None;
    let mut may_be_deleted = false;
    for (item, event) in items.iter().zip(events) {
        may_be_deleted |= match &event.kind {
            EventKind::Flags(flags) => flags.iter().any(|(_, flag, _)| *flag == Flag::Deleted),
            EventKind::Duplicate(_) => true,
            _ => matches!(event.kind.command(event.mods), Some(Command::Delete | Command::Duplicate)),
        };
        if let EventKind::Rename(names) = &event.kind {
            let scene = renamed.get_or_insert_with(|| scene.clone());
            let taken = |error: RenameError| {
                LocatedError::new(format!("{}.{}", item.place(), event.kind.name()), error.to_string())
            };
            match scene.rename_all(names) {
                Err(RenameError::Taken(_)) if may_be_deleted => {}
                renamed => renamed.map_err(taken)?,
            }
        }
    }
    Ok(())
}
