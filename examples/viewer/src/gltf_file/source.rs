//! The file that a scene was read from, kept for saving: its bytes and the original state of its nodes.

use super::buffers;
use super::container::Container;
use crate::json::Json;
use crate::scene::Node;
use crate::write_file::FileStamp;
use std::path::{Path, PathBuf};
use wgpu_gizmo::Transform;

/// A file as it was read. Saving edits a copy of it, so undone changes leave no trace.
#[derive(Debug)]
pub(crate) struct Source {
    pub(super) container: Container,
    /// One entry per node of the scene, except for copies.
    pub(super) nodes: Vec<LoadedNode>,
    /// Base folder of the relative URIs in the document.
    pub(super) folder: PathBuf,
    /// The contents of external buffers. Their files may be gone or changed by the time the scene is
    /// saved to another folder.
    pub(super) buffers: ExternalBuffers,
    stamps: Vec<(PathBuf, FileStamp)>,
}

/// A node as it was read from the file.
#[derive(Debug, Clone)]
pub(super) struct LoadedNode {
    /// Index of the node in the file.
    pub(super) file_index: usize,
    /// Name of the node in the scene.
    pub(super) name: String,
    /// Local transform.
    pub(super) local: Transform,
    /// Index of the parent in the scene.
    pub(super) parent: Option<usize>,
}

/// The bytes of each buffer that is stored in an external file, by buffer index.
pub(super) type ExternalBuffers = Vec<Option<Vec<u8>>>;

impl Source {
    pub(super) fn new(
        path: &Path,
        container: Container,
        nodes: Vec<LoadedNode>,
        stamps: Vec<(PathBuf, FileStamp)>,
    ) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self { container, nodes, folder, buffers: Vec::new(), stamps }
    }

    /// Returns the file and the files that it refers to, each with its state before it was read.
    pub(crate) fn disk(&self) -> &[(PathBuf, FileStamp)] {
        &self.stamps
    }
}

/// Returns the original state of each node.
pub(super) fn loaded(file_indices: &[usize], nodes: &[Node]) -> Vec<LoadedNode> {
    let loaded = |(&file_index, node): (&usize, &Node)| LoadedNode {
        file_index,
        name: node.name.clone(),
        local: node.local,
        parent: node.parent,
    };
    file_indices.iter().zip(nodes).map(loaded).collect()
}

/// Returns the paths of the files that hold buffers and images.
pub(super) fn external_files(root: &Json<'_>, folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for item in ["buffers", "images"].into_iter().flat_map(|key| root.items_of(key).unwrap_or_default()) {
        if let Ok(Some(uri)) = item.get("uri")
            && let Ok(uri) = uri.text()
        {
            files.extend(buffers::file_from_uri(uri, folder));
        }
    }
    files
}
