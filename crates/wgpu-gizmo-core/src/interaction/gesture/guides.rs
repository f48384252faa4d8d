//! The data of a drag that guides and readouts show.

use crate::draw::Layout;
use crate::draw::guides::{AxisGuide, StrokeStyle};
use crate::handle::{Axis, Constraint, Rgba, Theme};
use crate::interaction::drag::press::Press;
use crate::interaction::settings::Modifiers;
use crate::math::View;
use glam::{DMat3, DVec2, DVec3};
use std::fmt::{self, Write};

/// The state of a drag that its readout reports.
pub(crate) struct Report<'a> {
    pub(crate) typed: Option<&'a str>,
    pub(crate) numbers: [f64; 2],
    /// The displacement of the pivot in world space.
    pub(crate) displacement: DVec3,
    pub(crate) axes: DMat3,
    /// The digits after the decimal point of a length.
    pub(crate) digits: usize,
}

impl Report<'_> {
    /// Writes lengths along axes.
    pub(crate) fn write_lengths(
        &self,
        lengths: impl Iterator<Item = (Axis, f64)>,
        text: &mut String,
    ) -> fmt::Result {
        let (digits, mut separator) = (self.digits, "");
        for (axis, length) in lengths {
            write!(text, "{separator}{axis:?} {:.digits$}", without_minus_zero(length, digits))?;
            separator = "  ";
        }
        Ok(())
    }
}

/// Writes the axes in the name of a constraint.
pub(crate) fn write_axes(constraint: Constraint, text: &mut String) -> fmt::Result {
    match constraint {
        Constraint::Axis(axis) | Constraint::Ring(axis) | Constraint::ScaleAxis(axis) => {
            write!(text, "{axis:?} ")
        }
        Constraint::Plane(normal) | Constraint::ScalePlane(normal) => {
            let [a, b] = normal.others();
            write!(text, "{a:?}{b:?} ")
        }
        _ => Ok(()),
    }
}

/// Returns 0 instead of a number that rounds to −0.
pub(crate) fn without_minus_zero(number: f64, digits: usize) -> f64 {
    if number.abs() * 10f64.powi(digits as i32) < 0.5 { 0.0 } else { number }
}

/// A drag as one view shows it.
pub(crate) struct GuideContext<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) press: &'a Press,
    pub(crate) axes: DMat3,
    pub(crate) numbers: [f64; 2],
    pub(crate) cursor_px: Option<DVec2>,
    pub(crate) modifiers: Modifiers,
    pub(crate) view: &'a View,
    /// The layout of the gizmo at its current position.
    pub(crate) layout: &'a Layout,
    /// The pivot at the press.
    pub(crate) start: DVec3,
}

impl GuideContext<'_> {
    pub(crate) fn ink(&self, color: Rgba) -> StrokeStyle {
        StrokeStyle { color, width_lpx: self.theme.sizes.guide_lpx }
    }

    pub(crate) fn neutral(&self) -> StrokeStyle {
        self.ink(self.theme.colors.guide)
    }

    pub(crate) fn axis_ink(&self, axis: Axis) -> StrokeStyle {
        self.ink(self.theme.colors.axes[axis.index()])
    }

    pub(crate) fn cursor_in_viewport(&self) -> Option<DVec2> {
        self.cursor_px.filter(|px| self.view.viewport().contains(*px))
    }

    /// Returns the axis line from the pivot at the press to the current one.
    pub(crate) fn axis_guide(&self, direction: DVec3) -> AxisGuide {
        let ends = [self.start, self.layout.pivot_world];
        AxisGuide { ends, direction, size_px: self.layout.size_px }
    }

    pub(crate) fn direction(&self, axis: Axis) -> DVec3 {
        self.axes.col(axis.index())
    }

    /// Returns the direction of an axis on the side of the pivot that was pressed: the negative one if
    /// the handle was flipped toward the viewer. `named` is the axis of the constraint, and
    /// `press_point` the grabbed point if it is known.
    pub(crate) fn outward(&self, axis: Axis, named: Axis, press_point: Option<DVec3>) -> DVec3 {
        let direction = self.direction(axis);
        let on_plane = || {
            let ray = self.press.view.pointer_ray(self.press.cursor_px?);
            ray.plane_hit(self.start, self.direction(named))
        };
        let pressed = press_point.or_else(on_plane);
        let is_behind = pressed.is_some_and(|point| (point - self.start).dot(direction) < 0.0);
        if is_behind { -direction } else { direction }
    }

    /// Returns the displacement from the pivot to the dragged handle, in sizes, if it is beside the pivot.
    pub(crate) fn toward(&self, constraint: Constraint, press_point: Option<DVec3>) -> Option<DVec3> {
        match constraint {
            Constraint::Axis(axis) | Constraint::ScaleAxis(axis) => {
                Some(self.outward(axis, axis, press_point))
            }
            Constraint::Plane(normal) | Constraint::ScalePlane(normal) => {
                let [a, b] = normal.others().map(|axis| self.outward(axis, normal, press_point));
                Some(0.4 * (a + b))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_minus_zero;

    #[test]
    fn numbers_that_round_to_zero_have_no_sign() {
        for (number, digits, text) in [
            (-0.0004, 3, "0.000"),
            (-0.0006, 3, "-0.001"),
            (-0.04, 1, "0.0"),
            (-0.06, 1, "-0.1"),
            (-0.4, 0, "0"),
            (-0.6, 0, "-1"),
            (0.0006, 3, "0.001"),
            (-2.5, 2, "-2.50"),
        ] {
            assert_eq!(format!("{:.digits$}", without_minus_zero(number, digits)), text, "{number}");
        }
    }
}
