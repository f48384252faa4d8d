//! Distances from a pixel to the outline of a shape, for the CPU pick. The shader computes the same.

use super::arc;
use super::solid::is_far_from_ring;
use super::triangles;
use super::{Cone, Cube, Disc, Expansion, Purpose, Shape, ShapeKind, Square, Stroke, Triangle};
use crate::draw::item::Item;
use crate::draw::list::DrawList;
use crate::draw::order::PiecePart;
use crate::handle::MeshKind;
use glam::{DMat2, DVec2};

impl DrawList {
    /// Returns the distance in pixels from a point to a part that can be picked, 0 or less on the part,
    /// or `None` if it is farther than `radius_px`.
    pub(crate) fn distance_px(&self, item: &Item, px: DVec2, radius_px: f64) -> Option<f64> {
        let from_anchor = px - item.anchor_px;
        // Half a pixel of rounding.
        let reach = radius_px + 0.5;
        if !self.may_reach(item, from_anchor, reach) {
            return None;
        }
        let mut nearest = f64::INFINITY;
        let mut measure = |shape: Shape| {
            let distance = shape.distance(from_anchor);
            if distance < nearest {
                nearest = distance;
            }
        };
        if item.mesh == MeshKind::Ring {
            // Twice the width at the pivot is more than the width anywhere in front of it.
            let width = 4.0 * item.half_width_px + 2.0;
            if is_far_from_ring(item, from_anchor, reach + width) {
                return None;
            }
            let wide = 0.1 * item.radius_px + reach + width;
            let may_show = |[min, max]: [DVec2; 2]| {
                (min - wide).cmple(from_anchor).all() && (max + wide).cmpge(from_anchor).all()
            };
            let parts: &[PiecePart] =
                if item.is_whole_in_ids() { &[PiecePart::Near, PiecePart::Far] } else { &[PiecePart::Near] };
            for part in parts {
                arc::strokes(item, *part, Purpose::Ids, may_show, &mut measure);
            }
        } else if let MeshKind::Custom(_) = item.mesh {
            // The order does not matter here.
            triangles::unsorted(self, item, Purpose::Ids, measure);
        } else {
            let expansion =
                Expansion { list: self, item: *item, part: PiecePart::Whole, purpose: Purpose::Ids };
            expansion.shapes(&mut Vec::new(), measure);
        }
        (nearest <= radius_px).then_some(nearest)
    }

    /// Returns false only if the whole part is farther than `reach_px`.
    fn may_reach(&self, item: &Item, px: DVec2, reach_px: f64) -> bool {
        let Some([center, half]) = self.bounds_of(item) else { return true };
        let m = &item.px_from_part;
        let center = m.x_axis * center.x + m.y_axis * center.y + m.z_axis * center.z + m.w_axis;
        let sides = [m.x_axis * half.x, m.y_axis * half.y, m.z_axis * half.z];
        let reach_w = sides[0].w.abs() + sides[1].w.abs() + sides[2].w.abs();
        let min_w = center.w - reach_w;
        // Close to the eye, sizes in pixels mean little.
        if min_w.is_nan() || min_w < 0.1 * center.w {
            return true;
        }
        // The corners of a thick border are farther out than its sides.
        let miter = if half.x == 0.0 { 7.0 } else { 1.0 };
        let width = miter * item.half_width_px.max(0.5) * item.pivot_w;
        let reach = (reach_px + 1.0) * (center.w + reach_w) + width;
        let is_beyond = |center: f64, sides: [f64; 3]| {
            center.abs() - (sides[0].abs() + sides[1].abs() + sides[2].abs()) > reach
        };
        let x = is_beyond(center.x - px.x * center.w, sides.map(|side| side.x - px.x * side.w));
        !(x || is_beyond(center.y - px.y * center.w, sides.map(|side| side.y - px.y * side.w)))
    }
}

fn vec([x, y]: [f32; 2]) -> DVec2 {
    DVec2::new(x.into(), y.into())
}

/// Returns the signed distance from a line.
pub(super) fn outside([x, y, z]: [f32; 3], p: DVec2) -> f64 {
    p.dot(vec([x, y])) - f64::from(z)
}

impl Shape {
    /// Returns the distance from a pixel, relative to the anchor, to the outline: negative inside.
    pub(crate) fn distance(&self, p: DVec2) -> f64 {
        match self.kind {
            ShapeKind::Line => bytemuck::cast::<_, Stroke>(self.data).distance_to_line(p),
            ShapeKind::Arc => bytemuck::cast::<_, Stroke>(self.data).distance_to_arc(p),
            ShapeKind::Cone => bytemuck::cast::<_, Cone>(self.data).distance(p),
            ShapeKind::Cube => bytemuck::cast::<_, Cube>(self.data).distance(p),
            ShapeKind::Square => self.distance_to_square(p),
            ShapeKind::Disc => bytemuck::cast::<_, Disc>(self.data).distance(p),
            ShapeKind::Triangle => bytemuck::cast::<_, Triangle>(self.data).distance(p),
        }
    }

    fn distance_to_square(&self, p: DVec2) -> f64 {
        let Square { sides, half_width, .. } = bytemuck::cast(self.data);
        let from = sides.map(|side| outside(side, p)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let is_filled = self.colors[0][3] > 0.0;
        if is_filled { from - f64::from(half_width) } else { from.abs() - f64::from(half_width) }
    }
}

impl Stroke {
    /// Returns the position along the chord, and the distance beyond the side of the stroke. The stroke
    /// ends `beyond` its chord, in lengths of the chord.
    fn beside(&self, p: DVec2, beyond: f64) -> (f64, f64) {
        let (from, along) = (p - vec(self.start), vec(self.along));
        let (x, y) = (from.dot(along), along.perp_dot(from));
        let length = f64::from(self.length);
        let t = (x / length).clamp(-beyond, 1.0 + beyond);
        let sagitta = 4.0 * f64::from(self.sagitta);
        let slope = sagitta * (1.0 - 2.0 * t) / length;
        let off = (y - sagitta * t * (1.0 - t)).abs() / (1.0 + slope * slope).sqrt();
        let [h0, h1] = self.half_widths.map(f64::from);
        (x, off - (h0 + (h1 - h0) * t))
    }

    fn distance_to_line(&self, p: DVec2) -> f64 {
        let (x, side) = self.beside(p, 0.5);
        let end = (-x).max(x - f64::from(self.length));
        if side > 0.0 && end > 0.0 { side.hypot(end) } else { side.max(end) }
    }

    /// Beyond a joint, the distance is to the flat end of the stroke there.
    fn distance_to_arc(&self, p: DVec2) -> f64 {
        let beyond = (-outside(self.from, p)).max(outside(self.to, p));
        if beyond < 0.0 {
            return self.beside(p, 0.5).1;
        }
        self.beside(p, 0.0).1.max(0.0).hypot(beyond).max(1e-9)
    }
}

/// Returns a point in the space in which an ellipse is the unit circle, and the matrix to there.
fn unit([a, b, c, d]: [f32; 4], center: [f32; 2], p: DVec2) -> (DVec2, DMat2) {
    let m = DMat2::from_cols(vec([a, b]), vec([c, d]));
    (m * (p - vec(center)), m)
}

/// Returns the distance in pixels that belongs to a distance from a circle in unit space.
fn px_of(distance: f64, out: DVec2, m: &DMat2) -> f64 {
    distance / (m.transpose() * out).length()
}

impl Cone {
    fn distance(&self, p: DVec2) -> f64 {
        let (q, m) = unit(self.unit_from_px, self.center, p);
        let tip = f64::from(self.tip);
        let from_center = q.length();
        let out = if from_center > 0.0 { q / from_center } else { DVec2::X };
        // Beside a base that is seen edge-on, its ends are nearer than the distance to the ellipse says.
        let from_base = px_of(from_center - 1.0, out, &m).max(px_of(q.y.abs() - 1.0, DVec2::Y, &m));
        if tip <= 1.0 {
            return from_base;
        }
        // The tangents from the tip.
        let n = DVec2::new(1.0 / tip, (1.0 - 1.0 / (tip * tip)).sqrt());
        if n.x * q.y.abs() > n.y * q.x {
            return from_base;
        }
        let other = DVec2::new(n.x, -n.y);
        let [a, b] = [n, other].map(|n| px_of(n.dot(q) - 1.0, n, &m));
        let [a_normal, b_normal] = [n, other].map(|n| (m.transpose() * n).normalize());
        let (cosine, far) = (a_normal.dot(b_normal), a.max(b));
        if far > 0.0 && a.min(b) > cosine * far {
            // Beyond the tip, the distance is to the tip.
            let squared = a * a + b * b - 2.0 * cosine * a * b;
            return (squared / (1.0 - cosine * cosine).max(1e-3)).max(0.0).sqrt();
        }
        far
    }
}

impl Cube {
    pub(super) fn distance(&self, p: DVec2) -> f64 {
        let across = |i: usize| {
            let edge = vec(self.edges[i]);
            // Edges that point at the viewer bound nothing.
            if edge.length_squared() < 1e-6 {
                return f64::NEG_INFINITY;
            }
            let at = edge.perp().normalize().dot(p);
            let [low, high] = self.outline[i].map(f64::from);
            (at - high).max(low - at)
        };
        across(0).max(across(1)).max(across(2))
    }
}

impl Disc {
    fn distance(&self, p: DVec2) -> f64 {
        let (q, m) = unit(self.unit_from_px, self.center, p);
        let from_center = q.length();
        let out = if from_center > 0.0 { q / from_center } else { DVec2::X };
        px_of(from_center - 1.0, out, &m)
    }
}

impl Triangle {
    fn distance(&self, p: DVec2) -> f64 {
        self.sides.map(|side| outside(side, p)).into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}
