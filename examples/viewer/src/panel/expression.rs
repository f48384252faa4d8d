//! Expressions in number fields: `1/3`, `-(1+2)^2`, `sqrt(2)/2`, `2*pi`, and changes of the current value:
//! `+=0.5`, `-=1`, `*=2`, `/=3`.

use egui::text::{CCursor, CCursorRange};
use egui::{DragValue, Response, TextEdit, Ui};
use std::cell::RefCell;

/// An evaluated expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Typed {
    /// A new value.
    Value(f64),
    /// A change of the current value.
    Change(Operator, f64),
}

/// The operation of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

const OPERATORS: [(&str, Operator); 4] =
    [("+=", Operator::Add), ("-=", Operator::Subtract), ("*=", Operator::Multiply), ("/=", Operator::Divide)];

impl Operator {
    /// Returns the operator as it is typed.
    pub(super) fn text(self) -> &'static str {
        OPERATORS.iter().find(|(_, operator)| *operator == self).map_or("", |(text, _)| *text)
    }

    /// Returns true if the operand has the unit of the value, and false if it is a factor.
    pub(super) fn has_unit(self) -> bool {
        matches!(self, Self::Add | Self::Subtract)
    }
}

impl Typed {
    /// Returns the new value for the current one. It is not finite if the result is too large.
    pub(super) fn apply(self, value: f64) -> f64 {
        match self {
            Self::Value(typed) => typed,
            Self::Change(Operator::Add, by) => value + by,
            Self::Change(Operator::Subtract, by) => value - by,
            Self::Change(Operator::Multiply, by) => value * by,
            Self::Change(Operator::Divide, by) => value / by,
        }
    }
}

/// The reason why a text is not a valid expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ExpressionError {
    /// The text ends before a number.
    #[error("a number is missing at the end")]
    Missing,
    /// The rest of the text cannot be parsed.
    #[error("unexpected `{0}`")]
    Unexpected(String),
    /// An unknown constant or function.
    #[error("unknown name `{0}`: use pi, tau, sqrt(), abs(), or sin(), cos(), tan() of degrees")]
    Unknown(String),
    /// A parenthesis is not closed.
    #[error("a ) is missing")]
    Unclosed,
    /// The nesting exceeds [`MAX_DEPTH`].
    #[error("too many nested parentheses and signs")]
    TooDeep,
    /// The result is not finite, such as 1/0, sqrt(-1) or 9^9^9.
    #[error("the result is not a number or too large")]
    NotFinite,
}

/// Maximum nesting depth.
const MAX_DEPTH: usize = 64;

/// Evaluates a typed text. White space is ignored.
pub(super) fn evaluate(text: &str) -> Result<Typed, ExpressionError> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(to_ascii_operator).collect();
    let found = OPERATORS.iter().find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)));
    let mut parser = Parser { rest: found.map_or(text.as_str(), |(_, rest)| rest), depth: 0 };
    let value = parser.sum()?;
    match (parser.rest.is_empty(), value.is_finite()) {
        (false, _) => Err(ExpressionError::Unexpected(parser.rest.to_owned())),
        (true, false) => Err(ExpressionError::NotFinite),
        (true, true) => match found {
            Some((Operator::Divide, _)) if value == 0.0 => Err(ExpressionError::NotFinite),
            Some((operator, _)) => Ok(Typed::Change(operator, value)),
            None => Ok(Typed::Value(value)),
        },
    }
}

/// Maps typographic operators to ASCII.
fn to_ascii_operator(c: char) -> char {
    match c {
        '−' => '-',
        '×' | '·' => '*',
        '÷' => '/',
        c => c,
    }
}

/// A recursive descent parser with one method per level of precedence, lowest first.
struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    /// Consumes a character if it is next. Returns true if so.
    fn eat(&mut self, character: char) -> bool {
        let rest = self.rest.strip_prefix(character);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Consumes `length` bytes, which must end at a character boundary.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> Result<f64, ExpressionError> {
        let mut sum = self.product()?;
        loop {
            if self.eat('+') {
                sum += self.product()?;
            } else if self.eat('-') {
                sum -= self.product()?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<f64, ExpressionError> {
        let mut product = self.signed()?;
        loop {
            if self.eat('*') {
                product *= self.signed()?;
            } else if self.eat('/') {
                product /= self.signed()?;
            } else {
                return Ok(product);
            }
        }
    }

    /// Parses a signed power. All nesting passes through this method, so it limits the depth.
    fn signed(&mut self) -> Result<f64, ExpressionError> {
        if self.depth == MAX_DEPTH {
            return Err(ExpressionError::TooDeep);
        }
        self.depth += 1;
        let value = if self.eat('-') {
            -self.signed()?
        } else if self.eat('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Parses a power. It binds more tightly than a sign before it (−2^2 is −4) and is right-associative
    /// (2^3^2 is 2^9).
    fn power(&mut self) -> Result<f64, ExpressionError> {
        let base = self.atom()?;
        if self.eat('^') { Ok(base.powf(self.signed()?)) } else { Ok(base) }
    }

    fn atom(&mut self) -> Result<f64, ExpressionError> {
        if self.eat('(') {
            let inside = self.sum()?;
            return if self.eat(')') { Ok(inside) } else { Err(self.unclosed()) };
        }
        let length = self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len());
        if length > 0 {
            return self.name(length);
        }
        let length = number_length(self.rest);
        let number = self.rest.get(..length).and_then(|number| number.parse().ok());
        match number {
            Some(number) => {
                self.take(length);
                Ok(number)
            }
            None if self.rest.is_empty() => Err(ExpressionError::Missing),
            None => Err(ExpressionError::Unexpected(self.rest.to_owned())),
        }
    }

    fn name(&mut self, length: usize) -> Result<f64, ExpressionError> {
        let name = self.take(length).to_lowercase();
        let function: fn(f64) -> f64 = match name.as_str() {
            "pi" | "π" => return Ok(std::f64::consts::PI),
            "tau" | "τ" => return Ok(std::f64::consts::TAU),
            "sqrt" => f64::sqrt,
            "abs" => f64::abs,
            "sin" => |degrees| degrees.to_radians().sin(),
            "cos" => |degrees| degrees.to_radians().cos(),
            "tan" => |degrees| degrees.to_radians().tan(),
            _ => return Err(ExpressionError::Unknown(name)),
        };
        if !self.eat('(') {
            return Err(ExpressionError::Unexpected(format!("{name}{}", self.rest)));
        }
        let inside = self.sum()?;
        if self.eat(')') { Ok(function(inside)) } else { Err(self.unclosed()) }
    }

    fn unclosed(&self) -> ExpressionError {
        match self.rest {
            "" => ExpressionError::Unclosed,
            rest => ExpressionError::Unexpected(rest.to_owned()),
        }
    }
}

/// Returns the length of the number at the start of a text. An `e` belongs to it only if digits follow.
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

/// Adds a field for the number `shown`. Dragging and the arrow keys change the number. A typed text does not:
/// it is returned once, if it differs from the number.
pub(super) fn add_field(ui: &mut Ui, shown: f64, field: DragValue<'_>) -> (Response, Option<String>) {
    let text = RefCell::new(None);
    let keep = |typed: &str| {
        *text.borrow_mut() = Some(typed.trim().to_owned());
        None
    };
    let response = ui.add(field.update_while_editing(false).custom_parser(keep));
    if response.clicked() {
        // Select all digits, because the field shows more of them now than before the click.
        let all = CCursorRange::two(CCursor::default(), CCursor::new(format!("{shown}").chars().count()));
        let mut state = TextEdit::load_state(ui.ctx(), response.id).unwrap_or_default();
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), response.id);
    }
    let Some(typed) = text.into_inner() else { return (response, None) };
    // A field that has lost the focus is parsed in that pass, and possibly again in the next one.
    let (pass, key) = (ui.ctx().cumulative_pass_nr(), response.id.with("typed"));
    let before = ui.data_mut(|data| {
        let before = data.get_temp::<u64>(key);
        data.insert_temp(key, pass);
        before
    });
    let is_repeated = before.is_some_and(|before| before + 1 >= pass);
    let typed = Some(typed).filter(|typed| !is_repeated && *typed != format!("{shown}"));
    (response, typed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn value(text: &str) -> f64 {
        match evaluate(text) {
            Ok(Typed::Value(value)) => value,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn expressions_have_expected_values() {
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
    fn assignment_operators_change_current_value() {
        for (text, wanted) in [("+=0.5", 8.5), ("-= 1", 7.0), ("*=2", 16.0), ("/=1/2", 16.0), ("+=-1", 7.0)] {
            let typed = evaluate(text).expect(text);
            assert!(matches!(typed, Typed::Change(..)), "{text}");
            assert_eq!(typed.apply(8.0), wanted, "{text}");
        }
    }

    #[test]
    fn invalid_expressions_give_reasons() {
        for (text, why) in [
            ("", "missing"),
            ("1+", "missing"),
            ("+=", "missing"),
            ("1,5", "`,5`"),
            ("2 pi", "`pi`"),
            ("hello", "unknown name `hello`"),
            ("inf", "unknown name `inf`"),
            ("NaN", "unknown name `nan`"),
            ("(1", ") is missing"),
            ("sqrt(2", ") is missing"),
            ("sqrt 2", "`sqrt2`"),
            ("1)", "`)`"),
            ("()", "`)`"),
            (".", "`.`"),
            ("1..2", "`.2`"),
            ("5e", "`e`"),
            ("1/0", "not a number"),
            ("0/0", "not a number"),
            ("sqrt(-1)", "not a number"),
            ("1e999", "too large"),
            ("9^9^9", "too large"),
            ("/=0", "not a number"),
            ("==1", "`==1`"),
        ] {
            let error = evaluate(text).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        for deep in ["(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000), "abs(".repeat(100_000)] {
            assert_eq!(evaluate(&deep), Err(ExpressionError::TooDeep));
        }
        assert_eq!(value(&format!("{}1", "1+".repeat(50_000))), 50_001.0, "length does not count as depth");
    }

    /// Generates an expression and its value.
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
        fn any_text_gives_finite_value_or_error(text in "\\PC{0,40}") {
            if let Ok(Typed::Value(value) | Typed::Change(_, value)) = evaluate(&text) {
                prop_assert!(value.is_finite());
            }
        }

        #[test]
        fn expression_like_text_does_not_panic(text in "[-+*/^().eπ0-9a ,=]{0,40}") {
            let _ = evaluate(&text);
        }

        #[test]
        fn nested_expressions_have_expected_values((text, wanted) in expression()) {
            match evaluate(&text) {
                Ok(typed) => prop_assert_eq!(typed, Typed::Value(wanted), "{}", text),
                Err(error) => prop_assert!(!wanted.is_finite(), "{}: {}", text, error),
            }
        }
    }
}
