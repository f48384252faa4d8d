//! The lines of grids. `shaders/grid.wgsl` generates the same.

use super::Triangles;
use super::strip::{Cut, Section};
use crate::draw::grid::GuideGrid;
use crate::draw::guides::HALO_OPACITY;
use crate::draw::guides::clip_line;
use crate::math::View;
use glam::{DVec2, DVec3};

/// Each line is split into this many pieces, so that it can fade along its length.
const PIECES: u32 = 6;

/// Adds the lines of a grid.
pub(super) fn lines(triangles: &mut Triangles, view: &View, grid: &GuideGrid) {
    let m = grid.px_from_plane;
    let families = [(m.x_axis, m.y_axis), (m.y_axis, m.x_axis)];
    for ((family, first), (across, along)) in (0..).zip(grid.first).zip(families) {
        for line in 0..grid.lines[family] {
            let offset = first + f64::from(line) * grid.spacing;
            let half = (1.0 - offset * offset).max(0.0).sqrt();
            let middle = m.z_axis + across * offset;
            if let Some(ends) = clip_line(view, [middle - along * half, along * (2.0 * half)], [0.0, 1.0]) {
                line_between(triangles, grid, offset, half, [middle, along], ends);
            }
        }
    }
}

/// Adds the visible part of a line, from `ends[0]` to `ends[1]` of its length.
fn line_between(
    triangles: &mut Triangles,
    grid: &GuideGrid,
    offset: f64,
    half: f64,
    [middle, along]: [DVec3; 2],
    ends: [f64; 2],
) {
    let mut last: Option<Cut> = None;
    for piece in 0..=PIECES {
        let t = f64::from(piece) / f64::from(PIECES);
        let at = half * (2.0 * t.clamp(ends[0], ends[1]) - 1.0);
        let is_beyond = t * f64::from(PIECES) > (ends[1] * f64::from(PIECES)).ceil();
        let is_before = t * f64::from(PIECES) < (ends[0] * f64::from(PIECES)).floor();
        if is_beyond || is_before {
            continue;
        }
        let seen = middle + along * at;
        let px = DVec2::new(seen.x, seen.y) / seen.z;
        // Constant along the line.
        let direction = DVec2::new(along.x, along.y) * seen.z - DVec2::new(seen.x, seen.y) * along.z;
        let Some(direction) = direction.try_normalize().filter(|_| px.is_finite()) else { return };
        let [r, g, b, a] = grid.color;
        let color = [r, g, b, a * GuideGrid::brightness(offset.hypot(at)) as f32];
        let section = Section {
            at: px,
            side: direction.perp(),
            half_width: grid.half_width_px.into(),
            halo_px: grid.halo_px.into(),
            color,
            rim: None,
            core: 1.0,
            inner: 1.0,
            halo: color[3] * HALO_OPACITY as f32,
            ends: [f64::NEG_INFINITY, f64::INFINITY],
        };
        let cut = section.cut(triangles);
        if let Some(last) = last.replace(cut) {
            last.join(triangles, cut);
        }
    }
}
