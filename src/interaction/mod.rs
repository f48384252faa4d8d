//! The gizmo's state machine and the drag solvers. Pointer events in, motion out; knows nothing
//! of wgpu.

mod bounds;
mod claims;
mod drag;
mod drag_guides;
mod drive;
mod end_on;
mod event;
mod gesture;
mod gizmo;
mod grip;
mod immediate;
mod key;
mod limits;
mod motion;
mod parent;
mod pivot_place;
mod placement;
mod press;
mod readout;
mod reference_frame;
mod rotate;
mod scale;
mod settings;
mod starts;
mod target;
mod translate;
mod typed;

pub use claims::Claims;
pub use drag::Drag;
pub use drive::{Amount, DriveError, Driven};
pub use event::{CursorHint, Event};
pub use gesture::SnapHook;
pub use gizmo::Gizmo;
pub use immediate::{Interaction, Pointer};
pub use key::{HeldKeys, Key, KeyModifiers};
pub use motion::{Change, Motion};
pub use pivot_place::PivotPlace;
pub use settings::{
    Axes, BoxHandles, BoxResult, Grab, Limits, Locks, Modifiers, Orientation, Pivot, Settings, ShearPolicy,
    Snap, SnapKind, Solver,
};
pub use target::{DisabledReason, Target};
