//! The renderer: the image is equal in every host pass, clipped to the viewport, and empty without handles.

use crate::common::cases::{self, Case};
use crate::common::device::{Gpu, gpu};
use crate::common::host::{PLAIN, difference, frame, picture};
use crate::common::{MODES, gizmo, list};
use wgpu_gizmo::glam::{DVec2, DVec3, dcamera::rh};
use wgpu_gizmo::gpu::{GizmoRenderer, GpuError, TargetState};
use wgpu_gizmo::handle::{Axis, HandleSet};
use wgpu_gizmo::interaction::settings::AxisKeys;
use wgpu_gizmo::interaction::{Key, KeyModifiers};
use wgpu_gizmo::wgpu::TextureFormat;
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Increment, Mode, Target, Transform, View};

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
    let mut renderer = GizmoRenderer::new(&gpu().device, PLAIN).expect("the render target is supported");
    let untouched = |picture: Vec<[u8; 4]>| picture.iter().all(|t| *t == [51, 51, 51, 255]);
    assert!(untouched(frame(&case, PLAIN, 0.2, &mut renderer, &DrawList::new())));
    assert!(!untouched(frame(&case, PLAIN, 0.2, &mut renderer, &list(&case, Mode::Translate))));
    // Handles of an earlier frame are not drawn again.
    let mut empty = DrawList::new();
    empty.begin(&case.view);
    assert!(untouched(frame(&case, PLAIN, 0.2, &mut renderer, &empty)));
}

#[test]
fn only_changed_pictures_are_uploaded() {
    let case = cases::named("right-handed perspective");
    let Gpu { device, queue } = gpu();
    let mut renderer = GizmoRenderer::new(device, PLAIN).expect("the render target is supported");
    let mut uploaded = |list: &DrawList| {
        renderer.prepare(device, queue, list).expect("the device is alive");
        renderer.uploaded_bytes()
    };
    let [moves, turns] = [Mode::Translate, Mode::Rotate].map(|mode| list(&case, mode));
    assert!(uploaded(&moves) > 0);
    assert_eq!([uploaded(&moves), uploaded(&moves)], [0; 2], "nothing has changed");
    let bytes = uploaded(&turns);
    assert!(bytes > 1_000, "{bytes} of another mode");
    assert_eq!(uploaded(&turns), 0);
    assert!(uploaded(&moves) > 1_000, "what was uploaded before is no longer there");
}

#[test]
fn hover_uploads_part_of_picture() {
    let case = cases::named("right-handed perspective");
    let Gpu { device, queue } = gpu();
    let mut renderer = GizmoRenderer::new(device, PLAIN).expect("the render target is supported");
    let (mut gizmo, mut targets) = gizmo(&case, Mode::Universal, &mut IdSpace::new());
    let mut uploaded = |handle: &str| {
        let handle = HandleId::from_name(handle).expect("a handle has this name");
        let px = gizmo.handle_px(&case.view, handle).expect("it can be grabbed");
        gizmo.pointer_moved(px);
        gizmo.update(&case.view, &mut targets);
        gizmo.answer_on_cpu();
        assert_eq!(gizmo.hovered(), Some(handle));
        let mut list = DrawList::new();
        gizmo.draw(list.begin(&case.view));
        renderer.prepare(device, queue, &list).expect("the device is alive");
        renderer.uploaded_bytes()
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
    let Gpu { device, queue } = gpu();
    let mut renderer = GizmoRenderer::new(device, PLAIN).expect("the render target is supported");
    let (mut gizmo, mut targets) = gizmo(&case, Mode::Translate, &mut IdSpace::new());
    gizmo.settings.input.axis_keys = AxisKeys::Always;
    for key in [Key::Plane(Axis::Y), Key::Digit(1)] {
        gizmo.key(key, KeyModifiers::NONE);
    }
    let mut uploaded = |increment: f64| {
        gizmo.settings.snap.increments.translate = Increment::new(increment);
        gizmo.update(&case.view, &mut targets);
        let mut list = DrawList::new();
        gizmo.draw(list.begin(&case.view));
        assert_eq!(list.grids().len(), 1);
        renderer.prepare(device, queue, &list).expect("the device is alive");
        renderer.uploaded_bytes()
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

/// Passes views of a gizmo from all sides, close to its axes and strongly distorted, with their names.
fn from_every_side(modes: &[Mode], mut check: impl FnMut(&Case, &DrawList, &str)) {
    for (field_of_view, distance) in [(0.8, 6.0), (1.9, 1.5)] {
        for step in 0..24 {
            let turn = DVec2::from_angle(0.27 * f64::from(step));
            // Elevations up to a little beside the axes.
            let up = [0.003, 0.3, 1.1, 3.0, 9.0, 40.0][step as usize % 6];
            let eye = DVec3::new(turn.x, up, turn.y).normalize() * distance;
            // Beside the middle of the view, perspective is stronger.
            // Not at the middle of a pixel, where a ring that is seen edge-on would end exactly between two rows.
            let at = if step % 2 == 0 { DVec3::splat(1e-3) } else { DVec3::new(0.3, 0.2, 0.1) * distance };
            let mut case = cases::named("reversed depth, infinite far");
            case.view = View::new(
                rh::view::look_at_mat4(eye, at, DVec3::Y),
                rh::proj::directx::perspective_infinite_reverse(field_of_view, 4.0 / 3.0, 0.1),
                case.view.viewport(),
                1.0,
            )
            .expect("the view is valid");
            for mode in modes {
                let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
                gizmo.settings.mode = *mode;
                gizmo.update(&case.view, &mut [Target::from_world(Transform::IDENTITY)]);
                let mut list = DrawList::new();
                gizmo.draw(list.begin(&case.view));
                check(&case, &list, &format!("{mode:?} from {eye} toward {at}"));
            }
        }
    }
}

#[test]
fn samples_show_same_picture_from_every_side() {
    let mut shown = 0;
    from_every_side(&[Mode::Translate, Mode::Scale], |case, list, name| {
        let plain = picture(case, PLAIN, 0.2, list);
        check_samples(case, PLAIN, list, name);
        shown += usize::from(plain.iter().any(|texel| *texel != plain[0]));
    });
    assert!(shown > 80, "only {shown} pictures have handles");
}

#[test]
fn ids_picture_and_cpu_pick_agree_from_every_side() {
    let (mut with_id, mut different) = (0, 0);
    from_every_side(&[Mode::Translate, Mode::Rotate, Mode::Scale], |case, list, name| {
        let seen = picture(case, PLAIN, 0.0, list);
        let image = gpu().id_image(case.target, &case.view, list);
        for (i, id) in image.ids.iter().enumerate() {
            let [x, y] = [i % case.target[0] as usize, i / case.target[0] as usize];
            if *id != 0 {
                with_id += 1;
                // The ends of rings that are seen edge-on fade out.
                let is_lit = near(case.target, i, 2, &|i| seen[i][..3].iter().any(|part| *part > 0));
                assert!(is_lit, "{name}: pickable but not visible at {x}, {y}");
            }
            let picked = list.pick(DVec2::new(x as f64 + 0.5, y as f64 + 0.5), 0.0).map_or(0, |id| id.get());
            if picked != *id {
                different += 1;
                println!("{name}: {picked} on the CPU, {id} in the image, at {x}, {y}");
            }
        }
    });
    println!("{different} of {with_id} texels with ids differ");
    assert!(with_id > 100_000, "only {with_id} texels have ids");
    assert!(different * 10_000 <= with_id, "{different} of {with_id} texels differ");
}

#[test]
fn srgb_target_shows_same_colors() {
    let case = cases::named("reversed depth, infinite far");
    let alone = |handle| Mode::Handles(HandleSet::EMPTY.with(handle));
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
                println!("{mode:?} on {background}: {format:?} differs by {largest}, {mean:.2} on average");
                assert!(
                    largest <= max_difference && mean <= max_mean,
                    "{mode:?} on {background}: {largest}, {mean}"
                );
            }
        }
    }
}

#[test]
fn visible_pixels_are_pickable_pixels() {
    for case in cases::all() {
        for mode in MODES {
            let list = list(&case, mode);
            let seen = picture(&case, PLAIN, 0.0, &list);
            let image = gpu().id_image(case.target, &case.view, &list);
            for i in 0..seen.len() {
                let bright = seen[i][..3].iter().any(|c| *c > 110);
                let at = (i % case.target[0] as usize, i / case.target[0] as usize);
                if image.ids[i] != 0 {
                    let lit = near(case.target, i, 1, &|i| seen[i][..3].iter().any(|c| *c > 0));
                    assert!(lit, "{}, {mode:?}: pickable but not visible at {at:?}", case.name);
                } else if bright && !matches!(mode, Mode::Rotate | Mode::Universal) {
                    // The far half of a ring is visible, thin and dim, but cannot be picked.
                    let picked = near(case.target, i, 1, &|i| image.ids[i] != 0);
                    assert!(picked, "{}, {mode:?}: visible but not pickable at {at:?}", case.name);
                }
            }
        }
    }
}

#[test]
fn unblendable_render_targets_are_refused() {
    let device = &gpu().device;
    let with = |state: TargetState| GizmoRenderer::new(device, state).err();
    for format in [TextureFormat::R32Uint, TextureFormat::Rgba8Sint, TextureFormat::Depth32Float] {
        assert_eq!(with(TargetState { format, ..PLAIN }), Some(GpuError::ColorFormat(format)));
    }
    let three = GpuError::SampleCount { format: PLAIN.format, sample_count: 3 };
    assert_eq!(with(TargetState { sample_count: 3, ..PLAIN }), Some(three));
    let no_depth = TargetState { depth_stencil: Some(TextureFormat::Rgba8Unorm), ..PLAIN };
    assert_eq!(with(no_depth), Some(GpuError::DepthFormat(TextureFormat::Rgba8Unorm)));
    for format in [
        TextureFormat::Bgra8Unorm,
        TextureFormat::Bgra8UnormSrgb,
        TextureFormat::Rgba16Float,
        TextureFormat::Rgb10a2Unorm,
        TextureFormat::R8Unorm,
    ] {
        assert_eq!(with(TargetState { format, ..PLAIN }), None, "{format:?}");
    }
}
