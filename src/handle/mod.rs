//! What a handle is: a constraint, a shape and an id; the presets; the theme.

mod constraint;
mod custom;
mod id;
mod mesh;
mod set;
mod theme;

pub use constraint::{Axis, Channel, Constraint, Priority};
pub(crate) use custom::Numbered;
pub use custom::{CustomHandle, HandleMesh, MeshError};
pub use id::HandleId;
pub(crate) use mesh::{LONG, Mesh, PIECES, Piece, direction};
pub use mesh::{MeshKind, Vertex};
pub use set::{HandleSet, Mode};
pub use theme::{Rgba, Theme};
