//! Views (§1 of docs/spec.md).

use crate::oracle::{self, any_shot, between, cases, visible_point};
use crate::views::{self, Camera};
use wgpu_gizmo_core::glam::{DMat3, DMat4, DVec2, DVec3, DVec4, dcamera};
use wgpu_gizmo_core::math::{DepthDirection, ViewError};
use wgpu_gizmo_core::{View, Viewport};

const CASES: u64 = 20_000;

#[test]
fn pointer_ray_passes_through_drawn_point() {
    cases(CASES, |rng| {
        let (projection, _, shot) = any_shot(rng);
        let point = visible_point(rng, &shot);
        let drawn = oracle::px(&shot, point);
        let projected = shot.view.px_from_world(point).expect("the point is in front of the camera");
        assert!(projected.distance(drawn) < 1e-6, "{}: {projected} against {drawn}", projection.name);
        let ray = shot.view.pointer_ray(drawn);
        assert!((ray.direction.length() - 1.0).abs() < 1e-12);
        let distance = (point - ray.origin).dot(ray.direction);
        let miss = ray.at(distance).distance(point);
        let per_px = oracle::world_per_px(&shot, point);
        assert!(miss < 1e-4 * per_px, "{}: off by {miss}, {per_px} per pixel", projection.name);
        assert!(distance > ray.start, "{}: behind", projection.name);
    });
}

#[test]
fn unproject_inverts_projection() {
    cases(CASES, |rng| {
        let (projection, _, shot) = any_shot(rng);
        let point = visible_point(rng, &shot);
        let clip = shot.clip_from_world * point.extend(1.0);
        let back = shot
            .view
            .unproject(oracle::px(&shot, point), clip.z / clip.w)
            .expect("the point is in front of the camera");
        // One step of the `f64` depth is this distance in world units.
        let toward = shot.view.direction_to(point);
        let step = 1e-5 * oracle::w(&shot, point).abs();
        let ahead = shot.clip_from_world * (point + toward * step).extend(1.0);
        let slope = (ahead.z / ahead.w - clip.z / clip.w).abs() / step;
        let allowed = 1e-7 * (1.0 + point.length()) + 1e-13 / slope;
        let off = back.distance(point);
        assert!(off < allowed, "{}: {off}, allowed {allowed}", projection.name);
    });
}

#[test]
fn pixel_size_equals_finite_differences() {
    cases(CASES, |rng| {
        let (projection, _, shot) = any_shot(rng);
        let point = visible_point(rng, &shot);
        let (reported, measured) = (shot.view.pixel_size(point), oracle::world_per_px(&shot, point));
        assert!(
            (reported / measured - 1.0).abs() < 1e-5,
            "{}: {reported} against {measured}",
            projection.name
        );
    });
}

#[test]
fn matrices_determine_depth_direction_and_kind() {
    cases(CASES, |rng| {
        let (projection, _, shot) = any_shot(rng);
        let expected = if projection.reversed { DepthDirection::Reversed } else { DepthDirection::Standard };
        assert_eq!(shot.view.depth_direction(), expected, "{}", projection.name);
        assert_eq!(shot.view.is_orthographic(), projection.orthographic, "{}", projection.name);
        assert_eq!(shot.view.eye().is_none(), projection.orthographic, "{}", projection.name);
    });
}

#[test]
fn camera_axes_are_right_in_both_handednesses() {
    cases(CASES, |rng| {
        let (projection, camera, shot) = any_shot(rng);
        let forward = (camera.look_at - camera.eye).normalize();
        let view = &shot.view;
        assert!(view.forward().distance(forward) < 1e-5, "{}", projection.name);
        if let Some(eye) = view.eye() {
            let allowed = 1e-5 * (1.0 + camera.eye.length());
            assert!(eye.distance(camera.eye) < allowed, "{}: {eye}", projection.name);
        }
        // The projection moves right and up in these directions on screen.
        let point = camera.look_at;
        let step = 1e-3 * camera.eye.distance(point);
        let moved = |d: DVec3| oracle::px(&shot, point + d * step) - oracle::px(&shot, point);
        let (right, up) = (moved(view.right()), moved(view.up()));
        assert!(right.x > 0.0 && right.y.abs() < 1e-3 * right.x, "{}: {right}", projection.name);
        assert!(up.y < 0.0 && up.x.abs() < 1e-3 * -up.y, "{}: {up}", projection.name);
        let rows = [0, 1].map(|i| shot.view_from_world.row(i).truncate().normalize());
        assert!(view.right().distance(rows[0]) < 1e-6 && view.up().distance(rows[1]) < 1e-6);
        let frame = view.axes();
        assert!((frame.determinant() - 1.0).abs() < 1e-9, "{}", projection.name);
        assert!((frame * frame.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-9), "{}", projection.name);
        let z = view.right().cross(view.up());
        assert!(frame.z_axis.distance(z) < 1e-6, "{}", projection.name);
    });
}

/// Neither end of a depth range around the origin of the view is closer to it.
#[test]
fn orthographic_depth_around_eye_looks_along_negative_z() {
    let camera = dcamera::rh::view::look_at_mat4(DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO, DVec3::Y);
    let along_z = -DVec3::new(1.0, 2.0, 3.0).normalize();
    for reach in [0.5, 100.0] {
        let ends = [(-reach, reach, DepthDirection::Standard), (reach, -reach, DepthDirection::Reversed)];
        for (near, far, expected) in ends {
            let lens = dcamera::rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, near, far);
            let view =
                View::new(camera, lens, Viewport::from_size(800, 600), 1.0).expect("the view is valid");
            assert_eq!(view.depth_direction(), expected, "from {near} to {far}");
            let forward = view.pointer_ray(DVec2::new(400.0, 300.0)).direction;
            assert!(forward.distance(along_z) < 1e-12, "from {near} to {far}: {forward}");
        }
    }
}

#[test]
fn depth_direction_override_applies_to_orthographic_only() {
    for projection in views::ALL {
        let view = projection.view(&Camera::at(DVec3::new(1.0, 2.0, 3.0)));
        let other = match view.depth_direction() {
            DepthDirection::Standard => DepthDirection::Reversed,
            DepthDirection::Reversed => DepthDirection::Standard,
        };
        let overridden = view.with_depth_direction(other);
        if projection.orthographic {
            assert_eq!(overridden.depth_direction(), other, "{}", projection.name);
            assert_eq!(overridden.forward(), -view.forward(), "{}", projection.name);
        } else {
            assert_eq!(overridden, view, "{}", projection.name);
        }
    }
}

#[test]
fn view_errors_name_unusable_input() {
    let (good_view, good_clip) = views::ALL[0].matrices(&Camera::at(DVec3::new(0.0, 0.0, 5.0)));
    let viewport = Viewport::from_size(800, 600);
    let nan = DMat4::from_cols(DVec4::NAN, DVec4::Y, DVec4::Z, DVec4::W);
    let infinite = DMat4::from_cols(DVec4::X, DVec4::Y * f64::INFINITY, DVec4::Z, DVec4::W);
    let flat = DMat4::from_scale(DVec3::new(1.0, 0.0, 1.0));
    let mut same_depth = good_clip;
    for column in [0, 1, 2, 3] {
        let c = same_depth.col_mut(column);
        c.z = 0.5 * c.w;
    }
    for bad in [nan, infinite] {
        let view = View::new(bad, good_clip, viewport, 1.0);
        assert_eq!(view, Err(ViewError::NotFinite("view_from_world")));
        let view = View::new(good_view, bad, viewport, 1.0);
        assert_eq!(view, Err(ViewError::NotFinite("clip_from_view")));
        let view = View::from_clip_from_world(bad, viewport, 1.0);
        assert_eq!(view, Err(ViewError::NotFinite("clip_from_world")));
    }
    for bad in [DMat4::ZERO, flat, flat * 1e-200] {
        let view = View::new(bad, good_clip, viewport, 1.0);
        assert_eq!(view, Err(ViewError::Singular("view_from_world")), "{bad}");
        let view = View::new(good_view, bad, viewport, 1.0);
        assert_eq!(view, Err(ViewError::Singular("clip_from_view")), "{bad}");
        let view = View::from_clip_from_world(bad, viewport, 1.0);
        assert_eq!(view, Err(ViewError::Singular("clip_from_world")), "{bad}");
    }
    let view = View::new(good_view, same_depth, viewport, 1.0);
    assert_eq!(view, Err(ViewError::Singular("clip_from_view")), "every depth is one half");
    let view = View::from_clip_from_world(same_depth * good_view, viewport, 1.0);
    assert_eq!(view, Err(ViewError::Singular("clip_from_world")), "every depth is one half");
    for (width, height) in [(0.0, 600.0), (800.0, -1.0), (f64::NAN, 600.0), (800.0, f64::INFINITY)] {
        let empty = Viewport { x: 0.0, y: 0.0, width, height };
        assert_eq!(View::new(good_view, good_clip, empty, 1.0), Err(ViewError::EmptyViewport));
    }
    for misplaced in [Viewport { x: f64::NAN, ..viewport }, Viewport { y: f64::INFINITY, ..viewport }] {
        assert_eq!(View::new(good_view, good_clip, misplaced, 1.0), Err(ViewError::EmptyViewport));
    }
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(View::new(good_view, good_clip, viewport, scale), Err(ViewError::ScaleFactor));
    }
    let message = ViewError::Singular("clip_from_view").to_string();
    assert!(message.starts_with("clip_from_view is singular"), "{message}");
}

#[test]
fn constructed_views_give_finite_rays() {
    let entry = |rng: &mut fastrand::Rng| match rng.u8(..8) {
        0 => 0.0,
        1 => 10f64.powf(between(rng, -200.0, 200.0)),
        _ => between(rng, -2.0, 2.0),
    };
    let created = std::cell::Cell::new(0u64);
    cases(100_000, |rng| {
        let mut matrix = DMat4::from_cols_array(&std::array::from_fn(|_| entry(rng)));
        if rng.bool() {
            // Parallel projections are rare by chance.
            for i in 0..3 {
                matrix.col_mut(i).w = 0.0;
            }
        }
        let Ok(view) = View::from_clip_from_world(matrix, Viewport::from_size(640, 480), 1.0) else { return };
        created.set(created.get() + 1);
        for px in [DVec2::ZERO, DVec2::new(640.0, 11.5), DVec2::new(-5000.0, 1e6)] {
            let ray = view.pointer_ray(px);
            assert!(ray.origin.is_finite() && ray.direction.is_finite(), "{matrix}: {ray:?}");
        }
        assert!(view.forward().is_normalized(), "{matrix}");
        // The frame is orthonormal even if right and up nearly coincide.
        let off = view.axes().transpose() * view.axes() - DMat3::IDENTITY;
        assert!(off.to_cols_array().iter().all(|e| e.abs() < 1e-9), "{matrix}: {}", view.axes());
    });
    assert!(created.get() > 10_000, "only {} valid views", created.get());
}

#[test]
fn pixels_are_half_open_and_ndc_follows_spec() {
    let viewport = Viewport { x: 10.0, y: 20.0, width: 100.0, height: 50.0 };
    assert!(viewport.contains(DVec2::new(10.0, 20.0)) && viewport.contains(DVec2::new(109.999, 69.999)));
    assert!(!viewport.contains(DVec2::new(110.0, 30.0)) && !viewport.contains(DVec2::new(30.0, 70.0)));
    assert!(!viewport.contains(DVec2::new(9.999, 30.0)) && !viewport.contains(DVec2::NAN));
    let (view, clip) = views::ALL[0].matrices(&Camera::at(DVec3::new(0.0, 0.0, 5.0)));
    let view = View::new(view, clip, viewport, 1.0).expect("the view is valid");
    assert_eq!(view.ndc_from_px(DVec2::new(10.0, 20.0)), DVec2::new(-1.0, 1.0));
    assert_eq!(view.ndc_from_px(DVec2::new(110.0, 70.0)), DVec2::new(1.0, -1.0));
    assert_eq!(view.px_from_ndc(DVec2::ZERO), DVec2::new(60.0, 45.0));
}

#[test]
fn point_behind_eye_is_not_drawn() {
    for projection in views::ALL.iter().filter(|p| !p.orthographic) {
        let camera = Camera::at(DVec3::new(3.0, 2.0, 4.0));
        let view = projection.view(&camera);
        let behind = camera.eye * 1.5;
        assert_eq!(view.px_from_world(behind), None, "{}", projection.name);
        assert!(view.clip_w(behind) < 0.0, "{}", projection.name);
    }
}

#[test]
fn scaled_clip_matrix_gives_same_view() {
    // Clip coordinates are homogeneous: a factor on all of them changes no pixel and no depth.
    cases(300, |rng| {
        let (projection, camera, shot) = any_shot(rng);
        let clip_from_world = shot.clip_from_world * 10f64.powf(between(rng, -90.0, 90.0));
        let (viewport, scale_factor) = (shot.view.viewport(), shot.view.scale_factor());
        let scaled = View::from_clip_from_world(clip_from_world, viewport, scale_factor)
            .unwrap_or_else(|error| panic!("{}: {error}", projection.name));
        let plain =
            View::from_clip_from_world(shot.clip_from_world, viewport, scale_factor).expect("it is a view");
        let point = visible_point(rng, &shot);
        let px = oracle::px(&shot, point);
        let [ray, expected] = [&scaled, &plain].map(|view| view.pointer_ray(px));
        let tolerance = 1e-8 * camera.eye.length();
        assert!(
            ray.origin.distance(expected.origin) < tolerance,
            "{}: {ray:?} {expected:?}",
            projection.name
        );
        assert!(
            ray.direction.distance(expected.direction) < 1e-9,
            "{}: {ray:?} {expected:?}",
            projection.name
        );
        assert!(
            (scaled.pixel_size(point) / plain.pixel_size(point) - 1.0).abs() < 1e-9,
            "{}",
            projection.name
        );
        assert!(scaled.forward().distance(plain.forward()) < 1e-9, "{}", projection.name);
        assert_eq!(scaled.depth_direction(), plain.depth_direction(), "{}", projection.name);
    });
}

#[test]
fn eye_in_projection_is_exact_far_from_origin() {
    // A headset puts the distance of each eye from its middle into the projection.
    let (lens, half) = (views::ALL[0].matrices(&Camera::at(DVec3::Z)).1, DVec3::new(0.032, 0.01, 0.02));
    for far in [0.0, 1e6, 1e9] {
        let middle = DVec3::new(far, -2.0 * far, 0.5 * far) + DVec3::new(3.0, 4.0, 5.0);
        let view_from_world = dcamera::rh::view::look_to_mat4(middle, DVec3::new(0.6, 0.0, -0.8), DVec3::Y);
        let clip_from_view = lens * DMat4::from_translation(-half);
        let view = View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0);
        let eye = view.expect("it is a view").eye().expect("it is a perspective");
        // Right is (0.8, 0, 0.6), and backward (-0.6, 0, 0.8).
        let expected = middle + DVec3::new(0.8, 0.0, 0.6) * half.x + DVec3::Y * half.y
            - DVec3::new(0.6, 0.0, -0.8) * half.z;
        assert!(
            eye.distance(expected) <= 1e-9 + 4.0 * f64::EPSILON * middle.length(),
            "{far}: {eye} {expected}"
        );
    }
}

#[test]
fn rows_without_direction_are_singular() {
    let viewport = Viewport::from_size(800, 600);
    for (projection, row) in
        views::ALL.into_iter().flat_map(|projection| [0, 1, 2, 3].map(|row| (projection, row)))
    {
        let camera = Camera::at(DVec3::new(0.0, 0.0, 1e5));
        let shot = projection.shot(&camera);
        for factor in [0.0, 1e-200, 1e200] {
            let mut scale = DVec4::ONE;
            scale[row] = factor;
            let matrix = DMat4::from_diagonal(scale) * shot.clip_from_world;
            let view = View::from_clip_from_world(matrix, viewport, 1.0);
            // Without w there is no perspective; other scales of w are a matter of range.
            if row == 3 && (projection.orthographic || factor != 0.0) {
                continue;
            }
            let is_depth = row == 2 && !projection.orthographic;
            if factor == 0.0 || !is_depth {
                assert_eq!(
                    view,
                    Err(ViewError::Singular("clip_from_world")),
                    "{} {row} {factor}",
                    projection.name
                );
            }
        }
    }
}

#[test]
fn pixels_and_ndc_convert_both_ways() {
    for projection in views::ALL {
        let view = projection.view(&Camera::at(DVec3::new(2.0, 1.0, 5.0)));
        let v = view.viewport();
        let corners = [DVec2::new(v.x, v.y + v.height), DVec2::new(v.x + v.width, v.y)];
        assert_eq!(corners.map(|px| view.ndc_from_px(px)), [DVec2::NEG_ONE, DVec2::ONE]);
        assert_eq!([DVec2::NEG_ONE, DVec2::ONE].map(|ndc| view.px_from_ndc(ndc)), corners);
    }
}

#[test]
fn parallel_view_behind_viewer_is_singular() {
    let view = dcamera::rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    let new = |matrix: DMat4| View::from_clip_from_world(matrix, Viewport::from_size(8, 6), 1.0);
    assert!(new(view).is_ok(), "the same view is valid in front");
    assert_eq!(new(view * -1.0).err(), Some(ViewError::Singular("clip_from_world")));
}
