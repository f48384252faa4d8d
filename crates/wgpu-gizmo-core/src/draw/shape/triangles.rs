//! Custom meshes: triangles, sorted from back to front.

use crate::draw::item::Item;
use crate::draw::list::DrawList;
use crate::draw::shape::solid::side;
use crate::draw::shape::{Geometry, Plane, Purpose, Shape, Triangle};
use crate::handle::{MeshData, Vertex};
use glam::{DVec2, DVec3, Vec3};

/// The area of a triangle that is too small to be seen, in square pixels.
const MIN_AREA: f64 = 1e-4;

/// Passes the triangles of a custom mesh to `emit`, the farthest first.
pub(super) fn shapes(
    list: &DrawList,
    item: &Item,
    purpose: Purpose,
    order: &mut Vec<(f64, u32)>,
    mut emit: impl FnMut(Shape),
) {
    let Some(mesh) = list.custom_mesh(item.mesh) else { return };
    let corner = |index: u16| item.drawn(&mesh.mesh.vertices[usize::from(index)]);
    order.clear();
    for (triangle, indices) in (0..).zip(mesh.mesh.indices.chunks_exact(3)) {
        let center = (corner(indices[0]) + corner(indices[1]) + corner(indices[2])) / 3.0;
        order.push(((item.px_from_part * center.extend(1.0)).w, triangle));
    }
    // In a parallel projection w is constant.
    if order.iter().all(|(w, _)| (*w - order[0].0).abs() < 1e-9 * item.pivot_w) {
        for (w, triangle) in order.iter_mut() {
            let indices = &mesh.mesh.indices[3 * *triangle as usize..][..3];
            let center = indices.iter().map(|index| corner(*index)).sum::<DVec3>();
            *w = -center.dot(item.eye_gradient());
        }
    }
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, triangle) in order.iter() {
        if let Some(shape) = shape(item, purpose, mesh, *triangle as usize) {
            emit(shape);
        }
    }
}

/// Passes the triangles of a custom mesh to `emit` in the order of the mesh.
pub(super) fn unsorted(list: &DrawList, item: &Item, purpose: Purpose, emit: impl FnMut(Shape)) {
    let Some(mesh) = list.custom_mesh(item.mesh) else { return };
    (0..mesh.neighbors.len()).filter_map(|triangle| shape(item, purpose, mesh, triangle)).for_each(emit);
}

impl Item {
    /// Returns where a vertex of a custom mesh is drawn, in part space.
    fn drawn(&self, vertex: &Vertex) -> DVec3 {
        let out = Vec3::from(vertex.normal).as_dvec3() * f64::from(vertex.weight) * self.thickness();
        Vec3::from(vertex.position).as_dvec3() + out
    }

    /// Returns the direction to the eye, as a linear function of points in part space.
    fn eye_gradient(&self) -> DVec3 {
        let m = &self.world_from_part.matrix3;
        let scale = DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
        self.to_eye * scale
    }
}

/// Returns twice the area of a triangle on screen, positive if it winds clockwise.
fn area(item: &Item, mesh: &MeshData, triangle: usize) -> Option<(f64, [DVec2; 3], [f64; 3])> {
    let indices = &mesh.mesh.indices[3 * triangle..][..3];
    let vertex = |i: usize| item.seen(item.drawn(&mesh.mesh.vertices[usize::from(indices[i])]));
    let corners = [vertex(0)?, vertex(1)?, vertex(2)?];
    let [a, b, c] = corners.map(|corner| corner.px);
    Some(((b - a).perp_dot(c - a), [a, b, c], corners.map(|corner| corner.depth)))
}

fn shape(item: &Item, purpose: Purpose, mesh: &MeshData, triangle: usize) -> Option<Shape> {
    let (twice, px, depths) = area(item, mesh, triangle)?;
    if twice.abs() < MIN_AREA {
        return None;
    }
    let winding = twice.signum();
    let indices = &mesh.mesh.indices[3 * triangle..][..3];
    let lit = std::array::from_fn(|i| {
        let vertex = &mesh.mesh.vertices[usize::from(indices[i])];
        if vertex.lit > 0.5 { Vec3::from(vertex.normal).as_dvec3().dot(item.to_light) } else { 1.0 }
    });
    // An edge is inside of the shape if the triangle on its other side faces the same way.
    let neighbors = mesh.neighbors[triangle];
    let is_inner = |edge: usize| {
        let other = neighbors[edge].and_then(|other| area(item, mesh, other as usize));
        other.is_some_and(|(other, ..)| other * winding > MIN_AREA)
    };
    let triangle = Triangle {
        corners: px,
        sides: std::array::from_fn(|i| side(px[i], px[(i + 1) % 3], winding)),
        is_outer: [0, 1, 2].map(|edge| !is_inner(edge)),
        lit: Plane::through(px, lit),
        depth: Plane::through(px, depths),
    };
    Some(Shape {
        geometry: Geometry::Triangle(triangle),
        anchor_px: item.anchor_px,
        colors: [item.color; 2],
        halo: item.halo(purpose),
    })
}
