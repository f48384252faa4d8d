//! The process that plays a batch of replays on one device.

use crate::viewer::headless::{Pictures, Run};
use render::device::{Gpu, instance};
use session::replay_file::{Replay, open};
use std::path::Path;

/// The first argument of this process.
pub(crate) const FLAG: &str = "--play";

/// Plays the replays at these paths, and prints a line for each: its path first, then the result, so that the
/// parent knows which one a process did not survive.
pub(crate) fn play(paths: &[String]) {
    let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    let gpu = Gpu::new(&instance(descriptor, None), None).expect("there is an adapter");
    for path in paths {
        eprintln!("{path}");
        let path = Path::new(path);
        let replay = open(path).expect("the parent has read the replay");
        let result = play_one(&gpu, &replay, &path.with_extension("out"));
        let message = result.map_or_else(|error| error.to_string(), |()| "played".to_owned());
        assert_eq!(gltf_io::printable(&message).lines().count(), 1, "{message}");
        assert!(!message.is_empty());
    }
}

/// Does what the program does with `--headless --replay`.
fn play_one(gpu: &Gpu, replay: &Replay, out: &Path) -> Result<(), Box<dyn std::error::Error>> {
    Run::check_sizes(gpu, (replay, None), Pictures { last: false, all: false })?;
    let mut lines = Vec::new();
    let result = Run::new(gpu, (replay, None), out)?.play(&mut lines);
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let line: Result<serde_json::Value, _> = serde_json::from_slice(line);
        line.expect("each line is JSON");
    }
    result
}
