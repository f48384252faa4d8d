//! The scene: a tree of nodes, and the meshes that the nodes show.

mod copies;
mod error;
mod extents;
mod names;
mod pose;
mod version;
mod volumes;

pub use copies::CopyPair;
pub use error::SceneError;
pub use names::RenameError;
pub use version::Version;

use crate::bounds::Bounds;
use crate::flags::{FLAGS, Flag, Flags};
use crate::material::Look;
use crate::mesh::Mesh;
use crate::volume::NodeVolume;
use pose::PoseState;
use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;
use wgpu_gizmo_core::glam::{DMat4, DVec3};
use wgpu_gizmo_core::math::Transform;

/// One node of the tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// Name, unique among the nodes that are not deleted.
    pub name: String,
    /// Index of the parent.
    pub parent: Option<usize>,
    /// Indices of the children, in ascending order. [`Scene::new`] fills them in.
    pub children: Vec<usize>,
    /// Transform relative to the parent, exactly as it was loaded until the node is moved.
    pub local: Transform,
    /// Index into [`Scene::meshes`].
    pub mesh: Option<usize>,
    /// Index of the camera in [`Scene::volumes`], if the node has one.
    pub camera: Option<usize>,
    /// Index of the light in [`Scene::volumes`], if the node has one.
    pub light: Option<usize>,
    /// Index of the node that this is a copy of.
    pub copy_of: Option<usize>,
}

impl Node {
    /// Creates a node without children, mesh, camera and light.
    pub fn new(name: impl Into<String>, parent: Option<usize>, local: Transform) -> Self {
        let (children, mesh, camera, light, copy_of) = Default::default();
        Self { name: name.into(), parent, children, local, mesh, camera, light, copy_of }
    }
}

/// A forest of nodes. Every parent exists and no node is its own ancestor. Names are unique among the
/// nodes that are not deleted.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    nodes: Vec<Node>,
    /// Shared between clones of the scene.
    meshes: Arc<Vec<Arc<Mesh>>>,
    mesh_bounds: Vec<Option<Bounds>>,
    /// The extents of nodes whose box was changed, by node.
    extents: HashMap<usize, Bounds>,
    /// `world_from_node` for each node, kept up to date by [`Scene::set_local`].
    worlds: Vec<DMat4>,
    /// Number of moves so far, and the value of this counter at the last move of each node.
    moves: u64,
    moved_at: Vec<u64>,
    /// Index of the node with a name; if several have it, the one that is not deleted.
    by_name: HashMap<String, usize>,
    /// The cameras and lights; `None` for those that cannot be used.
    volumes: Vec<Option<NodeVolume>>,
    /// Materials and images of the meshes.
    pub look: Arc<Look>,
    /// The flags in the order of [`FLAGS`].
    flags: [Flags; FLAGS.len()],
    version: Version,
    pose: PoseState,
    /// One line for the user about features of the file that are not shown.
    pub notice: Option<String>,
    /// The file that the scene was read from, as its reader keeps it for saving.
    pub source: Option<Arc<dyn Any + Send + Sync>>,
    /// What a renderer has made of the scene in advance.
    pub uploaded: Option<Arc<dyn Any + Send + Sync>>,
}

impl Scene {
    /// Creates a scene. Checks the tree and fills in the children.
    pub fn new(nodes: Vec<Node>, meshes: Vec<Mesh>) -> Result<Self, SceneError> {
        Self::with_meshes(nodes, meshes.into_iter().map(Arc::new).collect())
    }

    /// Like [`Scene::new`], with meshes that are shared with another scene.
    pub fn with_meshes(mut nodes: Vec<Node>, meshes: Vec<Arc<Mesh>>) -> Result<Self, SceneError> {
        let mut by_name = HashMap::with_capacity(nodes.len());
        for (index, node) in nodes.iter_mut().enumerate() {
            node.children.clear();
            if by_name.insert(node.name.clone(), index).is_some() {
                return Err(SceneError { node: index, what: "has the same name as an earlier node" });
            }
        }
        for index in 0..nodes.len() {
            let Node { parent, mesh, .. } = nodes[index];
            if parent.is_some_and(|p| p >= nodes.len()) || mesh.is_some_and(|m| m >= meshes.len()) {
                return Err(SceneError {
                    node: index,
                    what: "refers to a parent or a mesh that does not exist",
                });
            }
            if let Some(parent) = parent {
                nodes[parent].children.push(index);
            }
        }
        let mesh_bounds = meshes.iter().map(|mesh| mesh.bounds()).collect();
        let worlds = vec![DMat4::NAN; nodes.len()];
        let flags = FLAGS.map(|_| Flags::none(nodes.len()));
        let moved_at = vec![u64::MAX; nodes.len()];
        let (meshes, version) = (Arc::new(meshes), Version::new());
        let mut scene =
            Self { nodes, meshes, mesh_bounds, worlds, moved_at, by_name, flags, version, ..Self::default() };
        for root in 0..scene.nodes.len() {
            if scene.nodes[root].parent.is_none() {
                scene.update_worlds(root);
            }
        }
        // A cycle and its descendants cannot be reached from a root, so walking up from one of them leads into the cycle.
        if let Some(mut node) = scene.moved_at.iter().position(|moved_at| *moved_at == u64::MAX) {
            for _ in 0..scene.nodes.len() {
                node = scene.nodes[node].parent.unwrap_or(node);
            }
            return Err(SceneError { node, what: "is its own ancestor" });
        }
        match scene.worlds.iter().position(|world| !world.is_finite()) {
            None => Ok(scene),
            Some(node) => Err(SceneError { node, what: "the world transform of this node overflows" }),
        }
    }

    /// Updates the world matrices of a subtree. Iterative, because trees can be deeper than the call stack.
    fn update_worlds(&mut self, top: usize) {
        let mut pending = vec![top];
        while let Some(index) = pending.pop() {
            self.worlds[index] = self.world_from_parent(index) * self.shown_local(index).to_matrix();
            self.moved_at[index] = self.moves;
            pending.extend(&self.nodes[index].children);
        }
        self.pose.moved();
    }

    /// Returns all nodes, including deleted ones. Parents do not have to come first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns all meshes. Several nodes can share one.
    pub fn meshes(&self) -> &[Arc<Mesh>] {
        &self.meshes
    }

    /// Sets the local transform of a node, which moves its descendants along.
    pub fn set_local(&mut self, node: usize, local: Transform) {
        self.nodes[node].local = local;
        self.moves += 1;
        self.update_worlds(node);
    }

    /// Returns a counter that increases with every move of a node.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the value of [`Scene::moves`] when the node or one of its ancestors was last moved.
    pub fn moved_at(&self, node: usize) -> u64 {
        self.moved_at[node]
    }

    /// Returns the version of the scene.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Reparents a node with its descendants, or makes it a root, and sets its local transform. Returns
    /// false and changes nothing if the node would become its own ancestor.
    pub fn reparent(&mut self, node: usize, parent: Option<usize>, local: Transform) -> bool {
        // A leaf has no descendants, so the ancestors of the parent do not matter.
        let is_leaf = self.nodes[node].children.is_empty();
        let is_descendant = |parent| if is_leaf { parent == node } else { self.is_in_subtree(parent, node) };
        if parent.is_some_and(is_descendant) {
            return false;
        }
        // Children are sorted by index, as in a new scene.
        if let Some(before) = self.nodes[node].parent {
            let children = &mut self.nodes[before].children;
            if let Ok(index) = children.binary_search(&node) {
                children.remove(index);
            }
        }
        if let Some(parent) = parent {
            let children = &mut self.nodes[parent].children;
            children.insert(children.partition_point(|child| *child < node), node);
        }
        self.nodes[node].parent = parent;
        self.version.arranged += 1;
        for flag in [Flag::Hidden, Flag::Locked, Flag::Deleted] {
            // Updates the inherited flag.
            self.set_flag(node, flag, self.has_flag(node, flag));
        }
        self.set_local(node, local);
        true
    }

    /// Reparents several nodes at once and keeps their local transforms. Returns false and changes nothing
    /// if a node would become its own ancestor.
    pub fn reparent_all(&mut self, changes: &[(usize, Option<usize>)]) -> bool {
        let before: Vec<_> = changes.iter().map(|(node, _)| (*node, self.nodes[*node].parent)).collect();
        let mut reparent = |changes: &[(usize, Option<usize>)]| {
            // Detaches all nodes first, so that no cycle can appear in between.
            let detached = changes.iter().map(|(node, _)| (*node, None));
            let mut all = detached.chain(changes.iter().copied());
            all.all(|(node, parent)| self.reparent(node, parent, self.nodes[node].local))
        };
        reparent(changes) || {
            let is_restored = reparent(&before);
            debug_assert!(is_restored, "the previous parents form a tree");
            false
        }
    }

    /// Returns true if `node` is `ancestor` or one of its descendants.
    pub fn is_in_subtree(&self, node: usize, ancestor: usize) -> bool {
        std::iter::successors(Some(node), |node| self.nodes[*node].parent).any(|node| node == ancestor)
    }

    /// Returns true if the flag was set on the node itself.
    pub fn has_flag(&self, node: usize, flag: Flag) -> bool {
        self.flags[flag as usize].own[node]
    }

    /// Returns true if the flag is set on the node or on one of its ancestors.
    pub fn is_flagged(&self, node: usize, flag: Flag) -> bool {
        self.flags[flag as usize].effective[node]
    }

    /// Sets or clears a flag of a node, which also affects its descendants.
    pub fn set_flag(&mut self, node: usize, flag: Flag, on: bool) {
        if flag == Flag::Deleted && self.has_flag(node, flag) != on {
            self.version.arranged += 1;
        }
        let nodes = &self.nodes;
        self.flags[flag as usize].set(node, on, |node| (nodes[node].parent, &nodes[node].children[..]));
        if flag == Flag::Deleted && self.exists(node) {
            self.register_names_below(node);
        }
    }

    /// Returns true if neither the node nor one of its ancestors is deleted.
    pub fn exists(&self, node: usize) -> bool {
        !self.is_flagged(node, Flag::Deleted)
    }

    /// Returns true if the node is neither hidden nor deleted.
    pub fn is_shown(&self, node: usize) -> bool {
        !self.is_flagged(node, Flag::Hidden) && self.exists(node)
    }

    /// Returns true if the pointer can pick the node: it is neither hidden nor locked nor deleted.
    pub fn is_pickable(&self, node: usize) -> bool {
        self.is_shown(node) && !self.is_flagged(node, Flag::Locked)
    }

    /// Returns the matrix from the space of the node to world space.
    pub fn world_from_node(&self, node: usize) -> DMat4 {
        self.worlds[node]
    }

    /// Returns the matrix from world space to the space of a parent, which is world space for `None`. Returns `None`
    /// if the matrix is not finite, or if the parent [is flat](Scene::is_flat).
    pub fn parent_from_world(&self, parent: Option<usize>) -> Option<DMat4> {
        let Some(parent) = parent else { return Some(DMat4::IDENTITY) };
        let parent_from_world = self.worlds[parent].inverse();
        (parent_from_world.is_finite() && !self.is_flat(parent)).then_some(parent_from_world)
    }

    /// Returns true if a scale from the root to the node is 0. The matrix to world space is singular then, but its
    /// determinant need not be 0, because products of rotations are rounded.
    pub fn is_flat(&self, node: usize) -> bool {
        self.path(node).any(|node| self.shown_local(node).scale.cmpeq(DVec3::ZERO).any())
    }

    /// Returns a node and its ancestors, the root last.
    pub(crate) fn path(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |node| self.nodes[*node].parent)
    }

    /// Returns the local transform that a node is shown with: that of the animation, or its own.
    pub fn shown_local(&self, node: usize) -> Transform {
        self.pose.local(node).unwrap_or(self.nodes[node].local)
    }

    /// Returns the matrix from the space of [`Node::local`] to world space.
    pub fn world_from_parent(&self, node: usize) -> DMat4 {
        self.nodes[node].parent.map_or(DMat4::IDENTITY, |parent| self.worlds[parent])
    }

    /// Returns the bounding box of the node's mesh in the space of the node.
    pub fn mesh_box(&self, node: usize) -> Option<Bounds> {
        self.nodes[node].mesh.and_then(|mesh| self.mesh_bounds[mesh])
    }

    /// Returns the bounding box of the node's mesh in world space.
    pub fn world_bounds(&self, node: usize) -> Option<Bounds> {
        self.mesh_box(node).map(|bounds| bounds.transformed(&self.worlds[node]))
    }

    /// Returns the bounding box of all nodes that are not deleted, in world space: of their meshes, or of their
    /// origins if none has a mesh.
    pub fn bounds(&self) -> Option<Bounds> {
        let kept = || (0..self.nodes.len()).filter(|node| self.exists(*node));
        let origins = || Bounds::of_points(kept().map(|node| self.worlds[node].w_axis.truncate()));
        kept().filter_map(|node| self.world_bounds(node)).reduce(Bounds::union).or_else(origins)
    }
}

#[cfg(test)]
pub(crate) mod tests;
