//! The viewer in a browser. The page, `examples/viewer/page`, opens and downloads files for it; whatever else needs a
//! system (watching files, the recovery journal, recordings, replays) is absent.
#![cfg_attr(
    target_arch = "wasm32",
    allow(dead_code, unreachable_pub, unused_imports, reason = "the window of the desktop uses it")
)]

#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod files;
#[cfg(target_arch = "wasm32")]
mod messages;
#[cfg(target_arch = "wasm32")]
mod options;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod panel;
#[cfg(target_arch = "wasm32")]
mod preferences;
#[cfg(target_arch = "wasm32")]
mod recovery;
#[cfg(target_arch = "wasm32")]
mod small_files;
#[cfg(target_arch = "wasm32")]
mod tasks;
#[cfg(target_arch = "wasm32")]
mod user_data;
#[cfg(target_arch = "wasm32")]
mod user_event;

/// Does nothing: the page calls `start`.
fn main() {}
