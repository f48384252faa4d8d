//! The grid and the readout of a translation.

use crate::draw::grid::Grid;
use crate::draw::guides::{self, AxisTicks};
use crate::handle::Axis;
use crate::interaction::gesture::chain::{Chain, GuideContext, Report, without_minus_zero};
use crate::interaction::gesture::slide::{Path, Slide};
use std::fmt::{self, Write};

/// The radius at which a grid has faded out, in sizes.
const GRID_RADIUS: f64 = 2.4;
/// The minimum distance between the lines of a grid without snapping, in sizes.
const GRID_SPACING: f64 = 0.28;
/// The minimum distance between the lines of a grid with snapping, in sizes.
const SNAP_SPACING: f64 = 0.1;

impl Slide {
    /// Returns the grid of the plane of the drag.
    pub(super) fn plane_grid(&self, context: &GuideContext<'_>) -> Option<Grid> {
        let Path::Plane { plane, .. } = self.path else { return None };
        let [a, b] = plane.axes;
        let size = context.layout.size_world;
        let increment = context.modifiers.snap.translate.map(|increment| increment.get());
        let spacing = match increment {
            // If the lines are too close together, only every 2nd, 5th, 10th, 20th, … is shown.
            Some(increment) if increment < SNAP_SPACING * size => {
                increment * guides::nice_length(SNAP_SPACING * size / increment)?
            }
            Some(increment) => increment,
            None => guides::nice_length(GRID_SPACING * size)?,
        };
        let origin = context.press.grid_origin(self.orientation, context.modifiers.snap_kind);
        let to_origin = increment.and(origin).unwrap_or(context.start) - context.start;
        let anchor = context.start + a * to_origin.dot(a) + b * to_origin.dot(b);
        let moved = context.layout.pivot_world - context.start;
        let center = context.start + a * moved.dot(a) + b * moved.dot(b);
        Some(Grid { center, anchor, axes: plane.axes, spacing, radius: GRID_RADIUS * size })
    }

    /// Returns the ticks along the axis of the drag, if it snaps to an increment.
    pub(super) fn axis_ticks(&self, axis: Axis, context: &GuideContext<'_>) -> Option<AxisTicks> {
        let increment = context.modifiers.snap.translate?.get();
        let direction = context.direction(axis);
        let grid = context.press.grid_origin(self.orientation, context.modifiers.snap_kind);
        let along = grid.map_or(0.0, |grid| (grid - context.press.placement.pivot_world).dot(direction));
        Some(AxisTicks {
            origin: context.start + direction * along,
            direction,
            increment,
            now: context.layout.pivot_world,
            size_world: context.layout.size_world,
            outward: context.outward(axis, axis, self.press_point_world()),
        })
    }

    /// Writes the displacement or the typed number, with the names of its axes.
    pub(super) fn write_readout(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        if let Some(typed) = report.typed {
            match self.path {
                Path::Line { axis, .. } => write!(text, "{axis:?} ")?,
                Path::Plane { normal: Some(normal), .. } => {
                    let [a, b] = normal.others();
                    write!(text, "{a:?}{b:?} ")?;
                }
                Path::Plane { normal: None, .. } => {}
            }
            return write!(text, "{typed}");
        }
        let mut separator = "";
        for axis in Axis::ALL {
            let (is_free, is_named) = match self.path {
                Path::Line { axis: along, .. } => (axis == along, true),
                Path::Plane { normal: Some(normal), .. } => (axis != normal, true),
                // The displacement in a view plane is reported along the axes of the world.
                Path::Plane { normal: None, .. } => (true, false),
            };
            if is_free {
                let by = report.displacement;
                let along = if is_named { by.dot(report.axes.col(axis.index())) } else { by[axis.index()] };
                let digits = report.digits;
                write!(text, "{separator}{axis:?} {:.digits$}", without_minus_zero(along, digits))?;
                separator = "  ";
            }
        }
        Ok(())
    }
}
