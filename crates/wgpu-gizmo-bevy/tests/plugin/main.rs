//! Drags through an `App` without a window and without a GPU, with the messages that `bevy_winit` writes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cameras;
mod drags;
mod input;
mod scene;
mod targets;
