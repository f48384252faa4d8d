//! The gizmo's state machine and the drag solvers. Pointer events in, motion out; knows nothing
//! of wgpu.

mod drag;
mod gizmo;
mod immediate;
mod key;
mod motion;
mod picking;
mod placement;
mod reference_frame;
mod rotate;
mod scale;
mod settings;
mod showing;
mod target;
mod translate;
mod update;

pub use drag::Drag;
pub use gizmo::{Event, Gizmo};
pub use immediate::{Interaction, Pointer};
pub use key::Key;
pub use motion::{Change, Motion};
pub use reference_frame::Orientation;
pub use settings::{Limits, Locks, Pivot, Settings, ShearPolicy, Snap, SnapKind, Solver};
pub use showing::CursorHint;
pub use target::{Refusal, Target};
