use super::query::PickQuery;
use super::rule::Candidate;
use crate::draw::parts::{Painting, PartEdge};
use crate::draw::{DrawList, GizmoEntry, Item, Piece, PiecePart};
use crate::handle::Priority;
use crate::math::Rect;
use glam::{DVec2, DVec3};
use std::cmp::Ordering;
use std::num::NonZeroU32;

impl DrawList {
    /// Returns the id of the handle under the cursor, computed on the CPU.
    ///
    /// The rule is that of §14 of `docs/spec.md`, with distances to the drawn outlines instead of to texels.
    /// It finds only handles, not objects.
    pub fn pick(&self, cursor_px: DVec2, radius_px: f64) -> Option<NonZeroU32> {
        let view = self.view().filter(|_| !self.has_mixed_ids())?;
        if !view.viewport().contains(cursor_px) {
            return None;
        }
        // NaN becomes 0.
        let radius_px = radius_px.max(0.0);
        let radius_px = radius_px.min(PickQuery::MAX_RADIUS_PX);
        let px = cursor_px.floor() + 0.5;
        let cursor = Cursor { list: self, px, radius_px, forward: view.forward() };
        let all = || {
            self.painted().enumerate().map(|(index, (entry, pieces))| ((entry.depth, index), entry, pieces))
        };
        let (exact, best) = cursor.nearest(all());
        let is_ball = |hit: &Hit<'_>| hit.item.priority == Priority::Trackball;
        let Some(hit) = exact else { return best.map(|(id, _)| id) };
        // With a tolerance below one pixel no other texel is within it, so even the trackball keeps the
        // hit.
        if !is_ball(&hit) || radius_px < 1.0 {
            return Some(hit.id);
        }
        // The trackball yields to handles within the tolerance, unless its gizmo is nearer and hides them.
        let hidden = |gizmo: &GizmoOrder| front_to_back(hit.gizmo, *gizmo).is_lt();
        let best = match best {
            Some((_, gizmo)) if hidden(&gizmo) => {
                cursor.nearest(all().filter(|(gizmo, ..)| !hidden(gizmo))).1
            }
            best => best,
        };
        Some(best.map_or(hit.id, |(id, _)| id))
    }
}

/// The fractions of the length of an edge at which [`DrawList::px_of`] tries its pixels: the middle first.
const FRACTIONS: [f64; 7] = [0.5, 0.375, 0.625, 0.25, 0.75, 0.125, 0.875];

/// The margin in pixels that [`DrawList::px_of`] looks for.
const MARGIN_PX: f64 = 1.5;

impl DrawList {
    /// Returns the center of a pixel at which the handle with an id is hit, if there is one: on the center line of one
    /// of its strokes, or inside of one of its outlines. Pixels away from its border are preferred.
    pub fn px_of(&self, id: NonZeroU32) -> Option<DVec2> {
        self.px_within(id, 0.0)
    }

    /// Returns a pixel like [`DrawList::px_of`], at which a pick with this tolerance hits the handle too. The handles
    /// near a pixel of the trackball have priority over it.
    pub(crate) fn px_within(&self, id: NonZeroU32, radius_px: f64) -> Option<DVec2> {
        let is_hit = |px: DVec2| {
            let is_picked = |radius_px: f64| self.pick(px, radius_px) == Some(id);
            is_picked(0.0) && (radius_px == 0.0 || is_picked(radius_px))
        };
        let around = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
        let mut best: Option<(usize, DVec2)> = None;
        Painting::default().edges(self, &Rect::EVERYWHERE, |PartEdge { item, anchor_px, edge, .. }| {
            let is_done = best.is_some_and(|(hits, _)| hits == around.len());
            if is_done || self.items()[item].id != Some(id) {
                return;
            }
            let middle = edge.rect[0];
            for fraction in FRACTIONS {
                let bulge = 4.0 * edge.sagitta * fraction * (1.0 - fraction);
                let on_edge = edge.start + edge.along * (edge.length * fraction) + edge.along.perp() * bulge;
                // The rectangle of an edge of an outline is on its inner side.
                let inside = if edge.half_widths.is_some() { on_edge } else { on_edge.midpoint(middle) };
                let px = (anchor_px + inside).floor() + 0.5;
                if is_hit(px) {
                    let hits = around.iter().filter(|by| is_hit(px + **by * MARGIN_PX)).count();
                    if best.is_none_or(|(most, _)| hits > most) {
                        best = Some((hits, px));
                    }
                }
            }
        });
        best.map(|(_, px)| px)
    }
}

/// The depth of a gizmo's pivot along the view, and the index of the gizmo in the list.
type GizmoOrder = (f64, usize);

/// A handle at the cursor's pixel.
#[derive(Debug, Clone, Copy)]
struct Hit<'a> {
    gizmo: GizmoOrder,
    item: &'a Item,
    id: NonZeroU32,
}

/// Orders gizmos front to back. A nearer gizmo hides a farther one completely; ties are resolved by index.
fn front_to_back(a: GizmoOrder, b: GizmoOrder) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// The cursor of a pick on the CPU.
struct Cursor<'a> {
    list: &'a DrawList,
    px: DVec2,
    radius_px: f64,
    /// The direction of the view.
    forward: DVec3,
}

impl<'a> Cursor<'a> {
    /// Returns the handle at the cursor's pixel, and the best handle within the radius with its gizmo.
    fn nearest(
        &self,
        gizmos: impl Iterator<Item = (GizmoOrder, &'a GizmoEntry, &'a [Piece])>,
    ) -> (Option<Hit<'a>>, Option<(NonZeroU32, GizmoOrder)>) {
        let mut exact: Option<Hit<'_>> = None;
        let mut best: Option<(Candidate, GizmoOrder)> = None;
        for (gizmo, entry, pieces) in gizmos {
            if !entry.may_reach(self.px, self.radius_px) {
                continue;
            }
            for piece in pieces.iter().filter(|piece| piece.part != PiecePart::Far) {
                let item = &self.list.items()[piece.item as usize];
                let Some(id) = item.id else { continue };
                let Some(distance_px) = self.list.distance_px(item, self.px, self.radius_px) else {
                    continue;
                };
                // Later pieces are painted over earlier ones.
                if distance_px <= 0.0 && exact.is_none_or(|hit| front_to_back(gizmo, hit.gizmo).is_le()) {
                    exact = Some(Hit { gizmo, item, id });
                }
                if item.priority == Priority::Trackball {
                    continue;
                }
                let distance_px = distance_px.max(0.0);
                let key = Candidate {
                    is_beyond_half: distance_px > 0.5 * self.radius_px,
                    priority: item.priority,
                    distance_squared: distance_px * distance_px,
                    depth: self.forward.dot(item.world_from_part.translation),
                    id,
                };
                if best.as_ref().is_none_or(|(best, _)| key.order(best).is_lt()) {
                    best = Some((key, gizmo));
                }
            }
        }
        (exact, best.map(|(key, gizmo)| (key.id, gizmo)))
    }
}
