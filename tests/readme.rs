//! README.md shows every line of `examples/embed` that uses the gizmo, and the examples are as short as
//! promised.

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
fn egui_example_has_ten_lines_about_gizmo() {
    // The transform of the cube is the host's.
    let names = ["EguiGizmo", "gizmo", "Target", "targets", "shown", "Mode", "Event"];
    let lines = lines_about(include_str!("../examples/egui/src/main.rs"), &names);
    assert!(lines.len() <= 10, "{} lines are about the gizmo: {lines:#?}", lines.len());
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
