//! The dialogs of the desktop that choose a file.

use crate::files::{Choice, DesktopDialogs};
use crate::tasks::Awaited;
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
            let dialog = if let Some(name) = name { dialog.set_file_name(name) } else { dialog };
            let file: Awaited<Option<rfd::FileHandle>> = match saves {
                true => Box::pin(dialog.save_file()),
                false => Box::pin(dialog.pick_file()),
            };
            Box::pin(async move { file.await.map(|file| file.path().to_owned()) })
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
