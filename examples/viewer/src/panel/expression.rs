//! What can be typed into a field for a number: `1/3`, `-(1+2)^2`, `sqrt(2)/2`, `2*pi`; and from
//! the value that is there: `+=0.5`, `-=1`, `*=2`, `/=3`.

use egui::text::{CCursor, CCursorRange};
use egui::{DragValue, Response, TextEdit, Ui};
use std::cell::RefCell;

/// What was typed, worked out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Typed {
    /// This and nothing else.
    Value(f64),
    /// The value that is there, changed by this.
    From(Operator, f64),
}

/// How a value is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    CameraSource,
}

const OPERATORS: [(&str, Operator); 4] = [
    ("+=", Operator::Plus),
    ("-=", Operator::Minus),
    ("*=", Operator::Times),
    ("/=", Operator::CameraSource),
];

impl Operator {
    /// As it is typed.
    pub(super) fn text(self) -> &'static str {
        OPERATORS.iter().find(|(_, operator)| *operator == self).map_or("", |(text, _)| *text)
    }

    /// Whether what comes after it is of the value's own unit rather than a factor.
    pub(super) fn has_unit(self) -> bool {
        matches!(self, Self::Plus | Self::Minus)
    }
}

impl Typed {
    /// What becomes of a value. Not finite where the result is too large.
    pub(super) fn of(self, value: f64) -> f64 {
        match self {
            Self::Value(typed) => typed,
            Self::From(Operator::Plus, by) => value + by,
            Self::From(Operator::Minus, by) => value - by,
            Self::From(Operator::Times, by) => value * by,
            Self::From(Operator::CameraSource, by) => value / by,
        }
    }
}

/// Why a text is no number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ExpressionError {
    /// The text ends where a number should be.
    #[error("a number is missing at the end")]
    Missing,
    /// From here on it says nothing.
    #[error("cannot make sense of `{0}`")]
    Odd(String),
    /// A word that is none of ours.
    #[error("`{0}` is not known: there are pi, tau, sqrt(), abs(), and sin(), cos(), tan() of degrees")]
    Unknown(String),
    /// A parenthesis without its end.
    #[error("a ) is missing")]
    Open,
    /// More than [`DEPTH`].
    #[error("too many parentheses and signs inside each other")]
    Deep,
    /// 1/0, sqrt(-1), 9^9^9.
    #[error("that is no number, or too large a one")]
    NotFinite,
}

/// So many things may stand inside each other.
const DEPTH: usize = 64;

/// Works out what was typed. Spaces do not count.
pub(super) fn read(text: &str) -> Result<Typed, ExpressionError> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(plain).collect();
    let found = OPERATORS.iter().find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)));
    let mut reader = Reader { rest: found.map_or(text.as_str(), |(_, rest)| rest), depth: 0 };
    let value = reader.sum()?;
    match (reader.rest.is_empty(), value.is_finite()) {
        (false, _) => Err(ExpressionError::Odd(reader.rest.to_owned())),
        (true, false) => Err(ExpressionError::NotFinite),
        (true, true) => match found {
            Some((Operator::CameraSource, _)) if value == 0.0 => Err(ExpressionError::NotFinite),
            Some((operator, _)) => Ok(Typed::From(operator, value)),
            None => Ok(Typed::Value(value)),
        },
    }
}

/// The signs that keyboards and other texts have for the same thing.
fn plain(c: char) -> char {
    match c {
        '−' => '-',
        '×' | '·' => '*',
        '÷' => '/',
        c => c,
    }
}

/// Reads from the front. Each level of the grammar is a function, the loosest first.
struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Takes a sign, if it is next.
    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes so many bytes, which end at the end of a character.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> Result<f64, ExpressionError> {
        let mut sum = self.product()?;
        loop {
            if self.takes('+') {
                sum += self.product()?;
            } else if self.takes('-') {
                sum -= self.product()?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<f64, ExpressionError> {
        let mut product = self.signed()?;
        loop {
            if self.takes('*') {
                product *= self.signed()?;
            } else if self.takes('/') {
                product /= self.signed()?;
            } else {
                return Ok(product);
            }
        }
    }

    /// Whatever is inside something else comes through here.
    fn signed(&mut self) -> Result<f64, ExpressionError> {
        if self.depth == DEPTH {
            return Err(ExpressionError::Deep);
        }
        self.depth += 1;
        let value = if self.takes('-') {
            -self.signed()?
        } else if self.takes('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Binds more tightly than the sign before it: −2^2 is −4. From the right: 2^3^2 is 2^9.
    fn power(&mut self) -> Result<f64, ExpressionError> {
        let base = self.atom()?;
        if self.takes('^') { Ok(base.powf(self.signed()?)) } else { Ok(base) }
    }

    fn atom(&mut self) -> Result<f64, ExpressionError> {
        if self.takes('(') {
            let inside = self.sum()?;
            return if self.takes(')') { Ok(inside) } else { Err(self.unclosed()) };
        }
        let word = self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len());
        if word > 0 {
            return self.word(word);
        }
        let length = number_length(self.rest);
        let number = self.rest.get(..length).and_then(|number| number.parse().ok());
        match number {
            Some(number) => {
                self.take(length);
                Ok(number)
            }
            None if self.rest.is_empty() => Err(ExpressionError::Missing),
            None => Err(ExpressionError::Odd(self.rest.to_owned())),
        }
    }

    fn word(&mut self, length: usize) -> Result<f64, ExpressionError> {
        let word = self.take(length).to_lowercase();
        let function: fn(f64) -> f64 = match word.as_str() {
            "pi" | "π" => return Ok(std::f64::consts::PI),
            "tau" | "τ" => return Ok(std::f64::consts::TAU),
            "sqrt" => f64::sqrt,
            "abs" => f64::abs,
            "sin" => |degrees| degrees.to_radians().sin(),
            "cos" => |degrees| degrees.to_radians().cos(),
            "tan" => |degrees| degrees.to_radians().tan(),
            _ => return Err(ExpressionError::Unknown(word)),
        };
        if !self.takes('(') {
            return Err(ExpressionError::Odd(format!("{word}{}", self.rest)));
        }
        let inside = self.sum()?;
        if self.takes(')') { Ok(function(inside)) } else { Err(self.unclosed()) }
    }

    fn unclosed(&self) -> ExpressionError {
        match self.rest {
            "" => ExpressionError::Open,
            rest => ExpressionError::Odd(rest.to_owned()),
        }
    }
}

/// How long the number is that a text begins with; an `e` belongs to it where digits follow.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if let Some(b'e' | b'E') = bytes.get(length) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits((length + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// Adds a field for a number, `shown`, that has every digit while it has the keys. What is typed
/// into it does not change the number but is handed back, once, unless it is what was there;
/// dragging and the arrow keys do.
pub(super) fn add_field(ui: &mut Ui, shown: f64, field: DragValue<'_>) -> (Response, Option<String>) {
    let text = RefCell::new(None);
    let keep = |typed: &str| {
        *text.borrow_mut() = Some(typed.trim().to_owned());
        None
    };
    let response = ui.add(field.update_while_editing(false).custom_parser(keep));
    if response.clicked() {
        // What is typed next takes the place of all digits, not only of those that were shown.
        let all = CCursorRange::two(CCursor::default(), CCursor::new(format!("{shown}").chars().count()));
        let mut state = TextEdit::load_state(ui.ctx(), response.id).unwrap_or_default();
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), response.id);
    }
    let Some(typed) = text.into_inner() else { return (response, None) };
    // A field that has lost the keys is read in that pass, and may be in the next one again.
    let (pass, key) = (ui.ctx().cumulative_pass_nr(), response.id.with("typed"));
    let before = ui.data_mut(|data| {
        let before = data.get_temp::<u64>(key);
        data.insert_temp(key, pass);
        before
    });
    let is_again = before.is_some_and(|before| before + 1 >= pass);
    let typed = Some(typed).filter(|typed| !is_again && *typed != format!("{shown}"));
    (response, typed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn value(text: &str) -> f64 {
        match read(text) {
            Ok(Typed::Value(value)) => value,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn expressions_are_what_they_are_on_paper() {
        let third = 1.0 / 3.0;
        for (text, wanted) in [
            ("1/3", third),
            (" - 2.5 ", -2.5),
            ("2*pi", std::f64::consts::TAU),
            ("τ - 2*π", 0.0),
            ("sqrt(2)/2", 2f64.sqrt() / 2.0),
            ("-(1+2)^2", -9.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("90/4", 22.5),
            ("10-4-3", 3.0),
            ("64/4/2", 8.0),
            ("1+2*3", 7.0),
            ("--3", 3.0),
            ("2*-3", -6.0),
            (".5+5.", 5.5),
            ("1e3 + 2E-1", 1000.2),
            ("1 000", 1000.0),
            ("−4×2÷8", -1.0),
            ("abs(-3)*SIN(30)", 3.0 * 30f64.to_radians().sin()),
            ("cos(60)+tan(45)", 60f64.to_radians().cos() + 45f64.to_radians().tan()),
        ] {
            assert_eq!(value(text), wanted, "{text}");
        }
    }

    #[test]
    fn what_begins_with_an_operator_and_equals_goes_from_the_value_there() {
        for (text, wanted) in [("+=0.5", 8.5), ("-= 1", 7.0), ("*=2", 16.0), ("/=1/2", 16.0), ("+=-1", 7.0)] {
            let typed = read(text).expect(text);
            assert!(matches!(typed, Typed::From(..)), "{text}");
            assert_eq!(typed.of(8.0), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_says_why() {
        for (text, why) in [
            ("", "missing"),
            ("1+", "missing"),
            ("+=", "missing"),
            ("1,5", "`,5`"),
            ("2 pi", "`pi`"),
            ("hello", "`hello` is not known"),
            ("inf", "`inf` is not known"),
            ("NaN", "`nan` is not known"),
            ("(1", ") is missing"),
            ("sqrt(2", ") is missing"),
            ("sqrt 2", "`sqrt2`"),
            ("1)", "`)`"),
            ("()", "`)`"),
            (".", "`.`"),
            ("1..2", "`.2`"),
            ("5e", "`e`"),
            ("1/0", "no number"),
            ("0/0", "no number"),
            ("sqrt(-1)", "no number"),
            ("1e999", "too large"),
            ("9^9^9", "too large"),
            ("/=0", "no number"),
            ("==1", "`==1`"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        for deep in ["(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000), "abs(".repeat(100_000)] {
            assert_eq!(read(&deep), Err(ExpressionError::Deep));
        }
        assert_eq!(value(&format!("{}1", "1+".repeat(50_000))), 50_001.0, "long is not deep");
    }

    /// An expression and what it comes to.
    fn expression() -> impl Strategy<Value = (String, f64)> {
        let number = (-1e3..1e3).prop_map(|number: f64| (format!("({number})"), number));
        number.prop_recursive(5, 64, 2, |inside| {
            (inside.clone(), inside, 0..6).prop_map(|((a, x), (b, y), sign)| match sign {
                0 => (format!("({a}+{b})"), x + y),
                1 => (format!("({a} - {b})"), x - y),
                2 => (format!("({a}*{b})"), x * y),
                3 => (format!("({a}/({b}))"), x / y),
                4 => (format!("(-{a}^2)"), -x.powf(std::hint::black_box(2.0))),
                _ => (format!("abs({a})"), x.abs()),
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 1000,
            rng_seed: RngSeed::Fixed(1),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn nothing_that_is_typed_panics_and_what_comes_of_it_is_finite(text in "\\PC{0,40}") {
            if let Ok(Typed::Value(value) | Typed::From(_, value)) = read(&text) {
                prop_assert!(value.is_finite());
            }
        }

        #[test]
        fn nothing_that_looks_like_an_expression_panics(text in "[-+*/^().eπ0-9a ,=]{0,40}") {
            let _ = read(&text);
        }

        #[test]
        fn expressions_are_worked_out_from_inside((text, wanted) in expression()) {
            match read(&text) {
                Ok(typed) => prop_assert_eq!(typed, Typed::Value(wanted), "{}", text),
                Err(error) => prop_assert!(!wanted.is_finite(), "{}: {}", text, error),
            }
        }
    }
}
