//! The selection, and the targets that the gizmo gets from it.

use crate::Scene;
use std::collections::HashSet;
use std::sync::Arc;
use wgpu_gizmo_core::Target;

/// The way a click or a region changes the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SelectMode {
    /// Select only these nodes.
    #[default]
    Replace,
    /// Add these nodes. A click on a selected node removes it instead.
    Add,
    /// Remove these nodes.
    Remove,
}

impl SelectMode {
    /// Returns the mode for the modifier keys that are held.
    pub fn of(shift: bool, ctrl: bool) -> Self {
        match (shift, ctrl) {
            (_, true) => Self::Remove,
            (true, false) => Self::Add,
            (false, false) => Self::Replace,
        }
    }
}

/// The selected nodes, without duplicates, in the order in which they were selected; the last one is
/// the active node. Clones share the list, so that comparing them is cheap.
#[derive(Debug, Clone, Default)]
pub struct Selection(Arc<Vec<usize>>);

impl PartialEq for Selection {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Selection {}

impl FromIterator<usize> for Selection {
    fn from_iter<I: IntoIterator<Item = usize>>(nodes: I) -> Self {
        Self(Arc::new(nodes.into_iter().collect()))
    }
}

impl Selection {
    /// Creates a selection of these nodes, which must be distinct.
    pub fn of(nodes: &[usize]) -> Self {
        Self(Arc::new(nodes.to_vec()))
    }

    /// Selects every node with a mesh that is neither hidden nor locked. Recordings contain the command, so cameras
    /// and lights are left out even where their icons can be clicked. The active node stays active.
    pub fn all(&self, scene: &Scene) -> Self {
        let can_be_pressed = |node: &usize| scene.nodes()[*node].mesh.is_some() && scene.is_pickable(*node);
        let active = self.active().filter(can_be_pressed);
        let others = (0..scene.nodes().len()).filter(|node| Some(*node) != active).filter(can_be_pressed);
        others.chain(active).collect()
    }

    /// Returns all nodes that could be pressed and are not selected.
    pub fn inverse(&self, scene: &Scene) -> Self {
        let selected: HashSet<_> = self.0.iter().copied().collect();
        self.all(scene).retain(|node| !selected.contains(&node))
    }

    /// Returns the nodes, the active one last.
    pub fn nodes(&self) -> &[usize] {
        &self.0
    }

    /// Returns the node that was selected last.
    pub fn active(&self) -> Option<usize> {
        self.0.last().copied()
    }

    /// Returns the selection without the nodes that `is_among` rejects.
    #[must_use]
    pub fn retain(&self, is_among: impl Fn(usize) -> bool) -> Self {
        self.0.iter().copied().filter(|node| is_among(*node)).collect()
    }

    /// Returns the selection with this node as the active one.
    #[must_use]
    pub fn activated(&self, node: usize) -> Self {
        let others = self.0.iter().copied().filter(|other| *other != node);
        others.chain([node]).collect()
    }

    /// Returns the selection after a click on a node.
    #[must_use]
    pub fn clicked(&self, node: usize, mode: SelectMode) -> Self {
        match mode {
            SelectMode::Replace => Self::of(&[node]),
            SelectMode::Add if self.0.contains(&node) => self.retain(|other| other != node),
            SelectMode::Add => self.activated(node),
            SelectMode::Remove => self.with(&[node], mode),
        }
    }

    /// Returns the selection after a box or lasso that contains these nodes. An empty region does not
    /// deselect; a click on nothing does. The active node stays active while it is selected.
    #[must_use]
    pub fn with(&self, found: &[usize], mode: SelectMode) -> Self {
        let known: HashSet<usize> = found.iter().copied().collect();
        let others = self.0.iter().copied().filter(|node| !known.contains(node));
        let mut nodes: Vec<usize> = match mode {
            SelectMode::Replace if found.is_empty() => others.collect(),
            SelectMode::Replace => found.to_vec(),
            SelectMode::Add => others.chain(found.iter().copied()).collect(),
            SelectMode::Remove => others.collect(),
        };
        let active = nodes.iter().position(|node| Some(*node) == self.active());
        if let Some(active) = active {
            nodes[active..].rotate_left(1);
        }
        Self(Arc::new(nodes))
    }

    /// Writes the nodes that the gizmo moves, which are neither hidden nor locked, and their targets.
    pub fn targets(&self, scene: &Scene, moved: &mut Vec<usize>, targets: &mut Vec<Target>) {
        moved.clear();
        moved.extend(self.0.iter().copied().filter(|node| scene.is_pickable(*node)));
        // The index in `moved` by node. A flat list, because trees and selections can be large.
        let mut index_of = vec![None; if moved.len() > 1 { scene.nodes().len() } else { 0 }];
        for (index, node) in moved.iter().enumerate().take(index_of.len()) {
            index_of[*node] = Some(index);
        }
        targets.clear();
        targets.extend(moved.iter().map(|node| {
            let mut target = Target::new(scene.nodes()[*node].local, scene.world_from_parent(*node))
                .with_key(*node as u64);
            target.bounds_local = scene.extents(*node).map(|bounds| [bounds.min, bounds.max]);
            target.inside = nearest_above(scene, *node, &index_of);
            target
        }));
    }
}

/// Returns the index of the nearest ancestor that has one.
fn nearest_above(scene: &Scene, node: usize, index_of: &[Option<usize>]) -> Option<usize> {
    if index_of.is_empty() {
        return None;
    }
    let up = |node: &usize| scene.nodes()[*node].parent;
    std::iter::successors(up(&node), up).find_map(|above| index_of[above])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flag;
    use crate::{Node, shapes};
    use wgpu_gizmo_core::Transform;

    #[test]
    fn select_all_keeps_active_node_unless_hidden() {
        let node = |name| Node { mesh: Some(0), ..Node::new(name, None, Transform::IDENTITY) };
        let nodes = ["a", "b", "c"].map(node).into();
        let mut scene = Scene::new(nodes, vec![shapes::cube()]).expect("the nodes form a tree");
        let selection = Selection::of(&[2, 1]);
        assert_eq!(selection.all(&scene).nodes(), [0, 2, 1]);
        assert_eq!(selection.inverse(&scene).nodes(), [0]);
        scene.set_flag(1, Flag::Hidden, true);
        assert_eq!(selection.all(&scene).nodes(), [0, 2]);
    }
}
