//! Portions of the work of a layer, so that a picture that takes long can be drawn in several submissions.
//!
//! The nodes of a layer are in a fixed order, and each has an estimated amount of work, in pixels that are
//! shaded. So a portion is an interval of the work, and consecutive portions draw every node once.

use super::instances::Run;
use super::meshes::Batch;
use scene::bounds::Bounds;
use std::ops::Range;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::{DMat4, DVec2};

/// The work of a pixel that is not shaded, relative to one that is. Measured on a software rasterizer, which
/// shades even occluded pixels if they are multisampled.
const FLAT: f64 = 0.03;
/// The work of a triangle besides its pixels.
const TRIANGLE: f64 = 4.0;

/// Whether a layer shades its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shading {
    Lit,
    Flat,
}

impl Shading {
    /// Returns the work of each node of a run.
    pub(super) fn work(self, run: &Run, batch: &Batch) -> f64 {
        let pixels = run.pixels / run.slots.len() as f64 * if self == Self::Lit { 1.0 } else { FLAT };
        pixels + TRIANGLE * batch.triangles() as f64
    }
}

/// The progress of a layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// The work that is done; infinite if nothing is left to draw.
    done: f64,
    total: f64,
}

impl Default for Progress {
    fn default() -> Self {
        Self::NONE
    }
}

impl Progress {
    /// The progress of a layer that stays as it is.
    pub(crate) const NONE: Self = Self { done: f64::INFINITY, total: 0.0 };

    /// Returns the progress of a layer with this amount of work.
    pub(crate) fn start(total: f64) -> Self {
        Self { done: 0.0, total }
    }

    /// Returns true while something must still be drawn.
    pub(crate) fn is_pending(&self) -> bool {
        self.done < f64::INFINITY
    }

    /// Returns the work that is done, and all of it.
    pub(crate) fn done_of_total(&self) -> DVec2 {
        DVec2::new(self.done.min(self.total), self.total)
    }

    /// Returns the next portion, which must be drawn, and subtracts it from the budget.
    pub(crate) fn next(&mut self, budget: &mut f64) -> Option<Portion> {
        if !self.is_pending() || *budget <= 0.0 {
            return None;
        }
        let (from, rest) = (self.done, self.total - self.done);
        self.done = if *budget < rest { from + *budget } else { f64::INFINITY };
        *budget = (*budget - rest).max(0.0);
        Some(Portion { from, to: self.done, at: 0.0 })
    }
}

/// A portion of a layer, and the position in the layer while it is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portion {
    from: f64,
    to: f64,
    /// The work of everything before the next node.
    at: f64,
}

impl Portion {
    /// Returns all of a layer.
    pub(super) fn all() -> Self {
        Self { from: 0.0, to: f64::INFINITY, at: 0.0 }
    }

    /// Returns true if the layer must be cleared before this portion.
    pub(super) fn is_first(&self) -> bool {
        self.from == 0.0
    }

    /// Returns how an attachment begins: cleared before the first portion, otherwise as it is.
    pub(crate) fn load<V>(&self, clear: V) -> wgpu::LoadOp<V> {
        if self.is_first() { wgpu::LoadOp::Clear(clear) } else { wgpu::LoadOp::Load }
    }

    /// Returns true if no portion follows.
    pub(super) fn is_last(&self) -> bool {
        self.to == f64::INFINITY
    }

    /// Returns true if the portion contains what is drawn before the next node.
    pub(super) fn is_here(&self) -> bool {
        (self.from..self.to).contains(&self.at)
    }

    /// Returns those of the next nodes that the portion contains, and moves on to the node after them. `work` is
    /// that of each.
    pub(super) fn take(&mut self, slots: Range<u32>, work: f64) -> Range<u32> {
        let start = self.at;
        let slot_at = |position: f64| {
            let before = ((position - start) / work).ceil().clamp(0.0, slots.len() as f64);
            slots.start + before as u32
        };
        self.at += work * slots.len() as f64;
        slot_at(self.from)..slot_at(self.to)
    }
}

/// A camera and the size of its picture, to estimate how many pixels a node covers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    pub(super) clip_from_world: DMat4,
    pub(super) size_px: DVec2,
}

impl Screen {
    pub(super) fn of_view(view: &View) -> Self {
        let viewport = view.viewport();
        Self { clip_from_world: view.clip_from_world(), size_px: DVec2::new(viewport.width, viewport.height) }
    }

    /// Returns the number of pixels in the square around the sphere around a box, or of the whole picture if the
    /// camera is in the sphere.
    pub(super) fn pixels(&self, Bounds { min, max }: Bounds) -> f64 {
        let radius = 0.5 * (max - min).length();
        let row = |index: usize| self.clip_from_world.row(index);
        let nearest_w = row(3).dot((0.5 * min + 0.5 * max).extend(1.0)) - radius * row(3).truncate().length();
        // In clip space, the picture is 2 wide at w = 1.
        let side = |index: usize| {
            let size_px = self.size_px[index];
            let px = radius * row(index).truncate().length() / nearest_w * size_px;
            // Also if the number is not one.
            if nearest_w > 0.0 && px < size_px { px } else { size_px }
        };
        side(0) * side(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_portions_draw_every_node_once() {
        let runs = [(0..10, 3.0), (10..11, 700.0), (11..500, 0.7), (500..500, 5.0), (500..640, 0.1)];
        let total: f64 = runs.iter().map(|(slots, work)| slots.len() as f64 * work).sum();
        for budget in [1e-2, 0.3, 1.0, 7.0, 333.3, 1e4, f64::INFINITY] {
            let mut progress = Progress::start(total);
            let (mut drawn, mut portions) = (Vec::new(), 0);
            while let Some(mut portion) = progress.next(&mut { budget }) {
                assert_eq!(portion.is_first(), portions == 0);
                assert_eq!(portion.is_last(), !progress.is_pending());
                portions += 1;
                drawn.extend(runs.iter().flat_map(|(slots, work)| portion.take(slots.clone(), *work)));
            }
            assert!(portions as f64 >= total / budget, "{portions} portions of {budget}");
            drawn.sort_unstable();
            assert!(drawn.iter().copied().eq(0..640), "each once with a budget of {budget}");
        }
    }

    #[test]
    fn layer_without_nodes_is_drawn_once() {
        let mut progress = Progress::start(0.0);
        let mut budget = 1.0;
        let portion = progress.next(&mut budget).expect("the background must be drawn");
        assert!(portion.is_first() && portion.is_last() && portion.is_here());
        assert!(progress.next(&mut budget).is_none() && !progress.is_pending());
    }
}
