use crate::draw::guides::{HALO_LPX, HALO_OPACITY, MARGIN_PX, StrokeStyle, faded};
use crate::draw::width_px;
use crate::handle::Rgba;
use crate::math::{View, is_positive};
use glam::{DMat3, DVec3};

/// The maximum number of grid lines on either side of the center.
const MAX_LINES: f64 = 24.0;

/// A grid in the plane of a drag, which fades out with the distance from its center.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    /// The point of the plane at which the grid is brightest.
    pub(crate) center: DVec3,
    /// A point of the plane at which two grid lines cross.
    pub(crate) anchor: DVec3,
    /// The directions of the lines, orthonormal.
    pub(crate) axes: [DVec3; 2],
    pub(crate) spacing: f64,
    /// The distance from the center at which the grid has faded out.
    pub(crate) radius: f64,
}

/// A grid in the plane of a drag: two families of parallel lines that fade out toward a circle.
///
/// Grids are painted below all other guides and cannot be picked. The shader generates their lines,
/// because the lines themselves would take a hundred times as many bytes.
///
/// Plane coordinates `(a, b)` are relative to the center of the circle, along two perpendicular
/// axes, in units of the radius of the circle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GuideGrid {
    /// The matrix from a point `(a, b, 1)` of the plane to the homogeneous pixel
    /// `(x · w, y · w, w)` of the render target. Points with w > 0 are in front of the viewer.
    pub px_from_plane: DMat3,
    /// The coordinate `a` of the first line along the second axis, and the coordinate `b` of the
    /// first line along the first axis.
    pub first: [f64; 2],
    /// The distance between neighboring lines of either family.
    pub spacing: f64,
    /// The number of lines along the second axis, and along the first axis.
    pub lines: [u32; 2],
    /// Half of the width of a line, in physical pixels.
    pub half_width_px: f32,
    /// The width of the dark halo on either side of a line, in physical pixels.
    pub halo_px: f32,
    /// The sRGB color at the center, not premultiplied. [`GuideGrid::brightness`] is the factor on
    /// its opacity elsewhere.
    pub color: Rgba,
}

impl GuideGrid {
    /// The number of strokes of a line, along which its opacity changes.
    pub const PIECES: u32 = 6;
    /// The opacity of the halo of a line in front of its brightest point.
    pub const HALO_OPACITY: f64 = HALO_OPACITY;
    /// How far outside of the viewport lines are clipped, in physical pixels.
    pub const MARGIN_PX: f64 = MARGIN_PX;

    /// Returns the factor on the opacity at this distance from the center, in units of the radius:
    /// 1 at the center and 0 at the circle.
    pub fn brightness(from_center: f64) -> f64 {
        let rest = (1.0 - from_center * from_center).max(0.0);
        rest * rest.sqrt()
    }
}

impl Grid {
    /// Projects the grid into a view. Returns `None` if nothing of it is visible.
    pub(crate) fn seen(&self, view: &View, ink: StrokeStyle) -> Option<GuideGrid> {
        let Self { center, anchor, axes: [a, b], spacing, radius } = *self;
        // An edge-on grid would be a smear of lines.
        let facing = a.cross(b).dot(view.direction_to(center)).abs();
        let opacity = ((facing - 0.04) / 0.2).clamp(0.0, 1.0) as f32;
        let is_valid = is_positive(spacing) && radius.is_finite();
        let half_width_px = 0.5 * width_px(ink.width_lpx, view) as f32;
        let color = faded(ink.color, opacity);
        if !(is_valid && color[3] > 0.0 && half_width_px > 0.0) {
            return None;
        }
        let spacing = (spacing / radius).max(MAX_LINES.recip());
        let family = |across: DVec3| {
            // The lines are at anchor + k · spacing, for every k within the radius.
            let anchor_offset = (anchor - center).dot(across) / radius;
            let (first, last) =
                (((-1.0 - anchor_offset) / spacing).ceil(), ((1.0 - anchor_offset) / spacing).floor());
            let count = if first.abs() < 1e15 { (last - first + 1.0).max(0.0) as u32 } else { 0 };
            (anchor_offset + first * spacing, count)
        };
        let [(first_a, count_a), (first_b, count_b)] = [family(a), family(b)];
        let column = |v: DVec3, w: f64| view.px_homogeneous(v.extend(w));
        let px_from_plane =
            DMat3::from_cols(column(a * radius, 0.0), column(b * radius, 0.0), column(center, 1.0));
        let lines = [count_a, count_b];
        let grid = GuideGrid {
            px_from_plane,
            first: [first_a, first_b].map(|first| if first.is_finite() { first } else { 0.0 }),
            spacing,
            lines,
            half_width_px,
            halo_px: width_px(HALO_LPX, view) as f32,
            color,
        };
        (px_from_plane.is_finite() && lines != [0, 0]).then_some(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::{DVec2, dcamera::rh};

    const INK: StrokeStyle = StrokeStyle { color: [1.0; 4], width_lpx: 2.0 };

    fn view() -> View {
        let view_from_world = rh::view::look_at_mat4(DVec3::new(0.0, 4.0, 4.0), DVec3::ZERO, DVec3::Y);
        let clip_from_view = rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
        View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0)
            .expect("the view is valid")
    }

    const GRID: Grid = Grid {
        center: DVec3::new(0.3, 0.0, 0.1),
        anchor: DVec3::ZERO,
        axes: [DVec3::X, DVec3::Z],
        spacing: 0.25,
        radius: 1.0,
    };

    #[test]
    fn invisible_grid_returns_none() {
        let view = view();
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Grid { spacing: bad, ..GRID }.seen(&view, INK), None, "{bad}");
        }
        assert_eq!(Grid { radius: f64::NAN, ..GRID }.seen(&view, INK), None);
        let edge_on = view.direction_to(GRID.center);
        let axes = [edge_on, edge_on.any_orthonormal_vector()];
        assert_eq!(Grid { axes, ..GRID }.seen(&view, INK), None);
        assert_eq!(GRID.seen(&view, INK.faded(0.0)), None);
        assert_eq!(GRID.seen(&view, StrokeStyle { width_lpx: 0.0, ..INK }), None);
        // No line is within the radius.
        let between = Grid { spacing: 8.0, anchor: GRID.center + DVec3::new(4.0, 0.0, 4.0), ..GRID };
        assert_eq!(between.seen(&view, INK), None);
    }

    #[test]
    fn grid_line_count_is_bounded() {
        let view = view();
        for spacing in [1e-3, 1e-9, 1e-300] {
            let lines = Grid { spacing, ..GRID }.seen(&view, INK).expect("the grid is visible").lines;
            assert!(lines.iter().all(|lines| (40..50).contains(lines)), "{lines:?}");
        }
        let far = Grid { anchor: DVec3::X * 1e12, ..GRID }.seen(&view, INK).expect("the grid is visible");
        assert!(far.first.iter().all(|first| first.abs() <= 1.0 + 1e-3), "{far:?}");
        let px = far.px_from_plane * DVec3::Z;
        let at = view.px_from_world(GRID.center).expect("the center is in front of the viewer");
        assert!((px.truncate() / px.z).distance(at) < 1e-6 && at != DVec2::ZERO);
    }
}
