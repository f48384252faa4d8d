//! The device: errors, pipelines, buffers, textures and readback.

pub(crate) mod device_errors;
pub(crate) mod error;
pub(crate) mod pipelines;
pub(crate) mod readback;
pub(crate) mod resources;
pub(crate) mod target_state;
pub(crate) mod vertex_memory;
pub(crate) mod web;
