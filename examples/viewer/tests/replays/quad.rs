//! Drags in four views, in closed form.

use crate::camera::Camera;
use crate::contract::{self, kind_of};
use crate::drag::{Change, Drag};
use crate::id_image;
use crate::settings::Settings;
use crate::solid::{Trs, numbers};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};

/// The maximum error of printed positions in world units.
const TOLERANCE: f64 = 1e-9;

/// Returns the world directions of right and down in an orthographic view, or `None` for the perspective
/// view. `view` is whether it is a right quarter, and whether it is a lower one.
fn screen_axes(view: [bool; 2]) -> Option<[DVec3; 2]> {
    match view {
        [false, false] => Some([DVec3::X, DVec3::Z]),
        [false, true] => Some([DVec3::X, DVec3::NEG_Y]),
        [true, true] => Some([DVec3::NEG_Z, DVec3::NEG_Y]),
        [true, false] => None,
    }
}

/// Returns a mask of the world axes that a translate handle moves along.
fn moves_along(handle: &str) -> DVec3 {
    match handle.strip_prefix("translate_").expect("these replays translate") {
        "view" => DVec3::ONE,
        axes => ["x", "y", "z"].map(|axis| if axes.contains(axis) { 1.0 } else { 0.0 }).into(),
    }
}

fn translation(change: &Change) -> DVec3 {
    match change {
        Change::Translated(by) => *by,
        _ => DVec3::ZERO,
    }
}

/// Returns the median of the targets of a line.
fn pivot_of(line: &Value) -> DVec3 {
    let targets = line["targets"].as_object().expect("the value is an object");
    let positions = targets.values().map(|target| Trs::read(target).translation);
    positions.sum::<DVec3>() / targets.len() as f64
}

#[test]
fn drag_in_each_view_matches_closed_form() {
    let path = replay_folder().join("quad-drags.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let out = Folder::new();
    let lines = contract::lines(&play(&path, &out), events);
    let [width, height] = numbers::<2>(&replay["size_px"]);
    let unit = replay["views"]["quad"]["height"].as_f64().expect("the value is a number") / (0.5 * height);
    let quarter = Camera::new(&replay["camera"], [0.5 * width, 0.0, 0.5 * width, 0.5 * height], 1.0);
    let whole = Camera::new(&replay["camera"], [0.0, 0.0, width, height], 1.0);
    let mut settings = Settings::default();
    settings.set(&replay["settings"]);

    let (mut cursor, mut pressed) = (DVec2::NAN, None);
    let (mut dragged, mut four) = (Vec::new(), true);
    for (index, (event, line)) in events.iter().zip(&lines).enumerate() {
        let target = |line: &Value| Trs::read(&line["targets"]["cube"]);
        match kind_of(event) {
            "move" => cursor = numbers::<2>(&event["move"]).into(),
            "views" => four = event["views"] != "one",
            "press" => {
                let handle = line["dragging"].as_str().expect("a handle was pressed").to_owned();
                let view = four.then_some([cursor.x >= 0.5 * width, cursor.y >= 0.5 * height]);
                let start = target(&lines[index - 1]);
                let camera = if view.is_some() { quarter } else { whole };
                let in_perspective = view.and_then(screen_axes).is_none();
                let solved = in_perspective.then(|| {
                    let pivot = pivot_of(&lines[index - 1]);
                    let snap = (&settings, settings.snap(false));
                    Drag::begin(&handle, (start, DMat4::IDENTITY), pivot, (camera, cursor), snap)
                });
                dragged.push((view, handle.clone()));
                pressed = Some((cursor, view, handle, start, camera, solved));
            }
            _ => {}
        }
        let Some((press, view, handle, start, camera, solved)) = &mut pressed else { continue };
        if line["dragging"].is_string() || kind_of(event) == "release" {
            let by = match (solved, view.and_then(screen_axes)) {
                (Some(drag), _) => translation(&drag.at(camera, cursor, settings.snap(false)).0),
                (None, Some([right, down])) => {
                    let by = (cursor - *press) * unit;
                    (right * by.x + down * by.y) * moves_along(handle)
                }
                (None, None) => unreachable!("a view is orthographic or in perspective"),
            };
            let error = (target(line).translation - start.translation - by).length();
            assert!(error < TOLERANCE, "off by {error:e}: {line}");
        }
        if line["dragging"].is_null() {
            pressed = None;
        }
    }
    let views: Vec<_> = dragged.iter().map(|(view, _)| *view).collect();
    for view in [[false, false], [false, true], [true, false], [true, true]] {
        assert!(views.contains(&Some(view)), "nothing was dragged in {view:?}");
    }
    assert!(views.contains(&None), "nothing was dragged in one view again");
    assert!(id_image::compare(&replay, &lines, &out).picks >= 8);
}

#[test]
fn handles_are_in_id_image_of_every_view() {
    let path = replay_folder().join("quad-drags.json");
    let replay = json_file(&path);
    let [width, height] = numbers::<2>(&replay["size_px"]).map(|side| side as usize);
    let out = Folder::new();
    let lines =
        contract::lines(&play(&path, &out), replay["events"].as_array().expect("the value is an array"));
    let dump = std::fs::read(out.0.join("ids.bin")).expect("the ID image was written");
    let picked = lines.iter().filter(|line| line["hit"].is_string()).map(|line| &line["id"]);
    let center = picked.filter_map(Value::as_u64).next().expect("the first pick hits a handle");
    let mut found = [0; 4];
    for (index, id) in dump.chunks_exact(4).enumerate() {
        if u64::from(u32::from_le_bytes([id[0], id[1], id[2], id[3]])) == center {
            let (x, y) = (index % width, index / width);
            found[usize::from(2 * x >= width) + 2 * usize::from(2 * y >= height)] += 1;
        }
    }
    assert!(found.iter().all(|count| *count > 50), "{found:?}");
}
