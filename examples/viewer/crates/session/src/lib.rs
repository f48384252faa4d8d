//! The editing session of the viewer: the editor, its cameras and views, and replays of sessions. It
//! knows neither the window nor the GPU; the window and replays drive the same session.

pub mod cameras;
mod clicks;
pub mod command;
pub mod editor;
pub mod fly;
mod gizmos;
pub mod journal;
pub mod keymap;
pub mod labels;
pub mod marquee;
pub mod orbit;
pub mod player;
pub mod recorder;
pub mod replay_file;
mod running;
mod session;
pub mod settings;
pub mod status;
#[cfg(test)]
mod tests;
pub mod views;

pub use running::free_handle;
pub use session::{KeyUse, Session};
