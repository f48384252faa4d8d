//! Expressions in number fields: `1/3`, `-(1+2)^2`, `sqrt(2)/2`, `2*pi`, and changes of the current value:
//! `+=0.5`, `-=1`, `*=2`, `/=3`. A product can have a unit: `25 mm`, `1/2 in`, `0.5 rad`, `150%`.

use super::number::Channel;
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

/// The units of lengths, and their sizes in meters. One unit of the scene is a meter.
const LENGTHS: [(&str, f64); 8] = [
    ("um", 1e-6),
    ("µm", 1e-6),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("m", 1.0),
    ("km", 1e3),
    ("in", 0.0254),
    ("ft", 0.3048),
];
/// The units of angles, and their sizes in degrees.
const ANGLES: [(&str, f64); 3] = [("°", 1.0), ("deg", 1.0), ("rad", 180.0 / std::f64::consts::PI)];
/// The units of factors.
const FACTORS: [(&str, f64); 1] = [("%", 0.01)];

/// Returns the units that a channel can be typed in.
fn units(channel: Channel) -> &'static [(&'static str, f64)] {
    match channel {
        Channel::Translate => &LENGTHS,
        Channel::Rotate => &ANGLES,
        Channel::Scale => &FACTORS,
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

/// Evaluates a text that was typed into a field of this channel. White space is ignored.
pub(super) fn evaluate(text: &str, channel: Channel) -> Result<Typed, ExpressionError> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(to_ascii_operator).collect();
    let found = OPERATORS.iter().find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)));
    let mut parser = Parser {
        rest: found.map_or(text.as_str(), |(_, rest)| rest),
        depth: 0,
        // A length is not multiplied by another one.
        units: match found {
            Some((operator, _)) if !operator.has_unit() => &[],
            _ => units(channel),
        },
    };
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
    units: &'static [(&'static str, f64)],
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

    /// Parses a product, which can have one unit: in `1/2 in`, the unit applies to the fraction.
    fn product(&mut self) -> Result<f64, ExpressionError> {
        let mut product = self.signed()?;
        let mut has_unit = false;
        loop {
            if !has_unit && let Some(size) = self.unit() {
                product *= size;
                has_unit = true;
            }
            if self.eat('*') {
                product *= self.signed()?;
            } else if self.eat('/') {
                product /= self.signed()?;
            } else {
                return Ok(product);
            }
        }
    }

    /// Consumes a unit if it is next, and returns its size.
    fn unit(&mut self) -> Option<f64> {
        let is_symbol = self.rest.starts_with(['°', '%']);
        let end = match is_symbol {
            true => self.rest.chars().next().map_or(0, char::len_utf8),
            false => self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len()),
        };
        let (_, size) = self.units.iter().find(|(name, _)| *name == &self.rest[..end])?;
        self.take(end);
        Some(*size)
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
mod tests;
