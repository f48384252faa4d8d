//! Saves unusual scenes and checks the files: with this reader, with the `gltf` crate, and byte by
//! byte.

use super::*;

/// Saves a scene and returns the remark about properties that could not be saved, without the names of the
/// files that were embedded.
pub(crate) fn save(scene: &Scene, path: &Path) -> Result<Option<String>, FileError> {
    let written = crate::save(scene, path)?;
    let embedded = "with the contents of a buffer.bin";
    let rest = |remark: String| match remark.strip_prefix(embedded) {
        Some(rest) => rest.strip_prefix(", ").map(str::to_owned),
        None => Some(remark),
    };
    Ok(written.remark.and_then(rest))
}

pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the corners of a square, the indices of two triangles, a sparse substitution for one corner,
/// and three unused bytes.
pub(crate) fn binary() -> Vec<u8> {
    let mut bytes = crate::read::tests::binary();
    bytes.extend([3, 0, 0, 0]);
    bytes.extend([0.0f32, 2.0, 0.0].iter().flat_map(|c| c.to_le_bytes()));
    bytes.extend([7, 7, 7]);
    bytes
}

/// A document with unusual formatting, as written by hand or by an unusual exporter, with everything
/// that saving must not touch. `BUFFERS` is a placeholder for the buffers.
const ODD: &str = r#"{
  "asset" : { "version":"2.0", "extras":{"\u0061":[1.50,1e0,-0,"\/"]} } ,
	"scene": 0, "scenes":[ {"nodes":[0,6]}, {"name":"other","nodes":[5]} ],
  "extensionsUsed": ["EXT_nobody_knows"], "extensions":{"EXT_nobody_knows":{"nodes":[{"translation":[9,9,9]}]}},
  "nodes": [
    {
      "name" : "top \u00fc \"}]",
      "children" : [ 1, 2, 3, 4 ],
      "translation" : [ 0.10, 0, 1.0e0 ],
      "extras": {"translation": [5, 5, 5]}
    },
    {"name":"twin","mesh":0,"scale":[-1,1.00,1]},
    {"name":"twin","mesh":0,"rotation":[0,0,0.70710677,0.70710677]},
    {"mesh":0, "matrix":[2,0,0,0, 0,2,0,0, 0,0,2,0, 5.0,6.0,7.0,1]},
    {"mesh":0,"matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1],"name":"日本 🤖"},
    {"name":"nowhere","mesh":0},
    { }
  ],
  "animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
    "samplers":[{"input":2,"output":3}]}],
  "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
  "accessors":[
    {"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,2,0],
      "sparse":{"count":1,"indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":3}}},
    {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"},
    {"bufferView":4,"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]},
    {"bufferView":4,"componentType":5126,"count":1,"type":"VEC3"}
  ],
  "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12},
    {"buffer":0,"byteOffset":60,"byteLength":1},{"buffer":0,"byteOffset":64,"byteLength":12},
    {"buffer":0,"byteLength":12}],
  "buffers":[ BUFFERS ],
  "materials" : [ {"name":"a"  } ]
}
"#;

pub(crate) fn text(buffers: &str) -> String {
    ODD.replace("BUFFERS", buffers)
}

/// Returns a binary file, followed by an unknown chunk if it has a binary chunk.
fn glb(text: &str, binary: &[u8]) -> Vec<u8> {
    let mut bytes = crate::save::whole_glb(text.as_bytes(), binary).expect("the file is small");
    if !binary.is_empty() {
        bytes.extend(b"\x04\0\0\0ODD!what");
    }
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Writes the unusual scene once for each way to store buffers, and returns the paths.
pub(crate) fn odd_files(folder: &TempDir) -> Vec<PathBuf> {
    let data = BASE64.encode(binary());
    let data = format!(r#"{{"byteLength":79,"uri":"data:application/octet-stream;base64,{data}"}}"#);
    write(folder, "a buffer.bin", &binary());
    vec![
        write(folder, "chunk.glb", &glb(&text(r#"{ "byteLength" : 79 }"#), &binary())),
        write(folder, "data.gltf", text(&data).as_bytes()),
        write(folder, "beside.gltf", odd_text().as_bytes()),
        write(folder, "beside.glb", &glb(&text(r#"{"uri":"a%20buffer.bin","byteLength":79}"#), &[])),
    ]
}

/// Returns the unusual scene with its buffer in a file beside it, and the path of the scene.
pub(crate) fn odd_scene() -> (TempDir, PathBuf, Scene) {
    odd_scene_of(&odd_text())
}

/// Like [`odd_scene`], with another text.
pub(crate) fn odd_scene_of(text: &str) -> (TempDir, PathBuf, Scene) {
    let folder = folder();
    write(&folder, "a buffer.bin", &binary());
    let path = write(&folder, "beside.gltf", text.as_bytes());
    let scene = open(&path).expect("the file is valid");
    (folder, path, scene)
}

/// Returns the text of the unusual scene of [`odd_scene`].
pub(crate) fn odd_text() -> String {
    text(r#"{"uri":"a%20buffer.bin" , "byteLength":79}"#)
}

/// Writes a text file and opens it.
pub(crate) fn scene_of(text: &str) -> (TempDir, PathBuf, Scene) {
    let folder = folder();
    let path = write(&folder, "scene.gltf", text.as_bytes());
    let scene = open(&path).expect("the file is valid");
    (folder, path, scene)
}

/// Saves a scene without a loss, and returns the text of the file, which the `gltf` crate can read as well.
pub(crate) fn saved(scene: &Scene, path: &Path) -> String {
    assert_eq!(save(scene, path), Ok(None));
    gltf::Gltf::open(path).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(bytes(path)).expect("the file is UTF-8")
}

fn moved(local: Transform) -> Transform {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    Transform {
        translation: local.translation + DVec3::new(0.1, -1e-7, 123456.789),
        rotation: turn * local.rotation,
        scale: local.scale * DVec3::new(1.5, -0.3, 1.0),
    }
}

fn move_all(scene: &mut Scene) {
    for node in 0..scene.nodes().len() {
        scene.set_local(node, moved(scene.nodes()[node].local));
    }
}

pub(crate) fn assert_same_meshes(found: &Scene, wanted: &Scene, when: &str) {
    let triangles = |scene: &Scene| {
        let mesh_of = |node: &Node| node.mesh.map(|mesh| &scene.meshes()[mesh]);
        let corners = |node: &Node| {
            mesh_of(node).map(|mesh| (mesh.positions.clone(), mesh.colors.clone(), mesh.indices.clone()))
        };
        scene.nodes().iter().map(corners).collect::<Vec<_>>()
    };
    assert_eq!(triangles(found), triangles(wanted), "{when}");
}

/// Returns the document of a file without the properties that saving may change.
pub(crate) fn all_but_transforms(path: &Path) -> Value {
    let (container, _) = crate::container::read(path, &Default::default()).expect("the file is readable");
    let mut document: Value = serde_json::from_slice(container.json()).expect("the document is JSON");
    for node in document["nodes"].as_array_mut().expect("the document has nodes") {
        for key in ["translation", "rotation", "scale", "matrix"] {
            node.as_object_mut().expect("a node is an object").remove(key);
        }
    }
    document
}

#[test]
fn unchanged_scene_is_saved_byte_for_byte() {
    let ((folder, _, beside), elsewhere) = (odd_scene(), folder());
    assert_eq!(beside.meshes()[0].positions[3], [0.0, 2.0, 0.0], "the sparse corner");
    for path in odd_files(&folder) {
        let scene = open(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_same_meshes(&scene, &beside, "whatever stores the buffer");
        let name = path.file_name().expect("the path has a file name");
        let copy = folder.path().join("copy of it").with_extension(path.extension().unwrap_or_default());
        assert_eq!(save(&scene, &copy), Ok(None));
        assert_eq!(bytes(&copy), bytes(&path), "{name:?}");
        // Changed, saved and changed back: no trace is left.
        let mut moved = scene.clone();
        move_all(&mut moved);
        save(&moved, &copy).expect("the scene can be saved");
        assert_ne!(bytes(&copy), bytes(&path));
        if name == "chunk.glb" {
            let (before, after) = (bytes(&path), bytes(&copy));
            assert!(after.ends_with(&before[before.len() - 100..]), "its binary chunk and the unknown one");
            assert_eq!(after[8..12], (after.len() as u32).to_le_bytes(), "the header's length");
        }
        for (node, start) in scene.nodes().iter().enumerate() {
            moved.set_local(node, start.local);
        }
        save(&moved, &copy).expect("the scene can be saved");
        assert_eq!(bytes(&copy), bytes(&path), "{name:?}");
        if !name.to_string_lossy().starts_with("beside") {
            let copy = elsewhere.path().join(name);
            assert_eq!(save(&scene, &copy), Ok(None));
            assert_eq!(bytes(&copy), bytes(&path), "{name:?}, in another folder");
        }
    }
}

#[test]
fn move_or_new_name_changes_only_its_text() {
    let (_folder, path, mut scene) = odd_scene();
    let top = scene.find("top ü \"}]").expect("the node exists");
    let mut local = scene.nodes()[top].local;
    local.translation.y = -2.5;
    local.scale.x = 3.0;
    scene.set_local(top, local);
    let mut other = scene.nodes()[2].local;
    other.translation.z = 0.25;
    scene.set_local(2, other);
    let mut last = scene.nodes()[5].local;
    last.rotation = DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    scene.set_local(5, last);
    let wanted = odd_text()
        .replace("[ 0.10, 0, 1.0e0 ]", "[ 0.10, -2.5, 1.0e0 ]")
        .replace("\"name\" : \"top", "\"scale\":[3,1,1],\n      \"name\" : \"top")
        .replace(
            "{\"name\":\"twin\",\"mesh\":0,\"rot",
            "{\"translation\":[0,0,0.25],\"name\":\"twin\",\"mesh\":0,\"rot",
        )
        .replace("    { }\n", "    { \"rotation\":[1,0,0,0]}\n");
    assert_eq!(saved(&scene, &path), wanted);
    // Moving a sheared node writes only the translation into its matrix.
    let mut sheared = scene.nodes()[4].local;
    (sheared.translation.x, sheared.translation.z) = (1.0, 0.5);
    scene.set_local(4, sheared);
    // Scaling by a power of two rounds nothing.
    let plain = scene.nodes()[3].local;
    scene.set_local(3, Transform { scale: DVec3::splat(4.0), ..plain });
    scene.rename(0, "a \"b\"\\\n\u{1} ü").expect("the name is free");
    scene.rename(3, "no longer without").expect("the name is free");
    let wanted = wanted
        .replace("0,0,1,0, 0,0,0,1]", "0,0,1,0, 1,0,0.5,1]")
        .replace(r#""matrix":[2,0,0,0, 0,2,0,0, 0,0,2,0"#, r#""matrix":[4,0,0,0, 0,4,0,0, 0,0,4,0"#)
        .replace(r#""top \u00fc \"}]""#, r#""a \"b\"\\\n\u0001 ü""#)
        .replace(r#"{"mesh":0, "matrix""#, r#"{"name":"no longer without","mesh":0, "matrix""#);
    assert_eq!(saved(&scene, &path), wanted);
    assert_opens_as(&path, &scene);
}

#[test]
fn saved_file_opens_with_same_transforms_and_meshes() {
    let folder = folder();
    fs::create_dir(folder.path().join("elsewhere")).expect("the folder is writable");
    for path in odd_files(&folder) {
        let start = open(&path).expect("the file is valid");
        let mut scene = start.clone();
        move_all(&mut scene);
        for (copy, is_self_contained) in [
            ("copy.glb", true),
            ("copy.gltf", false),
            ("elsewhere/copy.glb", true),
            ("elsewhere/copy.gltf", true),
        ] {
            let when = format!("{} as {copy}", path.display());
            let copy = folder.path().join(copy);
            let remark = save(&scene, &copy).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(remark.as_deref(), Some("without the shear of matrix nodes (1; first: 日本 🤖)"));
            assert_opens_as(&copy, &scene);
            assert_same_meshes(&open(&copy).expect("the file is valid"), &start, &when);
            let (mut was, mut is) = (all_but_transforms(&path), all_but_transforms(&copy));
            let uri = is["buffers"][0]["uri"].as_str().unwrap_or("data:").to_owned();
            assert!(
                uri.starts_with("data:") || !is_self_contained || path.ends_with("beside.glb"),
                "{when}: {uri}"
            );
            was["buffers"][0].take();
            is["buffers"][0].take();
            assert_eq!(is, was, "{when}");
        }
    }
}

#[test]
fn generated_scene_is_saved_without_deleted_nodes_and_opens() {
    let folder = folder();
    let mut scene = built_in::scene();
    move_all(&mut scene);
    // Dividing it by its length would change its last bits.
    let rotation =
        DQuat::from_xyzw(0.796627322616777, -0.2571172515496117, 0.35104739352202863, 0.41957282480802904);
    scene.set_local(0, Transform { rotation, ..scene.nodes()[0].local });
    let plain = scene.clone();
    let forearm = scene.find("forearm").expect("the node exists");
    let first = copy(&mut scene, forearm);
    move_to(&mut scene, first, 3.0);
    copy(&mut scene, first);
    scene.set_flag(first, Flag::Deleted, true);
    scene.set_flag(forearm, Flag::Hidden, true);
    scene.set_flag(0, Flag::Locked, true);
    scene.set_crop_box(0, Some(Bounds { min: DVec3::ZERO, max: DVec3::new(0.5, 2.0, 1e-7) }));
    for (name, scene) in
        [("arm.glb", &plain), ("arm.gltf", &plain), ("copies.glb", &scene), ("copies.gltf", &scene)]
    {
        let path = folder.path().join(name);
        assert_eq!(save(scene, &path), Ok(None));
        assert_opens_as(&path, scene);
        let back = open(&path).expect("the file is valid");
        if name.starts_with("arm") {
            assert_same_meshes(&back, scene, name);
        }
        assert_eq!(back.nodes()[0].local, scene.nodes()[0].local, "{name}: every bit");
        assert_eq!(back.notice, None, "no node is outside of the scene");
    }
    // A viewer may be required to know the extension.
    let path = folder.path().join("copies.gltf");
    let text = saved(&scene, &path);
    let required = text.replace(r#""extensionsUsed":["KHR_node"#, r#""extensionsRequired":["KHR_node"#);
    assert_ne!(required, text);
    fs::write(&path, required).expect("the folder is writable");
    assert!(open(&path).is_ok());
    scene.set_flag(forearm, Flag::Hidden, false);
    assert!(!saved(&scene, &path).contains("KHR_node_visibility"));
}

#[test]
fn failed_save_reports_error_and_writes_nothing() {
    let (folder, path, mut scene) = odd_scene();
    let refused = |scene: &Scene, name: &str| {
        let error = save(scene, &folder.path().join(name)).expect_err(name).to_string();
        assert!(!folder.path().join(name).is_file(), "{name}");
        error
    };
    assert!(refused(&scene, "x.obj").contains("must end in .glb or .gltf"));
    assert!(refused(&scene, "none/x.glb").contains("there is no folder"));
    fs::create_dir(folder.path().join("d.glb")).expect("the folder is writable");
    assert!(refused(&scene, "d.glb").contains("is a folder"));
    let start = scene.nodes()[0].local;
    scene.set_local(0, Transform { scale: DVec3::splat(1e39), ..start });
    assert!(refused(&scene, "x.glb").contains("nodes[0]: the transform has numbers too large"));
    scene.set_local(0, start);
    assert_eq!(save(&scene, &path), Ok(None));
}

#[test]
fn files_of_other_programs_are_saved() {
    let folder = folder();
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenes");
    for name in ["alien.glb", "cakeBirthday.glb"] {
        let path = scenes.join(name);
        let mut scene = open(&path).expect("the file is valid");
        let copy = folder.path().join(name);
        assert_eq!(save(&scene, &copy), Ok(None));
        assert_eq!(bytes(&copy), bytes(&path));
        move_all(&mut scene);
        assert_eq!(save(&scene, &copy), Ok(None));
        assert_opens_as(&copy, &scene);
        assert_eq!(all_but_transforms(&copy), all_but_transforms(&path));
    }
}
