//! The dialogs of the desktop that choose a file. They run beside the window, which is never blocked. Where there
//! are none, a path is typed.

use super::saving::Overwrite;
use super::{FileEvent, Files, Request};
use crate::tasks::{self, Awaited};
use scene::Scene;
use session::editor::Editor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// A dialog that ends without a path within this time was not shown: nobody cancels so fast.
const MIN_SHOWN: Duration = Duration::from_millis(250);

/// Whether the dialogs are those of a browser. They are always there, and a page is not always told that one was
/// closed.
const ARE_OF_BROWSER: bool = cfg!(target_arch = "wasm32");

/// What a dialog asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Whether the path is for saving instead of opening.
    pub(crate) saves: bool,
    /// The folder that is shown first.
    pub(crate) folder: PathBuf,
    /// The name that is suggested for saving.
    pub(crate) name: Option<String>,
}

/// A dialog that is shown until it is awaited: the chosen path, or `None` if it was canceled.
pub(crate) type Choosing = Awaited<Option<PathBuf>>;

/// Shows a dialog. Called by the thread of the window, as some systems require.
pub(crate) type DesktopDialogs = Box<dyn Fn(&Choice) -> Choosing>;

/// Prepares a loaded scene in the thread that has loaded it.
pub(crate) type Upload = Arc<dyn Fn(&mut Scene) + Send + Sync>;

/// What a window provides.
#[derive(Default)]
pub(crate) struct WindowHooks {
    /// The dialogs of the desktop, if there are any.
    pub(crate) desktop: Option<DesktopDialogs>,
    /// Uploads a loaded scene to the GPU.
    pub(crate) upload: Option<Upload>,
    /// Hands a saved file to the user, where files are not those of the system.
    pub(crate) saved: Option<fn(&Path)>,
}

/// The dialog that is open.
#[derive(Debug)]
pub(super) struct Asked {
    number: u64,
    saves: bool,
    begun: Instant,
}

impl Files {
    /// Asks for a path by a dialog of the desktop. Returns false if there is none.
    pub(super) fn ask_desktop(&mut self, saves: bool, suggested: &Path, editor: &mut Editor) -> bool {
        let Some(show) = &self.window.desktop else { return false };
        if let Some(asked) = self.asked.as_ref().filter(|_| !ARE_OF_BROWSER) {
            if asked.saves != saves {
                self.after_save = None;
                editor.show_message("Close the other file dialog first");
            }
            return true;
        }
        let name = suggested.file_name().filter(|_| saves).map(|name| name.to_string_lossy().into_owned());
        let folder = if saves { suggested.parent().unwrap_or(suggested) } else { suggested };
        let choosing = show(&Choice { saves, folder: folder.to_owned(), name });
        self.count += 1;
        let (number, notify) = (self.count, self.notify.clone());
        let then = move |path| notify(FileEvent::Chosen(number, path));
        let is_waiting = tasks::when_ready("file dialog", choosing, then).is_ok();
        self.asked = is_waiting.then(|| Asked { number, saves, begun: Instant::now() });
        is_waiting
    }

    /// Returns true while a dialog of the desktop asks where to save the scene. That of a browser may never answer.
    pub(super) fn asks_where_to_save(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.saves && !ARE_OF_BROWSER)
    }

    /// Handles the path of a dialog, or `None` if it was canceled or could not be shown.
    pub(super) fn on_chosen(&mut self, number: u64, path: Option<PathBuf>, editor: &mut Editor) {
        let Some(asked) = self.asked.take_if(|asked| asked.number == number) else { return };
        match path {
            Some(path) if asked.saves => self.save_chosen(path, editor),
            Some(path) => self.request(Request::OpenFile(path), editor),
            None if asked.begun.elapsed() < MIN_SHOWN && !ARE_OF_BROWSER => {
                self.window.desktop = None;
                self.ask_for_path(asked.saves, editor);
            }
            None => self.after_save = None,
        }
    }

    /// Saves to a path whose dialog has asked before it replaces a file.
    fn save_chosen(&mut self, mut path: PathBuf, editor: &mut Editor) {
        if gltf_io::Format::of(&path).is_some() {
            self.save(&path, Overwrite::Always, editor);
        } else if path.extension().is_some() {
            self.warn("The name must end in .glb or .gltf".to_owned());
        } else {
            // A file of this name was not asked about.
            path.set_extension("glb");
            self.save(&path, Overwrite::AskFirst, editor);
        }
    }
}

#[cfg(test)]
mod tests;
