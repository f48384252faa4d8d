//! Targets under transformed parents (§9 of docs/spec.md).

use crate::oracle::{
    self, between, bits, cases, direction, handle, magnitude, matrix, odd_transform, px, rotation,
};
use crate::views::{self, Camera, Shot};
use fastrand::Rng;
use wgpu_gizmo_core::glam::{DMat3, DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::interaction::settings::Pivot;
use wgpu_gizmo_core::interaction::{Change, DisabledReason, Drag};
use wgpu_gizmo_core::{HandleId, Orientation, Settings, Snap, Target, Transform};

fn shot(rng: &mut Rng) -> Shot {
    let eye = direction(rng) * magnitude(rng, 0.3, 1.3);
    views::ALL[rng.usize(..views::ALL.len())].shot(&Camera::at(eye))
}

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

/// Returns a random parent with rotation, uniform scale and perhaps mirroring.
fn uniform_parent(rng: &mut Rng) -> DMat4 {
    let factor = magnitude(rng, -3.0, 3.0) * if rng.bool() { -1.0 } else { 1.0 };
    let mut mirror = DVec3::ONE;
    if rng.bool() {
        mirror[rng.usize(..3)] = -1.0;
    }
    DMat4::from_translation(direction(rng) * 3.0)
        * DMat4::from_quat(rotation(rng))
        * DMat4::from_scale(mirror * factor)
        * DMat4::from_quat(rotation(rng))
}

/// Returns a target under `parent` whose origin is at `position` in world space.
fn target_in(rng: &mut Rng, parent: DMat4, position: DVec3) -> Target {
    let local = Transform {
        translation: parent.inverse().transform_point3(position),
        rotation: rotation(rng),
        scale: DVec3::from_array(std::array::from_fn(|_| magnitude(rng, -1.0, 1.0))),
    };
    Target::new(local, parent)
}

fn world(target: &Target) -> DMat4 {
    target.world_from_parent * matrix(&target.local)
}

fn largest(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()))
}

fn begin(name: &str, shot: &Shot, press: DVec2, targets: &[Target], settings: &Settings) -> Drag {
    Drag::begin(handle(name), &shot.view, press, targets, settings, Snap::OFF).expect("the handle is usable")
}

#[test]
fn translation_is_exact_under_any_parent() {
    cases(100_000, |rng| {
        let shot = shot(rng);
        let parents = [any_parent(rng), any_parent(rng)];
        let position = direction(rng) * 0.5;
        let starts = parents.map(|parent| target_in(rng, parent, position));
        let settings = Settings::default().with(|s| s.pivot = Pivot::Active);
        let name = ["translate_x", "translate_zx", "translate_view"][rng.usize(..3)];
        let press = px(&shot, position) + DVec2::new(20.0, 11.0);
        let mut drag = begin(name, &shot, press, &starts, &settings);
        let by_px = DVec2::new(between(rng, -200.0, 200.0), between(rng, -200.0, 200.0));
        let Change::Translate(by) = drag.solve(&shot.view, press + by_px, Snap::OFF).change else {
            panic!("no translation")
        };
        if by.length() < 0.01 || by.length() > 1e3 {
            return;
        }
        let mut targets = starts;
        drag.apply(&mut targets);
        for (now, start) in targets.iter().zip(&starts) {
            let moved = (world(now) - world(start)).w_axis.truncate();
            let off = moved.distance(by) / by.length();
            assert!(off < 1e-9, "{off} of {by} under {}", start.world_from_parent);
            assert_eq!((now.local.rotation, now.local.scale), (start.local.rotation, start.local.scale));
        }
    });
}

#[test]
fn rotation_is_exact_under_uniform_parents() {
    cases(100_000, |rng| {
        let shot = shot(rng);
        let starts: [Target; 2] = std::array::from_fn(|_| {
            let (parent, position) = (uniform_parent(rng), direction(rng) * 0.5);
            target_in(rng, parent, position)
        });
        let settings = Settings::default().with(|s| s.orientation = Orientation::Custom(rotation(rng)));
        let pivot = 0.5 * (starts[0].position_world() + starts[1].position_world());
        let name = ["rotate_x", "rotate_view", "rotate_trackball"][rng.usize(..3)];
        let press = px(&shot, pivot) + DVec2::new(60.0, -31.0);
        let mut drag = begin(name, &shot, press, &starts, &settings);
        let by_px = DVec2::new(between(rng, -200.0, 200.0), between(rng, -200.0, 200.0));
        let turn = match drag.solve(&shot.view, press + by_px, Snap::OFF).change {
            Change::Rotate { axis, principal, .. } => DQuat::from_axis_angle(axis, principal),
            Change::RotateFreely(turn) => turn,
            other => panic!("no turn: {other:?}"),
        };
        let mut targets = starts;
        drag.apply(&mut targets);
        for (now, start) in targets.iter().zip(&starts) {
            let (now, start) = (world(now), world(start));
            let (linear, expected) =
                (DMat3::from_mat4(now), DMat3::from_quat(turn) * DMat3::from_mat4(start));
            let off = largest(linear - expected) / largest(expected);
            assert!(off < 1e-9, "{name}: {off}");
            let expected = pivot + turn * (start.w_axis.truncate() - pivot);
            assert!(now.w_axis.truncate().distance(expected) < 1e-9, "{name}: {expected}");
        }
    });
}

#[test]
fn rotation_under_stretched_parent_is_nearest() {
    cases(20_000, |rng| {
        let shot = shot(rng);
        let parent = any_parent(rng);
        let start = target_in(rng, parent, DVec3::ZERO);
        let press = px(&shot, start.position_world()) + DVec2::new(60.0, -31.0);
        let mut drag = begin("rotate_view", &shot, press, &[start], &Settings::default());
        let cursor = press + DVec2::new(between(rng, -99.0, 99.0), between(rng, -99.0, 99.0));
        let Change::Rotate { axis, principal, .. } = drag.solve(&shot.view, cursor, Snap::OFF).change else {
            panic!("no turn")
        };
        let mut targets = [start];
        drag.apply(&mut targets);
        let now = targets[0].local;
        assert_eq!(now.scale, start.local.scale);
        assert_eq!(bits(&Transform { rotation: start.local.rotation, ..now }), bits(&start.local));
        let p = DMat3::from_mat4(parent);
        let expected = p.inverse()
            * DMat3::from_quat(DQuat::from_axis_angle(axis, principal))
            * p
            * DMat3::from_quat(start.local.rotation);
        // For the nearest rotation Q, QᵀM is symmetric and no two of its eigenvalues have a negative sum.
        let stretch = DMat3::from_quat(now.rotation).transpose() * expected;
        let skew = largest(stretch - stretch.transpose()) / largest(stretch);
        assert!(skew < 1e-9, "{skew}");
        let distance = |q: DQuat| {
            let m = expected - DMat3::from_quat(q);
            m.to_cols_array().iter().map(|e| e * e).sum::<f64>()
        };
        let best = distance(now.rotation);
        for _ in 0..6 {
            let other = distance(rotation(rng) * now.rotation);
            assert!(best <= other * (1.0 + 1e-9), "{best} against {other}");
        }
    });
}

#[test]
fn singular_parent_disables_every_handle() {
    cases(20_000, |rng| {
        let shot = shot(rng);
        let mut flat = DVec3::from_array(std::array::from_fn(|_| magnitude(rng, -3.0, 3.0)));
        flat[rng.usize(..3)] = 0.0;
        let parent =
            DMat4::from_quat(rotation(rng)) * DMat4::from_scale(flat) * DMat4::from_quat(rotation(rng));
        let targets = [Target::from_world(Transform::IDENTITY), Target::new(Transform::IDENTITY, parent)];
        let order = if rng.bool() { [0, 1] } else { [1, 0] };
        let targets = order.map(|i| targets[i]);
        for handle in HandleId::all() {
            let press = px(&shot, DVec3::ZERO) + 30.0;
            let drag = Drag::begin(handle, &shot.view, press, &targets, &Settings::default(), Snap::OFF);
            assert_eq!(drag.err(), Some(DisabledReason::SingularParent), "{} {parent}", handle.name());
        }
    });
    assert!(DisabledReason::SingularParent.to_string().contains("parent"));
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
fn zero_scale_target_translates_and_rotates() {
    let shot = views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 5.0)));
    for scale in [DVec3::new(0.0, 1.0, 2.0), DVec3::new(0.0, 0.0, -1.0), DVec3::ZERO] {
        let local = Transform { scale, ..odd_transform(DVec3::new(0.1, 0.2, 0.0)) };
        let start = Target::from_world(local);
        for handle in HandleId::all() {
            let settings = Settings::default().with(|s| s.orientation = Orientation::Local);
            let press = px(&shot, start.position_world()) + DVec2::new(50.0, -20.0);
            let drag = Drag::begin(handle, &shot.view, press, &[start], &settings, Snap::OFF);
            let is_disabled = match handle.name() {
                "scale_x" => scale.x == 0.0,
                "scale_y" => scale.y == 0.0,
                "scale_z" => scale.z == 0.0,
                "scale_xy" => scale.x == 0.0 && scale.y == 0.0,
                "scale_yz" | "scale_zx" | "scale_uniform" => scale == DVec3::ZERO,
                _ => false,
            };
            if is_disabled {
                assert_eq!(drag.err(), Some(DisabledReason::ZeroScale), "{} of {scale}", handle.name());
                continue;
            }
            let mut drag = drag.unwrap_or_else(|reason| panic!("{} of {scale}: {reason}", handle.name()));
            drag.solve(&shot.view, press + DVec2::new(31.0, 27.0), Snap::OFF);
            let mut targets = [start];
            drag.apply(&mut targets);
            assert!(targets[0].local.is_finite() && targets[0] != start, "{} of {scale}", handle.name());
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
