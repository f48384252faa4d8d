//! A grid with decimal spacing: on the ground, or in the plane of a view along an axis.

use super::camera::middle_px;
use scene::bounds::Bounds;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::DVec3;

/// A disk of a plane through the world origin, around the visible area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grid {
    /// The origin of grid coordinates. It is a multiple of the coarsest spacing, so that coordinates are
    /// small and lines do not move with the camera.
    pub(super) origin_world: DVec3,
    /// Indices of the world axes in the plane.
    pub(super) axes: [usize; 2],
    /// The radius of the disk in world units.
    pub(super) radius: f64,
    /// The distance of the finest lines in world units.
    pub(super) spacing: f64,
    /// Whether the grid is drawn behind the whole scene.
    pub(super) is_behind: bool,
    /// World units per pixel at the center of the visible area.
    pixel: f64,
}

/// The minimum cosine between the line of sight and an axis for a view along the axis.
const MIN_AXIS_COSINE: f64 = 0.9999;

impl Grid {
    /// Returns the grid of a view, or `None` if its numbers exceed the range that can be drawn.
    pub(crate) fn new(view: &View, scene: Option<Bounds>) -> Option<Self> {
        let forward = view.forward().abs();
        let axis = forward.max_position();
        let grid = match view.eye() {
            None if forward[axis] > MIN_AXIS_COSINE => Self::perpendicular(view, axis),
            None => Self::on_ground_orthographic(view),
            Some(eye) => Self::on_ground(view, eye, scene),
        };
        let numbers = [grid.origin_world.abs().max_element(), grid.radius, grid.spacing, grid.pixel];
        (numbers.iter().all(|v| v.is_finite() && *v < 1e30) && grid.spacing > 1e-30).then_some(grid)
    }

    /// Returns the grid in the plane perpendicular to a view along an axis.
    fn perpendicular(view: &View, axis: usize) -> Self {
        let ray = view.pointer_ray(middle_px(view));
        let pixel = view.pixel_size(ray.origin);
        let viewport = view.viewport();
        let diagonal = pixel * viewport.width.hypot(viewport.height);
        let mut center = ray.origin;
        center[axis] = 0.0;
        // Large enough for the fade to begin outside the viewport.
        Self::around(center, [[1, 2], [2, 0], [0, 1]][axis], 10.0 * diagonal, pixel, true)
    }

    fn on_ground_orthographic(view: &View) -> Self {
        let ray = view.pointer_ray(middle_px(view));
        let slope = ray.direction.y.abs();
        let on_ground = if slope > 1e-3 { -ray.origin.y / ray.direction.y } else { 0.0 };
        let pixel = view.pixel_size(ray.origin);
        let height = pixel * view.viewport().height;
        let mut center = ray.at(on_ground);
        // Moved back by a pixel, to avoid z-fighting with faces at y = 0.
        center.y = if ray.direction.y <= 0.0 { -pixel } else { pixel };
        Self::around(center, [2, 0], 2.5 * height / slope.max(0.2), pixel, false)
    }

    fn on_ground(view: &View, eye: DVec3, scene: Option<Bounds>) -> Self {
        // A camera close to the ground still sees as much of it as the scene is away.
        let focus = scene.map_or(DVec3::ZERO, |bounds| bounds.center());
        let reach = eye.y.abs().max(0.3 * (eye - focus).length());
        let pixel = view.pixel_size(eye + view.forward() * reach);
        let y = if eye.y >= 0.0 { -pixel } else { pixel };
        Self::around(DVec3::new(eye.x, y, eye.z), [2, 0], 11.0 * reach, pixel, false)
    }

    fn around(center: DVec3, axes: [usize; 2], radius: f64, pixel: f64, is_behind: bool) -> Self {
        // The finest lines are 10 to 100 pixels apart at the center of the visible area.
        let spacing = 10f64.powf((10.0 * pixel).log10().ceil());
        let coarsest = 100.0 * spacing;
        let mut origin_world = center;
        for axis in axes {
            origin_world[axis] = (center[axis] / coarsest).round() * coarsest;
        }
        // The shader fades around the origin of the grid, which can be half a coarse square off center.
        Self { origin_world, axes, radius: radius.max(coarsest), spacing, is_behind, pixel }
    }

    /// Returns the distance of the finest lines that can be distinguished, in world units.
    pub(crate) fn visible_spacing(&self) -> f64 {
        if self.spacing < 22.0 * self.pixel { 10.0 * self.spacing } else { self.spacing }
    }

    /// Returns a label with the spacing, such as `grid 10 cm, 1 m`: that of the finest lines that can be
    /// distinguished, and of the stronger ones. A world unit is a meter, as in glTF.
    pub(crate) fn label(&self) -> String {
        let fine = self.visible_spacing();
        match fine < 3.0 * self.spacing {
            true => format!("grid {}, {}", length(fine), length(10.0 * fine)),
            false => format!("grid {}", length(fine)),
        }
    }
}

/// Returns the text for a length that is a power of ten.
fn length(meters: f64) -> String {
    let power = meters.log10().round() as i32;
    let (unit, unit_power) = match power {
        ..-9 | 9.. => return format!("1e{power} m"),
        -9..-6 => ("nm", -9),
        -6..-3 => ("µm", -6),
        -3 => ("mm", -3),
        -2..0 => ("cm", -2),
        0..3 => ("m", 0),
        _ => ("km", 3),
    };
    format!("{} {unit}", 10i64.pow((power - unit_power).unsigned_abs()))
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
        View::new(look, projection, Viewport::from_size(600, 600), 1.0).expect("the view is valid")
    }

    #[test]
    fn axis_view_has_grid_in_its_plane() {
        for (backward, up, axes) in
            [(DVec3::Y, DVec3::NEG_Z, [2, 0]), (DVec3::Z, DVec3::Y, [0, 1]), (DVec3::X, DVec3::Y, [1, 2])]
        {
            let grid = Grid::new(&plan(backward, up, 6.0), None).expect("the grid is visible");
            assert_eq!((grid.axes, grid.is_behind), (axes, true));
            assert_eq!(grid.origin_world.dot(backward), 0.0, "the plane contains the world origin");
        }
        for y in [1.0, -1.0] {
            let slanted = plan(DVec3::new(1.0, y, 1.0).normalize(), DVec3::Y, 6.0);
            let look = rh::view::look_at_mat4(DVec3::new(1.0, y, 9.0), DVec3::ZERO, DVec3::Y);
            let lens = rh::proj::directx::perspective(1.0, 1.0, 0.1, 100.0);
            let perspective = View::new(look, lens, slanted.viewport(), 1.0).expect("the view is valid");
            for view in [slanted, perspective] {
                let grid = Grid::new(&view, None).expect("the grid is visible");
                let is_beyond = grid.origin_world.y * y < 0.0;
                assert_eq!((grid.axes, grid.is_behind, is_beyond), ([2, 0], false, true), "{y}");
            }
        }
    }

    #[test]
    fn label_names_spacing_of_visible_lines() {
        // The viewport is 600 pixels high.
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
            let grid = Grid::new(&plan(DVec3::Y, DVec3::NEG_Z, height), None).expect("the grid is visible");
            assert_eq!(grid.label(), label, "{height}");
            let fine = length(grid.visible_spacing());
            assert!(label.starts_with(&format!("grid {fine}")), "{height}: {fine}");
        }
    }
}
