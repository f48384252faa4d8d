//! A random walk over all inputs, which checks what holds in every phase.

use super::{BESIDE, ON_ARROW, assert_claims};
use crate::oracle::handle;
use crate::seed::fresh_cases;
use crate::stage::Stage;
use std::cell::Cell;
use wgpu_gizmo_core::glam::{DVec2, DVec3};
use wgpu_gizmo_core::handle::Axis;
use wgpu_gizmo_core::interaction::settings::GrabMode;
use wgpu_gizmo_core::interaction::{Event, HeldKeys, Key, KeyModifiers};
use wgpu_gizmo_core::{Mode, Settings, Transform};

/// The state of a gizmo as its host knows it.
#[derive(Default)]
struct Model {
    is_open: bool,
    is_driven: bool,
    is_down: bool,
    has_pointer: bool,
    ended: u64,
    canceled: u64,
}

impl Model {
    /// Checks the events of an update.
    fn take(&mut self, events: &[Event], context: &str) {
        for event in events {
            match event {
                Event::Started(_) => {
                    assert!(!self.is_open && !self.is_driven, "{context}: {events:?}");
                    self.is_open = true;
                }
                Event::Changed(_) => assert!(self.is_open, "{context}: {events:?}"),
                Event::Ended { .. } | Event::Canceled => {
                    assert!(self.is_open || self.is_driven, "{context}: {events:?}");
                    self.ended += u64::from(*event != Event::Canceled);
                    self.canceled += u64::from(*event == Event::Canceled);
                    (self.is_open, self.is_driven) = (false, false);
                }
                _ => {}
            }
        }
    }
}

/// Passes a random input to the gizmo. Returns its name.
fn random_input(rng: &mut fastrand::Rng, stage: &mut Stage, model: &mut Model) -> &'static str {
    const KEYS: [Key; 10] = [
        Key::Axis(Axis::X),
        Key::Plane(Axis::Y),
        Key::Digit(4),
        Key::Minus,
        Key::Char('/'),
        Key::Backspace,
        Key::Tab,
        Key::Up,
        Key::Enter,
        Key::Escape,
    ];
    let at = [ON_ARROW, BESIDE, DVec3::ZERO, DVec3::new(0.4, 0.4, 0.0)][rng.usize(..4)];
    let x = handle("translate_x");
    match rng.u8(..32) {
        0..6 => {
            let px = stage.at(at) + DVec2::new(rng.f64(), rng.f64()) * 4.0;
            stage.move_to(px);
            model.has_pointer = true;
            "move"
        }
        6 => {
            stage.gizmo.pointer_left();
            model.has_pointer = false;
            "leave"
        }
        7..10 => {
            stage.gizmo.pointer_pressed();
            model.is_down = true;
            "press"
        }
        10..14 => {
            stage.gizmo.pointer_released();
            model.is_down = false;
            "release"
        }
        14 => {
            stage.gizmo.cancel();
            "cancel"
        }
        15 => {
            stage.gizmo.interrupt();
            model.is_down = false;
            "interrupt"
        }
        16..22 => {
            let repeat = rng.u8(..4) == 0;
            stage.gizmo.key(KEYS[rng.usize(..KEYS.len())], KeyModifiers { repeat, ..KeyModifiers::NONE });
            "key"
        }
        22 => {
            stage.gizmo.grab(handle("translate_view"));
            "grab"
        }
        23..26 => {
            stage.gizmo.wheel(1.0);
            "wheel"
        }
        26 => {
            let held = HeldKeys { snap: rng.bool(), precision: rng.bool(), symmetric: rng.bool() };
            stage.gizmo.set_held_keys(held);
            "held keys"
        }
        27 => {
            let _ = stage.gizmo.drive(x, 0.25, &mut stage.targets);
            "drive"
        }
        28 => {
            model.is_driven |= stage.gizmo.drive_begin(x, &stage.targets).is_ok();
            "drive_begin"
        }
        29 => {
            let is_driven = stage.gizmo.drive_by(0.25, &mut stage.targets).is_ok();
            assert!(!is_driven || model.is_driven, "only the host's own drag");
            "drive_by"
        }
        30 => {
            let was_driven = model.is_driven;
            if stage.gizmo.drive_end(&mut stage.targets).is_ok() && was_driven {
                model.is_driven = false;
            }
            "drive_end"
        }
        _ => {
            stage.gizmo.reset_pivot();
            "reset_pivot"
        }
    }
}

#[test]
fn random_inputs_keep_events_claims_and_phase_consistent() {
    const INPUTS: usize = 1_000_000;
    const RUNS: usize = 100;
    let (ended, canceled) = (Cell::new(0), Cell::new(0));
    fresh_cases(RUNS as u64, |rng| {
        let grab = GrabMode::ALL[rng.usize(..3)];
        let settings = Settings::default().with(|s| {
            s.input.wheel_nudge = true;
            s.input.click_to_type = rng.bool();
            s.input.grab = grab;
        });
        let mut stage = Stage::new(settings.with(|s| s.mode = Mode::Universal));
        let mut model = Model::default();
        let mut last = ["", "", "", ""];
        for step in 0..INPUTS / RUNS {
            last.rotate_left(1);
            last[3] = random_input(rng, &mut stage, &mut model);
            if rng.u8(..3) == 0 {
                continue;
            }
            let context = format!("step {step}: {last:?}");
            model.take(&stage.update(), &context);
            assert_claims(&stage, &context);
            if rng.u8(..3) > 0 {
                stage.answer();
            }
            let is_dragged = model.is_open || model.is_driven;
            assert_eq!(stage.gizmo.is_active(), is_dragged, "{context}");
            if rng.u16(..200) == 0 {
                // A lost focus ends everything, whatever was in progress.
                stage.gizmo.interrupt();
                model.is_down = false;
                for _ in 0..80 {
                    stage.answer();
                    model.take(&stage.update(), &context);
                }
                let claims = stage.gizmo.claims();
                assert!(
                    !stage.gizmo.is_busy() && !claims.primary_drag && !claims.click,
                    "{context}: {claims:?}"
                );
                assert_eq!((model.is_open, model.is_driven), (false, false), "{context}");
                assert!(model.has_pointer || stage.gizmo.hovered().is_none(), "{context}");
                stage.targets[0].local = Transform::IDENTITY;
            }
        }
        ended.set(ended.get() + model.ended);
        canceled.set(canceled.get() + model.canceled);
    });
    assert!(ended.get() > 20_000 && canceled.get() > 20_000, "{ended:?} {canceled:?}");
}
