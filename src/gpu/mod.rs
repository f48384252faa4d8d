//! Draws and picks with wgpu. The host owns device, queue, passes and the only submit.
//!
//! [`GizmoRenderer`] lays the handles into the host's pass; [`Picker`] asks a small ID image
//! what is under the cursor; [`IdImage`] makes the whole of that image, and
//! [`XrayRegion`](scene::XrayRegion) asks what a region touches, hidden or not. All take a
//! [`DrawList`](crate::draw::DrawList) and know nothing of dragging. The host draws its objects
//! into the ID image, or has a [`PickScene`](scene::PickScene) draw them; an [`Outline`](scene::Outline) is drawn round some.

mod error;
mod guides;
mod id_image;
mod id_pass;
mod instances;
mod meshes;
mod overlay;
mod picker;
mod readback;
mod renderer;
pub mod scene;
#[cfg(all(test, feature = "native"))]
mod shader_checks;
mod target_state;
mod tile;
mod web;
mod window;

pub use error::GpuError;
pub use id_image::{IdImage, IdTexels};
pub use picker::Picker;
pub use renderer::GizmoRenderer;
pub use target_state::TargetState;
pub use window::TileMode;
