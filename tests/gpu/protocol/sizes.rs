//! Views of every size: oversized, odd, and their corners.

use super::{id, id_of, pick, picker};
use crate::common::prelude::*;

/// Returns a view of a rectangle of another view, with the same pixels.
fn part(view: &View, [x, y]: [f64; 2], [width, height]: [u32; 2]) -> View {
    let v = view.viewport();
    let [w, h] = [width, height].map(f64::from);
    let stretch = DVec2::new(v.width / w, v.height / h);
    let shift = DVec2::new((2.0 * (v.x - x) + v.width) / w - 1.0, 1.0 - (2.0 * (v.y - y) + v.height) / h);
    let crop =
        DMat4::from_cols(DVec4::X * stretch.x, DVec4::Y * stretch.y, DVec4::Z, shift.extend(0.0).extend(1.0));
    let part =
        View::from_clip_from_world(crop * view.clip_from_world(), Viewport::from_size(width, height), 1.0);
    part.expect("the view is valid").with_depth_direction(view.depth_direction())
}

/// Compares tiles of several sizes, each with its own matrix, with an image of the part at `origin`.
/// Returns the numbers of compared texels and of different ones, which are at edges.
fn compare_tiles(
    name: &str,
    view: &View,
    origin: DVec2,
    full: &IdTexels,
    host: &Host,
    rng: &mut Rng,
) -> [u32; 2] {
    let (mut compared, mut different) = (0, 0);
    for side in [1, 17, 33, 64] {
        let [x, y] = [full.width, full.height].map(|whole| rng.u32(..whole - side));
        let mut window = IdImage::new(device(), side, side).expect("the size is supported");
        window.origin_px = [origin.x as i64 + i64::from(x), origin.y as i64 + i64::from(y)];
        let window = gpu().read_with(&mut window, view, &DrawList::new(), |pass, clip_from_clip| {
            host.draw(pass, clip_from_clip);
        });
        for (i, found) in (0..).zip(&window.ids) {
            let [x, y] = [x + i % side, y + i / side];
            compared += 1;
            if *found != full.ids[(y * full.width + x) as usize] {
                different += 1;
                let is_edge = !is_inside(full, x.into(), y.into(), 1);
                assert!(is_edge, "{name}: {found} at {x}, {y} of the part");
            }
        }
    }
    [compared, different]
}

#[test]
fn oversized_views_pick_like_their_parts() {
    let limit = f64::from(device().limits().max_texture_dimension_2d);
    let (mut compared, mut different) = (0, 0);
    for (seed, small) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(seed as u64);
        let viewport = Viewport { x: -77.0, y: 31.0, width: 4.0 * limit, height: 3.0 * limit };
        let view = View::from_clip_from_world(small.view.clip_from_world(), viewport, 1.0)
            .expect("the view is valid");
        let view = view.with_depth_direction(small.view.depth_direction());
        let center = view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera");
        let origin = (center - 100.0).floor();
        let size = [200, 180];
        let own = part(&view, origin.to_array(), size);
        // Triangles about as large as that part.
        let triangles: Vec<_> = (1..40)
            .map(|number| {
                let mut spread = |size: f64| (rng.f64() - 0.5) * size * view.pixel_size(PIVOT_WORLD);
                let at = PIVOT_WORLD + view.axes() * DVec3::new(spread(220.0), spread(200.0), spread(300.0));
                (facing(&view, at, 8.0 + f64::from(number)), id(number))
            })
            .collect();
        let full = Host::new(&own, triangles.clone()).image(size, &DrawList::new());
        let host = Host::new(&view, triangles);
        let mut picker = picker();
        for _ in 0..25 {
            let [x, y] = size.map(|side| rng.u32(..side));
            let px = origin + DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let outcome = pick(&mut picker, &view, px, &host);
            let expected = full.ids[(y * size[0] + x) as usize];
            compared += 1;
            if id_of(outcome) != expected {
                different += 1;
                let is_edge = !is_inside(&full, x.into(), y.into(), 1);
                assert!(is_edge, "{}: {outcome:?} for {expected} at {px}", small.name);
            }
            if let PickOutcome::Hit(hit) = outcome {
                let seen_at = view
                    .px_from_world(hit.position_world.expect("the position is finite"))
                    .expect("the point is in front of the camera");
                assert!(seen_at.distance(px) < 0.05, "{}: {seen_at} for {px}", small.name);
            }
        }
        let [tile_texels, tile_differences] =
            compare_tiles(small.name, &view, origin, &full, &host, &mut rng);
        (compared, different) = (compared + tile_texels, different + tile_differences);
    }
    assert!(different * 10_000 < compared, "{different} of {compared} differ");
}

#[test]
fn even_and_odd_sizes_pick_to_last_pixel() {
    let mut rng = Rng::with_seed(4);
    let mut picker = picker();
    let clip_from_world = cases::named("reversed depth, finite far").view.clip_from_world();
    for size in [[1, 1], [2, 3], [33, 32], [32, 33], [127, 128], [321, 241], [322, 242], [801, 5]] {
        let view = View::from_clip_from_world(clip_from_world, Viewport::from_size(size[0], size[1]), 1.0);
        let view = view.expect("the view is valid");
        // Triangles of random sizes all over the view.
        let triangles: Vec<_> = (1..90)
            .map(|number| {
                let px = DVec2::new(rng.f64() * f64::from(size[0]), rng.f64() * f64::from(size[1]));
                let at = view.pointer_ray(px).at(5.0 + rng.f64());
                (facing(&view, at, 0.3 + 0.05 * f64::from(size[0] * (number % 4))), id(number))
            })
            .collect();
        let host = Host::new(&view, triangles);
        let full = host.image(size, &DrawList::new());
        let last = size.map(|side| side - 1);
        let mut pixels = vec![[0, 0], last, [0, last[1]], [last[0], 0], size.map(|side| side / 2)];
        pixels.extend((0..30).map(|_| size.map(|side| rng.u32(..side))));
        for [x, y] in pixels {
            let px = DVec2::new(f64::from(x) + rng.f64() * 0.99, f64::from(y) + rng.f64() * 0.99);
            let found = id_of(pick(&mut picker, &view, px, &host));
            assert_eq!(NonZeroU32::new(found), full.id_at(px), "{size:?}: {px}");
        }
    }
}
