//! Saves scenes with reparented or deleted nodes and checks the files: with this reader, with the
//! `gltf` crate, and byte by byte.

use super::*;

fn reparent(scene: &mut Scene, node: usize, parent: Option<usize>) {
    let local = scene.nodes()[node].local;
    assert!(scene.reparent(node, parent, local), "the new parent is not a descendant");
}

/// Returns whether a node is hidden and locked, and its crop box.
pub(crate) fn marks(scene: &Scene, node: usize) -> ([bool; 2], Option<Bounds>) {
    ([Flag::Hidden, Flag::Locked].map(|flag| scene.has_flag(node, flag)), scene.crop_box(node))
}

/// Asserts that a file has exactly the nodes of `expected` that are not deleted, with the same parents,
/// transforms, meshes and marks.
pub(crate) fn assert_opens_as(path: &Path, expected: &Scene) {
    let found = open(path).unwrap_or_else(|error| panic!("{error}"));
    gltf::Gltf::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name_of = |scene: &Scene, node: usize| scene.nodes()[node].name.clone();
    let parent_of =
        |scene: &Scene, node: usize| scene.nodes()[node].parent.map(|parent| name_of(scene, parent));
    let kept = || (0..expected.nodes().len()).filter(|node| expected.exists(*node));
    assert_eq!(found.nodes().len(), kept().count(), "{}", path.display());
    for node in kept() {
        let name = name_of(expected, node);
        let at = found.find(&name).unwrap_or_else(|| panic!("{name} is not in {}", path.display()));
        assert_eq!(parent_of(&found, at), parent_of(expected, node), "{name}");
        assert_eq!(f32_bits(&found.nodes()[at].local), f32_bits(&expected.nodes()[node].local), "{name}");
        assert_eq!(found.nodes()[at].mesh.is_some(), expected.nodes()[node].mesh.is_some(), "{name}");
        assert_eq!(marks(&found, at), marks(expected, node), "{name}");
    }
}

#[test]
fn reparenting_changes_only_lists_in_text() {
    let (_folder, path, mut scene) = odd_scene();
    // Node 5 of the scene is node 6 of the file.
    reparent(&mut scene, 2, Some(5));
    reparent(&mut scene, 3, None);
    let wanted = odd_text()
        .replace("[ 1, 2, 3, 4 ]", "[1,4]")
        .replace("{\"nodes\":[0,6]}", "{\"nodes\":[0,6,3]}")
        .replace("    { }\n", "    { \"children\":[2]}\n");
    assert_eq!(saved(&scene, &path), wanted);
    assert_opens_as(&path, &scene);
    // Deleting a root removes its descendants with it and keeps its list of children.
    scene.set_flag(0, Flag::Deleted, true);
    assert_eq!(saved(&scene, &path), wanted.replace("{\"nodes\":[0,6,3]}", "{\"nodes\":[6,3]}"));
    assert_opens_as(&path, &scene);
    scene.set_flag(0, Flag::Deleted, false);
    reparent(&mut scene, 2, Some(0));
    reparent(&mut scene, 3, Some(0));
    assert_eq!(saved(&scene, &path), odd_text(), "undone changes leave no trace");
}

#[test]
fn indices_with_fraction_of_zero_stay() {
    let text = odd_text().replace("\"scene\": 0", "\"scene\": 0.0").replace("[5]", "[5.0]");
    let (_folder, path, mut scene) = odd_scene_of(&text);
    reparent(&mut scene, 3, None);
    assert_eq!(save(&scene, &path), Ok(None));
    let wanted = text.replace("[ 1, 2, 3, 4 ]", "[1,2,4]").replace("[0,6]", "[0,6,3]");
    assert_eq!(bytes(&path), wanted.as_bytes());
}

#[test]
fn empty_list_of_children_is_removed() {
    for (nodes, wanted) in [
        (r#"{"children":[1]},{"name":"b"}"#, r#"{"name":"top"},{"name":"b"}"#),
        (r#"{ "name":"a", "children" : [1] },{"name":"b"}"#, r#"{ "name":"top" },{"name":"b"}"#),
        (r#"{"children":[1],"children":[1]},{"name":"b"}"#, r#"{"name":"top"},{"name":"b"}"#),
        (
            r#"{"children":[1],"matrix":[2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1]},{"name":"b"}"#,
            r#"{"name":"top","matrix":[2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,1]},{"name":"b"}"#,
        ),
    ] {
        let document = |nodes: &str| {
            format!(
                r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}]}}"#
            )
        };
        let (_folder, path, mut scene) = scene_of(&document(nodes));
        scene.rename(0, "top").expect("the name is free");
        reparent(&mut scene, 1, None);
        assert_eq!(saved(&scene, &path), document(wanted).replace("\"nodes\":[0]", "\"nodes\":[0,1]"));
        assert_opens_as(&path, &scene);
        // The other node becomes the only root.
        reparent(&mut scene, 0, Some(1));
        let text = saved(&scene, &path);
        assert!(text.contains(r#""scenes":[{"nodes":[1]}]"#), "{text}");
        assert_opens_as(&path, &scene);
    }
}

#[test]
fn scene_that_listed_no_root_lists_remaining_roots() {
    let listed = odd_text().replace("{\"nodes\":[0,6]}", "{\"nodes\":[1]}");
    let (_folder, path, mut scene) = odd_scene_of(&listed);
    scene.set_flag(1, Flag::Deleted, true);
    assert_eq!((scene.exists(0), scene.nodes()[1].parent), (true, Some(0)));
    let wanted = listed.replace("[ 1, 2, 3, 4 ]", "[2,3,4]").replace("{\"nodes\":[1]}", "{\"nodes\":[0]}");
    assert_eq!(saved(&scene, &path), wanted);
    let found = open(&path).expect("the file has a scene");
    assert!(found.nodes().iter().any(|node| node.name == scene.nodes()[0].name));
}
