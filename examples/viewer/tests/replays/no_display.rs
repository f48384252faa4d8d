//! Without a display the viewer runs its command line without a window, and reports this.

use crate::{Folder, replay_folder};
use std::path::Path;
use std::process::{Command, Output};

fn viewer_without_display(arguments: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"));
    command.args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command.output().expect("the viewer starts")
}

#[cfg(target_os = "linux")]
#[test]
fn scene_without_display_is_drawn_and_exits_with_4() {
    let folder = Folder::new();
    let scene = replay_folder().join("scene.gltf");
    for name in ["scene.png", "scene 1.png"] {
        let output = viewer_without_display(&[&scene, Path::new("--out"), &folder.0]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        assert!(stderr.contains("Could not open a window") && stderr.contains(name), "{stderr}");
        assert!(image::open(folder.0.join(name)).is_ok_and(|picture| picture.width() == 1280));
    }
    let wanted = folder.0.join("wanted.png");
    let arguments = [Path::new("--headless"), &scene, Path::new("--screenshot"), &wanted];
    assert!(viewer_without_display(&arguments).status.success());
    let read = |path: &Path| std::fs::read(path).expect("the picture was written");
    assert!(read(&wanted) == read(&folder.0.join("scene.png")), "the same scene");
}

#[cfg(target_os = "linux")]
#[test]
fn escapes_from_file_are_not_printed() {
    let folder = Folder::new();
    let replay = |event: &str| {
        format!(
            r#"{{"version":1,"size_px":[64,64],"scene":{{"objects":[{{"name":"\u009b31m\u202eb","shape":"cube"}}]}},"events":[{{"select":["\u009b31m\u202eb"]}},{event}]}}"#
        )
    };
    for (event, status, wanted) in [
        (r#"{"select":["\u009b31m\u202eb"]}"#, 0, "\\u009b31m\\u202eb"),
        (r#"{"select":["\u001b[2J"]}"#, 2, "\\u{1b}[2J"),
    ] {
        let path = folder.write("escapes.json", replay(event).as_bytes());
        let output = viewer_without_display(&[Path::new("--replay"), &path, Path::new("--headless")]);
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(status), "{text}");
        assert!(text.contains(wanted), "{text}");
        assert!(
            text.lines().all(|line| !line.chars().any(|c| c.is_control() || c == '\u{202e}')),
            "{text:?}"
        );
    }
}
