//! Runs the cases and checks their results.

use super::child::{PEAK_KB, RESULT, SHOWN_KB};
use super::{costs, uris};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The address space of the process that opens a file. It exceeds the goal, because it includes the shown
/// scene.
const MAX_ADDRESS_KB: u64 = 2_000_000;
/// The processor time of that process, which does not depend on other load on the machine, and the elapsed
/// time after which it is assumed to hang.
const MAX_CPU_SECONDS: u64 = 30;
const MAX_SECONDS: u64 = 120;
/// The memory that a file may take beyond the scene it shows: this, or this many times its own size.
const MAX_MB: f64 = 1000.0;
const MAX_MB_PER_FILE_MB: f64 = 40.0;
/// The longest line for the user.
const MAX_LINE_CHARS: usize = 1200;

/// The expected outcome of a file.
pub(crate) enum Expect {
    /// It does not open, and the error contains this.
    Refused(&'static str),
    /// It opens, and its notice contains this.
    Opened(&'static str),
    /// It opens, and an error when it is saved contains this.
    NotSaved(&'static str),
    /// Either.
    Any,
}

/// A hostile file, or a folder of them.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) files: Vec<Vec<u8>>,
    pub(crate) expect: Expect,
    /// Whether it takes many seconds, so that it is opened with `--slow` only.
    pub(crate) is_slow: bool,
}

impl Case {
    pub(crate) fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }
}

/// Returns a case of one file.
pub(crate) fn case(name: &str, file: impl Into<Vec<u8>>, expect: Expect) -> Case {
    Case { name: name.to_owned(), files: vec![file.into()], expect, is_slow: false }
}

/// Runs the cases whose name contains an argument: by default those that are not slow, or the others with
/// `--slow`.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    if arguments.iter().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let is_slow = arguments.iter().any(|argument| argument == "--slow");
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    uris::prepare(folder.path());
    let mut cases = uris::cases(folder.path());
    cases.extend(costs::cases());
    cases.retain(|case| filter.map_or(case.is_slow == is_slow, |filter| case.name.contains(filter)));
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let begun = Instant::now();
                    let said = open(case, folder.path()).unwrap_or_else(|why| {
                        failed.fetch_add(1, Ordering::Relaxed);
                        format!("FAILED: {why}")
                    });
                    println!("{}: {said}, {:.1} s", case.name, begun.elapsed().as_secs_f64());
                }
            });
        }
    });
    let failed = failed.into_inner();
    println!("{} hostile files or folders, {failed} failed", cases.len());
    let is_empty = cases.is_empty() && filter.is_none();
    if failed == 0 && !is_empty { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Opens a file in a process of its own, checks the result, and returns the memory that it took.
fn open(case: &Case, folder: &Path) -> Result<String, String> {
    let out = folder.join("out").join(&case.name);
    fs::create_dir_all(&out).map_err(|error| error.to_string())?;
    let (input, file_bytes) = write(case, folder)?;
    let output = run_limited(&input, &out)?;
    let number = |prefix: &str| {
        let mut lines = output.lines().rev();
        lines.find_map(|line| line.strip_prefix(prefix)?.parse::<f64>().ok()).unwrap_or(f64::NAN)
    };
    let mb = (number(PEAK_KB) - number(SHOWN_KB)) * 1024.0 / 1e6;
    let file_mb = file_bytes as f64 / 1e6;
    let cost = format!("{mb:.0} MB for a file of {file_mb:.3} MB");
    let max = MAX_MB.max(MAX_MB_PER_FILE_MB * file_mb);
    if mb.is_nan() || mb > max {
        return Err(format!("{cost}, at most {max:.0}"));
    }
    check_lines(case, &output)?;
    check_saved(&out)?;
    Ok(cost)
}

fn write(case: &Case, folder: &Path) -> Result<(PathBuf, usize), String> {
    let path = folder.join("scene").join(format!("{}.gltf", case.name));
    if let [file] = case.files.as_slice() {
        fs::write(&path, file).map_err(|error| error.to_string())?;
        return Ok((path, file.len()));
    }
    fs::create_dir(&path).map_err(|error| error.to_string())?;
    for (index, file) in case.files.iter().enumerate() {
        fs::write(path.join(format!("{index}.gltf")), file).map_err(|error| error.to_string())?;
    }
    Ok((path, case.files.iter().map(Vec::len).max().unwrap_or(0)))
}

/// Runs the child under limits and returns what it printed.
fn run_limited(input: &Path, out: &Path) -> Result<String, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let script = format!(
        "ulimit -v {MAX_ADDRESS_KB} && ulimit -t {MAX_CPU_SECONDS} && exec timeout -s KILL {MAX_SECONDS} \"$@\""
    );
    let output = Command::new("sh")
        .args(["-c", &script, "sh"])
        .args([this.as_os_str(), "--open".as_ref(), input.as_os_str(), out.as_os_str()])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("{}: {:.300}", output.status, text(&output.stderr))),
    }
}

/// Checks that the user sees short lines of plain characters with the expected text.
fn check_lines(case: &Case, output: &str) -> Result<(), String> {
    let is_plain = |c: char| !c.is_control() && !('\u{2028}'..='\u{202e}').contains(&c);
    for line in output.lines() {
        if line.chars().count() > MAX_LINE_CHARS || !line.chars().all(is_plain) {
            return Err(format!("prints {line:.300?}"));
        }
        if ![PEAK_KB, SHOWN_KB, RESULT].iter().any(|prefix| line.starts_with(prefix)) {
            return Err(format!("prints a line of its own: {line:.300}"));
        }
    }
    let found = |kind: &str, wanted: &str| {
        let mut lines = output.lines().filter_map(|line| line.strip_prefix(RESULT)?.strip_prefix(kind));
        lines.any(|line| line.contains(wanted))
    };
    let is_expected = match case.expect {
        Expect::Refused(wanted) => found("refused ", wanted),
        Expect::Opened(wanted) => found("opened ", wanted),
        Expect::NotSaved(wanted) => found("not saved ", wanted),
        Expect::Any => true,
    };
    if is_expected { Ok(()) } else { Err(format!("says {output:.600}")) }
}

/// Checks that no saved file contains the secret, as plain text or as base64.
fn check_saved(out: &Path) -> Result<(), String> {
    let wanted = [uris::SECRET.as_bytes(), b"U0VDUkVU", b"RVNFQ1JF", b"VFNFQ1JF"];
    for name in ["saved.glb", "saved.gltf"] {
        let bytes = fs::read(out.join(name)).unwrap_or_default();
        if wanted.iter().any(|wanted| bytes.windows(wanted.len()).any(|part| part == *wanted)) {
            return Err(format!("{name} contains the secret"));
        }
    }
    fs::remove_dir_all(out).map_err(|error| error.to_string())
}
