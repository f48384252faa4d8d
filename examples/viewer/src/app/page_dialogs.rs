//! The dialogs of the page: the browser chooses files to open, and saved files are downloaded.

use crate::files::{Choice, DesktopDialogs};
use crate::page;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wasm_bindgen_futures::JsFuture;
use winit::window::Window;

/// Downloads a saved file.
pub(super) const SAVED: Option<fn(&Path)> = Some(page::download);

/// Returns the dialogs of the page.
pub(super) fn of(_: Arc<Window>) -> Option<DesktopDialogs> {
    Some(Box::new(|Choice { saves, name, folder }| match saves {
        true => {
            let (name, folder) = (name.clone().unwrap_or_default(), folder.clone());
            // Beside the files that the scene refers to.
            Box::pin(async move { page::ask_name(&name).map(|name| folder.join(name)) })
        }
        false => {
            // Within the click that asks for it, as browsers require.
            let chosen = JsFuture::from(page::choose());
            Box::pin(async move { chosen.await.ok()?.as_string().map(PathBuf::from) })
        }
    }))
}
