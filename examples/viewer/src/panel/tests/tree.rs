//! The tree of nodes.

use super::*;

#[test]
fn nodes_are_chosen_in_the_tree_as_in_the_view() {
    let mut harness = session(scene(), &[]);
    for (name, modifiers, wanted) in [
        ("box", Modifiers::NONE, vec![2]),
        ("arm", Modifiers::SHIFT, vec![2, 0]),
        ("box", Modifiers::COMMAND, vec![0]),
        ("arm", Modifiers::NONE, vec![0]),
    ] {
        row(&harness, name).expect("in the list").click_modifiers(modifiers);
        harness.run();
        assert_eq!(selected(&harness), wanted, "{name}");
    }
    let right = |label| harness.get_by_label(label).rect().right();
    assert!((right("Nodes") - right("Search nodes")).abs() < 1.0, "one column");
    for (key, modifiers, wanted) in [
        (Key::ArrowDown, Modifiers::NONE, vec![1]),
        (Key::ArrowDown, Modifiers::SHIFT, vec![1, 2]),
        (Key::Home, Modifiers::NONE, vec![0]),
        (Key::ArrowLeft, Modifiers::NONE, vec![0]),
        (Key::ArrowDown, Modifiers::NONE, vec![2]),
        (Key::ArrowUp, Modifiers::NONE, vec![0]),
        (Key::ArrowRight, Modifiers::NONE, vec![0]),
        (Key::ArrowRight, Modifiers::NONE, vec![1]),
        (Key::ArrowLeft, Modifiers::NONE, vec![0]),
        (Key::End, Modifiers::NONE, vec![2]),
    ] {
        harness.key_press_modifiers(modifiers, key);
        harness.run();
        assert_eq!(selected(&harness), wanted, "{key:?}");
    }
}

#[test]
fn what_is_picked_in_the_view_is_scrolled_to_among_a_hundred_thousand() {
    let mut nodes = vec![Node::new("root", None, Transform::IDENTITY)];
    nodes.extend((1..100_000).map(|i| Node::new(format!("n{i}"), Some(0), Transform::IDENTITY)));
    let mut harness = session(Scene::new(nodes, Vec::new()).expect("a tree"), &[]);
    assert!(row(&harness, "n70000").is_none(), "a large tree begins closed");
    harness.state_mut().editor.select(Selection::of(&[70_000]), &view());
    harness.run();
    assert!(row(&harness, "n70000").is_some());
    let shown = harness.query_all_by_label_contains("n6999").count();
    assert!((1..40).contains(&shown), "{shown} rows");
    // Only rows that are seen are laid out.
    let tree = harness.get_by_label("Nodes").rect();
    let row = row(&harness, "n70000").expect("in the list").rect();
    assert!(tree.contains_rect(row), "{row} in {tree}");
}

#[test]
fn a_search_finds_and_enter_selects() {
    let mut harness = session(scene(), &[]);
    harness.get_by_label("Search nodes").focus();
    harness.run();
    harness.event(Event::Text("AN".to_owned()));
    harness.run();
    assert!(row(&harness, "hand").is_some() && row(&harness, "box").is_none());
    assert!(harness.query_by_label("1 found").is_some());
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(selected(&harness), [1]);
    assert!(harness.query_by_label("Name").is_none(), "and does no more");
    click(&mut harness, "Clear search", Modifiers::NONE);
    assert!(row(&harness, "box").is_some());
}

#[test]
fn a_node_is_renamed_where_it_stands_and_never_to_a_name_that_is_taken() {
    let mut harness = session(scene(), &[2]);
    let rename = |harness: &mut Harness<'_, Session>| {
        let session = harness.state_mut();
        session.page.rename(&session.editor);
        harness.run();
    };
    rename(&mut harness);
    harness.event(Event::Text("crate".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().editor.scene().find("crate"), Some(2));
    rename(&mut harness);
    harness.event(Event::Text("arm".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    let message = harness.state().editor.message().unwrap_or_default();
    assert!(message.contains("arm already"), "{message}");
    assert_eq!(harness.get_by_label("Name").value().as_deref(), Some("arm"), "what was typed is not lost");
    harness.key_press(Key::Escape);
    harness.run();
    assert!(row(&harness, "crate").is_some() && harness.query_by_label("Name").is_none());
    for _ in 0..2 {
        row(&harness, "hand").expect("in the list").click();
    }
    harness.run();
    assert_eq!(harness.get_by_label("Name").value().as_deref(), Some("hand"), "after a double click");
    assert_eq!(steps(&harness), ["Rename box to crate"]);
}

#[test]
fn eyes_and_locks_are_steps_and_reach_what_hangs_on_a_node() {
    let mut harness = session(scene(), &[1]);
    click(&mut harness, "Hide arm", Modifiers::NONE);
    click(&mut harness, "Lock arm", Modifiers::NONE);
    let scene = harness.state().editor.scene();
    assert!(!scene.is_shown(1) && scene.is_flagged(1, Flag::Locked));
    harness.state_mut().editor.update(&view());
    assert_eq!(harness.state().editor.moved(), [0; 0], "no handles on what is locked");
    assert!(harness.query_by_label("Locked with what it hangs on").is_some());
    assert!(harness.get_by_label("Position X").accesskit_node().is_disabled());
    click(&mut harness, "Show arm", Modifiers::NONE);
    assert_eq!(steps(&harness), ["Hide arm", "Lock arm", "Show arm"]);
    harness.state_mut().editor.undo(&view());
    assert!(!harness.state().editor.scene().is_shown(1));
}

/// Each on the one before it.
fn chain(count: usize, name: impl Fn(usize) -> String) -> Scene {
    let node = |i: usize| Node::new(name(i), i.checked_sub(1), Transform::IDENTITY);
    Scene::new((0..count).map(node).collect(), Vec::new()).expect("a tree")
}

#[test]
fn names_stand_in_the_list_however_deep_their_nodes_hang() {
    let mut harness = session(chain(100_000, |i| format!("n{i}")), &[]);
    let tree = harness.get_by_label("Nodes").rect();
    for deep in [40, 99_999] {
        harness.state_mut().editor.select(Selection::of(&[deep]), &view());
        harness.run();
        let name = format!("n{deep}");
        let row = row(&harness, &name).expect("it is scrolled to");
        assert!(tree.contains_rect(row.rect()), "{deep}");
        assert_eq!(row.accesskit_node().data().level(), Some(deep + 1));
        let rows = harness.query_all_by_role(Role::TreeItem).count();
        assert!((5..40).contains(&rows), "only what is seen is laid out: {rows}");
        // The triangle, where there is one, tells where the name begins.
        if let Some(fold) = harness.query_by_label(&format!("Close n{}", deep - 1)) {
            let left = fold.rect().right() - tree.left();
            assert!((16.0..tree.width() - 140.0).contains(&left), "{deep}: {left}");
        }
    }
}

#[test]
fn a_name_that_has_no_room_is_said_whole_where_the_pointer_rests_on_it() {
    let name =
        |i: usize| format!("a name that is longer than a panel is wide, and there are some: number {i}");
    let mut harness = session(chain(3, name), &[]);
    let at = row(&harness, &name(1)).expect("in the list").rect().center();
    let said = |harness: &Harness<'_, Session>| harness.query_all_by_label(&name(1)).count();
    assert_eq!(said(&harness), 1, "the row's own");
    harness.hover_at(at);
    harness.run_steps(60);
    assert_eq!(said(&harness), 2, "and what is said beside it");
}
