//! Plain mathematics that the tests hold the crate against: its own projection, its own rays,
//! worked out from the matrices that the views were made from.

use crate::views::{self, Camera, Projection, Shot};
use fastrand::Rng;
use wgpu_gizmo::glam::{DMat3, DMat4, DQuat, DVec2, DVec3, DVec4};
use wgpu_gizmo::handle::Constraint;
use wgpu_gizmo::interaction::Drag;
use wgpu_gizmo::{HandleId, Orientation, Settings, Snap, Target, Transform, Viewport};

/// Runs `check` with a generator of its own for each case, and says which case failed.
pub(crate) fn cases(count: u64, check: impl Fn(&mut Rng)) {
    struct Announce(u64);
    impl Drop for Announce {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("failed in the case with seed {}", self.0);
            }
        }
    }
    for seed in 0..count {
        let announce = Announce(seed);
        check(&mut Rng::with_seed(seed));
        drop(announce);
    }
}

pub(crate) fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

/// 10 to a power between `low` and `high`.
pub(crate) fn magnitude(rng: &mut Rng, low: f64, high: f64) -> f64 {
    10f64.powf(between(rng, low, high))
}

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

/// A camera somewhere, looking somewhere.
pub(crate) fn camera(rng: &mut Rng) -> Camera {
    let eye = direction(rng) * magnitude(rng, -1.0, 3.0);
    let forward = direction(rng);
    let up = direction(rng).reject_from_normalized(forward);
    let up = if up.length() < 0.1 { forward.any_orthonormal_vector() } else { up };
    let look_at = eye + forward * magnitude(rng, -0.5, 1.5);
    let (width, height) = (rng.u32(200..2000), rng.u32(200..2000));
    Camera { look_at, up, viewport: Viewport::of_size(width, height), ..Camera::at(eye) }
}

/// Any line of the table, seen by any camera.
pub(crate) fn any_shot(rng: &mut Rng) -> (Projection, Camera, Shot) {
    let projection = views::ALL[rng.usize(..views::ALL.len())];
    let camera = camera(rng);
    (projection, camera, projection.shot(&camera))
}

/// A point that the camera sees, well inside its viewport and its depth range.
pub(crate) fn visible_point(rng: &mut Rng, shot: &Shot) -> DVec3 {
    let v = shot.view.viewport();
    let world_from_clip = shot.clip_from_world.inverse();
    let px = DVec2::new(v.x + v.width * between(rng, 0.05, 0.95), v.y + v.height * between(rng, 0.05, 0.95));
    let world_at = |depth: f64| {
        let ndc = ndc(shot, px);
        let h = world_from_clip * DVec4::new(ndc.x, ndc.y, depth, 1.0);
        h.truncate() / h.w
    };
    // Depths 0.3 and 0.7 are finite in front of every projection: a line through the pixel.
    let (a, b) = (world_at(0.3), world_at(0.7));
    let along = (b - a).normalize();
    let (near, outward) = if w(shot, a) < w(shot, b) { (a, along) } else { (b, -along) };
    near + outward * magnitude(rng, -0.5, 1.3)
}

/// Unit direction in which the camera sees a point.
pub(crate) fn direction_to(projection: &Projection, camera: &Camera, point: DVec3) -> DVec3 {
    let from = if projection.orthographic { camera.look_at - camera.eye } else { point - camera.eye };
    from.normalize()
}

/// Clip w.
pub(crate) fn w(shot: &Shot, point: DVec3) -> f64 {
    shot.clip_from_world.row(3).dot(point.extend(1.0))
}

/// Normalized device coordinates of a pixel, as the specification states them.
pub(crate) fn ndc(shot: &Shot, px: DVec2) -> DVec2 {
    let v = shot.view.viewport();
    DVec2::new(2.0 * (px.x - v.x) / v.width - 1.0, 1.0 - 2.0 * (px.y - v.y) / v.height)
}

/// Where a world point is drawn, whatever is in front of it.
pub(crate) fn px(shot: &Shot, point: DVec3) -> DVec2 {
    let clip: DVec4 = shot.clip_from_world * point.extend(1.0);
    let v = shot.view.viewport();
    let (x, y) = (clip.x / clip.w, clip.y / clip.w);
    DVec2::new(v.x + (x + 1.0) * 0.5 * v.width, v.y + (1.0 - y) * 0.5 * v.height)
}

/// Two planes that hold everything drawn at a pixel: normal and offset each.
pub(crate) fn pixel_planes(shot: &Shot, px: DVec2) -> [DVec4; 2] {
    let ndc = ndc(shot, px);
    let m = shot.clip_from_world;
    let (x, y, w) = (m.row(0), m.row(1), m.row(3));
    if ndc.length() < 1.0 {
        return [x - w * ndc.x, y - w * ndc.y];
    }
    // The same two, turned so that far outside the viewport they still cross at an angle.
    let toward = ndc.normalize();
    [x * toward.x + y * toward.y - w * ndc.length(), x * toward.y - y * toward.x]
}

/// Where what is drawn at a pixel meets a plane: three linear equations.
pub(crate) fn plane_hit(shot: &Shot, px: DVec2, point: DVec3, normal: DVec3) -> DVec3 {
    let [a, b] = pixel_planes(shot, px);
    let scale = |p: DVec4| p / p.truncate().length();
    let (a, b) = (scale(a), scale(b));
    // Relative to `point`, so that nothing far away cancels.
    let offsets = DVec3::new(a.dot(point.extend(1.0)), b.dot(point.extend(1.0)), 0.0);
    let rows = DMat3::from_cols(a.truncate(), b.truncate(), normal).transpose();
    point - rows.inverse() * offsets
}

pub(crate) fn handle(name: &str) -> HandleId {
    HandleId::from_name(name).unwrap_or_else(|| panic!("no handle {name}"))
}

pub(crate) fn handle_of(constraint: Constraint) -> HandleId {
    HandleId::from_constraint(constraint)
}

/// A target at `position` and nothing else.
pub(crate) fn target_at(position: DVec3) -> Target {
    Target::from_world(Transform { translation: position, ..Transform::IDENTITY })
}

/// Settings with one orientation and nothing else unusual.
pub(crate) fn oriented(orientation: Orientation) -> Settings {
    Settings { orientation, ..Settings::default() }
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

/// Size of the gizmo at a point, in world units, by finite differences of the projection.
pub(crate) fn size_world(shot: &Shot, pivot: DVec3, settings: &Settings) -> f64 {
    let v = shot.view.viewport();
    let size_px = (settings.size_lpx * shot.view.scale_factor()).min(0.4 * v.width.min(v.height));
    size_px * world_per_px(shot, pivot)
}

/// World length of a pixel at a point, in the image plane.
pub(crate) fn world_per_px(shot: &Shot, point: DVec3) -> f64 {
    let n = shot.clip_from_world.row(3).truncate();
    let y = shot.clip_from_world.row(1).truncate();
    let up = if n.length() > 1e-9 { y.reject_from(n) } else { y }.normalize();
    let step = 1e-4 * (1.0 + w(shot, point).abs());
    2.0 * step / px(shot, point + up * step).distance(px(shot, point - up * step))
}

/// The transform's matrix, by hand.
pub(crate) fn matrix(transform: &Transform) -> DMat4 {
    DMat4::from_translation(transform.translation)
        * DMat4::from_quat(transform.rotation.normalize())
        * DMat4::from_scale(transform.scale)
}

/// Every bit of a transform: −0.0 is not 0.0 here.
pub(crate) fn bits(transform: &Transform) -> [u64; 10] {
    let Transform { translation: t, rotation: r, scale: s } = *transform;
    [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f64::to_bits)
}

/// A transform that arithmetic would not leave alone: −0.0, thirds, a quaternion that is not
/// normalized, a mirror.
pub(crate) fn odd_transform(translation: DVec3) -> Transform {
    Transform {
        translation,
        rotation: DQuat::from_xyzw(0.1, -0.0, 1.0 / 3.0, 2.0),
        scale: DVec3::new(-1.0 / 3.0, 0.7, 1e-3),
    }
}
