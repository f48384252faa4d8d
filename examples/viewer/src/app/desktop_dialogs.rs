//! The dialogs of the desktop that choose a file.

use crate::files::{Choice, DesktopDialogs};
use std::path::Path;
use std::sync::Arc;
use winit::window::Window;

/// Nothing: saved files are there already.
pub(super) const SAVED: Option<fn(&Path)> = None;

/// Returns the dialogs of the desktop, which belong to a window, or `None` where a desktop can have none.
pub(super) fn of(window: Arc<Window>) -> Option<DesktopDialogs> {
    has_desktop().then(|| -> DesktopDialogs {
        Box::new(move |Choice { saves, folder, name }| {
            let mut dialog = rfd::AsyncFileDialog::new().set_parent(&*window).set_directory(folder);
            dialog = dialog.add_filter("glTF scenes", &["glb", "gltf"]);
            let dialog = match name {
                Some(name) => dialog.set_file_name(name),
                None => dialog,
            };
            let chosen = |file: Option<rfd::FileHandle>| file.map(|file| file.path().to_owned());
            match saves {
                true => {
                    let file = dialog.save_file();
                    Box::pin(async move { chosen(file.await) })
                }
                false => {
                    let file = dialog.pick_file();
                    Box::pin(async move { chosen(file.await) })
                }
            }
        })
    })
}

/// Returns true if dialogs can be shown: on Linux, by the portal of a session bus.
fn has_desktop() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let runtime = std::env::var_os("XDG_RUNTIME_DIR");
    std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || runtime.is_some_and(|folder| Path::new(&folder).join("bus").exists())
}
