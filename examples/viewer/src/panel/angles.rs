//! Rotations as three angles in degrees, for fields to type in.
//!
//! A node is turned about X, then about Y, then about Z of its parent. Angles that were shown or
//! typed are remembered with the quaternion that they belong to: whenever the node has it again, as
//! after undo or cancel, they are shown again. Any other rotation is shown with the angles nearest to
//! those that the node had at rest, so that angles never wind up over a drag of several turns.

use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat3, DQuat, DVec3};

/// Which angles belong to which rotation.
#[derive(Debug, Default)]
pub(super) struct Angles {
    /// What each node showed when it was last at rest, or was typed since.
    at_rest: HashMap<usize, (DVec3, DQuat)>,
    /// What was shown of each rotation that a node had at rest, by the rotation's bits.
    known: HashMap<(usize, [u64; 4]), DVec3>,
}

/// Whether a rotation is one to come back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// A drag or a field is changing it.
    Changing,
    AtRest,
}

fn key(node: usize, rotation: DQuat) -> (usize, [u64; 4]) {
    (node, rotation.to_array().map(f64::to_bits))
}

impl Angles {
    /// Returns the degrees about X, Y and Z.
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

    /// Returns the rotation with these degrees, which are shown from now on.
    pub(super) fn turn(&mut self, node: usize, degrees: DVec3) -> DQuat {
        let rotation = rotation(degrees);
        self.at_rest.insert(node, (degrees, rotation));
        rotation
    }

    /// Returns the degrees that were shown of a rotation when a change of it began, however often it
    /// has been changed since.
    pub(super) fn since(&mut self, node: usize, start: DQuat) -> DVec3 {
        match self.known.get(&key(node, start)) {
            Some(degrees) => *degrees,
            None => self.of(node, start, Moment::AtRest),
        }
    }

    /// A step was taken back or forth: what is not known is shown with its own angles, wherever the
    /// node was before.
    pub(super) fn jump(&mut self) {
        self.at_rest.clear();
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// About X, then Y, then Z: Rz · Ry · Rx.
fn rotation(degrees: DVec3) -> DQuat {
    let [x, y, z] = degrees.to_array().map(f64::to_radians);
    DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
}

/// Where Y is so near to ±90° that X and Z turn about one axis: the cosine of Y.
const LOCKED: f64 = 1e-7;

/// The degrees of a rotation that are nearest to `near`.
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
    // Where X and Z do the same, Z stays and X does it.
    let z = if cos_y < LOCKED { near.z.to_radians() } else { x_axis.y.atan2(x_axis.x) };
    // What is left without Z is Ry · Rx, whose middle row is (0, cos x, −sin x).
    let (sin_z, cos_z) = z.sin_cos();
    let middle = |column: DVec3| cos_z * column.y - sin_z * column.x;
    let x = (-middle(z_axis)).atan2(middle(y_axis));
    let one = DVec3::new(x, y, z).map(f64::to_degrees);
    // The same rotation the other way round: X and Z half a turn farther, Y beyond the pole.
    let other = DVec3::new(one.x + 180.0, 180.0 - one.y, one.z + 180.0);
    let wound = |degrees: DVec3| degrees + ((near - degrees) / 360.0).round() * 360.0;
    let [one, other] = [wound(one), wound(other)];
    let far = |degrees: DVec3| (degrees - near).abs().element_sum();
    let nearest = if far(one) <= far(other) + 1e-6 { one } else { other };
    nearest.map(without_rounding)
}

/// 30 for 29.999999999999996.
fn without_rounding(degrees: f64) -> f64 {
    let round = (degrees * 1e6).round() / 1e6;
    // Adding 0 makes 0 of −0.
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
    fn angles_make_the_rotation_that_they_were_read_from() {
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
    fn changing_one_angle_leaves_the_others_as_they_were_typed() {
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
    fn a_node_turned_by_other_means_shows_what_is_nearest_to_before() {
        let mut angles = Angles::default();
        let start = DVec3::new(0.0, 80.0, 0.0);
        let made = angles.turn(0, start);
        // On over the pole: not to 80, 180, 180.
        let over = DQuat::from_rotation_y(20f64.to_radians()) * made;
        assert!(angles.of(0, over, AtRest).abs_diff_eq(DVec3::new(0.0, 100.0, 0.0), 1e-9));
        // And back to the start, as undo does.
        assert_eq!(angles.of(0, made, AtRest), start);
        let round = angles.turn(1, DVec3::new(0.0, 0.0, 350.0));
        let on = DQuat::from_rotation_z(20f64.to_radians()) * round;
        assert!(angles.of(1, on, AtRest).abs_diff_eq(DVec3::new(0.0, 0.0, 370.0), 1e-9));
    }

    #[test]
    fn angles_after_turns_of_several_rounds_are_those_before() {
        let about_z = |degrees: f64| DQuat::from_rotation_z(degrees.to_radians());
        for start in [DVec3::ZERO, DVec3::new(0.0, 0.0, 400.0), DVec3::new(10.1, 90.0, 200.3)] {
            let mut angles = Angles::default();
            let made = angles.turn(0, start);
            assert_eq!(angles.of(0, made, AtRest), start);
            // Twice round and a bit, as a ring is dragged.
            let turned = |step: i32| about_z(f64::from(step) * -15.0) * made;
            for step in 1..=49 {
                let shown = angles.of(0, turned(step), Changing);
                assert!((shown - start).abs().max_element() <= 180.0 + 1e-9, "{shown} at {step}");
            }
            assert_eq!(angles.of(0, made, AtRest), start, "cancelled");
            angles.of(0, turned(49), Changing);
            let ended = angles.of(0, turned(49), AtRest);
            angles.jump();
            assert_eq!(angles.of(0, made, AtRest), start, "undone");
            angles.jump();
            assert_eq!(angles.of(0, turned(49), AtRest), ended, "done again");
        }
    }

    #[test]
    fn angles_of_unseen_steps_taken_back_do_not_wind_up() {
        let mut angles = Angles::default();
        // Nobody looked while it was turned by 100 degrees four times.
        for (turned, own) in [(400.0, 40.0), (300.0, -60.0), (200.0, -160.0), (100.0, 100.0), (0.0, 0.0)] {
            let shown = angles.of(3, DQuat::from_rotation_z(f64::to_radians(turned)), AtRest);
            assert!(shown.abs_diff_eq(DVec3::Z * own, 1e-9), "{turned}: {shown}");
            angles.jump();
        }
    }

    #[test]
    fn a_rotation_that_is_none_has_no_angles() {
        let mut angles = Angles::default();
        for odd in [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)] {
            assert_eq!(angles.of(0, odd, AtRest), DVec3::ZERO);
        }
    }
}
