//! Icons of the tree: eyes, locks and triangles. They are drawn as shapes because those of the font are too
//! heavy.

use egui::epaint::PathShape;
use egui::{Color32, Painter, Pos2, Rect, Stroke, StrokeKind, pos2, vec2};
use std::f32::consts::PI;

/// Draws an eye, open or crossed out, in the center of a rectangle.
pub(super) fn eye(painter: &Painter, rect: Rect, color: Color32, is_open: bool) {
    let (center, stroke) = (rect.center(), Stroke::new(1.2, color));
    let lid = |up: f32| {
        let at = |i: u8| {
            let along = f32::from(i) / 8.0;
            pos2(center.x + 11.0 * (along - 0.5), center.y + up * 3.4 * (PI * along).sin())
        };
        PathShape::line((0..=8).map(at).collect(), stroke)
    };
    painter.add(lid(-1.0));
    painter.add(lid(1.0));
    if is_open {
        painter.circle_filled(center, 1.7, color);
    } else {
        painter.line_segment([center + vec2(-4.5, 4.5), center + vec2(4.5, -4.5)], stroke);
    }
}

/// Draws a lock, closed or open, in the center of a rectangle.
pub(super) fn lock(painter: &Painter, rect: Rect, color: Color32, is_closed: bool) {
    let (center, stroke) = (rect.center(), Stroke::new(1.2, color));
    let body = Rect::from_center_size(center + vec2(0.0, 2.2), vec2(8.0, 6.0));
    if is_closed {
        painter.rect_filled(body, 1.0, color);
    } else {
        painter.rect_stroke(body, 1.0, stroke, StrokeKind::Inside);
    }
    // The shackle of an open lock is free on the right.
    let lift = if is_closed { 0.0 } else { 1.4 };
    let at = |i: u8| {
        let angle = PI * (1.0 + f32::from(i) / 8.0);
        pos2(center.x + 2.6 * angle.cos(), center.y - 2.0 - lift + 2.6 * angle.sin())
    };
    let mut shackle: Vec<Pos2> = (0..=8).map(at).collect();
    shackle.insert(0, pos2(center.x - 2.6, center.y - 0.6));
    if is_closed {
        shackle.push(pos2(center.x + 2.6, center.y - 0.6));
    }
    painter.add(PathShape::line(shackle, stroke));
}

/// Draws the triangle of an expanded or collapsed row.
pub(super) fn fold(painter: &Painter, rect: Rect, color: Color32, is_open: bool) {
    let center = rect.center();
    let corners = match is_open {
        true => [vec2(-4.0, -2.0), vec2(4.0, -2.0), vec2(0.0, 3.0)],
        false => [vec2(-2.0, -4.0), vec2(3.0, 0.0), vec2(-2.0, 4.0)],
    };
    let corners = corners.map(|corner| center + corner).to_vec();
    painter.add(PathShape::convex_polygon(corners, color, Stroke::NONE));
}
