//! Statistics of times. Compared times are measured in turns and in changing order, so that other load on the
//! machine, and what an alternative leaves behind, affects them equally.

#[path = "../../shared/order.rs"]
mod order;

use crate::is_quick;
use order::order_of;
use std::time::Instant;

/// Returns a percentile, for `part` from 0 to 1. Sorts the values.
pub fn percentile(values: &mut [f64], part: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().saturating_sub(1) as f64;
    values.get((part * last).round() as usize).copied().unwrap_or(f64::NAN)
}

pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    percentile(&mut values.into_iter().collect::<Vec<_>>(), 0.5)
}

/// Runs `work` and returns its duration in microseconds.
pub fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e6
}

/// The maximum number of rounds and the maximum duration: a software rasterizer needs seconds for a
/// frame of a thousand gizmos. There are at least three rounds.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    pub seconds: f64,
}

const MIN_ROUNDS: usize = 3;
/// Warm-up rounds.
const WARM_UP_ROUNDS: usize = 3;
/// A round that takes longer than this many seconds has no warm-up; the median of three leaves out
/// the first.
const MAX_WARM_UP_SECONDS: f64 = 0.7;

/// The times of several alternatives: a column per alternative, a row per round.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    columns: Vec<Vec<f64>>,
}

impl Rounds {
    /// Alternates between the alternatives, each of which returns its own time.
    pub fn of(effort: Effort, ways: &mut [&mut dyn FnMut() -> f64]) -> Self {
        let mut rounds = Self { columns: vec![Vec::with_capacity(effort.rounds); ways.len()] };
        let (max_rounds, seconds) =
            if is_quick() { (MIN_ROUNDS, 0.0) } else { (effort.rounds.max(MIN_ROUNDS), effort.seconds) };
        let start = Instant::now();
        let spent = || start.elapsed().as_secs_f64();
        let (mut warming, mut round) = (WARM_UP_ROUNDS, 0);
        while rounds.count() < MIN_ROUNDS || (rounds.count() < max_rounds && spent() < seconds) {
            for way in order_of(round, ways.len()) {
                rounds.columns[way].push(ways[way]());
            }
            round += 1;
            if warming > 0 {
                warming = if spent() > MAX_WARM_UP_SECONDS { 0 } else { warming - 1 };
                if spent() <= MAX_WARM_UP_SECONDS {
                    rounds.columns.iter_mut().for_each(Vec::clear);
                }
            }
        }
        rounds
    }

    /// Returns the number of rounds.
    pub fn count(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    pub fn median(&self, way: usize) -> f64 {
        median(self.columns[way].iter().copied())
    }

    /// Returns the median of the rounds' ratios.
    pub fn ratio(&self, way: usize, to: usize) -> f64 {
        median(self.columns[way].iter().zip(&self.columns[to]).map(|(a, b)| a / b))
    }
}

/// Returns the exponent of the power law fitted to the points: 1 is proportional, 0 is constant.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    if logs.len() < 2 {
        return 0.0;
    }
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / count, b + y / count));
    let (up, across) =
        logs.iter().fold((0.0, 0.0), |(a, b), (px, py)| (a + (px - x) * (py - y), b + (px - x).powi(2)));
    up / across
}
