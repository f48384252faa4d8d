//! A hundred cubes in two viewports, which can be selected with a click or Shift+click, outlined, moved, and moved
//! back with Ctrl+Z, by the `WinitEditor` of `wgpu-gizmo-winit`. `--two-windows` shows the viewports in a window each.
//! `--frames N` closes the program after N frames, for tests.

mod app;
mod cubes;

use std::error::Error;
use winit::event_loop::{ControlFlow, EventLoop};

const USAGE: &str = "usage: wgpu-gizmo-editor [--two-windows] [--frames N]";

fn main() -> Result<(), Box<dyn Error>> {
    let (mut windows, mut frames) = (1, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--two-windows" => windows = 2,
            "--frames" => frames = Some(arguments.next().ok_or(USAGE)?.parse()?),
            _ => return Err(USAGE.into()),
        }
    }
    let event_loop = EventLoop::new()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut app = app::App::new(event_loop.owned_display_handle(), windows, frames);
    event_loop.run_app(&mut app)?;
    app.outcome()
}
