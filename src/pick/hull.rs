use glam::DVec2;

/// The point of a convex hull that is nearest to the origin: between two of the hull's points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Closest {
    /// 0 inside.
    pub(super) distance: f64,
    /// Indices of the two points.
    pub(super) between: [usize; 2],
    /// From 0 at the first of them to 1 at the second.
    pub(super) t: f64,
}

/// Share of the squared distance that a further step must gain.
const LEAST_GAIN: f64 = 1e-6;

/// Returns where the convex hull of `points` is nearest to the origin, in any order and with
/// repetitions; `None` without points, and where they are not numbers.
///
/// E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance between complex
/// objects in three-dimensional space" (1988), in two dimensions.
pub(super) fn closest_of_hull<P>(points: &[P], at: impl Fn(&P) -> DVec2) -> Option<Closest> {
    let mut nearest = at(points.first()?);
    let mut closest = Closest { distance: 0.0, between: [0, 0], t: 0.0 };
    // Each step takes an edge that is nearer than the last: there are no more than points.
    for _ in 0..=points.len() {
        let squared = nearest.length_squared();
        let (mut support, mut least) = (closest.between[0], f64::INFINITY);
        for (i, point) in points.iter().enumerate() {
            let along = at(point).dot(nearest);
            if along < least {
                (support, least) = (i, along);
            }
        }
        let gains = squared - least > LEAST_GAIN * squared;
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

/// The point of a segment that is nearest to the origin, and where on it that is.
pub(super) fn closest_of_segment(a: DVec2, b: DVec2) -> (f64, DVec2) {
    let along = b - a;
    let t = -a.dot(along) / along.length_squared();
    // A segment without a length gives NaN.
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
    (t, a + along * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance from the origin to the hull, by all lines through two points that have all
    /// others on one side.
    fn oracle(points: &[DVec2]) -> f64 {
        let mut outside = false;
        let mut least = f64::INFINITY;
        for a in points {
            for b in points {
                let along = *b - *a;
                least = least.min(closest_of_segment(*a, *b).1.length());
                let left = |p: DVec2| along.perp_dot(p - *a);
                let has_none_right = along != DVec2::ZERO && points.iter().all(|p| left(*p) >= -1e-12);
                outside |= has_none_right && left(DVec2::ZERO) < 0.0;
            }
        }
        if outside || points.len() < 3 { least } else { 0.0 }
    }

    #[test]
    fn the_distance_to_a_hull_is_that_to_the_nearest_segment_of_its_points() {
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut inside, mut outside) = (0, 0);
        for _ in 0..50_000 {
            let at = DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5) * 3.0;
            let count = rng.usize(1..27);
            let mut points: Vec<_> =
                (0..count).map(|_| at + DVec2::new(rng.f64() - 0.5, rng.f64() - 0.5)).collect();
            points.extend_from_within(..count / 3);
            let wanted = oracle(&points);
            let found = closest_of_hull(&points, |point| *point).expect("numbers");
            assert!((found.distance - wanted).abs() < 1e-6, "{found:?}, not {wanted}: {points:?}");
            let [a, b] = found.between.map(|i| points[i]);
            let off = a.lerp(b, found.t).length() - found.distance;
            assert!(off.abs() < 1e-9 || wanted == 0.0, "{off} off between {a} and {b}");
            (inside, outside) = (inside + u32::from(wanted == 0.0), outside + u32::from(wanted > 0.0));
        }
        assert!(inside > 2_000 && outside > 20_000, "{inside} inside, {outside} outside");
    }

    #[test]
    fn points_on_a_line_have_a_hull_and_no_points_or_numbers_have_none() {
        let line: Vec<_> = (1..6).map(|i| DVec2::new(f64::from(i), 2.0 * f64::from(i))).collect();
        let distance = |points: &[DVec2]| closest_of_hull(points, |point| *point).map(|found| found.distance);
        assert_eq!(distance(&line), Some(5f64.sqrt()));
        assert_eq!(distance(&[line[0], -line[1]]), Some(0.0));
        assert_eq!(distance(&[DVec2::ZERO; 4]), Some(0.0));
        assert_eq!(distance(&[]), None);
        assert_eq!(distance(&[DVec2::NAN, DVec2::ONE]), None);
    }
}
