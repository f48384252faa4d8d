//! Typed numbers: expressions with units, for drags and for the number fields of a host.
//!
//! A number has a decimal point or comma, and no exponent. Expressions have `+ - * / ^ ( )`, the constants `pi` and
//! `tau`, and the functions `sqrt`, `abs`, and `sin`, `cos`, `tan` of degrees. A product can have one unit, which
//! applies to all of it: `1/2 in` is half an inch, and `(2cm)*3cm` is no length. Numbers without a unit are world units,
//! degrees or factors.

use crate::math::is_positive;
use std::f64::consts::{PI, TAU};

/// The quantity of a number. It determines the units that the number may have.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Quantity {
    /// A length in world units: `um`, `mm`, `cm`, `m`, `km`, `in`, `ft`.
    Length {
        /// The size of a world unit in meters. A number that is not finite and positive counts as 1.
        meters_per_unit: f64,
    },
    /// An angle in degrees: `deg` or `°`, `rad`, `turn`.
    Angle,
    /// A factor: `%`.
    Factor,
}

/// Words in lowercase, with what they stand for.
type Table<T> = [(&'static str, T)];

const LENGTHS: &Table<f64> = &[
    ("um", 1e-6),
    ("µm", 1e-6),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("m", 1.0),
    ("km", 1e3),
    ("in", 0.0254),
    ("ft", 0.3048),
];
const ANGLES: &Table<f64> = &[("deg", 1.0), ("°", 1.0), ("rad", 180.0 / PI), ("turn", 360.0)];
const FACTORS: &Table<f64> = &[("%", 0.01)];
const CONSTANTS: &Table<f64> = &[("pi", PI), ("π", PI), ("tau", TAU), ("τ", TAU)];
const FUNCTIONS: &Table<Function> = &[
    ("sqrt", (f64::sqrt, Argument::Number)),
    ("abs", (f64::abs, Argument::Quantity)),
    ("sin", (|degrees| degrees.to_radians().sin(), Argument::Angle)),
    ("cos", (|degrees| degrees.to_radians().cos(), Argument::Angle)),
    ("tan", (|degrees| degrees.to_radians().tan(), Argument::Angle)),
];

type Function = (fn(f64) -> f64, Argument);

/// Whether the argument of a function may have a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    /// It has no unit.
    Number,
    /// It may have a unit, which is that of the result.
    Quantity,
    /// It may have the unit of an angle. The result has none.
    Angle,
}

/// The reason why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// The text ends before a number.
    #[error("a number is missing at the end")]
    Missing,
    /// A character does not belong where it is.
    #[error("unexpected `{0}`")]
    Unexpected(char),
    /// A word is not a unit of this quantity, a constant or a function.
    #[error("unknown unit or name: use pi, tau, sqrt(), abs(), or sin(), cos(), tan() of degrees")]
    UnknownWord,
    /// A product, a divisor, a power or a function has a unit too many, such as `2cm*3cm` or `(2cm)^2`.
    #[error("only one number of a product can have a unit")]
    ExcessUnit,
    /// A parenthesis is not closed.
    #[error("a ) is missing")]
    Unclosed,
    /// Parentheses, functions or powers are nested more than 64 times.
    #[error("too many nested parentheses")]
    TooDeep,
    /// The result is not finite, such as 1/0, sqrt(-1) or 9^9^9.
    #[error("the result is not a number or too large")]
    NotFinite,
}

const MAX_DEPTH: usize = 64;

/// Evaluates a typed number. The result is finite. It allocates nothing, unless a number has a comma.
///
/// ```
/// use wgpu_gizmo_core::interaction::expression::{ExpressionError, Quantity, evaluate};
///
/// let length = Quantity::Length { meters_per_unit: 1.0 };
/// assert_eq!(evaluate("25cm", length), Ok(0.25));
/// assert_eq!(evaluate("1,5 + 1/4", length), Ok(1.75));
/// assert_eq!(evaluate("-(10 + 20) deg", Quantity::Angle), Ok(-30.0));
/// assert_eq!(evaluate("30 deg", length), Err(ExpressionError::UnknownWord));
/// ```
///
/// # Errors
/// Each [`ExpressionError`], for the first place that cannot be read.
pub fn evaluate(text: &str, quantity: Quantity) -> Result<f64, ExpressionError> {
    let (units, unit_size) = match quantity {
        Quantity::Length { meters_per_unit } if is_positive(meters_per_unit) => (LENGTHS, meters_per_unit),
        Quantity::Length { .. } => (LENGTHS, 1.0),
        Quantity::Angle => (ANGLES, 1.0),
        Quantity::Factor => (FACTORS, 1.0),
    };
    let mut parser = Parser { rest: text, depth: 0, units, unit_size };
    let value = parser.sum()?;
    if parser.peek().is_some() { Err(parser.unexpected()) } else { Ok(value.number) }
}

/// The value of a part of an expression.
#[derive(Debug, Clone, Copy)]
struct Value {
    number: f64,
    has_unit: bool,
}

impl Value {
    fn unitless(number: f64) -> Self {
        Self { number, has_unit: false }
    }

    /// Returns the number, which must not have a unit.
    fn without_unit(self) -> Result<f64, ExpressionError> {
        if self.has_unit { Err(ExpressionError::ExcessUnit) } else { Ok(self.number) }
    }
}

/// A recursive descent parser with one method per level of precedence, lowest first.
struct Parser<'a> {
    rest: &'a str,
    depth: usize,
    units: &'static Table<f64>,
    /// The size of the quantity's own unit, in that of the table.
    unit_size: f64,
}

impl Parser<'_> {
    /// Skips white space, and returns the next character.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Consumes one of these characters if it is next. Returns true if so.
    fn eat(&mut self, characters: &[char]) -> bool {
        let next = self.peek().filter(|next| characters.contains(next));
        self.rest = &self.rest[next.map_or(0, char::len_utf8)..];
        next.is_some()
    }

    /// Consumes a word of a table, in lowercase or uppercase, if it is next. Returns its entry.
    fn eat_word<T: Copy>(&mut self, table: &Table<T>) -> Option<T> {
        let end = match self.peek()? {
            sign @ ('°' | '%') => sign.len_utf8(),
            _ => self.rest.find(|c: char| !c.is_alphabetic()).unwrap_or(self.rest.len()),
        };
        let (word, rest) = self.rest.split_at(end);
        let (_, entry) = table.iter().find(|(name, _)| name.eq_ignore_ascii_case(word))?;
        self.rest = rest;
        Some(*entry)
    }

    fn unexpected(&mut self) -> ExpressionError {
        match self.peek() {
            None => ExpressionError::Missing,
            Some(c) if c.is_alphabetic() => ExpressionError::UnknownWord,
            Some(c) => ExpressionError::Unexpected(c),
        }
    }

    fn sum(&mut self) -> Result<Value, ExpressionError> {
        let mut sum = self.product()?;
        loop {
            let sign = match () {
                () if self.eat(&['+']) => 1.0,
                () if self.eat(&['-', '−']) => -1.0,
                () if sum.number.is_finite() => return Ok(sum),
                () => return Err(ExpressionError::NotFinite),
            };
            let next = self.product()?;
            sum = Value { number: sum.number + sign * next.number, has_unit: sum.has_unit || next.has_unit };
        }
    }

    /// Parses a product, which can have one unit, because a length is not multiplied by another one.
    fn product(&mut self) -> Result<Value, ExpressionError> {
        let mut product = self.signed()?;
        loop {
            if let Some(size) = self.eat_word(self.units) {
                product.number = product.without_unit()? * size / self.unit_size;
                product.has_unit = true;
            }
            if self.eat(&['*', '×', '·']) {
                let factor = self.signed()?;
                let factor = if product.has_unit { Value::unitless(factor.without_unit()?) } else { factor };
                product.number *= factor.number;
                product.has_unit |= factor.has_unit;
            } else if self.eat(&['/', '÷']) {
                product.number /= self.signed()?.without_unit()?;
            } else {
                return Ok(product);
            }
        }
    }

    /// Parses a power with at most one sign. All nesting passes through this method, so it limits the depth.
    fn signed(&mut self) -> Result<Value, ExpressionError> {
        if self.depth == MAX_DEPTH {
            return Err(ExpressionError::TooDeep);
        }
        self.depth += 1;
        let is_negative = self.eat(&['-', '−']);
        let _ = is_negative || self.eat(&['+']);
        let value = self.power()?;
        self.depth -= 1;
        Ok(if is_negative { Value { number: -value.number, ..value } } else { value })
    }

    /// Parses a power. It binds more tightly than a sign before it (−2^2 is −4) and is right-associative
    /// (2^3^2 is 2^9).
    fn power(&mut self) -> Result<Value, ExpressionError> {
        let base = self.atom()?;
        if self.eat(&['^']) {
            let base = base.without_unit()?;
            return Ok(Value::unitless(base.powf(self.signed()?.without_unit()?)));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Value, ExpressionError> {
        if let Some(constant) = self.eat_word(CONSTANTS) {
            Ok(Value::unitless(constant))
        } else if let Some((function, argument)) = self.eat_word(FUNCTIONS) {
            let value = self.parenthesized()?;
            match argument {
                Argument::Quantity => Ok(Value { number: function(value.number), ..value }),
                Argument::Angle if self.units == ANGLES => Ok(Value::unitless(function(value.number))),
                Argument::Angle | Argument::Number => Ok(Value::unitless(function(value.without_unit()?))),
            }
        } else if self.peek() == Some('(') {
            self.parenthesized()
        } else {
            self.number().map(Value::unitless)
        }
    }

    fn parenthesized(&mut self) -> Result<Value, ExpressionError> {
        if !self.eat(&['(']) {
            return Err(self.unexpected());
        }
        let inside = self.sum()?;
        match self.peek() {
            _ if self.eat(&[')']) => Ok(inside),
            Some(_) => Err(self.unexpected()),
            None => Err(ExpressionError::Unclosed),
        }
    }

    fn number(&mut self) -> Result<f64, ExpressionError> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let mut length = digits(self.rest);
        if self.rest[length..].starts_with(['.', ',']) {
            length += 1 + digits(&self.rest[length + 1..]);
        }
        let (number, rest) = self.rest.split_at(length);
        let number = match number.contains(',') {
            true => number.replace(',', ".").parse(),
            false => number.parse(),
        };
        let number = number.map_err(|_| self.unexpected())?;
        self.rest = rest;
        Ok(number)
    }
}
