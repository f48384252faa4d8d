//! Grids, limits, locks and the rules for rotations under an uneven scale, seen from the front with
//! parallel rays: a pixel is a known number of world units.

use crate::contract::{self, kind_of};
use crate::solid::{Trs, angle_between, nearest_rotation, numbers, rotation_of, turn};
use crate::viewer::{Folder, json_file, play, replay_folder};
use serde_json::Value;
use wgpu_gizmo::glam::{DMat3, DVec2, DVec3};

/// In world units, radians, and parts of a scale.
const TOLERANCE: f64 = 1e-9;

/// A line of a drag with what it stands on.
struct Step {
    handle: String,
    /// As pressed, and as printed now.
    start: Trs,
    now: Trs,
    /// World units from press to cursor, x right and y up.
    by: DVec3,
    press_px: DVec2,
    cursor_px: DVec2,
    clamped: bool,
    /// Index of the event.
    event: usize,
}

/// Every move of every drag in a replay, and the printed lines.
fn steps(name: &str) -> (Value, Vec<Value>, Vec<Step>) {
    let path = replay_folder().join(format!("rules-{name}.json"));
    let replay = json_file(&path);
    let events = replay["events"].as_array().expect("a list");
    let lines = contract::lines(&play(&path, &Folder::new()), events);
    let [_, height] = numbers::<2>(&replay["size_px"]);
    let unit = replay["camera"]["projection"]["height"].as_f64().expect("a number") / height;
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

/// Where the middle of the picture shows the world's origin: a point's pixel.
fn px_of(replay: &Value, point: DVec3) -> DVec2 {
    let [width, height] = numbers::<2>(&replay["size_px"]);
    let unit = replay["camera"]["projection"]["height"].as_f64().expect("a number") / height;
    DVec2::new(0.5 * width + point.x / unit, 0.5 * height - point.y / unit)
}

#[test]
fn on_a_grid_the_place_is_a_multiple_and_not_the_way() {
    let (replay, _, steps) = steps("grid");
    let step = replay["settings"]["snap"]["translate"].as_f64().expect("a number");
    let origin = DVec3::from(numbers::<3>(&replay["settings"]["snap_kind"]["grid"]));
    let round = |value: f64| (value / step).round() * step;
    for Step { handle, start, now, by, press_px, cursor_px, event, .. } in &steps {
        if press_px == cursor_px {
            assert_eq!(now.bits(), start.bits(), "event {event}");
            continue;
        }
        let wanted = |axis: usize| match (handle.as_str(), axis) {
            // The key g has gone back to the way since the start.
            ("translate_y", 1) => start.translation[1] + round(by[1]),
            ("translate_x", 0) | ("translate_xy", 0 | 1) => {
                origin[axis] + round(start.translation[axis] + by[axis] - origin[axis])
            }
            _ => start.translation[axis],
        };
        for axis in 0..3 {
            let off = now.translation[axis] - wanted(axis);
            assert!(off.abs() < TOLERANCE, "event {event}, axis {axis}: off by {off:e}");
        }
    }
    assert!(steps.len() > 12);
}

#[test]
fn a_drag_stops_where_the_first_channel_meets_its_limit() {
    let (replay, _, steps) = steps("limits");
    let mut held = [0; 3];
    let mut turned = 0.0f64;
    for Step { handle, start, now, by, press_px, cursor_px, clamped, event } in &steps {
        let at = |limit: bool, kind: usize, held: &mut [i32; 3]| {
            assert_eq!(*clamped, limit, "event {event}");
            held[kind] += i32::from(limit);
        };
        match handle.as_str() {
            "translate_x" | "translate_y" => {
                let (axis, low, high) =
                    if handle == "translate_x" { (0, -0.1, 0.6) } else { (1, f64::NEG_INFINITY, 0.1) };
                let free = start.translation[axis] + by[axis];
                let mut wanted = start.translation;
                wanted[axis] = free.clamp(low, high);
                assert!((now.translation - wanted).length() < TOLERANCE, "event {event}");
                at(free != wanted[axis], 0, &mut held);
            }
            "rotate_view" => {
                let pivot = px_of(&replay, start.translation);
                let angle = |px: DVec2| -(px - pivot).y.atan2((px - pivot).x);
                if press_px == cursor_px {
                    turned = 0.0;
                }
                // The shorter way round from where the cursor was.
                let free = angle(*cursor_px) - angle(*press_px);
                turned = free + std::f64::consts::TAU * ((turned - free) / std::f64::consts::TAU).round();
                let wanted = turned.clamp(-20f64.to_radians(), 45f64.to_radians());
                let off = angle_between(rotation_of(now.rotation), turn(DVec3::Z, wanted));
                assert!(off < TOLERANCE, "event {event}: off by {off:e}");
                at(turned != wanted, 1, &mut held);
            }
            "scale_x" => {
                let pivot = px_of(&replay, start.translation);
                let free = start.scale.x * (cursor_px.x - pivot.x) / (press_px.x - pivot.x);
                assert!((now.scale.x - free.min(0.8)).abs() < TOLERANCE, "event {event}");
                at(free > 0.8, 2, &mut held);
            }
            other => panic!("{other}"),
        }
    }
    assert!(held.iter().all(|count| *count > 0), "{held:?}");
}

#[test]
fn a_locked_channel_keeps_its_start_and_what_is_all_locked_cannot_be_taken() {
    let (_, lines, steps) = steps("locks");
    for Step { handle, start, now, by, event, .. } in &steps {
        assert_eq!(handle, "translate_xy");
        assert_eq!(now.translation.x.to_bits(), start.translation.x.to_bits(), "event {event}");
        let off = now.translation.y - start.translation.y - by.y;
        assert!(off.abs() < TOLERANCE, "event {event}: off by {off:e}");
    }
    assert!(steps.len() > 4);
    let shown = |line: &Value| line["handles"].as_object().map(serde_json::Map::len);
    let shown: Vec<usize> = lines.iter().filter_map(shown).collect();
    let [no_turns, no_moves, all] = shown[..] else { panic!("{shown:?}") };
    assert_eq!((no_turns, no_moves), (0, 0), "disabled handles have no ids");
    assert!(all > 3);
}

#[test]
fn under_an_uneven_parent_a_turn_is_what_the_chosen_rule_says() {
    let (replay, lines, steps) = steps("shear");
    let parent = Trs::of_object(&replay["scene"]["objects"][0]);
    let linear = parent.linear();
    let start_world = |start: &Trs| parent.matrix().transform_point3(start.translation);
    let best_from = lines.iter().position(|line| line["kind"] == "set").expect("a set event");
    for Step { handle, start, now, press_px, cursor_px, event, .. } in &steps {
        assert_eq!(handle, "rotate_z");
        let pivot = px_of(&replay, start_world(start));
        let angle = |px: DVec2| -(px - pivot).y.atan2((px - pivot).x);
        let turned = angle(*cursor_px) - angle(*press_px);
        let wanted: DMat3 = if *event < best_from {
            turn((linear.inverse() * DVec3::Z).normalize(), turned) * rotation_of(start.rotation)
        } else {
            let local = linear.inverse() * turn(DVec3::Z, turned) * linear;
            nearest_rotation(local * rotation_of(start.rotation))
        };
        let off = angle_between(rotation_of(now.rotation), wanted);
        assert!(off < TOLERANCE, "event {event}: off by {off:e}");
    }
    assert!(steps.len() > 8);
    let refused = lines.last().expect("a line");
    assert_eq!(refused["handles"].as_object().map(serde_json::Map::len), Some(0), "{refused}");
}
