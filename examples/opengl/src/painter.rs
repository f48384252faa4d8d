//! Draws the triangles of a gizmo.

use crate::shader;
use glow::HasContext;
use wgpu_gizmo_core::Viewport;
use wgpu_gizmo_core::draw::parts::{TriangleVertex, Triangles};

// Pixels count from the top left, and the clip space of OpenGL from the bottom left.
const VERTEX: &str = "
    uniform vec2 size_px;
    layout(location = 0) in vec2 position_px;
    layout(location = 1) in vec4 color;
    out vec4 shade;
    void main() {
        vec2 share = position_px / size_px;
        gl_Position = vec4(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0);
        shade = color;
    }";
const FRAGMENT: &str = "
    in vec4 shade;
    out vec4 color;
    void main() { color = shade; }";

/// The program and the buffers that draw triangles. They belong to one context, and live as long as it.
#[derive(Debug)]
pub struct Painter {
    program: glow::Program,
    size_px: Option<glow::UniformLocation>,
    /// It also binds the buffer of the indices.
    vertex_array: glow::VertexArray,
    vertices: glow::Buffer,
}

impl Painter {
    /// Creates the program and the buffers in the current context.
    ///
    /// # Errors
    /// Returns what OpenGL says if it cannot compile the program, for example before OpenGL 3.3 or OpenGL ES 3.0.
    pub fn new(gl: &glow::Context) -> Result<Self, String> {
        let program = shader::program(gl, [VERTEX, FRAGMENT])?;
        // SAFETY: all names are of this context, which is current. The attributes are the fields of `TriangleVertex`.
        unsafe {
            let vertex_array = gl.create_vertex_array()?;
            let (vertices, indices) = (gl.create_buffer()?, gl.create_buffer()?);
            gl.bind_vertex_array(Some(vertex_array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(vertices));
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(indices));
            let stride = size_of::<TriangleVertex>() as i32;
            for (location, components, offset) in [(0, 2, 0), (1, 4, size_of::<[f32; 2]>() as i32)] {
                gl.enable_vertex_attrib_array(location);
                gl.vertex_attrib_pointer_f32(location, components, glow::FLOAT, false, stride, offset);
            }
            gl.bind_vertex_array(None);
            let size_px = gl.get_uniform_location(program, "size_px");
            Ok(Self { program, size_px, vertex_array, vertices })
        }
    }

    /// Draws triangles over what the bound framebuffer of this size shows, within the viewport of their view. The
    /// colors are encoded in sRGB and blended so: the framebuffer must store them as they are, without
    /// `FRAMEBUFFER_SRGB`.
    pub fn paint(&self, gl: &glow::Context, size_px: [u32; 2], viewport: Viewport, triangles: &Triangles) {
        let [width, height] = size_px.map(|side| side as i32);
        let [left, right] = [viewport.x, viewport.x + viewport.width].map(|x| x.round() as i32);
        let [top, bottom] = [viewport.y, viewport.y + viewport.height].map(|y| y.round() as i32);
        // SAFETY: all names are of this context, which is current, and every index is one of a vertex.
        unsafe {
            if !gl.version().is_embedded {
                gl.disable(glow::FRAMEBUFFER_SRGB);
            }
            for state in [glow::DEPTH_TEST, glow::CULL_FACE, glow::STENCIL_TEST] {
                gl.disable(state);
            }
            // Rows count from the bottom.
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(left, height - bottom, right - left, bottom - top);
            gl.enable(glow::BLEND);
            gl.blend_equation(glow::FUNC_ADD);
            gl.blend_func(glow::ONE, glow::ONE_MINUS_SRC_ALPHA);
            gl.color_mask(true, true, true, true);
            gl.viewport(0, 0, width, height);
            gl.use_program(Some(self.program));
            gl.uniform_2_f32(self.size_px.as_ref(), width as f32, height as f32);
            gl.bind_vertex_array(Some(self.vertex_array));
            let (vertices, indices) = (triangles.vertices(), triangles.indices());
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.vertices));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytemuck::cast_slice(vertices), glow::STREAM_DRAW);
            gl.buffer_data_u8_slice(
                glow::ELEMENT_ARRAY_BUFFER,
                bytemuck::cast_slice(indices),
                glow::STREAM_DRAW,
            );
            gl.draw_elements(glow::TRIANGLES, indices.len() as i32, glow::UNSIGNED_INT, 0);
            gl.bind_vertex_array(None);
            gl.disable(glow::BLEND);
            gl.disable(glow::SCISSOR_TEST);
        }
    }
}
