//! Number fields: their formatting, and what is typed in them, which is an expression or a change of the current value:
//! `+=0.5`, `-=1`, `*=2`, `/=3`.

use super::style::{self, ROW, colors};
use egui::{DragValue, Event, ImeEvent, InputState, Key, Response, Ui, vec2};
use std::cell::RefCell;
use wgpu_gizmo::interaction::expression::{self, ExpressionError, Quantity};

/// The fields of a transform that share a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Channel {
    Translate,
    Rotate,
    Scale,
}

/// The style of a number field.
#[derive(Clone, Copy)]
pub(super) struct FieldStyle {
    pub(super) channel: Channel,
    pub(super) unit: &'static str,
    /// For lengths: world units per point of dragging.
    pub(super) speed: f64,
    /// Values up to this size are shown as 0.
    pub(super) noise: f64,
    pub(super) is_mixed: bool,
}

/// The value that a field shows.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) value: f64,
    /// Whether the field also stands for other values. Then the shown value counts as typed if it was typed again.
    pub(super) is_mixed: bool,
}

/// Shows a field to drag or type in. Returns the typed text once it is confirmed.
pub(super) fn number(
    ui: &mut Ui,
    value: &mut f64,
    field: FieldStyle,
    width: f32,
) -> (Response, Option<String>) {
    let FieldStyle { channel, unit, noise, is_mixed, .. } = field;
    let speed = match channel {
        Channel::Translate => field.speed,
        Channel::Rotate => 0.5,
        Channel::Scale => 0.01,
    };
    ui.scope(|ui| {
        if is_mixed {
            ui.visuals_mut().override_text_color = Some(colors(ui).active);
        }
        // All digits are shown while the field is edited, so unchanged digits are not lost. In a field that has just
        // lost the focus they would widen the panel.
        let has_focus = style::focus_of_next(ui);
        let suffix = if has_focus() { "" } else { unit };
        let write = move |value: f64, _: std::ops::RangeInclusive<usize>| match has_focus() {
            true => format!("{value}"),
            false => format_value(without_noise(value, noise), channel),
        };
        let before = *value;
        let field = DragValue::new(value)
            .speed(speed)
            .clip_text(true)
            .min_size(vec2(width, ROW - 2.0))
            .custom_formatter(write)
            .suffix(suffix);
        add_field(ui, Shown { value: before, is_mixed }, field)
    })
    .inner
}

/// An evaluated expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Typed {
    /// A new value.
    Value(f64),
    /// A change of the current value, with one of the operators + - * /.
    Change(char, f64),
}

impl Typed {
    /// Returns the new value for the current one. It is not finite if the result is too large.
    pub(super) fn apply(self, value: f64) -> f64 {
        match self {
            Self::Value(typed) => typed,
            Self::Change('+', by) => value + by,
            Self::Change('-', by) => value - by,
            Self::Change('*', by) => value * by,
            Self::Change(_, by) => value / by,
        }
    }
}

/// Evaluates a text that was typed into a field of this channel. One unit of the scene is a meter. White space is
/// ignored, also between digits.
pub(super) fn evaluate(text: &str, channel: Channel) -> Result<Typed, ExpressionError> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (operator, rest) = match text.split_at_checked(2) {
        Some((sign @ ("+=" | "-=" | "*=" | "/="), rest)) => (sign.chars().next(), rest),
        _ => (None, &*text),
    };
    let quantity = match channel {
        // A length is not multiplied by another one.
        _ if matches!(operator, Some('*' | '/')) => Quantity::Factor,
        Channel::Translate => Quantity::Length { meters_per_unit: 1.0 },
        Channel::Rotate => Quantity::Angle,
        Channel::Scale => Quantity::Factor,
    };
    let value = expression::evaluate(rest, quantity)?;
    match operator {
        Some('/') if value == 0.0 => Err(ExpressionError::NotFinite),
        Some(operator) => Ok(Typed::Change(operator, value)),
        None => Ok(Typed::Value(value)),
    }
}

/// More characters than a number has: 1e-308 is written with all its zeros.
const MAX_DIGITS: usize = 400;

/// Adds a field for the number `shown`. Dragging and the arrow keys change the number. A typed text does not:
/// it is returned once, if it differs from the number or also stands for others.
pub(super) fn add_field(ui: &mut Ui, shown: Shown, field: DragValue<'_>) -> (Response, Option<String>) {
    let Shown { value: shown, is_mixed } = shown;
    let text = RefCell::new(None);
    let keep = |typed: &str| {
        *text.borrow_mut() = Some(typed.trim().to_owned());
        None
    };
    let response = ui.add(field.update_while_editing(false).custom_parser(keep));
    if response.clicked() || (response.changed() && response.has_focus()) {
        // After a click the field shows more digits, and after an arrow key others.
        style::select_text(ui.ctx(), response.id, 0..MAX_DIGITS);
    }
    // A field that has lost the focus is parsed in that pass, and possibly again in the next one. That is the only pass
    // if Esc took the focus, which drops the text.
    let (pass, key) = (ui.ctx().cumulative_pass_nr(), response.id.with("typed"));
    let changed_key = response.id.with("changed");
    if response.gained_focus() {
        ui.data_mut(|data| data.remove::<bool>(changed_key));
    }
    if is_mixed && (response.has_focus() || response.lost_focus()) && ui.input(changes_text) {
        ui.data_mut(|data| data.insert_temp(changed_key, true));
    }
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
        ui.data_mut(|data| data.insert_temp(key, pass));
    }
    let Some(typed) = text.into_inner() else { return (response, None) };
    let (before, was_changed) = ui.data_mut(|data| {
        let before = data.get_temp::<u64>(key);
        data.insert_temp(key, pass);
        (before, data.remove_temp::<bool>(changed_key).is_some())
    });
    let is_repeated = before.is_some_and(|before| before + 1 >= pass);
    let typed = Some(typed).filter(|typed| !is_repeated && (was_changed || *typed != format!("{shown}")));
    (response, typed)
}

/// Returns true if the text of a field with the focus may have changed in this frame.
fn changes_text(input: &InputState) -> bool {
    input.events.iter().any(|event| match event {
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(ImeEvent::Commit(_)) => true,
        Event::Key { key, pressed, .. } => *pressed && matches!(key, Key::Backspace | Key::Delete),
        _ => false,
    })
}

/// Relative rounding noise: a few hundred units in the last place, which a few sums and products can leave
/// instead of 0.
pub(super) const NOISE: f64 = 1e-13;

/// Returns the value, or 0 if it is no larger than the noise.
pub(super) fn without_noise(value: f64, noise: f64) -> f64 {
    if value.abs() <= noise { 0.0 } else { value }
}

/// The maximum length of a number that is not in scientific notation. It fits the column of world values.
const MAX_LENGTH: usize = 11;

/// Formats a number with three decimals (two for angles), fewer if it is very large, or in scientific notation
/// if it is even larger or very small.
pub(super) fn format_value(value: f64, channel: Channel) -> String {
    let size = value.abs();
    let text = match channel {
        _ if size >= 1e9 => format!("{value:.3e}"),
        _ if size >= 1e6 => {
            let whole = format!("{value:.0}").len();
            format!("{value:.*}", MAX_LENGTH.saturating_sub(whole + 1).min(3))
        }
        _ if size > 0.0 && size < 5e-4 => format!("{value:.1e}"),
        Channel::Rotate => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    match text.strip_prefix('-') {
        // Rounding must not produce −0.
        Some(rest) if rest.trim_start_matches(['0', '.']).is_empty() => rest.to_owned(),
        _ => text,
    }
}

/// Formats an increment with at most four decimals, or in scientific notation if it is very small or large. It fits a
/// third of the narrowest panel.
pub(super) fn format_increment(value: f64) -> String {
    let rounded = |power: i32| format!("{}", (value * 10f64.powi(power)).round() / 10f64.powi(power));
    let short = (0..=4).rev().map(rounded).find(|text| text.len() <= 6 && text != "0");
    short.unwrap_or_else(|| format!("{value:.0e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_units_of_channel() {
        for (text, channel, wanted) in [
            ("25 mm", Channel::Translate, 25.0 * 1e-3),
            ("1 000,5", Channel::Translate, 1000.5),
            ("1/4 turn", Channel::Rotate, 90.0),
            ("150%", Channel::Scale, 1.5),
        ] {
            assert_eq!(evaluate(text, channel), Ok(Typed::Value(wanted)), "{text}");
        }
        assert_eq!(evaluate("+=5 mm", Channel::Translate), Ok(Typed::Change('+', 5.0 * 1e-3)));
        assert_eq!(evaluate("*=2 cm", Channel::Translate), Err(ExpressionError::UnknownWord));
        assert_eq!(evaluate("/=0", Channel::Translate), Err(ExpressionError::NotFinite));
        assert_eq!(evaluate("5 mm", Channel::Rotate), Err(ExpressionError::UnknownWord));
        assert_eq!(evaluate("5 mm", Channel::Scale), Err(ExpressionError::UnknownWord));
    }

    #[test]
    fn numbers_are_short_and_never_negative_zero() {
        let texts =
            |values: &[f64], channel| values.iter().map(|v| format_value(*v, channel)).collect::<Vec<_>>();
        let values = [0.0, -0.0, 1.25, -0.8004, 2e-7, 1.5e9, 999_999.0];
        assert_eq!(
            texts(&values, Channel::Translate),
            ["0.000", "0.000", "1.250", "-0.800", "2.0e-7", "1.500e9", "999999.000"]
        );
        // Coordinates of a site, in meters.
        let values = [5_000_002.867_4, -5_000_002.867_4, 45_000_002.867_4, 999_999_999.0, -1.5e9];
        assert_eq!(
            texts(&values, Channel::Translate),
            ["5000002.867", "-5000002.87", "45000002.87", "999999999.0", "-1.500e9"]
        );
        assert_eq!(texts(&[-0.0, 89.999, -0.001], Channel::Rotate), ["0.00", "90.00", "0.00"]);
    }
}
