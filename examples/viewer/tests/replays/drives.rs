//! Drags without a pointer, editing the pivot, box handles, claims, and the settings that came with them.

use crate::viewer::{Folder, play};
use serde_json::{Value, json};

/// Plays events on a cube `a` at the origin and a cube `b` below it, and returns the printed lines.
fn lines(settings: Value, events: Value) -> Vec<Value> {
    let document = json!({
        "version": 1,
        "size_px": [800, 600],
        "camera": {
            "eye": [3, 4, 8], "look_at": [0, 0, 0], "up": [0, 1, 0],
            "projection": { "kind": "perspective", "fov_y": 50, "near": 0.1, "far": null, "reversed": true }
        },
        "scene": { "objects": [
            { "name": "a", "parent": null, "shape": "cube" },
            { "name": "b", "parent": "a", "translation": [2, 0, 0], "scale": [1, 2, 1], "shape": "cube" }
        ] },
        "settings": settings,
        "select": ["a"],
        "events": events,
    });
    let folder = Folder::new();
    let replay = folder.write("replay.json", document.to_string().as_bytes());
    let out = Folder::new();
    let text = play(&replay, &out);
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn translation(line: &Value) -> [f64; 3] {
    numbers(&line["targets"]["a"]["translation"])
}

fn numbers(value: &Value) -> [f64; 3] {
    std::array::from_fn(|i| value[i].as_f64().expect("the value is a number"))
}

fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12);
    assert!(near, "{found:?} is not {expected:?}");
}

/// Returns the point at which a handle can be pressed.
fn at(line: &Value, handle: &str) -> [f64; 2] {
    let at = &line["handles"][handle]["at"];
    [0, 1].map(|i| at[i].as_f64().unwrap_or_else(|| panic!("{handle} is not shown: {line}")) + 0.5)
}

#[test]
fn driven_drag_equals_typed_drag_bit_for_bit() {
    let pairs = [
        ("translate", "translate_x", json!(-2.5), "x-2.5"),
        ("translate", "translate_xy", json!([0.1, 0.7]), "Z0.1>0.7"),
        ("rotate", "rotate_y", json!(30), "y30"),
        ("scale", "scale_z", json!(1.7), "z1.7"),
    ];
    for (mode, handle, amount, keys) in pairs {
        let driven = lines(
            json!({ "mode": mode }),
            json!([{ "drive": { "handle": handle, "amount": amount } }, { "undo": true }, { "redo": true }]),
        );
        let mut events: Vec<Value> = Vec::new();
        for key in keys.chars() {
            events.push(match key {
                '>' => json!({ "key": "tab" }),
                'Z' => json!({ "key": "z", "mods": ["shift"] }),
                key => json!({ "key": key.to_string() }),
            });
        }
        events.push(json!({ "key": "enter" }));
        let typed = lines(json!({ "mode": mode }), Value::Array(events));
        let typed = &typed[typed.len() - 2];
        assert_eq!(driven[0]["targets"], typed["targets"], "{handle}");
        assert_ne!(driven[0]["targets"], driven[1]["targets"], "{handle} can be undone");
        assert_eq!(driven[2]["targets"], driven[0]["targets"], "{handle} can be redone");
        assert_eq!(driven[0]["kind"], "drive");
    }
}

#[test]
fn grab_follows_pointer_until_press_and_is_one_step() {
    let found = lines(
        json!({ "mode": "rotate" }),
        json!([
            { "move": [10, 10] },
            { "grab": "translate_view" },
            { "move": [30, 10] },
            { "release": "primary" },
            { "key": "x" },
            { "press": "primary" },
            { "undo": true }
        ]),
    );
    assert_eq!(found[1]["dragging"], "translate_view");
    let [moved, released, along] = [&found[2], &found[3], &found[4]].map(translation);
    assert!(moved[0] > 0.0 && moved == released, "{moved:?} {released:?}");
    assert_eq!(found[4]["dragging"], "translate_x");
    assert!(along[0] > 0.0 && along[1] == 0.0 && along[2] == 0.0, "{along:?}");
    assert!(found[5]["dragging"].is_null() && translation(&found[5]) == along, "{}", found[5]);
    assert_eq!(translation(&found[6]), [0.0; 3]);
}

#[test]
fn wheel_nudges_hovered_ring_by_five_degrees() {
    let asked = lines(json!({ "mode": "rotate" }), json!([{ "handles": true }]));
    let ring = at(&asked[0], "rotate_y");
    for (nudges, degrees) in [(true, 10.0f64), (false, 0.0)] {
        let found = lines(
            json!({ "mode": "rotate", "wheel_nudge": nudges }),
            json!([{ "move": ring }, { "claims": true }, { "wheel": 2 }, { "move": [1, 1] }, { "undo": true }]),
        );
        assert_eq!(found[1]["claims"]["wheel"], json!(nudges));
        let half = (degrees / 2.0).to_radians();
        let rotation = &found[3]["targets"]["a"]["rotation"];
        let [y, w] = [1, 3].map(|i| rotation[i].as_f64().expect("the value is a number"));
        assert!((y - half.sin()).abs() < 1e-12 && (w - half.cos()).abs() < 1e-12, "{rotation}");
        assert_eq!(found[4]["targets"]["a"]["rotation"], json!([0.0, 0.0, 0.0, 1.0]), "one step");
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
fn edited_pivot_moves_gizmo_and_not_targets() {
    let found = lines(
        json!({ "mode": "translate" }),
        json!([
            { "edit_pivot": true },
            { "drive": { "handle": "translate_x", "amount": 0.5 } },
            { "edit_pivot": false },
            { "set": { "mode": "rotate" } },
            { "drive": { "handle": "rotate_z", "amount": 90 } },
            { "undo": true },
            { "undo": true },
            { "redo": true },
            { "reset_pivot": true }
        ]),
    );
    assert_near(numbers(&found[0]["pivot"]["point"]), [0.0; 3]);
    assert_near(numbers(&found[1]["pivot"]["point"]), [0.5, 0.0, 0.0]);
    assert_eq!(translation(&found[1]), [0.0; 3]);
    // A turn by 90 degrees about (0.5, 0, 0).
    assert_near(translation(&found[4]), [0.5, -0.5, 0.0]);
    assert_eq!(translation(&found[5]), [0.0; 3]);
    assert_near(numbers(&found[6]["pivot"]["point"]), [0.0; 3]);
    assert_near(numbers(&found[7]["pivot"]["point"]), [0.5, 0.0, 0.0]);
    assert_near(numbers(&found[8]["pivot"]["point"]), [0.0; 3]);
}

#[test]
fn box_grip_keeps_opposite_side_in_place() {
    let asked = lines(json!({ "mode": "none", "box": "transform" }), json!([{ "handles": true }]));
    assert!(asked[0]["handles"]["box_+x+y+z"].is_object(), "{}", asked[0]);
    let drive = json!({ "drive": { "handle": "box_+x", "amount": 2.5 } });
    let found = lines(
        json!({ "mode": "none", "box": "transform" }),
        json!([drive, { "undo": true }, { "set": { "box": "extents" } }, drive, { "undo": true }, { "redo": true }]),
    );
    // The side along x is 2.5 long, and its face at x = -0.5 stays.
    assert_near(translation(&found[0]), [0.75, 0.0, 0.0]);
    assert_near(numbers(&found[0]["targets"]["a"]["scale"]), [2.5, 1.0, 1.0]);
    assert_eq!(translation(&found[1]), [0.0; 3]);
    assert_eq!(found[2]["extents"]["a"], json!([[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]]));
    assert_near(numbers(&found[3]["extents"]["a"][1]), [2.0, 0.5, 0.5]);
    assert_near(numbers(&found[3]["extents"]["a"][0]), [-0.5; 3]);
    assert_eq!(translation(&found[3]), [0.0; 3]);
    assert_eq!(found[4]["extents"], found[2]["extents"]);
    assert_eq!(found[5]["extents"], found[3]["extents"]);
}

#[test]
fn box_edge_takes_two_lengths() {
    let drive = json!({ "drive": { "handle": "box_+x+y", "amount": [2, 3] } });
    let found = lines(json!({ "mode": "none", "box": "transform" }), json!([drive]));
    assert_near(numbers(&found[0]["targets"]["a"]["scale"]), [2.0, 3.0, 1.0]);
    assert_near(translation(&found[0]), [0.5, 1.0, 0.0]);
}

#[test]
fn either_grab_drags_between_two_clicks() {
    let asked = lines(json!({ "mode": "translate" }), json!([{ "handles": true }]));
    let arrow = at(&asked[0], "translate_x");
    let events = json!([
        { "move": arrow },
        { "press": "primary" },
        { "release": "primary" },
        { "move": [arrow[0] + 60.0, arrow[1] + 10.0] },
        { "claims": true },
        { "press": "primary" },
        { "release": "primary" }
    ]);
    let held = lines(json!({ "mode": "translate", "grab": "hold" }), events.clone());
    assert_eq!((&held[3]["dragging"], translation(&held[3])), (&Value::Null, [0.0; 3]));
    let found = lines(json!({ "mode": "translate", "grab": "either" }), events);
    assert_eq!(found[3]["dragging"], "translate_x");
    assert!(translation(&found[3])[0] > 0.1);
    let claims = &found[4]["claims"];
    assert!(
        [&claims["primary_drag"], &claims["keys"], &claims["secondary"]].iter().all(|claim| **claim == true)
    );
    assert_eq!((&found[6]["dragging"], translation(&found[6])), (&Value::Null, translation(&found[3])));
}

#[test]
fn value_snapping_rounds_angle_of_handle_itself() {
    let found = lines(
        json!({ "mode": "rotate", "orientation": "local" }),
        json!([
            { "drive": { "handle": "rotate_y", "amount": 7 } },
            { "set": { "snap": { "rotate": 15 }, "snap_kind": "value" } },
            { "drive": { "handle": "rotate_y", "amount": 20 } }
        ]),
    );
    let half = (30.0f64 / 2.0).to_radians();
    let rotation = &found[2]["targets"]["a"]["rotation"];
    assert!((rotation[1].as_f64().expect("the value is a number") - half.sin()).abs() < 1e-12, "{rotation}");
}
