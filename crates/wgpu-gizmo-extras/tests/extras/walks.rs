//! Random sessions with the handles of lights and cameras and with a navigation cube, as a table (`tests/walks.tsv`).

use crate::golden::{self, Row, Table, choose};
use crate::prelude::*;
use std::num::NonZeroU32;

const ROWS: usize = 60;
/// Sessions per row.
const WALKS: usize = 5;
const STEPS: usize = 40;

fn volume(rng: &mut Rng) -> Volume {
    let size = choose(rng, &[0.2, 1.0]);
    let mut length = |low: f64| between(rng, low, 3.0);
    let (near, far, half_width, half_height) =
        (length(0.1) * size, (3.5 + length(0.0)) * size, length(0.2), length(0.2));
    let [inner, outer] = [0.5 * length(0.0) / 3.0, 0.5 + length(0.1) / 3.0];
    let (fov_y, aspect) = (length(0.2), length(0.4));
    let some = |rng: &mut Rng, length: f64| Some(length).filter(|_| rng.u8(..3) > 0);
    match rng.u8(..17) {
        0..=3 => Volume::Sphere { radius: some(rng, half_width) },
        4..=7 => Volume::Cone { range: some(rng, half_width), inner, outer },
        8..=11 => Volume::Perspective { fov_y, aspect, near, far: some(rng, far) },
        12..=14 => Volume::Orthographic { half_width, half_height, near, far },
        15 => Volume::Parallel,
        // It is not valid.
        _ => Volume::Cone { range: Some(far), inner: outer, outer: inner },
    }
}

fn target(rng: &mut Rng, key: u64) -> VolumeTarget {
    let scale = DVec3::new(between(rng, 0.1, 4.0), 1.0, -2.0);
    let world = Transform { translation: direction(rng), rotation: rotation(rng), scale };
    let target = VolumeTarget::new(world, volume(rng));
    if rng.u8(..4) == 0 { target } else { target.with_key(key) }
}

/// A window with both.
struct Host {
    handles: VolumeHandles,
    targets: [VolumeTarget; 2],
    cube: NavigationCube,
    /// Ids under earlier presses, whose answers are late.
    pending: Vec<Option<NonZeroU32>>,
    projection: Projection,
    camera: Camera,
    shown: Option<usize>,
    lateness: u8,
    cursor_px: DVec2,
    pressed_px: DVec2,
    theme: Theme,
    row: Row,
}

impl Host {
    fn new(rng: &mut Rng, number: usize, row: Row) -> Self {
        let mut ids = IdSpace::new();
        let projection = views::ALL[number % views::ALL.len()];
        let viewport = choose(rng, &[Viewport::from_size(800, 600), Viewport::from_size(260, 420)]);
        let camera = Camera { viewport, ..Camera::at(direction(rng) * between(rng, 7.0, 12.0)) };
        Self {
            handles: VolumeHandles::new(&mut ids).expect("ids are free"),
            targets: [target(rng, 0), target(rng, 1)],
            cube: NavigationCube::new(&mut ids).expect("ids are free"),
            pending: Vec::new(),
            projection,
            camera,
            shown: Some(0),
            lateness: 1 + 2 * u8::from(number.is_multiple_of(4)),
            cursor_px: DVec2::splat(100.0),
            pressed_px: DVec2::splat(100.0),
            theme: Theme::dark(),
            row,
        }
    }

    fn view(&self) -> View {
        self.projection.view(&self.projection.adjusted(&self.camera))
    }

    fn list(&self) -> DrawList {
        let mut list = DrawList::new();
        self.cube.draw(list.begin(&self.view()), &self.theme);
        list
    }

    /// Returns a pixel on or near a handle, or on the cube.
    fn aim(&mut self, rng: &mut Rng) -> DVec2 {
        let view = self.view();
        let by = DVec2::new(between(rng, -3.0, 3.0), between(rng, -3.0, 3.0));
        let mut list = DrawList::new();
        self.handles.draw(list.begin(&view));
        let handles: Vec<NonZeroU32> = ids(&list).collect();
        let on_handle = (!handles.is_empty() && rng.u8(..5) < 3).then(|| choose(rng, &handles));
        let on_handle = on_handle.and_then(|id| list.px_of(id));
        let on_cube =
            self.list().bounds_px().map(|Rect { min, max }| min + (max - min) * between(rng, 0.15, 0.85));
        on_handle.or(on_cube).map_or(self.cursor_px, |px| px + by)
    }

    fn turn(&mut self, what: &str, rotation: Option<DQuat>) {
        let Some(rotation) = rotation else { return };
        self.row.count("turned", what);
        let Camera { eye, look_at, .. } = self.camera;
        let toward = if self.projection.left_handed { -1.0 } else { 1.0 };
        self.camera.eye = look_at + rotation * DVec3::Z * (toward * eye.distance(look_at));
        self.camera.up = rotation * DVec3::Y;
    }

    fn move_to(&mut self, px: DVec2) {
        self.cursor_px = px;
        self.handles.gizmo.pointer_moved(px);
        let turned = self.cube.pointer_moved(px);
        self.turn("drag", turned);
        let scale_factor = self.view().scale_factor();
        self.cube.set_hovered(self.list().pick(px, 5.0 * scale_factor));
    }

    fn answer(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        if let Some(id) = self.pending.remove(0) {
            let turned = self.cube.pressed(id);
            self.turn("answer", turned);
        }
    }

    fn step(&mut self, rng: &mut Rng) {
        let is_active = self.handles.gizmo.is_active() || self.cube.is_held();
        match rng.u8(..30) {
            0..=7 => {
                let size = choose(rng, &[3.0, 60.0, 400.0]);
                let by = DVec2::new(between(rng, -size, size), between(rng, -size, size));
                let px = match is_active {
                    // Back to the press, where a click would still be one.
                    true if rng.u8(..4) == 0 => self.pressed_px,
                    true => self.cursor_px + by,
                    false => self.aim(rng),
                };
                self.move_to(px);
            }
            8..=14 if !is_active => {
                let px = self.aim(rng);
                self.move_to(px);
                self.pressed_px = px;
                let view = self.view();
                self.handles.gizmo.pointer_pressed();
                self.pending.push(self.list().pick(px, 5.0 * view.scale_factor()));
                self.cube.pointer_pressed(px, &view);
            }
            8..=18 => {
                self.handles.gizmo.pointer_released();
                let turned = self.cube.pointer_released();
                self.turn("click", turned);
            }
            19 => {
                self.handles.gizmo.cancel();
                self.cube.cancel();
            }
            20 => {
                self.handles.gizmo.settings.snap.while_held = Snap::DEFAULT_INCREMENTS;
                self.handles.gizmo.set_held_keys(HeldKeys { snap: rng.bool(), ..HeldKeys::NONE });
            }
            21 | 22 => {
                let key = choose(rng, &[Key::Digit(2), Key::Minus, Key::Point, Key::Enter, Key::Up]);
                self.handles.gizmo.key(key, KeyModifiers::NONE);
            }
            23 => self.shown = choose(rng, &[None, Some(0), Some(1), Some(0), Some(1)]),
            24 => self.targets[rng.usize(..2)].volume = volume(rng),
            25 => {
                let index = rng.usize(..2);
                self.targets[index] = target(rng, index as u64);
            }
            26 => {
                self.theme = choose(rng, &[Theme::dark(), Theme::light()]);
                self.handles.gizmo.theme = self.theme;
            }
            27 => {
                self.cube.up_world = choose(rng, &[DVec3::Y, DVec3::Z, DVec3::new(1.0, 2.0, 0.0), DVec3::X])
            }
            28 => self.camera.eye = direction(rng) * between(rng, 7.0, 12.0),
            _ => {}
        }
        // In some sessions answers are late.
        if rng.u8(..4) >= self.lateness {
            self.answer();
        }
    }

    fn update(&mut self, rng: &mut Rng) {
        let view = self.view();
        let target = self.shown.map(|index| &mut self.targets[index]);
        let events = self.handles.update(&view, target);
        for event in events {
            let text = match event {
                Event::Started(handle) => format!("started {}", self.handles.name_of(handle).unwrap_or("?")),
                Event::Ended { changed } => format!("ended {changed}"),
                other => golden::variant(&other),
            };
            self.row.count("events", text);
        }
        if rng.u8(..5) > 0 {
            self.handles.gizmo.answer_on_cpu();
        }
    }

    fn record(&mut self, step: usize) {
        for (index, target) in self.targets.iter().enumerate() {
            numbers(&target.volume)
                .into_iter()
                .for_each(|(name, number)| self.row.add(name, step + index, number));
            self.row.count("valid", target.volume.is_valid().to_string());
        }
        let view = self.view();
        let axes = view.axes() * DVec3::new(1.0, 2.0, 4.0);
        self.row.add("axes", step, axes.dot(DVec3::new(1.0, 3.0, 2.0)));
        self.row.add("held", step, self.cube.is_held());
        self.row.hash("hovered", &format!("{:?}", self.cube.hovered()));
        if !step.is_multiple_of(13) {
            return;
        }
        let (middle, mut list) =
            (0.5 * (view.viewport().rect().min + view.viewport().rect().max), DrawList::new());
        self.handles.draw(list.begin(&view));
        for (place, id) in ids(&list).enumerate() {
            let px = list.px_of(id).map_or(DVec2::ZERO, |px| px - middle);
            self.row.add("handles", place, px.x + 2.0 * px.y);
        }
        picture(&mut self.row, ["lines_color", "lines_x", "lines_y"], &list, middle);
        let list = self.list();
        picture(&mut self.row, ["cube_color", "cube_x", "cube_y"], &list, middle);
        let Some(Rect { min, max }) = list.bounds_px() else { return };
        for place in 0..25_u8 {
            let at = DVec2::new(f64::from(place % 5), f64::from(place / 5)) / 4.0;
            let side = list.pick(min + (max - min) * at, 4.0).and_then(|id| self.cube.side_of(id));
            self.row.add("cube_picks", place.into(), side.map_or(-1.0, |side| side.index() as f64));
        }
    }
}

fn walks(row: usize) -> Row {
    let mut sums = Row::default();
    for number in row * WALKS..(row + 1) * WALKS {
        let rng = &mut Rng::with_seed(number as u64);
        let mut host = Host::new(rng, number, sums);
        for step in 0..STEPS {
            host.step(rng);
            host.update(rng);
            host.record(step);
        }
        sums = host.row;
    }
    sums
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "another library of functions rounds differently, and a random drag may be at a threshold"
)]
fn random_drags_and_clicks_go_as_in_table() {
    let title =
        "Sessions with lights, cameras and a navigation cube, five of `tests/extras/walks.rs` per row.";
    // Positions in pixels have 24 bits.
    let table = Table { path: "tests/walks.tsv", title, tolerance: 1e-6, rows: ROWS, row: &walks };
    let totals = golden::check(&table);
    for (column, what, least) in [
        ("events", "started", 250),
        ("events", "ended true", 100),
        ("events", "canceled", 30),
        ("turned", "click", 100),
        ("turned", "drag", 100),
        ("turned", "answer", 50),
    ] {
        totals.assert_at_least(column, what, least);
    }
}
