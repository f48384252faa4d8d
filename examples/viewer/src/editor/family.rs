//! What hangs on what: nodes that are hung elsewhere and stay where they are in the world, and
//! nodes that are deleted.

use super::Editor;
use crate::flags::Flag;
use crate::history::{Change, Reparented, Step};
use crate::labels;
use crate::replay_file::ParentEdit;
use wgpu_gizmo::glam::{DMat3, DMat4};
use wgpu_gizmo::interaction::ShearPolicy;
use wgpu_gizmo::{Transform, View};

/// What is lost of a node's shape below this is rounding: a part of the shape.
const ROUNDING: f64 = 1e-9;

impl Editor {
    /// Hangs what is selected on the active node, in place. What hangs on a selected node goes
    /// along with it.
    pub(super) fn hang_on_active(&mut self) {
        match (self.selection.active(), self.selection.nodes().len()) {
            (Some(active), 2..) => self.reparent(Some(active)),
            _ => self.message = Some("Select the children, and last their new parent".to_owned()),
        }
    }

    /// Takes what is selected off what it hangs on, in place.
    pub(super) fn hang_on_none(&mut self) {
        self.reparent(None);
    }

    /// Hangs the selected nodes that are not locked on `parent`, or on nothing: one step. In the
    /// world each stays where it is, as far as a translation, rotation and scale can say it there;
    /// a message says how far not. What cannot be done changes nothing and says why. Not in a drag.
    pub(crate) fn reparent(&mut self, parent: Option<usize>) {
        if self.gizmo.is_active() {
            return;
        }
        self.settle();
        let mut nodes = self.tops(parent);
        nodes.retain(|node| self.scene.nodes()[*node].parent != parent);
        let name_of = |node: usize| self.scene.nodes()[node].name.as_str();
        if let Some(parent) = parent
            && let Some(node) = nodes.iter().find(|node| self.scene.is_in_subtree(parent, **node))
        {
            let (parent, node) = (name_of(parent), name_of(*node));
            self.message = Some(format!("{parent} is below {node}, so it cannot be its parent"));
            return;
        }
        let world_from_parent = parent.map_or(DMat4::IDENTITY, |parent| self.scene.world_from_node(parent));
        let mut hung = Vec::new();
        let mut worst = (0.0, None);
        for node in nodes {
            let before = (self.scene.nodes()[node].parent, self.scene.nodes()[node].local);
            let world = self.scene.world_from_node(node);
            let Some(local) = fitted(world_from_parent, world, self.scene.world_from_parent(node), &before.1)
            else {
                let name = name_of(node);
                self.message =
                    Some(format!("{name} cannot stay where it is there: a scale of 0 is in the way"));
                return;
            };
            let lost = lost(world, world_from_parent * local.to_matrix());
            if lost > worst.0 {
                worst = (lost, Some(node));
            }
            hung.push(Reparented { node, before, after: (parent, local) });
        }
        if hung.is_empty() {
            self.message = Some("All that is selected and not locked has that parent already".to_owned());
            return;
        }
        let sheared = worst.1.filter(|_| worst.0 > ROUNDING).map(name_of);
        let remark = sheared.map(|name| {
            format!("{name} would be sheared there: {:.1} % of its shape is lost", 100.0 * worst.0)
        });
        if remark.is_some() && self.gizmo.settings.shear == ShearPolicy::Reject {
            self.message = remark.map(|remark| format!("{remark}, which the rule for uneven scales forbids"));
            return;
        }
        for Reparented { node, after: (parent, local), .. } in &hung {
            let is_hung = self.scene.reparent(*node, *parent, *local);
            debug_assert!(is_hung, "loops were looked for");
        }
        let nodes: Vec<usize> = hung.iter().map(|hung| hung.node).collect();
        let what = labels::nodes(&self.scene, &nodes);
        let name = match parent {
            Some(parent) => format!("Parent {what} to {}", self.scene.nodes()[parent].name),
            None => format!("Clear parent of {what}"),
        };
        self.history.push(Step { name, change: Change::Reparented(hung) });
        self.changed();
        self.message = remark;
    }

    /// Hangs nodes on others or on none, all at once; their local transforms stay. Nothing that undo
    /// knows of. A drag is cancelled first.
    pub(crate) fn hang_so(&mut self, hangs: &[ParentEdit], view: &View) {
        self.place(&[], view);
        if !self.scene.reparent_all(hangs) {
            self.message = Some("A node cannot be the child of one below it".to_owned());
        }
    }

    /// The selected nodes that are not locked, without this one and without those that go along with
    /// another of them.
    pub(crate) fn tops(&self, without: Option<usize>) -> Vec<usize> {
        let mut nodes: Vec<usize> = self.adjustable().filter(|node| Some(*node) != without).collect();
        // Trees can be large, and so can this.
        let mut is_taken = vec![false; self.scene.nodes().len()];
        nodes.iter().for_each(|node| is_taken[*node] = true);
        let up = |node: &usize| self.scene.nodes()[*node].parent;
        nodes.retain(|node| !std::iter::successors(up(node), up).any(|above| is_taken[above]));
        nodes
    }

    /// Deletes what is selected and not locked, with all that hangs on it: one step. A scene keeps
    /// at least one node. Not in a drag.
    pub(super) fn delete(&mut self) {
        if self.gizmo.is_active() {
            return;
        }
        self.settle();
        let tops = self.tops(None);
        let are_roots = tops.iter().filter(|node| self.scene.nodes()[**node].parent.is_none()).count();
        let is_root = |node: &usize| self.scene.nodes()[*node].parent.is_none() && self.scene.is_there(*node);
        let stays = (0..self.scene.nodes().len()).filter(is_root).count() > are_roots;
        if tops.is_empty() {
            self.message = Some("Nothing is selected that is not locked".to_owned());
        } else if !stays {
            self.message = Some("A scene keeps at least one node".to_owned());
        } else {
            self.set_flag(&tops, Flag::Deleted, true);
            self.selection = self.selection.retain(|node| self.scene.is_there(node));
        }
    }
}

/// The local transform under a parent that comes nearest to a place in the world: the lengths of
/// the columns as scale, with the signs that it had, and the nearest rotation. `None` where there
/// is none, as under a parent that is flat.
fn fitted(
    world_from_parent: DMat4,
    world_from_node: DMat4,
    world_from_parent_before: DMat4,
    before: &Transform,
) -> Option<Transform> {
    let parent_from_world = world_from_parent.inverse();
    let signs = before.scale.map(f64::signum);
    let upright = |matrix: DMat4| Transform::from_matrix(matrix * DMat4::from_scale(signs));
    if let Some(taken) = upright(parent_from_world * world_from_node) {
        return Some(taken.transform).filter(Transform::is_finite).map(|mut local| {
            local.scale *= signs;
            local
        });
    }
    // Flat itself: turned as it would be with its thickness.
    let thick = Transform { scale: signs, ..*before };
    let taken = upright(parent_from_world * world_from_parent_before * thick.to_matrix())?;
    let scale = taken.transform.scale * signs * before.scale.abs();
    Some(Transform { scale, ..taken.transform }).filter(Transform::is_finite)
}

/// What two matrices differ by without their translations, as a part of the first.
fn lost(wanted: DMat4, found: DMat4) -> f64 {
    let size = |matrix: DMat3| matrix.to_cols_array().into_iter().map(|n| n * n).sum::<f64>().sqrt();
    let (wanted, found) = (DMat3::from_mat4(wanted), DMat3::from_mat4(found));
    let whole = size(wanted);
    if whole > 0.0 { size(wanted - found) / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use crate::scene::{Node, Scene};
    use crate::selection::Selection;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::{DQuat, DVec3};

    fn view() -> View {
        View::from_clip_from_world(DMat4::IDENTITY, Viewport::of_size(400, 300), 1.0).expect("usable")
    }

    fn turned(angle: f64, translation: [f64; 3], scale: [f64; 3]) -> Transform {
        Transform {
            translation: translation.into(),
            rotation: DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, angle),
            scale: scale.into(),
        }
    }

    /// `hand` and `eye` on `arm`; `even`, mirrored, and `uneven`, which scales unevenly.
    fn editor(selected: &[&str]) -> Editor {
        let nodes = vec![
            Node::new("hand", Some(1), turned(0.5, [0.3, 1.2, -0.7], [1.0, -2.0, 0.5])),
            Node::new("arm", None, turned(-0.8, [4.0, 2.0, 7.0], [2.0; 3])),
            Node::new("even", None, turned(2.0, [-1.0, 0.5, 3.0], [-1.5, 1.5, 1.5])),
            Node::new("uneven", None, turned(1.0, [0.0, 9.0, 0.0], [1.0, 3.0, 0.4])),
            Node::new("eye", Some(1), turned(1.5, [0.0, 1.0, 0.0], [1.0; 3])),
        ];
        let mut editor = Editor::new(Scene::new(nodes, Vec::new()).expect("a tree")).expect("few nodes");
        select(&mut editor, selected);
        editor
    }

    fn find(editor: &Editor, name: &str) -> usize {
        editor.scene.find(name).expect("ours")
    }

    fn select(editor: &mut Editor, names: &[&str]) {
        let nodes: Vec<usize> = names.iter().map(|name| find(editor, name)).collect();
        editor.select(Selection::of(&nodes), &view());
    }

    /// A node's parent and children, the bits of its transform, and whether it is shown.
    type State = (Option<usize>, Vec<usize>, [u64; 10], bool);

    /// Everything of the tree, bit for bit.
    fn state(editor: &Editor) -> Vec<State> {
        let bits = |t: &Transform| {
            let (t, r, s) = (t.translation, t.rotation, t.scale);
            [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f64::to_bits)
        };
        let scene = &editor.scene;
        let nodes = scene.nodes().iter().enumerate();
        nodes.map(|(i, n)| (n.parent, n.children.clone(), bits(&n.local), scene.is_shown(i))).collect()
    }

    fn worlds(editor: &Editor) -> Vec<DMat4> {
        (0..editor.scene.nodes().len()).map(|node| editor.scene.world_from_node(node)).collect()
    }

    fn assert_same_worlds(editor: &Editor, before: &[DMat4], when: &str) {
        for (node, (found, wanted)) in worlds(editor).iter().zip(before).enumerate() {
            assert!(found.abs_diff_eq(*wanted, 1e-12), "{when}: node {node}: {found} and {wanted}");
        }
    }

    fn message(editor: &Editor) -> String {
        editor.message().unwrap_or_default()
    }

    #[test]
    fn what_is_hung_elsewhere_stays_where_it_is_and_undo_takes_it_back_bit_for_bit() {
        for parent in ["even", "arm", "none"] {
            let others = ["hand", "even", "arm"].into_iter().filter(|name| *name != parent);
            let mut names: Vec<&str> = others.collect();
            names.extend((parent != "none").then_some(parent));
            let mut editor = editor(&names);
            let (start, was) = (state(&editor), worlds(&editor));
            editor
                .run(if parent == "none" { Command::ClearParent } else { Command::ParentToActive }, &view());
            assert_same_worlds(&editor, &was, parent);
            let hand = &editor.scene.nodes()[0];
            match parent {
                // It goes along with the arm.
                "even" => {
                    assert_eq!(hand.parent, Some(1));
                    assert_eq!(
                        (editor.scene.nodes()[1].parent, &editor.scene.nodes()[2].children),
                        (Some(2), &vec![1])
                    );
                    assert_eq!(hand.local, turned(0.5, [0.3, 1.2, -0.7], [1.0, -2.0, 0.5]));
                }
                "arm" => assert_eq!(editor.scene.nodes()[1].children, [0, 2, 4]),
                // Neither is selected alone: it goes along, and the arm has nothing to be taken off.
                _ => assert_eq!((hand.parent, editor.history.steps().len()), (Some(1), 0)),
            }
            let after = state(&editor);
            editor.undo(&view());
            assert_eq!(state(&editor), start, "{parent}");
            editor.redo();
            assert_eq!(state(&editor), after, "{parent}");
        }
        let mut editor = editor(&["hand"]);
        let was = worlds(&editor);
        editor.run(Command::ClearParent, &view());
        assert_same_worlds(&editor, &was, "off");
        let hand = &editor.scene.nodes()[0];
        assert_eq!(hand.parent, None);
        assert!(hand.local.scale.abs_diff_eq(DVec3::new(2.0, -4.0, 1.0), 1e-12), "{}", hand.local.scale);
        assert_eq!(editor.history.steps()[0].name, "Clear parent of hand");
    }

    #[test]
    fn what_would_be_its_own_ancestor_is_refused() {
        let mut editor = editor(&["arm", "hand"]);
        let start = state(&editor);
        editor.run(Command::ParentToActive, &view());
        assert_eq!(message(&editor), "hand is below arm, so it cannot be its parent");
        editor.select(Selection::of(&[0]), &view());
        editor.run(Command::ParentToActive, &view());
        assert!(message(&editor).starts_with("Select the children"));
        assert_eq!((state(&editor), editor.history.steps().len()), (start, 0));
        assert!(!editor.scene.reparent(1, Some(0), Transform::IDENTITY));
        assert!(!editor.scene.reparent(1, Some(1), Transform::IDENTITY));
    }

    #[test]
    fn shear_that_cannot_be_kept_is_said_or_forbidden() {
        let mut editor = editor(&["hand", "uneven"]);
        let (start, was) = (state(&editor), worlds(&editor));
        editor.gizmo.settings.shear = ShearPolicy::Reject;
        editor.run(Command::ParentToActive, &view());
        assert!(message(&editor).ends_with("forbids"), "{}", message(&editor));
        assert_eq!(state(&editor), start);
        editor.gizmo.settings.shear = ShearPolicy::BestFit;
        editor.run(Command::ParentToActive, &view());
        let lost = lost(was[0], editor.scene.world_from_node(0));
        assert!(lost > 0.01, "{lost}");
        assert_eq!(
            message(&editor),
            format!("hand would be sheared there: {:.1} % of its shape is lost", 100.0 * lost)
        );
        let place = |world: DMat4| world.w_axis.truncate();
        assert!(place(editor.scene.world_from_node(0)).abs_diff_eq(place(was[0]), 1e-12));
        editor.undo(&view());
        assert_eq!(state(&editor), start);
    }

    #[test]
    fn flat_nodes_stay_flat_and_flat_parents_are_refused() {
        let mut editor = editor(&["hand"]);
        let flat = Transform { scale: DVec3::new(1.0, 0.0, -2.0), ..editor.scene.nodes()[0].local };
        editor.scene.set_local(0, flat);
        let was = worlds(&editor);
        editor.run(Command::ClearParent, &view());
        assert_same_worlds(&editor, &was, "a flat node");
        editor.scene.set_local(2, Transform { scale: DVec3::ZERO, ..Transform::IDENTITY });
        select(&mut editor, &["hand", "even"]);
        let start = state(&editor);
        editor.run(Command::ParentToActive, &view());
        assert!(message(&editor).contains("a scale of 0 is in the way"), "{}", message(&editor));
        assert_eq!(state(&editor), start);
    }

    #[test]
    fn eyes_and_locks_of_the_new_parent_reach_what_hangs_on_it() {
        let mut editor = editor(&["arm", "even"]);
        editor.set_flag(&[2], Flag::Hidden, true);
        editor.run(Command::ParentToActive, &view());
        assert!([0, 1, 2, 4].iter().all(|node| !editor.scene.is_shown(*node)));
        editor.undo(&view());
        assert!(editor.scene.is_shown(0) && editor.scene.is_shown(1));
        editor.set_flag(&[1], Flag::Locked, true);
        select(&mut editor, &["hand", "arm", "even"]);
        editor.run(Command::ParentToActive, &view());
        assert_eq!(editor.scene.nodes()[1].parent, None, "what is locked stays where it is");
    }

    #[test]
    fn what_is_deleted_is_gone_with_what_hangs_on_it_until_it_is_undone() {
        let mut editor = editor(&["uneven", "hand", "arm"]);
        let start = state(&editor);
        editor.run(Command::Delete, &view());
        let there = |editor: &Editor| -> Vec<usize> {
            (0..5).filter(|node| editor.scene.is_there(*node) && editor.free_id_of(*node).is_some()).collect()
        };
        assert_eq!(there(&editor), [2]);
        assert_eq!((editor.scene.find("eye"), editor.selection().nodes()), (None, &[][..]));
        assert_eq!(editor.history.steps()[0].name, "Delete 2 nodes");
        editor.rename(2, "hand").expect("the name is free");
        assert_eq!(find(&editor, "hand"), 2);
        editor.undo(&view());
        editor.select(Selection::of(&[0, 2]), &view());
        assert_eq!(editor.selection().nodes(), [2], "what is not there cannot be selected");
        editor.run(Command::Delete, &view());
        assert_eq!((message(&editor).as_str(), there(&editor)), ("A scene keeps at least one node", vec![2]));
        editor.undo(&view());
        assert_eq!(state(&editor), start);
        select(&mut editor, &["eye", "even"]);
        editor.redo();
        assert_eq!((there(&editor), editor.selection().nodes()), (vec![2], &[2][..]));
    }

    #[test]
    fn several_are_hung_at_once_in_whatever_order_or_not_at_all() {
        let mut editor = editor(&[]);
        let start = state(&editor);
        // The arm onto its own hand, which goes onto something else at the same time.
        editor.hang_so(&[(1, Some(0)), (0, Some(3)), (4, None)], &view());
        let parents: Vec<_> = editor.scene.nodes().iter().map(|node| node.parent).collect();
        assert_eq!(parents, [Some(3), Some(0), None, None, None]);
        let before = state(&editor);
        editor.hang_so(&[(4, Some(1)), (3, Some(4))], &view());
        assert_eq!(message(&editor), "A node cannot be the child of one below it");
        assert_eq!(state(&editor), before, "one of them would be a loop, so none is hung");
        editor.hang_so(&[(0, Some(1)), (1, None), (4, Some(1))], &view());
        assert_eq!((state(&editor), editor.history.steps().len()), (start, 0));
    }

    #[test]
    fn what_is_locked_is_not_deleted_by_itself() {
        let mut editor = editor(&["arm", "even"]);
        editor.set_flag(&[2], Flag::Locked, true);
        editor.run(Command::Delete, &view());
        assert_eq!((editor.scene.find("arm"), editor.scene.find("even")), (None, Some(2)));
        editor.run(Command::Delete, &view());
        assert!(message(&editor).contains("not locked"), "{}", message(&editor));
    }
}
