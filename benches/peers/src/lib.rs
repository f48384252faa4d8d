//! What the benches of this package share. Each bench prints its tables, its figures as lines
//! `figure: NAME = VALUE UNIT`, and keeps docs/benchmarks.md and its plots up to date ([`page`]).

pub mod clock;
pub mod gpu;
pub mod page;
pub mod peer;
pub mod plot;
pub mod scene;
pub mod stats;

/// Prints a figure, with as many digits as mean something.
pub fn figure(name: &str, value: f64, unit: &str) {
    let value = short(value);
    println!("figure: {name} = {value} {unit}");
    page::set_cell(name, &value, unit);
}

/// Four digits that count, at least; whole numbers as they are.
pub fn short(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e9 {
        return format!("{value:.0}");
    }
    let digits = (3.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}

/// Whether everything is only to be seen to work: `QUICK=1 cargo bench …`.
pub fn is_quick() -> bool {
    is_set("QUICK")
}

/// Whether a variable of the environment asks for something.
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}
