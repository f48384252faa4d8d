//! The visible parts of lines and segments.

use crate::draw::guides::MARGIN_PX;
use crate::math::View;
use glam::{DVec2, DVec3};

/// The minimum w of a point in front of the viewer, as a fraction of the w of the line's origin.
const MIN_LINE_W: f64 = 1e-6;

/// Clips the line `from + t · along`, in homogeneous pixels, to the viewport with a margin and to the
/// half space in front of the viewer. Returns the visible range of `t`.
pub(crate) fn clip_line(
    view: &View,
    [from, along]: [DVec3; 2],
    [mut low, mut high]: [f64; 2],
) -> Option<[f64; 2]> {
    let v = view.viewport();
    let right = v.x + v.width + MARGIN_PX;
    let bottom = v.y + v.height + MARGIN_PX;
    let (left, top) = (v.x - MARGIN_PX, v.y - MARGIN_PX);
    let w_scale = from.z.abs().max(f64::MIN_POSITIVE);
    let sides = [
        DVec3::Z,
        DVec3::new(1.0, 0.0, -left),
        DVec3::new(-1.0, 0.0, right),
        DVec3::new(0.0, 1.0, -top),
        DVec3::new(0.0, -1.0, bottom),
    ];
    for (i, side) in sides.into_iter().enumerate() {
        let min = if i == 0 { MIN_LINE_W * w_scale } else { 0.0 };
        let (at, slope) = (side.dot(from) - min, side.dot(along));
        if slope > 0.0 {
            low = low.max(-at / slope);
        } else if slope < 0.0 {
            high = high.min(-at / slope);
        } else if at.is_nan() || at < 0.0 {
            return None;
        }
    }
    (low < high).then_some([low, high])
}

/// Returns the pixel of `from + t · along`, which is the vanishing point if `t` is infinite.
fn px_at([from, along]: [DVec3; 2], t: f64) -> DVec2 {
    let at = if t.is_finite() { from + along * t } else { along };
    at.truncate() / at.z
}

/// The visible part of a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct VisibleSegment {
    pub(crate) px: [DVec2; 2],
    /// The parameters of its ends on the segment, which runs from 0 to 1.
    pub(crate) t: [f64; 2],
}

/// Returns the visible part of a segment in world space.
pub(crate) fn segment(view: &View, from: DVec3, to: DVec3) -> Option<VisibleSegment> {
    let line = [from.extend(1.0), (to - from).extend(0.0)].map(|end| view.px_homogeneous(end));
    let t = clip_line(view, line, [0.0, 1.0])?;
    let px = t.map(|t| px_at(line, t));
    px.iter().all(|px| px.is_finite()).then_some(VisibleSegment { px, t })
}

/// Returns the visible part of an infinite line. `origin` must be in front of the viewer.
pub(crate) fn line(view: &View, origin: DVec3, direction: DVec3) -> Option<[DVec2; 2]> {
    let line = [origin.extend(1.0), direction.extend(0.0)].map(|end| view.px_homogeneous(end));
    let px = clip_line(view, line, [f64::NEG_INFINITY, f64::INFINITY])?.map(|t| px_at(line, t));
    px.iter().all(|px| px.is_finite()).then_some(px)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::dcamera::rh;

    fn view(eye: DVec3) -> View {
        let view_from_world = rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
        let clip_from_view = rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
        View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0)
            .expect("the view is valid")
    }

    #[test]
    fn segment_is_clipped_behind_viewer() {
        let view = view(DVec3::Z * 5.0);
        let seen = segment(&view, DVec3::X, DVec3::new(1.0, 0.0, 20.0)).expect("the near part is visible");
        assert!(seen.t[0] == 0.0 && seen.t[1] < 0.3, "{seen:?}");
        assert!(segment(&view, DVec3::Z * 6.0, DVec3::Z * 9.0).is_none());
        // Straight at the viewer, it ends just in front.
        let at_viewer = segment(&view, DVec3::ZERO, DVec3::Z * 20.0).expect("the near part is visible");
        assert!(at_viewer.t[1] < 0.25 && at_viewer.t[1] > 0.2499, "{at_viewer:?}");
        let whole = segment(&view, DVec3::ZERO, DVec3::X).expect("the segment is visible");
        assert_eq!(whole.t, [0.0, 1.0]);
    }
}
