//! The functions of the page that the viewer calls, and those of the viewer that the page calls.

use crate::app::{App, SharedApp, Start};
use crate::options::Options;
use crate::user_event::UserEvent;
use js_sys::{Promise, Uint8Array};
use scene::built_in;
use session::editor::Editor;
use session::replay_file::SceneSource;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use wgpu::Backends;
use winit::event_loop::{ControlFlow, EventLoop, EventLoopProxy};
use winit::platform::web::EventLoopExtWebSys;

/// The page's own functions.
mod host {
    use super::{Promise, Uint8Array, wasm_bindgen};

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = viewerPage)]
        pub(super) fn choose() -> Promise;
        #[wasm_bindgen(js_namespace = viewerPage, js_name = askName)]
        pub(super) fn ask_name(name: &str) -> Option<String>;
        #[wasm_bindgen(js_namespace = viewerPage)]
        pub(super) fn download(name: &str, bytes: Uint8Array);
        #[wasm_bindgen(js_namespace = viewerPage)]
        pub(super) fn failed(why: &str, name: Option<&str>, bytes: Option<Uint8Array>);
    }
}

/// Lets the user choose files. The promise has the name of the scene among them, or null.
pub(crate) fn choose() -> Promise {
    host::choose()
}

/// Asks for the name of a file to save.
pub(crate) fn ask_name(name: &str) -> Option<String> {
    host::ask_name(name)
}

/// Downloads a saved file.
pub(crate) fn download(path: &Path) {
    // The file was saved a moment ago.
    if let Some((name, bytes)) = contents(path) {
        host::download(&name, bytes);
    }
}

/// Replaces the viewer by a text, which offers to download a file.
pub(crate) fn failed(why: &str, unsaved: Option<PathBuf>) {
    let (name, bytes) = unsaved.and_then(|path| contents(&path)).unzip();
    host::failed(why, name.as_deref(), bytes);
}

/// Returns the name and the bytes of a file in memory.
fn contents(path: &Path) -> Option<(String, Uint8Array)> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    Some((name, Uint8Array::from(&*gltf_io::disk::read(path).ok()?)))
}

thread_local! {
    static RUNNING: RefCell<Option<(SharedApp, EventLoopProxy<UserEvent>)>> = const { RefCell::new(None) };
}

/// Starts the viewer in the canvas, on the back end `webgpu` or `webgl`.
#[wasm_bindgen]
pub fn start(backend: &str) -> Result<(), JsError> {
    std::panic::set_hook(Box::new(|panic| failed(&panic.to_string(), None)));
    let backends = if backend == "webgl" { Backends::GL } else { Backends::BROWSER_WEBGPU };
    let event_loop = EventLoop::<UserEvent>::with_user_event().build()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let start = Start {
        editor: Editor::new(built_in::scene())?,
        name: "robot arm",
        source: SceneSource::BuiltIn("robot_arm"),
        replay: None,
        options: Options { backends: Some(backends), ..Options::default() },
    };
    let (display, proxy) = (event_loop.owned_display_handle(), event_loop.create_proxy());
    let app = SharedApp::new(App::new((display, proxy.clone()), start));
    RUNNING.set(Some((app.clone(), proxy)));
    event_loop.spawn_app(app);
    Ok(())
}

/// Adds a file that a scene can be opened from, or that one refers to. Its folder is a number, which grows with every
/// choice of the user.
#[wasm_bindgen(js_name = addFile)]
pub fn add_file(name: &str, bytes: Vec<u8>) -> Result<(), JsError> {
    gltf_io::disk::insert(Path::new(name), bytes).map(drop).map_err(Into::into)
}

/// Opens an added file.
#[wasm_bindgen(js_name = openFile)]
pub fn open_file(name: &str) {
    send(UserEvent::Given(PathBuf::from(name)));
}

/// The context of the canvas was lost.
#[wasm_bindgen(js_name = contextLost)]
pub fn context_lost() {
    send(UserEvent::ContextLost);
}

/// The context of the canvas is new, and empty.
#[wasm_bindgen(js_name = contextRestored)]
pub fn context_restored() {
    send(UserEvent::ContextRestored);
}

fn send(event: UserEvent) {
    RUNNING.with_borrow(|running| {
        if let Some((_, proxy)) = running {
            // Sending fails only if the event loop is closed.
            let _ = proxy.send_event(event);
        }
    });
}

/// Returns a value of the running viewer.
fn ask<T>(what: impl FnOnce(&App) -> Option<T>) -> Option<T> {
    RUNNING.with_borrow(|running| running.as_ref()?.0.with(what))
}

/// Returns the state of the window as JSON, for tests.
#[wasm_bindgen]
pub fn state() -> Option<String> {
    ask(|app| app.report().map(|report| report.to_string()))
}

/// Returns the pixel of a point in the world, for tests.
#[wasm_bindgen(js_name = pxOf)]
pub fn px_of(x: f64, y: f64, z: f64) -> Option<Vec<f64>> {
    ask(|app| app.px_of([x, y, z].into())).map(|px| px.to_array().to_vec())
}

/// Loses the device, as a fault does. For tests.
#[wasm_bindgen]
pub fn lose() {
    ask(|app| {
        app.lose_device();
        Some(())
    });
}
