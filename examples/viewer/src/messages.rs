//! Messages to the terminal or the program that started the viewer. It may be gone, and the viewer goes on without it.

use gltf_io::printable;
use std::io::{Write, stderr, stdout};

/// Prints a line on stdout, unless nobody reads it.
pub(crate) fn print(line: &str) {
    let _ = writeln!(stdout(), "{line}");
}

/// Prints a line on stderr, unless nobody reads it.
pub(crate) fn print_error(line: &str) {
    let _ = writeln!(stderr(), "{}", printable(line));
}
