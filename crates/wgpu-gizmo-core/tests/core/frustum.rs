//! Frustum tests cull objects outside a pick, and no others.

use crate::prelude::*;
use std::num::NonZeroU32;

#[test]
fn frustum_keeps_intersecting_and_culls_most_others() {
    let (mut kept, mut culled) = (0, 0);
    cases(20_000, |rng| {
        let projection = &views::ALL[rng.usize(..views::ALL.len())];
        let shot = projection.shot(&Camera::at(direction(rng) * between(rng, 3.0, 12.0)));
        let v = shot.view.viewport();
        let corner = DVec2::new(v.x + between(rng, 0.0, v.width), v.y + between(rng, 0.0, v.height));
        let side = between(rng, 1.0, 127.0);
        let frustum = Frustum::new(&shot.view, Rect::from_min_size(corner, DVec2::splat(side)));
        let center = direction(rng) * between(rng, 0.0, 4.0);
        let radius = magnitude(rng, -2.0, 0.0);
        let inside = |point: DVec3| {
            let clip = shot.clip_from_world * point.extend(1.0);
            let seen = clip.w > 0.0 && clip.z >= 0.0 && clip.z <= clip.w;
            let at = px(&shot, point);
            seen && at.cmpge(corner).all() && at.cmple(corner + side).all()
        };
        let intersects = (0..40).any(|_| inside(center + direction(rng) * (radius * rng.f64().cbrt())));
        let sphere = frustum.may_intersect_sphere(center, radius);
        let cube = frustum.may_intersect_box([center - radius, center + radius]);
        if intersects {
            assert!(sphere && cube, "{}: {center} of {radius} in {corner}", projection.name);
            kept += 1;
        }
        // A ball whose distance on screen exceeds its diameter is culled.
        let clip = shot.clip_from_world * center.extend(1.0);
        let across = 1.5 * radius / shot.view.pixel_size(center);
        let nearest = px(&shot, center).clamp(corner, corner + side);
        if clip.w > 4.0 * radius && px(&shot, center).distance(nearest) > 2.0 * across + 1.0 {
            assert!(!sphere, "{}: {center} of {radius} in {corner}", projection.name);
            culled += 1;
        }
    });
    assert!(kept > 300 && culled > 5_000, "{} and {}", kept, culled);
}

#[test]
fn frustum_contains_center_point_in_every_projection() {
    for projection in views::ALL {
        let shot = projection.shot(&Camera::at(DVec3::new(2.0, 3.0, 6.0)));
        let at = px(&shot, DVec3::ZERO);
        let frustum = Frustum::new(&shot.view, Rect::from_min_size(at - 0.5, DVec2::ONE));
        assert!(frustum.may_intersect_sphere(DVec3::ZERO, 0.0), "{}", projection.name);
        assert!(frustum.may_intersect_box([DVec3::ZERO; 2]), "{}", projection.name);
        assert!(!frustum.may_intersect_sphere(DVec3::ZERO + shot.view.right(), 0.1), "{}", projection.name);
        let behind = shot.view.eye().map(|eye| eye - shot.view.forward());
        assert!(!behind.is_some_and(|point| frustum.may_intersect_sphere(point, 0.1)), "{}", projection.name);
    }
}

#[test]
fn frustum_of_query_ends_at_its_texels() {
    let mut checked = 0;
    cases(2_000, |rng| {
        let shot = views::ALL[rng.usize(..views::ALL.len())].shot(&Camera::at(direction(rng) * 6.0));
        let v = shot.view.viewport();
        let cursor = DVec2::new(v.x + between(rng, 0.0, v.width), v.y + between(rng, 0.0, v.height));
        let radius = between(rng, -2.0, 80.0);
        let frustum = PickQuery::new(&shot.view, cursor, radius).frustum();
        // The texels whose distance along x and y is at most the radius.
        let reach = radius.clamp(0.0, PickQuery::MAX_RADIUS_PX).floor();
        let Rect { min, max } = frustum.rect_px();
        assert_eq!([min, max], [cursor.floor() - reach, cursor.floor() + reach + 1.0]);
        // A point is inside of all planes exactly if it is drawn there.
        let point = shot.view.unproject(cursor + (2.0 * rng.f64() - 1.0) * 1.3 * (reach + 1.0), 0.5);
        let Some(point) = point else { return };
        let at = px(&shot, point);
        let is_drawn = at.cmpge(min).all() && at.cmple(max).all();
        let is_clear = [(at - min).abs(), (at - max).abs()].iter().all(|off| off.min_element() > 1e-3);
        let is_inside = frustum.planes().iter().all(|plane| plane.dot(point.extend(1.0)) >= 0.0);
        assert!(!is_clear || is_inside == is_drawn, "{at} in {min} to {max}");
        assert!(!is_clear || frustum.may_intersect_box([point; 2]) == is_drawn, "{at} in {min} to {max}");
        checked += i32::from(is_clear && !is_drawn);
    });
    assert!(checked > 200, "{}", checked);
}

#[test]
fn distance_of_answer_is_measured_from_viewer() {
    for projection in views::ALL {
        let camera = projection.adjusted(&Camera::at(DVec3::new(2.0, 3.0, 6.0)));
        let shot = projection.shot(&camera);
        let point = DVec3::new(0.2, -0.1, 0.3);
        let at = px(&shot, point).floor() + 0.5;
        let ray = shot.view.pointer_ray(at);
        let on_ray = ray.at((point - ray.origin).dot(ray.direction));
        let unknown = PickHit::at(NonZeroU32::MIN, at);
        let mut hit = unknown;
        hit.position_world = Some(on_ray);
        let answer = PickAnswer::new(PickQuery::new(&shot.view, at, 0.0), PickOutcome::Hit(hit));
        // In a parallel projection, the near plane is 0.05 in front of the camera.
        let expected = if projection.orthographic {
            (on_ray - camera.eye).dot(-camera.eye.normalize()) - 0.05
        } else {
            on_ray.distance(camera.eye)
        };
        let distance = answer.distance().expect("the depth is known");
        assert!((distance - expected).abs() < 2e-4, "{}: {distance} {expected}", projection.name);
        let nowhere = PickAnswer::new(answer.query, PickOutcome::Nothing);
        let unknown = PickAnswer::new(answer.query, PickOutcome::Hit(unknown));
        assert_eq!([nowhere, unknown].map(|answer| answer.distance()), [None; 2]);
    }
}

#[test]
fn rectangles_touch_up_to_margin() {
    let rect = Rect::from_min_size(DVec2::new(10.0, 20.0), DVec2::new(30.0, 40.0));
    assert_eq!(rect.size(), DVec2::new(30.0, 40.0));
    for (off, touches) in [
        (DVec2::new(34.9, 0.0), true),
        (DVec2::new(35.1, 0.0), false),
        (DVec2::new(-34.9, 0.0), true),
        (DVec2::new(-35.1, 0.0), false),
        (DVec2::new(0.0, 44.9), true),
        (DVec2::new(0.0, 45.1), false),
        (DVec2::new(0.0, -44.9), true),
        (DVec2::new(0.0, -45.1), false),
        (DVec2::new(34.9, -44.9), true),
        (DVec2::new(-35.1, 44.9), false),
    ] {
        let other = Rect { min: rect.min + off, max: rect.max + off };
        assert_eq!(rect.touches(&other, 5.0), touches, "{off}");
    }
}
