//! A host that is scripted by bytes: events in any order, views, targets and settings that change
//! at any time, and answers that never come. After each step it checks the guarantees that every
//! host relies on. Property tests and the fuzzer share it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::bytes::Bytes;
use super::drag_ends::{EndOfDrag, all_bits, assert_claims, bits, check_end};
use super::views::{self, Camera};
use std::num::NonZeroU32;
use wgpu_gizmo_core::draw::parts::Triangles;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::{CustomHandle, HandleMesh, Vertex};
use wgpu_gizmo_core::interaction::drive::Amount;
use wgpu_gizmo_core::interaction::{Event, HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::pick::PickHit;
use wgpu_gizmo_core::{
    DrawList, Gizmo, HandleId, IdSpace, Mode, PickAnswer, PickOutcome, PickQuery, Settings, Target,
    Transform, View, Viewport,
};

/// Counts the events of a run, to show that runs are meaningful.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventCounts {
    pub(crate) started: u32,
    pub(crate) changed: u32,
    pub(crate) ended: u32,
    pub(crate) canceled: u32,
}

struct Host {
    gizmo: Gizmo,
    view: View,
    targets: Vec<Target>,
    /// The targets' transforms when the current drag began; `None` outside a drag.
    starts: Option<Vec<[u64; 10]>>,
    pending_query: Option<PickQuery>,
    list: DrawList,
    last_list: DrawList,
    last_added: Option<HandleId>,
    button_is_down: bool,
    /// Whether a key that begins a drag may be queued.
    may_have_key: bool,
    /// Whether the drag in progress was begun by `drive_begin`, which reports no event.
    is_driven: bool,
    held: HeldKeys,
    /// Whether the colors are those of a theme, and not any numbers.
    is_colored: bool,
    counts: EventCounts,
}

impl Host {
    fn new() -> Self {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("a new id space has free ids");
        gizmo.settings.mode = Mode::Universal;
        let view = views::ALL[0].view(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
        Self {
            gizmo,
            view,
            targets: vec![Target::from_world(Transform::IDENTITY)],
            starts: None,
            pending_query: None,
            list: DrawList::new(),
            last_list: DrawList::new(),
            last_added: None,
            button_is_down: false,
            may_have_key: false,
            is_driven: false,
            held: HeldKeys::NONE,
            is_colored: true,
            counts: EventCounts::default(),
        }
    }

    fn press(&mut self) {
        self.button_is_down = true;
        self.gizmo.pointer_pressed();
    }

    fn release(&mut self) {
        self.button_is_down = false;
        self.gizmo.pointer_released();
    }

    /// Answers the last query with a handle, whatever is under the cursor.
    fn answer(&mut self, outcome: u8, handle: usize, copy: u32) {
        self.pending_query = self.gizmo.pick_query().or(self.pending_query);
        let Some(query) = self.pending_query else { return };
        let handles = self.gizmo.ids();
        let offset = copy * HandleId::MAX as u32 + handle as u32;
        let hit = |id| PickOutcome::Hit(PickHit::at(id, query.cursor_px));
        let outcome = match outcome % 8 {
            0 => PickOutcome::Lost,
            1 => PickOutcome::Nothing,
            2 => hit(NonZeroU32::MIN),
            _ => hit(handles.id(offset).unwrap_or(handles.first())),
        };
        self.gizmo.answer(&PickAnswer::new(query, outcome));
    }

    fn update(&mut self, hooked: Option<DVec3>) {
        let before = self.targets.clone();
        let events = self.gizmo.update_with(&self.view, &mut self.targets, &mut |_| hooked).to_vec();
        self.check(&before, &events);
    }

    fn check(&mut self, before: &[Target], events: &[Event]) {
        let started_in = all_bits(before);
        let was_dragging = self.starts.is_some();
        let (drags, last_end) = self.check_events(&started_in, events);
        assert_eq!(self.gizmo.is_active(), self.starts.is_some(), "after {events:?}");
        // Keys wait for a pick, and after the end of a drag for the next update.
        self.may_have_key &= self.gizmo.is_busy() || !events.is_empty();
        assert_claims(&self.gizmo, self.may_have_key, &format!("after {events:?}"));
        let hovered_target = self.gizmo.hovered_target();
        assert!(hovered_target.is_none_or(|index| index < self.targets.len()), "{hovered_target:?}");
        if drags > 1 && self.starts.is_some() {
            self.starts = Some(self.gizmo.starts().map(|start| bits(&start)).collect());
        }
        let after = all_bits(&self.targets);
        if drags == 0 {
            assert_eq!(after, started_in, "targets changed without a drag: {events:?}");
        }
        if drags == 1 {
            let starts: Vec<_> = self.gizmo.starts().map(|start| bits(&start)).collect();
            if let Some((_, began_with)) = &last_end {
                assert_eq!(&starts, began_with, "the starts are not those of the drag's beginning");
            }
            if !was_dragging {
                assert_eq!(starts, started_in, "the starts are not the targets at the press");
            }
            check_end(last_end.map(|(event, _)| event), &starts, &started_in, &after);
        }
        self.check_finite(before);
        self.check_drag(before, events, was_dragging);
    }

    fn check_finite(&self, before: &[Target]) {
        for (before, after) in before.iter().zip(&self.targets) {
            let good = after.local.is_finite() || !before.local.is_finite();
            assert!(good, "{before:?} became {after:?}");
        }
    }

    /// Checks the order of the events and counts them. Returns the number of drags, and the last end of a
    /// drag with the starts of that drag.
    fn check_events(&mut self, started_in: &[[u64; 10]], events: &[Event]) -> (u32, Option<EndOfDrag>) {
        let mut drags = u32::from(self.starts.is_some());
        // If a drag of this call ended and another began, the second one starts with the result of
        // the first, which is not visible from outside.
        let mut last_end = None;
        for event in events {
            match *event {
                Event::Started(_) => {
                    assert!(self.starts.is_none(), "a drag began during a drag");
                    drags += 1;
                    self.counts.started += 1;
                    self.starts = Some(started_in.to_vec());
                }
                Event::Changed(motion) => {
                    assert!(self.starts.is_some(), "a change outside a drag");
                    self.counts.changed += 1;
                    assert!(motion.change.total_angle().is_finite(), "{motion:?}");
                }
                Event::Ended { .. } | Event::Canceled => {
                    let starts = self.starts.take();
                    self.is_driven = false;
                    assert!(starts.is_some(), "{event:?} outside a drag");
                    last_end = Some((*event, starts.unwrap_or_default()));
                    let count = match event {
                        Event::Canceled => &mut self.counts.canceled,
                        _ => &mut self.counts.ended,
                    };
                    *count += 1;
                }
                // `PressedObject`, `ClickedNothing`, `Refused` and others.
                _ => assert!(self.starts.is_none(), "{event:?} during a drag"),
            }
        }
        (drags, last_end)
    }

    /// Checks the drag in progress.
    fn check_drag(&self, before: &[Target], events: &[Event], was_dragging: bool) {
        let Some(drag) = self.gizmo.drag() else { return };
        assert!(drag.numbers().iter().all(|number| number.is_finite()), "{:?}", drag.numbers());
        assert!(drag.residual().is_finite(), "residual {}", drag.residual());
        assert_eq!(drag.starts().len(), self.targets.len());
        for (index, start) in drag.starts().enumerate() {
            let target = &self.targets[index];
            let is_inside = target.inside.is_some_and(|at| at < self.targets.len() && at != index);
            if is_inside && !events.iter().any(|event| matches!(event, Event::Ended { .. })) {
                // Another target may have taken its index in the meantime.
                let held = bits(&target.local) == bits(&start) || before[index].inside != target.inside;
                assert!(held || was_dragging, "{index} is inside another and moved");
            }
        }
    }

    fn draw(&mut self, at: DVec2, radius: f64) {
        self.update(None);
        // Viewports beyond the precision of `f32` are not checked.
        let Viewport { x, y, width, height } = self.view.viewport();
        let is_screen = [x, y, width, height, self.view.scale_factor()].iter().all(|side| side.abs() < 1e9);
        let needs_redraw = self.gizmo.needs_redraw(0);
        std::mem::swap(&mut self.list, &mut self.last_list);
        self.list.begin(&self.view);
        self.gizmo.draw(&mut self.list);
        if self.last_list.view() == Some(&self.view) && !needs_redraw {
            let [now, last] = [&self.list, &self.last_list];
            let text = |list: &DrawList| list.readouts().map(|said| said.text.to_owned()).collect::<Vec<_>>();
            assert!(is_same(now.items(), last.items()), "items changed without a redraw request");
            let same_guides = is_same(&now.guides(), &last.guides()) && is_same(now.grids(), last.grids());
            assert!(same_guides || !is_screen, "guides changed without a redraw request");
            assert_eq!(text(now), text(last));
        }
        for item in self.list.items().iter().filter(|_| self.is_colored) {
            assert!(item.color().iter().all(|part| (0.0..=1.0).contains(part)), "{item:?}");
        }
        for vertex in self.list.guides().into_iter().flatten().filter(|_| is_screen) {
            let mut numbers = vertex.position_px.iter().chain(&vertex.across_px);
            assert!(numbers.all(|number| number.is_finite()), "{vertex:?}");
            assert!(!self.is_colored || vertex.color.iter().all(|part| part.is_finite()), "{vertex:?}");
        }
        for grid in self.list.grids().iter().filter(|_| is_screen) {
            let color = !self.is_colored || grid.color.iter().all(|part| (0.0..=1.0).contains(part));
            let lines =
                grid.lines.iter().all(|lines| *lines <= 50) && grid.first.iter().all(|at| at.is_finite());
            assert!(color && lines && grid.px_from_plane.is_finite(), "{grid:?}");
        }
        for readout in self.list.readouts() {
            assert!(readout.anchor_px.is_finite() && !readout.text.is_empty(), "{readout:?}");
        }
        self.list.pick(at, radius);
        let mut triangles = Triangles::new();
        self.list.triangles_px(&mut triangles);
        assert_valid(&triangles);
    }

    /// Adds and shows a custom handle, or moves the last one if there are no free handles.
    fn change_handles(&mut self, bytes: &mut Bytes<'_>) {
        let placement = Transform {
            translation: if bytes.flag() { bytes.tame_vector() } else { bytes.vector() },
            rotation: bytes.quaternion(),
            scale: if bytes.flag() { DVec3::splat(0.2) } else { bytes.vector() },
        };
        let constraint = HandleId::all().nth(bytes.index_below(HandleId::BUILT_IN)).map(HandleId::constraint);
        let vertex = |position: [f32; 3]| Vertex { position, normal: [0.0; 3], weight: 0.0, lit: 0.0 };
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]].map(vertex);
        let mesh = HandleMesh::new(corners.to_vec(), vec![0, 1, 2]).expect("the mesh is valid");
        let Some(constraint) = constraint else { return };
        let handle = CustomHandle::new(constraint, mesh, placement, [1.0, 0.5, 0.0, 1.0]);
        if let Some(added) = self.gizmo.add_handle(handle) {
            let shown = self.gizmo.settings.mode.handles().with(added);
            self.gizmo.settings.mode = Mode::Handles(shown);
            self.last_added = Some(added);
        } else if let Some(last) = self.last_added {
            self.gizmo.place_handle(last, placement);
        }
    }

    /// Drives a handle without a pointer: at once, or as a drag of several calls.
    fn drive(&mut self, bytes: &mut Bytes<'_>) {
        let mut handles = HandleId::all().chain(HandleId::box_handles());
        let handle =
            handles.nth(bytes.index_below(HandleId::BUILT_IN + 26)).expect("the index is in a table");
        let amount: Amount = match bytes.flag() {
            true => [bytes.number(), bytes.number()].into(),
            false => bytes.number().into(),
        };
        let before = self.targets.clone();
        match bytes.byte() % 4 {
            0 => drop(self.gizmo.drive(handle, amount, &mut self.targets)),
            1 => {
                if self.gizmo.drive_begin(handle, &self.targets).is_ok() {
                    assert!(self.starts.is_none(), "a drag began during a drag");
                    (self.starts, self.is_driven) = (Some(all_bits(&self.targets)), true);
                }
            }
            2 => {
                let is_moved = self.gizmo.drive_by(amount, &mut self.targets).is_ok();
                assert!(!is_moved || self.is_driven, "only the host's own drag");
            }
            // It ends nudges by the wheel as well, which are reported by events.
            _ => {
                if self.gizmo.drive_end(&mut self.targets).is_ok() && self.is_driven {
                    (self.starts, self.is_driven) = (None, false);
                }
            }
        }
        self.check_finite(&before);
    }

    /// A lost focus ends everything, whatever was in progress.
    fn interrupt(&mut self) {
        self.gizmo.interrupt();
        self.button_is_down = false;
        self.settle();
        self.update(None);
        let claims = self.gizmo.claims();
        assert!(!self.gizmo.is_active() && !self.gizmo.is_busy(), "{claims:?}");
        assert!(!claims.primary_drag && !claims.click && !claims.keys, "{claims:?}");
    }

    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 64 {
            56 => self.change_handles(bytes),
            57 => (self.gizmo.theme, self.is_colored) = (bytes.theme(), false),
            58 => {
                let handle = HandleId::all().nth(bytes.index_below(HandleId::BUILT_IN));
                handle.into_iter().for_each(|handle| self.gizmo.grab(handle));
                self.may_have_key = true;
            }
            59 | 60 => self.drive(bytes),
            61 if bytes.flag() => self.interrupt(),
            61 => self.gizmo.reset_pivot(),
            52..56 => bytes.change_settings(&mut self.gizmo.settings),
            4 => self.view = bytes.view().unwrap_or(self.view),
            5 => self.targets = bytes.targets(),
            6 => {
                let index = bytes.index_below(self.targets.len());
                let changed = bytes.target();
                if let Some(target) = self.targets.get_mut(index) {
                    *target = changed;
                }
            }
            7 => self.gizmo.pointer_moved(bytes.px()),
            8..20 => {
                let v = self.view.viewport();
                let at = DVec2::new(0.5 + 0.6 * bytes.signed_unit(), 0.5 + 0.6 * bytes.signed_unit());
                self.gizmo.pointer_moved(DVec2::new(v.x + at.x * v.width, v.y + at.y * v.height));
            }
            20..26 => self.press(),
            26..29 => self.release(),
            29 => self.gizmo.cancel(),
            30 => self.gizmo.pointer_left(),
            31 => {
                self.held.snap = bytes.flag();
                self.gizmo.set_held_keys(self.held);
            }
            32 => {
                self.held.precision = bytes.flag();
                self.gizmo.set_held_keys(self.held);
            }
            33..40 => {
                self.may_have_key = true;
                self.gizmo.key(bytes.key(), KeyModifiers::NONE);
            }
            40 => self.gizmo.wheel(bytes.number()),
            41 => self.gizmo.answer_on_cpu(),
            42..48 => {
                // Sometimes a handle of the box, or one that does not exist.
                let count = bytes.choose([HandleId::MAX, HandleId::BUILT_IN, HandleId::BUILT_IN + 3]);
                let (outcome, handle, copy) = (bytes.byte(), bytes.index_below(count), bytes.index_below(5));
                self.answer(outcome, handle, copy as u32);
            }
            48 => self.gizmo.picks_lost(),
            49 => self.gizmo.scene_changed(),
            50 => {
                let hooked = Some(bytes.vector());
                self.update(hooked);
            }
            51 => self.draw(bytes.px(), bytes.number()),
            _ => self.update(None),
        }
    }

    /// Checks that a press on a handle begins a drag, whatever happened before.
    fn check_still_works(&mut self) {
        if self.button_is_down {
            self.release();
        }
        self.settle();
        if self.gizmo.is_active() {
            self.gizmo.key(Key::Escape, KeyModifiers::NONE);
            self.settle();
        }
        assert!(!self.gizmo.is_busy(), "the gizmo is busy although no button is held");
        let handle = HandleId::from_name("translate_view").expect("the handle is built in");
        self.gizmo.settings = Settings::default();
        self.view = views::ALL[0].view(&Camera::at(DVec3::new(2.0, 2.5, 6.0)));
        self.targets = vec![Target::from_world(Transform::IDENTITY)];
        self.held = HeldKeys::NONE;
        self.gizmo.set_held_keys(self.held);
        self.gizmo.pointer_moved(DVec2::new(400.0, 300.0));
        self.update(None);
        self.press();
        self.update(None);
        let query = self.gizmo.pick_query().expect("a press sends a query");
        let hit = PickHit::at(self.gizmo.id_of(handle), query.cursor_px);
        self.gizmo.answer(&PickAnswer::new(query, PickOutcome::Hit(hit)));
        self.update(None);
        assert_eq!(self.gizmo.dragging(), Some(handle), "a press on a handle begins a drag");
        self.gizmo.pointer_moved(DVec2::new(431.0, 317.0));
        self.update(None);
        let moved = self.targets[0].local.translation;
        assert!(moved.length() > 0.05 && moved.length() < 1.0, "{moved}");
    }

    /// Answers all pending queries.
    fn settle(&mut self) {
        for _ in 0..4 {
            self.update(None);
            self.gizmo.picks_lost();
            if let Some(query) = self.gizmo.pick_query() {
                self.gizmo.answer(&PickAnswer::new(query, PickOutcome::Nothing));
            }
        }
        // Processes presses that were queued behind each other and drags by keys, one of which ends
        // per call.
        while (self.gizmo.is_busy() || self.gizmo.claims().keys) && !self.gizmo.is_active() {
            self.gizmo.picks_lost();
            if let Some(query) = self.gizmo.pick_query() {
                self.gizmo.answer(&PickAnswer::new(query, PickOutcome::Nothing));
            }
            self.update(None);
        }
    }
}

/// Compares the debug output too, because a NaN (of a color, for example) never equals itself.
fn is_same<T: PartialEq + std::fmt::Debug + ?Sized>(now: &T, last: &T) -> bool {
    now == last || format!("{now:?}") == format!("{last:?}")
}

/// Asserts that triangles have corners, which are finite.
pub(crate) fn assert_valid(triangles: &Triangles) {
    let vertices = triangles.vertices();
    assert!(triangles.indices().iter().all(|index| (*index as usize) < vertices.len()));
    assert!(vertices.iter().all(|vertex| vertex.position_px.iter().all(|px| px.is_finite())));
}

/// Runs a whole script.
///
/// # Panics
/// If a guarantee does not hold.
pub(crate) fn run(script: &[u8]) -> EventCounts {
    let mut host = Host::new();
    let mut bytes = Bytes(script);
    while !bytes.is_empty() {
        host.step(&mut bytes);
    }
    host.check_still_works();
    host.counts
}
