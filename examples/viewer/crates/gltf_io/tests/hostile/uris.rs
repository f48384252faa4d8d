//! Documents whose URIs try to reach files that the scene must not read.

use super::costs::gltf;
use super::parent::Expect::{Opened, Refused};
use super::parent::{Case, case};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The contents of the file that must never be found in a saved scene.
pub(crate) const SECRET: &str = "SECRET";

/// Makes the folders and links around a scene: `folder/scene` is the scene's own folder.
pub(crate) fn prepare(folder: &Path) {
    let scene = folder.join("scene");
    for name in ["scene", "scene/sub", "other"] {
        fs::create_dir(folder.join(name)).expect("the folder is writable");
    }
    let secret = SECRET.repeat(1000);
    for name in ["secret", "other/secret", "secret.png"] {
        fs::write(folder.join(name), &secret).expect("the folder is writable");
    }
    let black = super::bytes::black_png([512, 512]);
    let large = [black.as_slice(), &vec![0; 3_000_000]].concat();
    for (name, bytes) in [("black.png", black), ("large.png", large)] {
        fs::write(scene.join(name), bytes).expect("the folder is writable");
    }
    let links = [("../secret", "link"), ("../other", "links"), ("link", "again"), ("/dev/zero", "zero")];
    for (target, name) in links.into_iter().chain([("/proc/self/environ", "environ"), ("loop", "loop")]) {
        symlink(target, scene.join(name)).expect("the folder is writable");
    }
    let made = Command::new("mkfifo").arg(scene.join("fifo")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
}

/// Returns a case for each kind of URI, once for a buffer and once for an image.
pub(crate) fn cases(folder: &Path) -> Vec<Case> {
    let absolute = folder.join("secret").display().to_string();
    let file_url = format!("file://{absolute}");
    let long = "a/".repeat(50_000);
    let outside = "outside the folder of the scene";
    let uris = [
        ("../secret", outside),
        ("%2e%2e/secret", outside),
        ("..%2Fsecret", outside),
        ("%2E%2E%2fsecret", outside),
        ("sub/../../secret", outside),
        ("./sub/./../../other/secret", outside),
        (absolute.as_str(), outside),
        ("/etc/passwd", outside),
        ("%2Fetc%2Fpasswd", outside),
        ("//server/share/secret", outside),
        ("link", outside),
        ("again", outside),
        ("links/secret", outside),
        ("zero", outside),
        ("environ", outside),
        ("loop", "cannot be read"),
        ("fifo", "not a regular file"),
        ("sub", "is a folder"),
        (".", "is a folder"),
        ("none", "cannot be read"),
        (file_url.as_str(), "file URIs are not supported"),
        ("FILE:/etc/passwd", "FILE URIs are not supported"),
        ("file%3A///etc/passwd", "file URIs are not supported"),
        ("http://localhost/secret", "http URIs are not supported"),
        ("smb://localhost/secret", "smb URIs are not supported"),
        ("secret%00.png", "NUL"),
        ("%ff", "UTF-8"),
        ("", "it is empty"),
        (long.as_str(), "cannot be read"),
        ("\\u001b]0;title\\u0007\\u202esecret", "cannot be read"),
    ];
    let mut cases = Vec::new();
    for (index, (uri, why)) in uris.into_iter().enumerate() {
        let buffer = gltf(&format!(r#""nodes":[{{}}],"buffers":[{{"byteLength":4,"uri":"{uri}"}}]"#));
        cases.push(case(&format!("uri_{index}_of_buffer"), buffer, Refused(why)));
        cases.push(case(&format!("uri_{index}_of_image"), textured(uri), Opened(why)));
    }
    cases
}

/// Returns a document that shows an image.
fn textured(uri: &str) -> String {
    gltf(&format!(
        r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
            "accessors":[{{"count":3,"type":"VEC3","componentType":5126}}],
            "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
            "textures":[{{"source":0}}],"images":[{{"uri":"{uri}"}}]"#
    ))
}
