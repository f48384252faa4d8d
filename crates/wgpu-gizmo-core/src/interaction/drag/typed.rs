use crate::interaction::expression::{Quantity, evaluate};
use crate::interaction::key::Key;
use std::fmt::Write;

/// The maximum length of the text: far more than a person types, and allocated once.
const MAX_LENGTH: usize = 64;
const SEPARATOR: &str = "; ";
/// Replaces the characters past the maximum length, so that the text is not a number.
const TOO_LONG: char = '…';

/// The numbers that keys and the wheel enter in a drag: typed text, and nudges on top of it or of the pointer's
/// number. Numbers are in typed units: world units, degrees or factors.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    quantity: Quantity,
    /// One expression, or two with a semicolon between them.
    text: String,
    /// Whether the text only shows what nudges have led to, and is replaced by the next character.
    is_shown: bool,
    /// The numbers that were typed before the nudges.
    before: Option<[f64; 2]>,
    nudged: Nudged,
}

/// The sum of nudges. Nudges of one size are counted, so that their sum is a multiple of the size.
#[derive(Debug, Clone, Copy, Default)]
struct Nudged {
    /// The sum of nudges of other sizes.
    others: [f64; 2],
    size: f64,
    counts: [f64; 2],
}

impl Nudged {
    fn total(&self) -> [f64; 2] {
        [0, 1].map(|i| self.others[i] + self.counts[i] * self.size)
    }

    fn add(&mut self, counts: [f64; 2], size: f64) {
        if size != self.size {
            *self = Self { others: self.total(), size, counts: [0.0; 2] };
        }
        self.counts = [0, 1].map(|i| self.counts[i] + counts[i]);
    }
}

impl Typed {
    pub(crate) fn new(quantity: Quantity) -> Self {
        Self {
            quantity,
            text: String::with_capacity(MAX_LENGTH),
            is_shown: false,
            before: None,
            nudged: Nudged::default(),
        }
    }

    /// Deletes the text and the nudges.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        (self.is_shown, self.before, self.nudged) = (false, None, Nudged::default());
    }

    /// Returns the text, if there is any: what was typed, or the numbers after nudges.
    pub(crate) fn text(&self) -> Option<&str> {
        (!self.text.is_empty()).then_some(&self.text)
    }

    /// Returns true once a character of a number is typed. After nudges the next one begins another number.
    pub(crate) fn is_begun(&self) -> bool {
        !self.text.is_empty() && !self.is_shown
    }

    /// Returns true if the text is not a number, and does not become one with more digits.
    pub(crate) fn is_refused(&self) -> bool {
        let may_be_number = |field: &str| {
            let is_begun = matches!(field.strip_prefix(['-', '+']).unwrap_or(field), "" | ".");
            is_begun || evaluate(field, self.quantity).is_ok()
        };
        !self.text.is_empty() && !self.text.split(SEPARATOR).all(may_be_number)
    }

    /// Returns the numbers that were typed, with `rest` for a second or first one without a digit. `None` if the
    /// text is not a number.
    fn parsed(&self, rest: [f64; 2]) -> Option<[f64; 2]> {
        // Most drags have no text.
        if self.text.is_empty() || self.is_refused() {
            return None;
        }
        let mut fields = self.text.split(SEPARATOR).map(|field| evaluate(field, self.quantity).ok());
        let first = fields.next().flatten();
        let second = fields.next().flatten();
        (first.is_some() || second.is_some()).then(|| [first.unwrap_or(rest[0]), second.unwrap_or(rest[1])])
    }

    /// Returns the numbers that replace those of the pointer, if there are any: typed numbers with the nudges
    /// after them. Nudges start from `held` if the pointer cannot change the number.
    pub(crate) fn numbers(&self, rest: [f64; 2], held: Option<[f64; 2]>) -> Option<[f64; 2]> {
        if !self.is_shown {
            return self.parsed(rest);
        }
        let nudged = self.nudges();
        let before = self.before.or(held)?;
        Some([0, 1].map(|i| before[i] + nudged[i]))
    }

    /// Returns the sum of the nudges since the last typed number.
    pub(crate) fn nudges(&self) -> [f64; 2] {
        self.nudged.total()
    }

    /// Handles a key, and returns true if it edits the text. `fields` is the count of numbers that the handle
    /// takes.
    pub(crate) fn take(&mut self, key: Key, fields: usize) -> bool {
        let character = match key {
            Key::Digit(digit) => char::from(b'0' + digit.min(9)),
            Key::Point => '.',
            Key::Minus => '-',
            // Until a number is begun, letters and spaces belong to the host.
            Key::Char(character) if self.is_begun() || is_part_of_number(character) => character,
            Key::Tab => {
                if self.text.split(SEPARATOR).count() < fields {
                    // The shown numbers count as typed from now on.
                    (self.is_shown, self.before, self.nudged) = (false, None, Nudged::default());
                    self.push_str(SEPARATOR);
                }
                return true;
            }
            Key::Backspace => {
                self.delete_last();
                return true;
            }
            _ => return false,
        };
        if self.is_shown {
            self.clear();
        }
        self.push_str(character.encode_utf8(&mut [0; 4]));
        true
    }

    fn push_str(&mut self, text: &str) {
        if self.text.len() + text.len() + TOO_LONG.len_utf8() <= MAX_LENGTH {
            self.text.push_str(text);
        } else if !self.text.ends_with(TOO_LONG) {
            self.text.push(TOO_LONG);
        }
    }

    fn delete_last(&mut self) {
        if self.is_shown {
            self.clear();
        } else if self.text.ends_with(SEPARATOR) {
            self.text.truncate(self.text.len() - SEPARATOR.len());
        } else {
            self.text.pop();
        }
    }

    /// Adds nudges of one size to the typed numbers, or else to the number without them.
    pub(crate) fn nudge(&mut self, counts: [f64; 2], size: f64, rest: [f64; 2]) {
        if !self.is_shown {
            self.before = self.parsed(rest);
            self.is_shown = true;
        }
        self.text.clear();
        self.nudged.add(counts, size);
    }

    /// Shows the first `fields` numbers if nudges have led to them.
    pub(crate) fn show(&mut self, numbers: [f64; 2], fields: usize) {
        if !self.is_shown {
            return;
        }
        self.text.clear();
        for (i, number) in numbers.iter().take(fields).enumerate() {
            let separator = if i > 0 { SEPARATOR } else { "" };
            // Twelve digits hide the rounding of sums of tenths.
            let written = write!(self.text, "{separator}{}", rounded(*number));
            debug_assert!(written.is_ok(), "writing to a String cannot fail");
        }
        // A number this long is of no use to a reader.
        if self.text.len() > MAX_LENGTH {
            self.text.clear();
        }
    }
}

/// Returns true if a character can begin an expression.
fn is_part_of_number(character: char) -> bool {
    !character.is_alphabetic() && !character.is_whitespace()
}

/// Rounds to twelve significant digits.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let digits = 11 - number.abs().log10().floor() as i32;
    // Powers of ten past 22 are not exact, so numbers that small or large are not rounded.
    match digits {
        0..=22 => {
            let unit = 10f64.powi(digits);
            (number * unit).round() / unit
        }
        _ => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty() -> Typed {
        Typed::new(Quantity::Length { meters_per_unit: 1.0 })
    }

    fn typed(keys: &str, fields: usize) -> Typed {
        let mut typed = empty();
        for character in keys.chars() {
            let key = match character {
                '<' => Key::Backspace,
                '>' => Key::Tab,
                other => Key::from_char(other).expect("the character is a key"),
            };
            assert!(typed.take(key, fields));
        }
        typed
    }

    #[test]
    fn text_that_is_not_understood_is_refused() {
        for keys in
            ["1e3", "1..5", "1.2,3", "2-", "--2", "(1", "50%", "1 2", "25c", "2*", "9deg", "1/0", "1inf"]
        {
            let typed = typed(keys, 2);
            assert_eq!((typed.numbers([0.0; 2], None), typed.is_refused()), (None, true), "{keys}");
            assert_eq!(typed.text(), Some(&*keys.replace(',', ".")), "no character is skipped");
        }
    }

    #[test]
    fn sums_of_tenths_are_written_as_tenths() {
        let mut typed = Typed { is_shown: true, ..empty() };
        typed.show([0.1 + 0.2, -0.7 - 0.1], 2);
        assert_eq!(typed.text(), Some("0.3; -0.8"));
        typed.show([f64::NAN, 1e300], 2);
        assert!(typed.text().is_none_or(|text| text.len() <= MAX_LENGTH));
    }

    #[test]
    fn endless_typing_keeps_text_bounded() {
        let mut typed = empty();
        for _ in 0..1000 {
            typed.take(Key::Digit(9), 1);
            typed.take(Key::Tab, 2);
        }
        assert!(typed.text.capacity() <= MAX_LENGTH && typed.is_refused());
    }
}
