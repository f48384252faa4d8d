//! Tests of the tree of nodes.

use super::*;
use crate::files::Dialog;
use egui::Order;

#[test]
fn clicks_and_keys_select_nodes_in_tree() {
    let mut harness = session(scene(), &[]);
    for (name, modifiers, wanted) in [
        ("box", Modifiers::NONE, vec![2]),
        ("arm", Modifiers::SHIFT, vec![2, 0]),
        ("box", Modifiers::COMMAND, vec![0]),
        ("arm", Modifiers::NONE, vec![0]),
    ] {
        row(&harness, name).expect("the row is visible").click_modifiers(modifiers);
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
fn enter_selects_first_search_match() {
    let mut harness = session(scene(), &[]);
    focus(&mut harness, "Search nodes");
    type_text(&mut harness, "AN");
    assert!(row(&harness, "hand").is_some() && row(&harness, "box").is_none());
    assert!(harness.query_by_label("1 found").is_some());
    press_key(&mut harness, Key::Enter);
    assert_eq!(selected(&harness), [1]);
    assert!(harness.query_by_label("Name").is_none(), "Enter does nothing else");
    click(&mut harness, "Clear search", Modifiers::NONE);
    assert!(row(&harness, "box").is_some());
}

#[test]
fn renaming_in_tree_refuses_taken_names() {
    let mut harness = session(scene(), &[2]);
    begin_rename(&mut harness, "crate");
    press_key(&mut harness, Key::Enter);
    assert_eq!(harness.state().editor.scene().find("crate"), Some(2));
    begin_rename(&mut harness, "arm");
    press_key(&mut harness, Key::Enter);
    let message = message(&harness);
    assert_eq!(message, "Could not rename crate: the name arm is already taken");
    assert_eq!(harness.get_by_label("Name").value().as_deref(), Some("arm"), "the typed name stays");
    press_key(&mut harness, Key::Escape);
    assert!(row(&harness, "crate").is_some() && harness.query_by_label("Name").is_none());
    for _ in 0..2 {
        row(&harness, "hand").expect("the row is visible").click();
        // Frames of a busy machine.
        harness.run_steps(20);
    }
    assert_eq!(
        harness.get_by_label("Name").value().as_deref(),
        Some("hand"),
        "a double click starts renaming"
    );
    assert_eq!(steps(&harness), ["Rename box to crate"]);
}

/// Starts to rename the active node and types a name.
fn begin_rename(harness: &mut Harness<'_, Session>, name: &str) {
    let session = harness.state_mut();
    session.page.rename(&mut session.editor);
    harness.run();
    assert!(harness.query_by_label("Name").is_some(), "the field is in sight");
    type_text(harness, name);
}

#[test]
fn rename_shows_node_that_search_hides() {
    let mut harness = session(scene(), &[1]);
    focus(&mut harness, "Search nodes");
    type_text(&mut harness, "box");
    assert!(row(&harness, "hand").is_none());
    begin_rename(&mut harness, "palm");
    press_key(&mut harness, Key::Enter);
    assert_eq!((steps(&harness), row(&harness, "box").is_some()), (vec!["Rename hand to palm".into()], true));
}

#[test]
fn node_is_renamed_before_tree_was_ever_shown() {
    let Session { mut editor, .. } = opened(scene(), &[1]);
    let mut page = Page::new(false);
    page.rename(&mut editor);
    assert!(page.is_open && page.is_renaming());
}

#[test]
fn rename_ends_when_its_field_leaves_sight() {
    let mut harness = session(many_nodes(200), &[0]);
    begin_rename(&mut harness, "first");
    let at = harness.get_by_label("Nodes").rect().center();
    scroll_down(&mut harness, at);
    assert!(harness.query_by_label("Name").is_none() && !harness.state().page.is_renaming());
    assert_eq!(steps(&harness), ["Rename n0 to first"], "as if it had lost the focus");
    let mut harness = session(scene(), &[1]);
    begin_rename(&mut harness, "palm");
    harness.state_mut().editor.set_flag(&[1], Flag::Deleted, true);
    harness.run();
    assert_eq!((steps(&harness), harness.state().page.is_renaming()), (vec!["Delete hand".into()], false));
}

#[test]
fn eye_and_lock_affect_descendants_and_are_undo_steps() {
    let mut harness = session(scene(), &[1]);
    click(&mut harness, "Hide arm", Modifiers::NONE);
    click(&mut harness, "Lock arm", Modifiers::NONE);
    let scene = harness.state().editor.scene();
    assert!(!scene.is_shown(1) && scene.is_flagged(1, Flag::Locked));
    harness.state_mut().editor.update(&view());
    assert_eq!(harness.state().editor.moved(), [0; 0], "locked nodes have no handles");
    assert!(harness.query_by_label("An ancestor is locked").is_some());
    assert!(harness.get_by_label("Position X").accesskit_node().is_disabled());
    click(&mut harness, "Show arm", Modifiers::NONE);
    assert_eq!(steps(&harness), ["Hide arm", "Lock arm", "Show arm"]);
    harness.state_mut().editor.undo(&view());
    assert!(!harness.state().editor.scene().is_shown(1));
}

/// Returns a chain of `count` nodes with these names, each the child of the one before it.
fn chain(count: usize, name: impl Fn(usize) -> String) -> Scene {
    let node = |i: usize| Node::new(name(i), i.checked_sub(1), Transform::IDENTITY);
    tree_of((0..count).map(node).collect())
}

#[test]
fn names_of_deep_nodes_stay_inside_list() {
    let mut harness = session(chain(100_000, |i| format!("n{i}")), &[]);
    let tree = harness.get_by_label("Nodes").rect();
    for deep in [40, 99_999] {
        select(&mut harness, &[deep]);
        let name = format!("n{deep}");
        let row = row(&harness, &name).expect("the list has scrolled to it");
        assert!(tree.contains_rect(row.rect()), "{deep}");
        assert_eq!(row.accesskit_node().data().level(), Some(deep + 1));
        let rows = harness.query_all_by_role(Role::TreeItem).count();
        assert!((5..40).contains(&rows), "only visible rows are laid out: {rows}");
        // The name begins after the triangle, if there is one.
        if let Some(fold) = harness.query_by_label(&format!("Collapse n{}", deep - 1)) {
            let left = fold.rect().right() - tree.left();
            assert!((16.0..tree.width() - 140.0).contains(&left), "{deep}: {left}");
        }
    }
}

#[test]
fn truncated_name_is_shown_in_tooltip() {
    let name =
        |i: usize| format!("a name that is longer than a panel is wide, and there are some: number {i}");
    // In the second case, the dialog opens in the same frame as the tooltip.
    for steps in [60, 24] {
        let mut harness = session(chain(3, name), &[]);
        let at = row(&harness, &name(1)).expect("the row is visible").rect().center();
        let count = |harness: &Harness<'_, Session>| harness.query_all_by_label(&name(1)).count();
        harness.hover_at(at);
        harness.run_steps(steps);
        assert_eq!(count(&harness), if steps == 60 { 2 } else { 1 }, "the row and its tooltip");
        harness.state_mut().files.dialog = Some(Dialog::Message("The file is gone.".to_owned()));
        harness.run();
        assert_eq!(count(&harness), 2, "the pointer is still on the row");
        let is_covered =
            |memory: &egui::Memory| memory.areas().top_layer_id(Order::Tooltip) == memory.top_modal_layer();
        assert!(harness.ctx.memory(is_covered), "after {steps} frames");
    }
}

#[test]
fn click_and_drop_within_one_frame_count_where_they_were() {
    let mut harness = session(scene(), &[2]);
    let center = |name| row(&harness, name).expect("the row is visible").rect().center();
    let [arm, hand, other] = ["arm", "hand", "box"].map(center);
    let press = |pos, pressed| press(pos, pressed, PointerButton::Primary, Modifiers::NONE);
    let moved = |pos| vec![Event::PointerMoved(pos)];
    let click = [press(arm, true), press(arm, false)].concat();
    harness.input_mut().events.extend([click, moved(hand)].concat());
    harness.run();
    assert_eq!(selected(&harness), [0]);
    let drag = [press(other, true).to_vec(), moved(hand), press(arm, false).to_vec()];
    harness.input_mut().events.extend(drag.concat());
    harness.run();
    assert_eq!(harness.state().editor.scene().nodes()[2].parent, Some(0));
}
