//! The files that scenes are read from: those of the system, or in a browser those that the page was given.

#[cfg(any(target_arch = "wasm32", test))]
#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, unreachable_pub, reason = "only tests use it natively")
)]
mod memory;

#[cfg(target_arch = "wasm32")]
pub use memory::{File, Metadata, canonicalize, delete_before, insert, metadata, open, read, shown};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::fs::{File, Metadata, canonicalize, metadata};

/// Opens a file, and returns its properties.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn open(path: &std::path::Path) -> std::io::Result<(File, Metadata)> {
    let file = File::open(path)?;
    file.metadata().map(|metadata| (file, metadata))
}

/// Returns a path as users know it.
#[cfg(not(target_arch = "wasm32"))]
pub fn shown(path: &std::path::Path) -> &std::path::Path {
    path
}
