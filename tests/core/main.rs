//! What the specification promises of views, handles, drags and picks, shown through the public
//! interface alone. `§n` is a section of it.
#![allow(missing_docs, reason = "tests are sentences")]

#[path = "../common/views.rs"]
mod views;

mod custom_handles;
mod end_on;
mod field;
mod frames;
mod frustum;
mod garbage;
mod gizmo;
mod guides;
mod hover;
mod immediate;
mod keyboard;
mod mid_drag;
mod mirrored;
mod oracle;
mod parents;
mod picks;
mod rotate;
mod scale;
mod several;
mod snapping;
mod stage;
mod targets;
mod trackball;
mod transaction;
mod translate_axis;
mod translate_plane;
mod unanswered;
mod view;
mod visibility;
