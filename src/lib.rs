//! A transform gizmo for [wgpu](https://docs.rs/wgpu): arrows, rings and boxes that move, rotate and
//! scale objects.
//!
//! The handles are drawn into the host's render pass and, as integers, into an ID image that is never
//! shown. The texel under the cursor tells which handle or which object is there, so the visible handles
//! are those that can be picked. The core, in `f64` on the CPU, turns a drag into a motion of the targets.
//!
#![cfg_attr(doc, doc = include_str!("../docs/svg/translate.svg"))]
#![cfg_attr(doc, doc = include_str!("../docs/svg/rotate.svg"))]
#![cfg_attr(doc, doc = include_str!("../docs/svg/scale.svg"))]
#![cfg_attr(doc, doc = include_str!("../docs/svg/universal.svg"))]
//!
//! These are the four presets of [`Mode`]; any other set of handles can be shown, too.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`math`] | [`View`] (a camera and the viewport that it fills), [`Transform`], rays, frusta, increments |
//! | [`handle`] | what a handle is: its constraint, id and mesh; [`Mode`], custom handles, the [`Theme`] |
//! | [`draw`] | the [`DrawList`]: everything that one view shows of one or more gizmos |
//! | [`pick`] | [`PickQuery`] and [`PickAnswer`], the [`IdSpace`], regions, click-through |
//! | [`interaction`] | the [`Gizmo`], which takes input and moves [`Target`]s, and its [`Drag`](interaction::Drag) |
#![cfg_attr(feature = "wgpu", doc = "| [`gpu`] | the renderer, the picker and the ID image |")]
#![cfg_attr(
    feature = "wgpu",
    doc = "| [`facade`] | [`WgpuGizmo`]: a gizmo with a picker and a renderer, in two calls a frame |"
)]
#![cfg_attr(feature = "wgpu", doc = "| [`gpu::scene`] | picking and outlining of the host's own meshes |")]
//!
//! The Cargo feature `wgpu` adds the modules `gpu` and `facade`. It is on by default. The feature `mint` adds
//! conversions from and to `mint` types. The feature `serde` saves and loads [`Settings`], [`Theme`],
//! [`Increment`] and [`Transform`].
//!
//! # A frame on the GPU
//!
//! The host owns the device, the passes and the submit. `WgpuGizmo` holds the gizmo, its ids, the picker
//! and the renderer. It needs two calls per frame, and one in the pass:
//!
#![cfg_attr(feature = "wgpu", doc = "```no_run")]
#![cfg_attr(not(feature = "wgpu"), doc = "```ignore")]
//! use wgpu_gizmo::gpu::GpuError;
//! use wgpu_gizmo::{Event, Target, Transform, View, WgpuGizmo, wgpu};
//!
//! /// If the pass has depth or several samples, `format` is a `gpu::TargetState`.
//! fn new(
//!     device: &wgpu::Device,
//!     format: wgpu::TextureFormat,
//! ) -> Result<WgpuGizmo, GpuError> {
//!     WgpuGizmo::new(device, format)
//! }
//!
//! /// Between frames, input goes to `tools.gizmo.pointer_moved` and its siblings.
//! fn frame(
//!     tools: &mut WgpuGizmo,
//!     (device, queue): (&wgpu::Device, &wgpu::Queue),
//!     encoder: &mut wgpu::CommandEncoder,
//!     view: &View,
//!     object: &mut Transform,
//! ) -> Result<(), GpuError> {
//!     let mut targets = [Target::from_world(*object)];
//!     let events = tools.update(device, view, &mut targets)?;
//!     if events.contains(&Event::Ended { changed: true }) {
//!         // An undo step: `tools.gizmo.starts()` are the transforms before it.
//!     }
//!     *object = targets[0].local;
//!     // The closure draws the host's objects into the ID image.
//!     tools.prepare(device, queue, encoder, view, |_, _, _| {})
//!     // Then call `tools.render(&mut pass)` last in the pass, submit, and request
//!     // another frame if `tools.needs_frame(0)`.
//! }
//! ```
//!
//! The module `gpu` documents the parts, for hosts that wire them in another way.
//!
//! # Without a GPU
//!
//! [`Gizmo::answer_on_cpu`] replaces the picker. It knows the handles but not the host's objects:
//!
//! ```
//! use wgpu_gizmo::glam::{DVec3, dcamera::rh, dvec2};
//! use wgpu_gizmo::{Gizmo, IdSpace, Target, Transform, View, Viewport};
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
//! # Guides
//!
//! [README.md](https://docs.rs/crate/wgpu-gizmo/latest) is a whole program. The guides of the adapters go on from there:
//! [`wgpu-gizmo-winit`](https://docs.rs/wgpu-gizmo-winit/latest/wgpu_gizmo_winit/guide/) for winit, and
//! [`wgpu-gizmo-egui`](https://docs.rs/wgpu-gizmo-egui/latest/wgpu_gizmo_egui/guide/) for egui and eframe. The
//! module [`guide`] goes through tasks from beginning to end: selection, outlines and undo; handles of
//! your own; headless tests; coming from `transform-gizmo`, three.js and Bevy.
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

#![cfg_attr(
    not(feature = "wgpu"),
    allow(dead_code, unused_imports, reason = "some of the core serves the GPU part alone")
)]

pub mod draw;
#[cfg(feature = "wgpu")]
pub mod facade;
#[cfg(feature = "wgpu")]
pub mod gpu;
#[cfg(doc)]
pub mod guide;
pub mod handle;
pub mod interaction;
pub mod math;
#[cfg(feature = "mint")]
mod mint;
pub mod pick;

pub use draw::DrawList;
#[cfg(feature = "wgpu")]
pub use facade::WgpuGizmo;
pub use glam;
pub use handle::{HandleId, Mode, Theme};
pub use interaction::{Event, Gizmo, Orientation, Settings, Snap, Solver, Target};
pub use math::{Increment, Transform, View, Viewport};
pub use pick::{IdSpace, PickAnswer, PickOutcome, PickQuery};
#[cfg(feature = "wgpu")]
pub use wgpu;
