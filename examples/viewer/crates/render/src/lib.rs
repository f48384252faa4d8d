//! Everything of the viewer that draws and picks on the GPU: the scene, its outlines, the gizmo, the view
//! cube and texts. It knows no window.

pub mod device;
pub mod egui_painter;
pub mod error;
mod layer;
mod marquee_outline;
mod outlines;
pub mod overlay;
pub mod picture;
mod regions;
mod resources;
mod scene_renderer;
pub mod stage;
pub mod uploaded;
