//! The gizmo, which turns pointer events and keys into a motion of the targets.
//!
//! A [`Gizmo`] takes input and moves [`Target`]s as its [`Settings`] define. It reports what happened as
//! [`Event`]s. A drag is a transaction: its [`Motion`] is the total since the press, and a cancel restores
//! the targets. For one object in an immediate-mode toolkit, [`Gizmo::interact`] is shorter: one call per
//! frame, with a [`Pointer`].
//!
//! A [`Drag`] can also be used without a gizmo, for example by a script or a test. Nothing in this module
//! depends on wgpu.

mod ask;
mod drag;
pub mod drive;
mod event;
pub mod expression;
mod fingers;
mod gesture;
mod gizmo;
mod gizmos;
mod input;
mod key;
mod placement;
pub mod settings;
mod targets;
mod views;

pub use drag::Drag;
pub use event::{CursorHint, Event, Events, EventsIntoIter};
pub use fingers::{Finger, Fingers, TouchPhase};
pub use gizmo::Gizmo;
pub use gizmo::claims::Claims;
pub use gizmo::interact::Pointer;
pub use gizmos::Gizmos;
pub use input::Input;
pub use key::{HeldKeys, Key, KeyModifiers};
pub use settings::{Orientation, Settings, Snap, Solver};
pub use targets::motion::{Change, Motion};
pub use targets::target::{DisabledReason, Target};
pub use views::Views;
