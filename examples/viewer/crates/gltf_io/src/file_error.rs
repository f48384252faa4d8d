//! The error type for reading and writing files: a single line with the file, the location in it and
//! the problem.

use crate::disk;
use std::fmt;
use std::path::{Path, PathBuf};

/// An error in a file. It is displayed on one line, as `FILE: LOCATION: PROBLEM`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", one_line(&disk::shown(&self.path).display(), &self.place, &self.what))]
pub struct FileError {
    /// Path of the file as it was given, not made absolute.
    pub path: PathBuf,
    /// Location in the file, such as `nodes[3].children[0]`. Empty for an error about the whole file.
    pub place: String,
    /// Description of the problem.
    pub what: String,
    /// The folder to allow, if the file refers to one outside of its folder.
    pub outside: Option<PathBuf>,
}

impl FileError {
    /// Returns an error about the whole file.
    pub fn new(path: &Path, what: impl Into<String>) -> Self {
        LocatedError::new("", what).in_file(path)
    }
}

/// The result of reading or writing a file.
pub type FileResult<T> = Result<T, FileError>;

/// An error at a location, without the file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct LocatedError {
    /// Location, as in [`FileError::place`].
    pub place: String,
    /// Description of the problem.
    pub what: String,
    /// As in [`FileError::outside`].
    pub outside: Option<PathBuf>,
}

/// The result of reading a value, with the location of an error.
pub type Result<T, E = LocatedError> = std::result::Result<T, E>;

impl LocatedError {
    /// Returns an error with the problem `what` at the location `place`. Both can contain names from the
    /// file, so they are cut to a readable length.
    pub fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        let (place, what) = (shortened(&place.into(), PLACE_CHARS), readable(&what.into()));
        Self { place, what, outside: None }
    }

    /// Adds the path of the file.
    pub fn in_file(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), place: self.place, what: self.what, outside: self.outside }
    }
}

fn one_line(path: &dyn fmt::Display, place: &str, what: &str) -> String {
    let line = match place {
        "" => format!("{path}: {what}"),
        _ => format!("{path}: {place}: {what}"),
    };
    printable(&line)
}

/// Maximum number of characters of a message with everything that it lists, and of a name in it.
const MESSAGE_CHARS: usize = 600;
const NAME_CHARS: usize = 80;
/// Maximum number of characters of a location.
const PLACE_CHARS: usize = 200;

/// Escapes everything that a terminal or a text field would not show as one character in its place:
/// control characters, line breaks, and marks that change the direction of the text. Names from a file can
/// contain all of them.
pub fn printable(text: &str) -> String {
    escaped(text, |c| c.escape_default().to_string())
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) { escaped.push_str(&escape(c)) } else { escaped.push(c) }
    }
    escaped
}

/// Returns a text from a file as one printable line of readable length. The middle of a longer one is left
/// out, because messages end with what to do.
pub fn readable(text: &str) -> String {
    shortened(text, MESSAGE_CHARS)
}

/// Like [`readable()`], for a name within a message.
pub fn excerpt(name: &str) -> String {
    shortened(name, NAME_CHARS)
}

/// Escapes the characters in a JSON text that could control a terminal and that JSON allows in strings. The
/// result is JSON of the same value.
pub fn printable_json(json: &str) -> String {
    let unit = |unit: &mut u16| format!("\\u{unit:04x}");
    escaped(json, |c| c.encode_utf16(&mut [0; 2]).iter_mut().map(unit).collect())
}

/// Returns true for control characters, line separators, and invisible marks of direction or joining.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns a printable text of at most `max_chars` characters.
fn shortened(text: &str, max_chars: usize) -> String {
    // A short text is returned as it is, and only the ends of a long one are read.
    if text.len() <= max_chars / 10 {
        return printable(text);
    }
    let first = printable(&text.chars().take(max_chars + 1).collect::<String>());
    if text.chars().nth(max_chars).is_none() && first.chars().count() <= max_chars {
        return first;
    }
    let last: String = text.chars().rev().take(max_chars).collect::<Vec<_>>().into_iter().rev().collect();
    let last = printable(&last);
    let (head, tail) = (max_chars * 3 / 5, max_chars - max_chars * 3 / 5 - 1);
    let skipped = last.chars().count().saturating_sub(tail);
    first.chars().take(head).chain(['…']).chain(last.chars().skip(skipped)).collect()
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

    #[test]
    fn escapes_and_direction_marks_are_escaped() {
        let text = "\u{1b}[2J\u{9b}31m\r\n\u{202e}gnp.exe\u{2066}\u{200f}\u{feff} ü 日本 🤖";
        let wanted = "\\u{1b}[2J\\u{9b}31m\\r\\n\\u{202e}gnp.exe\\u{2066}\\u{200f}\\u{feff} ü 日本 🤖";
        assert_eq!(printable(text), wanted);
        assert_eq!(readable(text), wanted);
        let json = serde_json::Value::from(text).to_string();
        let safe = printable_json(&json);
        assert!(!safe.chars().any(is_unsafe), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).ok().as_deref(), Some(text));
    }

    #[test]
    fn long_text_is_cut_in_the_middle() {
        for text in ["x".repeat(100_000), "\u{1b}".repeat(100_000), "ü".repeat(601)] {
            let cut = readable(&text);
            assert_eq!(cut.chars().count(), MESSAGE_CHARS, "{cut}");
            assert!(cut.contains('…') && excerpt(&text).chars().count() == NAME_CHARS);
        }
        let exact = "y".repeat(MESSAGE_CHARS);
        assert_eq!(readable(&exact), exact);
        let error =
            LocatedError::new("a.".repeat(9999), format!("`{}` is unknown", excerpt(&"b".repeat(9999))));
        let line = error.in_file(Path::new("x.gltf")).to_string();
        assert!(line.ends_with("is unknown") && line.chars().count() < 320, "{line}");
    }
}
