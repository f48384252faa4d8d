//! Draws the triangles of a gizmo with OpenGL.
//!
//! The program of this package shows how an application uses it. Nothing here depends on wgpu.

mod cube;
#[cfg(target_os = "linux")]
mod offscreen;
mod painter;
mod shader;

pub use cube::Cube;
#[cfg(target_os = "linux")]
pub use offscreen::Offscreen;
pub use painter::Painter;
