//! Drawing and picking with wgpu. The host owns the device, the queue, the passes and the submit.
//!
//! - [`GizmoRenderer`] draws handles and guides into the host's pass.
//! - [`Picker`] finds the handle or object under the cursor, in a small tile of the ID image.
//! - [`IdImage`] renders the ID image of a whole view or of a rectangle, for region selection.
//!
//! The module [`scene`](crate::scene) is for the host's own objects: it draws their ids, outlines and region-selects them.
//!
//! All of them take a [`DrawList`](crate::draw::DrawList) and know nothing about dragging. The front page
//! of the crate shows a frame of a gizmo. The host's objects take part in picks if the host draws
//! them, with their ids, in the closure of [`Picker::encode`]:
//!
//! ```no_run
//! use wgpu_gizmo::gpu::{GpuError, Picker};
//! use wgpu_gizmo::{DrawList, PickQuery, wgpu};
//!
//! /// Asks what is under the cursor. A later [`Picker::poll`] returns the answer.
//! fn ask(
//!     picker: &mut Picker,
//!     (device, queue): (&wgpu::Device, &wgpu::Queue),
//!     encoder: &mut wgpu::CommandEncoder,
//!     (query, list): (&PickQuery, &DrawList),
//!     // Created with `object_pass::color_targets` and `object_pass::depth_stencil`.
//!     objects: &wgpu::RenderPipeline,
//! ) -> Result<(), GpuError> {
//!     picker.encode(device, queue, encoder, query, list, |pass, clip_from_clip| {
//!         let clip_from_world = clip_from_clip * query.view.clip_from_world();
//!         // Upload `clip_from_world` and bind it, then draw each object with its id.
//!         # let _ = clip_from_world;
//!         pass.set_pipeline(objects);
//!         pass.draw(0..36, 0..1);
//!     })
//! }
//! ```

pub(crate) mod device;
pub(crate) mod drawing;
pub(crate) mod id_target;
pub(crate) mod picking;

/// The pass that draws the host's objects into the ID image. [`Picker`] has an example.
pub mod object_pass {
    pub use super::id_target::object_pass::{color_targets, depth_stencil};
    pub use super::id_target::tile::DEPTH_FORMAT;
}

pub use device::error::GpuError;
pub use device::target_state::TargetState;
pub use drawing::renderer::GizmoRenderer;
pub use drawing::scene_depth::SceneDepth;
pub use picking::id_image::{IdImage, IdTexels};
pub use picking::picker::Picker;
