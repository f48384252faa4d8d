//! Saves cameras and lights and checks the text byte by byte.

use super::*;
use wgpu_gizmo_extras::volume::Volume;

const DOCUMENT: &str = r#"{ "asset" : {"version":"2.0"},
  "cameras": [ {"type":"perspective", "perspective": {"yfov" : 0.80, "znear":0.1}},
    {"orthographic":{"xmag":-2.0,"ymag":1.50, "znear":0, "zfar":9 }, "type":"orthographic"}],
  "extensionsUsed":["KHR_lights_punctual"], "extensions": { "KHR_lights_punctual":{ "lights" :[
    {"type":"point", "intensity": 40.0 },
    { "spot": { "outerConeAngle" : 0.60 }, "range":5.0, "type":"spot"},
    {"type":"spot"}, {"color" : [1.0, 0.50,0], "type":"directional"} ] } },
  "nodes": [ {"camera":0}, {"camera":1},
    {"extensions":{"KHR_lights_punctual":{"light":0}}}, {"extensions":{"KHR_lights_punctual":{"light":1}}},
    {"extensions":{"KHR_lights_punctual":{"light":2}}}, {"extensions":{"KHR_lights_punctual":{"light":3}}},
    {"extensions":{"KHR_lights_punctual":{"light":1}}, "camera":0} ]
}"#;

fn set(scene: &mut Scene, node: usize, volume: Volume) {
    let index = scene.volume_of(node).expect("the node has a camera or a light");
    let now = scene.volume(index).expect("it is usable").with_volume(volume);
    assert!(scene.set_volume(index, now), "{volume:?}");
}

#[test]
fn changed_numbers_are_saved_and_nothing_else() {
    let (_folder, path, mut scene) = scene_of(DOCUMENT);
    let sun = scene.volume_of(5).and_then(|index| scene.volume(index));
    assert_eq!(sun.map(|sun| sun.volume(1.0)), Some(Volume::Parallel));
    assert_eq!(scene.volume_of(6), scene.volume_of(3), "the light of a node comes before its camera");
    set(&mut scene, 0, Volume::Perspective { fov_y: 0.8, aspect: 7.0, near: 0.25, far: Some(30.0) });
    set(&mut scene, 1, Volume::Orthographic { half_width: 2.0, half_height: 1.0, near: 0.0, far: 9.5 });
    set(&mut scene, 2, Volume::Sphere { radius: Some(1e-7) });
    set(&mut scene, 3, Volume::Cone { range: None, inner: 0.125, outer: 0.5 });
    set(&mut scene, 4, Volume::Cone { range: Some(2.0), inner: 0.0, outer: 1.0 });
    for (node, color, intensity) in
        [(2, [1.0; 3], 0.0), (4, [0.5, 0.25, 1.0], 1.0), (5, [1.0, 0.75, 0.0], 1e7)]
    {
        let index = scene.volume_of(node).expect("the node has a light");
        let light = scene.volume(index).and_then(|volume| volume.light()).expect("it is usable");
        assert!(scene.set_volume(index, NodeVolume::Light(Light { color, intensity, ..light })));
    }
    let changes = [
        (r#"{"yfov" : 0.80, "znear":0.1}"#, r#"{"zfar":30,"yfov" : 0.80, "znear":0.25}"#),
        (r#""ymag":1.50, "znear":0, "zfar":9 }"#, r#""ymag":1, "znear":0, "zfar":9.5 }"#),
        (r#"{"type":"point", "intensity": 40.0 "#, r#"{"range":1e-7,"type":"point", "intensity": 0 "#),
        (
            r#"{ "outerConeAngle" : 0.60 }, "range":5.0, "#,
            r#"{ "innerConeAngle":0.125, "outerConeAngle" : 0.5 }, "#,
        ),
        (r#"{"color" : [1.0, 0.50,0], "#, r#"{"intensity":10000000,"color" : [1.0, 0.75,0], "#),
        (
            r#"{"type":"spot"}"#,
            r#"{"range":2,"spot":{"innerConeAngle":0,"outerConeAngle":1},"color":[0.5,0.25,1],"type":"spot"}"#,
        ),
    ];
    let wanted = changes.iter().fold(DOCUMENT.to_owned(), |text, (was, now)| text.replace(was, now));
    assert_eq!(saved(&scene, &path), wanted);
    assert_eq!(open(&path).expect("the file is valid").volumes(), scene.volumes());
}

#[test]
fn camera_without_limits_leaves_valid_json() {
    let limited = r#""znear":0.1 , "zfar":9, "aspectRatio":2 }"#;
    let text = DOCUMENT.replace(r#""znear":0.1}"#, limited);
    let (_folder, path, mut scene) = scene_of(&text);
    let index = scene.volume_of(0).expect("the node has a camera");
    let Some(NodeVolume::Camera(Lens::Perspective { fov_y, near, .. })) = scene.volume(index) else {
        panic!("the camera is perspective");
    };
    let lens = Lens::Perspective { fov_y, near, far: None, aspect: None };
    assert!(scene.set_volume(index, NodeVolume::Camera(lens)));
    assert_eq!(saved(&scene, &path), text.replace(limited, r#""znear":0.1 }"#));
}

#[test]
fn copies_share_camera_and_light_of_their_original() {
    let (_folder, path, mut scene) = scene_of(DOCUMENT);
    let copies = scene.reserve_copies(&[(3, "copy".to_owned())]).expect("the name is free");
    scene.fill_copies(&copies).expect("the name is free");
    set(&mut scene, copies[0].1, Volume::Cone { range: Some(4.0), inner: 0.0, outer: 0.6 });
    saved(&scene, &path);
    let again = open(&path).expect("the file is valid");
    let copy = again.find("copy").expect("the copy is in the file");
    assert_eq!([3, copy].map(|node| again.volume_of(node)), [scene.volume_of(3); 2]);
    assert_eq!(again.volumes(), scene.volumes());
}
