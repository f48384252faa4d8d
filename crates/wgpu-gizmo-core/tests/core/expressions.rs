//! Expressions that are typed as numbers (§11 of docs/spec.md).

use wgpu_gizmo_core::interaction::expression::{ExpressionError, Quantity, evaluate};

const LENGTH: Quantity = Quantity::Length { meters_per_unit: 1.0 };

#[test]
fn expressions_have_expected_values() {
    for (text, wanted) in [
        ("25", 25.0),
        (" - 2.5 ", -2.5),
        ("−2.5", -2.5),
        ("+5", 5.0),
        (".5+5.", 5.5),
        ("1,5", 1.5),
        ("1,000", 1.0),
        ("1/3", 1.0 / 3.0),
        ("1/4", 0.25),
        ("2*3", 6.0),
        ("−4×2÷8", -1.0),
        ("2·3", 6.0),
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("10-4-3", 3.0),
        ("64/4/2", 8.0),
        ("2*-3", -6.0),
        ("1--3", 4.0),
        ("-(1+2)^2", -9.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("2*pi", std::f64::consts::TAU),
        ("τ - 2*π", 0.0),
        ("sqrt(2)/2", 2f64.sqrt() / 2.0),
        ("abs(-3)*SIN(30)", 3.0 * 30f64.to_radians().sin()),
        ("cos(60)+tan(45)", 60f64.to_radians().cos() + 45f64.to_radians().tan()),
        ("0", 0.0),
    ] {
        assert_eq!(evaluate(text, LENGTH), Ok(wanted), "{text}");
    }
}

#[test]
fn units_of_quantity_apply_to_whole_product() {
    let millimeters = Quantity::Length { meters_per_unit: 1e-3 };
    let inches = Quantity::Length { meters_per_unit: 0.0254 };
    let degrees = 180.0 / std::f64::consts::PI;
    for (text, quantity, wanted) in [
        ("25cm", LENGTH, 0.25),
        ("25 mm", LENGTH, 25.0 * 1e-3),
        ("25MM", LENGTH, 25.0 * 1e-3),
        ("2.5m + 1/2", LENGTH, 3.0),
        ("1/2 in", LENGTH, 0.5 * 0.0254),
        ("-(1+2) cm", LENGTH, -3.0 * 1e-2),
        ("1 ft + 6 in", LENGTH, 0.3048 + 6.0 * 0.0254),
        ("3 * 2 km", LENGTH, 6e3),
        ("40 µm * 2", LENGTH, 40.0 * 1e-6 * 2.0),
        ("40um", LENGTH, 40.0 * 1e-6),
        ("2cm + 3", millimeters, 2.0 * (1e-2 / 1e-3) + 3.0),
        ("1m", millimeters, 1000.0),
        ("5in", inches, 5.0),
        ("1ft", inches, 0.3048 / 0.0254),
        ("30deg", Quantity::Angle, 30.0),
        ("45° + 5", Quantity::Angle, 50.0),
        ("pi/2 rad", Quantity::Angle, std::f64::consts::FRAC_PI_2 * degrees),
        ("1/4 turn", Quantity::Angle, 90.0),
        ("150%", Quantity::Factor, 1.5),
        ("1/2", Quantity::Factor, 0.5),
    ] {
        assert_eq!(evaluate(text, quantity), Ok(wanted), "{text}, {quantity:?}");
    }
    for invalid in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
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
