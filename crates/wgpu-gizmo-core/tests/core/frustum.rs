//! Frustum tests cull objects outside a pick, and no others.

use crate::oracle::{between, cases, direction, magnitude, px};
use crate::views::{self, Camera};
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::math::{Frustum, Rect};

#[test]
fn frustum_keeps_intersecting_and_culls_most_others() {
    let (kept, culled) = (Cell::new(0), Cell::new(0));
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
            kept.set(kept.get() + 1);
        }
        // A ball whose distance on screen exceeds its diameter is culled.
        let clip = shot.clip_from_world * center.extend(1.0);
        let across = 1.5 * radius / shot.view.pixel_size(center);
        let nearest = px(&shot, center).clamp(corner, corner + side);
        if clip.w > 4.0 * radius && px(&shot, center).distance(nearest) > 2.0 * across + 1.0 {
            assert!(!sphere, "{}: {center} of {radius} in {corner}", projection.name);
            culled.set(culled.get() + 1);
        }
    });
    assert!(kept.get() > 300 && culled.get() > 5_000, "{} and {}", kept.get(), culled.get());
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
