//! Tests of reparenting and deleting.

use super::*;
use crate::command::Command;
use crate::journal::bits;
use crate::tests::view;
use scene::{Node, Scene};
use wgpu_gizmo_core::glam::{DQuat, DVec3};

fn turned(angle: f64, translation: [f64; 3], scale: [f64; 3]) -> Transform {
    Transform {
        translation: translation.into(),
        rotation: DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, angle),
        scale: scale.into(),
    }
}

/// Creates an editor for `hand` and `eye` below `arm`, `even`, which is mirrored, and `uneven`,
/// which scales non-uniformly.
fn editor(selected: &[&str]) -> Editor {
    let nodes = vec![
        Node::new("hand", Some(1), turned(0.5, [0.3, 1.2, -0.7], [1.0, -2.0, 0.5])),
        Node::new("arm", None, turned(-0.8, [4.0, 2.0, 7.0], [2.0; 3])),
        Node::new("even", None, turned(2.0, [-1.0, 0.5, 3.0], [-1.5, 1.5, 1.5])),
        Node::new("uneven", None, turned(1.0, [0.0, 9.0, 0.0], [1.0, 3.0, 0.4])),
        Node::new("eye", Some(1), turned(1.5, [0.0, 1.0, 0.0], [1.0; 3])),
    ];
    Editor::of_test(Scene::new(nodes, Vec::new()).expect("the nodes form a tree"), selected)
}

/// A node's parent and children, the bits of its transform, and whether it is shown.
type State = (Option<usize>, Vec<usize>, ([u64; 3], [u64; 4], [u64; 3]), bool);

/// Returns the state of the whole tree, bit for bit.
fn state(editor: &Editor) -> Vec<State> {
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
fn reparented_nodes_stay_in_place_and_undo_exactly() {
    for parent in ["even", "arm", "none"] {
        let others = ["hand", "even", "arm"].into_iter().filter(|name| *name != parent);
        let mut names: Vec<&str> = others.collect();
        names.extend((parent != "none").then_some(parent));
        let mut editor = editor(&names);
        let (start, was) = (state(&editor), worlds(&editor));
        editor.run(if parent == "none" { Command::ClearParent } else { Command::ParentToActive }, &view());
        assert_same_worlds(&editor, &was, parent);
        let hand = &editor.scene.nodes()[0];
        match parent {
            // The hand moves along with the arm.
            "even" => {
                assert_eq!(hand.parent, Some(1));
                assert_eq!(
                    (editor.scene.nodes()[1].parent, &editor.scene.nodes()[2].children),
                    (Some(2), &vec![1])
                );
                assert_eq!(hand.local, turned(0.5, [0.3, 1.2, -0.7], [1.0, -2.0, 0.5]));
            }
            "arm" => assert_eq!(editor.scene.nodes()[1].children, [0, 2, 4]),
            // Neither is reparented: the hand follows the arm, and the arm has no parent to clear.
            _ => assert_eq!((hand.parent, editor.log.entries().len()), (Some(1), 0)),
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
    assert_eq!(editor.log.entries()[0].name, "Clear parent of hand");
}

#[test]
fn lost_shear_is_reported_or_forbidden() {
    let mut editor = editor(&["hand", "uneven"]);
    let (start, was) = (state(&editor), worlds(&editor));
    editor.gizmo.settings.motion.shear = ShearPolicy::Reject;
    editor.run(Command::ParentToActive, &view());
    assert!(message(&editor).ends_with("forbids"), "{}", message(&editor));
    assert_eq!(state(&editor), start);
    editor.gizmo.settings.motion.shear = ShearPolicy::BestFit;
    editor.run(Command::ParentToActive, &view());
    let lost = relative_error(was[0], editor.scene.world_from_node(0));
    assert!(lost > 0.01, "{lost}");
    assert_eq!(
        message(&editor),
        format!("hand would be sheared: {:.1} % of its shape is lost", 100.0 * lost)
    );
    let position = |world: DMat4| world.w_axis.truncate();
    assert!(position(editor.scene.world_from_node(0)).abs_diff_eq(position(was[0]), 1e-12));
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
    editor.select_named(&["hand", "even"]);
    let start = state(&editor);
    editor.run(Command::ParentToActive, &view());
    assert!(message(&editor).contains("one of the scales is 0"), "{}", message(&editor));
    assert_eq!(state(&editor), start);
}

#[test]
fn deleted_node_and_descendants_return_on_undo() {
    let mut editor = editor(&["uneven", "hand", "arm"]);
    let start = state(&editor);
    editor.run(Command::Delete, &view());
    let there = |editor: &Editor| -> Vec<usize> {
        (0..5).filter(|node| editor.scene.exists(*node) && editor.pickable_id_of(*node).is_some()).collect()
    };
    assert_eq!(there(&editor), [2]);
    assert_eq!((editor.scene.find("eye"), editor.selection().nodes()), (None, &[][..]));
    assert_eq!(editor.log.entries()[0].name, "Delete 2 nodes");
    editor.rename(2, "hand").expect("the name is free");
    assert_eq!(editor.node("hand"), 2);
    editor.undo(&view());
    editor.select(scene::selection::Selection::of(&[0, 2]), &view());
    assert_eq!(editor.selection().nodes(), [2], "a deleted node cannot be selected");
    editor.run(Command::Delete, &view());
    assert_eq!((message(&editor).as_str(), there(&editor)), ("A scene must keep at least one node", vec![2]));
    editor.undo(&view());
    assert_eq!(state(&editor), start);
    editor.select_named(&["eye", "even"]);
    editor.redo();
    assert_eq!((there(&editor), editor.selection().nodes()), (vec![2], &[2][..]));
}
