//! The hostile documents.

use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A replay file.
pub(crate) struct Case {
    /// The changed key and its new value.
    pub(crate) name: String,
    /// The changed key and the class of its new value. One case of each class is played.
    pub(crate) class: String,
    pub(crate) text: String,
}

/// The numbers that each number is replaced by, as JSON: general ones, and the documented limits with their
/// next neighbors. The most extreme one of each class, see [`class_of`], comes first.
const NUMBERS: &str = "0 -0.0 1e-300 5e-324 1e300 1.7976931348623157e308 1e999 -1.7976931348623157e308 \
    0.0099 0.01 0.015 0.015625 0.5 -1 16385 16384 10001 10000 1024.01 1024 180 179.999 64.0001 64 \
    18446744073709551616 4294967296 1000000001 1e9";

/// The values of other types that each value is replaced by.
const OTHERS: &str =
    r#"null true false "" "NaN" "Infinity" "1" [] {} [1] [[[1]]] {"x":1} "\u0000\u001b[31m\u202e""#;

/// Returns a valid replay with every key and event of docs/replays.md.
pub(crate) fn base() -> Value {
    let perspective =
        json!({ "kind": "perspective", "fov_y": 60, "near": 0.1, "far": 100, "reversed": true });
    let camera =
        json!({ "eye": [3, 3, 3], "look_at": [0, 0, 0], "up": [0, 1, 0], "projection": perspective });
    let orthographic =
        json!({ "kind": "orthographic", "height": 4, "near": -9, "far": 9, "reversed": false });
    let flat = json!({ "eye": [0, 0, 3], "look_at": [0, 0, 0], "up": [0, 1, 0], "projection": orthographic });
    let area = json!({ "center": [0, 0, 0], "height": 4, "reach": 9 });
    let place = json!({ "translation": [1, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 2, 1] });
    let object = |name: &str, parent: Value| {
        json!({ "name": name, "parent": parent, "translation": [0, 0, 0], "rotation": [0, 0, 0, 1],
            "scale": [1, 1, 1], "shape": "cube" })
    };
    let identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    json!({
        "version": 1, "size_px": [64, 48], "viewport": [0, 0, 64, 48], "scale_factor": 1, "camera": camera,
        "look_through": null, "scene": { "objects": [object("a", Value::Null), object("b", json!("a"))] },
        "settings": settings(), "select": ["a"], "views": "one", "view_cube": true,
        "events": [
            { "move": [32.5, 24.5], "mods": ["shift"] }, { "press": "primary" }, { "move": [40, 20] },
            { "readouts": true }, { "claims": true }, { "handles": true }, { "release": "primary" },
            { "key": "x" }, { "cancel": true }, { "grab": "rotate_x" },
            { "cancel": true }, { "wheel": 2 }, { "set": settings() },
            { "drive": { "handle": "translate_x", "amount": 2 } },
            { "drive": { "handle": "translate_xy", "amount": [1, 2] } },
            { "drive": { "handle": "rotate_y", "amount": 30 } },
            { "drive": { "handle": "box_+x", "amount": 2 } },
            { "edit_pivot": true }, { "drive": { "handle": "translate_z", "amount": 1 } },
            { "edit_pivot": false }, { "reset_pivot": true }, { "select": ["a", "b"] },
            { "select_region": { "rect": [0, 0, 64, 48], "through": true } },
            { "select_region": { "lasso": [[0, 0], [64, 0], [0, 48]], "through": false } },
            { "camera": flat }, { "camera": { "view_from_world": identity, "clip_from_view": identity } },
            { "look_through": "b" }, { "look_through": null },
            { "views": { "quad": { "center": [0, 0, 0], "height": 4 } } },
            { "views": { "quad": { "top": area, "front": area, "side": area } } }, { "screenshot": "quad.png" },
            { "views": "one" }, { "view_cube": true }, { "pose": null },
            { "window": { "size_px": [60, 40], "viewport": [1, 2, 50, 30], "scale_factor": 2 } },
            { "place": { "a": place } }, { "rename": { "a": "c" } }, { "duplicate": { "a": "d" } },
            { "parent": { "b": null } }, { "flags": { "b": { "hidden": true, "locked": true, "deleted": false } } },
            { "undo": true }, { "redo": true }, { "pick": [30, 20] }, { "region": [0, 0, 60, 40] },
            { "dump_ids": "ids" }, { "save": "scene.glb" }, { "screenshot": "picture.png" },
            { "expect": { "targets": { "a": place }, "tolerance": 1e9, "parents": { "b": null },
                "names": { "a": "c" }, "flags": { "b": { "hidden": true } } } },
        ],
    })
}

fn settings() -> Value {
    json!({
        "mode": "universal", "orientation": { "custom": [0, 0, 0, 1] }, "pivot": { "custom": [0, 0, 0] },
        "solver": "closest_point", "shear": "best_fit",
        "snap": { "translate": 0.5, "rotate": 15, "scale": 0.1 },
        "snap_while_held": { "translate": 0.5, "rotate": 15, "scale": 0.1 }, "snap_kind": { "grid": [0, 0, 0] },
        "limits": { "translation": [[-9, -9, -9], [9, 9, null]], "scale": [[0.1, 0.1, 0.1], null], "angle": [-90, 90] },
        "locks": ["translation_y"], "theme": "light", "flip": true, "construction_lines": true, "size": 40,
        "tolerance": 5, "allow_mirror": true, "grab": "either", "click_to_type": true, "axes": "own",
        "wheel_nudge": true, "box": "extents", "keep_aspect": true, "min_size": 0.001, "depth_style": "on_top",
        "snap_to": null, "snap_source": "pivot", "align_to_normal": false,
    })
}

/// Returns the case that replaces the value at a pointer. `change` names what is done to the value.
fn case(base: &Value, pointer: &str, change: &str, class: &str, replacement: &str) -> Case {
    Case {
        name: format!("{pointer} {change}"),
        class: format!("{} {class}", key_of(pointer)),
        text: replaced(base, pointer, replacement),
    }
}

/// Returns the cases that make a list shorter or long.
fn list_cases(base: &Value, pointer: &str, items: &[Value]) -> [Case; 2] {
    let short = Value::from(items[..items.len() - 1].to_vec()).to_string();
    let long = vec![items[0].to_string(); 20_000].join(",");
    [
        case(base, pointer, "shorter", "shorter", &short),
        case(base, pointer, "long", "long", &format!("[{long}]")),
    ]
}

/// Returns the cases that add a key to an object, remove one or repeat one.
fn object_cases(base: &Value, pointer: &str, members: &Map<String, Value>) -> Vec<Case> {
    let mut unknown = members.clone();
    unknown.insert("unknown".to_owned(), json!(1));
    let unknown = Value::from(unknown).to_string();
    let mut cases = vec![case(base, pointer, "+ unknown", "+ unknown", &unknown)];
    for (key, member) in members {
        let mut fewer = members.clone();
        fewer.remove(key);
        let removed = format!("- {key}");
        cases.push(case(base, pointer, &removed, &removed, &Value::from(fewer).to_string()));
        let text = Value::from(members.clone()).to_string();
        let twice = format!("{},{}:{member}}}", &text[..text.len() - 1], json!(key));
        let repeated = format!("{key} twice");
        cases.push(case(base, pointer, &repeated, &repeated, &twice));
    }
    cases
}

/// Returns all documents.
pub(crate) fn cases() -> Vec<Case> {
    let base = base();
    let mut cases =
        vec![Case { name: "unchanged".to_owned(), class: "unchanged".to_owned(), text: base.to_string() }];
    let mut pointers = Vec::new();
    collect(&base, &mut String::new(), &mut pointers);
    for pointer in &pointers {
        let value = base.pointer(pointer).expect("the pointer is from the document");
        let numbers = if value.is_number() { NUMBERS } else { "" };
        for replacement in numbers.split_whitespace().chain(OTHERS.split_whitespace()) {
            let (change, class) = (format!("= {replacement}"), format!("= {}", class_of(replacement)));
            cases.push(case(&base, pointer, &change, &class, replacement));
        }
        match value {
            Value::Array(items) => cases.extend(list_cases(&base, pointer, items)),
            Value::Object(members) => cases.extend(object_cases(&base, pointer, members)),
            _ => {}
        }
        for depth in [100, 100_000] {
            let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let change = format!("nested {depth}");
            cases.push(case(&base, pointer, &change, &change, &nested));
        }
    }
    let text = base.to_string();
    cases.extend((1..text.len()).step_by(97).map(|end| Case {
        name: format!("cut at {end}"),
        class: "cut".to_owned(),
        text: text[..end].to_owned(),
    }));
    cases
}

/// Returns a pointer without the indices in lists of numbers: the numbers of a vector or of a matrix are read
/// and used alike. Events keep their index.
fn key_of(pointer: &str) -> String {
    let parts = pointer.split('/').enumerate();
    let kept = parts.filter(|(depth, part)| *depth < 3 || part.parse::<usize>().is_err());
    kept.map(|(_, part)| part).collect::<Vec<_>>().join("/")
}

/// Returns the class of a value: its sign and magnitude if it is a number, and its text otherwise.
fn class_of(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(0.0) => "0".to_owned(),
        Ok(number) => {
            let sign = if number < 0.0 { "-" } else { "" };
            match number.abs() {
                ..1e-310 => format!("{sign}subnormal"),
                1e-310..1e-200 => format!("{sign}tiny"),
                1e-200..1.0 => format!("{sign}fraction"),
                1.0..20_000.0 => format!("{sign}moderate"),
                20_000.0..1e200 => format!("{sign}large"),
                1e200..1e305 => format!("{sign}huge"),
                _ => format!("{sign}largest"),
            }
        }
        Err(_) => value.to_owned(),
    }
}

/// Collects the pointers to all values but the whole document.
fn collect(value: &Value, pointer: &mut String, pointers: &mut Vec<String>) {
    let length = pointer.len();
    let mut member = |key: &str, value: &Value| {
        pointer.push('/');
        pointer.push_str(key);
        pointers.push(pointer.clone());
        collect(value, pointer, pointers);
        pointer.truncate(length);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| member(key, value)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| member(&index.to_string(), value))
        }
        _ => {}
    }
}

/// Returns the text of a document with a value replaced by a text, which need not be valid JSON.
fn replaced(base: &Value, pointer: &str, text: &str) -> String {
    const MARK: &str = "replaced here";
    let mut document = base.clone();
    *document.pointer_mut(pointer).expect("the pointer is from the document") = json!(MARK);
    document.to_string().replace(&format!("\"{MARK}\""), text)
}

/// Reads a replay. Returns the message if it is refused.
pub(crate) fn read(case: &Case) -> Result<(), String> {
    let path = Path::new("hostile.json");
    let read = || session::replay_file::from_bytes(case.text.as_bytes(), path);
    let result = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| panic!("{} panics", case.name));
    result.map(drop).map_err(|error| gltf_io::printable(&error.to_string()).to_string())
}
