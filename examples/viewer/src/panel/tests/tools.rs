//! Tests of the toolbar, the menus, the hints and the sections.

use super::*;
use crate::panel::hints::{self, Hint};
use session::keymap::Keymap;
use wgpu_gizmo::draw::DepthStyle;
use wgpu_gizmo::interaction::settings::{AxisKeys, Pivot, ShearPolicy};
use wgpu_gizmo::pick::snap::SnapTo;
use wgpu_gizmo::{Mode, Orientation};

fn handle(name: &str) -> HandleId {
    HandleId::from_name(name).expect("the handle is built in")
}

/// Opens the menu of a toolbar button or of the menu bar, and clicks an item.
fn choose(harness: &mut Harness<'_, Session>, path: &[&str]) {
    for label in path {
        // A section can have the name of a menu, which comes before it.
        let found = harness.get_all_by_label(label).next();
        found.expect("the button exists").click();
        harness.run();
    }
}

fn settings(harness: &Harness<'_, Session>) -> Settings {
    harness.state().editor.gizmo().settings
}

#[test]
fn toolbar_buttons_change_settings_and_show_state_and_key() {
    let mut harness = session(scene(), &[0]);
    for (tool, command) in [
        ("Tool: Rotate", Command::Rotate),
        ("Tool: Select only", Command::NoHandles),
        ("Tool: Translate", Command::Translate),
    ] {
        click(&mut harness, tool, Modifiers::NONE);
        assert_eq!(commands(&mut harness), [command]);
        harness.state_mut().editor.run(command, &view());
        harness.run();
        let is_on = harness.get_by_label(tool).accesskit_node().toggled();
        assert_eq!(is_on, Some(egui::accesskit::Toggled::True), "{tool}");
    }
    choose(&mut harness, &["Choose the orientation", "Parent"]);
    choose(&mut harness, &["Choose the pivot", "Individual"]);
    choose(&mut harness, &["Choose what to snap to", "Midpoint"]);
    choose(&mut harness, &["Choose the depth style", "Hatched"]);
    choose(&mut harness, &["Choose the box handles", "Crop box"]);
    let now = settings(&harness);
    assert_eq!((now.orientation, now.pivot), (Orientation::Parent, Pivot::Individual));
    assert_eq!((now.snap.to, now.display.depth_style), (SnapTo::MIDPOINT, DepthStyle::Hatched));
    assert!(now.box_handles.is_some());
    for name in ["Toggle snapping", "Toggle orthographic", "Toggle four views", "Toggle the grid"] {
        click(&mut harness, name, Modifiers::NONE);
    }
    let wanted = [Command::SnapAlways, Command::Orthographic, Command::FourViews, Command::Grid];
    assert_eq!(commands(&mut harness), wanted);
    // The other keymaps have no key for it.
    harness.state_mut().page.preferences.keymap = Keymap::Unity;
    harness.get_by_label("Tool: Select only").hover();
    harness.run_steps(60);
    harness.get_by_label("Select only: no handles (Q)");
}

#[test]
fn menus_run_commands_and_change_settings() {
    let mut harness = session(scene(), &[2]);
    choose(&mut harness, &["View", "Right view"]);
    choose(&mut harness, &["View", "Fly: the pointer looks, W A S D E Q move; Esc ends"]);
    choose(&mut harness, &["Gizmo", "Drag the selection with the pointer"]);
    choose(&mut harness, &["Help", "Keyboard shortcuts"]);
    let wanted = [Command::RightView, Command::Fly, Command::DragWithPointer, Command::KeyboardShortcuts];
    assert_eq!(commands(&mut harness), wanted);
    choose(&mut harness, &["View", "Handles of cameras and lights"]);
    assert_eq!(commands(&mut harness), [Command::CameraAndLightHandles]);
    choose(&mut harness, &["View", "Reduced motion"]);
    assert!(harness.state().page.preferences.reduces_motion());
    choose(&mut harness, &["Help"]);
    harness.get_by_label_contains("Keymap").click();
    harness.run();
    click(&mut harness, "Keys of Blender", Modifiers::NONE);
    assert_eq!(harness.state().page.preferences.keymap, Keymap::Blender);
}

#[test]
fn context_menu_of_view_opens_and_closes() {
    let mut harness = session(scene(), &[1]);
    harness.state_mut().page.open_context_menu(Pos2::new(300.0, 200.0));
    harness.run();
    assert!(harness.state().page.has_context_menu());
    click(&mut harness, "Rename", Modifiers::NONE);
    assert_eq!(commands(&mut harness), [Command::Rename]);
    assert!(!harness.state().page.has_context_menu());
    harness.state_mut().page.open_context_menu(Pos2::new(300.0, 200.0));
    harness.run();
    press_key(&mut harness, Key::Escape);
    assert!(!harness.state().page.has_context_menu());
}

/// Returns an editor with this selection.
fn selecting(nodes: &[usize]) -> Editor {
    let Session { mut editor, .. } = opened(scene(), nodes);
    editor.update(&view());
    editor
}

/// Starts a drag of a handle at this position.
fn grab(editor: &mut Editor, name: &str, x: f64, y: f64) {
    editor.pointer_moved(DVec2::new(x, y));
    editor.grab(handle(name));
    editor.update(&view());
}

fn keys(hints: &[Hint]) -> Vec<&str> {
    hints.iter().map(|hint| hint.key.as_str()).collect()
}

#[test]
fn hints_say_what_ends_drag_and_what_it_takes() {
    let idle = hints::now(&selecting(&[]), Keymap::Viewer);
    assert!(keys(&idle).contains(&"Wheel") && !keys(&idle).contains(&"G X Y Z"), "{idle:?}");
    let mut editor = selecting(&[0]);
    assert!(keys(&hints::now(&editor, Keymap::Viewer)).contains(&"G X Y Z"));
    assert!(keys(&hints::now(&editor, Keymap::Blender)).contains(&"G R S"));
    editor.change(|values| values.gizmo.input.axis_keys = AxisKeys::Off);
    assert!(keys(&hints::now(&editor, Keymap::Viewer)).contains(&"G"));
    editor.change(|values| values.gizmo.input.axis_keys = AxisKeys::Always);
    editor.set_flag(&[0], Flag::Locked, true);
    editor.update(&view());
    assert!(!keys(&hints::now(&editor, Keymap::Viewer)).contains(&"G X Y Z"), "a locked node stays");
    editor.set_flag(&[0], Flag::Locked, false);
    editor.update(&view());
    grab(&mut editor, "translate_view", 300.0, 300.0);
    let grabbed = hints::now(&editor, Keymap::Viewer);
    for key in ["Click, Enter", "Esc, right button", "X Y Z", "Shift+X Y Z", "Ctrl", "Shift", "0-9"] {
        assert!(keys(&grabbed).contains(&key), "{key}: {grabbed:?}");
    }
    editor.cancel();
    editor.update(&view());
    grab(&mut editor, "rotate_x", 300.0, 300.0);
    let ring = hints::now(&editor, Keymap::Viewer);
    assert!(!keys(&ring).contains(&"Shift+X Y Z"), "a ring has no plane: {ring:?}");
    for (name, unit) in [("rotate_x", "rad"), ("scale_x", "%"), ("translate_x", "cm")] {
        assert_eq!(hints::unit(handle(name).constraint()), unit);
    }
}

#[test]
fn refused_drag_is_not_promised() {
    let stretched = Transform { scale: DVec3::new(1.0, 2.0, 1.0), ..Transform::IDENTITY };
    let nodes = vec![Node::new("parent", None, stretched), Node::new("child", Some(0), Transform::IDENTITY)];
    let Session { mut editor, .. } = opened(tree_of(nodes), &[1]);
    for (mode, shear, is_promised) in [
        (Mode::Rotate, ShearPolicy::Reject, false),
        (Mode::Universal, ShearPolicy::Reject, true),
        (Mode::Rotate, ShearPolicy::BestFit, true),
    ] {
        editor.change(|values| (values.gizmo.mode, values.gizmo.motion.shear) = (mode, shear));
        editor.update(&view());
        let hints = hints::now(&editor, Keymap::Viewer);
        assert_eq!(keys(&hints).contains(&"G X Y Z"), is_promised, "{mode:?} {shear:?}: {hints:?}");
        let wanted = if shear == ShearPolicy::Reject { "G S" } else { "G R S" };
        assert!(keys(&hints::now(&editor, Keymap::Blender)).contains(&wanted), "{mode:?} {shear:?}");
    }
}

#[test]
fn hints_promise_snapping_only_where_drag_snaps() {
    let dragged = |name: &str, snap: Snap| {
        let mut editor = selecting(&[0]);
        editor.change(|values| values.gizmo.snap.increments = snap);
        grab(&mut editor, name, 1200.0, 350.0);
        editor.pointer_moved(DVec2::new(1163.0, 379.0));
        editor.update(&view());
        let drag = editor.gizmo().drag().expect("a drag is in progress");
        let hints = [hints::now(&editor, Keymap::Viewer), hints::of_handle(&editor, handle(name))];
        (drag.numbers().to_vec(), hints.map(|hints| keys(&hints).contains(&"Ctrl")))
    };
    let mut without = Vec::new();
    let handles =
        "translate_x translate_xy translate_view rotate_z rotate_view rotate_trackball scale_x scale_uniform";
    for name in handles.split(' ') {
        let ((free, promised), (snapped, _)) =
            (dragged(name, Snap::OFF), dragged(name, Snap::DEFAULT_INCREMENTS));
        assert!(free.iter().any(|number| number.abs() > 1e-3), "{name} is dragged");
        assert_eq!(promised, [free != snapped; 2], "{name}");
        if free == snapped {
            without.push(name);
        }
    }
    assert_eq!(without, ["rotate_trackball"]);
}

#[test]
fn hints_of_objects_follow_selection() {
    for (selected, wanted) in [
        (&[1][..], "Click: select arm, Shift: add"),
        (&[0], "Shift: remove"),
        (&[0, 1], "Click: select only arm, Shift: remove"),
    ] {
        let hints = hints::of_object(&selecting(selected), Some(0));
        let hints = hints.into_iter().map(|Hint { key, does }| format!("{key}: {does}"));
        assert_eq!(hints.collect::<Vec<_>>().join(", "), wanted);
    }
}

#[test]
fn amount_of_drag_has_unit() {
    let mut editor = selecting(&[0]);
    for (name, wanted) in [
        ("translate_x", ["Translate X ", " m"]),
        ("translate_zx", ["Translate ZX ", " m"]),
        ("rotate_y", ["Rotate Y ", "°"]),
        ("scale_uniform", ["Scale × ", "1.000"]),
    ] {
        grab(&mut editor, name, 400.0, 300.0);
        let amount = hints::amount(&editor, &view()).expect("a drag is in progress");
        let [start, end] = wanted;
        assert!(amount.starts_with(start) && amount.ends_with(end), "{name}: {amount}");
        let far = Overlay::default();
        let context = egui::Context::default();
        let beside = hints::beside_pointer(&editor, &view(), &far, &context).map(|(text, _)| text);
        assert_eq!(beside, Some(amount), "no readout is near");
        editor.cancel();
        editor.update(&view());
    }
    assert_eq!(hints::amount(&editor, &view()), None);
}

#[test]
fn menu_in_low_window_scrolls_to_its_end() {
    let mut harness = session(scene(), &[0]);
    resize(&mut harness, [640.0, 360.0]);
    choose(&mut harness, &["View"]);
    let bottom = |harness: &Harness<'_, Session>| harness.get_by_label("Show or hide the panel").rect().max.y;
    let first = harness.get_by_label_contains("Frame all").rect();
    assert!(first.min.y > 30.0, "the menu begins below the bar: {first}");
    assert!(bottom(&harness) > 360.0, "the menu is higher than the window");
    scroll_down(&mut harness, first.center());
    assert!(bottom(&harness) < 360.0, "the last command is in view: {}", bottom(&harness));
}

#[test]
fn status_line_shows_progress_of_slow_picture() {
    let mut harness = session(scene(), &[0]);
    harness.state_mut().editor.show_message("Saved");
    harness.state_mut().page.drawing = Some([3, 17]);
    harness.run();
    harness.get_by_label("Drawing 3 of 17: Esc cancels");
    assert!(harness.query_by_label("Saved").is_none());
    harness.state_mut().page.drawing = None;
    harness.run();
    harness.get_by_label("Saved");
    assert!(harness.query_by_label_contains("Drawing").is_none());
}

#[test]
fn handles_are_sliders_with_undo_and_reasons() {
    let mut harness = session(scene(), &[0]);
    harness.state_mut().editor.update(&view());
    harness.run();
    harness.get_by_role_and_label(Role::Slider, "Move along X").increment_accesskit();
    harness.run();
    // The default increment.
    assert_eq!(local(&harness, "arm").translation, DVec3::X * 1.5);
    // The faces of the crop box are handles too.
    harness.state_mut().editor.set_box_handles(Some(BoxResult::Extents));
    harness.state_mut().editor.update(&view());
    harness.run();
    let size = |harness: &Harness<'_, Session>| {
        let bounds = harness.state().editor.scene().extents(0).expect("the node has a mesh");
        bounds.max - bounds.min
    };
    assert_eq!(size(&harness), DVec3::ONE);
    harness.get_by_role_and_label(Role::Slider, "Resize along X at its minimum").set_value_accesskit(0.75);
    harness.run();
    assert_eq!(size(&harness), DVec3::new(0.75, 1.0, 1.0));
    assert_eq!(steps(&harness)[1..], ["Crop arm"], "one undo step each");
    harness.state_mut().editor.undo(&view());
    assert_eq!(size(&harness), DVec3::ONE);
    let singular = Transform { scale: DVec3::ZERO, ..Transform::IDENTITY };
    let mut nodes = scene().nodes().to_vec();
    nodes[0].local = singular;
    let nodes = nodes.into_iter().map(|node| Node { children: Vec::new(), ..node }).collect();
    let mut harness = session(tree_of(nodes), &[1]);
    harness.state_mut().editor.update(&view());
    harness.run();
    let slider = harness.get_by_role_and_label(Role::Slider, "Move along X");
    let reason = slider.accesskit_node().description().expect("a disabled handle says why");
    assert!(slider.accesskit_node().is_disabled() && reason.contains("singular"), "{reason}");
    let message = harness.state().editor.message().expect("the status line says why too");
    assert!(message.ends_with(&reason), "{message}");
}

#[test]
fn help_is_searched_by_key_and_effect() {
    let mut harness = session(scene(), &[0]);
    harness.state_mut().page.shows_help = true;
    harness.run();
    let has = |harness: &Harness<'_, Session>, text: &str| harness.query_by_label(text).is_some();
    assert!(has(&harness, "Duplicate with children") && has(&harness, "Nodes and history"));
    type_into(&mut harness, "Search shortcuts", "ctrl+d");
    assert!(has(&harness, "Duplicate with children") && !has(&harness, "Files and window"));
}
