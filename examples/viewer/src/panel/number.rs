//! Number fields of a transform, and their formatting.

use super::expression;
use super::style::{self, ROW, colors};
use egui::{DragValue, Response, Ui, vec2};

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
        // All digits are shown while the field is edited, so unchanged digits are not lost.
        let has_focus = style::next_has_focus(ui);
        let write = move |value: f64, _: std::ops::RangeInclusive<usize>| match has_focus {
            true => format!("{value}"),
            false => format_value(without_noise(value, noise), channel),
        };
        let before = *value;
        let field = DragValue::new(value)
            .speed(speed)
            .clip_text(true)
            .min_size(vec2(width, ROW - 2.0))
            .custom_formatter(write)
            .suffix(if has_focus { "" } else { unit });
        expression::add_field(ui, before, field)
    })
    .inner
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

#[cfg(test)]
mod tests {
    use super::*;

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
