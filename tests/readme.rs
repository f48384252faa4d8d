//! The pages: the program in README.md is the one that is built and driven in CI, links and anchors lead somewhere,
//! and tables are tables. `.ci/readme` checks README.md's program in an empty package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A Markdown page of the repository.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    /// Returns all pages, except for those in folders of build results.
    fn all() -> Vec<Self> {
        let (mut folders, mut pages) = (vec![root()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("the folder is readable").flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let name = name.to_string_lossy();
                if path.is_dir() {
                    if !name.starts_with('.') && !["target", "node_modules", "shared"].contains(&&*name) {
                        folders.push(path);
                    }
                } else if name.ends_with(".md") {
                    let text = fs::read_to_string(&path).expect("the page is readable");
                    pages.push(Self { path, text });
                }
            }
        }
        pages
    }

    /// Returns the lines outside of code blocks.
    fn prose(&self) -> impl Iterator<Item = &str> {
        self.text.split("```").step_by(2).flat_map(str::lines)
    }

    /// Returns the targets of links and pictures.
    fn links(&self) -> impl Iterator<Item = &str> {
        let after = |start| move |line| str::split(line, start).skip(1);
        let links = self.prose().flat_map(after("](")).filter_map(|rest| rest.split(')').next());
        links.chain(self.prose().flat_map(after("src=\"")).filter_map(|rest| rest.split('"').next()))
    }

    /// Returns the anchors of the headings, as GitHub makes them.
    fn anchors(&self) -> BTreeSet<String> {
        let headings = self.prose().filter(|line| line.starts_with('#'));
        let anchor = |heading: &str| -> String {
            let text = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        };
        headings.map(anchor).collect()
    }
}

fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("README.md has such a block");
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn readme_program_and_dependencies_are_those_of_embed() {
    let readme = include_str!("../README.md");
    assert_eq!(block(readme, "rust"), include_str!("../examples/embed/src/main.rs"));
    let dependencies = |toml: &str| {
        let (_, rest) = toml.split_once("[dependencies]\n").expect("there are dependencies");
        rest.split("\n\n").next().unwrap_or(rest).trim().replace("../wgpu-gizmo", "../..")
    };
    assert_eq!(
        dependencies(block(readme, "toml")),
        dependencies(include_str!("../examples/embed/Cargo.toml"))
    );
}

#[test]
fn links_and_anchors_of_all_pages_resolve() {
    let (mut links, mut anchors, mut broken) = (0, 0, Vec::new());
    for page in Page::all() {
        let folder = page.path.parent().expect("a page is in a folder");
        // The guides of the crates also have links to items, which rustdoc checks.
        for link in page.links().filter(|link| !link.contains("://") && !link.contains("::")) {
            links += 1;
            let (path, anchor) =
                link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
            let target = if path.is_empty() { page.path.clone() } else { folder.join(path) };
            let is_found = target.exists()
                && anchor.is_none_or(|anchor| {
                    anchors += 1;
                    let text = fs::read_to_string(&target).unwrap_or_default();
                    Page { path: target.clone(), text }.anchors().contains(anchor)
                });
            if !is_found {
                broken.push(format!("{}: {link}", shown(&page.path)));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(links > 150 && anchors > 20, "{links} links, {anchors} anchors");
}

#[test]
fn tables_of_all_pages_have_equal_columns() {
    let mut tables = 0;
    for page in Page::all() {
        let mut lines = page.prose().chain([""]);
        while let Some(header) = lines.find(|line| line.starts_with('|')) {
            let is_cell = |cell: &str| !cell.is_empty() && cell.chars().all(|c| "-: ".contains(c));
            let delimiter = lines.next().unwrap_or_default();
            let page = shown(&page.path);
            assert!(
                delimiter.len() > 1 && delimiter.trim_matches('|').split('|').all(is_cell),
                "{page}: {header}"
            );
            let columns = |line: &str| line.matches('|').count() - line.matches("\\|").count();
            for row in lines.by_ref().take_while(|line| line.starts_with('|')).chain([delimiter]) {
                assert_eq!(columns(header), columns(row), "{page}: {row}");
            }
            tables += 1;
        }
    }
    assert!(tables > 40, "{tables}");
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
