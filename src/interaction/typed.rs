use super::key::Key;
use std::fmt::Write;

/// The maximum length of the text: far more than a person types, and allocated once.
const MAX_LENGTH: usize = 64;
const SEPARATOR: &str = ", ";

/// The text that is typed in a drag: one number, or two with a comma between them.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    text: String,
}

impl Typed {
    pub(crate) fn new() -> Self {
        Self { text: String::with_capacity(MAX_LENGTH) }
    }

    /// Deletes the text.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }

    /// Returns the text, if anything is typed.
    pub(crate) fn text(&self) -> Option<&str> {
        (!self.text.is_empty()).then_some(&self.text)
    }

    /// Returns the numbers, if at least one has a digit. A number without a digit is `rest`.
    pub(crate) fn numbers(&self, rest: [f64; 2]) -> Option<[f64; 2]> {
        if self.text.is_empty() {
            return None;
        }
        let mut fields = self.text.split(SEPARATOR).map(|field| field.parse::<f64>().ok());
        let first = fields.next().flatten();
        let second = fields.next().flatten();
        if first.is_none() && second.is_none() {
            return None;
        }
        Some([first.unwrap_or(rest[0]), second.unwrap_or(rest[1])])
    }

    /// Handles a key, and returns true if it edits the text. `fields` is the count of numbers that the handle
    /// takes.
    pub(crate) fn take(&mut self, key: Key, fields: usize) -> bool {
        let has_capacity = self.text.len() < MAX_LENGTH - 4;
        match key {
            Key::Digit(digit) if has_capacity => self.text.push(char::from(b'0' + digit.min(9))),
            Key::Point if has_capacity && !self.field().contains('.') => self.text.push('.'),
            Key::Minus if has_capacity => {
                let start = self.text.len() - self.field().len();
                if self.field().starts_with('-') {
                    self.text.remove(start);
                } else {
                    self.text.insert(start, '-');
                }
            }
            Key::Tab if has_capacity && self.text.split(SEPARATOR).count() < fields => {
                self.text.push_str(SEPARATOR);
            }
            Key::Backspace if self.text.ends_with(SEPARATOR) => {
                self.text.truncate(self.text.len() - SEPARATOR.len());
            }
            Key::Backspace => {
                self.text.pop();
            }
            Key::Digit(_) | Key::Point | Key::Minus | Key::Tab => {}
            _ => return false,
        }
        true
    }

    /// Replaces the text by the first `fields` numbers.
    pub(crate) fn set(&mut self, numbers: [f64; 2], fields: usize) {
        self.text.clear();
        for (i, number) in numbers.iter().take(fields).enumerate() {
            if i > 0 {
                self.text.push_str(SEPARATOR);
            }
            // Twelve digits hide the rounding of sums of tenths.
            let written = write!(self.text, "{}", rounded(*number));
            debug_assert!(written.is_ok(), "writing to a String cannot fail");
        }
        // A number this long is not a useful position, and could not be edited.
        if self.text.len() > MAX_LENGTH {
            self.text.clear();
        }
    }

    fn field(&self) -> &str {
        self.text.rsplit(SEPARATOR).next().unwrap_or_default()
    }
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

    fn typed(keys: &str, fields: usize) -> Typed {
        let mut typed = Typed::new();
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
    fn typed_text_parses_as_written() {
        for (keys, number) in [
            ("-2.5", -2.5),
            (".5", 0.5),
            ("2-", -2.0),
            ("1-2-", 12.0),
            ("12<", 1.0),
            ("1..5", 1.5),
            ("7>8", 78.0),
        ] {
            assert_eq!(typed(keys, 1).numbers([0.0; 2]), Some([number, 0.0]), "{keys}");
        }
        assert_eq!(typed("1>-2", 2).numbers([0.0; 2]), Some([1.0, -2.0]));
        assert_eq!(typed(">3", 2).numbers([0.0; 2]), Some([0.0, 3.0]));
        assert_eq!(typed("1>3<<", 2).text(), Some("1"));
    }

    #[test]
    fn text_without_digit_is_not_number() {
        for keys in ["", "-", ".", "-.", "5<", ">"] {
            assert_eq!(typed(keys, 2).numbers([0.0; 2]), None, "{keys}");
        }
        assert_eq!(typed("5<", 1).text(), None);
    }

    #[test]
    fn sums_of_tenths_are_written_as_tenths() {
        let mut typed = Typed::new();
        typed.set([0.1 + 0.2, -0.7 - 0.1], 2);
        assert_eq!(typed.text(), Some("0.3, -0.8"));
        typed.set([f64::NAN, 1e300], 2);
        assert!(typed.text().is_none_or(|text| text.len() <= MAX_LENGTH));
    }

    #[test]
    fn endless_typing_keeps_text_bounded() {
        let mut typed = Typed::new();
        for _ in 0..1000 {
            typed.take(Key::Digit(9), 1);
            typed.take(Key::Tab, 2);
        }
        assert!(typed.text.capacity() <= MAX_LENGTH && typed.numbers([0.0; 2]).is_some());
    }
}
