//! Grids, limits, locks and the rules for rotations under non-uniform scale. The view is orthographic, so
//! a pixel is a known number of world units.

use crate::contract::{self, kind_of};
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_about, rotation_of};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use wgpu_gizmo::glam::{DMat3, DVec2, DVec3};

/// The maximum error in world units, in radians, and of scale factors.
const TOLERANCE: f64 = 1e-9;

/// A line of a drag, with the data to check it.
struct Step {
    handle: String,
    /// The transform at the press.
    start: Trs,
    /// The printed transform.
    now: Trs,
    /// The vector from the press to the cursor in world units, x right and y up.
    by: DVec3,
    press_px: DVec2,
    cursor_px: DVec2,
    clamped: bool,
    /// Index of the event.
    event: usize,
}

/// Plays a replay and returns it with the printed lines and the steps of all drags.
fn steps(name: &str) -> (Value, Vec<Value>, Vec<Step>) {
    let path = replay_folder().join(format!("rules-{name}.json"));
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let [_, height] = numbers::<2>(&replay["size_px"]);
    let unit = replay["camera"]["projection"]["height"].as_f64().expect("the value is a number") / height;
    let (mut cursor, mut pressed) = (DVec2::NAN, None);
    let mut steps = Vec::new();
    for (event, (kind, line)) in events.iter().map(kind_of).zip(&lines).enumerate() {
        if kind == "move" {
            cursor = numbers::<2>(&events[event]["move"]).into();
        }
        let target = |line: &Value| Trs::read(&line["targets"]["a"]);
        if kind == "press" {
            pressed = Some((cursor, target(&lines[event - 1])));
        }
        let (Some((press_px, start)), Some(handle)) = (pressed, line["dragging"].as_str()) else { continue };
        let by = (cursor - press_px) * unit;
        steps.push(Step {
            handle: handle.to_owned(),
            start,
            now: target(line),
            by: DVec3::new(by.x, -by.y, 0.0),
            press_px,
            cursor_px: cursor,
            clamped: line["clamped"] == true,
            event,
        });
    }
    (replay, lines, steps)
}

/// Returns the pixel position of a point. The world origin is at the center of the picture.
fn px_of(replay: &Value, point: DVec3) -> DVec2 {
    let [width, height] = numbers::<2>(&replay["size_px"]);
    let unit = replay["camera"]["projection"]["height"].as_f64().expect("the value is a number") / height;
    DVec2::new(0.5 * width + point.x / unit, 0.5 * height - point.y / unit)
}

#[test]
fn grid_snaps_position_instead_of_distance() {
    let (replay, _, steps) = steps("grid");
    let step = replay["settings"]["snap"]["translate"].as_f64().expect("the value is a number");
    let origin = DVec3::from(numbers::<3>(&replay["settings"]["snap_kind"]["grid"]));
    let round = |value: f64| (value / step).round() * step;
    for Step { handle, start, now, by, press_px, cursor_px, event, .. } in &steps {
        if press_px == cursor_px {
            assert_eq!(now.bits(), start.bits(), "event {event}");
            continue;
        }
        let expected = |axis: usize| match (handle.as_str(), axis) {
            // The key g has switched back to relative snapping.
            ("translate_y", 1) => start.translation[1] + round(by[1]),
            ("translate_x", 0) | ("translate_xy", 0 | 1) => {
                origin[axis] + round(start.translation[axis] + by[axis] - origin[axis])
            }
            _ => start.translation[axis],
        };
        for axis in 0..3 {
            let error = now.translation[axis] - expected(axis);
            assert!(error.abs() < TOLERANCE, "event {event}, axis {axis}: off by {error:e}");
        }
    }
    assert!(steps.len() > 12);
}

#[test]
fn drag_stops_at_first_channel_limit() {
    let (replay, _, steps) = steps("limits");
    let mut clamped_counts = [0; 3];
    let mut turned = 0.0f64;
    for Step { handle, start, now, by, press_px, cursor_px, clamped, event } in &steps {
        let check = |is_at_limit: bool, kind: usize, counts: &mut [i32; 3]| {
            assert_eq!(*clamped, is_at_limit, "event {event}");
            counts[kind] += i32::from(is_at_limit);
        };
        match handle.as_str() {
            "translate_x" | "translate_y" => {
                let (axis, low, high) =
                    if handle == "translate_x" { (0, -0.1, 0.6) } else { (1, f64::NEG_INFINITY, 0.1) };
                let free = start.translation[axis] + by[axis];
                let mut expected = start.translation;
                expected[axis] = free.clamp(low, high);
                assert!((now.translation - expected).length() < TOLERANCE, "event {event}");
                check(free != expected[axis], 0, &mut clamped_counts);
            }
            "rotate_view" => {
                let pivot = px_of(&replay, start.translation);
                let angle = |px: DVec2| -(px - pivot).y.atan2((px - pivot).x);
                if press_px == cursor_px {
                    turned = 0.0;
                }
                // The shorter way around from the last cursor position.
                let free = angle(*cursor_px) - angle(*press_px);
                turned = free + std::f64::consts::TAU * ((turned - free) / std::f64::consts::TAU).round();
                let expected = turned.clamp(-20f64.to_radians(), 45f64.to_radians());
                let error = angle_between(rotation_of(now.rotation), rotation_about(DVec3::Z, expected));
                assert!(error < TOLERANCE, "event {event}: off by {error:e}");
                check(turned != expected, 1, &mut clamped_counts);
            }
            "scale_x" => {
                let pivot = px_of(&replay, start.translation);
                let free = start.scale.x * (cursor_px.x - pivot.x) / (press_px.x - pivot.x);
                assert!((now.scale.x - free.min(0.8)).abs() < TOLERANCE, "event {event}");
                check(free > 0.8, 2, &mut clamped_counts);
            }
            other => panic!("{other}"),
        }
    }
    assert!(clamped_counts.iter().all(|count| *count > 0), "{clamped_counts:?}");
}

#[test]
fn locked_channel_keeps_start_and_disables_its_handles() {
    let (_, lines, steps) = steps("locks");
    for Step { handle, start, now, by, event, .. } in &steps {
        assert_eq!(handle, "translate_xy");
        assert_eq!(now.translation.x.to_bits(), start.translation.x.to_bits(), "event {event}");
        let error = now.translation.y - start.translation.y - by.y;
        assert!(error.abs() < TOLERANCE, "event {event}: off by {error:e}");
    }
    assert!(steps.len() > 4);
    let shown = |line: &Value| line["handles"].as_object().map(serde_json::Map::len);
    let shown: Vec<usize> = lines.iter().filter_map(shown).collect();
    let [rotate, translate, all] = shown[..] else { panic!("{shown:?}") };
    assert_eq!((rotate, translate), (0, 0), "disabled handles have no ids");
    assert!(all > 3);
}

#[test]
fn rotation_under_non_uniform_parent_follows_shear_policy() {
    let (replay, lines, steps) = steps("shear");
    let parent = Trs::of_object(&replay["scene"]["objects"][0]);
    let linear = parent.linear();
    let start_world = |start: &Trs| parent.matrix().transform_point3(start.translation);
    let best_fit_from = lines.iter().position(|line| line["kind"] == "set").expect("there is a `set` event");
    for Step { handle, start, now, press_px, cursor_px, event, .. } in &steps {
        assert_eq!(handle, "rotate_z");
        let pivot = px_of(&replay, start_world(start));
        let angle = |px: DVec2| -(px - pivot).y.atan2((px - pivot).x);
        let turned = angle(*cursor_px) - angle(*press_px);
        let expected: DMat3 = if *event < best_fit_from {
            let axis = (linear.inverse() * DVec3::Z).normalize();
            rotation_about(axis, turned) * rotation_of(start.rotation)
        } else {
            let local = linear.inverse() * rotation_about(DVec3::Z, turned) * linear;
            nearest_rotation(local * rotation_of(start.rotation))
        };
        let error = angle_between(rotation_of(now.rotation), expected);
        assert!(error < TOLERANCE, "event {event}: off by {error:e}");
    }
    assert!(steps.len() > 8);
    let rejected = lines.last().expect("there is a line");
    assert_eq!(rejected["handles"].as_object().map(serde_json::Map::len), Some(0), "{rejected}");
}
