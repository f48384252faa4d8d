//! Drags without a pointer, their readouts, editing the pivot, claims, and the settings that came with them.

use crate::viewer::*;

/// Plays events on a cube `a` at the origin and a cube `b` below it, and returns the printed lines.
fn lines(settings: Value, events: Value) -> Vec<Value> {
    let mut b = cube("b", Some("a"), [2.0, 0.0, 0.0]);
    b["scale"] = json!([1, 2, 1]);
    let replay = json!({
        "size_px": [800, 600],
        "camera": perspective([3.0, 4.0, 8.0], 50.0),
        "scene": { "objects": [cube("a", None, [0.0; 3]), b] },
        "settings": settings,
        "select": ["a"],
        "events": events,
    });
    crate::viewer::lines(&Folder::new(), replay)
}

fn translation(line: &Value) -> [f64; 3] {
    numbers(&line["targets"]["a"]["translation"])
}

/// Returns the point at which a handle can be pressed.
fn at(line: &Value, handle: &str) -> [f64; 2] {
    let at = &line["handles"][handle]["at"];
    [0, 1].map(|i| at[i].as_f64().unwrap_or_else(|| panic!("{handle} is not shown: {line}")) + 0.5)
}

/// The step is complete before anything else happens, although the pointer is still on the ring.
#[test]
fn wheel_nudge_of_ring_is_one_complete_step() {
    let asked = lines(json!({ "mode": "rotate" }), json!([{ "handles": true }]));
    let (ring, settings) = (at(&asked[0], "rotate_y"), json!({ "mode": "rotate", "wheel_nudge": true }));
    for next in
        [json!({ "select": ["b"] }), json!({ "key": "e" }), json!({ "undo": true }), json!({ "redo": true })]
    {
        let back = json!([{ "move": ring }, { "wheel": 2 }, next, { "undo": true }, { "redo": true }, { "select": ["a"] }]);
        let found = lines(settings.clone(), back);
        let [_, y, ..] = numbers::<4>(&found[1]["targets"]["a"]["rotation"]);
        assert!((y - 5f64.to_radians().sin()).abs() < 1e-12, "10 degrees: {}", found[1]);
        assert_eq!(found[5]["targets"]["a"], found[1]["targets"]["a"], "after {next}");
        assert!(found[2]["dragging"].is_null(), "{}", found[2]);
    }
}

#[test]
fn undone_and_redone_pivot_leaves_other_part_to_settings() {
    for (handle, amount) in [("translate_x", 0.5), ("rotate_z", 30.0)] {
        let state = |between: &[Value]| {
            let drive =
                |handle: &str, amount: f64| json!({ "drive": { "handle": handle, "amount": amount } });
            let [on, off] = [true, false].map(|is_on| json!({ "edit_pivot": is_on }));
            let custom = json!({ "set": { "pivot": { "custom": [0, 2, 0] } } });
            let after = [custom, drive("rotate_y", 90.0), drive("translate_x", 1.0)];
            let events = [&[on, drive(handle, amount), off][..], between, &after].concat();
            let mut line = lines(json!({}), json!(events)).swap_remove(events.len() - 1);
            [line["targets"].take(), line["pivot"].take()]
        };
        assert_eq!(state(&[]), state(&[json!({ "undo": true }), json!({ "redo": true })]), "{handle}");
    }
}

#[test]
fn drive_says_whether_limit_held_it_back() {
    for (amount, scale) in [(2.0, 2.0), (-1.0, 1e-4)] {
        let drive = json!([{ "drive": { "handle": "scale_x", "amount": amount } }, { "move": [1, 1] }]);
        let found = lines(json!({}), drive);
        assert_eq!(numbers(&found[0]["targets"]["a"]["scale"]), [scale, 1.0, 1.0]);
        assert_eq!([&found[0]["clamped"], &found[1]["clamped"]], [&json!(amount < 0.0), &json!(false)]);
    }
}

#[test]
fn release_of_handle_claims_its_click() {
    let arrow = at(&lines(json!({}), json!([{ "handles": true }]))[0], "translate_y");
    for (pointer, claims) in [(arrow, true), ([1.0, 1.0], false)] {
        let events = json!([
            { "move": pointer }, { "press": "primary" }, { "claims": true }, { "release": "primary" },
            { "claims": true }, { "move": pointer }, { "claims": true },
        ]);
        let found = lines(json!({}), events);
        assert_eq!([2, 4, 6].map(|i| found[i]["claims"]["click"] == true), [claims, claims, false]);
    }
}

#[test]
fn axis_keys_begin_drags_where_setting_says() {
    let arrow = at(&lines(json!({}), json!([{ "handles": true }]))[0], "translate_y");
    for (axis_keys, begins) in [("off", [false, false]), ("hovered", [false, true]), ("always", [true, true])]
    {
        for (pointer, begins) in [[1.0, 1.0], arrow].into_iter().zip(begins) {
            let keys = json!([{ "move": pointer }, { "key": "x" }, { "key": "2" }, { "key": "enter" }]);
            let found = lines(json!({ "axis_keys": axis_keys }), keys);
            let moved = if begins { [2.0, 0.0, 0.0] } else { [0.0; 3] };
            assert_eq!(translation(&found[3]), moved, "{axis_keys} at {pointer:?}");
        }
    }
}

#[test]
fn jump_in_history_puts_pivot_where_that_step_left_it() {
    let step = json!({ "drive": { "handle": "translate_x", "amount": 1 } });
    let jumps = [0, 3, 1].map(|done| json!({ "go_to_step": done }));
    // The last step moves the target, and the gizmo with it.
    let [on, off] = [true, false].map(|is_on| json!({ "edit_pivot": is_on }));
    let events = [on, step.clone(), step.clone(), off, step].into_iter().chain(jumps);
    let found = lines(json!({}), events.chain([json!({ "reset_pivot": true })]).collect());
    let at = found[5..9].iter().map(|line| numbers::<3>(&line["pivot"]["point"])[0]).collect::<Vec<_>>();
    assert_eq!(at, [0.0, 3.0, 1.0, 0.0]);
}

#[test]
fn undo_moves_pivot_of_its_own_selection() {
    let of_a = json!({ "edit": { "name": "Move", "changes": [{ "pivot": { "point": [1, 0, 0] } }] } });
    let of_b = json!({ "drive": { "handle": "translate_y", "amount": 1 } });
    let [a, b] = ["a", "b"].map(|name| json!({ "select": [name] }));
    let [undo, redo] = ["undo", "redo"].map(|key| json!({ key: true }));
    let events = [json!({ "edit_pivot": true }), of_a, b.clone(), of_b, a.clone(), undo.clone(), undo];
    let events = events.into_iter().chain([b, redo.clone(), redo, a]).collect();
    let points = [[0, 0], [1, 0], [2, 0], [2, 1], [1, 0], [1, 0], [0, 0], [2, 0], [2, 0], [2, 1], [1, 0]];
    for (index, (line, [x, y])) in lines(json!({}), events).iter().zip(points).enumerate() {
        assert_eq!(line["pivot"]["point"], json!([f64::from(x), f64::from(y), 0.0]), "{index}");
    }
}

#[test]
fn readouts_show_typed_numbers_and_drag_distance() {
    let replay = json_file(&replay_folder().join("typed-readouts.json"));
    let found = crate::viewer::lines(&Folder::new(), replay);
    let readouts = found.iter().filter(|line| line["kind"] == "readouts").map(|line| &line["readouts"]);
    let texts: Vec<&str> =
        readouts.map(|readouts| readouts[0]["text"].as_str().unwrap_or_default()).collect();
    // A world unit is a hundred pixels; the increment is 0.5.
    assert_eq!(texts, ["", "X -1.25", "Z 30°", "Y ×1.5", "X 0.370", "X -0.500", ""]);
}
