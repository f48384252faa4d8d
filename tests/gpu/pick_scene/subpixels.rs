//! Viewports and edges at multiples of 1/256 px, the fractions of a pixel that rasterizers distinguish.

use super::{Compared, pixels};
use crate::common::prelude::*;

const UNIT_PX: f64 = 1.0 / 256.0;

/// Creates a view whose viewport begins at a fraction of a pixel.
fn case(eye: DVec3, near: f64, units: DVec2) -> Case {
    let viewport =
        Viewport { x: 30.0 + UNIT_PX * units.x, y: 41.0 + UNIT_PX * units.y, width: 320.0, height: 240.0 };
    let lens = rh::proj::directx::perspective_infinite_reverse(0.9, 4.0 / 3.0, near);
    let view = cases::view([eye, DVec3::ZERO], lens, viewport, 1.0);
    Case { name: "fraction", view, target: [360, 300] }
}

/// Adds objects around the origin that `is_wanted` by the corners of their triangles.
fn fill(heap: &mut Heap, rng: &mut Rng, is_wanted: impl Fn(&[[DVec3; 3]]) -> bool) {
    for id in (1..=150).filter_map(NonZeroU32::new) {
        let mut vector = || DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
        let world_from_local = DAffine3 {
            matrix3: DMat3::from_quat(DQuat::from_scaled_axis(6.0 * vector()))
                * DMat3::from_diagonal(0.5 * vector()),
            translation: 2.5 * vector(),
        };
        let object = PickObject::new(heap.meshes[id.get() as usize % 3], world_from_local, id);
        if is_wanted(&heap.in_world(&object)) {
            heap.scene.insert(&object).expect("the mesh exists");
        }
    }
}

#[test]
fn tiles_equal_whole_image_at_fractional_viewports() {
    let (mut compared, mut rng) = (Compared::default(), Rng::with_seed(1));
    for _ in 0..12 {
        let units = DVec2::new(rng.u32(..256).into(), rng.u32(..256).into());
        let case = case(DVec3::new(1.0, 2.0, 3.0), 0.1, units);
        let view = &case.view;
        let sees =
            |corner: &DVec3| view.px_from_world(*corner).is_some_and(|px| view.viewport().contains(px));
        let mut heap = Heap::new();
        fill(&mut heap, &mut rng, |triangles| triangles.as_flattened().iter().all(sees));
        compared.add(&mut heap, &case, TileMode::Shifted, &mut rng);
    }
    compared.assert_equal();
}

#[test]
fn tiles_of_clipped_objects_differ_rarely_and_at_edges() {
    let (mut compared, mut rng) = (Compared::default(), Rng::with_seed(2));
    for _ in 0..12 {
        // Objects intersect the near plane and all sides of the frustum.
        let units = DVec2::new(rng.u32(..256).into(), rng.u32(..256).into());
        let case = case(DVec3::new(0.3, 0.6, 0.9), 0.5, units);
        let mut heap = Heap::new();
        fill(&mut heap, &mut rng, |_| true);
        compared.add(&mut heap, &case, TileMode::Shifted, &mut rng);
    }
    // The corners that clipping adds are rounded to 1/256 px by the rasterizer alone.
    assert!((compared.other_ids - compared.ties) * 20_000 <= compared.texels, "{compared:?}");
}

/// Returns the ids of a rectangle, given in pixels, on a viewport that begins at a fraction of a pixel.
fn rectangle(units: DVec2, min: DVec2, max: DVec2) -> (IdTexels, Vec<IdTexels>) {
    let viewport = Viewport { x: UNIT_PX * units.x, y: UNIT_PX * units.y, width: 64.0, height: 64.0 };
    let view = View::new(DMat4::IDENTITY, DMat4::IDENTITY, viewport, 1.0).expect("the view is valid");
    let case = Case { name: "rectangle", view, target: [65, 65] };
    let local = |px: DVec2| (px - viewport.rect().min) / 32.0 - 1.0;
    let ([left, top], [right, bottom]) = (local(min).to_array(), local(max).to_array());
    let corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
    let corners = corners.map(|[x, y]| [x as f32, -y as f32, 0.5]);
    let mesh = PickMesh::new(&corners, &[0, 1, 2, 2, 1, 3]).expect("the mesh is valid");
    let mut heap = Heap::new();
    let mesh = heap.scene.add_mesh(device(), &mesh).expect("the device is alive");
    let object = PickObject::new(mesh, DAffine3::IDENTITY, NonZeroU32::MIN);
    heap.scene.insert(&object).expect("the mesh exists");
    let tiles = [[20, 12], [42, 50]].map(|at| heap.tile(&case, at, 33, TileMode::Shifted));
    (heap.image(&case, None), tiles.into())
}

#[test]
fn edges_are_exact_to_256th_of_pixel() {
    let mut checked = 0;
    for units in [0.0, 1.0, 127.0, 128.0, 255.0] {
        let units = DVec2::new(units, 255.0 - units);
        // The edges are next to the centers of pixels.
        for by in [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0] {
            let [min, max] = [DVec2::new(14.5, 9.5), DVec2::new(43.5, 52.5)].map(|px| px + UNIT_PX * by);
            let (full, tiles) = rectangle(units, min, max);
            for image in std::iter::once(full).chain(tiles) {
                for (i, j, id, _) in pixels(&image) {
                    let [x, y] = [image.origin_px[0] + i, image.origin_px[1] + j];
                    let center = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                    let is_covered = center.cmpge(min).all() && center.cmplt(max).all();
                    assert_eq!(id, u32::from(is_covered), "{by} units from {center}, viewport at {units}");
                    checked += u32::from(is_covered);
                }
            }
        }
    }
    assert!(checked > 50_000, "only {checked} covered");
}
