//! The positions and distances of pick answers, compared with the geometry that was drawn.

use crate::common::prelude::*;
use crate::common::views::{ALL, Camera};

fn vector(rng: &mut Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.f64() * 2.0 - 1.0))
}

/// Returns a random camera, near or far, that looks approximately at the center of the scene.
fn camera(rng: &mut Rng) -> Camera {
    let distance = 2.0 * 40.0_f64.powf(rng.f64());
    let eye = vector(rng).normalize_or(DVec3::Z) * distance;
    Camera {
        eye,
        look_at: 0.2 * vector(rng),
        up: vector(rng).normalize_or(DVec3::Y),
        viewport: Viewport::from_size(200 + 8 * rng.u32(..20), 150 + 8 * rng.u32(..20)),
        scale_factor: 1.0,
    }
}

/// Returns the distance of a point from that of a triangle's plane at a pixel's center, relative to the maximum distance
/// along the plane to the neighboring pixels.
fn off_plane(view: &View, center_px: DVec2, [a, b, c]: [DVec3; 3], point: DVec3) -> Option<f64> {
    let normal = (b - a).cross(c - a).normalize();
    let at = |by: DVec2| view.pointer_ray(center_px + by).plane_hit(a, normal);
    let center = at(DVec2::ZERO)?;
    let steps = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(at);
    let longest = steps.into_iter().flatten().map(|step| step.distance(center)).fold(0.0, f64::max);
    Some(point.distance(center) / longest)
}

/// Returns random triangles of all slopes, some of them nearly edge-on.
fn triangles(view: &View, count: u32, rng: &mut Rng) -> Vec<([DVec3; 3], NonZeroU32)> {
    let mut triangle = || {
        let size = 0.3 + rng.f64();
        let at = 0.5 * vector(rng) * size;
        let along = vector(rng).normalize_or(DVec3::X);
        let toward = view.direction_to(at);
        // From face-on to within a degree of edge-on.
        let tilt = (0.5 * std::f64::consts::PI * rng.f64()).min(1.553);
        let across = along.cross(toward).normalize_or(DVec3::X);
        let up = across.cross(toward) * tilt.cos() + toward * tilt.sin();
        [at - across * size - up * size, at + across * size - up * size, at + up * size]
    };
    (1..=count).map(|id| (triangle(), NonZeroU32::new(id).expect("ids start at 1"))).collect()
}

/// Checks position, pixel and distance of an answer; `None` if the plane of the triangle ends beside the pixel.
fn check(answer: &PickAnswer, corners: [DVec3; 3], name: &str) -> Option<()> {
    let view = &answer.query.view;
    let PickOutcome::Hit(hit) = answer.outcome else { panic!("{name}: {answer:?}") };
    let center_px = DVec2::new(hit.pixel.0 as f64 + 0.5, hit.pixel.1 as f64 + 0.5);
    let point = hit.position_world.unwrap_or_else(|| panic!("{name}: no point"));
    let back = view.px_from_world(point).expect("the point is in front of the camera");
    assert!(back.distance(center_px) < 0.01, "{name}: {point} is seen at {back}, not {center_px}");
    let distance = answer.distance().expect("the answer is a hit");
    let ray = view.pointer_ray(center_px);
    let expected = match view.eye() {
        Some(eye) => (point - eye).dot(ray.direction),
        None => {
            let near = if view.depth_direction() == DepthDirection::Standard { 0.0 } else { 1.0 };
            let near = view.unproject(center_px, near).expect("the depth is finite");
            (point - near).dot(ray.direction)
        }
    };
    assert!(
        (distance - expected).abs() <= 1e-9 * expected.abs().max(1.0),
        "{name}: {distance} for {expected}"
    );
    let off = off_plane(view, center_px, corners, point)?;
    // A whole pixel is allowed; half a pixel would mean that a center was mistaken for a corner.
    assert!(off <= 0.25, "{name}: {point} is {off} pixels off");
    Some(())
}

#[test]
pub(crate) fn answer_position_lies_on_triangle_under_pixel() {
    let mut rng = Rng::with_seed(12);
    let mut checked = 0;
    for mode in [TileMode::Shifted, TileMode::Cropped] {
        let mut picker = mode.picker(device());
        for projection in ALL {
            for _ in 0..6 {
                let view = projection.view(&camera(&mut rng));
                let drawn = triangles(&view, 6, &mut rng);
                let host = Host::new(&view, drawn.clone());
                for (corners, _) in &drawn {
                    // A point of the triangle, which another triangle may occlude.
                    let [s, t] = [rng.f64(), rng.f64()];
                    let [s, t] = if s + t > 1.0 { [1.0 - s, 1.0 - t] } else { [s, t] };
                    let at = corners[0] + (corners[1] - corners[0]) * s + (corners[2] - corners[0]) * t;
                    let Some(px) = view.px_from_world(at) else { continue };
                    let radius_px = *rng.choice(&[0.0, 0.0, 5.0]).expect("the list is not empty");
                    let query = PickQuery::new(&view, px, radius_px);
                    let answer = host.pick(&mut picker, &query, &DrawList::new());
                    let PickOutcome::Hit(hit) = answer.outcome else { continue };
                    let (corners, _) = drawn[hit.id.get() as usize - 1];
                    checked += u32::from(check(&answer, corners, projection.name).is_some());
                }
            }
        }
    }
    assert!(checked > 700, "only {checked} were hits");
    gpu().wait();
}
