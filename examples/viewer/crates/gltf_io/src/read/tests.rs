//! Opens valid files and many kinds of invalid files, all generated here.
mod against_gltf_crate;
mod limits;
mod textures;

use super::*;
pub(crate) use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use scene::material::{Look, Slot};
use scene::mesh::Part;
pub(crate) use serde_json::{Value, json};
pub(crate) use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
pub(crate) use wgpu_gizmo_core::glam::DVec3;

/// Returns a temporary folder that is removed when it is dropped.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("the temporary folder is writable")
}

/// Writes a file to a folder and returns its path.
pub(crate) fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("the folder is writable");
    path
}

/// Opens a file with this document and these binary data.
pub(crate) fn open_document(document: &Value, binary: &[u8]) -> Result<scene::Scene, String> {
    let folder = folder();
    open(&write(&folder, "document.glb", &glb(document, binary))).map_err(|error| error.to_string())
}

fn opened(document: &Value, binary: &[u8]) -> scene::Scene {
    opened_in(&folder(), document, binary)
}

fn opened_in(folder: &TempDir, document: &Value, binary: &[u8]) -> scene::Scene {
    open(&write(folder, "document.glb", &glb(document, binary))).expect("the file is valid")
}

/// Calls `read` with the files of a document in the current folder.
pub(crate) fn with_files<T>(read: impl FnOnce(&ExternalFiles<'_>) -> T) -> T {
    let (budget, progress) = (Budget::new(0), Progress::default());
    let folder = SceneFolder::new(Path::new(""), &AllowedFolders::default());
    read(&ExternalFiles::new(folder, &budget, &progress))
}

/// Returns the bytes of a base64 string.
pub(crate) fn bytes(base64: &Value) -> Vec<u8> {
    BASE64.decode(base64.as_str().expect("the value is a string")).expect("the value is base64")
}

/// Adds an item to a list.
pub(crate) fn push(list: &mut Value, item: Value) {
    list.as_array_mut().expect("the value is a list").push(item);
}

fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    crate::save::whole_glb(document.to_string().as_bytes(), binary).expect("the file is small")
}

/// Returns the corners of a square and the indices of its two triangles.
pub(crate) fn binary() -> Vec<u8> {
    let corners: [f32; 12] = [0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.];
    let mut bytes: Vec<u8> = corners.iter().flat_map(|c| c.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

fn document() -> Value {
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "top", "children": [1, 2, 3], "translation": [0.1, 0, 0]},
            {"name": "twin", "mesh": 0, "rotation": [0, 0, 0, 2]},
            {"name": "twin", "mesh": 0, "scale": [0, 1, 1]},
            {"mesh": 0, "matrix": [2,0,0,0, 0,2,0,0, 0,0,2,0, 5,6,7,1]}
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0, 1]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}
        ],
        "buffers": [{"byteLength": 60}]
    })
}

/// Returns the valid document with one value replaced or added.
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
fn valid_file_opens_exactly() {
    let scene = opened(&document(), &binary());
    let names: Vec<&str> = scene.nodes().iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["top", "node 1", "node 2", "node 3"]);
    assert_eq!(scene.nodes()[0].local.translation.x, 0.1, "not rounded to f32");
    assert_eq!(scene.nodes()[1].local.rotation.w, 2.0, "not normalized");
    assert_eq!(scene.nodes()[2].local.scale.x, 0.0);
    assert_eq!(scene.nodes()[3].local.translation, DVec3::new(5.0, 6.0, 7.0));
    assert!(scene.nodes()[3].local.scale.abs_diff_eq(DVec3::splat(2.0), 1e-14));
    assert_eq!(scene.meshes().len(), 1, "three nodes share it");
    let mesh = &scene.meshes()[0];
    assert_eq!((mesh.positions.len(), mesh.indices.len()), (4, 6));
    assert_eq!(mesh.normals, [[0.0; 3]; 4], "zero normals are drawn flat");
    assert_eq!(mesh.colors[0], [255; 4]);
    assert_eq!(mesh.parts(), [Part { indices: 0..6, material: Some(0) }]);
    assert_eq!(scene.look.materials[0].base_color, [1.0, 0.5, 0.0, 1.0]);
    assert_eq!(scene.bounds().map(|b| b.max), Some(DVec3::new(7.1, 8.0, 7.0)));
    assert_eq!(scene.notice, None);
    let child_listed_too = opened(&with("/scenes/0/nodes", json!([1, 0])), &binary());
    assert_eq!(child_listed_too.nodes().len(), 4);
}

#[test]
fn sparse_elements_and_quantized_colors_are_read() {
    let mut bytes = binary();
    bytes.extend([3, 2, 1, 0]);
    bytes.extend([0.0f32, 9.0, 0.0].repeat(4).iter().flat_map(|c| c.to_le_bytes()));
    bytes.extend([0, 255, 0, 255].repeat(4));
    let indices = json!({"bufferView": 2, "componentType": 5121});
    let sparse = json!({"count": 4, "indices": indices, "values": {"bufferView": 3}});
    let mut document = with("/accessors/0/sparse", sparse);
    document["buffers"][0]["byteLength"] = json!(bytes.len());
    for (offset, length) in [(60, 4), (64, 48), (112, 16)] {
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        push(&mut document["bufferViews"], view);
    }
    let colors =
        json!({"bufferView": 4, "componentType": 5121, "count": 4, "type": "VEC4", "normalized": true});
    push(&mut document["accessors"], colors);
    document["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(2);
    let scene = opened(&document, &bytes);
    assert_eq!(scene.meshes()[0].positions, [[0.0, 9.0, 0.0]; 4]);
    assert_eq!(scene.meshes()[0].colors[0], [0, 255, 0, 255]);
}

/// Returns a PNG file of 3×2 pixels.
pub(crate) fn png() -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let pixels = image::ImageBuffer::from_fn(3, 2, |x, y| image::Rgba([x as u8, y as u8, 7, 255]));
    pixels.write_to(&mut file, image::ImageFormat::Png).expect("writing to memory succeeds");
    file.into_inner()
}

/// Returns the valid document with texture coordinates and a base color texture that uses `image`.
fn textured(image: Value) -> (Value, Vec<u8>) {
    let mut bytes = binary();
    let uvs: [f32; 8] = [0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    bytes.extend(uvs.iter().flat_map(|c| c.to_le_bytes()));
    let picture = png();
    let mut document = document();
    let mut view = |offset: usize, length: usize| {
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        push(&mut document["bufferViews"], view);
    };
    view(60, 32);
    view(92, picture.len());
    bytes.extend(&picture);
    let uv = json!({"bufferView": 2, "componentType": 5126, "count": 4, "type": "VEC2"});
    push(&mut document["accessors"], uv);
    document["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(2);
    document["buffers"][0]["byteLength"] = json!(bytes.len());
    document["images"] = json!([image]);
    document["samplers"] = json!([{"magFilter": 9728, "minFilter": 9985, "wrapS": 33071, "wrapT": 33648}]);
    document["textures"] = json!([{"source": 0, "sampler": 0}]);
    let transform = json!({"offset": [0.5, 0.0], "scale": [2.0, 3.0], "texCoord": 1});
    document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] =
        json!({"index": 0, "extensions": {"KHR_texture_transform": transform}});
    document["materials"][0]["alphaMode"] = json!("MASK");
    (document, bytes)
}

#[test]
fn unsupported_features_give_one_notice() {
    let mut document = with("/animations", json!([{}, {}]));
    document["nodes"][3]["matrix"][4] = json!(1.0);
    push(&mut document["nodes"], json!({"name": "elsewhere"}));
    document["meshes"][0]["primitives"][0]["mode"] = json!(1);
    document["extensions"] = json!({"KHR_lights_punctual": {"lights": 7}});
    let scene = opened(&document, &binary());
    let notice = "Not shown: a light (extensions.KHR_lights_punctual.lights: must be a list, not the number 7), animations (2; animations[0].samplers: missing), the shear of matrix nodes (1; first: node 3), \
                  nodes outside the scene (1), points and lines (1)";
    assert_eq!(scene.notice.as_deref(), Some(notice));
    assert!((0..scene.nodes().len()).all(|node| scene.world_bounds(node).is_none()));
}

#[test]
fn invalid_document_error_has_location_and_reason() {
    let folder = folder();
    let cases = [
        ("/asset/version", json!("1.0"), "asset.version: only glTF 2"),
        ("/extensionsRequired", json!(["KHR_gaussian_splatting"]), "extensionsRequired[0]: requires"),
        ("/scenes", json!([]), "scene: index 0 is out of range (0 scenes)"),
        ("/scenes/0/nodes", json!([]), "scenes[0]: the scene is empty"),
        ("/nodes/1/children", json!([2]), "node 2 is already a child of node"),
        ("/nodes/0/children", json!([1, 2, 3, 99]), "children[3]: index 99 is out of range (4 nodes)"),
        ("/nodes/0/children", json!([0]), "nodes[0]: is its own ancestor"),
        ("/nodes/0/children", json!("x"), "nodes[0].children: must be a list"),
        ("/nodes/0/scale", json!([1, 2]), "nodes[0].scale: must be a list of 3 numbers"),
        ("/nodes/0/scale", json!([1e308, 1e308, 1e308]), "overflow"),
        ("/nodes/3/matrix", json!(vec![0.0; 16]), "nodes[3].matrix: the matrix is singular"),
        ("/nodes/3/mesh", json!(4), "nodes[3].mesh: index 4 is out of range (1 meshes)"),
        ("/nodes/3/mesh", json!(-1), "nodes[3].mesh: must be a non-negative integer"),
        ("/accessors/0/count", json!(5), "accessors[0]: extends past the end of bufferViews[0]"),
        ("/accessors/0/count", json!(4_000_000_000_u64), "too large"),
        ("/accessors/0/count", json!(u64::MAX), "too large"),
        ("/accessors/0/byteOffset", json!(u64::MAX), "extends past"),
        ("/accessors/0/type", json!("VEC2"), "accessors[0]: has 2 components"),
        ("/accessors/0/componentType", json!(7), "unknown component type 7"),
        ("/accessors/1/componentType", json!(5122), "unsigned"),
        ("/accessors/0/count", json!(3), "index 5 refers to vertex 3, which is out of range (3 vertices)"),
        ("/bufferViews/0/byteOffset", json!(u64::MAX), "bufferViews[0]: extends past the end of buffer 0"),
        ("/bufferViews/0/byteStride", json!(4), "byteStride of 4"),
        ("/bufferViews/0/buffer", json!(1), "bufferViews[0].buffer: index 1 is out of range (1 buffers)"),
        ("/buffers/0/byteLength", json!(100), "buffers[0]: declares 100 bytes"),
        ("/buffers/0/byteLength", json!(1_u64 << 31), "buffers[0]: too large"),
        ("/buffers/0/uri", json!("missing.bin"), "buffers[0].uri: the buffer file"),
        ("/buffers/0/uri", json!("data:;base64,!"), "is not valid base64"),
        ("/buffers/0/uri", json!("http://x/y"), "http URIs are not supported"),
        ("/meshes/0/primitives/0/material", json!(9), "index 9 is out of range (1 materials)"),
        ("/meshes/0/primitives/0/mode", json!(9), "unknown mode 9"),
    ];
    for (pointer, value, wanted) in cases {
        let path = write(&folder, "bad.glb", &glb(&with(pointer, value), &binary()));
        let error = open(&path).expect_err(pointer).to_string();
        assert!(error.contains(wanted), "{pointer}: {error}");
        assert!(error.starts_with(&path.display().to_string()) && error.lines().count() == 1, "{error}");
    }
    let mut bytes = binary();
    bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = open_document(&document(), &bytes).expect_err("the position is NaN");
    assert!(error.contains("accessors[0]: element 0 is not a finite position"), "{error}");
}

#[test]
fn invalid_container_is_reported() {
    let folder = folder();
    let good = glb(&document(), &binary());
    let deep = format!("{{\"asset\":{}", "[".repeat(5_000_000));
    let cases: [(&[u8], &str); 7] = [
        (b"", "is empty"),
        (b"\x89PNG....", "is not a glTF file"),
        (b"{}", "is not a glTF file: it has no `asset`"),
        (b"{\"asset\": ", "line 1 column"),
        (b"{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"scale\": [1e999, 1, 1]}]}", "out of range"),
        (deep.as_bytes(), "recursion"),
        (b"glTF\x01\0\0\0\x0c\0\0\0", "version 1"),
    ];
    for (bytes, wanted) in cases {
        let error = open(&write(&folder, "x.gltf", bytes)).expect_err(wanted).to_string();
        assert!(error.contains(wanted) && error.lines().count() == 1, "{wanted}: {error}");
    }
    for (path, wanted) in [(".", "is a folder, not a file"), ("none", "could not be read")] {
        let error = open(&folder.path().join(path)).expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error}");
    }
    for length in 4..good.len() {
        let error = open(&write(&folder, "cut.glb", &good[..length])).expect_err("the file is truncated");
        assert!(error.to_string().contains("truncated"), "{length}: {error}");
    }
    // The declared length is right, but the file ends inside a chunk.
    let mut short = good[..good.len() - 4].to_vec();
    let length = short.len() as u32;
    short[8..12].copy_from_slice(&length.to_le_bytes());
    let error = open(&write(&folder, "short.glb", &short)).expect_err("the file is truncated").to_string();
    assert!(error.contains("GLB chunk 1") && error.contains("is truncated"), "{error}");
}

#[test]
fn sparse_binary_file_is_refused_from_its_head() {
    let folder = folder();
    let length = 1_u32 << 30;
    let words = |chunk: u32| [2, length, chunk].map(u32::to_le_bytes).concat();
    for (chunk, rest, wanted) in [
        (0, &b""[..], "GLB chunk 0: is not the JSON chunk"),
        (0, b"JSON", "GLB chunk 0: is not JSON text"),
        (length - 20, b"JSON", "GLB chunk 0: is not JSON text"),
        (length - 20, b"JSON{\"asset\":", "GLB chunk 0: is not JSON text"),
        (length - 19, b"JSON{", "GLB chunk 0 at byte 12: is truncated"),
    ] {
        let path = write(&folder, "sparse.glb", &[b"glTF", &words(chunk)[..], rest].concat());
        let file = std::fs::OpenOptions::new().write(true).open(&path).expect("the file exists");
        // Takes no space on disk.
        file.set_len(length.into()).expect("the folder is writable");
        let progress = Progress::default();
        let error = open_allowing(&path, &AllowedFolders::default(), &progress);
        let error = error.expect_err(wanted).to_string();
        assert!(error.ends_with(wanted), "{error}");
        assert_eq!(progress.state().0, 0, "no more than the head is read: {wanted}");
    }
}

#[test]
fn small_buffers_at_start_of_large_files_open() {
    let folder = folder();
    let mut document = document();
    document["buffers"] = json!(["a.bin", "b.bin"].map(|uri| json!({"byteLength": 60, "uri": uri})));
    for name in ["a.bin", "b.bin"] {
        let path = write(&folder, name, &binary());
        let file = std::fs::OpenOptions::new().write(true).open(path).expect("the file exists");
        // Both together are larger than the files of a scene may be. They take no space on disk.
        file.set_len((1 << 31) - 1).expect("the folder is writable");
    }
    let path = write(&folder, "small.gltf", document.to_string().as_bytes());
    let scene = open(&path).expect("the buffers are small");
    assert_eq!(scene.meshes()[0].positions.len(), 4);
}

#[test]
fn mesh_without_normals_shares_vertices() {
    let mut document = document();
    // More indices than the scene's limit of vertices, all of them 0.
    let corners = 9_000_000;
    document["accessors"][1] = json!({"componentType": 5121, "count": corners, "type": "SCALAR"});
    let scene = opened(&document, &binary());
    let mesh = &scene.meshes()[0];
    assert_eq!((mesh.positions.len(), mesh.normals.len(), mesh.indices.len()), (4, 4, corners));
}

#[test]
fn name_of_unnamed_node_is_taken_from_another_node() {
    let document = json!({"asset": {"version": "2.0"}, "nodes": [{}, {"name": "node 0"}]});
    let scene = opened(&document, &[]);
    let names: Vec<&str> = scene.nodes().iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["node 0", "node 1"]);
}
