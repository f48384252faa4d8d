use super::mesh::{Mesh, MeshKind};
use super::{Constraint, Rgba, Vertex};
use crate::math::Transform;
use glam::{DMat3, DVec3, Vec3};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// A handle of the host's own: hovered, dragged and picked like the built-in ones.
///
/// [`Gizmo::add_handle`](crate::Gizmo::add_handle) gives it its [`HandleId`](super::HandleId); it
/// is shown where [`Mode::Handles`](super::Mode::Handles) names that.
///
/// A drag of it moves the gizmo's targets, as every drag does. For one that changes something else
/// (the angle of a light's cone) read [`Drag::numbers`](crate::interaction::Drag::numbers), or the
/// motion of [`Event::Changed`](crate::Event::Changed), and leave the targets that
/// [`Gizmo::update`](crate::Gizmo::update) wrote where they are; the start of what it changes is
/// the host's to keep for cancel and undo. One that stands on its own (a point of a curve) is better
/// off with a gizmo of its own.
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

impl CustomHandle {
    /// How far from the pivot it goes, in sizes; `None` where its placement is not finite.
    pub(crate) fn reach(&self) -> Option<f64> {
        let Transform { translation, scale, .. } = self.placement;
        let mesh = &self.mesh.0;
        // Lines of a few pixels are a tenth of a size where that is a thumbnail.
        let radius = (mesh.centre.length() + mesh.radius) * scale.abs().max_element() + 0.1 * mesh.thick;
        Some(translation.length() + radius).filter(|reach| self.placement.is_finite() && reach.is_finite())
    }

    /// Turns the axes of the reference frame into its own.
    pub(crate) fn rotation(&self) -> DMat3 {
        DMat3::from_quat(self.placement.unit_rotation())
    }
}

/// Triangles for a [`CustomHandle`]. Cheap to clone; what is the same mesh is uploaded once.
#[derive(Debug, Clone)]
pub struct HandleMesh(Arc<Numbered>);

/// Clones are equal; two meshes that were made apart are not, whatever their triangles.
impl PartialEq for HandleMesh {
    fn eq(&self, other: &Self) -> bool {
        self.0.key == other.0.key
    }
}

#[derive(Debug)]
pub(crate) struct Numbered {
    pub(crate) key: u32,
    pub(crate) mesh: Mesh,
    /// A ball that holds the vertices.
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
    /// Most of the instance's thickness that a vertex goes out by.
    pub(crate) thick: f64,
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
        index: u32,
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
        if !indices.len().is_multiple_of(3) {
            return Err(MeshError::PartOfATriangle(indices.len()));
        }
        if let Some(index) = indices.iter().copied().find(|i| usize::from(*i) >= vertices.len()) {
            return Err(MeshError::NoSuchVertex { index: index.into(), vertices: vertices.len() });
        }
        let broken = |v: &Vertex| {
            let all = v.position.iter().chain(&v.normal).chain([&v.weight, &v.lit]);
            all.into_iter().any(|number| !number.is_finite())
        };
        if let Some(place) = vertices.iter().position(broken) {
            return Err(MeshError::NotFinite(place));
        }
        let at = |v: &Vertex| Vec3::from(v.position).as_dvec3();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for vertex in &vertices {
            low = low.min(at(vertex));
            high = high.max(at(vertex));
        }
        let centre = 0.5 * (low + high);
        let radius = vertices.iter().map(|v| at(v).distance(centre)).fold(0.0, f64::max);
        let out = |v: &Vertex| f64::from(v.weight.abs() * Vec3::from(v.normal).length());
        let thick = vertices.iter().map(out).fold(0.0, f64::max);
        let key = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self(Arc::new(Numbered { key, mesh: Mesh { vertices, indices }, centre, radius, thick })))
    }

    /// A ball of radius 1.
    pub fn ball() -> Self {
        static BALL: OnceLock<HandleMesh> = OnceLock::new();
        Self::ready(&BALL, MeshKind::Dot)
    }

    /// A cube of half extent 1.
    pub fn cube() -> Self {
        static CUBE: OnceLock<HandleMesh> = OnceLock::new();
        Self::ready(&CUBE, MeshKind::Cube)
    }

    /// An arrow head along X: its base at the origin, [`MeshKind::HEAD_LENGTH`] long.
    pub fn cone() -> Self {
        static CONE: OnceLock<HandleMesh> = OnceLock::new();
        Self::ready(&CONE, MeshKind::Cone)
    }

    /// A circle of radius 1 about X, as thick as the theme's lines.
    pub fn ring() -> Self {
        static RING: OnceLock<HandleMesh> = OnceLock::new();
        Self::ready(&RING, MeshKind::Ring)
    }

    /// The border of a square of half extent 1 across X, as thick as the theme's lines.
    pub fn square_frame() -> Self {
        static FRAME: OnceLock<HandleMesh> = OnceLock::new();
        FRAME
            .get_or_init(|| {
                let Mesh { mut vertices, indices } = MeshKind::Frame.built();
                for Vertex { position: [_, y, z], .. } in &mut vertices {
                    [*y, *z] = [2.0 * *y - 1.0, 2.0 * *z - 1.0];
                }
                Self::new(vertices, indices).expect("the built-in meshes are whole")
            })
            .clone()
    }

    /// One of the built-in meshes, the same one every time.
    fn ready(once: &OnceLock<Self>, kind: MeshKind) -> Self {
        let make = || {
            let Mesh { vertices, indices } = kind.built();
            Self::new(vertices, indices).expect("the built-in meshes are whole")
        };
        once.get_or_init(make).clone()
    }

    pub(crate) fn numbered(&self) -> &Numbered {
        &self.0
    }

    /// To see whether anybody holds it still.
    #[cfg(feature = "wgpu")]
    pub(crate) fn downgrade(&self) -> std::sync::Weak<Numbered> {
        Arc::downgrade(&self.0)
    }
}
