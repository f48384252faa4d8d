//! Values at increasing times, with an interpolation between them (glTF 2.0 specification, §3.11 and
//! appendix C).

use wgpu_gizmo_core::glam::Quat;

/// The way values between two keyframes are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the last keyframe.
    Step,
    /// A straight line, or an arc for rotations.
    Linear,
    /// A cubic Hermite spline. Each keyframe has an in-tangent, a value and an out-tangent.
    CubicSpline,
}

impl Interpolation {
    /// Returns the number of vectors that each keyframe stores.
    pub fn vectors(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}

/// Keyframes of a vector.
#[derive(Debug, Clone)]
pub struct Keyframes {
    times: Vec<f32>,
    values: Vec<f32>,
    interpolation: Interpolation,
    /// Length of the vector.
    pub width: usize,
}

/// The keyframes around a time: the index of the first one, the fraction of the interval that has passed,
/// and the length of the interval in seconds. After the last keyframe and before the first, the length is 0.
#[derive(Debug, Clone, Copy)]
struct Interval {
    first: usize,
    fraction: f32,
    seconds: f32,
}

impl Keyframes {
    /// Creates keyframes. Returns `None` if there are none, if the times are not finite or do not
    /// increase, or if the number of values is not a multiple of what the keyframes need.
    pub fn new(times: Vec<f32>, values: Vec<f32>, interpolation: Interpolation) -> Option<Self> {
        let is_increasing = times.windows(2).all(|pair| pair[0] < pair[1]);
        let is_finite = times.iter().chain(&values).all(|number| number.is_finite());
        let vectors = times.len() * interpolation.vectors();
        if vectors == 0 || !is_increasing || !is_finite || times[0] < 0.0 {
            return None;
        }
        let width = values.len() / vectors;
        (width > 0 && width * vectors == values.len()).then_some(Self { times, values, interpolation, width })
    }

    /// Returns the time of the last keyframe.
    pub(crate) fn end(&self) -> Option<f64> {
        self.times.last().copied().map(f64::from)
    }

    fn interval(&self, time: f64) -> Interval {
        let next = self.times.partition_point(|at| f64::from(*at) <= time);
        let first = next.saturating_sub(1);
        let (start, end) = (self.times[first], self.times.get(next).copied());
        match end.filter(|_| next > 0) {
            Some(end) => {
                let seconds = end - start;
                let fraction = ((time - f64::from(start)) / f64::from(seconds)).clamp(0.0, 1.0) as f32;
                Interval { first, fraction, seconds }
            }
            None => Interval { first, fraction: 0.0, seconds: 0.0 },
        }
    }

    /// Returns a vector of a keyframe: its value, or one of the tangents around it.
    fn vector(&self, keyframe: usize, which: usize) -> &[f32] {
        let at = (keyframe * self.interpolation.vectors() + which) * self.width;
        &self.values[at..at + self.width]
    }

    /// Appends the vector at a time.
    pub fn sample(&self, time: f64, to: &mut Vec<f32>) {
        let Interval { first, fraction: t, seconds } = self.interval(time);
        let spline = self.interpolation == Interpolation::CubicSpline;
        let value = |keyframe| self.vector(keyframe, usize::from(spline));
        if seconds == 0.0 || self.interpolation == Interpolation::Step {
            to.extend(value(first));
        } else if spline {
            let (out_tangents, in_tangents) = (self.vector(first, 2), self.vector(first + 1, 0));
            let (t2, t3) = (t * t, t * t * t);
            to.extend((0..self.width).map(|i| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * value(first)[i]
                    + seconds * (t3 - 2.0 * t2 + t) * out_tangents[i]
                    + (3.0 * t2 - 2.0 * t3) * value(first + 1)[i]
                    + seconds * (t3 - t2) * in_tangents[i]
            }));
        } else {
            let pairs = value(first).iter().zip(value(first + 1));
            to.extend(pairs.map(|(a, b)| a + (b - a) * t));
        }
    }

    /// Returns the rotation at a time. Rotations between two keyframes lie on the shorter arc.
    pub fn sample_rotation(&self, time: f64) -> Option<Quat> {
        let Interval { first, fraction, seconds } = self.interval(time);
        let at = |keyframe| Quat::from_slice(self.vector(keyframe, 0)).normalize();
        let rotation = match self.interpolation {
            _ if self.width != 4 => return None,
            Interpolation::Linear if seconds > 0.0 => at(first).slerp(at(first + 1), fraction),
            _ => {
                let mut vector = Vec::with_capacity(4);
                self.sample(time, &mut vector);
                Quat::from_slice(&vector).normalize()
            }
        };
        rotation.is_finite().then_some(rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

    fn keyframes(times: &[f32], values: &[f32], interpolation: Interpolation) -> Keyframes {
        Keyframes::new(times.to_vec(), values.to_vec(), interpolation).expect("the keyframes are valid")
    }

    fn at(keyframes: &Keyframes, time: f64) -> Vec<f32> {
        let mut found = Vec::new();
        keyframes.sample(time, &mut found);
        found
    }

    #[test]
    fn values_between_keyframes_follow_interpolation() {
        let values = [0.0, 10.0, 4.0, 20.0];
        let linear = keyframes(&[1.0, 3.0], &values, Interpolation::Linear);
        assert_eq!((linear.width, linear.end()), (2, Some(3.0)));
        assert_eq!([0.0, 1.0, 2.0, 9.0].map(|time| at(&linear, time)[0]), [0.0, 0.0, 2.0, 4.0]);
        assert_eq!(at(&linear, 1.5), [1.0, 12.5]);
        let step = keyframes(&[1.0, 3.0], &values, Interpolation::Step);
        assert_eq!([0.0, 2.9, 3.0].map(|time| at(&step, time)[1]), [10.0, 10.0, 20.0]);
        // The tangents of a straight line give a straight line.
        let spline = [9.0, 1.0, 2.0, 2.0, 5.0, 9.0];
        let spline = keyframes(&[0.0, 2.0], &spline, Interpolation::CubicSpline);
        for (time, expected) in [(-1.0, 1.0), (0.0, 1.0), (0.5, 2.0), (1.0, 3.0), (2.0, 5.0), (7.0, 5.0)] {
            assert!((at(&spline, time)[0] - expected).abs() < 1e-6, "{time}: {:?}", at(&spline, time));
        }
    }

    #[test]
    fn rotations_take_shorter_arc() {
        let quarter = Quat::from_rotation_y(FRAC_PI_2);
        let values = [Quat::IDENTITY, -quarter].map(|q| q.to_array());
        let turn = keyframes(&[0.0, 1.0], values.as_flattened(), Interpolation::Linear);
        let half = turn.sample_rotation(0.5).expect("it has four numbers");
        assert!(half.angle_between(Quat::from_rotation_y(FRAC_PI_4)) < 1e-3, "{half}");
        for (values, why) in [(&[0.0; 3][..], "three numbers"), (&[0.0; 4], "a zero quaternion")] {
            let still = keyframes(&[0.0], values, Interpolation::Linear);
            assert_eq!(still.sample_rotation(0.0), None, "{why}");
        }
    }

    #[test]
    fn invalid_keyframes_are_refused() {
        let refused = |times: &[f32], values: &[f32], interpolation| {
            Keyframes::new(times.to_vec(), values.to_vec(), interpolation).is_none()
        };
        use Interpolation::{CubicSpline, Linear};
        assert!(refused(&[], &[], Linear), "no keyframes");
        assert!(refused(&[0.0, 0.0], &[1.0, 2.0], Linear), "equal times");
        assert!(refused(&[1.0, 0.5], &[1.0, 2.0], Linear), "decreasing times");
        assert!(refused(&[0.0, f32::NAN], &[1.0, 2.0], Linear), "a time that is not a number");
        assert!(refused(&[-1.0, 0.0], &[1.0, 2.0], Linear), "a negative time");
        assert!(refused(&[0.0, 1.0], &[1.0, f32::INFINITY], Linear), "an infinite value");
        assert!(refused(&[0.0, 1.0], &[1.0, 2.0, 3.0], Linear), "too many values");
        assert!(refused(&[0.0, 1.0], &[1.0, 2.0], CubicSpline), "values without tangents");
        assert!(refused(&[0.0, 1.0], &[], Linear), "no values");
    }
}
