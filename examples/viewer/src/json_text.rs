//! Where things stand in a JSON text, and changes to it that leave all the rest as it is, byte
//! for byte: spaces, order, spelling of numbers, what no reader knows.
//!
//! The text has been parsed before, so it is good JSON. Were it not, the answer is `None` or a
//! range too short, never a panic.

use std::ops::Range;

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    /// With its escapes resolved.
    pub(crate) key: String,
    /// From the key's quote to the end of the value.
    pub(crate) whole: Range<usize>,
    /// Its value.
    pub(crate) value: Range<usize>,
}

/// A JSON text, looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonText<'a>(pub(crate) &'a [u8]);

impl JsonText<'_> {
    /// Where the document itself stands.
    pub(crate) fn root(self) -> Option<Range<usize>> {
        let start = if self.0.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        self.value(self.skip_space(start))
    }

    /// The members of the object that begins at `object.start`, in order.
    pub(crate) fn members(self, object: &Range<usize>) -> Vec<Member> {
        let mut members = Vec::new();
        let mut at = self.skip_space(object.start + 1);
        while let Some(key) = self.value(at).filter(|key| self.0[key.start] == b'"') {
            let colon = self.skip_space(key.end);
            let Some(value) = self.value(self.skip_space(colon + 1)) else { break };
            let Ok(name) = serde_json::from_slice(&self.0[key.clone()]) else { break };
            members.push(Member { key: name, whole: key.start..value.end, value: value.clone() });
            at = self.skip_space(self.skip_space(value.end) + 1);
        }
        members
    }

    /// The member that readers take: of several with one key, the last.
    pub(crate) fn member(self, object: &Range<usize>, key: &str) -> Option<Member> {
        self.members(object).into_iter().rfind(|member| member.key == key)
    }

    /// The elements of the list that begins at `list.start`.
    pub(crate) fn items(self, list: &Range<usize>) -> Vec<Range<usize>> {
        let mut items = Vec::new();
        let mut at = self.skip_space(list.start + 1);
        while let Some(item) = self.value(at) {
            at = self.skip_space(self.skip_space(item.end) + 1);
            items.push(item);
        }
        items
    }

    /// The elements of the list that an object has at a key; none where it has no such list.
    pub(crate) fn items_of(self, object: &Range<usize>, key: &str) -> Vec<Range<usize>> {
        let list = self.member(object, key).map(|member| member.value);
        list.filter(|list| self.0[list.start] == b'[').map_or(Vec::new(), |list| self.items(&list))
    }

    fn skip_space(self, from: usize) -> usize {
        let rest = self.0.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// The value that begins here, if one does.
    fn value(self, start: usize) -> Option<Range<usize>> {
        let mut depth = 0_usize;
        let mut at = start;
        loop {
            match self.0.get(at)? {
                b'"' => at = self.string_end(at)?,
                b'{' | b'[' => {
                    depth += 1;
                    at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    at += 1;
                }
                b',' | b':' if depth == 0 => return None,
                _ if depth == 0 => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || b",:]}".contains(byte);
                    at = self.0[at..].iter().position(ends).map_or(self.0.len(), |length| at + length);
                }
                _ => at += 1,
            }
            if depth == 0 {
                return Some(start..at);
            }
        }
    }

    /// Past the quote that ends the string whose first quote is at `start`.
    fn string_end(self, start: usize) -> Option<usize> {
        let mut at = start + 1;
        loop {
            match self.0.get(at)? {
                b'"' => return Some(at + 1),
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
    }
}

/// Changes to one text, in any order; no two of them overlap.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Puts a text in the place of another.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: String) {
        self.0.push((range, with));
    }

    /// Adds members, written as `"key":value`, to the front of an object.
    pub(crate) fn insert(&mut self, text: JsonText<'_>, object: &Range<usize>, members: &[String]) {
        let (Some(gap), false) = (gap(text, object), members.is_empty()) else { return };
        let joined = members.join(&format!(",{gap}"));
        let first = text.skip_space(object.start + 1);
        match text.0.get(first) {
            Some(b'}') => self.replace(first..first, joined),
            _ => self.replace(first..first, format!("{joined},{gap}")),
        }
    }

    /// Puts members, written as `"key":value`, in the place of one of an object's.
    pub(crate) fn exchange(
        &mut self,
        text: JsonText<'_>,
        object: &Range<usize>,
        member: &Member,
        by: &[String],
    ) {
        match (gap(text, object), by.is_empty()) {
            (Some(gap), false) => self.replace(member.whole.clone(), by.join(&format!(",{gap}"))),
            _ => self.remove(text, object, member),
        }
    }

    /// Takes a member out, with one of the commas beside it.
    pub(crate) fn remove(&mut self, text: JsonText<'_>, object: &Range<usize>, member: &Member) {
        let members = text.members(object);
        let Some(place) = members.iter().position(|other| other.whole == member.whole) else { return };
        let range = match (members.get(place + 1), place.checked_sub(1)) {
            (Some(next), _) => member.whole.start..next.whole.start,
            (None, Some(before)) => members[before].whole.end..member.whole.end,
            (None, None) => member.whole.clone(),
        };
        self.replace(range, String::new());
    }

    /// The text with all changes made. Of two at one place the one that was asked for first
    /// comes first.
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

/// What stands between the members of an object after their commas, as far as its first one
/// shows it: the line breaks of a text for people, nothing in one for machines.
fn gap(text: JsonText<'_>, object: &Range<usize>) -> Option<String> {
    let first = text.skip_space(object.start + 1);
    let gap = match text.0.get(first)? {
        b'}' => &[],
        _ => text.0.get(object.start + 1..first)?,
    };
    String::from_utf8(gap.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const ODD: &str = "\u{feff} { \"a\\u0062\" : [ 1.50 , {\"x\":\"]},\\\"\"} ,[ ], null,-2e3 ] ,\n\t\"k\":1,\"k\" : \"zwei, drei: {\" }\n";

    #[test]
    fn members_and_items_are_those_that_a_parser_finds() {
        let text = JsonText(ODD.as_bytes());
        let root = text.root().expect("an object");
        let members = text.members(&root);
        let keys: Vec<&str> = members.iter().map(|member| member.key.as_str()).collect();
        assert_eq!(keys, ["ab", "k", "k"]);
        let items: Vec<&str> = text.items_of(&root, "ab").into_iter().map(|item| &ODD[item]).collect();
        assert_eq!(items, ["1.50", "{\"x\":\"]},\\\"\"}", "[ ]", "null", "-2e3"]);
        let last = text.member(&root, "k").expect("there");
        assert_eq!(&ODD[last.value], "\"zwei, drei: {\"", "as parsers have it, the last one counts");
        assert!(text.items_of(&root, "k").is_empty());
        assert!(text.members(&(root.end - 1..root.end)).is_empty());
    }

    #[test]
    fn a_change_leaves_the_rest_as_it_is() {
        let text = JsonText(b"{\n  \"a\" : 1,\n  \"b\": [ 1.0, 2 ]\n}");
        let root = text.root().expect("an object");
        let mut edits = Edits::default();
        let items = text.items_of(&root, "b");
        edits.replace(items[1].clone(), "7.5".into());
        edits.insert(text, &root, &["\"c\":3".into(), "\"d\":4".into()]);
        let changed = String::from_utf8(edits.apply(text.0)).expect("text");
        assert_eq!(changed, "{\n  \"c\":3,\n  \"d\":4,\n  \"a\" : 1,\n  \"b\": [ 1.0, 7.5 ]\n}");
    }

    #[test]
    fn every_member_can_be_taken_out_or_exchanged() {
        for text in [r#"{"a":1, "b":2, "c":3}"#, r#"{ "only": [] }"#] {
            let json = JsonText(text.as_bytes());
            let root = json.root().expect("an object");
            let members = json.members(&root);
            for member in &members {
                for by in [vec![], vec!["\"n\":0".to_owned(), "\"m\":[]".to_owned()]] {
                    let mut edits = Edits::default();
                    edits.exchange(json, &root, member, &by);
                    let changed: Value = serde_json::from_slice(&edits.apply(json.0)).expect("good JSON");
                    let changed = changed.as_object().expect("an object");
                    assert!(!changed.contains_key(&member.key));
                    assert_eq!(changed.len(), members.len() - 1 + by.len());
                }
            }
        }
        let mut edits = Edits::default();
        let empty = JsonText(b"{ }");
        edits.insert(empty, &(0..3), &["\"a\":1".into()]);
        assert_eq!(edits.apply(empty.0), b"{ \"a\":1}");
    }

    #[test]
    fn what_is_cut_off_anywhere_is_no_reason_to_panic() {
        for length in 0..ODD.len() {
            let text = JsonText(&ODD.as_bytes()[..length]);
            if let Some(root) = text.root() {
                for member in text.members(&root) {
                    text.items(&member.value);
                }
            }
            text.members(&(length..length));
            text.items(&(0..length));
        }
    }
}
