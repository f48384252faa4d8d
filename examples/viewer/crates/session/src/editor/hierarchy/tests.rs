//! Tests of reparenting and deleting.

use super::*;
use crate::tests::*;

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
fn lost_shear_is_reported_or_forbidden() {
    let mut editor = editor(&["hand", "uneven"]);
    let (start, was) = (state(&editor.scene), worlds(&editor));
    editor.gizmo.settings.motion.shear = ShearPolicy::Reject;
    editor.run(Command::ParentToActive, &view());
    assert!(message(&editor).ends_with("forbids"), "{}", message(&editor));
    assert_eq!(state(&editor.scene), start);
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
    assert_eq!(state(&editor.scene), start);
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
    let start = state(&editor.scene);
    editor.run(Command::ParentToActive, &view());
    assert!(message(&editor).contains("one of the scales is 0"), "{}", message(&editor));
    assert_eq!(state(&editor.scene), start);
}

/// Only rounding keeps the matrix of `hand` from being singular.
#[test]
fn parents_below_flat_ancestor_are_refused() {
    for axis in 0..3 {
        for angle in 1..20 {
            let mut scale = [1.5, 0.5, 1.2];
            scale[axis] = 0.0;
            for (selected, command) in
                [(["eye", "hand"], Command::ParentToActive), (["even", "hand"], Command::ClearParent)]
            {
                let mut editor = editor(&selected);
                editor.scene.set_local(1, turned(0.1 * f64::from(angle), [4.0, 2.0, 7.0], scale));
                let uneven =
                    Transform { rotation: DQuat::from_rotation_x(0.7), ..editor.scene.nodes()[0].local };
                editor.scene.set_local(0, uneven);
                let start = state(&editor.scene);
                editor.run(command, &view());
                assert!(message(&editor).contains("one of the scales is 0"), "{}", message(&editor));
                assert_eq!(state(&editor.scene), start, "{command:?}");
            }
        }
    }
}

#[test]
fn deleted_node_and_descendants_return_on_undo() {
    let mut editor = editor(&["uneven", "hand", "arm"]);
    let start = state(&editor.scene);
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
    assert_eq!(state(&editor.scene), start);
    editor.select_named(&["eye", "even"]);
    editor.redo();
    assert_eq!((there(&editor), editor.selection().nodes()), (vec![2], &[2][..]));
}
