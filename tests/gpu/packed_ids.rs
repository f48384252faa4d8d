//! The layout of the ID image for WebGL gives the answers of the layout for everything else. With
//! `WGPU_GIZMO_WEBGL_LIMITS=1`, all tests use it.

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{Gpu, TIMEOUT, gpu, use_webgl_limits_on_this_thread};
use crate::common::list;
use crate::common::objects::{Host, facing};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::{IdTexels, Picker, object_pass};
use wgpu_gizmo::pick::Region;
use wgpu_gizmo::scene::{RegionPicker, RegionQuery};
use wgpu_gizmo::{DrawList, IdSpace, Mode, PickOutcome, PickQuery};

/// What a view answers to picks, images and X-ray regions.
#[derive(Debug, PartialEq)]
struct Answers {
    picks: Vec<PickOutcome>,
    image: IdTexels,
    /// The visible ids in a region, and all of them.
    regions: [Vec<NonZeroU32>; 2],
}

fn case() -> Case {
    cases::named("right-handed perspective")
}

/// Returns triangles at several depths around the gizmo, partly behind each other.
fn host(case: &Case) -> Host {
    let ids = IdSpace::new().allocate(24).expect("a slot is free");
    let frame = case.view.axes();
    let triangle = |offset: u32| {
        let (angle, depth) = (f64::from(offset) * 0.9, f64::from(offset % 5) - 2.0);
        let way = frame * DVec3::new(angle.cos(), angle.sin(), depth);
        let center = PIVOT_WORLD + way * 70.0 * case.view.pixel_size(PIVOT_WORLD);
        (facing(&case.view, center, 45.0), ids.id(offset).expect("the offset is in range"))
    };
    Host::new(&case.view, (0..24).map(triangle).collect())
}

fn picks(case: &Case, host: &Host, list: &DrawList) -> Vec<PickOutcome> {
    let mut picker = Picker::new(&gpu().device).expect("the device is alive");
    let center = case.view.px_from_world(PIVOT_WORLD).expect("the pivot is in front of the camera");
    let pixels = (0..120).map(|i| {
        let (angle, radius) = (f64::from(i) * 2.4, f64::from(i));
        center + radius * DVec2::new(angle.cos(), angle.sin())
    });
    pixels
        .zip([0.0, 3.0, 30.0].into_iter().cycle())
        .map(|(cursor_px, radius_px)| {
            let query = PickQuery::new(&case.view, cursor_px, radius_px);
            host.pick(&mut picker, &query, list).outcome
        })
        .collect()
}

fn regions(case: &Case) -> [Vec<NonZeroU32>; 2] {
    let Gpu { device, queue } = gpu();
    let triangles = host(case).triangles;
    let xray = Host::with_depth(&case.view, triangles.clone(), RegionPicker::depth_stencil());
    let mut regions = RegionPicker::new(device).expect("the device is alive");
    let region = &Region::Rectangle([DVec2::ZERO, 0.5 * DVec2::from(case.target.map(f64::from))]);
    [(Host::new(&case.view, triangles), false), (xray, true)].map(|(host, with_occluded)| {
        let mut encoder = gpu().encoder();
        let query = RegionQuery { view: &case.view, target_px: case.target, region, with_occluded };
        let encoded = regions.encode(device, queue, &mut encoder, query, &mut &host);
        encoded.expect("the region fits");
        let found = regions.read(device, queue.submit([encoder.finish()]), TIMEOUT);
        found.expect("the device is alive")
    })
}

fn answers() -> Answers {
    let case = case();
    let (host, list) = (host(&case), list(&case, Mode::Universal));
    Answers {
        picks: picks(&case, &host, &list),
        image: host.image(case.target, &list),
        regions: regions(&case),
    }
}

#[expect(clippy::disallowed_methods, reason = "the device is chosen for a whole thread")]
#[test]
fn packed_ids_answer_like_separate_ids() {
    let separate = answers();
    let packed = std::thread::spawn(|| {
        use_webgl_limits_on_this_thread();
        assert_eq!(object_pass::color_targets(&gpu().device).len(), 1);
        answers()
    });
    let packed = packed.join().expect("no answer fails");
    let hits = separate.picks.iter().filter(|pick| matches!(pick, PickOutcome::Hit(_))).count();
    assert!(
        hits > 60 && separate.regions.iter().all(|ids| ids.len() > 3),
        "{hits} hits, {:?}",
        separate.regions
    );
    assert_eq!(separate, packed);
}
