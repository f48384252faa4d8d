//! Readouts, and settings that change how handles and drags look, but not the result of a drag.

use crate::contract::{Trs, kind_of, numbers};
use crate::viewer::{Folder, json_file, lines, replay_folder};
use serde_json::Value;
use wgpu_gizmo::glam::DVec2;

fn played(name: &str) -> (Value, Vec<Value>, Folder) {
    let replay = json_file(&replay_folder().join(name));
    let out = Folder::new();
    let lines = lines(&out, replay.clone());
    (replay, lines, out)
}

/// A drag with its transforms from press to release.
struct Drag {
    handle: String,
    /// The pixel of the handle relative to the pivot.
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
                let handle = line["dragging"].as_str().expect("a handle is pressed").to_owned();
                let center = if handle.starts_with("scale") { "scale_uniform" } else { "translate_view" };
                let from_pivot = at(&handle) - at(center);
                drags.push(Drag { handle, from_pivot, transforms: Vec::new() });
            }
            _ => {}
        }
        if let (Some(drag), true) =
            (drags.last_mut(), line.get("targets").is_some() && line["kind"] != "undo")
        {
            drag.transforms.push(Trs::read(&line["targets"]["a"]));
        }
    }
    // Removes the lines between the release and the next press.
    drags.iter_mut().for_each(|drag| drag.transforms.truncate(4));
    drags
}

#[test]
fn flipped_handle_is_on_other_side_and_moves_alike() {
    let (_, lines, _) = played("flip-toward-the-camera.json");
    let drags = drags(&lines);
    let handles: Vec<&str> = drags.iter().map(|drag| drag.handle.as_str()).collect();
    let x = "translate_x";
    assert_eq!(handles, [x, x, "translate_zx", "translate_zx", "scale_z", "scale_z", x, x]);
    for (index, pair) in drags.chunks_exact(2).enumerate() {
        let [plain, flipped] = pair else { unreachable!("the chunks have two elements") };
        // In the view of the last pair no handle is flipped.
        let side = if index < 3 { -1.0 } else { 1.0 };
        // The tolerance allows for the different shapes in pixels.
        let error = flipped.from_pivot.distance(plain.from_pivot * side);
        assert!(error < 5.0, "{}: {} and {}", plain.handle, plain.from_pivot, flipped.from_pivot);
        for (a, b) in plain.transforms.iter().zip(&flipped.transforms) {
            if plain.handle == "scale_z" {
                // The same drag leads away from the pivot now, so it enlarges instead of shrinking.
                let factor = |trs: &Trs| trs.scale.z / plain.transforms[0].scale.z;
                let error = (factor(a) - 1.0) + (factor(b) - 1.0);
                assert!(error.abs() < 0.1, "{} and {}", factor(a), factor(b));
            } else {
                assert!(a.translation.distance(b.translation) < 1e-9, "{a:?} and {b:?}");
            }
        }
    }
    assert!(drags.iter().all(|drag| drag.transforms.len() == 4));
}

#[test]
fn construction_lines_change_picture_but_not_ids_or_drag() {
    let (replay, lines, out) = played("construction-lines.json");
    let events = replay["events"].as_array().expect("the value is an array");
    let read = |name: &str| std::fs::read(out.0.join(name)).expect("the file was written");
    for mode in ["translate", "rotate"] {
        assert_eq!(read(&format!("off-{mode}.bin")), read(&format!("on-{mode}.bin")), "{mode}");
        assert_ne!(read(&format!("off-{mode}.png")), read(&format!("on-{mode}.png")), "{mode}");
    }
    let (mut before, mut switched) = (Value::Null, 0);
    for (event, line) in events.iter().zip(&lines).filter(|(_, line)| line.get("targets").is_some()) {
        if kind_of(event) == "set" && line["dragging"].is_string() {
            assert_eq!(line["targets"], before, "{line}");
            switched += 1;
        }
        before = line["targets"].clone();
    }
    assert_eq!(switched, 2, "the lines are switched in each of two drags");
}

#[test]
fn readouts_show_typed_numbers_and_drag_distance() {
    let (replay, lines, _) = played("typed-readouts.json");
    let [width, height] = numbers::<2>(&replay["size_px"]);
    let mut texts = Vec::new();
    for line in lines.iter().filter(|line| line["kind"] == "readouts") {
        let readouts = line["readouts"].as_array().expect("the value is an array");
        assert!(readouts.len() <= 1, "{line}");
        for readout in readouts {
            let [x, y] = numbers::<2>(&readout["at"]);
            assert!(x >= 0.0 && y >= 0.0 && x < width && y < height, "outside the picture: {line}");
        }
        texts.push(
            readouts.first().map_or("", |readout| readout["text"].as_str().expect("the value is a string")),
        );
    }
    // A world unit is a hundred pixels; the increment is 0.5.
    assert_eq!(texts, ["", "X -1.25", "Z 30°", "Y ×1.5", "X 0.370", "X -0.500", ""]);
}
