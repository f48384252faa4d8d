//! Instanced objects in the ID image: a culled tile has the same pixels as the whole image.

mod changes;
mod picks;
mod subpixels;

use crate::common::prelude::*;
use std::collections::BTreeSet;

fn heap(case: &Case, count: u32, rng: &mut Rng) -> Heap {
    let mut heap = Heap::new();
    for id in 1..=count {
        let size_px = if id % 9 == 0 { 160.0 } else { 30.0 };
        heap.scene.insert(&heap.object(case, size_px, id, rng)).expect("the mesh exists");
    }
    heap
}

fn pixels(image: &IdTexels) -> impl Iterator<Item = (i64, i64, u32, u32)> {
    let width = image.width as usize;
    let texels = image.ids.iter().zip(&image.depth_bits).enumerate();
    texels.map(move |(i, (id, bits))| ((i % width) as i64, (i / width) as i64, *id, *bits))
}

/// The maximum difference of two depths, in units in the last place, of which either can be in front.
const TIE_ULP: u32 = 64;

/// The texels of tiles that were compared with the whole image, those with another id, and those of them where the depths
/// of two objects tie.
#[derive(Debug, Default)]
struct Compared {
    texels: u64,
    other_ids: u64,
    ties: u64,
}

impl Compared {
    /// Compares tiles around edges, culled and with all objects.
    fn add(&mut self, heap: &mut Heap, case: &Case, tile_mode: TileMode, rng: &mut Rng) {
        let full = heap.image(case, None);
        let edges: Vec<[i64; 2]> = pixels(&full)
            .filter(|(x, y, id, _)| *id != 0 && !is_inside(&full, *x, *y, 1))
            .map(|(x, y, ..)| [x, y])
            .collect();
        assert!(edges.len() > 1000, "{}: only {} pixels on edges", case.name, edges.len());
        for _ in 0..60 {
            let at = *rng.choice(&edges).expect("the list is not empty");
            let side = *rng.choice(&[1, 9, 17, 33]).expect("the list is not empty");
            let tile = heap.tile(case, at, side, tile_mode);
            let unculled = heap.unculled_tile(case, at, side, tile_mode);
            assert_eq!(tile, unculled, "{}: a culled object was visible", case.name);
            for (i, j, id, bits) in pixels(&tile) {
                let half = i64::from(side / 2);
                let [x, y] = [at[0] - half + i, at[1] - half + j];
                let size = case.target.map(i64::from);
                if !(0..size[0]).contains(&x) || !(0..size[1]).contains(&y) {
                    continue;
                }
                let index = (y * size[0] + x) as usize;
                self.texels += 1;
                if full.ids[index] != id {
                    self.other_ids += 1;
                    let depth_difference = full.depth_bits[index].abs_diff(bits);
                    let is_tie = id != 0 && full.ids[index] != 0 && depth_difference <= TIE_ULP;
                    self.ties += u64::from(is_tie);
                    let is_on_edge = !is_inside(&full, x, y, 1) || !is_inside(&tile, i, j, 1);
                    assert!(is_on_edge, "{}: {id} at {x}, {y}, off any edge", case.name);
                }
            }
        }
    }

    /// Compares tiles of heaps in all views.
    fn in_all_views(tile_mode: TileMode) -> Self {
        let mut compared = Self::default();
        for (seed, case) in cases::all().iter().enumerate() {
            let mut rng = Rng::with_seed(seed as u64);
            compared.add(&mut heap(case, 300, &mut rng), case, tile_mode, &mut rng);
        }
        assert!(compared.texels > 150_000, "{compared:?}");
        compared
    }

    fn assert_equal(&self) {
        assert_eq!(self.other_ids, self.ties, "{self:?}");
        // Rasterizers interpolate depths from the origin of the attachment, so where two objects intersect, another one
        // can be in front.
        assert!(self.ties * 100_000 <= self.texels, "{self:?}");
    }
}

#[test]
fn culled_tile_equals_full_frame() {
    Compared::in_all_views(TileMode::Shifted).assert_equal();
}

#[test]
fn cropped_tile_equals_full_frame_except_edges() {
    let compared = Compared::in_all_views(TileMode::Cropped);
    assert!(compared.other_ids * 1_000 <= compared.texels, "{compared:?}");
}

#[test]
fn tile_of_coplanar_objects_equals_full_frame() {
    let mut rng = Rng::with_seed(3);
    let clip_from_world = DMat4::from_scale(DVec3::new(0.25, 0.25, 0.01));
    let view = View::from_clip_from_world(clip_from_world, Viewport::from_size(320, 240), 1.0);
    let case = Case { name: "from the front", view: view.expect("the view is valid"), target: [320, 240] };
    let mut heap = Heap::new();
    for id in 1..40 {
        let mut number = || rng.f64() * 2.0 - 1.0;
        // All front sides have one depth, because all cubes begin there.
        let scale = DVec3::new(1.5 + number(), 1.5 + number(), 1.0);
        let at =
            DAffine3::from_translation(DVec3::new(number(), number(), 40.0)) * DAffine3::from_scale(scale);
        heap.insert(1, at, id);
    }
    let full = heap.image(&case, None);
    for _ in 0..40 {
        let at = [rng.i64(100..220), rng.i64(70..170)];
        let texel = heap.tile(&case, at, 1, TileMode::Shifted).ids[0];
        assert_eq!(texel, full.ids[(at[1] * 320 + at[0]) as usize], "at {at:?}");
    }
}

#[test]
fn occlusion_culling_changes_no_pixel() {
    let (mut selected, mut drawn) = (0, 0);
    let mut images =
        [1u32, 5, 11, 21].map(|side| (side, IdImage::new(device(), side, side).expect("a tile is small")));
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(400 + seed as u64);
        let mut heap = Heap::new();
        let (mut view, mut far) = (case.view, DVec3::ZERO);
        // Every other scene is far from the origin of the world.
        if seed % 2 == 1 {
            far = DVec3::new(3e5, -2e5, 1e5);
            let clip_from_world = view.clip_from_world() * DMat4::from_translation(-far);
            view =
                View::from_clip_from_world(clip_from_world, view.viewport(), 1.0).expect("the view is valid");
        }
        for id in 1..2_500 {
            let size_px = if id % 5 == 0 { 90.0 } else { 30.0 };
            let mut object = heap.object(case, size_px, id, &mut rng);
            object.world_from_local.translation += far;
            heap.scene.insert(&object).expect("the mesh exists");
        }
        let center = case.px(PIVOT_WORLD);
        let mut batch = heap.batch();
        for (side, image) in &mut images {
            let side = *side;
            for _ in 0..8 {
                let by = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 160.0;
                let [x, y] = (center + by).floor().to_array().map(|n| n as i64);
                image.origin_px = [x, y];
                let frustum = Frustum::new(
                    &view,
                    Rect::from_min_size(DVec2::new(x as f64, y as f64), DVec2::splat(side.into())),
                );
                let mut read = |frustum: Option<&Frustum>, batch: &mut PickBatch| {
                    batch.select(&heap.scene, &view, frustum);
                    gpu().read_with(image, &view, &DrawList::new(), |pass, clip_from_clip| {
                        batch.draw(&mut heap.scene, device(), queue(), pass, clip_from_clip);
                    })
                };
                let everything = read(None, &mut batch);
                let found = read(Some(&frustum), &mut batch);
                assert_eq!(found, everything, "{}: a tile of {side} at {x}, {y}", case.name);
                selected += batch.selected().expect("a frustum was given");
                drawn += batch.drawn();
                // Objects behind are drawn once the front ones are left out.
                let ids: BTreeSet<NonZeroU32> =
                    everything.ids.iter().filter_map(|id| NonZeroU32::new(*id)).collect();
                let ids: Vec<NonZeroU32> = ids.into_iter().collect();
                batch.select(&heap.scene, &view, Some(&frustum));
                let before = batch.selected().expect("a frustum was given");
                batch.exclude(&heap.scene, &ids);
                assert!(ids.is_empty() || batch.selected().expect("a frustum was given") < before);
            }
        }
    }
    assert!(2 * drawn < selected, "{drawn} of {selected} are drawn");
}

#[test]
fn whole_image_equals_host_drawing() {
    let (mut compared, mut different, mut far_off) = (0, 0, 0);
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(50 + seed as u64);
        let mut heap = Heap::new();
        let objects: Vec<PickObject> = (1..60).map(|id| heap.object(case, 60.0, id, &mut rng)).collect();
        let mut triangles = Vec::new();
        for object in &objects {
            heap.scene.insert(object).expect("the mesh exists");
            triangles.extend(heap.in_world(object).into_iter().map(|corners| (corners, object.id)));
        }
        let host = Host::new(&case.view, triangles);
        let by_host = host.image(case.target, &DrawList::new());
        let by_scene = heap.image(case, None);
        for ((x, y, a, depth), (_, _, b, expected)) in pixels(&by_scene).zip(pixels(&by_host)) {
            compared += 1;
            if a != b {
                different += 1;
                let is_edge = !is_inside(&by_scene, x, y, 1) || !is_inside(&by_host, x, y, 1);
                assert!(is_edge, "{}: {a} for {b} at {x}, {y}", case.name);
            }
            // Rays hit other triangles of an object beside its edges.
            far_off += usize::from((f32::from_bits(depth) - f32::from_bits(expected)).abs() > 1e-5);
        }
    }
    assert!((different + far_off) * 1_000 < compared, "{different} of {compared} differ, {far_off} in depth");
}

#[test]
fn scene_far_from_origin_draws_equally() {
    let case = cases::named("right-handed perspective");
    let far = DVec3::new(1e7, -0.8e7, 0.9e7);
    let clip_from_world = case.view.clip_from_world() * DMat4::from_translation(-far);
    let view =
        View::from_clip_from_world(clip_from_world, case.view.viewport(), 1.0).expect("the view is valid");
    let there = Case { view, ..case.clone() };
    let mut rng = Rng::with_seed(9);
    let [mut here, mut away, mut mixed] = [Heap::new(), Heap::new(), Heap::new()];
    // If the first object is elsewhere, positions are far from the scene's origin.
    let stray = here.object(&case, 9.0, 999, &mut rng);
    mixed.insert(0, stray.world_from_local, 999);
    for id in 1..200 {
        let object = here.object(&case, 40.0, id, &mut rng);
        let mesh =
            here.meshes.iter().position(|mesh| *mesh == object.mesh).expect("the mesh belongs to the heap");
        here.scene.insert(&object);
        let world_from_local = DAffine3::from_translation(far) * object.world_from_local;
        away.insert(mesh, world_from_local, id);
        mixed.insert(mesh, world_from_local, id);
    }
    let expected = here.image(&case, None);
    for (name, heap) in [("away", &mut away), ("mixed", &mut mixed)] {
        let found = heap.image(&there, None);
        let different = found.ids.iter().zip(&expected.ids).filter(|(a, b)| a != b).count();
        assert!(different < 20, "{name}: {different} pixels differ");
    }
}

#[test]
fn host_draws_cutouts_in_same_pass() {
    let case = cases::named("two pixels to the pixel");
    let mut heap = Heap::new();
    let px = case.px(PIVOT_WORLD).floor() + 0.5;
    heap.insert(0, placed(PIVOT_WORLD, 20.0 * case.view.pixel_size(PIVOT_WORLD)), 1);
    // A leaf in front of it with alpha-tested stripes.
    let before = PIVOT_WORLD - case.view.direction_to(PIVOT_WORLD) * 0.5;
    let host = Host::cut_out(&case.view, vec![(facing(&case.view, before, 60.0), id(2))]);
    let mut batch = heap.batch();
    batch.select(&heap.scene, &case.view, None);
    let mut image = IdImage::new(device(), case.target[0], case.target[1]).expect("the size is supported");
    let draw = |heap: &mut Heap, batch: &mut PickBatch, pass: &mut wgpu::RenderPass<'_>, clip_from_clip| {
        batch.draw(&mut heap.scene, device(), queue(), pass, clip_from_clip);
        host.draw(pass, clip_from_clip);
    };
    let none = DrawList::new();
    let whole =
        gpu().read_with(&mut image, &case.view, &none, |pass, by| draw(&mut heap, &mut batch, pass, by));
    let (mut picker, mut seen) = (picker(), [0; 3]);
    for dx in (-18..18).step_by(3) {
        let px = px + DVec2::new(f64::from(dx), 0.0);
        let query = PickQuery::new(&case.view, px, 0.0);
        batch.select(&heap.scene, &case.view, Some(&query.frustum()));
        let answer = gpu().pick(&mut picker, &query, &none, |pass, by| draw(&mut heap, &mut batch, pass, by));
        let found = id_of(answer.outcome);
        assert_eq!(NonZeroU32::new(found), whole.id_at(px), "{px}");
        seen[found as usize] += 1;
    }
    assert!(seen[1] >= 3 && seen[2] >= 3, "the ball is visible through the leaf: {seen:?}");
}
