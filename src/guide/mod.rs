//! Guides: tasks from beginning to end, with code that compiles.
//!
//! | to … | read |
//! |---|---|
//! | add modes, undo, a camera and windows to a winit application | the module `guide` of `wgpu-gizmo-winit` |
//! | start in a panel of egui or eframe | the module `guide` of `wgpu-gizmo-egui` |
//! | start in a Bevy app | the module `guide` of `wgpu-gizmo-bevy` |
//! | select, outline and undo | [`selection`] |
//! | show handles of your own | [`custom_handles`] |
//! | test an editor without a GPU | [`headless_tests`] |
//! | draw with OpenGL, or a renderer of your own | [`opengl`] |
//! | come from the crate `transform-gizmo` | [`from_transform_gizmo`] |
//! | come from `TransformControls` of three.js | [`from_three_js`] |
//! | come from Bevy's transform gizmo | [`from_bevy`] |
//!
//! The sources of these pages are in `docs/guides`.

#[doc = include_str!("../../docs/guides/custom-handles.md")]
#[doc = ""]
#[cfg_attr(doc, doc = include_str!("../../docs/svg/translate.svg"))]
pub mod custom_handles {}
#[doc = include_str!("../../docs/guides/from-bevy.md")]
#[doc = ""]
#[cfg_attr(doc, doc = include_str!("../../docs/svg/scale.svg"))]
pub mod from_bevy {}
#[doc = include_str!("../../docs/guides/from-three-js.md")]
#[doc = ""]
#[cfg_attr(doc, doc = include_str!("../../docs/svg/rotate.svg"))]
pub mod from_three_js {}
#[doc = include_str!("../../docs/guides/from-transform-gizmo.md")]
#[doc = ""]
#[cfg_attr(doc, doc = include_str!("../../docs/svg/universal.svg"))]
pub mod from_transform_gizmo {}
#[doc = include_str!("../../docs/guides/headless-tests.md")]
#[doc = ""]
#[cfg_attr(doc, doc = include_str!("../../docs/svg/translate.svg"))]
pub mod headless_tests {}
#[doc = include_str!("../../docs/guides/opengl.md")]
#[doc = ""]
#[cfg_attr(doc, doc = include_str!("../../docs/svg/translate.svg"))]
pub mod opengl {}
#[doc = include_str!("../../docs/guides/selection.md")]
#[doc = ""]
#[cfg_attr(doc, doc = include_str!("../../docs/svg/translate.svg"))]
pub mod selection {}
