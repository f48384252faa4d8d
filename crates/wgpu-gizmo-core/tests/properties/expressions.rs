//! §11 of docs/spec.md: expressions of any shape.

use crate::prelude::*;
use wgpu_gizmo_core::interaction::expression::{Quantity, evaluate};

const LENGTH: Quantity = Quantity::Length { meters_per_unit: 1.0 };

#[test]
fn written_number_is_read_back() {
    holds(&any::<f64>(), 0.9, |number| {
        if !number.is_finite() {
            return None;
        }
        for quantity in [LENGTH, Quantity::Angle, Quantity::Factor] {
            assert_eq!(evaluate(&format!("{number}"), quantity), Ok(*number));
            assert_eq!(evaluate(&format!("{number}").replace('.', ","), quantity), Ok(*number));
        }
        Some(())
    });
}

#[test]
fn any_text_gives_finite_value_or_error() {
    let text = prop_oneof!["\\PC{0,40}", "[-+*/^().eπ°%0-9a ,=cmsqrt]{0,40}"];
    holds(&text, 0.0, |text| match evaluate(text, LENGTH) {
        Ok(value) if value.is_finite() => Some(()),
        Ok(value) => panic!("{text} is {value}"),
        Err(_) => None,
    });
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

#[test]
fn nested_expressions_have_expected_values() {
    holds(&expression(), 0.9, |(text, wanted)| match evaluate(text, LENGTH) {
        Ok(value) => {
            assert_eq!(value, *wanted, "{text}");
            Some(())
        }
        Err(_) => None,
    });
}
