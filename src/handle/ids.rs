use std::num::NonZeroU32;

/// A run of ids in the ID image that belongs to one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdRange {
    first: NonZeroU32,
    count: u32,
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
/// A freed range is used again only once every id has been handed out, so an answer that is
/// still under way when its object goes does not name another.
#[derive(Debug, Clone, Default)]
pub struct IdSpace {
    /// Ids up to and including this one have been handed out at least once.
    used_to: u32,
    /// Freed ranges, the longest freed first.
    freed: Vec<IdRange>,
}

impl IdSpace {
    /// Everything free.
    pub fn new() -> Self {
        Self::default()
    }

    /// A range of `count` ids that nobody else has. A count of 0 gives one id.
    pub fn take(&mut self, count: u32) -> Result<IdRange, IdSpaceExhausted> {
        let count = count.max(1);
        let fresh = self.used_to.checked_add(1).and_then(NonZeroU32::new);
        if let (Some(first), Some(used_to)) = (fresh, self.used_to.checked_add(count)) {
            self.used_to = used_to;
            return Ok(IdRange { first, count });
        }
        let slot = self.freed.iter().position(|range| range.count >= count);
        let Some(slot) = slot else { return Err(IdSpaceExhausted { wanted: count }) };
        let range = self.freed.remove(slot);
        if let Some(first) = range.id(count) {
            self.freed.push(IdRange { first, count: range.count - count });
        }
        Ok(IdRange { first: range.first, count })
    }

    /// Gives a range back.
    pub fn free(&mut self, range: IdRange) {
        self.freed.push(range);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_do_not_overlap_and_zero_is_never_handed_out() {
        let mut ids = IdSpace::new();
        let (a, b) = (ids.take(19).expect("free"), ids.take(1).expect("free"));
        assert_eq!((a.first().get(), a.count(), b.first().get()), (1, 19, 20));
        assert_eq!(a.offset_of(b.first()), None);
        assert_eq!(a.id(18).and_then(|id| a.offset_of(id)), Some(18));
        assert_eq!(a.id(19), None);
    }

    #[test]
    fn a_freed_range_is_used_again_only_when_no_fresh_id_is_left() {
        let mut ids = IdSpace::new();
        let first = ids.take(10).expect("free");
        ids.free(first);
        assert_ne!(ids.take(10), Ok(first));
        let rest = ids.take(u32::MAX - 20).expect("the last fresh ids");
        assert_eq!(rest.id(rest.count() - 1).map(NonZeroU32::get), Some(u32::MAX));
        assert_eq!(ids.take(4).map(|r| r.first()), Ok(first.first()));
        assert_eq!(ids.take(6).map(|r| r.first().get()), Ok(5));
        assert_eq!(ids.take(1), Err(IdSpaceExhausted { wanted: 1 }));
    }
}
