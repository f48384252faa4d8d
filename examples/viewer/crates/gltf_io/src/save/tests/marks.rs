//! Saves hidden and locked nodes and checks the text byte by byte.

use super::*;

const HIDDEN: &str = r#""extensions":{"KHR_node_visibility":{"visible":false}}"#;

/// Opens the unusual scene with its first twin replaced. Returns its path, its text and the scene.
fn scene_with(twin: &str) -> (TempDir, PathBuf, String, Scene) {
    let text = odd_text().replace(r#"{"name":"twin","mesh":0,"scale":[-1,1.00,1]}"#, twin);
    let (folder, path, scene) = odd_scene_of(&text);
    (folder, path, text, scene)
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
    assert_eq!([1, 2, 3].map(|node| marks(&again, node).0), [[false, true], [true, false], [false; 2]]);
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
    // A copy has the name that the user sees.
    let copy = copies::copy(&mut scene, 1);
    scene.set_flag(1, Flag::Locked, false);
    scene.set_flag(copy, Flag::Locked, true);
    let remark = save(&scene, &path).expect("the file is written").expect("there is a remark");
    let first =
        format!("without the locks of nodes with other extras (1; first: {})", scene.nodes()[copy].name);
    assert!(remark.contains(&first), "{remark}");
}
