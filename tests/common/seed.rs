//! Seeds of random tests: 0, or a new one per run where `CI` is set. A test that fails prints its seed, and the
//! variable `WGPU_GIZMO_SEED` repeats it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use fastrand::Rng;
use std::sync::OnceLock;

/// Returns the seed of this run.
pub(crate) fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| match std::env::var("WGPU_GIZMO_SEED") {
        Ok(text) => text.parse().expect("WGPU_GIZMO_SEED is a whole number"),
        Err(_) if std::env::var_os("CI").is_some() => fastrand::u32(..).into(),
        Err(_) => 0,
    })
}

/// Returns the random numbers of a test, whose `stream` tells it apart from other tests.
pub(crate) fn rng(stream: u64) -> Rng {
    let seed = seed();
    // Shown only if the test fails.
    println!("WGPU_GIZMO_SEED={seed} repeats this test");
    Rng::with_seed(seed.wrapping_add(stream))
}

/// Runs `check` with `count` seeds in a row, and prints that of a case that fails.
pub(crate) fn cases(count: u64, check: impl Fn(&mut Rng)) {
    struct Announce(u64);
    impl Drop for Announce {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("WGPU_GIZMO_SEED={} repeats this case", self.0);
            }
        }
    }
    for seed in (0..count).map(|case| seed().wrapping_add(case)) {
        let announce = Announce(seed);
        check(&mut Rng::with_seed(seed));
        drop(announce);
    }
}
