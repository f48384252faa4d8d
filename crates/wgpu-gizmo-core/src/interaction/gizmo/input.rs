use crate::handle::HandleId;
use crate::interaction::key::{HeldKeys, Key};
use crate::interaction::settings::{Modifiers, Settings, SnapSettings};
use crate::math::Ray;
use glam::DVec2;

/// The maximum number of events that are queued while a press waits for its pick: more than a second of the
/// fastest mouse. Beyond it, a move replaces the last move, and any other event cancels the press or drag.
const CAPACITY: usize = 1024;

/// A pointer event or a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum InputEvent {
    Moved(DVec2),
    /// The pointer is a ray.
    Aimed(PointerRay),
    Left,
    Pressed,
    Released,
    Canceled,
    /// The pointer and the keys were taken away: everything that is held counts as released.
    Interrupted,
    Held(HeldKeys),
    Key(Key),
    /// A drag of this handle begins at the pointer, without a press.
    Grabbed(HandleId),
    /// Notches of the wheel.
    Wheel(f64),
    /// The pointer has left the handle that the wheel nudges.
    WheelLeft,
    /// A drag ends, whatever began it.
    Ended,
}

impl InputEvent {
    fn cancels(&self) -> bool {
        matches!(self, Self::Canceled | Self::Interrupted | Self::Key(Key::Escape))
    }

    /// Returns true for a key or a grab that begins a drag outside of one.
    fn begins_drag(&self) -> bool {
        matches!(self, Self::Key(Key::Axis(_) | Key::Plane(_)) | Self::Grabbed(_))
    }
}

/// A ray as the pointer, and the angle within which it hits handles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PointerRay {
    pub(super) ray: Ray,
    /// In radians.
    pub(super) tolerance: f64,
}

/// The pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum PointerPosition {
    Px(DVec2),
    Ray(PointerRay),
}

/// The events queued for the next update, and the state of pointer and modifiers after the earlier ones.
#[derive(Debug, Default)]
pub(super) struct InputQueue {
    queue: Vec<InputEvent>,
    pointer: Option<PointerPosition>,
    /// Whether the pointer left while a button was down. Its position is then dropped at the release.
    is_out: bool,
    /// Whether the primary button is down.
    is_down: bool,
    held: HeldKeys,
    /// The tolerance of the pointer in logical pixels, if it has one of its own.
    pub(super) tolerance_lpx: Option<f64>,
}

impl InputQueue {
    pub(super) fn push(&mut self, event: InputEvent) {
        let is_full = self.queue.len() >= CAPACITY;
        match (self.queue.last_mut(), event) {
            (Some(last @ InputEvent::Moved(_)), InputEvent::Moved(_)) if is_full => *last = event,
            (Some(last @ InputEvent::Aimed(_)), InputEvent::Aimed(_)) if is_full => *last = event,
            // Two changes of precision without a move between them can change the last bit of a motion.
            (Some(InputEvent::Held(last)), InputEvent::Held(held)) if *last == held => {}
            (None, InputEvent::Held(held)) if held == self.held => {}
            _ if is_full => self.overflow(event),
            _ => self.queue.push(event),
        }
    }

    /// Drops the queued events, which are more than a person can cause, and cancels a press or a drag. The pointer
    /// and the held keys keep their last state, and a release is not lost.
    fn overflow(&mut self, event: InputEvent) {
        use InputEvent::{Aimed, Canceled, Held, Interrupted, Left, Moved, Pressed, Released};
        let last = |is: &dyn Fn(&InputEvent) -> bool| self.queue.iter().rposition(is);
        let mut kept = [
            last(&|event| matches!(event, Moved(_) | Aimed(_) | Left)),
            last(&|event| matches!(event, Held(_))),
            last(&|event| matches!(event, Pressed | Released | Interrupted)),
        ];
        kept.sort_unstable();
        let kept = kept.map(|index| index.map(|index| self.queue[index]));
        self.queue.clear();
        let kept = kept.into_iter().flatten().chain([event]);
        self.queue.extend([Canceled].into_iter().chain(kept.filter(|event| *event != Pressed)));
    }

    pub(super) fn get(&self, index: usize) -> Option<InputEvent> {
        self.queue.get(index).copied()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn discard(&mut self, count: usize) {
        self.queue.drain(..count);
    }

    /// Forgets the queued events, and that a button is down.
    pub(super) fn clear(&mut self) {
        self.queue.clear();
        self.is_down = false;
    }

    /// Returns true if a move of the pointer is queued.
    pub(super) fn has_move(&self) -> bool {
        self.queue.iter().any(|event| matches!(event, InputEvent::Moved(_) | InputEvent::Aimed(_)))
    }

    pub(super) fn has_press(&self) -> bool {
        self.queue.contains(&InputEvent::Pressed)
    }

    /// Returns true if a key or a grab that begins a drag is queued.
    pub(super) fn has_drag_key(&self) -> bool {
        self.queue.iter().any(InputEvent::begins_drag)
    }

    /// Returns true if the end of a press or drag is queued.
    pub(super) fn has_end(&self) -> bool {
        self.queue.contains(&InputEvent::Ended)
    }

    /// Returns true if a character of a number is queued.
    pub(super) fn has_text_key(&self) -> bool {
        self.queue.iter().any(|event| matches!(event, InputEvent::Key(key) if key.is_text()))
    }

    /// Returns true if a cancel is queued.
    pub(super) fn has_cancel(&self) -> bool {
        self.queue.iter().any(InputEvent::cancels)
    }

    /// Drops queued cancels, which are not about a drag that begins now.
    pub(super) fn drop_cancels(&mut self) {
        self.queue.retain(|event| !event.cancels());
    }

    /// Returns true if later events withdraw a press: a cancel, or a release followed by another press.
    pub(super) fn withdraws_press(&self) -> bool {
        let mut after_release = self.queue.iter().skip_while(|event| **event != InputEvent::Released);
        self.has_cancel() || after_release.any(|event| *event == InputEvent::Pressed)
    }

    pub(super) fn cursor_px(&self) -> Option<DVec2> {
        match self.pointer? {
            PointerPosition::Px(cursor_px) => Some(cursor_px),
            PointerPosition::Ray(_) => None,
        }
    }

    /// Returns the positions of the pointer, also if they are still queued, up to the first event that begins a drag.
    pub(super) fn positions_px(&self) -> impl Iterator<Item = DVec2> {
        let before = self.queue.iter().take_while(|event| !event.begins_drag());
        let moved = before.filter_map(|event| match event {
            InputEvent::Moved(cursor_px) => Some(*cursor_px),
            _ => None,
        });
        self.cursor_px().into_iter().chain(moved)
    }

    /// Returns the ray that is the pointer, if it is one.
    pub(super) fn ray(&self) -> Option<PointerRay> {
        match self.pointer? {
            PointerPosition::Px(_) => None,
            PointerPosition::Ray(ray) => Some(ray),
        }
    }

    /// Applies an event to the state of pointer, button and keys. Returns true if snapping changes.
    pub(super) fn record(&mut self, event: &InputEvent) -> bool {
        match *event {
            InputEvent::Moved(cursor_px) => self.pointer = Some(PointerPosition::Px(cursor_px)),
            InputEvent::Aimed(ray) => self.pointer = Some(PointerPosition::Ray(ray)),
            InputEvent::Pressed => self.is_down = true,
            InputEvent::Released => self.is_down = false,
            InputEvent::Interrupted => (self.held, self.is_down) = (HeldKeys::NONE, false),
            InputEvent::Held(held) => return std::mem::replace(&mut self.held, held).snap != held.snap,
            _ => {}
        }
        match event {
            InputEvent::Moved(_) | InputEvent::Aimed(_) => self.is_out = false,
            InputEvent::Left => self.is_out = true,
            _ => {}
        }
        false
    }

    /// Drops the position of the pointer.
    pub(super) fn forget_pointer(&mut self) {
        self.pointer = None;
    }

    /// Returns true if the pointer has left.
    pub(super) fn is_out(&self) -> bool {
        self.is_out
    }

    pub(super) fn is_down(&self) -> bool {
        self.is_down
    }

    /// Returns the snapping and the precision that apply with the held keys.
    pub(super) fn modifiers(&self, settings: &Settings) -> Modifiers {
        let SnapSettings { increments, while_held, kind, .. } = settings.snap;
        let snap = if self.held.snap { while_held } else { increments };
        Modifiers { snap, snap_kind: kind, precise: self.held.precision, symmetric: self.held.symmetric }
    }
}
