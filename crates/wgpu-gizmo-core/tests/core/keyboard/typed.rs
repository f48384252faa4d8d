//! Typed numbers and nudges (§11 of docs/spec.md).

use crate::prelude::*;
use wgpu_gizmo_core::interaction::expression::{Quantity, evaluate};

/// Types characters that [`press`] reads as arrows, too.
fn type_text(stage: &mut Stage, text: &str) {
    for key in text.chars().filter_map(Key::from_char) {
        stage.gizmo.key(key, KeyModifiers::NONE);
    }
    stage.update();
}

#[test]
fn typed_expression_moves_by_its_value() {
    let moved = |text: &str, meters_per_unit: f64| {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.gizmo.settings.input.meters_per_unit = meters_per_unit;
        assert_eq!(stage.keys(&format!("x{text}!")).last(), Some(&Event::Ended { changed: true }));
        stage.local().translation
    };
    for (text, by) in [("25cm", 0.25), ("1/4", 0.25), ("1,5", 1.5), ("2*3", 6.0), ("-(1+1) m", -2.0)] {
        assert_eq!(moved(text, 1.0), DVec3::X * by, "{text}");
    }
    assert_eq!(moved("25cm", 0.01), DVec3::X * 25.0);
    assert_eq!(moved("25", 0.01), DVec3::X * 25.0);
    for invalid in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        assert_eq!(moved("25cm", invalid), DVec3::X * 0.25, "{invalid}");
    }

    for (text, degrees) in [("30deg", 30.0), ("30°", 30.0), ("1/4turn", 90.0), ("90/3", 30.0)] {
        let mut stage = Stage::of_mode(Mode::Rotate);
        stage.keys("z");
        type_text(&mut stage, text);
        let shown = stage.draw().readouts().next().map(|readout| readout.text.to_owned());
        let unit = if text == "90/3" { "°" } else { "" };
        assert_eq!(shown, Some(format!("Z {text}{unit}")));
        stage.keys("!");
        assert_eq!(stage.gizmo.last_drag().map(|drag| drag.numbers()[0]), Some(f64::to_radians(degrees)));
    }
    let mut stage = Stage::of_mode(Mode::Scale);
    stage.keys("y50%!");
    assert_eq!(stage.local().scale, DVec3::new(1.0, 0.5, 1.0));
}

#[test]
fn letters_belong_to_number_once_it_is_begun() {
    let letter = Key::Char('m');
    let mut stage = Stage::of_mode(Mode::Translate);
    assert!(!stage.gizmo.uses_key(letter) && !stage.gizmo.uses_key(Key::Digit(2)));
    assert!(stage.gizmo.uses_key(Key::Axis(Axis::X)));
    stage.keys("x");
    assert!(!stage.gizmo.uses_key(letter) && stage.gizmo.uses_key(Key::Digit(2)));
    stage.gizmo.key(Key::Digit(2), KeyModifiers::NONE);
    assert!(stage.gizmo.uses_key(letter), "the digit is queued");
    stage.update();
    assert!(stage.gizmo.uses_key(letter), "the digit is typed");
    // An axis key stays one.
    stage.keys("y");
    assert_eq!(stage.local().translation, DVec3::Y * 2.0);
}

/// The pointer gives nothing along an axis toward the viewer, so only keys move the target along it.
#[test]
fn nudges_add_up_on_axis_seen_end_on() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.shot = views::ALL[0].shot(&Camera::at(DVec3::Z * 6.0));
    let tip = stage.at(DVec3::X * 0.7);
    stage.grab(tip);
    stage.point_at(tip + DVec2::new(40.0, 3.0));
    let pointed = stage.local().translation;
    let mut after = |keys: &str| {
        stage.keys(keys);
        stage.local().translation
    };
    assert_eq!(after("rz"), DVec3::Z * 0.5, "the nudge stays");
    assert_eq!(after("rr"), DVec3::Z * 1.5);
    assert!((after("x") - pointed - DVec3::X * 1.5).length() < 1e-12);
    assert_eq!(after("z2"), DVec3::Z * 2.0);
    assert_eq!(after("<"), DVec3::ZERO, "nothing is typed");
    assert_eq!(after("r"), DVec3::Z * 0.5);
    assert_eq!(after("<Zr>2u"), DVec3::Y * 2.5, "numbers replace the nudges before them");
}

#[test]
fn held_axis_key_does_not_cycle() {
    let mut stage = Stage::of_mode(Mode::Translate);
    stage.keys("x");
    let repeated = KeyModifiers { repeat: true, ..KeyModifiers::NONE };
    for _ in 0..5 {
        stage.gizmo.key(Key::Axis(Axis::X), repeated);
        stage.gizmo.key(Key::Right, repeated);
    }
    stage.update();
    assert_eq!(stage.gizmo.dragging(), Some(handle("translate_x")));
    assert_eq!(stage.local().translation, DVec3::X * 2.5, "an arrow key nudges again");
}

/// A model of typed numbers, written from docs/spec.md.
#[derive(Debug)]
struct Expected {
    text: String,
    /// Whether nudges have led to the text.
    is_nudged: bool,
    /// In typed units.
    numbers: Vec<f64>,
}

impl Expected {
    /// Edits the text. Returns false if the key is none of a number.
    fn take(&mut self, key: Key) -> bool {
        let character = match key {
            Key::Tab => {
                if self.text.split("; ").count() < self.numbers.len() {
                    self.text.push_str("; ");
                    self.is_nudged = false;
                }
                return true;
            }
            Key::Backspace => {
                let separator = self.text.strip_suffix("; ").map(str::len);
                let shorter = self.text.char_indices().last().map_or(0, |(index, _)| index);
                let length = if self.is_nudged { 0 } else { separator.unwrap_or(shorter) };
                self.text.truncate(length);
                self.is_nudged = false;
                return true;
            }
            Key::Digit(digit) => char::from(b'0' + digit),
            Key::Point => '.',
            Key::Minus => '-',
            Key::Char(letter) if letter.is_alphabetic() && (self.is_nudged || self.text.is_empty()) => {
                return false;
            }
            Key::Char(character) => character,
            _ => unreachable!("{key:?} edits no text"),
        };
        if std::mem::take(&mut self.is_nudged) {
            self.text.clear();
        }
        self.text.push(character);
        true
    }

    /// Reads the numbers of the text: 0 where there is none yet, and everywhere if a part is not a number.
    fn read(&mut self, quantity: Quantity) {
        let mut fields = self.text.split("; ").map(|field| match field.trim_start_matches(['-', '+']) {
            "" | "." => Ok(0.0),
            _ => evaluate(field, quantity),
        });
        let read: Result<Vec<f64>, _> =
            self.numbers.iter().map(|_| fields.next().unwrap_or(Ok(0.0))).collect();
        self.numbers = read.unwrap_or_else(|_| vec![0.0; self.numbers.len()]);
    }
}

#[test]
fn keys_edit_text_and_nudges_add_to_its_numbers() {
    let length = Quantity::Length { meters_per_unit: 1.0 };
    let handles =
        [("translate_x", length, 0.5), ("translate_yz", length, 0.5), ("rotate_z", Quantity::Angle, 15.0)];
    let characters = [Key::Point, Key::Minus, Key::Char('*'), Key::Char('c'), Key::Char('m')];
    let arrows = [(Key::Left, -1.0), (Key::Right, 1.0), (Key::Down, -1.0), (Key::Up, 1.0)];
    let settings = Settings::default().with(|s| s.motion.max_distance = Some(f64::MAX));
    let mut nudges_after_text = 0;
    cases(3_000, |rng| {
        let (name, quantity, increment) = handles[rng.usize(..3)];
        let stage = Stage::of_mode(Mode::Translate);
        let drag = Drag::begin_by_keys(handle(name), &stage.shot.view, &stage.targets, &settings, Snap::OFF);
        let mut drag = drag.expect("the handle is usable");
        let numbers = vec![0.0; drag.numbers().len()];
        let mut expected = Expected { text: String::new(), is_nudged: false, numbers };
        let mut keys = Vec::new();
        for _ in 0..12 {
            let arrow = rng.usize(..4);
            let key = match rng.u8(..8) {
                0..=2 => Key::Digit(rng.u8(1..10)),
                3 => characters[rng.usize(..characters.len())],
                4 => Key::Backspace,
                5 => Key::Tab,
                _ => arrows[arrow].0,
            };
            keys.push(key);
            let is_used = drag.key(key, Snap::OFF);
            if key == arrows[arrow].0 {
                let field = if arrow < 2 { 0 } else { expected.numbers.len() - 1 };
                nudges_after_text += u32::from(expected.numbers[field] != 0.0);
                expected.numbers[field] += arrows[arrow].1 * increment;
                expected.is_nudged = true;
                expected.text = drag.typed().expect("nudged numbers are shown").to_owned();
                let shown =
                    expected.text.split("; ").map(|field| evaluate(field, quantity).expect("a number"));
                assert_same(&shown.collect::<Vec<_>>(), &expected.numbers, &keys);
            } else {
                assert_eq!(is_used, expected.take(key), "{keys:?}");
                if !expected.is_nudged {
                    expected.read(quantity);
                }
            }
            assert_eq!(drag.typed().unwrap_or_default(), expected.text, "{keys:?}");
            let is_angle = quantity == Quantity::Angle;
            let numbers =
                drag.numbers().iter().map(|number| if is_angle { number.to_degrees() } else { *number });
            assert_same(&numbers.collect::<Vec<_>>(), &expected.numbers, &keys);
        }
    });
    assert!(nudges_after_text > 3_000, "{}", nudges_after_text);
}

fn assert_same(numbers: &[f64], expected: &[f64], keys: &[Key]) {
    // Texts have twelve digits.
    let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-11 * b.abs().max(1.0);
    let are_same = numbers.len() == expected.len() && numbers.iter().zip(expected).all(is_same);
    assert!(are_same, "{numbers:?} for {expected:?} after {keys:?}");
}

#[test]
fn long_text_ends_with_ellipsis_within_64_bytes() {
    for character in ["1", "é"] {
        let mut stage = Stage::of_mode(Mode::Translate);
        stage.keys("x1");
        for _ in 0..80 {
            stage.keys(character);
        }
        let drag = stage.gizmo.drag().expect("a drag is in progress");
        let typed = drag.typed().expect("there is a text");
        assert!(typed.ends_with('…') && typed.matches('…').count() == 1, "{typed}");
        assert!((63..=64).contains(&typed.len()), "{}", typed.len());
        assert!(drag.is_typed_refused());
        let list = stage.draw();
        assert!(list.readouts().any(|readout| readout.text.ends_with("(not a number)")));
    }
}

/// A driven multiple of the increment keeps its bits, although the product of steps and increment differs.
#[test]
fn driven_multiple_of_increment_keeps_bits() {
    let increment = 0.1;
    let product = |x: f64| (x / increment).round() * increment;
    let odd: Vec<f64> = (1..100_000).map(|i| f64::from(i) / 10.0).filter(|x| product(*x) != *x).collect();
    for wanted in [odd[0], odd[odd.len() / 2], odd[odd.len() - 1]] {
        for (amount, expected) in [(wanted, wanted), (wanted + 0.04, product(wanted))] {
            let mut stage = Stage::of_mode(Mode::Translate);
            stage.gizmo.settings.snap.increments.translate = Increment::new(increment);
            stage.drive("translate_x", amount);
            assert_eq!(stage.local().translation.x, expected, "{amount}");
        }
    }
}
