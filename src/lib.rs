//! Transform gizmo for wgpu.

#[cfg(feature = "wgpu")]
pub mod gpu;
pub mod handle;
pub mod interaction;
pub mod math;

pub use glam;
pub use handle::{DrawList, HandleId, IdSpace, Mode, PickAnswer, PickOutcome, PickQuery, Theme};
pub use interaction::{Event, Gizmo, Orientation, Settings, Snap, Solver, Target};
pub use math::{Increment, Transform, View, Viewport};
#[cfg(feature = "wgpu")]
pub use wgpu;
