//! Tests of dragging rows of the tree.

use super::*;
use egui::{TouchDeviceId, TouchId, TouchPhase};

/// Returns a scene with `c` in `b` in `a`, rotated and scaled, and the roots `d` and `e`.
pub(super) fn letters() -> Scene {
    let node = |name: &str, parent, x: f64, scale: f64| {
        let local = Transform {
            translation: DVec3::new(x, 0.5, -x),
            rotation: DQuat::from_rotation_y(0.3 * x),
            scale: DVec3::splat(scale),
        };
        Node::new(name, parent, local)
    };
    let nodes = vec![
        node("a", None, 1.0, 2.0),
        node("b", Some(0), 2.0, 0.5),
        node("c", Some(1), -1.0, -3.0),
        node("d", None, 4.0, 1.5),
        node("e", None, -2.0, 1.0),
    ];
    tree_of(nodes)
}

fn row_center(harness: &Harness<'_, Session>, name: &str) -> Pos2 {
    row(harness, name).expect("the row is visible").rect().center()
}

/// Drags a row to a point without releasing the button.
fn drag_row(harness: &mut Harness<'_, Session>, from: &str, to: Pos2) {
    let from = row_center(harness, from);
    harness.hover_at(from);
    harness.run();
    harness.drag_at(from);
    harness.run_steps(2);
    harness.hover_at(from.lerp(to, 0.5));
    harness.run_steps(2);
    harness.hover_at(to);
    harness.run_steps(2);
}

fn drag_onto(harness: &mut Harness<'_, Session>, from: &str, to: &str) {
    let to = row_center(harness, to);
    drag_row(harness, from, to);
    drop(harness, to);
}

fn parents(harness: &Harness<'_, Session>) -> Vec<Option<usize>> {
    harness.state().editor.scene().nodes().iter().map(|node| node.parent).collect()
}

fn worlds(harness: &Harness<'_, Session>) -> Vec<DMat4> {
    let scene = harness.state().editor.scene();
    (0..scene.nodes().len()).map(|node| scene.world_from_node(node)).collect()
}

const AS_OPENED: [Option<usize>; 5] = [None, Some(0), Some(1), None, None];

#[test]
fn dropping_row_reparents_and_keeps_world_transform() {
    let mut harness = session(letters(), &[0]);
    let was = worlds(&harness);
    drag_onto(&mut harness, "d", "c");
    assert_eq!(parents(&harness), [None, Some(0), Some(1), Some(2), None]);
    assert!(worlds(&harness).iter().zip(&was).all(|(now, was)| now.abs_diff_eq(*was, 1e-12)));
    assert_eq!((steps(&harness), selected(&harness)), (vec!["Parent d to c".to_owned()], vec![3]));
    assert!(row(&harness, "d").is_some(), "it is visible at its new position");
    harness.state_mut().editor.undo(&view());
    harness.run();
    assert_eq!((parents(&harness), worlds(&harness)), (AS_OPENED.to_vec(), was));
}

#[test]
fn selected_rows_are_dragged_together_and_others_alone() {
    let mut harness = session(letters(), &[1, 3]);
    drag_onto(&mut harness, "d", "e");
    assert_eq!(parents(&harness), [None, Some(4), Some(1), Some(4), None]);
    assert_eq!((steps(&harness), selected(&harness)), (vec!["Parent 2 nodes to e".to_owned()], vec![1, 3]));
    drag_onto(&mut harness, "a", "b");
    assert_eq!(parents(&harness), [Some(1), Some(4), Some(1), Some(4), None]);
    assert_eq!(selected(&harness), [0]);
}

#[test]
fn dropping_on_invalid_parent_or_with_modifier_does_nothing() {
    let mut harness = session(letters(), &[0, 3]);
    // Onto itself, a descendant, another dragged row or its descendant, and its own parent.
    for (from, to) in [("a", "a"), ("a", "b"), ("d", "c"), ("d", "a"), ("a", "d"), ("c", "b")] {
        select(&mut harness, &[0, 3]);
        drag_onto(&mut harness, from, to);
        assert_eq!((parents(&harness), steps(&harness)), (AS_OPENED.to_vec(), vec![]), "{from} onto {to}");
    }
    select(&mut harness, &[0, 3]);
    for held in [Modifiers::SHIFT, Modifiers::COMMAND] {
        harness.event(Event::ModifiersChanged(held));
        drag_onto(&mut harness, "e", "b");
        assert_eq!((selected(&harness), parents(&harness)), (vec![0, 3], AS_OPENED.to_vec()), "{held:?}");
    }
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    drag_onto(&mut harness, "e", "b");
    assert_eq!((selected(&harness), parents(&harness)[4]), (vec![4], Some(1)));
}

#[test]
fn dropping_below_rows_or_on_strip_clears_parent() {
    for in_strip in [true, false] {
        let mut harness = session(letters(), &[1, 2]);
        let was = worlds(&harness);
        let (last, tree) =
            (row(&harness, "e").expect("the row is visible").rect(), harness.get_by_label("Nodes").rect());
        let free = Pos2::new(last.center().x, last.bottom() + 20.0);
        let to = if in_strip { tree.center_bottom() - vec2(0.0, 8.0) } else { free };
        drag_row(&mut harness, "b", to);
        drop(&mut harness, to);
        assert_eq!(parents(&harness), [None, None, Some(1), None, None], "in the strip: {in_strip}");
        assert_eq!(steps(&harness), ["Clear parent of b"]);
        assert!(worlds(&harness).iter().zip(&was).all(|(now, was)| now.abs_diff_eq(*was, 1e-12)));
        // A node without a parent does not change.
        drag_row(&mut harness, "b", to);
        drop(&mut harness, to);
        assert_eq!(steps(&harness).len(), 1);
    }
}

#[test]
fn escape_viewport_and_focus_loss_cancel_row_drag() {
    let mut harness = session(letters(), &[]);
    let to = row_center(&harness, "a");
    drag_row(&mut harness, "d", to);
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    drop(&mut harness, to);
    let in_viewport = Pos2::new(300.0, 400.0);
    drag_row(&mut harness, "d", in_viewport);
    drop(&mut harness, in_viewport);
    drag_row(&mut harness, "d", to);
    harness.input_mut().focused = false;
    harness.run_steps(2);
    harness.input_mut().focused = true;
    drop(&mut harness, to);
    assert_eq!((parents(&harness), steps(&harness)), (AS_OPENED.to_vec(), vec![]));
    drag_onto(&mut harness, "d", "a");
    assert_eq!(parents(&harness)[3], Some(0), "the next drag works");
}

#[test]
fn locked_nodes_are_not_dragged() {
    let mut harness = session(letters(), &[3, 4]);
    harness.state_mut().editor.set_flag(&[3], Flag::Locked, true);
    drag_onto(&mut harness, "e", "a");
    assert_eq!(
        parents(&harness),
        [None, Some(0), Some(1), None, Some(0)],
        "the locked node keeps its parent"
    );
    select(&mut harness, &[3]);
    drag_onto(&mut harness, "d", "a");
    assert_eq!((parents(&harness)[3], steps(&harness).len()), (None, 2));
    let message = message(&harness);
    assert!(message.starts_with("d: locked"), "{message}");
}

#[test]
fn collapsed_rows_expand_under_dragged_row_after_delay() {
    let mut harness = session(letters(), &[]);
    drag_onto(&mut harness, "c", "e");
    for label in ["Collapse a", "Collapse e"] {
        click(&mut harness, label, Modifiers::NONE);
    }
    let [first, next] = ["a", "e"].map(|name| row_center(&harness, name));
    drag_row(&mut harness, "d", first);
    harness.run_steps(24);
    harness.hover_at(next);
    harness.run_steps(24);
    let are_visible = |harness: &_| ["b", "c"].map(|name| row(harness, name).is_some());
    assert_eq!(are_visible(&harness), [false, false], "the pointer was over both for a short time");
    while are_visible(&harness) != [false, true] {
        assert!(harness.ctx.has_requested_repaint(), "the row expands under a pointer that rests");
        harness.step();
    }
    let to = row_center(&harness, "c");
    harness.hover_at(to);
    harness.run_steps(2);
    drop(&mut harness, to);
    assert_eq!(parents(&harness)[3], Some(2));
}

#[test]
fn row_of_former_scene_is_not_dropped_in_next_one() {
    for scene in [letters(), tree_of(letters().nodes()[..1].to_vec())] {
        let mut harness = session(letters(), &[]);
        let to = row_center(&harness, "e");
        drag_row(&mut harness, "d", to);
        let editor = &mut harness.state_mut().editor;
        *editor = Editor::new(scene).expect("there are few nodes");
        editor.select(Selection::of(&[0]), &view());
        harness.run_steps(2);
        drop(&mut harness, to);
        assert_eq!((steps(&harness), selected(&harness)), (Vec::new(), vec![0]));
    }
}

#[test]
fn list_scrolls_during_drag_near_edge() {
    let mut harness = session(many_nodes(200), &[]);
    let tree = harness.get_by_label("Nodes").rect();
    drag_row(&mut harness, "n0", tree.center_bottom() - vec2(0.0, 2.0));
    harness.run_steps(100);
    let seen: Vec<usize> = (0..200).filter(|i| row(&harness, &format!("n{i}")).is_some()).collect();
    assert!(seen[0] > 10, "{seen:?}");
    harness.hover_at(tree.center());
    harness.run_steps(2);
    let at = seen
        .iter()
        .find(|i| row_center(&harness, &format!("n{i}")).y > tree.center().y)
        .expect("a row is below the center");
    let to = row_center(&harness, &format!("n{at}"));
    harness.hover_at(to);
    harness.run_steps(2);
    drop(&mut harness, to);
    assert_eq!(parents(&harness)[0], Some(*at));
}

#[test]
fn touch_drag_scrolls_list_and_drags_no_row() {
    let mut harness = session(many_nodes(200), &[]);
    let from = row_center(&harness, "n6");
    let touch = |harness: &mut Harness<'_, Session>, phase, pos: Pos2| {
        let (device_id, id) = (TouchDeviceId(1), TouchId::from(1));
        harness.event(Event::Touch { device_id, id, phase, pos, force: None });
        harness.event(Event::PointerMoved(pos));
        if phase != TouchPhase::Move {
            let events = press(pos, phase == TouchPhase::Start, PointerButton::Primary, Modifiers::NONE);
            harness.input_mut().events.extend(events);
        }
        harness.run_steps(2);
    };
    touch(&mut harness, TouchPhase::Start, from);
    for up in [20.0, 60.0, 100.0] {
        touch(&mut harness, TouchPhase::Move, from - vec2(0.0, up));
    }
    touch(&mut harness, TouchPhase::End, from - vec2(0.0, 100.0));
    assert!(row(&harness, "n0").is_none(), "the row is scrolled out of view");
    assert_eq!((steps(&harness), selected(&harness)), (vec![], vec![]));
}
