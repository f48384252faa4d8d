//! Writes tables to docs/tables, plots to docs/plots, and single cells of docs/benchmarks.md: those in the
//! second column of rows that begin with the figure's name as code. All other text is kept.

use crate::is_set;
use std::path::PathBuf;
use std::time::Instant;

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Returns true for whole runs with the default settings, the only ones that the page reports.
fn is_kept() -> bool {
    !["QUICK", "REAL_GPU", "WGPU_BACKEND"].into_iter().any(is_set)
}

/// Writes a file in a folder of docs.
fn save(folder: &str, name: &str, text: &str) {
    if is_kept() {
        let folder = docs().join(folder);
        std::fs::create_dir_all(&folder).expect("docs can be written");
        std::fs::write(folder.join(name), text).expect("docs can be written");
    }
}

/// Writes a figure into every row of the page that begins with its name.
pub fn set_cell(name: &str, value: &str, unit: &str) {
    let unit = match unit {
        "ratio" | "slope" => "",
        "us" => " µs",
        unit => &format!(" {unit}"),
    };
    if !is_kept() {
        return;
    }
    let path = docs().join("benchmarks.md");
    let text = std::fs::read_to_string(&path).expect("the page exists");
    let changed = with_cell(&text, name, &format!("{value}{unit}"));
    if changed != text {
        std::fs::write(&path, changed).expect("docs can be written");
    }
}

fn with_cell(text: &str, name: &str, value: &str) -> String {
    let start = format!("| `{name}` |");
    let line = |line: &str| {
        let cells = line.strip_prefix(&start).and_then(|cells| cells.split_once('|'));
        cells.map_or_else(|| line.to_owned(), |(_, rest)| format!("{start} {value} |{rest}"))
    };
    text.lines().map(|it| line(it) + "\n").collect()
}

/// A table that is printed row by row and then written to `docs/tables/NAME.md`.
#[derive(Debug)]
pub struct Table {
    name: &'static str,
    rows: String,
}

impl Table {
    pub fn new(name: &'static str, heads: &[&str]) -> Self {
        let mut table = Self { name, rows: String::new() };
        println!();
        table.row(heads);
        table.row(&vec!["---"; heads.len()]);
        table
    }

    pub fn row(&mut self, cells: &[impl AsRef<str>]) {
        let cells: Vec<_> = cells.iter().map(AsRef::as_ref).collect();
        let row = format!("| {} |", cells.join(" | "));
        println!("{row}");
        self.rows += &(row + "\n");
    }

    pub fn save(self) {
        save("tables", &format!("{}.md", self.name), &self.rows);
    }
}

/// Writes a plot to `docs/plots/NAME.svg`.
pub fn save_plot(name: &str, svg: &str) {
    save("plots", &format!("{name}.svg"), svg);
}

/// Runs a bench and reports its duration and the load of the machine before and after.
pub fn run(name: &str, bench: impl FnOnce()) {
    let (start, before) = (Instant::now(), load());
    bench();
    let (took, after) = (start.elapsed().as_secs(), load());
    let took = format!("{} min {:02} s", took / 60, took % 60);
    println!("\n{name}: {took}, load average {before} before, {after} at the end");
    set_cell(&format!("--bench {name}"), &format!("{took}; load {before} to {after}"), "ratio");
}

/// Returns the load average of the last minute, if the system reports it.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
