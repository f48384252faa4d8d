//! §3 of docs/spec.md: any sequence of events, with views, targets and settings that change at any
//! time.

use crate::holds::{Case, holds, holds_in};
use crate::script::{self, EventCounts};
use crate::views::{self, Camera};
use proptest::collection::vec;
use proptest::num::u8;
use proptest::prelude::*;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::{AxisKeys, GrabMode, Pivot};
use wgpu_gizmo_core::interaction::{Event, HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::{DrawList, Gizmo, IdSpace, Mode, Target, Transform, View};

#[test]
fn any_host_sequence_keeps_drags_transactional() {
    let all = Cell::new(EventCounts::default());
    let cases = Cell::new(0);
    holds_in(10_000, &vec(u8::ANY, 0..600), 0.9, |script| {
        let (counts, sum) = (script::run(script), all.get());
        cases.set(cases.get() + 1);
        all.set(EventCounts {
            started: sum.started + counts.started,
            changed: sum.changed + counts.changed,
            ended: sum.ended + counts.ended,
            canceled: sum.canceled + counts.canceled,
        });
        Case::Checked
    });
    let EventCounts { started, changed, ended, canceled } = all.get();
    println!("{started} drags, {changed} changes, {ended} ended, {canceled} canceled");
    let (half, tenth) = (cases.get() / 2, cases.get() / 10);
    assert!(started >= half && changed >= half && ended >= tenth && canceled >= tenth);
}

/// An input event, in a view that does not change.
#[derive(Debug, Clone, Copy)]
enum Input {
    /// Moves to a position in the viewport, as a fraction of its size.
    Move(f64, f64),
    /// Moves to a point on an axis, where there is a handle to grab.
    Aim(usize, f64),
    Press,
    Release,
    Cancel,
    Interrupt,
    Leave,
    Snap(bool),
    Precise(bool),
    Key(Key),
}

fn input() -> impl Strategy<Value = Input> {
    let keys = [
        Key::Axis(Axis::X),
        Key::Axis(Axis::Y),
        Key::Plane(Axis::Z),
        Key::Digit(2),
        Key::Digit(7),
        Key::Point,
        Key::Minus,
        Key::Backspace,
        Key::Tab,
        Key::Left,
        Key::Up,
        Key::Enter,
        Key::Escape,
    ];
    prop_oneof![
        6 => (-0.3..1.3, -0.3..1.3).prop_map(|(x, y)| Input::Move(x, y)),
        4 => (0usize..3, 0.1..1.2).prop_map(|(axis, far)| Input::Aim(axis, far)),
        5 => Just(Input::Press),
        3 => Just(Input::Release),
        1 => Just(Input::Cancel),
        1 => Just(Input::Interrupt),
        1 => Just(Input::Leave),
        1 => any::<bool>().prop_map(Input::Snap),
        1 => any::<bool>().prop_map(Input::Precise),
        3 => (0..keys.len()).prop_map(move |key| Input::Key(keys[key])),
    ]
}

struct Session {
    gizmo: Gizmo,
    held: HeldKeys,
    view: View,
    targets: Vec<Target>,
}

impl Session {
    fn new((mode, pivot, grab): (Mode, Pivot, GrabMode)) -> Self {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
        (gizmo.settings.mode, gizmo.settings.pivot) = (mode, pivot);
        // A handle is hovered from the frame of its answer on.
        gizmo.settings.input.axis_keys = AxisKeys::Always;
        gizmo.settings.input.grab = grab;
        let view = views::ALL[0].view(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
        let other = Transform { translation: DVec3::new(0.2, -0.1, 0.3), ..Transform::IDENTITY };
        let mut targets = vec![Target::from_world(Transform::IDENTITY), Target::from_world(other)];
        gizmo.update(&view, &mut targets);
        Self { gizmo, held: HeldKeys::NONE, view, targets }
    }

    fn hold(&mut self, held: HeldKeys) {
        self.held = held;
        self.gizmo.set_held_keys(held);
    }

    fn apply(&mut self, input: Input) {
        match input {
            Input::Move(x, y) => self.gizmo.pointer_moved(DVec2::new(x * 800.0, y * 600.0)),
            Input::Aim(axis, far) => {
                let at = DVec3::new(0.1, -0.05, 0.15) + DVec3::AXES[axis] * far;
                self.gizmo
                    .pointer_moved(self.view.px_from_world(at).expect("the point is in front of the camera"));
            }
            Input::Press => self.gizmo.pointer_pressed(),
            Input::Release => self.gizmo.pointer_released(),
            Input::Cancel => self.gizmo.cancel(),
            Input::Interrupt => {
                self.held = HeldKeys::NONE;
                self.gizmo.interrupt();
            }
            Input::Leave => self.gizmo.pointer_left(),
            Input::Snap(snap) => self.hold(HeldKeys { snap, ..self.held }),
            Input::Precise(precision) => self.hold(HeldKeys { precision, ..self.held }),
            Input::Key(key) => self.gizmo.key(key, KeyModifiers::NONE),
        }
    }

    /// Returns the texts of the drag in progress, with their anchors.
    fn readouts(&mut self) -> Vec<(String, DVec2)> {
        let mut list = DrawList::new();
        self.gizmo.draw(list.begin(&self.view));
        list.readouts().map(|readout| (readout.text.to_owned(), readout.anchor_px)).collect()
    }

    /// Runs frames with an answer each until nothing is pending, and collects the events.
    fn settle(&mut self, reported: &mut Vec<Event>) {
        for _ in 0..200 {
            reported.extend(self.gizmo.update(&self.view, &mut self.targets));
            self.gizmo.answer_on_cpu();
            if !self.gizmo.needs_update() && !self.gizmo.is_hover_pending() {
                // After a release, the claim to the click lasts for one more update.
                return reported.extend(self.gizmo.update(&self.view, &mut self.targets));
            }
        }
        panic!("the gizmo stays busy");
    }
}

/// Events that arrive in one frame have the same result as the same events in separate frames.
#[test]
fn event_batching_does_not_change_result() {
    let mode =
        prop_oneof![Just(Mode::Translate), Just(Mode::Rotate), Just(Mode::Scale), Just(Mode::Universal)];
    let pivot = prop_oneof![Just(Pivot::Median), Just(Pivot::EachTarget)];
    let grab = prop_oneof![Just(GrabMode::Hold), Just(GrabMode::Toggle), Just(GrabMode::Either)];
    holds(&((mode, pivot, grab), vec((input(), any::<bool>()), 0..60)), 0.5, |(settings, inputs)| {
        let (mut slow, mut fast) = (Session::new(*settings), Session::new(*settings));
        let (mut in_many, mut in_one) = (Vec::new(), Vec::new());
        for (input, ends_frame) in inputs {
            slow.apply(*input);
            slow.settle(&mut in_many);
            fast.apply(*input);
            if *ends_frame {
                fast.settle(&mut in_one);
            }
        }
        fast.settle(&mut in_one);
        let steps = |events: &[Event]| -> Vec<Event> {
            events.iter().copied().filter(|event| !matches!(event, Event::Changed(_))).collect()
        };
        assert_eq!(steps(&in_many), steps(&in_one));
        assert_eq!(slow.gizmo.dragging(), fast.gizmo.dragging());
        assert_eq!(slow.gizmo.hovered(), fast.gizmo.hovered());
        assert_eq!(slow.gizmo.hovered_target(), fast.gizmo.hovered_target());
        assert_eq!(slow.gizmo.claims(), fast.gizmo.claims());
        assert_eq!(slow.gizmo.pivot_place(), fast.gizmo.pivot_place());
        assert_eq!(slow.readouts(), fast.readouts());
        assert_eq!(crate::drags::bits(&slow.targets), crate::drags::bits(&fast.targets));
        let has_drag = in_one.iter().any(|event| matches!(event, Event::Started(_)));
        if has_drag { Case::Checked } else { Case::Skipped }
    });
}
