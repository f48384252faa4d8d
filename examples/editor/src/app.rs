//! The windows, the device and the frames.

use crate::cubes::{self, Cubes};
use std::error::Error;
use std::sync::Arc;
use surface::{NextFrame, next_frame};
use wgpu::{InstanceDescriptor, SurfaceConfiguration};
use wgpu_gizmo::glam::DVec3;
use wgpu_gizmo::glam::dcamera::rh::proj::directx::{orthographic, perspective};
use wgpu_gizmo::glam::dcamera::rh::view::look_at_mat4;
use wgpu_gizmo::interaction::Views;
use wgpu_gizmo::math::ViewError;
use wgpu_gizmo::scene::PickMesh;
use wgpu_gizmo::{Transform, View, Viewport};
use wgpu_gizmo_winit::WinitEditor;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalPosition, LogicalSize};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, OwnedDisplayHandle};
use winit::window::{Window, WindowAttributes, WindowId};

/// The application. The windows are created when the event loop resumes it.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    windows: u32,
    frames_left: Option<u32>,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
}

struct Screen {
    panes: Vec<Pane>,
    instance: wgpu::Instance,
    device: wgpu::Device,
    queue: wgpu::Queue,
    cubes: Cubes,
    editor: WinitEditor,
}

struct Pane {
    window: Arc<Window>,
    surface: Option<wgpu::Surface<'static>>,
    config: SurfaceConfiguration,
}

impl App {
    /// `windows` is 1 or 2.
    pub(crate) fn new(display: OwnedDisplayHandle, windows: u32, frames_left: Option<u32>) -> Self {
        Self { display, windows, frames_left, screen: None, failure: None }
    }

    pub(crate) fn outcome(self) -> Result<(), Box<dyn Error>> {
        self.failure.map_or(Ok(()), Err)
    }
}

impl Screen {
    fn new(
        event_loop: &ActiveEventLoop,
        display: OwnedDisplayHandle,
        windows: u32,
    ) -> Result<Self, Box<dyn Error>> {
        let attributes = |i: u32| match windows {
            1 => WindowAttributes::default().with_title("wgpu-gizmo: editor"),
            _ => WindowAttributes::default()
                .with_title(["wgpu-gizmo: perspective", "wgpu-gizmo: from above"][i as usize])
                .with_inner_size(LogicalSize::new(600, 600))
                .with_position(LogicalPosition::new(i * 620, 0)),
        };
        let windows: Vec<Arc<Window>> = (0..windows)
            .map(|i| event_loop.create_window(attributes(i)).map(Arc::new))
            .collect::<Result<_, _>>()?;
        let instance =
            wgpu::Instance::new(InstanceDescriptor::new_with_display_handle_from_env(Box::new(display)));
        let surfaces: Vec<wgpu::Surface<'static>> =
            windows.iter().map(|window| instance.create_surface(window.clone())).collect::<Result<_, _>>()?;
        // One device serves all windows.
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            compatible_surface: surfaces.first(),
            ..Default::default()
        }))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))?;
        let mut panes = Vec::new();
        for (window, surface) in windows.into_iter().zip(surfaces) {
            let size = window.inner_size();
            let config = surface
                .get_default_config(&adapter, size.width.max(1), size.height.max(1))
                .ok_or("the adapter cannot present to this window")?;
            surface.configure(&device, &config);
            panes.push(Pane { window, surface: Some(surface), config });
        }
        let format = panes[0].config.format;
        let mut editor = WinitEditor::new(&panes[0].window, &device, &queue, format)?;
        panes[1..].iter().for_each(|pane| editor.add_window(&pane.window));
        let mesh = PickMesh::new(&cubes::CORNERS, &cubes::TRIANGLES)?;
        let mesh = editor.scene.add_mesh(&device, &mesh)?;
        for i in 0..100 {
            let center = DVec3::new(f64::from(i % 10) - 4.5, 0.0, f64::from(i / 10) - 4.5) * 1.5;
            editor.insert(mesh, Transform::from_translation(center));
        }
        Ok(Self { cubes: Cubes::new(&device, format), editor, panes, instance, device, queue })
    }

    fn resize(&mut self, window: usize, width: u32, height: u32) {
        let Pane { surface, config, .. } = &mut self.panes[window];
        // A minimized window has size 0, and configuring a surface of size 0 is an error.
        if width > 0 && height > 0 {
            (config.width, config.height) = (width, height);
            if let Some(surface) = surface {
                surface.configure(&self.device, config);
            }
        }
    }

    /// Draws a frame of all windows, because a handle that is hovered is highlighted in each of them.
    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let views = self.views()?;
        let (device, queue) = (&self.device, &self.queue);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut shown = Views::from(&views);
        if let [_, above] = &*self.panes {
            // Each window has one view, with its index as the key.
            let is_above = self.editor.pointer_window() == above.window.id();
            shown = shown.with_pointer_in(u64::from(is_above));
        }
        self.editor.show(&mut encoder, shown)?;
        self.cubes.upload(queue, self.editor.objects().map(|(_, world)| world));
        queue.submit([encoder.finish()]);
        let views_per_window = views.len() / self.panes.len();
        for (pane, views) in self.panes.iter_mut().zip(views.chunks(views_per_window)) {
            let create = || self.instance.create_surface(pane.window.clone());
            let texture = match next_frame(&mut pane.surface, (device, &pane.config), create)? {
                NextFrame::Ready(texture) => texture,
                NextFrame::Later => {
                    pane.window.request_redraw();
                    continue;
                }
                // Such as a minimized window.
                NextFrame::Hidden => continue,
            };
            let color = texture.texture.create_view(&Default::default());
            for view in views {
                // One submission per view, because both use the same buffers of the cubes.
                let mut encoder = device.create_command_encoder(&Default::default());
                self.cubes.draw((device, queue), &mut encoder, &color, view, |pass| {
                    self.editor.render(pass, view);
                });
                queue.submit([encoder.finish()]);
            }
            queue.present(texture);
        }
        Ok(())
    }

    /// Returns a perspective, and a parallel projection from above: the two halves of a window, or a window each.
    fn views(&self) -> Result<[View; 2], ViewError> {
        let place = |i: usize| match &*self.panes {
            [pane] => {
                let width = pane.config.width / 2;
                let viewport = Viewport::from_size(width.max(1), pane.config.height);
                (
                    Viewport { x: f64::from(i as u32 * width), ..viewport },
                    self.editor.scale_factor(pane.window.id()),
                )
            }
            panes => {
                let Pane { window, config, .. } = &panes[i];
                let viewport = Viewport::from_size(config.width, config.height);
                (viewport, self.editor.scale_factor(window.id()))
            }
        };
        let [(left, left_scale), (right, right_scale)] = [0, 1].map(place);
        let eye = look_at_mat4(DVec3::new(11.0, 10.0, 16.0), DVec3::ZERO, DVec3::Y);
        let above = look_at_mat4(DVec3::Y * 20.0, DVec3::ZERO, DVec3::NEG_Z);
        let lens = perspective(1.2, left.width / left.height, 0.1, 100.0);
        let half_height = 8.0 * right.height / right.width;
        let parallel = orthographic(-8.0, 8.0, -half_height, half_height, 0.1, 100.0);
        Ok([
            View::new(eye, lens, left, left_scale)?,
            View::new(above, parallel, right, right_scale)?.with_key(1),
        ])
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_none() {
            match Screen::new(event_loop, self.display.clone(), self.windows) {
                Ok(screen) => self.screen = Some(screen),
                Err(error) => {
                    self.failure = Some(error);
                    event_loop.exit();
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let Some(window) = screen.panes.iter().position(|pane| pane.window.id() == id) else { return };
        screen.editor.on_window_event(id, &event);
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => screen.resize(window, size.width, size.height),
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
                    screen.panes[window].window.request_redraw();
                }
            }
            _ => {}
        }
    }
}
