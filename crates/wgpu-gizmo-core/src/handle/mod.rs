//! Handles: their ids, constraints and meshes, the presets that show them, and the theme.
//!
//! A handle is one part of a gizmo that can be grabbed. It consists of a [`Constraint`], which says
//! what a drag may change, and a shape. [`HandleId`] names a handle, [`Mode`] selects the handles
//! that are shown, and [`CustomHandle`] describes a handle that the host adds.

mod box_grip;
mod constraint;
mod custom;
mod id;
pub(crate) mod mesh;
mod set;
mod theme;

pub use box_grip::BoxGrip;
pub(crate) use constraint::ChangeKind;
pub use constraint::{Axis, Constraint, Priority};
pub(crate) use custom::MeshData;
pub use custom::{CustomHandle, HandleMesh, MeshError};
pub use id::HandleId;
pub(crate) use mesh::MeshKind;
pub use mesh::Vertex;
pub use set::{HandleSet, Mode};
pub use theme::{Rgba, Theme, ThemeColors, ThemeOpacities, ThemeSizes};
