//! Transform gizmo for wgpu.

#[cfg(feature = "wgpu")]
pub mod gpu;
pub mod handle;
pub mod math;

pub use glam;
#[cfg(feature = "wgpu")]
pub use wgpu;
