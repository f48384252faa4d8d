//! Tables of sums: what random scenes do or show, one per row, so that a change of any of it cannot go unnoticed.
//! `WGPU_GIZMO_WRITE=1` writes them anew.

/// Sums, and the sums of the absolute terms.
#[derive(Default)]
pub(crate) struct Sums(pub(crate) Vec<[f64; 2]>);

impl Sums {
    /// Adds terms, each to a sum of its own after the first `skip` ones. Terms count one to five times, by their place
    /// in the order of painting, so that parts cannot trade places.
    pub(crate) fn add(&mut self, skip: usize, place: usize, terms: &[f64]) {
        let weight = (place % 5 + 1) as f64;
        self.0.resize(self.0.len().max(skip + terms.len()), [0.0; 2]);
        for (sum, term) in self.0[skip..].iter_mut().zip(terms) {
            sum[0] += weight * term;
            sum[1] += weight * term.abs();
        }
    }
}

/// The sums of a row, and what is in words.
pub(crate) struct Row {
    pub(crate) sums: Vec<[f64; 2]>,
    pub(crate) text: String,
}

pub(crate) struct Table<'a> {
    pub(crate) path: &'a str,
    pub(crate) header: &'a str,
    /// Relative to the sum of the absolute terms.
    pub(crate) tolerance: f64,
    pub(crate) rows: usize,
    /// Returns the row of a scene.
    pub(crate) row: &'a dyn Fn(usize) -> Row,
}

impl Table<'_> {
    fn written(&self) -> String {
        let rows = (0..self.rows).map(|number| {
            let Row { sums, text } = (self.row)(number);
            // Two digits more than are compared.
            let digits = (2.0 - self.tolerance.log10()).ceil() as usize;
            let sums: Vec<String> = sums.iter().map(|[sum, _]| format!("{sum:.digits$e}")).collect();
            format!("{number}\t{}\t{text}\n", sums.join(" "))
        });
        self.header.to_owned() + &rows.collect::<String>()
    }
}

/// Compares the rows of a table with the committed ones.
pub(crate) fn check(table: &Table<'_>) {
    if std::env::var_os("WGPU_GIZMO_WRITE").is_some() {
        std::fs::write(table.path, table.written()).expect("the folder is writable");
    }
    let text = std::fs::read_to_string(table.path).expect("the table exists");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(rows.clone().count(), table.rows);
    for (number, row) in rows.enumerate() {
        let mut cells = row.split('\t').skip(1);
        let mut cell = || cells.next().expect("the row is complete");
        let expected: Vec<f64> =
            cell().split_whitespace().map(|sum| sum.parse().expect("a number")).collect();
        let Row { sums, text } = (table.row)(number);
        assert_eq!(text, cell(), "row {number}");
        assert_eq!(sums.len(), expected.len(), "row {number}");
        for (place, ([found, size], expected)) in sums.into_iter().zip(expected).enumerate() {
            let is_same = (found - expected).abs() <= table.tolerance * size;
            assert!(is_same, "row {number}, sum {place}: {found} instead of {expected}");
        }
    }
}
