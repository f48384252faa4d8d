//! Random walks through the panel by its accessibility tree, as a table (`tests/panel_walks.tsv` of the viewer): what
//! each section says, and what becomes of the scene.

use super::golden::{self, Row, Table, choose};
use super::seen::{BOTTOM, SECTIONS, Seen, seen};
use super::volumes::lit_scene;
use super::*;
use fastrand::Rng;

const ROWS: usize = 44;
const STEPS: usize = 12;
fn send(harness: &mut Harness<'_, Session>, events: impl IntoIterator<Item = Event>) {
    harness.input_mut().events.extend(events);
    harness.step();
}

fn click_at(harness: &mut Harness<'_, Session>, at: Pos2, button: PointerButton, modifiers: Modifiers) {
    send(harness, press(at, true, button, modifiers));
    send(harness, press(at, false, button, modifiers));
}

fn drag_between(harness: &mut Harness<'_, Session>, from: Pos2, to: Pos2, ends: bool) {
    send(harness, press(from, true, PointerButton::Primary, Modifiers::NONE));
    for share in [0.3, 0.8, 1.0] {
        send(harness, [Event::PointerMoved(from.lerp(to, share))]);
    }
    if !ends {
        press_key(harness, Key::Escape);
    }
    send(harness, press(to, false, PointerButton::Primary, Modifiers::NONE));
}

fn press_key(harness: &mut Harness<'_, Session>, key: Key) {
    press_keys(harness, key, Modifiers::NONE);
}

fn press_keys(harness: &mut Harness<'_, Session>, key: Key, modifiers: Modifiers) {
    let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
    send(harness, [event(true), event(false)]);
}

fn request(harness: &mut Harness<'_, Session>, action: Action, seen: &Seen) {
    let request = egui::accesskit::ActionRequest {
        action,
        target_node: seen.id,
        target_tree: egui::accesskit::TreeId::ROOT,
        data: None,
    };
    send(harness, [Event::AccessKitActionRequest(request)]);
}

/// Types into a field, and confirms, cancels or leaves it.
fn type_text(rng: &mut Rng, harness: &mut Harness<'_, Session>, field: &Seen) {
    request(harness, Action::Focus, field);
    if rng.u8(..3) == 0 {
        press_key(harness, Key::ArrowUp);
    }
    let numbers = ["2", "-0.5", "*=2", "1/4", "30", "+=1", "abc", "0", "1e9", "90", "0.05"];
    let names = ["box", "a", "e", "lamp", "#ff8000", "c", ""];
    let text = if field.role == Role::TextInput { choose(rng, &names) } else { choose(rng, &numbers) };
    send(harness, [Event::Text(text.to_owned())]);
    press_key(harness, choose(rng, &[Key::Enter, Key::Enter, Key::Tab, Key::Escape]));
}

/// Acts on a random widget, if there is one.
fn act(rng: &mut Rng, harness: &mut Harness<'_, Session>, seen: &[Seen], row: &mut Row) {
    // Eyes and locks are many, and what they hide or lock cannot be edited.
    let is_dull = |seen: &Seen| match seen.role {
        Role::DisclosureTriangle | Role::Splitter => true,
        role => role == Role::Button && seen.section == "tree",
    };
    let widgets = seen.iter().filter(|seen| seen.is_widget && (!is_dull(seen) || rng.u8(..5) == 0));
    let widgets: Vec<&Seen> = widgets.collect();
    let of =
        |section| -> Vec<&Seen> { widgets.iter().copied().filter(|seen| seen.section == section).collect() };
    // In a menu, if one is open, or in a section of the panel, of which each comes as often as another.
    let around = choose(rng, &["bar", "toolbar", "view"]);
    let places =
        ["tree", "tree", "search", "transform", "transform", "transform", "volume", "volume", around];
    let others = ["history", "gizmo", "snapping", "rules", "animation"];
    let places: Vec<Vec<&Seen>> =
        places.into_iter().chain(others).map(of).filter(|of| !of.is_empty()).collect();
    let popup: Vec<&Seen> = of("popups");
    let is_in_popup = !popup.is_empty() && rng.u8(..4) > 0;
    let place = if is_in_popup { popup } else { choose(rng, &places) };
    // Of each kind as often as of another.
    let mut roles: Vec<Role> = place.iter().map(|seen| seen.role).collect();
    roles.sort_by_key(|role| *role as u8);
    roles.dedup();
    let role = choose(rng, &roles);
    let alike: Vec<&Seen> = place.into_iter().filter(|seen| seen.role == role).collect();
    let seen = choose(rng, &alike);
    row.count("acts", format!("{} {}", seen.section, format!("{:?}", seen.role).to_lowercase()));
    let (at, is_in_sight) = (seen.center, seen.center.y < BOTTOM);
    let by = vec2(f32::from(rng.i8(-60..=60)), 0.0);
    let modifiers = choose(rng, &[Modifiers::NONE, Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND]);
    match (seen.role, rng.u8(..12)) {
        (Role::SpinButton, 0..=6) | (Role::TextInput, _) => type_text(rng, harness, seen),
        (Role::SpinButton, 7..=9) | (Role::Slider | Role::Splitter, 0..=5) if is_in_sight => {
            drag_between(harness, at, at + by, rng.u8(..4) > 0);
        }
        (Role::SpinButton | Role::Slider, _) => {
            request(harness, choose(rng, &[Action::Increment, Action::Decrement]), seen);
        }
        (Role::TreeItem, 0..=4) => {
            let rows: Vec<&Seen> = widgets.iter().copied().filter(|to| to.role == Role::TreeItem).collect();
            drag_between(harness, at, choose(rng, &rows).center, rng.u8(..4) > 0);
        }
        (Role::TreeItem, 5 | 6) => click_at(harness, at, PointerButton::Secondary, Modifiers::NONE),
        (Role::TreeItem, _) => {
            click_at(harness, at, PointerButton::Primary, modifiers);
            let keys = [Key::ArrowDown, Key::ArrowUp, Key::ArrowLeft, Key::F9];
            press_keys(harness, choose(rng, &keys), choose(rng, &[Modifiers::NONE, Modifiers::SHIFT]));
        }
        (_, 0) => {
            request(harness, Action::Focus, seen);
            press_key(harness, choose(rng, &[Key::Space, Key::ArrowDown, Key::ArrowUp, Key::Enter]));
        }
        (_, 1..=5) if is_in_sight => click_at(harness, at, PointerButton::Primary, Modifiers::NONE),
        _ => request(harness, Action::Click, seen),
    }
}

/// Does what the window, the viewport or the keys do.
fn intervene(rng: &mut Rng, harness: &mut Harness<'_, Session>) {
    let count = harness.state().editor.scene().nodes().len();
    let nodes: Vec<usize> = (0..count).filter(|_| rng.u8(..3) == 0).collect();
    let keys = [Key::Tab, Key::ArrowDown, Key::ArrowUp, Key::Home, Key::Escape, Key::Enter];
    let modifiers = choose(rng, &[Modifiers::NONE, Modifiers::SHIFT]);
    match rng.u8(..7) {
        0 => harness.state_mut().editor.select(Selection::of(&nodes), &view()),
        1 => harness.state_mut().editor.undo(&view()),
        2 => _ = harness.state_mut().editor.run(Command::Redo, &view()),
        3 => harness.state_mut().page.open_context_menu(Pos2::new(300.0, 200.0)),
        4 => harness.state_mut().editor.drag_by(|gizmo, _| {
            gizmo.pivot_to(DVec3::new(0.5, 0.25, 1.0));
            vec![]
        }),
        _ => press_keys(harness, choose(rng, &keys), modifiers),
    }
}

/// Runs the commands that were chosen, as the window does.
fn run_commands(harness: &mut Harness<'_, Session>, row: &mut Row) {
    for command in std::mem::take(&mut harness.state_mut().page.commands) {
        row.count("commands", format!("{command:?}").to_lowercase());
        let Session { page, editor, .. } = harness.state_mut();
        match command {
            Command::Panel => page.toggle(),
            Command::Rename => page.rename(editor),
            Command::KeyboardShortcuts => page.shows_help = !page.shows_help,
            Command::Cancel => page.shows_help = false,
            _ => _ = editor.run(command, &view()),
        }
    }
    for command in &harness.output().platform_output.commands {
        if let egui::OutputCommand::CopyText(text) = command {
            row.hash("copied", text);
        }
    }
    for request in std::mem::take(&mut harness.state_mut().files.requests) {
        row.count("commands", golden::variant(&request));
    }
}

fn record(harness: &Harness<'_, Session>, seen: &[Seen], step: usize, row: &mut Row) {
    for seen in seen.iter().filter(|seen| seen.role != Role::TextRun) {
        row.hash(seen.section, &seen.text);
    }
    let Session { page, editor, .. } = harness.state();
    let scene = editor.scene();
    for (index, node) in scene.nodes().iter().enumerate() {
        let Transform { translation, rotation, scale } = node.local;
        let at = step + index;
        row.add("translation", at, translation.dot(DVec3::new(1.0, 2.0, 4.0)));
        row.add("rotation", at, (rotation * DVec3::new(1.0, 2.0, 3.0)).dot(DVec3::new(3.0, 1.0, 2.0)));
        row.add("scale", at, scale.dot(DVec3::new(1.0, 2.0, 4.0)));
        row.hash("nodes", &format!("{:?} {:?} {:?}", node.name, node.parent, scene.volume(index)));
    }
    row.hash("selected", &format!("{:?}", editor.selection().nodes()));
    row.hash("settings", &format!("{:?}", editor.values()));
    row.hash("preferences", &format!("{:?} {:?}", page.preferences.sections, page.preferences.keymap));
    row.add("done", step, editor.log().done() as f64);
    row.add("margins", step, page.margins.right + 2.0 * page.margins.bottom);
    row.add("time", step, scene.pose().map_or(-1.0, |pose| pose.time));
    row.hash("messages", &format!("{:?}", editor.message()));
}

fn walk(harness: &mut Harness<'_, Session>, number: usize) -> Row {
    let (rng, mut row) = (&mut Rng::with_seed(number as u64), Row::default());
    let shown = [scene(), lit_scene(), super::carrying::letters(), super::animation::animated()];
    let shown = shown.into_iter().nth(number % 4).expect("there are four");
    *harness.state_mut() = opened(shown, &[rng.usize(..3)]);
    // The fonts stay, whose pictures take longer than a walk.
    harness.ctx.memory_mut(|memory| {
        let options = memory.options.clone();
        *memory = egui::Memory::default();
        memory.options = options;
    });
    // Frames are shorter with few open sections, and each is open in some walks.
    for (title, _) in SECTIONS {
        harness.state_mut().page.preferences.sections.insert(title.to_owned(), rng.u8(..3) == 0);
    }
    harness.step();
    let mut widgets = seen(harness);
    for step in 0..STEPS {
        harness.state_mut().editor.update(&view());
        if rng.u8(..6) == 0 {
            intervene(rng, harness);
        } else {
            act(rng, harness, &widgets, &mut row);
        }
        run_commands(harness, &mut row);
        harness.step();
        widgets = seen(harness);
        record(harness, &widgets, step, &mut row);
    }
    for name in steps(harness) {
        row.count("steps", name);
    }
    row
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "another library of functions rounds differently, and a shown digit may differ"
)]
fn random_walks_go_as_in_table() {
    let title = "Walks through the panel, one of `src/panel/tests/walks.rs` per row.";
    let harness = std::cell::RefCell::new(session(scene(), &[]));
    let row = &|number: usize| walk(&mut harness.borrow_mut(), number);
    let table = Table { path: "tests/panel_walks.tsv", title, tolerance: 1e-6, rows: ROWS, row };
    let totals = golden::check(&table);
    for (column, what, least) in [
        ("acts", "transform spinbutton", 15),
        ("acts", "tree treeitem", 30),
        ("acts", "volume", 10),
        ("acts", "animation", 10),
        ("acts", "popups", 30),
        ("commands", "", 20),
        ("steps", "", 60),
    ] {
        totals.assert_at_least(column, what, least);
    }
}
