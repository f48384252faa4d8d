//! Double-double numbers of 106 bits, each the unevaluated sum of two `f64`: T. Dekker, "A
//! floating-point technique for extending the available precision", Numer. Math. 18 (1971). Results
//! are exact to the last bit of an `f64` and share no code with the crate.

use std::ops::{Add, Div, Mul, Neg, Sub};
use wgpu_gizmo_core::glam::{DMat4, DQuat, DVec3};

/// `hi + lo`, with `lo` at most half a unit in the last place of `hi`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub(crate) struct Dd {
    hi: f64,
    lo: f64,
}

impl Dd {
    pub(crate) const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    pub(crate) const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    /// Returns the exact sum of two numbers, the first of which must have the larger magnitude.
    fn quick(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self { hi, lo: b - (hi - a) }
    }

    /// Returns the exact sum of two numbers (D. Knuth).
    fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let part = hi - a;
        Self { hi, lo: (a - (hi - part)) + (b - part) }
    }

    /// Returns the exact product.
    fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        Self { hi, lo: a.mul_add(b, -hi) }
    }

    /// Returns the nearest `f64`.
    pub(crate) fn to_f64(self) -> f64 {
        self.hi
    }

    pub(crate) fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::ZERO;
        }
        let root = Self::from(self.hi.sqrt());
        // Two steps of Newton's method: the first gives 106 bits, the second removes rounding.
        let half = Self::from(0.5);
        let root = half * (root + self / root);
        half * (root + self / root)
    }

    pub(crate) fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    pub(crate) fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl From<f64> for Dd {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (s, t) = (Self::sum(self.hi, other.hi), Self::sum(self.lo, other.lo));
        let c = Self::quick(s.hi, s.lo + t.hi);
        Self::quick(c.hi, c.lo + t.lo)
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let p = Self::product(self.hi, other.hi);
        Self::quick(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        let third = rest.hi / other.hi;
        Self::quick(first, second) + Self::from(third)
    }
}

/// A vector of double-double numbers.
pub(crate) type V<const N: usize> = [Dd; N];

pub(crate) fn v3(v: DVec3) -> V<3> {
    v.to_array().map(Dd::from)
}

/// Returns the nearest `f64` of each component.
pub(crate) fn to_dvec3(v: V<3>) -> DVec3 {
    DVec3::from_array(v.map(Dd::to_f64))
}

pub(crate) fn add<const N: usize>(a: V<N>, b: V<N>) -> V<N> {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(crate) fn sub<const N: usize>(a: V<N>, b: V<N>) -> V<N> {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(crate) fn scale<const N: usize>(a: V<N>, by: Dd) -> V<N> {
    a.map(|part| part * by)
}

pub(crate) fn dot<const N: usize>(a: V<N>, b: V<N>) -> Dd {
    (0..N).fold(Dd::ZERO, |sum, i| sum + a[i] * b[i])
}

pub(crate) fn length<const N: usize>(a: V<N>) -> Dd {
    dot(a, a).sqrt()
}

pub(crate) fn normalize<const N: usize>(a: V<N>) -> V<N> {
    let length = length(a);
    a.map(|part| part / length)
}

pub(crate) fn cross(a: V<3>, b: V<3>) -> V<3> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A matrix of double-double numbers, by rows.
pub(crate) type M<const N: usize> = [[Dd; N]; N];

pub(crate) fn m4(m: DMat4) -> M<4> {
    std::array::from_fn(|i| m.row(i).to_array().map(Dd::from))
}

pub(crate) fn identity<const N: usize>() -> M<N> {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { Dd::ONE } else { Dd::ZERO }))
}

pub(crate) fn transpose<const N: usize>(m: &M<N>) -> M<N> {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

pub(crate) fn mul<const N: usize>(a: &M<N>, b: &M<N>) -> M<N> {
    let columns = transpose(b);
    std::array::from_fn(|i| std::array::from_fn(|j| dot(a[i], columns[j])))
}

pub(crate) fn apply<const N: usize>(m: &M<N>, v: V<N>) -> V<N> {
    std::array::from_fn(|i| dot(m[i], v))
}

/// Solves `m x = b` by Gaussian elimination with partial pivoting. Returns `None` if `m` is
/// singular.
pub(crate) fn solve<const N: usize>(m: &M<N>, b: V<N>) -> Option<V<N>> {
    let (mut m, mut b) = (*m, b);
    for column in 0..N {
        let largest = (column..N)
            .max_by(|i, j| m[*i][column].abs().to_f64().total_cmp(&m[*j][column].abs().to_f64()))?;
        if m[largest][column] == Dd::ZERO {
            return None;
        }
        m.swap(column, largest);
        b.swap(column, largest);
        for row in column + 1..N {
            let factor = m[row][column] / m[column][column];
            let above = m[column];
            m[row] = sub(m[row], scale(above, factor));
            b[row] = b[row] - b[column] * factor;
        }
    }
    let mut x = [Dd::ZERO; N];
    for row in (0..N).rev() {
        let known = (row + 1..N).fold(Dd::ZERO, |sum, i| sum + m[row][i] * x[i]);
        x[row] = (b[row] - known) / m[row][row];
    }
    Some(x)
}

pub(crate) fn inverse<const N: usize>(m: &M<N>) -> Option<M<N>> {
    let mut columns = [[Dd::ZERO; N]; N];
    for (i, unit) in identity::<N>().into_iter().enumerate() {
        columns[i] = solve(m, unit)?;
    }
    Some(transpose(&columns))
}

/// Returns the rotation matrix of a quaternion, which does not have to be normalized.
pub(crate) fn rotation(q: DQuat) -> M<3> {
    let [x, y, z, w] = normalize(q.to_array().map(Dd::from));
    let two = Dd::from(2.0);
    let one = Dd::ONE;
    [
        [one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)],
        [two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)],
        [two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)],
    ]
}

/// Returns the minimum of a unimodal function in `low..high`, by golden-section search.
pub(crate) fn minimize(low: Dd, high: Dd, f: impl Fn(Dd) -> Dd) -> Dd {
    let golden = (Dd::from(5.0).sqrt() - Dd::ONE) * Dd::from(0.5);
    let (mut low, mut high) = (low, high);
    let inner = |low: Dd, high: Dd| (high - (high - low) * golden, low + (high - low) * golden);
    let (mut a, mut b) = inner(low, high);
    let (mut f_a, mut f_b) = (f(a), f(b));
    for _ in 0..150 {
        if f_a < f_b {
            (high, b, f_b) = (b, a, f_a);
            a = inner(low, high).0;
            f_a = f(a);
        } else {
            (low, a, f_a) = (a, b, f_b);
            b = inner(low, high).1;
            f_b = f(b);
        }
    }
    (low + high) * Dd::from(0.5)
}

#[test]
fn division_round_trips_to_thirty_digits() {
    let (third, root) = (Dd::ONE / Dd::from(3.0), Dd::from(2.0).sqrt());
    let off = [third * Dd::from(3.0) - Dd::ONE, root * root - Dd::from(2.0)];
    assert!(off.iter().all(|off| off.abs() < Dd::from(1e-30)), "{off:?}");
    let sum = Dd::ONE + Dd::from(1e-25) - Dd::ONE;
    assert!((sum - Dd::from(1e-25)).abs() < Dd::from(1e-40), "{sum:?}");
}

#[test]
fn matrix_inverse_is_exact_to_28_digits() {
    let m: M<4> = std::array::from_fn(|i| {
        std::array::from_fn(|j| Dd::from(((3 * i + 5 * j + 1) % 7) as f64) / Dd::from(3.0))
    });
    let off = mul(&m, &inverse(&m).expect("the matrix is not singular"));
    let rows = off.iter().zip(identity::<4>());
    let worst = rows.map(|(row, unit)| length(sub(*row, unit))).fold(Dd::ZERO, Dd::max);
    assert!(worst < Dd::from(1e-28), "{worst:?}");
}
