//! What changes how handles and drags look, and nothing of what they do.

use crate::contract::{self, kind_of};
use crate::solid::{Trs, numbers};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use std::path::Path;
use wgpu_gizmo::glam::DVec2;

fn played(name: &str) -> (Vec<Value>, Vec<Value>, Folder) {
    let path = replay_folder().join(name);
    let events = json_file(Path::new(&path))["events"].as_array().expect("a list").clone();
    let out = Folder::new();
    let lines = contract::lines(&play(&path, &out), &events);
    (events, lines, out)
}

/// A drag: where its handle was, relative to the pivot, and every transform from press to release.
struct Drag {
    handle: String,
    from_pivot: DVec2,
    transforms: Vec<Trs>,
}

fn drags(lines: &[Value]) -> Vec<Drag> {
    let (mut drags, mut handles): (Vec<Drag>, &Value) = (Vec::new(), &Value::Null);
    for line in lines {
        let at = |name: &str| DVec2::from(numbers(&handles[name]["at"]));
        match line["kind"].as_str() {
            Some("handles") => handles = &line["handles"],
            Some("press") => {
                let handle = line["dragging"].as_str().expect("a handle").to_owned();
                let center = if handle.starts_with("scale") { "scale_uniform" } else { "translate_view" };
                let from_pivot = at(&handle) - at(center);
                drags.push(Drag { handle, from_pivot, transforms: Vec::new() });
            }
            _ => {}
        }
        if let (Some(drag), true) = (drags.last_mut(), line["kind"] != "handles" && line["kind"] != "undo") {
            drag.transforms.push(Trs::read(&line["targets"]["a"]));
        }
    }
    // The next drag's `set` and `move` come before its press.
    drags.iter_mut().for_each(|drag| drag.transforms.truncate(4));
    drags
}

#[test]
fn a_flipped_handle_is_on_the_other_side_and_moves_as_before() {
    let (_, lines, _) = played("flip-toward-the-camera.json");
    let drags = drags(&lines);
    let handles: Vec<&str> = drags.iter().map(|drag| drag.handle.as_str()).collect();
    let x = "translate_x";
    assert_eq!(handles, [x, x, "translate_zx", "translate_zx", "scale_z", "scale_z", x, x]);
    for (place, pair) in drags.chunks_exact(2).enumerate() {
        let [plain, flipped] = pair else { unreachable!("two each") };
        // The last two are seen from where nothing has to be turned.
        let other_side = if place < 3 { -1.0 } else { 1.0 };
        // As far as the middles of two shapes in pixels may be off.
        let apart = flipped.from_pivot.distance(plain.from_pivot * other_side);
        assert!(apart < 5.0, "{}: {} and {}", plain.handle, plain.from_pivot, flipped.from_pivot);
        for (a, b) in plain.transforms.iter().zip(&flipped.transforms) {
            if plain.handle == "scale_z" {
                // The other way is away from the pivot now: as much larger as it was smaller.
                let factor = |trs: &Trs| trs.scale.z / plain.transforms[0].scale.z;
                let off = (factor(a) - 1.0) + (factor(b) - 1.0);
                assert!(off.abs() < 0.1, "{} and {}", factor(a), factor(b));
            } else {
                assert!(a.translation.distance(b.translation) < 1e-9, "{a:?} and {b:?}");
            }
        }
    }
    assert!(drags.iter().all(|drag| drag.transforms.len() == 4));
}

#[test]
fn construction_lines_are_seen_and_change_neither_ids_nor_the_drag() {
    let (events, lines, out) = played("construction-lines.json");
    let read = |name: &str| std::fs::read(out.0.join(name)).expect("written");
    for mode in ["translate", "rotate"] {
        assert_eq!(read(&format!("off-{mode}.bin")), read(&format!("on-{mode}.bin")), "{mode}");
        assert_ne!(read(&format!("off-{mode}.png")), read(&format!("on-{mode}.png")), "{mode}");
    }
    let mut before = Value::Null;
    for (event, line) in events.iter().zip(&lines).filter(|(_, line)| line.get("targets").is_some()) {
        if kind_of(event) == "set" && line["dragging"].is_string() {
            assert_eq!(line["targets"], before, "{line}");
        }
        before = line["targets"].clone();
    }
}
