//! Transform gizmo for wgpu: handles that move, rotate and scale things.
//!
//! The handles (arrows, rings, boxes) are drawn into the host's color target and, as integers,
//! into an ID target that nobody sees. The texel under the cursor tells which handle or which
//! object is there. A core in `f64` turns the drag into a motion.
//!
//! # The map
//!
//! - [`math`]: rays, [`View`] (a camera and the viewport it fills), [`Transform`],
//!   [`Increment`].
//! - [`handle`]: what a handle is, the [`DrawList`] of what one view shows, ids, picking by rule.
//! - [`interaction`]: the [`Gizmo`], which takes pointer events and moves [`Target`]s, and the
//!   [`Drag`](interaction::Drag) it goes through.
//! - `gpu` (feature `wgpu`, on by default): the renderer and the picker.
//!
//! A frame, in short: answers of the picker go to [`Gizmo::answer`], pointer events and targets
//! to [`Gizmo::update`], the question that results to the picker, and what [`Gizmo::draw`] puts
//! into a [`DrawList`] to the renderer. Without a GPU, [`Gizmo::answer_on_cpu`] takes the
//! picker's place:
//!
//! ```
//! use wgpu_gizmo::glam::{DVec3, dcamera::rh, dvec2};
//! use wgpu_gizmo::{Gizmo, IdSpace, Target, Transform, View, Viewport};
//!
//! let view = View::new(
//!     rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 10.0), DVec3::ZERO, DVec3::Y),
//!     rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0),
//!     Viewport::of_size(800, 600),
//!     1.0,
//! )?;
//! // Kept: objects in the same ID image have their ids from it, too.
//! let mut ids = IdSpace::new();
//! let mut gizmo = Gizmo::new(&mut ids)?;
//! let mut targets = [Target::from_world(Transform::IDENTITY)];
//! gizmo.update(&view, &mut targets);
//! // 100 pixels to the unit: the x arrow lies on the row of the middle.
//! gizmo.pointer_moved(dvec2(460.0, 300.0));
//! gizmo.pointer_pressed();
//! gizmo.update(&view, &mut targets);
//! gizmo.answer_on_cpu();
//! gizmo.pointer_moved(dvec2(560.0, 340.0));
//! gizmo.update(&view, &mut targets);
//! assert!((targets[0].local.translation - DVec3::X).length() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Conventions
//!
//! - Radians. Points carry their space in their name: `_world`, `_px` (physical pixels of the
//!   target, origin top-left, y down), `_ndc`; `lpx` are logical pixels.
//! - Matrices act on column vectors and are named by both ends: in `clip_from_world *
//!   world_from_local` the inner names meet. Depth is 0..1.
//! - No handedness and no direction of depth is assumed; both are read off the matrices.
//! - Numbers that are not finite are ignored or refused as each item says; nothing panics.

#![cfg_attr(
    not(feature = "wgpu"),
    allow(dead_code, unused_imports, reason = "some of the core serves the GPU part alone")
)]

pub mod draw;
#[cfg(feature = "wgpu")]
pub mod gpu;
pub mod handle;
pub mod interaction;
pub mod math;
#[cfg(feature = "mint")]
mod mint;
pub mod pick;

pub use draw::DrawList;
pub use glam;
pub use handle::{HandleId, Mode, Theme};
pub use interaction::{Event, Gizmo, Orientation, Settings, Snap, Solver, Target};
pub use math::{Increment, Transform, View, Viewport};
pub use pick::{IdSpace, PickAnswer, PickOutcome, PickQuery};
#[cfg(feature = "wgpu")]
pub use wgpu;
