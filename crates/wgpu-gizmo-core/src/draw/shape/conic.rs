//! Ellipses: the images of circles and balls.

use crate::draw::item::Item;
use glam::{DMat2, DVec2, DVec3, DVec4};

/// An ellipse in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ellipse {
    pub(super) center: DVec2,
    /// The symmetric matrix that maps the unit circle to the ellipse around its center.
    pub(super) px_from_unit: DMat2,
}

/// The semi-axis of an ellipse that is seen edge-on, in pixels.
const MIN_AXIS_PX: f64 = 0.04;

/// Returns the image of a ball or circle, given the homogeneous images of its perpendicular radii and of
/// its center. `None` if it is not entirely in front of the viewer.
///
/// R. Hartley, A. Zisserman, "Multiple View Geometry" (2004), 8.3: the dual conic of the outline is the
/// image of the dual quadric.
pub(super) fn ellipse(radii: &[DVec4], center: DVec4) -> Option<Ellipse> {
    let row = |v: DVec4| DVec3::new(v.x, v.y, v.w);
    let [mut xx, mut xy, mut yy, mut xw, mut yw, mut ww] = [0.0; 6];
    let mut add = |v: DVec3, sign: f64| {
        xx += sign * v.x * v.x;
        xy += sign * v.x * v.y;
        yy += sign * v.y * v.y;
        xw += sign * v.x * v.z;
        yw += sign * v.y * v.z;
        ww += sign * v.z * v.z;
    };
    radii.iter().for_each(|radius| add(row(*radius), 1.0));
    add(row(center), -1.0);
    if !(ww < 0.0 && center.w > 0.0) {
        return None;
    }
    let center = DVec2::new(xw, yw) / ww;
    let [a, b, d] =
        [center.x * center.x - xx / ww, center.x * center.y - xy / ww, center.y * center.y - yy / ww];
    let min = MIN_AXIS_PX * MIN_AXIS_PX;
    let [a, d] = [a.max(0.0) + min, d.max(0.0) + min];
    // The square root of a symmetric matrix.
    let root = (a * d - b * b).max(0.0).sqrt();
    let scale = (a + d + 2.0 * root).sqrt().recip();
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let px_from_unit = DMat2::from_cols(DVec2::new(a + root, b) * scale, DVec2::new(b, d + root) * scale);
    (center.is_finite() && px_from_unit.is_finite()).then_some(Ellipse { center, px_from_unit })
}

impl Ellipse {
    /// Returns the smaller semi-axis.
    pub(super) fn min_axis(&self) -> f64 {
        let DMat2 { x_axis, y_axis } = self.px_from_unit;
        let (mean, difference) = (0.5 * (x_axis.x + y_axis.y), 0.5 * (x_axis.x - y_axis.y));
        (mean - difference.hypot(x_axis.y)).max(0.0)
    }
}

/// Returns the image of the unit circle in the YZ plane of a part.
pub(super) fn circle_of(item: &Item) -> Option<Ellipse> {
    let m = &item.px_from_part;
    ellipse(&[m.y_axis, m.z_axis], m.w_axis)
}

/// Returns the rotation, or the rotation and reflection, that is nearest to a matrix.
pub(super) fn nearest_orthogonal(m: DMat2) -> DMat2 {
    let (x, y) = (m.x_axis, m.y_axis);
    let is_rotation = m.determinant() >= 0.0;
    let sign = if is_rotation { 1.0 } else { -1.0 };
    let axis = DVec2::new(x.x + sign * y.y, x.y - sign * y.x).normalize_or(DVec2::X);
    DMat2::from_cols(axis, axis.perp() * sign)
}
