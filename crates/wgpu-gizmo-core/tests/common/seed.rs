//! Seeds of random tests. A test that fails prints its seed, and `WGPU_GIZMO_SEED=SEED` repeats it. Without that
//! variable, seeds start at 0; where `CI` is set, tests that must hold for every input draw a new one per run.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use fastrand::Rng;
use std::sync::OnceLock;

/// Returns the seed that is set.
fn given() -> Option<u64> {
    let text = std::env::var("WGPU_GIZMO_SEED").ok()?;
    Some(text.parse().expect("WGPU_GIZMO_SEED is a whole number"))
}

/// Returns the first seed of tests that compare with an oracle, whose limits not every input respects.
pub(crate) fn fixed() -> u64 {
    given().unwrap_or(0)
}

/// Returns the first seed of tests that must hold for every input.
fn fresh() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| {
        let new = || std::env::var_os("CI").map(|_| fastrand::u32(..).into());
        given().or_else(new).unwrap_or(0)
    })
}

/// Returns the random numbers of a test that must hold for all of them. `stream` tells it apart from other tests.
pub(crate) fn rng(stream: u64) -> Rng {
    // Shown only if the test fails.
    println!("WGPU_GIZMO_SEED={} repeats this test", fresh());
    Rng::with_seed(fresh().wrapping_add(stream))
}

/// Runs `check` with `count` seeds in a row.
pub(crate) fn cases(count: u64, check: impl FnMut(&mut Rng)) {
    cases_from(fixed(), count, check);
}

/// Does the same for a check that must hold for every input.
pub(crate) fn fresh_cases(count: u64, check: impl FnMut(&mut Rng)) {
    cases_from(fresh(), count, check);
}

fn cases_from(first: u64, count: u64, mut check: impl FnMut(&mut Rng)) {
    struct Announce(u64);
    impl Drop for Announce {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("WGPU_GIZMO_SEED={} repeats this case", self.0);
            }
        }
    }
    for seed in (0..count).map(|case| first.wrapping_add(case)) {
        let announce = Announce(seed);
        check(&mut Rng::with_seed(seed));
        drop(announce);
    }
}
