//! Decodes what the reference encoder (meshoptimizer 1.3) has written, and the same with damage. `vectors.json` has
//! the compressed bytes, and what the reference decoder makes of them.

use super::{EXTENSIONS, decode_views};
use crate::buffers;
use crate::json::Json;
use crate::read::open;
use crate::read::tests::*;

fn vectors() -> Vec<Value> {
    serde_json::from_str(include_str!("vectors.json")).expect("the vectors are JSON")
}

fn find(name: &str) -> Value {
    vectors().into_iter().find(|vector| vector["name"] == name).expect("the vector exists")
}

/// Returns a buffer view whose compressed data is this range of the first buffer, with the parameters of a vector.
fn view(vector: &Value, offset: usize, data: usize) -> Value {
    let compressed = json!({
        "buffer": 0, "byteOffset": offset, "byteLength": data, "mode": vector["mode"],
        "filter": vector["filter"], "byteStride": vector["stride"], "count": vector["count"],
    });
    let decoded = bytes(&vector["decoded"]).len();
    json!({ "buffer": 1, "byteLength": decoded, "extensions": {EXTENSIONS[0]: compressed} })
}

fn decode(vector: &Value, data: &[u8]) -> Option<Vec<u8>> {
    let document = json!({
        "bufferViews": [view(vector, 0, data.len())],
        "buffers": [{ "byteLength": data.len() }],
    });
    let root = Json::root(&document);
    with_files(|files| {
        let buffers = buffers::read(&root, Some(data), files).ok()?;
        decode_views(&root, &buffers, files).ok()?.remove(&0)
    })
}

/// Returns true if the bytes are those of the reference. Numbers that a filter has rounded may differ by 1, because
/// the reference computes them with other instructions on each machine.
fn is_close(vector: &Value, decoded: &[u8]) -> bool {
    let numbers = |bytes: &[u8]| -> Vec<i32> {
        let words = bytes.as_chunks::<2>().0.iter().map(|word| i16::from_le_bytes(*word));
        match (vector["filter"].as_str(), vector["stride"].as_u64()) {
            (Some("COLOR"), Some(4)) => bytes.iter().map(|byte| i32::from(*byte)).collect(),
            (Some("COLOR"), _) => words.map(|word| i32::from(word.cast_unsigned())).collect(),
            (Some("OCTAHEDRAL"), Some(4)) => bytes.iter().map(|byte| i32::from(byte.cast_signed())).collect(),
            (Some("OCTAHEDRAL" | "QUATERNION"), _) => words.map(i32::from).collect(),
            _ => Vec::new(),
        }
    };
    let reference = bytes(&vector["decoded"]);
    let (found, expected) = (numbers(decoded), numbers(&reference));
    let is_rounded = !found.is_empty() && found.len() == expected.len();
    decoded == reference || (is_rounded && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1))
}

#[test]
fn decoded_bytes_are_those_of_reference() {
    let vectors = vectors();
    assert!(vectors.len() > 20);
    for vector in vectors {
        let decoded = decode(&vector, &bytes(&vector["data"])).unwrap_or_default();
        assert!(is_close(&vector, &decoded), "{}", vector["name"]);
    }
}

#[test]
fn damaged_data_is_refused_or_decoded_without_panic() {
    for vector in vectors() {
        let (name, data) = (&vector["name"], bytes(&vector["data"]));
        for length in 0..data.len() {
            assert_eq!(decode(&vector, &data[..length]), None, "{name}: {length}");
        }
        assert_eq!(decode(&vector, &[&data[..], &[0; 40]].concat()), None, "{name}");
        for at in 0..data.len() {
            for by in [1, 0x80, 0xff] {
                let mut damaged = data.clone();
                damaged[at] ^= by;
                let is_decoded = decode(&vector, &damaged).is_some();
                assert!(at > 0 || !is_decoded || vector["mode"] != "ATTRIBUTES", "another header");
            }
        }
    }
}

/// Returns a document whose positions and indices are compressed, and its binary chunk.
fn document() -> (Value, Vec<u8>) {
    let (positions, indices) = (find("exponential_12_15"), find("indices_40_2"));
    let [mut binary, data] = [&positions, &indices].map(|vector| bytes(&vector["data"]));
    let length = binary.len();
    binary.resize(length.next_multiple_of(4), 0);
    let document = json!({
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "extensionsRequired": [EXTENSIONS[0]],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"}],
        "bufferViews": [view(&positions, 0, length), view(&indices, binary.len(), data.len())],
        "buffers": [
            {"byteLength": binary.len() + data.len()},
            {"byteLength": 1000, "extensions": {EXTENSIONS[0]: {"fallback": true}}},
        ],
    });
    binary.extend(data);
    (document, binary)
}

#[test]
fn compressed_views_are_read_and_saved_unchanged() {
    let (document, binary) = document();
    let scene = open_document(&document, &binary).expect("the file is valid");
    let decoded = bytes(&find("exponential_12_15")["decoded"]);
    let expected: Vec<f32> =
        decoded.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    assert_eq!(scene.meshes()[0].positions.as_flattened(), expected);
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("saved.glb");
    crate::save(&scene, &path).expect("the scene can be saved");
    let saved = fs::read(&path).expect("the file was written");
    assert!(saved.windows(binary.len()).any(|part| part == binary), "the data stays compressed");
    assert!(open(&path).is_ok());
}

#[test]
fn invalid_compression_names_its_place() {
    let place = format!("/bufferViews/0/extensions/{}", EXTENSIONS[0]);
    for (key, value, expected) in [
        ("count", json!(1 << 26), "count: does not fit"),
        ("count", json!(u64::MAX), "count: does not fit"),
        ("count", json!(9), "count: does not fit"),
        ("byteStride", json!(0), "byteStride: does not fit"),
        ("byteStride", json!(3), "byteStride: does not fit"),
        ("mode", json!("OTHER"), "mode: unknown"),
        ("mode", json!("TRIANGLES"), "byteStride: does not fit"),
        ("filter", json!("OCTAHEDRAL"), "byteStride: does not fit"),
        ("filter", json!("COLOR"), "byteStride: does not fit"),
        ("filter", json!("OTHER"), "filter: unknown"),
        ("buffer", json!(9), "buffer: index 9 is out of range"),
        ("buffer", json!(1), "extends past the end of buffer 1"),
        ("byteLength", json!(1 << 30), "extends past the end"),
        ("byteOffset", json!(u64::MAX), "extends past the end"),
        ("byteOffset", json!(1), "the compressed data is damaged"),
    ] {
        let (mut document, binary) = document();
        document.pointer_mut(&place).expect("the extension exists")[key] = value.clone();
        let error = open_document(&document, &binary).expect_err("the file is invalid");
        assert!(error.contains(expected), "{key} {value}: {error}");
    }
}

#[test]
fn either_name_is_read_with_or_without_marked_fallback() {
    let (document, binary) = document();
    let text = document.to_string();
    let renamed: Value =
        serde_json::from_str(&text.replace(EXTENSIONS[0], EXTENSIONS[1])).expect("it is JSON");
    assert!(open_document(&renamed, &binary).is_ok());
    let mut unmarked = renamed;
    unmarked["buffers"][1] = json!({"byteLength": 1000});
    assert!(open_document(&unmarked, &binary).is_ok());
    unmarked["extensionsRequired"] = json!([]);
    let error = open_document(&unmarked, &binary).expect_err("a buffer has no data");
    assert!(error.contains("buffers[1]: has no uri"), "{error}");
}
