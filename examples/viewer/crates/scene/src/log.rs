//! The log of all edits: undo steps, the saved state, and the edit in progress. Undo, the mark for unsaved
//! changes, the recovery journal, recordings and panels read it.

mod values;

pub use values::Values;

use crate::Scene;
use crate::edit::Edit;

/// One undo step, such as a drag, a typed value or a new name.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Label for the user, such as `Translate armLeft X 0.250`.
    pub name: String,
    /// The edit.
    pub redo: Edit,
    /// Its inverse.
    pub undo: Edit,
    /// The number of entries that were made before this one.
    number: u64,
}

/// An edit in progress, such as a field that is being dragged. Values are totals since its start, and its
/// end is one undo step.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenEdit {
    /// Identifies the edit, to distinguish it from the next one.
    pub key: String,
    /// The name of the undo step.
    pub name: String,
    /// The edit that restores the start.
    pub start: Edit,
}

/// A state in the past, by the way that leads there.
#[derive(Debug, Clone, Default)]
struct State {
    /// The number of entries that are done in the state, or in the last state before it that can be reached.
    done: usize,
    /// The edits from there to the state. Their entries were discarded.
    beyond: Vec<Edit>,
}

/// A position in a log, to find out later what has happened since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    made: u64,
    /// The number of entries that were done.
    pub done: usize,
}

/// The edits of a scene: entries that are done, followed by undone ones that can be redone.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    /// The number of entries that are done.
    done: usize,
    saved: State,
    being_saved: Option<State>,
    /// The edit in progress.
    pub open: Option<OpenEdit>,
    /// The inverses of edits that are no undo steps, as old replays have them.
    pub unlisted: Vec<Edit>,
    /// The number of entries that were made, including discarded ones.
    made: u64,
    /// Increases with every undo and redo, but not with new entries.
    pub jumps: u64,
}

impl Log {
    /// Adds an edit that was just made, with its inverse. Discards the undone entries.
    pub fn push(&mut self, name: String, redo: Edit, undo: Edit) {
        for state in [&mut self.saved].into_iter().chain(&mut self.being_saved) {
            if state.done > self.done {
                let discarded = self.entries[self.done..state.done].iter().map(|entry| entry.redo.clone());
                state.beyond.splice(0..0, discarded);
                state.done = self.done;
            }
        }
        self.entries.truncate(self.done);
        self.entries.push(Entry { name, redo, undo, number: self.made });
        self.done += 1;
        self.made += 1;
    }

    /// Ends the edit in progress, if any. It becomes an entry if it has changed anything.
    pub fn settle(&mut self, scene: &Scene) {
        if let Some(OpenEdit { name, start, .. }) = self.open.take() {
            self.finish(name, start, scene);
        }
    }

    /// Adds the edit that was made since `start` was the state, if it has changed anything.
    pub fn finish(&mut self, name: String, start: Edit, scene: &Scene) {
        let now = start.now(scene);
        if now != start {
            self.push(name, now, start);
        }
    }

    /// Undoes or redoes entries until the first `done` are done, or all of them if there are fewer. Calls
    /// `made` after each edit, and returns the edits in that order, if there are any.
    pub fn go_to(
        &mut self,
        done: usize,
        scene: &mut Scene,
        mut made: impl FnMut(&Edit, &Scene),
    ) -> Vec<&Edit> {
        let (before, after) = (self.done, done.min(self.entries.len()));
        let edits = edits_between(&self.entries, before, after);
        for edit in &edits {
            // A replay can have changed what is in the way, with edits that are no entries.
            let _ = edit.apply(scene);
            made(edit, scene);
        }
        self.done = after;
        self.jumps += u64::from(before != after);
        edits
    }

    /// Returns all entries, including undone ones, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the number of entries that are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Returns a number that changes whenever entries are made, done or undone.
    pub fn revision(&self) -> u64 {
        self.made + self.jumps
    }

    /// Returns the current position.
    pub fn cursor(&self) -> Cursor {
        Cursor { made: self.made, done: self.done }
    }

    /// Returns the entries that were made since a cursor was returned and are still there, with the number of
    /// entries that were done before them.
    pub fn since(&self, cursor: Cursor) -> (usize, &[Entry]) {
        let first = self.entries.partition_point(|entry| entry.number < cursor.made);
        match &self.entries[first..] {
            [] => (cursor.done, &[]),
            made => (first, made),
        }
    }

    /// Returns the number of entries that lead to the saved state, or `None` if none lead to it.
    pub fn saved(&self) -> Option<usize> {
        Some(self.saved.done).filter(|_| self.saved.beyond.is_empty())
    }

    /// Records that the current state is being saved.
    pub fn begin_save(&mut self) {
        self.being_saved = Some(State { done: self.done, beyond: Vec::new() });
    }

    /// Records that the state at [`Log::begin_save`] was saved, or that saving it failed.
    pub fn end_save(&mut self, is_saved: bool) {
        if let Some(state) = self.being_saved.take().filter(|_| is_saved) {
            self.saved = state;
        }
    }

    /// Returns true if the current state is the one being saved.
    pub fn is_being_saved(&self) -> bool {
        self.being_saved.as_ref().is_some_and(|state| self.is_at(state))
    }

    /// Returns true if the scene has no unsaved changes.
    pub fn is_saved(&self) -> bool {
        self.is_at(&self.saved)
    }

    /// Returns the values that nodes had in the saved state, if an edit since then has set them.
    pub fn saved_values(&self, scene: &Scene) -> Values {
        self.values_at(&self.saved, scene)
    }

    /// Returns the values that nodes had when the scene was opened, if an edit since then has set them.
    pub fn opened_values(&self, scene: &Scene) -> Values {
        self.values_at(&State::default(), scene)
    }

    /// Returns true if the scene is as it is in `state`. The place of the gizmo is not part of it.
    fn is_at(&self, state: &State) -> bool {
        let between = self.done.min(state.done)..self.done.max(state.done);
        let edits = self.entries[between].iter().map(|entry| &entry.redo).chain(&state.beyond);
        edits.flat_map(Edit::parts).all(|edit| matches!(edit, Edit::Pivot(..)))
    }

    /// Returns the values that the way from the current state to `state` sets last.
    fn values_at(&self, state: &State, scene: &Scene) -> Values {
        let mut values = Values::default();
        let last_first = self.unlisted.iter().chain(state.beyond.iter().rev());
        let last_first =
            last_first.chain(edits_between(&self.entries, self.done, state.done).into_iter().rev());
        let last_first = last_first.chain(self.open.as_ref().map(|open| &open.start));
        last_first.for_each(|edit| values.add(edit, scene));
        values
    }
}

/// Returns the edits that change how many entries are done, in the order in which they are applied.
fn edits_between(entries: &[Entry], before: usize, after: usize) -> Vec<&Edit> {
    match before <= after {
        true => entries[before..after].iter().map(|entry| &entry.redo).collect(),
        false => entries[after..before].iter().rev().map(|entry| &entry.undo).collect(),
    }
}

#[cfg(test)]
mod tests;
