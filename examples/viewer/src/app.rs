//! The window: events in, frames out.

use crate::bounds::Bounds;
use crate::cameras::Cameras;
use crate::command::{Command, LASSO_KEY, VERTEX_KEY, gizmo_key};
use crate::device::{Backend, Gpu, instance};
use crate::editor::Editor;
use crate::panel::Panel;
use crate::selection::How;
use crate::stage::Stage;
use crate::views::Views;
use std::error::Error;
use std::sync::Arc;
use wgpu::{CurrentSurfaceTexture, InstanceDescriptor, SurfaceConfiguration};
use wgpu_gizmo::Viewport;
use wgpu_gizmo::glam::DVec2;
use wgpu_gizmo::interaction::CursorHint;
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
    cameras: Cameras,
    /// As they were when the window last had pixels.
    views: Views,
    cursor_px: DVec2,
    modifiers: ModifiersState,
    /// The camera is being moved with this button.
    navigating: Option<MouseButton>,
}

/// Keys without a character, by the names of the table of commands.
const NAMED_KEYS: [(NamedKey, &str); 10] = [
    (NamedKey::Escape, "escape"),
    (NamedKey::Enter, "enter"),
    (NamedKey::Backspace, "backspace"),
    (NamedKey::Tab, "tab"),
    (NamedKey::ArrowLeft, "left"),
    (NamedKey::ArrowRight, "right"),
    (NamedKey::ArrowUp, "up"),
    (NamedKey::ArrowDown, "down"),
    (NamedKey::F1, "f1"),
    (NamedKey::F4, "f4"),
];

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
        let cameras = Cameras::of_scene(editor.scene());
        let first = Viewport::of_size(config.width, config.height);
        let first = *cameras.views(first, window.scale_factor())?.first().ok_or("no view")?;
        Ok(Self {
            window,
            surface,
            config,
            gpu,
            stage,
            panel,
            editor,
            cameras,
            views: Views::one(first),
            cursor_px: DVec2::ZERO,
            modifiers: ModifiersState::empty(),
            navigating: None,
        })
    }

    /// Makes the views anew, as window and cameras are now; `false` while the window has no
    /// pixels.
    fn look(&mut self) -> bool {
        let size = self.window.inner_size();
        let window = Viewport::of_size(size.width, size.height);
        let views = self.cameras.views(window, self.window.scale_factor());
        let is_seen = views.is_ok();
        self.views.renew(views.unwrap_or_else(|_| self.views.all().to_vec()));
        is_seen
    }

    fn on_event(&mut self, event: &WindowEvent) {
        let taken = self.panel.on_event(&self.window, event);
        match event {
            WindowEvent::Resized(size) => self.resize(size.width, size.height),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                self.editor.gizmo.snap_held(self.modifiers.control_key());
                self.editor.gizmo.precision_held(self.modifiers.shift_key());
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.moved(DVec2::new(position.x, position.y), taken.consumed);
            }
            WindowEvent::CursorLeft { .. } => self.editor.pointer_left(),
            WindowEvent::MouseInput { button, state: ElementState::Pressed, .. } if !taken.consumed => {
                self.pressed(*button);
            }
            WindowEvent::MouseInput { button, state: ElementState::Released, .. } => self.released(*button),
            WindowEvent::MouseWheel { delta, .. } if !taken.consumed && !self.editor.is_busy() => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => f64::from(*lines),
                    MouseScrollDelta::PixelDelta(by) => by.y / (40.0 * self.window.scale_factor()),
                };
                self.cameras.zoom(&self.views, notches);
            }
            // egui takes Tab to go about among its widgets; in a drag it is a number's.
            WindowEvent::KeyboardInput { event, .. } if !taken.consumed || self.editor.gizmo.wants_keys() => {
                self.key(event);
            }
            WindowEvent::Focused(false) => {
                self.navigating = None;
                self.editor.hold_vertex(false);
                self.editor.hold_lasso(false);
                self.editor.cancel();
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
            self.cameras.drag(&self.views, by, self.modifiers.shift_key());
        }
        self.views.follow(cursor_px, self.navigating.is_some() || self.editor.is_busy());
        if over_panel && !self.editor.is_busy() {
            self.editor.pointer_left();
        } else {
            self.editor.pointer_moved(cursor_px);
        }
    }

    fn pressed(&mut self, button: MouseButton) {
        match button {
            MouseButton::Left if !self.modifiers.alt_key() => {
                let how = How::of(self.modifiers.shift_key(), self.modifiers.control_key());
                self.editor.pointer_pressed(how);
            }
            MouseButton::Right if self.editor.is_busy() => self.editor.cancel(),
            MouseButton::Left | MouseButton::Right | MouseButton::Middle => {
                let busy = self.editor.is_busy();
                self.navigating = (!busy).then_some(button).or(self.navigating);
            }
            _ => {}
        }
    }

    fn released(&mut self, button: MouseButton) {
        if self.navigating == Some(button) {
            self.navigating = None;
        } else if button == MouseButton::Left {
            self.editor.pointer_released();
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        let is_pressed = event.state == ElementState::Pressed;
        let name = match &event.logical_key {
            Key::Character(text) => text.as_str(),
            Key::Named(key) => match NAMED_KEYS.iter().find(|(named, _)| named == key) {
                Some((_, name)) => name,
                None => return,
            },
            _ => return,
        };
        let (ctrl, shift) =
            (self.modifiers.control_key() || self.modifiers.super_key(), self.modifiers.shift_key());
        if name.eq_ignore_ascii_case(VERTEX_KEY) && (!ctrl || !is_pressed) {
            self.editor.hold_vertex(is_pressed);
        }
        if name.eq_ignore_ascii_case(LASSO_KEY) {
            self.editor.hold_lasso(is_pressed);
        }
        if !is_pressed {
            return;
        }
        if let Some(key) = gizmo_key(name, shift).filter(|key| !ctrl && self.editor.takes(*key)) {
            self.editor.gizmo.key(key);
            // Whether the next key is the gizmo's as well, it knows only then; keys can come faster
            // than frames.
            self.editor.update(self.views.current());
        } else if let Some(command) = Command::of(name, ctrl, shift).filter(|_| !event.repeat) {
            self.run(command);
        }
    }

    fn run(&mut self, command: Command) {
        match command {
            Command::Frame => {
                let scene = self.editor.scene();
                let selected = self.editor.selection().nodes().iter();
                let selected = selected.filter_map(|node| scene.world_bounds(*node)).reduce(Bounds::union);
                if let Some(bounds) = selected.or_else(|| scene.bounds()) {
                    self.cameras.frame(bounds);
                }
            }
            Command::Views => {
                self.cameras.switch();
                self.look();
                self.views.follow(self.cursor_px, self.editor.is_busy());
            }
            Command::Cancel if self.panel.shows_help => self.panel.shows_help = false,
            Command::Help => self.panel.shows_help = !self.panel.shows_help,
            command => {
                self.editor.run(command, self.views.current());
            }
        }
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        if !self.look() {
            return Ok(());
        }
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
        self.stage.poll(&self.gpu, &mut self.editor)?;
        self.editor.update(self.views.current());
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let size_px = [self.config.width, self.config.height];
        self.stage.ask(&self.gpu, &mut encoder, &mut self.editor, self.views.current(), size_px)?;
        let target = texture.texture.create_view(&Default::default());
        self.stage.draw(&self.gpu, &mut encoder, &target, &mut self.editor, &self.views)?;
        let notes = self.stage.notes(&self.editor, &self.views);
        let shown = (&self.editor, &notes);
        let again = self.panel.draw(&self.window, &self.gpu, &mut encoder, &target, shown);
        self.gpu.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        self.gpu.queue.present(texture);
        if self.navigating.is_none() {
            self.window.set_cursor(match self.editor.gizmo.cursor_hint() {
                _ if self.editor.drawn().is_some() => CursorIcon::Crosshair,
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
