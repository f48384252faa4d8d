//! The window: events in, frames out.

use crate::bounds::Bounds;
use crate::command::Command;
use crate::device::{Backend, Gpu, instance};
use crate::editor::Editor;
use crate::orbit::Orbit;
use crate::panel::Panel;
use crate::stage::Stage;
use std::error::Error;
use std::sync::Arc;
use wgpu::{CurrentSurfaceTexture, InstanceDescriptor, SurfaceConfiguration};
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::interaction::CursorHint;
use wgpu_gizmo::{View, Viewport};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, OwnedDisplayHandle};
use winit::keyboard::{Key, ModifiersState, NamedKey};
use winit::window::{CursorIcon, Window, WindowAttributes, WindowId};

/// The program with a window, before and after there is one.
pub(crate) struct App {
    display: OwnedDisplayHandle,
    backend: Option<Backend>,
    title: String,
    /// Waits for the window.
    editor: Option<Editor>,
    screen: Option<Screen>,
    failure: Option<Box<dyn Error>>,
}

struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: SurfaceConfiguration,
    gpu: Gpu,
    stage: Stage,
    panel: Panel,
    editor: Editor,
    orbit: Orbit,
    cursor_px: DVec2,
    modifiers: ModifiersState,
    /// The camera is being moved with this button.
    navigating: Option<MouseButton>,
}

impl App {
    pub(crate) fn new(
        display: OwnedDisplayHandle,
        backend: Option<Backend>,
        editor: Editor,
        title: String,
    ) -> Self {
        Self { display, backend, title, editor: Some(editor), screen: None, failure: None }
    }

    /// What went wrong, if the window closed for it.
    pub(crate) fn outcome(self) -> Result<(), Box<dyn Error>> {
        self.failure.map_or(Ok(()), Err)
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Box<dyn Error>) {
        self.failure = Some(error);
        event_loop.exit();
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(editor) = self.editor.take() else { return };
        match Screen::new(event_loop, self.display.clone(), self.backend, editor, &self.title) {
            Ok(screen) => self.screen = Some(screen),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                if let Err(error) = screen.frame() {
                    self.fail(event_loop, error);
                }
            }
            event => screen.on_event(&event),
        }
    }
}

impl Screen {
    fn new(
        event_loop: &ActiveEventLoop,
        display: OwnedDisplayHandle,
        backend: Option<Backend>,
        editor: Editor,
        title: &str,
    ) -> Result<Self, Box<dyn Error>> {
        let attributes =
            WindowAttributes::default().with_title(title).with_inner_size(LogicalSize::new(1280.0, 800.0));
        let window = Arc::new(event_loop.create_window(attributes)?);
        let instance = instance(InstanceDescriptor::new_with_display_handle(Box::new(display)), backend);
        let surface = instance.create_surface(window.clone())?;
        let gpu = Gpu::new(&instance, Some(&surface))?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot present to this window")?;
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        config.format = formats.into_iter().find(|format| format.is_srgb()).unwrap_or(config.format);
        surface.configure(&gpu.device, &config);
        let stage = Stage::new(&gpu, config.format, editor.scene())?;
        let panel = Panel::new(&window, &gpu.device, config.format);
        let orbit = Orbit::of_scene(editor.scene());
        Ok(Self {
            window,
            surface,
            config,
            gpu,
            stage,
            panel,
            editor,
            orbit,
            cursor_px: DVec2::ZERO,
            modifiers: ModifiersState::empty(),
            navigating: None,
        })
    }

    /// `None` while the window has no pixels.
    fn view(&self) -> Option<View> {
        let size = self.window.inner_size();
        self.orbit.view(Viewport::of_size(size.width, size.height), self.window.scale_factor()).ok()
    }

    fn on_event(&mut self, event: &WindowEvent) {
        let taken = self.panel.on_event(&self.window, event);
        match event {
            WindowEvent::Resized(size) => self.resize(size.width, size.height),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                self.editor.gizmo.snap_held(self.modifiers.control_key());
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.moved(DVec2::new(position.x, position.y), taken.consumed);
            }
            WindowEvent::CursorLeft { .. } => self.editor.gizmo.pointer_left(),
            WindowEvent::MouseInput { button, state: ElementState::Pressed, .. } if !taken.consumed => {
                self.pressed(*button);
            }
            WindowEvent::MouseInput { button, state: ElementState::Released, .. } => self.released(*button),
            WindowEvent::MouseWheel { delta, .. } if !taken.consumed && !self.editor.gizmo.is_busy() => {
                self.orbit.zoom(match delta {
                    MouseScrollDelta::LineDelta(_, lines) => f64::from(*lines),
                    MouseScrollDelta::PixelDelta(by) => by.y / (40.0 * self.window.scale_factor()),
                });
            }
            WindowEvent::KeyboardInput { event, .. } if !taken.consumed => self.key(event),
            WindowEvent::Focused(false) => {
                self.navigating = None;
                self.editor.gizmo.cancel();
            }
            _ if !taken.repaint => return,
            _ => {}
        }
        self.window.request_redraw();
    }

    fn resize(&mut self, width: u32, height: u32) {
        // A minimised window has no pixels, and a surface of none is an error.
        if width > 0 && height > 0 {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }

    fn moved(&mut self, cursor_px: DVec2, over_panel: bool) {
        let by = cursor_px - self.cursor_px;
        self.cursor_px = cursor_px;
        if self.navigating.is_some() {
            match self.view() {
                Some(view) if self.modifiers.shift_key() => self.orbit.pan(by, &view),
                _ => self.orbit.turn(by / self.window.scale_factor()),
            }
        }
        if over_panel && !self.editor.gizmo.is_active() {
            self.editor.gizmo.pointer_left();
        } else {
            self.editor.gizmo.pointer_moved(cursor_px);
        }
    }

    fn pressed(&mut self, button: MouseButton) {
        match button {
            MouseButton::Left if !self.modifiers.alt_key() => {
                self.editor.toggles = self.modifiers.shift_key();
                self.editor.gizmo.pointer_pressed();
            }
            MouseButton::Right if self.editor.gizmo.is_busy() => self.editor.gizmo.cancel(),
            MouseButton::Left | MouseButton::Right | MouseButton::Middle => {
                let busy = self.editor.gizmo.is_busy();
                self.navigating = (!busy).then_some(button).or(self.navigating);
            }
            _ => {}
        }
    }

    fn released(&mut self, button: MouseButton) {
        if self.navigating == Some(button) {
            self.navigating = None;
        } else if button == MouseButton::Left {
            self.editor.gizmo.pointer_released();
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        if event.state != ElementState::Pressed || event.repeat {
            return;
        }
        let name = match &event.logical_key {
            Key::Character(text) => text.as_str(),
            Key::Named(NamedKey::Escape) => "escape",
            Key::Named(NamedKey::F1) => "f1",
            _ => return,
        };
        let ctrl = self.modifiers.control_key() || self.modifiers.super_key();
        let (Some(command), Some(view)) = (Command::of(name, ctrl, self.modifiers.shift_key()), self.view())
        else {
            return;
        };
        match command {
            Command::Frame => {
                let scene = self.editor.scene();
                let selected = self.editor.selection().nodes().iter();
                let selected = selected.filter_map(|node| scene.world_bounds(*node)).reduce(Bounds::union);
                if let Some(bounds) = selected.or_else(|| scene.bounds()) {
                    self.orbit.frame(bounds.center(), bounds.radius());
                }
            }
            Command::Cancel if self.panel.shows_help => self.panel.shows_help = false,
            Command::Help => self.panel.shows_help = !self.panel.shows_help,
            command => {
                self.editor.run(command, &view);
            }
        }
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let Some(view) = self.view() else { return Ok(()) };
        let texture = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) => texture,
            CurrentSurfaceTexture::Suboptimal(texture) => {
                // A texture of the old surface must be gone before the new one is configured.
                drop(texture);
                self.surface.configure(&self.gpu.device, &self.config);
                self.window.request_redraw();
                return Ok(());
            }
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Lost => {
                let size = self.window.inner_size();
                self.resize(size.width, size.height);
                self.window.request_redraw();
                return Ok(());
            }
            CurrentSurfaceTexture::Timeout
            | CurrentSurfaceTexture::Occluded
            | CurrentSurfaceTexture::Validation => return Ok(()),
        };
        while let Some(answer) = self.stage.poll(&self.gpu)? {
            self.editor.gizmo.answer(&answer);
        }
        self.editor.update(&view);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.stage.ask(&self.gpu, &mut encoder, &mut self.editor)?;
        let target = texture.texture.create_view(&Default::default());
        self.stage.draw(&self.gpu, &mut encoder, &target, &mut self.editor, &view);
        let Gpu { device, queue, .. } = &self.gpu;
        let again = self.panel.draw(&self.window, device, queue, &mut encoder, &target, &self.editor);
        queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        queue.present(texture);
        if self.navigating.is_none() {
            self.window.set_cursor(match self.editor.gizmo.cursor_hint() {
                CursorHint::Default => CursorIcon::Default,
                CursorHint::Grab => CursorIcon::Grab,
                CursorHint::Grabbing => CursorIcon::Grabbing,
            });
        }
        if again || self.stage.is_waiting() || self.editor.gizmo.needs_redraw() {
            self.window.request_redraw();
        }
        Ok(())
    }
}
