//! The gizmo's state machine and the drag solvers. Pointer events in, motion out; knows nothing
//! of wgpu.

mod drag;
mod end_on;
mod gizmo;
mod grab;
mod guiding;
mod immediate;
mod key;
mod limits;
mod motion;
mod own_handles;
mod picking;
mod placement;
mod readout;
mod reference_frame;
mod rotate;
mod scale;
mod settings;
mod showing;
mod start;
mod target;
mod translate;
mod typed;
mod update;

pub use drag::{Drag, SnapHook};
pub use gizmo::{Event, Gizmo};
pub use immediate::{Interaction, Pointer};
pub use key::{Key, KeyModifiers};
pub use motion::{Change, Motion};
pub use reference_frame::Orientation;
pub use settings::{Held, Limits, Locks, Pivot, Settings, ShearPolicy, Snap, SnapKind, Solver};
pub use showing::CursorHint;
pub use target::{Refusal, Target};
