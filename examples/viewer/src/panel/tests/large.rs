//! Times of a tree of 100 000 nodes, printed as figures.

use super::*;
use std::time::{Duration, Instant};
use wgpu_gizmo::interaction::drive::Amount;

const NODES: usize = 100_000;
/// A step that is quadratic in the nodes takes longer, and none else, also on a machine that is busy with other work.
const MAX: Duration = Duration::from_secs(10);

/// Returns a scene of a thousand groups of 99 cubes each.
fn large() -> Scene {
    let node = |index: usize| {
        let (group, at) = (index / 100 * 100, (index % 100) as f64);
        let local = Transform { translation: DVec3::X * at, ..Transform::IDENTITY };
        match index == group {
            true => Node::new(format!("group {index}"), None, local),
            false => Node { mesh: Some(0), ..Node::new(format!("cube {index}"), Some(group), local) },
        }
    };
    tree_of((0..NODES).map(node).collect())
}

/// Runs an action with the frame that shows it, prints its time, and returns it.
fn timed(harness: &mut Harness<'_, Session>, name: &str, act: impl Fn(&mut Session)) {
    let shortest = (0..3).map(|_| {
        let begun = Instant::now();
        act(harness.state_mut());
        harness.state_mut().editor.update(&view());
        harness.step();
        begun.elapsed()
    });
    let shortest = shortest.min().unwrap_or_default();
    println!("figure: {name} = {:.1} ms", 1000.0 * shortest.as_secs_f64());
    assert!(shortest < MAX, "{name}: {shortest:?}");
}

#[test]
fn large_tree_opens_searches_and_selects_fast() {
    let mut harness = session(large(), &[]);
    assert!(row(&harness, "cube 99999").is_none(), "a large tree is collapsed initially");
    timed(&mut harness, "viewer_tree_open_1e5_ms", |session| {
        // A new page has no rows yet. The active node is revealed, which expands its group.
        session.page = Page::new(true);
        session.editor.select(Selection::of(&[NODES - 1]), &view());
    });
    assert!(row(&harness, "cube 99999").is_some());
    timed(&mut harness, "viewer_select_all_1e5_ms", |session| {
        session.editor.select(Selection::default(), &view());
        let all = session.editor.selection().all(session.editor.scene());
        session.editor.select(all, &view());
    });
    assert_eq!(selected(&harness).len(), NODES - NODES / 100);
    timed(&mut harness, "viewer_frame_with_all_selected_1e5_ms", |_| {});
    harness.get_by_label("Search nodes").focus();
    harness.step();
    for text in ["c", "u", "b"] {
        harness.event(Event::Text(text.to_owned()));
        timed(&mut harness, &format!("viewer_search_{text}_1e5_ms"), |_| {});
    }
    assert!(harness.query_by_label("99000 found").is_some());
    let translate_x = HandleId::from_name("translate_x").expect("the handle exists");
    timed(&mut harness, "viewer_drive_all_1e5_ms", |session| {
        session.editor.drive(translate_x, Amount::from(1.0), &view());
    });
    let local = harness.state().editor.scene().nodes()[NODES - 1].local;
    assert_eq!(local.translation.x, 99.0 + 3.0, "all were driven, three times");
}

#[test]
fn many_nodes_are_compared_while_nothing_moves() {
    const MANY: usize = 30_000;
    let all: Vec<usize> = (0..MANY).collect();
    let mut harness = session(many_nodes(MANY), &all);
    harness.run();
    let tells = |harness: &mut Harness<'_, Session>| {
        harness.get_by_label("Scale Y").hover();
        harness.run();
        // A tooltip comes after a delay.
        (0..40).for_each(|_| harness.step());
        harness.query_by_label_contains("Differs among the selected nodes").is_some()
    };
    // The value that is shown changes nothing, because all nodes have it.
    type_into(&mut harness, "Scale Y", "1");
    assert_eq!(steps(&harness), [""; 0]);
    assert!(!tells(&mut harness) && reset_all(&harness).accesskit_node().is_disabled());
    let other = Transform { scale: DVec3::new(1.0, 2.0, 1.0), ..Transform::IDENTITY };
    harness.state_mut().editor.edit_unlisted(&Edit::Place(vec![(0, other)]), &view());
    harness.run();
    assert!(tells(&mut harness) && !reset_all(&harness).accesskit_node().is_disabled());
    type_into(&mut harness, "Scale Y", "1");
    assert_eq!(steps(&harness).len(), 1, "it applies to the node with another value");
    assert_eq!(harness.state().editor.scene().nodes()[0].local, Transform::IDENTITY);
    assert!(!tells(&mut harness));
}

fn reset_all<'h>(harness: &'h Harness<'_, Session>) -> egui_kittest::Node<'h> {
    harness.get_by_label("Reset transform")
}
