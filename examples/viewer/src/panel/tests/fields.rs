//! The fields of the Transform section.

use super::*;

#[test]
fn replay_goes_on_without_fields_and_clipboard() {
    let mut harness = session(scene(), &[0]);
    harness.state_mut().page.is_replaying = true;
    harness.state_mut().editor.adjust("", "Translate {}", |_, start| *start);
    harness.run();
    harness.key_press(Key::Escape);
    harness.event(Event::Paste(r#"{"scale": [2, 2, 2]}"#.to_owned()));
    harness.run();
    assert!(harness.state().editor.is_changing() && local(&harness, "arm").scale == DVec3::ONE);
    harness.state_mut().page.is_replaying = false;
    harness.run();
    assert!(!harness.state().editor.is_changing());
}

#[test]
fn focusing_fields_changes_nothing() {
    let odd = Transform {
        translation: DVec3::new(0.1 + 0.2, 1e-9, 1e17 / 3.0),
        rotation: DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize(),
        scale: DVec3::new(1.0 / 3.0, -2.0, 0.0),
    };
    let mut harness = session(tree_of(vec![Node::new("odd", None, odd)]), &[0]);
    focus(&mut harness, "Position X");
    for group in ["Position", "Rotation", "Scale"] {
        for axis in ["X", "Y", "Z"] {
            assert_eq!(focused(&harness), Some(format!("{group} {axis}")), "Tab leads there");
            press_key(&mut harness, Key::Tab);
            assert_eq!(local(&harness, "odd"), odd, "{group} {axis}");
        }
    }
    assert_eq!(steps(&harness), [""; 0]);
}

#[test]
fn long_numbers_never_widen_row() {
    let mut harness = session(scene(), &[2]);
    let texts = ["1/3", "12345.678", "1000000000", "0.000000001", "1000/3"];
    for field in ["Position X", "Translate increment", "Rotate increment", "Scale increment"] {
        let width = harness.get_by_label(field).rect().width();
        for (text, leave) in texts.into_iter().zip([Key::Tab, Key::Enter, Key::Escape].into_iter().cycle()) {
            type_into(&mut harness, field, text);
            focus(&mut harness, field);
            press_key(&mut harness, leave);
            assert_eq!(harness.get_by_label(field).rect().width(), width, "{field} {text}");
        }
    }
}

#[test]
fn escape_drops_typed_number_and_restores_dragged_value() {
    let mut harness = session(scene(), &[2]);
    let increment = harness.state().editor.gizmo().settings.snap.increments.translate;
    for field in ["Position X", "Rotation Y", "Translate increment"] {
        focus(&mut harness, field);
        type_text(&mut harness, "7");
        press_key(&mut harness, Key::Escape);
    }
    assert_eq!(steps(&harness), [""; 0]);
    assert_eq!(harness.state().editor.gizmo().settings.snap.increments.translate, increment);
    // The field can be used again at once.
    type_into(&mut harness, "Position X", "7");
    let before = local(&harness, "box");
    assert_eq!(before.translation.x, 7.0);
    let field = harness.get_by_label("Scale Y").rect().center();
    drag(&mut harness, field, &[10.0, 80.0]);
    assert_ne!(local(&harness, "box"), before);
    press_key(&mut harness, Key::Escape);
    drop(&mut harness, field + vec2(80.0, 0.0));
    assert_eq!((local(&harness, "box"), steps(&harness).len()), (before, 1));
}

/// After a slow frame, the motion and the release of a drag arrive in one frame.
#[test]
fn drag_of_field_counts_if_motion_and_release_arrive_together() {
    let mut harness = session(scene(), &[2]);
    let before = local(&harness, "box").translation.x;
    let field = harness.get_by_label("Position X").rect().center();
    let [pressed, released] = [(0.0, true), (80.0, false)]
        .map(|(by, down)| press(field + vec2(by, 0.0), down, PointerButton::Primary, Modifiers::NONE));
    pressed.into_iter().for_each(|event| harness.event(event));
    harness.step();
    harness.input_mut().events.extend(released);
    harness.run();
    assert!(local(&harness, "box").translation.x > before, "it was dragged to the right");
    assert_eq!(steps(&harness).len(), 1);
}

#[test]
fn press_in_tree_applies_number_to_nodes_selected_before() {
    let [primary, secondary] = [PointerButton::Primary, PointerButton::Secondary];
    for (button, is_fast) in [(primary, false), (primary, true), (secondary, true)] {
        let mut harness = session(scene(), &[2]);
        focus(&mut harness, "Position Y");
        type_text(&mut harness, "7");
        let pos = row(&harness, "arm").expect("the row is visible").rect().center();
        let mut events = [true, false].map(|pressed| press(pos, pressed, button, Modifiers::NONE)).concat();
        if is_fast {
            // In one frame.
            harness.input_mut().events.append(&mut events);
        }
        events.into_iter().for_each(|event| harness.event(event));
        harness.run();
        let wanted = (vec![0], vec!["Position Y of box: 7.000".to_owned()]);
        assert_eq!((selected(&harness), steps(&harness)), wanted, "{button:?}, fast: {is_fast}");
    }
}

#[test]
fn invalid_numbers_show_reason_and_change_nothing() {
    let mut harness = session(scene(), &[2]);
    let before = local(&harness, "box");
    for (text, why) in [
        ("inf", "unknown unit or name"),
        ("1+", "missing"),
        ("1/0", "not a number"),
        ("*=10^308*10", "too large"),
    ] {
        type_into(&mut harness, "Position Y", text);
        assert_eq!(local(&harness, "box"), before, "{text}");
        let message = message(&harness);
        assert!(message.starts_with("Position Y: ") && message.contains(why), "{text}: {message}");
    }
    type_into(&mut harness, "Translate increment", "1/x");
    let why = message(&harness);
    assert_eq!((steps(&harness), why.contains("unknown unit or name")), (Vec::new(), true), "{why}");
    // The number is too large only together with the scale of the parent.
    select(&mut harness, &[0]);
    type_into(&mut harness, "Scale X", "10^200");
    select(&mut harness, &[1]);
    let before = local(&harness, "hand");
    for text in ["10^200", "*=10^200"] {
        type_into(&mut harness, "Position X", text);
        assert_eq!((local(&harness, "hand"), steps(&harness).len()), (before, 1), "{text}");
        let why = message(&harness);
        assert!(why.contains("the number is too large"), "{text}: {why}");
    }
}

#[test]
fn expression_is_applied_once_as_one_step() {
    let mut harness = session(scene(), &[2]);
    for (field, text) in [
        ("Position Y", "1/3"),
        ("Position X", "+=0.5"),
        ("Scale Z", "*=-(1+2)^2"),
        ("Rotation X", "90/4"),
        ("Rotation X", "+=45"),
    ] {
        type_into(&mut harness, field, text);
        // Later passes must not apply the change again.
        harness.run_steps(4);
    }
    let wanted = Transform {
        translation: DVec3::new(5.5, 1.0 / 3.0, 0.0),
        rotation: DQuat::from_rotation_x(67.5f64.to_radians()),
        scale: DVec3::new(1.0, 1.0, -9.0),
    };
    assert_eq!(local(&harness, "box"), wanted);
    let named = [
        "Position Y of box: 0.333",
        "Position X of box: += 0.500",
        "Scale Z of box: *= -9.000",
        "Rotation X of box: 22.50°",
        "Rotation X of box: += 45.00°",
    ];
    assert_eq!(steps(&harness), named);
    type_into(&mut harness, "Rotate increment", "360/16");
    type_into(&mut harness, "Rotate increment", "/=3");
    let increment =
        harness.state().editor.gizmo().settings.snap.while_held.rotate.expect("the increment is set");
    assert!((increment.get().to_degrees() - 7.5).abs() < 1e-12);
    harness.state_mut().editor.go_to_step(0);
    harness.run();
    assert_eq!(local(&harness, "box"), Transform { translation: DVec3::X * 5.0, ..Transform::IDENTITY });
    assert_eq!(text_of(&harness, "Position X"), "5.000");
}

#[test]
fn typing_after_click_replaces_hidden_digits_too() {
    let mut harness = session(scene(), &[2]);
    type_into(&mut harness, "Position X", "25/12");
    for (text, wanted) in [("+=1/4", 25.0 / 12.0 + 0.25), ("1/3", 1.0 / 3.0)] {
        let at = harness.get_by_label("Position X").rect().center();
        drag(&mut harness, at, &[]);
        drop(&mut harness, at);
        type_text(&mut harness, text);
        press_key(&mut harness, Key::Enter);
        assert_eq!(local(&harness, "box").translation.x, wanted, "{text}");
    }
    // An operator applies to the value that an arrow key has left.
    focus(&mut harness, "Position X");
    press_key(&mut harness, Key::ArrowUp);
    let stepped = local(&harness, "box").translation.x;
    assert!(stepped > 1.0 / 3.0, "{stepped}");
    type_into(&mut harness, "Position X", "+=1");
    assert_eq!(local(&harness, "box").translation.x, stepped + 1.0);
    assert_eq!(steps(&harness).len(), 5, "{:?}", steps(&harness));
}

#[test]
fn undone_or_canceled_turns_show_typed_angles() {
    let mut harness = session(many_nodes(1), &[0]);
    let ring = HandleId::from_name("rotate_z").expect("the handle exists");
    let typed = ["10.00°", "90.00°", "400.00°"];
    for (axis, text) in ["X", "Y", "Z"].into_iter().zip(typed) {
        type_into(&mut harness, &format!("Rotation {axis}"), text.trim_end_matches(".00°"));
    }
    assert_eq!(shown(&harness, "Rotation"), typed, "also at the pole");
    // More than two turns.
    for step in 0..=32 {
        let editor = &mut harness.state_mut().editor;
        let by_px = 96.0 * DVec2::from_angle(-0.5 * f64::from(step));
        editor.pointer_moved(DVec2::new(640.0, 400.0) + by_px);
        if step == 0 {
            editor.grab(ring);
        }
        editor.update(&view());
        harness.run();
    }
    assert_ne!(shown(&harness, "Rotation"), typed, "the ring is dragged");
    harness.state_mut().editor.cancel();
    harness.state_mut().editor.update(&view());
    harness.run();
    assert_eq!(shown(&harness, "Rotation"), typed, "canceled");
    harness.state_mut().editor.drive(ring, (-450f64).to_radians().into(), &view());
    harness.run();
    assert_ne!(shown(&harness, "Rotation"), typed);
    harness.state_mut().editor.undo(&view());
    harness.run();
    assert_eq!(shown(&harness, "Rotation"), typed, "undone");
}

#[test]
fn operators_apply_to_value_of_each_selected_node() {
    let mut harness = session(scene(), &[0, 2]);
    let x = |harness: &Harness<'_, Session>| ["arm", "box"].map(|name| local(harness, name).translation.x);
    type_into(&mut harness, "Position X", "*=2");
    assert_eq!(x(&harness), [2.0, 10.0]);
    type_into(&mut harness, "Position X", "-=10");
    assert_eq!(x(&harness), [-8.0, 0.0]);
    // The active node stays at 0, so its value does not show whether the change was applied.
    type_into(&mut harness, "Position X", "*=3");
    harness.run_steps(4);
    assert_eq!(x(&harness), [-24.0, 0.0]);
    // Confirm with Tab instead of Enter.
    focus(&mut harness, "Position X");
    type_text(&mut harness, "*=2");
    harness.key_press(Key::Tab);
    harness.run_steps(4);
    assert_eq!(x(&harness), [-48.0, 0.0]);
    type_into(&mut harness, "Position X", "1/4");
    assert_eq!(x(&harness), [0.25, 0.25]);
    assert_eq!(steps(&harness).len(), 5);
}

#[test]
fn field_drag_changes_all_selected_nodes_in_one_step() {
    let mut harness = session(scene(), &[0, 2]);
    let field = harness.get_by_label("Position X").rect().center();
    drag(&mut harness, field, &[10.0, 25.0, 60.0, 40.0]);
    let moved = local(&harness, "box").translation.x - 5.0;
    assert!(moved > 0.1, "{moved}");
    assert!((local(&harness, "arm").translation.x - 1.0 - moved).abs() < 1e-12);
    assert_eq!(steps(&harness), [""; 0], "the drag has not ended");
    drop(&mut harness, field + vec2(40.0, 0.0));
    assert_eq!(steps(&harness), [format!("Position X of 2 nodes by {moved:.3}")]);
    harness.state_mut().editor.undo(&view());
    assert_eq!((local(&harness, "arm").translation.x, local(&harness, "box").translation.x), (1.0, 5.0));
}

/// Returns the texts of the fields of a channel.
fn shown(harness: &Harness<'_, Session>, group: &str) -> [String; 3] {
    ["X", "Y", "Z"].map(|axis| text_of(harness, &format!("{group} {axis}")))
}

/// Returns the text of a field.
fn text_of(harness: &Harness<'_, Session>, field: &str) -> String {
    harness.get_by_label(field).value().unwrap_or_default()
}

#[test]
fn rounding_noise_shows_zero_unless_typed_or_tiny_scene() {
    let noisy = Transform {
        translation: DVec3::new(7.9e-15, 2.0, -3e-16),
        scale: DVec3::new(1.0, 1.0, 1e-17),
        ..Transform::IDENTITY
    };
    let mesh = |node| Node { mesh: Some(0), ..node };
    let flat = Transform { translation: DVec3::Y * 2.0, ..noisy };
    let [noisy_box, flat] =
        [("box", noisy), ("flat", flat)].map(|(name, at)| mesh(Node::new(name, None, at)));
    let harness = session(tree_of(vec![noisy_box.clone(), flat]), &[0, 1]);
    // The distance of two nodes.
    assert!(has_name(&harness, "Distance: 0.000"));
    let mut harness = session(tree_of(vec![noisy_box]), &[0]);
    assert_eq!(shown(&harness, "Position"), ["0.000", "2.000", "0.000"]);
    assert_eq!(shown(&harness, "Scale"), ["1.000", "1.000", "0.000"]);
    for world in ["X: 0.000", "Y: 2.000", "Z: 0.000"] {
        assert!(has_name(&harness, &format!("World position {world}")), "{world}");
    }
    // Moving the focus keeps the bits, and a typed value is shown as typed.
    for axis in ["X", "Y", "Z"] {
        focus(&mut harness, &format!("Position {axis}"));
        press_key(&mut harness, Key::Tab);
    }
    assert_eq!((local(&harness, "box"), steps(&harness).len()), (noisy, 0));
    type_into(&mut harness, "Position X", "10^-14");
    assert_eq!(
        (local(&harness, "box").translation.x, text_of(&harness, "Position X")),
        (1e-14, "1.0e-14".into())
    );
    assert!(has_name(&harness, "World position X: 1.0e-14"));
    // Such values are not noise in a tiny scene, or under a parent with a large scale.
    let tiny = Transform {
        translation: DVec3::new(7.9e-15, 0.0, 2e-14),
        scale: DVec3::splat(1e-14),
        ..Transform::IDENTITY
    };
    let large = Transform { scale: DVec3::splat(1e14), ..Transform::IDENTITY };
    let harness = session(tree_of(vec![mesh(Node::new("grain", None, tiny))]), &[0]);
    assert_eq!(shown(&harness, "Position"), ["7.9e-15", "0.000", "2.0e-14"]);
    let beside = Transform { translation: DVec3::X * 7.9e-15, ..tiny };
    let nodes = vec![Node::new("lens", None, large), mesh(Node::new("grain", Some(0), beside))];
    let harness = session(tree_of(nodes), &[1]);
    assert_eq!(shown(&harness, "Position"), ["7.9e-15", "0.000", "0.000"]);
}

#[test]
fn reset_buttons_reset_one_value_or_all() {
    let mut harness = session(scene(), &[2]);
    type_into(&mut harness, "Scale Z", "4");
    type_into(&mut harness, "Rotation Y", "30");
    click(&mut harness, "Reset Position X", Modifiers::NONE);
    let now = local(&harness, "box");
    assert_eq!((now.translation.x, now.scale.z), (0.0, 4.0));
    click(&mut harness, "Reset transform", Modifiers::NONE);
    assert_eq!(local(&harness, "box"), Transform::IDENTITY);
    assert_eq!(steps(&harness)[2..], ["Reset Position X of box", "Reset transform of box"]);
}

#[test]
fn selected_nodes_are_reset_although_active_one_has_defaults() {
    for button in ["Reset Position X", "Reset transform"] {
        let mut scene = many_nodes(2);
        scene.set_local(0, Transform { translation: DVec3::X, ..Transform::IDENTITY });
        let mut harness = session(scene, &[0, 1]);
        click(&mut harness, button, Modifiers::NONE);
        assert_eq!(local(&harness, "n0"), Transform::IDENTITY, "{button}");
    }
}

#[test]
fn transform_is_copied_and_pasted_into_all_selected_nodes() {
    let mut harness = session(scene(), &[2]);
    // Also without the panel.
    harness.state_mut().page.toggle();
    harness.event(Event::Copy);
    harness.step();
    assert_eq!(harness.state().editor.message().as_deref(), Some("Copied the transform of box"));
    let copied = harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("a text was copied");
    harness.state_mut().editor.select(Selection::of(&[1, 0]), &view());
    harness.event(Event::Paste(copied));
    harness.run();
    assert_eq!(
        (local(&harness, "arm"), local(&harness, "hand")),
        (local(&harness, "box"), local(&harness, "box"))
    );
    assert_eq!(steps(&harness), ["Paste transform into 2 nodes"]);
    harness.event(Event::Paste("{\"scale\": 3}".to_owned()));
    harness.run();
    assert!(harness.query_by_label_contains("Could not paste a transform: scale").is_some());
    assert_eq!(steps(&harness).len(), 1);
}

#[test]
fn huge_pasted_text_is_cut_and_reported() {
    let huge = "ab".repeat(1 << 20);
    for label in ["Search nodes", "Position X"] {
        let mut harness = session(scene(), &[2]);
        focus(&mut harness, label);
        for event in [Event::Paste(huge.clone()), Event::Text(huge.clone())] {
            harness.event(event);
            harness.step();
            assert_eq!(
                harness.state().editor.message().as_deref(),
                Some("The text was cut after 4096 characters"),
                "{label}"
            );
            harness.state_mut().editor.show_message("");
        }
        harness.event(Event::Ime(egui::ImeEvent::Commit(huge.clone())));
        harness.run();
        let shown = harness.get_by_label(label).value().unwrap_or_default();
        assert!(!shown.is_empty() && shown.len() <= 3 * 4096, "{label}: {} characters", shown.len());
    }
}

#[test]
fn quaternion_and_its_negative_are_no_different_rotations() {
    // The value that is shown changes nothing, unless another node has another one.
    for (rotation, count) in [(DQuat::IDENTITY, 0), (-DQuat::IDENTITY, 0), (DQuat::from_rotation_y(0.1), 1)] {
        let mut scene = many_nodes(2);
        scene.set_local(0, Transform { rotation, ..Transform::IDENTITY });
        let mut harness = session(scene, &[0, 1]);
        type_into(&mut harness, "Rotation Y", "1-1");
        assert_eq!(steps(&harness).len(), count, "{rotation:?}");
    }
}

#[test]
fn shown_value_typed_again_applies_to_others() {
    let mut harness = session(scene(), &[0, 2]);
    for leave in [Key::Tab, Key::Enter] {
        focus(&mut harness, "Position X");
        press_key(&mut harness, leave);
    }
    assert_eq!(steps(&harness), [""; 0], "nothing was typed");
    type_into(&mut harness, "Position X", "5");
    assert_eq!([0, 2].map(|node| harness.state().editor.scene().nodes()[node].local.translation.x), [5.0; 2]);
    type_into(&mut harness, "Position X", "5");
    assert_eq!(steps(&harness).len(), 1, "all have it now");
    let mut harness = session(scene(), &[0, 2]);
    focus(&mut harness, "Position X");
    harness.event(Event::Paste("5".to_owned()));
    harness.run();
    press_key(&mut harness, Key::Enter);
    assert_eq!([0, 2].map(|node| harness.state().editor.scene().nodes()[node].local.translation.x), [5.0; 2]);
}
