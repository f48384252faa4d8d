//! Factors of scales: snapping and the smallest one.

use crate::interaction::gesture::lines::Clamped;
use crate::math::Increment;

/// The minimum absolute factor. A factor of 0 could not be scaled back.
pub(crate) const MIN_FACTOR: f64 = 1e-4;
/// The maximum absolute factor, which only a cursor far outside of any screen reaches.
const MAX_FACTOR: f64 = 1e6;

/// Returns the factor that a drag applies: snapped, never 0, and negative only if allowed.
pub(crate) fn factor(raw: f64, increment: Option<Increment>, allow_mirror: bool) -> Clamped<f64> {
    let wanted = if allow_mirror { raw } else { raw.max(MIN_FACTOR) };
    let sign = if wanted < 0.0 { -1.0 } else { 1.0 };
    let size = match increment {
        // A factor that would round to 0 is one increment.
        Some(increment) => increment.snap(wanted.abs()).max(increment.get()),
        None => wanted.abs(),
    };
    let size = size.clamp(MIN_FACTOR, MAX_FACTOR);
    let clamped = (!allow_mirror && raw < MIN_FACTOR) || raw.abs() < MIN_FACTOR || raw.abs() > MAX_FACTOR;
    Clamped { value: sign * size, clamped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factor_is_never_zero_and_mirrors_if_allowed() {
        assert_eq!(factor(2.5, None, false), Clamped { value: 2.5, clamped: false });
        assert_eq!(factor(-2.5, None, false), Clamped { value: 1e-4, clamped: true });
        assert_eq!(factor(-2.5, None, true), Clamped { value: -2.5, clamped: false });
        assert_eq!(factor(0.0, None, true), Clamped { value: 1e-4, clamped: true });
        assert_eq!(factor(f64::INFINITY, None, false), Clamped { value: 1e6, clamped: true });
    }

    #[test]
    fn snapped_factor_is_multiple_of_increment() {
        let tenth = Increment::new(0.1);
        assert_eq!(factor(1.26, tenth, false).value, 0.1 * 13.0);
        assert_eq!(factor(0.01, tenth, false).value, 0.1);
        assert_eq!(factor(-0.01, tenth, true).value, -0.1);
    }
}
