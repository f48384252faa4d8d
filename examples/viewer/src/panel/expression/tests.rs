//! Tests of expressions.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn value(text: &str) -> f64 {
    value_in(text, Channel::Translate)
}

fn value_in(text: &str, channel: Channel) -> f64 {
    match evaluate(text, channel) {
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
        let typed = evaluate(text, Channel::Translate).expect(text);
        assert!(matches!(typed, Typed::Change(..)), "{text}");
        assert_eq!(typed.apply(8.0), wanted, "{text}");
    }
}

#[test]
fn units_of_channel_apply_to_whole_product() {
    use Channel::{Rotate, Scale, Translate};
    let degrees = 180.0 / std::f64::consts::PI;
    for (text, channel, wanted) in [
        ("25 mm", Translate, 25.0 * 1e-3),
        ("2.5m + 1/2", Translate, 3.0),
        ("1/2 in", Translate, 0.5 * 0.0254),
        ("-(1+2) cm", Translate, -3.0 * 1e-2),
        ("1 ft + 6 in", Translate, 0.3048 + 6.0 * 0.0254),
        ("3 * 2 km", Translate, 6e3),
        ("40 µm * 2", Translate, 40.0 * 1e-6 * 2.0),
        ("pi/2 rad", Rotate, std::f64::consts::FRAC_PI_2 * degrees),
        ("45° + 5 deg", Rotate, 50.0),
        ("150%", Scale, 1.5),
    ] {
        assert_eq!(value_in(text, channel), wanted, "{text}");
    }
    assert_eq!(evaluate("+=5 mm", Translate), Ok(Typed::Change(Operator::Add, 5.0 * 1e-3)));
    for (text, channel, why) in [
        ("5 mm", Rotate, "`mm`"),
        ("5 mm", Scale, "`mm`"),
        ("45°", Translate, "`°`"),
        ("2 m * 3 cm", Translate, "`cm`"),
        ("5 cm^2", Translate, "`^2`"),
        ("*=2 cm", Translate, "`cm`"),
        ("mm", Translate, "unknown name `mm`"),
    ] {
        let error = evaluate(text, channel).expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
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
        let error = evaluate(text, Channel::Translate).expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    for deep in ["(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000), "abs(".repeat(100_000)] {
        assert_eq!(evaluate(&deep, Channel::Translate), Err(ExpressionError::TooDeep));
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
        if let Ok(Typed::Value(value) | Typed::Change(_, value)) = evaluate(&text, Channel::Translate) {
            prop_assert!(value.is_finite());
        }
    }

    #[test]
    fn expression_like_text_does_not_panic(text in "[-+*/^().eπ0-9a ,=]{0,40}") {
        let _ = evaluate(&text, Channel::Translate);
    }

    #[test]
    fn nested_expressions_have_expected_values((text, wanted) in expression()) {
        match evaluate(&text, Channel::Translate) {
            Ok(typed) => prop_assert_eq!(typed, Typed::Value(wanted), "{}", text),
            Err(error) => prop_assert!(!wanted.is_finite(), "{}: {}", text, error),
        }
    }
}
