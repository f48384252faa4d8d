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
//! | [`gpu`] | the renderer, the picker and the ID image |
//! | [`facade`] | [`WgpuGizmo`]: a gizmo with a picker and a renderer, in two calls a frame |
//! | [`scene`] | picking and outlining of the host's own meshes |
//!
//! `math`, `handle`, `draw`, `pick` and `interaction` come from [`wgpu_gizmo_core`], which needs no GPU. The feature
//! `mint` adds conversions from and to `mint` types. The feature `serde` saves and loads [`Settings`], [`Theme`],
//! [`Increment`] and [`Transform`].
//!
//! # A frame on the GPU
//!
//! The host owns the device, the passes and the submit. `WgpuGizmo` holds the gizmo, its ids, the picker
//! and the renderer. It needs two calls per frame, and one in the pass:
//!
//! ```no_run
//! use wgpu_gizmo::facade::Frame;
//! use wgpu_gizmo::gpu::GpuError;
//! use wgpu_gizmo::{Event, Transform, View, WgpuGizmo, wgpu};
//!
//! /// If the pass has depth, pass `(format, depth_format)`; with several samples, a `gpu::TargetState`.
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
//!     // Several objects, or those with parents, are `Target`s: see `update`.
//!     let events = tools.update_one(view, object)?;
//!     if events.contains(&Event::Ended { changed: true }) {
//!         // An undo step: `tools.gizmo.starts()` are the transforms before it.
//!     }
//!     // The closure draws the host's objects into the ID image.
//!     tools.prepare(Frame::new(device, queue, encoder), view, |_, _, _| {})
//!     // Then call `tools.render(&mut pass, view)` last in the pass, submit, and
//!     // request another frame if `tools.needs_redraw(0)`.
//! }
//! ```
//!
//! The module `gpu` documents the parts, for hosts that wire them in another way.
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
//! The names of points and matrices say their spaces, and angles are in radians: [`wgpu_gizmo_core`] has the list.

pub mod facade;
pub mod gpu;
#[cfg(doc)]
pub mod guide;
pub mod scene;
#[cfg(all(test, feature = "native"))]
mod shader_tests;
#[cfg(all(test, feature = "native"))]
mod translation_tests;

pub use facade::WgpuGizmo;
pub use wgpu;
pub use wgpu_gizmo_core::{
    DrawList, Event, Gizmo, HandleId, IdSpace, Increment, Mode, Orientation, PickAnswer, PickOutcome,
    PickQuery, Settings, Snap, Solver, Target, Theme, Transform, View, Viewport, draw, glam, handle,
    interaction, math, pick,
};
