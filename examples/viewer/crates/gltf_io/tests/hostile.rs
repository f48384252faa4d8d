//! Opens and saves generated hostile files, each in a process of its own under a limit of memory and of
//! time, and checks what they cost, what they print and what they give away.
//!
//! Run without the usual test harness: the same program is the process that opens a file. With `-- --all` it
//! also opens the files that take seconds, and with `-- NAME` those whose name contains this.

#[cfg(target_os = "linux")]
mod hostile {
    pub(crate) mod bytes;
    pub(crate) mod child;
    pub(crate) mod costs;
    pub(crate) mod parent;
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
