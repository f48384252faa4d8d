//! How a property is tried out.

use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, FileFailurePersistence, RngSeed, TestCaseError, TestError, TestRunner, contextualize_config,
};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// It says something, and what was to hold held.
    Checked,
    /// It says nothing: no such drag can begin, or the cursor tells no place.
    Empty,
}

/// Checks a property on 10⁴ cases, always the same, or as many as `PROPTEST_CASES` says, from the
/// seed that `PROPTEST_RNG_SEED` says. A case that fails is made as small as can be. At least
/// `share` of the cases have to say something.
pub(crate) fn holds<S: Strategy>(cases: &S, share: f64, check: impl Fn(&S::Value) -> Case)
where
    S::Value: Clone,
{
    holds_in(10_000, cases, share, check);
}

/// The same for a case that is long: on this many.
pub(crate) fn holds_in<S: Strategy>(count: u32, cases: &S, share: f64, check: impl Fn(&S::Value) -> Case)
where
    S::Value: Clone,
{
    let usual = 10_000;
    let config = contextualize_config(Config {
        cases: usual,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "tests/properties/regressions.txt",
        ))),
        max_shrink_iters: 20_000,
        ..Config::default()
    });
    // A long case counts for as many short ones in the long run too.
    let cases_to_run = u32::try_from(u64::from(config.cases) * u64::from(count) / u64::from(usual));
    let config = Config { cases: cases_to_run.unwrap_or(u32::MAX).max(1), ..config };
    let (tried, checked) = (Cell::new(0u32), Cell::new(0u32));
    let outcome = TestRunner::new(config.clone()).run(cases, |case| {
        tried.set(tried.get() + 1);
        match catch_unwind(AssertUnwindSafe(|| check(&case))) {
            Ok(Case::Checked) => checked.set(checked.get() + 1),
            Ok(Case::Empty) => {}
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
    assert!(f64::from(checked) >= share * f64::from(tried), "only {checked} of {tried} cases say something");
}
