//! §3 to §10 of docs/spec.md: random sessions with a gizmo, in every setting and with every input, as a table.
//! `WGPU_GIZMO_WRITE=1` writes `tests/walks.tsv` anew.

use crate::golden::{self, Row, Table, choose};
use crate::prelude::*;
use std::num::NonZeroU32;

const ROWS: usize = 120;
/// Sessions per row.
const WALKS: usize = 6;
const STEPS: usize = 36;

fn vector(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| between(rng, -size, size)))
}

fn bits(rng: &mut Rng) -> BVec3 {
    BVec3::new(rng.u8(..4) == 0, rng.u8(..4) == 0, rng.u8(..4) == 0)
}

pub(crate) fn locks(rng: &mut Rng) -> Locks {
    Locks { translation: bits(rng), rotation: rng.u8(..4) == 0, scale: bits(rng) }
}

fn transform(rng: &mut Rng) -> Transform {
    let scale = (DVec3::ONE + vector(rng, 0.5)) * if rng.u8(..6) == 0 { -1.0 } else { 1.0 };
    Transform { translation: vector(rng, 1.5), rotation: rotation(rng), scale }
}

pub(crate) fn target(rng: &mut Rng, index: usize) -> Target {
    let parent = match rng.u8(..4) {
        0 => DMat4::IDENTITY,
        1 => DMat4::from_scale_rotation_translation(DVec3::splat(1.4), rotation(rng), vector(rng, 0.5)),
        2 => transform(rng).to_matrix() * DMat4::from_quat(rotation(rng)),
        _ => transform(rng).to_matrix(),
    };
    let mut target = Target::new(transform(rng), parent).with_key(index as u64);
    if rng.u8(..3) > 0 {
        target = target.with_bounds([vector(rng, 0.4) - 0.6, vector(rng, 0.4) + 0.6]);
    }
    if index > 0 && rng.u8(..5) == 0 {
        target = target.with_ancestor(0);
    }
    if rng.u8(..12) == 0 {
        target.local.scale[rng.usize(..3)] = 0.0;
    }
    target
}

fn view(rng: &mut Rng, number: usize) -> View {
    let eye = direction(rng) * between(rng, 3.5, 9.0);
    let camera = Camera { look_at: vector(rng, 0.5), ..Camera::at(eye) };
    views::ALL[number % views::ALL.len()].view(&camera).with_key((number % 2) as u64)
}

fn snap(rng: &mut Rng) -> Snap {
    let mut increment = |size: f64| Increment::new(size * between(rng, 0.3, 1.0)).filter(|_| rng.u8(..3) > 0);
    Snap { translate: increment(0.5), rotate: increment(0.4), scale: increment(0.3) }
}

fn limits(rng: &mut Rng) -> Limits {
    let mut pair = |low: [f64; 2], high: [f64; 2]| {
        [low, high].map(|[a, b]| {
            DVec3::from_array(std::array::from_fn(|_| {
                if rng.u8(..3) == 0 {
                    if a < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY }
                } else {
                    between(rng, a, b)
                }
            }))
        })
    };
    let translation = pair([-3.0, -0.5], [0.5, 3.0]);
    let scale = pair([-0.5, -0.2], [0.4, 2.5]);
    Limits { translation, scale, angle: [between(rng, -2.0, -0.1), between(rng, 0.1, 2.0)] }
}

pub(crate) fn settings(rng: &mut Rng) -> Settings {
    Settings::default().with(|s| {
        let some: HandleSet = HandleId::all().filter(|_| rng.bool()).collect();
        s.mode =
            choose(rng, &[Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal, Mode::Handles(some)]);
        let custom = Orientation::Custom(rotation(rng));
        s.orientation = choose(
            rng,
            &[Orientation::World, Orientation::Parent, Orientation::Local, Orientation::View, custom],
        );
        let custom = Pivot::Custom(vector(rng, 1.0));
        let pivots = [Pivot::Active, Pivot::Individual, Pivot::BoundsCenter, Pivot::EachTarget, custom];
        s.pivot = if rng.bool() { Pivot::Median } else { choose(rng, &pivots) };
        s.axes = choose(rng, &Axes::ALL);
        s.snap.increments = if rng.bool() { Snap::OFF } else { snap(rng) };
        s.snap.while_held = snap(rng);
        let grid = SnapKind::Grid { origin_world: vector(rng, 0.3) };
        s.snap.kind = choose(rng, &[SnapKind::Relative, SnapKind::Value, grid]);
        s.snap.to =
            choose(rng, &[SnapTo::NONE, SnapTo::NONE, SnapTo::VERTEX | SnapTo::SURFACE, SnapTo::EDGE]);
        s.snap.source = choose(rng, &SnapSource::ALL);
        s.snap.align_to_normal = choose(rng, &[None, None, Some(Axis::Y), Some(Axis::Z)]);
        s.motion.solver = choose(rng, &Solver::ALL);
        s.motion.shear = choose(rng, &ShearPolicy::ALL);
        s.motion.max_distance = choose(rng, &[None, None, Some(0.7)]);
        s.motion.allow_mirror = rng.bool();
        if rng.u8(..3) == 0 {
            s.motion.limits = limits(rng);
        }
        if rng.u8(..3) == 0 {
            s.motion.locks = locks(rng);
        }
        s.input.tolerance_lpx = choose(rng, &[5.0, 12.0]);
        s.input.grab = choose(rng, &GrabMode::ALL);
        s.input.click_to_type = rng.bool();
        s.input.orbit_in_drag = rng.bool();
        s.input.wheel_nudge = rng.bool();
        s.input.axis_keys = choose(rng, &AxisKeys::ALL);
        s.input.meters_per_unit = choose(rng, &[1.0, 0.01]);
        s.display.flip_toward_camera = rng.bool();
        s.display.size_lpx = between(rng, 60.0, 140.0);
        if rng.u8(..3) == 0 {
            let mut shown = BoxHandles::default();
            shown.result = choose(rng, &BoxResult::ALL);
            shown.keep_aspect = rng.bool();
            shown.min_size = 0.2;
            s.box_handles = Some(shown);
        }
    })
}

fn key(rng: &mut Rng) -> Key {
    let axis = choose(rng, &Axis::ALL);
    let keys = [
        Key::Axis(axis),
        Key::Plane(axis),
        Key::Axis(axis),
        Key::Digit(rng.u8(..10)),
        Key::Digit(rng.u8(1..10)),
    ];
    let others = [
        Key::Point,
        Key::Minus,
        Key::Char('*'),
        Key::Char('c'),
        Key::Char('m'),
        Key::Backspace,
        Key::Tab,
        Key::Left,
        Key::Right,
        Key::Up,
        Key::Down,
        Key::Enter,
        Key::Escape,
    ];
    if rng.bool() { choose(rng, &keys) } else { choose(rng, &others) }
}

/// A host with a gizmo.
struct Host {
    gizmo: Gizmo,
    view: View,
    targets: Vec<Target>,
    cursor_px: DVec2,
    mesh: SnapMesh,
    row: Row,
}

impl Host {
    fn new(rng: &mut Rng, number: usize, row: Row) -> Self {
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        gizmo.settings = settings(rng);
        if number.is_multiple_of(4) {
            let placement = Transform { scale: DVec3::splat(0.2), ..transform(rng) };
            let constraint = choose(
                rng,
                &[Constraint::Axis(Axis::X), Constraint::Plane(Axis::Y), Constraint::Ring(Axis::Z)],
            );
            let handle = CustomHandle::new(constraint, HandleMesh::ball(), placement, [1.0; 4]);
            let handle = gizmo.add_handle(handle.with_offset(vector(rng, 0.4))).expect("a slot is free");
            gizmo.settings.mode = Mode::Handles(gizmo.settings.mode.handles().with(handle));
        }
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.1, 1.1, 0.3], [0.3, 0.2, 1.0]];
        let mesh = SnapMesh::new(&corners, &[0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3]).expect("it has triangles");
        let count = rng.usize(1..4);
        Self {
            gizmo,
            view: view(rng, number),
            targets: (0..count).map(|index| target(rng, index)).collect(),
            cursor_px: DVec2::new(300.0, 200.0),
            mesh,
            row,
        }
    }

    /// Returns the pixel of a handle near the active target, or near it.
    fn aim(&self, rng: &mut Rng) -> DVec2 {
        let place = self.gizmo.pivot_place().unwrap_or(Transform::IDENTITY);
        let size = 96.0 * self.view.pixel_size(place.translation);
        let along = choose(
            rng,
            &[
                DVec3::X,
                DVec3::Y,
                DVec3::Z,
                DVec3::new(0.4, 0.4, 0.0),
                DVec3::new(0.0, 0.4, 0.4),
                DVec3::ZERO,
            ],
        );
        let at = place.translation + place.rotation * along * (between(rng, 0.6, 1.1) * size);
        self.view.px_from_world(at).unwrap_or(self.cursor_px)
    }

    fn any_handle(rng: &mut Rng) -> HandleId {
        let handles: Vec<HandleId> = HandleId::all().chain(HandleId::box_handles()).collect();
        choose(rng, &handles)
    }

    fn drive(&mut self, rng: &mut Rng) {
        let handle = Self::any_handle(rng);
        let (one, two) = (between(rng, -1.5, 2.0), [between(rng, -1.5, 2.0), between(rng, -1.5, 2.0)]);
        let outcome = if rng.bool() {
            let begun = self.gizmo.drive_begin(handle, &self.targets);
            begun.map_or_else(|error| error.to_string(), |()| "begun".to_owned())
        } else {
            let by_one = self.gizmo.drive(handle, one, &mut self.targets);
            let driven = by_one.or_else(|_| self.gizmo.drive(handle, two, &mut self.targets));
            driven.map_or_else(|error| error.to_string(), |driven| format!("driven {}", driven.changed))
        };
        self.row.count("driven", outcome);
    }

    fn step(&mut self, rng: &mut Rng) {
        let gizmo = &mut self.gizmo;
        match rng.u8(..30) {
            0..=8 => {
                let by = vector(rng, 60.0).truncate();
                self.cursor_px = if gizmo.is_active() { self.cursor_px + by } else { self.aim(rng) };
                self.gizmo.pointer_moved(self.cursor_px);
            }
            9..=11 if !gizmo.is_busy() => {
                self.cursor_px = self.aim(rng);
                self.gizmo.pointer_moved(self.cursor_px);
                self.gizmo.pointer_pressed();
            }
            9 => gizmo.pointer_pressed(),
            10..=13 => gizmo.pointer_released(),
            14 => gizmo.set_held_keys(HeldKeys {
                snap: rng.bool(),
                precision: rng.bool(),
                symmetric: rng.bool(),
            }),
            15..=18 => gizmo.key(key(rng), KeyModifiers { repeat: rng.u8(..8) == 0, ..KeyModifiers::NONE }),
            19 => gizmo.wheel(choose(rng, &[1.0, -1.0, 0.5])),
            20 => choose(
                rng,
                &[Gizmo::cancel as fn(&mut Gizmo), Gizmo::interrupt, Gizmo::pointer_left, Gizmo::picks_lost],
            )(gizmo),
            21 => gizmo.settings = settings(rng),
            22 => {
                let number = rng.usize(..99);
                self.view = view(rng, number);
            }
            23 => self.drive(rng),
            24 => {
                let one = gizmo.drive_by(between(rng, -1.0, 1.5), &mut self.targets);
                let _ = one.or_else(|_| self.gizmo.drive_by([0.3, -0.4], &mut self.targets));
            }
            25 => {
                let ended = gizmo.drive_end(&mut self.targets);
                let ended =
                    ended.map_or_else(|error| error.to_string(), |driven| format!("end {}", driven.changed));
                self.row.count("driven", ended);
            }
            26 => {
                let (from, to) = (direction(rng) * 4.0, self.aim(rng));
                let origin = self.view.eye().unwrap_or(from) + 0.2;
                let toward = self.view.pointer_ray(to).at(5.0);
                self.gizmo
                    .pointer_ray(Ray { origin, direction: (toward - origin).normalize(), start: 0.0 }, 0.02);
            }
            27 => match rng.u8(..5) {
                0 => gizmo.edit_pivot(),
                1 => gizmo.end_pivot_edit(),
                2 => gizmo.pivot_to(vector(rng, 1.0)),
                3 => gizmo.align_frame_to(rotation(rng)),
                _ => gizmo.reset_pivot(),
            },
            28 => {
                let index = rng.usize(..self.targets.len());
                self.targets[index] = target(rng, index);
            }
            _ => gizmo.grab(Self::any_handle(rng)),
        }
    }

    fn answer(&mut self, rng: &mut Rng) {
        let objects = [SnapObject::new(&self.mesh, DAffine3::IDENTITY)];
        if self.gizmo.wants_snap_source() {
            self.gizmo.snap_from(&objects);
        }
        if let Some(query) = self.gizmo.snap_query() {
            let point = self.gizmo.settings.snap.to.find(&query, &objects);
            let other = SnapPoint::new(vector(rng, 1.0), SnapTo::VERTEX).with_normal(direction(rng));
            self.gizmo.answer_snap(&query, point.or(Some(other).filter(|_| rng.bool())));
        }
        match rng.u8(..8) {
            0 => {}
            1 => {
                if let Some(query) = self.gizmo.pick_query() {
                    self.gizmo.answer(&answer_with(query, NonZeroU32::MAX));
                }
            }
            2 => {
                if let Some(query) = self.gizmo.pick_query() {
                    let outcome = choose(rng, &[PickOutcome::Nothing, PickOutcome::Lost]);
                    self.gizmo.answer(&PickAnswer::new(query, outcome));
                }
            }
            _ => self.gizmo.answer_on_cpu(),
        }
    }

    fn update(&mut self, rng: &mut Rng) {
        let hooked = Some(vector(rng, 1.0)).filter(|_| rng.u8(..12) == 0);
        let events =
            self.gizmo.update_with(&self.view, &mut self.targets, &mut |at| hooked.map(|by| at + 0.1 * by));
        for event in events {
            let text = match event {
                Event::Started(handle) => format!("start {}", handle.name()),
                Event::Changed(_) => "move".to_owned(),
                Event::PivotChanged { to, .. } => format!("pivot {}", to.is_some()),
                Event::PressedObject(_) => "object".to_owned(),
                Event::ClickedObject(_) => "click".to_owned(),
                Event::Refused(handle, reason) => format!("refused {}: {reason}", handle.name()),
                other => format!("{other:?}"),
            };
            self.row.count("events", text);
        }
    }

    fn record(&mut self, place: usize) {
        let number = |flag: bool| f64::from(u8::from(flag));
        for (index, target) in self.targets.iter().enumerate() {
            let Transform { translation, rotation, scale } = target.local;
            let [low, high] = target.bounds_local.unwrap_or_default();
            let at = place + index;
            self.row.add_all("translation", at, &translation.to_array());
            self.row.add_all("scale", at, &scale.to_array());
            // Either sign is the same rotation.
            let turned = rotation * DVec3::new(1.0, 2.0, 3.0);
            let bounds = (low + 2.0 * high).dot(DVec3::new(1.0, 2.0, 4.0));
            self.row.add_all("turned", at, &turned.to_array());
            self.row.add("bounds", at, bounds);
        }
        let gizmo = &self.gizmo;
        let claims = gizmo.claims();
        let flags = [
            claims.primary_press,
            claims.primary_drag,
            claims.click,
            claims.secondary,
            claims.middle,
            claims.wheel,
            claims.keys,
            gizmo.is_active(),
            gizmo.is_busy(),
            gizmo.needs_update(),
            gizmo.is_hover_pending(),
            gizmo.is_editing_pivot(),
            gizmo.has_edited_pivot(),
            gizmo.needs_redraw(self.view.key()),
        ];
        let index = |handle: Option<HandleId>| handle.map_or(-1.0, |handle| handle.index() as f64);
        let hint = gizmo.cursor_hint() as u8;
        self.row.add_all("flag", place, &flags.map(number));
        let target = gizmo.hovered_target().map_or(-1.0, |index| index as f64);
        let hovered = [gizmo.hovered(), gizmo.dragging()].map(index);
        let object = number(gizmo.hovered_object().is_some());
        self.row.add_all("hover", place, &[hovered[0], hovered[1], f64::from(hint), target, object]);
        let disabled = HandleId::all()
            .filter(|handle| gizmo.disabled_reason(*handle).is_some())
            .map(|handle| handle.index());
        let place_of = gizmo
            .pivot_place()
            .map_or(DVec3::ZERO, |place| place.translation + place.rotation * DVec3::new(0.1, 0.2, 0.3));
        self.row.add("disabled", place, disabled.sum::<usize>() as f64);
        self.row.add_all("place", place, &place_of.to_array());
        if let Some(drag) = gizmo.drag() {
            let numbers: f64 = drag.numbers().iter().zip([1.0, 3.0]).map(|(number, by)| number * by).sum();
            let snapped = gizmo.snapped_to().map_or(DVec3::ZERO, |point| point.point_world);
            let axes = drag.axes() * DVec3::new(1.0, 2.0, 3.0);
            let state = number(drag.is_by_keyboard()) + 2.0 * number(drag.is_typed_refused());
            let typed = drag.typed().map_or(0.0, |typed| typed.len() as f64);
            let pressed = drag.press_point_world().unwrap_or_default();
            self.row.add_all(
                "drag",
                place,
                &[
                    numbers,
                    drag.residual().min(1e3),
                    state,
                    typed,
                    snapped.x + snapped.y,
                    axes.x + axes.y,
                    pressed.x + pressed.y,
                ],
            );
        }
    }
}

/// Returns the sums of some sessions, and how often each event came.
fn walks(row: usize) -> Row {
    let mut sums = Row::default();
    for number in row * WALKS..(row + 1) * WALKS {
        let rng = &mut Rng::with_seed(number as u64);
        let mut host = Host::new(rng, number, sums);
        for place in 0..STEPS {
            host.step(rng);
            host.update(rng);
            host.answer(rng);
            host.record(place);
        }
        sums = host.row;
    }
    sums
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "another library of functions rounds differently, and a random scene may be at a threshold"
)]
fn random_sessions_go_as_in_table() {
    let title = "Sessions with a gizmo, six of `tests/core/walks.rs` per row.";
    // A session adds up to forty drags, each with an error below 1e-12.
    golden::check(&Table { path: "tests/walks.tsv", title, tolerance: 1e-9, rows: ROWS, row: &walks });
}
