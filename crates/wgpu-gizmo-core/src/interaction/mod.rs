//! The gizmo, which turns pointer events and keys into a motion of the targets.
//!
//! A [`Gizmo`] takes input and moves [`Target`]s as its [`Settings`] define. It reports what happened as
//! [`Event`]s. A drag is a transaction: its [`Motion`] is the total since the press, and a cancel restores
//! the targets. For one object in an immediate-mode toolkit, [`Gizmo::interact`] is shorter: one call per
//! frame, with a [`Pointer`].
//!
//! A [`Drag`] can also be used without a gizmo, for example by a script or a test. Nothing in this module
//! depends on wgpu.

mod bounds;
mod claims;
mod drag;
mod drag_guides;
pub mod drive;
mod end_on;
mod event;
mod gesture;
mod gizmo;
mod immediate;
mod key;
mod limits;
mod motion;
mod parent;
mod pivot_place;
mod placed_handle;
mod placement;
mod press;
mod readout;
mod reference_frame;
mod rotate;
mod scale;
pub mod settings;
mod starts;
mod step;
mod target;
mod translate;
mod typed;

pub use claims::Claims;
pub use drag::Drag;
pub use event::{CursorHint, Event};
pub use gizmo::Gizmo;
pub use immediate::Pointer;
pub use key::{HeldKeys, Key, KeyModifiers};
pub use motion::{Change, Motion};
pub use settings::{Orientation, Settings, Snap, Solver};
pub use target::{DisabledReason, Target};
