//! Triangles with normals and colours, as they are drawn.

use crate::bounds::Bounds;
use wgpu_gizmo::glam::{DVec3, Vec3};

/// Indexed triangles. All lists of vertices are equally long, and every index is below that.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mesh {
    /// In the node's own space.
    pub(crate) positions: Vec<[f32; 3]>,
    /// Need not be of unit length; zero where there is none, which draws flat.
    pub(crate) normals: Vec<[f32; 3]>,
    /// Red, green, blue as sRGB (where 8 bits suffice), and 255.
    pub(crate) colors: Vec<[u8; 4]>,
    /// Three for a triangle.
    pub(crate) indices: Vec<u32>,
}

/// sRGB in 8 bits from linear red, green and blue.
pub(crate) fn srgb8_from_linear(linear: [f32; 3]) -> [u8; 4] {
    let encode = |c: f32| {
        let c = c.clamp(0.0, 1.0);
        let srgb = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        // `as` saturates, and turns NaN into 0.
        (srgb * 255.0 + 0.5) as u8
    };
    let [r, g, b] = linear.map(encode);
    [r, g, b, 255]
}

impl Mesh {
    /// The box round all vertices.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        Bounds::of_points(self.positions.iter().map(|p| DVec3::from(p.map(f64::from))))
    }

    /// The same triangles with no vertex shared and the normal of each triangle on its corners.
    #[must_use]
    pub(crate) fn with_flat_normals(self) -> Self {
        let mut flat = Self::default();
        for corners in self.indices.chunks_exact(3) {
            let [a, b, c] = [corners[0] as usize, corners[1] as usize, corners[2] as usize];
            let [pa, pb, pc] = [a, b, c].map(|i| Vec3::from(self.positions[i]));
            let normal = (pb - pa).cross(pc - pa).normalize_or_zero();
            for corner in [a, b, c] {
                flat.indices.push(flat.positions.len() as u32);
                flat.positions.push(self.positions[corner]);
                flat.normals.push(normal.to_array());
                flat.colors.push(self.colors[corner]);
            }
        }
        flat
    }

    /// Adds another mesh's triangles.
    pub(crate) fn append(&mut self, other: Self) {
        let first = self.positions.len() as u32;
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
