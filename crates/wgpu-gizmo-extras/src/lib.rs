//! Handles for the volumes of lights and cameras, and a navigation cube.
//!
//! Both are drawn into the [`DrawList`](wgpu_gizmo_core::DrawList) of a view and use the ids of its
//! [`IdSpace`](wgpu_gizmo_core::IdSpace), so every renderer and picker of the gizmo serves them. They use the public
//! interface of [`wgpu_gizmo_core`] alone: a host can write others in the same way.

pub mod navigation_cube;
pub mod volume;

pub use navigation_cube::NavigationCube;
pub use volume::{Volume, VolumeHandles, VolumeTarget};
