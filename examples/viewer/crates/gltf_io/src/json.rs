//! Typed access to a JSON document. Every value knows its path in the document, so every error can
//! name it.

use crate::budget::{Budget, Charge, document_bytes};
use crate::file_error::{LocatedError, Result, excerpt};
use serde_json::Value;
use std::rc::Rc;

/// A value and its path in the document, such as `events[3].press`. The path becomes text only for an
/// error, because a document can have millions of values.
#[derive(Debug, Clone)]
pub struct Json<'a> {
    value: &'a Value,
    /// The value that contains this one, or `None` for the top-level value.
    parent: Option<Rc<Self>>,
    step: Step<'a>,
}

/// The position of a value in the one that contains it.
#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Item(usize),
}

/// Parses a document. An error names the line and the column. A document that would take more memory than
/// a file of its size may is an error.
pub fn parse(text: &[u8]) -> Result<Value> {
    parse_within(text, &Budget::new(text.len() as u64))
}

/// Like [`parse`], and charges the memory of the document.
pub(crate) fn parse_within(text: &[u8], budget: &Budget) -> Result<Value> {
    let charged = budget.try_charge(Charge::Memory, document_bytes(text));
    charged.map_err(|what| LocatedError::new("top level", what))?;
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
        Self { value, parent: None, step: Step::Key("") }
    }

    /// Returns the untyped value.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Returns the path of this value in the document.
    pub fn place(&self) -> String {
        let mut steps = Vec::new();
        let mut at = Some(self);
        while let Some(json) = at.filter(|json| json.parent.is_some()) {
            steps.push(json.step);
            at = json.parent.as_deref();
        }
        let mut place = String::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Key(key) => join_key(&mut place, key),
                Step::Item(index) => place.push_str(&format!("[{index}]")),
            }
        }
        place
    }

    /// Returns an error about this value.
    pub fn error(&self, what: impl Into<String>) -> LocatedError {
        match self.place() {
            place if place.is_empty() => LocatedError::new("top level", what),
            place => LocatedError::new(place, what),
        }
    }

    /// Returns an error about a key of this object.
    fn key_error(&self, key: &str, what: impl Into<String>) -> LocatedError {
        let mut place = self.place();
        join_key(&mut place, key);
        LocatedError::new(place, what)
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
    pub fn keys(&self) -> Result<impl Iterator<Item = &'a str> + use<'a>> {
        let object = self.value.as_object().ok_or_else(|| self.must_be("an object"))?;
        Ok(object.keys().map(String::as_str))
    }

    /// Returns an error if the object has a key that is not in `known`.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        match self.keys()?.find(|key| !known.contains(key)) {
            None => Ok(()),
            Some(key) => Err(self.key_error(key, format!("unknown key; known: {}", known.join(", ")))),
        }
    }

    /// Returns the value of a key, or `None` if the object does not have it.
    pub fn get(&self, key: &str) -> Result<Option<Self>> {
        let object = self.value.as_object().ok_or_else(|| self.must_be("an object"))?;
        let member = object.get_key_value(key);
        Ok(member.map(|(key, value)| Self {
            value,
            parent: Some(Rc::new(self.clone())),
            step: Step::Key(key),
        }))
    }

    /// Like [`Json::get`], but treats `null` as absent.
    pub fn get_some(&self, key: &str) -> Result<Option<Self>> {
        Ok(self.get(key)?.filter(|value| !value.is_null()))
    }

    /// Reads the value of a key with `read`, or returns `None` if it is absent or `null`.
    pub fn read<T>(&self, key: &str, read: impl FnOnce(&Self) -> Result<T>) -> Result<Option<T>> {
        self.get_some(key)?.as_ref().map(read).transpose()
    }

    /// Reads the value of a key with `read`, or returns `default` if the object does not have it.
    pub(crate) fn get_or<T>(
        &self,
        key: &str,
        default: T,
        read: impl FnOnce(&Self) -> Result<T>,
    ) -> Result<T> {
        self.get(key)?.map_or(Ok(default), |value| read(&value))
    }

    /// Returns the value of a required key.
    pub fn need(&self, key: &str) -> Result<Self> {
        self.get(key)?.ok_or_else(|| self.key_error(key, "missing"))
    }

    /// Returns an extension of this object, or `None` if the object does not have it.
    pub(crate) fn extension(&self, name: &str) -> Result<Option<Self>> {
        self.get_or("extensions", None, |extensions| extensions.get(name))
    }

    /// Returns the number of elements of an array, or 0 for another value.
    pub(crate) fn len(&self) -> usize {
        self.value.as_array().map_or(0, Vec::len)
    }

    /// Returns the elements of an array.
    pub fn items(&self) -> Result<Vec<Self>> {
        let values = self.value.as_array().ok_or_else(|| self.must_be("a list"))?;
        let parent = Rc::new(self.clone());
        let item = |(index, value): (usize, &'a Value)| Self {
            value,
            parent: Some(parent.clone()),
            step: Step::Item(index),
        };
        Ok(values.iter().enumerate().map(item).collect())
    }

    /// Returns the elements of the array at a key, or none if the key is absent.
    pub fn items_of(&self, key: &str) -> Result<Vec<Self>> {
        self.get_or(key, Vec::new(), Self::items)
    }

    /// Returns a string.
    pub fn text(&self) -> Result<&'a str> {
        self.value.as_str().ok_or_else(|| self.must_be("a string"))
    }

    /// Returns the value that `table` lists for a string.
    pub fn one_of<T: Copy>(&self, table: &[(&str, T)]) -> Result<T> {
        let text = self.text()?;
        let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let found = table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        found.ok_or_else(|| self.error(format!("unknown: `{}`; known: {}", excerpt(text), names())))
    }

    /// Returns a boolean.
    pub fn boolean(&self) -> Result<bool> {
        self.value.as_bool().ok_or_else(|| self.must_be("true or false"))
    }

    /// Returns a finite number.
    pub fn number(&self) -> Result<f64> {
        match self.value.as_f64() {
            Some(number) if number.is_finite() => Ok(number),
            _ => Err(self.must_be("a number")),
        }
    }

    /// Returns a finite number greater than 0.
    pub fn positive(&self) -> Result<f64> {
        let number = self.number()?;
        if number > 0.0 { Ok(number) } else { Err(self.must_be("greater than 0")) }
    }

    /// Returns a number from `low` to `high`.
    pub fn number_in(&self, [low, high]: [f64; 2]) -> Result<f64> {
        let number = self.number()?;
        let is_inside = (low..=high).contains(&number);
        if is_inside { Ok(number) } else { Err(self.must_be(&format!("from {low} to {high}"))) }
    }

    /// Returns a number that is 0 or more.
    pub fn non_negative(&self) -> Result<f64> {
        let number = self.number()?;
        if number >= 0.0 { Ok(number) } else { Err(self.must_be("0 or more")) }
    }

    /// Returns an array of exactly `N` numbers that are 0 or more.
    pub fn non_negatives<const N: usize>(&self) -> Result<[f64; N]> {
        let numbers = self.numbers()?;
        self.items()?.iter().try_for_each(|item| item.non_negative().map(drop))?;
        Ok(numbers)
    }

    /// Returns an array of exactly `N` numbers with magnitudes of at most `max`.
    pub fn numbers_up_to<const N: usize>(&self, max: f64) -> Result<[f64; N]> {
        let numbers = self.numbers::<N>()?;
        match numbers.iter().all(|number| number.abs() <= max) {
            true => Ok(numbers),
            false => Err(self.error(format!("must not have a number beyond {max}"))),
        }
    }

    /// Returns a non-negative integer, which may also be written as `3.0`.
    pub fn index(&self) -> Result<usize> {
        let whole = |n: f64| (n >= 0.0 && n.fract() == 0.0 && n < 9e15).then_some(n as u64);
        let number = self.value.as_u64().or_else(|| self.value.as_f64().and_then(whole));
        number.and_then(|n| usize::try_from(n).ok()).ok_or_else(|| self.must_be("a non-negative integer"))
    }

    /// Returns an index into a list of `len` elements, which an error calls `elements`.
    pub fn index_below(&self, len: usize, elements: &str) -> Result<usize> {
        match self.index()? {
            index if index < len => Ok(index),
            index => Err(self.error(format!("index {index} is out of range ({len} {elements})"))),
        }
    }

    /// Returns an array of exactly `N` finite numbers.
    pub fn numbers<const N: usize>(&self) -> Result<[f64; N]> {
        let must_be = || self.must_be(&format!("a list of {N} numbers"));
        let values = self.value.as_array().filter(|values| values.len() == N).ok_or_else(must_be)?;
        let numbers = std::array::from_fn(|i| values[i].as_f64().unwrap_or(f64::NAN));
        if !numbers.iter().all(|number| number.is_finite()) {
            self.items()?.iter().try_for_each(|item| item.number().map(drop))?;
        }
        Ok(numbers)
    }
}

fn join_key(place: &mut String, key: &str) {
    if !place.is_empty() {
        place.push('.');
    }
    place.push_str(key);
}
