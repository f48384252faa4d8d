//! Garbage input for volume handles, the navigation cube and custom handles, and extreme widths.

use super::{cursor, number, theme, vector, view};
use crate::oracle::handle;
use crate::seed::fresh_cases;
use crate::stage::answer_with;
use crate::views::{self, Camera};
use fastrand::Rng;
use std::cell::Cell;
use wgpu_gizmo::draw::parts::Triangles;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::handle::{Constraint, CustomHandle, HandleMesh};
use wgpu_gizmo::interaction::NavigationCube;
use wgpu_gizmo::interaction::volume::{Volume, VolumeHandles, VolumeTarget};
use wgpu_gizmo::{DrawList, Gizmo, IdSpace, Mode, Target, Theme, Transform, View, Viewport};

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

#[test]
fn custom_handle_survives_garbage_placement() {
    fresh_cases(2_000, |rng| {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        let meshes =
            [HandleMesh::cube(), HandleMesh::cone(), HandleMesh::ring(), HandleMesh::square_border()];
        let custom = CustomHandle {
            constraint: [Constraint::ViewPlane, Constraint::Trackball][rng.usize(..2)],
            mesh: meshes[rng.usize(..4)].clone(),
            placement: Transform {
                translation: vector(rng),
                rotation: super::quaternion(rng),
                scale: vector(rng),
            },
            offset_world: vector(rng),
            color: [1.0; 4],
        };
        let id = gizmo.add_handle(custom).expect("there is a free handle slot");
        gizmo.settings.mode = Mode::Handles([id].into_iter().collect());
        gizmo.theme = theme(rng);
        let (shown, mut list, mut triangles) = (view(rng), DrawList::new(), Triangles::new());
        gizmo.update(&shown, &mut [Target::from_world(Transform::IDENTITY)]);
        gizmo.draw(list.begin(&shown));
        list.pick(cursor(rng), number(rng));
        list.triangles_px(&mut triangles);
        assert_finite(&triangles);
    });
}

/// Draws all handles at rest and in a drag that shows guides and a grid.
fn draw_all(view: &View, theme: &Theme) -> Triangles {
    let (mut list, mut triangles) = (DrawList::new(), Triangles::new());
    for name in ["translate_x", "translate_zx", "rotate_y", "scale_x"] {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        gizmo.settings.mode = Mode::Universal;
        gizmo.theme = Theme { letters: true, ..*theme };
        let mut targets = [Target::from_world(Transform::IDENTITY)];
        for by in 0..3 {
            gizmo.pointer_moved(DVec2::new(400.0 + 20.0 * f64::from(by), 310.0));
            gizmo.update(view, &mut targets);
            if let Some(query) = gizmo.pick_query() {
                gizmo.answer(&answer_with(query, gizmo.id_of(handle(name))));
            }
            if by == 0 {
                gizmo.pointer_pressed();
            }
            gizmo.draw(list.begin(view));
            list.pick(DVec2::new(420.0, 300.0), 5.0);
            list.triangles_px(&mut triangles);
            assert_finite(&triangles);
        }
    }
    triangles
}

#[test]
fn extreme_widths_draw_finite_triangles() {
    let of = |scale_factor: f64| {
        let camera = Camera::at(DVec3::new(3.0, 2.5, 4.0));
        views::ALL[0].view(&Camera { scale_factor, viewport: Viewport::from_size(800, 600), ..camera })
    };
    for scale_factor in [1e-39, 1.0, 10.0, 1e30, 1e39, f64::MAX] {
        for width in [0.0, 3.0, 1e38, f32::MAX, f32::INFINITY, f32::NAN] {
            for (line_lpx, guide_lpx) in [(width, 1.25), (3.0, width)] {
                let theme = Theme { line_lpx, guide_lpx, ..Theme::dark() };
                let drawn = draw_all(&of(scale_factor), &theme);
                assert!(!drawn.indices().is_empty() || scale_factor < 1.0, "{scale_factor} {width}");
            }
        }
    }
}
