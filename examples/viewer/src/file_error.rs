//! The one error of everything that reads a file: a single line that says which file, where
//! in it, and what is wrong.

use std::fmt;
use std::path::{Path, PathBuf};

/// `FILE: WHERE: WHAT`, always one line.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", one_line(&self.path.display(), &self.place, &self.what))]
pub(crate) struct FileError {
    /// As it was given, not made absolute.
    pub(crate) path: PathBuf,
    /// For example `nodes[3].children[0]`; empty where the file as a whole is meant.
    pub(crate) place: String,
    /// What is wrong there.
    pub(crate) what: String,
}

impl FileError {
    /// About the file as a whole.
    pub(crate) fn new(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), place: String::new(), what: what.into() }
    }
}

/// Something wrong at a place, before the file is named.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {what}")]
pub(crate) struct PlaceError {
    /// As in [`FileError::place`].
    pub(crate) place: String,
    /// What is wrong there.
    pub(crate) what: String,
}

impl PlaceError {
    /// `what` is wrong at `place`.
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }

    /// Names the file.
    pub(crate) fn in_file(self, path: &Path) -> FileError {
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

/// Control characters escaped: names from a file can contain line breaks and worse.
pub(crate) fn printable(text: &str) -> String {
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
    fn an_error_is_one_line_whatever_the_names_hold() {
        let error = PlaceError::new("select[0]", "no object is called `a\nb`").in_file(Path::new("x.json"));
        assert_eq!(error.to_string(), "x.json: select[0]: no object is called `a\\nb`");
        assert_eq!(FileError::new(Path::new("x"), "is a folder").to_string(), "x: is a folder");
    }
}
