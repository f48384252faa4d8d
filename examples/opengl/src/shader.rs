//! Compiles programs for desktop OpenGL and for OpenGL ES.

use glow::HasContext;

/// Compiles and links a program. The sources have neither a version nor a precision.
pub(crate) fn program(gl: &glow::Context, sources: [&str; 2]) -> Result<glow::Program, String> {
    let header = match gl.version().is_embedded {
        true => "#version 300 es\nprecision highp float;\n",
        false => "#version 330 core\n",
    };
    // SAFETY: all names are of this context, which is current, and none is used after it is deleted.
    unsafe {
        let program = gl.create_program()?;
        for (kind, source) in [glow::VERTEX_SHADER, glow::FRAGMENT_SHADER].into_iter().zip(sources) {
            let shader = gl.create_shader(kind)?;
            gl.shader_source(shader, &format!("{header}{source}"));
            gl.compile_shader(shader);
            if !gl.get_shader_compile_status(shader) {
                return Err(gl.get_shader_info_log(shader));
            }
            gl.attach_shader(program, shader);
            // It is freed with the program.
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        match gl.get_program_link_status(program) {
            true => Ok(program),
            false => Err(gl.get_program_info_log(program)),
        }
    }
}
