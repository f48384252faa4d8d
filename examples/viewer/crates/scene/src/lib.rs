//! The scene of the viewer: nodes, meshes and materials, selection and undo history. It knows neither the
//! editor nor files nor the GPU.

pub mod bounds;
pub mod built_in;
pub mod flags;
pub mod history;
pub mod lens;
pub mod material;
pub mod mesh;
pub mod pixels;
pub mod projection;
pub mod rig;
mod scene;
pub mod selection;
pub mod shapes;
pub mod style;
pub mod volume;

pub use scene::{CopyPair, Node, NodeChanges, RenameError, Scene, SceneError, Version};
