//! Plays replays in other processes.

use crate::child;
use crate::documents::Case;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The limit of the address space, in KiB. A software driver alone takes more than one GiB.
const MEMORY_KIB: u32 = 12 << 20;
/// The time after which a process counts as endless, in seconds. A busy machine is slow.
const TIME_S: u32 = 240;
/// The number of replays per process.
const BATCH: usize = 20;

/// Plays replays in batches, two processes at a time, and checks how each ends.
pub(crate) fn play_all(cases: &[&Case]) {
    let folder = tempfile::tempdir().expect("the folder can be created");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700))
        .expect("the folder is ours");
    let batches: Vec<&[&Case]> = cases.chunks(BATCH).collect();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let every_other = |first: usize| -> Vec<String> {
            let batches = batches.iter().enumerate().skip(first).step_by(2);
            batches.filter_map(|(number, batch)| play_batch(batch, number, folder.path()).err()).collect()
        };
        let workers = [0, 1].map(|first| scope.spawn(move || every_other(first)));
        workers.into_iter().flat_map(|worker| worker.join().expect("the worker reports failures")).collect()
    });
    assert!(failures.is_empty(), "processes that failed: {}", failures.join("\n"));
}

fn play_batch(batch: &[&Case], number: usize, folder: &Path) -> Result<(), String> {
    let paths = (0..batch.len()).map(|index| folder.join(format!("{number}-{index}.json")));
    let paths: Vec<PathBuf> = paths.collect();
    for (case, path) in batch.iter().zip(&paths) {
        std::fs::write(path, &case.text).map_err(|error| error.to_string())?;
    }
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let script = format!("ulimit -v {MEMORY_KIB}; exec timeout {TIME_S} \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(this).arg(child::FLAG).args(&paths);
    let output = command.env("XDG_RUNTIME_DIR", folder).output().expect("the process starts");
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let is_begun = |path: &Path| message.lines().any(|line| Path::new(line) == path);
    let last = paths.iter().rposition(|path| is_begun(path));
    let name = last.map_or("before the first replay", |index| &batch[index].name);
    let end: Vec<&str> =
        message.lines().filter(|line| !paths.iter().any(|path| path == Path::new(line))).collect();
    Err(format!("{name}: {}: {}", output.status, end.join("\n")))
}
