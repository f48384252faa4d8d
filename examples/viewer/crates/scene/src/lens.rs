//! The camera of a node: its projection and its view matrix.

use crate::Scene;
use crate::projection::Projection;
use wgpu_gizmo_core::glam::{DMat3, DMat4, DQuat, DVec2};
use wgpu_gizmo_core::{Transform, Viewport};

/// The projection of a camera. Lengths are in world units; the scale of nodes is ignored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lens {
    /// A perspective projection.
    Perspective {
        /// The vertical field of view in radians.
        fov_y: f64,
        /// The distance of the near plane.
        near: f64,
        /// The distance of the far plane; `None` for infinity.
        far: Option<f64>,
        /// The intended aspect ratio (width / height); `None` for that of the viewport.
        aspect: Option<f64>,
    },
    /// An orthographic projection.
    Orthographic {
        /// Half the width and half the height of the visible area.
        half: DVec2,
        /// The distance of the near plane.
        near: f64,
        /// The distance of the far plane.
        far: f64,
    },
}

impl Lens {
    /// Returns the intended aspect ratio (width / height), if there is one.
    pub(crate) fn aspect(self) -> Option<f64> {
        match self {
            Self::Perspective { aspect, .. } => aspect,
            Self::Orthographic { half, .. } => Some(half.x / half.y),
        }
    }

    /// Returns the projection matrix, with reversed depth. The intended picture fits into the viewport, and
    /// is as large as possible.
    pub fn clip_from_view(self, viewport: Viewport) -> DMat4 {
        let aspect = viewport.width / viewport.height;
        // A viewport that is too narrow gets a taller picture, so that the width fits.
        let taller = self.aspect().map_or(1.0, |intended| (intended / aspect).max(1.0));
        let projection = match self {
            Self::Perspective { fov_y, near, far, .. } => {
                let fov_y = if taller > 1.0 { 2.0 * ((0.5 * fov_y).tan() * taller).atan() } else { fov_y };
                Projection::Perspective { fov_y: fov_y.to_degrees(), near, far, reversed: true }
            }
            Self::Orthographic { half, near, far } => {
                Projection::Orthographic { height: 2.0 * half.y * taller, near, far, reversed: true }
            }
        };
        projection.clip_from_view(aspect)
    }

    /// Returns the part of a viewport that shows the intended picture, or `None` if that is all of it.
    pub fn framed(self, viewport: Viewport) -> Option<Viewport> {
        let (aspect, Viewport { x, y, width, height }) = (self.aspect()?, viewport);
        let (w, h) =
            if width / height > aspect { (height * aspect, height) } else { (width, width / aspect) };
        let is_all = width - w < 1.0 && height - h < 1.0;
        let framed = Viewport { x: x + 0.5 * (width - w), y: y + 0.5 * (height - h), width: w, height: h };
        (!is_all).then_some(framed)
    }
}

/// Returns the view matrix of a camera on a node. It looks along the node's −Z, with the node's Y up.
/// Scale and shear are ignored: the rotation is the one nearest to the node's matrix. A mirrored matrix
/// has its X axis negated first, so the picture is never mirrored. If a scale from the root to the node is 0,
/// or the matrix is singular for another reason, the local rotations on this path are multiplied instead.
pub fn view_from_world(scene: &Scene, node: usize) -> DMat4 {
    let world_from_node = scene.world_from_node(node);
    // Below a flat node, rounding decides which rotation is the nearest.
    let nearest = Transform::nearest_rotation(DMat3::from_mat4(world_from_node));
    let rotation = nearest.filter(|_| !scene.is_flat(node)).unwrap_or_else(|| {
        let rotations = scene.path(node).map(|node| scene.shown_local(node).unit_rotation());
        DMat3::from_quat(rotations.fold(DQuat::IDENTITY, |child, parent| parent * child))
    });
    // The inverse of a rotation and a translation.
    let inverse = rotation.transpose();
    let mut view_from_world = DMat4::from_mat3(inverse);
    view_from_world.w_axis = (inverse * -world_from_node.w_axis.truncate()).extend(1.0);
    view_from_world
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use wgpu_gizmo_core::Transform;
    use wgpu_gizmo_core::glam::DVec3;

    fn scene(scale: DVec3, parent_scale: DVec3) -> Scene {
        let rotation = DQuat::from_axis_angle(DVec3::new(2.0, -1.0, 2.0) / 3.0, 0.8);
        let parent = Transform { scale: parent_scale, ..Transform::IDENTITY };
        let local = Transform { translation: DVec3::new(1.0, 2.0, 3.0), rotation, scale };
        let nodes = vec![Node::new("parent", None, parent), Node::new("camera", Some(0), local)];
        Scene::new(nodes, Vec::new()).expect("the nodes form a tree")
    }

    #[test]
    fn view_follows_node_axes_and_ignores_scale() {
        for scale in [DVec3::ONE, DVec3::new(7.0, 0.1, 2.0), DVec3::new(-1.0, 1.0, 1.0)] {
            let scene = scene(scale, DVec3::splat(2.0));
            let view_from_world = view_from_world(&scene, 1);
            let world = scene.world_from_node(1);
            let linear = DMat3::from_mat4(view_from_world);
            assert!((linear * linear.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-12), "{scale}");
            assert!((linear.determinant() - 1.0).abs() < 1e-12, "{scale}: mirrored");
            let eye = view_from_world.transform_point3(world.w_axis.truncate());
            assert!(eye.abs_diff_eq(DVec3::ZERO, 1e-12), "{scale}: {eye}");
            for (axis, expected) in [(world.y_axis, DVec3::Y), (world.z_axis, DVec3::Z)] {
                let in_view = view_from_world.transform_vector3(axis.truncate().normalize());
                assert!(in_view.abs_diff_eq(expected, 1e-12), "{scale}: {in_view}");
            }
        }
    }

    /// Products of rotated matrices are rounded, so the matrix of the node is only nearly singular.
    #[test]
    fn view_uses_local_rotations_below_flat_ancestor() {
        let rotation = |x, y, z| DQuat::from_axis_angle(DVec3::new(x, y, z).normalize(), 1.1);
        let rotations = [rotation(1.0, 2.0, -1.0), rotation(-2.0, 1.0, 3.0), rotation(0.5, -1.0, 2.0)];
        for flat in 0..3 {
            for axis in 0..3 {
                let local = |node: usize| {
                    let mut scale = DVec3::new(1.4, 0.7, 1.1);
                    if node == flat {
                        scale[axis] = 0.0;
                    }
                    Transform { rotation: rotations[node], scale, ..Transform::IDENTITY }
                };
                let node = |node: usize| Node::new(format!("{node}"), node.checked_sub(1), local(node));
                let scene =
                    Scene::new((0..3).map(node).collect(), Vec::new()).expect("the nodes form a tree");
                let expected = DMat3::from_quat(rotations[0] * rotations[1] * rotations[2]).transpose();
                let linear = DMat3::from_mat4(view_from_world(&scene, 2));
                assert!(linear.abs_diff_eq(expected, 1e-12), "scale {axis} of node {flat} is 0: {linear}");
            }
        }
    }

    #[test]
    fn intended_picture_fits_viewport_exactly() {
        let half = DVec2::new(3.0, 1.5);
        let lenses = [
            Lens::Perspective { fov_y: 2.0 * 0.5f64.atan(), near: 0.1, far: None, aspect: Some(2.0) },
            Lens::Perspective { fov_y: 2.0 * 0.5f64.atan(), near: 0.1, far: Some(50.0), aspect: Some(2.0) },
            Lens::Orthographic { half, near: 0.0, far: 50.0 },
        ];
        for (width, height) in [(800, 200), (400, 200), (200, 800)] {
            let viewport = Viewport::from_size(width, height);
            for lens in lenses {
                let clip = lens.clip_from_view(viewport);
                // The corner of the intended picture, three units away.
                let corner = clip.project_point3(half.extend(-3.0)).truncate();
                assert!((corner.max_element() - 1.0).abs() < 1e-12, "{lens:?} {width}: {corner}");
                assert!(corner.min_element() > 0.0, "{lens:?} {width}: {corner}");
                let framed = lens.framed(viewport).unwrap_or(viewport);
                let expected = corner * DVec2::new(viewport.width, viewport.height);
                assert!((framed.width - expected.x).abs() < 1e-9, "{lens:?}: {framed:?}");
                assert!((framed.height - expected.y).abs() < 1e-9, "{lens:?}: {framed:?}");
                // Depth is reversed: near points have the greater depth.
                let depth = |z: f64| clip.project_point3(DVec3::new(0.0, 0.0, z)).z;
                assert!(depth(-1.0) > depth(-2.0) && depth(-40.0) > 0.0, "{lens:?}");
            }
        }
    }
}
