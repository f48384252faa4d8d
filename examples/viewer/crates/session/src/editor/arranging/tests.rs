//! Tests of moving nodes to a grid and to each other.

use super::*;
use crate::tests::*;

fn at(x: f64, y: f64, z: f64) -> Transform {
    Transform { translation: DVec3::new(x, y, z), ..Transform::IDENTITY }
}

/// Returns a mesh with corners at 1 and -1 on each axis. Its extent along a direction is the
/// longest of its half axes, which is less than that of its bounding box.
fn octahedron() -> Mesh {
    let corner = |i: usize| {
        let mut corner = [0.0; 3];
        corner[i / 2] = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        corner
    };
    Mesh { positions: (0..6).map(corner).collect(), ..Mesh::default() }
}

/// Creates an editor for `leaf` below `arm`, which is rotated, scaled non-uniformly and mirrored,
/// and `box`, which is listed first.
fn editor(selected: &[&str]) -> Editor {
    let arm = Transform {
        rotation: DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, 0.7),
        scale: DVec3::new(-2.0, 0.5, 3.0),
        ..at(0.4, -0.2, 7.9)
    };
    let mut nodes = vec![
        Node::new("leaf", Some(1), at(0.31, 1.2, -0.7)),
        Node::new("arm", None, arm),
        Node::new("box", None, at(-1.6, 2.5, 100.2)),
    ];
    nodes.iter_mut().for_each(|node| node.mesh = Some(0));
    let scene = Scene::new(nodes, vec![octahedron()]).expect("the nodes form a tree");
    Editor::of_test(scene, selected)
}

fn locals(editor: &Editor) -> Vec<Transform> {
    editor.scene.nodes().iter().map(|node| node.local).collect()
}

fn world(editor: &Editor, name: &str) -> DVec3 {
    position(&editor.scene, editor.node(name))
}

#[test]
fn grid_axes_follow_orientation() {
    let origin_world = DVec3::new(0.25, 0.0, -0.125);
    let turn = DQuat::from_rotation_z(0.3);
    for (orientation, axes, origin) in [
        (Orientation::World, DMat3::IDENTITY, origin_world),
        (Orientation::Local, DMat3::IDENTITY, origin_world),
        (Orientation::View, DMat3::IDENTITY, origin_world),
        (Orientation::Custom(turn), DMat3::from_quat(turn), origin_world),
        (Orientation::Parent, DMat3::NAN, DVec3::NAN),
    ] {
        // The parent is dropped too.
        let mut editor = editor(&["leaf", "arm"]);
        editor.gizmo.settings.snap.while_held = Snap::OFF;
        editor.gizmo.settings.snap.kind = SnapKind::Grid { origin_world };
        editor.gizmo.settings.orientation = orientation;
        let steps = |editor: &Editor| {
            let arm = editor.scene.world_from_node(1);
            let parent = Transform::nearest_rotation(DMat3::from_mat4(arm)).expect("the parent is not flat");
            let (axes, origin) = match orientation {
                Orientation::Parent => (parent, arm.w_axis.truncate()),
                _ => (axes, origin),
            };
            axes.inverse() * (world(editor, "leaf") - origin)
        };
        let before = steps(&editor);
        editor.run(Command::DropToGrid, &view());
        let steps = steps(&editor);
        assert!(steps.abs_diff_eq(steps.round(), 1e-12), "{orientation:?}: {steps}");
        let apart = steps - before;
        assert!(apart.abs().max_element() <= 0.5 + 1e-12, "{orientation:?}: {apart}");
    }
}

#[test]
fn nothing_is_aligned_with_locked_node_inside_it() {
    let mut editor = editor(&["box", "arm", "leaf"]);
    editor.set_flag(&[0], Flag::Locked, true);
    let before = locals(&editor);
    editor.run(Command::AlignX, &view());
    assert_eq!(locals(&editor), before);
    assert!(editor.message().is_some_and(|message| message.starts_with("leaf is locked")));
}

/// Returns the minimum, center and maximum of an octahedron's corners.
fn closed_form(editor: &Editor, name: &str, axis: Axis) -> [f64; 3] {
    let world = editor.scene.world_from_node(editor.scene.find(name).expect("the scene has this node"));
    let row = world.row(axis.index());
    let half = row.truncate().abs().max_element();
    [row.w - half, row.w, row.w + half]
}

#[test]
fn edges_align_with_active_node_whatever_the_hierarchy() {
    let edges = [(Edge::Origin, 1), (Edge::Min, 0), (Edge::Center, 1), (Edge::Max, 2)];
    let selections = [["box", "arm", "leaf"], ["leaf", "box", "arm"], ["arm", "leaf", "box"]];
    let commands = [(Command::AlignX, Axis::X), (Command::AlignY, Axis::Y), (Command::AlignZ, Axis::Z)];
    for (((command, axis), (edge, which)), selected) in
        commands.iter().flat_map(|a| edges.map(|b| (*a, b))).flat_map(|a| selections.map(|b| (a, b)))
    {
        let mut editor = editor(&selected);
        let (before, was) = (locals(&editor), selected.map(|name| world(&editor, name)));
        let wanted = closed_form(&editor, selected[2], axis)[which];
        match edge {
            Edge::Origin => assert!(editor.run(command, &view())),
            _ => editor.align(axis, edge),
        }
        for (name, mut was) in selected.into_iter().zip(was) {
            let found = closed_form(&editor, name, axis)[which];
            assert!((found - wanted).abs() < 1e-12, "{name} {edge:?}: {found}, not {wanted}");
            was[axis.index()] = world(&editor, name)[axis.index()];
            assert!(world(&editor, name).abs_diff_eq(was, 1e-12), "{name} moves along {axis:?} alone");
        }
        let name = editor.step_names().concat();
        assert!(name.contains(&format!("in {axis:?}")) && name.ends_with(selected[2]), "{name}");
        let after = locals(&editor);
        editor.align(axis, edge);
        assert_eq!((locals(&editor), editor.step_names().len()), (after, 1), "aligned nodes stay");
        editor.undo(&view());
        assert_eq!(locals(&editor), before);
    }
}

#[test]
fn what_crop_box_cuts_off_is_not_part_of_shape() {
    let turned =
        Transform { rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4), ..Transform::IDENTITY };
    let nodes = [("cut", turned), ("whole", at(5.0, 0.0, 0.0))];
    let nodes = nodes.map(|(name, local)| Node { mesh: Some(0), ..Node::new(name, None, local) });
    let scene = Scene::new(nodes.to_vec(), vec![scene::shapes::cube()]).expect("the nodes form a tree");
    let mut editor = Editor::of_test(scene, &["cut", "whole"]);
    let crop = Bounds { min: DVec3::splat(-0.5), max: DVec3::new(0.25, 0.5, 0.5) };
    editor.scene.set_crop_box(0, Some(crop));
    editor.align(Axis::X, Edge::Max);
    let half = 0.75 * std::f64::consts::FRAC_1_SQRT_2;
    assert!((world(&editor, "cut").x - (5.5 - half)).abs() < 1e-12, "{}", world(&editor, "cut"));
}

/// Only rounding keeps the matrix of `arm` from being singular.
#[test]
fn nodes_below_flat_ancestor_are_not_moved() {
    let rotation = |x, y, z| DQuat::from_axis_angle(DVec3::new(x, y, z).normalize(), 0.9);
    for axis in 0..3 {
        for angle in 1..20 {
            let mut scale = DVec3::new(1.5, 0.5, 1.2);
            scale[axis] = 0.0;
            let flat =
                Transform { rotation: rotation(f64::from(angle), 1.0, -2.0), scale, ..at(0.4, -0.2, 7.9) };
            let arm = Transform { rotation: rotation(-2.0, 1.0, f64::from(angle)), ..at(1.0, 2.0, 3.0) };
            let nodes = vec![
                Node::new("flat", None, flat),
                Node::new("arm", Some(0), arm),
                Node::new("leaf", Some(1), at(0.31, 1.2, -0.7)),
                Node::new("box", None, at(-1.6, 2.5, 100.2)),
            ];
            let scene = Scene::new(nodes, Vec::new()).expect("the nodes form a tree");
            let mut editor = Editor::of_test(scene, &["leaf", "box"]);
            let before = locals(&editor);
            for command in [Command::DropToGrid, Command::AlignX, Command::AlignY, Command::AlignZ] {
                editor.run(command, &view());
                assert_eq!(locals(&editor), before, "{command:?}");
                let message = editor.message().unwrap_or_default();
                assert!(message.contains("leaf: its parent is flat"), "{message}");
            }
        }
    }
}
