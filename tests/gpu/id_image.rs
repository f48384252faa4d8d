//! The ID image: its contents, and tiles that equal the full frame.

use crate::common::device::{TileMode, gpu};
use crate::common::{MODES, cases, gizmo, list};
use std::collections::BTreeSet;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::{DrawList, IdSpace, Mode, PickOutcome, PickQuery};

/// Returns true if all pixels within `reach` of (x, y), in both directions, have the same id.
fn is_inside(image: &IdTexels, x: i64, y: i64, reach: i64) -> bool {
    let at = |x: i64, y: i64| {
        let inside = (0..i64::from(image.width)).contains(&x) && (0..i64::from(image.height)).contains(&y);
        inside.then(|| image.ids[y as usize * image.width as usize + x as usize])
    };
    let all = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
    all.map(|(dx, dy)| at(x + dx, y + dy)).all(|id| id.is_some() && id == at(x, y))
}

fn pixels(image: &IdTexels) -> impl Iterator<Item = (i64, i64, u32)> {
    let width = image.width as usize;
    image.ids.iter().enumerate().map(move |(i, id)| ((i % width) as i64, (i / width) as i64, *id))
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

fn assert_tiles_equal_full_frame(mode: TileMode) {
    let (mut compared, mut different) = (0, 0);
    for case in cases::all() {
        for gizmo_mode in MODES {
            let list = list(&case, gizmo_mode);
            let full = gpu().id_image(case.target, &case.view, &list);
            for [x, y] in edge_pixels(&full, 3) {
                let tile = gpu().id_tile([x, y], 17, mode, &case.view, &list);
                for (i, j, id) in pixels(&tile) {
                    let [x, y] = [x - 8 + i, y - 8 + j];
                    let size = case.target.map(i64::from);
                    if !(0..size[0]).contains(&x) || !(0..size[1]).contains(&y) {
                        continue;
                    }
                    compared += 1;
                    if full.ids[(y * size[0] + x) as usize] == id {
                        continue;
                    }
                    different += 1;
                    println!("{}, {gizmo_mode:?}: {id} at {x}, {y}", case.name);
                }
            }
        }
    }
    println!("{mode:?}: {different} of {compared} pixels differ");
    assert!(compared > 100_000, "only {compared} compared");
    assert_eq!(different, 0, "of {compared}");
}

#[test]
fn shifted_tile_equals_full_frame() {
    assert_tiles_equal_full_frame(TileMode::Shifted);
}

#[test]
fn cropped_tile_equals_full_frame() {
    assert_tiles_equal_full_frame(TileMode::Cropped);
}

#[test]
fn exactly_listed_handles_have_pixels() {
    for case in cases::all() {
        for mode in MODES {
            let list = list(&case, mode);
            let image = gpu().id_image(case.target, &case.view, &list);
            let listed: BTreeSet<u32> = list.items().iter().filter_map(|i| i.id).map(|id| id.get()).collect();
            let seen: BTreeSet<u32> = image.ids.iter().copied().filter(|id| *id != 0).collect();
            assert_eq!(seen, listed, "{}, {mode:?}", case.name);
        }
    }
}

#[test]
fn cpu_pick_agrees_with_id_image() {
    let (mut compared, mut different) = (0, 0);
    for case in cases::all() {
        for mode in MODES {
            // The lines must be thick enough to have inner pixels.
            let (mut gizmo, _) = gizmo(&case, mode, &mut IdSpace::new());
            gizmo.theme.sizes.line_lpx = 7.0 / case.view.scale_factor() as f32;
            let mut list = DrawList::new();
            list.begin(&case.view);
            gizmo.draw(&mut list);
            let image = gpu().id_image(case.target, &case.view, &list);
            let mut checked = BTreeSet::new();
            for (x, y, id) in pixels(&image).filter(|(x, y, _)| (x + 2 * y) % 5 == 0) {
                let px = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                if !case.view.viewport().contains(px) {
                    continue;
                }
                // On edges too: both compute the same distance, up to rounding.
                let picked = list.pick(px, 0.0).map_or(0, |picked| picked.get());
                compared += 1;
                if picked != id {
                    different += 1;
                    println!("{}, {mode:?} at {x}, {y}: {picked}, not {id}", case.name);
                }
                if id != 0 {
                    checked.insert(id);
                }
            }
            let listed: BTreeSet<u32> = list.items().iter().filter_map(|i| i.id).map(|id| id.get()).collect();
            assert_eq!(checked, listed, "{}, {mode:?}: handles with inner pixels", case.name);
        }
    }
    println!("{different} of {compared} pixels differ");
    assert!(different * 100_000 <= compared, "{different} of {compared} differ");
}

#[test]
fn no_id_is_outside_viewport() {
    let case = cases::named("viewport at an offset");
    for mode in MODES {
        let image = gpu().id_image(case.target, &case.view, &list(&case, mode));
        let outside = |(x, y, _): &(i64, i64, u32)| {
            !case.view.viewport().contains(DVec2::new(*x as f64 + 0.5, *y as f64 + 0.5))
        };
        assert!(pixels(&image).filter(outside).all(|(_, _, id)| id == 0), "{mode:?}");
    }
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
