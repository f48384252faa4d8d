use crate::pick::PickQuery;

/// The number of updates after which a query that is not in flight is repeated.
const REPEAT_AFTER: u32 = 8;

/// The query of a gizmo to the host's picker: asked once for each key, and again if it is lost.
///
/// The queries of several gizmos may share a picker, so an answer counts for every gizmo that has asked about the same
/// place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ask<K> {
    /// The key of the last query.
    key: Option<K>,
    /// The sequence number of the last query, unless it must be repeated.
    asked: Option<u64>,
    /// The sequence number of the newest answer, or of the newest query that is of no interest.
    answered: u64,
    /// The number of updates in which the query for this key was not in flight.
    idle: u32,
    /// Whether the query was in flight since the last update.
    is_awaited: bool,
}

impl<K> Default for Ask<K> {
    /// Ignores the answers to all queries so far. Even with the ids of this gizmo they can be about handles of another
    /// one, which has freed them.
    fn default() -> Self {
        Self { key: None, asked: None, answered: PickQuery::last_sequence(), idle: 0, is_awaited: false }
    }
}

impl<K: Copy + PartialEq> Ask<K> {
    /// Returns a query about a key; `None` if it was returned before, and is not to be repeated.
    pub(super) fn query(&mut self, key: K, new: impl FnOnce() -> PickQuery) -> Option<PickQuery> {
        let is_new = self.key != Some(key);
        if !is_new && self.asked.is_some() {
            return None;
        }
        if is_new {
            self.idle = 0;
        }
        let query = new();
        (self.key, self.asked) = (Some(key), Some(query.sequence));
        Some(query)
    }

    /// Returns the key of the last query.
    pub(super) fn key(&self) -> Option<K> {
        self.key
    }

    /// Returns the sequence number of the last query, unless it must be repeated.
    pub(super) fn asked(&self) -> Option<u64> {
        self.asked
    }

    /// Makes the next call of [`Ask::query`] return a query.
    pub(super) fn repeat(&mut self) {
        self.asked = None;
    }

    /// Repeats the query if another one was answered that is newer: answers arrive in the order of the queries, so
    /// this one was not encoded.
    pub(super) fn repeat_if_overtaken(&mut self, answered: u64) {
        self.asked = self.asked.filter(|asked| *asked >= answered);
    }

    /// Ignores the answers to queries up to this sequence number.
    pub(super) fn set_answered(&mut self, sequence: u64) {
        self.answered = self.answered.max(sequence);
    }

    /// Returns true if the answer to a query is to be ignored.
    pub(super) fn is_stale(&self, query: &PickQuery) -> bool {
        query.sequence <= self.answered
    }

    /// Returns true if the last query was answered.
    pub(super) fn is_answered(&self) -> bool {
        self.asked.is_some_and(|asked| asked <= self.answered)
    }

    /// Records that a query is in flight whose answer will be about the key, or for which the query has to wait.
    pub(super) fn await_answer(&mut self, query: &PickQuery) {
        self.is_awaited |= self.key.is_none() || !self.is_stale(query);
    }

    /// Counts an update in which the query was not in flight, and repeats the query after some of them. Returns the
    /// number of such updates; `None` if the query was in flight or answered.
    pub(super) fn count_idle(&mut self) -> Option<u32> {
        if std::mem::take(&mut self.is_awaited) || self.is_answered() {
            return None;
        }
        self.idle = self.idle.wrapping_add(1);
        if self.idle.is_multiple_of(REPEAT_AFTER) {
            self.repeat();
        }
        Some(self.idle)
    }
}
