//! §14 of docs/spec.md: visible and occluded objects in a rectangle or lasso, and click-through.

use crate::common::pool::Pool;
use crate::common::prelude::*;
use std::collections::BTreeSet;

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
    let rectangle = |min: [f64; 2], max: [f64; 2]| Region::Rectangle([min.into(), max.into()]);
    let mut regions = vec![
        rectangle([0.0; 2], [width, height]),
        rectangle([10.0, -60.0], [70.0, -20.0]),
        rectangle([-60.0, 10.0], [-20.0, 70.0]),
        rectangle([f64::NAN; 2], [1.0; 2]),
        Region::Lasso(Vec::new()),
    ];
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
    let create = || RegionPicker::new(device()).expect("the device is alive");
    let query = RegionQuery { view: &case.view, target_px: case.target, region, with_occluded };
    PICKERS.with(id_layout(), create, |regions| {
        let mut encoder = gpu().encoder();
        regions.encode(device(), queue(), &mut encoder, query, objects).expect("the region is supported");
        assert_eq!(regions.encode(device(), queue(), &mut encoder, query, objects), Err(GpuError::RingFull));
        drop(encoder);
        assert!(!regions.is_pending());
        assert_eq!(regions.poll(device()), Err(GpuError::NotSubmitted));
        let mut encoder = gpu().encoder();
        regions.encode(device(), queue(), &mut encoder, query, objects).expect("the region is supported");
        assert!(regions.is_pending());
        let found = regions.read(device(), queue().submit([encoder.finish()]), TIMEOUT);
        assert!(!regions.is_pending());
        found.expect("the device is alive")
    })
}

#[test]
pub(crate) fn regions_find_visible_ids_and_every_object_with_a_pixel() {
    let mut hidden = 0;
    for (seed, case) in cases::all().iter().enumerate() {
        let mut rng = Rng::with_seed(100 + seed as u64);
        let triangles = heap(case, 24, &mut rng);
        let xray = Host::with_depth(&case.view, triangles.clone(), RegionPicker::depth_stencil());
        let host = Host::new(&case.view, triangles);
        let images: Vec<IdTexels> = (0..24).map(|i| image(case, &host, i..i + 1)).collect();
        let all = image(case, &host, 0..24);
        for region in regions(case, &mut rng) {
            let is_inside = |i: &usize| {
                let (x, y) = (i % all.width as usize, i / all.width as usize);
                region.contains(DVec2::new(x as f64 + 0.5, y as f64 + 0.5))
            };
            let visible: BTreeSet<NonZeroU32> =
                (0..all.ids.len()).filter(is_inside).filter_map(|i| NonZeroU32::new(all.ids[i])).collect();
            let visible: Vec<NonZeroU32> = visible.into_iter().collect();
            assert_eq!(all.ids_in(&region), visible, "{}: {region:?}", case.name);
            assert_eq!(picked(case, &mut &host, &region, false), visible, "{}: {region:?}", case.name);
            let by_hand: Vec<NonZeroU32> = images.iter().flat_map(|image| image.ids_in(&region)).collect();
            assert_eq!(picked(case, &mut &xray, &region, true), by_hand, "{}: {region:?}", case.name);
            hidden += by_hand.len() - visible.len();
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
    assert!(touched > 400 && hidden > 20, "{touched} were found, {hidden} of them occluded");
    gpu().wait();
}

/// Nine thousand objects, all of them the same triangle. Two of three are not drawn.
struct Many<'a> {
    host: &'a Host,
    drawn: usize,
}

impl DrawIds for Many<'_> {
    fn draw_ids(&mut self, _: &mut wgpu::RenderPass<'_>, _: &ViewPart<'_>) {}

    fn prepare_singly(&mut self, _: &ViewPart<'_>) -> Vec<NonZeroU32> {
        (1..=9_000).filter_map(NonZeroU32::new).collect()
    }

    fn draw_one(&mut self, pass: &mut wgpu::RenderPass<'_>, part: &ViewPart<'_>, index: u32) {
        self.drawn += 1;
        if index.is_multiple_of(3) {
            self.host.draw_some(pass, part.clip_from_clip, 0..1);
        }
    }
}

#[test]
fn xray_region_exceeds_one_query_set() {
    let case = cases::all().remove(0);
    let mut rng = Rng::with_seed(5);
    let host = Host::with_depth(&case.view, heap(&case, 5, &mut rng), RegionPicker::depth_stencil());
    let everything = Region::Rectangle([DVec2::ZERO, DVec2::splat(1e4)]);
    let mut many = Many { host: &host, drawn: 0 };
    let found = picked(&case, &mut many, &everything, true);
    // Once each for the dropped encoder and for the other one, however many are behind each other.
    assert_eq!(many.drawn, 2 * 9_000);
    assert_eq!(found, (1..=9_000).step_by(3).filter_map(NonZeroU32::new).collect::<Vec<_>>());
}
