//! Plays replays with the program.

use crate::documents::Case;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The limit of the address space, in KiB. A software driver alone takes more than one GiB.
const MEMORY_KIB: u32 = 12 << 20;
/// The time after which a replay counts as endless, in seconds. A busy machine is slow.
const TIME_S: u32 = 240;

/// Plays all of these, two at a time, and checks how each ends.
pub(crate) fn play_all(cases: &[&Case]) {
    let folder = tempfile::tempdir().expect("the folder can be created");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700))
        .expect("the folder is ours");
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    play(case, folder.path(), next.load(Ordering::Relaxed));
                }
            });
        }
    });
}

fn play(case: &Case, folder: &Path, number: usize) {
    let file = folder.join(format!("{number}.json"));
    std::fs::write(&file, &case.text).expect("the folder is writable");
    let limited = format!("ulimit -v {MEMORY_KIB}; exec timeout {TIME_S} \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_wgpu-gizmo-viewer"), "--headless", "--replay"])
        .arg(&file)
        .arg("--out")
        .arg(folder.join(format!("{number}")))
        .env("XDG_RUNTIME_DIR", folder)
        .output()
        .expect("the viewer runs");
    let message = String::from_utf8_lossy(&output.stderr);
    let lines = message.lines().count();
    // 1 is an expectation that the changed number does not meet.
    let is_orderly = match output.status.code() {
        Some(0) => true,
        Some(1 | 2) => lines == 1,
        _ => false,
    };
    assert!(is_orderly, "{}: {}: {message}", case.name, output.status);
    let stdout = String::from_utf8(output.stdout).expect("the lines are UTF-8");
    for line in stdout.lines() {
        serde_json::from_str::<serde_json::Value>(line)
            .unwrap_or_else(|error| panic!("{}: {error}: {line}", case.name));
    }
}
