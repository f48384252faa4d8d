//! The folder of the user's data.

use std::env;
use std::path::PathBuf;

/// Returns the path of something among the viewer's data: `$XDG_DATA_HOME/wgpu-gizmo/NAME` on Linux. `None` if the
/// user has no folder for data.
pub(crate) fn path(name: &str) -> Option<PathBuf> {
    // A relative path is not valid.
    let set = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let in_home = |folder: &str| Some(env::home_dir().filter(|home| home.is_absolute())?.join(folder));
    let folder = match env::consts::OS {
        "windows" => set("APPDATA")?.join("wgpu-gizmo").join("data"),
        "macos" => in_home("Library/Application Support")?.join("wgpu-gizmo"),
        _ => set("XDG_DATA_HOME").or_else(|| in_home(".local/share"))?.join("wgpu-gizmo"),
    };
    Some(folder.join(name))
}
