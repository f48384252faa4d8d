//! Saves scenes with copied nodes and checks the files.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub(super) fn copy(scene: &mut Scene, node: usize) -> usize {
    let copies = scene.reserve_copies(&scene.plan_copies(&[node])).expect("the names are free");
    scene.fill_copies(&copies).expect("the names are free");
    copies[0].1
}

pub(super) fn move_to(scene: &mut Scene, node: usize, x: f64) {
    let mut local = scene.nodes()[node].local;
    local.translation = DVec3::new(x, 0.0, 1.0);
    scene.set_local(node, local);
}

#[test]
fn copy_keeps_all_properties_of_original() {
    let original = r#"{ "asset":{"version":"2.0"}, "scenes":[{"nodes":[0]}], "scene":0,
  "nodes": [
    { "name":"lamp", "translation" : [ 1.50, 0, 1 ], "extras":{"a":[1.0]}, "children":[ 1 ] },
    { "name":"bulb" }
  ], "extras":{"]":"]"} }"#;
    let (_folder, path, mut scene) = scene_of(original);
    let lamp = copy(&mut scene, 0);
    move_to(&mut scene, lamp, 7.5);
    let wanted = original.replace("\"nodes\":[0]", "\"nodes\":[0,2]").replace(
        "{ \"name\":\"bulb\" }",
        "{ \"name\":\"bulb\" },\n    { \"name\":\"lamp.001\", \"translation\" : [ 7.5, 0, 1 ], \
         \"extras\":{\"a\":[1.0]}, \"children\":[3] },\n    { \"name\":\"bulb.001\" }",
    );
    assert_eq!(saved(&scene, &path), wanted);
    assert_opens_as(&path, &scene);
    // Moves the bulb from the lamp to its copy, and deletes the copied bulb.
    let (bulb, local) = (scene.find("bulb").expect("the node exists"), scene.nodes()[1].local);
    assert!(scene.reparent(bulb, Some(lamp), local));
    scene.set_flag(3, Flag::Deleted, true);
    let wanted =
        original.replace("\"nodes\":[0]", "\"nodes\":[0,2]").replace(", \"children\":[ 1 ]", "").replace(
            "{ \"name\":\"bulb\" }",
            "{ \"name\":\"bulb\" },\n    { \"name\":\"lamp.001\", \"translation\" : [ 7.5, 0, 1 ], \
             \"extras\":{\"a\":[1.0]}, \"children\":[1] }",
        );
    assert_eq!(saved(&scene, &path), wanted);
    assert_opens_as(&path, &scene);
    scene.set_flag(lamp, Flag::Deleted, true);
    assert!(scene.reparent(bulb, Some(0), local));
    assert_eq!(saved(&scene, &path), original, "undone changes leave no trace");
}

#[test]
fn copies_are_shown_in_file_without_scenes() {
    let nodes = r#"{ "asset":{"version":"2.0"}, "nodes":[{"name":"a","children":[1]},{"name":"b"}]}"#;
    let (_folder, path, mut scene) = scene_of(nodes);
    copy(&mut scene, 0);
    assert_eq!(save(&scene, &path), Ok(None));
    assert_opens_as(&path, &scene);
    scene.set_flag(0, Flag::Deleted, true);
    assert_eq!(save(&scene, &path), Ok(None));
    assert_opens_as(&path, &scene);
}

#[test]
fn copy_can_take_name_of_unnamed_original() {
    let (_folder, path, mut scene) = scene_of(r#"{ "asset":{"version":"2.0"}, "nodes":[{}, {}] }"#);
    let first = copy(&mut scene, 0);
    let names = [(0, "a".to_owned()), (first, "node 0".to_owned())];
    scene.rename_all(&names).expect("the names are free");
    assert!(saved(&scene, &path).contains(r#"{"name":"a"}, {},{"name":"node 0"}"#));
    assert_opens_as(&path, &scene);
}

#[test]
fn reused_name_of_deleted_node_is_unique_in_file() {
    let nodes =
        r#"{ "asset":{"version":"2.0"}, "nodes":[{"name":"a","children":[1]},{"name":"b"},{"name":"c"}]}"#;
    let (_folder, path, mut scene) = scene_of(nodes);
    scene.set_flag(0, Flag::Deleted, true);
    scene.rename(2, "b").expect("the name is free");
    let first = copy(&mut scene, 2);
    scene.rename(first, "a").expect("the name is free");
    let text = saved(&scene, &path);
    assert_opens_as(&path, &scene);
    let nodes = r#"{"name":"a (deleted)","children":[1]},{"name":"b (deleted)"},{"name":"b"},{"name":"a"}"#;
    assert!(text.contains(nodes), "{text}");
    // Also that of a node that was deleted in the file before.
    let (_folder, path, mut scene) = scene_of(
        r#"{ "asset":{"version":"2.0"}, "scenes":[{"nodes":[1]}], "nodes":[{"name":"a"},{"name":"b"}]}"#,
    );
    scene.rename(0, "a").expect("the name is free");
    assert!(saved(&scene, &path).contains(r#"[{"name":"a (deleted)"},{"name":"a"}]"#));
    assert_opens_as(&path, &scene);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_edits_are_saved_and_leave_no_trace_when_undone(
        steps in prop::collection::vec((0_usize..40, 0_usize..40, 0_u8..4), 1..10),
        file in 0_usize..4,
    ) {
        let folder = folder();
        let path = odd_files(&folder).remove(file);
        let mut scene = open(&path).expect("the file is valid");
        let mut undo = Vec::new();
        for (node, to, action) in steps {
            let (node, to) = (node % scene.nodes().len(), to % (scene.nodes().len() + 1));
            let Node { parent, local, .. } = scene.nodes()[node];
            let edit = match action {
                _ if !scene.exists(node) => continue,
                0 => Edit::Copy(scene.reserve_copies(&scene.plan_copies(&[node])).expect("the names are free")),
                1 => Edit::Place(vec![(node, Transform { translation: DVec3::X * 0.1, ..local })]),
                // Keeps one root: the last node of the file.
                2 if node != 5 && !scene.is_in_subtree(5, node) => {
                    let flag = [Flag::Deleted, Flag::Hidden, Flag::Locked][to % 3];
                    Edit::Flag(vec![(node, flag, !scene.has_flag(node, flag))])
                }
                _ => Edit::Parent(vec![(node, if to < scene.nodes().len() { Some(to) } else { parent })]),
            };
            let is_possible = !matches!(&edit, Edit::Parent(parents) if parents[0].1.is_some_and(|to| !scene.exists(to)));
            if let Some(inverse) = is_possible.then(|| edit.apply(&mut scene).ok()).flatten() {
                undo.push(inverse);
            }
            for ending in ["glb", "gltf"] {
                let copy = folder.path().join("copy").with_extension(ending);
                prop_assert_eq!(save(&scene, &copy), Ok(None));
                assert_opens_as(&copy, &scene);
            }
        }
        for edit in undo.into_iter().rev() {
            edit.apply(&mut scene).expect("an inverse can be applied");
        }
        let original = bytes(&path);
        prop_assert_eq!(save(&scene, &path), Ok(None));
        prop_assert!(bytes(&path) == original);
    }
}
