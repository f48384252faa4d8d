use super::query::{PickAnswer, PickOutcome, PickQuery};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A range of consecutive ids that belongs to one owner.
///
/// ```
/// use wgpu_gizmo_core::IdSpace;
///
/// // One id per corner of a box.
/// let corners = IdSpace::new().allocate(8)?;
/// let third = corners.id(2).expect("there are eight");
/// assert_eq!(corners.offset_of(third), Some(2));
/// # Ok::<(), wgpu_gizmo_core::pick::IdSpaceExhausted>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdRange {
    first: NonZeroU32,
    count: u32,
    /// The identity of the space that has allocated the range.
    space: u64,
}

impl IdRange {
    /// Returns the lowest id of the range.
    pub fn first(self) -> NonZeroU32 {
        self.first
    }

    /// Returns the number of ids.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Returns the id at `offset`, or `None` if the offset is out of range.
    pub fn id(self, offset: u32) -> Option<NonZeroU32> {
        if offset < self.count { self.first.checked_add(offset) } else { None }
    }

    pub(crate) fn space(self) -> u64 {
        self.space
    }

    /// Returns the offset of `id` in the range, or `None` if the range does not contain it.
    pub fn offset_of(self, id: NonZeroU32) -> Option<u32> {
        id.get().checked_sub(self.first.get()).filter(|offset| *offset < self.count)
    }
}

/// A range of ids that is freed when it is dropped.
///
/// ```
/// use wgpu_gizmo_core::IdSpace;
///
/// let mut ids = IdSpace::new();
/// let corners = ids.allocate(8)?;
/// let owned = ids.own(corners);
/// assert_eq!(ids.range_of(owned.range().first()), Some(corners));
/// drop(owned);
/// assert_eq!(ids.range_of(corners.first()), None);
/// # Ok::<(), wgpu_gizmo_core::pick::IdSpaceExhausted>(())
/// ```
#[derive(Debug)]
pub struct OwnedIds {
    range: IdRange,
    ranges: Arc<Mutex<Ranges>>,
}

impl OwnedIds {
    /// Returns the range.
    pub fn range(&self) -> IdRange {
        self.range
    }
}

impl Drop for OwnedIds {
    fn drop(&mut self) {
        lock(&self.ranges).free(self.range);
    }
}

/// An allocation failed because no free range is long enough: over four billion ids are in use.
///
/// ```
/// use wgpu_gizmo_core::IdSpace;
///
/// let mut ids = IdSpace::new();
/// ids.allocate(u32::MAX - 1)?;
/// assert_eq!(ids.allocate(2).map_err(|error| error.requested), Err(2));
/// # Ok::<(), wgpu_gizmo_core::pick::IdSpaceExhausted>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the id space has no free range of {requested} ids: free ranges that are no longer used")]
#[non_exhaustive]
pub struct IdSpaceExhausted {
    /// The number of ids requested.
    pub requested: u32,
}

/// Allocates the ids of one ID image, for gizmos and for objects of the host.
///
/// Ids are allocated in ranges. Id 0 means nothing and is never allocated.
///
/// Everything that is drawn into one ID image needs ids of one space. Ids of gizmos are allocated from the
/// upper end and ids of objects from the lower end, so that gizmos of one space do not collide with objects
/// of another space that was created by mistake. Gizmos of two spaces do collide: it is an error to pick
/// them in one [`DrawList`](crate::DrawList).
///
/// A freed range is reused only after every id has been allocated once. An answer carries the sequence
/// number of its query, so [`IdSpace::resolve`] returns `None` for an id that was free at that time, is
/// free now, or has a new owner.
///
/// ```
/// use wgpu_gizmo_core::{Gizmo, IdSpace};
///
/// let mut ids = IdSpace::new();
/// let gizmo = Gizmo::new(&mut ids)?;
/// let objects = ids.allocate(1_000)?;
/// assert_eq!(ids.range_of(objects.first()), Some(objects));
/// // The object is deleted.
/// ids.free(objects);
/// assert_eq!(ids.range_of(objects.first()), None);
/// # assert_eq!(ids.range_of(gizmo.ids().first()), Some(gizmo.ids()));
/// # Ok::<(), wgpu_gizmo_core::pick::IdSpaceExhausted>(())
/// ```
#[derive(Debug)]
pub struct IdSpace {
    /// Shared with the [`OwnedIds`], which free theirs.
    ranges: Arc<Mutex<Ranges>>,
}

impl Default for IdSpace {
    fn default() -> Self {
        Self::new()
    }
}

impl IdSpace {
    /// Creates a space in which every id is free.
    pub fn new() -> Self {
        Self { ranges: Arc::new(Mutex::new(Ranges::new())) }
    }

    /// Allocates a range of `count` ids, for example one per instance, part or point of an object, which
    /// [`IdRange::offset_of`] distinguishes. A count of 0 allocates one id.
    ///
    /// # Errors
    /// Returns [`IdSpaceExhausted`] if no free range is that long.
    pub fn allocate(&mut self, count: u32) -> Result<IdRange, IdSpaceExhausted> {
        let count = count.max(1);
        let mut ranges = lock(&self.ranges);
        let fresh = ranges.fresh(count);
        ranges.reserve(fresh, count)
    }

    /// Allocates a range for handles, from the upper end: for what a host draws into a [`DrawList`](crate::DrawList)
    /// besides gizmos, which allocate theirs themselves. A count of 0 allocates one id.
    ///
    /// # Errors
    /// Returns [`IdSpaceExhausted`] if no free range is that long.
    pub fn allocate_for_handles(&mut self, count: u32) -> Result<IdRange, IdSpaceExhausted> {
        let count = count.max(1);
        let mut ranges = lock(&self.ranges);
        let fresh = ranges.fresh_from_upper_end(count);
        ranges.reserve(fresh, count)
    }

    /// Frees a range. A range that is not allocated, not whole, or from another space is ignored.
    pub fn free(&mut self, range: IdRange) {
        lock(&self.ranges).free(range);
    }

    /// Makes a range free itself when its owner is dropped.
    pub fn own(&self, range: IdRange) -> OwnedIds {
        OwnedIds { range, ranges: Arc::clone(&self.ranges) }
    }

    /// Returns the allocated range that contains the id.
    pub fn range_of(&self, id: NonZeroU32) -> Option<IdRange> {
        lock(&self.ranges).owner_of(id).map(|(range, _)| range)
    }

    /// Returns the range that the id of an answer belonged to at the time of the query, and the offset of
    /// the id in it. Returns `None` for a miss, or if the id is free or was allocated after the query.
    pub fn resolve(&self, answer: &PickAnswer) -> Option<(IdRange, u32)> {
        let PickOutcome::Hit(hit) = answer.outcome else { return None };
        let (range, since) = lock(&self.ranges).owner_of(hit.id)?;
        (since < answer.query.sequence).then_some((range, range.offset_of(hit.id)?))
    }
}

/// A panic of another thread leaves the ranges whole, because each change of them is complete.
fn lock(ranges: &Mutex<Ranges>) -> MutexGuard<'_, Ranges> {
    ranges.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The allocated and the free ranges of a space.
#[derive(Debug)]
struct Ranges {
    identity: u64,
    /// Ids up to and including this one have been allocated at least once, for objects.
    lower_end: u32,
    /// Ids from this one on have been allocated at least once, for gizmos.
    upper_end: u64,
    /// Freed ranges, those since the last merge at the end.
    freed: VecDeque<IdRange>,
    /// Allocated ranges by first id: the count, and the newest query at the time of allocation.
    allocated: BTreeMap<u32, (u32, u64)>,
}

impl Ranges {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            lower_end: 0,
            upper_end: u64::from(u32::MAX) + 1,
            freed: VecDeque::new(),
            allocated: BTreeMap::new(),
        }
    }

    fn reserve(&mut self, fresh: Option<IdRange>, count: u32) -> Result<IdRange, IdSpaceExhausted> {
        let range = fresh.or_else(|| self.reuse(count)).or_else(|| {
            // Small ranges may have been split off large ones.
            self.merge_freed();
            self.reuse(count)
        });
        let range = range.ok_or(IdSpaceExhausted { requested: count })?;
        self.allocated.insert(range.first.get(), (count, PickQuery::last_sequence()));
        Ok(range)
    }

    fn range(&self, first: NonZeroU32, count: u32) -> IdRange {
        IdRange { first, count, space: self.identity }
    }

    fn fresh(&mut self, count: u32) -> Option<IdRange> {
        let first = self.lower_end.checked_add(1).and_then(NonZeroU32::new)?;
        let last = self.lower_end.checked_add(count).filter(|last| u64::from(*last) < self.upper_end)?;
        self.lower_end = last;
        Some(self.range(first, count))
    }

    fn fresh_from_upper_end(&mut self, count: u32) -> Option<IdRange> {
        let from = self.upper_end.checked_sub(count.into()).filter(|from| *from > self.lower_end.into())?;
        let first = u32::try_from(from).ok().and_then(NonZeroU32::new)?;
        self.upper_end = from;
        Some(self.range(first, count))
    }

    fn reuse(&mut self, count: u32) -> Option<IdRange> {
        let slot = self.freed.iter().position(|range| range.count >= count)?;
        let range = self.freed.remove(slot)?;
        if let Some(first) = range.id(count) {
            self.freed.push_back(self.range(first, range.count - count));
        }
        Some(self.range(range.first, count))
    }

    /// Merges adjacent freed ranges.
    fn merge_freed(&mut self) {
        self.freed.make_contiguous().sort_unstable_by_key(|range| range.first);
        let mut merged: VecDeque<IdRange> = VecDeque::new();
        for range in self.freed.drain(..) {
            match merged.back_mut() {
                Some(last) if last.first.checked_add(last.count) == Some(range.first) => {
                    last.count += range.count;
                }
                _ => merged.push_back(range),
            }
        }
        self.freed = merged;
    }

    fn free(&mut self, range: IdRange) {
        let first = range.first.get();
        if range.space == self.identity
            && self.allocated.get(&first).is_some_and(|(count, _)| *count == range.count)
        {
            self.allocated.remove(&first);
            self.freed.push_back(range);
            // Merged ranges have allocated ones between them, so that they take no more memory than those.
            if self.freed.len() > 2 * self.allocated.len() + 64 {
                self.merge_freed();
            }
        }
    }

    fn owner_of(&self, id: NonZeroU32) -> Option<(IdRange, u64)> {
        let (first, (count, since)) = self.allocated.range(..=id.get()).next_back()?;
        let range = self.range(NonZeroU32::new(*first)?, *count);
        range.offset_of(id).map(|_| (range, *since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_range_is_reused_only_without_fresh_ids() {
        let mut ids = IdSpace::new();
        let first = ids.allocate(10).expect("ids are free");
        ids.free(first);
        assert_ne!(ids.allocate(10), Ok(first));
        let rest = ids.allocate(u32::MAX - 20).expect("these fresh ids are left");
        assert_eq!(rest.id(rest.count() - 1).map(NonZeroU32::get), Some(u32::MAX));
        assert_eq!(ids.allocate(4).map(|r| r.first()), Ok(first.first()));
        assert_eq!(ids.allocate(6).map(|r| r.first().get()), Ok(5));
        assert_eq!(ids.allocate(1), Err(IdSpaceExhausted { requested: 1 }));
    }

    #[test]
    fn freed_ids_of_many_short_lived_objects_take_no_memory() {
        let (mut ids, mut rng) = (IdSpace::new(), fastrand::Rng::with_seed(1));
        let mut shown: Vec<_> = (0..100).map(|_| ids.allocate(1).expect("ids are free")).collect();
        for _ in 0..10_000 {
            let gone =
                std::mem::replace(&mut shown[rng.usize(..100)], ids.allocate(1).expect("ids are free"));
            ids.free(gone);
            assert!(lock(&ids.ranges).freed.len() < 300);
        }
    }

    fn answer(id: NonZeroU32, sequence: u64) -> PickAnswer {
        use crate::pick::PickHit;
        let view =
            crate::View::from_clip_from_world(glam::DMat4::IDENTITY, crate::Viewport::from_size(9, 9), 1.0);
        let query = PickQuery {
            sequence,
            ..PickQuery::new(&view.expect("the view is valid"), glam::DVec2::ZERO, 0.0)
        };
        let hit = PickHit::at(id, glam::DVec2::ZERO);
        PickAnswer::new(query, PickOutcome::Hit(hit))
    }

    /// In a space of few ids, so that they are reused: each id has at most one owner, and an answer belongs to
    /// the one that has had the id since before the query.
    #[test]
    fn random_owners_share_no_id_and_get_their_answers_alone() {
        const COUNT: u32 = 24;
        /// A range, and the number of the step that allocated it.
        type Owner = Option<(IdRange, u32)>;
        let index_of = |id: NonZeroU32| id.get() as usize - 1;
        let (mut reused, mut stale) = (0, 0);
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (mut ids, mut others) = (IdSpace::new(), IdSpace::new());
            let all = ids.allocate(COUNT).expect("ids are free");
            let foreign = others.allocate(COUNT).expect("ids are free");
            ids.allocate(u32::MAX - COUNT).expect("the remaining ids are free");
            ids.free(all);
            let mut owners: Vec<Owner> = vec![None; COUNT as usize];
            let mut asked: Vec<(NonZeroU32, u64, Owner)> = Vec::new();
            for step in 0..60 {
                let id = all.id(rng.u32(..COUNT)).expect("it is in the range");
                let owner = owners[index_of(id)];
                match (rng.u8(..4), owner) {
                    (0, _) => {
                        let count = rng.u32(1..6);
                        let is_free = |run: &[Owner]| run.iter().all(Option::is_none);
                        let is_possible = owners.windows(count as usize).any(is_free);
                        let allocated = ids.allocate(count);
                        assert_eq!(allocated.is_ok(), is_possible, "{count} of {owners:?}");
                        let Ok(range) = allocated else { continue };
                        for id in (0..count).map(|offset| range.id(offset).expect("it is in the range")) {
                            assert_eq!(owners[index_of(id)].replace((range, step)), None, "it has an owner");
                            reused += 1;
                        }
                    }
                    (1, Some((range, _))) => {
                        // Neither another count nor another space frees it.
                        ids.free(IdRange { count: range.count + 1, ..range });
                        ids.free(foreign);
                        if rng.bool() {
                            ids.free(range)
                        } else {
                            drop(ids.own(range))
                        }
                        // A second time does nothing.
                        ids.free(range);
                        owners.iter_mut().filter(|other| **other == owner).for_each(|other| *other = None);
                    }
                    _ => asked.push((id, PickQuery::next_sequence(), owner)),
                }
                assert_eq!(ids.range_of(id), owners[index_of(id)].map(|(range, _)| range));
            }
            for (id, sequence, owner_then) in asked {
                let owner = owners[index_of(id)].filter(|owner| Some(*owner) == owner_then);
                let resolved = owner.and_then(|(range, _)| Some((range, range.offset_of(id)?)));
                assert_eq!(ids.resolve(&answer(id, sequence)), resolved);
                stale += u32::from(owner_then.is_some() && owner.is_none());
            }
        }
        assert!(reused > 1_000 && stale > 1_000, "{reused} and {stale}");
    }

    #[test]
    fn objects_and_gizmos_of_two_spaces_do_not_collide() {
        let [mut ours, mut theirs] = [IdSpace::new(), IdSpace::new()];
        let gizmos = [(); 3].map(|()| ours.allocate_for_handles(65_536).expect("ids are free"));
        let objects = [(); 3].map(|()| theirs.allocate(100_000).expect("ids are free"));
        for (gizmo, object) in gizmos.into_iter().flat_map(|gizmo| objects.map(|object| (gizmo, object))) {
            let ids = [gizmo, object].map(|range| range.first.get()..=range.first.get() + (range.count - 1));
            assert!(!ids[0].contains(ids[1].start()) && !ids[0].contains(ids[1].end()));
            assert!(!ids[1].contains(ids[0].start()));
        }
        assert_eq!(gizmos.map(|range| range.id(65_535).map(NonZeroU32::get)), {
            [u32::MAX, u32::MAX - 65_536, u32::MAX - 131_072].map(Some)
        });
        assert_eq!(theirs.range_of(gizmos[0].first()), None);
        // Freeing a range in the wrong space is ignored, although that space has allocated the same ids.
        let same = theirs.allocate_for_handles(65_536).expect("ids are free");
        assert_eq!(same.first(), gizmos[0].first());
        assert_ne!(same, gizmos[0]);
        theirs.free(gizmos[0]);
        assert_eq!(theirs.range_of(same.first()), Some(same));
    }

    #[test]
    fn ranges_from_both_ends_never_overlap() {
        let mut ids = IdSpace::new();
        let gizmo = ids.allocate_for_handles(10).expect("ids are free");
        assert_eq!(ids.allocate(u32::MAX - 9), Err(IdSpaceExhausted { requested: u32::MAX - 9 }));
        let objects = ids.allocate(u32::MAX - 11).expect("all of these ids are free");
        assert_eq!(ids.allocate_for_handles(2), Err(IdSpaceExhausted { requested: 2 }));
        let last = ids.allocate_for_handles(1).expect("one id is left");
        assert_eq!(objects.offset_of(last.first()), None);
        assert_eq!(last.first().get() + 1, gizmo.first().get());
        assert_eq!(ids.allocate(1), Err(IdSpaceExhausted { requested: 1 }));
        ids.free(gizmo);
        assert_eq!(ids.allocate(10), Ok(gizmo), "reused once nothing else is left");
    }
}
