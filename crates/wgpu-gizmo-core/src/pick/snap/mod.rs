//! Snapping to the geometry under the pointer: vertices, edges, midpoints and faces of meshes, and any
//! surface in the ID image.

mod mesh;
mod search;

pub use mesh::SnapMesh;
pub use search::SnapObject;
pub(crate) use search::nearer;

use glam::DVec3;
use std::ops::BitOr;

/// The kinds of geometry that a translation snaps to, see
/// [`SnapSettings::to`](crate::interaction::settings::SnapSettings::to).
///
/// The kinds combine with `|`. In the order vertex, edge, midpoint, face, surface, the nearest point of the
/// first kind that has one within the tolerance wins.
///
/// ```
/// use wgpu_gizmo_core::Settings;
/// use wgpu_gizmo_core::pick::snap::SnapTo;
///
/// let settings = Settings::default().with(|s| s.snap.to = SnapTo::VERTEX | SnapTo::FACE);
/// assert!(settings.snap.to.contains(SnapTo::FACE) && !settings.snap.to.contains(SnapTo::EDGE));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SnapTo(u8);

impl SnapTo {
    /// Nothing: snapping is off.
    pub const NONE: Self = Self(0);
    /// The vertices of a mesh.
    pub const VERTEX: Self = Self(1);
    /// The nearest point of an edge. Edges between triangles of one plane do not count.
    pub const EDGE: Self = Self(2);
    /// The midpoint of an edge.
    pub const MIDPOINT: Self = Self(4);
    /// The point of a triangle under the cursor, or the nearest one.
    pub const FACE: Self = Self(8);
    /// The surface in the ID image, from its depth. It needs no mesh.
    pub const SURFACE: Self = Self(16);

    /// Each kind alone, in the order in which they win.
    pub const EACH: [Self; 5] = [Self::VERTEX, Self::EDGE, Self::MIDPOINT, Self::FACE, Self::SURFACE];

    /// Returns true if it has all kinds of `other`.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns true if snapping is off.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns the name of a kind, such as `vertex`; `none` or `several` if it is not one kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::NONE => "none",
            Self::VERTEX => "vertex",
            Self::EDGE => "edge",
            Self::MIDPOINT => "midpoint",
            Self::FACE => "face",
            Self::SURFACE => "surface",
            _ => "several",
        }
    }
}

impl BitOr for SnapTo {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A point that a drag snaps to.
///
/// ```
/// use wgpu_gizmo_core::glam::DVec3;
/// use wgpu_gizmo_core::pick::snap::{SnapPoint, SnapTo};
///
/// // A point that the host has found.
/// let point = SnapPoint::new(DVec3::X, SnapTo::SURFACE).with_normal(DVec3::Y);
/// # assert_eq!(point.kind.name(), "surface");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SnapPoint {
    /// The point in world space.
    pub point_world: DVec3,
    /// The unit normal of the surface there, toward the viewer, if it is known.
    pub normal_world: Option<DVec3>,
    /// The kind of geometry that the point is on.
    pub kind: SnapTo,
}

impl SnapPoint {
    /// Creates a point whose normal is not known.
    pub fn new(point_world: DVec3, kind: SnapTo) -> Self {
        Self { point_world, normal_world: None, kind }
    }

    /// Returns the point with the unit normal of the surface there.
    #[must_use]
    pub fn with_normal(self, normal_world: DVec3) -> Self {
        Self { normal_world: Some(normal_world), ..self }
    }
}
