//! A query of a [`Picker`](crate::gpu::Picker) in flight, and how its texels become an answer.

use super::id_handles::IdHandles;
use super::pick_tile::PickTile;
use crate::draw::DrawList;
use crate::gpu::device::error::GpuError;
use crate::gpu::device::readback::{Readback, Stage};
use crate::gpu::id_target::texel_layout::{TexelLayout, TexelWords};
use crate::handle::Priority;
use crate::pick::{PickAnswer, PickHit, PickOutcome, PickQuery};
use glam::DVec2;
use std::num::NonZeroU32;

/// The side of the two tiles, in texels: the center, and on both sides the tolerance and what a normal needs.
pub(crate) const SIDES: [u32; 2] = [33, 181];

/// The number of texels on each side of a hit that its normal needs.
const NORMAL_REACH: u32 = 2;

/// Returns the tolerance of a query, and the number of texels that it needs on each side of the cursor.
pub(crate) fn reach_of(query: &PickQuery) -> (f64, f64) {
    let radius_px = query.radius_px.clamp(0.0, PickQuery::MAX_RADIUS_PX);
    (radius_px, radius_px + if query.is_snap { f64::from(NORMAL_REACH) } else { 0.0 })
}

/// The resources of one query in flight.
#[derive(Debug)]
pub(crate) struct Slot {
    /// One per tile, created on first use.
    pub(crate) readbacks: [Option<Readback>; 2],
    /// Not shared between slots, because two queries that are encoded before one submit need both.
    pub(crate) handles: IdHandles,
    /// The id and priority of every handle that may be in the tile, at the time of the query, sorted by
    /// id.
    pub(crate) priorities: Vec<(NonZeroU32, Priority)>,
    pub(crate) pending: Option<PendingPick>,
}

#[derive(Debug)]
pub(crate) struct PendingPick {
    pub(crate) query: PickQuery,
    pub(crate) order: u64,
    /// The index of the tile and its center pixel, or `None` if no tile is needed.
    pub(crate) tile: Option<(usize, [i64; 2])>,
}

/// Returns the outcome of a query whose texels are in a tile.
pub(crate) fn outcome_in(
    tile: &PickTile<'_>,
    query: &PickQuery,
    priority_of: impl Fn(NonZeroU32) -> Option<Priority>,
) -> PickOutcome {
    let PickQuery { view, is_snap, .. } = query;
    let (radius_px, _) = reach_of(query);
    let Some(texel) = tile.resolve(radius_px, view.depth_direction(), priority_of) else {
        return PickOutcome::Nothing;
    };
    let center_px = DVec2::new(texel.x as f64 + 0.5, texel.y as f64 + 0.5);
    let mut hit = PickHit::at(texel.id, center_px);
    hit.depth = texel.depth;
    hit.position_world = view.unproject(center_px, texel.depth.into());
    hit.normal_world = is_snap.then(|| tile.normal_world(view, texel)).flatten();
    PickOutcome::Hit(hit)
}

impl Slot {
    pub(crate) fn new() -> Self {
        Self { readbacks: [None, None], handles: IdHandles::new(), priorities: Vec::new(), pending: None }
    }

    pub(crate) fn order(&self) -> Option<u64> {
        self.pending.as_ref().map(|pending| pending.order)
    }

    fn readback(&self) -> Option<&Readback> {
        let (kind, _) = self.pending.as_ref()?.tile?;
        self.readbacks[kind].as_ref()
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.pending.is_some() && self.readback().is_none_or(|r| r.stage() != Stage::InFlight)
    }

    /// Returns the answer of a finished slot and frees the slot.
    pub(crate) fn answer(
        &mut self,
        layout: TexelLayout,
        neighbors: &mut Vec<NonZeroU32>,
    ) -> Result<Option<PickAnswer>, GpuError> {
        let outcome = self.outcome(layout, neighbors);
        let Some(PendingPick { query, .. }) = self.pending.take() else { return Ok(None) };
        Ok(Some(PickAnswer::new(query, outcome?)))
    }

    fn outcome(&self, layout: TexelLayout, neighbors: &mut Vec<NonZeroU32>) -> Result<PickOutcome, GpuError> {
        if self.pending.as_ref().is_some_and(|pending| pending.query.is_snap) {
            neighbors.clear();
        }
        let (Some(readback), Some(PendingPick { query, tile: Some((kind, pixel)), .. })) =
            (self.readback(), &self.pending)
        else {
            return Ok(PickOutcome::Nothing);
        };
        match readback.stage() {
            Stage::Mapped => readback.finish(|words| {
                let texels = layout.texels(words, SIDES[*kind]);
                self.resolve(query, SIDES[*kind], *pixel, texels, neighbors)
            }),
            Stage::Dropped => {
                readback.reset();
                Ok(PickOutcome::Lost)
            }
            Stage::Idle | Stage::InFlight | Stage::Failed => {
                readback.reset();
                Err(GpuError::DeviceLost)
            }
        }
    }

    fn resolve(
        &self,
        query: &PickQuery,
        side: u32,
        [x, y]: [i64; 2],
        TexelWords { ids, depth_bits, step, stride }: TexelWords<'_>,
        neighbors: &mut Vec<NonZeroU32>,
    ) -> PickOutcome {
        let tile = PickTile { ids, depth_bits, step, stride, side: side as usize, center: (x, y) };
        let priority_of = |id: NonZeroU32| {
            let place = self.priorities.binary_search_by_key(&id, |(id, _)| *id).ok()?;
            Some(self.priorities[place].1)
        };
        if query.is_snap {
            tile.ids_within(reach_of(query).0, neighbors);
        }
        outcome_in(&tile, query, priority_of)
    }
}

/// Replaces priorities by the uploaded handles' priorities, sorted by id.
pub(crate) fn store_priorities(
    priorities: &mut Vec<(NonZeroU32, Priority)>,
    uploaded: &IdHandles,
    list: &DrawList,
) {
    priorities.clear();
    priorities.extend(uploaded.shown(list).filter_map(|item| item.id.map(|id| (id, item.priority))));
    priorities.sort_unstable();
    priorities.dedup_by_key(|(id, _)| *id);
}
