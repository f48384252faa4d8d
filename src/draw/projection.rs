use super::layout::Layout;
use crate::handle::Axis;
use crate::math::View;
use glam::{DAffine3, DMat3, DVec3, DVec4};

/// The projection of one gizmo into one view, with everything that its parts share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GizmoProjection<'a> {
    view: &'a View,
    layout: &'a Layout,
    /// Clip position of the pivot, with the gizmo's own depth instead of the view's clip z.
    pivot_clip: DVec4,
    /// The view's clip z of the pivot.
    pivot_view_depth: f64,
    /// Derivative of the gizmo's own clip z, per world unit.
    depth_along: DVec3,
    /// The axes of the handles that translate and rotate, and of those that scale.
    axes: [ProjectedAxes; 2],
}

/// Three orthogonal axes in a view, each as long as the gizmo's size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProjectedAxes([ProjectedAxis; 3]);

#[derive(Debug, Clone, Copy)]
struct ProjectedAxis {
    world: DVec3,
    /// Derivative of the pivot's clip position along this axis.
    clip: DVec4,
    /// Derivative of the view's clip z along this axis.
    view_depth: f64,
    /// Cosine between the axis and the direction to the eye.
    to_eye: f64,
}

/// The matrices of one part of a handle in a view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProjectedPart {
    pub(crate) world_from_part: DAffine3,
    /// The columns of the matrix, whose row 2 is the gizmo's own depth.
    pub(crate) clip_from_part: [[f32; 4]; 4],
    /// Row 2 of the same matrix with the depth of the view.
    pub(crate) view_depth_from_part: [f32; 4],
    /// Unit direction to the eye in the space of the part.
    pub(crate) to_eye: DVec3,
}

impl ProjectedAxes {
    /// Permutes the axes cyclically so that `axis` becomes X, and multiplies them with signs.
    ///
    /// The permutation is exact. An even number of signs must be negative, so that the result is a
    /// rotation.
    pub(crate) fn cyclic(&self, axis: Axis, signs: [f64; 3]) -> Self {
        let [b, c] = axis.others();
        let axes = [axis, b, c].map(|axis| self.0[axis.index()]);
        let signed = |i: usize| ProjectedAxis {
            world: axes[i].world * signs[i],
            clip: axes[i].clip * signs[i],
            view_depth: axes[i].view_depth * signs[i],
            to_eye: axes[i].to_eye * signs[i],
        };
        Self([signed(0), signed(1), signed(2)])
    }
}

impl<'a> GizmoProjection<'a> {
    /// Creates the projection of a gizmo that lies within `reach` times its size of the pivot.
    pub(crate) fn new(view: &'a View, layout: &'a Layout, reach: f64) -> Self {
        let mut pivot_clip = view.clip_from_world() * layout.pivot_world.extend(1.0);
        let pivot_view_depth = pivot_clip.z;
        let w = layout.pivot_w;
        let (own_depth, depth_along) = if view.is_orthographic() {
            // Linear in view depth: 1/2 at the pivot, with a scale that fits the whole gizmo into 0 to 1.
            (0.5 * w, view.forward() * (-w / (4.0 * reach * layout.size_world)))
        } else {
            // pivot_w / (16 w): 1/16 at the pivot, and 1 close to the eye.
            (w / 16.0, DVec3::ZERO)
        };
        pivot_clip.z = own_depth;
        let zero = ProjectedAxis { world: DVec3::ZERO, clip: DVec4::ZERO, view_depth: 0.0, to_eye: 0.0 };
        let axes = [ProjectedAxes([zero; 3]); 2];
        let mut projection = Self { view, layout, pivot_clip, pivot_view_depth, depth_along, axes };
        projection.axes = [projection.axes_of(&layout.axes); 2];
        if layout.scale_axes != layout.axes {
            projection.axes[1] = projection.axes_of(&layout.scale_axes);
        }
        projection
    }

    /// Projects orthonormal world axes into the view.
    pub(crate) fn axes_of(&self, axes: &DMat3) -> ProjectedAxes {
        let clip_from_world = self.view.clip_from_world();
        let project = |axis: DVec3| {
            let world = axis * self.layout.size_world;
            let mut clip = clip_from_world.x_axis * world.x
                + clip_from_world.y_axis * world.y
                + clip_from_world.z_axis * world.z;
            let view_depth = std::mem::replace(&mut clip.z, self.depth_along.dot(world));
            ProjectedAxis { world, clip, view_depth, to_eye: -axis.dot(self.layout.toward) }
        };
        ProjectedAxes([project(axes.x_axis), project(axes.y_axis), project(axes.z_axis)])
    }

    /// Returns the axes of the handles that translate and rotate.
    pub(crate) fn axes(&self) -> &ProjectedAxes {
        &self.axes[0]
    }

    /// Returns the axes of the handles that scale.
    pub(crate) fn scale_axes(&self) -> &ProjectedAxes {
        &self.axes[1]
    }

    /// Returns the matrices of a part with this offset from the pivot and this scale, along `axes`
    /// and in units of the gizmo's size.
    pub(crate) fn part(
        &self,
        ProjectedAxes([x, y, z]): &ProjectedAxes,
        offset: DVec3,
        scale: DVec3,
    ) -> ProjectedPart {
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
        ProjectedPart {
            world_from_part: DAffine3 { matrix3, translation: self.layout.pivot_world + from_pivot },
            clip_from_part: clip.map(|column| column.as_vec4().to_array()),
            view_depth_from_part: view_depth.as_vec4().to_array(),
            // Non-uniform scale would change this direction, but only rings have a far half, and their
            // scale is uniform. The sign lights mirrored parts correctly.
            to_eye: DVec3::new(x.to_eye, y.to_eye, z.to_eye) * scale.signum(),
        }
    }
}
