use crate::draw::guides::{GuidePainter, StrokeStyle, faded};
use crate::draw::handles::DrawContext;
use crate::draw::handles::handle_style::HandleStyle;
use crate::draw::handles::layout::CUBE_HALF;
use crate::draw::list::{DrawList, GuideLayer};
use crate::handle::{Axis, Constraint, HandleId, MeshKind};
use glam::{DVec2, DVec3};

/// Returns the strokes of the letter of an axis, in a box from -0.5 to 0.5 with y pointing up.
pub fn letter_strokes(axis: Axis) -> &'static [[DVec2; 2]] {
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

/// The distance between the tip of an arrow and the box of its letter, in logical pixels: more than their halos.
const TIP_GAP_LPX: f64 = 9.0;

/// Paints the letter of an axis above the handles.
pub(crate) fn letter(list: &mut DrawList, axis: Axis, center_px: DVec2, height_lpx: f32, ink: StrokeStyle) {
    let Some(painter) = list.guide_painter(GuideLayer::Over) else { return };
    let height_px = f64::from(height_lpx) * painter.view().scale_factor();
    // Snapped to pixel centers, so that the letter is sharp.
    let center_px = center_px.round() + 0.5;
    let at = |point: DVec2| center_px + DVec2::new(point.x, -point.y) * height_px;
    let paint = |mut painter: GuidePainter<'_>, strokes: &[[DVec2; 2]]| {
        strokes.iter().for_each(|stroke| painter.stroke(stroke.map(at), ink));
    };
    let strokes = letter_strokes(axis);
    paint(painter, strokes);
    // Painted twice, so that the halo of a later stroke does not cover an earlier one.
    if let (Some(painter), [earlier @ .., _]) = (list.guide_painter(GuideLayer::Over), strokes) {
        paint(painter.without_halo(), earlier);
    }
}

/// Paints the letter of a handle's axis: past the tip of an arrow or cube, or outside the point of a
/// ring that is nearest to the viewer.
pub(crate) fn append_letter(
    list: &mut DrawList,
    context: &DrawContext<'_>,
    handle: HandleId,
    look: HandleStyle,
) {
    let DrawContext { view, theme, layout, arrangement, .. } = *context;
    let constraint = handle.constraint();
    let Some(axis) = constraint.axis() else { return };
    let frame = layout.axes_of(constraint);
    let direction = frame.col(axis.index());
    let sign = arrangement.flips.sign(constraint.change_kind(), axis);
    let offset = match constraint {
        Constraint::Axis(_) => {
            direction * (sign * (arrangement.arrow(axis)[1] + f64::from(MeshKind::HEAD_LENGTH)))
        }
        Constraint::ScaleAxis(_) => {
            let center = context.cube_center_along(axis, look.stretch);
            direction * (sign * (center + CUBE_HALF.copysign(center)))
        }
        Constraint::Ring(_) => {
            let nearest = (-layout.toward).reject_from_normalized(direction);
            let [b, c] = axis.others().map(|other| frame.col(other.index()));
            // No point of a ring that faces the viewer is the nearest.
            if nearest.length() > 0.1 { nearest.normalize() } else { (b + c).normalize_or_zero() }
        }
        _ => return,
    };
    let at = |offset: DVec3| view.px_from_world(layout.pivot_world + offset * layout.size_world);
    let (Some(pivot_px), Some(tip_px)) = (at(DVec3::ZERO), at(offset)) else { return };
    let outward = tip_px - pivot_px;
    let outward = if outward.length() > 4.0 { outward.normalize() } else { DVec2::NEG_Y };
    let gap_lpx = 0.5 * f64::from(theme.sizes.letter_lpx) + TIP_GAP_LPX;
    let center_px = tip_px + outward * (gap_lpx * view.scale_factor());
    let plain = theme.colors.axes[axis.index()];
    let color = faded(look.state.color(theme, plain), look.opacity as f32);
    let ink = StrokeStyle { color, width_lpx: 0.17 * theme.sizes.letter_lpx };
    if center_px.is_finite() && theme.sizes.letter_lpx > 0.0 {
        letter(list, axis, center_px, theme.sizes.letter_lpx, ink);
    }
}
