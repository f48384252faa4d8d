//! Compares every drag with the oracle.

use super::{Answer, Situation, glance};
use crate::drags::moved;
use crate::prelude::*;

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
    let beside = (-6.0..6.0, -6.0..6.0).prop_map(|(x, y)| DVec2::new(x, y));
    let press = (0..HandleId::BUILT_IN, (0.0..1.0, 0.0..1.0), prop_oneof![Just(DVec2::ZERO), beside]);
    let settings = (turn(), select(&Solver::ALL), weighted(0.2, magnitude(-1.0, 3.0)));
    // Relative to the distance of the camera.
    let camera_offset = weighted(0.3, (unit(), magnitude(-3.0, -0.3)));
    holds(&(scene(), press, offset_px(), settings, camera_offset), 0.75, |case| {
        let (press, (handle, at, jitter_px), offset_px, settings, camera_offset) = case;
        let (frame, solver, max_distance) = *settings;
        let handle = HandleId::from_index(*handle).expect("the index is in the table");
        let (constraint, now) = (handle.constraint(), &moved(press, *camera_offset));
        let pivot = v3(press.pivot);
        if now.truth.w(pivot) <= Dd::from(1e-3) {
            return None;
        }
        let turned = rotation(frame);
        let axes = Axis::ALL.map(|axis| apply(&turned, v3(axis.unit())));
        let settings = Settings::default().with(|s| {
            s.orientation = Orientation::Custom(frame);
            s.motion.solver = solver;
            s.motion.max_distance = max_distance;
            s.motion.allow_mirror = true;
        });
        let size_px = press.size_px(settings.display.size_lpx);
        let on_handle = point_px(press, constraint, axes.map(to_dvec3), *at, size_px)?;
        let press_px = on_handle + *jitter_px;
        let cursor_px = press_px + *offset_px;
        let local = Transform { translation: press.pivot, rotation: frame, ..Transform::IDENTITY };
        let targets = [Target::from_world(local)];
        let begun = Drag::begin(handle, &press.shot.view, press_px, &targets, &settings, Snap::OFF);
        let mut drag = begun.ok()?;
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
            return None;
        }
        let answer = situation.solve(constraint)?;
        let found = drag.solve(&now.shot.view, cursor_px, Snap::OFF).change;
        let off = difference(&situation, constraint, answer, found);
        assert!(off < 1e-7, "{}: {off:e} off: {answer:?} against {found:?}", handle.name());
        Some(())
    });
}
