use super::query::PickQuery;
use super::rule::Candidate;
use crate::draw::{DrawList, GizmoEntry, Item, Piece, PiecePart};
use crate::handle::Priority;
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
