use crate::draw::handles::layout::Layout;
use crate::handle::Axis;
use crate::math::View;
use glam::{DAffine3, DMat3, DMat4, DVec2, DVec3, DVec4};

/// The projection of one gizmo into one view, with everything that its parts share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GizmoProjection<'a> {
    layout: &'a Layout,
    /// The corner of a pixel near the pivot.
    pub(crate) anchor_px: DVec2,
    /// Maps world space to homogeneous pixels from the anchor: x · w, y · w, the clip z of the view, and w.
    px_from_world: DMat4,
    /// The pivot in these homogeneous pixels.
    pivot: DVec4,
    /// The direction to the light, in world space.
    to_light: DVec3,
    /// The axes of the handles that translate and rotate, and of those that scale.
    axes: [ProjectedAxes; 2],
}

/// Three orthogonal axes in a view, each as long as the gizmo's size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProjectedAxes([ProjectedAxis; 3]);

#[derive(Debug, Clone, Copy)]
struct ProjectedAxis {
    world: DVec3,
    /// The homogeneous pixels per length of the axis.
    px: DVec4,
    /// Cosines between the axis and the directions to the eye and to the light.
    to_eye: f64,
    to_light: f64,
}

/// The matrices of one part of a handle in a view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProjectedPart {
    pub(crate) world_from_part: DAffine3,
    /// Maps part space to homogeneous pixels from the anchor.
    pub(crate) px_from_part: DMat4,
    /// Unit directions to the eye and to the light in the space of the part.
    pub(crate) to_eye: DVec3,
    pub(crate) to_light: DVec3,
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
            px: axes[i].px * signs[i],
            to_eye: axes[i].to_eye * signs[i],
            to_light: axes[i].to_light * signs[i],
        };
        Self([signed(0), signed(1), signed(2)])
    }

    /// Returns how far a point is toward the viewer from the pivot, in sizes.
    pub(crate) fn nearness(&self, point: DVec3) -> f64 {
        let [x, y, z] = &self.0;
        x.to_eye * point.x + y.to_eye * point.y + z.to_eye * point.z
    }
}

impl<'a> GizmoProjection<'a> {
    /// Creates the projection of a gizmo.
    pub(crate) fn new(view: &View, layout: &'a Layout) -> Self {
        let [x, y, w] = view.px_rows();
        let z = view.clip_from_world().row(2);
        let pivot = layout.pivot_world.extend(1.0);
        let pivot_w = w.dot(pivot);
        let pivot_px = DVec2::new(x.dot(pivot), y.dot(pivot)) / pivot_w;
        // Bounded, so that it stays an exact integer in `f32`.
        let anchor_px = pivot_px.floor().clamp(DVec2::splat(-1e6), DVec2::splat(1e6));
        let rows = [x - w * anchor_px.x, y - w * anchor_px.y, z, w];
        let px_from_world = DMat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose();
        let zero = ProjectedAxis { world: DVec3::ZERO, px: DVec4::ZERO, to_eye: 0.0, to_light: 0.0 };
        let mut projection = Self {
            layout,
            anchor_px,
            px_from_world,
            pivot: px_from_world * pivot,
            to_light: to_light(-layout.toward, [rows[0].truncate(), rows[1].truncate()]),
            axes: [ProjectedAxes([zero; 3]); 2],
        };
        projection.axes = [projection.axes_of(&layout.axes); 2];
        if layout.scale_axes != layout.axes {
            projection.axes[1] = projection.axes_of(&layout.scale_axes);
        }
        projection
    }

    /// Projects orthonormal world axes into the view.
    pub(crate) fn axes_of(&self, axes: &DMat3) -> ProjectedAxes {
        let project = |axis: DVec3| {
            let world = axis * self.layout.size_world;
            let m = &self.px_from_world;
            let px = m.x_axis * world.x + m.y_axis * world.y + m.z_axis * world.z;
            let (to_eye, to_light) = (-axis.dot(self.layout.toward), axis.dot(self.to_light));
            ProjectedAxis { world, px, to_eye, to_light }
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

    /// Returns the coordinate along X of `axes` whose point is `fraction` sizes of pixels from the pivot on screen,
    /// or `None` if the axis does not reach that far.
    pub(crate) fn at_screen_distance(
        &self,
        ProjectedAxes([x, ..]): &ProjectedAxes,
        fraction: f64,
    ) -> Option<f64> {
        let pivot_w = self.pivot.w;
        // A point at `s` is at pixel (pivot + s · x) / (pivot.w + s · x.w), so its distance from the pivot's pixel is
        // s · speed / (1 + s · x.w / pivot.w).
        let speed = (x.px.truncate().truncate() - self.pivot.truncate().truncate() * (x.px.w / pivot_w))
            .length()
            / pivot_w;
        let distance_px = fraction * self.layout.size_px;
        let at = distance_px / (speed - distance_px * (x.px.w / pivot_w));
        (at >= 0.0 && at.is_finite()).then_some(at)
    }

    /// Limits a coordinate along X of `axes` to points that are well in front of the viewer.
    pub(crate) fn in_front(&self, ProjectedAxes([x, ..]): &ProjectedAxes, at: f64) -> f64 {
        let recede = x.px.w / self.pivot.w;
        // Ten times nearer than the pivot, the handle is ten times as large.
        if 1.0 + at * recede < 0.1 { -0.9 / recede } else { at }
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
        let px_from_part = DMat4::from_cols(
            x.px * scale.x,
            y.px * scale.y,
            z.px * scale.z,
            self.pivot + (x.px * offset.x + y.px * offset.y + z.px * offset.z),
        );
        ProjectedPart {
            world_from_part: DAffine3 { matrix3, translation: self.layout.pivot_world + from_pivot },
            px_from_part,
            // Non-uniform scale would change these directions, but only custom meshes have one. The sign
            // lights mirrored parts correctly.
            to_eye: DVec3::new(x.to_eye, y.to_eye, z.to_eye) * scale.signum(),
            to_light: DVec3::new(x.to_light, y.to_light, z.to_light) * scale.signum(),
        }
    }
}

/// Returns the direction to the light, which is slightly above and to the left of the viewer, so that the
/// faces of a cube differ in brightness even if a corner points to the viewer.
///
/// The gradients of the pixel coordinates, without their component along the view, point right and down on
/// screen.
fn to_light(to_eye: DVec3, gradients: [DVec3; 2]) -> DVec3 {
    let [right, down] =
        gradients.map(|gradient| (gradient - to_eye * gradient.dot(to_eye)).normalize_or_zero());
    (to_eye - 0.55 * down - 0.25 * right).normalize_or(to_eye)
}
