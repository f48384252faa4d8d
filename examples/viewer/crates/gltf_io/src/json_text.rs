//! Finds values in a JSON text and edits it in place. Everything else stays as it is, byte for byte:
//! white space, order, spelling of numbers and unknown properties.
//!
//! The text must be valid JSON, which parsing it beforehand ensures. Any other text has no values.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::{RawValue, Value};
use std::fmt;
use std::ops::Range;

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    /// The key, unescaped.
    pub(crate) key: String,
    /// Range from the opening quote of the key to the end of the value.
    pub(crate) whole: Range<usize>,
    /// Range of the value.
    pub(crate) value: Range<usize>,
}

/// A JSON text. All ranges are byte ranges of this text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonText<'a>(pub(crate) &'a [u8]);

impl<'a> JsonText<'a> {
    /// Returns the range of the top-level value.
    pub(crate) fn root(self) -> Option<Range<usize>> {
        let text = self.0.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.0);
        serde_json::from_slice(text).ok().map(|value| self.range_of(value))
    }

    /// Returns the members of the object in a range, in order.
    pub(crate) fn members(self, object: &Range<usize>) -> Vec<Member> {
        let RawMembers(members) = self.parsed(object).unwrap_or_default();
        let member = |(key, value): (&RawValue, &RawValue)| {
            let (start, value) = (self.range_of(key).start, self.range_of(value));
            let key = serde_json::from_str(key.get()).ok()?;
            Some(Member { key, whole: start..value.end, value })
        };
        members.into_iter().filter_map(member).collect()
    }

    /// Returns the last member with this key, which is the one that JSON readers use.
    pub(crate) fn member(self, object: &Range<usize>, key: &str) -> Option<Member> {
        self.members(object).into_iter().rfind(|member| member.key == key)
    }

    /// Returns the elements of the array in a range.
    pub(crate) fn items(self, list: &Range<usize>) -> Vec<Range<usize>> {
        let items: Vec<&RawValue> = self.parsed(list).unwrap_or_default();
        items.into_iter().map(|item| self.range_of(item)).collect()
    }

    /// Returns the elements of the array at a key of an object, or none if there is no such array.
    pub(crate) fn items_of(self, object: &Range<usize>, key: &str) -> Vec<Range<usize>> {
        let list = self.member(object, key).map(|member| member.value);
        list.filter(|list| self.0[list.start] == b'[').map_or(Vec::new(), |list| self.items(&list))
    }

    /// Returns the nodes of a glTF document.
    pub(crate) fn nodes(self) -> Vec<Range<usize>> {
        self.root().map_or(Vec::new(), |root| self.items_of(&root, "nodes"))
    }

    /// Returns true if the value at a key of an object is something other than an object or `null`.
    pub(crate) fn is_other(self, object: &Range<usize>, key: &str) -> bool {
        self.member(object, key).is_some_and(|member| !b"{n".contains(&self.0[member.value.start]))
    }

    fn skip_space(self, from: usize) -> usize {
        let rest = self.0.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// Returns the value in a range.
    pub(crate) fn parsed<T: Deserialize<'a>>(self, range: &Range<usize>) -> Option<T> {
        serde_json::from_slice(self.0.get(range.clone())?).ok()
    }

    /// Returns the range of a value that was parsed from this text.
    fn range_of(self, value: &RawValue) -> Range<usize> {
        let start = value.get().as_ptr().addr() - self.0.as_ptr().addr();
        start..start + value.get().len()
    }
}

/// The texts of the keys and values of an object, in order, including repeated keys.
#[derive(Default)]
struct RawMembers<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for RawMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self::default())
    }
}

impl<'de> Visitor<'de> for RawMembers<'de> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(member) = map.next_entry()? {
            self.0.push(member);
        }
        Ok(self)
    }
}

/// A change of a member of an object.
#[derive(Debug)]
pub(crate) enum Change {
    /// The member gets this value, or is removed. Of as many numbers in an array, those that are equal keep their text.
    Set(Option<Value>),
    /// Members of its object change. If it is not an object, it becomes one of those members.
    Members(Vec<(&'static str, Self)>),
}

impl Change {
    /// Returns the change to this value.
    pub(crate) fn to(value: impl Into<Value>) -> Self {
        Self::Set(Some(value.into()))
    }

    /// Returns the text of the value that a member without a value gets, or `None` if it gets none.
    fn text(self) -> Option<String> {
        match self {
            Self::Set(value) => value.as_ref().map(written),
            Self::Members(members) => {
                let members = members.into_iter().filter_map(|(key, change)| member(key, change));
                let members = members.collect::<Vec<_>>().join(",");
                (!members.is_empty()).then(|| format!("{{{members}}}"))
            }
        }
    }
}

/// Returns the text of a new member, or `None` if it gets no value.
fn member(key: &str, change: Change) -> Option<String> {
    Some(format!("\"{key}\":{}", change.text()?))
}

/// Returns the text of a value. A number is the shortest decimal one that reads back as the same `f64`, and therefore
/// as the same `f32`.
fn written(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(",")),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            let is_plain = number == 0.0 || (1e-5..1e16).contains(&number.abs());
            if is_plain { number.to_string() } else { format!("{number:e}") }
        }
        value => value.to_string(),
    }
}

/// Edits of one text, in any order. They must not overlap.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a range of the text.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: String) {
        self.0.push((range, with));
    }

    /// Changes members of an object. New ones take the place of the one that is removed before them in this order, or of
    /// the first whose place is free, or come first.
    pub(crate) fn change(
        &mut self,
        text: JsonText<'_>,
        object: &Range<usize>,
        changes: Vec<(&'static str, Change)>,
    ) {
        // New members: the first ones, and those after each removed one.
        let (mut first, mut places, mut removed) =
            (Vec::new(), Vec::<(Member, Vec<String>)>::new(), Vec::new());
        for (key, change) in changes {
            let mut found = text.members(object);
            found.retain(|member| member.key == key);
            match (found.pop(), change) {
                (None, change) => {
                    let added = places.last_mut().map_or(&mut first, |(_, added)| added);
                    added.extend(member(key, change));
                }
                (Some(last), Change::Set(None)) => {
                    places.push((last, Vec::new()));
                    // Readers would use one of these instead.
                    removed.append(&mut found);
                }
                (Some(last), Change::Set(Some(value))) => self.set(text, &last.value, &value),
                (Some(last), Change::Members(members)) if text.0[last.value.start] == b'{' => {
                    self.change(text, &last.value, members);
                }
                (Some(last), change) => {
                    change.text().into_iter().for_each(|text| self.replace(last.value.clone(), text));
                }
            }
        }
        if let Some((_, free)) = places.iter_mut().find(|(_, added)| added.is_empty()) {
            *free = std::mem::take(&mut first);
        }
        let gap = format!(",{}", gap(text, object).unwrap_or_default());
        for (member, added) in places {
            match added.is_empty() {
                true => removed.push(member),
                false => self.replace(member.whole, added.join(&gap)),
            }
        }
        if !first.is_empty() {
            let at = text.skip_space(object.start + 1);
            let is_alone = text.0.get(at) == Some(&b'}');
            self.replace(at..at, first.join(&gap) + if is_alone { "" } else { &gap });
        }
        self.remove(text, object, &removed);
    }

    fn set(&mut self, text: JsonText<'_>, range: &Range<usize>, value: &Value) {
        let now = value.as_array().filter(|now| now.iter().all(Value::is_f64));
        let both = now.map(|now| (text.items(range), now)).filter(|(items, now)| items.len() == now.len());
        let Some((items, now)) = both else { return self.replace(range.clone(), written(value)) };
        for (item, now) in items.into_iter().zip(now) {
            if text.parsed(&item).map(f64::to_bits) != now.as_f64().map(f64::to_bits) {
                self.replace(item, written(now));
            }
        }
    }

    /// Removes members of an object, each with the comma behind it, or before it if none of those behind it stays.
    fn remove(&mut self, text: JsonText<'_>, object: &Range<usize>, removed: &[Member]) {
        let members = text.members(object);
        let is_removed = |member: &Member| removed.iter().any(|other| other.whole == member.whole);
        let stay = members.iter().rposition(|member| !is_removed(member)).map_or(0, |last| last + 1);
        for (index, member) in members.iter().enumerate().filter(|(_, member)| is_removed(member)) {
            let Range { start, end } = member.whole;
            self.replace(
                match index.checked_sub(1) {
                    _ if index < stay => start..members[index + 1].whole.start,
                    Some(before) => members[before].whole.end..end,
                    None => start..end,
                },
                String::new(),
            );
        }
    }

    /// Returns the edited text. Insertions at the same position keep their order.
    pub(crate) fn apply(mut self, text: &[u8]) -> Vec<u8> {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut changed = Vec::with_capacity(text.len());
        let mut kept = 0;
        for (range, with) in self.0 {
            changed.extend_from_slice(text.get(kept..range.start).unwrap_or_default());
            changed.extend_from_slice(with.as_bytes());
            kept = kept.max(range.end);
        }
        changed.extend_from_slice(text.get(kept..).unwrap_or_default());
        changed
    }
}

/// Returns the white space between the members of an object, taken from before its first member: line
/// break and indentation in formatted text, nothing in compact text.
fn gap(text: JsonText<'_>, object: &Range<usize>) -> Option<String> {
    let first = text.skip_space(object.start + 1);
    let gap = match text.0.get(first)? {
        b'}' => &[],
        _ => text.0.get(object.start + 1..first)?,
    };
    String::from_utf8(gap.to_vec()).ok()
}

#[cfg(test)]
mod tests;
