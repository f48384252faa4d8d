//! Icons of the toolbar, drawn as shapes.

use egui::epaint::PathShape;
use egui::{Color32, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// An icon of the toolbar.
pub(super) type Icon = fn(&Pen<'_>);

/// A painter of one icon, in points from its center.
pub(super) struct Pen<'a> {
    painter: &'a Painter,
    center: Pos2,
    color: Color32,
    stroke: Stroke,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> Pos2 {
        self.center + vec2(x, y)
    }

    fn line(&self, points: &[[f32; 2]]) {
        let points = points.iter().map(|[x, y]| self.at(*x, *y)).collect();
        self.painter.add(PathShape::line(points, self.stroke));
    }

    fn outline(&self, points: &[[f32; 2]]) {
        let points = points.iter().map(|[x, y]| self.at(*x, *y)).collect();
        self.painter.add(PathShape::closed_line(points, self.stroke));
    }

    fn fill(&self, points: &[[f32; 2]]) {
        let points = points.iter().map(|[x, y]| self.at(*x, *y)).collect();
        self.painter.add(PathShape::convex_polygon(points, self.color, Stroke::NONE));
    }

    fn dot(&self, x: f32, y: f32, radius: f32) {
        self.painter.circle_filled(self.at(x, y), radius, self.color);
    }

    fn circle(&self, radius: f32) {
        self.painter.circle_stroke(self.center, radius, self.stroke);
    }

    fn rect(&self, x: f32, y: f32, width: f32, height: f32) {
        let rect = Rect::from_min_size(self.at(x, y), vec2(width, height));
        self.painter.rect_stroke(rect, 1.0, self.stroke, StrokeKind::Middle);
    }

    fn filled_rect(&self, x: f32, y: f32, width: f32, height: f32) {
        self.painter.rect_filled(Rect::from_min_size(self.at(x, y), vec2(width, height)), 1.0, self.color);
    }

    /// Draws an arc of an ellipse around the center. Angles run clockwise from the right.
    fn arc(&self, radii: [f32; 2], [from, to]: [f32; 2]) {
        let points = (0..=20).map(|i| {
            let angle = from + (to - from) * i as f32 / 20.0;
            pos2(self.center.x + radii[0] * angle.cos(), self.center.y + radii[1] * angle.sin())
        });
        self.painter.add(PathShape::line(points.collect(), self.stroke));
    }

    /// Draws an arrow head with its tip here, pointing along a unit vector.
    fn head(&self, tip: [f32; 2], along: Vec2) {
        let (back, side) = (along * -4.6, along.rot90() * 2.6);
        let tip = Vec2::from(tip);
        let corners = [tip, tip + back + side, tip + back - side];
        self.fill(&corners.map(|corner| [corner.x, corner.y]));
    }
}

/// Draws an icon in the center of a rectangle.
pub(super) fn paint(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    icon(&Pen { painter, center: rect.center(), color, stroke: Stroke::new(1.4, color) });
}

pub(super) fn select(pen: &Pen<'_>) {
    pen.fill(&[[-5.0, -8.0], [6.0, 2.5], [0.2, 3.0]]);
    pen.fill(&[[-5.0, -8.0], [0.2, 3.0], [-4.6, 7.0]]);
    let thick = Stroke::new(2.6, pen.color);
    pen.painter.line_segment([pen.at(0.0, 2.0), pen.at(3.4, 8.4)], thick);
}

pub(super) fn translate(pen: &Pen<'_>) {
    pen.line(&[[-6.0, 0.0], [6.0, 0.0]]);
    pen.line(&[[0.0, -6.0], [0.0, 6.0]]);
    for (tip, along) in [
        ([9.0, 0.0], Vec2::RIGHT),
        ([-9.0, 0.0], Vec2::LEFT),
        ([0.0, -9.0], Vec2::UP),
        ([0.0, 9.0], Vec2::DOWN),
    ] {
        pen.head(tip, along);
    }
}

pub(super) fn rotate(pen: &Pen<'_>) {
    pen.arc([7.0, 7.0], [-FRAC_PI_2 * 0.6, PI * 1.35]);
    pen.head([7.2, -1.6], vec2(0.75, 0.66));
}

pub(super) fn scale(pen: &Pen<'_>) {
    pen.rect(-7.5, 1.5, 6.0, 6.0);
    pen.line(&[[-1.0, 1.0], [6.0, -6.0]]);
    pen.filled_rect(3.5, -8.0, 4.5, 4.5);
}

pub(super) fn universal(pen: &Pen<'_>) {
    pen.arc([8.0, 8.0], [0.35, TAU - 0.35 - FRAC_PI_2]);
    pen.line(&[[0.0, 4.0], [0.0, -4.0]]);
    pen.line(&[[-4.0, 0.0], [8.0, 0.0]]);
    pen.head([9.0, 0.0], Vec2::RIGHT);
    pen.filled_rect(-2.0, -7.0, 4.0, 4.0);
}

pub(super) fn world(pen: &Pen<'_>) {
    pen.circle(7.5);
    pen.arc([3.4, 7.5], [0.0, TAU]);
    pen.line(&[[-7.5, 0.0], [7.5, 0.0]]);
}

pub(super) fn parent(pen: &Pen<'_>) {
    pen.rect(-7.5, -7.5, 6.5, 6.5);
    pen.line(&[[-4.2, -1.0], [-4.2, 4.5], [1.0, 4.5]]);
    pen.filled_rect(1.0, 1.5, 6.0, 6.0);
}

pub(super) fn local(pen: &Pen<'_>) {
    pen.outline(&[[-2.0, -8.0], [8.0, -3.0], [3.0, 7.0], [-7.0, 2.0]]);
    pen.dot(0.5, -0.5, 1.8);
}

pub(super) fn view(pen: &Pen<'_>) {
    pen.arc([9.0, 5.5], [PI, TAU]);
    pen.arc([9.0, 5.5], [0.0, PI]);
    pen.dot(0.0, 0.0, 2.4);
}

pub(super) fn pivot(pen: &Pen<'_>) {
    pen.circle(4.0);
    pen.dot(0.0, 0.0, 1.6);
    for [x, y] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
        pen.line(&[[x * 4.0, y * 4.0], [x * 8.0, y * 8.0]]);
    }
}

pub(super) fn magnet(pen: &Pen<'_>) {
    let thick = Stroke::new(3.0, pen.color);
    let arc = (0..=16).map(|i| {
        let angle = PI * i as f32 / 16.0;
        pen.at(5.4 * angle.cos(), 1.0 + 5.4 * angle.sin())
    });
    let mut points: Vec<Pos2> = vec![pen.at(5.4, -2.8)];
    points.extend(arc);
    points.push(pen.at(-5.4, -2.8));
    pen.painter.add(PathShape::line(points, thick));
    pen.filled_rect(3.9, -7.8, 3.0, 3.2);
    pen.filled_rect(-6.9, -7.8, 3.0, 3.2);
}

pub(super) fn snap_target(pen: &Pen<'_>) {
    pen.outline(&[[-7.0, 6.0], [0.0, -7.0], [7.0, 6.0]]);
    pen.filled_rect(-2.5, -9.0, 5.0, 5.0);
}

pub(super) fn depth(pen: &Pen<'_>) {
    pen.rect(-8.0, -4.0, 9.0, 9.0);
    pen.line(&[[-2.0, -7.5], [8.0, -7.5], [8.0, 2.0], [4.5, 2.0]]);
    pen.line(&[[1.0, -4.0], [4.0, -7.5]]);
    pen.dot(-3.5, 0.5, 1.8);
}

pub(super) fn box_handles(pen: &Pen<'_>) {
    pen.rect(-6.0, -6.0, 12.0, 12.0);
    for [x, y] in [[-6.0, -6.0], [6.0, -6.0], [-6.0, 6.0], [6.0, 6.0]] {
        pen.filled_rect(x - 2.0, y - 2.0, 4.0, 4.0);
    }
}

pub(super) fn frame(pen: &Pen<'_>) {
    for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
        pen.line(&[[x * 8.0, y * 4.0], [x * 8.0, y * 8.0], [x * 4.0, y * 8.0]]);
    }
    pen.dot(0.0, 0.0, 2.4);
}

pub(super) fn orthographic(pen: &Pen<'_>) {
    pen.outline(&[[0.0, -8.0], [7.0, -4.0], [7.0, 4.0], [0.0, 8.0], [-7.0, 4.0], [-7.0, -4.0]]);
    pen.line(&[[-7.0, -4.0], [0.0, 0.0], [7.0, -4.0]]);
    pen.line(&[[0.0, 0.0], [0.0, 8.0]]);
}

pub(super) fn grid(pen: &Pen<'_>) {
    for at in [-6.0, 0.0, 6.0] {
        pen.line(&[[-8.0, at], [8.0, at]]);
        pen.line(&[[at, -8.0], [at, 8.0]]);
    }
}

pub(super) fn clay(pen: &Pen<'_>) {
    pen.circle(7.5);
    for (x, y, radius) in [(2.2, 2.2, 4.2), (3.4, 1.0, 3.2)] {
        pen.painter.circle_filled(pen.at(x, y), radius, pen.color.gamma_multiply(0.55));
    }
}

pub(super) fn views(pen: &Pen<'_>) {
    for [x, y] in [[-8.0, -8.0], [1.0, -8.0], [-8.0, 1.0], [1.0, 1.0]] {
        pen.rect(x, y, 7.0, 7.0);
    }
}
