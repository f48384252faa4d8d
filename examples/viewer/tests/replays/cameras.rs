//! Cameras of replays: looking through nodes, the view cube and window sizes; also `expect` events.

use crate::viewer::*;

const SIZE: [f64; 2] = [800.0, 600.0];
/// Half the field of view of a node without a camera, in radians.
const HALF: f64 = 0.35;

fn lines(replay: &Value) -> Vec<Value> {
    crate::viewer::lines(&Folder::new(), replay.clone())
}

/// Returns a scene with a small ball at the origin and nodes to look through: an empty one five units in
/// front of it, scaled and mirrored, and one with scale 0.
fn scene() -> Value {
    let object = |name: &str, at: [f64; 3], scale: [f64; 3], shape: &str| json!({ "name": name, "parent": null, "translation": at, "scale": scale, "shape": shape });
    json!({ "objects": [
        object("ball", [0.0; 3], [0.2; 3], "sphere"),
        object("eye", [0.0, 0.0, 5.0], [-3.0, 0.5, 2.0], "empty"),
        object("flat", [0.0, 0.0, 5.0], [0.0; 3], "empty"),
        object("box", [0.0, 0.0, 9.0], [1.0; 3], "cube"),
    ] })
}

fn replay(events: Value) -> Value {
    let camera = perspective([0.0, 0.0, 5.0], 40.0);
    json!({ "version": 1, "size_px": SIZE, "camera": camera, "scene": scene(), "events": events })
}

/// Returns the pixel of the ball in the view of a node that is five units in front of it and `x` to the
/// right. The view is a quarter of the picture or all of it.
fn ball_seen_from(x: f64, [left, width, height]: [f64; 3]) -> [i64; 2] {
    let unit = 0.5 * height / (5.0 * HALF.tan());
    [(left + 0.5 * width - x * unit).floor() as i64, (0.5 * height).floor() as i64]
}

#[test]
fn dragging_camera_node_in_other_view_moves_its_view() {
    let quarter = [0.5 * SIZE[0], 0.5 * SIZE[0], 0.5 * SIZE[1]];
    // Two units are 100 pixels in the front view.
    let unit = 300.0 / 6.0;
    let events = json!([
        { "views": { "quad": { "center": [0, 0, 0], "height": 6 } } }, { "look_through": "eye" },
        { "select": ["eye"] }, { "pick": ball_seen_from(0.0, quarter) }, { "move": [100, 400] }, { "handles": true },
    ]);
    let lines_before = lines(&replay(events.clone()));
    assert_eq!(lines_before[3]["hit"], json!({ "object": "ball" }));
    let [x, y] = numbers(&lines_before[5]["handles"]["translate_x"]["at"]).map(|n: f64| n + 0.5);
    let distance = 0.5;
    let [moved, start] = [distance, 0.0].map(|x| json!({ "pick": ball_seen_from(x, quarter) }));
    // The view also moves during the drag.
    let more = json!([
        { "move": [x, y] }, { "press": "primary" }, { "move": [x + distance * unit, y + 3.0] }, moved,
        { "release": "primary" }, moved, start, { "undo": true }, start,
    ]);
    let events =
        [events, more].map(|events| events.as_array().expect("the value is an array").clone()).concat();
    let lines = lines(&replay(Value::Array(events)));
    let moved = lines[10]["targets"]["eye"]["translation"][0].as_f64().expect("the value is a number");
    assert!((moved - distance).abs() < 1e-9, "{}", lines[10]);
    let hits: Vec<&Value> = [9, 11, 12, 14].iter().map(|line| &lines[*line]["hit"]).collect();
    let ball = json!({ "object": "ball" });
    assert_eq!(hits, [&ball, &ball, &Value::Null, &ball]);
}

#[test]
fn dragging_camera_node_keeps_its_own_view_until_end() {
    // The node is dragged with keys in the view that looks through it, about a pivot in that view.
    let events = json!([
        { "look_through": "eye" }, { "select": ["eye"] }, { "set": { "pivot": { "custom": [0, 0, 0] } } },
        { "key": "x" }, { "key": "1" }, { "pick": ball_seen_from(0.0, [0.0, SIZE[0], SIZE[1]]) },
        { "key": "enter" }, { "select": [] }, { "pick": ball_seen_from(1.0, [0.0, SIZE[0], SIZE[1]]) },
    ]);
    let lines = lines(&replay(events));
    assert_eq!(lines[6]["targets"]["eye"]["translation"], json!([1.0, 0.0, 5.0]));
    let ball = json!({ "object": "ball" });
    assert_eq!(
        (&lines[5]["hit"], &lines[8]["hit"]),
        (&ball, &ball),
        "the view changes at the end of the drag"
    );
}

#[test]
fn look_through_works_with_zero_scale_and_hides_node() {
    let center = ball_seen_from(0.0, [0.0, SIZE[0], SIZE[1]]);
    for node in ["flat", "box"] {
        let events = json!([{ "look_through": node }, { "pick": center }, { "look_through": null }]);
        assert_eq!(lines(&replay(events))[1]["hit"], json!({ "object": "ball" }), "{node}");
    }
}

/// The center of the cube's square, which has 92 logical pixels and a margin of 10.
const CUBE: [f64; 2] = [SIZE[0] - 56.0, 56.0];

fn from_cube(x: f64, y: f64) -> [f64; 2] {
    [CUBE[0] + x, CUBE[1] + y]
}

fn with_cube(events: Value) -> Value {
    let mut replay = replay(events);
    replay["view_cube"] = json!(true);
    // A wall behind the cube.
    let wall = json!({ "name": "wall", "parent": null, "translation": [0, 0, -1], "scale": [40, 40, 0.1], "shape": "cube" });
    replay["scene"]["objects"].as_array_mut().expect("the value is an array").push(wall);
    replay
}

#[test]
fn view_cube_covers_scene_and_each_side_is_picked() {
    let pixel = |x: f64, y: f64| from_cube(x, y).map(|n| n as i64);
    // Half the width of the cube is 46 / 1.45 = 31.7 pixels; seven tenths of it are the face.
    let expected = [
        (pixel(0.0, 0.0), json!({ "view_cube": "+z" })),
        (pixel(27.0, 0.0), json!({ "view_cube": "+x+z" })),
        (pixel(-27.0, 0.0), json!({ "view_cube": "-x+z" })),
        (pixel(0.0, 27.0), json!({ "view_cube": "-y+z" })),
        (pixel(25.0, -25.0), json!({ "view_cube": "+x+y+z" })),
        (pixel(0.0, 36.0), json!({ "object": "wall" })),
    ];
    let picks: Vec<Value> = expected.iter().map(|(pixel, _)| json!({ "pick": pixel })).collect();
    let mut events = picks.clone();
    events.push(json!({ "view_cube": false }));
    events.extend(picks);
    let lines = lines(&with_cube(Value::Array(events)));
    let hidden = lines.iter().position(|line| line["kind"] == "view_cube").expect("the cube was hidden");
    for (index, (pixel, expected)) in expected.iter().enumerate() {
        assert_eq!(&lines[index]["hit"], expected, "{pixel:?}");
        let without = &lines[index + hidden + 1]["hit"];
        assert_eq!(without, &json!({ "object": "wall" }), "{pixel:?} without the cube");
    }
}

#[test]
fn view_cube_click_and_drag_orbit_without_selecting() {
    let center = CUBE.map(|n| n as i64);
    let pick = [json!({ "pick": center })];
    let clicked = click(from_cube(27.0, 0.0), &[]);
    let dragged = drag(from_cube(0.0, 0.0), [300.0, 300.0]);
    let events = [&[json!({ "select": ["ball"] })], &clicked[..], &pick, &dragged, &pick].concat();
    let lines = lines(&with_cube(Value::Array(events)));
    assert_eq!(lines[1]["view_cube"], "+x+z");
    assert_eq!(lines[4]["hit"], json!({ "view_cube": "+x+z" }), "the view looks at the clicked side");
    let turned = &lines[9]["hit"]["view_cube"];
    assert!(turned.is_string() && turned != "+x+z", "the drag orbits: {turned}");
    for line in lines.iter().filter(|line| line["targets"].is_object()) {
        assert_eq!(selected(line), ["ball"]);
        assert!(line["dragging"].is_null());
    }
}

#[test]
fn drag_does_not_jump_when_scale_factor_changes() {
    let window = |s: f64| json!({ "window": { "size_px": SIZE.map(|n| n * s), "scale_factor": s } });
    let scales = [1.0, 2.0, 1.5, 0.5];
    let handles = "translate_x scale_uniform scale_x rotate_z rotate_view rotate_trackball rotate_x";
    for handle in handles.split(' ') {
        let mode = handle.split('_').next();
        let start =
            [json!({ "set": { "mode": mode } }), json!({ "select": ["ball"] }), json!({ "handles": true })];
        let [x, y] = numbers(&lines(&replay(json!(start)))[2]["handles"][handle]["at"]).map(|n: f64| n + 0.5);
        // An edge-on ring is a vertical line. It is pressed away from its midpoint, where the other edge-on ring
        // crosses it.
        let y = if handle == "rotate_x" { y - 40.0 } else { y };
        let drag = |s: f64| {
            let [press, release] = ["press", "release"].map(|kind| json!({ kind: "primary" }));
            let [start, middle, end] = [[x, y], [x + 30.0, y + 4.0], [(x + 50.0) * s, (y + 4.0) * s]]
                .map(|at| json!({ "move": at }));
            [start, press, middle, window(s), end, release, json!({ "undo": true }), window(1.0)]
        };
        let lines = lines(&replay([&start[..], scales.map(drag).as_flattened()].concat().into()));
        let numbers = |line: &Value| {
            let ball = &line["targets"]["ball"];
            let [translation, scale] = ["translation", "scale"].map(|key| numbers::<3>(&ball[key]));
            [&translation[..], &scale, &numbers::<4>(&ball["rotation"])].concat()
        };
        let max_difference = |a: &Value, b: &Value| {
            let both = numbers(a).into_iter().zip(numbers(b));
            both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let drags = &lines[start.len()..];
        for (drag, scale) in drags.chunks(8).zip(scales) {
            let [_, pressed, moved, changed, _, released, ..] = drag else {
                panic!("a drag has eight events")
            };
            assert!(max_difference(moved, pressed) > 0.01, "{handle} was dragged: {moved}");
            assert_eq!(changed["dragging"], handle);
            assert!(max_difference(changed, moved) < 1e-9, "{handle}, {scale}: a jump: {changed}");
            let error = max_difference(released, &drags[5]);
            assert!(error < 1e-9, "{handle}, {scale}: {released}");
        }
    }
}

#[test]
fn unmet_expectation_is_reported_and_exits_with_1() {
    let expect = |x: f64, tolerance: f64| {
        json!({ "expect": { "targets": { "ball": { "translation": [x, 0, 0], "scale": [0.2, 0.2, 0.2] } },
            "tolerance": tolerance } })
    };
    let place = json!({ "place": { "ball": { "translation": [0.125, 0, 0], "scale": [0.2, 0.2, 0.2] } } });
    let met = lines(&replay(json!([place, expect(0.125, 0.0), expect(0.1, 0.03)])));
    assert_eq!((&met[1]["met"], &met[2]["met"]), (&json!(true), &json!(true)));
    let unmet =
        replay(json!([place, expect(0.1, 0.0), expect(9.0, 0.0), expect(0.125, 0.0), { "undo": true }]));
    let folder = Folder::new();
    let output = run(&folder.write("replay.json", unmet.to_string().as_bytes()), &folder);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    // A driver may have written other lines.
    let reported: Vec<_> = message.lines().filter(|line| line.contains("expect")).collect();
    assert_eq!(reported, ["events[1].expect: ball: translation is [0.125,0.0,0.0], not [0.1,0.0,0.0]"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().count(), 6, "all events are played: {text}");
    let line: Value =
        serde_json::from_str(text.lines().nth(1).expect("there is a second line")).expect("the text is JSON");
    assert_eq!(line["met"], false);
}
