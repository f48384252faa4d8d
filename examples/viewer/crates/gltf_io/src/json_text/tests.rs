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
        for (key, choice) in [("a", choice), ("b", choice / 4), ("c", choice / 16), ("d", choice / 64)] {
            let before = wanted.get(key).cloned();
            let change = match choice % 4 {
                0 => continue,
                1 => Change::Set(None),
                2 => Change::to("9"),
                _ => Change::By(vec![format!("\"{key}1\":7"), format!("\"{key}2\":8")]),
            };
            match &change {
                Change::Set(Some(_)) => wanted.extend([(key.to_owned(), 9.into())]),
                Change::By(_) if before.is_some() => {
                    wanted.remove(key);
                    wanted.extend([(format!("{key}1"), 7.into()), (format!("{key}2"), 8.into())]);
                }
                _ => drop(wanted.remove(key)),
            }
            changes.push((key, change));
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
