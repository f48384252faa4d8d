//! Triangle meshes with normals, colors and texture coordinates.

use crate::bounds::Bounds;
use std::ops::Range;
use wgpu_gizmo_core::glam::DVec3;

/// Indexed triangles. All vertex attributes have the same length (`uvs` can also be empty), and every
/// index is less than that.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// Positions in the space of the node.
    pub positions: Vec<[f32; 3]>,
    /// Normals of any length. A zero normal selects flat shading.
    pub normals: Vec<[f32; 3]>,
    /// Colors in sRGB, for which 8 bits suffice, with alpha.
    pub colors: Vec<[u8; 4]>,
    /// Texture coordinates. Empty if no material has textures.
    pub uvs: Vec<[f32; 2]>,
    /// Three indices per triangle.
    pub indices: Vec<u32>,
    /// The ranges of triangles with one material each. If empty, no triangle has a material.
    pub parts: Vec<Part>,
}

/// A range of triangles with one material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Range of [`Mesh::indices`].
    pub indices: Range<u32>,
    /// Index into the scene's materials.
    pub material: Option<usize>,
}

/// Converts a linear color to sRGB in 8 bits. Alpha stays linear.
pub fn srgb8_from_linear([r, g, b, a]: [f32; 4]) -> [u8; 4] {
    let encode = |c: f32| {
        let c = c.clamp(0.0, 1.0);
        let srgb = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        // `as` saturates and converts NaN to 0.
        (srgb * 255.0 + 0.5) as u8
    };
    let [r, g, b] = [r, g, b].map(encode);
    [r, g, b, (a.clamp(0.0, 1.0) * 255.0 + 0.5) as u8]
}

impl Mesh {
    /// Returns the bounding box of all vertices.
    pub fn bounds(&self) -> Option<Bounds> {
        Bounds::of_points(self.positions.iter().map(|p| DVec3::from(p.map(f64::from))))
    }

    /// Returns the ranges of triangles with one material each. They cover all triangles in order.
    pub fn parts(&self) -> Vec<Part> {
        match self.parts.is_empty() {
            true => vec![Part { indices: 0..self.indices.len() as u32, material: None }],
            false => self.parts.clone(),
        }
    }

    /// Appends the triangles of another mesh.
    pub fn append(&mut self, other: Self) {
        let first_vertex = self.positions.len() as u32;
        let first_index = self.indices.len() as u32;
        let mut parts = if first_index == 0 { Vec::new() } else { self.parts() };
        for Part { indices, material } in other.parts() {
            match parts.last_mut() {
                Some(last) if last.material == material => last.indices.end = first_index + indices.end,
                _ => parts
                    .push(Part { indices: first_index + indices.start..first_index + indices.end, material }),
            }
        }
        self.parts = parts;
        if !self.uvs.is_empty() || !other.uvs.is_empty() {
            self.uvs.resize(self.positions.len(), [0.0; 2]);
            self.uvs.extend(&other.uvs);
            self.uvs.resize(self.positions.len() + other.positions.len(), [0.0; 2]);
        }
        self.positions.extend(other.positions);
        self.normals.extend(other.normals);
        self.colors.extend(other.colors);
        self.indices.extend(other.indices.into_iter().map(|index| first_vertex + index));
    }

    /// Returns the mesh with a uniform color, given as sRGB.
    #[must_use]
    pub fn colored(mut self, [r, g, b]: [u8; 3]) -> Self {
        self.colors = vec![[r, g, b, 255]; self.positions.len()];
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    #[test]
    fn adjacent_parts_with_same_material_are_merged() {
        let of = |material, uvs: bool| {
            let mut cube = shapes::cube();
            cube.parts = vec![Part { indices: 0..36, material }];
            cube.uvs = if uvs { vec![[0.5; 2]; cube.positions.len()] } else { Vec::new() };
            cube
        };
        let mut mesh = Mesh::default();
        for part in [shapes::cube(), of(None, false), of(Some(3), true), of(Some(3), false), of(None, false)]
        {
            mesh.append(part);
        }
        let part = |indices, material| Part { indices, material };
        assert_eq!(mesh.parts(), [part(0..72, None), part(72..144, Some(3)), part(144..180, None)]);
        assert_eq!(mesh.uvs.len(), mesh.positions.len());
        assert_eq!((mesh.uvs[47], mesh.uvs[48], mesh.uvs[72]), ([0.0; 2], [0.5; 2], [0.0; 2]));
    }
}
