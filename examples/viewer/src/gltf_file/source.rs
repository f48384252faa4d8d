//! What a scene was read from, kept for saving it: the file's bytes and what its nodes were.

use super::buffers;
use super::container::Container;
use crate::json::Json;
use crate::scene::Node;
use crate::write_file::Disk;
use std::path::{Path, PathBuf};
use wgpu_gizmo::Transform;

/// A file as it was when it was read. Saving changes a copy of it, so that what has been undone
/// leaves no trace.
#[derive(Debug)]
pub(crate) struct Source {
    pub(super) container: Container,
    /// One for each node of the scene.
    pub(super) nodes: Vec<Loaded>,
    /// What the document's relative addresses are relative to.
    pub(super) folder: PathBuf,
    /// The buffers that are in files of their own, by their index: the files may have gone, or have
    /// been written again, when the scene is saved elsewhere.
    pub(super) buffers: Kept,
    disk: Vec<(PathBuf, Disk)>,
}

/// A node as the file has it.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    /// Its index in the file.
    pub(super) file_index: usize,
    /// What the scene calls it.
    pub(super) name: String,
    /// As it was read.
    pub(super) local: Transform,
    /// The index in the scene of what it hangs on.
    pub(super) parent: Option<usize>,
}

/// Of each buffer its bytes, where they are in a file of their own.
pub(super) type Kept = Vec<Option<Vec<u8>>>;

impl Source {
    pub(super) fn new(
        path: &Path,
        container: Container,
        nodes: Vec<Loaded>,
        disk: Vec<(PathBuf, Disk)>,
    ) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self { container, nodes, folder, buffers: Vec::new(), disk }
    }

    /// The file and those it names, each as it was on disk before it was read.
    pub(crate) fn disk(&self) -> &[(PathBuf, Disk)] {
        &self.disk
    }
}

/// What the nodes are before anybody moves them.
pub(super) fn loaded(file_indices: &[usize], nodes: &[Node]) -> Vec<Loaded> {
    let loaded = |(&file_index, node): (&usize, &Node)| Loaded {
        file_index,
        name: node.name.clone(),
        local: node.local,
        parent: node.parent,
    };
    file_indices.iter().zip(nodes).map(loaded).collect()
}

/// The files that buffers and images are in.
pub(super) fn files_beside(root: &Json<'_>, folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for item in ["buffers", "images"].into_iter().flat_map(|key| root.items_of(key).unwrap_or_default()) {
        if let Ok(Some(uri)) = item.get("uri")
            && let Ok(uri) = uri.text()
        {
            files.extend(buffers::file_of(uri, folder));
        }
    }
    files
}
