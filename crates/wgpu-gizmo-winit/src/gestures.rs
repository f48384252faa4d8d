use wgpu_gizmo_core::glam::DVec2;
use wgpu_gizmo_core::interaction::{Fingers, Input};
use winit::event::{Touch, TouchPhase};

/// A gesture of the fingers on a touch screen.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Gesture {
    /// One finger is a pointer: an input for [`Gizmo::handle_input`](wgpu_gizmo_core::Gizmo::handle_input).
    Pointer(Input),
    /// Two fingers moved by this vector, in physical pixels.
    Turned(DVec2),
    /// The distance of two fingers changed by this factor.
    Spread(f64),
    /// Three or more fingers moved by this vector, in physical pixels.
    Slid(DVec2),
}

/// The minimum distance of two fingers for a change of their distance to count, in physical pixels.
const MIN_PINCH_DISTANCE_PX: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// No finger is down, or one that has not passed the drag threshold.
    #[default]
    Idle,
    /// One finger drags as a pressed pointer.
    Pressing,
    /// Two or more fingers were down. Until all are up, none is a pointer.
    Several,
}

/// Tells the gestures of a camera from a pointer, for hosts whose camera follows several fingers.
///
/// The press of a finger is held back until it has moved, or is up again, because a second finger may follow. Such a host
/// passes [`WindowEvent::Touch`](winit::event::WindowEvent::Touch) to this type instead of a
/// [`WinitInput`](crate::WinitInput).
///
/// ```
/// use wgpu_gizmo_core::Gizmo;
/// use wgpu_gizmo_winit::{Gesture, TouchGestures};
/// use winit::event::Touch;
///
/// fn touched(fingers: &mut TouchGestures, gizmo: &mut Gizmo, touch: &Touch, scale_factor: f64) {
///     for gesture in fingers.take(touch, scale_factor) {
///         match gesture {
///             Gesture::Pointer(input) => gizmo.handle_input(input),
///             Gesture::Turned(by_px) => { /* orbit */ }
///             Gesture::Spread(factor) => { /* zoom */ }
///             Gesture::Slid(by_px) => { /* pan */ }
///             _ => {}
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone)]
pub struct TouchGestures {
    /// The tolerance of a finger in logical pixels, as [`WinitInput::finger_tolerance_lpx`](crate::WinitInput::finger_tolerance_lpx).
    /// Default: 22.
    pub tolerance_lpx: f64,
    /// The distance, in logical pixels, that a finger moves before it presses. Default: 8.
    pub drag_threshold_lpx: f64,
    /// The id, the position of the press and the last position of each finger.
    down: Vec<(u64, DVec2, DVec2)>,
    state: State,
}

impl Default for TouchGestures {
    fn default() -> Self {
        let (down, state) = (Vec::new(), State::default());
        Self { tolerance_lpx: Fingers::TOLERANCE_LPX, drag_threshold_lpx: 8.0, down, state }
    }
}

impl TouchGestures {
    /// Returns what a touch means. `scale_factor` is that of the window.
    pub fn take(&mut self, touch: &Touch, scale_factor: f64) -> Vec<Gesture> {
        let px = DVec2::new(touch.location.x, touch.location.y);
        match touch.phase {
            TouchPhase::Started => self.started(touch.id, px),
            TouchPhase::Moved => self.moved(touch.id, px, scale_factor),
            TouchPhase::Ended => self.ended(touch.id, px, false),
            TouchPhase::Cancelled => self.ended(touch.id, px, true),
        }
    }

    /// Forgets all fingers, when the window loses the focus: another one receives the rest of their events.
    pub fn forget(&mut self) {
        self.down.clear();
        self.state = State::Idle;
    }

    /// Returns true while a finger touches the screen. Some systems also report it as a mouse.
    pub fn are_down(&self) -> bool {
        !self.down.is_empty()
    }

    fn to(&self, px: DVec2) -> Gesture {
        Gesture::Pointer(Input::Moved { px, tolerance_lpx: Some(self.tolerance_lpx) })
    }

    fn started(&mut self, id: u64, px: DVec2) -> Vec<Gesture> {
        // If the end of an earlier touch with this id was lost, its press must not continue here.
        let mut gestures = self.ended(id, px, true);
        self.down.push((id, px, px));
        gestures.extend(match (self.down.len(), self.state) {
            // This hovers. The press follows once the finger is known to be the only one.
            (1, State::Idle) => vec![self.to(px)],
            (1, _) => vec![],
            _ => match std::mem::replace(&mut self.state, State::Several) {
                State::Pressing => canceled(),
                State::Idle => vec![LEFT],
                State::Several => vec![],
            },
        });
        gestures
    }

    fn moved(&mut self, id: u64, px: DVec2, scale_factor: f64) -> Vec<Gesture> {
        let before = self.positions();
        let Some((_, start, at)) = self.down.iter_mut().find(|(other, ..)| *other == id) else {
            return vec![];
        };
        let start = *start;
        *at = px;
        match self.state {
            State::Pressing => vec![self.to(px)],
            State::Idle if start.distance(px) < self.drag_threshold_lpx * scale_factor => vec![],
            State::Idle => {
                self.state = State::Pressing;
                // The press is at the position where the finger came down.
                vec![self.to(start), Gesture::Pointer(Input::Pressed), self.to(px)]
            }
            State::Several => several(&before, &self.positions()),
        }
    }

    fn ended(&mut self, id: u64, px: DVec2, is_canceled: bool) -> Vec<Gesture> {
        let Some(index) = self.down.iter().position(|(other, ..)| *other == id) else { return vec![] };
        let (_, start, _) = self.down.remove(index);
        let state = self.state;
        if self.down.is_empty() {
            self.state = State::Idle;
        }
        match (state, is_canceled) {
            (State::Idle, false) => {
                vec![
                    self.to(start),
                    Gesture::Pointer(Input::Pressed),
                    Gesture::Pointer(Input::Released),
                    LEFT,
                ]
            }
            (State::Pressing, false) => vec![self.to(px), Gesture::Pointer(Input::Released), LEFT],
            (State::Pressing, true) => canceled(),
            (State::Idle, true) => vec![LEFT],
            (State::Several, _) => vec![],
        }
    }

    fn positions(&self) -> Vec<DVec2> {
        self.down.iter().map(|(.., at)| *at).collect()
    }
}

/// A finger that is up, or that is not a pointer any more, hovers over nothing.
const LEFT: Gesture = Gesture::Pointer(Input::Left);

/// Returns the end of a press that drags nothing any more.
fn canceled() -> Vec<Gesture> {
    [Input::Canceled, Input::Released, Input::Left].map(Gesture::Pointer).into()
}

/// Returns the gestures of several fingers, from their positions before and after an event.
fn several(before: &[DVec2], after: &[DVec2]) -> Vec<Gesture> {
    let center = |positions: &[DVec2]| positions.iter().sum::<DVec2>() / positions.len() as f64;
    let delta = center(after) - center(before);
    match (before, after) {
        (&[a, b], &[c, d]) => {
            let mut gestures = vec![Gesture::Turned(delta)];
            let (was, now) = (a.distance(b), c.distance(d));
            if was >= MIN_PINCH_DISTANCE_PX && now >= MIN_PINCH_DISTANCE_PX {
                gestures.push(Gesture::Spread(now / was));
            }
            gestures
        }
        (before, _) if before.len() > 2 => vec![Gesture::Slid(delta)],
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::{Gesture, LEFT, TouchGestures};
    use wgpu_gizmo_core::glam::{DVec2, dvec2};
    use wgpu_gizmo_core::interaction::{Fingers, Input};
    use winit::dpi::PhysicalPosition;
    use winit::event::TouchPhase::{Cancelled, Ended, Moved, Started};
    use winit::event::{DeviceId, Touch, TouchPhase};

    const PRESSED: Gesture = Gesture::Pointer(Input::Pressed);
    const RELEASED: Gesture = Gesture::Pointer(Input::Released);
    const CANCELED: Gesture = Gesture::Pointer(Input::Canceled);

    fn to(x: f64, y: f64) -> Gesture {
        Gesture::Pointer(Input::Moved { px: dvec2(x, y), tolerance_lpx: Some(Fingers::TOLERANCE_LPX) })
    }

    /// Returns what touches at a scale factor of 2 mean.
    fn all(fingers: &mut TouchGestures, touches: &[(u64, TouchPhase, f64, f64)]) -> Vec<Gesture> {
        let touch = |&(id, phase, x, y): &(u64, TouchPhase, f64, f64)| {
            let location = PhysicalPosition::new(x, y);
            fingers.take(&Touch { device_id: DeviceId::dummy(), phase, location, force: None, id }, 2.0)
        };
        touches.iter().flat_map(touch).collect()
    }

    #[test]
    fn second_finger_cancels_drag_without_pressing() {
        let mut fingers = TouchGestures::default();
        all(&mut fingers, &[(1, Started, 0.0, 0.0), (1, Moved, 50.0, 0.0)]);
        assert_eq!(all(&mut fingers, &[(2, Started, 100.0, 0.0)]), [CANCELED, RELEASED, LEFT]);
        // After one finger is lifted, the other is not a pointer, and neither is a third one.
        let rest = [
            (1, Ended, 50.0, 0.0),
            (2, Moved, 300.0, 0.0),
            (3, Started, 0.0, 0.0),
            (3, Ended, 0.0, 0.0),
            (2, Ended, 300.0, 0.0),
        ];
        assert_eq!(all(&mut fingers, &rest), []);
        assert_eq!(all(&mut fingers, &[(4, Started, 5.0, 5.0)]), [to(5.0, 5.0)]);
    }

    #[test]
    fn two_fingers_never_press() {
        let touches = [
            (1, Started, 0.0, 0.0),
            (1, Moved, 5.0, 0.0),
            (2, Started, 100.0, 0.0),
            (1, Ended, 5.0, 0.0),
            (2, Cancelled, 100.0, 0.0),
        ];
        assert_eq!(all(&mut TouchGestures::default(), &touches), [to(0.0, 0.0), LEFT]);
        let canceled = [(1, Started, 0.0, 0.0), (1, Cancelled, 0.0, 0.0)];
        assert_eq!(all(&mut TouchGestures::default(), &canceled), [to(0.0, 0.0), LEFT]);
    }

    #[test]
    fn finger_whose_end_was_lost_starts_anew() {
        let mut fingers = TouchGestures::default();
        all(&mut fingers, &[(1, Started, 0.0, 0.0)]);
        let drag = [(1, Started, 40.0, 0.0), (1, Moved, 90.0, 0.0)];
        assert_eq!(all(&mut fingers, &drag), [LEFT, to(40.0, 0.0), to(40.0, 0.0), PRESSED, to(90.0, 0.0)]);
        // The drag in progress must not jump to the next touch.
        assert_eq!(all(&mut fingers, &[(1, Started, 5.0, 5.0)]), [CANCELED, RELEASED, LEFT, to(5.0, 5.0)]);
        let tap = [to(5.0, 5.0), PRESSED, RELEASED, LEFT];
        assert_eq!(all(&mut fingers, &[(1, Ended, 5.0, 5.0)]), tap);
        assert!(!fingers.are_down());
    }

    #[test]
    fn two_fingers_orbit_and_zoom_and_three_pan() {
        let mut fingers = TouchGestures::default();
        all(&mut fingers, &[(1, Started, 0.0, 0.0), (2, Started, 100.0, 0.0)]);
        let turned = |x: f64| Gesture::Turned(DVec2::new(x, 0.0));
        assert_eq!(all(&mut fingers, &[(2, Moved, 200.0, 0.0)]), [turned(50.0), Gesture::Spread(2.0)]);
        // Fingers that are too close to each other do not zoom.
        assert_eq!(all(&mut fingers, &[(2, Moved, 1.0, 0.0)]), [turned(-99.5)]);
        let three = [(3, Started, 50.0, 0.0), (3, Moved, 50.0, 30.0)];
        assert_eq!(all(&mut fingers, &three), [Gesture::Slid(dvec2(0.0, 10.0))]);
    }
}
