//! The file that a scene was read from, kept for saving: its bytes and the original state of its nodes.

use crate::buffers::{self, ExternalBuffers};
use crate::container::Container;
use crate::json::Json;
use crate::write_file::FileStamp;
use scene::{Node, Scene};
use std::path::{Path, PathBuf};
use wgpu_gizmo::Transform;

/// A file as it was read. Saving edits a copy of it, so undone changes leave no trace.
#[derive(Debug)]
pub struct Source {
    pub(crate) container: Container,
    /// One entry per node of the scene, except for copies.
    pub(crate) nodes: Vec<LoadedNode>,
    /// Base folder of the relative URIs in the document.
    pub(crate) folder: PathBuf,
    /// The contents of external buffers. Their files may be gone or changed by the time the scene is
    /// saved to another folder.
    pub(crate) buffers: ExternalBuffers,
    stamps: Vec<(PathBuf, FileStamp)>,
}

/// A node as it was read from the file.
#[derive(Debug, Clone)]
pub(crate) struct LoadedNode {
    /// Index of the node in the file.
    pub(crate) file_index: usize,
    /// Name of the node in the scene.
    pub(crate) name: String,
    /// Local transform.
    pub(crate) local: Transform,
    /// Index of the parent in the scene.
    pub(crate) parent: Option<usize>,
}

impl Source {
    pub(crate) fn new(
        path: &Path,
        container: Container,
        nodes: Vec<LoadedNode>,
        stamps: Vec<(PathBuf, FileStamp)>,
    ) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self { container, nodes, folder, buffers: Vec::new(), stamps }
    }

    /// Returns the file that a scene was read from, or `None` if it was not read from a file.
    pub fn of(scene: &Scene) -> Option<&Self> {
        scene.source.as_deref()?.downcast_ref()
    }

    /// Returns the file and the files that it refers to, each with its state before it was read.
    pub fn disk(&self) -> &[(PathBuf, FileStamp)] {
        &self.stamps
    }
}

/// Returns the original state of each node.
pub(crate) fn loaded(file_indices: &[usize], nodes: &[Node]) -> Vec<LoadedNode> {
    let loaded = |(&file_index, node): (&usize, &Node)| LoadedNode {
        file_index,
        name: node.name.clone(),
        local: node.local,
        parent: node.parent,
    };
    file_indices.iter().zip(nodes).map(loaded).collect()
}

/// Returns the paths of the files that hold buffers and images.
pub(crate) fn external_files(root: &Json<'_>, folder: &Path) -> Vec<PathBuf> {
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
