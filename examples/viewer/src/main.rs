//! Opens a glTF scene and lets you move its nodes with `wgpu-gizmo`.

#![allow(dead_code, unused_imports, reason = "the window that calls all of this is not there yet")]

mod bounds;
mod built_in;
mod file_error;
mod gltf_file;
mod json;
mod mesh;
mod replay_file;
mod scene;
mod scene_renderer;
mod shapes;

use std::path::Path;
use std::process::ExitCode;

/// Prints the node tree of the given file.
fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: wgpu-gizmo-viewer FILE.glb");
        return ExitCode::from(2);
    };
    match gltf_file::open(Path::new(&path)) {
        Ok(scene) => {
            for (node, depth) in scene.outline() {
                println!("{}{}", "  ".repeat(depth), file_error::printable(&scene.nodes()[node].name));
            }
            if let Some(notice) = &scene.notice {
                eprintln!("{}: {notice}", Path::new(&path).display());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
