//! Handles and icons of cameras and lights: drags against closed forms, and clicks.

use crate::viewer::*;

const SOURCE: &str = r#"{ "asset":{"version":"2.0"},
 "cameras":[{"type":"perspective","perspective":{"yfov":0.8,"aspectRatio":1.5,"znear":0.50,"zfar":3}}],
 "extensionsUsed":["KHR_lights_punctual"], "extensions":{"KHR_lights_punctual":{"lights":[
  {"type":"spot","range":2.0,"spot":{"innerConeAngle":0.25,"outerConeAngle":0.50}},
  {"type":"point"} ] } },
 "nodes":[{"name":"lamp","scale":[3,1,0.5],"extensions":{"KHR_lights_punctual":{"light":0}}},
  {"name":"eye","translation":[0,0,1],"camera":0},
  {"name":"bulb","translation":[1,0,0],"extensions":{"KHR_lights_punctual":{"light":1}}}] }"#;

/// A world unit is 100 pixels, X is to the right and −Z is up.
fn document(select: &str, events: &[Value]) -> Value {
    let shown = json!({ "key": "o", "mods": ["shift"] });
    let events = [&[shown], events].concat();
    json!({
        "version": 1, "size_px": [800, 600],
        "camera": {
            "eye": [0, 20, 0], "look_at": [0, 0, 0], "up": [0, 0, -1],
            "projection": { "kind": "orthographic", "height": 6, "near": 0.1, "far": 100, "reversed": false }
        },
        "scene": { "gltf": "lit.gltf" }, "settings": { "mode": "none" }, "select": [select],
        "events": events,
    })
}

fn lines(folder: &Folder, select: &str, events: &[Value]) -> Vec<Value> {
    folder.write("lit.gltf", SOURCE.as_bytes());
    crate::viewer::lines(folder, document(select, events))
}

fn number(line: &Value, node: &str, key: &str) -> f64 {
    line["volumes"][node][key].as_f64().unwrap_or_else(|| panic!("{node}.{key} in {line}"))
}

#[test]
fn drag_or_event_of_light_follows_closed_form() {
    let folder = Folder::new();
    let cone = |angle: f64| [400.0 + 250.0 * angle.sin(), 300.0 - 250.0 * angle.cos()];
    let mut events = vec![json!({ "handles": true })];
    events.extend(drag([400.0, 100.0], [421.0, 50.0]));
    events.extend(drag(cone(0.5), cone(0.875)));
    events.extend([json!({ "undo": true }), json!({ "undo": true })]);
    let found = lines(&folder, "lamp", &events);
    let handles = found[1]["handles"].as_object().expect("the handles");
    let names: Vec<&str> = handles.keys().map(String::as_str).collect();
    // Those above and below are behind one another in this view.
    for name in ["volume_range", "volume_outer_right", "volume_outer_left", "volume_inner_right"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert_eq!((&found[3]["hover"], &found[3]["dragging"]), (&json!("volume_range"), &json!("volume_range")));
    assert!((number(&found[4], "lamp", "range") - 2.5).abs() < 1e-6, "{}", found[4]);
    assert!((number(&found[8], "lamp", "outerConeAngle") - 0.875).abs() < 1e-6, "{}", found[8]);
    let before = json!({ "range": 2.0, "innerConeAngle": 0.25, "outerConeAngle": 0.5, "color": [1.0, 1.0, 1.0],
        "intensity": 1.0 });
    assert_eq!(found[11]["volumes"]["lamp"], before);
    // The handle of a light without a range stands at one unit.
    let mut events = drag([600.0, 300.0], [650.0, 310.0]).to_vec();
    events.push(json!({ "volumes": { "bulb": { "range": 0.125 }, "lamp": { "innerConeAngle": 0, "outerConeAngle": 1 } } }));
    events.push(json!({ "select": ["lamp"] }));
    let found = lines(&folder, "bulb", &events);
    assert_eq!(found[0]["volumes"]["bulb"]["range"], Value::Null);
    assert!((number(&found[4], "bulb", "range") - 1.5).abs() < 1e-6, "{}", found[4]);
    assert_eq!(number(&found[5], "bulb", "range"), 0.125);
    let lamp = &found[6]["volumes"]["lamp"];
    assert_eq!((&lamp["range"], &lamp["outerConeAngle"]), (&Value::Null, &json!(1.0)));
}

#[test]
fn drag_of_camera_follows_closed_form() {
    let half = (1.5 * 0.4f64.tan()).atan();
    let fov = |angle: f64| [400.0 + 100.0 * angle.tan(), 300.0];
    let mut events = Vec::new();
    events.extend(drag([400.0, 100.0], [380.0, 40.0]));
    events.extend(drag([400.0, 350.0], [400.0, 330.0]));
    events.extend(drag(fov(half), fov(half - 0.125)));
    let found = lines(&Folder::new(), "eye", &events);
    let fov_y = 2.0 * ((half - 0.125).tan() / 1.5).atan();
    for (key, wanted) in [("zfar", 3.6), ("znear", 0.7), ("yfov", fov_y), ("aspectRatio", 1.5)] {
        assert!((number(&found[12], "eye", key) - wanted).abs() < 1e-6, "{key}: {}", found[12]);
    }
}

#[test]
fn icons_are_picked_only_after_their_command() {
    let folder = Folder::new();
    // Without the handles of the lamp, which the first event would show.
    let pick = |[x, y]: [i64; 2]| json!({ "pick": [x, y] });
    let spots = [[400, 300], [510, 295], [400, 400]].map(pick);
    let mut events = vec![json!({ "key": "o", "mods": ["shift"] }), json!({ "select": [] })];
    events.extend(spots.clone());
    events.push(json!({ "command": "camera_and_light_icons" }));
    events.extend(spots);
    events.extend([json!({ "region": [460, 280, 540, 320] }), json!({ "move": [600.5, 300.5] })]);
    events.extend(click([505.5, 300.5], &[]));
    events.push(json!({ "select_region": { "rect": [380, 280, 420, 420] } }));
    let found = lines(&folder, "lamp", &events);
    let nodes = ["lamp", "bulb", "eye"].map(|name| json!({ "object": name }));
    assert_eq!([3, 4, 5].map(|line| found[line]["hit"].clone()), [Value::Null, Value::Null, Value::Null]);
    assert_eq!([7, 8, 9].map(|line| found[line]["hit"].clone()), nodes);
    assert_eq!(found[10]["hits"], json!([{ "object": "bulb" }]));
    assert_eq!((&found[11]["object"], &found[12]["object"]), (&Value::Null, &json!("bulb")));
    assert_eq!(selected(&found[14]), ["bulb"]);
    assert_eq!(selected(&found[15]), ["eye", "lamp"]);
}

/// Returns a scene of point lights, each with its name and position.
fn lights(lights: &[(&str, [f64; 3])]) -> Value {
    let node = |(name, at): &(&str, [f64; 3])| json!({ "name": name, "translation": at, "extensions": { "KHR_lights_punctual": { "light": 0 } } });
    json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_lights_punctual"],
        "extensions": { "KHR_lights_punctual": { "lights": [{ "type": "point" }] } },
        "nodes": lights.iter().map(node).collect::<Vec<_>>(),
    })
}

/// Returns the nodes that are selected after each of five clicks at a point, with icons shown. In the view along −Z,
/// the icon of `near` covers that of `far`, a pixel to the right, and both are in front of the triangle `wall`.
fn selected_by_clicks(mode: &str, mods: &[&str], at: [f64; 2]) -> Vec<Vec<String>> {
    let mut scene = lights(&[("near", [0.0; 3]), ("far", [0.01, 0.0, -1.0])]);
    let nodes = scene["nodes"].as_array_mut().expect("the value is an array");
    nodes.push(json!({ "name": "wall", "translation": [0, 0, -2], "scale": [5, 5, 1], "mesh": 0 }));
    scene["meshes"] = json!([{ "primitives": [{ "attributes": { "POSITION": 0 } }] }]);
    scene["accessors"] = json!([{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
        "min": [-1, -1, 0], "max": [1, 1, 0] }]);
    scene["bufferViews"] = json!([{ "buffer": 0, "byteLength": 36 }]);
    // A triangle from (-1, -1) over (1, -1) to (0, 1).
    scene["buffers"] = json!([{ "byteLength": 36, "uri": "data:application/octet-stream;base64,\
        AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA" }]);
    let mut events = vec![json!({ "command": "camera_and_light_icons" })];
    (0..5).for_each(|_| events.extend(click(at, mods)));
    let mut replay = document("near", &[]);
    replay["camera"]["eye"] = json!([0, 0, 20]);
    replay["camera"]["up"] = json!([0, 1, 0]);
    replay["settings"]["mode"] = json!(mode);
    replay["select"] = json!([]);
    replay["events"] = Value::Array(events);
    let folder = Folder::new();
    folder.write("lit.gltf", scene.to_string().as_bytes());
    let lines = crate::viewer::lines(&folder, replay);
    let released = lines.iter().filter(|line| line["kind"] == "release");
    released.map(|line| selected(line).into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn clicks_on_icons_select_what_is_behind() {
    // Twelve pixels from the center of the icon, farther from the rings than the tolerance of 5.
    let (at, beside_rings) = ([402.5, 300.5], [408.5, 308.5]);
    let cycle = [["near"], ["far"], ["wall"], ["near"], ["far"]];
    assert_eq!(selected_by_clicks("none", &[], at), cycle);
    // The center handle and the trackball of a selected light lie over its icon.
    assert_eq!(selected_by_clicks("translate", &[], at), cycle);
    assert_eq!(selected_by_clicks("rotate", &[], beside_rings), cycle);
    // So do a ring that is seen edge-on, and the cube that scales uniformly.
    for mode in ["rotate", "scale", "universal"] {
        assert_eq!(selected_by_clicks(mode, &[], at), cycle, "{mode}");
    }
    // With a modifier, each click is about the icon in front.
    let toggled: [&[&str]; 5] = [&["near"], &[], &["near"], &[], &["near"]];
    assert_eq!(selected_by_clicks("translate", &["shift"], at), toggled);
}

#[test]
fn click_on_icon_under_handle_of_light_selects_it() {
    let folder = Folder::new();
    // The handle of the range of the first stands at one unit.
    let scene = lights(&[("lamp", [0.0; 3]), ("under", [1.0, 0.0, 0.0])]);
    folder.write("lit.gltf", scene.to_string().as_bytes());
    let mut events = vec![json!({ "command": "camera_and_light_icons" })];
    let at = [500.5, 300.5];
    events.extend(drag(at, at));
    let found = crate::viewer::lines(&folder, document("lamp", &events));
    assert_eq!(found[3]["dragging"], "volume_radius_right", "{}", found[3]);
    assert_eq!(selected(&found[5]), ["under"]);
}

#[test]
fn press_in_drag_belongs_to_its_gizmo() {
    let folder = Folder::new();
    // A drag by keyboard ignores the pointer, which is on a handle of the light.
    let by_keys = json!({ "set": { "mode": "translate", "axis_keys": "always" } });
    let mut events = vec![by_keys, json!({ "key": "x" })];
    events.extend(drag([400.0, 100.0], [421.0, 50.0]));
    events.push(json!({ "key": "enter" }));
    // The second click ends a drag of the light, and deselects nothing.
    events.push(json!({ "set": { "grab": "toggle" } }));
    events.extend([[400.0, 100.0], [600.0, 480.0]].map(|at| click(at, &[])).concat());
    let found = lines(&folder, "lamp", &events);
    assert_eq!(number(&found[7], "lamp", "range"), 2.0);
    let last = found.last().expect("a line per event");
    assert!(number(last, "lamp", "range") < 2.0);
    assert_eq!((&last["dragging"], selected(last)), (&Value::Null, vec!["lamp"]));
}
