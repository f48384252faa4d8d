use crate::handle::MeshError;
use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// The vertices, edges and triangles of a mesh, in a tree of boxes that is built once.
///
/// ```
/// use wgpu_gizmo_core::pick::snap::SnapMesh;
///
/// let mesh = SnapMesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2])?;
/// # let _ = mesh;
/// # Ok::<(), wgpu_gizmo_core::handle::MeshError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SnapMesh {
    pub(super) positions: Vec<[f32; 3]>,
    /// The triangles, in the order of the leaves.
    pub(super) triangles: Vec<Triangle>,
    /// The nodes of the tree, with the root last.
    pub(super) nodes: Vec<Node>,
}

/// A triangle with its edges from each corner to the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// Whether each edge counts. An edge between triangles of one plane does not.
    pub(super) has_edge: [bool; 3],
    /// Whether each corner counts: exactly one triangle has each position.
    pub(super) has_corner: [bool; 3],
}

/// A box around triangles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    pub(super) content: Content,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// A range of triangles.
    Triangles { first: u32, end: u32 },
    /// The indices of two nodes.
    Nodes([u32; 2]),
}

/// The maximum number of triangles of a leaf.
const LEAF: usize = 8;
/// Normals count as equal if the cosine between them differs from 1 by less than this.
const FLAT: f64 = 1e-6;

/// The triangles at an edge so far.
#[derive(Debug, Clone, Copy)]
struct EdgeUse {
    normal: DVec3,
    count: u32,
    is_sharp: bool,
}

impl SnapMesh {
    /// Creates the tree from vertex positions in local space and three indices per triangle.
    ///
    /// # Errors
    /// Returns a [`MeshError`] if the data is not a mesh that can be drawn.
    pub fn new(positions: &[[f32; 3]], indices: &[u32]) -> Result<Self, MeshError> {
        let is_finite = |p: &[f32; 3]| p.iter().all(|number| number.is_finite());
        MeshError::check(positions, is_finite, indices.iter().copied())?;
        let corners = indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]);
        let welded = welded(positions);
        let (mut corners, flat): (Vec<_>, Vec<_>) =
            corners.partition(|corners| normal(positions, *corners).is_some());
        let edges = edges_of(positions, &welded, &corners);
        // A triangle without an area has no normal, as at the poles of a sphere, so its points are those of its
        // neighbors, if they have them.
        let mut has_area = vec![false; positions.len()];
        corners.iter().flatten().for_each(|index| has_area[welded[*index as usize] as usize] = true);
        let is_needed = |[a, b, c]: &[u32; 3]| {
            [key(&welded, *a, *b), key(&welded, *b, *c), key(&welded, *c, *a)]
                .iter()
                .any(|edge| !has_area[edge[0] as usize] || edge[0] != edge[1] && !edges.contains_key(edge))
        };
        corners.extend(flat.into_iter().filter(is_needed));
        let counts = |a: u32, b: u32| edges.get(&key(&welded, a, b)).is_none_or(EdgeUse::counts);
        let mut triangles: Vec<Triangle> = corners
            .into_iter()
            .map(|corners @ [a, b, c]| Triangle {
                corners,
                has_edge: [counts(a, b), counts(b, c), counts(c, a)],
                has_corner: [false; 3],
            })
            .collect();
        let mut is_known = vec![false; positions.len()];
        for triangle in &mut triangles {
            triangle.has_corner = triangle.corners.map(|index| {
                let known = &mut is_known[welded[index as usize] as usize];
                !std::mem::replace(known, true)
            });
        }
        let mut nodes = Vec::with_capacity(2 * triangles.len() / LEAF + 1);
        build(positions, &mut triangles, 0, &mut nodes);
        Ok(Self { positions: positions.to_vec(), triangles, nodes })
    }

    pub(super) fn position(&self, index: u32) -> DVec3 {
        Vec3::from(self.positions[index as usize]).as_dvec3()
    }
}

impl EdgeUse {
    fn counts(&self) -> bool {
        self.count == 1 || self.is_sharp
    }
}

/// Returns for each vertex the first one at the same position.
fn welded(positions: &[[f32; 3]]) -> Vec<u32> {
    let mut first = HashMap::with_capacity(positions.len());
    // Adding 0 makes −0 equal to 0.
    let bits = |p: &[f32; 3]| p.map(|number| (number + 0.0).to_bits());
    (0..).zip(positions).map(|(index, position)| *first.entry(bits(position)).or_insert(index)).collect()
}

fn key(welded: &[u32], a: u32, b: u32) -> [u32; 2] {
    let [a, b] = [a, b].map(|index| welded[index as usize]);
    [a.min(b), a.max(b)]
}

/// Returns the unit normal of a triangle, if it has an area.
fn normal(positions: &[[f32; 3]], corners: [u32; 3]) -> Option<DVec3> {
    let [p, q, r] = corners.map(|index| Vec3::from(positions[index as usize]).as_dvec3());
    (q - p).cross(r - p).try_normalize()
}

/// Returns the edges of triangles that have an area, by the vertices at their ends.
fn edges_of(positions: &[[f32; 3]], welded: &[u32], triangles: &[[u32; 3]]) -> HashMap<[u32; 2], EdgeUse> {
    let mut edges: HashMap<[u32; 2], EdgeUse> = HashMap::new();
    for &corners @ [a, b, c] in triangles {
        let Some(normal) = normal(positions, corners) else { continue };
        for edge in [key(welded, a, b), key(welded, b, c), key(welded, c, a)] {
            let known = edges.entry(edge).or_insert(EdgeUse { normal, count: 0, is_sharp: false });
            known.count += 1;
            // Neighbors may have opposite windings.
            known.is_sharp |= known.normal.dot(normal).abs() < 1.0 - FLAT;
        }
    }
    edges
}

/// Arranges triangles into a tree, and returns the index of its root. `first` is the index of the first
/// triangle.
fn build(positions: &[[f32; 3]], triangles: &mut [Triangle], first: u32, nodes: &mut Vec<Node>) -> u32 {
    let corner = |index: u32| Vec3::from(positions[index as usize]);
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for point in triangles.iter().flat_map(|triangle| triangle.corners).map(corner) {
        (low, high) = (low.min(point), high.max(point));
    }
    let content = if triangles.len() <= LEAF {
        Content::Triangles { first, end: first + triangles.len() as u32 }
    } else {
        let axis = (high - low).max_position();
        let middle = triangles.len() / 2;
        // Three times the center. Infinite sums only make a worse tree.
        let sum = |triangle: &Triangle| triangle.corners.map(|index| corner(index)[axis]).iter().sum::<f32>();
        triangles.select_nth_unstable_by(middle, |a, b| sum(a).total_cmp(&sum(b)));
        let (left, right) = triangles.split_at_mut(middle);
        let left = build(positions, left, first, nodes);
        Content::Nodes([left, build(positions, right, first + middle as u32, nodes)])
    };
    nodes.push(Node { low, high, content });
    nodes.len() as u32 - 1
}
