//! The output format of replays: one JSON object per line, with exactly the keys of its kind.

use crate::viewer::*;

/// The keys of a line with the state.
const STATE: [&str; 7] = ["event", "kind", "hover", "object", "dragging", "clamped", "targets"];

/// Returns the elements of an array of exactly `N` numbers.
pub(crate) fn numbers<const N: usize>(json: &Value) -> [f64; N] {
    let list = json.as_array().unwrap_or_else(|| panic!("{json} is not an array"));
    assert_eq!(list.len(), N, "{json}");
    std::array::from_fn(|i| list[i].as_f64().unwrap_or_else(|| panic!("{json} must contain only numbers")))
}

/// Returns the key of an event, which is not `mods`.
pub(crate) fn kind_of(event: &Value) -> &str {
    let mut keys = event.as_object().expect("an event is an object").keys();
    keys.find(|key| *key != "mods").expect("an event has a kind")
}

/// Parses and checks the lines of a run. The last line, `done`, is not returned.
pub(crate) fn lines(stdout: &str, events: &[Value]) -> Vec<Value> {
    assert!(stdout.ends_with('\n') && !stdout.contains("\n\n"), "there are empty or incomplete lines");
    let parse = |line: &str| -> Value {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("not JSON: {error}: {line}"))
    };
    let mut lines: Vec<Value> = stdout.lines().map(parse).collect();
    let done = lines.pop().expect("the last line is `done`");
    assert_eq!(lines.len(), events.len(), "there is one line per event");
    assert_keys(&done, &["done", "events", "adapter", "backend"]);
    assert_eq!((&done["done"], &done["events"]), (&Value::from(true), &Value::from(events.len())));
    assert!(done["adapter"].as_str().is_some_and(|name| !name.is_empty()), "{done}");
    let backend = done["backend"].as_str().expect("the value is a string");
    match std::env::var("WGPU_BACKEND").ok().filter(|name| ["vulkan", "gl"].contains(&name.as_str())) {
        Some(requested) => assert_eq!(backend, requested),
        None => assert!(!backend.is_empty()),
    }
    for (index, (event, line)) in events.iter().zip(&lines).enumerate() {
        assert_eq!(line["event"], Value::from(index), "{line}");
        assert_eq!(line["kind"], kind_of(event), "{line}");
        check(line);
    }
    lines
}

fn check(line: &Value) {
    match line["kind"].as_str().expect("the value is a string") {
        "handles" => {
            assert_keys(line, &["event", "kind", "handles"]);
            for (name, found) in line["handles"].as_object().expect("the value is an object") {
                // Handles of targets other than the active one are named `HANDLE@OBJECT`.
                assert_handle(&Value::from(name.split('@').next()));
                assert_keys(found, &["id", "at", "pixels"]);
                assert!(found["id"].as_u64() > Some(0) && found["pixels"].as_u64() > Some(0), "{line}");
                numbers::<2>(&found["at"]);
            }
        }
        "pick" => {
            assert_keys(line, &["event", "kind", "id", "hit"]);
            let id = line["id"].as_u64().expect("the id is an integer");
            match &line["hit"] {
                Value::Null => assert_eq!(id, 0, "{line}"),
                hit @ Value::String(_) => assert_handle(hit),
                hit => {
                    assert_keys(hit, &["object"]);
                    assert!(hit["object"].is_string(), "{line}");
                }
            }
            assert_eq!(id == 0, line["hit"].is_null(), "{line}");
        }
        "region" => {
            assert_keys(line, &["event", "kind", "hits"]);
            for hit in line["hits"].as_array().expect("the value is an array") {
                assert!(hit.is_string() || hit["object"].is_string(), "{line}");
            }
        }
        "readouts" => {
            assert_keys(line, &["event", "kind", "readouts"]);
            for readout in line["readouts"].as_array().expect("the value is an array") {
                assert_keys(readout, &["text", "at"]);
                assert!(readout["text"].as_str().is_some_and(|text| !text.is_empty()), "{line}");
                numbers::<2>(&readout["at"]);
            }
        }
        "expect" => {
            assert_keys(line, &["event", "kind", "met", "missed"]);
            assert_eq!(line["met"], Value::from(line["missed"].is_null()), "{line}");
        }
        "dump_ids" | "screenshot" | "save" => {
            assert_keys(line, &["event", "kind", "path"]);
            assert!(line["path"].is_string(), "{line}");
        }
        _ => state(line),
    }
}

fn state(line: &Value) {
    assert_keys(line, &STATE);
    for key in ["hover", "dragging"] {
        if !line[key].is_null() {
            assert_handle(&line[key]);
        }
    }
    assert!(line["object"].is_null() || line["object"].is_string(), "{line}");
    assert!(line["clamped"].is_boolean(), "{line}");
    assert!(
        line["hover"].is_null() || line["object"].is_null(),
        "both a handle and an object are hovered: {line}"
    );
    if !line["dragging"].is_null() {
        assert_eq!(line["hover"], line["dragging"], "the dragged handle is hovered: {line}");
    }
    for target in line["targets"].as_object().expect("the value is an object").values() {
        assert_keys(target, &["translation", "rotation", "scale"]);
        let _ = ["translation", "scale"].map(|key| numbers::<3>(&target[key]));
        numbers::<4>(&target["rotation"]);
    }
}

fn assert_handle(name: &Value) {
    assert!(name.as_str().and_then(HandleId::from_name).is_some(), "{name} is not a handle");
}

fn assert_keys(json: &Value, expected: &[&str]) {
    let mut found: Vec<&str> =
        json.as_object().expect("the value is an object").keys().map(String::as_str).collect();
    let mut expected = expected.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{json}");
}
