//! Outlines in every host pass, in tiny views, and on lost devices.

use super::{NONE, RED, frame, ids, outline};
use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, gpu};
use crate::common::host::{PLAIN, difference};
use crate::common::objects::{Host, facing};
use fastrand::Rng;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DMat4;
use wgpu_gizmo::gpu::{GpuError, TargetState};
use wgpu_gizmo::scene::{Outline, OutlineStyle};
use wgpu_gizmo::wgpu::{self, TextureFormat};
use wgpu_gizmo::{View, Viewport};

#[test]
fn outline_distinguishes_thousands_of_ids() {
    let case = cases::named("orthographic, reversed depth");
    let mut rng = Rng::with_seed(8);
    let mut chosen: Vec<u32> = (0..9_000).map(|_| rng.u32(2..u32::MAX - 1)).collect();
    chosen.extend([1, 1 << 31, u32::MAX]);
    let chosen_ids = ids(&chosen);
    let style = OutlineStyle { ids: &chosen_ids, color: RED, width_lpx: 2.0 };
    let mut outline = outline(PLAIN, style, NONE);
    let lines = |id: u32, outline: &mut Outline| {
        let id = NonZeroU32::new(id).expect("ids start at 1");
        let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 20.0), id)]);
        let picture = frame(&case, PLAIN, outline, |pass, clip| host.draw(pass, clip));
        picture.iter().filter(|pixel| pixel[0] > 128).count()
    };
    chosen.sort_unstable();
    let some = [0, 1, chosen.len() / 2, chosen.len() - 2, chosen.len() - 1].map(|i| chosen[i]);
    for id in some.into_iter().chain([1, 1 << 31, u32::MAX]) {
        assert!(lines(id, &mut outline) > 100, "{id} is outlined");
        for other in [id.wrapping_sub(1), id.wrapping_add(1)] {
            if other != 0 && chosen.binary_search(&other).is_err() {
                assert_eq!(lines(other, &mut outline), 0, "{other} is not outlined, next to {id}");
            }
        }
    }
    // Fewer ids, and then none of the old ones.
    let Gpu { device, queue } = gpu();
    let fewer = ids(&[7]);
    let style = OutlineStyle { ids: &fewer, color: RED, width_lpx: 2.0 };
    outline.set(device, queue, &[NONE, NONE, NONE, style]).expect("the ids fit");
    assert!(lines(7, &mut outline) > 100);
    assert_eq!([lines(some[2], &mut outline), lines(u32::MAX, &mut outline)], [0; 2]);
}

#[test]
fn empty_outline_draws_nothing() {
    let case = cases::named("right-handed perspective");
    let chosen = ids(&[1]);
    let style = |width_lpx: f32| OutlineStyle { ids: &chosen, color: RED, width_lpx };
    for style in [NONE, style(0.0), style(-3.0), style(f32::NAN)] {
        let mut outline = outline(PLAIN, style, NONE);
        let never = |_: &mut wgpu::RenderPass<'_>, _: DMat4| panic!("nothing is outlined");
        let picture = frame(&case, PLAIN, &mut outline, never);
        assert!(picture.iter().all(|pixel| pixel[..3] == [0; 3]), "{style:?}");
    }
}

#[test]
fn outline_does_not_follow_viewport_border() {
    let case = cases::named("viewport at an offset");
    let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 4_000.0), NonZeroU32::MIN)]);
    let chosen = ids(&[1]);
    let style = OutlineStyle { ids: &chosen, color: RED, width_lpx: 3.0 };
    let mut outline = outline(PLAIN, style, NONE);
    let picture = frame(&case, PLAIN, &mut outline, |pass, clip| host.draw(pass, clip));
    assert!(picture.iter().all(|pixel| pixel[..3] == [0; 3]), "the object fills the view");
}

#[test]
fn outline_is_equal_in_every_host_pass() {
    let case = cases::named("two pixels to the pixel");
    let host = Host::new(&case.view, vec![(facing(&case.view, PIVOT_WORLD, 90.0), NonZeroU32::MIN)]);
    let chosen = ids(&[1]);
    // Bytes are exact: drivers round halves either way.
    let style = OutlineStyle { ids: &chosen, color: [1.0, 0.6, 0.2, 1.0], width_lpx: 2.0 };
    let picture = |state: TargetState| {
        frame(&case, state, &mut outline(state, style, NONE), |pass, clip| host.draw(pass, clip))
    };
    let plain = picture(PLAIN);
    let depth_stencil = Some(TextureFormat::Depth32Float);
    for state in [
        TargetState { sample_count: 4, ..PLAIN },
        TargetState { depth_stencil, ..PLAIN },
        TargetState { sample_count: 4, depth_stencil, ..PLAIN },
    ] {
        assert_eq!(difference(&plain, &picture(state)).0, 0, "{state:?}");
    }
    // Partly covered pixels differ: blending in linear light is adjusted to look the same.
    let srgb = picture(TargetState { format: TextureFormat::Rgba8UnormSrgb, ..PLAIN });
    let solid = [255, 153, 51, 255];
    let apart = plain
        .iter()
        .zip(&srgb)
        .filter(|(p, _)| **p == solid)
        .map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0));
    assert!(apart.max().expect("some pixels are solid") <= 1);
    assert!(difference(&plain, &srgb).1 < 1.0);
}

#[test]
fn outline_survives_tiny_views_and_lost_devices() {
    let small = cases::named("right-handed perspective");
    let viewport = Viewport { x: 7.0, y: 9.0, width: 1.0, height: 1.0 };
    let view =
        View::from_clip_from_world(small.view.clip_from_world(), viewport, 1.0).expect("the view is valid");
    let case = Case { view, ..small.clone() };
    let host = Host::new(&case.view, vec![(facing(&small.view, PIVOT_WORLD, 60.0), NonZeroU32::MIN)]);
    let chosen = ids(&[1]);
    let style = OutlineStyle { ids: &chosen, color: RED, width_lpx: 30.0 };
    let mut outline = outline(PLAIN, style, NONE);
    frame(&case, PLAIN, &mut outline, |pass, clip| host.draw(pass, clip));
    // Then other sizes, with wide lines.
    let picture = frame(&small, PLAIN, &mut outline, |pass, clip| {
        Host::new(&small.view, host.triangles.clone()).draw(pass, clip);
    });
    assert!(picture.iter().filter(|pixel| pixel[0] > 128).count() > 3_000);

    let lost = Gpu::new();
    let mut outline = Outline::new(&lost.device, PLAIN).expect("the device is alive");
    outline.set(&lost.device, &lost.queue, &[style, NONE, NONE, NONE]).expect("the device is alive");
    lost.device.destroy();
    let mut encoder = lost.device.create_command_encoder(&Default::default());
    let prepared = outline.prepare(&lost.device, &lost.queue, &mut encoder, &small.view, |_, _| {});
    assert!(matches!(prepared, Err(GpuError::DeviceLost)), "{prepared:?}");
    assert!(matches!(Outline::new(&lost.device, PLAIN), Err(GpuError::DeviceLost)));
    let many = ids(&(1..5000).collect::<Vec<_>>());
    let style = OutlineStyle { ids: &many, color: RED, width_lpx: 2.0 };
    for _ in 0..2 {
        let set = outline.set(&lost.device, &lost.queue, &[style]);
        assert!(matches!(set, Err(GpuError::DeviceLost)), "the larger table has no texture: {set:?}");
    }
}
