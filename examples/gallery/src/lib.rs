//! A page of live scenes that show every feature of wgpu-gizmo in a browser.
//!
//! [`Gallery`] is free of the platform: it takes input, a device and textures to draw into. The module `web` hands
//! it to the page, which is in `page`.

mod attachments;
mod camera;
mod curve;
mod gallery;
mod input;
mod pointers;
mod probes;
mod scene;
mod scenes;
mod settings;
mod shapes;
mod snippets;
mod solids;
mod stage;
#[cfg(target_arch = "wasm32")]
mod web;

pub use camera::Camera;
pub use gallery::{Control, Gallery};
pub use input::PointerKind;
pub use pointers::Pointer;
pub use scene::{Combine, Gpu, Window};
