//! Tests of the public API against docs/spec.md, without a GPU.
#![allow(missing_docs, reason = "test names describe themselves")]

mod garbage;
#[path = "../../../wgpu-gizmo-core/tests/core/garbage/input.rs"]
mod input;
mod navigation_cube;
#[path = "../../../wgpu-gizmo-core/tests/core/oracle.rs"]
#[allow(dead_code, reason = "the tests of the core use all of it")]
mod oracle;
#[path = "../../../wgpu-gizmo-core/tests/common/seed.rs"]
mod seed;
#[path = "../../../wgpu-gizmo-core/tests/common/views.rs"]
mod views;
mod volume;
