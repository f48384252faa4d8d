use crate::handle::HandleId;
use crate::interaction::targets::motion::Motion;
use crate::interaction::targets::target::DisabledReason;
use crate::math::Transform;
use smallvec::SmallVec;
use std::num::NonZeroU32;
use std::ops::Deref;

/// An event of a gizmo, returned by [`Gizmo::update`](crate::interaction::Gizmo::update).
///
/// ```
/// use wgpu_gizmo_core::{Event, Gizmo, Target, View};
///
/// fn frame(gizmo: &mut Gizmo, view: &View, targets: &mut [Target]) {
///     for event in gizmo.update(view, targets) {
///         match event {
///             Event::Started(handle) => println!("dragging {}", handle.name()),
///             Event::Ended { changed: true } => println!("add an undo step"),
///             Event::ClickedObject(id) => println!("select the object with the id {id}"),
///             Event::Refused(handle, reason) => println!("{}: {reason}", handle.name()),
///             _ => {}
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A drag of this handle began.
    Started(HandleId),
    /// The motion of the drag changed, and the targets were written.
    Changed(Motion),
    /// The drag was released: one undo step if something changed.
    Ended {
        /// Whether a target differs from its start.
        changed: bool,
    },
    /// The drag was canceled, and the targets have their starts back, bit for bit.
    ///
    /// If the list of targets differs from that of the press, in length or in keys, only the targets with a
    /// [key](crate::interaction::Target::key) of the press were written, and [`Gizmo::starts`](crate::interaction::Gizmo::starts)
    /// returns the starts of all.
    Canceled,
    /// The place of the gizmo itself has changed: by a drag of [`Gizmo::edit_pivot`](crate::interaction::Gizmo::edit_pivot),
    /// or by a call such as [`Gizmo::pivot_to`](crate::interaction::Gizmo::pivot_to). It is one undo step of the host.
    /// The targets stay as they are.
    PivotChanged {
        /// The pivot and the reference frame before the change, in world space; `None` if the gizmo was not placed.
        from: Option<Transform>,
        /// The place after the change.
        to: Option<Transform>,
    },
    /// A press or a key chose a handle that cannot be used, for this reason. Handles that are drawn disabled
    /// cannot be picked.
    Refused(HandleId, DisabledReason),
    /// A press hit an id that is not this gizmo's: an object of the host, or a handle of another gizmo, which
    /// has events of its own. Hosts select the object now if drags of the primary button have no other use;
    /// otherwise they wait for [`Event::ClickedObject`].
    PressedObject(NonZeroU32),
    /// The press of [`Event::PressedObject`] was released within 4 logical pixels of the pressed point, and
    /// the pointer was never farther away: hosts select the object. A drag that orbits the camera does not
    /// end with this event.
    ClickedObject(NonZeroU32),
    /// A click on the trackball or on the center handle that moves in the view plane, without motion. Hosts
    /// select what is behind the handle, as if it were not there. It follows [`Event::Ended`].
    ClickPassed(HandleId),
    /// A press in the view hit nothing and was released within 4 logical pixels of the pressed point: hosts
    /// clear the selection.
    ClickedNothing,
}

/// The number of events that need no allocation. An update without a burst of input has fewer.
const USUAL: usize = 4;

/// The events of one update, in the order in which they happened: a slice that the host owns.
///
/// ```
/// use wgpu_gizmo_core::{Event, Gizmo, Target, View};
///
/// fn frame(gizmo: &mut Gizmo, view: &View, targets: &mut [Target]) {
///     for event in gizmo.update(view, targets) {
///         if let Event::Canceled = event {
///             // The gizmo can be used here, because the events do not borrow it.
///             gizmo.scene_changed();
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Events(SmallVec<[Event; USUAL]>);

impl Events {
    pub(crate) fn push(&mut self, event: Event) {
        self.0.push(event);
    }

    /// Replaces the event at an index by two.
    pub(crate) fn replace(&mut self, index: usize, [first, second]: [Event; 2]) {
        self.0[index] = first;
        self.0.insert(index + 1, second);
    }
}

impl AsRef<[Event]> for Events {
    fn as_ref(&self) -> &[Event] {
        &self.0
    }
}

impl Deref for Events {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        &self.0
    }
}

impl FromIterator<Event> for Events {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        Self(events.into_iter().collect())
    }
}

impl Extend<Event> for Events {
    fn extend<I: IntoIterator<Item = Event>>(&mut self, events: I) {
        self.0.extend(events);
    }
}

impl IntoIterator for Events {
    type Item = Event;
    type IntoIter = EventsIntoIter;

    fn into_iter(self) -> EventsIntoIter {
        EventsIntoIter(self.0.into_iter())
    }
}

impl<'a> IntoIterator for &'a Events {
    type Item = &'a Event;
    type IntoIter = std::slice::Iter<'a, Event>;

    fn into_iter(self) -> std::slice::Iter<'a, Event> {
        self.0.iter()
    }
}

impl<T: AsRef<[Event]> + ?Sized> PartialEq<T> for Events {
    fn eq(&self, other: &T) -> bool {
        *self.0 == *other.as_ref()
    }
}

/// The iterator of [`Events`].
#[derive(Debug, Clone)]
pub struct EventsIntoIter(smallvec::IntoIter<[Event; USUAL]>);

impl Iterator for EventsIntoIter {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.0.next()
    }
}

/// The shape that the pointer should have.
///
/// ```
/// use wgpu_gizmo_core::{Gizmo, IdSpace};
/// use wgpu_gizmo_core::interaction::CursorHint;
///
/// let gizmo = Gizmo::new(&mut IdSpace::new())?;
/// let icon = match gizmo.cursor_hint() {
///     CursorHint::Grab => "grab",
///     CursorHint::Grabbing => "grabbing",
///     _ => "default",
/// };
/// # assert_eq!(icon, "default");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CursorHint {
    /// The shape that the host uses by default.
    #[default]
    Default,
    /// An open hand: a handle is hovered.
    Grab,
    /// A closed hand: a handle is dragged.
    Grabbing,
}
