//! Outlines of selected objects: position, width and occlusion.

mod passes;

use crate::common::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;

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
    picture(case, state, outline, |outline, encoder| {
        outline.prepare(device(), queue(), encoder, &case.view, draw).expect("the device is alive");
    })
}

/// Renders a frame with lines prepared by `prepare`.
fn picture(
    case: &Case,
    state: TargetState,
    outline: &mut Outline,
    prepare: impl FnOnce(&mut Outline, &mut wgpu::CommandEncoder),
) -> Vec<[u8; 4]> {
    let mut encoder = gpu().encoder();
    prepare(outline, &mut encoder);
    rendered(case, state, 0.0, encoder, None, |pass| outline.render(pass))
}

/// Renders a frame with lines around visible and occluded parts of the chosen objects.
fn heap_frame_with_occluded(
    case: &Case,
    state: TargetState,
    heap: &mut Heap,
    chosen: &[NonZeroU32],
    outline: &mut Outline,
) -> Vec<[u8; 4]> {
    let [mut all, mut only] = [heap.batch(), heap.batch()];
    all.select(&heap.scene, &case.view, None);
    only.select(&heap.scene, &case.view, None);
    only.keep(&heap.scene, chosen);
    let scene = RefCell::new(&mut heap.scene);
    picture(case, state, outline, |outline, encoder| {
        outline
            .prepare_with_occluded(
                device(),
                queue(),
                encoder,
                &case.view,
                |pass, clip_from_clip| {
                    all.draw(&mut scene.borrow_mut(), device(), queue(), pass, clip_from_clip)
                },
                |pass, clip_from_clip| {
                    only.draw(&mut scene.borrow_mut(), device(), queue(), pass, clip_from_clip)
                },
            )
            .expect("the device is alive");
    })
}

fn outline(state: TargetState, first: OutlineStyle<'_>, second: OutlineStyle<'_>) -> Outline {
    let mut outline = Outline::new(device(), state).expect("the render target is supported");
    outline.set(device(), queue(), &[first, second, NONE, NONE]).expect("the ids fit");
    outline
}

fn heap_frame(case: &Case, heap: &mut Heap, outline: &mut Outline) -> Vec<[u8; 4]> {
    let mut batch = heap.batch();
    batch.select(&heap.scene, &case.view, None);
    frame(case, PLAIN, outline, |pass, clip_from_clip| {
        batch.draw(&mut heap.scene, device(), queue(), pass, clip_from_clip);
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

/// Around visible pixels, and dimmed around occluded parts.
#[test]
fn outline_surrounds_chosen_objects_with_given_width() {
    let [mut dim, mut behind] = [0; 2];
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(seed as u64);
        let (mut heap, keys) = Heap::filled(case, 1..60, 70.0, &mut rng);
        let is_chosen = |id: u32| id % 7 == 3;
        let chosen_ids = ids(&(1..60).filter(|id| is_chosen(*id)).collect::<Vec<_>>());
        let width_lpx = if seed % 2 == 0 { 3.0 } else { 4.0 };
        let mut outline = outline(PLAIN, OutlineStyle { ids: &chosen_ids, color: RED, width_lpx }, NONE);
        outline.occluded_opacity = 0.5;
        let visible = heap_frame(case, &mut heap, &mut outline);
        let all = heap_frame_with_occluded(case, PLAIN, &mut heap, &chosen_ids, &mut outline);
        let seen = heap.image(case, None);
        for (id, key) in (1..).zip(&keys) {
            assert!(is_chosen(id) || heap.scene.hide(*key));
        }
        let alone = heap.image(case, None);
        let width_px = f64::from(width_lpx) * case.view.scale_factor();
        let reach = width_px as i64 + 3;
        let [mut lined, mut full, mut pale] = [0; 3];
        for index in 0..visible.len() {
            let at = [(index % seen.width as usize) as i64, (index / seen.width as usize) as i64];
            let name = format!("{}: {at:?}", case.name);
            let [visible, all] = [visible[index], all[index]].map(|pixel| {
                assert_eq!(pixel[1..3], [0, 0], "{name}: only the line's color");
                f64::from(pixel[0]) / 255.0
            });
            if !case.view.viewport().contains(DVec2::new(at[0] as f64 + 0.5, at[1] as f64 + 0.5)) {
                assert_eq!([visible, all], [0.0; 2], "{name} is outside of the view");
                continue;
            }
            lined += usize::from(visible > 0.0);
            let to_seen = nearest(&seen, at, reach, is_chosen);
            let to_any = nearest(&alone, at, reach, is_chosen);
            let is_within = |to: Option<f64>| to.is_some_and(|d| d > 1.5 && d < width_px - 0.6);
            // The edge is about half a pixel from the center of a pixel on it.
            let is_far = |to: Option<f64>| to.is_none_or(|d| d > width_px + 1.6);
            if is_far(to_seen) || to_seen == Some(0.0) && nearest(&seen, at, 1, |id| !is_chosen(id)).is_none()
            {
                assert_eq!(visible, 0.0, "{name} is far from all visible parts, or inside of one");
            }
            if let Some(distance) = to_seen.filter(|_| is_within(to_seen)) {
                full += 1;
                pale += usize::from(visible <= 0.99);
                // The edge of a texel of which little is covered is up to half a pixel beyond its center.
                let least = (width_px - distance).min(0.99);
                assert!(visible > least && all > least, "{name}: {visible}, {all}, {distance} off");
            } else if is_within(to_any) && is_far(to_seen) {
                dim += 1;
                assert!((all - 0.5).abs() < 0.01, "{name}: {all} around an occluded part");
            } else if is_far(to_any) {
                assert_eq!(all, 0.0, "{name} is far from all outlined objects");
            } else if is_far(to_seen) && nearest(&alone, at, 2, |id| !is_chosen(id)).is_none() {
                behind += 1;
                assert_eq!(all, 0.0, "{name} is on an occluded part, inside its line");
            }
        }
        assert!(lined > 1000 && full > 200, "{}: {lined} pixels of lines, {full} inside of them", case.name);
        assert!(pale * 100 < full, "{}: {pale} of {full} pixels are near tips of shapes", case.name);
    }
    assert!(dim > 1000 && behind > 1000, "{dim} pixels of dimmed lines, {behind} inside occluded parts");
}

/// Whatever it has drawn before: other styles, the same objects in another one, other views and other parts.
#[test]
fn changed_outline_draws_like_new_one() {
    let names = [
        "right-handed perspective",
        "two pixels to the pixel",
        "viewport at an offset",
        "orthographic, reversed depth",
    ];
    let mut rng = Rng::with_seed(12);
    let mut scenes = names.map(|name| {
        let case = cases::named(name);
        let (heap, _) = Heap::filled(&case, 1..9, 70.0, &mut rng);
        (case, heap)
    });
    let new = || Outline::new(device(), PLAIN).expect("the render target is supported");
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
            outline.set(device(), queue(), &styles).expect("the ids fit");
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
    let px = corners.map(|corner| case.px(corner));
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
    let mean = sum / f64::from(count);
    assert!(widths.len() > 40 && widths.iter().all(|width| (1.75..2.25).contains(width)), "{widths:?}");
    assert!(mean < 0.09 && worst < 0.5, "off by {mean} on average, {worst} at most");
}
