//! The draw calls of a draw list.

use crate::draw::DepthStyle;
use crate::draw::shape::{Shape, ShapeKind};
use glam::DVec2;
use std::ops::Range;

/// The stages that draw a kind of shapes. Those for all kinds are slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stages {
    Strokes,
    Cones,
    Cubes,
    Squares,
    Discs,
    All,
}

impl Stages {
    pub(super) const COUNT: usize = 6;
    pub(super) const EACH: [Self; Self::COUNT] =
        [Self::Strokes, Self::Cones, Self::Cubes, Self::Squares, Self::Discs, Self::All];

    pub(super) fn of(kind: ShapeKind) -> Self {
        match kind {
            ShapeKind::Line | ShapeKind::Arc => Self::Strokes,
            ShapeKind::Cone => Self::Cones,
            ShapeKind::Cube => Self::Cubes,
            ShapeKind::Square => Self::Squares,
            ShapeKind::Disc => Self::Discs,
            ShapeKind::Triangle => Self::All,
        }
    }
}

/// Shapes that one draw call draws.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) stages: Stages,
    pub(super) style: DepthStyle,
    /// Indices or records of these stages.
    pub(super) shapes: Range<u32>,
}

/// A rectangle, as its center and half of its sides.
pub(super) type Bounds = [DVec2; 3];

/// Draw calls in the order of painting. A shape joins an earlier call with its stages if it does not
/// overlap what is painted between them.
#[derive(Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// The run of each shape, and a rectangle around it in pixels of the view.
    painted: Vec<(usize, Bounds)>,
    last: [Option<usize>; Stages::COUNT],
}

impl Runs {
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.painted.clear();
        self.last = [None; Stages::COUNT];
    }

    /// Adds a shape that is inside of a rectangle, and occupies the indices or records up to `shapes.end`.
    pub(super) fn add(&mut self, stages: Stages, style: DepthStyle, shapes: Range<u32>, bounds: Bounds) {
        let last = self.last[stages as usize];
        let is_free = |run: usize| {
            let mut above = self.painted.iter().rev().filter(|(other, _)| *other > run);
            run + 1 == self.runs.len() || !above.any(|(_, other)| may_overlap(&bounds, other))
        };
        // A run that nothing covers is not put off until the next of its kind: that made more draw calls.
        let run = match last.filter(|run| self.runs[*run].style == style && is_free(*run)) {
            Some(run) => run,
            None => {
                self.runs.push(Run { stages, style, shapes: shapes.start..shapes.start });
                self.runs.len() - 1
            }
        };
        self.runs[run].shapes.end = shapes.end;
        self.last[stages as usize] = Some(run);
        self.painted.push((run, bounds));
    }

    /// Begins a gizmo in front of all that is painted.
    pub(super) fn begin_gizmo(&mut self) {
        self.painted.clear();
        for last in &mut self.last {
            *last = last.filter(|run| run + 1 == self.runs.len());
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter()
    }
}

/// Returns a rectangle around a shape in pixels of the view.
pub(super) fn bounds_of(shape: &Shape) -> Bounds {
    let [center, u, v] = shape.bounds;
    [shape.anchor_px + center, u, v]
}

/// Returns false only if two rectangles do not overlap: if one of their sides separates them.
fn may_overlap(a: &Bounds, b: &Bounds) -> bool {
    let offset = b[0] - a[0];
    [a[1], a[2], b[1], b[2]].into_iter().all(|axis| {
        let half = [a[1], a[2], b[1], b[2]].into_iter().map(|side| axis.dot(side).abs()).sum::<f64>();
        axis.dot(offset).abs() <= half
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64) -> Bounds {
        [DVec2::new(x, 0.0), DVec2::X, DVec2::Y]
    }

    #[test]
    fn shape_joins_earlier_run_only_past_free_pixels() {
        let mut runs = Runs::default();
        runs.add(Stages::Strokes, DepthStyle::OnTop, 0..1, square(0.0));
        runs.add(Stages::Cones, DepthStyle::OnTop, 0..1, square(1.5));
        runs.add(Stages::Strokes, DepthStyle::OnTop, 1..2, square(9.0));
        runs.add(Stages::Strokes, DepthStyle::OnTop, 2..3, square(1.0));
        let calls: Vec<_> = runs.iter().map(|run| (run.stages, run.shapes.clone())).collect();
        assert_eq!(calls, [(Stages::Strokes, 0..2), (Stages::Cones, 0..1), (Stages::Strokes, 2..3)]);
    }

    #[test]
    fn slanted_rectangles_are_separated_by_their_sides() {
        let slanted = [DVec2::new(2.0, 2.0), DVec2::new(1.0, -1.0), DVec2::new(0.1, 0.1)];
        assert!(!may_overlap(&square(0.0), &slanted));
        assert!(may_overlap(&square(2.5), &slanted));
    }
}
