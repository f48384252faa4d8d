//! Code shared by the benches of this package. Each bench prints its tables and its figures as
//! lines `figure: NAME = VALUE UNIT`, and keeps docs/benchmarks.md, its tables and plots up to date
//! ([`page`]).

pub mod clock;
pub mod gpu;
pub mod page;
pub mod peer;
pub mod plot;
pub mod scene;
pub mod stats;

/// Prints a figure with four significant digits.
pub fn figure(name: &str, value: f64, unit: &str) {
    let value = short(value);
    println!("figure: {name} = {value} {unit}");
    page::set_cell(name, &value, unit);
}

/// Formats a number with at least four significant digits, or as an integer if it is one.
pub fn short(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e9 {
        return format!("{value:.0}");
    }
    let digits = (3.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}

/// Returns true if the benches should only be checked to run: `QUICK=1 cargo bench …`.
pub fn is_quick() -> bool {
    is_set("QUICK")
}

/// Returns true if an environment variable is set to something other than 0.
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}
