//! Rotation in mirrored projections (§6 of docs/spec.md): hosts that flip an axis in `clip_from_view`, or
//! look along +z with y down.

use crate::oracle::{handle, target_at};
use wgpu_gizmo_core::glam::{DMat4, DVec2, DVec3, dcamera::rh};
use wgpu_gizmo_core::interaction::{Change, Drag};
use wgpu_gizmo_core::{Settings, Snap, View, Viewport};

/// Creates a parallel view of 100 pixels per unit. `view_flips` are the signs of the axes of
/// `view_from_world`, and `clip_flips` those of the projection.
fn view(view_flips: DVec3, clip_flips: DVec3) -> View {
    let view_from_world = DMat4::from_scale(view_flips)
        * rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 5.0), DVec3::ZERO, DVec3::Y);
    let clip_from_view =
        DMat4::from_scale(clip_flips) * rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    View::new(
        view_from_world,
        clip_from_view * DMat4::from_scale(DVec3::new(1.0, 1.0, view_flips.z)),
        Viewport::from_size(800, 600),
        1.0,
    )
    .expect("the view is valid, whatever the signs")
}

fn views() -> [View; 5] {
    let flip = DVec3::new;
    [
        view(DVec3::ONE, DVec3::ONE),
        view(DVec3::ONE, flip(-1.0, 1.0, 1.0)),
        view(DVec3::ONE, flip(1.0, -1.0, 1.0)),
        view(DVec3::ONE, flip(-1.0, -1.0, 1.0)),
        // The convention of computer vision: y down and z forward. The projection flips y back.
        view(flip(1.0, -1.0, -1.0), flip(1.0, -1.0, 1.0)),
    ]
}

#[test]
fn trackball_grab_stays_under_cursor() {
    let center = DVec2::new(400.0, 300.0);
    for view in views() {
        let (press, cursor) = (center + DVec2::new(20.0, 10.0), center + DVec2::new(-35.0, -48.0));
        let radius = 0.864;
        let flat = view
            .pointer_ray(press)
            .plane_hit(DVec3::ZERO, DVec3::Z)
            .expect("the point is in front of the camera");
        let grabbed = flat + DVec3::Z * (radius * radius - flat.length_squared()).sqrt();
        let targets = [target_at(DVec3::ZERO)];
        let ball = handle("rotate_trackball");
        let mut drag = Drag::begin(ball, &view, press, &targets, &Settings::default(), Snap::OFF)
            .expect("the handle is usable");
        let Change::RotateFreely(turn) = drag.solve(&view, cursor, Snap::OFF).change else {
            unreachable!("a trackball rotates freely")
        };
        let seen = view.px_from_world(turn * grabbed).expect("the point is in front of the camera");
        assert!(seen.distance(cursor) < 1e-6, "{view:?}: at {seen}, the cursor at {cursor}");
    }
}
