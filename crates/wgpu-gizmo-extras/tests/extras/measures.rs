//! Volumes and draw lists as numbers, for the table of random sessions.

use crate::golden::Row;
use crate::prelude::*;
use std::num::NonZeroU32;

pub(crate) fn numbers(volume: &Volume) -> Vec<(&'static str, f64)> {
    let or_none = |length: Option<f64>| length.unwrap_or(-1.0);
    match *volume {
        Volume::Sphere { radius } => vec![("radius", or_none(radius))],
        Volume::Cone { range, inner, outer } => {
            vec![("range", or_none(range)), ("inner", inner), ("outer", outer)]
        }
        Volume::Perspective { fov_y, near, far, .. } => {
            vec![("fov_y", fov_y), ("lens_near", near), ("lens_far", or_none(far))]
        }
        Volume::Orthographic { half_width, half_height, near, far } => {
            let extent = [("half_width", half_width), ("half_height", half_height)];
            extent.into_iter().chain([("box_near", near), ("box_far", far)]).collect()
        }
        _ => vec![],
    }
}

/// Returns the ids of the parts of a list.
pub(crate) fn ids(list: &DrawList) -> impl Iterator<Item = NonZeroU32> {
    list.items().iter().filter_map(|item| item.id)
}

/// Adds the color, and the positions by opacity, of what a list shows.
pub(crate) fn picture(row: &mut Row, columns: [&'static str; 3], list: &DrawList, middle: DVec2) {
    let mut triangles = Triangles::new();
    list.triangles_px(&mut triangles);
    let mut sums = [0.0; 3];
    for triangle in triangles.indices().chunks_exact(3) {
        let corners = [0, 1, 2].map(|corner| triangles.vertices()[triangle[corner] as usize]);
        let at = corners.map(|corner| DVec2::from(corner.position_px.map(f64::from)) - middle);
        let area = 0.5 * (at[1] - at[0]).perp_dot(at[2] - at[0]).abs();
        for (at, corner) in at.into_iter().zip(corners) {
            let [r, g, b, a] = corner.color.map(|channel| area * f64::from(channel));
            // Terms that do not cancel out.
            let terms = [r + 2.0 * g + 3.0 * b + 5.0 * a, a * (at.x + 5000.0), a * (at.y + 5000.0)];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
    }
    columns.into_iter().zip(sums).for_each(|(column, sum)| row.add(column, 0, sum));
}
