//! The ID image: its contents, and tiles that equal the full frame.

use crate::common::prelude::*;
use std::collections::BTreeSet;

fn pixels(image: &IdTexels) -> impl Iterator<Item = (i64, i64, u32)> {
    let width = image.width as usize;
    image.ids.iter().enumerate().map(move |(i, id)| ((i % width) as i64, (i / width) as i64, *id))
}

fn texel(image: &IdTexels, [x, y]: [i64; 2]) -> Option<u32> {
    let is_inside = (0..i64::from(image.width)).contains(&x) && (0..i64::from(image.height)).contains(&y);
    is_inside.then(|| image.ids[y as usize * image.width as usize + x as usize])
}

/// Returns up to `of_each` pixels on the edge of each id.
fn edge_pixels(image: &IdTexels, of_each: usize) -> Vec<[i64; 2]> {
    let present: BTreeSet<u32> = image.ids.iter().copied().filter(|id| *id != 0).collect();
    let mut found = Vec::new();
    for present_id in present {
        let edge: Vec<_> =
            pixels(image).filter(|(x, y, id)| *id == present_id && !is_inside(image, *x, *y, 1)).collect();
        let step = (edge.len() / of_each).max(1);
        found.extend(edge.iter().step_by(step).take(of_each).map(|(x, y, _)| [*x, *y]));
    }
    found
}

#[test]
fn shifted_and_cropped_tiles_equal_full_frame() {
    let mut compared = 0;
    for case in cases::all() {
        for gizmo_mode in MODES {
            let list = list(&case, gizmo_mode);
            let full = gpu().id_image(case.target, &case.view, &list);
            for [x, y] in edge_pixels(&full, 3) {
                for mode in [TileMode::Shifted, TileMode::Cropped] {
                    let tile = gpu().id_tile([x, y], 17, mode, &case.view, &list);
                    for (i, j, id) in pixels(&tile) {
                        let Some(expected) = texel(&full, [x - 8 + i, y - 8 + j]) else { continue };
                        assert_eq!(id, expected, "{}, {gizmo_mode:?}, {mode:?} at {x}, {y}", case.name);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 200_000, "only {compared} compared");
}

#[test]
fn image_far_from_view_is_empty() {
    let case = cases::all().remove(0);
    let list = list(&case, Mode::Translate);
    let rect = case.view.viewport().rect();
    let query = PickQuery::new(&case.view, 0.5 * (rect.min + rect.max), 5.0);
    for far in [i64::MIN, i64::MIN + 1, -1 << 40, i64::MAX] {
        for origin_px in [[far, 0], [0, far], [far; 2]] {
            for mode in [TileMode::Shifted, TileMode::Cropped] {
                let image = mode.with_image([0, 0], 9, |image| {
                    image.origin_px = origin_px;
                    gpu().read(image, &case.view, &list)
                });
                assert!(image.ids.iter().all(|id| *id == 0), "{origin_px:?}, {mode:?}");
                let moved = IdTexels { origin_px, ..image };
                assert_eq!(moved.pick(&query, &list), PickOutcome::Nothing, "{origin_px:?}");
            }
        }
    }
}
