//! The lines round what is selected and what is hovered, in the picture that a user sees.

use crate::viewer::{Folder, play};
use serde_json::{Value, json};

const SIZE: [u32; 2] = [400, 300];
/// A world unit is so many pixels.
const UNIT: f64 = 100.0;
/// Half extents in pixels: a cube of 1.2.
const HALF: f64 = 60.0;

/// A cube from the front, in the middle, and one that hides its right part.
fn picture(scale_factor: f64, events: &[Value]) -> image::RgbImage {
    let out = Folder::new();
    let events =
        [&[json!({ "set": { "mode": "none" } })], events, &[json!({ "screenshot": "a.png" })]].concat();
    let replay = json!({
        "version": 1, "size_px": SIZE, "scale_factor": scale_factor,
        "camera": { "eye": [0, 0, 10], "look_at": [0, 0, 0], "up": [0, 1, 0], "projection":
            { "kind": "orthographic", "height": f64::from(SIZE[1]) / UNIT, "near": 0.1, "far": 100, "reversed": true } },
        "scene": { "objects": [
            { "name": "behind", "parent": null, "scale": [1.2, 1.2, 1.2], "shape": "cube" },
            { "name": "before", "parent": null, "translation": [0.8, 0.9, 2], "scale": [1, 1, 1], "shape": "cube" } ] },
        "events": events
    });
    play(&out.write("replay.json", replay.to_string().as_bytes()), &out);
    image::open(out.0.join("a.png")).expect("a picture").into_rgb8()
}

fn near(pixel: &image::Rgb<u8>, wanted: [u8; 3]) -> bool {
    pixel.0.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) < 40)
}

/// Where in the row through the middle of the lower half of the cube a colour is, as distances
/// from the cube's nearer edge in pixels, outside positive.
fn distances(picture: &image::RgbImage, color: [u8; 3]) -> Vec<i64> {
    let y = SIZE[1] / 2 + 30;
    let (left, right) = (200 - HALF as i64, 200 + HALF as i64);
    let places = (0..SIZE[0]).filter(|x| near(picture.get_pixel(*x, y), color)).map(i64::from);
    places.map(|x| if x < 200 { left - 1 - x } else { x - right }).collect()
}

const ACTIVE: [u8; 3] = [255, 163, 56];
const SELECTED: [u8; 3] = [219, 102, 26];
const HOVERED: [u8; 3] = [214, 224, 238];

#[test]
fn a_line_is_as_wide_in_logical_pixels_and_all_of_it_outside() {
    for (scale_factor, width) in [(1.0, 2), (2.0, 4), (3.0, 6)] {
        let selected = [json!({ "select": ["behind"] })];
        let picture = picture(scale_factor, &selected);
        let found = distances(&picture, ACTIVE);
        let wanted: Vec<i64> = (0..width).rev().chain(0..width).collect();
        assert_eq!(found, wanted, "{scale_factor}");
    }
    assert!(distances(&picture(1.0, &[]), ACTIVE).is_empty());
}

#[test]
fn the_active_node_the_others_and_the_hovered_one_differ() {
    let both = [json!({ "select": ["behind", "before"] })];
    let both = picture(2.0, &both);
    assert_eq!(distances(&both, SELECTED).len(), 8);
    assert!(distances(&both, ACTIVE).is_empty());
    let hovered = [json!({ "move": [170.5, 170.5] })];
    assert_eq!(distances(&picture(2.0, &hovered), HOVERED).len(), 6);
}

#[test]
fn what_hides_a_node_has_the_line_on_it_and_nothing_of_what_is_hidden_shows() {
    let picture = picture(2.0, &[json!({ "select": ["behind"] })]);
    let lined = |x: u32, y: u32| near(picture.get_pixel(x, y), ACTIVE);
    // The other's lower left corner is 70 px up and right of the middle: it is 100 px wide, so
    // that it hides the cube's corner from (230, 110) on.
    assert!(lined(231, 100) && lined(240, 109), "round the corner that is hidden");
    let hidden = (236..300).flat_map(|x| (20..104).map(move |y| (x, y)));
    assert_eq!(hidden.filter(|(x, y)| lined(*x, *y)).count(), 0, "no line through what hides it");
    assert!(lined(225, 88) && !lined(225, 84), "above the part that is seen");
}
