//! Animations and skins: what is picked is what is posed, edits apply to the scene at rest, and saves keep both.

use crate::viewer::*;

/// Pixels at the triangle at rest, and at it in the pose at the end of the animation.
const AT_REST: [i64; 2] = [176, 200];
const POSED: [i64; 2] = [224, 200];

/// Writes a triangle with a skin of one joint, whose animation moves it to the right within a second.
fn write_scene(folder: &Folder) -> Value {
    let floats: Vec<f32> = [
        // Positions, weights, times and translations.
        &[-0.48, -0.2, 0.0, -0.08, -0.2, 0.0, -0.28, 0.3, 0.0][..],
        &[1.0, 0.0, 0.0, 0.0].repeat(3),
        &[0.0, 1.0],
        &[0.0, 0.0, 0.0, 0.56, 0.0, 0.0],
    ]
    .concat();
    let mut binary: Vec<u8> = floats.iter().flat_map(|number| number.to_le_bytes()).collect();
    binary.extend([0; 12]);
    folder.write("mesh.bin", &binary);
    let view =
        |offset: usize, length: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
    let accessor = |view: usize, component: u32, count: usize, kind: &str| json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
    let document = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "body", "mesh": 0, "skin": 0}, {"name": "joint"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "WEIGHTS_0": 1, "JOINTS_0": 4}}]}],
        "skins": [{"joints": [1]}],
        "animations": [{
            "name": "slide", "samplers": [{"input": 2, "output": 3}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}],
        }],
        "accessors": [
            accessor(0, 5126, 3, "VEC3"), accessor(1, 5126, 3, "VEC4"), accessor(2, 5126, 2, "SCALAR"),
            accessor(3, 5126, 2, "VEC3"), accessor(4, 5121, 3, "VEC4"),
        ],
        "bufferViews": [view(0, 36), view(36, 48), view(84, 8), view(92, 24), view(116, 12)],
        "buffers": [{"uri": "mesh.bin", "byteLength": binary.len()}],
    });
    folder.write("slide.gltf", document.to_string().as_bytes());
    document
}

fn lines(folder: &Folder, scene: &str, events: Value) -> Vec<Value> {
    let replay = json!({
        "size_px": [400, 400],
        "camera": perspective([0.0, 0.0, 5.0], 50.0),
        "scene": { "gltf": scene },
        "settings": { "mode": "none" },
        "events": events,
    });
    crate::viewer::lines(folder, replay)
}

#[test]
fn pose_is_picked_and_edits_apply_at_rest() {
    let folder = Folder::new();
    write_scene(&folder);
    let (at_rest, posed) = (json!({ "pick": AT_REST }), json!({ "pick": POSED }));
    let moved =
        json!({ "joint": { "translation": [0.56, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1] } });
    let end = json!({ "pose": { "animation": 0, "time": 1.0 } });
    let found = lines(
        &folder,
        "slide.gltf",
        json!([at_rest, posed, end, at_rest, posed, { "pose": null }, at_rest, posed, { "place": moved }, at_rest, posed]),
    );
    let (body, nothing) = (json!({ "object": "body" }), Value::Null);
    let hits = |first: usize| [found[first]["hit"].clone(), found[first + 1]["hit"].clone()];
    assert_eq!(hits(0), [body.clone(), nothing.clone()], "at rest");
    assert_eq!(hits(3), [nothing.clone(), body.clone()], "posed");
    assert_eq!(hits(6), [body.clone(), nothing.clone()], "at rest again");
    assert_eq!(hits(9), [nothing, body], "a moved joint moves the mesh");
}

#[test]
fn pose_is_not_saved_and_animation_is_kept() {
    let folder = Folder::new();
    let document = write_scene(&folder);
    let events = json!([{ "pose": { "animation": 0, "time": 1.0 } }, { "save": "saved.gltf" }]);
    lines(&folder, "slide.gltf", events);
    let saved = json_file(&folder.path().join("saved.gltf"));
    for key in ["nodes", "meshes", "skins", "animations", "accessors", "bufferViews"] {
        assert_eq!(saved[key], document[key], "{key}");
    }
}
