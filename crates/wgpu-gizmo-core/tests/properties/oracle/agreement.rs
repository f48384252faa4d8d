//! Compares every drag with the oracle.

use super::{Answer, Situation, glance};
use crate::dd::{Dd, apply, dot, length, rotation, sub, to_dvec3, v3};
use crate::holds::{Case, holds};
use crate::scenes::{Scene, magnitude, offset_px, point_of, scene, turn, unit};
use crate::truth::px2;
use crate::views::Camera;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use wgpu_gizmo_core::glam::{DQuat, DVec2, DVec3};
use wgpu_gizmo_core::handle::{Axis, Constraint};
use wgpu_gizmo_core::interaction::{Change, Drag};
use wgpu_gizmo_core::{HandleId, Orientation, Settings, Snap, Solver, Target, Transform};

#[derive(Debug, Clone)]
struct Sample {
    scene: Scene,
    handle: usize,
    frame: DQuat,
    at: (f64, f64),
    jitter_px: DVec2,
    offset_px: DVec2,
    solver: Solver,
    max_distance: Option<f64>,
    /// Offset of the camera during the drag, relative to its distance.
    camera_offset: Option<(DVec3, f64)>,
}

fn sample() -> impl Strategy<Value = Sample> {
    let beside = (-6.0..6.0, -6.0..6.0).prop_map(|(x, y)| DVec2::new(x, y));
    let beside = prop_oneof![Just(DVec2::ZERO), beside];
    let solver =
        prop_oneof![Just(Solver::ScreenProjection), Just(Solver::ClosestPoint), Just(Solver::MovementPlane)];
    let camera_offset = proptest::option::weighted(0.3, (unit(), magnitude(-3.0, -0.3)));
    let max_distance = proptest::option::weighted(0.2, magnitude(-1.0, 3.0));
    (
        scene(),
        0..HandleId::BUILT_IN,
        turn(),
        (0.0..1.0, 0.0..1.0),
        beside,
        offset_px(),
        solver,
        max_distance,
        camera_offset,
    )
        .prop_map(
            |(scene, handle, frame, at, jitter_px, offset_px, solver, max_distance, camera_offset)| Sample {
                scene,
                handle,
                frame,
                at,
                jitter_px,
                offset_px,
                solver,
                max_distance,
                camera_offset,
            },
        )
}

/// Returns the scene after its camera has moved.
fn moved(scene: &Scene, camera_offset: Option<(DVec3, f64)>) -> Scene {
    let Some((toward, by)) = camera_offset else { return scene.clone() };
    let distance = scene.plain.eye.distance(scene.plain.look_at);
    let eye = scene.plain.eye + toward * (by * distance);
    let camera = Camera { eye, ..scene.plain };
    let moved = Scene::of(scene.projection, &camera, DVec2::splat(0.5), 1.0);
    Scene { pivot: scene.pivot, ..moved.expect("a ray intersects a plane that it is not parallel to") }
}

/// Returns a point of a handle on screen, or `None` if it is behind the viewer.
fn point_px(
    scene: &Scene,
    constraint: Constraint,
    axes: [DVec3; 3],
    (u, v): (f64, f64),
    size_px: f64,
) -> Option<DVec2> {
    let size = scene.truth.pixel_size(v3(scene.pivot)).to_f64() * size_px;
    let at = v3(scene.pivot + point_of(constraint, axes, u, v) * size);
    if scene.truth.w(at) <= Dd::ZERO {
        return None;
    }
    // These two handles are circles on screen.
    let radius = match constraint {
        Constraint::ViewRing => 1.15,
        Constraint::Trackball => v,
        _ => 0.0,
    };
    let on_circle = DVec2::from_angle(std::f64::consts::TAU * u) * (radius * size_px);
    Some(DVec2::from_array(scene.truth.px(at).map(Dd::to_f64)) + on_circle)
}

/// Returns the relative difference between the oracle's answer and the change that a drag has found.
fn difference(situation: &Situation<'_>, constraint: Constraint, answer: Answer, found: Change) -> f64 {
    match (answer, found) {
        (Answer::Move(wanted), Change::Translate(found)) => {
            let unit = situation.visible_height() + length(wanted);
            (length(sub(v3(found), wanted)) / unit).to_f64()
        }
        (Answer::Turn { axis, angle }, Change::Rotate { axis: found_axis, principal, turns }) => {
            let off_axis = length(sub(v3(found_axis), axis)).to_f64();
            let tau = std::f64::consts::TAU;
            let apart = principal + tau * turns - angle;
            // The tangent counts whole turns; an angle around the ring does not.
            let facing = dot(axis, situation.press.truth.ray(situation.press_px)).abs().to_f64();
            let counts = matches!(constraint, Constraint::Ring(_)) && facing < 10f64.to_radians().sin();
            let apart =
                if counts { apart / (1.0 + angle.abs()) } else { apart - tau * (apart / tau).round() };
            off_axis.max(apart.abs())
        }
        (Answer::Roll(wanted, angle), Change::RotateFreely(found)) => {
            let sign = wanted.dot(found).signum();
            (wanted - found * sign).length() / (1.0 + angle)
        }
        (Answer::Scale(wanted), Change::Scale(found)) => {
            let found = found.to_array().into_iter().find(|factor| *factor != 1.0).unwrap_or(1.0);
            let wanted = wanted.to_f64();
            let clamped = wanted.abs().clamp(1e-4, 1e6).copysign(if wanted < 0.0 { -1.0 } else { 1.0 });
            (found - clamped).abs() / (1.0 + clamped.abs())
        }
        (answer, found) => panic!("{found:?} does not match {answer:?}"),
    }
}

#[test]
fn every_drag_agrees_with_double_double_search() {
    let worst: RefCell<BTreeMap<&'static str, (f64, u32)>> = RefCell::default();
    holds(&sample(), 0.75, |sample| {
        let handle = HandleId::from_index(sample.handle).expect("the index is in the table");
        let constraint = handle.constraint();
        let (press, now) = (&sample.scene, &moved(&sample.scene, sample.camera_offset));
        let pivot = v3(press.pivot);
        if now.truth.w(pivot) <= Dd::from(1e-3) {
            return Case::Skipped;
        }
        let turned = rotation(sample.frame);
        let axes = Axis::ALL.map(|axis| apply(&turned, v3(axis.unit())));
        let settings = Settings::default().with(|s| {
            s.orientation = Orientation::Custom(sample.frame);
            s.motion.solver = sample.solver;
            s.motion.max_distance = sample.max_distance;
            s.motion.allow_mirror = true;
        });
        let size_px = press.size_px(settings.display.size_lpx);
        let Some(on_handle) = point_px(press, constraint, axes.map(to_dvec3), sample.at, size_px) else {
            return Case::Skipped;
        };
        let press_px = on_handle + sample.jitter_px;
        let cursor_px = press_px + sample.offset_px;
        let local = Transform { translation: press.pivot, rotation: sample.frame, ..Transform::IDENTITY };
        let targets = [Target::from_world(local)];
        let begun = Drag::begin(handle, &press.shot.view, press_px, &targets, &settings, Snap::OFF);
        let Ok(mut drag) = begun else { return Case::Skipped };
        let situation = Situation {
            press,
            now,
            pivot,
            axes,
            press_px: px2(press_px),
            cursor_px: px2(cursor_px),
            settings: &settings,
        };
        // Precision is lost if the handle is a point or a line on screen. Beyond a tenth of a
        // degree there is enough of it, and such handles are not shown anyway.
        let glance_at = |scene, px| glance(scene, constraint, &axes, px);
        let glancing = glance_at(press, situation.press_px).min(glance_at(now, situation.cursor_px));
        if glancing < 0.1f64.to_radians() {
            return Case::Skipped;
        }
        let Some(answer) = situation.solve(constraint) else { return Case::Skipped };
        let found = drag.solve(&now.shot.view, cursor_px, Snap::OFF).change;
        let off = difference(&situation, constraint, answer, found);
        let mut worst = worst.borrow_mut();
        let (max, count) = worst.entry(handle.name()).or_default();
        (*max, *count) = (max.max(off), *count + 1);
        assert!(off < 1e-7, "{}: {off:e} off: {answer:?} against {found:?}", handle.name());
        Case::Checked
    });
    for (name, (off, count)) in worst.into_inner() {
        println!("{name}: {count} cases, at most {off:.1e} off");
    }
}
