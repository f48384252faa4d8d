use super::layout::Layout;
use crate::handle::Axis;
use crate::math::View;
use glam::{DAffine3, DMat3, DVec3, DVec4};

/// How one view sees a gizmo: what its parts have in common, worked out once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight<'a> {
    view: &'a View,
    layout: &'a Layout,
    /// Of the pivot: clip x, y and w, with the gizmo's own depth as z.
    pivot_clip: DVec4,
    /// The view's clip z there.
    pivot_view_depth: f64,
    /// How clip z of the gizmo's own depth changes by the world unit.
    depth_along: DVec3,
    /// The axes of the handles that move and turn, and of those that scale.
    axes: [SeenAxes; 2],
}

/// Three axes across each other, each as long as the gizmo's size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenAxes([SeenAxis; 3]);

#[derive(Debug, Clone, Copy)]
struct SeenAxis {
    world: DVec3,
    /// How what is said of the pivot changes along it.
    clip: DVec4,
    view_depth: f64,
    /// Cosine to the direction of the eye.
    to_eye: f64,
}

/// A part of a handle in its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenPart {
    pub(crate) world_from_part: DAffine3,
    /// With the gizmo's own depth in row 2.
    pub(crate) clip_from_part: [[f32; 4]; 4],
    /// The row 2 of the view.
    pub(crate) view_depth_from_part: [f32; 4],
    /// Unit direction to the eye.
    pub(crate) to_eye: DVec3,
}

impl SeenAxes {
    /// The axis in the place of X, and the two that follow it in those of Y and Z: exact, and never
    /// a mirror. Then, by signs of which none or two are negative, turned round.
    pub(crate) fn cyclic(&self, axis: Axis, signs: [f64; 3]) -> Self {
        let [b, c] = axis.others();
        let axes = [axis, b, c].map(|axis| self.0[axis.index()]);
        let turned = |i: usize| SeenAxis {
            world: axes[i].world * signs[i],
            clip: axes[i].clip * signs[i],
            view_depth: axes[i].view_depth * signs[i],
            to_eye: axes[i].to_eye * signs[i],
        };
        Self([turned(0), turned(1), turned(2)])
    }
}

impl<'a> Sight<'a> {
    /// Everything is within `reach` sizes of the pivot.
    pub(crate) fn new(view: &'a View, layout: &'a Layout, reach: f64) -> Self {
        let mut pivot_clip = view.clip_from_world() * layout.pivot_world.extend(1.0);
        let pivot_view_depth = pivot_clip.z;
        let w = layout.pivot_w;
        let (own_depth, depth_along) = if view.is_orthographic() {
            // Linear in depth, half way at the pivot, in units that the whole gizmo fits in.
            (0.5 * w, view.forward() * (-w / (4.0 * reach * layout.size_world)))
        } else {
            // A sixteenth of the pivot's w over w: 1/16 at the pivot, 1 just before the eye.
            (w / 16.0, DVec3::ZERO)
        };
        pivot_clip.z = own_depth;
        let nothing = SeenAxis { world: DVec3::ZERO, clip: DVec4::ZERO, view_depth: 0.0, to_eye: 0.0 };
        let axes = [SeenAxes([nothing; 3]); 2];
        let mut sight = Self { view, layout, pivot_clip, pivot_view_depth, depth_along, axes };
        sight.axes = [sight.axes_of(&layout.axes); 2];
        if layout.scale_axes != layout.axes {
            sight.axes[1] = sight.axes_of(&layout.scale_axes);
        }
        sight
    }

    /// Orthonormal axes as the view sees them.
    pub(crate) fn axes_of(&self, axes: &DMat3) -> SeenAxes {
        let clip_from_world = self.view.clip_from_world();
        let seen = |axis: DVec3| {
            let world = axis * self.layout.size_world;
            let mut clip = clip_from_world.x_axis * world.x
                + clip_from_world.y_axis * world.y
                + clip_from_world.z_axis * world.z;
            let view_depth = std::mem::replace(&mut clip.z, self.depth_along.dot(world));
            SeenAxis { world, clip, view_depth, to_eye: -axis.dot(self.layout.toward) }
        };
        SeenAxes([seen(axes.x_axis), seen(axes.y_axis), seen(axes.z_axis)])
    }

    /// Those of the handles that move and turn.
    pub(crate) fn axes(&self) -> &SeenAxes {
        &self.axes[0]
    }

    /// Those of the handles that scale.
    pub(crate) fn scale_axes(&self) -> &SeenAxes {
        &self.axes[1]
    }

    /// What stands `offset` sizes from the pivot, `scale` sizes to its own unit, along some axes.
    pub(crate) fn part(&self, SeenAxes([x, y, z]): &SeenAxes, offset: DVec3, scale: DVec3) -> SeenPart {
        let from_pivot = x.world * offset.x + y.world * offset.y + z.world * offset.z;
        let matrix3 = DMat3::from_cols(x.world * scale.x, y.world * scale.y, z.world * scale.z);
        let clip = [
            x.clip * scale.x,
            y.clip * scale.y,
            z.clip * scale.z,
            self.pivot_clip + (x.clip * offset.x + y.clip * offset.y + z.clip * offset.z),
        ];
        let view_depth = DVec4::new(
            x.view_depth * scale.x,
            y.view_depth * scale.y,
            z.view_depth * scale.z,
            self.pivot_view_depth
                + (x.view_depth * offset.x + y.view_depth * offset.y + z.view_depth * offset.z),
        );
        SeenPart {
            world_from_part: DAffine3 { matrix3, translation: self.layout.pivot_world + from_pivot },
            clip_from_part: clip.map(|column| column.as_vec4().to_array()),
            view_depth_from_part: view_depth.as_vec4().to_array(),
            // Rotation and uniform scale keep this direction's meaning; stems have no far half. What
            // is mirrored is lit as it is seen.
            to_eye: DVec3::new(x.to_eye, y.to_eye, z.to_eye) * scale.signum(),
        }
    }
}
