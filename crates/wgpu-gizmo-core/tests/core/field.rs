//! The tests that docs/field.md and docs/picking.md name exist.

use std::fs;
use std::path::{Path, PathBuf};

fn test_functions(folder: &Path, found: &mut Vec<String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("the entry is readable").path()) {
        if path.is_dir() {
            test_functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("the source file is readable");
            let tests = text.split("#[test]\n").skip(1).filter_map(|test| test.split_once("fn "));
            found.extend(tests.filter_map(|(_, test)| Some(test.split_once('(')?.0.to_owned())));
        }
    }
}

/// Asserts that the rows of each test table of a page are numbered and name existing tests. Returns the
/// number of rows per table.
fn rows_of_tables(page: &str) -> Vec<usize> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    // Reads the sources, because the tests of other packages are not built here.
    let mut tests = Vec::new();
    for folder in ["src", "tests", "crates/wgpu-gizmo-core", "crates/wgpu-gizmo-extras"] {
        test_functions(&root.join(folder), &mut tests);
    }
    let is_row = |line: &&str| line.starts_with("| ");
    let parts = text.split("\n\n").map(|part| part.lines().filter(is_row).collect::<Vec<_>>());
    let tables = parts.filter(|rows| rows.first().is_some_and(|head| head.ends_with("| Tests |")));
    let check = |rows: Vec<&str>| {
        for (row, number) in rows.iter().skip(1).zip(1..) {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [problem, named] = cells[..] else { panic!("not two columns: {row}") };
            assert!(problem.starts_with(&format!("{number}. ")), "row {number} is {problem}");
            // Test names are the odd parts between backticks.
            let names: Vec<&str> = named.split('`').skip(1).step_by(2).collect();
            assert!(!names.is_empty(), "{problem} names no test");
            for name in names {
                assert!(
                    tests.iter().any(|test| test == name),
                    "{problem} names {name}, which does not exist"
                );
            }
        }
        rows.len() - 1
    };
    tables.map(check).collect()
}

#[test]
fn field_table_names_existing_tests() {
    assert_eq!(rows_of_tables("docs/field.md"), [22, 20]);
}

#[test]
fn picking_tables_name_existing_tests() {
    assert_eq!(rows_of_tables("docs/picking.md"), [15, 19]);
}
