//! Runs a property on random cases.

use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner, contextualize_config,
};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks a property on 10⁴ fixed cases. `PROPTEST_CASES` sets their number, and `WGPU_GIZMO_SEED` their
/// seed. A failing case is shrunk. `check` returns `None` for a case that is not meaningful: no such drag can begin, or
/// the cursor has no solution. At least `share` of the cases must be meaningful.
pub(crate) fn holds<S: Strategy<Value: Clone>>(
    cases: &S,
    share: f64,
    check: impl FnMut(&S::Value) -> Option<()>,
) {
    holds_in(10_000, cases, share, check);
}

/// The same as [`holds`] for slow cases, with this number of cases.
pub(crate) fn holds_in<S: Strategy<Value: Clone>>(
    count: u32,
    cases: &S,
    share: f64,
    check: impl FnMut(&S::Value) -> Option<()>,
) {
    let (default_cases, seed) = (10_000, crate::seed::fixed());
    let config = contextualize_config(Config {
        cases: default_cases,
        rng_seed: RngSeed::Fixed(seed.wrapping_add(1)),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "tests/properties/regressions.txt",
        ))),
        max_shrink_iters: 20_000,
        ..Config::default()
    });
    // Scales the number of slow cases with `PROPTEST_CASES` too.
    let cases_to_run = u32::try_from(u64::from(config.cases) * u64::from(count) / u64::from(default_cases));
    let config = Config { cases: cases_to_run.unwrap_or(u32::MAX).max(1), ..config };
    let (tried, checked, check) = (Cell::new(0u32), Cell::new(0u32), RefCell::new(check));
    let outcome = TestRunner::new(config.clone()).run(cases, |case| {
        tried.set(tried.get() + 1);
        match catch_unwind(AssertUnwindSafe(|| check.borrow_mut()(&case))) {
            Ok(outcome) => checked.set(checked.get() + u32::from(outcome.is_some())),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                return Err(TestCaseError::fail(text.unwrap_or_default()));
            }
        }
        Ok(())
    });
    match outcome {
        Err(TestError::Fail(why, case)) => panic!("{why}\nwith {case:?}"),
        Err(TestError::Abort(why)) => panic!("gave up: {why}"),
        Ok(()) => {}
    }
    let (tried, checked) = (tried.get(), checked.get());
    assert!(
        f64::from(checked) >= share * f64::from(tried),
        "only {checked} of {tried} cases were meaningful"
    );
}
