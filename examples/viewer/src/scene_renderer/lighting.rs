//! What all draws of a picture share: the lamp, and where the ground's grid lies.

use super::Marks;
use crate::bounds::Bounds;
use bytemuck::{Pod, Zeroable};
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo::math::View;

/// As `Frame` in the shader.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Frame {
    clip_from_grid: [[f32; 4]; 4],
    to_light: [f32; 4],
    to_viewer: [f32; 4],
    grid: [f32; 4],
    target: [f32; 4],
    clip_from_eye: [[f32; 4]; 4],
}

#[cfg(test)]
impl Frame {
    /// Of each field.
    pub(super) const OFFSETS: [usize; 6] = [
        std::mem::offset_of!(Self, clip_from_grid),
        std::mem::offset_of!(Self, to_light),
        std::mem::offset_of!(Self, to_viewer),
        std::mem::offset_of!(Self, grid),
        std::mem::offset_of!(Self, target),
        std::mem::offset_of!(Self, clip_from_eye),
    ];
}

/// Origin of "eye space" in the world: the eye, or where there is none a point in the middle
/// of the picture.
pub(super) fn origin(view: &View) -> DVec3 {
    view.eye().unwrap_or_else(|| view.pointer_ray(middle_px(view)).origin)
}

fn middle_px(view: &View) -> DVec2 {
    let viewport = view.viewport();
    DVec2::new(viewport.x + viewport.width * 0.5, viewport.y + viewport.height * 0.5)
}

/// What can be drawn besides the scene itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extras {
    pub(super) ground: bool,
    /// Not for a viewer under the ground, to whom shadows would lie before the scene.
    pub(super) shadows: bool,
}

/// The uniforms, and which extras they are good for.
pub(super) fn frame(
    view: &View,
    scene: Option<Bounds>,
    target_encodes: bool,
    marks: Marks<'_>,
) -> (Frame, Extras) {
    let flag = |is_set| if is_set { 1.0 } else { 0.0 };
    // Over the viewer's left shoulder, and from above in the world too: tops are never dark.
    let to_viewer = -view.forward();
    let to_light = to_viewer * 0.55 + view.up() * 0.55 - view.right() * 0.6 + DVec3::Y * 0.35;
    let grid = Grid::new(view, scene);
    let clip_from_grid = view.clip_from_world() * DMat4::from_translation(grid.origin_world);
    let eye_world = origin(view);
    let clip_from_eye = view.clip_from_world() * DMat4::from_translation(eye_world);
    let shadow_height =
        scene.map_or(1.0, |bounds| 2.0 * (bounds.max.y - bounds.min.y).max(bounds.max.y)).max(1e-6);
    let perspective = if view.is_orthographic() { 0.0 } else { 1.0 };
    let frame = Frame {
        clip_from_grid: clip_from_grid.as_mat4().to_cols_array_2d(),
        to_light: to_light.normalize_or(to_viewer).extend(0.0).as_vec4().to_array(),
        to_viewer: to_viewer.extend(perspective).as_vec4().to_array(),
        grid: [grid.radius, grid.spacing, -grid.origin_world.z, -grid.origin_world.x].map(|v| v as f32),
        target: [flag(!target_encodes), eye_world.y as f32, shadow_height as f32, flag(marks.on_light)],
        clip_from_eye: clip_from_eye.as_mat4().to_cols_array_2d(),
    };
    let finite = |matrix: &[[f32; 4]; 4]| matrix.iter().flatten().all(|v| v.is_finite());
    let grid_is_good = frame.grid.iter().all(|v| v.is_finite()) && frame.grid[0] > 0.0 && frame.grid[1] > 0.0;
    let extras = Extras {
        ground: finite(&frame.clip_from_grid) && grid_is_good,
        shadows: finite(&frame.clip_from_eye) && grid.origin_world.y < 0.0,
    };
    (frame, extras)
}

/// A disc of the plane y = 0 round what is looked at.
struct Grid {
    /// On a crossing of its coarsest lines, so that coordinates in it are small and the lines
    /// stay put in the world.
    origin_world: DVec3,
    radius: f64,
    /// Of the finest lines.
    spacing: f64,
}

impl Grid {
    fn new(view: &View, scene: Option<Bounds>) -> Self {
        let ray = view.pointer_ray(middle_px(view));
        let (center, radius, pixel, above) = match view.eye() {
            Some(eye) => {
                // Low cameras still see as much ground as the scene is far.
                let focus = scene.map_or(DVec3::ZERO, |bounds| bounds.center());
                let reach = eye.y.abs().max(0.3 * (eye - focus).length());
                (eye, 11.0 * reach, view.pixel_size(eye + view.forward() * reach), eye.y)
            }
            None => {
                let slope = ray.direction.y.abs();
                let on_ground = if slope > 1e-3 { -ray.origin.y / ray.direction.y } else { 0.0 };
                let pixel = view.pixel_size(ray.origin);
                let height = pixel * view.viewport().height;
                (ray.at(on_ground), 2.5 * height / slope.max(0.2), pixel, -ray.direction.y)
            }
        };
        // The finest lines are 10 to 100 pixels apart where the middle of things is.
        let spacing = 10f64.powf((10.0 * pixel).log10().ceil());
        let coarsest = 100.0 * spacing;
        let snap = |v: f64| (v / coarsest).round() * coarsest;
        // A pixel behind what stands on the ground: faces at y = 0 do not fight with it.
        let y = if above >= 0.0 { -pixel } else { pixel };
        // The shader fades round the grid's origin, which may be half a coarse square away.
        let radius = radius.max(coarsest);
        Self { origin_world: DVec3::new(snap(center.x), y, snap(center.z)), radius, spacing }
    }
}
