//! Transform gizmo for wgpu.

pub mod handle;
pub mod math;

pub use glam;
