use glam::DVec3;
use std::f32::consts::TAU;
use std::sync::OnceLock;

/// The shapes that handles are put together from. Lengths are in units of the gizmo's size;
/// the axis of each is +X.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MeshKind {
    /// A cylinder from x = 0 to 1; its radius is the instance's thickness.
    Stem,
    /// An arrow head: base at the origin, tip at x = [`MeshKind::HEAD_LENGTH`].
    Cone,
    /// A cube of half extent 1.
    Cube,
    /// A circle of radius 1 in the YZ plane; its tube's radius is the instance's thickness.
    Ring,
    /// The border of the unit square 0..1 in Y and Z, the instance's thickness to both sides.
    Frame,
    /// The unit square 0..1 in Y and Z.
    Square,
    /// A sphere of radius 1.
    Ball,
    /// The same with fewer corners: for balls of a few pixels.
    Dot,
    /// One of the host's own ([`HandleMesh`](super::HandleMesh)): the number tells them apart.
    Custom(u32),
}

/// A corner of a mesh. The shader draws it at `position + thickness · weight · normal`, so one
/// mesh serves every thickness.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
#[cfg_attr(feature = "wgpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Vertex {
    /// In the mesh's own space.
    pub position: [f32; 3],
    /// How much of the instance's thickness is added along the normal.
    pub weight: f32,
    /// Unit length: where the surface faces, and where thickness goes.
    pub normal: [f32; 3],
    /// 1 where the light shades the surface, 0 where it is flat paint.
    pub lit: f32,
}

/// Triangles of one mesh.
#[derive(Debug)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) indices: Vec<u16>,
}

impl MeshKind {
    /// Every built-in kind.
    pub const ALL: [Self; 8] =
        [Self::Stem, Self::Cone, Self::Cube, Self::Ring, Self::Frame, Self::Square, Self::Ball, Self::Dot];

    /// Length of [`MeshKind::Cone`].
    pub const HEAD_LENGTH: f32 = 0.22;
    /// Radius of the base of [`MeshKind::Cone`].
    pub const HEAD_RADIUS: f32 = 0.065;

    /// Middle and half the sides of a box that holds what is drawn of it with this thickness, in
    /// its own space; `None` for the host's own.
    pub(crate) fn bounds(self, thickness: f64) -> Option<[DVec3; 2]> {
        let (middle, half) = match self {
            Self::Stem => (DVec3::X * 0.5, DVec3::new(0.5, thickness, thickness)),
            Self::Cone => {
                let [along, across] = [Self::HEAD_LENGTH, Self::HEAD_RADIUS].map(f64::from);
                (DVec3::X * (0.5 * along), DVec3::new(0.5 * along, across, across))
            }
            Self::Cube | Self::Ball | Self::Dot => (DVec3::ZERO, DVec3::ONE),
            Self::Ring => (DVec3::ZERO, DVec3::new(thickness, 1.0 + thickness, 1.0 + thickness)),
            Self::Frame | Self::Square => {
                (DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.0, 0.5 + thickness, 0.5 + thickness))
            }
            Self::Custom(_) => return None,
        };
        Some([middle, half])
    }

    /// How many pieces it can be drawn in, each by itself: what is long or has many triangles, of
    /// which a pick needs a few. Each is as many of the mesh's triangles, in their order.
    #[cfg(feature = "wgpu")]
    pub(crate) fn pieces(self) -> u16 {
        match self {
            Self::Ring => ARCS,
            Self::Ball => SLICES,
            _ => 1,
        }
    }

    /// The pieces of what has several; none of what is in one.
    #[cfg(feature = "wgpu")]
    pub(crate) fn piece_shapes(self) -> &'static [Piece] {
        static SHAPES: OnceLock<[Vec<Piece>; 2]> = OnceLock::new();
        let [arcs, slices] = SHAPES.get_or_init(|| {
            let arc = |piece: u16| {
                let end = |step: u16| {
                    let [y, z] = direction(step * (LONG / ARCS), LONG);
                    DVec3::new(0.0, y.into(), z.into())
                };
                let [a, b] = [end(piece), end(piece + 1)];
                // Within a quarter of a circle: none of it is past its ends.
                Piece { middle: 0.5 * (a + b), half: 0.5 * (a - b).abs(), ends: [a, b] }
            };
            // From pole to pole.
            let slice = |piece: u16| {
                let end = |row: u16| {
                    let [along, across] = direction(row, 2 * BALL_ROWS);
                    DVec3::new(along.into(), across.into(), 0.0)
                };
                let [a, b] = [piece, piece + 1].map(|end_row| end(end_row * (BALL_ROWS / SLICES)));
                let across = a.y.max(b.y);
                let half = DVec3::new(0.5 * (a.x - b.x).abs(), across, across);
                Piece { middle: DVec3::X * (0.5 * (a.x + b.x)), half, ends: [a, b] }
            };
            [(0..ARCS).map(arc).collect(), (0..SLICES).map(slice).collect()]
        });
        match self {
            Self::Ring => arcs,
            Self::Ball => slices,
            _ => &[],
        }
    }

    /// Its place in [`MeshKind::ALL`]; `None` for the host's own.
    pub(crate) fn place(self) -> Option<usize> {
        Self::ALL.iter().position(|kind| *kind == self)
    }

    /// Its triangles, made at first use; `None` for the host's own.
    pub(crate) fn mesh(self) -> Option<&'static Mesh> {
        static MESHES: [OnceLock<Mesh>; MeshKind::ALL.len()] =
            [const { OnceLock::new() }; MeshKind::ALL.len()];
        Some(MESHES[self.place()?].get_or_init(|| self.built()))
    }

    /// The triangles of a built-in mesh.
    pub(crate) fn built(self) -> Mesh {
        match self {
            Self::Stem => stem(),
            Self::Cone => cone(),
            Self::Cube => cube(),
            Self::Ring => ring(),
            Self::Frame => frame(),
            Self::Square => square(),
            Self::Ball => ball(BALL_ROWS + 1),
            Self::Dot => ball(9),
            Self::Custom(_) => Mesh::new(),
        }
    }
}

/// Where a piece of a mesh is that can be drawn by itself: the middle of a box that holds it, half
/// its sides, and where the piece begins and ends. The thickness of a ring comes on top.
#[cfg(feature = "wgpu")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    middle: DVec3,
    half: DVec3,
    ends: [DVec3; 2],
}

#[cfg(feature = "wgpu")]
impl Piece {
    /// As [`MeshKind::bounds`]; for a ball, of no thickness.
    pub(crate) fn bounds(&self, thickness: f64) -> [DVec3; 2] {
        [self.middle, self.half + thickness.abs()]
    }

    /// Whether all of an arc faces away from the eye by more than this cosine: less than a quarter
    /// of a circle does where both of its ends do.
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

    /// Joins row `i` to row `i + 1` of a grid of vertices, `columns` in each.
    fn grid(&mut self, rows: u16, columns: u16) {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = row * columns + column;
                self.quad([a, a + 1, a + 1 + columns, a + columns]);
            }
        }
    }
}

/// Segments round a stem, a tube or a head: a few pixels wide even at twice the scale.
pub(crate) const ROUND: u16 = 12;
/// Segments along a ring: a quarter of a pixel off the true circle at a radius of 200 px.
pub(crate) const LONG: u16 = 64;

/// Pieces of a ring: two of them hold what a pick looks at.
#[cfg(feature = "wgpu")]
const ARCS: u16 = 16;
/// Pieces of a ball.
#[cfg(feature = "wgpu")]
const SLICES: u16 = 12;
/// Most pieces of any mesh.
#[cfg(feature = "wgpu")]
pub(crate) const PIECES: u16 = ARCS;
/// From one pole of a ball to the other.
const BALL_ROWS: u16 = 24;
/// Segments round a ring's tube: three pixels thick, six at twice the scale.
pub(crate) const TUBE: u16 = 6;

pub(crate) fn direction(step: u16, steps: u16) -> [f32; 2] {
    // The last step closes the circle with the very bits of the first.
    let (sin, cos) = (TAU * f32::from(step % steps) / f32::from(steps)).sin_cos();
    [cos, sin]
}

fn stem() -> Mesh {
    let mut mesh = Mesh::new();
    for x in [0.0, 1.0] {
        for step in 0..=ROUND {
            let [y, z] = direction(step, ROUND);
            mesh.push([x, 0.0, 0.0], [0.0, y, z], 1.0);
        }
    }
    mesh.grid(2, ROUND + 1);
    // Caps reuse the rim: nobody sees the shading of a disc three pixels wide.
    for rim in [0, ROUND + 1] {
        for step in 1..ROUND - 1 {
            mesh.indices.extend([rim, rim + step, rim + step + 1]);
        }
    }
    mesh
}

fn cone() -> Mesh {
    let mut mesh = Mesh::new();
    let (length, radius) = (MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS);
    let slope = length.hypot(radius);
    let steps = 2 * ROUND;
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
    for step in 0..=LONG {
        let [y, z] = direction(step, LONG);
        for side in 0..=TUBE {
            let [out, along] = direction(side, TUBE);
            mesh.push([0.0, y, z], [along, out * y, out * z], 1.0);
        }
    }
    mesh.grid(LONG + 1, TUBE + 1);
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
        // Not unit length on purpose: a mitred corner goes out, and in, along both sides.
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
    // Counter-clockwise from outside: it is seen through, and its far side is told by that.
    mesh.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_winds_counter_clockwise_seen_from_outside() {
        use glam::Vec3;
        let mesh = MeshKind::Ball.built();
        for corners in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(mesh.vertices[usize::from(corners[i])].position));
            let normal = (b - a).cross(c - a);
            // At the poles a side has no length.
            assert!(normal.length() < 1e-6 || normal.dot(a + b + c) > 0.0, "{corners:?}");
        }
    }

    #[test]
    fn what_is_drawn_of_a_mesh_is_within_its_bounds() {
        use glam::Vec3;
        for kind in MeshKind::ALL {
            for thickness in [0.0, 0.02, 0.3] {
                let [middle, half] = kind.bounds(thickness.into()).expect("built in");
                for v in &kind.built().vertices {
                    let drawn = Vec3::from(v.position) + thickness * v.weight * Vec3::from(v.normal);
                    let outside = (drawn.as_dvec3() - middle).abs() - half;
                    assert!(outside.max_element() < 1e-6, "{kind:?} {drawn}");
                }
            }
        }
    }

    #[cfg(feature = "wgpu")]
    #[test]
    fn all_that_is_drawn_of_a_piece_is_within_its_bounds_and_pieces_are_all_of_a_mesh() {
        use glam::Vec3;
        for kind in MeshKind::ALL.into_iter().filter(|kind| kind.pieces() > 1) {
            let mesh = kind.built();
            let length = mesh.indices.len() / usize::from(kind.pieces());
            assert!(length % 3 == 0 && length * usize::from(kind.pieces()) == mesh.indices.len(), "{kind:?}");
            assert_eq!(kind.piece_shapes().len(), usize::from(kind.pieces()));
            for (piece, shape) in mesh.indices.chunks_exact(length).zip(kind.piece_shapes()) {
                let [middle, half] = shape.bounds(0.1);
                let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
                let eye = DVec3::new(0.0, 0.6, -0.8);
                for v in piece.iter().map(|i| mesh.vertices[usize::from(*i)]) {
                    let facing = Vec3::from(v.position).as_dvec3().dot(eye);
                    (least, most) = (least.min(facing), most.max(facing));
                    let drawn = (Vec3::from(v.position) + 0.1 * v.weight * Vec3::from(v.normal)).as_dvec3();
                    assert!(((drawn - middle).abs() - half).max_element() < 1e-6, "{kind:?} {drawn}");
                }
                if kind == MeshKind::Ring {
                    assert_eq!(shape.is_beyond(eye, -0.05), most < -0.05, "{least} to {most}");
                }
            }
        }
    }

    #[test]
    fn every_mesh_has_whole_triangles_of_finite_corners_within_its_vertices() {
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
