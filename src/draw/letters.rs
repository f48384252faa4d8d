use super::guides::{GuidePainter, StrokeStyle};
use super::list::{DrawList, Layer};
use crate::handle::Axis;
use glam::DVec2;

/// Returns the strokes of a letter, in a box from -0.5 to 0.5 with y pointing up.
pub(super) fn strokes(axis: Axis) -> &'static [[DVec2; 2]] {
    const fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }
    const X: [[DVec2; 2]; 2] = [[p(-0.36, -0.5), p(0.36, 0.5)], [p(-0.36, 0.5), p(0.36, -0.5)]];
    const Y: [[DVec2; 2]; 3] =
        [[p(-0.38, 0.5), p(0.0, 0.02)], [p(0.38, 0.5), p(0.0, 0.02)], [p(0.0, 0.06), p(0.0, -0.5)]];
    const Z: [[DVec2; 2]; 3] = [
        [p(-0.36, 0.46), p(0.38, 0.46)],
        [p(0.33, 0.46), p(-0.33, -0.46)],
        [p(-0.38, -0.46), p(0.38, -0.46)],
    ];
    match axis {
        Axis::X => &X,
        Axis::Y => &Y,
        Axis::Z => &Z,
    }
}

/// Paints the letter of an axis above the handles.
pub(crate) fn letter(list: &mut DrawList, axis: Axis, center_px: DVec2, height_lpx: f32, ink: StrokeStyle) {
    let Some(painter) = list.guide_painter(Layer::Over) else { return };
    let height_px = f64::from(height_lpx) * painter.view().scale_factor();
    // Snapped to pixel centers, so that the letter is sharp.
    let center_px = center_px.round() + 0.5;
    let at = |point: DVec2| center_px + DVec2::new(point.x, -point.y) * height_px;
    let paint = |mut painter: GuidePainter<'_>| {
        strokes(axis).iter().for_each(|stroke| painter.stroke(stroke.map(at), ink));
    };
    // Painted twice, so that no halo covers another stroke.
    paint(painter);
    if let Some(painter) = list.guide_painter(Layer::Over) {
        paint(painter.without_halo());
    }
}
