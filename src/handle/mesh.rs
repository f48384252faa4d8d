use glam::DVec3;
use std::f32::consts::TAU;
use std::sync::OnceLock;

/// The mesh of one part of a handle.
///
/// The axis of every built-in mesh is +X. Lengths are those of the mesh itself, before
/// [`Item::world_from_part`](crate::draw::Item::world_from_part) scales it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MeshKind {
    /// A cylinder from x = 0 to 1, whose radius is the thickness of the instance.
    Stem,
    /// An arrow head, with its base at the origin and its tip at x = [`MeshKind::HEAD_LENGTH`].
    Cone,
    /// A cube with half extents of 1.
    Cube,
    /// A torus in the YZ plane with a radius of 1, whose tube radius is the thickness of the
    /// instance.
    Ring,
    /// The border of the unit square from 0 to 1 in Y and Z. It extends to both sides by the
    /// thickness of the instance.
    SquareBorder,
    /// The filled unit square from 0 to 1 in Y and Z.
    Square,
    /// A sphere of radius 1, for the trackball.
    Ball,
    /// A sphere of radius 1 with fewer vertices, for spheres of a few pixels.
    Dot,
    /// A custom mesh ([`HandleMesh`](super::HandleMesh)), identified by a number.
    Custom(u32),
}

/// A vertex of a handle mesh.
///
/// The shader draws it at `position + thickness · weight · normal`, so one mesh serves every line
/// width.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// The position in the space of the mesh.
    pub position: [f32; 3],
    /// The factor on the thickness of the instance that is added along the normal: 0 on a fixed
    /// shape, 1 or -1 on the edge of a line.
    pub weight: f32,
    /// The unit normal of the surface, which is also the direction in which thickness is added.
    pub normal: [f32; 3],
    /// 1 if the surface is shaded by the light, 0 if it has a flat color, and 2 if it is a thin tube
    /// around a circle in the YZ plane, which is shaded along its length only.
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
        Self::SquareBorder,
        Self::Square,
        Self::Ball,
        Self::Dot,
    ];

    /// The length of [`MeshKind::Cone`].
    pub const HEAD_LENGTH: f32 = 0.22;
    /// The radius of the base of [`MeshKind::Cone`].
    pub const HEAD_RADIUS: f32 = 0.065;

    /// Returns the center and the half extents of the bounding box, in the space of the mesh, for
    /// this thickness, or `None` for a custom mesh.
    pub(crate) fn bounds(self, thickness: f64) -> Option<[DVec3; 2]> {
        let (center, half) = match self {
            Self::Stem => (DVec3::X * 0.5, DVec3::new(0.5, thickness, thickness)),
            Self::Cone => {
                let [along, across] = [Self::HEAD_LENGTH, Self::HEAD_RADIUS].map(f64::from);
                (DVec3::X * (0.5 * along), DVec3::new(0.5 * along, across, across))
            }
            Self::Cube | Self::Ball | Self::Dot => (DVec3::ZERO, DVec3::ONE),
            Self::Ring => (DVec3::ZERO, DVec3::new(thickness, 1.0 + thickness, 1.0 + thickness)),
            Self::SquareBorder | Self::Square => {
                (DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.0, 0.5 + thickness, 0.5 + thickness))
            }
            Self::Custom(_) => return None,
        };
        Some([center, half])
    }

    /// Returns the number of pieces that can be drawn separately.
    ///
    /// Only meshes with many triangles have several, because a pick needs few of them. All pieces
    /// have the same number of triangles and follow each other in the index buffer.
    pub(crate) fn pieces(self) -> u16 {
        match self {
            Self::Ring => RING_PIECES,
            Self::Ball => BALL_PIECES,
            _ => 1,
        }
    }

    /// Returns the bounds of the pieces, or an empty slice for a mesh with a single piece.
    pub(crate) fn piece_shapes(self) -> &'static [Piece] {
        static SHAPES: OnceLock<[Vec<Piece>; 2]> = OnceLock::new();
        let [arcs, slices] = SHAPES.get_or_init(|| {
            let arc = |piece: u16| {
                let end = |step: u16| {
                    let [y, z] = direction(step * (RING_SEGMENTS / RING_PIECES), RING_SEGMENTS);
                    DVec3::new(0.0, y.into(), z.into())
                };
                let [a, b] = [end(piece), end(piece + 1)];
                // An arc that stays within one quadrant is inside the box of its ends.
                Piece { center: 0.5 * (a + b), half: 0.5 * (a - b).abs(), ends: [a, b] }
            };
            // A slice between two circles of latitude, counted from pole to pole.
            let slice = |piece: u16| {
                let end = |row: u16| {
                    let [along, across] = direction(row, 2 * BALL_ROWS);
                    DVec3::new(along.into(), across.into(), 0.0)
                };
                let [a, b] = [piece, piece + 1].map(|end_row| end(end_row * (BALL_ROWS / BALL_PIECES)));
                let across = a.y.max(b.y);
                let half = DVec3::new(0.5 * (a.x - b.x).abs(), across, across);
                Piece { center: DVec3::X * (0.5 * (a.x + b.x)), half, ends: [a, b] }
            };
            [(0..RING_PIECES).map(arc).collect(), (0..BALL_PIECES).map(slice).collect()]
        });
        match self {
            Self::Ring => arcs,
            Self::Ball => slices,
            _ => &[],
        }
    }

    /// Returns the index in [`MeshKind::ALL`], or `None` for a custom mesh.
    pub(crate) fn index(self) -> Option<usize> {
        Self::ALL.iter().position(|kind| *kind == self)
    }

    /// Returns the triangles, which are built on first use, or `None` for a custom mesh.
    pub(crate) fn mesh(self) -> Option<&'static Mesh> {
        static MESHES: [OnceLock<Mesh>; MeshKind::ALL.len()] =
            [const { OnceLock::new() }; MeshKind::ALL.len()];
        Some(MESHES[self.index()?].get_or_init(|| self.built()))
    }

    /// Builds the triangles of a built-in mesh.
    pub(crate) fn built(self) -> Mesh {
        match self {
            Self::Stem => stem(),
            Self::Cone => cone(),
            Self::Cube => cube(),
            Self::Ring => ring(),
            Self::SquareBorder => frame(),
            Self::Square => square(),
            Self::Ball => ball(BALL_ROWS + 1),
            Self::Dot => ball(9),
            Self::Custom(_) => Mesh::new(),
        }
    }
}

/// The bounds of a piece of a mesh that can be drawn separately, without the thickness of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    center: DVec3,
    half: DVec3,
    /// The points on the circle or meridian at which the piece begins and ends.
    ends: [DVec3; 2],
}

impl Piece {
    /// Returns the center and the half extents of the bounding box, like [`MeshKind::bounds`].
    pub(crate) fn bounds(&self, thickness: f64) -> [DVec3; 2] {
        [self.center, self.half + thickness.abs()]
    }

    /// Returns true if a whole arc has a cosine to the eye below `cosine`.
    ///
    /// For an arc of less than a quarter circle, this holds if it holds at both ends.
    pub(crate) fn is_beyond(&self, to_eye: DVec3, cosine: f64) -> bool {
        self.ends.iter().all(|end| end.dot(to_eye) < cosine)
    }
}

impl Mesh {
    fn new() -> Self {
        Self { vertices: Vec::new(), indices: Vec::new() }
    }

    fn push(&mut self, position: [f32; 3], normal: [f32; 3], weight: f32) -> u16 {
        self.vertices.push(Vertex { position, weight, normal, lit: 1.0 });
        (self.vertices.len() - 1) as u16
    }

    fn quad(&mut self, [a, b, c, d]: [u16; 4]) {
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// Connects each row of a grid of vertices to the next one.
    fn grid(&mut self, rows: u16, columns: u16) {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = row * columns + column;
                self.quad([a, a + 1, a + 1 + columns, a + columns]);
            }
        }
    }
}

/// Segments around a stem, which is a few pixels wide even at a scale factor of 2.
pub(crate) const STEM_SEGMENTS: u16 = 12;
/// Segments along a ring. The error is a quarter of a pixel at a radius of 200 px.
pub(crate) const RING_SEGMENTS: u16 = 64;

/// A point of a ring is on its far half if the cosine of its radial direction to the eye is below this.
pub(crate) const FAR_HALF: f64 = -0.05;
/// The range of this cosine over which the stroke narrows and dims: about 10°, all on the far half.
pub(crate) const TAPER: f64 = 0.17;

/// Pieces of a ring. A pick usually touches two of them.
const RING_PIECES: u16 = 16;
/// Pieces of a ball.
const BALL_PIECES: u16 = 12;
/// The maximum number of pieces of a mesh.
pub(crate) const MAX_PIECES: u16 = RING_PIECES;
/// Rows of quads of a ball, from pole to pole.
const BALL_ROWS: u16 = 24;
/// Segments around the tube of a ring, which is 3 px thick, or 6 px at a scale factor of 2.
pub(crate) const TUBE_SEGMENTS: u16 = 6;

/// Returns the point of the unit circle at `step` of `steps`.
pub(crate) fn direction(step: u16, steps: u16) -> [f32; 2] {
    // The last step has the same bits as the first one, so that the circle is closed.
    let (sin, cos) = (TAU * f32::from(step % steps) / f32::from(steps)).sin_cos();
    [cos, sin]
}

fn stem() -> Mesh {
    let mut mesh = Mesh::new();
    for x in [0.0, 1.0] {
        for step in 0..=STEM_SEGMENTS {
            let [y, z] = direction(step, STEM_SEGMENTS);
            mesh.push([x, 0.0, 0.0], [0.0, y, z], 1.0);
        }
    }
    mesh.grid(2, STEM_SEGMENTS + 1);
    // The caps reuse the rim, because the shading of a disc of 3 px is not visible.
    for rim in [0, STEM_SEGMENTS + 1] {
        for step in 1..STEM_SEGMENTS - 1 {
            mesh.indices.extend([rim, rim + step, rim + step + 1]);
        }
    }
    mesh
}

fn cone() -> Mesh {
    let mut mesh = Mesh::new();
    let (length, radius) = (MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS);
    let slope = length.hypot(radius);
    let steps = 2 * STEM_SEGMENTS;
    for x in [0.0, length] {
        for step in 0..=steps {
            let [y, z] = direction(step, steps);
            let r = radius * (1.0 - x / length);
            mesh.push([x, r * y, r * z], [radius / slope, y * length / slope, z * length / slope], 0.0);
        }
    }
    mesh.grid(2, steps + 1);
    let first = mesh.vertices.len() as u16;
    for step in 0..steps {
        let [y, z] = direction(step, steps);
        mesh.push([0.0, radius * y, radius * z], [-1.0, 0.0, 0.0], 0.0);
    }
    for step in 1..steps - 1 {
        mesh.indices.extend([first, first + step, first + step + 1]);
    }
    mesh
}

fn cube() -> Mesh {
    let mut mesh = Mesh::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[u, v]| {
                let mut position = [0.0; 3];
                let mut normal = [0.0; 3];
                position[axis] = side;
                normal[axis] = side;
                position[(axis + 1) % 3] = u;
                position[(axis + 2) % 3] = v;
                mesh.push(position, normal, 0.0)
            });
            mesh.quad(corners);
        }
    }
    mesh
}

fn ring() -> Mesh {
    let mut mesh = Mesh::new();
    for step in 0..=RING_SEGMENTS {
        let [y, z] = direction(step, RING_SEGMENTS);
        for side in 0..=TUBE_SEGMENTS {
            let [out, along] = direction(side, TUBE_SEGMENTS);
            mesh.push([0.0, y, z], [along, out * y, out * z], 1.0);
        }
    }
    mesh.grid(RING_SEGMENTS + 1, TUBE_SEGMENTS + 1);
    for vertex in &mut mesh.vertices {
        vertex.lit = 2.0;
    }
    mesh
}

fn flat(mut mesh: Mesh) -> Mesh {
    for vertex in &mut mesh.vertices {
        vertex.lit = 0.0;
    }
    mesh
}

const CORNERS: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

fn frame() -> Mesh {
    let mut mesh = Mesh::new();
    for [y, z] in CORNERS {
        // Not of unit length: a mitered corner is offset along both of its sides.
        let inward = [0.0, 1.0 - 2.0 * y, 1.0 - 2.0 * z];
        mesh.push([0.0, y, z], inward, -1.0);
        mesh.push([0.0, y, z], inward, 1.0);
    }
    for corner in 0..4 {
        let (a, b) = (2 * corner, 2 * ((corner + 1) % 4));
        mesh.quad([a, b, b + 1, a + 1]);
    }
    flat(mesh)
}

fn square() -> Mesh {
    let mut mesh = Mesh::new();
    let corners = CORNERS.map(|[y, z]| mesh.push([0.0, y, z], [1.0, 0.0, 0.0], 0.0));
    mesh.quad(corners);
    flat(mesh)
}

fn ball(rows: u16) -> Mesh {
    let mut mesh = Mesh::new();
    let columns = 2 * rows - 1;
    for row in 0..rows {
        let [cos, sin] = direction(row, 2 * (rows - 1));
        for column in 0..columns {
            let [y, z] = direction(column, columns - 1);
            let p = [cos, sin * y, sin * z];
            mesh.push(p, p, 0.0);
        }
    }
    mesh.grid(rows, columns);
    // Counter-clockwise from outside, because the shader discards the far side by its winding.
    mesh.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ball_winds_counter_clockwise_from_outside() {
        use glam::Vec3;
        let mesh = MeshKind::Ball.built();
        for corners in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(mesh.vertices[usize::from(corners[i])].position));
            let normal = (b - a).cross(c - a);
            // Triangles at the poles are degenerate.
            assert!(normal.length() < 1e-6 || normal.dot(a + b + c) > 0.0, "{corners:?}");
        }
    }

    #[test]
    fn drawn_vertices_stay_within_mesh_bounds() {
        use glam::Vec3;
        for kind in MeshKind::ALL {
            for thickness in [0.0, 0.02, 0.3] {
                let [center, half] = kind.bounds(thickness.into()).expect("built in");
                for v in &kind.built().vertices {
                    let drawn = Vec3::from(v.position) + thickness * v.weight * Vec3::from(v.normal);
                    let outside = (drawn.as_dvec3() - center).abs() - half;
                    assert!(outside.max_element() < 1e-6, "{kind:?} {drawn}");
                }
            }
        }
    }

    #[test]
    fn pieces_cover_mesh_within_their_bounds() {
        use glam::Vec3;
        for kind in MeshKind::ALL.into_iter().filter(|kind| kind.pieces() > 1) {
            let mesh = kind.built();
            let length = mesh.indices.len() / usize::from(kind.pieces());
            assert!(length % 3 == 0 && length * usize::from(kind.pieces()) == mesh.indices.len(), "{kind:?}");
            assert_eq!(kind.piece_shapes().len(), usize::from(kind.pieces()));
            for (piece, shape) in mesh.indices.chunks_exact(length).zip(kind.piece_shapes()) {
                let [center, half] = shape.bounds(0.1);
                let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
                let eye = DVec3::new(0.0, 0.6, -0.8);
                for v in piece.iter().map(|i| mesh.vertices[usize::from(*i)]) {
                    let facing = Vec3::from(v.position).as_dvec3().dot(eye);
                    (min, max) = (min.min(facing), max.max(facing));
                    let drawn = (Vec3::from(v.position) + 0.1 * v.weight * Vec3::from(v.normal)).as_dvec3();
                    assert!(((drawn - center).abs() - half).max_element() < 1e-6, "{kind:?} {drawn}");
                }
                if kind == MeshKind::Ring {
                    assert_eq!(shape.is_beyond(eye, -0.05), max < -0.05, "{min} to {max}");
                }
            }
        }
    }

    #[test]
    fn built_in_meshes_are_valid() {
        for kind in MeshKind::ALL {
            let mesh = kind.built();
            assert!(!mesh.indices.is_empty() && mesh.indices.len() % 3 == 0, "{kind:?}");
            assert!(mesh.indices.iter().all(|i| usize::from(*i) < mesh.vertices.len()), "{kind:?}");
            for v in &mesh.vertices {
                let all = v.position.iter().chain(&v.normal);
                assert!(all.clone().all(|c| c.is_finite()), "{kind:?}: {v:?}");
            }
        }
    }
}
