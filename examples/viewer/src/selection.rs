//! What is selected, and what the gizmo gets of it.

use crate::scene::Scene;
use std::collections::HashSet;
use std::sync::Arc;
use wgpu_gizmo::Target;

/// What becomes of the nodes that were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum How {
    /// They and no others are selected.
    #[default]
    Replace,
    /// They come to those that are selected; a click on one that is takes it out.
    Add,
    /// They are selected no longer.
    TakeAway,
}

impl How {
    /// As held keys have it.
    pub(crate) fn of(shift: bool, ctrl: bool) -> Self {
        match (shift, ctrl) {
            (_, true) => Self::TakeAway,
            (true, false) => Self::Add,
            (false, false) => Self::Replace,
        }
    }
}

/// Selected nodes, each once, in the order in which they were chosen: the last is the active one.
/// Copies share the list, and are the same without a look at it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection(Arc<Vec<usize>>);

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
    /// These, each of which must be named once.
    pub(crate) fn of(nodes: &[usize]) -> Self {
        Self(Arc::new(nodes.to_vec()))
    }

    /// Every node that can be pressed: the empty ones have nothing to press, and hidden and locked
    /// ones the pointer leaves alone. What was active
    /// stays so.
    pub(crate) fn all(&self, scene: &Scene) -> Self {
        let can_be_pressed = |node: &usize| scene.nodes()[*node].mesh.is_some() && scene.is_free(*node);
        let active = self.active().filter(can_be_pressed);
        let others = (0..scene.nodes().len()).filter(|node| Some(*node) != active).filter(can_be_pressed);
        others.chain(active).collect()
    }

    /// The nodes, the active one last.
    pub(crate) fn nodes(&self) -> &[usize] {
        &self.0
    }

    /// The node that was chosen last.
    pub(crate) fn active(&self) -> Option<usize> {
        self.0.last().copied()
    }

    /// The same with this node too, as the active one; or without it, where it is in it.
    #[must_use]
    pub(crate) fn toggled(&self, node: usize) -> Self {
        let mut nodes: Vec<usize> = self.0.iter().copied().filter(|other| *other != node).collect();
        if nodes.len() == self.0.len() {
            nodes.push(node);
        }
        Self(Arc::new(nodes))
    }

    /// The same without the nodes that are not among those.
    #[must_use]
    pub(crate) fn retain(&self, is_among: impl Fn(usize) -> bool) -> Self {
        self.0.iter().copied().filter(|node| is_among(*node)).collect()
    }

    /// The same with this node as the active one, which must be in it.
    #[must_use]
    pub(crate) fn activated(&self, node: usize) -> Self {
        let others = self.0.iter().copied().filter(|other| *other != node);
        others.chain([node]).collect()
    }

    /// What a click on a node makes of it.
    #[must_use]
    pub(crate) fn clicked(&self, node: usize, how: How) -> Self {
        match how {
            How::Replace => Self::of(&[node]),
            How::Add => self.toggled(node),
            How::TakeAway => self.with(&[node], how),
        }
    }

    /// What a region makes of it that holds these nodes; one of none changes nothing: to deselect
    /// all, one clicks. The active node stays so while it is selected.
    #[must_use]
    pub(crate) fn with(&self, found: &[usize], how: How) -> Self {
        let known: HashSet<usize> = found.iter().copied().collect();
        let others = self.0.iter().copied().filter(|node| !known.contains(node));
        let mut nodes: Vec<usize> = match how {
            How::Replace if found.is_empty() => others.collect(),
            How::Replace => found.to_vec(),
            How::Add => others.chain(found.iter().copied()).collect(),
            How::TakeAway => others.collect(),
        };
        let active = nodes.iter().position(|node| Some(*node) == self.active());
        if let Some(active) = active {
            nodes[active..].rotate_left(1);
        }
        Self(Arc::new(nodes))
    }

    /// Writes what the gizmo is to move, and which nodes those are: all but the hidden and the
    /// locked.
    pub(crate) fn targets(&self, scene: &Scene, moved: &mut Vec<usize>, targets: &mut Vec<Target>) {
        moved.clear();
        moved.extend(self.0.iter().copied().filter(|node| scene.is_free(*node)));
        // The place in the list of each node that is in it; trees can be large, and so can this.
        let mut place_of = vec![None; if moved.len() > 1 { scene.nodes().len() } else { 0 }];
        for (place, node) in moved.iter().enumerate().take(place_of.len()) {
            place_of[*node] = Some(place);
        }
        targets.clear();
        targets.extend(moved.iter().map(|node| Target {
            bounds_local: scene.local_bounds(*node).map(|bounds| [bounds.min, bounds.max]),
            inside: nearest_above(scene, *node, &place_of),
            ..Target::new(scene.nodes()[*node].local, scene.world_from_parent(*node))
        }));
    }
}

/// The place of the first node on the way up that has one.
fn nearest_above(scene: &Scene, node: usize, place_of: &[Option<usize>]) -> Option<usize> {
    if place_of.is_empty() {
        return None;
    }
    let up = |node: &usize| scene.nodes()[*node].parent;
    std::iter::successors(up(&node), up).find_map(|above| place_of[above])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flag;
    use crate::scene::Node;
    use crate::shapes;
    use wgpu_gizmo::Transform;

    fn scene() -> Scene {
        let node = |name: &str, parent, mesh| Node { mesh, ..Node::new(name, parent, Transform::IDENTITY) };
        let nodes = vec![
            node("top", None, Some(0)),
            node("between", Some(0), None),
            node("below", Some(1), Some(0)),
            node("beside", None, Some(0)),
        ];
        Scene::new(nodes, vec![shapes::cube()]).expect("a tree")
    }

    #[test]
    fn a_target_is_inside_the_nearest_selected_node_above_it() {
        let mut scene = scene();
        let (mut moved, mut targets) = (Vec::new(), Vec::new());
        let mut inside = |scene: &Scene, nodes: &[usize]| {
            Selection::of(nodes).targets(scene, &mut moved, &mut targets);
            targets.iter().map(|target| target.inside).collect::<Vec<_>>()
        };
        assert_eq!(inside(&scene, &[2, 3, 0]), [Some(2), None, None]);
        assert_eq!(inside(&scene, &[0, 1, 2]), [None, Some(0), Some(1)]);
        scene.set_flag(3, Flag::Locked, true);
        assert_eq!(inside(&scene, &[3, 0, 2]), [None, Some(0)], "what is locked is no target");
        assert_eq!(inside(&scene, &[2]), [None]);
        assert_eq!(targets[0].bounds_local.map(|[low, high]| (high - low).x), Some(1.0));
    }

    #[test]
    fn what_is_toggled_is_the_active_one_or_gone() {
        let selection = Selection::of(&[3, 0]);
        assert_eq!(selection.toggled(2), Selection::of(&[3, 0, 2]));
        assert_eq!(selection.toggled(3), Selection::of(&[0]));
        assert_eq!(selection.all(&scene()), Selection::of(&[2, 3, 0]), "the empty one is not to be seen");
        assert_eq!(Selection::default().all(&scene()), Selection::of(&[0, 2, 3]));
    }

    #[test]
    fn a_region_adds_or_takes_away_and_the_active_node_stays_so_while_it_can() {
        let selection = Selection::of(&[3, 0]);
        assert_eq!(selection.with(&[0, 2, 3], How::Replace), Selection::of(&[2, 3, 0]));
        assert_eq!(selection.with(&[1, 2], How::Replace), Selection::of(&[1, 2]));
        assert_eq!(selection.with(&[1, 3], How::Add), Selection::of(&[1, 3, 0]));
        assert_eq!(Selection::default().with(&[1, 3], How::Add), Selection::of(&[1, 3]));
        assert_eq!(selection.with(&[0, 1], How::TakeAway), Selection::of(&[3]));
        assert_eq!(selection.with(&[], How::Replace), selection);
        assert_eq!(selection.clicked(3, How::TakeAway), Selection::of(&[0]));
        assert_eq!(selection.clicked(2, How::TakeAway), selection);
    }
}
