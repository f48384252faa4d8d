//! Garbage input (§15 of docs/spec.md): nothing panics, and volumes stay valid.

use crate::input::{cursor, number, theme, vector, view};
use crate::seed::fresh_cases;
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::DVec3;
use wgpu_gizmo_core::{DrawList, IdSpace, Transform};
use wgpu_gizmo_extras::{NavigationCube, Volume, VolumeHandles, VolumeTarget};

fn assert_finite(triangles: &Triangles) {
    assert!(triangles.vertices().iter().all(|v| v.position_px.iter().all(|px| px.is_finite())));
}

fn volume(rng: &mut Rng) -> Volume {
    let plain = [
        Volume::Sphere { radius: Some(1.0) },
        Volume::Cone { range: Some(2.0), inner: 0.2, outer: 0.6 },
        Volume::Parallel,
        Volume::Perspective { fov_y: 0.8, aspect: 1.5, near: 0.5, far: Some(3.0) },
        Volume::Orthographic { half_width: 1.5, half_height: 1.0, near: 0.5, far: 3.0 },
    ][rng.usize(..5)];
    let mut part = |plain: f64| if rng.u8(..4) == 0 { number(rng) } else { plain };
    match plain {
        Volume::Sphere { radius } => Volume::Sphere { radius: radius.map(part) },
        Volume::Cone { range, inner, outer } => {
            Volume::Cone { inner: part(inner), outer: part(outer), range: range.map(part) }
        }
        Volume::Perspective { fov_y, aspect, near, far } => Volume::Perspective {
            fov_y: part(fov_y),
            aspect: part(aspect),
            near: part(near),
            far: far.map(part),
        },
        _ => plain,
    }
}

#[test]
fn volume_handles_survive_garbage_input() {
    let drags = Cell::new(0u32);
    fresh_cases(60, |rng| {
        let mut handles = VolumeHandles::new(&mut IdSpace::new()).expect("ids are free");
        let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
        let mut shown = view(rng);
        let mut lamp = VolumeTarget::new(Transform::IDENTITY, volume(rng));
        for _ in 0..600 {
            match rng.u8(..40) {
                0 => lamp.volume = volume(rng),
                1 => lamp.world.translation = vector(rng),
                2 => lamp.world = Transform { translation: DVec3::ZERO, ..lamp.world },
                3 => shown = view(rng),
                4 => handles.gizmo.theme = theme(rng),
                5..12 => handles.gizmo.pointer_pressed(),
                12..15 => handles.gizmo.pointer_released(),
                15 => handles.gizmo.cancel(),
                16..24 => handles.gizmo.answer_on_cpu(),
                _ => {
                    // On a handle, if there is one.
                    let parts = list.items().len().max(1);
                    let part = list.items().get(rng.usize(..parts));
                    let px = part.filter(|_| rng.bool()).and_then(|part| part.px_from_part(DVec3::ZERO));
                    handles.gizmo.pointer_moved(px.unwrap_or_else(|| cursor(rng)));
                }
            }
            let was_valid = lamp.volume.is_valid();
            handles.update(&shown, (rng.u8(..50) != 0).then_some(&mut lamp));
            assert!(lamp.volume.is_valid() || !was_valid, "{:?}", lamp.volume);
            drags.set(drags.get() + u32::from(handles.gizmo.is_active()));
            handles.draw(list.begin(&shown));
            list.pick(cursor(rng), number(rng));
            list.triangles_px(&mut triangles);
            assert_finite(&triangles);
        }
    });
    assert!(drags.get() > 500, "only {} steps with a drag", drags.get());
}

#[test]
fn navigation_cube_survives_garbage_input() {
    fresh_cases(200, |rng| {
        let mut cube = NavigationCube::new(&mut IdSpace::new()).expect("ids are free");
        let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
        for _ in 0..20 {
            let shown = view(rng);
            cube.draw(list.begin(&shown), &theme(rng));
            let at = cursor(rng);
            let hit = list.pick(at, number(rng));
            cube.set_hovered(hit);
            cube.pointer_pressed(at, &shown);
            let turned = hit.and_then(|id| cube.pressed(id)).or(cube.pointer_moved(cursor(rng)));
            let turned = turned.or_else(|| cube.pointer_released());
            assert!(turned.is_none_or(|rotation| rotation.is_finite()), "{turned:?}");
            list.triangles_px(&mut triangles);
            assert_finite(&triangles);
        }
    });
}
