//! Tests of the public API against docs/spec.md, without a GPU.
#![allow(missing_docs, reason = "test names describe themselves")]

#[path = "../../../wgpu-gizmo-core/tests/common/bytes.rs"]
mod bytes;
mod garbage;
#[path = "../../../wgpu-gizmo-core/tests/common/golden.rs"]
mod golden;
mod measures;
mod navigation_cube;
#[path = "../../../wgpu-gizmo-core/tests/core/oracle.rs"]
#[allow(dead_code, reason = "the tests of the core use all of it")]
mod oracle;
#[path = "../../../wgpu-gizmo-core/tests/common/seed.rs"]
mod seed;
#[path = "../../../wgpu-gizmo-core/tests/common/views.rs"]
mod views;
mod volume;
mod walks;

/// Imports that most tests share.
mod prelude {
    pub(crate) use crate::measures::*;
    pub(crate) use crate::oracle::*;
    pub(crate) use crate::views::{self, Camera, Projection};
    pub(crate) use fastrand::Rng;
    pub(crate) use wgpu_gizmo_core::draw::parts::Triangles;
    pub(crate) use wgpu_gizmo_core::glam::{DMat3, DQuat, DVec2, DVec3};
    pub(crate) use wgpu_gizmo_core::interaction::{settings::*, *};
    pub(crate) use wgpu_gizmo_core::{handle::*, math::*, *};
    pub(crate) use wgpu_gizmo_extras::{volume::*, *};
}
