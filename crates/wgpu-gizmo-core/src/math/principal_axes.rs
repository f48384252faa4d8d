use glam::{DMat3, DQuat, DVec3, Vec3Swizzles};

/// The principal axes of an invertible linear map P: its singular value decomposition P = X · diag(d) · Vᵀ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PrincipalAxes {
    /// Xᵀ, times the sign of its determinant: it maps rotation axes, which are pseudovectors.
    axes_from_world: DMat3,
    /// V, which is a proper rotation.
    parent_from_axes: DMat3,
    /// d₂/d₃, d₃/d₁ and d₁/d₂.
    ratios: DVec3,
    /// The reciprocals of the ratios.
    inverse_ratios: DVec3,
}

impl PrincipalAxes {
    /// Axes for which [`PrincipalAxes::nearest_turns`] finds nothing.
    pub(crate) const UNKNOWN: Self = Self {
        axes_from_world: DMat3::NAN,
        parent_from_axes: DMat3::NAN,
        ratios: DVec3::NAN,
        inverse_ratios: DVec3::NAN,
    };

    /// Decomposes a map by the one-sided Jacobi method, which keeps the digits of small stretches: G. Golub and
    /// C. Van Loan, "Matrix Computations", 4th ed., §8.6.3. Returns `None` if the map is singular or not finite.
    pub(crate) fn new(world_from_parent: DMat3) -> Option<Self> {
        // Scaling by a power of two is exact, and keeps the squares of tiny and huge columns in range.
        let largest = world_from_parent.to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let unit = largest.log2().floor().exp2();
        let mut stretched = (world_from_parent * unit.recip()).to_cols_array_2d().map(DVec3::from_array);
        let mut parent = DVec3::AXES;
        // Convergence is quadratic; few maps need more than six sweeps.
        for _ in 0..16 {
            let mut is_orthogonal = true;
            for [i, j] in [[0, 1], [0, 2], [1, 2]] {
                let (a, b) = (stretched[i].length_squared(), stretched[j].length_squared());
                let product = stretched[i].dot(stretched[j]);
                if product.abs() <= f64::EPSILON * (a * b).sqrt() {
                    continue;
                }
                is_orthogonal = false;
                let cotangent = (b - a) / (2.0 * product);
                let tangent = cotangent.signum() / (cotangent.abs() + cotangent.hypot(1.0));
                let cosine = tangent.hypot(1.0).recip();
                for columns in [&mut stretched, &mut parent] {
                    let (u, v) = (columns[i], columns[j]);
                    columns[i] = (u - v * tangent) * cosine;
                    columns[j] = (v + u * tangent) * cosine;
                }
            }
            if is_orthogonal {
                break;
            }
        }
        let [a, b, c] = stretched;
        let stretch = DVec3::new(a.length(), b.length(), c.length());
        let axes = DMat3::from_cols(a / stretch.x, b / stretch.y, c / stretch.z);
        let ratios = stretch.yzx() / stretch.zxy();
        let found = Self {
            axes_from_world: axes.transpose() * axes.determinant().signum(),
            parent_from_axes: DMat3::from_cols(parent[0], parent[1], parent[2]),
            ratios,
            inverse_ratios: ratios.recip(),
        };
        let is_finite = axes.is_finite() && ratios.is_finite() && found.inverse_ratios.is_finite();
        is_finite.then_some(found)
    }

    /// Returns, for each map, the rotation that is nearest in the Frobenius norm to P⁻¹RP, where R is a rotation in
    /// world space. It is `None` where the closed form loses digits: for some rotations under a very uneven map.
    ///
    /// Several maps take turns in the arithmetic of a processor, which would wait for one.
    #[inline]
    pub(crate) fn nearest_turns<const N: usize>(
        maps: [&Self; N],
        world_turns: [DQuat; N],
    ) -> [Option<DQuat>; N] {
        let sheared: [_; N] = std::array::from_fn(|i| Sheared::new(maps[i], world_turns[i]));
        let [t, m] = [0, 1].map(|norm| sheared.each_ref().map(|sheared| sheared.squared_norms[norm]));
        let roots = largest_roots(t, m);
        std::array::from_fn(|i| sheared[i].nearest_turn(maps[i], roots.at[i], roots.slope[i]))
    }
}

/// M = D⁻¹R′D: a rotation R, converted by a map to P⁻¹RP, in the map's principal axes.
struct Sheared {
    /// The half turn that was taken out of R′, if any.
    half_turn: Option<DQuat>,
    diagonal: DVec3,
    trace: f64,
    /// The elements (3, 2), (1, 3), (2, 1) and those across the diagonal.
    above: DVec3,
    below: DVec3,
    /// ‖M‖² and ‖M⁻¹‖² in the Frobenius norm.
    squared_norms: [f64; 2],
}

impl Sheared {
    #[inline]
    fn new(axes: &PrincipalAxes, world_turn: DQuat) -> Self {
        let turn = DQuat::from_vec4((axes.axes_from_world * world_turn.xyz()).extend(world_turn.w));
        // Close to half a turn, w is 0 and `nearest_turn` would lose digits. Half turns about the principal axes
        // commute with D, so one of them is taken out of R′ and multiplied back.
        let half_turn = (turn.w.abs() < 0.5).then(|| half_turn_of(turn));
        let turn = half_turn.map_or(turn, |half_turn| turn * half_turn.conjugate());
        let (v, w) = (turn.xyz() * std::f64::consts::SQRT_2, turn.w * std::f64::consts::SQRT_2);
        let (products, sines) = (v.yzx() * v.zxy(), v * w);
        let (above, below) = (products + sines, products - sines);
        let inverse_above = below * axes.ratios;
        let inverse_below = above * axes.inverse_ratios;
        let (above, below) = (above * axes.ratios, below * axes.inverse_ratios);
        let diagonal = v * v + (w * w - 1.0);
        let norm = |a: DVec3, b: DVec3| (diagonal * diagonal + a * a + b * b).element_sum();
        let squared_norms = [norm(above, below), norm(inverse_above, inverse_below)];
        Self { half_turn, diagonal, trace: 2.0 * w * w - 1.0, above, below, squared_norms }
    }

    /// Returns the nearest rotation, out of the principal axes.
    ///
    /// Its quaternion (x, w) solves (λ + tr M − M − Mᵀ) x = w z, where z is the axial vector of M − Mᵀ, and λ is the
    /// largest eigenvalue of Davenport's matrix: M. Shuster and S. Oh, "Three-Axis Attitude Determination from Vector
    /// Observations", J. Guid. Control 4 (1981).
    #[inline]
    fn nearest_turn(&self, axes: &PrincipalAxes, root: f64, slope: f64) -> Option<DQuat> {
        let (z, s) = (self.above - self.below, self.above + self.below);
        let d = (root + self.trace) - 2.0 * self.diagonal;
        let minors = d.yzx() * d.zxy() - s * s;
        let across = s * d + s.yzx() * s.zxy();
        let determinant = d.x * minors.x - s.y * across.y - s.z * across.z;
        let x = minors * z + across.zxy() * z.yzx() + across.yzx() * z.zxy();
        // The slope is the product of the distances from λ to the other eigenvalues, and the determinant is that
        // product times w².
        let is_simple = slope > 0.1 * root * root * root;
        let keeps_digits = is_simple && determinant > 0.01 * slope;
        let found = DQuat::from_vec4(x.extend(determinant)).normalize();
        let found = self.half_turn.map_or(found, |half_turn| found * half_turn);
        let axis = axes.parent_from_axes * found.xyz();
        keeps_digits.then(|| DQuat::from_vec4(axis.extend(found.w)))
    }
}

/// Returns the half turn about the principal axis that is nearest to the axis of `turn`.
fn half_turn_of(turn: DQuat) -> DQuat {
    let v = turn.xyz();
    let axis = DVec3::AXES[v.abs().max_position()];
    DQuat::from_vec4((axis * v.dot(axis).signum()).extend(0.0))
}

/// Roots of polynomials, and the slopes there.
struct Roots<const N: usize> {
    at: [f64; N],
    slope: [f64; N],
}

/// Returns the largest roots of λ⁴ − 2tλ² − 8λ + t² − 4m, where t and m are the squared Frobenius norms of a matrix whose
/// determinant is 1, and of its inverse. The root is the sum of the matrix's singular values.
#[inline]
fn largest_roots<const N: usize>(t: [f64; N], m: [f64; N]) -> Roots<N> {
    // All roots are real, and this is an upper bound of the largest one. Halley's method descends to it.
    let upper_bound = |i: usize| (t[i] + 2.0 * (m[i] + 2.0 * (3.0 * t[i]).sqrt()).sqrt()).sqrt();
    let mut at: [f64; N] = std::array::from_fn(upper_bound);
    let mut slope = [0.0; N];
    for _ in 0..12 {
        let mut step = [0.0; N];
        for i in 0..N {
            let squared = at[i] * at[i];
            let value = (squared - 2.0 * t[i]) * squared - 8.0 * at[i] + (t[i] * t[i] - 4.0 * m[i]);
            slope[i] = 4.0 * at[i] * (squared - t[i]) - 8.0;
            let curvature = 12.0 * squared - 4.0 * t[i];
            step[i] = 2.0 * value * slope[i] / (2.0 * slope[i] * slope[i] - value * curvature);
            at[i] -= step[i];
        }
        // Convergence is cubic, so the next step would be below the precision of `f64`.
        if !(0..N).any(|i| step[i] >= 1e-6 * at[i]) {
            break;
        }
    }
    Roots { at, slope }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::nearest_rotation;

    /// Returns the largest difference between the closed form and the iteration, and the number of rotations that the
    /// closed form leaves to the iteration, for 10⁵ maps whose stretches are up to 2 to the power of `octaves`.
    fn compare(octaves: f64) -> (f64, u32) {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut number = |low: f64, high: f64| low + (high - low) * rng.f64();
        let (mut worst, mut left): (f64, u32) = (0.0, 0);
        for i in 0..100_000 {
            let stretch = DVec3::from_array(std::array::from_fn(|_| number(-octaves, octaves).exp2()));
            let mut random_rotation = || {
                let axis = DVec3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
                DQuat::from_scaled_axis(axis * 3.0)
            };
            let [x, v] = [random_rotation(), random_rotation()].map(DMat3::from_quat);
            let mirror = if i % 2 == 0 { 1.0 } else { -1.0 };
            let parent = x * DMat3::from_diagonal(stretch * mirror) * v;
            let half_turn = DQuat::from_axis_angle(random_rotation() * DVec3::X, std::f64::consts::PI);
            let turn = if i % 5 == 0 { half_turn } else { random_rotation() };
            let axes = PrincipalAxes::new(parent).expect("the parent is not singular");
            let Some(found) = PrincipalAxes::nearest_turns([&axes], [turn])[0] else {
                left += 1;
                continue;
            };
            let sheared = parent.inverse() * DMat3::from_quat(turn) * parent;
            let expected = nearest_rotation(sheared).expect("the matrix is not singular");
            let error = DMat3::from_quat(found) - expected;
            worst = error.to_cols_array().iter().fold(worst, |a, b| a.max(b.abs()));
        }
        (worst, left)
    }

    #[test]
    fn nearest_turn_agrees_with_iteration() {
        let (worst, left) = compare(1.2);
        assert!(worst < 1e-13, "largest difference: {worst:e}");
        assert_eq!(left, 0, "the closed form holds for stretches up to 5 : 1");
        let (worst, _) = compare(5.0);
        assert!(worst < 1e-11, "largest difference: {worst:e}");
    }
}
