//! The readout of a drag, and its anchor.

use crate::draw::DrawList;
use crate::handle::Constraint;
use crate::interaction::drag::Drag;
use crate::math::View;
use glam::DVec2;

/// The logical pixels of a character of a readout: its width, and the height of the line.
const CHARACTER_LPX: DVec2 = DVec2::new(8.0, 16.0);
/// The minimum distance of a readout from the edges of the viewport, in logical pixels.
const MARGIN_LPX: f64 = 4.0;

/// Returns the size that is kept free for a readout of this many characters, in logical pixels: at least that
/// of a typical text, so that the anchor does not move with every digit.
fn text_size(drag: &Drag, characters: usize) -> DVec2 {
    let usual = match (drag.handle().constraint(), drag.numbers().len()) {
        (Constraint::ViewPlane, _) => 30,
        (_, 2) => 20,
        _ => 14,
    };
    CHARACTER_LPX * DVec2::new(usual.max(characters) as f64, 1.0)
}

/// Adds the readout of a drag to the list, at the anchor that `beside` returns for the size of its text in
/// logical pixels. If the pivot has no pixel, the anchor is at the edge of the viewport toward it.
/// `resolution` is the smallest length in world units that the view can show, if it is known.
pub(crate) fn add(
    list: &mut DrawList,
    view: &View,
    drag: &Drag,
    resolution: Option<f64>,
    beside: impl Fn(DVec2) -> Option<DVec2>,
) {
    let digits = resolution.map_or(3.0, |length| (-length.log10()).floor().clamp(3.0, 9.0)) as usize;
    let anchor_px = |text: &str| {
        let size_lpx = text_size(drag, text.chars().count());
        Some(beside(size_lpx).unwrap_or_else(|| anchor_toward(view, drag, size_lpx)))
    };
    list.push_readout(|text| drag.write_readout(digits, text).unwrap_or_default(), anchor_px);
}

/// Returns true if a text of this size at this anchor, in physical pixels, is in the viewport with its margin.
pub(crate) fn is_inside(view: &View, at: DVec2, size: DVec2) -> bool {
    let v = view.viewport();
    let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
    let margin = DVec2::splat(MARGIN_LPX * view.scale_factor());
    let half = DVec2::new(0.0, 0.5 * size.y);
    (at - half).cmpge(low + margin).all() && (at + DVec2::new(size.x, half.y)).cmple(high - margin).all()
}

/// Returns the anchor of a text of this size, in physical pixels, that is nearest to `at` and keeps
/// all of the text in the viewport.
pub(crate) fn kept_inside(view: &View, at: DVec2, size: DVec2) -> DVec2 {
    let v = view.viewport();
    let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
    let margin = DVec2::splat(MARGIN_LPX * view.scale_factor());
    let min = low + margin + DVec2::new(0.0, 0.5 * size.y);
    let max = high - margin - DVec2::new(size.x, 0.5 * size.y);
    // If the viewport is too small for the text, the start of the text stays visible.
    at.min(max).max(min.min(high))
}

/// Returns the anchor of a readout whose pivot has no pixel: the edge of the viewport on the side
/// where the pivot left it, or the bottom if the pivot is straight behind the viewer.
fn anchor_toward(view: &View, drag: &Drag, size_lpx: DVec2) -> DVec2 {
    let v = view.viewport();
    let center = DVec2::new(v.x + 0.5 * v.width, v.y + 0.5 * v.height);
    let pivot = view.px_homogeneous(drag.placement().pivot_world.extend(1.0));
    // For w > 0 this is w times the displacement from the center to the pivot's pixel, and it is
    // continuous at w = 0, where the pixel is at infinity.
    let toward = (pivot.truncate() - center * pivot.z).normalize_or(DVec2::Y);
    let size = size_lpx * view.scale_factor();
    let left_end = center + toward * (v.width + v.height) - DVec2::new(0.5 * size.x, 0.0);
    kept_inside(view, left_end, size)
}
