//! Views (§1 of docs/spec.md).

use crate::oracle;
use crate::prelude::*;

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
    use ViewError::{EmptyViewport, NotFinite, ScaleFactor, Singular};
    let (good_view, good_clip) = views::ALL[0].matrices(&Camera::at(DVec3::new(0.0, 0.0, 5.0)));
    let viewport = Viewport::from_size(800, 600);
    let new =
        |view_from_world, clip_from_view| View::new(view_from_world, clip_from_view, viewport, 1.0).err();
    let combined = |clip_from_world| View::from_clip_from_world(clip_from_world, viewport, 1.0).err();
    let nan = DMat4::from_cols(DVec4::NAN, DVec4::Y, DVec4::Z, DVec4::W);
    let infinite = DMat4::from_cols(DVec4::X, DVec4::Y * f64::INFINITY, DVec4::Z, DVec4::W);
    let flat = DMat4::from_scale(DVec3::new(1.0, 0.0, 1.0));
    type Error = fn(&'static str) -> ViewError;
    for (bad, error) in [
        (nan, NotFinite as Error),
        (infinite, NotFinite),
        (DMat4::ZERO, Singular),
        (flat, Singular),
        (flat * 1e-200, Singular),
    ] {
        assert_eq!(new(bad, good_clip), Some(error("view_from_world")), "{bad}");
        assert_eq!(new(good_view, bad), Some(error("clip_from_view")), "{bad}");
        assert_eq!(combined(bad), Some(error("clip_from_world")), "{bad}");
    }
    let mut same_depth = good_clip;
    for column in [0, 1, 2, 3] {
        let c = same_depth.col_mut(column);
        c.z = 0.5 * c.w;
    }
    assert_eq!(new(good_view, same_depth), Some(Singular("clip_from_view")), "every depth is one half");
    assert_eq!(
        combined(same_depth * good_view),
        Some(Singular("clip_from_world")),
        "every depth is one half"
    );
    for bad in [
        Viewport { width: 0.0, ..viewport },
        Viewport { height: -1.0, ..viewport },
        Viewport { width: f64::NAN, ..viewport },
        Viewport { height: f64::INFINITY, ..viewport },
        Viewport { x: f64::NAN, ..viewport },
        Viewport { y: f64::INFINITY, ..viewport },
    ] {
        assert_eq!(View::new(good_view, good_clip, bad, 1.0), Err(EmptyViewport));
    }
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(View::new(good_view, good_clip, viewport, scale), Err(ScaleFactor));
    }
    let message = Singular("clip_from_view").to_string();
    assert!(message.starts_with("clip_from_view is singular"), "{message}");
}

#[test]
fn constructed_views_give_finite_rays() {
    let entry = |rng: &mut Rng| match rng.u8(..8) {
        0 => 0.0,
        1 => 10f64.powf(between(rng, -200.0, 200.0)),
        _ => between(rng, -2.0, 2.0),
    };
    let mut created = 0u64;
    cases(100_000, |rng| {
        let mut matrix = DMat4::from_cols_array(&std::array::from_fn(|_| entry(rng)));
        if rng.bool() {
            // Parallel projections are rare by chance.
            for i in 0..3 {
                matrix.col_mut(i).w = 0.0;
            }
        }
        let Ok(view) = View::from_clip_from_world(matrix, Viewport::from_size(640, 480), 1.0) else { return };
        created += 1;
        for px in [DVec2::ZERO, DVec2::new(640.0, 11.5), DVec2::new(-5000.0, 1e6)] {
            let ray = view.pointer_ray(px);
            assert!(ray.origin.is_finite() && ray.direction.is_finite(), "{matrix}: {ray:?}");
        }
        assert!(view.forward().is_normalized(), "{matrix}");
        // The frame is orthonormal even if right and up nearly coincide.
        let off = view.axes().transpose() * view.axes() - DMat3::IDENTITY;
        assert!(off.to_cols_array().iter().all(|e| e.abs() < 1e-9), "{matrix}: {}", view.axes());
    });
    assert!(created > 10_000, "only {created} valid views");
}

#[test]
fn pixels_are_half_open_and_ndc_follows_spec() {
    let viewport = Viewport { x: 10.0, y: 20.0, width: 100.0, height: 50.0 };
    assert!(viewport.contains(DVec2::new(10.0, 20.0)) && viewport.contains(DVec2::new(109.999, 69.999)));
    assert!(!viewport.contains(DVec2::new(110.0, 30.0)) && !viewport.contains(DVec2::new(30.0, 70.0)));
    assert!(!viewport.contains(DVec2::new(9.999, 30.0)) && !viewport.contains(DVec2::NAN));
    for projection in views::ALL {
        let view = projection.view(&Camera::at(DVec3::new(2.0, 1.0, 5.0)));
        let v = view.viewport();
        let corners = [DVec2::new(v.x, v.y + v.height), DVec2::new(v.x + v.width, v.y)];
        assert_eq!(corners.map(|px| view.ndc_from_px(px)), [DVec2::NEG_ONE, DVec2::ONE]);
        assert_eq!([DVec2::NEG_ONE, DVec2::ONE].map(|ndc| view.px_from_ndc(ndc)), corners);
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
        let off = ray.direction.distance(expected.direction) + scaled.forward().distance(plain.forward());
        let is_same = ray.origin.distance(expected.origin) < tolerance && off < 1e-9;
        assert!(is_same, "{}: {ray:?} {expected:?}", projection.name);
        let ratio = scaled.pixel_size(point) / plain.pixel_size(point);
        assert!((ratio - 1.0).abs() < 1e-9, "{}: {ratio}", projection.name);
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
        let allowed = 1e-9 + 4.0 * f64::EPSILON * middle.length();
        assert!(eye.distance(expected) <= allowed, "{far}: {eye} {expected}");
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
                let singular = Err(ViewError::Singular("clip_from_world"));
                assert_eq!(view, singular, "{} {row} {factor}", projection.name);
            }
        }
    }
}

#[test]
fn parallel_view_behind_viewer_is_singular() {
    let view = dcamera::rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
    let new = |matrix: DMat4| View::from_clip_from_world(matrix, Viewport::from_size(8, 6), 1.0);
    assert!(new(view).is_ok(), "the same view is valid in front");
    assert_eq!(new(view * -1.0).err(), Some(ViewError::Singular("clip_from_world")));
}

#[test]
fn only_points_in_front_of_viewer_are_unprojected() {
    for projection in views::ALL {
        let view = projection.view(&Camera::at(DVec3::new(1.0, 2.0, 3.0)));
        let depth_of = |point: DVec4| {
            let clip = view.clip_from_world() * point;
            clip.z / clip.w
        };
        let Rect { min, max } = view.viewport().rect();
        let center = min.midpoint(max);
        let ray = view.pointer_ray(center);
        let ahead = ray.at(2.0);
        let found = view.unproject(center, depth_of(ahead.extend(1.0))).expect("it is in front");
        assert!(found.distance(ahead) < 1e-5, "{}: {found}, not {ahead}", projection.name);
        if !projection.orthographic {
            let behind = ray.origin - 2.0 * ray.direction;
            assert_eq!(view.unproject(center, depth_of(behind.extend(1.0))), None, "{}", projection.name);
        }
        if projection.name.contains("infinite") {
            assert_eq!(
                view.unproject(center, depth_of(ray.direction.extend(0.0))),
                None,
                "{}",
                projection.name
            );
        }
    }
}
