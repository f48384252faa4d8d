//! Saves scenes with copied nodes and checks the files.

use super::files::{bytes, f32_bits, folder, odd_files, save, write};
use super::trees::assert_opens_as;
use crate::open;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use scene::Scene;
use scene::built_in;
use scene::flags::Flag;
use wgpu_gizmo_core::glam::DVec3;

fn copy(scene: &mut Scene, node: usize) -> usize {
    let copies = scene.reserve_copies(&scene.plan_copies(&[node])).expect("the names are free");
    scene.fill_copies(&copies).expect("the names are free");
    copies[0].1
}

fn move_to(scene: &mut Scene, node: usize, x: f64) {
    let mut local = scene.nodes()[node].local;
    local.translation = DVec3::new(x, 0.0, 1.0);
    scene.set_local(node, local);
}

#[test]
fn copy_keeps_all_properties_of_original() {
    let folder = folder();
    let path = write(
        &folder,
        "lamp.gltf",
        br#"{ "asset":{"version":"2.0"}, "scenes":[{"nodes":[0]}], "scene":0,
  "nodes": [
    { "name":"lamp", "translation" : [ 1.50, 0, 1 ], "extras":{"a":[1.0]}, "children":[ 1 ] },
    { "name":"bulb" }
  ], "extras":{"]":"]"} }"#,
    );
    let original = String::from_utf8(bytes(&path)).expect("the file is UTF-8");
    let mut scene = open(&path).expect("the file is valid");
    let lamp = copy(&mut scene, 0);
    move_to(&mut scene, lamp, 7.5);
    assert_eq!(save(&scene, &path), Ok(None));
    let wanted = original.replace("\"nodes\":[0]", "\"nodes\":[0,2]").replace(
        "{ \"name\":\"bulb\" }",
        "{ \"name\":\"bulb\" },\n    { \"name\":\"lamp.001\", \"translation\" : [ 7.5, 0, 1 ], \
         \"extras\":{\"a\":[1.0]}, \"children\":[3] },\n    { \"name\":\"bulb.001\" }",
    );
    assert_eq!(String::from_utf8(bytes(&path)).expect("the file is UTF-8"), wanted);
    assert_opens_as(&path, &scene);
    // Moves the bulb from the lamp to its copy, and deletes the copied bulb.
    let (bulb, local) = (scene.find("bulb").expect("the node exists"), scene.nodes()[1].local);
    assert!(scene.reparent(bulb, Some(lamp), local));
    scene.set_flag(3, Flag::Deleted, true);
    assert_eq!(save(&scene, &path), Ok(None));
    let wanted =
        original.replace("\"nodes\":[0]", "\"nodes\":[0,2]").replace(", \"children\":[ 1 ]", "").replace(
            "{ \"name\":\"bulb\" }",
            "{ \"name\":\"bulb\" },\n    { \"name\":\"lamp.001\", \"translation\" : [ 7.5, 0, 1 ], \
             \"extras\":{\"a\":[1.0]}, \"children\":[1] }",
        );
    assert_eq!(String::from_utf8(bytes(&path)).expect("the file is UTF-8"), wanted);
    assert_opens_as(&path, &scene);
    scene.set_flag(lamp, Flag::Deleted, true);
    assert!(scene.reparent(bulb, Some(0), local));
    assert_eq!(save(&scene, &path), Ok(None));
    assert_eq!(
        String::from_utf8(bytes(&path)).expect("the file is UTF-8"),
        original,
        "undone changes leave no trace"
    );
}

#[test]
fn copies_are_saved_in_every_file_format() {
    for file in 0..4 {
        let folder = folder();
        let path = odd_files(&folder).remove(file);
        let original = bytes(&path);
        let mut scene = open(&path).expect("the file is valid");
        // Includes the nodes with a matrix and with a sheared matrix.
        let copies: Vec<usize> = (0..scene.nodes().len()).map(|node| copy(&mut scene, node)).collect();
        let again = copy(&mut scene, copies[0]);
        for ending in ["glb", "gltf"] {
            let copy = folder.path().join("copy").with_extension(ending);
            assert_eq!(save(&scene, &copy), Ok(None));
            assert_opens_as(&copy, &scene);
        }
        move_to(&mut scene, copies[3], 4.0);
        move_to(&mut scene, again, -4.0);
        assert_eq!(save(&scene, &path), Ok(None));
        assert_opens_as(&path, &scene);
        let found = open(&path).expect("the file is valid");
        let at = found.find(&scene.nodes()[again].name).expect("the node exists");
        assert_eq!(f32_bits(&found.nodes()[at]), f32_bits(&scene.nodes()[again]));
        copies.iter().chain([&again]).for_each(|node| scene.set_flag(*node, Flag::Deleted, true));
        assert_eq!(save(&scene, &path), Ok(None));
        assert!(bytes(&path) == original, "undone changes leave no trace");
    }
}

#[test]
fn copies_are_shown_in_file_without_scenes() {
    let folder = folder();
    let nodes = r#"{ "asset":{"version":"2.0"}, "nodes":[{"name":"a","children":[1]},{"name":"b"}]}"#;
    let path = write(&folder, "parts.gltf", nodes.as_bytes());
    let mut scene = open(&path).expect("the file is valid");
    copy(&mut scene, 0);
    assert_eq!(save(&scene, &path), Ok(None));
    assert_opens_as(&path, &scene);
    scene.set_flag(0, Flag::Deleted, true);
    assert_eq!(save(&scene, &path), Ok(None));
    assert_opens_as(&path, &scene);
}

#[test]
fn generated_file_has_copies_but_no_deleted_nodes() {
    let folder = folder();
    let mut scene = built_in::scene();
    let forearm = scene.find("forearm").expect("the node exists");
    let first = copy(&mut scene, forearm);
    move_to(&mut scene, first, 3.0);
    copy(&mut scene, first);
    scene.set_flag(first, Flag::Deleted, true);
    for name in ["arm.glb", "arm.gltf"] {
        let path = folder.path().join(name);
        assert_eq!(save(&scene, &path), Ok(None));
        assert_opens_as(&path, &scene);
        let found = open(&path).expect("the file is valid");
        assert_eq!(found.notice, None, "no node is outside of the scene");
    }
}

#[test]
fn reused_name_of_deleted_node_is_unique_in_file() {
    let folder = folder();
    let nodes =
        r#"{ "asset":{"version":"2.0"}, "nodes":[{"name":"a","children":[1]},{"name":"b"},{"name":"c"}]}"#;
    let path = write(&folder, "names.gltf", nodes.as_bytes());
    let mut scene = open(&path).expect("the file is valid");
    scene.set_flag(0, Flag::Deleted, true);
    scene.rename(2, "b").expect("the name is free");
    let first = copy(&mut scene, 2);
    scene.rename(first, "a").expect("the name is free");
    assert_eq!(save(&scene, &path), Ok(None));
    assert_opens_as(&path, &scene);
    let text = String::from_utf8(bytes(&path)).expect("the file is UTF-8");
    assert!(
        text.contains(
            r#"{"name":"a (deleted)","children":[1]},{"name":"b (deleted)"},{"name":"b"},{"name":"a"}"#
        ),
        "{text}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_copies_reparents_and_deletions_are_saved(
        steps in prop::collection::vec((0_usize..40, 0_usize..40, 0_u8..4), 1..10),
        file in 0_usize..4,
    ) {
        let folder = folder();
        let path = odd_files(&folder).remove(file);
        let mut scene = open(&path).expect("the file is valid");
        for (node, to, action) in steps {
            let (node, to) = (node % scene.nodes().len(), to % (scene.nodes().len() + 1));
            let to = (to < scene.nodes().len()).then_some(to);
            match action {
                _ if !scene.exists(node) => {}
                0 => drop(copy(&mut scene, node)),
                1 => move_to(&mut scene, node, 0.1 * node as f64),
                // Keeps one root: the last node of the file.
                2 if node != 5 && !scene.is_in_subtree(5, node) => scene.set_flag(node, Flag::Deleted, true),
                _ if to.is_none_or(|to| scene.exists(to)) => {
                    let local = scene.nodes()[node].local;
                    scene.reparent(node, to, local);
                }
                _ => {}
            }
            for ending in ["glb", "gltf"] {
                let copy = folder.path().join("copy").with_extension(ending);
                prop_assert_eq!(save(&scene, &copy), Ok(None));
                assert_opens_as(&copy, &scene);
            }
        }
    }
}
