//! The uniforms that all draws of a view share: light, shadows and grid.

use super::camera::anchor;
use super::grid::Grid;
use super::shadows::Lamp;
use bytemuck::{Pod, Zeroable};
use scene::style::{SceneStyle, Shading};
use wgpu_gizmo::View;
use wgpu_gizmo::glam::{DMat4, DVec3};

/// Layout of `Frame` in the shader.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct Frame {
    shadow_from_anchor: [[f32; 4]; 4],
    to_light: [f32; 4],
    to_viewer: [f32; 4],
    grid_origin: [f32; 4],
    grid_u: [f32; 4],
    grid_v: [f32; 4],
    grid_axes: [f32; 4],
    axis_u_color: [f32; 4],
    axis_v_color: [f32; 4],
    target_: [f32; 4],
}

#[cfg(test)]
impl Frame {
    pub(super) const OFFSETS: &[(&str, usize)] = super::offsets!(
        shadow_from_anchor to_light to_viewer grid_origin grid_u grid_v grid_axes axis_u_color axis_v_color
        target_
    );
}

/// The direction to the light. In the window's first view, from the front right, it comes over the left
/// shoulder. It is fixed in world space, and so are the shadows.
pub(super) const TO_LIGHT: DVec3 = DVec3::new(-0.42, 1.0, 0.62);

/// Factor on the colors of handles, as linear light, and opacity of the grid's lines along the axes.
const AXIS_LINES: [f32; 2] = [0.62, 0.75];

/// Returns the linear color of the grid's line along an axis whose handles have this color.
fn axis_line([r, g, b, _]: [f32; 4]) -> [f32; 4] {
    let [factor, opacity] = AXIS_LINES;
    let of = |c: f32| factor * if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    [of(r), of(g), of(b), opacity]
}

/// Returns the uniforms of one view.
pub(super) fn frame(
    view: &View,
    (lamp, stands_on_ground): (Option<&Lamp>, bool),
    grid: Option<&Grid>,
    scene_style: SceneStyle,
    target_encodes: bool,
) -> Frame {
    let flag = |is_set| if is_set { 1.0f32 } else { 0.0 };
    let anchor_world = anchor(view);
    let to_viewer = -view.forward();
    let perspective = if view.is_orthographic() { 0.0 } else { 1.0 };
    let shadow_from_anchor =
        lamp.map_or(DMat4::IDENTITY, |lamp| lamp.shadow_from_world * DMat4::from_translation(anchor_world));
    // Shadows on the ground dim both lights. They are paler on a light background.
    let on_ground = if scene_style.is_on_light() { 0.34 } else { 0.62 };
    let lies = grid.is_some_and(|grid| !grid.axes.contains(&1) && anchor_world.y > grid.origin_world.y);
    let on_ground = if lies && lamp.is_some() && stands_on_ground { on_ground } else { 0.0 };
    let mut frame = Frame {
        shadow_from_anchor: shadow_from_anchor.as_mat4().to_cols_array_2d(),
        to_light: TO_LIGHT.normalize().as_vec3().extend(flag(lamp.is_some())).to_array(),
        to_viewer: to_viewer.extend(perspective).as_vec4().to_array(),
        target_: [
            flag(!target_encodes),
            flag(scene_style.is_on_light()),
            flag(scene_style.shading == Shading::Clay),
            lamp.map_or(0.0, |lamp| lamp.texel as f32),
        ],
        ..Frame::zeroed()
    };
    if let Some(grid) = grid {
        let [u, v] = grid.axes;
        let origin = (grid.origin_world - anchor_world).as_vec3();
        let axis = |axis: usize, w: f32| DVec3::AXES[axis].as_vec3().extend(w).to_array();
        frame.grid_origin = origin.extend(grid.radius as f32).to_array();
        frame.grid_u = axis(u, grid.spacing as f32);
        frame.grid_v = axis(v, on_ground);
        frame.grid_axes = [-grid.origin_world[v] as f32, -grid.origin_world[u] as f32, 0.0, 0.0];
        let colors = scene_style.theme.colors.axes;
        (frame.axis_u_color, frame.axis_v_color) = (axis_line(colors[u]), axis_line(colors[v]));
    }
    frame
}
