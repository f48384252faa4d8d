//! The scene of the viewer: nodes, meshes and materials, selection and the log of edits. It knows neither the
//! editor nor files nor the GPU.

pub mod bounds;
pub mod built_in;
pub mod edit;
pub mod flags;
pub mod lens;
pub mod log;
pub mod material;
pub mod mesh;
pub mod node_value;
pub mod pixels;
pub mod projection;
pub mod rig;
mod scene;
pub mod selection;
pub mod shapes;
pub mod style;
pub mod volume;

pub use scene::{CopyPair, Node, RenameError, Scene, SceneError, Version};
