//! Texts as strokes, for hosts without fonts.

use crate::draw::guides::{GuidePainter, StrokeStyle};
use glam::DVec2;

/// The strokes of each character: after the colon, a polyline is a row of points, each with its x and y in logical
/// pixels as hexadecimal digits. The y axis points up. The baseline is at 3, and capitals end at 12.
const GLYPHS: &str = "\
0:13040b1c4c5b544313 1:1a3c33,1353 2:0b1c4c5b59040353 3:0b1c4c5b594828,485754431304 4:434c060555 \
5:5c0c08485754431304 6:5b4c1c0b0413435457481807 7:0c5c5b2523 8:18090b1c4c5b59481807041343545748 \
9:041343545b4c1c0b08174758 -:0757 −:0757 +:0747,2925 .:2324 ,:2411 ;:2411,2829 ::2324,2829 …:0304,2324,4344 \
°:1c0b0a19293a3b2c1c %:035c,0c1c1b0b0c,4454534344 *:2925,0846,0648 ×:0549,0945 ·:2728 /:035c \
÷:0747,2a2b,2324 (:4c2a2543 ):1c3a3513 ^:092c49 X:035c,0c53 Y:0c285c,2823 Z:0c5c0353 \
a:19495853,56160504134354 b:0c03,0413435458491908 c:5849190804134354 d:5c53,5443130408194958 \
e:065658491908041343 f:4c3c2b23,0949 g:5951401001,5443130408194958 h:0c03,0819495853 i:192923,1333,2b2c \
j:29211000,2b2c k:0c03,0549,2743 l:1c2c23,1333 m:0309,0819293833,3849596863 n:0309,0819495853 \
o:130408194958544313 p:0900,0413435458491908 q:5950,5443130408194958 r:0309,07294958 \
s:584919080716465554431304 t:2c243343,0949 u:0904134354,5953 v:092349 w:0913375369 x:0953,0359 \
y:092349,2310 z:09590353 µ:0900,04134354,5953 π:0959,1913,4943 τ:0949,29243343";
/// A box, for characters without strokes.
const UNKNOWN: &str = "030c5c5303";
/// The place of a glyph: its width, and the height of its middle.
const CELL_LPX: DVec2 = DVec2::new(8.0, 7.0);
const STROKE: StrokeStyle = StrokeStyle { color: [0.97, 0.97, 0.98, 1.0], width_lpx: 1.25 };
/// The text is on a dark plate, so that it is legible over any scene.
const PLATE: StrokeStyle = StrokeStyle { color: [0.07, 0.07, 0.08, 0.85], width_lpx: 17.0 };

/// Returns the strokes of a character in a box of 6 by 12 logical pixels, with y pointing up. Capitals other than
/// the names of axes have the strokes of small letters.
fn strokes(character: char) -> impl Iterator<Item = [DVec2; 2]> {
    let character = if matches!(character, 'X'..='Z') { character } else { character.to_ascii_lowercase() };
    let known = GLYPHS.split(' ').find_map(|glyph| glyph.strip_prefix(character)?.strip_prefix(':'));
    let glyph = if character.is_whitespace() { "" } else { known.unwrap_or(UNKNOWN) };
    glyph.split(',').flat_map(|polyline| {
        let coordinates = polyline.chars().filter_map(|digit| digit.to_digit(16)).map(f64::from);
        let [x, y] = [0, 1].map(|first| coordinates.clone().skip(first).step_by(2));
        let points = x.zip(y).map(DVec2::from);
        points.clone().zip(points.skip(1)).map(|(a, b)| [a, b])
    })
}

/// Paints a text whose left end at half of its height is at the anchor.
pub(crate) fn paint_text(painter: &mut GuidePainter<'_>, text: &str, anchor_px: DVec2) {
    let scale = painter.view().scale_factor();
    // Snapped to pixel centers, so that the strokes are sharp.
    let left_px = anchor_px.round() + 0.5;
    let at = |point: DVec2| left_px + DVec2::new(point.x, CELL_LPX.y - point.y) * scale;
    let width = CELL_LPX.x * text.chars().count() as f64;
    let plate = [-2.0, width + 2.0].map(|x| at(DVec2::new(x, CELL_LPX.y - 1.0)));
    painter.stroke(plate, PLATE);
    for (index, character) in text.chars().enumerate() {
        let left = DVec2::X * (CELL_LPX.x * index as f64 + 1.0);
        for [a, b] in strokes(character) {
            // Longer at both ends, so that there is no notch at a corner.
            let cap = (b - a).normalize_or_zero() * (0.4 * f64::from(STROKE.width_lpx));
            painter.stroke([a - cap, b + cap].map(|point| at(left + point)), STROKE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_glyph_is_in_its_box() {
        let mut count = 0;
        for character in GLYPHS.split(' ').map(|glyph| glyph.chars().next().expect("a glyph has a character"))
        {
            let is_inside = |p: &DVec2| p.cmpge(DVec2::ZERO).all() && p.cmple(DVec2::new(6.0, 12.0)).all();
            let strokes: Vec<_> = strokes(character).collect();
            assert!(!strokes.is_empty() && strokes.iter().flatten().all(is_inside), "{character}");
            assert!(strokes.iter().all(|[a, b]| a != b), "{character}");
            count += 1;
        }
        assert_eq!(count, GLYPHS.matches(':').count() - 1, "the colon is a glyph");
    }

    #[test]
    fn distinct_glyphs_differ() {
        let shape = |character| {
            let ends = strokes(character).flatten().map(|p| (p.x as u8, p.y as u8));
            ends.collect::<Vec<_>>()
        };
        // All that a readout or an expression can have.
        let all = "0123456789-+.,;:…°%*×·/÷()^XYZabcdefghijklmnopqrstuvwxyzµπτ#";
        let shapes: BTreeSet<_> = all.chars().map(shape).collect();
        assert_eq!(shapes.len(), all.chars().count());
        assert_eq!(shape('−'), shape('-'));
        assert_eq!(shape('M'), shape('m'));
        assert_eq!(shape(' '), []);
    }
}
