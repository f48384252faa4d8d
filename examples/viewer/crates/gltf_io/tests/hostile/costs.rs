//! Files that are small and try to take much memory, time or room on the screen.

use super::bytes::{black_png, glb, png_head, png_with_profile, progressive_jpeg_head};
use super::parent::Expect::{NotSaved, Opened, Refused};
use super::parent::{Case, Expect, case};
use super::rigs;
use serde_json::{Value, json};

/// Returns all cases.
pub(crate) fn cases() -> Vec<Case> {
    let mutated = vec![mutations("mutations", &valid()), mutations("mutations_of_rig", &rigs::valid())];
    [images(), compressed(), counts(), trees(), texts(), rigs::cases(), mutated]
        .into_iter()
        .flatten()
        .collect()
}

fn images() -> Vec<Case> {
    let black = black_png([8192, 1024]);
    let large = black_png([16_384, 16_384]);
    let rgba16 = png_head([16_384, 16_384], 16, 6);
    let endless = png_head([4_000_000_000, 4_000_000_000], 8, 6);
    let jpeg = progressive_jpeg_head([16_384, 16_384]);
    let spent = "too large: ";
    vec![
        case("image_of_8_million_pixels", with_images(&black, 1, 0), Opened("")),
        case("image_of_268_million_pixels", with_images(&large, 1, 0), Opened("")).slow(),
        case("40_large_images", with_images(&large, 40, 1), Opened(spent)).slow(),
        case("1000_images_of_one_source", with_images(&black_png([512, 512]), 1000, 0), Opened("")),
        case("1000_images_of_one_file", with_image_files("black.png"), Opened("")),
        case("1000_images_of_one_large_file", with_image_files("large.png"), NotSaved(spent)),
        case("image_of_2_gb", with_images(&rgba16, 1, 0), Opened("textures (1; ")),
        case("profile_of_200_mb", with_images(&png_with_profile(200_000_000), 1, 0), Opened("")),
        case("image_without_end", with_images(&endless, 1, 0), Opened("textures (1; ")),
        case("progressive_jpeg", with_images(&jpeg, 1, 0), Opened(spent)),
        case("70_000_images", list("images", r#"{"uri":"a"}"#, 70_000), Refused(spent)),
        case("70_000_buffers", list("buffers", r#"{"uri":"a","byteLength":1}"#, 70_000), Refused(spent)),
    ]
}

/// Flat grids of 1024² and 2048² vertices that the reference encoder (Draco 1.5.7) has written.
fn compressed() -> Vec<Case> {
    let (million, four_million) = (include_bytes!("grid_1024.drc"), include_bytes!("grid_2048.drc"));
    let endless = b"DRACO\x02\x02\x01\x01\0\0\0\xff\xff\xff\xff\x0f";
    let spent = "too large: ";
    vec![
        case("draco_of_2_million_triangles", with_draco(million, 1), Opened("")),
        case("draco_of_8_million_triangles", with_draco(four_million, 1), Refused(spent)),
        case("40_dracos_of_2_million_triangles", with_draco(million, 40), Refused(spent)).slow(),
        case("draco_without_end", with_draco(endless, 1), Refused("damaged")),
    ]
}

/// Returns a file with `count` primitives of the same compressed data.
fn with_draco(data: &[u8], count: usize) -> Vec<u8> {
    let extension = json!({"bufferView": 0, "attributes": {"POSITION": 0}});
    let primitive = |i: usize| {
        json!({"attributes": {"POSITION": 2 * i}, "indices": 2 * i + 1,
            "extensions": {"KHR_draco_mesh_compression": extension}})
    };
    let accessors = |i: usize| match i % 2 {
        0 => json!({"count": 3, "type": "VEC3", "componentType": 5126}),
        _ => json!({"count": 3, "type": "SCALAR", "componentType": 5125}),
    };
    let document = json!({
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": (0..count).map(primitive).collect::<Vec<_>>()}],
        "accessors": (0..2 * count).map(accessors).collect::<Vec<_>>(),
        "bufferViews": [{"buffer": 0, "byteLength": data.len()}], "buffers": [{"byteLength": data.len()}],
    });
    glb(&document.to_string(), data)
}

/// Returns a file with `count` images in views that are each `longer` bytes longer than the one before. A
/// separate primitive shows each.
fn with_images(image: &[u8], count: usize, longer: usize) -> Vec<u8> {
    let mut binary = image.to_vec();
    binary.resize(image.len() + count * longer, 0);
    let view = |i: usize| json!({"buffer": 0, "byteLength": image.len() + i * longer});
    let primitive = |i: usize| json!({"attributes": {"POSITION": 0}, "material": i});
    let material = |i: usize| json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}});
    let each = |item: &dyn Fn(usize) -> Value| (0..count).map(item).collect::<Vec<_>>();
    let document = json!({
        "asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": each(&primitive)}],
        "accessors": [{"count": 3, "type": "VEC3", "componentType": 5126}],
        "materials": each(&material),
        "textures": each(&|i| json!({"source": i})),
        "images": each(&|i| json!({"bufferView": i})),
        "bufferViews": each(&view),
        "buffers": [{"byteLength": binary.len()}],
    });
    glb(&document.to_string(), &binary)
}

/// Returns a document with many images that name the same file and are not shown.
fn with_image_files(uri: &str) -> String {
    let images = vec![format!(r#"{{"uri":"{uri}"}}"#); 1000].join(",");
    gltf(&format!(r#""nodes":[{{}}],"images":[{images}]"#))
}

fn counts() -> Vec<Case> {
    let mesh = |attributes: &str, more: &str, accessors: &str| {
        let primitive = format!(r#"{{"attributes":{{{attributes}}}{more}}}"#);
        shown(&primitive, accessors)
    };
    let accessor = |count: u64, kind: &str, component: u32| {
        format!(r#"{{"count":{count},"type":"{kind}","componentType":{component}}}"#)
    };
    let (three, huge) = (accessor(3, "VEC3", 5126), 1 << 26);
    let mut cases = Vec::new();
    for (attribute, kind) in [("COLOR_0", "VEC4"), ("NORMAL", "VEC3"), ("TEXCOORD_0", "VEC2")] {
        let accessors = format!("{three},{}", accessor(huge, kind, 5126));
        let document = mesh(&format!(r#""POSITION":0,"{attribute}":1"#), "", &accessors);
        // Texture coordinates of a material without textures are not read.
        let expect = if attribute == "TEXCOORD_0" { Opened("") } else { Refused("67108864 elements") };
        cases.push(case(&format!("huge_count_of_{attribute}"), document, expect));
    }
    let positions = |count| mesh(r#""POSITION":0"#, "", &accessor(count, "VEC3", 5126));
    cases.push(case("huge_count_of_positions", positions(huge), Refused("too large")));
    cases.push(case("most_positions", positions(1 << 23), Opened("")));
    cases.push(case("count_beyond_64_bits", positions(u64::MAX), Refused("too large")));
    let indices = |count| format!("{three},{}", accessor(count, "SCALAR", 5125));
    for (name, count, mode, expect) in [
        ("most_indices", 1 << 25, 4, Opened("")),
        ("huge_count_of_indices", huge, 4, Refused("too large")),
        ("huge_strip", 1 << 24, 5, Refused("too large")),
    ] {
        let more = format!(r#","indices":1,"mode":{mode}"#);
        cases.push(case(name, mesh(r#""POSITION":0"#, &more, &indices(count)), expect));
    }
    let sparse = r#"{"count":8000000,"type":"VEC3","componentType":5126,"sparse":{"count":8000000,
        "indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}}"#;
    cases.push(case("huge_sparse", mesh(r#""POSITION":0"#, "", sparse), Refused("out of range")));
    let one = r#"{"attributes":{"POSITION":0}}"#;
    let shared = vec![one; 100_000].join(",");
    let shared = shown(&shared, &accessor(1000, "VEC3", 5126));
    cases.push(case("100_000_primitives_of_one_accessor", shared, Refused("too large")));
    let buffer = |length: u64| list("buffers", &format!(r#"{{"byteLength":{length},"uri":"data:,"}}"#), 1);
    cases.push(case("huge_buffer", buffer((1 << 31) - 1), Refused("its data has only 0")));
    cases.push(case("buffer_beyond_64_bits", buffer(u64::MAX), Refused("too large")));
    cases
}

/// Returns a document of a node that shows these primitives.
fn shown(primitives: &str, accessors: &str) -> String {
    gltf(&format!(
        r#""nodes":[{{"mesh":0}}],"accessors":[{accessors}],"meshes":[{{"primitives":[{primitives}]}}]"#
    ))
}

/// Returns a document with a list of equal items.
fn list(key: &str, item: &str, count: usize) -> String {
    gltf(&format!(r#""{key}":[{}]"#, vec![item; count].join(",")))
}

/// Returns a document with these members.
pub(crate) fn gltf(members: &str) -> String {
    format!(r#"{{"asset":{{"version":"2.0"}},{members}}}"#)
}

fn trees() -> Vec<Case> {
    let chain: Vec<String> = (1..100_000).map(|i| format!(r#"{{"children":[{i}]}}"#)).collect();
    let scene =
        |roots: &str, nodes: &str| gltf(&format!(r#""scenes":[{{"nodes":[{roots}]}}],"nodes":[{nodes}]"#));
    let chain = |last: &str| scene("0", &format!("{},{last}", chain.join(",")));
    let roots = scene(&vec!["0"; 1_000_000].join(","), "{}");
    let spent = "too large: ";
    vec![
        case("4_million_empty_nodes", list("nodes", "{}", 4_000_000), Refused(spent)),
        case("100_000_empty_nodes", list("nodes", "{}", 100_000), Opened("")),
        case("800_000_empty_nodes", list("nodes", "{}", 800_000), Opened("")).slow(),
        case("1_million_small_objects", list("extras", r#"{"":0}"#, 1_000_000), Opened("")).slow(),
        case("2_million_small_objects", list("extras", r#"{"":0}"#, 2_000_000), Refused(spent)),
        case("500_000_cameras", list("cameras", "{}", 500_000), Opened("further cameras")),
        case("1_million_empty_lists", list("extras", "[]", 1_000_000), Opened("")),
        case("million_roots", roots, Opened("")),
        case("chain_of_100_000_nodes", chain("{}"), Opened("")),
        case("circle_of_100_000_nodes", chain(r#"{"children":[0]}"#), Refused("ancestor")),
        case("deep_list", "[".repeat(1_000_000), Refused("")),
        case("deep_extras", format!("{{\"extras\":{}", "[".repeat(1_000_000)), Refused("recursion")),
        case("unclosed_text", format!("{{\"{}", "\\\"".repeat(1_000_000)), Refused("line 1")),
    ]
}

fn texts() -> Vec<Case> {
    let huge = "x".repeat(5_000_000);
    let escapes = "\\u001b[2J\\u009b31m\\u202e\\r\\n\\u2028".repeat(2000);
    let node = |name: &str| {
        list("nodes", &format!(r#"{{"name":"{name}","matrix":[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]}}"#), 1)
    };
    let names = (0..20_000).map(|i| format!(r#"{{"name":"{i}{}"}}"#, "y".repeat(4000)));
    let names: Vec<String> = names.collect();
    let extension = |name: &str| list("extensionsRequired", &format!("\"{name}\""), 1);
    vec![
        case("huge_name", node(&huge), Opened("shear of matrix nodes (1;")),
        case("name_of_escapes", node(&escapes), Opened("shear of matrix nodes (1;")),
        case("short_name_of_escapes", node(&escapes[..60]), Opened("\\u{1b}[2J")),
        case("huge_extension", extension(&huge), Refused("is not supported")),
        case("extension_of_escapes", extension(&escapes), Refused("is not supported")),
        case("huge_key", format!("{{\"{huge}\":1}}"), Refused("no `asset`")),
        case("huge_version", format!(r#"{{"asset":{{"version":"{huge}"}}}}"#), Refused("glTF 2.0")),
        case("many_long_names", gltf(&format!(r#""nodes":[{}]"#, names.join(","))), Refused("MB of names")),
    ]
}

/// Returns a valid document.
fn valid() -> Value {
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a", "children": [1], "translation": [0, 0, 0]}, {"mesh": 0, "camera": 0}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0, "mode": 4}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 0}}}],
        "textures": [{"source": 0, "sampler": 0}], "samplers": [{"wrapS": 10497}],
        "images": [{"uri": "data:image/png;base64,iVBORw0KGgo="}],
        "accessors": [
            {"bufferView": 0, "byteOffset": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 0, "componentType": 5121, "count": 3, "type": "SCALAR"}
        ],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36, "byteStride": 12}],
        "buffers": [{"byteLength": 36, "uri": format!("data:;base64,{}", "A".repeat(48))}]
    })
}

/// Returns a valid document with each of its values replaced by each of many extreme ones.
fn mutations(name: &str, valid: &Value) -> Case {
    let numbers = json!([0, -1, 1e-300, 1e300, 67_108_864, u32::MAX, 1_u64 << 53, u64::MAX]);
    let others = json!(["", "../../../../etc/passwd", "\u{1b}[31m", null, [], {}]);
    let extremes =
        [numbers, others].into_iter().flat_map(|list| list.as_array().cloned().unwrap_or_default());
    let extremes: Vec<Value> = extremes.collect();
    let mut pointers = Vec::new();
    collect_pointers(valid, String::new(), &mut pointers);
    let mut files = Vec::new();
    for pointer in &pointers {
        for extreme in &extremes {
            let mut document = valid.clone();
            if let Some(value) = document.pointer_mut(pointer) {
                *value = extreme.clone();
                files.push(document.to_string().into_bytes());
            }
        }
    }
    Case { name: name.to_owned(), files, expect: Expect::Any, is_slow: false }
}

fn collect_pointers(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            for (i, value) in values.iter().enumerate() {
                collect_pointers(value, format!("{pointer}/{i}"), found);
            }
        }
        Value::Object(values) => {
            values.iter().for_each(|(key, value)| collect_pointers(value, format!("{pointer}/{key}"), found))
        }
        _ => {}
    }
    found.push(pointer);
}
