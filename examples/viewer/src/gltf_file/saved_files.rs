//! Saves scenes of every odd kind and looks at what is in the files: with this reader, with the
//! `gltf` crate, and byte by byte.

use super::{Format, open};
use crate::built_in;
use crate::file_error::FileError;
use crate::scene::{Node, Scene};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use wgpu_gizmo::Transform;
use wgpu_gizmo::glam::{DQuat, DVec3};

/// Saves, and hears what the file could not keep.
pub(super) fn save(scene: &Scene, path: &Path) -> Result<Option<String>, FileError> {
    super::save(scene, path).map(|written| written.remark)
}

pub(super) fn folder() -> TempDir {
    tempfile::tempdir().expect("the temporary folder can be written")
}

pub(super) fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("ours");
    path
}

pub(super) fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Four corners of a square, two triangles, one corner moved by a sparse accessor, and three
/// bytes that nobody uses.
fn binary() -> Vec<u8> {
    let corners: [f32; 12] = [0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.];
    let mut bytes: Vec<u8> = corners.iter().flat_map(|c| c.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|i| i.to_le_bytes()));
    bytes.extend([3, 0, 0, 0]);
    bytes.extend([0.0f32, 2.0, 0.0].iter().flat_map(|c| c.to_le_bytes()));
    bytes.extend([7, 7, 7]);
    bytes
}

/// A text as a person or an odd writer may have it, with everything that saving must not touch.
/// `BUFFERS` stands for the buffers.
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

pub(super) fn text(buffers: &str) -> String {
    ODD.replace("BUFFERS", buffers)
}

/// A binary file; with a chunk that nobody knows at its end, where it has a binary one before.
fn glb(text: &str, binary: &[u8]) -> Vec<u8> {
    let mut bytes = super::save::whole_glb(text.as_bytes(), binary).expect("small");
    if !binary.is_empty() {
        bytes.extend(b"\x04\0\0\0ODD!what");
    }
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// The odd scene in each way that a file can have its buffers, with the names of the files.
pub(super) fn odd_files(folder: &TempDir) -> Vec<PathBuf> {
    use base64::Engine;
    let data = base64::prelude::BASE64_STANDARD.encode(binary());
    let data = format!(r#"{{"byteLength":79,"uri":"data:application/octet-stream;base64,{data}"}}"#);
    write(folder, "a buffer.bin", &binary());
    vec![
        write(folder, "chunk.glb", &glb(&text(r#"{ "byteLength" : 79 }"#), &binary())),
        write(folder, "data.gltf", text(&data).as_bytes()),
        write(folder, "beside.gltf", text(r#"{"uri":"a%20buffer.bin" , "byteLength":79}"#).as_bytes()),
        write(folder, "beside.glb", &glb(&text(r#"{"uri":"a%20buffer.bin","byteLength":79}"#), &[])),
    ]
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

/// As other readers have the numbers.
pub(super) fn f32_bits(node: &Node) -> Vec<u32> {
    let Transform { translation, rotation, scale } = node.local;
    let numbers = [&translation.to_array()[..], &rotation.to_array(), &scale.to_array()].concat();
    numbers.into_iter().map(|number| (number as f32).to_bits()).collect()
}

fn assert_same_nodes(found: &Scene, wanted: &Scene, when: &str) {
    assert_eq!(found.nodes().len(), wanted.nodes().len(), "{when}");
    for (found, wanted) in found.nodes().iter().zip(wanted.nodes()) {
        assert_eq!((&found.name, found.parent), (&wanted.name, wanted.parent), "{when}");
        assert_eq!(f32_bits(found), f32_bits(wanted), "{when}: {}: {:?}", found.name, wanted.local);
    }
}

fn assert_same_meshes(found: &Scene, wanted: &Scene, when: &str) {
    let triangles = |scene: &Scene| {
        let mesh_of = |node: &Node| node.mesh.map(|mesh| &scene.meshes()[mesh]);
        let corners = |node: &Node| {
            mesh_of(node).map(|mesh| (mesh.positions.clone(), mesh.colors.clone(), mesh.indices.clone()))
        };
        scene.nodes().iter().map(corners).collect::<Vec<_>>()
    };
    assert_eq!(triangles(found), triangles(wanted), "{when}");
}

/// The document of a file, with what saving may change taken out.
fn all_but_transforms(path: &Path) -> Value {
    let container = super::container::read(path, &Default::default()).expect("readable");
    let mut document: Value = serde_json::from_slice(container.json()).expect("JSON");
    for node in document["nodes"].as_array_mut().expect("nodes") {
        for key in ["translation", "rotation", "scale", "matrix"] {
            node.as_object_mut().expect("a node").remove(key);
        }
    }
    document
}

#[test]
fn what_nobody_changed_is_saved_byte_for_byte() {
    let (folder, elsewhere) = (folder(), folder());
    for path in odd_files(&folder) {
        let mut scene = open(&path).unwrap_or_else(|error| panic!("{error}"));
        let name = path.file_name().expect("a file");
        let copy = folder.path().join("copy").with_extension(path.extension().expect("one"));
        assert_eq!(save(&scene, &copy), Ok(None));
        assert_eq!(bytes(&copy), bytes(&path), "{name:?}");
        // Changed, saved, and changed back: no trace is left.
        let starts: Vec<Transform> = scene.nodes().iter().map(|node| node.local).collect();
        move_all(&mut scene);
        save(&scene, &copy).expect("can be saved");
        assert_ne!(bytes(&copy), bytes(&path));
        starts.into_iter().enumerate().for_each(|(node, start)| scene.set_local(node, start));
        save(&scene, &copy).expect("can be saved");
        assert_eq!(bytes(&copy), bytes(&path), "{name:?}");
        if !name.to_string_lossy().starts_with("beside") {
            let copy = elsewhere.path().join(name);
            assert_eq!(save(&scene, &copy), Ok(None));
            assert_eq!(bytes(&copy), bytes(&path), "{name:?}, elsewhere");
        }
    }
}

#[test]
fn a_move_changes_its_numbers_in_the_text_and_nothing_else() {
    let folder = folder();
    let path = odd_files(&folder).remove(2);
    let mut scene = open(&path).expect("good");
    let top = scene.find("top ü \"}]").expect("there");
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
    assert_eq!(save(&scene, &path), Ok(None));
    let wanted = text(r#"{"uri":"a%20buffer.bin" , "byteLength":79}"#)
        .replace("[ 0.10, 0, 1.0e0 ]", "[ 0.10, -2.5, 1.0e0 ]")
        .replace("\"name\" : \"top", "\"scale\":[3,1,1],\n      \"name\" : \"top")
        .replace(
            "{\"name\":\"twin\",\"mesh\":0,\"rot",
            "{\"translation\":[0,0,0.25],\"name\":\"twin\",\"mesh\":0,\"rot",
        )
        .replace("    { }\n", "    { \"rotation\":[1,0,0,0]}\n");
    assert_eq!(String::from_utf8(bytes(&path)).expect("text"), wanted);
}

#[test]
fn what_is_saved_opens_with_the_same_transforms_and_all_else_as_it_was() {
    let folder = folder();
    for path in odd_files(&folder) {
        let start = open(&path).expect("good");
        for format in [Format::Binary, Format::Text] {
            for place in [".", "elsewhere"] {
                let name = path.file_name().expect("a file").to_string_lossy().replace('.', "-");
                let ending = if format == Format::Binary { "glb" } else { "gltf" };
                fs::create_dir_all(folder.path().join(place)).expect("ours");
                let copy = folder.path().join(place).join(format!("copy of {name}.{ending}"));
                let when = copy.display().to_string();
                let mut scene = start.clone();
                move_all(&mut scene);
                let remark = save(&scene, &copy).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(remark.as_deref(), Some("without the shear of 1 matrix nodes (first: 日本 🤖)"));
                let back = open(&copy).unwrap_or_else(|error| panic!("{error}"));
                assert_same_nodes(&back, &scene, &when);
                assert_same_meshes(&back, &start, &when);
                let mut was = all_but_transforms(&path);
                let mut is = all_but_transforms(&copy);
                let is_complete = format == Format::Binary || place == "elsewhere";
                let uri = is["buffers"][0]["uri"].as_str().unwrap_or("data:").to_owned();
                assert!(
                    uri.starts_with("data:") || !is_complete || path.ends_with("beside.glb"),
                    "{when}: {uri}"
                );
                was["buffers"][0].take();
                is["buffers"][0].take();
                assert_eq!(is, was, "{when}");
                // The crate checks the document as it reads it.
                let theirs = gltf::Gltf::open(&copy).unwrap_or_else(|error| panic!("{when}: {error}"));
                assert_eq!(theirs.nodes().count(), 7);
            }
        }
    }
}

#[test]
fn the_chunks_behind_the_document_stay() {
    let folder = folder();
    let path = odd_files(&folder).remove(0);
    let before = bytes(&path);
    let mut scene = open(&path).expect("good");
    move_all(&mut scene);
    save(&scene, &path).expect("can be saved");
    let after = bytes(&path);
    let tail = 8 + 80 + 12;
    assert_eq!(after[after.len() - tail..], before[before.len() - tail..]);
    assert_eq!(after[8..12], (after.len() as u32).to_le_bytes(), "the header's length");
    assert_eq!((after.len() - tail) % 4, 0);
}

#[test]
fn a_matrix_stays_one_where_it_says_the_same() {
    let folder = folder();
    let path = odd_files(&folder).remove(2);
    let mut scene = open(&path).expect("good");
    // Moved, with its shear: only the translation is written.
    let sheared = scene.find("日本 🤖").expect("there");
    let start = scene.nodes()[sheared].local;
    scene.set_local(sheared, Transform { translation: DVec3::new(1.0, 0.0, 0.5), ..start });
    // Scaled by a power of two: nothing is rounded.
    let plain = scene.find("node 3").expect("there");
    let start = scene.nodes()[plain].local;
    scene.set_local(plain, Transform { scale: DVec3::splat(4.0), ..start });
    assert_eq!(save(&scene, &path), Ok(None));
    let text = String::from_utf8(bytes(&path)).expect("text");
    assert!(text.contains(r#""matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 1,0,0.5,1]"#), "{text}");
    assert!(text.contains(r#""matrix":[4,0,0,0, 0,4,0,0, 0,0,4,0, 5.0,6.0,7.0,1]"#), "{text}");
    assert_same_nodes(&open(&path).expect("good"), &scene, "matrices");
}

#[test]
fn a_new_name_is_written_as_json_has_it() {
    let folder = folder();
    let path = odd_files(&folder).remove(1);
    let start = open(&path).expect("good");
    let mut nodes = start.nodes().to_vec();
    nodes[0].name = "a \"b\"\\\n\u{1} ü".to_owned();
    nodes[3].name = "no longer without".to_owned();
    let mut scene = Scene::new(nodes, start.meshes().to_vec()).expect("a tree");
    scene.source = start.source.clone();
    assert_eq!(save(&scene, &path), Ok(None));
    assert_same_nodes(&open(&path).expect("good"), &scene, "renamed");
    assert!(String::from_utf8(bytes(&path)).expect("text").contains(r#""a \"b\"\\\n\u0001 ü""#));
}

#[test]
fn a_scene_without_a_file_becomes_one() {
    let folder = folder();
    let mut scene = built_in::scene();
    move_all(&mut scene);
    for name in ["arm.glb", "arm.gltf"] {
        let path = folder.path().join(name);
        assert_eq!(save(&scene, &path), Ok(None));
        let back = open(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_same_nodes(&back, &scene, name);
        assert_same_meshes(&back, &scene, name);
        assert_eq!(back.notice, None);
        gltf::Gltf::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn images_come_along_into_a_file_of_its_own() {
    let folder = folder();
    let with_images = text(r#"{"uri":"a%20buffer.bin","byteLength":79}"#).replace(
        "\"materials\"",
        r#""images":[{"uri":"a.png"},{"uri":"none.jpg"},{"bufferView":0,"mimeType":"image/png"}],"materials""#,
    );
    write(&folder, "a buffer.bin", &binary());
    write(&folder, "a.png", b"\x89PNG\r\n");
    let path = write(&folder, "images.gltf", with_images.as_bytes());
    let scene = open(&path).expect("good");
    let copy = folder.path().join("images.glb");
    let remark = save(&scene, &copy).expect("can be saved");
    assert_eq!(remark.as_deref(), Some("without 1 image files that are not there (first: none.jpg)"));
    let images = &all_but_transforms(&copy)["images"];
    assert_eq!(images[0]["uri"], json!("data:image/png;base64,iVBORw0K"));
    assert_eq!(images[1]["uri"], json!("none.jpg"));
}

#[test]
fn what_cannot_be_saved_says_so_and_writes_nothing() {
    let folder = folder();
    let path = odd_files(&folder).remove(2);
    let mut scene = open(&path).expect("good");
    let said = |scene: &Scene, name: &str| {
        let error = save(scene, &folder.path().join(name)).expect_err(name).to_string();
        assert!(!folder.path().join(name).is_file(), "{name}");
        error
    };
    assert!(said(&scene, "x.obj").contains("must end in .glb or .gltf"));
    assert!(said(&scene, "none/x.glb").contains("there is no folder"));
    fs::create_dir(folder.path().join("d.glb")).expect("ours");
    assert!(said(&scene, "d.glb").contains("is a folder"));
    let start = scene.nodes()[0].local;
    scene.set_local(0, Transform { scale: DVec3::splat(1e39), ..start });
    assert!(said(&scene, "x.glb").contains("nodes[0]: the transform has numbers too large"));
    scene.set_local(0, start);
    assert_eq!(save(&scene, &path), Ok(None));
}

#[test]
fn what_was_read_beside_a_file_is_saved_elsewhere_though_it_has_gone_or_is_another() {
    for (name, after) in [("a.gltf", None), ("a.glb", Some(vec![9; 100]))] {
        let (folder, elsewhere) = (folder(), folder());
        let path = odd_files(&folder).remove(2);
        let scene = open(&path).expect("good");
        let beside = folder.path().join("a buffer.bin");
        match after {
            None => fs::remove_file(beside).expect("ours"),
            Some(bytes) => fs::write(beside, bytes).expect("ours"),
        }
        let copy = elsewhere.path().join(name);
        assert_eq!(save(&scene, &copy), Ok(None));
        assert_same_meshes(&open(&copy).expect("whole"), &scene, name);
    }
}

#[test]
fn files_of_other_programs_are_saved_unchanged_and_moved() {
    let folder = folder();
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
    for name in ["alien.glb", "cakeBirthday.glb"] {
        let path = scenes.join(name);
        let mut scene = open(&path).expect("good");
        let copy = folder.path().join(name);
        assert_eq!(save(&scene, &copy), Ok(None));
        assert_eq!(bytes(&copy), bytes(&path));
        move_all(&mut scene);
        assert_eq!(save(&scene, &copy), Ok(None));
        assert_same_nodes(&open(&copy).expect("good"), &scene, name);
        assert_eq!(all_but_transforms(&copy), all_but_transforms(&path));
        gltf::Gltf::open(&copy).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
