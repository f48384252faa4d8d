//! The recovery journal: the unsaved changes of a scene as a small file, from which they can be restored
//! after the program was killed.
//!
//! A journal lists the nodes that differ from the file of the scene, with their new values. Nodes of the file
//! are identified by their index in it and, in case the file was changed since, by their name.

mod collect;
mod path_text;
mod text;

#[cfg(test)]
mod tests;

pub use path_text::{path_from_json, path_to_json};

use gltf_io::write_file::Fingerprint;
use scene::node_value::NodeValue;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The unsaved changes of a scene.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    /// The identity of the scene.
    pub head: JournalHead,
    /// Copies of nodes that the file does not have.
    pub(crate) copies: Vec<CopyEntry>,
    /// The nodes that have changed and their new parents, by numbers.
    pub(crate) nodes: BTreeMap<usize, NodeRef>,
    /// The new values of nodes. Both these and parents are numbers of [`Journal::nodes`].
    pub(crate) changes: BTreeMap<usize, Vec<NodeValue>>,
    /// Whether lights keep their color and intensity, because older journals do not have them.
    pub(crate) keeps_colors: bool,
    /// The names of nodes that exist but cannot be restored from the file.
    pub unrestorable: Vec<String>,
}

/// The scene and the time that a journal belongs to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JournalHead {
    /// The name of the scene, for display.
    pub scene: String,
    /// The file of the scene, or `None` for the built-in scene.
    pub file: Option<JournalFile>,
    /// The version of the viewer.
    pub viewer: String,
    /// The time of the last change, in seconds since 1970.
    pub time: u64,
    /// Whether the whole scene is kept beside the journal, because the file cannot be changed to it.
    pub is_whole: bool,
}

/// The file that the changes belong to.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalFile {
    /// The absolute path.
    pub path: PathBuf,
    /// The contents that the changes are relative to, if they are known.
    pub fingerprint: Option<Fingerprint>,
}

/// A node in a journal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NodeRef {
    /// A node of the file, by its index and its name there.
    InFile { index: usize, name: String },
    /// An index into the list of copies.
    Copy(usize),
}

/// A copy of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CopyEntry {
    /// The node that it is a copy of, which is always one of the file.
    pub(crate) of: NodeRef,
    pub(crate) name: String,
}

impl Journal {
    /// Returns the number of nodes that have changed.
    pub fn count(&self) -> usize {
        self.changes.len() + self.unrestorable.len()
    }

    /// Returns the time since the last change.
    pub fn age(&self, now: SystemTime) -> Duration {
        let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(self.head.time));
        time.and_then(|time| now.duration_since(time).ok()).unwrap_or_default()
    }
}
