//! The error type for reading and writing files: a single line with the file, the location in it and
//! the problem.

use std::fmt;
use std::path::{Path, PathBuf};

/// An error in a file. It is displayed on one line, as `FILE: LOCATION: PROBLEM`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", one_line(&self.path.display(), &self.place, &self.what))]
pub struct FileError {
    /// Path of the file as it was given, not made absolute.
    pub path: PathBuf,
    /// Location in the file, such as `nodes[3].children[0]`. Empty for an error about the whole file.
    pub place: String,
    /// Description of the problem.
    pub what: String,
}

impl FileError {
    /// Returns an error about the whole file.
    pub fn new(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), place: String::new(), what: what.into() }
    }
}

/// An error at a location, without the file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct LocatedError {
    /// Location, as in [`FileError::place`].
    pub place: String,
    /// Description of the problem.
    pub what: String,
}

impl LocatedError {
    /// Returns an error with the problem `what` at the location `place`.
    pub fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }

    /// Adds the path of the file.
    pub fn in_file(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), place: self.place, what: self.what }
    }
}

fn one_line(path: &dyn fmt::Display, place: &str, what: &str) -> String {
    let line = match place {
        "" => format!("{path}: {what}"),
        _ => format!("{path}: {place}: {what}"),
    };
    printable(&line)
}

/// Escapes control characters, because names from a file can contain line breaks or escape sequences.
pub fn printable(text: &str) -> String {
    let escape = |c: char| match c.is_control() {
        true => c.escape_default().collect::<String>(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_is_one_line_for_any_name() {
        let error = LocatedError::new("select[0]", "no object is named `a\nb`").in_file(Path::new("x.json"));
        assert_eq!(error.to_string(), "x.json: select[0]: no object is named `a\\nb`");
        assert_eq!(FileError::new(Path::new("x"), "is a folder").to_string(), "x: is a folder");
    }
}
