//! The files that scenes are read from: those of the system, or in a browser those that the page was given.

#[cfg(any(target_arch = "wasm32", test))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, unreachable_pub, reason = "only tests use it natively")
)]
mod memory;

#[cfg(target_arch = "wasm32")]
pub use memory::{File, Metadata, canonicalize, insert, metadata, read};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::fs::{File, Metadata, canonicalize, metadata};
