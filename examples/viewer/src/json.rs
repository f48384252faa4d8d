//! A checked walk through a JSON document: every step knows where it is, so that every error
//! can say so.

use crate::file_error::PlaceError;
use serde_json::Value;

/// A value and its place in the document, such as `events[3].press`.
#[derive(Debug, Clone)]
pub(crate) struct Json<'a> {
    value: &'a Value,
    place: String,
}

/// Parses a document; an error says the line and column.
pub(crate) fn parse(text: &[u8]) -> Result<Value, PlaceError> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    serde_json::from_slice(text).map_err(|error| {
        let place = format!("line {} column {}", error.line(), error.column());
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or(&text);
        PlaceError::new(place, what)
    })
}

impl<'a> Json<'a> {
    /// The document itself.
    pub(crate) fn root(value: &'a Value) -> Self {
        Self { value, place: String::new() }
    }

    /// The value as it is.
    pub(crate) fn value(&self) -> &'a Value {
        self.value
    }

    /// Where this value is.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// An error about this value.
    pub(crate) fn error(&self, what: impl Into<String>) -> PlaceError {
        let place = if self.place.is_empty() { "top level" } else { &self.place };
        PlaceError::new(place, what)
    }

    fn wants(&self, wanted: &str) -> PlaceError {
        let found = match self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(value) => format!("the number {value}"),
            Value::String(value) => format!("the text `{}`", value.chars().take(40).collect::<String>()),
            Value::Array(values) => format!("a list of {}", values.len()),
            Value::Object(_) => "an object".to_owned(),
        };
        self.error(format!("must be {wanted}, not {found}"))
    }

    /// Whether this is `null`.
    pub(crate) fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// Whether this is a text.
    pub(crate) fn is_text(&self) -> bool {
        self.value.is_string()
    }

    /// The keys of an object.
    pub(crate) fn keys(&self) -> Result<impl Iterator<Item = &'a str> + use<'a>, PlaceError> {
        let object = self.value.as_object().ok_or_else(|| self.wants("an object"))?;
        Ok(object.keys().map(String::as_str))
    }

    /// Refuses every key that is not in `known`.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), PlaceError> {
        match self.keys()?.find(|key| !known.contains(key)) {
            None => Ok(()),
            Some(key) => Err(self.child(key).error(format!("unknown key; known: {}", known.join(", ")))),
        }
    }

    fn child(&self, key: &str) -> Self {
        let place = if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) };
        Self { value: self.value, place }
    }

    /// The value of a key, if the object has it.
    pub(crate) fn get(&self, key: &str) -> Result<Option<Self>, PlaceError> {
        let object = self.value.as_object().ok_or_else(|| self.wants("an object"))?;
        Ok(object.get(key).map(|value| Self { value, ..self.child(key) }))
    }

    /// As [`Json::get`], and `null` counts as absent.
    pub(crate) fn get_some(&self, key: &str) -> Result<Option<Self>, PlaceError> {
        Ok(self.get(key)?.filter(|value| !value.is_null()))
    }

    /// The value of a key that must be there.
    pub(crate) fn need(&self, key: &str) -> Result<Self, PlaceError> {
        self.get(key)?.ok_or_else(|| self.child(key).error("missing"))
    }

    /// The elements of a list.
    pub(crate) fn items(&self) -> Result<Vec<Self>, PlaceError> {
        let values = self.value.as_array().ok_or_else(|| self.wants("a list"))?;
        let item = |(i, value): (usize, &'a Value)| Self { value, place: format!("{}[{i}]", self.place) };
        Ok(values.iter().enumerate().map(item).collect())
    }

    /// The elements of the list at a key; none where the key is absent.
    pub(crate) fn items_of(&self, key: &str) -> Result<Vec<Self>, PlaceError> {
        self.get(key)?.map_or(Ok(Vec::new()), |list| list.items())
    }

    /// A text.
    pub(crate) fn text(&self) -> Result<&'a str, PlaceError> {
        self.value.as_str().ok_or_else(|| self.wants("a text"))
    }

    /// A text that is one of a table's names; answers with what the table has beside it.
    pub(crate) fn one_of<T: Copy>(&self, table: &[(&str, T)]) -> Result<T, PlaceError> {
        let text = self.text()?;
        let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let found = table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        found.ok_or_else(|| self.error(format!("unknown: `{text}`; known: {}", names())))
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&self) -> Result<bool, PlaceError> {
        self.value.as_bool().ok_or_else(|| self.wants("true or false"))
    }

    /// A finite number.
    pub(crate) fn number(&self) -> Result<f64, PlaceError> {
        match self.value.as_f64() {
            Some(number) if number.is_finite() => Ok(number),
            _ => Err(self.wants("a number")),
        }
    }

    /// A finite number greater than 0.
    pub(crate) fn positive(&self) -> Result<f64, PlaceError> {
        let number = self.number()?;
        if number > 0.0 { Ok(number) } else { Err(self.wants("greater than 0")) }
    }

    /// A whole number, also as `3.0`, that an index or a count can be.
    pub(crate) fn index(&self) -> Result<usize, PlaceError> {
        let whole = |n: f64| (n >= 0.0 && n.fract() == 0.0 && n < 9e15).then_some(n as u64);
        let number = self.value.as_u64().or_else(|| self.value.as_f64().and_then(whole));
        number.and_then(|n| usize::try_from(n).ok()).ok_or_else(|| self.wants("a whole number, 0 or more"))
    }

    /// An index into a list of `len` elements.
    pub(crate) fn index_below(&self, len: usize, what: &str) -> Result<usize, PlaceError> {
        match self.index()? {
            index if index < len => Ok(index),
            index => Err(self.error(format!("there is no {what} {index}; the file has {len}"))),
        }
    }

    /// A list of exactly `N` finite numbers.
    pub(crate) fn numbers<const N: usize>(&self) -> Result<[f64; N], PlaceError> {
        let wants = || self.wants(&format!("a list of {N} numbers"));
        let values = self.value.as_array().filter(|values| values.len() == N).ok_or_else(wants)?;
        let mut numbers = [0.0; N];
        for (i, (number, value)) in numbers.iter_mut().zip(values).enumerate() {
            let finite = value.as_f64().filter(|n| n.is_finite());
            let item = || Self { value, place: format!("{}[{i}]", self.place) }.wants("a number");
            *number = finite.ok_or_else(item)?;
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_place() {
        let value = parse(br#"{"events": [{"move": [1, "x"]}, {"set": {"size": -1}}]}"#).expect("good");
        let events = Json::root(&value).need("events").expect("there").items().expect("a list");
        let error = events[0].need("move").and_then(|json| json.numbers::<2>()).expect_err("a text");
        assert_eq!(error.to_string(), "events[0].move[1]: must be a number, not the text `x`");
        let size = events[1].need("set").and_then(|set| set.need("size")).expect("there");
        let wanted = "events[1].set.size: must be greater than 0, not the number -1";
        assert_eq!(size.positive().expect_err("negative").to_string(), wanted);
        assert_eq!(events[0].only(&["press"]).expect_err("move").place, "events[0].move");
    }

    #[test]
    fn what_is_not_json_says_line_and_column() {
        let error = parse(b"{\n  \"a\": 1e999 }").expect_err("overflows");
        assert!(error.to_string().starts_with("line 2 column"), "{error}");
        assert!(error.to_string().contains("out of range"), "{error}");
        let nested = "[".repeat(1_000_000);
        assert!(parse(nested.as_bytes()).expect_err("too deep").what.contains("recursion"));
    }

    #[test]
    fn a_number_is_read_to_the_nearest_f64() {
        let value = parse(b"[0.1, 1e-7, 3.0]").expect("good");
        let json = Json::root(&value);
        assert_eq!(json.numbers::<3>().expect("numbers"), [0.1, 1e-7, 3.0]);
        assert_eq!(json.items().expect("list")[2].index(), Ok(3));
    }
}
