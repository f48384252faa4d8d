//! §14 of docs/spec.md: visible and occluded objects in a rectangle or lasso, and click-through.

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, IdLayout, TIMEOUT, gpu, id_layout, with_whole_image};
use crate::common::heaps::Heap;
use crate::common::objects::{Host, facing};
use crate::common::pool::Pool;
use fastrand::Rng;
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::{GpuError, IdTexels};
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::scene::{DrawIds, RegionPicker, RegionQuery, ViewPart};
use wgpu_gizmo::{DrawList, IdSpace, wgpu};

type Triangles = Vec<([DVec3; 3], NonZeroU32)>;

/// Returns triangles of all sizes in front of and behind each other.
fn heap(case: &Case, count: u32, rng: &mut Rng) -> Triangles {
    let ids = IdSpace::new().allocate(count).expect("a slot is free");
    let frame = case.view.axes();
    let mut spread = |size: f64| (rng.f64() - 0.5) * size * case.view.pixel_size(PIVOT_WORLD);
    let triangle = |offset: u32| {
        let at = DVec3::new(spread(260.0), spread(180.0), spread(300.0));
        let size_px = 8.0 + f64::from(offset * 7 % 60);
        (
            facing(&case.view, PIVOT_WORLD + frame * at, size_px),
            ids.id(offset).expect("the offset is in range"),
        )
    };
    (0..count).map(triangle).collect()
}

fn image(case: &Case, host: &Host, which: std::ops::Range<usize>) -> IdTexels {
    with_whole_image(case.target, |image| {
        gpu().read_with(image, &case.view, &DrawList::new(), |pass, clip_from_clip| {
            host.draw_some(pass, clip_from_clip, which);
        })
    })
}

fn regions(case: &Case, rng: &mut Rng) -> Vec<Region> {
    let [width, height] = case.target.map(f64::from);
    let mut point = || DVec2::new((rng.f64() * 1.4 - 0.2) * width, (rng.f64() * 1.4 - 0.2) * height);
    let mut regions = vec![Region::Rectangle([DVec2::ZERO, DVec2::new(width, height)])];
    for corners in 3..8 {
        regions.push(Region::Rectangle([point(), point()]));
        regions.push(Region::Lasso((0..corners).map(|_| point()).collect()));
    }
    regions
}

/// Returns the ids that a region picker finds, which has had other queries before: the last one on an encoder that was
/// dropped.
fn picked(case: &Case, objects: &mut impl DrawIds, region: &Region, with_occluded: bool) -> Vec<NonZeroU32> {
    static PICKERS: Pool<IdLayout, RegionPicker> = Pool::new();
    let Gpu { device, queue } = gpu();
    let create = || RegionPicker::new(device).expect("the device is alive");
    let query = RegionQuery { view: &case.view, target_px: case.target, region, with_occluded };
    PICKERS.with(id_layout(), create, |regions| {
        let mut encoder = gpu().encoder();
        regions.encode(device, queue, &mut encoder, query, objects).expect("the region is supported");
        assert_eq!(regions.encode(device, queue, &mut encoder, query, objects), Err(GpuError::RingFull));
        drop(encoder);
        assert!(!regions.is_pending());
        assert_eq!(regions.poll(device), Err(GpuError::NotSubmitted));
        let mut encoder = gpu().encoder();
        regions.encode(device, queue, &mut encoder, query, objects).expect("the region is supported");
        assert!(regions.is_pending());
        let found = regions.read(device, queue.submit([encoder.finish()]), TIMEOUT);
        assert!(!regions.is_pending());
        found.expect("the device is alive")
    })
}

#[test]
fn region_contains_exactly_visible_ids() {
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(seed as u64);
        let host = Host::new(&case.view, heap(case, 40, &mut rng));
        let texels = image(case, &host, 0..host.triangles.len());
        for region in regions(case, &mut rng) {
            let mut by_hand: Vec<u32> = (0..texels.ids.len())
                .filter(|i| {
                    let (x, y) = (i % texels.width as usize, i / texels.width as usize);
                    region.contains(DVec2::new(x as f64 + 0.5, y as f64 + 0.5))
                })
                .map(|i| texels.ids[i])
                .filter(|id| *id != 0)
                .collect();
            by_hand.sort_unstable();
            by_hand.dedup();
            let of_image = texels.ids_in(&region);
            let found: Vec<u32> = of_image.iter().map(|id| id.get()).collect();
            assert_eq!(found, by_hand, "{}: {region:?}", case.name);
            assert_eq!(picked(case, &mut &host, &region, false), of_image, "{}: {region:?}", case.name);
        }
    }
}

#[test]
fn xray_region_finds_every_object_with_a_pixel() {
    let mut hidden = 0;
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(100 + seed as u64);
        let triangles = heap(case, 24, &mut rng);
        let host = Host::with_depth(&case.view, triangles.clone(), RegionPicker::depth_stencil());
        let alone = Host::new(&case.view, triangles);
        let images: Vec<IdTexels> = (0..24).map(|i| image(case, &alone, i..i + 1)).collect();
        let all = image(case, &alone, 0..24);
        for region in regions(case, &mut rng) {
            let by_hand: Vec<NonZeroU32> = images.iter().flat_map(|image| image.ids_in(&region)).collect();
            let found = picked(case, &mut &host, &region, true);
            assert_eq!(found, by_hand, "{}: {region:?}", case.name);
            hidden += found.len() - all.ids_in(&region).len();
        }
    }
    assert!(hidden > 50, "only {hidden} were occluded");
    gpu().wait();
}

#[test]
fn xray_region_finds_every_scene_object() {
    let (mut hidden, mut touched) = (0, 0);
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(300 + seed as u64);
        let mut heap = Heap::new();
        // Two objects per id; every ninth object is hidden by the host.
        let objects: Vec<_> = (0..24).map(|i| heap.object(case, 90.0, 1 + i / 2, &mut rng)).collect();
        let keys: Vec<_> = objects.iter().map(|o| heap.scene.insert(o).expect("the mesh exists")).collect();
        keys.iter().step_by(9).for_each(|key| assert!(heap.scene.hide(*key)));
        let all = heap.image(case, None);
        // Each object alone, with the others hidden.
        let alone: Vec<IdTexels> = (0..keys.len())
            .filter(|i| i % 9 != 0)
            .map(|shown| {
                keys.iter().for_each(|key| assert!(heap.scene.hide(*key)));
                assert!(heap.scene.show(keys[shown]));
                heap.image(case, None)
            })
            .collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(i % 9 == 0 && heap.scene.hide(*key) || i % 9 != 0 && heap.scene.show(*key));
        }
        let mut batch = heap.batch();
        for region in regions(case, &mut rng) {
            let by_hand: BTreeSet<NonZeroU32> =
                alone.iter().flat_map(|image| image.ids_in(&region)).collect();
            let mut objects = (&mut heap.scene, &mut batch);
            let visible = all.ids_in(&region);
            assert_eq!(picked(case, &mut objects, &region, false), visible, "{}: {region:?}", case.name);
            let found = picked(case, &mut objects, &region, true);
            let by_hand: Vec<NonZeroU32> = by_hand.into_iter().collect();
            assert_eq!(found, by_hand, "{}: {region:?}", case.name);
            touched += found.len();
            hidden += found.len() - visible.len();
        }
    }
    println!("{touched} were found, {hidden} of them occluded");
    assert!(touched > 400 && hidden > 20, "{touched} were found, {hidden} of them occluded");
    gpu().wait();
}

/// Nine thousand objects, all of them the same triangle. Two of three are not drawn.
struct Many<'a>(&'a Host);

impl DrawIds for Many<'_> {
    fn draw_ids(&mut self, _: &mut wgpu::RenderPass<'_>, _: &ViewPart<'_>) {}

    fn prepare_singly(&mut self, _: &ViewPart<'_>) -> Vec<NonZeroU32> {
        (1..=9_000).filter_map(NonZeroU32::new).collect()
    }

    fn draw_one(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>, index: u32) {
        if index.is_multiple_of(3) {
            self.0.draw_some(pass, part.clip_from_clip, 0..1);
        }
    }
}

#[test]
fn xray_region_exceeds_one_query_set() {
    let case = cases::all().remove(0);
    let mut rng = Rng::with_seed(5);
    let host = Host::with_depth(&case.view, heap(&case, 5, &mut rng), RegionPicker::depth_stencil());
    let everything = Region::Rectangle([DVec2::ZERO, DVec2::splat(1e4)]);
    let found = picked(&case, &mut Many(&host), &everything, true);
    assert_eq!(found, (1..=9_000).step_by(3).filter_map(NonZeroU32::new).collect::<Vec<_>>());
}

#[test]
fn empty_region_has_no_ids() {
    let case = cases::all().remove(0);
    let host = Host::new(&case.view, heap(&case, 5, &mut Rng::with_seed(1)));
    let rectangle = |min: [f64; 2], max: [f64; 2]| Region::Rectangle([min.into(), max.into()]);
    let beside_view = [rectangle([10.0, -60.0], [70.0, -20.0]), rectangle([-60.0, 10.0], [-20.0, 70.0])];
    let unusable = [Region::Lasso(Vec::new()), Region::Rectangle([DVec2::NAN, DVec2::ONE])];
    for region in unusable.into_iter().chain(beside_view) {
        assert_eq!([false, true].map(|all| picked(&case, &mut &host, &region, all)), [vec![], vec![]]);
    }
    let mut new = RegionPicker::new(&gpu().device).expect("the device is alive");
    assert_eq!(new.poll(&gpu().device), Err(GpuError::NotSubmitted));
    gpu().wait();
}
