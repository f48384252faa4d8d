//! A hundred cubes in two viewports, which can be selected with a click or Shift+click, outlined, moved, and moved
//! back with Ctrl+Z. All uses of the gizmo are in `editor.rs`. `--frames N` closes the window after N frames, for tests.

mod app;
mod cubes;
mod editor;

use std::error::Error;
use winit::event_loop::{ControlFlow, EventLoop};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let frames = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => None,
        (Some("--frames"), Some(count)) => Some(count.parse::<u32>()?),
        _ => return Err("usage: wgpu-gizmo-editor [--frames N]".into()),
    };
    let event_loop = EventLoop::new()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut app = app::App::new(event_loop.owned_display_handle(), frames);
    event_loop.run_app(&mut app)?;
    app.outcome()
}
