//! Files that a replay saves open again with the same transforms.

use crate::viewer::*;

/// The browser tests type the keys of the same replay in the viewer's page, and compare its download with the same
/// file.
#[test]
fn native_save_equals_file_of_browser_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/tests");
    let out = Folder::new();
    play(&folder.join("moved.json"), &out);
    let bytes = |path: &Path| std::fs::read(path).unwrap_or_default();
    let (saved, file) = (bytes(&out.path().join("moved.glb")), folder.join("moved.glb"));
    let scene = json_file(&folder.join("moved.json"))["scene"]["gltf"].clone();
    let opened = bytes(&folder.join(scene.as_str().expect("the replay opens a file")));
    assert!(!saved.is_empty() && !opened.is_empty() && saved != opened, "the replay changes its scene");
    if std::env::var_os("WRITE_SAVED").is_some() {
        std::fs::write(&file, &saved).expect("the folder is writable");
    }
    assert!(
        saved == bytes(&file),
        "run this test with WRITE_SAVED=1 if the writer or the replay has changed"
    );
}
