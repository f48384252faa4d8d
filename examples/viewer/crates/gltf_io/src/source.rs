//! The file that a scene was read from, kept for saving: its bytes and the original state of its nodes.

use crate::container::Container;
use crate::external::ExternalFile;
use crate::write_file::{FileStamp, Restriction};
use scene::bounds::Bounds;
use scene::flags::Flag;
use scene::volume::NodeVolume;
use scene::{Node, Scene};
use std::collections::HashMap;
use std::path::PathBuf;
use wgpu_gizmo_core::Transform;

/// A file as it was read. Saving edits a copy of it, so undone changes leave no trace.
#[derive(Debug, Default)]
pub struct Source {
    pub(crate) container: Container,
    /// One entry per node of the scene, except for copies.
    pub(crate) nodes: Vec<LoadedNode>,
    /// The cameras and then the lights of the file; `None` for those that cannot be used.
    pub(crate) volumes: Vec<Option<NodeVolume>>,
    /// Base folder of the relative URIs in the document.
    pub(crate) folder: PathBuf,
    /// The files that the document refers to, as they were read, by the URI that refers to them. Only these are
    /// ever saved: by then the files can be gone, changed, or links to others.
    pub(crate) files: HashMap<String, ExternalFile>,
    /// Folders that would have to be allowed to read the others.
    pub outside: Vec<PathBuf>,
    /// The read permissions of the file.
    pub(crate) restriction: Restriction,
    /// The file and the files that it refers to, each with its state before it was read.
    pub stamps: Vec<(PathBuf, FileStamp)>,
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
    /// The properties in its extensions and extras.
    pub(crate) marks: Marks,
}

/// The properties of a node that a file has in the node's extensions and extras.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Marks {
    /// The crop box.
    pub(crate) crop: Option<Bounds>,
    pub(crate) is_hidden: bool,
    pub(crate) is_locked: bool,
}

impl Marks {
    /// Returns the marks of a node of a scene.
    pub(crate) fn of(scene: &Scene, node: usize) -> Self {
        let has = |flag| scene.has_flag(node, flag);
        Self { crop: scene.crop_box(node), is_hidden: has(Flag::Hidden), is_locked: has(Flag::Locked) }
    }

    /// Gives these marks to a node of a scene.
    pub(crate) fn apply(self, scene: &mut Scene, node: usize) {
        scene.set_crop_box(node, self.crop);
        scene.set_flag(node, Flag::Hidden, self.is_hidden);
        scene.set_flag(node, Flag::Locked, self.is_locked);
    }
}

impl LoadedNode {
    /// Returns a node of a scene that was just read.
    pub(crate) fn of(scene: &Scene, node: usize, file_index: usize) -> Self {
        let Node { name, local, parent, .. } = &scene.nodes()[node];
        let marks = Marks::of(scene, node);
        Self { file_index, name: name.clone(), local: *local, parent: *parent, marks }
    }
}

impl Source {
    /// Returns the file that a scene was read from, or `None` if it was not read from a file.
    pub fn of(scene: &Scene) -> Option<&Self> {
        scene.source.as_deref()?.downcast_ref()
    }

    /// Returns the index in the file of a node of the scene, or `None` for a copy.
    pub fn file_index(&self, node: usize) -> Option<usize> {
        self.nodes.get(node).map(|node| node.file_index)
    }
}
