//! The canvas of the page, whose size is that of its element.

use wasm_bindgen::JsCast;
use web_sys::HtmlCanvasElement;
use winit::dpi::PhysicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::platform::web::WindowAttributesExtWebSys;
use winit::window::{Window, WindowAttributes};

/// Id of the element.
const ID: &str = "viewer";

/// Returns the attributes of the window in the canvas.
pub(super) fn attributes(
    _: &ActiveEventLoop,
    _: Option<PhysicalSize<u32>>,
) -> Result<WindowAttributes, &'static str> {
    let element = web_sys::window().and_then(|window| window.document()?.get_element_by_id(ID));
    let canvas = element.and_then(|element| element.dyn_into::<HtmlCanvasElement>().ok());
    let canvas = canvas.ok_or("The page has no canvas for the viewer")?;
    Ok(WindowAttributes::default().with_canvas(Some(canvas)))
}

/// Does nothing: the element has its size from the page.
pub(super) fn fit_to_own_monitor(_: &Window) {}
