//! Tests of the public API against docs/spec.md: views, handles, drags and picks, without a GPU. `§n`
//! refers to a section of that page.
#![allow(missing_docs, reason = "test names describe themselves")]

#[path = "../common/drag_ends.rs"]
#[allow(dead_code, reason = "the properties use the rest")]
mod drag_ends;
#[path = "../common/golden.rs"]
mod golden;
#[path = "../common/seed.rs"]
mod seed;
#[path = "../common/views.rs"]
mod views;

/// Imports that most tests share.
mod prelude {
    pub(crate) use crate::drag_ends::{all_bits, bits};
    pub(crate) use crate::oracle::*;
    pub(crate) use crate::stage::*;
    pub(crate) use crate::views::{self, Camera, Projection, Shot};
    pub(crate) use fastrand::Rng;
    pub(crate) use wgpu_gizmo_core::draw::{DepthStyle, InvisibleReason, parts::*};
    pub(crate) use wgpu_gizmo_core::glam::dcamera::{self, rh};
    pub(crate) use wgpu_gizmo_core::glam::{BVec3, DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Vec3};
    pub(crate) use wgpu_gizmo_core::interaction::{drive::*, settings::*, *};
    pub(crate) use wgpu_gizmo_core::{handle::*, math::*, pick::snap::*, pick::*, *};
}

mod box_handles;
mod claims;
mod clicks;
mod closed_forms;
mod custom_handles;
mod drawn;
mod driving;
mod end_on;
mod expressions;
mod field;
mod frames;
mod frustum;
mod gizmo;
mod guides;
mod hover;
mod identity;
mod immediate;
mod inputs;
mod invisible;
mod keyboard;
mod light;
mod mid_drag;
mod options;
mod oracle;
mod picks;
mod pivot_edit;
mod pointer_ray;
mod rotate;
mod scale;
mod several;
mod several_views;
mod snap_search;
mod snapping;
mod stage;
mod table;
mod targets;
mod transaction;
mod unanswered;
mod under_pointer;
mod view;
mod visibility;
mod walks;
