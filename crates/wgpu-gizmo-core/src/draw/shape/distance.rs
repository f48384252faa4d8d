//! Distances from a pixel to the shapes of a part, for the CPU pick.

use crate::draw::item::Item;
use crate::draw::list::DrawList;
use crate::draw::order::PiecePart;
use crate::draw::shape::arc;
use crate::draw::shape::solid::is_far_from_ring;
use crate::draw::shape::triangles;
use crate::draw::shape::{Purpose, Shape};
use crate::handle::MeshKind;
use crate::math::Rect;
use glam::DVec2;

impl DrawList {
    /// Returns the distance in pixels from a point of the viewport to a part that can be picked there, 0 or less on
    /// the part, or `None` if it is farther than `radius_px`.
    pub(crate) fn distance_px(&self, item: &Item, px: DVec2, radius_px: f64) -> Option<f64> {
        let from_anchor = px - item.anchor_px;
        // Half a pixel of rounding.
        let reach = radius_px + 0.5;
        if !self.may_reach(item, px, reach) {
            return None;
        }
        let square = Rect { min: px - reach, max: px + reach };
        let visible = self.view().and_then(|view| view.viewport().rect().intersection(square));
        let clip = visible
            .filter(|rect| *rect != square)
            .map(|Rect { min, max }| Rect { min: min - item.anchor_px, max: max - item.anchor_px });
        let mut nearest = f64::INFINITY;
        let mut measure = |shape: Shape| {
            nearest = nearest.min(shape.distance(from_anchor, clip.as_ref()));
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
            item.shape(Purpose::Ids).into_iter().for_each(measure);
        }
        (nearest <= radius_px).then_some(nearest)
    }

    /// Returns false only if no pixel of a part is in a rectangle.
    pub(crate) fn may_touch(&self, item: &Item, Rect { min, max }: &Rect) -> bool {
        self.may_reach(item, min.midpoint(*max), 0.5 * min.distance(*max))
    }

    /// Returns false only if the whole part is farther than `reach_px` from a pixel.
    fn may_reach(&self, item: &Item, px: DVec2, reach_px: f64) -> bool {
        let px = px - item.anchor_px;
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
