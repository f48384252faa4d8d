//! Compares the pictures of OpenGL with those of the renderer on wgpu.
#![cfg(target_os = "linux")]

#[path = "../../../tests/common/mod.rs"]
mod common;

use common::cases::{self, Case};
use common::host::{PLAIN, picture};
use common::painted::{BACKGROUND, assert_similar};
use glow::HasContext;
use wgpu_gizmo::DrawList;
use wgpu_gizmo::draw::parts::Triangles;
use wgpu_gizmo_opengl::{Offscreen, Painter};

/// Draws lists with OpenGL. wgpu, which may also use OpenGL, makes a context of its own current in this thread, so it is
/// called only afterwards.
fn painted(case: &Case, lists: &[DrawList]) -> Vec<Vec<[u8; 4]>> {
    let offscreen = Offscreen::new(case.target).expect("EGL has a device");
    let painter = Painter::new(&offscreen.gl).expect("the program compiles");
    let background = BACKGROUND as f32;
    let paint = |list: &DrawList| {
        let mut triangles = Triangles::new();
        list.triangles_px(&mut triangles);
        // SAFETY: the context is current.
        unsafe {
            offscreen.gl.clear_color(background, background, background, 1.0);
            offscreen.gl.clear(glow::COLOR_BUFFER_BIT);
        }
        painter.paint(&offscreen.gl, offscreen.size_px, case.view.viewport(), &triangles);
        offscreen.pixels()
    };
    lists.iter().map(paint).collect()
}

#[test]
fn opengl_shows_what_the_renderer_draws() {
    for case in cases::all() {
        let lists = common::MODES.map(|mode| common::list(&case, mode));
        let found = painted(&case, &lists);
        for ((mode, list), found) in common::MODES.iter().zip(&lists).zip(found) {
            let expected = picture(&case, PLAIN, BACKGROUND, list);
            assert_similar(&format!("{} {mode:?}", case.name), &expected, &found, 1);
        }
    }
}
