//! Triangles with colors, for renderers that have no shaders of this crate.

mod bands;
mod triangles;

pub use triangles::{TriangleVertex, Triangles};
