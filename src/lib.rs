//! Transform gizmo for wgpu.

pub mod math;

pub use glam;
