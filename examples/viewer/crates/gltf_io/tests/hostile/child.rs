//! The process that opens one file, or every file of a folder, and reports the outcome and the memory used.

use scene::Scene;
use scene::rig::Pose;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wgpu_gizmo_viewer_gltf_io::{FileError, Format, open, save};

/// Prefixes of the lines that the parent reads.
pub(crate) const PEAK_KB: &str = "peak_kb ";
pub(crate) const SHOWN_KB: &str = "shown_kb ";
pub(crate) const RESULT: &str = "result ";

/// Opens a file, or each file of a folder, and saves the scenes that open to another folder.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let [input, out] = arguments else { panic!("two arguments: {arguments:?}") };
    let (input, out) = (Path::new(input), Path::new(out));
    let before = peak_kb();
    let mut shown = 0;
    for (index, path) in
        if input.is_dir() { files_of(input) } else { vec![input.to_owned()] }.into_iter().enumerate()
    {
        let mut result = open(&path);
        if let Ok(scene) = &mut result {
            play(scene);
            shown = shown.max(shown_bytes(scene) / 1024);
            println!("{PEAK_KB}{}", peak_kb() - before);
            // Writing a file to the disk takes longer than everything else.
            if index % 16 == 0 {
                save_both(scene, out);
            }
        }
        println!("{RESULT}{}", line(&result));
    }
    println!("{PEAK_KB}{}", peak_kb() - before);
    println!("{SHOWN_KB}{shown}");
    ExitCode::SUCCESS
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is readable");
    entries.map(|entry| entry.expect("the entry is readable").path()).collect()
}

/// Shows several instants of each animation.
fn play(scene: &mut Scene) {
    for animation in 0..scene.rig().animations.len() {
        for time in [0.0, 0.5, 1e30] {
            scene.set_pose(Some(Pose { animation, time }));
            let mut vertices = scene.meshes().iter().flat_map(|mesh| mesh.positions.iter().flatten());
            assert!(vertices.all(|coordinate| coordinate.is_finite()));
        }
    }
    scene.set_pose(None);
}

fn save_both(scene: &Scene, out: &Path) {
    for name in ["saved.glb", "saved.gltf"] {
        let path = out.join(name);
        assert!(Format::of(&path).is_some());
        match save(scene, &path) {
            Ok(written) => println!("{RESULT}saved {}", written.remark.unwrap_or_default()),
            Err(error) => println!("{RESULT}not saved {error}"),
        }
    }
}

/// Returns the lines that the user would see.
fn line(result: &Result<Scene, FileError>) -> String {
    match result {
        Ok(scene) => format!("opened {}", scene.notice.clone().unwrap_or_default()),
        Err(error) => format!("refused {error}"),
    }
}

/// Returns the memory of the data that a window shows.
fn shown_bytes(scene: &Scene) -> u64 {
    let meshes = scene.meshes().iter().map(|mesh| {
        12 * mesh.positions.len()
            + 12 * mesh.normals.len()
            + 4 * mesh.colors.len()
            + 8 * mesh.uvs.len()
            + 4 * mesh.indices.len()
    });
    let images = scene.look.images.iter().map(|image| 4 * image.rgba.len());
    meshes.chain(images).sum::<usize>() as u64
}

/// Returns the largest resident size of this process so far.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the kernel reports the status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    peak.and_then(|kb| kb.parse().ok()).expect("the kernel reports the peak")
}
