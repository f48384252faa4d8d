use crate::draw::guides::clip::segment;
use crate::draw::guides::{GuideVertex, HALO_LPX, MARGIN_PX, StrokeStyle};
use crate::draw::width_px;
use crate::handle::Rgba;
use crate::math::View;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// The maximum absolute coordinate of a visible pixel.
const MAX_GUIDE_PX: f64 = 1e6;
/// The distance beyond the halo at which a pixel is not covered anymore.
const REACH_PX: f64 = 0.6;
/// The width of a needle at its start, relative to the width of a stroke: it is wider, so that it narrows only where it
/// is faint.
const NEEDLE_WIDTH: f64 = 1.6;

/// Returns true if a pixel is close enough to the viewport for `f32` coordinates.
fn is_near(px: DVec2) -> bool {
    px.abs().max_element() < MAX_GUIDE_PX
}

/// Paints guides into one layer of a draw list.
#[derive(Debug)]
pub struct GuidePainter<'a> {
    layer: &'a mut Vec<GuideVertex>,
    view: &'a View,
    halo_px: f64,
}

impl<'a> GuidePainter<'a> {
    pub(crate) fn new(layer: &'a mut Vec<GuideVertex>, view: &'a View) -> Self {
        Self { layer, halo_px: width_px(HALO_LPX, view), view }
    }

    /// Returns the view of the list.
    pub fn view(&self) -> &'a View {
        self.view
    }

    /// Returns the painter without a halo.
    #[must_use]
    pub fn without_halo(mut self) -> Self {
        self.halo_px = 0.0;
        self
    }

    /// Paints a straight stroke between two pixels.
    pub fn stroke(&mut self, ends: [DVec2; 2], ink: StrokeStyle) {
        self.quad(ends, ink, 1.0, 1.0);
    }

    /// Paints a stroke that fades out toward its second end and ends in a point: one triangle, because two that
    /// share a diagonal would cover most of its pixels twice.
    pub(crate) fn needle(&mut self, ends: [DVec2; 2], ink: StrokeStyle) {
        self.quad(ends, ink, NEEDLE_WIDTH, 0.0);
    }

    /// Paints a stroke that is wider than the ink by a factor. At its second end, width and opacity are multiplied.
    fn quad(&mut self, [a, b]: [DVec2; 2], ink: StrokeStyle, wider: f64, end: f64) {
        let along = b - a;
        let length = along.length();
        let half = 0.5 * width_px(ink.width_lpx, self.view);
        let is_visible = is_near(a) && is_near(b) && ink.color[3] > 0.0;
        if !(is_visible && length > 1e-3 && half > 0.0) {
            return;
        }
        let reach = wider * (half + self.halo_px + REACH_PX);
        let side = along.perp() / length * reach;
        let corner = |at: DVec2, across: f64, opacity: f32| GuideVertex {
            position_px: (at + side * across).as_vec2().to_array(),
            across_px: [(reach * across) as f32, half as f32, self.halo_px as f32],
            color: ink.faded(opacity).color,
        };
        let (opacity, low, high) = (end as f32, corner(a, -1.0, 1.0), corner(a, 1.0, 1.0));
        self.layer.extend([low, high, corner(b, end, opacity), corner(b, -end, opacity)]);
    }

    /// Returns true if a disc around a pixel may intersect the viewport.
    pub(super) fn is_in_sight(&self, px: DVec2, reach_px: f64) -> bool {
        let v = self.view.viewport();
        let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
        let reach = reach_px + MARGIN_PX;
        px.cmpge(low - reach).all() && px.cmple(high + reach).all()
    }

    /// Paints a stroke between two world points.
    pub fn world_stroke(&mut self, from: DVec3, to: DVec3, ink: StrokeStyle) {
        if let Some(seen) = segment(self.view, from, to) {
            self.stroke(seen.px, ink);
        }
    }

    /// Paints a dashed stroke between two pixels.
    pub fn dashes(&mut self, [a, b]: [DVec2; 2], ink: StrokeStyle) {
        let (dash, period) = (4.0 * self.view.scale_factor(), 7.0 * self.view.scale_factor());
        let length = a.distance(b);
        if !length.is_finite() {
            return;
        }
        // A solid line bounds the number of strokes if the cursor is far away.
        if length > 400.0 * period {
            return self.stroke([a, b], ink);
        }
        let along = (b - a).normalize_or_zero();
        let mut at = 0.0;
        while at < length {
            self.stroke([a + along * at, a + along * (at + dash).min(length)], ink);
            at += period;
        }
    }

    /// Paints a circle in pixel space.
    pub fn circle(&mut self, center_px: DVec2, radius_px: f64, ink: StrokeStyle) {
        let radius_px = radius_px.abs();
        if !(radius_px < MAX_GUIDE_PX && self.is_in_sight(center_px, radius_px)) {
            return;
        }
        let half = 0.5 * width_px(ink.width_lpx, self.view);
        let reach = half + self.halo_px + REACH_PX;
        // Neighboring quads share their corners, because separate strokes would overlap there.
        let steps = (radius_px.sqrt() * 6.0).clamp(10.0, 96.0).ceil() as u32;
        let sides = [(-reach).max(-radius_px), reach]
            .map(|across| (radius_px + across, [across as f32, half as f32, self.halo_px as f32]));
        let ends = |outward: DVec2| {
            sides.map(|(radius_px, across_px)| GuideVertex {
                position_px: (center_px + outward * radius_px).as_vec2().to_array(),
                across_px,
                color: ink.color,
            })
        };
        let turn = DVec2::from_angle(TAU / f64::from(steps));
        let (mut outward, mut last) = (DVec2::X, ends(DVec2::X));
        for step in 1..=steps {
            // The last step has the same bits as the first one, so that the circle is closed.
            outward = if step == steps { DVec2::X } else { turn.rotate(outward) };
            let ([p, q], [s, r]) = (last, ends(outward));
            self.layer.extend([p, q, r, s]);
            last = [s, r];
        }
    }

    /// Fills a quad, or a triangle if two neighboring corners are equal.
    pub(super) fn fill(&mut self, corners: [DVec2; 4], color: Rgba) {
        if corners.into_iter().all(is_near) {
            let corner = |at: DVec2| GuideVertex {
                position_px: at.as_vec2().to_array(),
                across_px: [0.0, 1e3, 0.0],
                color,
            };
            self.layer.extend(corners.map(corner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::DMat4;

    #[test]
    fn strokes_without_width_or_near_ends_are_skipped() {
        let view = View::from_clip_from_world(DMat4::IDENTITY, Viewport::from_size(800, 600), 1.0);
        let view = view.expect("the view is valid");
        let ink = StrokeStyle { color: [1.0; 4], width_lpx: 2.0 };
        let (near, far, nan) = (DVec2::new(9.0, 5.0), DVec2::new(2e6, 5.0), DVec2::NAN);
        for (ends, ink, is_painted) in [
            ([DVec2::ZERO, near], ink, true),
            ([DVec2::ZERO, far], ink, false),
            ([far, near], ink, false),
            ([nan, near], ink, false),
            ([near, near], ink, false),
            ([DVec2::ZERO, near], ink.faded(0.0), false),
            ([DVec2::ZERO, near], StrokeStyle { width_lpx: 0.0, ..ink }, false),
        ] {
            let mut layer = Vec::new();
            GuidePainter::new(&mut layer, &view).stroke(ends, ink);
            assert_eq!(!layer.is_empty(), is_painted, "{ends:?} {ink:?}");
        }
    }
}
