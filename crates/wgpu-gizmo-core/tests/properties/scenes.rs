//! Random cameras, reference frames, parents and cursors that proptest generates and shrinks.

use crate::prelude::*;
use std::f64::consts::TAU;

/// A camera, its projection, and a pivot well inside the view.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) projection: Projection,
    /// The camera before the projection adjusts it.
    pub(crate) plain: Camera,
    pub(crate) camera: Camera,
    pub(crate) shot: Shot,
    pub(crate) truth: Truth,
    pub(crate) pivot: DVec3,
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { projection, camera, pivot, .. } = self;
        write!(f, "{}, {camera:?}, pivot {pivot}", projection.name)
    }
}

pub(crate) fn unit() -> impl Strategy<Value = DVec3> + Clone {
    (-1.0..1.0, 0.0..TAU).prop_map(|(z, angle): (f64, f64)| {
        let ring = (1.0 - z * z).sqrt();
        DVec3::new(ring * angle.cos(), ring * angle.sin(), z)
    })
}

/// Returns a power of 10 with an exponent between the two.
pub(crate) fn magnitude(low: f64, high: f64) -> impl Strategy<Value = f64> + Clone {
    (low..high).prop_map(|power| 10f64.powf(power))
}

pub(crate) fn turn() -> impl Strategy<Value = DQuat> + Clone {
    (unit(), -3.1..3.1).prop_map(|(axis, angle)| DQuat::from_axis_angle(axis, angle))
}

/// A camera up to 10³ from the world's origin, with any focus distance and viewport.
pub(crate) fn camera() -> impl Strategy<Value = Camera> + Clone {
    let position = (unit(), magnitude(-1.0, 3.0)).prop_map(|(toward, far)| toward * far);
    (position, unit(), unit(), magnitude(-0.5, 1.5), 200u32..2000, 200u32..2000).prop_map(
        |(eye, forward, up, distance, width, height)| {
            let up = up.reject_from_normalized(forward);
            let up = if up.length() < 0.1 { forward.any_orthonormal_vector() } else { up };
            let viewport = Viewport::from_size(width, height);
            Camera { eye, look_at: eye + forward * distance, up, viewport, scale_factor: 1.0 }
        },
    )
}

pub(crate) fn projection() -> impl Strategy<Value = Projection> + Clone {
    let all: Vec<Projection> = views::ALL.into_iter().chain(views::MIRRORED).collect();
    (0..all.len()).prop_map(move |line| all[line])
}

impl Scene {
    pub(crate) fn of(projection: Projection, camera: &Camera, at: DVec2, depth: f64) -> Option<Self> {
        let (plain, camera) = (*camera, projection.adjusted(camera));
        let mut scene = Self {
            projection,
            plain,
            camera,
            shot: projection.shot(&plain),
            truth: Truth::new(
                projection.factors(&camera),
                camera.viewport,
                projection.orthographic,
                projection.reversed,
            ),
            pivot: DVec3::ZERO,
        };
        let Viewport { x, y, width, height } = camera.viewport;
        let px = DVec2::new(x + at.x * width, y + at.y * height);
        let forward = (camera.look_at - camera.eye).normalize();
        scene.pivot = scene.truth.at_depth(px, camera.eye, forward, depth)?;
        Some(scene)
    }

    /// Returns the center of the viewport.
    pub(crate) fn center_px(&self) -> DVec2 {
        let Viewport { x, y, width, height } = self.camera.viewport;
        DVec2::new(x + 0.5 * width, y + 0.5 * height)
    }

    pub(crate) fn size_px(&self, size_lpx: f64) -> f64 {
        let Viewport { width, height, .. } = self.camera.viewport;
        (size_lpx * self.camera.scale_factor).min(0.4 * width.min(height))
    }
}

pub(crate) fn scene() -> impl Strategy<Value = Scene> + Clone {
    (projection(), camera(), 0.05..0.95, 0.05..0.95, magnitude(-0.5, 1.3)).prop_map(
        |(projection, camera, x, y, depth)| {
            Scene::of(projection, &camera, DVec2::new(x, y), depth)
                .expect("a ray intersects a plane that it is not parallel to")
        },
    )
}

/// Returns a point where a handle can be pressed, relative to the pivot in sizes, from two numbers
/// in 0..1.
pub(crate) fn point_of(constraint: Constraint, axes: [DVec3; 3], u: f64, v: f64) -> DVec3 {
    let column = |axis: wgpu_gizmo_core::handle::Axis| axes[axis.index()];
    let (sine, cosine) = (TAU * u).sin_cos();
    match constraint {
        Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => column(axis) * (0.2 + 0.8 * u),
        Constraint::Plane(normal) | Constraint::ScalePlane(normal) => {
            let [a, b] = normal.others().map(column);
            a * (0.3 + 0.2 * u) + b * (0.3 + 0.2 * v)
        }
        Constraint::Ring(axis) => {
            let [a, b] = axis.others().map(column);
            a * cosine + b * sine
        }
        _ => DVec3::ZERO,
    }
}

/// A cursor relative to the press, in pixels: near, anywhere on screen, or far outside.
pub(crate) fn offset_px() -> impl Strategy<Value = DVec2> + Clone {
    let around = |far: f64| (-far..far, -far..far).prop_map(|(x, y)| DVec2::new(x, y));
    prop_oneof![
        3 => around(3.0),
        6 => around(200.0),
        6 => around(2000.0),
        2 => around(1e5),
        1 => around(1e8),
    ]
}

/// Any invertible parent with a condition number of up to about 10⁴: rotated, stretched, sheared,
/// mirrored.
pub(crate) fn parent() -> impl Strategy<Value = DMat4> + Clone {
    let stretch = [magnitude(-1.5, 1.5), magnitude(-1.5, 1.5), magnitude(-1.5, 1.5)];
    let position = (unit(), magnitude(-1.0, 1.0)).prop_map(|(toward, far)| toward * far);
    (stretch, any::<[bool; 3]>(), turn(), turn(), -1.0..1.0, -1.0..1.0, position).prop_map(
        |(stretch, mirrored, before, after, xy, yz, position)| {
            let signs = mirrored.map(|mirrored| if mirrored { -1.0 } else { 1.0 });
            let mut shear = DMat4::IDENTITY;
            shear.y_axis.x = xy;
            shear.z_axis.y = yz;
            DMat4::from_translation(position)
                * DMat4::from_quat(after)
                * DMat4::from_scale(DVec3::from_array(stretch) * DVec3::from_array(signs))
                * DMat4::from_quat(before)
                * shear
        },
    )
}
