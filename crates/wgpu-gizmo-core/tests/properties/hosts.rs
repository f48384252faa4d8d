//! §3 of docs/spec.md: any sequence of events, with views, targets and settings that change at any
//! time.

use crate::prelude::*;
use crate::script::{self, EventCounts};
use proptest::num::u8;

#[test]
fn any_host_sequence_keeps_drags_transactional() {
    let (mut all, mut cases) = (EventCounts::default(), 0);
    holds_in(10_000, &vec(u8::ANY, 0..600), 0.9, |script| {
        let counts = script::run(script);
        cases += 1;
        all.started += counts.started;
        all.changed += counts.changed;
        all.ended += counts.ended;
        all.canceled += counts.canceled;
        Some(())
    });
    let EventCounts { started, changed, ended, canceled } = all;
    let (half, tenth) = (cases / 2, cases / 10);
    assert!(started >= half && changed >= half && ended >= tenth && canceled >= tenth, "{all:?}");
}

/// The view of all sessions.
fn view() -> View {
    views::ALL[0].view(&Camera::at(DVec3::new(2.0, 2.5, 6.0)))
}

fn input() -> impl Strategy<Value = Input> {
    let others = [Key::Backspace, Key::Tab, Key::Left, Key::Up, Key::Enter, Key::Escape];
    let keys: Vec<Key> = "xyZ27.-".chars().filter_map(Key::from_char).chain(others).collect();
    let anywhere = (-240.0..1040.0, -180.0..780.0).prop_map(|(x, y)| DVec2::new(x, y));
    // On an axis, where there is a handle to grab.
    let on_axis = (0usize..3, 0.1..1.2).prop_map(|(axis, far)| {
        let at = DVec3::new(0.1, -0.05, 0.15) + DVec3::AXES[axis] * far;
        view().px_from_world(at).expect("the point is in front of the camera")
    });
    let held =
        any::<[bool; 2]>().prop_map(|[snap, precision]| HeldKeys { snap, precision, ..HeldKeys::NONE });
    prop_oneof![
        10 => prop_oneof![6 => anywhere, 4 => on_axis].prop_map(|px| Input::Moved { px, tolerance_lpx: None }),
        5 => Just(Input::Pressed),
        3 => Just(Input::Released),
        3 => select(&[Input::Canceled, Input::Interrupted, Input::Left]),
        2 => held.prop_map(Input::Held),
        3 => select(keys).prop_map(|key| Input::Key(key, KeyModifiers::NONE)),
    ]
}

struct Session {
    gizmo: Gizmo,
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
        let other = Transform::from_translation(DVec3::new(0.2, -0.1, 0.3));
        let mut targets = [Transform::IDENTITY, other].map(Target::from_world).to_vec();
        gizmo.update(&view(), &mut targets);
        Self { gizmo, view: view(), targets }
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
    let mode = select(&[Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal]);
    let pivot = select(&[Pivot::Median, Pivot::EachTarget]);
    holds(
        &((mode, pivot, select(&GrabMode::ALL)), vec((input(), any::<bool>()), 0..60)),
        0.5,
        |(settings, inputs)| {
            let (mut slow, mut fast) = (Session::new(*settings), Session::new(*settings));
            let (mut in_many, mut in_one) = (Vec::new(), Vec::new());
            for (input, ends_frame) in inputs {
                slow.gizmo.handle_input(*input);
                slow.settle(&mut in_many);
                fast.gizmo.handle_input(*input);
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
            has_drag.then_some(())
        },
    );
}
