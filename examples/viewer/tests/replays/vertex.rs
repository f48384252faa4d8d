//! Drags that snap to vertices: a corner of the target moves to the vertex under the pointer, within the
//! constraint of the handle.

use crate::camera::Camera;
use crate::contract::{self, kind_of};
use crate::drag::{Change, Drag};
use crate::settings::Settings;
use crate::solid::{Trs, numbers};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};

fn corners(matrix: DMat4) -> impl Iterator<Item = DVec3> {
    let sides = [-0.5, 0.5];
    (0..8)
        .map(move |i| matrix.transform_point3(DVec3::new(sides[i & 1], sides[i >> 1 & 1], sides[i >> 2 & 1])))
}

/// Returns the part of a translation that the constraint of a handle allows. The center handle may leave the view
/// plane.
fn constrained(handle: &str, by: DVec3) -> DVec3 {
    match handle.strip_prefix("translate_").expect("these replays translate") {
        "view" => by,
        axes => by * DVec3::from(["x", "y", "z"].map(|axis| if axes.contains(axis) { 1.0 } else { 0.0 })),
    }
}

#[test]
fn vertex_snap_moves_corner_onto_vertex() {
    let path = replay_folder().join("vertex-corner-to-corner.json");
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let [width, height] = numbers(&replay["size_px"]);
    let camera = Camera::new(&replay["camera"], [0.0, 0.0, width, height], 1.0);
    let objects = replay["scene"]["objects"].as_array().expect("the scene has objects");
    let rests = objects.iter().find(|o| o["name"] == "rests").expect("the object exists");
    let rests = Trs::of_object(rests).matrix();
    let mut settings = Settings::default();
    settings.set(&replay["settings"]);

    let (mut cursor, mut drag) = (DVec2::NAN, None);
    let (mut snapped, mut free) = (Vec::new(), 0);
    for (index, (event, line)) in events.iter().zip(&lines).enumerate() {
        if let Some(to) = event.get("move") {
            cursor = numbers::<2>(to).into();
        }
        let held = event["mods"].as_array().is_some_and(|mods| mods.contains(&Value::from("v")));
        if kind_of(event) == "press" {
            let handle = line["dragging"].as_str().expect("a handle was pressed");
            let start = Trs::read(&lines[index - 1]["targets"]["moves"]);
            let pivot = start.translation;
            let grip = (camera, cursor);
            let snap = settings.snap(false);
            drag = Some(Drag::begin(handle, (start, DMat4::IDENTITY), pivot, grip, (&settings, snap)));
        }
        let Some(current) = &mut drag else { continue };
        if !["move", "release"].contains(&kind_of(event)) {
            continue;
        }
        let by = match current.at(&camera, cursor, settings.snap(false)).0 {
            Change::Translated(by) => by,
            _ => DVec3::ZERO,
        };
        let start = current.start;
        let nearest = |points: &mut dyn Iterator<Item = DVec3>, distance: &dyn Fn(DVec3) -> f64| {
            points.min_by(|a, b| distance(*a).total_cmp(&distance(*b))).expect("a cube has eight corners")
        };
        let found = Trs::read(&line["targets"]["moves"]).translation - start.translation;
        if !held {
            assert!((found - by).length() < 1e-9, "{found} instead of {by}: {line}");
            free += 1;
        } else {
            let vertex = nearest(&mut corners(rests), &|point| camera.px(point).distance(cursor));
            let corner = nearest(&mut corners(start.matrix()), &|corner| (corner + by).distance(vertex));
            let expected = constrained(&current.handle, vertex - corner);
            assert!((found - expected).length() < 1e-9, "{found} instead of {expected}: {line}");
            snapped.push(current.handle.clone());
        }
        if line["dragging"].is_null() {
            drag = None;
        }
    }
    for handle in ["translate_x", "translate_zx", "translate_view"] {
        assert!(snapped.iter().filter(|snapped| *snapped == handle).count() >= 2, "{handle}: {snapped:?}");
    }
    assert!(free > 3, "{free}");
}
