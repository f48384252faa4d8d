//! Picking and outlining of the host's objects.
//!
//! - [`OutlinedScene`] is the short way: objects that can be picked and outlined, by id.
//! - [`PickScene`] stores meshes and instances and draws them into the ID image; a [`PickBatch`] selects
//!   those that a pick can touch.
//! - [`Outline`] draws lines around selected objects.
//! - [`RegionPicker`] finds the objects in a region: the visible ones, or also occluded ones.
//! - [`DrawIds`] is how it draws objects: those of a [`PickScene`], or with a host's own renderer.
//!
//! ```no_run
//! use std::num::NonZeroU32;
//! use wgpu_gizmo::glam::{DAffine3, DVec3};
//! use wgpu_gizmo::scene::{PickMesh, PickObject, PickScene};
//! use wgpu_gizmo::wgpu;
//!
//! # fn new(device: &wgpu::Device, id: NonZeroU32) -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = PickScene::new(device)?;
//! let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let mesh = scene.add_mesh(device, &PickMesh::new(&corners, &[0, 1, 2])?)?;
//! let object = PickObject::new(mesh, DAffine3::IDENTITY, id);
//! let key = scene.insert(&object).expect("the mesh is in the scene");
//! let is_moved = scene.move_to(key, DAffine3::from_translation(DVec3::X));
//! assert!(is_moved);
//! # Ok(())
//! # }
//! ```
//!
//! [`PickBatch`] shows how to draw the scene for a pick.

mod draw_ids;
mod objects;
mod outline;
mod outlined;
mod region;

pub use draw_ids::{DrawIds, ViewPart};
#[cfg(all(test, feature = "native"))]
pub(super) use objects::SHADER as OBJECT_SHADER;
pub use objects::{PickBatch, PickMesh, PickMeshKey, PickObject, PickObjectKey, PickScene};
#[cfg(all(test, feature = "native"))]
pub(super) use outline::{CELL, SHADER as OUTLINE_SHADER};
pub use outline::{Outline, OutlineStyle};
pub use outlined::OutlinedScene;
pub use region::{RegionPicker, RegionQuery};
