//! Garbage input (§15 of docs/spec.md): nothing panics, and volumes stay valid.

use crate::bytes::Bytes;
use crate::prelude::*;
use crate::seed::fresh_cases;

fn assert_finite(triangles: &Triangles) {
    assert!(triangles.vertices().iter().all(|v| v.position_px.iter().all(|px| px.is_finite())));
}

fn volume(bytes: &mut Bytes<'_>) -> Volume {
    let plain = [
        Volume::Sphere { radius: Some(1.0) },
        Volume::Cone { range: Some(2.0), inner: 0.2, outer: 0.6 },
        Volume::Parallel,
        Volume::Perspective { fov_y: 0.8, aspect: 1.5, near: 0.5, far: Some(3.0) },
        Volume::Orthographic { half_width: 1.5, half_height: 1.0, near: 0.5, far: 3.0 },
    ][bytes.index_below(5)];
    let mut part = |plain: f64| if bytes.byte().is_multiple_of(4) { bytes.number() } else { plain };
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
    let mut drags = 0u32;
    fresh_cases(60, |rng| {
        let mut handles = VolumeHandles::new(&mut IdSpace::new()).expect("ids are free");
        let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
        let script: Vec<u8> = std::iter::repeat_with(|| rng.u8(..)).take(20_000).collect();
        let bytes = &mut Bytes(&script);
        let mut lamp = VolumeTarget::new(Transform::IDENTITY, volume(bytes));
        let mut shown = views::ALL[0].view(&Camera::at(DVec3::new(3.0, 2.5, 4.0)));
        while !bytes.is_empty() {
            match bytes.byte() % 40 {
                0 => lamp.volume = volume(bytes),
                1 => lamp.world.translation = bytes.vector(),
                2 => lamp.world = Transform { translation: DVec3::ZERO, ..lamp.world },
                3 => shown = bytes.view().unwrap_or(shown),
                4 => handles.gizmo.theme = bytes.theme(),
                5..12 => handles.gizmo.pointer_pressed(),
                12..15 => handles.gizmo.pointer_released(),
                15 => handles.gizmo.cancel(),
                16..24 => handles.gizmo.answer_on_cpu(),
                _ => {
                    // On a handle, if there is one.
                    let part = list.items().get(bytes.index_below(list.items().len()));
                    let part = part.filter(|_| bytes.flag());
                    let px = part.and_then(|part| part.px_from_part(DVec3::ZERO));
                    handles.gizmo.pointer_moved(px.unwrap_or_else(|| bytes.px()));
                }
            }
            let was_valid = lamp.volume.is_valid();
            handles.update(&shown, (!bytes.byte().is_multiple_of(50)).then_some(&mut lamp));
            assert!(lamp.volume.is_valid() || !was_valid, "{:?}", lamp.volume);
            drags += u32::from(handles.gizmo.is_active());
            handles.draw(list.begin(&shown));
            list.pick(bytes.px(), bytes.number());
            list.triangles_px(&mut triangles);
            assert_finite(&triangles);
        }
    });
    assert!(drags > 500, "only {} steps with a drag", drags);
}

#[test]
fn navigation_cube_survives_garbage_input() {
    let mut turns = 0u32;
    fresh_cases(200, |rng| {
        let mut cube = NavigationCube::new(&mut IdSpace::new()).expect("ids are free");
        let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
        let script: Vec<u8> = std::iter::repeat_with(|| rng.u8(..)).take(1_500).collect();
        let bytes = &mut Bytes(&script);
        while !bytes.is_empty() {
            let Some(shown) = bytes.view() else { continue };
            cube.draw(list.begin(&shown), &bytes.theme());
            let corner = shown.viewport().rect();
            let near = DVec2::new(corner.max.x - 56.0, corner.min.y + 56.0);
            let at = if bytes.flag() { near } else { bytes.px() };
            let hit = list.pick(at, bytes.number());
            cube.set_hovered(hit);
            cube.pointer_pressed(at, &shown);
            let turned = hit.and_then(|id| cube.pressed(id)).or(cube.pointer_moved(bytes.px()));
            let turned = turned.or_else(|| cube.pointer_released());
            assert!(turned.is_none_or(|rotation| rotation.is_finite()), "{turned:?}");
            turns += u32::from(turned.is_some());
            list.triangles_px(&mut triangles);
            assert_finite(&triangles);
        }
    });
    assert!(turns > 500, "only {} turns", turns);
}
