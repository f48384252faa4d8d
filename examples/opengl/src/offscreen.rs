//! A context without a window, for pictures.

use glow::HasContext;
use glutin::api::egl::{context::PossiblyCurrentContext, device::Device, display::Display};
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::display::GlDisplay;
use std::error::Error;
use std::ffi::CStr;

/// A context of EGL without a surface, and a framebuffer with color and depth, which is bound.
#[derive(Debug)]
pub struct Offscreen {
    /// The functions of the context.
    pub gl: glow::Context,
    /// The width and the height of the framebuffer.
    pub size_px: [u32; 2],
    _context: PossiblyCurrentContext,
}

impl Offscreen {
    /// Creates a context on the first device that has one, and makes it current.
    ///
    /// # Errors
    /// Returns the error of the last device, or one that says that EGL has none.
    pub fn new(size_px: [u32; 2]) -> Result<Self, Box<dyn Error>> {
        let mut last: Box<dyn Error> = "EGL has no device".into();
        for device in Device::query_devices()? {
            match Self::on(&device, size_px) {
                Ok(offscreen) => return Ok(offscreen),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn on(device: &Device, size_px: [u32; 2]) -> Result<Self, Box<dyn Error>> {
        let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        let api = ContextApi::Gles(Some(Version::new(3, 0)));
        let attributes = ContextAttributesBuilder::new().with_context_api(api).build(None);
        // SAFETY: the display is of a device, so there is no native window that it could outlive.
        let (display, context) = unsafe {
            let display = Display::with_device(device, None)?;
            let config = display.find_configs(template)?.next().ok_or("the device has no configuration")?;
            let context = display.create_context(&config, &attributes)?.make_current_surfaceless()?;
            (display, context)
        };
        let address = |name: &CStr| display.get_proc_address(name);
        // SAFETY: the functions are of the context, which is current.
        let gl = unsafe { glow::Context::from_loader_function_cstr(address) };
        framebuffer(&gl, size_px)?;
        Ok(Self { gl, size_px, _context: context })
    }

    /// Returns the pixels, from the top left, row by row: red, green, blue and opacity.
    pub fn pixels(&self) -> Vec<[u8; 4]> {
        let [width, height] = self.size_px;
        let mut pixels = vec![[0; 4]; (width * height) as usize];
        let bytes = glow::PixelPackData::Slice(Some(pixels.as_flattened_mut()));
        // SAFETY: the slice has room for all pixels.
        unsafe {
            self.gl.read_pixels(0, 0, width as i32, height as i32, glow::RGBA, glow::UNSIGNED_BYTE, bytes);
        }
        // The rows of OpenGL begin at the bottom.
        let rows = pixels.chunks_exact(width as usize).rev();
        rows.flatten().copied().collect()
    }
}

/// Binds a framebuffer of this size.
fn framebuffer(gl: &glow::Context, [width, height]: [u32; 2]) -> Result<(), String> {
    let buffers = [(glow::RGBA8, glow::COLOR_ATTACHMENT0), (glow::DEPTH_COMPONENT24, glow::DEPTH_ATTACHMENT)];
    // SAFETY: the names are of this context, which is current.
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(gl.create_framebuffer()?));
        for (format, attachment) in buffers {
            let buffer = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
            gl.renderbuffer_storage(glow::RENDERBUFFER, format, width as i32, height as i32);
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, glow::RENDERBUFFER, Some(buffer));
        }
        match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
            glow::FRAMEBUFFER_COMPLETE => Ok(()),
            status => Err(format!("the framebuffer is incomplete: {status:#x}")),
        }
    }
}
