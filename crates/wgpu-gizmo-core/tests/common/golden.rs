//! Tables of what random sessions do, with one row for some of them and a named column for each aspect, so that a change
//! of behavior cannot go unnoticed, and a diff of the table says where it is. `WGPU_GIZMO_WRITE=1` writes them anew.

#![allow(dead_code, reason = "not every table uses all of it")]

use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// The columns of a row.
#[derive(Default)]
pub(crate) struct Row {
    /// Each with the sum of the absolute terms.
    sums: BTreeMap<String, [f64; 2]>,
    counts: BTreeMap<&'static str, BTreeMap<String, usize>>,
    hashes: BTreeMap<&'static str, u32>,
    marks: BTreeMap<&'static str, String>,
}

/// The content of a cell, compared with that of the committed table.
enum Cell {
    Text(String),
    Sum([f64; 2]),
    Marks(String),
}

impl Row {
    /// Adds the value of a step to a column. Values count one to five times, so that steps cannot trade places.
    pub(crate) fn add(&mut self, column: impl Into<String>, step: usize, value: impl Into<f64>) {
        let value = (step % 5 + 1) as f64 * value.into();
        let sum = self.sums.entry(column.into()).or_default();
        *sum = [sum[0] + value, sum[1] + value.abs()];
    }

    /// Adds values to columns that are numbered from `column0` on.
    pub(crate) fn add_all(&mut self, column: &str, step: usize, values: &[f64]) {
        values.iter().enumerate().for_each(|(i, value)| self.add(format!("{column}{i}"), step, *value));
    }

    pub(crate) fn count(&mut self, column: &'static str, what: impl Into<String>) {
        *self.counts.entry(column).or_default().entry(what.into()).or_default() += 1;
    }

    /// Adds a text, without rounding errors, to the hash of all texts of a column.
    pub(crate) fn hash(&mut self, column: &'static str, text: &str) {
        let hash = self.hashes.entry(column).or_insert(0x811c_9dc5);
        // FNV-1a is the same on every machine and with every compiler.
        for byte in text.bytes().chain([0]) {
            *hash = (*hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }

    /// Adds a mark for a step to the column `x_steps`: a dot, or a letter that depends on what the columns `x` and
    /// `x_hash` have by then. Marks are not compared, because they depend on rounding: they tell at which step the others
    /// begin to differ.
    pub(crate) fn mark(&mut self, [sum, hash, steps]: [&'static str; 3], is_changed: bool) {
        let sum = self.sums.get(sum).map_or(String::new(), |[sum, _]| format!("{sum:.7e}"));
        let hash = self.hashes.get(hash).copied().unwrap_or_default();
        let state = sum.bytes().fold(hash, |state, byte| state.wrapping_mul(31) ^ u32::from(byte));
        let mark = if is_changed { char::from(b'A' + (state % 26) as u8) } else { '.' };
        self.marks.entry(steps).or_default().push(mark);
    }

    /// Returns the first step of a column that differs from the committed marks.
    fn first_step(&self, column: &str, expected: &BTreeMap<&str, &str>) -> Option<usize> {
        let steps = format!("{}_steps", column.trim_end_matches("_hash"));
        let (found, expected) = (self.marks.get(steps.as_str())?, expected.get(steps.as_str())?);
        found.chars().zip(expected.chars()).position(|(found, expected)| found != expected)
    }

    fn cells(&self) -> BTreeMap<&str, Cell> {
        let sums = self.sums.iter().map(|(column, sum)| (column.as_str(), Cell::Sum(*sum)));
        let counts = self.counts.iter().map(|(column, counts)| {
            let counts: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
            (*column, Cell::Text(counts.join(", ")))
        });
        let hashes = self.hashes.iter().map(|(column, hash)| (*column, Cell::Text(format!("{hash:08x}"))));
        let marks = self.marks.iter().map(|(column, marks)| (*column, Cell::Marks(marks.clone())));
        sums.chain(counts).chain(hashes).chain(marks).collect()
    }
}

/// Returns one of the choices.
pub(crate) fn choose<T: Clone>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.usize(..choices.len())].clone()
}

/// Returns the name of a variant, in lower case.
pub(crate) fn variant(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}").to_lowercase();
    text.split(['(', ' ']).next().unwrap_or_default().to_owned()
}

/// The counts of all rows.
pub(crate) struct Totals(BTreeMap<(&'static str, String), usize>);

impl Totals {
    /// Panics unless the things of a column that begin with `what` happened often enough for the table to mean something.
    pub(crate) fn assert_at_least(&self, column: &str, what: &str, least: usize) {
        let is_one = |key: &(&str, String)| key.0 == column && key.1.starts_with(what);
        let count: usize = self.0.iter().filter(|(key, _)| is_one(key)).map(|(_, count)| count).sum();
        assert!(count >= least, "{count} times {what} in {column}, instead of {least}");
    }
}

pub(crate) struct Table<'a> {
    /// Relative to the package.
    pub(crate) path: &'a str,
    /// A line that says what the rows are.
    pub(crate) title: &'a str,
    /// The allowed difference of a sum, relative to the sum of its absolute terms.
    pub(crate) tolerance: f64,
    pub(crate) rows: usize,
    pub(crate) row: &'a dyn Fn(usize) -> Row,
}

impl Table<'_> {
    fn written(&self, rows: &[Row]) -> String {
        let cells: Vec<_> = rows.iter().map(Row::cells).collect();
        let columns: BTreeSet<&str> = cells.iter().flat_map(|cells| cells.keys().copied()).collect();
        let names: String = columns.iter().map(|column| format!("\t{column}")).collect();
        // One digit more than is compared.
        let digits = (1.0 - self.tolerance.log10()).ceil() as usize;
        let lines = cells.iter().enumerate().map(|(number, cells)| {
            let row: String = columns
                .iter()
                .map(|column| match cells.get(column) {
                    Some(Cell::Text(text) | Cell::Marks(text)) => format!("\t{text}"),
                    Some(Cell::Sum([sum, _])) => format!("\t{sum:.digits$e}"),
                    None => "\t".to_owned(),
                })
                .collect();
            format!("{number}{row}\n")
        });
        format!("# {}\nrow{names}\n{}", self.title, lines.collect::<String>())
    }
}

/// Compares the rows of a table with the committed ones. Returns the counts of all rows.
pub(crate) fn check(table: &Table<'_>) -> Totals {
    let rows: Vec<Row> = (0..table.rows).map(table.row).collect();
    if std::env::var_os("WGPU_GIZMO_WRITE").is_some() {
        std::fs::write(table.path, table.written(&rows)).expect("the folder is writable");
    }
    let text = std::fs::read_to_string(table.path).expect("the table exists");
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').skip(1));
    let columns: Vec<&str> = lines.next().expect("the table names its columns").collect();
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines.len(), table.rows, "rows of {}", table.path);
    // The first difference and the number of differences of each column.
    let mut differences = BTreeMap::<&str, (String, usize)>::new();
    for (number, (row, line)) in rows.iter().zip(lines).enumerate() {
        let expected: BTreeMap<&str, &str> = columns.iter().copied().zip(line).collect();
        let cells = row.cells();
        for column in cells.keys().copied().chain(columns.iter().copied()).collect::<BTreeSet<_>>() {
            let step = row
                .first_step(column, &expected)
                .map_or(String::new(), |step| format!(", from step {step} on,"));
            let expected = expected.get(column).copied().unwrap_or("no such column");
            let found = match cells.get(column) {
                Some(Cell::Text(text)) => Some(text.clone()).filter(|text| text != expected),
                Some(Cell::Sum([sum, size])) => {
                    let is_same = |expected: f64| (sum - expected).abs() <= table.tolerance * size;
                    Some(sum.to_string()).filter(|_| !expected.parse().is_ok_and(is_same))
                }
                Some(Cell::Marks(_)) => None,
                None => Some("nothing".to_owned()).filter(|_| !expected.is_empty()),
            };
            if let Some(found) = found {
                let first = || (format!("row {number} has{step}\n  {found}\ninstead of\n  {expected}"), 0);
                differences.entry(column).or_insert_with(first).1 += 1;
            }
        }
    }
    let report: String = differences
        .iter()
        .map(|(column, (first, count))| format!("{column} differs in {count} rows: {first}\n"))
        .collect();
    assert!(report.is_empty(), "{}, of {} rows:\n{report}", table.path, table.rows);
    let mut totals = BTreeMap::new();
    for (column, counts) in rows.iter().flat_map(|row| &row.counts) {
        for (what, count) in counts {
            *totals.entry((*column, what.clone())).or_default() += count;
        }
    }
    Totals(totals)
}
