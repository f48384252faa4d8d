//! The window, the device and the frames.

use crate::cubes::Cubes;
use crate::editor::Editor;
use std::error::Error;
use std::sync::Arc;
use surface::{NextFrame, next_frame};
use wgpu::{InstanceDescriptor, SurfaceConfiguration};
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::glam::dcamera::rh::proj::directx::{orthographic, perspective};
use wgpu_gizmo::glam::dcamera::rh::view::look_at_mat4;
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo::{View, Viewport};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, OwnedDisplayHandle};
use winit::keyboard::Key;
use winit::window::{Window, WindowAttributes, WindowId};

/// The application. The window is created when the event loop resumes it.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    frames_left: Option<u32>,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
}

struct Screen {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: Option<wgpu::Surface<'static>>,
    config: SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    cubes: Cubes,
    editor: Editor,
}

impl App {
    pub(crate) fn new(display: OwnedDisplayHandle, frames_left: Option<u32>) -> Self {
        Self { display, frames_left, screen: None, failure: None }
    }

    pub(crate) fn outcome(self) -> Result<(), Box<dyn Error>> {
        self.failure.map_or(Ok(()), Err)
    }
}

impl Screen {
    fn new(event_loop: &ActiveEventLoop, display: OwnedDisplayHandle) -> Result<Self, Box<dyn Error>> {
        let window =
            Arc::new(event_loop.create_window(WindowAttributes::default().with_title("wgpu-gizmo: editor"))?);
        let instance =
            wgpu::Instance::new(InstanceDescriptor::new_with_display_handle_from_env(Box::new(display)));
        let surface = instance.create_surface(window.clone())?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        }))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))?;
        let size = window.inner_size();
        let config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot present to this window")?;
        surface.configure(&device, &config);
        Ok(Self {
            cubes: Cubes::new(&device, config.format),
            editor: Editor::new(&device, config.format, window.scale_factor())?,
            window,
            instance,
            surface: Some(surface),
            config,
            device,
            queue,
        })
    }

    fn resize(&mut self, width: u32, height: u32) {
        // A minimized window has size 0, and configuring a surface of size 0 is an error.
        if width > 0 && height > 0 {
            (self.config.width, self.config.height) = (width, height);
            if let Some(surface) = &self.surface {
                surface.configure(&self.device, &self.config);
            }
        }
    }

    /// Draws a frame, unless the window shows none, such as a minimized one.
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let create = || self.instance.create_surface(self.window.clone());
        let texture = match next_frame(&mut self.surface, (&self.device, &self.config), create)? {
            NextFrame::Ready(texture) => texture,
            NextFrame::Later => {
                self.window.request_redraw();
                return Ok(());
            }
            NextFrame::Hidden => return Ok(()),
        };
        let views = self.views()?;
        let color = texture.texture.create_view(&Default::default());
        let (device, queue) = (&self.device, &self.queue);
        let mut encoder = device.create_command_encoder(&Default::default());
        self.editor.update(&views)?;
        self.editor.prepare((device, queue), &mut encoder, &views)?;
        self.cubes.upload(queue, &self.editor.objects);
        queue.submit([encoder.finish()]);
        for view in &views {
            // One submission per view, because both use the same buffers of the cubes.
            let mut encoder = device.create_command_encoder(&Default::default());
            self.cubes
                .draw((device, queue), &mut encoder, &color, view, |pass| self.editor.render(pass, view));
            queue.submit([encoder.finish()]);
        }
        queue.present(texture);
        if self.editor.needs_frame() {
            self.window.request_redraw();
        }
        Ok(())
    }

    /// Returns the two halves of the window: a perspective, and a parallel projection from above.
    fn views(&self) -> Result<[View; 2], ViewError> {
        let (width, height) = (f64::from(self.config.width) / 2.0, f64::from(self.config.height));
        let half = |i: f64| Viewport { x: i * width.floor(), y: 0.0, width: width.floor().max(1.0), height };
        let aspect = width / height;
        let eye = look_at_mat4(DVec3::new(11.0, 10.0, 16.0), DVec3::ZERO, DVec3::Y);
        let above = look_at_mat4(DVec3::Y * 20.0, DVec3::ZERO, DVec3::NEG_Z);
        let (lens, scale_factor) = (perspective(1.2, aspect, 0.1, 100.0), self.editor.input.scale_factor());
        let parallel = orthographic(-8.0, 8.0, -8.0 / aspect, 8.0 / aspect, 0.1, 100.0);
        Ok([
            View::new(eye, lens, half(0.0), scale_factor)?,
            View::new(above, parallel, half(1.0), scale_factor)?.with_key(1),
        ])
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_none() {
            match Screen::new(event_loop, self.display.clone()) {
                Ok(screen) => self.screen = Some(screen),
                Err(error) => {
                    self.failure = Some(error);
                    event_loop.exit();
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let response = screen.editor.on_window_event(&event);
        if response.repaint {
            screen.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::KeyboardInput { event: key, .. }
                if !response.consumed
                    && key.state.is_pressed()
                    && screen.editor.input.modifiers().control_key()
                    && key.logical_key == Key::Character("z".into()) =>
            {
                screen.editor.undo();
                screen.window.request_redraw();
            }
            WindowEvent::Resized(size) => screen.resize(size.width, size.height),
            WindowEvent::RedrawRequested => {
                if let Err(error) = screen.frame() {
                    self.failure = Some(error);
                    event_loop.exit();
                }
                if let Some(left) = &mut self.frames_left {
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        event_loop.exit();
                    }
                    screen.window.request_redraw();
                }
            }
            _ => {}
        }
    }
}
