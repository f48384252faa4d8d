use crate::draw::InvisibleReason;
use crate::interaction::drag::Drag;
use crate::interaction::event::{Event, Events};

/// The events and flags that the host reads.
#[derive(Debug)]
pub(super) struct Output {
    events: Events,
    /// Whether the last update had events, to which the host reacts after it.
    has_reported: bool,
    /// The revision of the look_revision, which increases with every visible change.
    look_revision: u64,
    last_drag: Option<Box<Drag>>,
    /// Why nothing was visible when the gizmo was last drawn.
    invisible: Option<InvisibleReason>,
}

impl Output {
    pub(super) fn new() -> Self {
        Self {
            events: Events::default(),
            has_reported: false,
            look_revision: 1,
            last_drag: None,
            invisible: None,
        }
    }

    /// Ends an update: returns its events.
    pub(super) fn take_events(&mut self) -> Events {
        self.has_reported = !self.events.is_empty();
        std::mem::take(&mut self.events)
    }

    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Returns the index of an event, if it is there.
    pub(super) fn find(&self, event: Event) -> Option<usize> {
        self.events.iter().position(|other| *other == event)
    }

    /// Replaces the event at an index.
    pub(super) fn replace(&mut self, index: usize, by: [Event; 2]) {
        self.events.replace(index, by);
    }

    /// Returns true if a drag has ended since the events were cleared.
    pub(super) fn has_ended(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Ended { .. } | Event::Canceled))
    }

    /// Records whether an earlier update had events that the host gets now.
    pub(super) fn set_reported_if(&mut self, has_events: bool) {
        self.has_reported |= has_events;
    }

    pub(super) fn redraw_if(&mut self, is_changed: bool) {
        self.look_revision += u64::from(is_changed);
    }

    pub(super) fn redraw(&mut self) {
        self.look_revision += 1;
    }

    pub(super) fn look_revision(&self) -> u64 {
        self.look_revision
    }

    /// Returns true if the last update had events.
    pub(super) fn has_reported(&self) -> bool {
        self.has_reported
    }

    /// Records why nothing is visible. Returns the reason if it is another one than before.
    pub(super) fn set_invisible(&mut self, reason: Option<InvisibleReason>) -> Option<InvisibleReason> {
        let before = std::mem::replace(&mut self.invisible, reason);
        reason.filter(|_| before != reason)
    }

    pub(super) fn set_last_drag(&mut self, drag: Box<Drag>) {
        self.last_drag = Some(drag);
    }

    pub(super) fn last_drag(&self) -> Option<&Drag> {
        self.last_drag.as_deref()
    }
}
