//! The scene of the example.

use crate::shader;
use glow::HasContext;
use wgpu_gizmo_core::glam::DMat4;

// A strip of 14 corners, whose colors are their positions.
const VERTEX: &str = "
    uniform mat4 clip_from_cube;
    out vec3 shade;
    void main() {
        shade = vec3((ivec3(10362, 687, 12771) >> gl_VertexID) & 1);
        gl_Position = clip_from_cube * vec4(shade - 0.5, 1.0);
    }";
const FRAGMENT: &str = "
    in vec3 shade;
    out vec4 color;
    void main() { color = vec4(0.2 + 0.5 * shade, 1.0); }";

/// A cube with sides of length 1.
#[derive(Debug)]
pub struct Cube {
    program: glow::Program,
    clip_from_cube: Option<glow::UniformLocation>,
    vertex_array: glow::VertexArray,
}

impl Cube {
    /// Creates the program in the current context.
    ///
    /// # Errors
    /// Returns what OpenGL says if it cannot compile the program.
    pub fn new(gl: &glow::Context) -> Result<Self, String> {
        let program = shader::program(gl, [VERTEX, FRAGMENT])?;
        // SAFETY: the names are of this context, which is current.
        unsafe {
            let clip_from_cube = gl.get_uniform_location(program, "clip_from_cube");
            Ok(Self { program, clip_from_cube, vertex_array: gl.create_vertex_array()? })
        }
    }

    /// Clears the bound framebuffer of this size and draws the cube. `clip_from_cube` has the depths of OpenGL, −1 to 1.
    pub fn draw(&self, gl: &glow::Context, size_px: [u32; 2], clip_from_cube: DMat4) {
        let [width, height] = size_px.map(|side| side as i32);
        // SAFETY: the names are of this context, which is current. The shader reads no buffer.
        unsafe {
            gl.viewport(0, 0, width, height);
            gl.clear_color(0.13, 0.15, 0.18, 1.0);
            gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
            gl.enable(glow::DEPTH_TEST);
            gl.use_program(Some(self.program));
            let matrix = clip_from_cube.as_mat4().to_cols_array();
            gl.uniform_matrix_4_f32_slice(self.clip_from_cube.as_ref(), false, &matrix);
            gl.bind_vertex_array(Some(self.vertex_array));
            gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 14);
            gl.bind_vertex_array(None);
        }
    }
}
