//! The readout of a drag, and its anchor.

use crate::draw::{BALL_RADIUS, DrawList, OUTER_RING};
use crate::handle::{Constraint, MeshKind};
use crate::interaction::drag::Drag;
use crate::interaction::gesture::GuideContext;
use crate::math::View;
use glam::DVec2;

/// The logical pixels of a character of a readout: its width, and the height of the line.
const CHARACTER_LPX: DVec2 = DVec2::new(8.0, 16.0);
/// The minimum distance of a readout from the edges of the viewport, in logical pixels.
const MARGIN_LPX: f64 = 4.0;
/// The distance of a readout from the pivot, in sizes.
const READOUT_DISTANCE: f64 = 1.5;
/// The distance of a readout from the pointer, in logical pixels: more than a usual cursor reaches.
const GAP_LPX: f64 = 22.0;
/// The distance in sizes that a square can reach beyond its grabbed point on screen.
const SQUARE_REACH: f64 = 0.3;
/// Down, up, right and left on screen.
const DIRECTIONS: [DVec2; 4] = [DVec2::Y, DVec2::NEG_Y, DVec2::X, DVec2::NEG_X];

/// Adds the readout of a drag to the list. `context` is `None` if the pivot has no pixel.
pub(super) fn add(list: &mut DrawList, view: &View, drag: &Drag, context: Option<&GuideContext<'_>>) {
    let digits = context.map_or(3.0, |context| {
        // About a tenth of a pixel, which is finer than a hand can point.
        let resolution = 0.1 * context.layout.size_world / context.layout.size_px;
        (-resolution.log10()).floor().clamp(3.0, 9.0)
    }) as usize;
    let anchor_px = |text: &str| {
        // At least the size of a typical text is kept free, so that the anchor does not move with every digit.
        let usual = match (drag.handle().constraint(), drag.numbers().len()) {
            (Constraint::ViewPlane, _) => 30,
            (_, 2) => 20,
            _ => 14,
        };
        let characters = usual.max(text.chars().count());
        let size = CHARACTER_LPX * DVec2::new(characters as f64, 1.0) * view.scale_factor();
        let beside = context.and_then(|context| {
            let pivot_px = view.px_from_world(context.layout.pivot_world)?;
            Readout { drag, context, pivot_px, size }.anchor()
        });
        Some(beside.unwrap_or_else(|| anchor_toward(view, drag, size)))
    };
    list.push_readout(|text| drag.write_readout(digits, text).unwrap_or_default(), anchor_px);
}

/// Returns the anchor of a text of this size, in physical pixels, that is nearest to `at` and keeps
/// all of the text in the viewport.
fn kept_inside(view: &View, at: DVec2, size: DVec2) -> DVec2 {
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
fn anchor_toward(view: &View, drag: &Drag, size: DVec2) -> DVec2 {
    let v = view.viewport();
    let center = DVec2::new(v.x + 0.5 * v.width, v.y + 0.5 * v.height);
    let pivot = view.px_homogeneous(drag.placement().pivot_world.extend(1.0));
    // For w > 0 this is w times the displacement from the center to the pivot's pixel, and it is
    // continuous at w = 0, where the pixel is at infinity.
    let toward = (pivot.truncate() - center * pivot.z).normalize_or(DVec2::Y);
    let left_end = center + toward * (v.width + v.height) - DVec2::new(0.5 * size.x, 0.0);
    kept_inside(view, left_end, size)
}

/// A line on screen that a text is beyond.
#[derive(Debug, Clone, Copy)]
struct Side {
    at: DVec2,
    /// Unit length, perpendicular to the line.
    out: DVec2,
    /// The distance of the line from `at`.
    beyond_px: f64,
}

impl Side {
    /// Returns the left end of a text of this size that is centered at and beyond the side.
    fn left_end(&self, size: DVec2) -> DVec2 {
        let half = 0.5 * size;
        let center = self.at + self.out * (self.beyond_px + half.dot(self.out.abs()));
        center - DVec2::new(half.x, 0.0)
    }
}

/// The readout in a view that shows the pivot.
struct Readout<'a> {
    drag: &'a Drag,
    context: &'a GuideContext<'a>,
    pivot_px: DVec2,
    /// The size of the text in physical pixels.
    size: DVec2,
}

impl Readout<'_> {
    /// Returns the left end of the text: near the pointer, or beside the gizmo if there is no pointer, no place near
    /// it, or if the other handles are shown.
    fn anchor(&self) -> Option<DVec2> {
        let is_alone = self.context.theme.opacities.dimmed <= 0.0;
        let near_pointer = self.context.cursor_in_viewport().filter(|_| is_alone).and_then(|cursor_px| {
            let sides = self.sides_of_box(cursor_px).into_iter().chain(self.sides(cursor_px));
            sides.flatten().map(|side| side.left_end(self.size)).find(|left| self.is_inside(*left))
        });
        near_pointer.or_else(|| self.beside_gizmo())
    }

    fn is_inside(&self, left_end: DVec2) -> bool {
        kept_inside(self.context.view, left_end, self.size) == left_end
    }

    /// Returns the displacement on screen from the pivot to the dragged handle, if it is beside the pivot.
    fn toward(&self) -> Option<DVec2> {
        let GuideContext { view, layout, .. } = self.context;
        let toward = self.context.toward(self.drag.handle().constraint(), self.drag.press_point_world())?;
        let tip_px = view.px_from_world(layout.pivot_world + toward * layout.size_world)?;
        Some(tip_px - self.pivot_px)
    }

    /// Returns the left end of the text beside the gizmo, on a side that the handle leaves free.
    fn beside_gizmo(&self) -> Option<DVec2> {
        let beyond_px = READOUT_DISTANCE * self.context.layout.size_px;
        let left_end = |out: DVec2| Side { at: self.pivot_px, out, beyond_px }.left_end(self.size);
        let taken = self.toward().unwrap_or_default().normalize_or_zero();
        let free = DIRECTIONS.into_iter().filter(|out| out.dot(taken) < 0.8);
        let fitting = free.chain(DIRECTIONS).map(left_end).find(|left| self.is_inside(*left));
        let left_end = fitting.unwrap_or(left_end(DVec2::Y));
        left_end.is_finite().then(|| kept_inside(self.context.view, left_end, self.size))
    }

    /// Returns the lines beyond the box whose side is dragged, from the nearest to the farthest.
    fn sides_of_box(&self, cursor_px: DVec2) -> Option<[Side; 4]> {
        let (Constraint::Box(_), Some(shown)) =
            (self.drag.handle().constraint(), self.context.layout.oriented_box)
        else {
            return None;
        };
        let view = self.context.view;
        let gap_px = GAP_LPX * view.scale_factor();
        let mut sides = DIRECTIONS.map(|out| Side { at: cursor_px, out, beyond_px: gap_px });
        for corner in shown.corners() {
            let from_cursor = view.px_from_world(corner)? - cursor_px;
            for side in &mut sides {
                side.beyond_px = side.beyond_px.max(from_cursor.dot(side.out) + gap_px);
            }
        }
        sides.sort_by(|a, b| a.beyond_px.total_cmp(&b.beyond_px));
        Some(sides)
    }

    /// Returns the lines that the text can be beyond without covering the dragged handle.
    fn sides(&self, cursor_px: DVec2) -> Option<[Side; 4]> {
        let size_px = self.context.layout.size_px;
        let gap_px = GAP_LPX * self.context.view.scale_factor();
        let from_pivot = cursor_px - self.pivot_px;
        let around = |radius: f64, first: DVec2| {
            let beyond_px = radius * size_px + gap_px;
            [first, first.perp(), -first.perp(), -first].map(|out| {
                let beyond_px = beyond_px.max(from_pivot.dot(out) + gap_px);
                // Next to the cursor, as far as the circle leaves it free.
                let along = from_pivot - out * from_pivot.dot(out);
                Side { at: self.pivot_px + along, out, beyond_px }
            })
        };
        let outward = from_pivot.normalize_or(DVec2::Y);
        Some(match self.drag.handle().constraint() {
            Constraint::Ring(_) => around(1.1, outward),
            Constraint::ViewRing => around(OUTER_RING, outward),
            Constraint::Trackball => around(BALL_RADIUS, outward),
            Constraint::ScaleUniform => around(0.2, DVec2::Y),
            Constraint::Axis(_) | Constraint::ScaleAxis(_) => {
                let along = self.toward()?.normalize_or(DVec2::X);
                // Below the axis, or to the right of a vertical one.
                let side = if along.perp().y.abs() < 0.2 { DVec2::X } else { DVec2::Y };
                let out = along.perp() * along.perp().dot(side).signum();
                let head_px = f64::from(MeshKind::HEAD_RADIUS) * size_px;
                [out, -out, out, -out].map(|out| {
                    let beside_px = from_pivot.dot(out).max(0.0);
                    let at = self.pivot_px + along * from_pivot.dot(along);
                    Side { at, out, beyond_px: beside_px + head_px + gap_px }
                })
            }
            Constraint::Plane(_) | Constraint::ScalePlane(_) | Constraint::ViewPlane | Constraint::Box(_) => {
                let beyond_px = SQUARE_REACH * size_px + gap_px;
                DIRECTIONS.map(|out| Side { at: cursor_px, out, beyond_px })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::DMat4;

    #[test]
    fn text_is_kept_inside_by_margin_of_logical_pixels() {
        for scale_factor in [1.0, 2.5] {
            let viewport = Viewport { x: 10.0, y: 20.0, width: 800.0, height: 600.0 };
            let view = View::from_clip_from_world(DMat4::IDENTITY, viewport, scale_factor);
            let (view, margin) = (view.expect("the view is valid"), MARGIN_LPX * scale_factor);
            let [low, high] = [DVec2::new(10.0, 20.0), DVec2::new(810.0, 620.0)];
            // The left end is at half of the height of the text.
            let (size, half) = (DVec2::new(120.0, 40.0), DVec2::new(0.0, 20.0));
            let free = DVec2::new(300.0, 200.0);
            assert_eq!(kept_inside(&view, free, size), free);
            assert_eq!(kept_inside(&view, DVec2::splat(-1e9), size), low + half + margin);
            assert_eq!(kept_inside(&view, DVec2::splat(1e9), size), high - half - margin - DVec2::X * size.x);
        }
    }
}
