//! Independent mathematics to compare the crate with: projection and rays, computed from the matrices that
//! the views were made from.

pub(crate) use crate::seed::cases;
use crate::views::{self, Camera, Projection, Shot};
use fastrand::Rng;
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec2, DVec3, DVec4};
use wgpu_gizmo_core::handle::Constraint;
use wgpu_gizmo_core::interaction::{Change, Drag, Motion};
use wgpu_gizmo_core::{HandleId, Orientation, Settings, Snap, Target, Transform, Viewport};

/// Returns a random number between `low` and `high`.
pub(crate) fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

/// Returns 10 to a random power between `low` and `high`.
pub(crate) fn magnitude(rng: &mut Rng, low: f64, high: f64) -> f64 {
    10f64.powf(between(rng, low, high))
}

/// Returns a random unit vector.
pub(crate) fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(between(rng, -1.0, 1.0), between(rng, -1.0, 1.0), between(rng, -1.0, 1.0));
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

pub(crate) fn rotation(rng: &mut Rng) -> DQuat {
    DQuat::from_axis_angle(direction(rng), between(rng, -3.1, 3.1))
}

/// Returns a camera with a random position, direction and viewport.
pub(crate) fn camera(rng: &mut Rng) -> Camera {
    let eye = direction(rng) * magnitude(rng, -1.0, 3.0);
    let forward = direction(rng);
    let up = direction(rng).reject_from_normalized(forward);
    let up = if up.length() < 0.1 { forward.any_orthonormal_vector() } else { up };
    let look_at = eye + forward * magnitude(rng, -0.5, 1.5);
    let (width, height) = (rng.u32(200..2000), rng.u32(200..2000));
    Camera { look_at, up, viewport: Viewport::from_size(width, height), ..Camera::at(eye) }
}

/// Returns a random projection of the table with a random camera.
pub(crate) fn any_shot(rng: &mut Rng) -> (Projection, Camera, Shot) {
    let projection = views::ALL[rng.usize(..views::ALL.len())];
    let camera = camera(rng);
    (projection, camera, projection.shot(&camera))
}

/// Returns a random visible point, well inside the viewport and the depth range.
pub(crate) fn visible_point(rng: &mut Rng, shot: &Shot) -> DVec3 {
    let v = shot.view.viewport();
    let world_from_clip = shot.clip_from_world.inverse();
    let px = DVec2::new(v.x + v.width * between(rng, 0.05, 0.95), v.y + v.height * between(rng, 0.05, 0.95));
    let world_at = |depth: f64| {
        let ndc = ndc(shot, px);
        let h = world_from_clip * DVec4::new(ndc.x, ndc.y, depth, 1.0);
        h.truncate() / h.w
    };
    // Depths 0.3 and 0.7 are finite and in front of the viewer in every projection.
    let (a, b) = (world_at(0.3), world_at(0.7));
    let along = (b - a).normalize();
    let (near, outward) = if w(shot, a) < w(shot, b) { (a, along) } else { (b, -along) };
    near + outward * magnitude(rng, -0.5, 1.3)
}

/// Returns the clip w of a point.
pub(crate) fn w(shot: &Shot, point: DVec3) -> f64 {
    shot.clip_from_world.row(3).dot(point.extend(1.0))
}

/// Returns the normalized device coordinates of a pixel (§1 of docs/spec.md).
pub(crate) fn ndc(shot: &Shot, px: DVec2) -> DVec2 {
    let v = shot.view.viewport();
    DVec2::new(2.0 * (px.x - v.x) / v.width - 1.0, 1.0 - 2.0 * (px.y - v.y) / v.height)
}

/// Returns the pixel of a world point, whether or not it is occluded.
pub(crate) fn px(shot: &Shot, point: DVec3) -> DVec2 {
    let clip: DVec4 = shot.clip_from_world * point.extend(1.0);
    let v = shot.view.viewport();
    let (x, y) = (clip.x / clip.w, clip.y / clip.w);
    DVec2::new(v.x + (x + 1.0) * 0.5 * v.width, v.y + (1.0 - y) * 0.5 * v.height)
}

pub(crate) fn handle(name: &str) -> HandleId {
    HandleId::from_name(name).unwrap_or_else(|| panic!("no handle {name}"))
}

pub(crate) fn handle_of(constraint: Constraint) -> HandleId {
    HandleId::from_constraint(constraint)
}

/// Returns a target at `position` without rotation or scale.
pub(crate) fn target_at(position: DVec3) -> Target {
    Target::from_world(Transform::from_translation(position))
}

/// Returns the default settings with this orientation.
pub(crate) fn oriented(orientation: Orientation) -> Settings {
    Settings::default().with(|s| s.orientation = orientation)
}

pub(crate) fn begin(
    handle: HandleId,
    shot: &Shot,
    press: DVec2,
    target: Target,
    settings: &Settings,
) -> Drag {
    Drag::begin(handle, &shot.view, press, &[target], settings, Snap::OFF)
        .unwrap_or_else(|disabled_reason| panic!("{}: {disabled_reason}", handle.name()))
}

/// Returns the displacement of a translation.
pub(crate) fn displacement(motion: Motion) -> DVec3 {
    let Change::Translate(by) = motion.change else { panic!("not a translation: {motion:?}") };
    assert!(by.is_finite(), "{by}");
    by
}

/// Returns the size of the gizmo at a point, in world units, by finite differences of the projection.
pub(crate) fn size_world(shot: &Shot, pivot: DVec3, settings: &Settings) -> f64 {
    let v = shot.view.viewport();
    let size_px = (settings.display.size_lpx * shot.view.scale_factor()).min(0.4 * v.width.min(v.height));
    size_px * world_per_px(shot, pivot)
}

/// Returns the world length of a pixel at a point, parallel to the image plane.
pub(crate) fn world_per_px(shot: &Shot, point: DVec3) -> f64 {
    let n = shot.clip_from_world.row(3).truncate();
    let y = shot.clip_from_world.row(1).truncate();
    let up = if n.length() > 1e-9 { y.reject_from(n) } else { y }.normalize();
    let step = 1e-4 * (1.0 + w(shot, point).abs());
    2.0 * step / px(shot, point + up * step).distance(px(shot, point - up * step))
}

/// Returns the matrix of a transform.
pub(crate) fn matrix(transform: &Transform) -> DMat4 {
    DMat4::from_translation(transform.translation)
        * DMat4::from_quat(transform.rotation.normalize())
        * DMat4::from_scale(transform.scale)
}
