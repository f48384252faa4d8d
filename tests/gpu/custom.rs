//! Custom handles and custom sets of handles: they are drawn and can be picked where they are
//! drawn.

use crate::common::cases::{self, Case};
use crate::common::device::{gpu, id_of, picker};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo::gpu::IdTexels;
use wgpu_gizmo::handle::{Axis, Constraint, CustomHandle, HandleMesh, HandleSet};
use wgpu_gizmo::{DrawList, Gizmo, HandleId, IdSpace, Mode, PickQuery, Target, Transform};

/// Creates a gizmo that shows `set` and one custom handle per ready-made mesh.
fn gizmo(case: &Case, set: HandleSet) -> Gizmo {
    let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
    let meshes = [
        HandleMesh::ball(),
        HandleMesh::cube(),
        HandleMesh::cone(),
        HandleMesh::ring(),
        HandleMesh::square_border(),
    ];
    let mut shown = set;
    for (i, mesh) in meshes.into_iter().enumerate() {
        let angle = i as f64 * 1.2;
        let handle = CustomHandle::new(
            Constraint::Axis(Axis::ALL[i % 3]),
            mesh,
            Transform {
                translation: DVec3::new(angle.cos(), angle.sin(), 0.3) * 0.7,
                rotation: DQuat::from_rotation_y(0.9),
                scale: DVec3::splat(if i == 2 { 1.2 } else { 0.15 }),
            },
            [0.9, 0.6, 0.2, 1.0],
        );
        shown = shown.with(gizmo.add_handle(handle).expect("a handle slot is free"));
    }
    gizmo.settings.mode = Mode::Handles(shown);
    gizmo.settings.display.size_lpx = 60.0;
    gizmo.theme.sizes.line_lpx = 7.0 / case.view.scale_factor() as f32;
    let translation = cases::PIVOT_WORLD;
    gizmo.update(&case.view, &mut [Target::from_world(Transform { translation, ..Transform::IDENTITY })]);
    gizmo
}

fn list(case: &Case, gizmo: &mut Gizmo) -> DrawList {
    let mut list = DrawList::new();
    gizmo.draw(list.begin(&case.view));
    list
}

fn pixel_counts(image: &IdTexels) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    image.ids.iter().filter(|id| **id != 0).for_each(|id| *counts.entry(*id).or_default() += 1);
    counts
}

#[test]
fn custom_handles_are_in_id_image_and_cpu_agrees() {
    let (mut compared, mut different) = (0, 0);
    for case in cases::all() {
        for set in [HandleSet::EMPTY, Mode::Translate.handles()] {
            let mut gizmo = gizmo(&case, set);
            let list = list(&case, &mut gizmo);
            let image = gpu().id_image(case.target, &case.view, &list);
            let counts = pixel_counts(&image);
            for index in 0..5 {
                let handle = gizmo.custom_handles()[index].constraint;
                let id = gizmo.ids().id((HandleId::BUILT_IN + index) as u32).expect("the offset is in range");
                let pixels = counts.get(&id.get()).copied().unwrap_or_default();
                let listed = list.items().iter().any(|item| item.id == Some(id));
                assert_eq!(pixels > 20, listed, "{}: {handle:?}, {index} has {pixels}", case.name);
            }
            let width = image.width as usize;
            for y in (2..image.height as usize - 2).step_by(3) {
                for x in (2..width - 2).step_by(2) {
                    let at = |x: usize, y: usize| image.ids[y * width + x];
                    let id = at(x, y);
                    if id == 0 || !(y - 2..=y + 2).all(|y| (x - 2..=x + 2).all(|x| at(x, y) == id)) {
                        continue;
                    }
                    compared += 1;
                    let picked = list.pick(DVec2::new(x as f64 + 0.5, y as f64 + 0.5), 0.0);
                    different += usize::from(picked != NonZeroU32::new(id));
                }
            }
        }
    }
    println!("{different} of {compared} pixels differ");
    assert!(compared > 5_000 && different * 10_000 <= compared, "{different} of {compared} differ");
}

#[test]
fn picker_finds_custom_but_not_disabled_handles() {
    let case = cases::named("right-handed perspective");
    let mut gizmo = gizmo(&case, HandleSet::EMPTY);
    let drawn = list(&case, &mut gizmo);
    let item = drawn.items().iter().find(|item| item.id.is_some()).expect("a handle is shown");
    let cursor_px = case
        .view
        .px_from_world(item.world_from_part.translation)
        .expect("the point is in front of the camera");
    let query = PickQuery::new(&case.view, cursor_px, 0.0);
    let mut picker = picker();
    let mut ask =
        |list: &DrawList| NonZeroU32::new(id_of(gpu().pick(&mut picker, &query, list, |_, _| {}).outcome));
    assert_eq!(ask(&drawn), item.id);
    // Locked channels disable the handles.
    gizmo.settings.motion.locks.translation = wgpu_gizmo::glam::BVec3::TRUE;
    let translation = cases::PIVOT_WORLD;
    gizmo.update(&case.view, &mut [Target::from_world(Transform { translation, ..Transform::IDENTITY })]);
    let disabled = list(&case, &mut gizmo);
    assert!(!disabled.is_empty() && disabled.items().iter().all(|item| item.id.is_none()));
    let [r, g, b, _] = gizmo.theme.colors.disabled;
    assert!(disabled.items().iter().all(|item| item.color()[..3] == [r, g, b]), "disabled handles are gray");
    assert_eq!(ask(&disabled), None);
}
