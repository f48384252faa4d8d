//! Tests of the files that are embedded in a saved scene, and of the permissions of the result.

use super::*;

#[test]
fn buffers_and_images_are_embedded_as_read_and_named() {
    let folder = folder();
    let with_images = text(r#"{"uri":"a%20buffer.bin","byteLength":79}"#).replace(
        "\"materials\"",
        r#""images":[{"uri":"a.png"},{"uri":"none.jpg"},{"bufferView":0,"mimeType":"image/png"},
          {"uri":"fake.png"},{"uri":"secret"},{"uri":"%61.png"}],"materials""#,
    );
    write(&folder, "a buffer.bin", &binary());
    write(&folder, "a.png", &png());
    write(&folder, "fake.png", b"\x89PNG\r\n\x1a\n-----BEGIN OPENSSH PRIVATE KEY-----");
    write(&folder, "secret", b"-----BEGIN OPENSSH PRIVATE KEY-----");
    let path = write(&folder, "images.gltf", with_images.as_bytes());
    let scene = open(&path).expect("the file is valid");
    // The saved scene has the contents that were read, whatever is on disk now.
    fs::write(folder.path().join("a.png"), b"something else").expect("the folder is writable");
    fs::remove_file(folder.path().join("a buffer.bin")).expect("the file exists");
    write(&folder, "none.jpg", &png());
    let elsewhere = super::folder();
    for copy in [folder.path().join("images.glb"), elsewhere.path().join("images.gltf")] {
        let remark = crate::save(&scene, &copy).expect("the scene can be saved").remark;
        let wanted = "with the contents of a buffer.bin, a.png, \
                      without 3 image files that were not read as images (first: none.jpg)";
        assert_eq!(remark.as_deref(), Some(wanted), "{copy:?}");
        assert_same_meshes(&open(&copy).expect("the file is complete"), &scene, "with its buffer");
        let images = &all_but_transforms(&copy)["images"];
        let data = BASE64.encode(png());
        assert_eq!(images[0]["uri"], json!(format!("data:image/png;base64,{data}")));
        assert_eq!(images[5]["uri"], images[0]["uri"]);
        let rest = [&images[1]["uri"], &images[3]["uri"], &images[4]["uri"]];
        assert_eq!(rest, ["none.jpg", "fake.png", "secret"]);
        assert!(!bytes(&copy).windows(7).any(|part| part == b"OPENSSH"));
    }
}

#[cfg(unix)]
#[test]
fn copy_is_as_private_as_its_embedded_files() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, elsewhere) = (folder(), folder());
    let path = odd_files(&folder).remove(2);
    let set_mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the folder is writable");
    };
    let mode = |path: &Path| fs::metadata(path).expect("the file exists").permissions().mode() & 0o777;
    let buffer = folder.path().join("a buffer.bin");
    for (scene_mode, buffer_mode, copy_mode, embeds) in [
        (0o600, 0o644, 0o600, true),
        (0o644, 0o600, 0o600, true),
        (0o640, 0o604, 0o600, true),
        (0o444, 0o444, 0o644, true),
        (0o644, 0o600, 0o644, false),
    ] {
        set_mode(&path, scene_mode);
        set_mode(&buffer, buffer_mode);
        let scene = open(&path).expect("the file is valid");
        let copy = if embeds { elsewhere.path().join("copy.gltf") } else { folder.path().join("copy.gltf") };
        fs::remove_file(&copy).ok();
        save(&scene, &copy).expect("the scene can be saved");
        assert_eq!(mode(&copy) & 0o677, copy_mode & mode(&path.with_extension("glb")) | 0o600);
        // The scene's own file keeps the permissions that the user has set since.
        set_mode(&path, 0o644);
        save(&scene, &path).expect("the scene can be saved");
        assert_eq!(mode(&path), 0o644);
        // A file that exists keeps its own restrictions.
        set_mode(&copy, 0o600);
        save(&scene, &copy).expect("the scene can be saved");
        assert_eq!(mode(&copy), 0o600);
    }
}
