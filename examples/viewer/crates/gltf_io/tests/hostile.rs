//! Opens and saves generated hostile files, each in a separate process with limits on memory and time. Checks
//! the cost and the output of each, and that no saved file contains a secret.
//!
//! Runs without the usual test harness, because the same program is the process that opens a file. With
//! `-- --slow` it opens those that take many seconds instead, and with `-- NAME` those whose name contains NAME.

#[cfg(target_os = "linux")]
mod hostile {
    pub(crate) mod bytes;
    pub(crate) mod child;
    pub(crate) mod costs;
    pub(crate) mod parent;
    pub(crate) mod rigs;
    pub(crate) mod uris;
}

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("--open") => hostile::child::run(&arguments[2..]),
        _ => hostile::parent::run(&arguments[1..]),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}
