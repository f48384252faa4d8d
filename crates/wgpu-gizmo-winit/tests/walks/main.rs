//! Random window events of one and two windows, for a gizmo with targets, as a table (`tests/walks.tsv`).
#![allow(missing_docs, reason = "test names describe themselves")]

mod events;
#[path = "../../../wgpu-gizmo-core/tests/common/golden.rs"]
mod golden;
#[path = "../../../wgpu-gizmo-core/tests/common/views.rs"]
mod views;

use events::key;
use fastrand::Rng;
use golden::{Row, Table, choose, variant};
use std::num::NonZeroU32;
use views::Camera;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::interaction::settings::AxisKeys;
use wgpu_gizmo_core::interaction::{Event, Views};
use wgpu_gizmo_core::{Gizmo, IdSpace, Mode, Snap, Target, Transform, View, Viewport};
use wgpu_gizmo_winit::{Gesture, TouchGestures, WinitInput, composed_text, cursor_icon, gizmo_key};
use winit::event::WindowEvent;
use winit::keyboard::ModifiersState;

const ROWS: usize = 60;
/// Sessions per row.
const WALKS: usize = 8;
const STEPS: usize = 45;

/// Returns a number of thousandths: what adapters compute from these is the same on every machine.
fn thousandths(rng: &mut Rng, size: i32) -> f64 {
    f64::from(rng.i32(-size..=size)) / 1000.0
}

fn view(rng: &mut Rng, number: usize, scale_factor: f64) -> View {
    let eye = DVec3::new(thousandths(rng, 4000), thousandths(rng, 4000), 6.0);
    let viewport = Viewport::from_size(500 + 300 * rng.u32(..2), 600);
    let projection = [0, 7][number / 2 % 2];
    views::ALL[projection].view(&Camera { viewport, scale_factor, ..Camera::at(eye) })
}

fn settings(rng: &mut Rng, gizmo: &mut Gizmo) {
    let s = &mut gizmo.settings;
    s.mode = choose(rng, &[Mode::Translate, Mode::Rotate, Mode::Scale, Mode::Universal]);
    s.snap.increments = choose(rng, &[Snap::OFF, Snap::DEFAULT_INCREMENTS]);
    s.snap.while_held = Snap::DEFAULT_INCREMENTS;
    s.input.wheel_nudge = rng.bool();
    s.input.orbit_in_drag = rng.bool();
    s.input.click_to_type = rng.bool();
    s.input.axis_keys = choose(rng, &AxisKeys::ALL);
}

/// A window, with what makes inputs of its events: for a gizmo, and for a host that passes them on itself.
struct Window {
    input: WinitInput,
    inputs: WinitInput,
    gestures: TouchGestures,
    view: View,
}

impl Window {
    fn new(rng: &mut Rng, number: usize, key: usize) -> Self {
        let scale_factor = choose(rng, &[1.0, 1.5, 2.0]);
        let view = view(rng, number, scale_factor).with_key(key as u64);
        let [mut input, mut inputs] = [(); 2].map(|()| WinitInput::new(scale_factor));
        let mut gestures = TouchGestures::default();
        if rng.bool() {
            let finger_tolerance_lpx = f64::from(rng.u8(4..30));
            let notch_lpx = choose(rng, &[20.0, 120.0]);
            let snap_modifiers = choose(rng, &[ModifiersState::ALT, ModifiersState::SUPER]);
            for input in [&mut input, &mut inputs] {
                input.finger_tolerance_lpx = finger_tolerance_lpx;
                input.notch_lpx = notch_lpx;
                input.snap_modifiers = snap_modifiers;
            }
            gestures.drag_threshold_lpx = choose(rng, &[2.0, 20.0]);
            gestures.tolerance_lpx = 10.0;
        }
        Self { input, inputs, gestures, view }
    }
}

struct Host {
    windows: Vec<Window>,
    gizmo: Gizmo,
    targets: [Target; 2],
    pointer_in: usize,
    cursor_px: DVec2,
    has_gestures: bool,
    fingers: Vec<u64>,
    row: Row,
}

impl Host {
    fn new(rng: &mut Rng, number: usize, row: Row) -> Self {
        let windows = (0..1 + number % 2).map(|key| Window::new(rng, number, key)).collect();
        let mut gizmo = Gizmo::new(&mut IdSpace::new()).expect("ids are free");
        settings(rng, &mut gizmo);
        let mut target = |key| {
            let at = DVec3::from_array(std::array::from_fn(|_| thousandths(rng, 900)));
            Target::from_world(Transform { translation: at, ..Transform::IDENTITY }).with_key(key)
        };
        let targets = [target(0), target(1)];
        let has_gestures = number % 4 == 3;
        let (cursor_px, fingers) = (DVec2::splat(200.0), Vec::new());
        Self { windows, gizmo, targets, pointer_in: 0, cursor_px, has_gestures, fingers, row }
    }

    fn key(&mut self, rng: &mut Rng) {
        let (logical, physical, text) = key(rng);
        let window = &mut self.windows[self.pointer_in];
        let consumed = window.input.key(&mut self.gizmo, &logical, physical);
        let key = gizmo_key(&logical, physical, window.input.modifiers());
        self.row.hash("keys", &format!("{key:?} {:?}", composed_text(&logical, text)));
        self.row.count("responses", if consumed { "key consumed" } else { "key" });
    }

    fn step(&mut self, rng: &mut Rng, step: usize) {
        match rng.u8(..30) {
            0..=3 => return self.key(rng),
            4 => return settings(rng, &mut self.gizmo),
            5 => self.pointer_in = rng.usize(..self.windows.len()),
            _ => {}
        }
        let (name, event) = self.event(rng);
        if let WindowEvent::CursorMoved { position, .. } = &event {
            self.cursor_px = DVec2::new(position.x, position.y);
        }
        let Host { windows, gizmo, row, .. } = self;
        let window = &mut windows[self.pointer_in];
        for input in window.inputs.inputs(&event) {
            row.count("inputs", variant(&input));
            row.hash("inputs_hash", &format!("{input:?}"));
        }
        if let WindowEvent::Touch(touch) = &event {
            for gesture in window.gestures.take(touch, window.input.scale_factor()) {
                row.count(
                    "gestures",
                    match gesture {
                        Gesture::Pointer(input) => variant(&input),
                        other => variant(&other),
                    },
                );
                row.hash("gestures_hash", &format!("{gesture:?}"));
                if let (Gesture::Pointer(input), true) = (gesture, self.has_gestures) {
                    gizmo.handle_input(input);
                }
            }
            if self.has_gestures {
                return;
            }
        }
        if matches!(event, WindowEvent::Focused(false) | WindowEvent::Destroyed) {
            window.gestures.forget();
        }
        let response = window.input.on_window_event(gizmo, &event);
        let [consumed, repaint] = [(response.consumed, " consumed"), (response.repaint, " repaint")]
            .map(|(is, word)| if is { word } else { "" });
        let response = format!("{name}{consumed}{repaint}");
        row.hash("responses_hash", &format!("{step} {response}"));
        row.count("responses", response);
    }

    fn frame(&mut self, rng: &mut Rng) {
        let views: Vec<View> = self.windows.iter().map(|window| window.view).collect();
        let views = Views::from(&views).with_pointer_in(self.pointer_in as u64);
        for event in self.gizmo.update(views, &mut self.targets) {
            let text = match event {
                Event::Started(handle) => format!("started {}", handle.name()),
                Event::Ended { changed } => format!("ended {changed}"),
                other => variant(&other),
            };
            self.row.count("events", text);
        }
        match rng.u8(..8) {
            0 => {}
            1 => {
                if let Some(query) = self.gizmo.pick_query() {
                    self.gizmo.answer(&query.answered(Some(NonZeroU32::MAX).filter(|_| rng.bool())));
                }
            }
            _ => self.gizmo.answer_on_cpu(),
        }
    }

    fn record(&mut self, step: usize) {
        let Host { windows, gizmo, targets, row, .. } = self;
        for (index, target) in targets.iter().enumerate() {
            let Transform { translation, rotation, scale } = target.local;
            for (column, value) in ["x", "y", "z"].into_iter().zip(translation.to_array()) {
                row.add(column, step + index, value);
            }
            // Either sign is the same rotation.
            let turned = rotation * DVec3::new(1.0, 2.0, 3.0);
            row.add("rotation", step + index, turned.dot(DVec3::new(3.0, 1.0, 2.0)));
            row.add("scale", step + index, scale.dot(DVec3::new(1.0, 2.0, 4.0)));
        }
        for window in windows {
            let (now, pressed) = (window.input.modifiers(), window.input.press_modifiers());
            row.hash("modifiers_hash", &format!("{now:?} {pressed:?} {}", window.gestures.are_down()));
        }
        row.count("cursor", format!("{:?}", cursor_icon(gizmo)).to_lowercase());
        row.add("is_busy", step, gizmo.is_busy());
        row.add("is_hover_pending", step, gizmo.is_hover_pending());
        row.add("hovered", step, gizmo.hovered().map_or(-1.0, |handle| handle.index() as f64));
        row.hash("claims_hash", &format!("{step} {:?}", gizmo.claims()));
    }
}

fn walks(row: usize) -> Row {
    let mut sums = Row::default();
    for number in row * WALKS..(row + 1) * WALKS {
        let rng = &mut Rng::with_seed(number as u64);
        let mut host = Host::new(rng, number, sums);
        for step in 0..STEPS {
            host.step(rng, step);
            if rng.u8(..3) > 0 {
                host.frame(rng);
            }
            host.record(step);
        }
        sums = host.row;
    }
    sums
}

#[test]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    ignore = "another library of functions rounds differently, and a random event may be at a threshold"
)]
fn random_window_events_go_as_in_table() {
    let title = "Sessions of window events, eight of `tests/walks` per row.";
    let totals =
        golden::check(&Table { path: "tests/walks.tsv", title, tolerance: 1e-8, rows: ROWS, row: &walks });
    for (column, what, least) in [
        ("events", "started", 500),
        ("events", "ended true", 150),
        ("events", "canceled", 100),
        ("events", "clicked", 60),
        ("responses", "moved consumed", 500),
        ("responses", "wheel consumed", 100),
        ("responses", "key consumed", 100),
        ("responses", "right consumed", 50),
        ("gestures", "turned", 100),
        ("gestures", "spread", 100),
        ("gestures", "slid", 20),
        ("gestures", "released", 100),
    ] {
        totals.assert_at_least(column, what, least);
    }
}
