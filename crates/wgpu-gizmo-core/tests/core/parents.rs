//! Targets under transformed parents (§9 of docs/spec.md).

use crate::oracle::{self, between, cases, direction, handle, magnitude, matrix, px, rotation};
use crate::views::{self, Camera, Shot};
use fastrand::Rng;
use wgpu_gizmo_core::glam::{DMat3, DMat4, DVec2, DVec3};
use wgpu_gizmo_core::interaction::Drag;
use wgpu_gizmo_core::{Settings, Snap, Target, Transform};

/// Returns a random invertible parent with rotation, stretch, shear and mirroring, and a condition number
/// up to about 10⁴.
fn any_parent(rng: &mut Rng) -> DMat4 {
    let mut stretch = DVec3::from_array(std::array::from_fn(|_| magnitude(rng, -1.5, 1.5)));
    for i in 0..3 {
        if rng.u8(..3) == 0 {
            stretch[i] = -stretch[i];
        }
    }
    let mut shear = DMat4::IDENTITY;
    shear.y_axis.x = between(rng, -1.0, 1.0);
    shear.z_axis.y = between(rng, -1.0, 1.0);
    DMat4::from_translation(direction(rng) * magnitude(rng, -1.0, 1.0))
        * DMat4::from_quat(rotation(rng))
        * DMat4::from_scale(stretch)
        * DMat4::from_quat(rotation(rng))
        * shear
}

fn begin(name: &str, shot: &Shot, press: DVec2, targets: &[Target], settings: &Settings) -> Drag {
    Drag::begin(handle(name), &shot.view, press, targets, settings, Snap::OFF).expect("the handle is usable")
}

#[test]
fn tiny_or_huge_parent_is_not_singular() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 5.0)));
    for factor in [1e-120, 1e-30, 1e-8, 1e8, 1e30, 1e120] {
        let parent = DMat4::from_scale(DVec3::new(factor, -factor, factor));
        let start = Target::new(Transform::IDENTITY, parent);
        for name in ["translate_x", "rotate_y", "scale_uniform"] {
            let press = px(&shot, DVec3::ZERO) + 40.0;
            let mut drag = begin(name, &shot, press, &[start], &Settings::default());
            drag.solve(&shot.view, press + DVec2::new(33.0, -20.0), Snap::OFF);
            let mut targets = [start];
            drag.apply(&mut targets);
            assert!(targets[0].local.is_finite() && targets[0] != start, "{name} in {factor}");
        }
    }
}

#[test]
fn decomposed_matrix_round_trips_up_to_its_error() {
    cases(50_000, |rng| {
        let m = any_parent(rng);
        let decomposed = Transform::from_matrix(m).expect("the matrix is invertible");
        let missing = m - matrix(&decomposed);
        let squares = |m: &[f64]| m.iter().map(|e| e * e).sum::<f64>();
        let linear = DMat3::from_mat4(m).to_cols_array();
        let lost = (squares(&missing.to_cols_array()) / squares(&linear)).sqrt();
        let error = decomposed.error_against(m);
        assert!((error - lost).abs() < 1e-12, "{error} against {lost}");
        let whole = oracle::odd_transform(DVec3::new(1.0, -2.0, 0.5));
        let whole = Transform { rotation: rotation(rng), ..whole };
        let back = Transform::from_matrix(matrix(&whole)).expect("the matrix is invertible");
        assert!(back.error_against(matrix(&whole)) < 1e-12, "{back:?}");
    });
}
