//! Tests of the user interface without a window, through the accessibility tree.

mod animation;
mod carrying;
mod fields;
#[path = "../../../../crates/wgpu-gizmo-core/tests/common/golden.rs"]
mod golden;
mod large;
mod pictures;
mod seen;
mod small;
mod tools;
mod tree;
mod volumes;
mod walks;

use super::{Page, style};
use crate::files::{Files, Recent};
use egui::accesskit::{Action, Role, Toggled};
use egui::epaint::MarginF32;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use render::overlay::Overlay;
use scene::edit::Edit;
use scene::flags::Flag;
use scene::selection::Selection;
use scene::shapes;
use scene::{Node, Scene};
use session::command::Command;
use session::editor::Editor;
use session::settings::{Setting, Widget};
use std::sync::Arc;
use wgpu_gizmo::glam::{DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo::interaction::settings::BoxResult;
use wgpu_gizmo::{HandleId, Increment, Settings, Snap, Transform, View, Viewport};

/// An editor with its user interface.
struct Session {
    page: Page,
    editor: Editor,
    files: Files,
}

fn view() -> View {
    View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(1280, 800), 1.0)
        .expect("the view is valid")
}

/// Returns a scene with `hand` in `arm`, and `box`.
fn scene() -> Scene {
    let node = |name: &str, parent, x| {
        let local = Transform { translation: DVec3::X * x, ..Transform::IDENTITY };
        Node { mesh: Some(0), ..Node::new(name, parent, local) }
    };
    let nodes = vec![node("arm", None, 1.0), node("hand", Some(0), 2.0), node("box", None, 5.0)];
    tree_of(nodes)
}

fn opened(scene: Scene, selected: &[usize]) -> Session {
    let mut editor = Editor::new(scene).expect("there are few nodes");
    editor.select(Selection::of(selected), &view());
    let files = Files::new(Arc::new(|_| {}), "a scene", Recent::stored_in(None));
    let mut page = Page::new(true);
    for title in ["Gizmo", "Snapping", "Handles and rules"] {
        page.preferences.sections.insert(title.to_owned(), true);
    }
    Session { page, editor, files }
}

fn session(scene: Scene, selected: &[usize]) -> Harness<'static, Session> {
    let show = |ui: &mut egui::Ui, session: &mut Session| {
        let Session { page, editor, files } = session;
        page.show(ui, (editor, files), &view(), &Overlay::default());
    };
    let mut harness = Harness::builder()
        .with_size(vec2(1280.0, 800.0))
        // Frames are short enough for double clicks, and there are enough for scrolling to settle.
        .with_step_dt(0.02)
        .with_max_steps(100)
        .with_context_setup(style::install)
        .build_ui_state(show, opened(scene, selected));
    harness.run();
    harness
}

fn local(harness: &Harness<'_, Session>, name: &str) -> Transform {
    let scene = harness.state().editor.scene();
    scene.nodes()[scene.find(name).expect("the node exists")].local
}

fn steps(harness: &Harness<'_, Session>) -> Vec<String> {
    harness.state().editor.log().entries().iter().map(|step| step.name.clone()).collect()
}

/// Returns the row of a node in the tree, if it is visible. Other sections may show the name too.
fn row<'a>(harness: &'a Harness<'_, Session>, name: &'a str) -> Option<egui_kittest::Node<'a>> {
    harness.query_by_role_and_label(Role::TreeItem, name)
}

fn selected(harness: &Harness<'_, Session>) -> Vec<usize> {
    harness.state().editor.selection().nodes().to_vec()
}

fn focus(harness: &mut Harness<'_, Session>, label: &str) {
    harness.get_by_label(label).focus();
    harness.run();
}

fn type_text(harness: &mut Harness<'_, Session>, text: &str) {
    harness.event(Event::Text(text.to_owned()));
    harness.run();
}

fn press_key(harness: &mut Harness<'_, Session>, key: Key) {
    harness.key_press(key);
    harness.run();
}

/// Focuses a field, types a number and presses Enter.
fn type_into(harness: &mut Harness<'_, Session>, field: &str, text: &str) {
    focus(harness, field);
    type_text(harness, text);
    press_key(harness, Key::Enter);
}

/// Moves the focus to the next section of the panel.
fn focus_next(harness: &mut Harness<'_, Session>) {
    let context = harness.ctx.clone();
    harness.state_mut().page.focus_next(&context);
    harness.run();
}

fn resize(harness: &mut Harness<'_, Session>, size: [f32; 2]) {
    harness.set_size(size.into());
    harness.run();
}

fn message(harness: &Harness<'_, Session>) -> String {
    harness.state().editor.message().unwrap_or_default()
}

/// Takes the commands that were chosen.
fn commands(harness: &mut Harness<'_, Session>) -> Vec<Command> {
    std::mem::take(&mut harness.state_mut().page.commands)
}

/// Returns a scene of nodes, whose only mesh is a cube.
fn tree_of(nodes: Vec<Node>) -> Scene {
    Scene::new(nodes, vec![shapes::cube()]).expect("the nodes form a tree")
}

fn press(pos: Pos2, pressed: bool, button: PointerButton, modifiers: Modifiers) -> [Event; 2] {
    [Event::PointerMoved(pos), Event::PointerButton { pos, button, pressed, modifiers }]
}

/// Turns the wheel at a point.
fn scroll_down(harness: &mut Harness<'_, Session>, at: Pos2) {
    harness.hover_at(at);
    harness.run();
    let (unit, phase) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move);
    let (source, delta) = (egui::MouseWheelSource::Wheel, vec2(0.0, -2000.0));
    harness.event(Event::MouseWheel { unit, delta, phase, modifiers: Modifiers::NONE, source });
    harness.run();
}

fn select(harness: &mut Harness<'_, Session>, nodes: &[usize]) {
    harness.state_mut().editor.select(Selection::of(nodes), &view());
    harness.run();
}

/// Returns a scene of `n0`, `n1` and so on, without parents.
fn many_nodes(count: usize) -> Scene {
    let node = |i: usize| Node::new(format!("n{i}"), None, Transform::IDENTITY);
    tree_of((0..count).map(node).collect())
}

/// Returns the accessible name of the widget with the focus.
fn focused(harness: &Harness<'_, Session>) -> Option<String> {
    let mut widgets = harness.root().children_recursive();
    widgets.find(|widget| widget.is_focused()).and_then(|widget| widget.accesskit_node().label())
}

fn click(harness: &mut Harness<'_, Session>, label: &str, modifiers: Modifiers) {
    harness.get_by_label(label).click_modifiers(modifiers);
    harness.run();
}

/// Scrolls to a widget and clicks it: the settings are longer than the panel.
fn find_and_click(harness: &mut Harness<'_, Session>, label: &str) {
    harness.get_by_label(label).scroll_to_me();
    harness.run();
    click(harness, label, Modifiers::NONE);
}

fn drag(harness: &mut Harness<'_, Session>, from: Pos2, by: &[f32]) {
    harness.hover_at(from);
    harness.run();
    harness.drag_at(from);
    harness.run();
    for x in by {
        harness.hover_at(from + vec2(*x, 0.0));
        harness.run();
    }
}

fn drop(harness: &mut Harness<'_, Session>, at: Pos2) {
    harness.drop_at(at);
    harness.run();
}

/// Returns true if a widget has this accessible name.
fn has_name(harness: &Harness<'_, Session>, name: &str) -> bool {
    let mut widgets = harness.root().children_recursive();
    widgets.any(|widget| {
        let node = widget.accesskit_node();
        // What a screen reader says.
        let said = if node.label_comes_from_value() { node.value() } else { node.label() };
        said.as_deref() == Some(name)
    })
}

#[test]
fn click_in_history_goes_to_step() {
    let mut harness = session(scene(), &[2]);
    for text in ["1", "2", "3"] {
        type_into(&mut harness, "Position Z", text);
    }
    harness.state_mut().editor.begin_save();
    harness.state_mut().editor.end_save(true);
    click(&mut harness, "Position Z of box: 1.000", Modifiers::NONE);
    assert_eq!((local(&harness, "box").translation.z, harness.state().editor.log().done()), (1.0, 1));
    assert!(!harness.state().editor.is_saved());
    for (key, z) in [(Key::ArrowDown, 2.0), (Key::ArrowDown, 3.0), (Key::ArrowUp, 2.0)] {
        press_key(&mut harness, key);
        assert_eq!(local(&harness, "box").translation.z, z);
    }
    click(&mut harness, "As opened", Modifiers::NONE);
    assert_eq!(local(&harness, "box").translation.z, 0.0);
    assert_eq!(steps(&harness).len(), 3, "all steps can be redone");
}

#[test]
fn selected_step_of_history_stays_in_sight() {
    // The list fits into the higher window. The lower one scrolls to it when it has the focus.
    for height in [800.0, 600.0] {
        let mut harness = session(scene(), &[2]);
        harness.set_size(vec2(1280.0, height));
        for i in 0..20 {
            harness.state_mut().editor.set_flag(&[2], Flag::Hidden, i % 2 == 0);
        }
        let check = |harness: &mut Harness<'_, Session>, why: &str| {
            harness.run();
            let mut rows = harness.root().children_recursive();
            let is_current = |row: &egui_kittest::Node<'_>| {
                let node = row.accesskit_node();
                node.role() == Role::ListBoxOption && node.toggled() == Some(Toggled::True)
            };
            let row = rows.find(is_current).expect("the row of the current step is shown").rect();
            let seen = harness.get_by_label("Nodes").rect().bottom()..=height - 30.0;
            assert!(seen.contains(&row.top()) && seen.contains(&row.bottom()), "{height}, {why}: {row}");
        };
        for done in [20, 10, 0, 19].into_iter().filter(|_| height == 800.0) {
            harness.state_mut().editor.go_to_step(done);
            check(&mut harness, &format!("step {done}"));
            // Without the fields of a node, the list is higher.
            for nodes in [&[][..], &[2]] {
                harness.state_mut().editor.select(Selection::of(nodes), &view());
                check(&mut harness, &format!("step {done}, {nodes:?} selected"));
            }
        }
        (0..3).for_each(|_| focus_next(&mut harness));
        check(&mut harness, "focus");
        for key in [[Key::ArrowUp; 19], [Key::ArrowDown; 19]].as_flattened() {
            harness.key_press(*key);
            check(&mut harness, &format!("{key:?}"));
        }
    }
}

#[test]
fn click_moves_focus_within_panel() {
    let mut harness = session(scene(), &[1]);
    let has_focus =
        |harness: &Harness<'_, Session>, name: &str| assert_eq!(focused(harness).as_deref(), Some(name));
    find_and_click(&mut harness, "Scale may mirror");
    assert_eq!(focused(&harness), None, "the keys stay shortcuts");
    focus(&mut harness, "Copy transform");
    for name in ["Scale may mirror", "Mode: Rotate", "Solver"] {
        find_and_click(&mut harness, name);
        has_focus(&harness, name);
    }
    find_and_click(&mut harness, "Closest point");
    has_focus(&harness, "Solver");
    // A field that is left is confirmed.
    focus(&mut harness, "Position X");
    type_text(&mut harness, "7");
    find_and_click(&mut harness, "Paste transform");
    has_focus(&harness, "Paste transform");
    assert_eq!(local(&harness, "hand").translation.x, 7.0);
    // The focus of the tree is on the row of the active node.
    row(&harness, "hand").expect("the row is visible").click();
    harness.run();
    for button in ["Hide hand", "Lock box", "Collapse arm"] {
        click(&mut harness, button, Modifiers::NONE);
        assert!(focused(&harness).is_some(), "{button}");
    }
    press_key(&mut harness, Key::Home);
    assert_eq!(selected(&harness), [0]);
    click(&mut harness, "Toggle the grid", Modifiers::NONE);
    assert_eq!(focused(&harness), None, "the toolbar acts on the viewport");
}

#[test]
fn every_setting_of_panel_is_changed_by_its_widget() {
    let mut seen = 0;
    let mut harness = session(scene(), &[0]);
    let opened = harness.state().editor.values();
    for (setting, row) in Setting::ALL.into_iter().filter_map(|it| Some((it, it.panel()?))) {
        // With box handles and snapping under the pointer, every row has an effect.
        harness.state_mut().editor.set_values(opened);
        harness.state_mut().editor.change(|values| {
            Setting::Box.choose(values, 1);
            Setting::SnapTo.choose(values, 1);
        });
        harness.run();
        let before = harness.state().editor.values();
        let labels = setting.labels();
        let last = labels.len().saturating_sub(1);
        let other = if setting.chosen(&before) == Some(last) { 0 } else { last };
        match row.widget {
            Widget::Check(text, _) => find_and_click(&mut harness, text),
            Widget::Buttons => find_and_click(&mut harness, &format!("{}: {}", row.label, labels[other])),
            Widget::Combo => {
                find_and_click(&mut harness, row.label);
                // A menu of the bar can have the same name.
                harness.get_all_by_label(&labels[other]).last().expect("the list is open").click();
                harness.run();
            }
            Widget::Length => type_into(&mut harness, row.label, "0.25"),
        }
        let mut after = harness.state().editor.values();
        assert_ne!(before, after, "{setting:?}");
        assert_eq!(setting.chosen(&after), (!labels.is_empty()).then_some(other), "{setting:?}");
        // Nothing else has changed.
        match setting.chosen(&before) {
            Some(index) => setting.choose(&mut after, index),
            None => after.box_handles.min_size = before.box_handles.min_size,
        }
        assert_eq!(before, after, "{setting:?}");
        seen += 1;
    }
    assert!(seen > 15, "{seen}");
}

#[test]
fn increments_and_snapping_are_set_in_panel() {
    let mut harness = session(scene(), &[]);
    type_into(&mut harness, "Rotate increment", "30");
    type_into(&mut harness, "Scale increment", "0");
    assert!(!harness.state().page.preferences.has_fixed_steps, "only lengths follow the grid");
    find_and_click(&mut harness, "Snap always");
    let settings = harness.state().editor.gizmo().settings;
    assert_eq!(settings.snap.while_held, Snap::OFF);
    let degrees = settings.snap.increments.rotate.map(|increment| increment.get().to_degrees().round());
    assert_eq!((degrees, settings.snap.increments.scale), (Some(30.0), None));
    assert_eq!(settings.snap.increments.translate, Snap::DEFAULT_INCREMENTS.translate);
    type_into(&mut harness, "Translate increment", "0.3");
    assert!(harness.state().page.preferences.has_fixed_steps);
    find_and_click(&mut harness, "Lengths follow the grid");
    assert!(!harness.state().page.preferences.has_fixed_steps);
}

#[test]
fn hidden_box_handles_keep_their_settings() {
    let mut harness = session(scene(), &[0]);
    find_and_click(&mut harness, "Box: Crop box");
    find_and_click(&mut harness, "Keep the aspect");
    find_and_click(&mut harness, "Box: Off");
    assert_eq!(harness.state().editor.gizmo().settings.box_handles, None);
    find_and_click(&mut harness, "Box: Transform");
    let shown = harness.state().editor.gizmo().settings.box_handles.expect("box handles are shown");
    assert_eq!((shown.result, shown.keep_aspect), (BoxResult::Transform, true));
    // A replay may have numbers beyond the ranges of the fields, which must not change by being shown.
    let mut values = harness.state().editor.values();
    values.box_handles.min_size = 1e-6;
    values.increments().translate = Increment::new(1e10);
    harness.state_mut().editor.set_values(values);
    harness.run();
    assert_eq!(harness.state().editor.values(), values);
    // The window runs and records the commands of the pivot.
    find_and_click(&mut harness, "Edit the pivot");
    assert_eq!(commands(&mut harness), [Command::EditPivot]);
}

#[test]
fn every_focusable_widget_has_name() {
    for selection in [vec![], vec![2], vec![0, 2]] {
        let harness = session(scene(), &selection);
        let widgets = harness.root().children_recursive().map(|widget| widget.accesskit_node());
        let takes_keys = widgets.filter(|node| node.data().supports_action(Action::Focus));
        let mut count = 0;
        for node in takes_keys {
            count += 1;
            let is_named = node.label().is_some_and(|label| !label.trim().is_empty());
            assert!(is_named, "{:?}", node.data());
        }
        assert!(count > 15, "{count}");
    }
}

#[test]
fn margins_match_panels_at_once_when_they_are_toggled() {
    let mut harness = session(scene(), &[]);
    let margins = harness.state().page.margins;
    assert_eq!((margins.left, margins.top, margins.bottom), (40.0, 30.0, 30.0));
    assert!((300.0..400.0).contains(&margins.right), "{margins:?}");
    let view = Rect::from_min_max(Pos2::new(40.0, 30.0), Pos2::new(1280.0 - margins.right, 770.0));
    let page = Page::new(true);
    assert_eq!(page.margins, margins, "the margins are known before the first frame");
    assert!(
        harness.ctx.layer_id_at(view.center()).is_none_or(|layer| layer.order == egui::Order::Background)
    );
    assert_eq!(Page::new(false).margins, MarginF32::default(), "without panels");
    // Change the width.
    let edge = Pos2::new(1280.0 - harness.state().page.margins.right, 400.0);
    drag(&mut harness, edge, &[-30.0, -60.0]);
    drop(&mut harness, edge - vec2(60.0, 0.0));
    let open = harness.state().page.margins;
    assert!(open.right > 380.0, "{open:?}");
    for is_open in [false, true, false] {
        harness.state_mut().page.toggle();
        let before = harness.state().page.margins;
        // The viewport is drawn before the page is shown, so the margins must be known by then.
        harness.step();
        assert_eq!(harness.state().page.margins, before);
        harness.run();
        assert_eq!(harness.state().page.margins, before);
        let right = if is_open { open.right } else { 0.0 };
        assert_eq!(before, MarginF32 { right, ..open });
        assert!(harness.query_by_label("File").is_some(), "the menu bar stays");
        assert_eq!(harness.query_by_label("Nodes").is_some(), is_open);
    }
}

#[test]
fn section_sizes_are_independent_of_contents() {
    let mut harness = session(scene(), &[2]);
    let before = (harness.get_by_label("Nodes").rect(), harness.state().page.margins);
    focus(&mut harness, "Search nodes");
    type_text(&mut harness, "no such name");
    assert!(harness.query_by_label("No matching nodes").is_some());
    assert_eq!((harness.get_by_label("Nodes").rect(), harness.state().page.margins), before);
}

#[test]
fn focus_moves_from_section_to_section() {
    // The focus in the tree is on the row of the active node.
    let plain = ["box", "Position X", "History", "Mode: Translate", "Search nodes", "box"];
    let camera = ["eye", "Position X", "Field of view", "History", "Mode: Translate", "Search nodes"];
    let light = ["lamp", "Position X", "Color", "History", "Mode: Translate", "Search nodes"];
    let nothing = ["Nodes", "History", "History", "Mode: Translate", "Search nodes", "Nodes"];
    let lit = volumes::lit_scene;
    let rows: [(_, &[usize], _); 4] =
        [(scene(), &[2], plain), (lit(), &[0], camera), (lit(), &[1], light), (scene(), &[], nothing)];
    for (scene, nodes, wanted) in rows {
        let mut harness = session(scene, nodes);
        let at = wanted.map(|_| {
            focus_next(&mut harness);
            focused(&harness)
        });
        assert_eq!(at, wanted.map(|name| Some(name.to_owned())));
    }
}

#[test]
fn selection_is_aligned_by_chosen_edge() {
    let mut harness = session(scene(), &[1, 0, 2]);
    click(&mut harness, "Align by", Modifiers::NONE);
    click(&mut harness, "Maximum", Modifiers::NONE);
    let wide = Transform { scale: DVec3::new(3.0, 1.0, 1.0), ..local(&harness, "box") };
    harness.state_mut().editor.edit_unlisted(&Edit::Place(vec![(2, wide)]), &view());
    harness.run();
    click(&mut harness, "Align in X", Modifiers::NONE);
    // The box has a width of 3 and its center at 5, so it ends at 6.5. The cube of `arm` then has its center
    // at 6, and that of `hand`, its child, at 0.
    assert_eq!((local(&harness, "arm").translation.x, local(&harness, "hand").translation.x), (6.0, 0.0));
    assert_eq!(steps(&harness).last().map(String::as_str), Some("Align 2 nodes in X by maximum to box"));
    select(&mut harness, &[2]);
    assert!(harness.query_by_label("Align in X").is_none(), "alignment needs several nodes");
}
