//! Files that would make a reader do the same work many times.

use super::*;

#[test]
fn cancel_is_noticed_at_each_image_and_primitive() {
    let (document, bytes) = textured(json!({"uri": "a.png"}));
    let root = Json::root(&document);
    with_files(|files| {
        let buffers = buffers::read(&root, Some(&bytes), files).expect("the document is valid");
        let views = Views { list: Default::default(), buffers: &buffers, decoded: &Default::default() };
        let materials = MaterialReader::new(&root, views.clone(), files).expect("the document is valid");
        let accessors = Accessors::new(&root, views, files.budget).expect("the document is valid");
        let mut meshes = MeshReader::new(&root, accessors, materials).expect("the document is valid");
        files.progress.cancel();
        let error = read_images(&root, files).expect_err("the load was canceled");
        assert_eq!(error.to_string(), "images[0]: canceled");
        let mesh =
            root.items_of("nodes").expect("the nodes are a list")[1].need("mesh").expect("it has a mesh");
        let error = meshes.mesh(&mesh).expect_err("the load was canceled");
        assert_eq!(error.to_string(), "meshes[0].primitives[0]: canceled");
    });
}

#[test]
fn very_long_name_is_kept_in_file_and_not_shown() {
    let folder = folder();
    let text = with("/nodes/0/name", json!("x".repeat(100_000)));
    let path = write(&folder, "long.glb", &glb(&text, &binary()));
    let mut scene = open(&path).expect("the file is valid");
    assert_eq!(scene.nodes()[0].name, "node 0");
    let before = fs::read(&path).expect("the file exists");
    crate::save(&scene, &path).expect("the scene can be saved");
    assert_eq!(fs::read(&path).expect("the file exists"), before);
    scene.set_local(0, scene.nodes()[1].local);
    crate::save(&scene, &path).expect("the scene can be saved");
    let saved = fs::read(&path).expect("the file exists");
    assert!(saved.windows(100_000).any(|name| name.iter().all(|byte| *byte == b'x')));
}
