//! The tree of nodes that is shown and moved, and the meshes that hang on it.

mod changes;
mod copies;
mod names;

pub(crate) use changes::NodeChanges;
pub(crate) use copies::Copied;
pub(crate) use names::RenameError;

use crate::bounds::Bounds;
use crate::flags::{FLAGS, Flag, Flags};
use crate::gltf_file::Source;
use crate::lens::Lens;
use crate::material::Look;
use crate::mesh::Mesh;
use changes::Reports;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::math::Transform;

/// One node of the tree.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Unique among those that are there.
    pub(crate) name: String,
    /// Index of the node it hangs on.
    pub(crate) parent: Option<usize>,
    /// Indices of the nodes that hang on it; [`Scene::new`] fills them in.
    pub(crate) children: Vec<usize>,
    /// Relative to the parent, exactly as loaded until moved.
    pub(crate) local: Transform,
    /// Index into [`Scene::meshes`].
    pub(crate) mesh: Option<usize>,
    /// How it sees, if it is a camera.
    pub(crate) lens: Option<Lens>,
    /// The node that it is a copy of.
    pub(crate) copy_of: Option<usize>,
}

impl Node {
    /// A node with nothing hanging on it yet.
    pub(crate) fn new(name: impl Into<String>, parent: Option<usize>, local: Transform) -> Self {
        Self { name: name.into(), parent, children: Vec::new(), local, mesh: None, lens: None, copy_of: None }
    }
}

/// Tells one scene from another, and from itself before a node was renamed or hung elsewhere, came
/// or went. Transforms and eyes and locks do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Version {
    scene: u64,
    renamed: u64,
    arranged: u64,
}

impl Version {
    /// Of a scene that is like no other.
    fn new() -> Self {
        static SCENES: AtomicU64 = AtomicU64::new(1);
        Self { scene: SCENES.fetch_add(1, Ordering::Relaxed), renamed: 0, arranged: 0 }
    }

    /// Whether both have the same nodes, under whatever names and wherever they hang.
    pub(crate) fn is_same_tree(self, other: Self) -> bool {
        self.scene == other.scene
    }

    /// Whether all nodes of both hang where they do in the other.
    pub(crate) fn is_same_arrangement(self, other: Self) -> bool {
        self.is_same_tree(other) && self.arranged == other.arranged
    }
}

/// A forest of nodes. Every parent is there, none is its own ancestor; names are unique among the nodes
/// that are there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    nodes: Vec<Node>,
    /// Shared by the scene's copies.
    meshes: Arc<Vec<Mesh>>,
    mesh_bounds: Vec<Option<Bounds>>,
    /// `world_from_node` of every node, kept up to date by [`Scene::set_local`].
    worlds: Vec<DMat4>,
    /// How often nodes were moved, and as of which of these times each node is where it is.
    moves: u64,
    moved_at: Vec<u64>,
    /// Of several with one name, the one that is there.
    by_name: HashMap<String, usize>,
    /// What the meshes' parts are made of.
    pub(crate) look: Arc<Look>,
    hidden: Flags,
    locked: Flags,
    deleted: Flags,
    version: Version,
    reports: Reports,
    /// What the file has and the scene does not show, as one line for the person.
    pub(crate) notice: Option<String>,
    /// The file that it was read from.
    pub(crate) source: Option<Arc<Source>>,
}

/// Why nodes do not make a scene. The number is the node's index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SceneError {
    /// A parent's or mesh's index is past the end.
    #[error("refers to a parent or a mesh that is not there")]
    NotThere(usize),
    /// The node is its own ancestor.
    #[error("is its own ancestor")]
    Loop(usize),
    /// An earlier node has the same name.
    #[error("has the name of an earlier node")]
    SameName(usize),
    /// Multiplying the transforms down to this node overflows.
    #[error("the transforms down to this node overflow")]
    NotFinite(usize),
}

impl SceneError {
    /// The node in question.
    pub(crate) fn node(self) -> usize {
        match self {
            Self::NotThere(node) | Self::Loop(node) | Self::SameName(node) | Self::NotFinite(node) => node,
        }
    }
}

impl Scene {
    /// Checks the tree and fills in the children.
    pub(crate) fn new(mut nodes: Vec<Node>, meshes: Vec<Mesh>) -> Result<Self, SceneError> {
        let mut by_name = HashMap::with_capacity(nodes.len());
        for (index, node) in nodes.iter_mut().enumerate() {
            node.children.clear();
            if by_name.insert(node.name.clone(), index).is_some() {
                return Err(SceneError::SameName(index));
            }
        }
        for index in 0..nodes.len() {
            let Node { parent, mesh, .. } = nodes[index];
            if parent.is_some_and(|p| p >= nodes.len()) || mesh.is_some_and(|m| m >= meshes.len()) {
                return Err(SceneError::NotThere(index));
            }
            if let Some(parent) = parent {
                nodes[parent].children.push(index);
            }
        }
        let mesh_bounds = meshes.iter().map(Mesh::bounds).collect();
        let worlds = vec![DMat4::NAN; nodes.len()];
        let [hidden, locked, deleted] = [(); 3].map(|()| Flags::none(nodes.len()));
        let moved_at = vec![0; nodes.len()];
        let mut scene = Self {
            nodes,
            meshes: Arc::new(meshes),
            mesh_bounds,
            worlds,
            moves: 0,
            moved_at,
            by_name,
            hidden,
            locked,
            deleted,
            version: Version::new(),
            reports: Reports::default(),
            look: Arc::default(),
            notice: None,
            source: None,
        };
        let mut reached = 0;
        for root in 0..scene.nodes.len() {
            if scene.nodes[root].parent.is_none() {
                reached += scene.update_worlds(root);
            }
        }
        let odd = || scene.worlds.iter().position(|world| !world.is_finite()).unwrap_or(0);
        match reached {
            // No root leads to a loop, so its matrices were never written.
            few if few < scene.nodes.len() => Err(SceneError::Loop(scene.node_in_loop())),
            _ if scene.worlds.iter().all(DMat4::is_finite) => Ok(scene),
            _ => Err(SceneError::NotFinite(odd())),
        }
    }

    /// A node of a loop, given that there is one. All of its nodes have parents.
    fn node_in_loop(&self) -> usize {
        let mut reached = vec![false; self.nodes.len()];
        let mut rest: Vec<usize> =
            (0..self.nodes.len()).filter(|&i| self.nodes[i].parent.is_none()).collect();
        while let Some(node) = rest.pop() {
            reached[node] = true;
            rest.extend(&self.nodes[node].children);
        }
        // The unreached ones are loops and what hangs on them; upwards leads into the loop.
        let mut node = reached.iter().position(|reached| !reached).unwrap_or(0);
        for _ in 0..self.nodes.len() {
            node = self.nodes[node].parent.unwrap_or(node);
        }
        node
    }

    /// Multiplies down from `top`; answers with how many nodes that were. A loop of its own
    /// rather than recursion: trees can be deeper than the stack.
    fn update_worlds(&mut self, top: usize) -> usize {
        let mut rest = vec![top];
        let mut count = 0;
        while let Some(index) = rest.pop() {
            count += 1;
            self.worlds[index] = self.world_from_parent(index) * self.nodes[index].local.to_matrix();
            self.moved_at[index] = self.moves;
            rest.extend(&self.nodes[index].children);
        }
        count
    }

    /// All nodes; parents need not come first.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All meshes; several nodes can show one.
    pub(crate) fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// Moves a node, and with it all that hangs on it.
    pub(crate) fn set_local(&mut self, node: usize, local: Transform) {
        let before = std::mem::replace(&mut self.nodes[node].local, local);
        if before != local {
            self.reports.moved(node, &before);
        }
        self.moves += 1;
        self.update_worlds(node);
    }

    /// What nodes have become since the last call.
    pub(crate) fn take_changes(&mut self) -> NodeChanges {
        self.reports.take()
    }

    /// Grows whenever a node is moved.
    pub(crate) fn moves(&self) -> u64 {
        self.moves
    }

    /// What [`Scene::moves`] was when a node, or what it hangs on, was moved last.
    pub(crate) fn moved_at(&self, node: usize) -> u64 {
        self.moved_at[node]
    }

    /// Another one for another scene, and after a node was renamed.
    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// Hangs a node, with all that hangs on it, on another one or on none, and gives it a local
    /// transform there. `false`, and nothing changes, where it would be its own ancestor.
    pub(crate) fn hang(&mut self, node: usize, parent: Option<usize>, local: Transform) -> bool {
        // Nothing hangs on a leaf, however far down the parent is.
        let is_leaf = self.nodes[node].children.is_empty();
        let is_below = |parent| if is_leaf { parent == node } else { self.hangs_on(parent, node) };
        if parent.is_some_and(is_below) {
            return false;
        }
        // Children stand in the order of their indices, as when the scene was made.
        if let Some(before) = self.nodes[node].parent {
            let children = &mut self.nodes[before].children;
            if let Ok(place) = children.binary_search(&node) {
                children.remove(place);
            }
        }
        if let Some(parent) = parent {
            let children = &mut self.nodes[parent].children;
            children.insert(children.partition_point(|child| *child < node), node);
        }
        let before = std::mem::replace(&mut self.nodes[node].parent, parent);
        if before != parent {
            self.reports.hung(node, before);
        }
        self.version.arranged += 1;
        for flag in [Flag::Hidden, Flag::Locked, Flag::Deleted] {
            // It may be so by what it hangs on.
            self.set_flag(node, flag, self.has_flag(node, flag));
        }
        self.set_local(node, local);
        true
    }

    /// Hangs nodes on others or on none, all at once; their local transforms stay. `false`, and
    /// nothing changes, where one would be its own ancestor.
    pub(crate) fn hang_all(&mut self, hangs: &[(usize, Option<usize>)]) -> bool {
        let before: Vec<_> = hangs.iter().map(|(node, _)| (*node, self.nodes[*node].parent)).collect();
        let mut hang = |hangs: &[(usize, Option<usize>)]| {
            // What would be a loop half way is none where all have been taken off first.
            let off = hangs.iter().map(|(node, _)| (*node, None));
            let mut all = off.chain(hangs.iter().copied());
            all.all(|(node, parent)| self.hang(node, parent, self.nodes[node].local))
        };
        hang(hangs) || {
            let is_back = hang(&before);
            debug_assert!(is_back, "it was a tree before");
            false
        }
    }

    /// Whether a node is this one or hangs on it, however far above.
    pub(crate) fn hangs_on(&self, node: usize, above: usize) -> bool {
        std::iter::successors(Some(node), |node| self.nodes[*node].parent).any(|node| node == above)
    }

    fn flags(&self, flag: Flag) -> &Flags {
        match flag {
            Flag::Hidden => &self.hidden,
            Flag::Locked => &self.locked,
            Flag::Deleted => &self.deleted,
        }
    }

    /// Whether the node itself was hidden, locked or deleted.
    pub(crate) fn has_flag(&self, node: usize, flag: Flag) -> bool {
        self.flags(flag).has(node)
    }

    /// Whether the node is hidden, locked or deleted, by itself or by one above it.
    pub(crate) fn is_flagged(&self, node: usize, flag: Flag) -> bool {
        self.flags(flag).reaches(node)
    }

    /// Hides, shows, locks, unlocks, deletes or brings back a node, and with it what hangs on it.
    pub(crate) fn set_flag(&mut self, node: usize, flag: Flag, on: bool) {
        if flag == Flag::Deleted && self.deleted.has(node) != on {
            self.version.arranged += 1;
        }
        if self.has_flag(node, flag) != on {
            let before = FLAGS.map(|flag| self.has_flag(node, flag));
            self.reports.flagged(node, before);
        }
        let Self { nodes, hidden, locked, deleted, .. } = self;
        let flags = match flag {
            Flag::Hidden => hidden,
            Flag::Locked => locked,
            Flag::Deleted => deleted,
        };
        flags.set(node, on, |node| (nodes[node].parent, &nodes[node].children[..]));
        if flag == Flag::Deleted && self.is_there(node) {
            self.claim_below(node);
        }
    }

    /// Whether the node has not been deleted.
    pub(crate) fn is_there(&self, node: usize) -> bool {
        !self.deleted.reaches(node)
    }

    /// Whether the node can be seen, as far as its flags go.
    pub(crate) fn is_shown(&self, node: usize) -> bool {
        !self.hidden.reaches(node) && self.is_there(node)
    }

    /// Whether the pointer can take the node: it is neither hidden nor locked.
    pub(crate) fn is_free(&self, node: usize) -> bool {
        self.is_shown(node) && !self.locked.reaches(node)
    }

    /// World space from the node's own.
    pub(crate) fn world_from_node(&self, node: usize) -> DMat4 {
        self.worlds[node]
    }

    /// World space from the space that [`Node::local`] is given in.
    pub(crate) fn world_from_parent(&self, node: usize) -> DMat4 {
        self.nodes[node].parent.map_or(DMat4::IDENTITY, |parent| self.worlds[parent])
    }

    /// Round the node's own mesh, in its own space.
    pub(crate) fn local_bounds(&self, node: usize) -> Option<Bounds> {
        self.nodes[node].mesh.and_then(|mesh| self.mesh_bounds[mesh])
    }

    /// Round the node's own mesh, in world space.
    pub(crate) fn world_bounds(&self, node: usize) -> Option<Bounds> {
        self.local_bounds(node).map(|bounds| bounds.transformed(&self.worlds[node]))
    }

    /// Round everything that is shown, in world space.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let there = (0..self.nodes.len()).filter(|node| self.is_there(*node));
        there.filter_map(|node| self.world_bounds(node)).reduce(Bounds::union)
    }

    /// Each node with how deep it stands (roots at 0), parents before their children.
    #[cfg(test)]
    pub(crate) fn outline(&self) -> Vec<(usize, usize)> {
        let roots = (0..self.nodes.len()).rev().filter(|&node| self.nodes[node].parent.is_none());
        let mut rest: Vec<(usize, usize)> = roots.map(|node| (node, 0)).collect();
        let mut outline = Vec::with_capacity(self.nodes.len());
        while let Some((node, depth)) = rest.pop() {
            outline.push((node, depth));
            rest.extend(self.nodes[node].children.iter().rev().map(|&child| (child, depth + 1)));
        }
        outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::glam::{DQuat, DVec3};

    fn moved(x: f64) -> Transform {
        Transform { translation: DVec3::new(x, 0.0, 0.0), ..Transform::IDENTITY }
    }

    #[test]
    fn a_moved_parent_takes_its_children_along() {
        let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let top = Transform { rotation: quarter, scale: DVec3::splat(2.0), ..moved(1.0) };
        let nodes = vec![Node::new("leaf", Some(1), moved(3.0)), Node::new("top", None, top)];
        let mut scene = Scene::new(nodes, Vec::new()).expect("a tree");
        let leaf = |scene: &Scene| scene.world_from_node(0).w_axis.truncate();
        assert!(leaf(&scene).abs_diff_eq(DVec3::new(1.0, 0.0, -6.0), 1e-12));
        scene.set_local(1, moved(10.0));
        assert_eq!(leaf(&scene), DVec3::new(13.0, 0.0, 0.0));
        assert_eq!(scene.world_from_parent(0), scene.world_from_node(1));
        assert_eq!(scene.find("leaf"), Some(0));
        assert_eq!(scene.outline(), [(1, 0), (0, 1)]);
    }

    #[test]
    fn what_hangs_on_a_hidden_or_locked_node_is_so_too() {
        let node = |name: &str, parent| Node::new(name, parent, Transform::IDENTITY);
        let nodes = vec![node("c", Some(1)), node("b", Some(2)), node("a", None), node("d", None)];
        let mut scene = Scene::new(nodes, Vec::new()).expect("a tree");
        let shown = |scene: &Scene| (0..4).map(|node| scene.is_shown(node)).collect::<Vec<_>>();
        scene.set_flag(2, Flag::Hidden, true);
        assert_eq!(shown(&scene), [false, false, false, true]);
        scene.set_flag(1, Flag::Hidden, true);
        scene.set_flag(2, Flag::Hidden, false);
        assert_eq!(shown(&scene), [false, false, true, true], "b was hidden by itself as well");
        assert!(!scene.has_flag(0, Flag::Hidden) && scene.has_flag(1, Flag::Hidden));
        scene.set_flag(1, Flag::Hidden, false);
        assert_eq!(shown(&scene), [true; 4]);
        scene.set_flag(1, Flag::Locked, true);
        assert_eq!((0..4).filter(|node| scene.is_free(*node)).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn what_is_not_a_tree_is_refused_with_the_node() {
        let node = |name: &str, parent| Node::new(name, parent, Transform::IDENTITY);
        let build = |nodes| Scene::new(nodes, Vec::new()).expect_err("no tree");
        let looped = vec![node("r", None), node("tail", Some(2)), node("a", Some(3)), node("b", Some(2))];
        assert!(matches!(build(looped), SceneError::Loop(2 | 3)));
        assert_eq!(build(vec![node("a", Some(0))]), SceneError::Loop(0));
        assert_eq!(build(vec![node("a", Some(7))]), SceneError::NotThere(0));
        assert_eq!(build(vec![node("a", None), node("a", None)]), SceneError::SameName(1));
        let huge = Transform { scale: DVec3::splat(1e200), ..Transform::IDENTITY };
        let nodes = vec![Node::new("a", None, huge), Node::new("b", Some(0), huge)];
        assert_eq!(build(nodes), SceneError::NotFinite(1));
    }

    #[test]
    fn a_tree_deeper_than_the_stack_is_fine() {
        let node = |i: usize| Node::new(format!("n{i}"), i.checked_sub(1), moved(1.0));
        let mut scene = Scene::new((0..100_000).map(node).collect(), Vec::new()).expect("a tree");
        scene.set_local(0, moved(2.0));
        assert_eq!(scene.world_from_node(99_999).w_axis.x, 100_001.0);
        assert_eq!(scene.outline().len(), 100_000);
    }
}
