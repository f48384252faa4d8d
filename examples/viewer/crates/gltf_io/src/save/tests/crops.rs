//! Saves crop boxes and checks the text byte by byte.

use super::files::{bytes, folder, odd_files, save, text, write};
use crate::open;
use scene::bounds::Bounds;
use wgpu_gizmo_core::glam::DVec3;

const BUFFERS: &str = r#"{"uri":"a%20buffer.bin" , "byteLength":79}"#;

fn crop(x: f64) -> Option<Bounds> {
    Some(Bounds { min: DVec3::new(0.0, 0.25, -1.0), max: DVec3::new(x, 2.0, 1e-7) })
}

#[test]
fn crop_box_is_saved_in_extras_and_nothing_else_changes() {
    let folder = folder();
    let path = odd_files(&folder).remove(2);
    let with_extras = text(BUFFERS)
        .replace("\"mesh\":0, \"matrix\"", "\"mesh\":0, \"extras\" : {\"a\": [1.0] }, \"matrix\"");
    std::fs::write(&path, &with_extras).expect("the folder is writable");
    let mut scene = open(&path).expect("the file is valid");
    scene.set_crop_box(1, crop(0.5));
    scene.set_crop_box(3, crop(0.75));
    assert_eq!(save(&scene, &path), Ok(None));
    let written = |x: f64| format!("\"crop_box\":{{\"min\":[0,0.25,-1],\"max\":[{x},2,1e-7]}}");
    let twin = "{\"name\":\"twin\",\"mesh\":0,\"scale\"";
    let cropped = format!("{{\"extras\":{{{}}},{}", written(0.5), &twin[1..]);
    let wanted = with_extras
        .replace(twin, &cropped)
        .replace("{\"a\": [1.0] }", &format!("{{{},\"a\": [1.0] }}", written(0.75)));
    assert_eq!(String::from_utf8(bytes(&path)).expect("the file is UTF-8"), wanted);
    gltf::Gltf::open(&path).unwrap_or_else(|error| panic!("{error}"));
    let mut again = open(&path).expect("the file is valid");
    assert_eq!([1, 2, 3].map(|node| again.crop_box(node)), [crop(0.5), None, crop(0.75)]);
    // A box that is gone leaves the other extras.
    again.set_crop_box(3, None);
    assert_eq!(save(&again, &path), Ok(None));
    let wanted = wanted.replace(&format!("{},", written(0.75)), "");
    assert_eq!(String::from_utf8(bytes(&path)).expect("the file is UTF-8"), wanted);
    // Undone changes leave no trace.
    scene.set_crop_box(1, None);
    scene.set_crop_box(3, None);
    assert_eq!(save(&scene, &path), Ok(None));
    assert_eq!(String::from_utf8(bytes(&path)).expect("the file is UTF-8"), with_extras);
}

#[test]
fn unusable_crop_boxes_of_file_are_ignored() {
    let folder = folder();
    let path = odd_files(&folder).remove(2);
    for unusable in [
        r#"{"crop_box":7}"#,
        r#"{"crop_box":{"min":[0,0,0]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,1]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,0,1]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,1e999,1]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,"1",1]}}"#,
        "[]",
    ] {
        let odd = text(BUFFERS)
            .replace("\"mesh\":0,\"scale\"", &format!("\"mesh\":0,\"extras\":{unusable},\"scale\""));
        let path = write(
            &folder,
            path.file_name().and_then(|name| name.to_str()).expect("the path has a file name"),
            odd.as_bytes(),
        );
        // Numbers that no reader accepts are an error of the file.
        let Ok(scene) = open(&path) else { continue };
        assert_eq!(scene.crop_box(1), None, "{unusable}");
        assert_eq!(save(&scene, &path), Ok(None));
        assert_eq!(bytes(&path), odd.as_bytes(), "{unusable}");
    }
}

#[test]
fn generated_file_has_crop_boxes_of_its_nodes() {
    use scene::flags::Flag;
    use scene::{Node, Scene, shapes};
    use wgpu_gizmo_core::Transform;
    let node = |name| Node { mesh: Some(0), ..Node::new(name, None, Transform::IDENTITY) };
    let nodes = vec![node("deleted"), node("cropped"), node("whole")];
    let mut scene = Scene::new(nodes, vec![shapes::cube()]).expect("the nodes form a tree");
    scene.set_crop_box(0, crop(0.25));
    scene.set_crop_box(1, crop(0.5));
    scene.set_flag(0, Flag::Deleted, true);
    let folder = folder();
    for path in ["a.glb", "a.gltf"].map(|name| folder.path().join(name)) {
        assert_eq!(save(&scene, &path), Ok(None));
        let again = open(&path).expect("the file is valid");
        let found: Vec<_> = again.nodes().iter().map(|node| node.name.as_str()).collect();
        assert_eq!(found, ["cropped", "whole"]);
        assert_eq!([0, 1].map(|node| again.crop_box(node)), [crop(0.5), None]);
    }
}
