//! Animations and skins: what is picked is what is posed, edits apply to the scene at rest, and saves keep both.

use crate::viewer::*;

/// Pixels at the body at rest, and at it in the pose at the end of the animation.
const AT_REST: [i64; 2] = [200, 190];
const POSED: [i64; 2] = [300, 130];

/// Plays events in the scene of the random sessions, whose animation moves a joint of the body to the right.
/// Returns the lines, and the document of the scene.
fn lines(folder: &Folder, events: Value) -> (Vec<Value>, Value) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/session/tests/sessions.gltf");
    folder.write("sessions.gltf", &std::fs::read(&file).expect("the file exists"));
    let replay = json!({
        "size_px": [400, 400], "camera": orthographic(4.0), "scene": { "gltf": "sessions.gltf" },
        "settings": { "mode": "none" }, "events": events,
    });
    (crate::viewer::lines(folder, replay), json_file(&file))
}

#[test]
fn pose_is_picked_and_edits_apply_at_rest() {
    let (at_rest, posed) = (json!({ "pick": AT_REST }), json!({ "pick": POSED }));
    let moved =
        json!({ "joint": { "translation": [1.5, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1] } });
    let end = json!({ "pose": { "animation": 0, "time": 1.0 } });
    let events = json!([at_rest, posed, end, at_rest, posed, { "pose": null }, at_rest, posed, { "place": moved }, at_rest, posed]);
    let (found, _) = lines(&Folder::new(), events);
    let (body, nothing) = (json!({ "object": "body" }), Value::Null);
    for (first, wanted, when) in [
        (0, [&body, &nothing], "at rest"),
        (3, [&nothing, &body], "posed"),
        (6, [&body, &nothing], "at rest again"),
        (9, [&nothing, &body], "a moved joint moves the mesh"),
    ] {
        assert_eq!([0, 1].map(|index| &found[first + index]["hit"]), wanted, "{when}");
    }
}

#[test]
fn pose_is_not_saved_and_animation_is_kept() {
    let folder = Folder::new();
    let events = json!([{ "pose": { "animation": 0, "time": 1.0 } }, { "save": "saved.gltf" }]);
    let (_, document) = lines(&folder, events);
    let saved = json_file(&folder.path().join("saved.gltf"));
    for key in ["nodes", "meshes", "skins", "animations", "accessors", "bufferViews"] {
        assert_eq!(saved[key], document[key], "{key}");
    }
}
