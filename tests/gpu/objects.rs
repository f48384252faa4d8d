//! The host's objects in the same ID image as the handles.

use crate::common::cases::{self, PIVOT_WORLD};
use crate::common::device::{Gpu, TIMEOUT, gpu};
use crate::common::objects::{Host, facing};
use crate::common::{MODES, gizmo};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::gpu::{IdImage, Picker, TileMode};
use wgpu_gizmo::{DrawList, IdSpace, PickOutcome, PickQuery, wgpu};

#[test]
fn handles_cover_objects_and_objects_depth_test() {
    for tile_mode in [TileMode::Shifted, TileMode::Cropped] {
        for case in cases::all() {
            for mode in MODES {
                let mut ids = IdSpace::new();
                let objects = ids.allocate(2).expect("a slot is free");
                let [near_id, far_id] =
                    [objects.id(0), objects.id(1)].map(|id| id.expect("two ids were allocated"));
                let (mut gizmo, _) = gizmo(&case, mode, &mut ids);
                let mut list = DrawList::new();
                list.begin(&case.view);
                gizmo.draw(&mut list);
                // One in front of the gizmo and a larger one behind it, drawn in that order.
                let towards = -case.view.direction_to(PIVOT_WORLD);
                let v = case.view.viewport();
                let size_px = (96.0 * case.view.scale_factor()).min(0.4 * v.width.min(v.height));
                let aside = case.view.right() * (1.25 * size_px * case.view.pixel_size(PIVOT_WORLD));
                let near = PIVOT_WORLD + 0.3 * towards + aside;
                let host = Host::new(
                    &case.view,
                    vec![
                        (facing(&case.view, near, 0.35 * size_px), near_id),
                        (facing(&case.view, PIVOT_WORLD - 2.0 * towards, 2.2 * size_px), far_id),
                    ],
                );
                let Gpu { device, queue } = gpu();
                let handles = gpu().id_image(case.target, &case.view, &list);
                let mut image =
                    IdImage::new(device, case.target[0], case.target[1]).expect("the size is supported");
                let mut encoder = gpu().encoder();
                let draw = |pass: &mut wgpu::RenderPass<'_>, clip_from_clip| host.draw(pass, clip_from_clip);
                image
                    .encode(device, queue, &mut encoder, &case.view, &list, draw)
                    .expect("the list is for this view");
                let all = image
                    .read(device, queue.submit([encoder.finish()]), TIMEOUT)
                    .expect("the device is alive");
                let name = case.name;
                for (combined, handle) in all.ids.iter().zip(&handles.ids) {
                    assert!(
                        *handle == 0 || combined == handle,
                        "{name}: {combined} instead of handle {handle}"
                    );
                }
                let seen = |id: NonZeroU32| all.ids.iter().filter(|i| **i == id.get()).count();
                assert!(seen(near_id) > 0 && seen(far_id) > 0, "{name}, {mode:?}: both objects are visible");

                // Where the near object is visible, the answer is a point on it.
                let mut picker =
                    Picker::new(device).expect("the backend is not WebGL").with_tile_mode(tile_mode);
                let width = case.target[0] as usize;
                let indices: Vec<usize> =
                    (0..all.ids.len()).filter(|i| all.ids[*i] == near_id.get()).collect();
                let index = indices[indices.len() / 2];
                let px = DVec2::new((index % width) as f64 + 0.5, (index / width) as f64 + 0.5);
                let query = PickQuery::new(&case.view, px, 0.0);
                let answer = picker
                    .pick_blocking(device, queue, &query, &list, draw, TIMEOUT)
                    .expect("the device is alive");
                let PickOutcome::Hit(hit) = answer.outcome else { panic!("{name}: {px} is on an object") };
                assert_eq!((hit.id, gizmo.handle_of(hit.id)), (near_id, None), "{name}, {tile_mode:?}");
                let point = hit.position_world.expect("a finite depth");
                let pixel = case.view.pixel_size(near);
                let on_plane = (point - near).dot(case.view.forward());
                let seen_at = case.view.px_from_world(point).expect("the point is in front of the camera");
                assert!(seen_at.distance(px) < 1e-3, "{name}: {seen_at}, {px}");
                assert!(on_plane.abs() < pixel, "{name}: {} pixels off the object", on_plane / pixel);
            }
        }
    }
}
