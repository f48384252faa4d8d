//! Typed access to a JSON document. Every value knows its path in the document, so every error can
//! name it.

use crate::file_error::LocatedError;
use serde_json::Value;

/// A value and its path in the document, such as `events[3].press`.
#[derive(Debug, Clone)]
pub struct Json<'a> {
    value: &'a Value,
    path: String,
}

/// Parses a document. An error names the line and the column.
pub fn parse(text: &[u8]) -> Result<Value, LocatedError> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    serde_json::from_slice(text).map_err(|error| {
        let position = format!("line {} column {}", error.line(), error.column());
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or(&text);
        LocatedError::new(position, what)
    })
}

impl<'a> Json<'a> {
    /// Returns the top-level value of a document.
    pub fn root(value: &'a Value) -> Self {
        Self { value, path: String::new() }
    }

    /// Returns the untyped value.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Returns the path of this value in the document.
    pub fn place(&self) -> &str {
        &self.path
    }

    /// Returns an error about this value.
    pub fn error(&self, what: impl Into<String>) -> LocatedError {
        let path = if self.path.is_empty() { "top level" } else { &self.path };
        LocatedError::new(path, what)
    }

    fn must_be(&self, expected: &str) -> LocatedError {
        let found = match self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(value) => format!("the number {value}"),
            Value::String(value) => format!("the string `{}`", value.chars().take(40).collect::<String>()),
            Value::Array(values) => format!("a list of {}", values.len()),
            Value::Object(_) => "an object".to_owned(),
        };
        self.error(format!("must be {expected}, not {found}"))
    }

    /// Returns true for `null`.
    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// Returns true for a string.
    pub fn is_text(&self) -> bool {
        self.value.is_string()
    }

    /// Returns the keys of an object.
    pub fn keys(&self) -> Result<impl Iterator<Item = &'a str> + use<'a>, LocatedError> {
        let object = self.value.as_object().ok_or_else(|| self.must_be("an object"))?;
        Ok(object.keys().map(String::as_str))
    }

    /// Returns an error if the object has a key that is not in `known`.
    pub fn only(&self, known: &[&str]) -> Result<(), LocatedError> {
        match self.keys()?.find(|key| !known.contains(key)) {
            None => Ok(()),
            Some(key) => Err(self.child(key).error(format!("unknown key; known: {}", known.join(", ")))),
        }
    }

    fn child(&self, key: &str) -> Self {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Self { value: self.value, path }
    }

    /// Returns the value of a key, or `None` if the object does not have it.
    pub fn get(&self, key: &str) -> Result<Option<Self>, LocatedError> {
        let object = self.value.as_object().ok_or_else(|| self.must_be("an object"))?;
        Ok(object.get(key).map(|value| Self { value, ..self.child(key) }))
    }

    /// Like [`Json::get`], but treats `null` as absent.
    pub fn get_some(&self, key: &str) -> Result<Option<Self>, LocatedError> {
        Ok(self.get(key)?.filter(|value| !value.is_null()))
    }

    /// Returns the value of a required key.
    pub fn need(&self, key: &str) -> Result<Self, LocatedError> {
        self.get(key)?.ok_or_else(|| self.child(key).error("missing"))
    }

    /// Returns the elements of an array.
    pub fn items(&self) -> Result<Vec<Self>, LocatedError> {
        let values = self.value.as_array().ok_or_else(|| self.must_be("a list"))?;
        let item = |(i, value): (usize, &'a Value)| Self { value, path: format!("{}[{i}]", self.path) };
        Ok(values.iter().enumerate().map(item).collect())
    }

    /// Returns the elements of the array at a key, or none if the key is absent.
    pub fn items_of(&self, key: &str) -> Result<Vec<Self>, LocatedError> {
        self.get(key)?.map_or(Ok(Vec::new()), |list| list.items())
    }

    /// Returns a string.
    pub fn text(&self) -> Result<&'a str, LocatedError> {
        self.value.as_str().ok_or_else(|| self.must_be("a string"))
    }

    /// Returns the value that `table` lists for a string.
    pub fn one_of<T: Copy>(&self, table: &[(&str, T)]) -> Result<T, LocatedError> {
        let text = self.text()?;
        let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let found = table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        found.ok_or_else(|| self.error(format!("unknown: `{text}`; known: {}", names())))
    }

    /// Returns a boolean.
    pub fn boolean(&self) -> Result<bool, LocatedError> {
        self.value.as_bool().ok_or_else(|| self.must_be("true or false"))
    }

    /// Returns a finite number.
    pub fn number(&self) -> Result<f64, LocatedError> {
        match self.value.as_f64() {
            Some(number) if number.is_finite() => Ok(number),
            _ => Err(self.must_be("a number")),
        }
    }

    /// Returns a finite number greater than 0.
    pub fn positive(&self) -> Result<f64, LocatedError> {
        let number = self.number()?;
        if number > 0.0 { Ok(number) } else { Err(self.must_be("greater than 0")) }
    }

    /// Returns a non-negative integer, which may also be written as `3.0`.
    pub fn index(&self) -> Result<usize, LocatedError> {
        let whole = |n: f64| (n >= 0.0 && n.fract() == 0.0 && n < 9e15).then_some(n as u64);
        let number = self.value.as_u64().or_else(|| self.value.as_f64().and_then(whole));
        number.and_then(|n| usize::try_from(n).ok()).ok_or_else(|| self.must_be("a non-negative integer"))
    }

    /// Returns an index into a list of `len` elements, which an error calls `elements`.
    pub(crate) fn index_below(&self, len: usize, elements: &str) -> Result<usize, LocatedError> {
        match self.index()? {
            index if index < len => Ok(index),
            index => Err(self.error(format!("index {index} is out of range ({len} {elements})"))),
        }
    }

    /// Returns an array of exactly `N` finite numbers.
    pub fn numbers<const N: usize>(&self) -> Result<[f64; N], LocatedError> {
        let must_be = || self.must_be(&format!("a list of {N} numbers"));
        let values = self.value.as_array().filter(|values| values.len() == N).ok_or_else(must_be)?;
        let mut numbers = [0.0; N];
        for (i, (number, value)) in numbers.iter_mut().zip(values).enumerate() {
            let finite = value.as_f64().filter(|n| n.is_finite());
            let item = || Self { value, path: format!("{}[{i}]", self.path) }.must_be("a number");
            *number = finite.ok_or_else(item)?;
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_names_path() {
        let value =
            parse(br#"{"events": [{"move": [1, "x"]}, {"set": {"size": -1}}]}"#).expect("the text is JSON");
        let events = Json::root(&value).need("events").expect("the key exists").items().expect("an array");
        let error =
            events[0].need("move").and_then(|json| json.numbers::<2>()).expect_err("an element is a string");
        assert_eq!(error.to_string(), "events[0].move[1]: must be a number, not the string `x`");
        let size = events[1].need("set").and_then(|set| set.need("size")).expect("the key exists");
        let expected = "events[1].set.size: must be greater than 0, not the number -1";
        assert_eq!(size.positive().expect_err("the size is negative").to_string(), expected);
        assert_eq!(events[0].only(&["press"]).expect_err("`move` is not allowed").place, "events[0].move");
    }

    #[test]
    fn invalid_json_error_has_line_and_column() {
        let error = parse(b"{\n  \"a\": 1e999 }").expect_err("the number overflows");
        assert!(error.to_string().starts_with("line 2 column"), "{error}");
        assert!(error.to_string().contains("out of range"), "{error}");
        let nested = "[".repeat(1_000_000);
        assert!(parse(nested.as_bytes()).expect_err("the nesting is too deep").what.contains("recursion"));
    }

    #[test]
    fn numbers_are_read_to_nearest_f64() {
        let value = parse(b"[0.1, 1e-7, 3.0]").expect("the text is JSON");
        let json = Json::root(&value);
        assert_eq!(json.numbers::<3>().expect("an array of numbers"), [0.1, 1e-7, 3.0]);
        assert_eq!(json.items().expect("an array")[2].index(), Ok(3));
    }
}
