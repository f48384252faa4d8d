//! README.md shows every line of `examples/embed` that uses the gizmo, the examples are as short as promised, and
//! the public API is as small as ARCHITECTURE.md says.

/// Returns the lines that name one of these, without indentation. Imports and lines of braces do not count.
fn lines_about<'a>(text: &'a str, names: &[&str]) -> Vec<&'a str> {
    let is_about = |line: &&str| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| names.contains(&word)) && !line.starts_with("use ") && !line.starts_with("//")
    };
    text.lines().map(str::trim).filter(is_about).collect()
}

/// Names of the gizmo's types, and of the values of the examples that have them.
const NAMES: [&str; 10] = [
    "WgpuGizmo",
    "tools",
    "WinitInput",
    "input",
    "Target",
    "targets",
    "View",
    "view",
    "Transform",
    "TargetState",
];

fn code_block(text: &str) -> &str {
    let (_, rest) = text.split_once("```rust\n").expect("README.md has a block of Rust");
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn readme_shows_code_of_embed_example() {
    let example = lines_about(include_str!("../examples/embed/src/app.rs"), &NAMES);
    let readme = lines_about(code_block(include_str!("../README.md")), &NAMES);
    assert_eq!(readme, example);
    assert!(example.len() <= 12, "{} lines are about the gizmo", example.len());
}

#[test]
fn tables_of_pages_have_delimiter_rows() {
    let pages = [
        include_str!("../README.md"),
        include_str!("../ARCHITECTURE.md"),
        include_str!("../RELEASES.md"),
        include_str!("../docs/spec.md"),
        include_str!("../docs/picking.md"),
        include_str!("../docs/guides/from-bevy.md"),
    ];
    let mut tables = 0;
    for page in pages {
        let mut lines = page.lines().chain([""]);
        while let Some(header) = lines.find(|line| line.starts_with('|')) {
            let is_cell = |cell: &str| !cell.is_empty() && cell.chars().all(|c| "-: ".contains(c));
            let delimiter = lines.next().unwrap_or_default();
            assert!(delimiter.len() > 1 && delimiter.trim_matches('|').split('|').all(is_cell), "{header}");
            let columns = |line: &str| line.matches('|').count() - line.matches("\\|").count();
            assert_eq!(columns(header), columns(delimiter), "{header}");
            lines.by_ref().take_while(|line| line.starts_with('|')).for_each(drop);
            tables += 1;
        }
    }
    assert!(tables > 10, "{tables}");
}

#[test]
fn egui_example_has_fourteen_lines_about_gizmo() {
    // The transforms of the cubes are the host's.
    let names = ["EguiGizmo", "gizmo", "Target", "targets", "shown", "Mode", "Event"];
    let lines = lines_about(include_str!("../examples/egui/src/main.rs"), &names);
    assert!(lines.len() <= 14, "{} lines are about the gizmo: {lines:#?}", lines.len());
}

#[test]
fn editor_example_has_forty_lines_about_gizmo() {
    let own = ["scene", "OutlinedScene", "OutlineStyle", "Event", "events", "target", "id", "ids"];
    let names: Vec<_> = NAMES.into_iter().chain(own).collect();
    let editor = lines_about(include_str!("../examples/editor/src/editor.rs"), &names);
    let app = lines_about(include_str!("../examples/editor/src/app.rs"), &NAMES);
    println!("{} + {}", editor.len(), app.len());
    assert!(editor.len() + app.len() <= 40);
}

#[test]
fn public_api_has_at_most_sixty_names() {
    let modules = [
        include_str!("../src/lib.rs"),
        include_str!("../src/draw/mod.rs"),
        include_str!("../src/facade/mod.rs"),
        include_str!("../src/gpu/mod.rs"),
        include_str!("../src/handle/mod.rs"),
        include_str!("../src/interaction/mod.rs"),
        include_str!("../src/math/mod.rs"),
        include_str!("../src/pick/mod.rs"),
    ];
    let mut names: Vec<&str> = modules.iter().flat_map(|text| public_names(text)).collect();
    names.sort_unstable();
    names.dedup();
    println!("{} names: {names:?}", names.len());
    assert!(names.contains(&"WgpuGizmo") && names.contains(&"HandleSet") && names.contains(&"PickHit"));
    assert!(names.len() <= 60);
}

/// Returns the types of a module: those in its `pub use` items that are not hidden, and those defined in it. Modules
/// and re-exported crates do not count.
fn public_names(module: &str) -> Vec<&str> {
    let (mut names, mut is_hidden) = (Vec::new(), false);
    for item in module.split("\npub ") {
        let words = |text| str::split(text, |c: char| !c.is_alphanumeric() && c != '_');
        match item.split_once(' ') {
            Some(("use", rest)) if !is_hidden => names.extend(words(rest.split(';').next().unwrap_or(rest))),
            Some(("struct" | "enum" | "trait", rest)) if !is_hidden => names.extend(words(rest).take(1)),
            _ => {}
        }
        is_hidden = item.ends_with("#[doc(hidden)]");
    }
    names.retain(|name: &&str| name.starts_with(char::is_uppercase));
    names
}
