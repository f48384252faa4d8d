use glam::DVec2;

/// The point of a convex hull closest to the origin, on the segment between two of its points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Closest {
    /// The distance to the origin, 0 if the hull contains it.
    pub(super) distance: f64,
    /// The indices of the two points.
    pub(super) between: [usize; 2],
    /// The position on the segment: 0 at the first point, 1 at the second.
    pub(super) t: f64,
}

/// The iteration stops at a step that reduces the squared distance by less than this fraction.
const MIN_GAIN: f64 = 1e-6;

/// Returns the point of the convex hull of `points` closest to the origin, or `None` if there are no
/// points or they are not finite. The points may be in any order and repeat.
///
/// E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance between complex
/// objects in three-dimensional space" (1988), in two dimensions.
pub(super) fn closest_of_hull<P>(points: &[P], at: impl Fn(&P) -> DVec2) -> Option<Closest> {
    let mut nearest = at(points.first()?);
    let mut closest = Closest { distance: 0.0, between: [0, 0], t: 0.0 };
    // Each step finds a closer edge, so there are at most as many steps as points.
    for _ in 0..=points.len() {
        let squared = nearest.length_squared();
        let (mut support, mut min) = (closest.between[0], f64::INFINITY);
        for (i, point) in points.iter().enumerate() {
            let along = at(point).dot(nearest);
            if along < min {
                (support, min) = (i, along);
            }
        }
        let gains = squared - min > MIN_GAIN * squared;
        if !gains {
            break;
        }
        let [i, j] = closest.between;
        let [a, b, c] = [i, j, support].map(|i| at(&points[i]));
        let sides = [a.perp_dot(b), b.perp_dot(c), c.perp_dot(a)];
        if i != j && (sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)) {
            return Some(Closest { distance: 0.0, ..closest });
        }
        let (mut t, mut point) = closest_of_segment(a, c);
        let mut from = i;
        if i != j {
            let (other_t, other) = closest_of_segment(b, c);
            if other.length_squared() < point.length_squared() {
                (t, point, from) = (other_t, other, j);
            }
        }
        closest = Closest { between: [from, support], t, ..closest };
        nearest = point;
    }
    closest.distance = nearest.length();
    closest.distance.is_finite().then_some(closest)
}

/// Returns the point of a segment closest to the origin, and its position on the segment, from 0 to 1.
pub(super) fn closest_of_segment(a: DVec2, b: DVec2) -> (f64, DVec2) {
    let along = b - a;
    let t = -a.dot(along) / along.length_squared();
    // A segment of length zero gives NaN.
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
    (t, a + along * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the distance from the origin to the hull. The origin is outside if a line through two of the
    /// points separates it from all others.
    fn oracle(points: &[DVec2]) -> f64 {
        let mut outside = false;
        let mut min = f64::INFINITY;
        for a in points {
            for b in points {
                let along = *b - *a;
                min = min.min(closest_of_segment(*a, *b).1.length());
                let left = |p: DVec2| along.perp_dot(p - *a);
                let has_none_right = along != DVec2::ZERO && points.iter().all(|p| left(*p) >= -1e-12);
                outside |= has_none_right && left(DVec2::ZERO) < 0.0;
            }
        }
        if outside || points.len() < 3 { min } else { 0.0 }
    }

    #[test]
    fn hull_distance_equals_distance_to_closest_segment() {
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut inside, mut outside) = (0, 0);
        for _ in 0..50_000 {
            let at = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 3.0;
            let count = rng.usize(1..27);
            let mut points: Vec<_> =
                (0..count).map(|_| at + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5)).collect();
            points.extend_from_within(..count / 3);
            let expected = oracle(&points);
            let found = closest_of_hull(&points, |point| *point).expect("points are finite");
            assert!((found.distance - expected).abs() < 1e-6, "{found:?}, not {expected}: {points:?}");
            let [a, b] = found.between.map(|i| points[i]);
            let off = a.lerp(b, found.t).length() - found.distance;
            assert!(off.abs() < 1e-9 || expected == 0.0, "{off} off between {a} and {b}");
            (inside, outside) = (inside + u32::from(expected == 0.0), outside + u32::from(expected > 0.0));
        }
        assert!(inside > 2_000 && outside > 20_000, "{inside} inside, {outside} outside");
    }

    #[test]
    fn collinear_points_have_hull_but_nan_has_none() {
        let line: Vec<_> = (1..6).map(|i| DVec2::new(f64::from(i), 2.0 * f64::from(i))).collect();
        let distance = |points: &[DVec2]| closest_of_hull(points, |point| *point).map(|found| found.distance);
        assert_eq!(distance(&line), Some(5f64.sqrt()));
        assert_eq!(distance(&[line[0], -line[1]]), Some(0.0));
        assert_eq!(distance(&[DVec2::ZERO; 4]), Some(0.0));
        assert_eq!(distance(&[]), None);
        assert_eq!(distance(&[DVec2::NAN, DVec2::ONE]), None);
    }
}
