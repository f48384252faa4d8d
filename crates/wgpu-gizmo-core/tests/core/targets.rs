//! Several targets, their pivots, and targets inside others (§9 of docs/spec.md).

mod limits;
mod nested;

use crate::oracle::{bits, cases, handle, magnitude, rotation};
use crate::stage::Stage;
use crate::views::{self, Camera, Shot};
use wgpu_gizmo_core::glam::{DMat3, DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::{Pivot, ShearPolicy};
use wgpu_gizmo_core::interaction::{DisabledReason, Drag, Event, Key, KeyModifiers};
use wgpu_gizmo_core::{Mode, Orientation, Settings, Snap, Target, Transform};

fn front() -> Shot {
    views::ALL[0].shot(&Camera::at(DVec3::new(1.0, 2.0, 9.0)))
}

/// Begins a keyboard drag of a handle and types a number.
fn typed(name: &str, number: &str, targets: &[Target], settings: &Settings) -> Drag {
    let mut drag = Drag::begin_by_keys(handle(name), &front().view, targets, settings, Snap::OFF)
        .unwrap_or_else(|disabled_reason| panic!("{name}: {disabled_reason}"));
    for character in number.chars() {
        drag.key(Key::from_char(character).expect("the character is a key"), Snap::OFF);
    }
    drag
}

fn moved(drag: &Drag, targets: &[Target]) -> Vec<Target> {
    let mut moved = targets.to_vec();
    drag.apply(&mut moved);
    moved
}

fn at(x: f64, y: f64, z: f64) -> Target {
    Target::from_world(Transform { translation: DVec3::new(x, y, z), ..Transform::IDENTITY })
}

fn with_pivot(pivot: Pivot) -> Settings {
    Settings::default().with(|s| s.pivot = pivot)
}

#[test]
fn each_pivot_is_at_its_named_position() {
    let mut targets = [at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0), at(2.0, 3.0, 0.0)];
    targets[0].bounds_local = Some([DVec3::new(-1.0, -2.0, -3.0), DVec3::ONE]);
    targets[1].local.rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    targets[1].bounds_local = Some([DVec3::ZERO, DVec3::new(1.0, 5.0, 1.0)]);
    let pivot_of = |pivot| typed("rotate_z", "", &targets, &with_pivot(pivot)).pivot_world();
    let close = |a: DVec3, b: DVec3| assert!(a.distance(b) < 1e-12, "{a} for {b}");
    close(pivot_of(Pivot::Median), DVec3::new(2.0, 1.0, 0.0));
    close(pivot_of(Pivot::Active), DVec3::new(2.0, 3.0, 0.0));
    close(pivot_of(Pivot::Individual), DVec3::new(2.0, 3.0, 0.0));
    close(pivot_of(Pivot::Custom(DVec3::new(7.0, 8.0, 9.0))), DVec3::new(7.0, 8.0, 9.0));
    // The second target's bounding box, rotated by 90°, spans x = −1 to 4. The third target is a point.
    close(pivot_of(Pivot::BoundsCenter), DVec3::new(1.5, 0.5, -1.0));
}

#[test]
fn targets_inside_each_other_cannot_be_moved() {
    let mut cycle = [at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0)];
    cycle[0].inside = Some(1);
    cycle[1].inside = Some(0);
    let refused =
        Drag::begin_by_keys(handle("translate_x"), &front().view, &cycle, &Settings::default(), Snap::OFF);
    assert_eq!(refused.err(), Some(DisabledReason::NoTarget));
}

#[test]
fn individual_pivots_rotate_each_about_itself() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut targets = [at(1.0, 0.0, 0.0), at(0.0, 5.0, 0.0)];
    targets[0].local.rotation = DQuat::from_rotation_z(quarter);
    for orientation in [Orientation::Local, Orientation::World] {
        let settings = with_pivot(Pivot::Individual).with(|s| s.orientation = orientation);
        let after = moved(&typed("rotate_x", "90", &targets, &settings), &targets);
        for (before, after) in targets.iter().zip(&after) {
            assert_eq!(after.local.translation, before.local.translation);
            let turn = DQuat::from_rotation_x(quarter);
            let expected = match orientation {
                Orientation::Local => before.local.rotation * turn,
                _ => turn * before.local.rotation,
            };
            assert!(after.local.rotation.dot(expected).abs() > 1.0 - 1e-14, "{orientation:?}");
        }
    }
    let settings = with_pivot(Pivot::Individual);
    let after = moved(&typed("scale_x", "2", &targets, &settings), &targets);
    for (before, after) in targets.iter().zip(&after) {
        assert_eq!(after.local.translation, before.local.translation);
        assert_eq!(after.local.scale, DVec3::new(2.0, 1.0, 1.0));
    }
}

#[test]
fn several_targets_rotate_and_scale_as_one() {
    let targets = [at(1.0, 0.0, 0.0), at(3.0, 0.0, 0.0), at(2.0, 2.0, 0.0)];
    let pivot = DVec3::new(2.0, 0.5, 0.0);
    let settings = with_pivot(Pivot::Custom(pivot));
    let after = moved(&typed("rotate_z", "90", &targets, &settings), &targets);
    for (before, after) in targets.iter().zip(&after) {
        let from = before.local.translation - pivot;
        let expected = pivot + DVec3::new(-from.y, from.x, 0.0);
        assert!(after.local.translation.distance(expected) < 1e-14);
    }
    let after = moved(&typed("scale_yz", "3", &targets, &settings), &targets);
    for (before, after) in targets.iter().zip(&after) {
        let from = before.local.translation - pivot;
        let expected = pivot + DVec3::new(from.x, 3.0 * from.y, 3.0 * from.z);
        assert!(after.local.translation.distance(expected) < 1e-14);
        assert_eq!(after.local.scale, DVec3::new(1.0, 3.0, 3.0));
    }
}

#[test]
fn each_target_gizmo_rotates_all_about_grabbed_one() {
    let mut stage = Stage::of_mode(Mode::Rotate);
    stage.gizmo.settings.pivot = Pivot::EachTarget;
    stage.gizmo.settings.orientation = Orientation::Local;
    stage.gizmo.settings.display.size_lpx = 60.0;
    stage.targets = vec![at(-1.5, 0.0, 0.0), at(1.5, 0.0, 0.0), at(0.0, 1.5, 0.0)];
    stage.targets[0].local.rotation = DQuat::from_rotation_y(0.3);
    stage.targets[2].inside = Some(1);
    stage.update();
    let list = stage.draw();
    let ids: std::collections::BTreeSet<u32> = list.items().iter().map(|item| item.handle_id()).collect();
    assert_eq!(ids.len(), 2 * 5, "five handles on each of two gizmos");
    let of = |id: u32| {
        stage
            .gizmo
            .handle_of(id.try_into().expect("the id is not 0"))
            .expect("the id is one of this gizmo")
            .name()
    };
    let names: std::collections::BTreeSet<&str> = ids.iter().map(|id| of(*id)).collect();
    assert_eq!(names.len(), 5);

    // The outer ring of the first gizmo, directly above its center.
    let outer = 1.15 * 60.0;
    let center = crate::oracle::px(&stage.shot, DVec3::new(-1.5, 0.0, 0.0));
    let events = stage.grab(center - DVec2::new(0.0, outer));
    assert!(events.contains(&Event::Started(handle("rotate_view"))), "{events:?}");
    assert_eq!(stage.gizmo.hovered_target(), Some(0));
    let drag = stage.gizmo.drag().expect("a drag is in progress");
    assert_eq!(drag.pivot_world(), DVec3::new(-1.5, 0.0, 0.0));
    let before = stage.targets.clone();
    stage.point_at(center + DVec2::new(outer, 0.0));
    assert_eq!(stage.targets[0].local.translation, before[0].local.translation);
    let arm = before[1].local.translation - before[0].local.translation;
    let arm_now = stage.targets[1].local.translation - stage.targets[0].local.translation;
    assert!((arm.length() - arm_now.length()).abs() < 1e-12 && arm.distance(arm_now) > 1.0);
    assert_eq!(bits(&stage.targets[2].local), bits(&before[2].local));
    stage.gizmo.cancel();
    stage.update();
    assert_eq!(stage.targets, before);
}

#[test]
fn axis_key_drags_gizmo_under_pointer() {
    for hovered in [Some(0), None] {
        let mut stage = Stage::new(with_pivot(Pivot::EachTarget).with(|s| s.mode = Mode::Rotate));
        stage.targets = vec![at(-1.5, 0.0, 0.0), at(1.5, 0.0, 0.0)];
        stage.update();
        let center = crate::oracle::px(&stage.shot, DVec3::new(-1.5, 0.0, 0.0));
        let outer = 1.15 * stage.gizmo.settings.display.size_lpx;
        stage.hover(if hovered.is_some() { center - DVec2::new(0.0, outer) } else { DVec2::new(5.0, 5.0) });
        assert_eq!(stage.gizmo.hovered_target(), hovered);
        stage.gizmo.key(Key::Axis(Axis::X), KeyModifiers::NONE);
        assert_eq!(stage.update()[..1], [Event::Started(handle("rotate_x"))]);
        let pivot = stage.gizmo.drag().expect("a drag is in progress").pivot_world();
        assert_eq!(pivot, stage.targets[hovered.unwrap_or(1)].local.translation);
    }
}

#[test]
fn removed_target_has_no_hovered_gizmo() {
    let mut stage = Stage::new(with_pivot(Pivot::EachTarget));
    stage.targets = vec![at(-2.0, 0.0, 0.0), at(1.5, 0.0, 0.0)];
    stage.update();
    let arrow = stage.at(DVec3::X * 0.8);
    stage.hover(arrow);
    assert_eq!(stage.gizmo.hovered_target(), Some(1));
    // The target is removed while the press is pending.
    stage.gizmo.pointer_pressed();
    stage.update();
    stage.answer();
    stage.targets.pop();
    assert_eq!(stage.update(), [Event::Refused(handle("translate_x"), DisabledReason::NoTarget)]);
    assert_eq!((stage.gizmo.hovered(), stage.gizmo.hovered_target()), (None, None));

    // The target is removed while the answer to a hover is in flight.
    let mut stage = Stage::new(with_pivot(Pivot::EachTarget));
    stage.targets = vec![at(-2.0, 0.0, 0.0), at(1.5, 0.0, 0.0)];
    stage.update();
    let arrow = stage.at(DVec3::X * 0.8);
    stage.point_at(arrow);
    let query = stage.gizmo.pick_query().expect("the hover has a query");
    let hit = stage.draw().pick(arrow, query.radius_px);
    assert_eq!(hit.and_then(|id| stage.gizmo.target_of(id)), Some(1));
    stage.targets.pop();
    stage.update();
    stage.gizmo.answer(&query.answered(hit));
    assert_eq!((stage.gizmo.hovered(), stage.gizmo.hovered_target()), (None, None));
}

#[test]
fn wheel_drag_by_ray_ends_over_ring_of_other_target() {
    let mut stage = Stage::new(with_pivot(Pivot::EachTarget).with(|s| {
        s.mode = Mode::Rotate;
        s.input.wheel_nudge = true;
    }));
    stage.targets = vec![at(-1.5, 0.0, 0.0), at(1.5, 0.0, 0.0)];
    stage.update();
    let outer = DVec2::Y * 1.15 * stage.gizmo.settings.display.size_lpx;
    let [first, second] = [0, 1].map(|i| crate::oracle::px(&stage.shot, stage.targets[i].position_world()));
    let rays = [first, second].map(|center| stage.shot.view.pointer_ray(center - outer));
    stage.gizmo.pointer_ray(rays[0], 0.01);
    stage.update();
    stage.gizmo.wheel(1.0);
    assert_eq!(stage.update()[..1], [Event::Started(handle("rotate_view"))]);
    stage.gizmo.pointer_ray(rays[1], 0.01);
    stage.update();
    assert_eq!(stage.update(), [Event::Ended { changed: true }]);
    assert_eq!(stage.gizmo.hovered_target(), Some(1));
}

#[test]
fn shear_policies_differ_only_under_non_uniform_parents() {
    let policies = [ShearPolicy::BestFit, ShearPolicy::LocalOnly, ShearPolicy::Reject];
    let under = |parent: DMat4, policy| {
        let targets =
            [Target::new(Transform { scale: DVec3::new(1.0, 2.0, 3.0), ..Transform::IDENTITY }, parent)];
        let settings = Settings::default().with(|s| s.motion.shear = policy);
        let view = front().view;
        let drag = Drag::begin_by_keys(handle("rotate_x"), &view, &targets, &settings, Snap::OFF);
        drag.map(|mut drag| {
            for character in "50".chars() {
                drag.key(Key::from_char(character).expect("the character is a digit"), Snap::OFF);
            }
            (moved(&drag, &targets)[0].local.rotation, drag.residual())
        })
    };
    cases(2_000, |rng| {
        let mirror = if rng.bool() { -1.0 } else { 1.0 };
        let factor = mirror * magnitude(rng, -2.0, 2.0);
        let parent = DMat4::from_quat(rotation(rng)) * DMat4::from_scale(DVec3::splat(factor));
        let expected =
            DQuat::from_mat4(&(DMat4::from_quat(DQuat::from_mat4(&(parent * (1.0 / factor))).inverse())))
                * DQuat::from_rotation_x(50f64.to_radians())
                * DQuat::from_mat3(&(DMat3::from_mat4(parent) * (1.0 / factor)));
        for policy in policies {
            let (turned, residual) = under(parent, policy).expect("the result has no shear");
            assert!(turned.dot(expected).abs() > 1.0 - 1e-12, "{policy:?}: {turned} for {expected}");
            assert!(residual < 1e-9, "{policy:?}: {residual}");
        }
        let uneven = DMat4::from_quat(rotation(rng))
            * DMat4::from_scale(DVec3::new(1.0, 2.0, 0.5 * mirror))
            * DMat4::from_quat(rotation(rng));
        assert_eq!(under(uneven, ShearPolicy::Reject).err(), Some(DisabledReason::Shear));
        let (best, best_residual) = under(uneven, ShearPolicy::BestFit).expect("a best fit");
        let (local, local_residual) = under(uneven, ShearPolicy::LocalOnly).expect("the rotation is local");
        assert!(best_residual > 1e-6 && local_residual > 1e-6);
        // The residual is the norm of P⁻¹RP − Q.
        let p = DMat3::from_mat4(uneven);
        let scale = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
        let expected = p.inverse() * DMat3::from_rotation_x(50f64.to_radians()) * p * scale;
        let norm = |m: DMat3| m.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt();
        for (rotation, residual) in [(best, best_residual), (local, local_residual)] {
            let by_hand = norm(expected - DMat3::from_quat(rotation) * scale) / norm(scale);
            assert!((by_hand - residual).abs() < 1e-12, "{residual} for {by_hand}");
        }
        // The local rotation has the same angle, about the axis transformed into the parent.
        let axis = (p.inverse() * DVec3::X).normalize() * p.determinant().signum();
        let by_hand = DQuat::from_axis_angle(axis, 50f64.to_radians());
        assert!(local.dot(by_hand).abs() > 1.0 - 1e-12);
    });
}

#[test]
fn last_target_decides_frame_and_factors_apply_per_channel() {
    let mut targets = [at(0.0, 0.0, 0.0), at(4.0, 0.0, 0.0)];
    targets[1].local.rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let settings = with_pivot(Pivot::Active);
    let drag = typed("scale_x", "2", &targets, &settings);
    // The active target's X axis is world Y, so no position changes along world X.
    let after = moved(&drag, &targets);
    assert!(after[0].local.translation.length() < 1e-12);
    assert_eq!(after[0].local.scale, DVec3::new(2.0, 1.0, 1.0));
    assert_eq!(after[1].local.scale, DVec3::new(2.0, 1.0, 1.0));
}
