//! Opens glTF 2.0 files, text (`.gltf`) and binary (`.glb`), as a [`scene::Scene`], and saves scenes.
//!
//! It parses the JSON itself instead of using a glTF library: numbers stay `f64`, every error names
//! its location, and an invalid file cannot cause a panic.

mod budget;
mod buffers;
mod container;
pub mod disk;
mod external;
mod file_error;
mod file_stamp;
pub mod json;
mod json_text;
mod meshopt;
mod progress;
mod read;
mod save;
mod source;
mod uri;
#[cfg(not(target_arch = "wasm32"))]
pub mod write_file;
#[cfg(target_arch = "wasm32")]
#[path = "write_memory.rs"]
pub mod write_file;

pub use container::{check, read_file};
pub use file_error::{
    FileError, FileResult, LocatedError, Result, excerpt, printable, printable_json, readable,
};
pub use progress::Progress;
pub use read::{open, open_allowing};
pub use save::{Format, Written, save, save_over, whole_glb};
pub use source::Source;
pub use uri::AllowedFolders;
