use glam::DVec3;
use std::collections::BTreeMap;

/// The mesh of one part of a handle.
///
/// The axis of every built-in mesh is +X. Lengths are those of the mesh itself, before
/// [`Item::world_from_part`](crate::draw::Item::world_from_part) scales it. Built-in meshes have no
/// triangles: they are drawn from their outlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MeshKind {
    /// A line from x = 0 to 1, as wide as the strokes of the theme.
    Stem,
    /// An arrow head, with its base at the origin and its tip at x = [`MeshKind::HEAD_LENGTH`].
    Cone,
    /// A cube with half extents of 1.
    Cube,
    /// A circle in the YZ plane with a radius of 1, as wide as the strokes of the theme.
    Ring,
    /// The filled unit square from 0 to 1 in Y and Z, with a border.
    Square,
    /// The border of the square from -1 to 1 in Y and Z, without a fill.
    SquareBorder,
    /// A translucent sphere of radius 1, for the trackball.
    Ball,
    /// A sphere of radius 1.
    Dot,
    /// A custom mesh ([`HandleMesh`](super::HandleMesh)), identified by a number.
    Custom(u32),
}

/// A vertex of a handle mesh.
///
/// It is drawn at `position + thickness · weight · normal`, where the thickness is half of the width of
/// the theme's strokes, so one mesh serves every line width.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// The position in the space of the mesh.
    pub position: [f32; 3],
    /// The factor on the thickness that is added along the normal: 0 on a fixed shape, 1 or -1 on the
    /// edge of a line.
    pub weight: f32,
    /// The unit normal of the surface, which is also the direction in which thickness is added.
    pub normal: [f32; 3],
    /// 1 if the surface is shaded by the light, and 0 if it has a flat color.
    pub lit: f32,
}

/// The triangles of one mesh.
#[derive(Debug)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) indices: Vec<u16>,
}

impl MeshKind {
    /// All built-in meshes.
    pub const ALL: [Self; 8] = [
        Self::Stem,
        Self::Cone,
        Self::Cube,
        Self::Ring,
        Self::Square,
        Self::SquareBorder,
        Self::Ball,
        Self::Dot,
    ];

    /// The length of [`MeshKind::Cone`].
    pub const HEAD_LENGTH: f32 = 0.22;
    /// The radius of the base of [`MeshKind::Cone`].
    pub const HEAD_RADIUS: f32 = 0.065;

    /// Returns the center and the half extents of the bounding box without the width of strokes, in the
    /// space of the mesh, or `None` for a custom mesh.
    pub(crate) fn bounds(self) -> Option<[DVec3; 2]> {
        let (center, half) = match self {
            Self::Stem => (DVec3::new(0.5, 0.0, 0.0), DVec3::new(0.5, 0.0, 0.0)),
            Self::Cone => {
                let [along, across] = [Self::HEAD_LENGTH, Self::HEAD_RADIUS].map(f64::from);
                (DVec3::X * (0.5 * along), DVec3::new(0.5 * along, across, across))
            }
            Self::Cube | Self::Ball | Self::Dot => (DVec3::ZERO, DVec3::ONE),
            Self::Ring | Self::SquareBorder => (DVec3::ZERO, DVec3::new(0.0, 1.0, 1.0)),
            Self::Square => (DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.0, 0.5, 0.5)),
            Self::Custom(_) => return None,
        };
        Some([center, half])
    }
}

impl Mesh {
    /// Returns, for each edge of each triangle, the triangle on its other side.
    pub(crate) fn neighbors(&self) -> Vec<[Option<u32>; 3]> {
        let triangles = || self.indices.chunks_exact(3).enumerate();
        // Vertices at the same position count as one: those of a sharp edge differ in their normals.
        let mut ids: BTreeMap<[u32; 3], u32> = BTreeMap::new();
        let mut id_of = |index: u16| {
            let count = ids.len() as u32;
            let bits = self.vertices[usize::from(index)].position.map(|part| (part + 0.0).to_bits());
            *ids.entry(bits).or_insert(count)
        };
        let mut owners: BTreeMap<[u32; 2], [Option<u32>; 2]> = BTreeMap::new();
        let mut edges = Vec::new();
        for (triangle, corners) in triangles() {
            let [a, b, c] = [corners[0], corners[1], corners[2]].map(&mut id_of);
            let keys = [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
            for key in keys {
                let owners = owners.entry(key).or_default();
                if let Some(free) = owners.iter_mut().find(|owner| owner.is_none()) {
                    *free = Some(triangle as u32);
                }
            }
            edges.push(keys);
        }
        let other = |triangle: usize, key: &[u32; 2]| {
            let owners = owners.get(key)?;
            owners.iter().flatten().copied().find(|owner| *owner as usize != triangle)
        };
        let all = edges.iter().enumerate();
        all.map(|(triangle, keys)| keys.each_ref().map(|key| other(triangle, key))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(position: [f32; 3]) -> Vertex {
        Vertex { position, weight: 0.0, normal: [0.0; 3], lit: 0.0 }
    }

    #[test]
    fn neighbors_share_edges_by_position() {
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]].map(vertex);
        // The second triangle has its own copies of the shared vertices, one of them with -0.
        let copy = vertex([-0.0, 1.0, 0.0]);
        let mesh = Mesh { vertices: vec![a, b, c, b, d, copy], indices: vec![0, 1, 2, 3, 4, 5] };
        assert_eq!(mesh.neighbors(), [[None, Some(1), None], [None, None, Some(0)]]);
    }
}
