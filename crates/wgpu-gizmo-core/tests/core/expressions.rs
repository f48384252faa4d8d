//! Expressions that are typed as numbers (§11 of docs/spec.md).

use wgpu_gizmo_core::interaction::expression::{ExpressionError, Quantity, evaluate};

const LENGTH: Quantity = Quantity::Length { meters_per_unit: 1.0 };

#[test]
fn signs_functions_and_units_have_expected_values() {
    let millimeters = Quantity::Length { meters_per_unit: 1e-3 };
    let inches = Quantity::Length { meters_per_unit: 0.0254 };
    for (text, quantity, wanted) in [
        (" −2.5 ", LENGTH, -2.5),
        (".5+5.", LENGTH, 5.5),
        ("1,000", LENGTH, 1.0),
        ("−4×2÷8·2", LENGTH, -2.0),
        ("10-4-3*2", LENGTH, 0.0),
        ("2*-3--3", LENGTH, -3.0),
        ("-(1+2)^2", LENGTH, -9.0),
        ("2^3^2", LENGTH, 512.0),
        ("τ - 2*pi", LENGTH, 0.0),
        ("sqrt(4)*abs(-3)", LENGTH, 6.0),
        ("SIN(90)+cos(0)+tan(0)", LENGTH, 2.0),
        ("25 cm", LENGTH, 0.25),
        ("2.5M + 1/2", LENGTH, 3.0),
        ("-(1+2) km", LENGTH, -3e3),
        ("1 ft + 6 in", LENGTH, 0.3048 + 6.0 * 0.0254),
        ("40 µm + 2um", LENGTH, 40.0 * 1e-6 + 2.0 * 1e-6),
        ("1m + 3", millimeters, 1003.0),
        ("5in", inches, 5.0),
        ("30deg + 5°", Quantity::Angle, 35.0),
        ("pi/2 rad", Quantity::Angle, 90.0),
        ("1/4 turn", Quantity::Angle, 90.0),
        ("150%", Quantity::Factor, 1.5),
    ] {
        assert_eq!(evaluate(text, quantity), Ok(wanted), "{text}, {quantity:?}");
    }
    for invalid in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(evaluate("25cm", Quantity::Length { meters_per_unit: invalid }), Ok(0.25), "{invalid}");
    }
}

#[test]
fn invalid_expressions_give_reasons() {
    use ExpressionError::{Missing, NotFinite, Unclosed, Unexpected, UnknownWord};
    for (text, quantity, reason) in [
        ("", LENGTH, Missing),
        (" ", LENGTH, Missing),
        ("1+", LENGTH, Missing),
        ("2-", LENGTH, Missing),
        ("2*", LENGTH, Missing),
        ("--2", LENGTH, Unexpected('-')),
        ("-+2", LENGTH, Unexpected('+')),
        ("*2", LENGTH, Unexpected('*')),
        (".", LENGTH, Unexpected('.')),
        ("1..2", LENGTH, Unexpected('.')),
        ("1.2,3", LENGTH, Unexpected(',')),
        ("1,000,000", LENGTH, Unexpected(',')),
        ("1 2", LENGTH, Unexpected('2')),
        ("1;2", LENGTH, Unexpected(';')),
        ("1…", LENGTH, Unexpected('…')),
        ("25c", LENGTH, UnknownWord),
        ("1e3", LENGTH, UnknownWord),
        ("5e", LENGTH, UnknownWord),
        ("2 pi", LENGTH, UnknownWord),
        ("cm", LENGTH, UnknownWord),
        ("inf", LENGTH, UnknownWord),
        ("NaN", LENGTH, UnknownWord),
        ("hello", LENGTH, UnknownWord),
        ("30deg", LENGTH, UnknownWord),
        ("45°", LENGTH, Unexpected('°')),
        ("50%", LENGTH, Unexpected('%')),
        ("5 mm", Quantity::Angle, UnknownWord),
        ("5 mm", Quantity::Factor, UnknownWord),
        ("5 cm cm", LENGTH, UnknownWord),
        ("5 cm^2", LENGTH, Unexpected('^')),
        ("5cm2", LENGTH, Unexpected('2')),
        ("(1", LENGTH, Unclosed),
        ("sqrt(2", LENGTH, Unclosed),
        ("(1 2)", LENGTH, Unexpected('2')),
        ("sqrt 2", LENGTH, Unexpected('2')),
        ("1)", LENGTH, Unexpected(')')),
        ("()", LENGTH, Unexpected(')')),
        ("1/0", LENGTH, NotFinite),
        ("1/(1/0)", LENGTH, NotFinite),
        ("0/0", LENGTH, NotFinite),
        ("sqrt(-1)", LENGTH, NotFinite),
        ("9^9^9", LENGTH, NotFinite),
    ] {
        let result = evaluate(text, quantity);
        assert_eq!(result, Err(reason), "{text}, {quantity:?}");
    }
    assert_eq!(ExpressionError::Unexpected('°').to_string(), "unexpected `°`");
}

#[test]
fn product_of_two_lengths_is_refused() {
    for text in [
        "2 m * 3 cm",
        "(2cm)*3cm",
        "3cm*(2cm)",
        "((2cm))*((3cm))",
        "(2cm) cm",
        "2cm*(1+3cm)",
        "(1+2cm)*(3*4mm)",
        "2*(3cm)*4cm",
        "2cm/4cm",
        "(2cm)/(4cm)",
        "1/(2cm)",
        "-(2cm)*-(3cm)",
        "(2cm)^2",
        "2^(1cm)",
        "sqrt(4cm)",
        "sin(2cm)",
        "abs(-2cm)*3cm",
    ] {
        assert_eq!(evaluate(text, LENGTH), Err(ExpressionError::ExcessUnit), "{text}");
    }
    let others =
        [("(10deg)*2deg", Quantity::Angle), ("sqrt(4deg)", Quantity::Angle), ("(50%)*50%", Quantity::Factor)];
    for (text, quantity) in others {
        assert_eq!(evaluate(text, quantity), Err(ExpressionError::ExcessUnit), "{text}");
    }
    for (text, quantity, wanted) in [
        ("1/2cm", LENGTH, 0.5 * 1e-2),
        ("(2cm)*3", LENGTH, 2.0 * 1e-2 * 3.0),
        ("3*(2cm)/4", LENGTH, 3.0 * (2.0 * 1e-2) / 4.0),
        ("(1+2) * (3) cm", LENGTH, 9.0 * 1e-2),
        ("((2cm)+1)*2", LENGTH, (2.0 * 1e-2 + 1.0) * 2.0),
        ("abs(-2cm)", LENGTH, 2.0 * 1e-2),
        ("2cm + (3cm)", LENGTH, 2.0 * 1e-2 + 3.0 * 1e-2),
        ("sin(30deg)*2", Quantity::Angle, 30f64.to_radians().sin() * 2.0),
        ("cos(1/6 turn) deg", Quantity::Angle, (360.0 / 6.0_f64).to_radians().cos()),
    ] {
        assert_eq!(evaluate(text, quantity).map(|found| (found - wanted).abs() < 1e-15), Ok(true), "{text}");
    }
}

#[test]
fn long_texts_are_evaluated_or_refused() {
    assert_eq!(evaluate(&format!("{}1", "1+".repeat(50_000)), LENGTH), Ok(50_001.0));
    assert_eq!(evaluate(&"9".repeat(300), LENGTH), Ok(1e300), "up to rounding");
    assert_eq!(evaluate(&"9".repeat(400), LENGTH), Err(ExpressionError::NotFinite));
    assert_eq!(evaluate(&format!("0.{}1", "0".repeat(400)), LENGTH), Ok(0.0));
    for deep in ["(".repeat(100_000), "2^".repeat(100_000), "abs(".repeat(100_000), "-(".repeat(100_000)] {
        assert_eq!(evaluate(&deep, LENGTH), Err(ExpressionError::TooDeep));
    }
}
