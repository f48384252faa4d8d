//! The page that the browser tests drive: four cubes, one of them with a gizmo.
//!
//! [`Host`] is a host like any other and runs natively too, so that a test can compare its ids with those of a
//! browser. The module `browser` gives it a canvas and a JavaScript interface.

#[cfg(target_arch = "wasm32")]
mod browser;
mod cubes;
mod host;

pub use host::{Found, Host, HostError};
