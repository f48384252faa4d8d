//! Paints the box or lasso that is being drawn.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, vec2};
use scene::selection::SelectMode;
use session::marquee::DrawnRegion;
use wgpu_gizmo::Viewport;
use wgpu_gizmo::glam::DVec2;

/// Line width in logical pixels.
const WIDTH: f32 = 1.5;
/// Stroke below the line, for contrast with any background.
const SHADOW: Stroke = Stroke { width: 3.0, color: Color32::from_black_alpha(150) };
/// Dash length of a region that selects occluded nodes too.
const DASH: f32 = 5.0;

/// Paints the outline of a box or lasso, clipped to its view.
pub(crate) fn paint(drawn: &DrawnRegion, painter: &Painter, pixels_per_point: f32) {
    let at = |px: DVec2| Pos2::new(px.x as f32, px.y as f32) / pixels_per_point;
    let Viewport { x, y, width, height } = drawn.view.viewport();
    let clip_rect = Rect::from_two_pos(at(DVec2::new(x, y)), at(DVec2::new(x + width, y + height)));
    let painter = painter.with_clip_rect(clip_rect);
    let path: Vec<Pos2> = drawn.path_px.iter().map(|px| at(*px)).collect();
    let (Some(first), Some(last)) = (path.first().copied(), path.last().copied()) else { return };
    let (color, sign) = match drawn.mode {
        SelectMode::Replace => (Color32::from_rgb(214, 230, 255), ""),
        SelectMode::Add => (Color32::from_rgb(150, 240, 170), "+"),
        SelectMode::Remove => (Color32::from_rgb(255, 170, 140), "−"),
    };
    let line = Stroke::new(WIDTH, color);
    let path = match drawn.is_lasso {
        true => [&path[..], &[first]].concat(),
        false => {
            let rect = Rect::from_two_pos(first, last);
            painter.rect_filled(rect, 0.0, color.gamma_multiply(0.05));
            painter.rect_stroke(rect, 0.0, SHADOW, StrokeKind::Middle);
            let [a, b, c, d] = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
            vec![a, b, c, d, a]
        }
    };
    if drawn.is_lasso {
        painter.line(path.clone(), SHADOW);
    }
    if drawn.through {
        painter.extend(Shape::dashed_line(&path, line, DASH, 0.8 * DASH));
    } else if drawn.is_lasso {
        // The edge that closes the lasso is fainter.
        let open_len = path.len() - 1;
        painter.line(path[..open_len].to_vec(), line);
        painter.line_segment([last, first], Stroke::new(WIDTH, color.gamma_multiply(0.6)));
    } else {
        painter.line(path, line);
    }
    if sign.is_empty() {
        return;
    }
    let background = Color32::from_rgba_unmultiplied(18, 20, 24, 225);
    let galley = painter.layout_no_wrap(sign.to_owned(), FontId::monospace(15.0), color);
    let rect = Align2::LEFT_TOP.anchor_size(last + vec2(14.0, 14.0), galley.size());
    painter.rect_filled(rect.expand2(vec2(4.0, 0.0)), 3.0, background);
    painter.galley(rect.min, galley, color);
}
