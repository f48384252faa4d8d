//! A host that is scripted by bytes: events in any order, views, targets and settings that change
//! at any time, and answers that never come. After each step it checks the guarantees that every
//! host relies on. Property tests and the fuzzer share it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::views::{self, Camera};
use std::num::NonZeroU32;
use wgpu_gizmo::glam::{BVec3, DMat4, DQuat, DVec2, DVec3};
use wgpu_gizmo::handle::{Axis, CustomHandle, HandleMesh, Vertex};
use wgpu_gizmo::interaction::{
    Axes, BoxHandles, BoxResult, Event, Grab, HeldKeys, Key, KeyModifiers, Limits, Locks, Pivot, ShearPolicy,
    SnapKind,
};
use wgpu_gizmo::pick::PickHit;
use wgpu_gizmo::{
    DrawList, Gizmo, HandleId, IdSpace, Increment, Mode, Orientation, PickAnswer, PickOutcome, PickQuery,
    Settings, Snap, Solver, Target, Transform, View, Viewport,
};

/// Reads values from a byte string, and zeros after its end.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    fn index_below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    fn choose<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        choices[self.index_below(N)]
    }

    /// Returns a number in [−1, 1], in 65 536 steps.
    fn signed_unit(&mut self) -> f64 {
        f64::from(i16::from_le_bytes([self.byte(), self.byte()])) / 32767.0
    }

    /// Returns any number: usually a moderate one, sometimes an extreme one or any 64 bits.
    pub(crate) fn number(&mut self) -> f64 {
        const EXTREMES: [f64; 20] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            5e-324,
            f64::EPSILON,
            1e160,
            -1e-160,
            1e154,
            1e-154,
            1e7,
            1e16,
            1e-9,
        ];
        match self.byte() {
            kind @ 0..40 => EXTREMES[usize::from(kind) % EXTREMES.len()],
            40..48 => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| self.byte()))),
            kind @ 48..80 => self.signed_unit() * 10f64.powi((i32::from(kind) - 64) * 2),
            _ => self.signed_unit() * 8.0,
        }
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn tame_vector(&mut self) -> DVec3 {
        DVec3::new(self.signed_unit(), self.signed_unit(), self.signed_unit()) * 3.0
    }

    fn quaternion(&mut self) -> DQuat {
        match self.byte() % 4 {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_xyzw(self.number(), self.number(), self.number(), self.number()),
            _ => DQuat::from_scaled_axis(self.tame_vector()),
        }
    }

    pub(crate) fn matrix(&mut self) -> DMat4 {
        match self.byte() % 8 {
            0 => DMat4::from_cols_array(&std::array::from_fn(|_| self.number())),
            1 => DMat4::from_scale(self.vector()),
            2 => DMat4::from_scale(self.tame_vector()),
            3 => {
                let [scale, turn, moved] = [self.tame_vector(), self.tame_vector(), self.tame_vector()];
                let sheared = DMat4::from_quat(DQuat::from_scaled_axis(turn)) * DMat4::from_scale(scale);
                DMat4::from_translation(moved)
                    * sheared
                    * DMat4::from_quat(DQuat::from_scaled_axis(self.tame_vector()))
            }
            4 => DMat4::from_translation(self.vector()),
            _ => DMat4::IDENTITY,
        }
    }

    pub(crate) fn viewport(&mut self) -> Viewport {
        if !self.byte().is_multiple_of(4) {
            let [width, height] = [self.byte(), self.byte()].map(|side| 1 + 5 * u32::from(side));
            return Viewport::of_size(width, height);
        }
        Viewport { x: self.number(), y: self.number(), width: self.number(), height: self.number() }
    }

    fn target(&mut self) -> Target {
        let local = match self.byte() % 4 {
            0 => Transform { translation: self.vector(), rotation: self.quaternion(), scale: self.vector() },
            1 => Transform { translation: self.tame_vector(), ..Transform::IDENTITY },
            2 => Transform {
                translation: self.tame_vector(),
                rotation: self.quaternion(),
                scale: self.tame_vector(),
            },
            _ => Transform::IDENTITY,
        };
        let world_from_parent = self.matrix();
        let extras = self.byte();
        let bounds_local = (extras & 1 == 1).then(|| [self.vector(), self.vector()]);
        let inside = (extras & 6 == 6).then(|| self.index_below(6));
        Target { bounds_local, inside, ..Target::new(local, world_from_parent) }
    }

    fn targets(&mut self) -> Vec<Target> {
        (0..self.index_below(6)).map(|_| self.target()).collect()
    }

    fn snap(&mut self) -> Snap {
        let mut increment = || Increment::new(self.number());
        Snap { translate: increment(), rotate: increment(), scale: increment() }
    }

    fn locks(&mut self) -> Locks {
        let bits = self.byte();
        let three = |from: u8| {
            BVec3::new(bits >> from & 1 == 1, bits >> (from + 1) & 1 == 1, bits >> (from + 2) & 1 == 1)
        };
        Locks { translation: three(0), rotation: bits >> 3 & 1 == 1, scale: three(4) }
    }

    fn change_settings(&mut self, settings: &mut Settings) {
        match self.byte() % 19 {
            0 => {
                settings.mode =
                    self.choose([Mode::None, Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal])
            }
            1 => {
                let set = HandleId::all().filter(|_| self.flag()).collect();
                settings.mode = Mode::Handles(set);
            }
            2 => {
                settings.orientation = self.choose([
                    Orientation::World,
                    Orientation::Parent,
                    Orientation::Local,
                    Orientation::View,
                ]);
            }
            3 => settings.orientation = Orientation::Custom(self.quaternion()),
            4 => {
                settings.pivot = self.choose([
                    Pivot::Median,
                    Pivot::Active,
                    Pivot::Individual,
                    Pivot::BoundsCenter,
                    Pivot::EachTarget,
                ]);
            }
            5 => settings.pivot = Pivot::Custom(self.vector()),
            6 => {
                settings.solver =
                    self.choose([Solver::ScreenProjection, Solver::ClosestPoint, Solver::MovementPlane]);
            }
            7 => {
                settings.shear =
                    self.choose([ShearPolicy::BestFit, ShearPolicy::LocalOnly, ShearPolicy::Reject]);
            }
            8 => settings.snap = self.snap(),
            9 => settings.snap_while_held = self.choose([Snap::OFF, Snap::DEFAULT_INCREMENTS]),
            10 => settings.snap_kind = SnapKind::Grid { origin_world: self.vector() },
            11 => settings.snap_kind = self.choose([SnapKind::Relative, SnapKind::Value]),
            12 => {
                settings.limits = Limits {
                    translation: [self.vector(), self.vector()],
                    scale: [self.vector(), self.vector()],
                    angle: [self.number(), self.number()],
                };
            }
            13 => settings.locks = self.locks(),
            14 => settings.size_lpx = self.number(),
            15 => settings.tolerance_lpx = self.number(),
            18 => {
                let min_size = self.number();
                let box_handles = BoxHandles {
                    result: self.choose(BoxResult::ALL),
                    keep_aspect: self.flag(),
                    min_size,
                    ..BoxHandles::default()
                };
                settings.box_handles = self.flag().then_some(box_handles);
            }
            16 => settings.max_distance = self.flag().then(|| self.number()),
            _ => {
                let flags = self.byte();
                settings.allow_mirror = flags & 1 == 1;
                settings.flip_toward_camera = flags & 2 == 2;
                settings.construction_lines = flags & 4 == 4;
                settings.grab = Grab::ALL[usize::from(flags >> 3 & 3) % 3];
                settings.click_to_type = flags & 32 == 32;
                settings.axes = Axes::ALL[usize::from(flags >> 6 & 1)];
                settings.wheel_nudge = flags & 128 == 128;
            }
        }
    }

    /// Returns a view if the constructor accepts it.
    pub(crate) fn view(&mut self) -> Option<View> {
        match self.byte() % 8 {
            0 => View::from_clip_from_world(self.matrix(), self.viewport(), self.number()).ok(),
            1 => View::new(self.matrix(), self.matrix(), self.viewport(), self.number()).ok(),
            _ => {
                let projection = views::ALL[self.index_below(views::ALL.len())];
                let eye = self.tame_vector() * 3.0;
                let eye = if eye.length() > 0.5 { eye } else { DVec3::splat(4.0) };
                let up = if eye.cross(DVec3::Y).length() > 0.1 { DVec3::Y } else { DVec3::X };
                Some(projection.view(&Camera { up, ..Camera::at(eye) }))
            }
        }
    }

    fn key(&mut self) -> Key {
        let axis = |byte: u8| Axis::ALL[usize::from(byte) % 3];
        match self.byte() % 32 {
            kind @ 0..4 => Key::Axis(axis(kind)),
            kind @ 4..8 => Key::Plane(axis(kind)),
            kind @ 8..18 => Key::Digit(kind - 8),
            18 => Key::Digit(self.byte()),
            19 | 20 => Key::Point,
            21 | 22 => Key::Minus,
            23 | 24 => Key::Backspace,
            25 => Key::Tab,
            26 => Key::Left,
            27 => Key::Right,
            28 => Key::Up,
            29 => Key::Down,
            30 => Key::Enter,
            _ => Key::Escape,
        }
    }
}

/// The bits of a transform: −0.0 differs from 0.0, and a NaN equals itself.
fn bits(transform: &Transform) -> [u64; 10] {
    let Transform { translation: t, rotation: r, scale: s } = *transform;
    [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f64::to_bits)
}

fn all_bits(targets: &[Target]) -> Vec<[u64; 10]> {
    targets.iter().map(|target| bits(&target.local)).collect()
}

/// Counts the events of a run, to show that runs are meaningful.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventCounts {
    pub(crate) started: u32,
    pub(crate) changed: u32,
    pub(crate) ended: u32,
    pub(crate) cancelled: u32,
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
    held: HeldKeys,
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
            held: HeldKeys::NONE,
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
        let hit = |id| PickOutcome::Hit(PickHit { id, pixel: (0, 0), depth: 0.5, position_world: None });
        let outcome = match outcome % 8 {
            0 => PickOutcome::Lost,
            1 => PickOutcome::Nothing,
            2 => hit(NonZeroU32::MIN),
            _ => hit(handles.id(offset).unwrap_or(handles.first())),
        };
        self.gizmo.answer(&PickAnswer { query, outcome });
    }

    fn update(&mut self, hooked: Option<DVec3>) {
        let before = self.targets.clone();
        let events = self.gizmo.update_with(&self.view, &mut self.targets, &mut |_| hooked).to_vec();
        self.check(&before, &events);
    }

    fn check(&mut self, before: &[Target], events: &[Event]) {
        let started_in = all_bits(before);
        let was_dragging = self.starts.is_some();
        let mut drags = u32::from(was_dragging);
        // If a drag of this call ended and another began, the second one starts with the result of
        // the first, which is not visible from outside.
        let mut last_end = None;
        for event in events {
            match *event {
                Event::Started(_) => {
                    assert!(self.starts.is_none(), "a drag began during a drag");
                    drags += 1;
                    self.counts.started += 1;
                    self.starts = Some(started_in.clone());
                }
                Event::Changed(motion) => {
                    assert!(self.starts.is_some(), "a change outside a drag");
                    self.counts.changed += 1;
                    assert!(motion.change.total_angle().is_finite(), "{motion:?}");
                }
                Event::Ended { .. } | Event::Cancelled => {
                    let starts = self.starts.take();
                    assert!(starts.is_some(), "{event:?} outside a drag");
                    last_end = Some((*event, starts.unwrap_or_default()));
                    let count = match event {
                        Event::Cancelled => &mut self.counts.cancelled,
                        _ => &mut self.counts.ended,
                    };
                    *count += 1;
                }
                // `PressedObject`, `ClickedNothing`, `Refused` and others.
                _ => assert!(self.starts.is_none(), "{event:?} during a drag"),
            }
        }
        assert_eq!(self.gizmo.is_active(), self.starts.is_some(), "after {events:?}");
        assert!(self.gizmo.claims().keys || !self.gizmo.is_active());
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
            match last_end {
                Some((Event::Cancelled, _)) if starts.len() == after.len() => {
                    assert_eq!(after, starts, "a cancelled drag restores the starts");
                }
                Some((Event::Cancelled, _)) => assert_eq!(after, started_in, "a changed list is left alone"),
                Some((Event::Ended { changed: false }, _)) if starts.len() == after.len() => {
                    // −0.0 equals 0.0 here, because scaling zero by −1 flips its sign.
                    let numbers = |bits: &[[u64; 10]]| bits.as_flattened().to_vec();
                    let pairs = numbers(&starts).into_iter().zip(numbers(&after));
                    let moved = pairs.filter(|(start, now)| f64::from_bits(*start) != f64::from_bits(*now));
                    assert_eq!(moved.count(), 0, "a drag that reports no change changed a target");
                }
                _ => {}
            }
        }
        for (before, after) in before.iter().zip(&self.targets) {
            let good = after.local.is_finite() || !before.local.is_finite();
            assert!(good, "{before:?} became {after:?}");
        }
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
        let needs_redraw = self.gizmo.needs_redraw();
        std::mem::swap(&mut self.list, &mut self.last_list);
        self.list.begin(&self.view);
        self.gizmo.draw(&mut self.list);
        if self.last_list.view() == Some(&self.view) && !needs_redraw {
            let [now, last] = [&self.list, &self.last_list];
            let text = |list: &DrawList| list.readouts().map(|said| said.text.to_owned()).collect::<Vec<_>>();
            // Compares the debug output too, because a NaN never equals itself.
            let same =
                now.items() == last.items() || format!("{:?}", now.items()) == format!("{:?}", last.items());
            assert!(same, "items changed without a redraw request");
            let same_guides = (now.guides(), now.grids()) == (last.guides(), last.grids());
            assert!(same_guides || !is_screen, "guides changed without a redraw request");
            assert_eq!(text(now), text(last));
        }
        for item in self.list.items() {
            assert!(item.color().iter().all(|part| (0.0..=1.0).contains(part)), "{item:?}");
        }
        for vertex in self.list.guides().into_iter().flatten().filter(|_| is_screen) {
            let numbers = vertex.position_px.iter().chain(&vertex.across_px).chain(&vertex.color);
            assert!(numbers.into_iter().all(|number| number.is_finite()), "{vertex:?}");
        }
        for grid in self.list.grids().iter().filter(|_| is_screen) {
            let color = grid.color.iter().all(|part| (0.0..=1.0).contains(part));
            let lines =
                grid.lines.iter().all(|lines| *lines <= 50) && grid.first.iter().all(|at| at.is_finite());
            assert!(color && lines && grid.px_from_plane.is_finite(), "{grid:?}");
        }
        for readout in self.list.readouts() {
            assert!(readout.anchor_px.is_finite() && !readout.text.is_empty(), "{readout:?}");
        }
        self.list.pick(at, radius);
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
        let handle = CustomHandle { constraint, mesh, placement, color: [1.0, 0.5, 0.0, 1.0] };
        if let Some(added) = self.gizmo.add_handle(handle) {
            let shown = self.gizmo.settings.mode.handles().with(added);
            self.gizmo.settings.mode = Mode::Handles(shown);
            self.last_added = Some(added);
        } else if let Some(last) = self.last_added {
            self.gizmo.place_handle(last, placement);
        }
    }

    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 64 {
            56 => self.change_handles(bytes),
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
            7 => self.gizmo.pointer_moved(DVec2::new(bytes.number(), bytes.number())),
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
            33..40 => self.gizmo.key(bytes.key(), KeyModifiers::NONE),
            40 => self.gizmo.wheel(bytes.number()),
            41 => self.gizmo.answer_on_cpu(),
            42..48 => {
                let (outcome, handle, copy) =
                    (bytes.byte(), bytes.index_below(HandleId::BUILT_IN + 3), bytes.index_below(5));
                self.answer(outcome, handle, copy as u32);
            }
            48 => self.gizmo.picks_lost(),
            49 => self.gizmo.scene_changed(),
            50 => {
                let hooked = Some(bytes.vector());
                self.update(hooked);
            }
            51 => self.draw(DVec2::new(bytes.number(), bytes.number()), bytes.number()),
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
        let handle = HandleId::from_name("translate_view").expect("built in");
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
        let hit =
            PickHit { id: self.gizmo.id_of(handle), pixel: (400, 300), depth: 0.5, position_world: None };
        self.gizmo.answer(&PickAnswer { query, outcome: PickOutcome::Hit(hit) });
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
                self.gizmo.answer(&PickAnswer { query, outcome: PickOutcome::Nothing });
            }
        }
        // Processes presses that were queued behind each other and drags by keys, one of which ends
        // per call.
        while (self.gizmo.is_busy() || self.gizmo.claims().keys) && !self.gizmo.is_active() {
            self.gizmo.picks_lost();
            if let Some(query) = self.gizmo.pick_query() {
                self.gizmo.answer(&PickAnswer { query, outcome: PickOutcome::Nothing });
            }
            self.update(None);
        }
    }
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
