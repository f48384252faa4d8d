use super::mesh::{Mesh, MeshKind};
use super::{Constraint, Vertex};
use crate::math::{Ball, Transform};
use glam::{DMat3, DVec3, Vec3};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A handle that the host adds, which is hovered, picked and dragged like the built-in ones.
///
/// [`Gizmo::add_handle`](crate::Gizmo::add_handle) assigns its [`HandleId`](super::HandleId). The
/// handle is shown if [`Mode::Handles`](super::Mode::Handles) contains that id.
///
/// A drag moves the gizmo's targets, like every drag. If a handle changes something else, such as
/// the cone angle of a light, read [`Drag::numbers`](crate::interaction::Drag::numbers) or the
/// motion of [`Event::Changed`](crate::Event::Changed), and ignore the targets that
/// [`Gizmo::update`](crate::Gizmo::update) writes. The host then keeps the start value for cancel
/// and undo. A handle that is independent of the others, such as a point of a curve, is better
/// served by a gizmo of its own.
///
/// ```
/// use wgpu_gizmo_core::handle::{Axis, Constraint, CustomHandle, HandleMesh};
/// use wgpu_gizmo_core::{Gizmo, IdSpace, Mode, Transform, glam::DVec3};
///
/// let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
/// let placement =
///     Transform { translation: DVec3::X * 0.5, scale: DVec3::splat(0.06), ..Transform::IDENTITY };
/// let color = [1.0, 0.6, 0.1, 1.0];
/// let handle = CustomHandle::new(Constraint::Axis(Axis::X), HandleMesh::ball(), placement, color);
/// let id = gizmo.add_handle(handle).expect("a slot is free");
/// gizmo.settings.mode = Mode::Handles(Mode::Translate.handles().with(id));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CustomHandle {
    /// The rule for what a drag of the handle may change.
    ///
    /// The axis or plane is that of the reference frame, rotated by the rotation of `placement`.
    /// Constraints that scale use the local axes of the target and ignore that rotation.
    pub constraint: Constraint,
    /// The mesh that is drawn and that can be picked.
    pub mesh: HandleMesh,
    /// The transform of the mesh relative to the pivot and the reference frame, in units of the
    /// gizmo's size ([`DisplaySettings::size_lpx`](crate::interaction::settings::DisplaySettings::size_lpx)).
    pub placement: Transform,
    /// An offset from the pivot in world units, along the reference frame, in addition to `placement`: for a
    /// handle that marks a point of the world, such as the end of a light's range. Translations of the handle
    /// follow the line or plane through that point. An offset that is not finite hides the handle. Default: 0.
    pub offset_world: DVec3,
    /// The color of the handle at rest: sRGB values from 0 to 1, and the opacity, not premultiplied. The
    /// theme has the colors of hovered, active and disabled handles.
    pub color: [f32; 4],
}

impl CustomHandle {
    /// Creates a handle without an offset in world units.
    pub fn new(constraint: Constraint, mesh: HandleMesh, placement: Transform, color: [f32; 4]) -> Self {
        Self { constraint, mesh, placement, offset_world: DVec3::ZERO, color }
    }

    /// Returns the handle with an [offset](CustomHandle::offset_world) from the pivot in world units.
    #[must_use]
    pub fn with_offset(self, offset_world: DVec3) -> Self {
        Self { offset_world, ..self }
    }

    /// Returns the radius of a sphere around the pivot that contains the handle, in units of the
    /// gizmo's size, or `None` if the placement or the offset is not finite.
    pub(crate) fn reach(&self, size_world: f64) -> Option<f64> {
        let Transform { translation, scale, .. } = self.placement;
        let (Ball { center, radius }, thick) = self.mesh.bounds();
        // The thickness of a line is at most a tenth of the size, even in a thumbnail.
        let radius = (center.length() + radius) * scale.abs().max_element() + 0.1 * thick;
        Some(translation.length() + self.offset_world.length() / size_world + radius)
            .filter(|reach| self.placement.is_finite() && reach.is_finite())
    }

    /// Returns the rotation from the axes of the reference frame to those of the handle.
    pub(crate) fn rotation(&self) -> DMat3 {
        DMat3::from_quat(self.placement.unit_rotation())
    }
}

/// The mesh of a [`CustomHandle`]: triangles, or one of the built-in meshes, which are drawn from their outlines.
///
/// It is cheap to clone. The lengths of a mesh are in units
/// of the gizmo's size, after [`CustomHandle::placement`] is applied.
///
/// ```
/// use wgpu_gizmo_core::handle::{HandleMesh, MeshError, Vertex};
///
/// let vertex = |x, y| Vertex { position: [x, y, 0.0], weight: 0.0, normal: [0.0, 0.0, 1.0], lit: 0.0 };
/// let corners = vec![vertex(0.0, 0.0), vertex(1.0, 0.0), vertex(0.0, 1.0)];
/// assert!(HandleMesh::new(corners.clone(), vec![0, 1, 2]).is_ok());
/// let error = HandleMesh::new(corners, vec![0, 1, 9]).expect_err("there are three vertices");
/// assert_eq!(error, MeshError::IndexOutOfRange { index: 9, vertices: 3 });
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HandleMesh(MeshSource);

#[derive(Debug, Clone, PartialEq)]
enum MeshSource {
    BuiltIn(MeshKind),
    /// The host's triangles.
    Custom(Arc<MeshData>),
}

/// Compares identities: clones are equal, and two meshes that were created separately differ, even if their
/// triangles are equal.
impl PartialEq for MeshData {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

#[derive(Debug)]
pub(crate) struct MeshData {
    pub(crate) key: u32,
    pub(crate) mesh: Mesh,
    /// For each edge of each triangle, the triangle on its other side.
    pub(crate) neighbors: Vec<[Option<u32>; 3]>,
    /// A ball that contains the vertices.
    pub(crate) bounds: Ball,
    /// The largest offset of a vertex, as a factor on the thickness of the instance.
    pub(crate) thick: f64,
}

/// The reason why a [`HandleMesh`] cannot be created.
///
/// ```
/// use wgpu_gizmo_core::handle::{HandleMesh, MeshError};
///
/// assert_eq!(HandleMesh::new(Vec::new(), Vec::new()), Err(MeshError::Empty));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The mesh has no triangles, so it could not be picked.
    #[error("the mesh has no triangles")]
    Empty,
    /// The number of indices is not a multiple of three.
    #[error("the mesh has {0} indices, which is not a multiple of three")]
    IncompleteTriangle(usize),
    /// An index refers to a vertex that does not exist.
    #[error("index {index} is out of range: the mesh has {vertices} vertices")]
    IndexOutOfRange {
        /// The index that is out of range.
        index: u32,
        /// The number of vertices of the mesh.
        vertices: usize,
    },
    /// The vertex at this index has a component that is NaN or infinite.
    #[error("vertex {0} has a component that is NaN or infinite")]
    NotFinite(usize),
}

impl MeshError {
    /// Checks a triangle list: that it has triangles, that its indices are in range and that
    /// `is_finite` holds for every vertex.
    ///
    /// # Errors
    /// All errors of this type, in the order of its variants.
    pub fn check<V>(
        vertices: &[V],
        is_finite: impl Fn(&V) -> bool,
        mut indices: impl ExactSizeIterator<Item = u32>,
    ) -> Result<(), Self> {
        let count = indices.len();
        if count == 0 {
            return Err(Self::Empty);
        }
        if !count.is_multiple_of(3) {
            return Err(Self::IncompleteTriangle(count));
        }
        if let Some(index) = indices.find(|index| *index as usize >= vertices.len()) {
            return Err(Self::IndexOutOfRange { index, vertices: vertices.len() });
        }
        vertices
            .iter()
            .position(|vertex| !is_finite(vertex))
            .map_or(Ok(()), |index| Err(Self::NotFinite(index)))
    }
}

impl HandleMesh {
    /// Creates a mesh from vertices and a triangle list of indices.
    ///
    /// # Errors
    /// Returns a [`MeshError`] if there are no triangles, if the number of indices is not a multiple
    /// of three, if an index is out of range, or if a vertex is not finite.
    pub fn new(vertices: Vec<Vertex>, indices: Vec<u16>) -> Result<Self, MeshError> {
        let is_finite = |v: &Vertex| {
            let mut all = v.position.iter().chain(&v.normal).chain([&v.weight, &v.lit]);
            all.all(|number| number.is_finite())
        };
        MeshError::check(&vertices, is_finite, indices.iter().map(|index| u32::from(*index)))?;
        let bounds = Ball::around(vertices.iter().map(|v| v.position));
        let offset = |v: &Vertex| f64::from(v.weight.abs() * Vec3::from(v.normal).length());
        let thick = vertices.iter().map(offset).fold(0.0, f64::max);
        let mesh = Mesh { vertices, indices };
        let neighbors = mesh.neighbors();
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let key = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self(MeshSource::Custom(Arc::new(MeshData { key, mesh, neighbors, bounds, thick }))))
    }

    /// Returns a sphere of radius 1.
    pub fn ball() -> Self {
        Self(MeshSource::BuiltIn(MeshKind::Dot))
    }

    /// Returns a cube with half extents of 1.
    pub fn cube() -> Self {
        Self(MeshSource::BuiltIn(MeshKind::Cube))
    }

    /// Returns an arrow head along X, with its base at the origin and its tip at
    /// [`MeshKind::HEAD_LENGTH`].
    pub fn cone() -> Self {
        Self(MeshSource::BuiltIn(MeshKind::Cone))
    }

    /// Returns a circle of radius 1 about X, as thick as [`ThemeSizes::line_lpx`](super::ThemeSizes::line_lpx).
    pub fn ring() -> Self {
        Self(MeshSource::BuiltIn(MeshKind::Ring))
    }

    /// Returns the border of a square in the YZ plane with half extents of 1, as thick as
    /// [`ThemeSizes::line_lpx`](super::ThemeSizes::line_lpx).
    pub fn square_border() -> Self {
        Self(MeshSource::BuiltIn(MeshKind::SquareBorder))
    }

    /// Returns a ball that contains the mesh without the width of strokes, and the largest offset of a vertex, as a
    /// factor on half of that width.
    fn bounds(&self) -> (Ball, f64) {
        match &self.0 {
            MeshSource::BuiltIn(kind) => {
                let [center, half] = kind.bounds().unwrap_or_default();
                (Ball { center, radius: half.length() }, 1.0)
            }
            MeshSource::Custom(data) => (data.bounds, data.thick),
        }
    }

    /// Returns the kind of mesh, which has a key for the host's triangles.
    pub(crate) fn kind(&self) -> MeshKind {
        match &self.0 {
            MeshSource::BuiltIn(kind) => *kind,
            MeshSource::Custom(data) => MeshKind::Custom(data.key),
        }
    }

    /// Returns the host's triangles, or `None` for a built-in mesh.
    pub(crate) fn data(&self) -> Option<&Arc<MeshData>> {
        match &self.0 {
            MeshSource::BuiltIn(_) => None,
            MeshSource::Custom(data) => Some(data),
        }
    }
}
