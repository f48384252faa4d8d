//! Plays the replays of `tests/replays` with the viewer: their `expect` events hold the results.
//! `WGPU_BACKEND` selects the driver.

mod cameras;
mod clicks;
mod contract;
mod copies;
mod crops;
mod drives;
mod hidden;
mod id_image;
#[cfg(unix)]
mod interrupted;
mod kept;
#[cfg(target_os = "linux")]
mod no_display;
mod outline;
mod poses;
mod refusals;
mod save;
mod under_pointer;
mod viewer;
mod volumes;
/// The part of the program that plays a replay without a window.
#[path = "../../src"]
mod program {
    #[allow(dead_code, unused_imports, reason = "the program uses the rest")]
    pub(crate) mod headless;
    #[allow(dead_code, reason = "the program uses the rest")]
    mod messages;
    #[allow(dead_code, reason = "the program uses the rest")]
    mod small_files;
}

use id_image::Compared;
use viewer::*;

/// The two scenes in which every handle is dragged: the prefix of the file name, and the scene.
const SCENES: [(&str, &str, &str); 2] =
    [("robot-arm", "built_in", "robot_arm"), ("scene", "gltf", "scene.gltf")];

/// The first words of the names of replays that only separate tests play.
const SEPARATELY_TESTED: [&str; 2] = ["clicks", "region"];

fn first_word(path: &Path) -> &str {
    stem(path).split('-').next().unwrap_or_default()
}

/// Returns the scene and the handle in the name of a replay that drags one handle.
fn scene_and_handle(path: &Path) -> Option<(&'static str, &'static str)> {
    SCENES.iter().find_map(|(scene, ..)| {
        let name = stem(path).strip_prefix(scene)?.strip_prefix('-')?.replace('-', "_");
        HandleId::from_name(&name).map(|handle| (*scene, handle.name()))
    })
}

/// Plays a replay, whose `expect` events hold the results of its drags, and compares its picks with its ID images.
/// Returns the printed lines.
fn played(path: &Path) -> (Vec<Value>, Compared) {
    // Printed first, so that after a failure the last name is the replay.
    println!("{}", stem(path));
    let replay = json_file(path);
    let out = Folder::new();
    let events = replay["events"].as_array().expect("the value is an array");
    let lines = contract::lines(&play(path, &out), events);
    let expectations = lines.iter().filter(|line| line["kind"] == "expect");
    let is_met = |line: &Value| assert_eq!(line["met"], true, "{line}");
    let is_about_drags = lines.iter().any(|line| line["dragging"].is_string());
    assert!(expectations.inspect(|line| is_met(line)).count() > 0 || !is_about_drags, "{}", stem(path));
    let compared = id_image::compare(&replay, &lines, &out);
    (lines, compared)
}

/// Plays the replays that drag the handles of one mode.
fn drags_of(mode: &str) {
    for path in replays() {
        let Some((_, handle)) = scene_and_handle(&path).filter(|(_, handle)| handle.starts_with(mode)) else {
            continue;
        };
        let (lines, compared) = played(&path);
        let dragged = lines.iter().map(|line| &line["dragging"]).filter(|dragged| dragged.is_string());
        assert!(dragged.inspect(|dragged| assert_eq!(**dragged, handle)).count() >= 7, "{}", stem(&path));
        // After a release, two undos, two redos and a canceled drag.
        let expectations = lines.iter().filter(|line| line["kind"] == "expect").count();
        assert!(expectations >= 6, "{}: {expectations}", stem(&path));
        assert!(compared.handles > 0 && compared.picks > 0, "{}", stem(&path));
    }
}

#[test]
fn translate_handles_give_expected_transforms() {
    drags_of("translate");
}

#[test]
fn rotate_handles_give_expected_transforms() {
    drags_of("rotate");
}

#[test]
fn scale_handles_give_expected_transforms() {
    drags_of("scale");
}

#[test]
fn other_replays_give_expected_transforms() {
    let tested_here =
        |path: &&PathBuf| scene_and_handle(path).is_none() && !SEPARATELY_TESTED.contains(&first_word(path));
    for path in replays().iter().filter(tested_here) {
        let (lines, compared) = played(path);
        let name = stem(path);
        // Ensures that the replay contains the cases it is named after.
        let is_clamped = || lines.iter().any(|line| line["clamped"] == true);
        match first_word(path) {
            "ids" => assert!(compared.picks >= 40 && compared.handles > 0, "{name}: {compared:?}"),
            "limit" => assert!(is_clamped(), "{name}: nothing was clamped"),
            _ => {}
        }
    }
}

#[test]
fn replays_cover_every_handle_in_both_scenes() {
    let covered: Vec<_> = replays().iter().filter_map(|path| scene_and_handle(path)).collect();
    for (scene, key, value) in SCENES {
        for handle in HandleId::all().map(HandleId::name) {
            assert!(covered.contains(&(scene, handle)), "no replay drags {handle} in {scene}");
            let file = format!("{scene}-{}.json", handle.replace('_', "-"));
            assert_eq!(json_file(&replay_folder().join(&file))["scene"][key], value, "{file}");
        }
    }
}

#[test]
fn program_prints_same_bytes_as_this_process() {
    for name in ["scene-rotate-x", "robot-arm-translate-yz", "ids-matrices"] {
        let path = replay_folder().join(format!("{name}.json"));
        let out = Folder::new();
        let ids = || std::fs::read(out.path().join("ids.bin")).expect("the ID image was written");
        let first = (play(&path, &out), ids());
        let output = run(&path, &out);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(first == (String::from_utf8(output.stdout).expect("the output is UTF-8"), ids()), "{name}");
    }
}

/// Plays a replay twice, asserts that its pictures and one of its end are the same, and returns them by name.
fn repeated_pictures(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let pictures = || {
        let out = Folder::new();
        let replay = replay_file::open(path).expect("the replay is valid");
        let mut run =
            Run::new(device::shared(), (&replay, None), out.path()).expect("the replay can be played");
        run.play(&mut std::io::sink()).expect("the replay can be played");
        run.screenshot(&out.path().join("last.png")).expect("the folder is writable");
        let files = std::fs::read_dir(out.path()).expect("the folder is readable");
        let files = files.map(|file| file.expect("the folder is readable").path());
        let pictures = files.filter(|file| file.extension() == Some("png".as_ref()));
        let read = |file: PathBuf| {
            (
                file.file_name().map(PathBuf::from).unwrap_or_default(),
                std::fs::read(&file).expect("the file was written"),
            )
        };
        pictures.map(read).collect::<BTreeMap<_, _>>()
    };
    let first = pictures();
    assert!(first == pictures(), "{}", stem(path));
    first
}

#[test]
fn repeated_run_renders_same_picture_bits() {
    for name in ["scene-rotate-x", "quad-drags", "ids-scale-factor-2"] {
        assert_eq!(repeated_pictures(&replay_folder().join(format!("{name}.json"))).len(), 1, "{name}");
    }
}

#[test]
fn demo_writes_all_its_pictures() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("replays/demo.json");
    let demo = json_file(&path);
    let lines = viewer::lines(&Folder::new(), demo.clone());
    for handle in ["translate_x", "rotate_z", "scale_x"] {
        assert!(lines.iter().any(|line| line["dragging"] == handle), "the demo no longer hits {handle}");
    }
    let written = repeated_pictures(&path);
    let events = demo["events"].as_array().expect("the value is an array");
    let pictures: Vec<_> = events.iter().filter_map(|event| event["screenshot"].as_str()).collect();
    assert!(pictures.len() >= 5);
    for picture in pictures {
        let bytes = &written[Path::new(picture)];
        // The first chunk of a PNG has its width and height in big-endian order.
        let [width, height] = numbers::<2>(&demo["size_px"]).map(|side| (side as u32).to_be_bytes());
        assert_eq!((&bytes[..8], &bytes[16..24]), (&b"\x89PNG\r\n\x1a\n"[..], &[width, height].concat()[..]));
    }
}
