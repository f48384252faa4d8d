//! Saves hidden and locked nodes and checks the text byte by byte.

use super::files::{bytes, folder, odd_files, save, text};
use crate::open;
use scene::bounds::Bounds;
use scene::flags::Flag;
use scene::{Node, Scene, shapes};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::DVec3;

const BUFFERS: &str = r#"{"uri":"a%20buffer.bin" , "byteLength":79}"#;
const HIDDEN: &str = r#""extensions":{"KHR_node_visibility":{"visible":false}}"#;

/// Writes the unusual scene with its first twin replaced. Returns its path and its text.
fn file_with(folder: &TempDir, twin: &str) -> (PathBuf, String) {
    let path = odd_files(folder).remove(2);
    let text = text(BUFFERS).replace(r#"{"name":"twin","mesh":0,"scale":[-1,1.00,1]}"#, twin);
    std::fs::write(&path, &text).expect("the folder is writable");
    (path, text)
}

fn saved(scene: &Scene, path: &Path) -> String {
    assert_eq!(save(scene, path), Ok(None));
    gltf::Gltf::open(path).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(bytes(path)).expect("the file is UTF-8")
}

fn flags(scene: &Scene, node: usize) -> [bool; 2] {
    [Flag::Hidden, Flag::Locked].map(|flag| scene.has_flag(node, flag))
}

#[test]
fn hidden_and_locked_nodes_are_saved_and_nothing_else_changes() {
    let folder = folder();
    let (path, original) = file_with(&folder, r#"{"name":"twin","mesh":0, "extras" : {"a": [1.0] }}"#);
    let mut scene = open(&path).expect("the file is valid");
    scene.set_flag(1, Flag::Locked, true);
    scene.set_flag(2, Flag::Hidden, true);
    let wanted = original
        .replace(r#"{"a": [1.0] }"#, r#"{"locked":true,"a": [1.0] }"#)
        .replace(
            r#"{"name":"twin","mesh":0,"rotation""#,
            &format!(r#"{{{HIDDEN},"name":"twin","mesh":0,"rotation""#),
        )
        .replace(r#"["EXT_nobody_knows"]"#, r#"["EXT_nobody_knows","KHR_node_visibility"]"#);
    assert_eq!(saved(&scene, &path), wanted);
    let mut again = open(&path).expect("the file is valid");
    assert_eq!([1, 2, 3].map(|node| flags(&again, node)), [[false, true], [true, false], [false; 2]]);
    // Marks that the file had stay, with other values.
    again.set_flag(1, Flag::Locked, false);
    again.set_flag(2, Flag::Hidden, false);
    let shown = wanted
        .replace("\"visible\":false", "\"visible\":true")
        .replace("\"locked\":true", "\"locked\":false");
    assert_eq!(saved(&again, &path), shown);
    // Marks that only this session had are gone.
    scene.set_flag(1, Flag::Locked, false);
    scene.set_flag(2, Flag::Hidden, false);
    assert_eq!(saved(&scene, &path), original);
}

#[test]
fn unknown_members_around_visibility_survive() {
    let folder = folder();
    let twin = r#"{"extensions":{ "EXT_x":{"a":1.50}, "KHR_node_visibility" : {"b":[2.0],"visible" : false} },"mesh":0}"#;
    let (path, original) = file_with(&folder, twin);
    let mut scene = open(&path).expect("the file is valid");
    assert!(scene.has_flag(1, Flag::Hidden));
    scene.set_flag(1, Flag::Hidden, false);
    assert_eq!(saved(&scene, &path), original.replace("\"visible\" : false", "\"visible\" : true"));
    for (before, after) in [
        (r#"{"EXT_x":{}}"#, r#"{"KHR_node_visibility":{"visible":false},"EXT_x":{}}"#),
        (r#"{ "KHR_node_visibility":{}}"#, r#"{ "KHR_node_visibility":{"visible":false}}"#),
        (r#"{ "KHR_node_visibility":{"visible":1}}"#, r#"{ "KHR_node_visibility":{"visible":false}}"#),
        (r#"{ "KHR_node_visibility": 7}"#, r#"{ "KHR_node_visibility": {"visible":false}}"#),
        ("{  }", r#"{  "KHR_node_visibility":{"visible":false}}"#),
    ] {
        let (path, original) = file_with(&folder, &format!("{{\"mesh\":0,\"extensions\":{before}}}"));
        let mut scene = open(&path).expect("the file is valid");
        scene.set_flag(1, Flag::Hidden, true);
        let wanted = original.replace(before, after);
        let wanted =
            wanted.replace("[\"EXT_nobody_knows\"]", "[\"EXT_nobody_knows\",\"KHR_node_visibility\"]");
        assert_eq!(saved(&scene, &path), wanted, "{before}");
    }
}

#[test]
fn lock_replaces_crop_box_in_same_extras() {
    let folder = folder();
    let crop = r#""crop_box":{"min":[0,0,0],"max":[1,1,1]}"#;
    for (before, after) in [
        (format!("{{{crop}}}"), r#"{"locked":true}"#),
        (format!(r#"{{"locked":false,{crop}}}"#), r#"{"locked":true}"#),
        (format!(r#"{{{crop},"a":1}}"#), r#"{"locked":true,"a":1}"#),
    ] {
        let (path, original) = file_with(&folder, &format!("{{\"mesh\":0,\"extras\":{before}}}"));
        let mut scene = open(&path).expect("the file is valid");
        assert_eq!(scene.crop_box(1), Some(Bounds { min: DVec3::ZERO, max: DVec3::ONE }));
        scene.set_crop_box(1, None);
        scene.set_flag(1, Flag::Locked, true);
        assert_eq!(saved(&scene, &path), original.replace(&before, after));
    }
}

#[test]
fn marks_without_place_in_file_are_reported() {
    let folder = folder();
    let (path, original) = file_with(&folder, r#"{"mesh":0,"extras":[7],"extensions":7}"#);
    let mut scene = open(&path).expect("the file is valid");
    scene.set_flag(1, Flag::Hidden, true);
    scene.set_flag(1, Flag::Locked, true);
    scene.set_crop_box(1, Some(Bounds { min: DVec3::ZERO, max: DVec3::ONE }));
    let remark = save(&scene, &path).expect("the file is written").expect("there is a remark");
    let wanted = "without the crop boxes of 1 nodes with other extras (first: node 1), \
                  without the locks of 1 nodes with other extras (first: node 1), \
                  without the visibility of 1 nodes with other extensions (first: node 1)";
    assert_eq!(remark, wanted);
    assert_eq!(String::from_utf8(bytes(&path)).expect("the file is UTF-8"), original);
}

#[test]
fn copies_have_marks_of_their_own() {
    let folder = folder();
    let (path, _) = file_with(&folder, &format!("{{{HIDDEN},\"mesh\":0}}"));
    let mut scene = open(&path).expect("the file is valid");
    let crop = Some(Bounds { min: DVec3::ZERO, max: DVec3::ONE });
    scene.set_crop_box(2, crop);
    let copies = [(1, "shown".to_owned()), (1, "hidden".to_owned()), (2, "locked".to_owned())];
    let copies = scene.reserve_copies(&copies).expect("the names are free");
    scene.fill_copies(&copies).expect("the names are free");
    scene.set_flag(copies[0].1, Flag::Hidden, false);
    scene.set_flag(copies[2].1, Flag::Locked, true);
    saved(&scene, &path);
    let again = open(&path).expect("the file is valid");
    let find = |name| again.find(name).expect("the copy is in the file");
    let of_name = |name| flags(&again, find(name));
    assert_eq!([2, find("locked")].map(|node| again.crop_box(node)), [crop; 2]);
    assert_eq!(["shown", "hidden", "locked"].map(of_name), [[false; 2], [true, false], [false, true]]);
}

#[test]
fn generated_file_and_file_without_extensions_list_visibility() {
    let nodes = ["a", "b"].map(|name| Node { mesh: Some(0), ..Node::new(name, None, Transform::IDENTITY) });
    let mut scene = Scene::new(nodes.to_vec(), vec![shapes::cube()]).expect("the nodes form a tree");
    scene.set_flag(0, Flag::Hidden, true);
    scene.set_flag(1, Flag::Locked, true);
    let folder = folder();
    let path = folder.path().join("a.gltf");
    let text = saved(&scene, &path);
    assert!(text.contains(r#""extensionsUsed":["KHR_node_visibility"]"#), "{text}");
    // A viewer may be required to know the extension.
    std::fs::write(&path, text.replace("extensionsUsed", "extensionsRequired"))
        .expect("the folder is writable");
    let again = open(&path).expect("the file is valid");
    assert_eq!([0, 1].map(|node| flags(&again, node)), [[true, false], [false, true]]);
    scene.set_flag(0, Flag::Hidden, false);
    assert!(!saved(&scene, &path).contains("KHR_node_visibility"));
}
