use crate::math::View;
use glam::DVec2;
use std::sync::atomic::{AtomicU64, Ordering};

/// A guard that marks a [`PickQuery`](crate::PickQuery) as in flight until it is dropped.
///
/// While a query is in flight, the gizmo waits for its answer instead of repeating it. A `Picker` keeps
/// one guard per query. A host with a custom picker keeps the guard of [`PickQuery::in_flight`](crate::PickQuery::in_flight)
/// until it has passed on the answer, or knows that there will be none.
///
/// ```
/// use wgpu_gizmo::pick::InFlight;
/// use wgpu_gizmo::{Gizmo, PickAnswer, PickOutcome, PickQuery};
///
/// /// A pick that another thread computes.
/// struct Job {
///     query: PickQuery,
///     in_flight: InFlight,
/// }
///
/// impl Job {
///     fn new(query: PickQuery) -> Self {
///         Self { in_flight: query.in_flight(), query }
///     }
///
///     fn finish(self, gizmo: &mut Gizmo, outcome: PickOutcome) {
///         gizmo.answer(&PickAnswer { query: self.query, outcome });
///         drop(self.in_flight);
///     }
/// }
/// ```
#[derive(Debug)]
#[must_use = "the query is in flight only until this is dropped"]
pub struct InFlight {
    bucket: usize,
    sequence: u64,
}

/// The newest query in flight per bucket, or 0. All queries about one pixel of one view share a bucket.
/// Others may share it too, which only makes a gizmo wait longer.
static NEWEST: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];

fn bucket_of(cursor_px: DVec2, view: &View) -> usize {
    let v = view.viewport();
    let texel = cursor_px.floor();
    let numbers = [texel.x, texel.y, v.x, v.y, v.width, v.height];
    let matrix = view.clip_from_world().to_cols_array();
    // FNV-1a over 64-bit words.
    let hash = numbers.into_iter().chain(matrix).fold(view.key() ^ 0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ number.to_bits()).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    });
    (hash >> 32) as usize % NEWEST.len()
}

impl InFlight {
    pub(super) fn new(cursor_px: DVec2, view: &View, sequence: u64) -> Self {
        let bucket = bucket_of(cursor_px, view);
        NEWEST[bucket].fetch_max(sequence, Ordering::Relaxed);
        Self { bucket, sequence }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        // A newer query in the same bucket stays in flight.
        let _ = NEWEST[self.bucket].compare_exchange(self.sequence, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Returns true if a query about this pixel of this view, with a sequence number above `since`, is in
/// flight.
pub(crate) fn is_in_flight(cursor_px: DVec2, view: &View, since: u64) -> bool {
    NEWEST[bucket_of(cursor_px, view)].load(Ordering::Relaxed) > since
}
