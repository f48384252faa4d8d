//! A small winit application that moves a cube with wgpu-gizmo.
//!
//! README.md shows the lines of `app.rs` that use the gizmo; the rest is an ordinary wgpu application.
//! `--frames N` closes the window after N frames, for tests.

mod app;
mod cube;

use std::error::Error;
use winit::event_loop::{ControlFlow, EventLoop};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let frames = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => None,
        (Some("--frames"), Some(count)) => Some(count.parse::<u32>()?),
        _ => return Err("usage: wgpu-gizmo-embed [--frames N]".into()),
    };
    let event_loop = EventLoop::new()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut app = app::App::new(event_loop.owned_display_handle(), frames);
    event_loop.run_app(&mut app)?;
    app.outcome()
}
