//! A mesh before it is deformed, and its deformation by morph targets and joints (glTF 2.0 specification,
//! §3.7.2.2 and §3.7.3.3).

use crate::mesh::Mesh;
use wgpu_gizmo_core::glam::{Mat3, Mat4, Vec3};

/// The vertices of a mesh before it is deformed.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Normals.
    pub normals: Vec<[f32; 3]>,
    /// Morph targets.
    pub targets: Vec<MorphTarget>,
    /// The joints that move the vertices: the same number for each vertex, or none. Their weights add up
    /// to 1 for each vertex.
    pub influences: Vec<Influence>,
    /// The largest index of a joint that moves a vertex.
    pub max_joint: Option<u32>,
}

/// A morph target: the vertices that it moves.
#[derive(Debug, Clone, Default)]
pub struct MorphTarget {
    /// The moved vertices.
    pub deltas: Vec<Delta>,
}

/// The displacement of a vertex by a morph target with the weight 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delta {
    /// Index of the vertex.
    pub vertex: u32,
    /// Displacement of the position.
    pub position: [f32; 3],
    /// Change of the normal.
    pub normal: [f32; 3],
}

/// The weight of a joint in the motion of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Influence {
    /// Index into the joints of the skin.
    pub joint: u32,
    /// Weight from 0 to 1.
    pub weight: f32,
}

impl Shape {
    /// Returns the number of joints that move each vertex.
    pub fn per_vertex(&self) -> usize {
        self.influences.len().checked_div(self.positions.len()).unwrap_or(0)
    }

    /// Writes the deformed vertices to a mesh with the same vertices. `joints` has the matrix of each
    /// joint, from the mesh at rest to the space of the deformed mesh, if the mesh has a skin. A vertex that
    /// would not be finite stays at rest.
    pub fn deform(&self, weights: &[f32], joints: Option<&[Mat4]>, mesh: &mut Mesh) {
        mesh.positions.clone_from(&self.positions);
        mesh.normals.clone_from(&self.normals);
        let add = |to: &mut [f32; 3], by: [f32; 3], weight: f32| {
            to.iter_mut().zip(by).for_each(|(to, by)| *to += by * weight);
        };
        for (target, weight) in self.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            for Delta { vertex, position, normal } in &target.deltas {
                let vertex = *vertex as usize;
                if let (Some(p), Some(n)) = (mesh.positions.get_mut(vertex), mesh.normals.get_mut(vertex)) {
                    add(p, *position, *weight);
                    add(n, *normal, *weight);
                }
            }
        }
        if let Some(joints) = joints.filter(|_| self.per_vertex() > 0) {
            let influences = self.influences.chunks_exact(self.per_vertex());
            for ((position, normal), influences) in
                mesh.positions.iter_mut().zip(&mut mesh.normals).zip(influences)
            {
                move_by_joints(position, normal, influences, joints);
            }
        }
        for (vectors, at_rest) in [(&mut mesh.positions, &self.positions), (&mut mesh.normals, &self.normals)]
        {
            for (vector, at_rest) in vectors.iter_mut().zip(at_rest) {
                if !vector.iter().all(|coordinate| coordinate.is_finite()) {
                    *vector = *at_rest;
                }
            }
        }
    }
}

fn move_by_joints(position: &mut [f32; 3], normal: &mut [f32; 3], influences: &[Influence], joints: &[Mat4]) {
    let mut matrix = Mat4::ZERO;
    for Influence { joint, weight } in influences.iter().filter(|influence| influence.weight != 0.0) {
        if let Some(joint) = joints.get(*joint as usize) {
            matrix += *joint * *weight;
        }
    }
    *position = (matrix * Vec3::from(*position).extend(1.0)).truncate().to_array();
    // The matrix of cofactors is the inverse transpose times the determinant. Normals can have any length.
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.truncate());
    let cofactors = Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let sign = if x.dot(y.cross(z)) < 0.0 { -1.0 } else { 1.0 };
    *normal = (cofactors * Vec3::from(*normal) * sign).normalize_or_zero().to_array();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    fn shape() -> Shape {
        let cube = shapes::cube();
        Shape { positions: cube.positions, normals: cube.normals, ..Shape::default() }
    }

    #[test]
    fn normals_stay_perpendicular_to_scaled_and_mirrored_surface() {
        let mut shape = shape();
        let diagonal = Vec3::ONE.normalize().to_array();
        shape.normals.iter_mut().for_each(|normal| *normal = diagonal);
        shape.influences = vec![Influence { joint: 0, weight: 1.0 }; shape.positions.len()];
        let mut mesh = shapes::cube();
        shape.deform(&[], Some(&[Mat4::from_scale(Vec3::new(-2.0, 1.0, 1.0))]), &mut mesh);
        let expected = Vec3::new(-0.5, 1.0, 1.0).normalize();
        assert!(Vec3::from(mesh.normals[0]).abs_diff_eq(expected, 1e-6), "{:?}", mesh.normals[0]);
    }

    #[test]
    fn broken_numbers_leave_vertices_at_rest() {
        let mut shape = shape();
        shape.influences = vec![Influence { joint: 0, weight: 1.0 }; shape.positions.len()];
        shape.influences[0].joint = 9;
        let mut mesh = shapes::cube();
        shape.deform(&[f32::NAN], Some(&[Mat4::from_scale(Vec3::splat(f32::INFINITY))]), &mut mesh);
        assert!(mesh.positions.iter().flatten().all(|coordinate| coordinate.is_finite()));
        assert_eq!(mesh.positions[1], shape.positions[1]);
    }
}
