//! A grid of decimal units: on the ground, or in the plane of a view along one of the axes.

use super::camera::middle_px;
use crate::bounds::Bounds;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DVec3;

/// A disc of a plane through the world's origin, round what is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grid {
    /// On a crossing of its coarsest lines, so that coordinates in it are small and the lines stay
    /// put in the world.
    pub(super) origin_world: DVec3,
    /// Index of the axes in its plane.
    pub(super) axes: [usize; 2],
    /// World units.
    pub(super) radius: f64,
    /// Of the finest lines, in world units.
    pub(super) spacing: f64,
    /// The scene is always before it.
    pub(super) is_behind: bool,
    /// World units in a pixel where the middle of things is.
    pixel: f64,
}

/// A view along an axis is one whose cosine to it is above this.
const ALONG: f64 = 0.9999;

impl Grid {
    /// `None` where it would not be seen, or its numbers are beyond what can be drawn.
    pub(crate) fn new(view: &View, scene: Option<Bounds>) -> Option<Self> {
        let forward = view.forward().abs();
        let along = forward.max_position();
        let grid = match view.eye() {
            None if forward[along] > ALONG => Self::across(view, along),
            None => Self::on_ground_in_parallel(view),
            Some(eye) => Self::on_ground(view, eye, scene),
        };
        let all = [grid.origin_world.abs().max_element(), grid.radius, grid.spacing, grid.pixel];
        (all.iter().all(|v| v.is_finite() && *v < 1e30) && grid.spacing > 1e-30).then_some(grid)
    }

    /// In the plane across a view along an axis.
    fn across(view: &View, along: usize) -> Self {
        let ray = view.pointer_ray(middle_px(view));
        let pixel = view.pixel_size(ray.origin);
        let viewport = view.viewport();
        let across = pixel * viewport.width.hypot(viewport.height);
        let mut center = ray.origin;
        center[along] = 0.0;
        // The fade begins beyond the corners.
        Self::round(center, [[1, 2], [2, 0], [0, 1]][along], 10.0 * across, pixel, true)
    }

    fn on_ground_in_parallel(view: &View) -> Self {
        let ray = view.pointer_ray(middle_px(view));
        let slope = ray.direction.y.abs();
        let on_ground = if slope > 1e-3 { -ray.origin.y / ray.direction.y } else { 0.0 };
        let pixel = view.pixel_size(ray.origin);
        let height = pixel * view.viewport().height;
        let mut center = ray.at(on_ground);
        // A pixel behind what stands on the ground: faces at y = 0 do not fight with it.
        center.y = if ray.direction.y <= 0.0 { -pixel } else { pixel };
        Self::round(center, [2, 0], 2.5 * height / slope.max(0.2), pixel, false)
    }

    fn on_ground(view: &View, eye: DVec3, scene: Option<Bounds>) -> Self {
        // Low cameras still see as much ground as the scene is far.
        let focus = scene.map_or(DVec3::ZERO, |bounds| bounds.center());
        let reach = eye.y.abs().max(0.3 * (eye - focus).length());
        let pixel = view.pixel_size(eye + view.forward() * reach);
        let y = if eye.y >= 0.0 { -pixel } else { pixel };
        Self::round(DVec3::new(eye.x, y, eye.z), [2, 0], 11.0 * reach, pixel, false)
    }

    fn round(center: DVec3, axes: [usize; 2], radius: f64, pixel: f64, is_behind: bool) -> Self {
        // The finest lines are 10 to 100 pixels apart where the middle of things is.
        let spacing = 10f64.powf((10.0 * pixel).log10().ceil());
        let coarsest = 100.0 * spacing;
        let mut origin_world = center;
        for axis in axes {
            origin_world[axis] = (center[axis] / coarsest).round() * coarsest;
        }
        // The shader fades round the grid's origin, which may be half a coarse square away.
        Self { origin_world, axes, radius: radius.max(coarsest), spacing, is_behind, pixel }
    }

    /// How far its lines are apart, such as `grid 10 cm, 1 m`: the finest that can be told apart,
    /// and the stronger ones. A world unit is a metre, as in glTF.
    pub(crate) fn label(&self) -> String {
        let fine = if self.spacing < 22.0 * self.pixel { 10.0 * self.spacing } else { self.spacing };
        match fine < 3.0 * self.spacing {
            true => format!("grid {}, {}", length(fine), length(10.0 * fine)),
            false => format!("grid {}", length(fine)),
        }
    }
}

/// A power of ten of metres, in words.
fn length(meters: f64) -> String {
    let power = meters.log10().round() as i32;
    let (unit, of_unit) = match power {
        ..-9 | 9.. => return format!("1e{power} m"),
        -9..-6 => ("nm", -9),
        -6..-3 => ("µm", -6),
        -3 => ("mm", -3),
        -2..0 => ("cm", -2),
        0..3 => ("m", 0),
        _ => ("km", 3),
    };
    format!("{} {unit}", 10i64.pow((power - of_unit).unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::dcamera::rh;

    fn plan(backward: DVec3, up: DVec3, height: f64) -> View {
        let half = 0.5 * height;
        let projection = rh::proj::directx::orthographic(-half, half, -half, half, -1e4, 1e4);
        let center = DVec3::new(3.0, 4.0, 5.0);
        let look = rh::view::look_at_mat4(center + backward, center, up);
        View::new(look, projection, Viewport::of_size(600, 600), 1.0).expect("usable")
    }

    #[test]
    fn a_view_along_an_axis_has_the_grid_of_its_own_plane() {
        for (backward, up, axes) in
            [(DVec3::Y, DVec3::NEG_Z, [2, 0]), (DVec3::Z, DVec3::Y, [0, 1]), (DVec3::X, DVec3::Y, [1, 2])]
        {
            let grid = Grid::new(&plan(backward, up, 6.0), None).expect("seen");
            assert_eq!((grid.axes, grid.is_behind), (axes, true));
            assert_eq!(grid.origin_world.dot(backward), 0.0, "through the world's origin");
        }
        let slanted = plan(DVec3::new(1.0, 1.0, 1.0).normalize(), DVec3::Y, 6.0);
        let grid = Grid::new(&slanted, None).expect("seen");
        assert_eq!((grid.axes, grid.is_behind), ([2, 0], false));
    }

    #[test]
    fn the_label_names_lines_that_are_seen() {
        // 600 pixels high.
        for (height, label) in [
            (6.0, "grid 1 m"),
            (2.0, "grid 10 cm, 1 m"),
            (0.6, "grid 10 cm"),
            (0.02, "grid 1 mm, 1 cm"),
            (1e-5, "grid 1 µm, 10 µm"),
            (5000.0, "grid 1 km"),
            (2000.0, "grid 100 m, 1 km"),
            (2e12, "grid 1e11 m, 1e12 m"),
        ] {
            let grid = Grid::new(&plan(DVec3::Y, DVec3::NEG_Z, height), None).expect("seen");
            assert_eq!(grid.label(), label, "{height}");
        }
    }
}
