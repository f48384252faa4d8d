//! Icons, drawn as shapes: those of fonts are too heavy, or absent.

use egui::cache::{ComputerMut, FrameCache};
use egui::{Color32, Memory, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

/// An icon: shapes that are separated by semicolons, in points from the center. Y goes down, and angles are in degrees,
/// clockwise from the right.
///
/// - `line X,Y …`, `loop X,Y …`, `fill X,Y …`: a line, a closed line, a filled convex polygon
/// - `arc RX,RY FROM,TO`: an arc of an ellipse around the center
/// - `dot X,Y RADIUS`: a filled circle
/// - `rect X,Y WIDTH,HEIGHT`, `box X,Y WIDTH,HEIGHT`: a rectangle, a filled rectangle
/// - `head X,Y ANGLE`: the head of an arrow with its tip here
/// - `width W`, `fade PART`: the width of lines and the opacity of what follows
pub(super) type Icon = &'static str;

pub(super) const SELECT: Icon =
    "fill -5,-8 6,2.5 0.2,3; fill -5,-8 0.2,3 -4.6,7; width 2.6; line 0,2 3.4,8.4";
pub(super) const TRANSLATE: Icon =
    "line -6,0 6,0; line 0,-6 0,6; head 9,0 0; head -9,0 180; head 0,-9 270; head 0,9 90";
pub(super) const ROTATE: Icon = "arc 7,7 -54,243; head 7.2,-1.6 41.3";
pub(super) const SCALE: Icon = "rect -7.5,1.5 6,6; line -1,1 6,-6; box 3.5,-8 4.5,4.5";
pub(super) const UNIVERSAL: Icon = "arc 8,8 20,250; line 0,4 0,-4; line -4,0 8,0; head 9,0 0; box -2,-7 4,4";
pub(super) const WORLD: Icon = "arc 7.5,7.5 0,360; arc 3.4,7.5 0,360; line -7.5,0 7.5,0";
pub(super) const PARENT: Icon = "rect -7.5,-7.5 6.5,6.5; line -4.2,-1 -4.2,4.5 1,4.5; box 1,1.5 6,6";
pub(super) const LOCAL: Icon = "loop -2,-8 8,-3 3,7 -7,2; dot 0.5,-0.5 1.8";
pub(super) const VIEW: Icon = "arc 9,5.5 180,360; arc 9,5.5 0,180; dot 0,0 2.4";
pub(super) const PIVOT: Icon =
    "arc 4,4 0,360; dot 0,0 1.6; line 4,0 8,0; line -4,0 -8,0; line 0,4 0,8; line 0,-4 0,-8";
pub(super) const MAGNET: Icon = "width 3; box 3.9,-7.8 3,3.2; box -6.9,-7.8 3,3.2; \
    line 5.4,-2.8 5.4,1 5,3.1 3.8,4.8 2.1,6 0,6.4 -2.1,6 -3.8,4.8 -5,3.1 -5.4,1 -5.4,-2.8";
pub(super) const SNAP_TARGET: Icon = "loop -7,6 0,-7 7,6; box -2.5,-9 5,5";
pub(super) const DEPTH: Icon =
    "rect -8,-4 9,9; line -2,-7.5 8,-7.5 8,2 4.5,2; line 1,-4 4,-7.5; dot -3.5,0.5 1.8";
pub(super) const BOX_HANDLES: Icon =
    "rect -6,-6 12,12; box -8,-8 4,4; box 4,-8 4,4; box -8,4 4,4; box 4,4 4,4";
pub(super) const FRAME: Icon =
    "line -8,-4 -8,-8 -4,-8; line 8,-4 8,-8 4,-8; line -8,4 -8,8 -4,8; line 8,4 8,8 4,8; dot 0,0 2.4";
pub(super) const ORTHOGRAPHIC: Icon = "loop 0,-8 7,-4 7,4 0,8 -7,4 -7,-4; line -7,-4 0,0 7,-4; line 0,0 0,8";
pub(super) const GRID: Icon = "line -8,-6 8,-6; line -8,0 8,0; line -8,6 8,6; \
    line -6,-8 -6,8; line 0,-8 0,8; line 6,-8 6,8";
pub(super) const CLAY: Icon = "arc 7.5,7.5 0,360; fade 0.55; dot 2.2,2.2 4.2; dot 3.4,1 3.2";
pub(super) const VIEWS: Icon = "rect -8,-8 7,7; rect 1,-8 7,7; rect -8,1 7,7; rect 1,1 7,7";
pub(super) const RESET: Icon = "width 1.3; arc 4.2,4.2 -21.6,252; fill -1.8,-7 2.5,-3.6 -1.8,-0.8";

/// The eye of a row of the tree, open and crossed out.
pub(super) const EYES: [Icon; 2] = [
    "width 1.2; dot 0,0 1.7; \
        loop -5.5,0 -3.3,-2 -1.2,-3.2 1.2,-3.2 3.3,-2 5.5,0 3.3,2 1.2,3.2 -1.2,3.2 -3.3,2",
    "width 1.2; line -4.5,4.5 4.5,-4.5; \
        loop -5.5,0 -3.3,-2 -1.2,-3.2 1.2,-3.2 3.3,-2 5.5,0 3.3,2 1.2,3.2 -1.2,3.2 -3.3,2",
];
/// The lock of a row, open and closed.
pub(super) const LOCKS: [Icon; 2] = [
    "width 1.2; rect -3.4,-0.2 6.8,4.8; \
        line -2.6,-0.6 -2.6,-3.4 -2.4,-4.4 -1.8,-5.2 -1,-5.8 0,-6 1,-5.8 1.8,-5.2 2.4,-4.4 2.6,-3.4",
    "width 1.2; box -4,-0.8 8,6; \
        line -2.6,-0.6 -2.6,-2 -2.4,-3 -1.8,-3.8 -1,-4.4 0,-4.6 1,-4.4 1.8,-3.8 2.4,-3 2.6,-2 2.6,-0.6",
];
/// The triangle of a row, collapsed and expanded.
pub(super) const FOLDS: [Icon; 2] = ["fill -2,-4 3,0 -2,4", "fill -4,-2 4,-2 0,3"];

/// Draws an icon in the center of a rectangle.
pub(super) fn paint(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    let read = |memory: &mut Memory| {
        memory.caches.cache::<FrameCache<Vec<Shape>, Reader>>().get((icon, color)).clone()
    };
    painter.extend(painter.ctx().memory_mut(read).into_iter().map(|mut shape| {
        shape.translate(rect.center().to_vec2());
        shape
    }));
}

/// Reads an icon once, because the tree alone shows dozens in every frame. Its shapes are around the origin.
#[derive(Default)]
struct Reader;

impl ComputerMut<(Icon, Color32), Vec<Shape>> for Reader {
    fn compute(&mut self, (icon, mut color): (Icon, Color32)) -> Vec<Shape> {
        let mut width = 1.4;
        let read = |shape: &str| {
            let (kind, numbers) = shape.split_once(' ').unwrap_or_default();
            let numbers: Vec<f32> =
                numbers.split([' ', ',']).filter_map(|number| number.parse().ok()).collect();
            let points: Vec<Pos2> = numbers.chunks_exact(2).map(|at| pos2(at[0], at[1])).collect();
            let stroke = Stroke::new(width, color);
            match (kind, &numbers[..]) {
                ("line", _) => Shape::line(points, stroke),
                ("loop", _) => Shape::closed_line(points, stroke),
                ("fill", _) => Shape::convex_polygon(points, color, Stroke::NONE),
                ("arc", [rx, ry, from, to]) => {
                    let angles = (0..=20).map(|i| (from + (to - from) * i as f32 / 20.0).to_radians());
                    Shape::line(angles.map(|at| pos2(rx * at.cos(), ry * at.sin())).collect(), stroke)
                }
                ("dot", [_, _, radius]) => Shape::circle_filled(points[0], *radius, color),
                ("rect", [_, _, x, y]) => {
                    let rect = Rect::from_min_size(points[0], vec2(*x, *y));
                    Shape::rect_stroke(rect, 1.0, stroke, StrokeKind::Middle)
                }
                ("box", [_, _, x, y]) => {
                    Shape::rect_filled(Rect::from_min_size(points[0], vec2(*x, *y)), 1.0, color)
                }
                ("head", [_, _, angle]) => {
                    let along = Vec2::angled(angle.to_radians());
                    let (tip, back, side) = (points[0], along * -4.6, along.rot90() * 2.6);
                    let corners = vec![tip, tip + back + side, tip + back - side];
                    Shape::convex_polygon(corners, color, Stroke::NONE)
                }
                ("width", [to]) => {
                    width = *to;
                    Shape::Noop
                }
                ("fade", [by]) => {
                    color = color.gamma_multiply(*by);
                    Shape::Noop
                }
                _ => unreachable!("{shape}"),
            }
        };
        icon.split("; ").map(read).collect()
    }
}
