//! The part of [wgpu-gizmo](https://docs.rs/wgpu-gizmo) that needs no GPU: views, handles, draw lists, picks and drags.
//!
//! Programs on wgpu use the crate `wgpu-gizmo`, which adds a renderer and a picker and re-exports these modules.
//! Engines, other graphics libraries, scripts and servers use this crate alone: a release of wgpu does not change
//! its version.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`math`] | [`View`] (a camera and the viewport that it fills), [`Transform`], rays, frusta, increments |
//! | [`handle`] | what a handle is: its constraint, id and mesh; [`Mode`], custom handles, the [`Theme`] |
//! | [`draw`] | the [`DrawList`]: everything that one view shows of one or more gizmos, also as triangles |
//! | [`pick`] | [`PickQuery`] and [`PickAnswer`], the [`IdSpace`], regions, click-through |
//! | [`interaction`] | the [`Gizmo`], which takes input and moves [`Target`]s, and its [`Drag`](interaction::Drag) |
//!
//! The feature `mint` adds conversions from and to `mint` types. The feature `serde` saves and loads [`Settings`],
//! [`Theme`], [`Increment`] and [`Transform`].
//!
//! # A drag
//!
//! [`Gizmo::answer_on_cpu`] picks among the handles. A host that also picks its own objects answers with
//! [`Gizmo::answer`].
//!
//! ```
//! use wgpu_gizmo_core::glam::{DVec3, dcamera::rh, dvec2};
//! use wgpu_gizmo_core::{Gizmo, IdSpace, Target, Transform, View, Viewport};
//!
//! let view = View::new(
//!     rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 10.0), DVec3::ZERO, DVec3::Y),
//!     rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0),
//!     Viewport::from_size(800, 600),
//!     1.0,
//! )?;
//! let mut gizmo = Gizmo::new(&mut IdSpace::new())?;
//! let mut targets = [Target::from_world(Transform::IDENTITY)];
//! gizmo.update(&view, &mut targets);
//! // A world unit is 100 pixels, and the x arrow is on the center row.
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
//! - Angles are in radians.
//! - The name of a point ends in its space: `_world`, `_ndc`, or `_px` for physical pixels of the render
//!   target, with the origin in the top-left corner and y down. `lpx` are logical pixels: physical
//!   pixels divided by the scale factor.
//! - Matrices apply to column vectors, and their names have both ends: `clip_from_world *
//!   world_from_local`. Clip depth is 0 to 1.
//! - Handedness and depth direction are not assumed; they are read from the matrices.
//! - Colors are sRGB-encoded and not premultiplied.
//! - Numbers that are NaN or infinite are ignored or refused, as each item documents. Nothing panics.

pub mod draw;
#[cfg(feature = "serde")]
mod flat_form;
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
