/// The distance between two neighboring snapped values: a finite number greater than zero.
///
/// The unit depends on what is snapped: world units for translation, radians for rotation, a
/// factor for scale.
///
/// ```
/// use wgpu_gizmo_core::Increment;
///
/// let half = Increment::new(0.5).expect("the size is positive");
/// assert_eq!(half.snap(1.3), 1.5);
/// assert_eq!(half.snap(-0.25), -0.5); // ties round away from zero
/// assert_eq!(Increment::new(0.0), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(into = "f64"))]
pub struct Increment(f64);

impl From<Increment> for f64 {
    fn from(increment: Increment) -> Self {
        increment.0
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Increment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let size = f64::deserialize(deserializer)?;
        let error = || serde::de::Error::custom("an increment must be a finite number greater than zero");
        Self::new(size).ok_or_else(error)
    }
}

/// A value that falls short of a tie by at most this fraction of an increment is rounded as a tie.
const TIE: f64 = 1e-9;

impl Increment {
    /// Creates an increment. Returns `None` unless `size` is finite and greater than zero.
    pub const fn new(size: f64) -> Option<Self> {
        if size.is_finite() && size > 0.0 { Some(Self(size)) } else { None }
    }

    /// Returns the size that the increment was created with.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Rounds `value` to the nearest multiple of the increment, with ties away from zero.
    ///
    /// A value is returned unchanged if the number of increments in it overflows `f64`.
    pub fn snap(self, value: f64) -> f64 {
        // A value that was computed from pixels can miss a tie by its last bits.
        let steps = ((value / self.0).abs() + 0.5 + TIE).floor();
        let snapped = steps.copysign(value) * self.0;
        if snapped.is_finite() { snapped } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increment_rejects_nonpositive_and_nonfinite_sizes() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Increment::new(bad), None);
        }
    }

    #[test]
    fn snap_rounds_ties_away_from_zero() {
        let half = Increment::new(0.5).expect("the size is positive");
        for (value, snapped) in [(0.24, 0.0), (0.25, 0.5), (-0.25, -0.5), (-1.3, -1.5), (7.0, 7.0)] {
            assert_eq!(half.snap(value), snapped);
        }
        assert_eq!(half.snap(0.75 - 1e-13), 1.0, "a tie except for rounding");
        let tiny = Increment::new(1e-300).expect("the size is positive");
        assert_eq!(tiny.snap(1e300), 1e300);
    }
}
