//! Plays the replays of `tests/replays` with the viewer, and judges what it prints by closed
//! forms that are worked out here. `WGPU_BACKEND` chooses the driver, as everywhere.

#[path = "replays/arranged.rs"]
mod arranged;
#[path = "replays/camera.rs"]
mod camera;
#[path = "replays/cameras.rs"]
mod cameras;
#[path = "replays/clicks.rs"]
mod clicks;
#[path = "replays/contract.rs"]
mod contract;
#[path = "replays/copies.rs"]
mod copies;
#[path = "replays/drag.rs"]
mod drag;
#[path = "replays/hidden.rs"]
mod hidden;
#[path = "replays/id_image.rs"]
mod id_image;
#[path = "replays/kept.rs"]
mod kept;
#[path = "replays/line.rs"]
mod line;
#[path = "replays/outline.rs"]
mod outline;
#[path = "replays/quad.rs"]
mod quad;
#[path = "replays/refusals.rs"]
mod refusals;
#[path = "replays/region.rs"]
mod region;
#[path = "replays/rules.rs"]
mod rules;
#[path = "replays/save.rs"]
mod save;
#[path = "replays/select.rs"]
mod select;
#[path = "replays/settings.rs"]
mod settings;
#[path = "replays/several.rs"]
mod several;
#[path = "replays/shown.rs"]
mod shown;
#[path = "replays/solid.rs"]
mod solid;
#[path = "replays/turning.rs"]
mod turning;
#[path = "replays/typed.rs"]
mod typed;
#[path = "replays/vertex.rs"]
mod vertex;
#[path = "replays/viewer.rs"]
mod viewer;
#[path = "replays/walk.rs"]
mod walk;

use contract::{HANDLES, kind_of};
use serde_json::Value;
use solid::Trs;
use std::path::{Path, PathBuf};
use viewer::{Folder, json_file, play, replay_folder, replays, stem, viewer};
use walk::Seen;
use wgpu_gizmo::glam::DMat4;

/// The two scenes that every handle is dragged on: the start of the file's name, and the scene.
const SCENES: [(&str, &str, &str); 2] =
    [("robot-arm", "built_in", "robot_arm"), ("scene", "gltf", "scene.gltf")];

/// First words of the names of replays that have tests of their own.
const HAVE_JUDGES_OF_THEIR_OWN: [&str; 7] =
    ["clicks", "quad", "region", "rules", "several", "typed", "vertex"];

fn first_word(path: &Path) -> &str {
    stem(path).split('-').next().unwrap_or_default()
}

/// The scene and handle that a replay's name promises, for the replays of one drag.
fn promised(path: &Path) -> Option<(&'static str, &'static str)> {
    SCENES.iter().find_map(|(scene, ..)| {
        let name = stem(path).strip_prefix(scene)?.strip_prefix('-')?.replace('-', "_");
        HANDLES.iter().find(|handle| **handle == name).map(|handle| (*scene, *handle))
    })
}

fn played(path: &Path) -> (Seen, id_image::Compared) {
    // Printed first: where a line is wrong, the last name says in which replay.
    println!("{}", stem(path));
    let replay = json_file(path);
    let out = Folder::new();
    let stdout = play(path, &out);
    let lines = contract::lines(&stdout, replay["events"].as_array().expect("a list"));
    let seen = walk::judge(&replay, &lines);
    println!("{}: {} lines of drags, worst {:?}", stem(path), seen.judged, seen.worst);
    (seen, id_image::compare(&replay, &lines, &out))
}

/// Plays the replays that drag each handle of one mode.
fn drags_of(mode: &str) {
    for path in replays() {
        let Some((_, handle)) = promised(&path).filter(|(_, handle)| handle.starts_with(mode)) else {
            continue;
        };
        let (seen, compared) = played(&path);
        // Presses count as drags of what was hovered before them.
        assert_eq!(seen.dragged, [handle; 2], "{}: one drag released, one cancelled", stem(&path));
        assert_eq!((seen.cancelled, seen.undone, seen.redone), (1, 2, 2), "{}", stem(&path));
        assert!(seen.judged >= 9 && compared.handles > 0 && compared.picks > 0, "{}", stem(&path));
    }
}

#[test]
fn every_translate_handle_moves_its_target_as_the_closed_form_says() {
    drags_of("translate");
}

#[test]
fn every_rotate_handle_turns_its_target_as_the_closed_form_says() {
    drags_of("rotate");
}

#[test]
fn every_scale_handle_scales_its_target_as_the_closed_form_says() {
    drags_of("scale");
}

#[test]
fn every_other_replay_does_what_its_events_must_lead_to() {
    let judged_here =
        |path: &&PathBuf| promised(path).is_none() && !HAVE_JUDGES_OF_THEIR_OWN.contains(&first_word(path));
    for path in replays().iter().filter(judged_here) {
        let (seen, compared) = played(path);
        let name = stem(path);
        // Each of these shows one thing; this is that it was there to be seen.
        match first_word(path) {
            "ids" => assert!(compared.picks >= 40 && compared.handles > 0, "{name}: {compared:?}"),
            "limit" => assert!(seen.clamped > 0, "{name}: nothing was clamped"),
            "cancel" => assert!(seen.cancelled >= 6, "{name}: {seen:?}"),
            _ => assert!(seen.judged > 0, "{name}: nothing was dragged"),
        }
    }
}

#[test]
fn several_targets_move_as_the_closed_form_of_their_pivot_says() {
    let (mut inside, mut of_others) = (0, 0);
    for path in replays().iter().filter(|path| first_word(path) == "several") {
        println!("{}", stem(path));
        let replay = json_file(path);
        let lines =
            contract::lines(&play(path, &Folder::new()), replay["events"].as_array().expect("a list"));
        let seen = several::judge(&replay, &lines);
        println!("{}: {seen:?}", stem(path));
        assert!(seen.judged > 0 && seen.undone > 0, "{}: {seen:?}", stem(path));
        inside += seen.inside;
        of_others += seen.of_others;
    }
    assert!(of_others > 0, "with a gizmo on each, only the active one's was dragged");
    assert!(inside > 0, "no target went along inside another one");
}

#[test]
fn the_replays_cover_every_handle_on_both_scenes() {
    let promises: Vec<_> = replays().iter().filter_map(|path| promised(path)).collect();
    for (scene, key, value) in SCENES {
        for handle in HANDLES {
            assert!(promises.contains(&(scene, handle)), "no replay drags {handle} on {scene}");
            let file = format!("{scene}-{}.json", handle.replace('_', "-"));
            assert_eq!(json_file(&replay_folder().join(&file))["scene"][key], value, "{file}");
        }
    }
}

#[test]
fn the_same_replay_prints_the_same_bytes_in_every_run() {
    for name in ["scene-rotate-x", "robot-arm-translate-yz", "ids-matrices"] {
        let path = replay_folder().join(format!("{name}.json"));
        let out = Folder::new();
        let first = (play(&path, &out), std::fs::read(out.0.join("ids.bin")).expect("the dump"));
        let second = (play(&path, &out), std::fs::read(out.0.join("ids.bin")).expect("the dump"));
        assert!(first == second, "{name}");
    }
}

#[test]
fn the_same_replay_gives_the_same_picture_bit_for_bit_in_every_run() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays/demo.json");
    let others = ["scene-rotate-x", "quad-drags", "ids-scale-factor-2"];
    let others = others.map(|name| replay_folder().join(format!("{name}.json")));
    for path in others.iter().chain([&demo]) {
        let pictures = || {
            let out = Folder::new();
            let last = out.0.join("last.png");
            let [replay, folder, last] =
                [path, &out.0, &last].map(|path| path.to_str().expect("a readable path"));
            let output = viewer(["--replay", replay, "--headless", "--out", folder, "--screenshot", last]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let files = std::fs::read_dir(&out.0).expect("ours").map(|file| file.expect("ours").path());
            let mut pictures: Vec<PathBuf> =
                files.filter(|file| file.extension() == Some("png".as_ref())).collect();
            pictures.sort();
            let bytes = |picture: &PathBuf| std::fs::read(picture).expect("written");
            pictures.iter().map(bytes).collect::<Vec<_>>()
        };
        let (first, second) = (pictures(), pictures());
        assert!(first.len() >= if *path == demo { 6 } else { 1 }, "{}", stem(path));
        assert!(first == second, "{}", stem(path));
    }
}

#[test]
fn the_nodes_of_a_gltf_file_are_printed_as_the_file_has_them() {
    let file = json_file(&replay_folder().join("scene.gltf"));
    let nodes = file["nodes"].as_array().expect("a list");
    let index_of = |name: &str| {
        let named = nodes.iter().position(|node| node["name"] == name);
        named.or_else(|| name.strip_prefix("node ")?.parse().ok()).expect("a node of the file")
    };
    for path in replays().iter().filter(|path| promised(path).is_some_and(|(scene, _)| scene == "scene")) {
        let replay = json_file(path);
        let events = replay["events"].as_array().expect("a list");
        let lines = contract::lines(&play(path, &Folder::new()), events);
        let mut parent = None;
        for line in lines.iter().take_while(|line| line["kind"] == "select") {
            let (name, target) = line["targets"].as_object().and_then(|t| t.iter().next()).expect("selected");
            let index = index_of(name);
            let hangs_on = nodes.iter().position(|node| {
                node["children"].as_array().is_some_and(|list| list.contains(&Value::from(index)))
            });
            assert_eq!(hangs_on, parent, "{}: selected from the root down", stem(path));
            parent = Some(index);
            assert_is_as_in_the_file(&nodes[index], &Trs::read(target));
        }
    }
}

/// Bit for bit; a matrix, as the product of what it was taken apart into.
fn assert_is_as_in_the_file(node: &Value, printed: &Trs) {
    if let Some(matrix) = node.get("matrix") {
        let matrix = DMat4::from_cols_array(&solid::numbers(matrix));
        assert!(printed.matrix().abs_diff_eq(matrix, 1e-12), "{node}");
        return;
    }
    let or = |key: &str, or: &str| {
        node.get(key).cloned().unwrap_or_else(|| serde_json::from_str(or).expect("JSON"))
    };
    let wanted = serde_json::json!({
        "translation": or("translation", "[0, 0, 0]"),
        "rotation": or("rotation", "[0, 0, 0, 1]"),
        "scale": or("scale", "[1, 1, 1]"),
    });
    assert_eq!(printed.bits(), Trs::read(&wanted).bits(), "{node}");
}

#[test]
fn the_demo_writes_every_picture_it_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays/demo.json");
    let demo = json_file(&path);
    let events = demo["events"].as_array().expect("a list");
    let out = Folder::new();
    let lines = contract::lines(&play(&path, &out), events);
    for handle in ["translate_x", "rotate_z", "scale_x"] {
        assert!(
            lines.iter().any(|line| line["dragging"] == handle),
            "the demo's {handle} is not hit any more"
        );
    }
    let pictures: Vec<_> = events.iter().filter(|event| kind_of(event) == "screenshot").collect();
    assert!(pictures.len() >= 5);
    for event in pictures {
        let bytes =
            std::fs::read(out.0.join(event["screenshot"].as_str().expect("a name"))).expect("written");
        // A PNG's width and height stand in its first chunk, most significant byte first.
        let [width, height] = solid::numbers::<2>(&demo["size_px"]).map(|side| (side as u32).to_be_bytes());
        assert_eq!((&bytes[..8], &bytes[16..24]), (&b"\x89PNG\r\n\x1a\n"[..], &[width, height].concat()[..]));
    }
}
