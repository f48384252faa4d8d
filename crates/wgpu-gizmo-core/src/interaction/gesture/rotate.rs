//! Rotations: about an axis, or freely.

use crate::draw::OUTER_RING;
use crate::draw::guides::{self, GuidePainter, Sector, faded};
use crate::handle::Constraint;
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::guides::{GuideContext, Report, without_minus_zero, write_axes};
use crate::interaction::gesture::path::{Path, PathKind};
use crate::interaction::gesture::rings::unwrap;
use crate::interaction::gesture::{Sample, SnapHook, Solved, Steps, snapped_unless_multiple};
use crate::interaction::settings::{Modifiers, SnapKind};
use crate::interaction::targets::motion::Change;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::TAU;
use std::fmt::{self, Write};

/// A rotation about an axis, or a free one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rotate {
    constraint: Constraint,
    /// The unit axis; for the trackball, that of typed angles: the Z axis of the view.
    axis_world: DVec3,
    pub(super) path: Path,
}

impl Rotate {
    pub(super) fn new(constraint: Constraint, press: &Press, axes: &DMat3) -> Self {
        let axis_world = constraint.axis().map_or(axes.z_axis, |axis| axes.col(axis.index()));
        let path = match constraint {
            Constraint::Trackball => Path::trackball(press),
            _ => Path::ring(press, axis_world, constraint == Constraint::ViewRing),
        };
        Self { constraint, axis_world, path }
    }

    /// Returns true if the rotation has no given axis.
    pub(super) fn is_free(&self) -> bool {
        self.constraint == Constraint::Trackball
    }

    /// Snaps an angle about the axis.
    fn snap(&self, press: &Press, modifiers: &Modifiers, angle: f64) -> f64 {
        let Some(increment) = modifiers.snap.rotate else { return angle };
        let from = self.snap_origin(press, modifiers);
        increment.snap(from + angle) - from
    }

    /// Returns the angle at the start, which multiples are counted from: 0, or with [`SnapKind::Value`] the
    /// angle of the active target's local rotation about the axis.
    fn snap_origin(&self, press: &Press, modifiers: &Modifiers) -> f64 {
        if modifiers.snap_kind != SnapKind::Value {
            return 0.0;
        }
        let (target, parent) = press.starts.active();
        // The axis in the space of the parent. A rotation about it adds to the twist of the rotation.
        let turn =
            parent.local_turn(DQuat::from_axis_angle(self.axis_world, 1.0), press.settings.motion.shear);
        let rotation = target.local.unit_rotation();
        let twist = 2.0 * rotation.xyz().dot(turn.xyz().normalize_or_zero()).atan2(rotation.w);
        unwrap(twist, 0.0)
    }

    /// Rotates about the axis, as far as the limits allow.
    fn limited(&self, press: &Press, angle: f64) -> Solved {
        let within = press.starts.angle_within_limits(angle, self.axis_world);
        Solved::new(Change::turn(self.axis_world, within), within != angle, [within, 0.0])
    }

    /// Returns the sector that a ring has swept.
    fn sector(&self, context: &GuideContext<'_>) -> Option<Sector> {
        let PathKind::Ring(_, grab) = &self.path.kind else { return None };
        let (radius, rest) = match self.constraint.axis() {
            Some(axis) => (1.0, context.direction(axis.others()[0])),
            None => (OUTER_RING, context.axes.x_axis),
        };
        let axis = self.axis_world;
        let Press { cursor_px, view, .. } = context.press;
        let on_plane =
            || Some(view.pointer_ray((*cursor_px)?).plane_hit(context.start, axis)? - context.start);
        let radial = grab.and_then(|grab| grab.radial()).or_else(on_plane).unwrap_or(rest);
        let from = radial.reject_from_normalized(axis).try_normalize().or(rest.try_normalize())?;
        let radius = radius * context.layout.size_world;
        Some(Sector { pivot: context.start, axis, from, radius, total: context.numbers[0] })
    }
}

/// Rotates freely, as far as the limits allow.
fn limited_freely(press: &Press, rotation: DQuat) -> Solved {
    let (axis, angle) = rotation.to_axis_angle();
    let within = press.starts.angle_within_limits(angle, axis);
    let clamped = within != angle;
    let rotation = if clamped { DQuat::from_axis_angle(axis, within) } else { rotation };
    Solved::new(Change::RotateFreely(rotation), clamped, [within, 0.0])
}

impl Steps for Rotate {
    fn identity(&self) -> Solved {
        let about_axis = Change::turn(self.axis_world, 0.0);
        let change = if self.is_free() { Change::RotateFreely(DQuat::IDENTITY) } else { about_axis };
        Solved::new(change, false, [0.0; 2])
    }

    fn solve(&self, sample: &Sample<'_>, _hook: &mut SnapHook<'_>) -> Option<Solved> {
        let Sample { press, view, ref modifiers, value, offset: [offset, _], .. } = *sample;
        let PathKind::Trackball(ball) = &self.path.kind else {
            return Some(self.limited(press, self.snap(press, modifiers, value.x) + offset));
        };
        let cursor_px = (self.path.grabbed? + value).truncate();
        let rotation = ball.as_ref()?.rotation(view, cursor_px, &press.starts)?;
        let nudged = DQuat::from_axis_angle(self.axis_world, offset);
        Some(limited_freely(press, if offset == 0.0 { rotation } else { nudged * rotation }))
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, [angle, _]: [f64; 2]) -> Solved {
        if self.is_free() {
            let within = press.starts.angle_within_limits(angle, self.axis_world);
            let rotation = DQuat::from_axis_angle(self.axis_world, within % TAU);
            return Solved::new(Change::RotateFreely(rotation), within != angle, [within, 0.0]);
        }
        let snap = |angle| self.snap(press, &modifiers, angle);
        self.limited(press, snapped_unless_multiple(angle, snap))
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let (theme, neutral) = (context.theme, context.neutral());
        if let Some(sector) = self.sector(context) {
            let color =
                self.constraint.axis().map_or(theme.colors.neutral, |axis| theme.colors.axes[axis.index()]);
            let fill = faded(color, theme.opacities.sector);
            guides::sector(painter, &sector, fill, neutral.faded(0.7), context.ink(theme.colors.active));
            if let Some(increment) = context.modifiers.snap.rotate {
                let origin = self.snap_origin(context.press, &context.modifiers);
                let from = DQuat::from_axis_angle(sector.axis, -origin) * sector.from;
                guides::snap_ticks(painter, &Sector { from, ..sector }, increment.get(), neutral.faded(0.9));
            }
        } else if let (true, Some(press_px), Some(cursor_px)) =
            (self.is_free(), context.press.cursor_px, context.cursor_px)
        {
            // In the plane of the pivot, so that every view shows the same displacement.
            let normal = context.view.forward();
            let hit = |px| context.view.pointer_ray(px).plane_hit(context.start, normal);
            if let (Some(from), Some(to)) = (hit(press_px), hit(cursor_px)) {
                guides::start_ghost(painter, from, to, neutral);
            }
        }
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        write_axes(self.constraint, text)?;
        match report.typed {
            Some(typed) if typed.contains(|c: char| c == '°' || c.is_alphabetic()) => {
                write!(text, "{typed}")
            }
            Some(typed) => write!(text, "{typed}°"),
            None => write!(text, "{:.1}°", without_minus_zero(report.numbers[0].to_degrees(), 1)),
        }
    }
}
