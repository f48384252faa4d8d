//! The events of a recording. Each is stored as its line of text in the file, which takes a tenth of
//! the memory of the parsed event.

use crate::replay_file::EventKind;
use crate::views::Canvas;
use serde_json::Value;
use std::mem::discriminant;

/// Returns true for an event that sets what the picture shows: its size, a camera, the other views or the pose.
fn is_of_view(kind: &EventKind) -> bool {
    use EventKind::{Camera, Pose, Views, Window};
    matches!(kind, Window(_) | Camera(_) | Views(Some(_)) | Pose(_))
}

/// Returns true if an event that directly follows `before` overrides all of its effects.
fn covers(kind: &EventKind, before: &EventKind) -> bool {
    match (kind, before) {
        // A change of the scale factor also moves the pointer.
        (EventKind::Window(Canvas { scale_factor, .. }), EventKind::Window(before)) => {
            *scale_factor == before.scale_factor
        }
        (EventKind::Set(settings), EventKind::Set(before)) => settings.covers(before),
        (EventKind::Edit(_), EventKind::Edit(before)) => before.is_open,
        _ => is_of_view(kind) && discriminant(kind) == discriminant(before),
    }
}

/// The approximate memory of a line besides its text: its list entry and the allocator's overhead.
const LINE_BYTES: usize = 32;

/// The lines, and the last ones that a new one may replace.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) lines: Vec<Box<str>>,
    /// The approximate memory of all lines, in bytes.
    pub(super) bytes: usize,
    /// The last events that a later one may cover, with their lines; the newest last, each kind once.
    open: Vec<(usize, EventKind)>,
}

impl Events {
    /// Appends an event with its JSON. It replaces an earlier event that it covers, unless an event in between may
    /// depend on that one. `drags` is true for an event of a drag.
    pub(super) fn push(&mut self, kind: &EventKind, event: &Value, drags: bool) {
        let covered = self.open.iter().position(|(_, before)| covers(kind, before));
        if let Some((line, _)) = covered.map(|covered| self.open.remove(covered)) {
            self.remove(line);
        }
        let is_other = |before: &EventKind| discriminant(before) != discriminant(kind);
        match kind {
            // If two events do not cover each other, such as two scale factors, the later one counts.
            _ if is_of_view(kind) => self.open.retain(|(_, before)| is_of_view(before) && is_other(before)),
            // The view under the pointer depends on the layout of the views, not on their cameras.
            EventKind::Move(_) if !drags => {
                self.open.retain(|(_, before)| matches!(before, EventKind::Camera(_)));
            }
            _ => self.open.clear(),
        }
        if is_of_view(kind) || matches!(kind, EventKind::Set(_) | EventKind::Edit(_)) {
            self.open.push((self.lines.len(), kind.clone()));
        }
        self.append(event.to_string().into());
    }

    /// Replaces the last event.
    pub(super) fn replace_last(&mut self, event: &Value) {
        self.pop();
        self.append(event.to_string().into());
    }

    /// Removes the last event, which must not have covered another, and which no other may cover.
    pub(super) fn pop(&mut self) {
        if let Some(last) = self.lines.len().checked_sub(1) {
            self.remove(last);
        }
    }

    /// Prevents later events from replacing any event so far.
    pub(super) fn close(&mut self) {
        self.open.clear();
    }

    fn append(&mut self, line: Box<str>) {
        self.bytes += line.len() + LINE_BYTES;
        self.lines.push(line);
    }

    fn remove(&mut self, index: usize) {
        let line = self.lines.remove(index);
        self.bytes -= line.len() + LINE_BYTES;
        for (other, _) in &mut self.open {
            *other -= usize::from(*other > index);
        }
    }
}
