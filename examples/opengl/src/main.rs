//! A cube with a gizmo in a window of OpenGL, without wgpu.
//!
//! ```text
//! cargo run -p wgpu-gizmo-opengl
//! cargo run -p wgpu-gizmo-opengl -- --picture FILE.png
//! ```

use glutin::config::ConfigTemplateBuilder;
use glutin::context::{
    ContextApi, ContextAttributesBuilder, NotCurrentGlContext, PossiblyCurrentContext, Version,
};
use glutin::display::{GetGlDisplay, GlDisplay};
use glutin::surface::{GlSurface, Surface, WindowSurface};
use glutin_winit::{DisplayBuilder, GlWindow};
use std::error::Error;
use std::num::NonZeroU32;
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::{DMat4, DVec3, dcamera::rh};
use wgpu_gizmo_core::{DrawList, Event, Gizmo, IdSpace, Mode, Transform, View, Viewport};
use wgpu_gizmo_opengl::{Cube, Painter};
use wgpu_gizmo_winit::WinitInput;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::raw_window_handle::HasWindowHandle;
use winit::window::{Window, WindowId};

/// The scene and its gizmo, which know no window.
struct Editor {
    cube: Transform,
    undo: Vec<Transform>,
    gizmo: Gizmo,
    input: WinitInput,
    list: DrawList,
    triangles: Triangles,
}

impl Editor {
    fn new(scale_factor: f64) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            cube: Transform::IDENTITY,
            undo: Vec::new(),
            gizmo: Gizmo::new(&mut IdSpace::new())?,
            input: WinitInput::new(scale_factor),
            list: DrawList::new(),
            triangles: Triangles::new(),
        })
    }

    /// Moves the cube and makes the triangles. Returns the matrix of the cube.
    fn update(&mut self, [width, height]: [u32; 2]) -> Result<DMat4, Box<dyn Error>> {
        let eye = rh::view::look_at_mat4(DVec3::new(2.5, 2.0, 4.0), DVec3::ZERO, DVec3::Y);
        let (fov_y, aspect) = (0.8, f64::from(width) / f64::from(height));
        // The gizmo takes depths from 0 to 1. They only have to agree with the scene if a style of depth is set.
        let lens = rh::proj::directx::perspective(fov_y, aspect, 0.1, 100.0);
        let view = View::new(eye, lens, Viewport::from_size(width, height), self.input.scale_factor())?;
        let events = self.gizmo.update_one(&view, &mut self.cube);
        if events.contains(&Event::Ended { changed: true }) {
            self.undo.extend(self.gizmo.starts());
        }
        self.gizmo.draw(self.list.begin(&view));
        // Picks the handle under the pointer on the CPU.
        self.gizmo.answer_from(&self.list);
        self.list.stroke_readouts();
        self.list.triangles_px(&mut self.triangles);
        Ok(rh::proj::opengl::perspective(fov_y, aspect, 0.1, 100.0) * eye * self.cube.to_matrix())
    }

    /// Handles the keys of the program. Returns true if the picture may have changed.
    fn key(&mut self, key: &Key) -> bool {
        match key {
            Key::Character(key) if key == "w" => self.gizmo.settings.mode = Mode::Translate,
            Key::Character(key) if key == "e" => self.gizmo.settings.mode = Mode::Rotate,
            Key::Character(key) if key == "r" => self.gizmo.settings.mode = Mode::Scale,
            Key::Named(NamedKey::Backspace) => self.cube = self.undo.pop().unwrap_or(self.cube),
            _ => return false,
        }
        true
    }
}

/// A window with a context.
struct Screen {
    window: Window,
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    gl: glow::Context,
    scene: Cube,
    painter: Painter,
    editor: Editor,
}

impl Screen {
    fn new(event_loop: &ActiveEventLoop) -> Result<Self, Box<dyn Error>> {
        let attributes = Window::default_attributes().with_title("wgpu-gizmo on OpenGL");
        let template = ConfigTemplateBuilder::new().with_depth_size(24);
        let (window, config) = DisplayBuilder::new().with_window_attributes(Some(attributes)).build(
            event_loop,
            template,
            |mut configs| configs.next().expect("there is a configuration"),
        )?;
        let window = window.ok_or("there is no window")?;
        let handle = window.window_handle()?.as_raw();
        let display = config.display();
        let api = ContextApi::OpenGl(Some(Version::new(3, 3)));
        let attributes = ContextAttributesBuilder::new().with_context_api(api).build(Some(handle));
        let surface_attributes = window.build_surface_attributes(Default::default())?;
        // SAFETY: the handle is that of the window, which lives as long as the context and the surface.
        let (surface, context) = unsafe {
            let context = display.create_context(&config, &attributes)?;
            (display.create_window_surface(&config, &surface_attributes)?, context)
        };
        let context = context.make_current(&surface)?;
        // SAFETY: the functions are of the context, which is current.
        let gl = unsafe { glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name)) };
        Ok(Self {
            scene: Cube::new(&gl)?,
            painter: Painter::new(&gl)?,
            editor: Editor::new(window.scale_factor())?,
            window,
            surface,
            context,
            gl,
        })
    }

    fn frame(&mut self) -> Result<(), Box<dyn Error>> {
        let size: [u32; 2] = self.window.inner_size().into();
        let [Some(width), Some(height)] = size.map(NonZeroU32::new) else { return Ok(()) };
        self.surface.resize(&self.context, width, height);
        let clip_from_cube = self.editor.update(size)?;
        self.scene.draw(&self.gl, size, clip_from_cube);
        let viewport = Viewport::from_size(size[0], size[1]);
        self.painter.paint(&self.gl, size, viewport, &self.editor.triangles);
        self.surface.swap_buffers(&self.context)?;
        if self.editor.gizmo.needs_redraw(0) {
            self.window.request_redraw();
        }
        Ok(())
    }
}

#[derive(Default)]
struct App(Option<Screen>);

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match Screen::new(event_loop) {
            Ok(screen) => self.0 = Some(screen),
            Err(error) => {
                eprintln!("no window of OpenGL 3.3: {error}");
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.0 else { return };
        let response = screen.editor.input.on_window_event(&mut screen.editor.gizmo, &event);
        if response.repaint {
            screen.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => screen.frame().expect("the context is not lost"),
            WindowEvent::KeyboardInput { event, .. }
                if !response.consumed
                    && event.state == ElementState::Pressed
                    && screen.editor.key(&event.logical_key) =>
            {
                screen.window.request_redraw();
            }
            WindowEvent::Resized(_) | WindowEvent::Occluded(false) => screen.window.request_redraw(),
            _ => {}
        }
    }
}

/// Writes the first picture to a file, without a window.
#[cfg(target_os = "linux")]
fn write_picture(path: &str) -> Result<(), Box<dyn Error>> {
    let offscreen = wgpu_gizmo_opengl::Offscreen::new([800, 600])?;
    let (gl, size_px) = (&offscreen.gl, offscreen.size_px);
    let mut editor = Editor::new(1.0)?;
    let clip_from_cube = editor.update(size_px)?;
    Cube::new(gl)?.draw(gl, size_px, clip_from_cube);
    let viewport = Viewport::from_size(size_px[0], size_px[1]);
    Painter::new(gl)?.paint(gl, size_px, viewport, &editor.triangles);
    let mut encoder = png::Encoder::new(std::fs::File::create(path)?, size_px[0], size_px[1]);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header()?.write_image_data(offscreen.pixels().as_flattened())?;
    println!("{path}");
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn write_picture(_: &str) -> Result<(), Box<dyn Error>> {
    Err("pictures without a window need EGL".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(EventLoop::new()?.run_app(&mut App::default())?),
        ["--picture", path] => write_picture(path),
        _ => Err("usage: wgpu-gizmo-opengl [--picture FILE.png]".into()),
    }
}
