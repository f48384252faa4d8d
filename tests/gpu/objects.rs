//! The host's objects in the same ID image as the handles.

use crate::common::cases::{self, Case, PIVOT_WORLD};
use crate::common::device::{TileMode, gpu};
use crate::common::objects::{Host, facing};
use crate::common::{MODES, gizmo};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::{DrawList, IdSpace, Mode, PickOutcome, PickQuery};

/// The ids of the objects in front of the gizmo and behind it.
#[derive(Debug, Clone, Copy)]
struct ObjectIds {
    near: NonZeroU32,
    far: NonZeroU32,
}

/// Creates an object in front of the gizmo and a larger one behind it, drawn in that order. Returns the
/// position of the near one, too.
fn near_and_far(case: &Case, ids: ObjectIds) -> (Host, DVec3) {
    let towards = -case.view.direction_to(PIVOT_WORLD);
    let v = case.view.viewport();
    let size_px = (96.0 * case.view.scale_factor()).min(0.4 * v.width.min(v.height));
    let aside = case.view.right() * (1.25 * size_px * case.view.pixel_size(PIVOT_WORLD));
    let near = PIVOT_WORLD + 0.3 * towards + aside;
    let objects = vec![
        (facing(&case.view, near, 0.35 * size_px), ids.near),
        (facing(&case.view, PIVOT_WORLD - 2.0 * towards, 2.2 * size_px), ids.far),
    ];
    (Host::new(&case.view, objects), near)
}

/// Returns the center of a pixel in the middle of those that show this id.
fn px_of(image: &IdTexels, id: NonZeroU32) -> DVec2 {
    let width = image.width as usize;
    let indices: Vec<usize> = (0..image.ids.len()).filter(|i| image.ids[*i] == id.get()).collect();
    let index = indices[indices.len() / 2];
    DVec2::new((index % width) as f64 + 0.5, (index / width) as f64 + 0.5)
}

fn check_near_and_far(case: &Case, mode: Mode, tile_mode: TileMode) {
    let mut ids = IdSpace::new();
    let objects = ids.allocate(2).expect("a slot is free");
    let [near_id, far_id] = [objects.id(0), objects.id(1)].map(|id| id.expect("two ids were allocated"));
    let (mut gizmo, _) = gizmo(case, mode, &mut ids);
    let mut list = DrawList::new();
    list.begin(&case.view);
    gizmo.draw(&mut list);
    let (host, near) = near_and_far(case, ObjectIds { near: near_id, far: far_id });
    let handles = gpu().id_image(case.target, &case.view, &list);
    let all = host.image(case.target, &list);
    let name = case.name;
    for (combined, handle) in all.ids.iter().zip(&handles.ids) {
        assert!(*handle == 0 || combined == handle, "{name}: {combined} instead of handle {handle}");
    }
    let seen = |id: NonZeroU32| all.ids.iter().filter(|i| **i == id.get()).count();
    assert!(seen(near_id) > 0 && seen(far_id) > 0, "{name}, {mode:?}: both objects are visible");

    // In pixels where the near object is visible, the answer is a point on it.
    let mut picker = tile_mode.picker(&gpu().device);
    let px = px_of(&all, near_id);
    let query = PickQuery::new(&case.view, px, 0.0);
    let PickOutcome::Hit(hit) = host.pick(&mut picker, &query, &list).outcome else {
        panic!("{name}: {px} is on an object")
    };
    assert_eq!((hit.id, gizmo.handle_of(hit.id)), (near_id, None), "{name}, {tile_mode:?}");
    let point = hit.position_world.expect("the depth is finite");
    let pixel = case.view.pixel_size(near);
    let on_plane = (point - near).dot(case.view.forward());
    let seen_at = case.view.px_from_world(point).expect("the point is in front of the camera");
    assert!(seen_at.distance(px) < 1e-3, "{name}: {seen_at}, {px}");
    assert!(on_plane.abs() < pixel, "{name}: {} pixels off the object", on_plane / pixel);
}

#[test]
fn handles_cover_objects_and_objects_depth_test() {
    for tile_mode in [TileMode::Shifted, TileMode::Cropped] {
        for case in cases::all() {
            for mode in MODES {
                check_near_and_far(&case, mode, tile_mode);
            }
        }
    }
}
