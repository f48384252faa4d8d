//! The outlines of selected and hovered nodes in the picture.

use crate::viewer::*;

const SIZE: [u32; 2] = [400, 300];
/// Pixels per world unit.
const UNIT: f64 = 100.0;
/// The half extent of a cube of size 1.2, in pixels.
const HALF: f64 = 60.0;

/// Renders a cube at the center, seen from the front, and one that occludes its upper right corner.
fn picture(scale_factor: f64, events: &[Value]) -> image::RgbImage {
    let out = Folder::new();
    let events =
        [&[json!({ "set": { "mode": "none" } })], events, &[json!({ "screenshot": "a.png" })]].concat();
    let mut behind = cube("behind", None, [0.0; 3]);
    behind["scale"] = json!([1.2, 1.2, 1.2]);
    let replay = json!({
        "size_px": SIZE, "scale_factor": scale_factor, "camera": orthographic(f64::from(SIZE[1]) / UNIT),
        "scene": { "objects": [behind, cube("before", None, [0.8, 0.9, 2.0])] },
        "events": events
    });
    lines(&out, replay);
    image::open(out.path().join("a.png")).expect("the screenshot is a PNG").into_rgb8()
}

fn near(pixel: &image::Rgb<u8>, expected: [u8; 3]) -> bool {
    pixel.0.iter().zip(expected).all(|(a, b)| a.abs_diff(b) < 40)
}

/// Returns the distances from the cube's nearer edge to the pixels of a color, in a row through the lower
/// half of the cube. Distances are in pixels and positive outside the cube.
fn distances(picture: &image::RgbImage, color: [u8; 3]) -> Vec<i64> {
    let y = SIZE[1] / 2 + 30;
    let (left, right) = (200 - HALF as i64, 200 + HALF as i64);
    let columns = (0..SIZE[0]).filter(|x| near(picture.get_pixel(*x, y), color)).map(i64::from);
    columns.map(|x| if x < 200 { left - 1 - x } else { x - right }).collect()
}

const ACTIVE: [u8; 3] = [255, 163, 56];
const SELECTED: [u8; 3] = [219, 102, 26];
const HOVERED: [u8; 3] = [214, 224, 238];

#[test]
fn outline_width_is_in_logical_pixels_and_outside() {
    for (scale_factor, width) in [(1.0, 2), (2.0, 4), (3.0, 6)] {
        let selected = [json!({ "select": ["behind"] })];
        let picture = picture(scale_factor, &selected);
        let found = distances(&picture, ACTIVE);
        let expected: Vec<i64> = (0..width).rev().chain(0..width).collect();
        assert_eq!(found, expected, "{scale_factor}");
    }
    assert!(distances(&picture(1.0, &[]), ACTIVE).is_empty());
}

#[test]
fn active_selected_and_hovered_outlines_differ() {
    let both = [json!({ "select": ["behind", "before"] })];
    let both = picture(2.0, &both);
    assert_eq!(distances(&both, SELECTED).len(), 8);
    assert!(distances(&both, ACTIVE).is_empty());
    let hovered = [json!({ "move": [170.5, 170.5] })];
    assert_eq!(distances(&picture(2.0, &hovered), HOVERED).len(), 6);
}
