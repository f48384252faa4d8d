//! Times that are compared are taken in turns, so that whatever else the machine does meets both.

use crate::is_quick;
use std::time::Instant;

/// The value that this part of the values is below; sorts them.
pub fn percentile(values: &mut [f64], part: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().saturating_sub(1) as f64;
    values.get((part * last).round() as usize).copied().unwrap_or(f64::NAN)
}

pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    percentile(&mut values.into_iter().collect::<Vec<_>>(), 0.5)
}

/// Runs `work` and says how many microseconds it took.
pub fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e6
}

/// As many rounds as these at most, and no more after so many seconds: a thousand gizmos take
/// software seconds for each frame. Three rounds at least.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    pub seconds: f64,
}

const LEAST: usize = 3;
/// Rounds that warm up.
const WARM: usize = 3;
/// Seconds of a round that is too dear for warming up: of three the median leaves out the first.
const DEAR: f64 = 0.7;

/// What several ways of doing the same took, one column for each, a row for each round.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    columns: Vec<Vec<f64>>,
}

impl Rounds {
    /// Takes turns between the ways, each of which says its own time.
    pub fn of(effort: Effort, ways: &mut [&mut dyn FnMut() -> f64]) -> Self {
        let mut rounds = Self { columns: vec![Vec::with_capacity(effort.rounds); ways.len()] };
        let (most, seconds) =
            if is_quick() { (LEAST, 0.0) } else { (effort.rounds.max(LEAST), effort.seconds) };
        let start = Instant::now();
        let spent = || start.elapsed().as_secs_f64();
        let mut warming = WARM;
        while rounds.count() < LEAST || (rounds.count() < most && spent() < seconds) {
            for (way, column) in ways.iter_mut().zip(&mut rounds.columns) {
                column.push(way());
            }
            if warming > 0 {
                warming = if spent() > DEAR { 0 } else { warming - 1 };
                if spent() <= DEAR {
                    rounds.columns.iter_mut().for_each(Vec::clear);
                }
            }
        }
        rounds
    }

    /// How many there were.
    pub fn count(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    pub fn median(&self, way: usize) -> f64 {
        median(self.columns[way].iter().copied())
    }

    /// The median of the rounds' ratios.
    pub fn ratio(&self, way: usize, to: usize) -> f64 {
        median(self.columns[way].iter().zip(&self.columns[to]).map(|(a, b)| a / b))
    }
}

/// Exponent of the power law through two ends of a run of points: 1 is proportional, 0 constant.
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
