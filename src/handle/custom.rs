use super::mesh::Mesh;
use super::{Constraint, Rgba, Vertex};
use crate::math::Transform;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A handle of the host's own: hovered, dragged and picked like the built-in ones.
///
/// [`Gizmo::add_handle`](crate::Gizmo::add_handle) gives it its [`HandleId`](super::HandleId); it is shown where
/// [`Mode::Handles`](super::Mode::Handles) names that.
#[derive(Debug, Clone)]
pub struct CustomHandle {
    /// What a drag of it does. An axis or plane is one of the reference frame's, turned by the
    /// placement's rotation; those that scale stand on the local axes whatever it is.
    pub constraint: Constraint,
    /// What it looks like, and what can be pressed.
    pub mesh: HandleMesh,
    /// Where the mesh is, relative to pivot and reference frame, in units of the gizmo's size.
    pub placement: Transform,
    /// At rest, sRGB. Hovered, active and disabled it has the theme's colours.
    pub color: Rgba,
}

/// Triangles for a [`CustomHandle`]. Cheap to clone; what is the same mesh is uploaded once.
#[derive(Debug, Clone)]
pub struct HandleMesh(Arc<Numbered>);

#[derive(Debug)]
struct Numbered {
    key: u32,
    mesh: Mesh,
}

/// What is wrong with the triangles of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// Nothing could be pressed.
    #[error("the mesh has no triangle")]
    Empty,
    /// Indices come in threes.
    #[error("the mesh has {0} indices, which is no multiple of three")]
    PartOfATriangle(usize),
    /// An index names a vertex that is not there.
    #[error("index {index} is past the mesh's {vertices} vertices")]
    NoSuchVertex {
        /// The index.
        index: u16,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A NaN or an infinity.
    #[error("vertex {0} has a number that is not finite")]
    NotFinite(usize),
}

impl HandleMesh {
    /// From vertices and triangles, in units of the gizmo's size once placed.
    ///
    /// # Errors
    /// What is no mesh that can be drawn and pressed, as [`MeshError`] says.
    pub fn new(vertices: Vec<Vertex>, indices: Vec<u16>) -> Result<Self, MeshError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if indices.is_empty() {
            return Err(MeshError::Empty);
        }
        if indices.len() % 3 != 0 {
            return Err(MeshError::PartOfATriangle(indices.len()));
        }
        if let Some(index) = indices.iter().copied().find(|i| usize::from(*i) >= vertices.len()) {
            return Err(MeshError::NoSuchVertex { index, vertices: vertices.len() });
        }
        let broken = |v: &Vertex| {
            let all = v.position.iter().chain(&v.normal).chain([&v.weight, &v.lit]);
            all.into_iter().any(|number| !number.is_finite())
        };
        if let Some(place) = vertices.iter().position(broken) {
            return Err(MeshError::NotFinite(place));
        }
        let key = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self(Arc::new(Numbered { key, mesh: Mesh { vertices, indices } })))
    }
}
