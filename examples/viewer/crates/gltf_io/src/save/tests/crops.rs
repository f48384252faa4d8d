//! Saves crop boxes and checks the text byte by byte.

use super::*;

fn crop(x: f64) -> Option<Bounds> {
    Some(Bounds { min: DVec3::new(0.0, 0.25, -1.0), max: DVec3::new(x, 2.0, 1e-7) })
}

#[test]
fn crop_box_is_saved_in_extras_and_nothing_else_changes() {
    let with_extras =
        odd_text().replace("\"mesh\":0, \"matrix\"", "\"mesh\":0, \"extras\" : {\"a\": [1.0] }, \"matrix\"");
    let (_folder, path, mut scene) = odd_scene_of(&with_extras);
    scene.set_crop_box(1, crop(0.5));
    scene.set_crop_box(3, crop(0.75));
    let written = |x: f64| format!("\"crop_box\":{{\"min\":[0,0.25,-1],\"max\":[{x},2,1e-7]}}");
    let twin = "{\"name\":\"twin\",\"mesh\":0,\"scale\"";
    let cropped = format!("{{\"extras\":{{{}}},{}", written(0.5), &twin[1..]);
    let wanted = with_extras
        .replace(twin, &cropped)
        .replace("{\"a\": [1.0] }", &format!("{{{},\"a\": [1.0] }}", written(0.75)));
    assert_eq!(saved(&scene, &path), wanted);
    let mut again = open(&path).expect("the file is valid");
    assert_eq!([1, 2, 3].map(|node| again.crop_box(node)), [crop(0.5), None, crop(0.75)]);
    // A box that is gone leaves the other extras.
    again.set_crop_box(3, None);
    assert_eq!(saved(&again, &path), wanted.replace(&format!("{},", written(0.75)), ""));
    // Undone changes leave no trace.
    scene.set_crop_box(1, None);
    scene.set_crop_box(3, None);
    assert_eq!(saved(&scene, &path), with_extras);
}

#[test]
fn unusable_crop_boxes_of_file_are_ignored() {
    let (_folder, path, _) = odd_scene();
    for unusable in [
        r#"{"crop_box":7}"#,
        r#"{"crop_box":{"min":[0,0,0]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,1]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,0,1]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,1e999,1]}}"#,
        r#"{"crop_box":{"min":[0,0,0],"max":[1,"1",1]}}"#,
        "[]",
    ] {
        let odd = odd_text()
            .replace("\"mesh\":0,\"scale\"", &format!("\"mesh\":0,\"extras\":{unusable},\"scale\""));
        std::fs::write(&path, &odd).expect("the folder is writable");
        // Numbers that no reader accepts are an error of the file.
        let Ok(scene) = open(&path) else { continue };
        assert_eq!(scene.crop_box(1), None, "{unusable}");
        assert_eq!(saved(&scene, &path), odd, "{unusable}");
    }
}
