/// The distance between two neighbouring snapped values: finite and greater than zero.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Increment(f64);

/// Part of an increment that a value may fall short of a tie and still be one.
const TIE: f64 = 1e-9;

impl Increment {
    /// `None` unless `size` is finite and greater than zero. World units, radians or a factor,
    /// by what is snapped.
    pub const fn new(size: f64) -> Option<Self> {
        if size.is_finite() && size > 0.0 { Some(Self(size)) } else { None }
    }

    /// The size that was given.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The multiple nearest to `value`, ties away from zero. A value so large that its
    /// multiples are finer than `f64` can tell apart comes back as it is.
    pub fn snap(self, value: f64) -> f64 {
        // What was computed from pixels misses a tie by its last bits.
        let steps = ((value / self.0).abs() + 0.5 + TIE).floor();
        let snapped = steps.copysign(value) * self.0;
        if snapped.is_finite() { snapped } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_increment_is_finite_and_positive_by_type() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Increment::new(bad), None);
        }
    }

    #[test]
    fn snapping_takes_the_nearest_multiple_with_ties_away_from_zero() {
        let half = Increment::new(0.5).expect("positive");
        for (value, snapped) in [(0.24, 0.0), (0.25, 0.5), (-0.25, -0.5), (-1.3, -1.5), (7.0, 7.0)] {
            assert_eq!(half.snap(value), snapped);
        }
        assert_eq!(half.snap(0.75 - 1e-13), 1.0, "a tie but for rounding");
        let tiny = Increment::new(1e-300).expect("positive");
        assert_eq!(tiny.snap(1e300), 1e300);
    }
}
