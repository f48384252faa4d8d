use super::*;
use serde_json::{Map, Value};

/// Each of four members, which may be missing or repeated, stays, is removed, changed or replaced.
#[test]
fn every_combination_of_changes_gives_valid_json() {
    let texts =
        [r#"{"a":1,"b":2,"c":3}"#, "{ \"a\" : 1 ,\n  \"b\":2, \"a\":0 , \"c\":3 }", r#"{"b":2}"#, "{ }"];
    for (text, choice) in texts.iter().flat_map(|text| (0..256).map(move |choice| (text, choice))) {
        let mut wanted: Map<String, Value> = serde_json::from_str(text).expect("it is an object");
        let mut changes = Vec::new();
        let keys = [("a", ["a1", "a2"]), ("b", ["b1", "b2"]), ("c", ["c1", "c2"]), ("d", ["d1", "d2"])];
        for ((key, by), choice) in keys.into_iter().zip([choice, choice / 4, choice / 16, choice / 64]) {
            let values = match choice % 4 {
                0 => continue,
                1 => vec![(key, None)],
                2 => vec![(key, Some(9))],
                _ => vec![(key, None), (by[0], Some(7)), (by[1], Some(8))],
            };
            for (key, value) in values {
                wanted.remove(key);
                wanted.extend(value.map(|value| (key.to_owned(), value.into())));
                changes.push((key, Change::Set(value.map(Into::into))));
            }
        }
        let described = format!("{text} with {changes:?}");
        let mut edits = Edits::default();
        edits.change(JsonText(text.as_bytes()), &(0..text.len()), changes);
        let edited = edits.apply(text.as_bytes());
        let found: Map<String, Value> = serde_json::from_slice(&edited)
            .unwrap_or_else(|error| panic!("{described}: {error}: {}", String::from_utf8_lossy(&edited)));
        assert_eq!(found, wanted, "{described}");
    }
}
