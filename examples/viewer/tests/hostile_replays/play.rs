//! Plays replays in other processes.

use crate::child;
use crate::documents::Case;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The limit of the address space, in KiB. A software driver alone takes more than one GiB.
const MEMORY_KIB: u32 = 12 << 20;
/// The time after which a process counts as endless, in seconds. A busy machine is slow.
const TIME_S: u32 = 240;
/// The number of replays per process.
const BATCH: usize = 20;

/// Plays the first ones by the program and the second ones in batches, two processes at a time, and checks how
/// each ends.
pub(crate) fn play_all(by_program: &[&Case], in_batches: &[&Case]) {
    let folder = tempfile::tempdir().expect("the folder can be created");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700))
        .expect("the folder is ours");
    let batches: Vec<&[&Case]> = by_program.chunks(1).chain(in_batches.chunks(BATCH)).collect();
    let next = AtomicUsize::new(0);
    let failures: usize = std::thread::scope(|scope| {
        let worker = || {
            let mut failures = 0;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(batch) = batches.get(number) else { return failures };
                let paths: Vec<PathBuf> = batch
                    .iter()
                    .enumerate()
                    .map(|(index, case)| write(case, folder.path(), &format!("{number}-{index}.json")))
                    .collect();
                let result = if number < by_program.len() {
                    play_by_program(batch[0], &paths[0], folder.path())
                } else {
                    play_batch(batch, &paths, folder.path())
                };
                if let Err(failure) = result {
                    println!("FAILED: {failure}");
                    failures += 1;
                }
            }
        };
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        workers.map(|worker| worker.join().expect("the worker reports failures")).iter().sum()
    });
    assert_eq!(failures, 0, "processes that failed");
}

fn write(case: &Case, folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, &case.text).expect("the folder is writable");
    path
}

fn play_by_program(case: &Case, path: &Path, folder: &Path) -> Result<(), String> {
    let out = path.with_extension("out");
    let arguments =
        ["--headless".as_ref(), "--replay".as_ref(), path.as_os_str(), "--out".as_ref(), out.as_os_str()];
    let output = limited(env!("CARGO_BIN_EXE_wgpu-gizmo-viewer").as_ref(), &arguments, folder);
    let message = String::from_utf8_lossy(&output.stderr);
    // 1 is an expectation that the changed number does not meet.
    let is_orderly = match output.status.code() {
        Some(0) => true,
        Some(1 | 2) => message.lines().count() == 1,
        _ => false,
    };
    if !is_orderly {
        return Err(format!("{}: {}: {message}", case.name, output.status));
    }
    let stdout = String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", case.name))?;
    for line in stdout.lines() {
        serde_json::from_str::<serde_json::Value>(line)
            .map_err(|error| format!("{}: {error}: {line}", case.name))?;
    }
    Ok(())
}

fn play_batch(batch: &[&Case], paths: &[PathBuf], folder: &Path) -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut arguments = vec![OsStr::new(child::FLAG)];
    arguments.extend(paths.iter().map(|path| path.as_os_str()));
    let output = limited(this.as_os_str(), &arguments, folder);
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

fn limited(program: &OsStr, arguments: &[&OsStr], folder: &Path) -> Output {
    let script = format!("ulimit -v {MEMORY_KIB}; exec timeout {TIME_S} \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c".as_ref(), script.as_ref(), program]).args(arguments);
    command.env("XDG_RUNTIME_DIR", folder).output().expect("the process starts")
}
