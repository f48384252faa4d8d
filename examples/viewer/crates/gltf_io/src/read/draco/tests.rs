//! Decodes what the reference encoder (Draco 1.5.7) has written, and the same with damage. `vectors.json` has the
//! compressed bytes, and what the reference decoder makes of them.

use super::*;
use crate::read::tests::*;

fn vectors() -> Vec<Value> {
    serde_json::from_str(include_str!("vectors.json")).expect("the vectors are JSON")
}

fn numbers(base64: &Value) -> Vec<f32> {
    bytes(base64).as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Returns a document with a mesh that is compressed as this vector has it, and its binary chunk.
fn document(vector: &Value) -> (Value, Vec<u8>) {
    let binary = bytes(&vector["data"]);
    let accessor = |kind: &str, component: u32, count: &Value| json!({"type": kind, "componentType": component, "count": count});
    let vertices = &vector["vertices"];
    let document = json!({
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "skin": 0}, {}, {}, {}, {}],
        "skins": [{"joints": [1, 2, 3, 4]}],
        "extensionsUsed": [EXTENSION], "extensionsRequired": [EXTENSION],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "NORMAL": 1, "COLOR_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 5,
            "extensions": {EXTENSION: {"bufferView": 0, "attributes": vector["ids"]}},
        }]}],
        "accessors": [
            accessor("VEC3", 5126, vertices), accessor("VEC3", 5126, vertices),
            {"type": "VEC4", "componentType": 5121, "count": vertices, "normalized": true},
            accessor("VEC4", 5123, vertices), accessor("VEC4", 5126, vertices),
            accessor("SCALAR", 5123, &json!(3 * vector["triangles"].as_u64().expect("the value is a number"))),
        ],
        "bufferViews": [{"buffer": 0, "byteLength": binary.len()}],
        "buffers": [{"byteLength": binary.len()}],
    });
    (document, binary)
}

#[test]
fn decoded_mesh_is_that_of_reference() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        let name = vector["name"].as_str().expect("the value is a string");
        let (document, binary) = document(&vector);
        let scene = open_document(&document, &binary).expect("the file is valid");
        let mesh = &scene.meshes()[0];
        let indices = bytes(&vector["indices"]);
        let (words, _) = indices.as_chunks::<4>();
        let wanted: Vec<_> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        assert_eq!(mesh.indices, wanted, "{name}");
        assert_eq!(mesh.positions.as_flattened(), numbers(&vector["attributes"]["POSITION"]), "{name}");
        // The reference ran as WebAssembly, which rounds the square root of a normal's length in another place.
        let normals = numbers(&vector["attributes"]["NORMAL"]);
        assert_eq!(mesh.normals.len() * 3, normals.len(), "{name}");
        assert!(mesh.normals.as_flattened().iter().zip(normals).all(|(a, b)| (a - b).abs() < 3e-7), "{name}");
        assert!(mesh.colors.iter().any(|color| color[3] < 255), "{name}");
        assert_eq!(scene.notice, None, "{name}");
    }
}

#[test]
fn strips_and_further_vertices_are_read_as_decoded() {
    let (mut document, binary) = document(&vectors()[0]);
    document["meshes"][0]["primitives"][0]["mode"] = json!(5);
    for accessor in document["accessors"].as_array_mut().expect("the value is a list") {
        accessor["count"] = json!(3);
    }
    let scene = open_document(&document, &binary).expect("the file is valid");
    assert_eq!((scene.meshes()[0].positions.len(), scene.meshes()[0].indices.len()), (66, 97 * 3));
}

#[test]
fn uncompressed_positions_are_preferred() {
    let (mut document, mut binary) = document(&vectors()[0]);
    let primitive = &mut document["meshes"][0]["primitives"][0];
    primitive["attributes"] = json!({"POSITION": 0});
    primitive.as_object_mut().expect("the value is an object").remove("indices");
    document["accessors"][0] = json!({"bufferView": 1, "type": "VEC3", "componentType": 5126, "count": 3});
    document["nodes"][0] = json!({"mesh": 0});
    let offset = binary.len().next_multiple_of(4);
    binary.resize(offset, 0);
    binary.extend([0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|n| n.to_le_bytes()));
    push(&mut document["bufferViews"], json!({"buffer": 0, "byteOffset": offset, "byteLength": 36}));
    document["buffers"][0]["byteLength"] = json!(binary.len());
    // The compressed data is not read, so it does not matter what is wrong with it.
    for compressed in [document["meshes"][0]["primitives"][0]["extensions"][EXTENSION].clone(), json!({})] {
        document["meshes"][0]["primitives"][0]["extensions"][EXTENSION] = compressed;
        let scene = open_document(&document, &binary).expect("the file can be shown");
        assert_eq!(scene.meshes()[0].positions.len(), 3);
    }
}

#[test]
fn invalid_compression_names_its_place() {
    let place = format!("/meshes/0/primitives/0/extensions/{EXTENSION}");
    for (key, value, expected) in [
        ("bufferView", json!(9), "bufferView: index 9 is out of range"),
        ("bufferView", json!(null), "bufferView: must be"),
        ("attributes", json!({"POSITION": 77}), "the compressed data has no attribute 77"),
        ("attributes", json!({"POSITION": u64::MAX}), "POSITION: is out of range"),
        ("attributes", json!([]), "attributes: must be an object"),
    ] {
        let (mut document, binary) = document(&vectors()[0]);
        document.pointer_mut(&place).expect("the extension exists")[key] = value.clone();
        let error = open_document(&document, &binary).expect_err("the file is invalid");
        assert!(error.contains(expected), "{key} {value}: {error}");
    }
    let (mut document, binary) = document(&vectors()[0]);
    document["meshes"][0]["primitives"][0].as_object_mut().expect("the value is an object").remove("indices");
    let error = open_document(&document, &binary).expect_err("the file is invalid");
    assert!(error.contains("indices"), "{error}");
}

#[test]
fn damaged_data_is_refused_or_decoded_without_panic() {
    let mut refused = 0;
    for vector in vectors() {
        let data = bytes(&vector["data"]);
        let changes = (0..data.len()).flat_map(|at| [1, 0x10, 0x80, 0xff].map(|by| (at, by)));
        let changed = changes.map(|(at, by)| {
            let mut changed = data.clone();
            changed[at] ^= by;
            changed
        });
        for damaged in (0..data.len()).map(|length| data[..length].to_vec()).chain(changed) {
            let mut mesh = Mesh::new();
            let mut buffer = DecoderBuffer::new(&damaged).with_limits(DecodeLimits::fuzzing());
            if MeshDecoder::new().decode(&mut buffer, &mut mesh).is_err() {
                refused += 1;
                continue;
            }
            for attribute in (0..6).filter_map(|id| mesh.attribute_by_unique_id(id)) {
                let (size, points) = (attribute.data_type().byte_length(), mesh.num_points());
                let size = usize::from(attribute.num_components()) * size;
                assert_eq!(packed(attribute, points, size).len(), size * points);
            }
        }
    }
    assert!(refused > 3000, "{refused}");
}
