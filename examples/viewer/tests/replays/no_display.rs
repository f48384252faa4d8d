//! Without a display the viewer runs its command line without a window, and reports this.

use crate::viewer::*;

fn viewer_without_display(arguments: &[&Path]) -> Output {
    viewer_command(arguments).output().expect("the viewer starts")
}

fn viewer_command(arguments: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"));
    command.args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

#[test]
fn demo_names_absolute_pictures_and_drivers_print_nothing() {
    let folder = Folder::new();
    let output = viewer_command(&[]).env_remove("XDG_RUNTIME_DIR").current_dir(folder.path()).output();
    let output = output.expect("the viewer starts");
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{stdout}");
    let pictures: Vec<&Path> = stdout.lines().filter(|line| line.ends_with(".png")).map(Path::new).collect();
    assert_eq!(pictures.len(), 6, "{stdout}");
    for picture in pictures {
        assert!(picture.is_absolute() && image::open(picture).is_ok(), "{}", picture.display());
    }
}

#[test]
fn scene_without_display_is_drawn_and_exits_with_4() {
    let folder = Folder::new();
    let scene = replay_folder().join("scene.gltf");
    for name in ["scene.png", "scene 1.png"] {
        let command = &mut viewer_command(&[&scene, Path::new("--out"), Path::new(".")]);
        let output = command.current_dir(folder.path()).output().expect("the viewer starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        let picture = folder.path().join(name);
        let named = stderr.contains(&format!("Drew the scene to {} instead", picture.display()));
        assert!(stderr.contains("Could not open a window") && named, "{stderr}");
        assert!(image::open(picture).is_ok_and(|picture| picture.width() == 1280));
    }
    let wanted = folder.path().join("wanted.png");
    let arguments = [Path::new("--headless"), &scene, Path::new("--screenshot"), &wanted];
    assert!(viewer_without_display(&arguments).status.success());
    let read = |path: &Path| std::fs::read(path).expect("the picture was written");
    assert!(read(&wanted) == read(&folder.path().join("scene.png")), "the same scene");
}

/// Writes to it fail, as those to a terminal that was closed.
#[cfg(target_os = "linux")]
#[test]
fn output_that_nobody_reads_changes_no_exit_status() {
    let folder = Folder::new();
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("the system has it");
    let mut refused = viewer_command(&["--headless", "--replay", "absent.json"].map(Path::new));
    let refused = refused.stderr(full()).status().expect("the viewer starts");
    assert_eq!(refused.code(), Some(2));
    let mut demo = viewer_command(&[]);
    let demo = demo.current_dir(folder.path()).stdout(full()).output().expect("the viewer starts");
    assert_eq!(demo.status.code(), Some(0), "{}", String::from_utf8_lossy(&demo.stderr));
}

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
