//! What the benches of this package share. Each bench prints its tables, its figures as lines
//! `figure: NAME = VALUE UNIT`, and writes its plots to `docs/plots`.

pub mod gpu;
pub mod peer;
pub mod plot;
pub mod scene;
pub mod stats;

/// Prints a figure, with as many digits as mean something.
pub fn figure(name: &str, value: f64, unit: &str) {
    println!("figure: {name} = {} {unit}", short(value));
}

/// Four digits that count, at least; whole numbers as they are.
pub fn short(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e9 {
        return format!("{value:.0}");
    }
    let digits = (3.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}

/// Whether the long runs were asked for: `LONG=1 cargo bench …`.
pub fn is_long() -> bool {
    std::env::var_os("LONG").is_some_and(|value| value != "0")
}
