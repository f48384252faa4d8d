//! Properties that must hold in every case, checked on random ones: 10⁴ in `cargo test`, or as many
//! as `PROPTEST_CASES` says. They test the core without a GPU.
#![allow(missing_docs, reason = "tests are sentences")]

#[path = "../common/bytes.rs"]
mod bytes;
#[path = "../common/drag_ends.rs"]
mod drag_ends;
#[path = "../common/lens.rs"]
mod lens;
#[path = "../common/script.rs"]
mod script;
#[path = "../common/seed.rs"]
mod seed;
#[path = "../common/views.rs"]
mod views;

/// Imports that most properties share.
mod prelude {
    pub(crate) use crate::dd::*;
    pub(crate) use crate::holds::*;
    pub(crate) use crate::scenes::*;
    pub(crate) use crate::truth::*;
    pub(crate) use crate::views::{self, Camera, Projection, Shot};
    pub(crate) use proptest::prelude::*;
    pub(crate) use proptest::{collection::vec, option::weighted, sample::select};
    pub(crate) use wgpu_gizmo_core::draw::parts::*;
    pub(crate) use wgpu_gizmo_core::glam::{DMat3, DMat4, DQuat, DVec2, DVec3};
    pub(crate) use wgpu_gizmo_core::interaction::{settings::*, *};
    pub(crate) use wgpu_gizmo_core::{handle::*, math::*, *};
}

mod big_worlds;
mod boxes;
mod dd;
mod drags;
mod expressions;
mod garbage;
mod holds;
mod hosts;
mod lenses;
mod oracle;
mod scenes;
mod triangles;
mod truth;
