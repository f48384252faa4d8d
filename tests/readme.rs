//! README.md shows the code of `examples/embed`.

/// Returns the lines without indentation and blank lines, which may differ in the README.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("no {begin:?}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end:?}")).0
}

#[test]
fn readme_shows_code_of_embed_example() {
    let example =
        between(include_str!("../examples/embed/src/gizmo.rs"), "// readme: begin", "// readme: end");
    let readme = between(include_str!("../README.md"), "```rust\n", "```");
    assert_eq!(lines(readme), lines(example));
}
