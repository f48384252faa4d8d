//! Triangles with normals, colours and places in textures, as they are drawn.

use crate::bounds::Bounds;
use std::ops::Range;
use wgpu_gizmo::glam::DVec3;

/// Indexed triangles. All lists of vertices are equally long (`uvs` may be empty instead), and
/// every index is below that.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mesh {
    /// In the node's own space.
    pub(crate) positions: Vec<[f32; 3]>,
    /// Need not be of unit length; zero where there is none, which draws flat.
    pub(crate) normals: Vec<[f32; 3]>,
    /// Red, green, blue as sRGB (where 8 bits suffice), and alpha.
    pub(crate) colors: Vec<[u8; 4]>,
    /// Places in textures; none where no material has any.
    pub(crate) uvs: Vec<[f32; 2]>,
    /// Three for a triangle.
    pub(crate) indices: Vec<u32>,
    /// Which of the triangles are of what. None: all are of no material.
    pub(crate) parts: Vec<Part>,
}

/// Triangles of one material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// Of [`Mesh::indices`].
    pub(crate) indices: Range<u32>,
    /// Index into the scene's materials.
    pub(crate) material: Option<usize>,
}

/// sRGB in 8 bits from linear red, green and blue; alpha stays as it is.
pub(crate) fn srgb8_from_linear([r, g, b, a]: [f32; 4]) -> [u8; 4] {
    let encode = |c: f32| {
        let c = c.clamp(0.0, 1.0);
        let srgb = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        // `as` saturates, and turns NaN into 0.
        (srgb * 255.0 + 0.5) as u8
    };
    let [r, g, b] = [r, g, b].map(encode);
    [r, g, b, (a.clamp(0.0, 1.0) * 255.0 + 0.5) as u8]
}

impl Mesh {
    /// The box round all vertices.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        Bounds::of_points(self.positions.iter().map(|p| DVec3::from(p.map(f64::from))))
    }

    /// Which of the triangles are of what: all of them are in one part or another, in order.
    pub(crate) fn parts(&self) -> Vec<Part> {
        match self.parts.is_empty() {
            true => vec![Part { indices: 0..self.indices.len() as u32, material: None }],
            false => self.parts.clone(),
        }
    }

    /// Adds another mesh's triangles.
    pub(crate) fn append(&mut self, other: Self) {
        let first = self.positions.len() as u32;
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
        self.indices.extend(other.indices.into_iter().map(|index| first + index));
    }

    /// The same mesh in one colour, given as sRGB.
    #[must_use]
    pub(crate) fn colored(mut self, [r, g, b]: [u8; 3]) -> Self {
        self.colors = vec![[r, g, b, 255]; self.positions.len()];
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    #[test]
    fn parts_of_one_material_that_are_neighbours_are_one() {
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
