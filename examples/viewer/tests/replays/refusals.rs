//! Input that the viewer rejects, and its error messages.

use crate::viewer::*;

/// Asserts exit status 2, an empty standard output, and an error of one line that contains all of
/// `wanted`.
fn assert_refused(output: &Output, wanted: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{wanted:?}: {message}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    // Software Vulkan complains in lines of its own if nothing is exported.
    let own_lines = message.lines().filter(|line| !line.contains("XDG_RUNTIME_DIR")).count();
    assert_eq!(own_lines, 1, "{message}");
    for part in wanted {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

/// Returns a valid replay.
fn document() -> Value {
    json!({
        "version": 1,
        "size_px": [64, 48],
        "scene": { "objects": [{ "name": "a", "parent": null, "shape": "cube" }] },
        "settings": { "mode": "translate" },
        "events": [{ "move": [1, 2] }, { "select": ["a"] }, { "set": { "size": 40 } }]
    })
}

/// Returns the valid replay with one value replaced or added.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = document();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer contains a slash");
    match document.pointer_mut(parent).expect("the parent exists") {
        Value::Object(object) => drop(object.insert(key.to_owned(), value)),
        Value::Array(list) => list[key.parse::<usize>().expect("the key is an index")] = value,
        other => panic!("{other}"),
    }
    document
}

#[test]
fn invalid_replay_exits_with_2_and_one_line() {
    let folder = Folder::new();
    assert!(run(&folder.write("good.json", document().to_string().as_bytes()), &folder).status.success());
    let cases = [
        ("/settings/sizes", json!(1), ["settings.sizes: ", "unknown key"]),
        ("/size_px", json!([11_584, 11_584]), ["size_px: ", "67108864 or less"]),
        ("/events/1/select", json!(["b\nc"]), ["events[1].select[0]: ", "`b\\nc`"]),
    ];
    for (pointer, value, wanted) in cases {
        let path = folder.write("bad.json", with(pointer, value).to_string().as_bytes());
        assert_refused(&run(&path, &folder), &[&["bad.json: "][..], &wanted].concat());
    }
}

#[test]
fn look_through_far_node_is_refused_with_place() {
    let folder = Folder::new();
    for (pointer, value, place) in [
        ("/look_through", json!("a"), ": look_through: "),
        ("/events/0", json!({ "look_through": "a" }), ": events[0].look_through: "),
    ] {
        let mut replay = with(pointer, value);
        replay["scene"]["objects"][0]["translation"] = json!([1e300, 0, 0]);
        let path = folder.write("far.json", replay.to_string().as_bytes());
        assert_refused(&run(&path, &folder), &["far.json", place, "is singular"]);
    }
}

/// The checks of replays and of scenes have tests of their own.
#[test]
fn unreadable_file_exits_with_2_and_one_line() {
    let folder = Folder::new();
    let text = document().to_string();
    let cut = folder.write("cut.json", &text.as_bytes()[..text.len() / 2]);
    assert_refused(&run(&cut, &folder), &["cut.json", "line 1 column"]);
    assert_refused(&run(folder.path(), &folder), &["is a folder"]);
    assert_refused(&run(&folder.path().join("none.json"), &folder), &["none.json", "could not be read"]);
    let missing = with("/scene", json!({ "gltf": "none.gltf" }));
    let lost = folder.write("lost.json", missing.to_string().as_bytes());
    assert_refused(&run(&lost, &folder), &["none.gltf", "could not be read"]);
    let open = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"));
        command.arg("--headless").arg(path).output().expect("the viewer starts")
    };
    assert!(open(&replay_folder().join("scene.gltf")).status.success());
    assert_refused(&open(&folder.write("other.gltf", b"{}")), &["other.gltf", "is not a glTF file"]);
    assert_refused(&open(&folder.path().join("none.glb")), &["none.glb", "could not be read"]);
}

#[test]
fn missing_adapter_exits_with_3_and_suggests_drivers() {
    // A list of drivers that do not exist hides every Vulkan driver.
    let output = Command::new(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"))
        .args(["--headless", "--backend", "vulkan"])
        .envs([("VK_DRIVER_FILES", "/none.json"), ("VK_ICD_FILENAMES", "/none.json")])
        .output()
        .expect("the viewer starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert_eq!(message.contains("apt-get install"), cfg!(target_os = "linux"), "{message}");
    assert!(output.stdout.is_empty());
}

/// A picture whose rows, padded for the transfer, exceed the buffers of a device by a few bytes.
#[test]
fn picture_beyond_device_is_refused_before_first_event() {
    let folder = Folder::new();
    let mut replay = with("/size_px", json!([8193, 8191]));
    replay["viewport"] = json!([0, 0, 64, 48]);
    replay["events"] = json!([{ "move": [1, 2] }, { "screenshot": "large.png" }]);
    let path = folder.write("large.json", replay.to_string().as_bytes());
    assert_refused(&run(&path, &folder), &["too large for this device: 8193 x 8191"]);
}
