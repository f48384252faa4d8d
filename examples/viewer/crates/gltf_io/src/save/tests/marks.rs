//! Saves hidden and locked nodes and checks the text byte by byte.

use super::*;

const HIDDEN: &str = r#""extensions":{"KHR_node_visibility":{"visible":false}}"#;

/// Opens the unusual scene with its first twin replaced. Returns its path, its text and the scene.
fn scene_with(twin: &str) -> (TempDir, PathBuf, String, Scene) {
    let (folder, path, _) = odd_scene();
    let text = odd_text().replace(r#"{"name":"twin","mesh":0,"scale":[-1,1.00,1]}"#, twin);
    std::fs::write(&path, &text).expect("the folder is writable");
    let scene = open(&path).expect("the file is valid");
    (folder, path, text, scene)
}

fn flags(scene: &Scene, node: usize) -> [bool; 2] {
    [Flag::Hidden, Flag::Locked].map(|flag| scene.has_flag(node, flag))
}

#[test]
fn hidden_and_locked_nodes_are_saved_and_nothing_else_changes() {
    let (_folder, path, original, mut scene) =
        scene_with(r#"{"name":"twin","mesh":0, "extras" : {"a": [1.0] }}"#);
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
    let twin = r#"{"extensions":{ "EXT_x":{"a":1.50}, "KHR_node_visibility" : {"b":[2.0],"visible" : false} },"mesh":0}"#;
    let (_folder, path, original, mut scene) = scene_with(twin);
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
        let (_folder, path, original, mut scene) =
            scene_with(&format!("{{\"mesh\":0,\"extensions\":{before}}}"));
        scene.set_flag(1, Flag::Hidden, true);
        let wanted = original.replace(before, after);
        let wanted =
            wanted.replace("[\"EXT_nobody_knows\"]", "[\"EXT_nobody_knows\",\"KHR_node_visibility\"]");
        assert_eq!(saved(&scene, &path), wanted, "{before}");
    }
}

#[test]
fn lock_replaces_crop_box_or_null_in_same_extras() {
    let crop = r#""crop_box":{"min":[0,0,0],"max":[1,1,1]}"#;
    for (before, after) in [
        (format!("{{{crop}}}"), r#"{"locked":true}"#),
        (format!(r#"{{"locked":false,{crop}}}"#), r#"{"locked":true}"#),
        (format!(r#"{{{crop},"a":1}}"#), r#"{"locked":true,"a":1}"#),
        ("null".to_owned(), r#"{"locked":true}"#),
    ] {
        let (_folder, path, original, mut scene) = scene_with(&format!("{{\"mesh\":0,\"extras\":{before}}}"));
        let unit = Bounds { min: DVec3::ZERO, max: DVec3::ONE };
        assert_eq!(scene.crop_box(1), before.contains(crop).then_some(unit));
        scene.set_crop_box(1, None);
        scene.set_flag(1, Flag::Locked, true);
        let extras = |value: &str| format!("\"extras\":{value}");
        assert_eq!(saved(&scene, &path), original.replace(&extras(&before), &extras(after)));
    }
}

#[test]
fn marks_without_place_in_file_are_reported() {
    let (_folder, path, original, mut scene) = scene_with(r#"{"mesh":0,"extras":[7],"extensions":7}"#);
    scene.set_flag(1, Flag::Hidden, true);
    scene.set_flag(1, Flag::Locked, true);
    scene.set_crop_box(1, Some(Bounds { min: DVec3::ZERO, max: DVec3::ONE }));
    let remark = save(&scene, &path).expect("the file is written").expect("there is a remark");
    let wanted = "without the crop boxes of nodes with other extras (1; first: node 1), \
                  without the locks of nodes with other extras (1; first: node 1), \
                  without the visibility of nodes with other extensions (1; first: node 1)";
    assert_eq!(remark, wanted);
    assert_eq!(bytes(&path), original.as_bytes());
}

#[test]
fn copies_have_marks_of_their_own() {
    let (_folder, path, _, mut scene) = scene_with(&format!("{{{HIDDEN},\"mesh\":0}}"));
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
fn generated_file_has_marks_of_its_nodes() {
    let node = |name| Node { mesh: Some(0), ..Node::new(name, None, Transform::IDENTITY) };
    let nodes = ["hidden", "locked", "deleted"].map(node);
    let mut scene = Scene::new(nodes.to_vec(), vec![shapes::cube()]).expect("the nodes form a tree");
    let crop = |x| Some(Bounds { min: DVec3::ZERO, max: DVec3::new(x, 2.0, 1e-7) });
    scene.set_flag(0, Flag::Hidden, true);
    scene.set_flag(1, Flag::Locked, true);
    scene.set_flag(2, Flag::Deleted, true);
    scene.set_crop_box(1, crop(0.5));
    scene.set_crop_box(2, crop(0.25));
    let folder = super::folder();
    assert_eq!(save(&scene, &folder.path().join("a.glb")), Ok(None));
    let binary = open(&folder.path().join("a.glb")).expect("the file is valid");
    let path = folder.path().join("a.gltf");
    let text = saved(&scene, &path);
    assert!(text.contains(r#""extensionsUsed":["KHR_node_visibility"]"#), "{text}");
    // A viewer may be required to know the extension.
    std::fs::write(&path, text.replace("extensionsUsed", "extensionsRequired"))
        .expect("the folder is writable");
    let again = open(&path).expect("the file is valid");
    for again in [again, binary] {
        let names: Vec<_> = again.nodes().iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["hidden", "locked"]);
        assert_eq!([0, 1].map(|node| flags(&again, node)), [[true, false], [false, true]]);
        assert_eq!([0, 1].map(|node| again.crop_box(node)), [None, crop(0.5)]);
    }
    scene.set_flag(0, Flag::Hidden, false);
    assert!(!saved(&scene, &path).contains("KHR_node_visibility"));
}
