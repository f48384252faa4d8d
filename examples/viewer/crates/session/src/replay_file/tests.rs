//! Tests with a valid replay, and with the same one after each kind of mistake.
use super::events::Mods;
use super::*;
use crate::tests::*;

fn document() -> Value {
    json!({
        "version": 1, "size_px": [640, 480],
        "camera": {"eye": [3, 3, 3], "look_at": [0, 0, 0], "up": [0, 1, 0],
            "projection": {"kind": "perspective", "fov_y": 60, "near": 0.1, "far": null, "reversed": true}},
        "scene": {"objects": [
            {"name": "a", "parent": "b", "translation": [0.1, 0, 0], "rotation": [0, 0, 0, 2], "scale": [1, 0, 1], "shape": "cube"},
            {"name": "b", "parent": null, "shape": "empty"}
        ]},
        "settings": {"mode": "rotate", "orientation": {"custom": [0, 0, 0, 1]}, "snap": {"rotate": 15, "scale": null}},
        "select": ["a"],
        "events": [
            {"move": [1.5, -2]}, {"press": "primary", "mods": ["shift"]}, {"release": "primary"}, {"cancel": true},
            {"key": "w"}, {"key": "z", "mods": ["ctrl"]}, {"key": "escape"}, {"set": {"snap": null, "size": 40}},
            {"select": []}, {"camera": {"view_from_world": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,-5,1],
                "clip_from_view": [1,0,0,0, 0,1,0,0, 0,0,-1,-1, 0,0,-0.1,0]}},
            {"undo": true}, {"redo": true}, {"handles": true}, {"pick": [3, 4]},
            {"dump_ids": "ids.bin"}, {"screenshot": "a.png"}
        ]
    })
}

fn opened(text: &str) -> Result<Replay, String> {
    from_bytes(text.as_bytes(), Path::new("replay.json")).map_err(|error| error.to_string())
}

#[test]
fn valid_replay_is_read_exactly() {
    let replay = opened(&document().to_string()).expect("the replay is valid");
    assert_eq!(replay.scene.nodes()[0].local.translation.x, 0.1);
    assert_eq!(replay.scene.nodes()[0].local.rotation.w, 2.0, "not normalized");
    assert_eq!(replay.scene.nodes()[0].parent, Some(1));
    assert_eq!((replay.select, replay.events.len()), (vec![0], 16));
    let mut values = AllSettings::default();
    replay.settings.apply(&mut values);
    assert_eq!(
        values.gizmo.snap.increments,
        Snap { rotate: Increment::new(15f64.to_radians()), ..Snap::OFF }
    );
    assert_eq!(replay.events[1].mods, Mods { shift: true, ..Mods::default() });
    assert_eq!(replay.events[5].kind, EventKind::Key("z".to_owned()));
    let EventKind::Set(set) = &replay.events[7].kind else { panic!("the event changes settings") };
    set.apply(&mut values);
    assert_eq!((values.gizmo.snap.increments, values.gizmo.display.size_lpx), (Snap::OFF, 40.0));
    assert_eq!(replay.events[13].kind, EventKind::Pick([3, 4]));
}

/// The pointer to a value of [`document`], an invalid value for it as JSON, and a part of the error.
const MISTAKES: [(&str, &str, &str); 43] = [
    ("/version", "2", "version: only version 1"),
    ("/speed", "2", "speed: unknown key"),
    ("/size_px", "[0, 480]", "size_px[0]: the size is empty"),
    ("/size_px", "[640, 20000]", "size_px[1]: must be 16384 or less"),
    ("/viewport", "[0, 0, 700, 480]", "viewport: the viewport must not reach outside"),
    ("/viewport", "[0, 0, 0, 480]", "viewport: the viewport is empty"),
    ("/scale_factor", "0", "scale_factor: must be from 0.015625 to 64"),
    ("/camera/eye", "[0, 0, 0]", "camera: eye and look_at must differ"),
    ("/camera/up", "[1, 1, 1]", "camera: up must not be"),
    ("/camera/projection/kind", r#""fisheye""#, "camera.projection.kind: unknown: `fisheye`"),
    ("/camera/projection/near", "-1", "camera.projection.near: must be greater than 0"),
    ("/camera/projection/far", "0.05", "camera.projection.far: must be greater than near"),
    ("/scene", r#"{"objects": [], "gltf": "x"}"#, "scene: must have one"),
    ("/scene", r#"{"gltf": "no such file.glb"}"#, "no such file.glb: could not be read"),
    ("/scene/objects/1/parent", r#""a""#, ".parent: is its own ancestor"),
    ("/scene/objects/1/parent", r#""c""#, "scene.objects[1].parent: no object is named `c`"),
    ("/scene/objects/1/name", r#""a""#, "scene.objects[1].name: another object is named `a`"),
    ("/scene/objects/1/shape", r#""torus""#, "scene.objects[1].shape: unknown: `torus`"),
    ("/scene/objects/0/rotation", "[0, 0, 0, 0]", "scene.objects[0].rotation: is not a rotation"),
    ("/scene/objects/0/scale", r#"[1, "1", 1]"#, "scene.objects[0].scale[1]: must be a number"),
    ("/settings/mode", r#""spin""#, "settings.mode: unknown: `spin`"),
    ("/settings/pivot", r#"{"custom": [0, 0]}"#, "settings.pivot.custom: must be a list of 3 numbers"),
    ("/settings/snap_kind", r#"{"grid": [0, "0", 0]}"#, "settings.snap_kind.grid[1]: must be a number"),
    ("/settings/limits", r#"{"angle": [90]}"#, "settings.limits.angle: must be a list of a low"),
    ("/settings/limits", r#"{"angle": [90, -90]}"#, "settings.limits.angle: the low value must not"),
    ("/settings/limits", r#"{"scale": [[0, null, 3], [1, 0, 2]]}"#, "limits.scale: the low value must not"),
    ("/settings/locks", r#"["scale_w"]"#, "settings.locks[0]: unknown: `scale_w`"),
    ("/settings/flip", "1", "settings.flip: must be true or false"),
    ("/settings/snap/translate", "0", "settings.snap.translate: must be greater than 0"),
    ("/settings/orientation", r#"{"custom": [0, 0, 0, 0]}"#, "orientation.custom: is not a rotation"),
    (
        "/settings/snap_to",
        r#""corner""#,
        "settings.snap_to: unknown: `corner`; known: none, vertex, edge, midpoint, face",
    ),
    ("/settings/box", r#""crop""#, "settings.box: unknown: `crop`; known: off, transform, extents"),
    ("/camera", r#"{"eye": [0, 0, 0]}"#, "camera.look_at: missing"),
    ("/select", r#"["q"]"#, "select[0]: no object is named `q`"),
    ("/select", r#"["a", "b", "a"]"#, "select[2]: is selected already"),
    ("/events/3/cancel", "false", "events[3].cancel: must be true"),
    ("/events/1/press", r#""left""#, "events[1].press: unknown: `left`"),
    ("/events/1/mods", r#"["meta"]"#, "events[1].mods[0]: unknown: `meta`"),
    ("/events/4/key", r#""home""#, "events[4].key: unknown key `home`"),
    ("/events/7/set", r#"{"color": 1}"#, "events[7].set.color: unknown key"),
    (
        "/events/9/camera/clip_from_view",
        "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
        "events[9].camera: clip_from_view is singular",
    ),
    ("/events/13/pick", "[0.5, 0]", "events[13].pick: must be a column and a row"),
    ("/events/14/dump_ids", r#""../x""#, "events[14].dump_ids: must be a file name inside"),
];

/// Invalid first events as JSON, and parts of the errors after `events[0]`.
const INVALID_EVENTS: [(&str, &str); 46] = [
    (r#"{"jump": 1}"#, ": unknown event `jump`"),
    (r#"{"move": [0, 0], "press": "primary"}"#, ": must have one key"),
    (r#"{"region": [0, 0, 1]}"#, ".region: must be a list of 4 numbers"),
    (r#"{"select_region": {"rect": [0, 0, 1]}}"#, ".select_region.rect: must be a list of 4"),
    (r#"{"select_region": {"rect": [0, 0, 1, 1], "lasso": []}}"#, ".select_region: must have one of"),
    (r#"{"select_region": {"lasso": [[0, 0], [1, "1"], [2, 2]]}}"#, ".select_region.lasso[1][1]: must be"),
    (r#"{"select_region": {"lasso": [[0, 0], [1, 1]]}}"#, ".select_region.lasso: a lasso has three points"),
    (r#"{"select_region": {"rect": [0, 0, 1, 1], "through": 1}}"#, ".select_region.through: must be true"),
    (r#"{"select_region": {"rect": [0, 0, 1, 1], "visible": true}}"#, ".select_region.visible: unknown key"),
    (r#"{"views": "three"}"#, ".views: unknown: `three`"),
    (r#"{"views": {"quad": {"center": [0, 0, 0], "height": 0}}}"#, ".views.quad.height: must be greater"),
    (r#"{"save": "x.obj"}"#, ".save: must end in .glb or .gltf"),
    (r#"{"rename": {"c": "d"}}"#, ".rename.c: no object is named `c`"),
    (r#"{"rename": {"a": " "}}"#, ".rename: the name is empty"),
    (r#"{"rename": {"a": "b"}}"#, ".rename: the name b is already taken"),
    (r#"{"rename": {"a": "c", "b": "c"}}"#, ".rename: the name c is already taken"),
    (r#"{"duplicate": {"a": ""}}"#, ".duplicate: the name is empty"),
    (r#"{"duplicate": {"a": "b"}}"#, ".duplicate: the name b is already taken"),
    (r#"{"duplicate": {"a": "c", "b": "c"}}"#, ".duplicate: the name c is already taken"),
    (r#"{"parent": {"a": "c"}}"#, ".parent.a: no object is named `c`"),
    (r#"{"parent": {"a": 1}}"#, ".parent.a: must be"),
    (r#"{"flags": {"c": {}}}"#, ".flags.c: no object is named `c`"),
    (r#"{"flags": {"a": {"shown": true}}}"#, ".flags.a.shown: unknown key"),
    (r#"{"flags": {"a": {"locked": 1}}}"#, ".flags.a.locked: must be true or"),
    (r#"{"expect": {"targets": {}, "names": {"c": "d"}}}"#, ".expect.names.c: no object"),
    (r#"{"command": "hide"}"#, ".command: unknown: `hide`; known: open, save"),
    (r#"{"extents": {"b": null}}"#, ".extents.b: the object has no shape"),
    (r#"{"extents": {"a": [[0, 0, 0]]}}"#, ".extents.a: must be two corners"),
    (r#"{"extents": {"a": [[0, 1, 0], [1, 0, 1]]}}"#, ".extents.a: the first corner must not be above"),
    (r#"{"duplicate": [{"a": "c"}, {"a": "c"}]}"#, ".duplicate: the name c is already taken"),
    (r#"{"drive": {"handle": "spin", "amount": 1}}"#, ".drive.handle: no handle is named `spin`"),
    (r#"{"drive": {"handle": "translate_xy", "amount": 1}}"#, ".drive.amount: must be a list of 2 numbers"),
    (r#"{"grab": "lift"}"#, ".grab: no handle is named `lift`"),
    (r#"{"move": [1e300, 0]}"#, ".move: must not have a number beyond 1000000000"),
    (r#"{"wheel": 1e300}"#, ".wheel: must be from -10000 to 10000"),
    (r#"{"set": {"size": 1e300}}"#, ".set.size: must be from 0.01 to 16384"),
    (r#"{"set": {"snap": {"x": 1}}}"#, ".set.snap.x: unknown key"),
    (r#"{"place": {"a": {"scale": [1, 2]}}}"#, ".place.a.scale: must be"),
    (r#"{"expect": {"targets": {}, "tolerance": -1}}"#, ".expect.tolerance: must be 0"),
    (r#"{"expect": {}}"#, ".expect.targets: missing"),
    (r#"{"window": {"size_px": [0, 1]}}"#, ".window.size_px[0]: the size is empty"),
    (r#"{"views": {"quad": {"top": {}}}}"#, ".views.quad."),
    (r#"{"views": {"quad": {"center": [0, 0, 0], "height": 1e-310}}}"#, ".views: clip_from_view has"),
    (r#"{"view_cube": 1}"#, ".view_cube: must be true or false"),
    (r#"{"pivot": {"point": [0, 0]}}"#, ".pivot.point: "),
    (r#"{"pivot": {"point": [0, 0, 0], "rotation": [0, 0, 0, 0]}}"#, ".pivot.rotation: is not a rotation"),
];

#[test]
fn invalid_replay_error_names_path_and_reason() {
    let in_first = INVALID_EVENTS.map(|(event, error)| ("/events/0", event, format!("events[0]{error}")));
    let in_document = MISTAKES.map(|(pointer, value, error)| (pointer, value, error.to_owned()));
    for (pointer, value, expected) in in_document.into_iter().chain(in_first) {
        let value: Value = serde_json::from_str(value).expect("the value is JSON");
        let mut document = document();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer contains a slash");
        match document.pointer_mut(parent).expect("the parent exists") {
            Value::Object(object) => drop(object.insert(key.to_owned(), value)),
            Value::Array(list) => list[key.parse::<usize>().expect("the key is an index")] = value,
            other => panic!("{other}"),
        }
        let error = opened(&document.to_string()).expect_err(pointer);
        assert!(error.contains(&expected) && error.lines().count() == 1, "{pointer}: {error}");
    }
    let text = document().to_string().replace("0.1", "1e999");
    assert!(opened(&text).expect_err("the sum overflows").contains("line 1 column"));
    assert!(opened(" \n").expect_err("the file is empty").ends_with("is empty"));
}

#[test]
fn invalid_camera_or_light_is_refused() {
    let mut document = document();
    document["scene"] = json!({ "gltf": crate::tests::path("kept/lit.gltf") });
    document["select"] = json!([]);
    let other_kind = "no camera or light of this kind";
    for (volumes, why) in [
        (json!({ "lamp": { "range": -1, "innerConeAngle": 0, "outerConeAngle": 1 } }), "greater than 0"),
        (json!({ "lamp": { "innerConeAngle": 0, "outerConeAngle": 1.6 } }), "from 0 to 1.57"),
        (json!({ "lamp": { "outerConeAngle": 1 } }), "innerConeAngle: missing"),
        (json!({ "lamp": { "range": 1 } }), other_kind),
        (json!({ "lamp": { "range": 1, "colour": 2 } }), "unknown key"),
        (json!({ "lamp": { "range": 1, "intensity": -2 } }), "0 or more"),
        (json!({ "lamp": { "type": "directional" } }), other_kind),
        (json!({ "lamp": 7 }), "must be an object"),
        (json!({ "eye": { "yfov": 4, "znear": 1 } }), "less than pi"),
        (json!({ "eye": { "yfov": 1, "znear": 2, "zfar": 2 } }), "znear must be less than zfar"),
        (json!({ "eye": { "yfov": 1, "znear": 1e39 } }), "must fit into f32"),
        (json!({ "eye": { "xmag": 1, "ymag": 1, "znear": 0, "zfar": 1 } }), other_kind),
        (json!({ "nobody": { "range": 1 } }), "no object is named `nobody`"),
    ] {
        document["events"] = json!([{ "volumes": volumes }]);
        let error = opened(&document.to_string()).expect_err(why);
        assert!(error.contains("events[0].volumes") && error.contains(why), "{why}: {error}");
    }
}

#[test]
fn events_of_commands_and_results_are_written_as_read() {
    let mut document = document();
    document["events"] = json!([
        {"command": "hide_selected"}, {"command": "four_views", "mods": ["ctrl"]}, {"command": "no_handles"},
        {"extents": {"a": [[-0.5, 0.0, 0.0], [0.1, 0.2, 1e-7]]}}, {"extents": {"a": null}},
        {"pivot": {"point": [0.1, 0.0, -2.0], "rotation": [0.0, 0.6, 0.0, 0.8]}}, {"pivot": null},
        {"pivot": {"point": [0.1, 0.0, -2.0]}}, {"pivot": {"rotation": [0.0, 0.6, 0.0, 0.8]}},
        {"duplicate": {"a": "c", "b": "d"}}, {"duplicate": [{"b": "e"}, {"a": "f"}]},
        {"expect": {"targets": {}, "tolerance": 0.0, "extents": {"a": null}}}
    ]);
    let replay = opened(&document.to_string()).expect("the replay is valid");
    let names: Vec<String> = replay.scene.nodes().iter().map(|node| node.name.clone()).collect();
    let written: Value = replay.events.iter().map(|event| event.write(&names)).collect();
    assert_eq!(written, document["events"]);
}

#[test]
fn renames_are_checked_in_event_order() {
    let event_count = |events: Value| {
        let mut document = document();
        document["events"] = events;
        opened(&document.to_string()).map(|replay| replay.events.len())
    };
    let rename = |from: &str, to: &str| json!({ "rename": { from: to } });
    assert_eq!(
        event_count(json!([{"rename": {"a": "b", "b": "a"}}])),
        Ok(1),
        "two nodes can swap their names"
    );
    assert_eq!(event_count(json!([rename("a", "c"), rename("b", "a"), {"select": ["a", "b"]}])), Ok(3));
    let copies =
        json!([{"duplicate": {"a": "c"}}, {"select": ["c"]}, rename("c", "e"), {"duplicate": {"c": "d"}}]);
    assert_eq!(event_count(copies), Ok(4), "the names of copies are known from the start");
    let error = event_count(json!([{"duplicate": {"a": "c"}}, {"duplicate": {"b": "c"}}]))
        .expect_err("the name is taken");
    assert!(error.contains("events[1].duplicate: the name c is already taken"), "{error}");
    assert_eq!(
        event_count(json!([{"flags": {"b": {"deleted": true}}}, rename("a", "b")])),
        Ok(2),
        "the name of a deleted node is free"
    );
    let error = event_count(json!([rename("a", "c"), {"undo": true}, rename("b", "c")]))
        .expect_err("an undo does not free the name");
    assert!(error.ends_with("events[2].rename: the name c is already taken"));
}

#[test]
fn projections_map_near_and_far_to_their_depths() {
    let perspective = |far, reversed| Projection::Perspective { fov_y: 60.0, near: 0.5, far, reversed };
    let orthographic = |near, reversed| Projection::Orthographic { height: 10.0, near, far: 100.0, reversed };
    let eye = DVec3::new(3.0, 4.0, 5.0);
    for projection in [
        perspective(None, false),
        perspective(None, true),
        perspective(Some(100.0), false),
        perspective(Some(100.0), true),
        orthographic(-100.0, false),
        orthographic(-100.0, true),
        orthographic(1.0, true),
    ] {
        let camera = Camera::LookAt { eye, look_at: DVec3::ZERO, up: DVec3::Y, projection };
        let view: View = camera.view(Viewport::from_size(640, 480), 1.0).expect("the camera is valid");
        let (near, far, reversed) = match projection {
            Projection::Perspective { near, far, reversed, .. } => (near, far, reversed),
            Projection::Orthographic { near, far, reversed, .. } => (near, Some(far), reversed),
        };
        let expected = if reversed { DepthDirection::Reversed } else { DepthDirection::Standard };
        assert_eq!(view.depth_direction(), expected, "{projection:?}");
        assert!(view.forward().abs_diff_eq(-eye.normalize(), 1e-12), "{projection:?}");
        let depth = |distance: f64| {
            let clip = view.clip_from_world() * (eye - eye.normalize() * distance).extend(1.0);
            clip.z / clip.w
        };
        let (zero, one) = if reversed { (far, Some(near)) } else { (Some(near), far) };
        assert!(depth(zero.unwrap_or(1e12)).abs() < 1e-9, "{projection:?}");
        assert!((depth(one.unwrap_or(1e12)) - 1.0).abs() < 1e-9, "{projection:?}");
        let center = view.px_from_world(DVec3::ZERO).expect("the point is in front of the camera");
        assert!(center.abs_diff_eq(wgpu_gizmo_core::glam::DVec2::new(320.0, 240.0), 1e-9), "{center}");
    }
}
