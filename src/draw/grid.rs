use super::guides::{HALO_LPX, Ink, faded};
use crate::handle::Rgba;
use crate::math::View;
use glam::{DMat3, DVec3};

/// Most lines of a grid to either side of its middle.
const MOST_LINES: f64 = 24.0;

/// The plane that a drag goes in, as a grid that fades out with the distance from its middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    /// Where it is brightest, in the plane.
    pub(crate) centre: DVec3,
    /// Where two of its lines cross, in the plane.
    pub(crate) anchor: DVec3,
    /// Orthonormal.
    pub(crate) axes: [DVec3; 2],
    pub(crate) spacing: f64,
    /// Where it has faded out.
    pub(crate) radius: f64,
}

/// A grid as the list's view sees it: two families of parallel lines, inside a circle, that fade
/// out toward it. It is under the other guides, and cannot be picked. Handed to the GPU whole: its
/// lines would take a hundred times the bytes.
///
/// Lengths are in units of the circle's radius, from its middle, along two axes across each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GuideGrid {
    /// Makes homogeneous pixels of the target, `(x · w, y · w, w)`, of a point `(a, b, 1)` of the
    /// plane. What has w > 0 is in front of the viewer.
    pub px_from_plane: DMat3,
    /// Where on the first axis the first of the lines is that go along the second, and the other
    /// way round.
    pub first: [f64; 2],
    /// From one line to the next, of both families.
    pub spacing: f64,
    /// How many lines go along the second axis, and along the first.
    pub lines: [u32; 2],
    /// Half the width of a line, in physical pixels.
    pub half_width_px: f32,
    /// How far a dark halo goes beyond it, in physical pixels.
    pub halo_px: f32,
    /// In the middle; sRGB, opacity not multiplied in. [`GuideGrid::brightness`] says what is left
    /// of the opacity elsewhere.
    pub color: Rgba,
}

impl GuideGrid {
    /// Factor on the opacity this far from the middle.
    pub fn brightness(from_middle: f64) -> f64 {
        let part = (1.0 - from_middle * from_middle).max(0.0);
        part * part.sqrt()
    }
}

impl Grid {
    /// `None` where nothing of it can be seen.
    pub(crate) fn seen(&self, view: &View, ink: Ink) -> Option<GuideGrid> {
        let Self { centre, anchor, axes: [a, b], spacing, radius } = *self;
        // Seen from its edge it is a smear of lines.
        let facing = a.cross(b).dot(view.direction_to(centre)).abs();
        let shown = ((facing - 0.04) / 0.2).clamp(0.0, 1.0) as f32;
        let is_real = spacing > 0.0 && spacing.is_finite() && radius.is_finite();
        let half_width_px = 0.5 * ink.width_lpx * view.scale_factor() as f32;
        let color = faded(ink.color, shown);
        if !(is_real && color[3] > 0.0 && half_width_px > 0.0) {
            return None;
        }
        let spacing = (spacing / radius).max(MOST_LINES.recip());
        let family = |across: DVec3| {
            // Of the lines at anchor + k · spacing, those that are less than the radius away.
            let of_anchor = (anchor - centre).dot(across) / radius;
            let (first, last) =
                (((-1.0 - of_anchor) / spacing).ceil(), ((1.0 - of_anchor) / spacing).floor());
            let exists = first.abs() < 1e15 && last - first <= 2.0 * MOST_LINES + 1.0;
            let count = if exists { (last - first + 1.0).max(0.0) as u32 } else { 0 };
            (of_anchor + first * spacing, count)
        };
        let [(first_a, count_a), (first_b, count_b)] = [family(a), family(b)];
        let column = |v: DVec3, w: f64| view.px_homogeneous(v.extend(w));
        let px_from_plane =
            DMat3::from_cols(column(a * radius, 0.0), column(b * radius, 0.0), column(centre, 1.0));
        let lines = [count_a, count_b];
        let grid = GuideGrid {
            px_from_plane,
            first: [first_a, first_b].map(|first| if first.is_finite() { first } else { 0.0 }),
            spacing,
            lines,
            half_width_px,
            halo_px: (HALO_LPX * view.scale_factor()) as f32,
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

    const INK: Ink = Ink { color: [1.0; 4], width_lpx: 2.0 };

    fn view() -> View {
        let view_from_world = rh::view::look_at_mat4(DVec3::new(0.0, 4.0, 4.0), DVec3::ZERO, DVec3::Y);
        let clip_from_view = rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
        View::new(view_from_world, clip_from_view, Viewport::of_size(800, 600), 1.0).expect("usual")
    }

    const GRID: Grid = Grid {
        centre: DVec3::new(0.3, 0.0, 0.1),
        anchor: DVec3::ZERO,
        axes: [DVec3::X, DVec3::Z],
        spacing: 0.25,
        radius: 1.0,
    };

    #[test]
    fn the_lines_of_a_grid_go_through_its_anchor_and_are_all_there_are_within_its_radius() {
        let view = view();
        let grid = GRID.seen(&view, INK).expect("in sight");
        assert_eq!(grid.lines, [8, 8]);
        for (family, [along, across]) in [[0, 1], [1, 0]].into_iter().enumerate() {
            for k in 0..grid.lines[family] {
                let mut at = [0.0, 0.0, 1.0];
                at[along] = grid.first[family] + f64::from(k) * grid.spacing;
                assert!(at[along].abs() <= 1.0, "{at:?}");
                at[across] = 0.4;
                let px = grid.px_from_plane * DVec3::from_array(at);
                let px = px.truncate() / px.z;
                let world = view.pointer_ray(px).plane_hit(DVec3::ZERO, DVec3::Y).expect("hit");
                let number = world.dot(GRID.axes[along]) / GRID.spacing;
                assert!((number - number.round()).abs() < 1e-9, "{world}");
            }
        }
        assert_eq!([0.0, 1.0, 7.0].map(GuideGrid::brightness), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_grid_that_cannot_be_seen_is_none() {
        let view = view();
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Grid { spacing: bad, ..GRID }.seen(&view, INK), None, "{bad}");
        }
        assert_eq!(Grid { radius: f64::NAN, ..GRID }.seen(&view, INK), None);
        let from_its_edge = view.direction_to(GRID.centre);
        let axes = [from_its_edge, from_its_edge.any_orthonormal_vector()];
        assert_eq!(Grid { axes, ..GRID }.seen(&view, INK), None);
        assert_eq!(GRID.seen(&view, INK.faded(0.0)), None);
    }

    #[test]
    fn a_grid_has_no_more_lines_than_can_be_told_apart() {
        let view = view();
        for spacing in [1e-3, 1e-9, 1e-300] {
            let lines = Grid { spacing, ..GRID }.seen(&view, INK).expect("in sight").lines;
            assert!(lines.iter().all(|lines| (40..50).contains(lines)), "{lines:?}");
        }
        let far = Grid { anchor: DVec3::X * 1e12, ..GRID }.seen(&view, INK).expect("in sight");
        assert!(far.first.iter().all(|first| first.abs() <= 1.0 + 1e-3), "{far:?}");
        let px = far.px_from_plane * DVec3::Z;
        let at = view.px_from_world(GRID.centre).expect("in front");
        assert!((px.truncate() / px.z).distance(at) < 1e-6 && at != DVec2::ZERO);
    }
}
