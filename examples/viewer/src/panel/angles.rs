//! Rotations as three Euler angles in degrees, for the fields of the panel.
//!
//! A node is rotated about X, then about Y, then about Z of its parent. Angles that were shown or typed are
//! stored with their quaternion: if the node has that quaternion again, for example after undo or cancel, it
//! shows the same angles. Any other rotation shows the angles nearest to those at rest, so angles do not
//! accumulate turns during a drag.

use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat3, DQuat, DVec3};

/// Maps rotations to the angles that they show.
#[derive(Debug, Default)]
pub(super) struct Angles {
    /// The angles of each node when it was last at rest, or that were typed since.
    at_rest: HashMap<usize, (DVec3, DQuat)>,
    /// The angles of each rotation that a node had at rest, by the bits of the rotation.
    known: HashMap<(usize, [u64; 4]), DVec3>,
}

/// Whether a rotation is final or part of a change in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// A drag or a field is changing the rotation.
    Changing,
    AtRest,
}

fn key(node: usize, rotation: DQuat) -> (usize, [u64; 4]) {
    (node, rotation.to_array().map(f64::to_bits))
}

impl Angles {
    /// Returns the angles about X, Y and Z, in degrees.
    pub(super) fn of(&mut self, node: usize, rotation: DQuat, moment: Moment) -> DVec3 {
        let last = self.at_rest.get(&node).copied();
        let same = last.filter(|(_, made)| *made == rotation).map(|(degrees, _)| degrees);
        let known = || self.known.get(&key(node, rotation)).copied();
        let near = last.map_or(DVec3::ZERO, |(degrees, _)| degrees);
        let degrees = same.or_else(known).unwrap_or_else(|| degrees(rotation, near));
        if moment == Moment::AtRest {
            self.at_rest.insert(node, (degrees, rotation));
            self.known.insert(key(node, rotation), degrees);
        }
        degrees
    }

    /// Returns the rotation with these angles and stores them for it.
    pub(super) fn turn(&mut self, node: usize, degrees: DVec3) -> DQuat {
        let rotation = rotation(degrees);
        self.at_rest.insert(node, (degrees, rotation));
        rotation
    }

    /// Returns the angles that a rotation showed when a change of it began, even if it has changed since.
    pub(super) fn since(&mut self, node: usize, start: DQuat) -> DVec3 {
        match self.known.get(&key(node, start)) {
            Some(degrees) => *degrees,
            None => self.of(node, start, Moment::AtRest),
        }
    }

    /// Forgets the angles at rest after an undo or redo, so that unknown rotations do not depend on the
    /// angles before it. Typed ones may not have been shown yet.
    pub(super) fn jump(&mut self) {
        let known = self.at_rest.drain().map(|(node, (degrees, rotation))| (key(node, rotation), degrees));
        self.known.extend(known);
    }

    /// Forgets all angles.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Returns the rotation about X, then Y, then Z: Rz · Ry · Rx.
fn rotation(degrees: DVec3) -> DQuat {
    let [x, y, z] = degrees.to_array().map(f64::to_radians);
    DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
}

/// The cosine of Y below which Y is so close to ±90° that X and Z rotate about the same axis (gimbal lock).
const GIMBAL_LOCK_COS: f64 = 1e-7;

/// Returns the angles of a rotation that are nearest to `near`.
fn degrees(rotation: DQuat, near: DVec3) -> DVec3 {
    let length = rotation.length();
    if !length.is_finite() || length == 0.0 {
        return DVec3::ZERO;
    }
    let matrix = DMat3::from_quat(rotation * length.recip());
    let [x_axis, y_axis, z_axis] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    // Columns of Rz · Ry · Rx: x_axis = (cos z cos y, sin z cos y, −sin y).
    let cos_y = x_axis.x.hypot(x_axis.y);
    let y = (-x_axis.z).atan2(cos_y);
    // In gimbal lock, Z keeps its angle and X takes the rest.
    let z = if cos_y < GIMBAL_LOCK_COS { near.z.to_radians() } else { x_axis.y.atan2(x_axis.x) };
    // Without Z the rotation is Ry · Rx, whose middle row is (0, cos x, −sin x).
    let (sin_z, cos_z) = z.sin_cos();
    let middle_row = |column: DVec3| cos_z * column.y - sin_z * column.x;
    let x = (-middle_row(z_axis)).atan2(middle_row(y_axis));
    let one = DVec3::new(x, y, z).map(f64::to_degrees);
    // The other solution: X and Z differ by half a turn, and Y is beyond the pole.
    let other = DVec3::new(one.x + 180.0, 180.0 - one.y, one.z + 180.0);
    let unwrapped = |degrees: DVec3| degrees + ((near - degrees) / 360.0).round() * 360.0;
    let [one, other] = [unwrapped(one), unwrapped(other)];
    let distance = |degrees: DVec3| (degrees - near).abs().element_sum();
    let nearest = if distance(one) <= distance(other) + 1e-6 { one } else { other };
    nearest.map(without_rounding)
}

/// Removes rounding noise: returns 30 for 29.999999999999996.
fn without_rounding(degrees: f64) -> f64 {
    let round = (degrees * 1e6).round() / 1e6;
    // Adding 0 turns −0 into 0.
    if (degrees - round).abs() < 1e-10 { round + 0.0 } else { degrees }
}

#[cfg(test)]
mod tests {
    use super::Moment::{AtRest, Changing};
    use super::*;

    fn same(a: DQuat, b: DQuat) -> bool {
        a.dot(b).abs() > 1.0 - 1e-12
    }

    #[test]
    fn angles_reproduce_their_rotation() {
        let values = [-170.0, -90.0, -89.999, -30.0, 0.0, 12.5, 90.0, 135.0, 400.0];
        for x in values {
            for y in values {
                for z in values {
                    let typed = DVec3::new(x, y, z);
                    for near in [DVec3::ZERO, typed, DVec3::new(700.0, -300.0, 45.0)] {
                        let read = degrees(rotation(typed), near);
                        assert!(same(rotation(read), rotation(typed)), "{typed} near {near}: {read}");
                    }
                }
            }
        }
    }

    #[test]
    fn changing_one_angle_keeps_other_typed_angles() {
        let mut angles = Angles::default();
        let mut typed = DVec3::new(10.1, 90.0, 200.3);
        let mut made = angles.turn(7, typed);
        assert_eq!(angles.of(7, made, AtRest), typed, "at the pole, and past half a turn");
        for step in 0..1000 {
            typed[step % 3] += 33.3;
            made = angles.turn(7, typed);
            assert_eq!(angles.of(7, made, AtRest), typed);
        }
    }

    #[test]
    fn other_rotations_show_angles_nearest_to_last() {
        let mut angles = Angles::default();
        let start = DVec3::new(0.0, 80.0, 0.0);
        let made = angles.turn(0, start);
        // Past the pole, X and Z must not jump to 180.
        let over = DQuat::from_rotation_y(20f64.to_radians()) * made;
        assert!(angles.of(0, over, AtRest).abs_diff_eq(DVec3::new(0.0, 100.0, 0.0), 1e-9));
        // Back at the start, as after undo.
        assert_eq!(angles.of(0, made, AtRest), start);
        let round = angles.turn(1, DVec3::new(0.0, 0.0, 350.0));
        let on = DQuat::from_rotation_z(20f64.to_radians()) * round;
        assert!(angles.of(1, on, AtRest).abs_diff_eq(DVec3::new(0.0, 0.0, 370.0), 1e-9));
    }

    #[test]
    fn undo_after_several_turns_shows_former_angles() {
        let about_z = |degrees: f64| DQuat::from_rotation_z(degrees.to_radians());
        for start in [DVec3::ZERO, DVec3::new(0.0, 0.0, 400.0), DVec3::new(10.1, 90.0, 200.3)] {
            let mut angles = Angles::default();
            let made = angles.turn(0, start);
            assert_eq!(angles.of(0, made, AtRest), start);
            // About two turns, like the drag of a ring.
            let turned = |step: i32| about_z(f64::from(step) * -15.0) * made;
            for step in 1..=49 {
                let shown = angles.of(0, turned(step), Changing);
                assert!((shown - start).abs().max_element() <= 180.0 + 1e-9, "{shown} at {step}");
            }
            assert_eq!(angles.of(0, made, AtRest), start, "canceled");
            angles.of(0, turned(49), Changing);
            let ended = angles.of(0, turned(49), AtRest);
            angles.jump();
            assert_eq!(angles.of(0, made, AtRest), start, "undone");
            angles.jump();
            assert_eq!(angles.of(0, turned(49), AtRest), ended, "redone");
            let typed = DVec3::new(200.0, 100.0, -30.0);
            let made = angles.turn(0, typed);
            angles.jump();
            assert_eq!(angles.of(0, made, AtRest), typed, "redone before it was shown at rest");
        }
    }

    #[test]
    fn undoing_unseen_steps_does_not_accumulate_turns() {
        let mut angles = Angles::default();
        // Four rotations by 100 degrees were made while the panel was hidden.
        for (turned, own) in [(400.0, 40.0), (300.0, -60.0), (200.0, -160.0), (100.0, 100.0), (0.0, 0.0)] {
            let shown = angles.of(3, DQuat::from_rotation_z(f64::to_radians(turned)), AtRest);
            assert!(shown.abs_diff_eq(DVec3::Z * own, 1e-9), "{turned}: {shown}");
            angles.jump();
        }
    }

    #[test]
    fn invalid_rotation_shows_zero_angles() {
        let mut angles = Angles::default();
        for odd in [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)] {
            assert_eq!(angles.of(0, odd, AtRest), DVec3::ZERO);
        }
    }
}
