//! A color field: a button that opens a picker, and the color as a text such as `#ffd08a`.

use super::style;
use egui::ecolor::{gamma_u8_from_linear_f32, linear_f32_from_gamma_u8};
use egui::epaint::text::{GlyphBitmap, GlyphRasterizer, RasterizedGlyph};
use egui::{Color32, ColorImage, Context, Key, TextEdit, Ui, vec2};

/// Width of the text, in points.
const WIDTH: f32 = 70.0;

/// Shows a field for a color in linear components and returns its value. A color that is not edited keeps its
/// bits.
pub(super) fn field(ui: &mut Ui, color: [f64; 3]) -> [f64; 3] {
    let mut picked = color.map(|component| component as f32);
    let button = style::named(ui.color_edit_button_rgb(&mut picked), "Color");
    if button.has_focus() {
        // egui outlines it with the color of its fill.
        style::focus(ui, button.rect);
    }
    if button.changed() {
        // Six decimals are more than a screen can show, and short in a file.
        return picked.map(|component| (f64::from(component) * 1e6).round() / 1e6);
    }
    typed(ui, color).unwrap_or(color)
}

/// Draws the icon of the button that copies a color in egui's picker, which no font of the program has: two sheets.
pub(super) fn install_copy_icon(context: &Context) {
    context.add_glyph_rasterizer(GlyphRasterizer::new("wgpu-gizmo-viewer: copy", |request| {
        (request.cluster == "📋").then(|| {
            let side = request.font_size_px.round().max(6.0) as usize;
            let (sheet, line) = (side * 7 / 10, (side / 10).max(1));
            let mut image = ColorImage::filled([side; 2], Color32::TRANSPARENT);
            // The front sheet covers the corner of the back one.
            for first in [0, side - sheet] {
                for (x, y) in (0..sheet).flat_map(|x| (0..sheet).map(move |y| (x, y))) {
                    let is_inside = |at: usize| (line..sheet - line).contains(&at);
                    let color =
                        if is_inside(x) && is_inside(y) { Color32::TRANSPARENT } else { Color32::WHITE };
                    image[(first + x, first + y)] = color;
                }
            }
            let offset_px = vec2(0.0, -0.85 * side as f32);
            let bitmap = GlyphBitmap { image, offset_px, is_color: false };
            RasterizedGlyph { bitmap, advance_px: side as f32 }
        })
    }));
}

/// Shows the text, and returns the color that was typed once that is confirmed.
fn typed(ui: &mut Ui, color: [f64; 3]) -> Option<[f64; 3]> {
    let id = ui.next_auto_id().with("text of a color");
    let before = write(color);
    let edited = ui.data(|data| data.get_temp::<String>(id));
    let mut text = edited.unwrap_or_else(|| before.clone());
    let field = TextEdit::singleline(&mut text).id(id).desired_width(WIDTH).font(egui::TextStyle::Monospace);
    let response = style::named(ui.add(field), "Color as text");
    if response.gained_focus() {
        // The first typed character replaces the text.
        style::select_text(ui.ctx(), id, 0..before.len());
    }
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, text));
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<String>(id));
    let is_confirmed = response.lost_focus() && !ui.input(|input| input.key_pressed(Key::Escape));
    read(&text).filter(|_| is_confirmed && text != before)
}

/// Returns a color as it is typed: sRGB, two hexadecimal digits for each component.
fn write(color: [f64; 3]) -> String {
    let [r, g, b] = color.map(|component| gamma_u8_from_linear_f32(component as f32));
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Reads three or six hexadecimal digits, with or without `#`.
fn read(text: &str) -> Option<[f64; 3]> {
    let digits: Option<Vec<u8>> =
        text.trim().trim_start_matches('#').chars().map(|c| Some(c.to_digit(16)? as u8)).collect();
    let bytes = match digits?[..] {
        [r, g, b] => [r, g, b].map(|digit| digit * 17),
        [r, r2, g, g2, b, b2] => [r * 16 + r2, g * 16 + g2, b * 16 + b2],
        _ => return None,
    };
    Some(bytes.map(|byte| (f64::from(linear_f32_from_gamma_u8(byte)) * 1e6).round() / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_colors_are_srgb() {
        for byte in 0..=255u8 {
            let text = format!("#{byte:02x}80ff");
            let color = read(&text).expect("six digits");
            assert_eq!(write(color), text, "six decimals keep all 256 values");
        }
        assert_eq!(read(" 0f8 "), read("#00ff88"));
        // The definition of sRGB: 0.21586 at half of the range.
        assert!((read("#808080").expect("six digits")[0] - 0.215861).abs() < 1e-5);
        for bad in ["", "#", "#12345", "#1234567", "red", "#12345g"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
