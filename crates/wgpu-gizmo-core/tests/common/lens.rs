//! Builds views from arbitrary numbers and checks that those the constructor accepts are usable
//! without further checks. Property tests and the fuzzer share it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::bytes::Bytes;
use super::views::{self, Camera};
use wgpu_gizmo_core::View;
use wgpu_gizmo_core::glam::{DVec2, DVec3};

/// Returns true if the constructor accepted the view.
///
/// # Panics
/// If an accepted view returns an invalid number.
pub(crate) fn run(bytes: &[u8]) -> bool {
    let mut bytes = Bytes(bytes);
    let made = match bytes.byte() % 4 {
        0 => {
            let m: [f64; 16] = std::array::from_fn(|_| bytes.number());
            View::from_clip_from_world(m, bytes.viewport(), bytes.number())
        }
        1 => {
            let [a, b]: [[f64; 16]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| bytes.number()));
            View::new(a, b, bytes.viewport(), bytes.number())
        }
        2 => View::new(bytes.matrix(), bytes.matrix(), bytes.viewport(), bytes.number()),
        _ => {
            let projection = views::ALL[usize::from(bytes.byte()) % views::ALL.len()];
            let mut point = || DVec3::new(bytes.number(), bytes.number(), bytes.number());
            let [eye, look_at, up] = [point(), point(), point()];
            let camera = Camera { eye, look_at, up, ..Camera::at(DVec3::ONE) };
            let camera = Camera { viewport: bytes.viewport(), ..camera };
            let (view_from_world, clip_from_view) = projection.matrices(&camera);
            View::new(view_from_world, clip_from_view, camera.viewport, 1.0)
        }
    };
    let view = match made {
        Ok(view) => view,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let unit = |v: DVec3| (v.length() - 1.0).abs() < 1e-9;
    assert!(unit(view.forward()) && unit(view.right()) && unit(view.up()), "{view:?}");
    assert!(view.clip_from_world().is_finite());
    let frame = view.axes();
    let off = frame.transpose() * frame - wgpu_gizmo_core::glam::DMat3::IDENTITY;
    assert!(off.to_cols_array().iter().all(|e| e.abs() < 1e-9), "axes {frame} are not orthonormal: {view:?}");
    for _ in 0..4 {
        let px = DVec2::new(bytes.number(), bytes.number());
        let point = DVec3::new(bytes.number(), bytes.number(), bytes.number());
        if !(px.is_finite() && point.is_finite()) {
            continue;
        }
        let ray = view.pointer_ray(px);
        assert!(unit(ray.direction), "{ray:?} through {px} of {view:?}");
        // Below this distance the squared length underflows.
        let is_apart = view.eye().is_none_or(|eye| (point - eye).abs().max_element() > 1e-150);
        if is_apart {
            assert!(unit(view.direction_to(point)), "toward {point} of {view:?}");
        }
        if let Some(px) = view.px_from_world(point) {
            assert!(px.is_finite());
        }
        let depth = bytes.number();
        if let Some(point) = view.unproject(px, depth) {
            assert!(!point.is_nan(), "{point} at {px}, depth {depth} of {view:?}");
        }
        view.pixel_size(point);
        view.clip_w(point);
    }
    true
}
