//! Ids and depths of texels are exact.

use super::{answer, id, id_of, pick, picker};
use crate::common::cases::{self, PIVOT_WORLD};
use crate::common::device::{Gpu, TIMEOUT, gpu};
use crate::common::heaps::Heap;
use crate::common::host::texture;
use crate::common::list;
use crate::common::objects::{Host, facing};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DAffine3, DVec2, DVec3};
use wgpu_gizmo::gpu::{GizmoRenderer, IdImage, TargetState};
use wgpu_gizmo::scene::{Outline, OutlineStyle, PickObject};
use wgpu_gizmo::{DrawList, Mode, PickQuery, wgpu};

#[test]
fn ids_are_exact_from_one_to_max() {
    let case = cases::named("right-handed perspective");
    let mut picker = picker();
    // Floats would round ids from 2^24 on, and half of all ids are negative as signed numbers.
    let numbers =
        [1, 2, (1 << 24) + 1, (1 << 24) + 3, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, u32::MAX - 1, u32::MAX];
    for number in numbers {
        // The triangle is slanted, so that interpolated values would vary.
        let mut corners = facing(&case.view, PIVOT_WORLD, 300.0);
        corners[2] -= case.view.direction_to(PIVOT_WORLD);
        let host = Host::new(&case.view, vec![(corners, id(number))]);
        let full = host.image(case.target, &DrawList::new());
        let seen: BTreeSet<u32> = full.ids.iter().copied().filter(|id| *id != 0).collect();
        assert_eq!(seen, BTreeSet::from([number]));
        let px = case.view.px_from_world(PIVOT_WORLD).expect("the point is in front of the camera");
        assert_eq!(id_of(pick(&mut picker, &case.view, px, &host)), number);
        let mut heap = Heap::new();
        let at = DAffine3::from_translation(PIVOT_WORLD) * DAffine3::from_scale(DVec3::splat(0.5));
        heap.scene.insert(&PickObject::new(heap.meshes[0], at, id(number)));
        let seen: BTreeSet<u32> = heap.image(&case, None).ids.into_iter().filter(|id| *id != 0).collect();
        assert_eq!(seen, BTreeSet::from([number]));
    }
}

const HOST_PASS: TargetState = TargetState {
    format: wgpu::TextureFormat::Rgba8UnormSrgb,
    sample_count: 4,
    depth_stencil: Some(wgpu::TextureFormat::Depth32Float),
};

/// Begins a multisampled pass of the host over its samples, the texture that they resolve to, and the
/// depth.
fn begin_host_pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    [samples, resolved, depth]: [&wgpu::TextureView; 3],
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("host"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: samples,
            depth_slice: None,
            resolve_target: Some(resolved),
            ops: wgpu::Operations::default(),
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: depth,
            depth_ops: Some(wgpu::Operations::default()),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}

/// Returns the ids of the handles in a list and of these objects, and 0.
fn drawable_ids(list: &DrawList, objects: &[u32]) -> BTreeSet<u32> {
    let handles = list.items().iter().filter_map(|item| item.id).map(NonZeroU32::get);
    handles.chain(objects.iter().copied()).chain([0]).collect()
}

#[test]
fn id_edges_never_blend() {
    let case = cases::named("infinite far");
    let Gpu { device, queue } = gpu();
    let state = HOST_PASS;
    let view_of = |format, samples| texture(case.target, format, samples).create_view(&Default::default());
    let (samples, resolved) = (view_of(state.format, 4), view_of(state.format, 1));
    let depth = view_of(wgpu::TextureFormat::Depth32Float, 4);
    let list = list(&case, Mode::Universal);
    let mut heap = Heap::new();
    let mut rng = Rng::with_seed(5);
    // The ids are so far apart that a blend of two of them is not valid.
    let numbers: Vec<u32> = (1..30).map(|i| i << 27 | 0x2000_0000).collect();
    for number in &numbers {
        heap.scene.insert(&heap.object(&case, 80.0, *number, &mut rng)).expect("the mesh exists");
    }
    let drawn = drawable_ids(&list, &numbers);
    let (mut picker, mut batch) = (picker(), heap.batch());
    let mut renderer = GizmoRenderer::new(device, state).expect("the render target is supported");
    let mut outline = Outline::new(device, state).expect("the render target is supported");
    let chosen: Vec<NonZeroU32> = numbers.iter().step_by(3).map(|number| id(*number)).collect();
    let (style, none) = (OutlineStyle { ids: &chosen, ..Default::default() }, OutlineStyle::default());
    outline.set(device, queue, &[style, none, none, none]).expect("the ids fit");
    let mut whole = IdImage::new(device, case.target[0], case.target[1]).expect("the size is supported");
    let [mut for_whole, mut for_outline] = [heap.batch(), heap.batch()];
    for _ in 0..20 {
        let query = PickQuery::new(&case.view, DVec2::new(rng.f64() * 320.0, rng.f64() * 240.0), 0.0);
        // All passes are in one encoder, interleaved.
        let mut encoder = gpu().encoder();
        renderer.prepare(device, queue, &list).expect("the device is alive");
        for_outline.select(&heap.scene, &case.view, None);
        outline
            .prepare(device, queue, &mut encoder, &case.view, |pass, clip_from_clip| {
                for_outline.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            })
            .expect("the device is alive");
        batch.select(&heap.scene, &case.view, Some(&query.frustum()));
        picker
            .encode(device, queue, &mut encoder, &query, &list, |pass, clip_from_clip| {
                batch.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            })
            .expect("a slot is free");
        let mut pass = begin_host_pass(&mut encoder, [&samples, &resolved, &depth]);
        outline.render(&mut pass);
        renderer.render(&mut pass);
        drop(pass);
        for_whole.select(&heap.scene, &case.view, None);
        whole
            .encode(device, queue, &mut encoder, &case.view, &list, |pass, clip_from_clip| {
                for_whole.draw(&mut heap.scene, device, queue, pass, clip_from_clip);
            })
            .expect("the list is for this view");
        let texels =
            whole.read(device, queue.submit([encoder.finish()]), TIMEOUT).expect("the device is alive");
        let seen: BTreeSet<u32> = texels.ids.iter().copied().collect();
        assert!(seen.is_subset(&drawn), "{:?} were never drawn", seen.difference(&drawn));
        let found = id_of(answer(&mut picker).outcome);
        assert_eq!(NonZeroU32::new(found), texels.id_at(query.cursor_px));
    }
}
