//! What is selected, and what the gizmo gets of it.

use crate::scene::Scene;
use wgpu_gizmo::Target;

/// Selected nodes, each once, in the order in which they were chosen: the last is the active one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selection(Vec<usize>);

impl Selection {
    /// These, each of which must be named once.
    pub(crate) fn of(nodes: &[usize]) -> Self {
        Self(nodes.to_vec())
    }

    /// Every node that can be pressed: the empty ones have nothing to press. What was active
    /// stays so.
    pub(crate) fn all(&self, scene: &Scene) -> Self {
        let can_be_pressed = |node: &usize| scene.nodes()[*node].mesh.is_some();
        let active = self.active().filter(can_be_pressed);
        let others = (0..scene.nodes().len()).filter(|node| Some(*node) != active).filter(can_be_pressed);
        Self(others.chain(active).collect())
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
        Self(nodes)
    }

    /// Writes what the gizmo is to move.
    pub(crate) fn targets(&self, scene: &Scene, targets: &mut Vec<Target>) {
        // The place in the list of each node that is in it; trees can be large, and so can this.
        let mut place_of = vec![None; if self.0.len() > 1 { scene.nodes().len() } else { 0 }];
        for (place, node) in self.0.iter().enumerate().take(place_of.len()) {
            place_of[*node] = Some(place);
        }
        targets.clear();
        targets.extend(self.0.iter().map(|node| Target {
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
        let scene = scene();
        let mut targets = Vec::new();
        let mut inside = |nodes: &[usize]| {
            Selection::of(nodes).targets(&scene, &mut targets);
            targets.iter().map(|target| target.inside).collect::<Vec<_>>()
        };
        assert_eq!(inside(&[2, 3, 0]), [Some(2), None, None]);
        assert_eq!(inside(&[0, 1, 2]), [None, Some(0), Some(1)]);
        assert_eq!(inside(&[2]), [None]);
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
}
