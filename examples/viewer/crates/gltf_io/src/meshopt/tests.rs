//! Decodes what the reference encoder (meshoptimizer 1.3) has written, and the same with damage. `vectors.json` has
//! the compressed bytes, and what the reference decoder makes of them.

use super::filters::Filter;
use super::{EXTENSIONS, indices, vertices};
use crate::read::open;
use crate::read::tests::open_document;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde_json::{Value, json};
use std::fs;

struct Vector {
    name: String,
    mode: String,
    filter: Filter,
    stride: usize,
    count: usize,
    data: Vec<u8>,
    decoded: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    let list: Value = serde_json::from_str(include_str!("vectors.json")).expect("the vectors are JSON");
    let vector = |value: &Value| {
        let text = |key: &str| value[key].as_str().expect("the value is a string").to_owned();
        let number = |key: &str| value[key].as_u64().expect("the value is a number") as usize;
        let bytes = |key: &str| BASE64.decode(text(key)).expect("the value is base64");
        let filter = match text("filter").as_str() {
            "OCTAHEDRAL" => Filter::Octahedral,
            "QUATERNION" => Filter::Quaternion,
            "EXPONENTIAL" => Filter::Exponential,
            "COLOR" => Filter::Color,
            _ => Filter::None,
        };
        Vector {
            name: text("name"),
            mode: text("mode"),
            filter,
            stride: number("stride"),
            count: number("count"),
            data: bytes("data"),
            decoded: bytes("decoded"),
        }
    };
    list.as_array().expect("the value is an array").iter().map(vector).collect()
}

fn find<'a>(vectors: &'a [Vector], name: &str) -> &'a Vector {
    vectors.iter().find(|vector| vector.name == name).expect("the vector exists")
}

fn decode(vector: &Vector, data: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0; vector.count * vector.stride];
    let mut written = Vec::new();
    let write = |index: u32| written.extend_from_slice(&index.to_le_bytes()[..vector.stride.min(4)]);
    match vector.mode.as_str() {
        "ATTRIBUTES" => vertices::decode(data, vector.stride, &mut out).ok()?,
        "TRIANGLES" => indices::decode_triangles(data, vector.count, write).ok()?,
        _ => indices::decode_sequence(data, vector.count, write).ok()?,
    }
    if vector.mode != "ATTRIBUTES" {
        out = written;
    }
    vector.filter.apply(vector.stride, &mut out);
    Some(out)
}

/// Returns true if the bytes are those of the reference. Numbers that a filter has rounded may differ by 1, because
/// the reference computes them with other instructions on each machine.
fn is_close(vector: &Vector, decoded: &[u8]) -> bool {
    let numbers = |bytes: &[u8]| -> Vec<i32> {
        let words = bytes.as_chunks::<2>().0.iter().map(|word| i16::from_le_bytes(*word));
        match (vector.filter, vector.stride) {
            (Filter::Color, 4) => bytes.iter().map(|byte| i32::from(*byte)).collect(),
            (Filter::Color, _) => words.map(|word| i32::from(word.cast_unsigned())).collect(),
            (Filter::Octahedral, 4) => bytes.iter().map(|byte| i32::from(byte.cast_signed())).collect(),
            (Filter::Octahedral | Filter::Quaternion, _) => words.map(i32::from).collect(),
            _ => Vec::new(),
        }
    };
    let (found, expected) = (numbers(decoded), numbers(&vector.decoded));
    let is_rounded = !found.is_empty() && found.len() == expected.len();
    decoded == vector.decoded || (is_rounded && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1))
}

#[test]
fn decoded_bytes_are_those_of_reference() {
    let vectors = vectors();
    assert!(vectors.len() > 20);
    for vector in vectors {
        let decoded = decode(&vector, &vector.data).unwrap_or_default();
        assert!(is_close(&vector, &decoded), "{}", vector.name);
    }
}

#[test]
fn damaged_data_is_refused_or_decoded_without_panic() {
    for vector in vectors() {
        for length in 0..vector.data.len() {
            assert_eq!(decode(&vector, &vector.data[..length]), None, "{}: {length}", vector.name);
        }
        let longer: Vec<u8> = vector.data.iter().copied().chain([0; 40]).collect();
        assert_eq!(decode(&vector, &longer), None, "{}", vector.name);
        for at in 0..vector.data.len() {
            for by in [1, 0x80, 0xff] {
                let mut data = vector.data.clone();
                data[at] ^= by;
                let decoded = decode(&vector, &data);
                assert!(at > 0 || decoded.is_none() || vector.mode != "ATTRIBUTES", "another header");
                assert!(decoded.is_none_or(|decoded| decoded.len() == vector.decoded.len()));
            }
        }
    }
}

/// Returns a document whose positions and indices are compressed, and its binary chunk.
fn document() -> (Value, Vec<u8>) {
    let vectors = vectors();
    let (positions, indices) = (find(&vectors, "exponential_12_15"), find(&vectors, "indices_40_2"));
    let mut binary = positions.data.clone();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let offset = binary.len();
    binary.extend(&indices.data);
    let view = |vector: &Vector, offset: usize, fallback: usize| {
        let mut compressed = json!({
            "buffer": 0, "byteOffset": offset, "byteLength": vector.data.len(), "mode": vector.mode,
            "byteStride": vector.stride, "count": vector.count,
        });
        if vector.filter == Filter::Exponential {
            compressed["filter"] = json!("EXPONENTIAL");
        }
        json!({
            "buffer": 1, "byteOffset": fallback, "byteLength": vector.decoded.len(),
            "extensions": {EXTENSIONS[0]: compressed},
        })
    };
    let document = json!({
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "extensionsRequired": [EXTENSIONS[0]],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"}],
        "bufferViews": [view(positions, 0, 0), view(indices, offset, 96)],
        "buffers": [
            {"byteLength": binary.len()},
            {"byteLength": 1000, "extensions": {EXTENSIONS[0]: {"fallback": true}}},
        ],
    });
    (document, binary)
}

#[test]
fn compressed_views_are_read_and_saved_unchanged() {
    let (document, binary) = document();
    let scene = open_document(&document, &binary).expect("the file is valid");
    let vectors = vectors();
    let (words, _) = find(&vectors, "exponential_12_15").decoded.as_chunks::<4>();
    let expected: Vec<f32> = words.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
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
