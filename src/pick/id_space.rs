use super::query::{PickAnswer, PickOutcome, PickQuery};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

/// A run of ids in the ID image that belongs to one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdRange {
    first: NonZeroU32,
    count: u32,
    /// Identity of the space that it is of.
    space: u64,
}

impl IdRange {
    /// The lowest id of the range.
    pub fn first(self) -> NonZeroU32 {
        self.first
    }

    /// How many ids it holds.
    pub fn count(self) -> u32 {
        self.count
    }

    /// The id at `offset`, if the range reaches that far.
    pub fn id(self, offset: u32) -> Option<NonZeroU32> {
        if offset < self.count { self.first.checked_add(offset) } else { None }
    }

    pub(crate) fn space(self) -> u64 {
        self.space
    }

    /// Where in the range `id` is, if it is in it.
    pub fn offset_of(self, id: NonZeroU32) -> Option<u32> {
        id.get().checked_sub(self.first.get()).filter(|offset| *offset < self.count)
    }
}

/// No run of free ids is long enough: over four billion are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the id space has no free run of {wanted} ids: free ranges that are no longer used")]
pub struct IdSpaceExhausted {
    /// How many ids were asked for.
    pub wanted: u32,
}

/// Hands out the ids of one ID image: to gizmos, to scene objects, and as blocks to hosts that
/// number things themselves. 0 is nothing and is never handed out.
///
/// An ID image needs one space for all that is drawn into it. Gizmos get their ids from the upper
/// end and objects from the lower one, so that the handles of a gizmo and the objects of another
/// space do not collide all the same. Gizmos of two spaces do: to pick them in one
/// [`DrawList`](crate::DrawList) is an error.
///
/// A freed range is used again only once every id has been handed out, and answers know when they
/// were asked for: [`IdSpace::resolve`] gives nothing for an id that was free then, is free now,
/// or has changed hands since.
#[derive(Debug)]
pub struct IdSpace {
    identity: u64,
    /// Ids up to and including this one have been handed out at least once.
    used_to: u32,
    /// And so have ids from this one on, which gizmos have.
    used_from: u64,
    /// Freed ranges, the longest freed first.
    freed: VecDeque<IdRange>,
    /// By first id: how many, and the newest question when they were handed out.
    taken: BTreeMap<u32, (u32, u64)>,
}

impl Default for IdSpace {
    fn default() -> Self {
        Self::new()
    }
}

impl IdSpace {
    /// Everything free.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
            used_to: 0,
            used_from: u64::from(u32::MAX) + 1,
            freed: VecDeque::new(),
            taken: BTreeMap::new(),
        }
    }

    /// A range of `count` ids that nobody else has: one for each instance, part or point of an
    /// object, told apart by [`IdRange::offset_of`]. A count of 0 gives one id.
    ///
    /// # Errors
    /// No run of free ids is that long.
    pub fn allocate(&mut self, count: u32) -> Result<IdRange, IdSpaceExhausted> {
        let count = count.max(1);
        let fresh = self.fresh(count);
        self.hand_out(fresh, count)
    }

    /// The same for a gizmo, from the upper end.
    pub(crate) fn allocate_for_gizmo(&mut self, count: u32) -> Result<IdRange, IdSpaceExhausted> {
        let fresh = self.fresh_from_end(count);
        self.hand_out(fresh, count)
    }

    fn hand_out(&mut self, fresh: Option<IdRange>, count: u32) -> Result<IdRange, IdSpaceExhausted> {
        let range = fresh.or_else(|| self.used(count)).or_else(|| self.joined(count));
        let range = range.ok_or(IdSpaceExhausted { wanted: count })?;
        self.taken.insert(range.first.get(), (count, PickQuery::last_sequence()));
        Ok(range)
    }

    fn range(&self, first: NonZeroU32, count: u32) -> IdRange {
        IdRange { first, count, space: self.identity }
    }

    fn fresh(&mut self, count: u32) -> Option<IdRange> {
        let first = self.used_to.checked_add(1).and_then(NonZeroU32::new)?;
        let last = self.used_to.checked_add(count).filter(|last| u64::from(*last) < self.used_from)?;
        self.used_to = last;
        Some(self.range(first, count))
    }

    fn fresh_from_end(&mut self, count: u32) -> Option<IdRange> {
        let from = self.used_from.checked_sub(count.into()).filter(|from| *from > self.used_to.into())?;
        let first = u32::try_from(from).ok().and_then(NonZeroU32::new)?;
        self.used_from = from;
        Some(self.range(first, count))
    }

    fn used(&mut self, count: u32) -> Option<IdRange> {
        let slot = self.freed.iter().position(|range| range.count >= count)?;
        let range = self.freed.remove(slot)?;
        if let Some(first) = range.id(count) {
            self.freed.push_back(self.range(first, range.count - count));
        }
        Some(self.range(range.first, count))
    }

    /// The same once neighbors among the freed are one range again: small ones were cut out of
    /// large ones.
    fn joined(&mut self, count: u32) -> Option<IdRange> {
        self.freed.make_contiguous().sort_unstable_by_key(|range| range.first);
        let mut joined: VecDeque<IdRange> = VecDeque::new();
        for range in self.freed.drain(..) {
            match joined.back_mut() {
                Some(last) if last.first.checked_add(last.count) == Some(range.first) => {
                    last.count += range.count;
                }
                _ => joined.push_back(range),
            }
        }
        self.freed = joined;
        self.used(count)
    }

    /// Gives a range back. One that is not handed out, not whole, or of another space, is left
    /// alone.
    pub fn free(&mut self, range: IdRange) {
        let first = range.first.get();
        if range.space == self.identity
            && self.taken.get(&first).is_some_and(|(count, _)| *count == range.count)
        {
            self.taken.remove(&first);
            self.freed.push_back(range);
        }
    }

    /// The range that an id belongs to, if it is handed out.
    pub fn range_of(&self, id: NonZeroU32) -> Option<IdRange> {
        self.owner_of(id).map(|(range, _)| range)
    }

    /// Whose id an answer names: the range, and the id's offset in it. `None` for a miss, and where
    /// the id is free or was handed out only after the question was asked.
    pub fn resolve(&self, answer: &PickAnswer) -> Option<(IdRange, u32)> {
        let PickOutcome::Hit(hit) = answer.outcome else { return None };
        let (range, since) = self.owner_of(hit.id)?;
        (since < answer.query.sequence).then_some((range, range.offset_of(hit.id)?))
    }

    fn owner_of(&self, id: NonZeroU32) -> Option<(IdRange, u64)> {
        let (first, (count, since)) = self.taken.range(..=id.get()).next_back()?;
        let range = self.range(NonZeroU32::new(*first)?, *count);
        range.offset_of(id).map(|_| (range, *since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_do_not_overlap_and_zero_is_never_handed_out() {
        let mut ids = IdSpace::new();
        let (a, b) = (ids.allocate(19).expect("free"), ids.allocate(1).expect("free"));
        assert_eq!((a.first().get(), a.count(), b.first().get()), (1, 19, 20));
        assert_eq!(a.offset_of(b.first()), None);
        assert_eq!(a.id(18).and_then(|id| a.offset_of(id)), Some(18));
        assert_eq!(a.id(19), None);
    }

    #[test]
    fn a_freed_range_is_used_again_only_when_no_fresh_id_is_left() {
        let mut ids = IdSpace::new();
        let first = ids.allocate(10).expect("free");
        ids.free(first);
        assert_ne!(ids.allocate(10), Ok(first));
        let rest = ids.allocate(u32::MAX - 20).expect("the last fresh ids");
        assert_eq!(rest.id(rest.count() - 1).map(NonZeroU32::get), Some(u32::MAX));
        assert_eq!(ids.allocate(4).map(|r| r.first()), Ok(first.first()));
        assert_eq!(ids.allocate(6).map(|r| r.first().get()), Ok(5));
        assert_eq!(ids.allocate(1), Err(IdSpaceExhausted { wanted: 1 }));
    }

    #[test]
    fn what_was_cut_up_is_handed_out_whole_once_it_is_free_again() {
        let mut ids = IdSpace::new();
        let gizmos = [(); 3].map(|()| ids.allocate(65_536).expect("free"));
        let rest = ids.allocate(u32::MAX - 3 * 65_536).expect("the rest");
        gizmos.into_iter().for_each(|range| ids.free(range));
        let objects = [(); 3].map(|()| ids.allocate(1).expect("one of the freed"));
        assert_eq!(ids.allocate(3 * 65_536 - 2), Err(IdSpaceExhausted { wanted: 3 * 65_536 - 2 }));
        objects.into_iter().for_each(|range| ids.free(range));
        let all = ids.allocate(3 * 65_536).expect("all but the rest is free");
        assert_eq!(all.first().get(), 1);
        assert_eq!(ids.allocate(1), Err(IdSpaceExhausted { wanted: 1 }));
        ids.free(all);
        ids.free(rest);
        assert_eq!(ids.allocate(u32::MAX).map(IdRange::count), Ok(u32::MAX));
    }

    fn answer(id: NonZeroU32, sequence: u64) -> PickAnswer {
        use crate::pick::PickHit;
        let view =
            crate::View::from_clip_from_world(glam::DMat4::IDENTITY, crate::Viewport::of_size(9, 9), 1.0);
        let query = PickQuery { sequence, ..PickQuery::new(&view.expect("usable"), glam::DVec2::ZERO, 0.0) };
        let hit = PickHit { id, pixel: (0, 0), depth: 0.0, position_world: None };
        PickAnswer { query, outcome: PickOutcome::Hit(hit) }
    }

    #[test]
    fn an_answer_is_resolved_as_things_were_when_it_was_asked_for() {
        let mut ids = IdSpace::new();
        let range = ids.allocate(5).expect("free");
        let third = range.id(3).expect("in it");
        let asked = PickQuery::next_sequence();
        assert_eq!(ids.resolve(&answer(third, asked)), Some((range, 3)));
        ids.free(range);
        assert_eq!(ids.resolve(&answer(third, asked)), None, "freed since");
        assert_eq!(ids.range_of(third), None);
        // All fresh ids go, so that the same ones come again.
        ids.allocate(u32::MAX - 5).expect("the rest");
        let again = ids.allocate(5).expect("what was freed");
        assert_eq!(again, range);
        assert_eq!(ids.resolve(&answer(third, asked)), None, "it was another's then");
        assert_eq!(ids.resolve(&answer(third, PickQuery::next_sequence())), Some((again, 3)));
    }

    #[test]
    fn what_is_not_handed_out_cannot_be_given_back() {
        let mut ids = IdSpace::new();
        let (a, b) = (ids.allocate(4).expect("free"), ids.allocate(4).expect("free"));
        ids.free(a);
        ids.free(a);
        ids.free(IdRange { count: 2, ..b });
        assert_eq!((ids.range_of(a.first), ids.range_of(b.first)), (None, Some(b)));
        ids.allocate(u32::MAX - 8).expect("the rest");
        assert_eq!(ids.allocate(4), Ok(a));
        assert_eq!(ids.allocate(1), Err(IdSpaceExhausted { wanted: 1 }), "freed once, handed out once");
    }

    #[test]
    fn objects_of_any_space_do_not_collide_with_gizmos_of_any_other() {
        let [mut ours, mut theirs] = [IdSpace::new(), IdSpace::new()];
        let gizmos = [(); 3].map(|()| ours.allocate_for_gizmo(65_536).expect("free"));
        let objects = [(); 3].map(|()| theirs.allocate(100_000).expect("free"));
        for (gizmo, object) in gizmos.into_iter().flat_map(|gizmo| objects.map(|object| (gizmo, object))) {
            let ids = [gizmo, object].map(|range| range.first.get()..=range.first.get() + (range.count - 1));
            assert!(!ids[0].contains(ids[1].start()) && !ids[0].contains(ids[1].end()));
            assert!(!ids[1].contains(ids[0].start()));
        }
        assert_eq!(gizmos.map(|range| range.id(65_535).map(NonZeroU32::get)), {
            [u32::MAX, u32::MAX - 65_536, u32::MAX - 131_072].map(Some)
        });
        assert_eq!(theirs.range_of(gizmos[0].first()), None);
        // What is given back to the wrong space stays taken, though that has such a range too.
        let same = theirs.allocate_for_gizmo(65_536).expect("free");
        assert_eq!(same.first(), gizmos[0].first());
        assert_ne!(same, gizmos[0]);
        theirs.free(gizmos[0]);
        assert_eq!(theirs.range_of(same.first()), Some(same));
    }

    #[test]
    fn both_ends_meet_without_an_overlap() {
        let mut ids = IdSpace::new();
        let gizmo = ids.allocate_for_gizmo(10).expect("free");
        assert_eq!(ids.allocate(u32::MAX - 9), Err(IdSpaceExhausted { wanted: u32::MAX - 9 }));
        let most = ids.allocate(u32::MAX - 11).expect("all but one");
        assert_eq!(ids.allocate_for_gizmo(2), Err(IdSpaceExhausted { wanted: 2 }));
        let last = ids.allocate_for_gizmo(1).expect("the last");
        assert_eq!(most.offset_of(last.first()), None);
        assert_eq!(last.first().get() + 1, gizmo.first().get());
        assert_eq!(ids.allocate(1), Err(IdSpaceExhausted { wanted: 1 }));
        ids.free(gizmo);
        assert_eq!(ids.allocate(10), Ok(gizmo), "used again once nothing else is left");
    }
}
