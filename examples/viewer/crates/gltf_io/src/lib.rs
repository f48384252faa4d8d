//! Opens glTF 2.0 files, text (`.gltf`) and binary (`.glb`), as a [`scene::Scene`], and saves scenes.
//!
//! It parses the JSON itself instead of using a glTF library: numbers stay `f64`, every error names
//! its location, and an invalid file cannot cause a panic.

mod file_error;
pub mod json;
mod json_text;
mod progress;
mod read;
mod save;
mod source;
pub mod write_file;

pub use file_error::{FileError, LocatedError, printable};
pub use progress::{CANCELLED, Progress};
pub use read::{check, open, open_with_progress, read_file};
pub use save::{Format, Written, save, save_over};
pub use source::Source;
