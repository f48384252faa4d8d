//! Outlines of selected objects: position, width and occlusion.

mod passes;

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, gpu};
use crate::common::heaps::Heap;
use crate::common::host::{PLAIN, difference, texture};
use crate::common::objects::{Host, facing};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DMat4, DVec2};
use wgpu_gizmo::gpu::{IdTexels, TargetState};
use wgpu_gizmo::scene::{Outline, OutlineStyle};
use wgpu_gizmo::wgpu::{self, TextureFormat};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

const NONE: OutlineStyle<'_> = OutlineStyle { ids: &[], color: RED, width_lpx: 1.0 };

fn ids(numbers: &[u32]) -> Vec<NonZeroU32> {
    numbers.iter().map(|id| NonZeroU32::new(*id).expect("ids start at 1")).collect()
}

/// Renders a frame of the host: black, then the lines.
fn frame(
    case: &Case,
    state: TargetState,
    outline: &mut Outline,
    draw: impl FnOnce(&mut wgpu::RenderPass<'_>, DMat4),
) -> Vec<[u8; 4]> {
    let Gpu { device, queue } = gpu();
    picture(case, state, outline, |outline, encoder| {
        outline.prepare(device, queue, encoder, &case.view, draw).expect("the device is alive");
    })
}

/// Renders a frame with lines prepared by `prepare`.
fn picture(
    case: &Case,
    state: TargetState,
    outline: &mut Outline,
    prepare: impl FnOnce(&mut Outline, &mut wgpu::CommandEncoder),
) -> Vec<[u8; 4]> {
    let resolved = texture(case.target, state.format, 1);
    let resolved_view = resolved.create_view(&Default::default());
    let samples = (state.sample_count > 1)
        .then(|| texture(case.target, state.format, state.sample_count).create_view(&Default::default()));
    let depth = state
        .depth_stencil
        .map(|format| texture(case.target, format, state.sample_count).create_view(&Default::default()));
    let mut encoder = gpu().encoder();
    prepare(outline, &mut encoder);
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("host"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: samples.as_ref().unwrap_or(&resolved_view),
            depth_slice: None,
            resolve_target: samples.is_some().then_some(&resolved_view),
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: depth.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
            stencil_ops: None,
        }),
        ..Default::default()
    });
    outline.render(&mut pass);
    drop(pass);
    gpu().queue.submit([encoder.finish()]);
    gpu().texels(&resolved)
}

/// Renders a frame with lines around visible and occluded parts of the chosen objects.
fn heap_frame_with_occluded(
    case: &Case,
    state: TargetState,
    heap: &mut Heap,
    chosen: &[NonZeroU32],
    outline: &mut Outline,
) -> Vec<[u8; 4]> {
    let Gpu { device, queue } = gpu();
    let [mut all, mut only] = [heap.batch(), heap.batch()];
    all.select(&heap.scene, &case.view, None);
    only.select(&heap.scene, &case.view, None);
    only.keep(&heap.scene, chosen);
    let scene = RefCell::new(&mut heap.scene);
    picture(case, state, outline, |outline, encoder| {
        outline
            .prepare_with_occluded(
                device,
                queue,
                encoder,
                &case.view,
                |pass, clip_from_clip| all.draw(&mut scene.borrow_mut(), device, queue, pass, clip_from_clip),
                |pass, clip_from_clip| {
                    only.draw(&mut scene.borrow_mut(), device, queue, pass, clip_from_clip)
                },
            )
            .expect("the device is alive");
    })
}

fn outline(state: TargetState, first: OutlineStyle<'_>, second: OutlineStyle<'_>) -> Outline {
    let Gpu { device, queue } = gpu();
    let mut outline = Outline::new(device, state).expect("the render target is supported");
    outline.set(device, queue, &[first, second, NONE, NONE]).expect("the ids fit");
    outline
}

fn heap_frame(case: &Case, heap: &mut Heap, outline: &mut Outline) -> Vec<[u8; 4]> {
    let Gpu { device, queue } = gpu();
    let mut batch = heap.batch();
    batch.select(&heap.scene, &case.view, None);
    frame(case, PLAIN, outline, |pass, clip_from_clip| {
        batch.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
    })
}

/// Returns the distance from a pixel's center to that of the nearest pixel that matches `is`,
/// within `reach`.
fn nearest(image: &IdTexels, [x, y]: [i64; 2], reach: i64, is: impl Fn(u32) -> bool) -> Option<f64> {
    let around = |at: i64, size: u32| (at - reach).max(0)..(at + reach + 1).min(size.into());
    let columns = around(x, image.width);
    let pixels = around(y, image.height).flat_map(|j| columns.clone().map(move |i| [i, j]));
    let found = pixels.filter(|[i, j]| is(image.ids[(j * i64::from(image.width) + i) as usize]));
    let squares = found.map(|[i, j]| (i - x).pow(2) + (j - y).pow(2));
    squares.min().map(|square| (square as f64).sqrt())
}

#[test]
fn outline_surrounds_visible_pixels_with_given_width() {
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(seed as u64);
        let mut heap = Heap::new();
        for id in 1..60 {
            heap.scene.insert(&heap.object(case, 70.0, id, &mut rng)).expect("the mesh exists");
        }
        let is_chosen = |id: u32| id % 7 == 3;
        let chosen_ids = ids(&(1..60).filter(|id| is_chosen(*id)).collect::<Vec<_>>());
        let style = OutlineStyle { ids: &chosen_ids, color: RED, width_lpx: 3.0 };
        let picture = heap_frame(case, &mut heap, &mut outline(PLAIN, style, NONE));
        let image = heap.image(case, None);
        let width_px = 3.0 * case.view.scale_factor();
        let reach = width_px as i64 + 3;
        let [mut lined, mut full, mut pale] = [0, 0, 0];
        for (index, pixel) in picture.iter().enumerate() {
            let at = [(index % image.width as usize) as i64, (index / image.width as usize) as i64];
            let center = DVec2::new(at[0] as f64 + 0.5, at[1] as f64 + 0.5);
            let (name, line) = (case.name, f64::from(pixel[0]) / 255.0);
            assert_eq!(pixel[1..3], [0, 0], "{name}: only the line's color at {at:?}");
            if !case.view.viewport().contains(center) {
                assert_eq!(line, 0.0, "{name}: {at:?} is outside of the view");
                continue;
            }
            let outside = nearest(&image, at, reach, is_chosen);
            lined += usize::from(line > 0.0);
            match outside {
                None => assert_eq!(line, 0.0, "{name}: {at:?} is far from all outlined objects"),
                // Inside, at least a pixel from the edge.
                Some(0.0) if nearest(&image, at, 1, |id| !is_chosen(id)).is_none() => {
                    assert_eq!(line, 0.0, "{name}: {at:?} is inside an outlined object");
                }
                // The edge is about half a pixel from the center of a pixel on it.
                Some(distance) if distance > width_px + 1.6 => {
                    assert_eq!(line, 0.0, "{name}: {at:?} is {distance} off");
                }
                Some(distance) if distance > 1.5 && distance < width_px - 0.6 => {
                    full += 1;
                    pale += usize::from(line <= 0.99);
                    // The edge of a texel of which little is covered is up to half a pixel beyond its center.
                    assert!(
                        line > (width_px - distance).min(0.99),
                        "{name}: {line} at {at:?}, {distance} off"
                    );
                }
                Some(_) => {}
            }
        }
        assert!(lined > 1000 && full > 200, "{}: {lined} pixels of lines, {full} inside of them", case.name);
        assert!(pale * 100 < full, "{}: {pale} of {full} pixels are near tips of shapes", case.name);
    }
}

#[test]
fn outline_is_dimmed_around_occluded_parts() {
    let [mut dim, mut whole, mut behind] = [0; 3];
    for (seed, case) in cases::all().iter().enumerate().step_by(3) {
        let mut rng = Rng::with_seed(70 + seed as u64);
        let mut heap = Heap::new();
        let keys: Vec<_> = (1..60)
            .map(|id| heap.scene.insert(&heap.object(case, 70.0, id, &mut rng)).expect("the mesh exists"))
            .collect();
        let is_chosen = |id: u32| id % 7 == 3;
        let chosen_ids = ids(&(1..60).filter(|id| is_chosen(*id)).collect::<Vec<_>>());
        let style = OutlineStyle { ids: &chosen_ids, color: RED, width_lpx: 4.0 };
        let mut outline = outline(PLAIN, style, NONE);
        outline.occluded_opacity = 0.5;
        let picture = heap_frame_with_occluded(case, PLAIN, &mut heap, &chosen_ids, &mut outline);
        let seen = heap.image(case, None);
        for (id, key) in (1..).zip(&keys) {
            assert!(is_chosen(id) || heap.scene.hide(*key));
        }
        let alone = heap.image(case, None);
        let width_px = 4.0 * case.view.scale_factor();
        let reach = width_px as i64 + 3;
        for (index, pixel) in picture.iter().enumerate() {
            let at = [(index % seen.width as usize) as i64, (index / seen.width as usize) as i64];
            let center = DVec2::new(at[0] as f64 + 0.5, at[1] as f64 + 0.5);
            let (name, line) = (case.name, f64::from(pixel[0]) / 255.0);
            assert_eq!(pixel[1..3], [0, 0], "{name}: only the line's color at {at:?}");
            if !case.view.viewport().contains(center) {
                assert_eq!(line, 0.0, "{name}: {at:?} is outside of the view");
                continue;
            }
            let to_seen = nearest(&seen, at, reach, is_chosen);
            let to_any = nearest(&alone, at, reach, is_chosen);
            let is_within = |to: Option<f64>| to.is_some_and(|d| d > 1.5 && d < width_px - 0.6);
            let is_far = |to: Option<f64>| to.is_none_or(|d| d > width_px + 1.6);
            let is_deep = nearest(&alone, at, 2, |id| !is_chosen(id)).is_none();
            if is_within(to_seen) {
                whole += 1;
                assert!(line > 0.99, "{name}: {line} at {at:?}, around a visible part");
            } else if is_within(to_any) && is_far(to_seen) {
                dim += 1;
                assert!((line - 0.5).abs() < 0.01, "{name}: {line} at {at:?}, around an occluded part");
            } else if is_far(to_any) {
                assert_eq!(line, 0.0, "{name}: {at:?} is far from all outlined objects");
            } else if is_deep && is_far(to_seen) {
                behind += 1;
                assert_eq!(line, 0.0, "{name}: {at:?} is on an occluded part, inside its line");
            }
        }
    }
    println!("{whole} pixels of whole lines, {dim} of dimmed lines, {behind} inside occluded parts");
    assert!(whole > 2_000 && dim > 500 && behind > 500, "{whole}, {dim}, {behind}");
}

#[test]
fn unoccluded_outline_is_equal_in_both_modes() {
    for state in [
        PLAIN,
        TargetState { format: TextureFormat::Rgba8UnormSrgb, sample_count: 4, ..PLAIN },
        TargetState { depth_stencil: Some(TextureFormat::Depth32Float), ..PLAIN },
    ] {
        let case = cases::named("two pixels to the pixel");
        let mut rng = Rng::with_seed(3);
        let mut heap = Heap::new();
        for id in 1..9 {
            heap.scene.insert(&heap.object(&case, 70.0, id, &mut rng)).expect("the mesh exists");
        }
        // All objects are outlined, so nothing else can occlude them.
        let chosen = ids(&[1, 2, 3, 4, 5, 6, 7, 8]);
        let style = OutlineStyle { ids: &chosen, color: [1.0, 0.5, 0.2, 0.6], width_lpx: 2.0 };
        let mut outline = outline(state, style, NONE);
        outline.occluded_opacity = 0.7;
        let seen = |heap: &mut Heap, outline: &mut Outline| {
            let mut batch = heap.batch();
            batch.select(&heap.scene, &case.view, None);
            let Gpu { device, queue } = gpu();
            frame(&case, state, outline, |pass, clip_from_clip| {
                batch.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            })
        };
        // The same outline changes between the modes.
        let before = seen(&mut heap, &mut outline);
        let whole = heap_frame_with_occluded(&case, state, &mut heap, &chosen, &mut outline);
        let after = seen(&mut heap, &mut outline);
        assert!(before.iter().any(|pixel| pixel[0] > 100));
        assert_eq!([&whole, &after].map(|picture| difference(picture, &before).0), [0; 2], "{state:?}");
        outline.occluded_opacity = f32::NAN;
        heap_frame_with_occluded(&case, state, &mut heap, &chosen, &mut outline);
    }
}

/// Whatever it has drawn before: other styles, the same objects in another one, other views and other parts.
#[test]
fn changed_outline_draws_like_new_one() {
    let Gpu { device, queue } = gpu();
    let names = [
        "right-handed perspective",
        "two pixels to the pixel",
        "viewport at an offset",
        "orthographic, reversed depth",
    ];
    let mut rng = Rng::with_seed(12);
    let mut scenes = names.map(|name| {
        let (case, mut heap) = (cases::named(name), Heap::new());
        for id in 1..9 {
            heap.scene.insert(&heap.object(&case, 70.0, id, &mut rng)).expect("the mesh exists");
        }
        (case, heap)
    });
    let new = || Outline::new(device, PLAIN).expect("the render target is supported");
    let (mut kept, mut drawn) = (new(), 0);
    let mut styles = vec![(ids(&[1, 2]), RED, 2.0)];
    for round in 0..32 {
        let [a, b] = [0; 2].map(|_| rng.usize(..styles.len()));
        match rng.u8(..7) {
            0 | 1 => styles.push((
                ids(&[rng.u32(1..9), rng.u32(1..9)]),
                [0; 4].map(|_| rng.f32()),
                rng.f32() * 6.0,
            )),
            2 if styles.len() > 1 => drop(styles.remove(a)),
            // The objects of two styles, in the same order.
            3 => (styles[a].0, styles[b].0) = (styles[b].0.clone(), styles[a].0.clone()),
            4 => {
                // The order of all objects stays.
                let (moved, next) = (styles[a].0.pop(), (a + 1) % styles.len());
                styles[next].0.splice(0..0, moved);
            }
            5 => (styles[a].1, styles[b].2) = ([0; 4].map(|_| rng.f32()), rng.f32() * 6.0),
            _ => kept.occluded_opacity = rng.f32(),
        }
        let (case, heap) = &mut scenes[rng.usize(..names.len())];
        let chosen: BTreeSet<_> = styles.iter().flat_map(|(ids, ..)| ids.clone()).collect();
        let chosen: Vec<_> = chosen.into_iter().collect();
        let has_occluded = rng.bool();
        let mut other = new();
        other.occluded_opacity = kept.occluded_opacity;
        let pictures = [&mut kept, &mut other].map(|outline| {
            let styles: Vec<_> = styles
                .iter()
                .map(|(ids, color, width_lpx)| OutlineStyle { ids, color: *color, width_lpx: *width_lpx })
                .collect();
            outline.set(device, queue, &styles).expect("the ids fit");
            match has_occluded {
                true => heap_frame_with_occluded(case, PLAIN, heap, &chosen, outline),
                false => heap_frame(case, heap, outline),
            }
        });
        assert_eq!(difference(&pictures[0], &pictures[1]).0, 0, "in round {round}: {styles:?}");
        drawn += u32::from(pictures[0].iter().any(|pixel| pixel[..3] != [0; 3]));
    }
    assert!(drawn > 20, "{drawn}");
}

/// Returns the edges of a triangle in pixels: a point and the outward unit normal.
fn edges(case: &Case, corners: [wgpu_gizmo::glam::DVec3; 3]) -> [(DVec2, DVec2); 3] {
    let px =
        corners.map(|corner| case.view.px_from_world(corner).expect("the point is in front of the camera"));
    let center = (px[0] + px[1] + px[2]) / 3.0;
    [(0, 1), (1, 2), (2, 0)].map(|(a, b)| {
        let normal = (px[b] - px[a]).perp().normalize();
        (px[a], if normal.dot(center - px[a]) > 0.0 { -normal } else { normal })
    })
}

#[test]
fn outline_of_straight_edge_is_smooth_at_every_slope() {
    let case = cases::named("right-handed perspective");
    let frame_axes = case.view.axes();
    let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0);
    let mut widths = Vec::new();
    for step in 0..24 {
        // Rotated in the image plane.
        let turn = wgpu_gizmo::glam::DQuat::from_axis_angle(frame_axes.z_axis, f64::from(step) * 0.13);
        let corners = facing(&case.view, PIVOT_WORLD, 70.0).map(|c| PIVOT_WORLD + turn * (c - PIVOT_WORLD));
        let host = Host::new(&case.view, vec![(corners, NonZeroU32::MIN)]);
        let chosen = ids(&[1]);
        let style = OutlineStyle { ids: &chosen, color: RED, width_lpx: 2.0 };
        let mut outline = outline(PLAIN, style, NONE);
        let picture = frame(&case, PLAIN, &mut outline, |pass, clip| host.draw(pass, clip));
        let line_at = |x: i64, y: i64| f64::from(picture[(y * 320 + x) as usize][0]) / 255.0;
        for (start, normal) in edges(&case, corners) {
            let along = DVec2::new(-normal.y, normal.x);
            let length = 60.0;
            // One of the two directions from its start is along the edge.
            let edge_center = [start + along * length, start - along * length]
                .into_iter()
                .find(|center| edges(&case, corners).iter().all(|(p, n)| n.dot(*center - *p) < 0.5));
            let Some(center) = edge_center else { continue };
            let mut area = 0.0;
            let span = 30.0;
            for (x, y) in (0..240).flat_map(|y| (0..320).map(move |x| (x, y))) {
                let to = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5) - center;
                let (off, beside) = (normal.dot(to), along.dot(to).abs());
                if beside > span || off.abs() > 6.0 {
                    continue;
                }
                let line = line_at(x.into(), y.into());
                area += line;
                // Approximate pixel coverage of an exact line from the edge to two pixels outside.
                let exact = (2.5 - off).clamp(0.0, 1.0) * (0.5 + off).clamp(0.0, 1.0);
                let error = (line - exact).abs();
                worst = worst.max(error);
                if exact > 0.0 || line > 0.0 {
                    sum += error;
                    count += 1;
                }
            }
            widths.push(area / (2.0 * span));
        }
    }
    widths.sort_by(f64::total_cmp);
    let mean = sum / f64::from(count);
    println!(
        "off by {mean:.3} on average, {worst:.3} at most; widths {:.3?}",
        [widths[0], widths[widths.len() - 1]]
    );
    assert!(widths.len() > 40 && widths.iter().all(|width| (1.75..2.25).contains(width)), "{widths:?}");
    assert!(mean < 0.09 && worst < 0.5, "off by {mean} on average, {worst} at most");
}
