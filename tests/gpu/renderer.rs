//! The renderer: the image is equal in every host pass, clipped to the viewport, and empty without handles.

use super::custom;
use crate::common::prelude::*;
use std::collections::BTreeSet;

/// Returns true if a pixel within `reach` of the `i`th one matches `is`.
fn near(size: [u32; 2], i: usize, reach: usize, is: &dyn Fn(usize) -> bool) -> bool {
    let [width, height] = size.map(|n| n as usize);
    let (x, y) = (i % width, i / width);
    let mut rows = y.saturating_sub(reach)..(y + reach + 1).min(height);
    rows.any(|y| (x.saturating_sub(reach)..(x + reach + 1).min(width)).any(|x| is(y * width + x)))
}

#[test]
fn unprepared_renderer_and_empty_list_draw_nothing() {
    let case = cases::named("right-handed perspective");
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
    let untouched = |picture: Vec<[u8; 4]>| picture.iter().all(|t| *t == [51, 51, 51, 255]);
    assert!(untouched(frame(&case, PLAIN, 0.2, &mut renderer, &DrawList::new())));
    assert!(!untouched(frame(&case, PLAIN, 0.2, &mut renderer, &list(&case, Mode::Translate))));
    // Handles of an earlier frame are not drawn again.
    let mut empty = DrawList::new();
    empty.begin(&case.view);
    assert!(untouched(frame(&case, PLAIN, 0.2, &mut renderer, &empty)));
}

/// Returns the number of bytes that a renderer uploads for a gizmo, and of its grids.
fn upload(renderer: &mut GizmoRenderer, case: &Case, gizmo: &mut Gizmo) -> (u64, usize) {
    let list = drawn(&case.view, gizmo);
    renderer.prepare(device(), queue(), &list).expect("the device is alive");
    (renderer.uploaded_bytes(), list.grids().len())
}

#[test]
fn hover_uploads_part_of_picture() {
    let case = cases::named("right-handed perspective");
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
    let (mut gizmo, mut targets) = gizmo(&case, Mode::Universal, &mut IdSpace::new());
    let mut uploaded = |name: &str| {
        let px = gizmo.handle_px(&case.view, handle(name)).expect("it can be grabbed");
        gizmo.pointer_moved(px);
        gizmo.update(&case.view, &mut targets);
        gizmo.answer_on_cpu();
        assert_eq!(gizmo.hovered(), Some(handle(name)));
        upload(&mut renderer, &case, &mut gizmo).0
    };
    let all = uploaded("translate_x");
    for handle in ["translate_z", "scale_x", "rotate_y", "rotate_z"] {
        let bytes = uploaded(handle);
        assert!(bytes > 0 && bytes < all / 2, "{handle}: {bytes} of {all}");
    }
}

#[test]
fn changed_grid_is_uploaded_alone() {
    let case = cases::named("right-handed perspective");
    let mut renderer = GizmoRenderer::new(device(), PLAIN).expect("the render target is supported");
    let (mut gizmo, mut targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
    typed(&case.view, (&mut gizmo, &mut targets), "Y1");
    let mut uploaded = |increment: f64| {
        gizmo.settings.snap.increments.translate = Increment::new(increment);
        gizmo.update(&case.view, &mut targets);
        let (bytes, grids) = upload(&mut renderer, &case, &mut gizmo);
        assert_eq!(grids, 1);
        bytes
    };
    let all = uploaded(0.25);
    // The lines are generated on the GPU, so that a grid is a few numbers.
    let grid = uploaded(0.5);
    assert!((1..200).contains(&grid), "{grid} bytes of one grid");
    assert!(all > 1_000 + grid, "{all} bytes with the handle");
    assert_eq!(uploaded(0.5), 0, "nothing has changed");
}

/// The difference in coverage between one and several samples per pixel, in the mean of the pixels that are covered in
/// part, and at all but a few of them: at the flat ends of rings, one sample covers all of a pixel or nothing.
const MAX_MEAN_OFF: f64 = 0.02;
const MAX_OFF: f64 = 0.3;
const MAX_SHARE_FAR_OFF: f64 = 2e-3;

/// Returns how much of each pixel a picture covers.
fn coverage(case: &Case, state: TargetState, list: &DrawList) -> Vec<f64> {
    let [dark, light] = [0.0, 1.0].map(|background| picture(case, state, background, list));
    let covered =
        |(dark, light): (&[u8; 4], &[u8; 4])| 1.0 - f64::from(light[1].saturating_sub(dark[1])) / 255.0;
    dark.iter().zip(&light).map(covered).collect()
}

/// Asserts that pictures with one and with four samples per pixel are close.
fn check_samples(case: &Case, state: TargetState, list: &DrawList, what: &str) {
    let [plain, sampled] =
        [1, 4].map(|sample_count| coverage(case, TargetState { sample_count, ..state }, list));
    let pairs = || plain.iter().zip(&sampled).map(|(a, b)| [*a, *b]);
    let is_partial = |pair: &[f64; 2]| pair.iter().any(|covered| *covered > 0.0 && *covered < 1.0);
    let off: Vec<_> = pairs().filter(is_partial).map(|[a, b]| (a - b).abs()).collect();
    let mean = off.iter().sum::<f64>() / off.len().max(1) as f64;
    let far_off = off.iter().filter(|off| **off > MAX_OFF).count();
    let share = far_off as f64 / off.len().max(1) as f64;
    assert!(
        mean <= MAX_MEAN_OFF && share <= MAX_SHARE_FAR_OFF,
        "{what}: {mean} in the mean, {far_off} far off"
    );
}

#[test]
fn picture_is_equal_in_every_host_pass() {
    let case = cases::named("reversed depth, infinite far");
    for mode in MODES {
        let list = list(&case, mode);
        let plain = picture(&case, PLAIN, 0.2, &list);
        for depth_stencil in [
            None,
            Some(TextureFormat::Depth32Float),
            Some(TextureFormat::Depth24PlusStencil8),
            Some(TextureFormat::Stencil8),
        ] {
            let state = TargetState { depth_stencil, ..PLAIN };
            let (largest, _) = difference(&picture(&case, state, 0.2, &list), &plain);
            assert!(largest <= 1, "{mode:?} in {state:?} differs by {largest}");
            check_samples(&case, state, &list, &format!("{mode:?} in {state:?}"));
        }
    }
}

const SIDE: &str = "from a side";

/// Returns views of a gizmo from all sides, close to its axes and strongly distorted, after all projections.
fn every_side() -> Vec<Case> {
    let mut cases = cases::all();
    for (field_of_view, distance) in [(0.8, 6.0), (1.9, 1.5)] {
        for step in 0..24 {
            let turn = DVec2::from_angle(0.27 * f64::from(step));
            // Elevations up to a little beside the axes.
            let up = [0.003, 0.3, 1.1, 3.0, 9.0, 40.0][step as usize % 6];
            let eye = DVec3::new(turn.x, up, turn.y).normalize() * distance;
            // Beside the middle of the view, perspective is stronger.
            // Not at the middle of a pixel, where a ring that is seen edge-on would end exactly between two rows.
            let at = if step % 2 == 0 { DVec3::splat(1e-3) } else { DVec3::new(0.3, 0.2, 0.1) * distance };
            let lens = rh::proj::directx::perspective_infinite_reverse(field_of_view, 4.0 / 3.0, 0.1);
            let camera = [PIVOT_WORLD + eye, PIVOT_WORLD + at];
            let view = cases::view(camera, lens, cases[0].view.viewport(), 1.0);
            cases.push(Case { name: SIDE, view, target: cases[0].target });
        }
    }
    cases
}

/// Checks one view of handles; returns the number of texels with ids, and of those where the CPU pick differs.
fn compare(case: &Case, list: &DrawList, has_far_half: bool, name: &str) -> [usize; 2] {
    let [width, height] = case.target.map(|side| side as usize);
    let seen = picture(case, PLAIN, 0.0, list);
    let ids = gpu().id_image(case.target, &case.view, list).ids;
    let is_lit = |i: usize, least: u8| seen[i][..3].iter().any(|part| *part > least);
    let [mut with_id, mut different] = [0; 2];
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (i, px) = (y * width + x, DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
        let is_near = |reach: usize, is: &dyn Fn(usize) -> bool| near(case.target, i, reach, is);
        let is_inside = case.view.viewport().contains(px);
        if ids[i] != 0 {
            with_id += 1;
            // The ends of rings that are seen edge-on fade out.
            assert!(is_near(2, &|i| is_lit(i, 0)), "{name}: pickable but not visible at {px}");
            assert!(is_inside, "{name}: pickable outside of the viewport at {px}");
        } else if is_lit(i, 110) && !has_far_half {
            assert!(is_near(1, &|i| ids[i] != 0), "{name}: visible but not pickable at {px}");
        } else if !is_inside || (x + 2 * y) % 5 != 0 && !is_near(1, &|i| ids[i] != 0) {
            continue;
        }
        let picked = list.pick(px, 0.0).map_or(0, |id| id.get());
        if picked != ids[i] {
            different += 1;
            println!("{name}: {picked} on the CPU, {} in the image, at {px}", ids[i]);
        }
    }
    if case.name != SIDE {
        let listed: BTreeSet<u32> = list.items().iter().filter_map(|i| i.id).map(|id| id.get()).collect();
        let seen: BTreeSet<u32> = ids.into_iter().filter(|id| *id != 0).collect();
        assert_eq!(seen, listed, "{name}: the handles with pixels");
    }
    [with_id, different]
}

#[test]
fn ids_picture_and_cpu_pick_agree_from_every_side() {
    let [mut with_id, mut different] = [0; 2];
    for case in every_side() {
        // The rings of all handles together fade out more, seen edge-on.
        let modes = if case.name == SIDE { &MODES[..3] } else { &MODES };
        let mut lists: Vec<_> = modes.iter().map(|mode| (format!("{mode:?}"), list(&case, *mode))).collect();
        if case.name != SIDE {
            lists.push(("custom".to_owned(), custom::list(&case, &mut custom::gizmo(&case))));
        }
        for (mode, list) in lists {
            let name = format!("{}, {mode} from {:?}", case.name, case.view.eye());
            // The far half of a ring is visible, thin and dim, but cannot be picked.
            let has_far_half = !matches!(mode.as_str(), "Translate" | "Scale");
            let counts = compare(&case, &list, has_far_half, &name);
            [with_id, different] = [with_id + counts[0], different + counts[1]];
            if !has_far_half {
                check_samples(&case, PLAIN, &list, &name);
            }
        }
    }
    assert!(with_id > 200_000, "only {with_id} texels have ids");
    assert!(different * 10_000 <= with_id, "{different} of {with_id} texels differ");
}

#[test]
fn srgb_target_shows_same_colors() {
    let case = cases::named("reversed depth, infinite far");
    let alone = |handle: HandleId| Mode::Handles(handle.into());
    for mode in MODES.into_iter().chain(HandleId::all().map(alone)) {
        let list = list(&case, mode);
        // Opaque pixels are equal. Edges, halos and translucent parts are blended in the color space of the
        // render target; the correction for that is exact over one gray and approximate over others, such
        // as another handle. The mean over a light gray is 1.00 to 1.02, depending on the rounding of the driver.
        let over_gray = if matches!(mode, Mode::Handles(_)) { 25 } else { 50 };
        for (background, max_difference, max_mean) in
            [(0.05, 50, 4.0), (0.25, over_gray, 0.5), (0.6, 50, 1.1), (1.0, 90, 3.0)]
        {
            let plain = picture(&case, PLAIN, background, &list);
            for format in [TextureFormat::Rgba8UnormSrgb, TextureFormat::Bgra8UnormSrgb] {
                let mut srgb = picture(&case, TargetState { format, ..PLAIN }, background, &list);
                if format == TextureFormat::Bgra8UnormSrgb {
                    srgb.iter_mut().for_each(|texel| texel.swap(0, 2));
                }
                let (largest, mean) = difference(&plain, &srgb);
                assert!(
                    largest <= max_difference && mean <= max_mean,
                    "{mode:?} on {background}: {largest}, {mean}"
                );
            }
        }
    }
}

#[test]
fn unblendable_render_targets_are_refused() {
    let with = |state: TargetState| GizmoRenderer::new(device(), state).err();
    for format in [TextureFormat::R32Uint, TextureFormat::Rgba8Sint, TextureFormat::Depth32Float] {
        assert_eq!(with(TargetState { format, ..PLAIN }), Some(GpuError::ColorFormat(format)));
    }
    let three = GpuError::SampleCount { format: PLAIN.format, sample_count: 3 };
    assert_eq!(with(TargetState { sample_count: 3, ..PLAIN }), Some(three));
    let no_depth = TargetState { depth_stencil: Some(TextureFormat::Rgba8Unorm), ..PLAIN };
    assert_eq!(with(no_depth), Some(GpuError::DepthFormat(TextureFormat::Rgba8Unorm)));
}
