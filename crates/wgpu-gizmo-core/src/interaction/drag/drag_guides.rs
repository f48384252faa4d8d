use crate::draw::{BALL_RADIUS, DrawList, GuideLayer, Layout, OUTER_RING};
use crate::handle::{Constraint, MeshKind, Theme};
use crate::interaction::drag::Drag;
use crate::interaction::drag::readout;
use crate::interaction::gesture::{Gesture, GuideContext};
use crate::interaction::settings::Modifiers;
use crate::math::View;
use glam::{DVec2, DVec3};

/// The distance of a readout from the pivot, in sizes.
const READOUT_DISTANCE: f64 = 1.5;
/// The distance of a readout from the pointer, in logical pixels: more than a usual cursor reaches.
const GAP_LPX: f64 = 22.0;
/// The distance in sizes that a square can reach beyond its grabbed point on screen.
const SQUARE_REACH: f64 = 0.3;

/// The guides and the readout of a drag.
pub(crate) struct DragGuides<'a> {
    pub(crate) drag: &'a Drag,
    pub(crate) theme: &'a Theme,
    pub(crate) modifiers: Modifiers,
    pub(crate) has_construction_lines: bool,
}

impl DragGuides<'_> {
    /// Adds the guides and the readout to the list. If the pivot is behind the viewer, there is no layout,
    /// and only the readout is added: typed numbers must be visible somewhere.
    pub(crate) fn append(&self, list: &mut DrawList, view: &View, layout: Option<&Layout>) {
        let drag = self.drag;
        let Some(layout) = layout else {
            return readout::add(list, view, drag, None, |_| None);
        };
        let context = drag.guide_context(self.theme, self.modifiers, view, layout);
        if view.clip_w(context.start) > 0.0 {
            self.append_strokes(list, &context);
        }
        // About a tenth of a pixel, which is finer than a hand can point.
        let resolution = Some(0.1 * layout.size_world / layout.size_px);
        readout::add(list, view, drag, resolution, |size_lpx| readout_anchor(drag, &context, size_lpx));
    }

    fn append_strokes(&self, list: &mut DrawList, context: &GuideContext<'_>) {
        let gesture = self.drag.gesture();
        let [_, opacity] = self.theme.guide_opacity;
        let grid = match gesture {
            Gesture::Translate(translate) => translate.grid(context),
            _ => None,
        };
        if let Some(grid) = grid.and_then(|grid| grid.seen(context.view, context.neutral().faded(opacity))) {
            list.push_grid(grid);
        }
        if let Some(mut painter) = list.guide_painter(GuideLayer::Under) {
            gesture.steps().paint(context, &mut painter);
        }
        if let (true, Some(mut painter)) = (self.has_construction_lines, list.guide_painter(GuideLayer::Over))
        {
            let in_viewport = |px: &DVec2| context.view.viewport().contains(*px);
            if let Some(cursor_px) = context.cursor_px.filter(in_viewport) {
                gesture.path().construct(context, cursor_px, &mut painter);
            }
        }
    }
}

/// Returns the displacement from the pivot to the dragged handle, in sizes, if it is beside the pivot.
fn toward(drag: &Drag, context: &GuideContext<'_>) -> Option<DVec3> {
    context.toward(drag.handle().constraint(), drag.press_point_world())
}

/// Returns an anchor for a text of this size: near the pointer, or beside the gizmo if there is no pointer or if
/// the other handles are shown.
fn readout_anchor(drag: &Drag, context: &GuideContext<'_>, size_lpx: DVec2) -> Option<DVec2> {
    let is_alone = context.theme.dimmed <= 0.0;
    let near_pointer = || {
        let pivot_px = context.view.px_from_world(context.layout.pivot_world)?;
        let size = size_lpx * context.view.scale_factor();
        NearPointer { drag, context, pivot_px, size }.anchor()
    };
    let anchor = if is_alone { near_pointer() } else { None };
    anchor.or_else(|| beside_gizmo(drag, context, size_lpx))
}

/// The place of a readout near the pointer.
struct NearPointer<'a> {
    drag: &'a Drag,
    context: &'a GuideContext<'a>,
    pivot_px: DVec2,
    /// The size of the text in physical pixels.
    size: DVec2,
}

impl NearPointer<'_> {
    /// Returns the left end of the text, or `None` if there is no pointer or no place for the text near it.
    fn anchor(&self) -> Option<DVec2> {
        let view = self.context.view;
        let cursor_px = self.context.cursor_px.filter(|px| view.viewport().contains(*px))?;
        let mut lefts = self.sides_of_box(cursor_px).into_iter().chain(self.sides(cursor_px)).flatten();
        let is_free = |left: &DVec2| left.is_finite() && readout::is_inside(view, *left, self.size);
        lefts.by_ref().map(|side| self.left_end(side)).find(is_free)
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
        let mut sides = [DVec2::Y, DVec2::NEG_Y, DVec2::X, DVec2::NEG_X].map(|out| Side {
            at: cursor_px,
            out,
            beyond_px: gap_px,
        });
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
        let (layout, constraint) = (self.context.layout, self.drag.handle().constraint());
        let gap_px = GAP_LPX * self.context.view.scale_factor();
        let from_pivot = cursor_px - self.pivot_px;
        let around = |radius: f64, first: DVec2| {
            let beyond_px = radius * layout.size_px + gap_px;
            [first, first.perp(), -first.perp(), -first].map(|out| {
                let beyond_px = beyond_px.max(from_pivot.dot(out) + gap_px);
                // Next to the cursor, as far as the circle leaves it free.
                let along = from_pivot - out * from_pivot.dot(out);
                Side { at: self.pivot_px + along, out, beyond_px }
            })
        };
        let outward = from_pivot.normalize_or(DVec2::Y);
        Some(match constraint {
            Constraint::Ring(_) => around(1.1, outward),
            Constraint::ViewRing => around(OUTER_RING, outward),
            Constraint::Trackball => around(BALL_RADIUS, outward),
            Constraint::ScaleUniform => around(0.2, DVec2::Y),
            Constraint::Axis(_) | Constraint::ScaleAxis(_) => {
                let toward = toward(self.drag, self.context)?;
                let tip = layout.pivot_world + toward * layout.size_world;
                let along = (self.context.view.px_from_world(tip)? - self.pivot_px).normalize_or(DVec2::X);
                // Below the axis, or to the right of a vertical one.
                let side = if along.perp().y.abs() < 0.2 { DVec2::X } else { DVec2::Y };
                let out = along.perp() * along.perp().dot(side).signum();
                let head_px = f64::from(MeshKind::HEAD_RADIUS) * layout.size_px;
                [out, -out, out, -out].map(|out| {
                    let beside_px = from_pivot.dot(out).max(0.0);
                    let at = self.pivot_px + along * from_pivot.dot(along);
                    Side { at, out, beyond_px: beside_px + head_px + gap_px }
                })
            }
            Constraint::Plane(_) | Constraint::ScalePlane(_) | Constraint::ViewPlane | Constraint::Box(_) => {
                let beyond_px = SQUARE_REACH * layout.size_px + gap_px;
                [DVec2::Y, DVec2::NEG_Y, DVec2::X, DVec2::NEG_X].map(|out| Side {
                    at: cursor_px,
                    out,
                    beyond_px,
                })
            }
        })
    }

    /// Returns the left end of a text that is centered at and beyond a side.
    fn left_end(&self, Side { at, out, beyond_px }: Side) -> DVec2 {
        let half = 0.5 * self.size;
        let center = at + out * (beyond_px + half.dot(out.abs()));
        center - DVec2::new(half.x, 0.0)
    }
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

/// Returns an anchor beside the gizmo for a text of this size, on a side that the handle leaves free.
fn beside_gizmo(drag: &Drag, context: &GuideContext<'_>, size_lpx: DVec2) -> Option<DVec2> {
    let (view, layout) = (context.view, context.layout);
    let pivot_px = view.px_from_world(layout.pivot_world)?;
    let scale = view.scale_factor();
    let size = size_lpx * scale;
    let away = READOUT_DISTANCE * layout.size_px;
    let toward = toward(drag, context);
    let handle_px =
        toward.and_then(|toward| view.px_from_world(layout.pivot_world + toward * layout.size_world));
    let taken = handle_px.map_or(DVec2::ZERO, |px| (px - pivot_px).normalize_or_zero());
    // The directions from the pivot to the center of the text.
    let sides = [DVec2::Y, DVec2::NEG_Y, DVec2::X, DVec2::NEG_X];
    let left_end = |side: DVec2| {
        let center = pivot_px + side * (away + 0.5 * size * side.abs());
        center - DVec2::new(0.5 * size.x, 0.0)
    };
    let fits = |at: &DVec2| readout::is_inside(view, *at, size);
    let free = sides.into_iter().filter(|side| side.dot(taken) < 0.8).map(left_end);
    let at = free.clone().find(fits).or(sides.map(left_end).into_iter().find(fits));
    let at = at.unwrap_or(left_end(DVec2::Y));
    at.is_finite().then(|| readout::kept_inside(view, at, size))
}
