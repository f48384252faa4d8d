//! Finds values in a JSON text and edits it in place. Everything else stays as it is, byte for byte:
//! white space, order, spelling of numbers and unknown properties.
//!
//! The text must be valid JSON, which parsing it beforehand ensures. Any other text has no values.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
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

    fn parsed<T: Deserialize<'a>>(self, range: &Range<usize>) -> Option<T> {
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
    /// The member gets this value, or is removed.
    Set(Option<String>),
    /// Other members take its place, written as `"key":value`.
    By(Vec<String>),
    /// Elements of its array get these values, by index.
    Items(Vec<(usize, String)>),
    /// Members of its object change. If it is not an object, it becomes one of those members.
    Members(Vec<(&'static str, Self)>),
}

impl Change {
    /// Returns the change to this value.
    pub(crate) fn to(value: impl Into<String>) -> Self {
        Self::Set(Some(value.into()))
    }

    /// Returns the value that a member without a value gets, or `None` if it gets none.
    fn value(self) -> Option<String> {
        match self {
            Self::Set(value) => value,
            Self::By(_) | Self::Items(_) => None,
            Self::Members(members) => {
                let written = members.into_iter().filter_map(|(key, change)| written(key, change));
                let written = written.collect::<Vec<_>>().join(",");
                (!written.is_empty()).then(|| format!("{{{written}}}"))
            }
        }
    }
}

/// Returns a new member, or `None` if it gets no value.
fn written(key: &str, change: Change) -> Option<String> {
    Some(format!("\"{key}\":{}", change.value()?))
}

/// Edits of one text, in any order. They must not overlap.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a range of the text.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: String) {
        self.0.push((range, with));
    }

    /// Changes members of an object. New ones take the place of a removed one, or come first, in this order.
    pub(crate) fn change(
        &mut self,
        text: JsonText<'_>,
        object: &Range<usize>,
        changes: Vec<(&'static str, Change)>,
    ) {
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for (key, change) in changes {
            let mut found = text.members(object);
            found.retain(|member| member.key == key);
            let Some(last) = found.last() else {
                added.extend(written(key, change));
                continue;
            };
            match change {
                Change::Set(None) => removed.append(&mut found),
                Change::By(members) => {
                    if !members.is_empty() {
                        self.exchange(text, object, last, &members);
                        found.pop();
                    }
                    // Readers would use one of the others instead.
                    removed.append(&mut found);
                }
                Change::Items(values) => {
                    let items = text.items(&last.value);
                    for (index, value) in values {
                        if let Some(item) = items.get(index) {
                            self.replace(item.clone(), value);
                        }
                    }
                }
                Change::Members(members) if text.0[last.value.start] == b'{' => {
                    self.change(text, &last.value, members);
                }
                change => {
                    change.value().into_iter().for_each(|value| self.replace(last.value.clone(), value))
                }
            }
        }
        let replaced = if added.is_empty() { None } else { removed.pop() };
        match replaced {
            Some(member) => self.exchange(text, object, &member, &added),
            None => self.insert(text, object, &added),
        }
        self.remove(text, object, &removed);
    }

    /// Inserts members, written as `"key":value`, at the front of an object.
    fn insert(&mut self, text: JsonText<'_>, object: &Range<usize>, members: &[String]) {
        let (Some(gap), false) = (gap(text, object), members.is_empty()) else { return };
        let joined = members.join(&format!(",{gap}"));
        let first = text.skip_space(object.start + 1);
        match text.0.get(first) {
            Some(b'}') => self.replace(first..first, joined),
            _ => self.replace(first..first, format!("{joined},{gap}")),
        }
    }

    /// Replaces a member of an object with other members, written as `"key":value`.
    fn exchange(&mut self, text: JsonText<'_>, object: &Range<usize>, member: &Member, by: &[String]) {
        let gap = gap(text, object).unwrap_or_default();
        self.replace(member.whole.clone(), by.join(&format!(",{gap}")));
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
