//! Rotations: about an axis, or freely.

use crate::draw::guides::{self, GuidePainter, Sector, faded};
use crate::draw::{BALL_RADIUS, OUTER_RING};
use crate::handle::Axis;
use crate::interaction::drag::press::Press;
use crate::interaction::gesture::chain::{
    Chain, GuideContext, Report, Sample, SnapHook, Solved, snapped_unless_multiple, write_degrees,
};
use crate::interaction::gesture::lines::Clamped;
use crate::interaction::gesture::rings::{Ring, RingGrab, Trackball, screen_angle, unwrap};
use crate::interaction::settings::{Modifiers, SnapKind};
use crate::interaction::targets::motion::Change;
use crate::math::View;
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::f64::consts::TAU;
use std::fmt::{self, Write};

/// A rotation about an axis, or a free one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    /// The unit axis; for the trackball, that of typed angles.
    axis_world: DVec3,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Ring {
        axis: Axis,
        ring: Ring,
        grab: Option<RingGrab>,
    },
    ViewRing {
        pivot_world: DVec3,
        /// The angle of the press on screen.
        from: Option<f64>,
    },
    Trackball {
        press_px: DVec2,
        /// The ball, and the grabbed point of it.
        grab: Option<(Trackball, DVec3)>,
    },
}

impl Turn {
    pub(super) fn ring(axis: Axis, press: &Press, axes: &DMat3) -> Self {
        let axis_world = axes.col(axis.index());
        let ring = Ring { pivot_world: press.placement.pivot_world, axis: axis_world };
        let grab = press
            .pointer()
            .map(|(press_px, layout)| ring.grab(&press.view, press_px, layout.size_world, layout.size_px));
        Self { axis_world, kind: Kind::Ring { axis, ring, grab } }
    }

    pub(super) fn view_ring(press: &Press, axes: &DMat3) -> Self {
        let pivot_world = press.placement.pivot_world;
        let angle = |press_px| screen_angle(&press.view, pivot_world, press_px).unwrap_or_default();
        let kind = Kind::ViewRing { pivot_world, from: press.cursor_px.map(angle) };
        Self { axis_world: axes.z_axis, kind }
    }

    pub(super) fn trackball(press: &Press, axes: &DMat3) -> Self {
        let grab = || {
            let (press_px, layout) = press.pointer()?;
            let pivot_world = press.placement.pivot_world;
            let distance = press.view.px_from_world(pivot_world)?.distance(press_px);
            let radius_lpx = distance.max(BALL_RADIUS * layout.size_px) / press.view.scale_factor();
            let ball = Trackball { pivot_world, radius_lpx };
            Some((ball, ball.grab(&press.view, press_px)?))
        };
        let press_px = press.cursor_px.unwrap_or_default();
        Self { axis_world: axes.z_axis, kind: Kind::Trackball { press_px, grab: grab() } }
    }

    /// Snaps an angle about the axis.
    fn snapped(&self, press: &Press, modifiers: Modifiers, angle: f64) -> f64 {
        let Some(increment) = modifiers.snap.rotate else { return angle };
        let from = self.snap_origin(press, modifiers);
        increment.snap(from + angle) - from
    }

    /// Returns the angle at the start, which multiples are counted from: 0, or with [`SnapKind::Value`] the
    /// angle of the active target's local rotation about the axis.
    fn snap_origin(&self, press: &Press, modifiers: Modifiers) -> f64 {
        if modifiers.snap_kind != SnapKind::Value {
            return 0.0;
        }
        let (target, parent) = press.starts.active();
        // The axis in the space of the parent. A rotation about it adds to the twist of the rotation.
        let turn = parent.local_turn(DQuat::from_axis_angle(self.axis_world, 1.0), press.settings.shear);
        let rotation = target.local.unit_rotation();
        let twist = 2.0 * rotation.xyz().dot(turn.xyz().normalize_or_zero()).atan2(rotation.w);
        unwrap(twist, 0.0)
    }

    /// Rotates about the axis, as far as the limits allow.
    fn limited(&self, press: &Press, angle: f64) -> Solved {
        let within = press.settings.limits.angle(angle, self.axis_world, &press.starts);
        Solved::new(Change::turn(self.axis_world, within), within != angle, [within, 0.0])
    }

    /// Returns the sector that a ring has swept.
    fn sector(&self, context: &GuideContext<'_>) -> Option<Sector> {
        let (radius, rest, grab) = match self.kind {
            Kind::Ring { axis, grab, .. } => (1.0, context.direction(axis.others()[0]), grab),
            Kind::ViewRing { .. } => (OUTER_RING, context.axes.x_axis, None),
            Kind::Trackball { .. } => return None,
        };
        let axis = self.axis_world;
        let Press { cursor_px, view, .. } = context.press;
        let on_plane =
            || Some(view.pointer_ray((*cursor_px)?).plane_hit(context.start, axis)? - context.start);
        let radial = grab.map(|grab| grab.radial()).or_else(on_plane).unwrap_or(rest);
        let from = radial.reject_from_normalized(axis).try_normalize().or(rest.try_normalize())?;
        let total = context.motion.change.total_angle();
        let radius = radius * context.layout.size_world;
        Some(Sector { pivot: context.start, axis, from, radius, total })
    }
}

/// Rotates freely, as far as the limits allow.
fn limited_freely(press: &Press, rotation: DQuat) -> Solved {
    let (axis, angle) = rotation.to_axis_angle();
    let within = press.settings.limits.angle(angle, axis, &press.starts);
    let clamped = within != angle;
    let rotation = if clamped { DQuat::from_axis_angle(axis, within) } else { rotation };
    Solved::new(Change::RotateFreely(rotation), clamped, [within, 0.0])
}

impl Chain for Turn {
    fn is_grabbed(&self) -> bool {
        match self.kind {
            Kind::Ring { grab, .. } => grab.is_some(),
            Kind::ViewRing { from, .. } => from.is_some(),
            Kind::Trackball { grab, .. } => grab.is_some(),
        }
    }

    fn raw(&self, view: &View, cursor_px: DVec2) -> Option<Clamped<DVec3>> {
        let value = match self.kind {
            Kind::Ring { ring, grab, .. } => DVec3::new(ring.angle(view, cursor_px, &grab?)?, 0.0, 0.0),
            Kind::ViewRing { pivot_world, from } => {
                let from = from?;
                DVec3::new(screen_angle(view, pivot_world, cursor_px)? - from, 0.0, 0.0)
            }
            Kind::Trackball { .. } => cursor_px.extend(0.0),
        };
        Some(Clamped { value, clamped: false })
    }

    fn raw_at_press(&self) -> DVec3 {
        match self.kind {
            Kind::Ring { .. } | Kind::ViewRing { .. } => DVec3::ZERO,
            Kind::Trackball { press_px, .. } => press_px.extend(0.0),
        }
    }

    fn counts_turns(&self) -> bool {
        match self.kind {
            Kind::Ring { grab, .. } => matches!(grab, Some(RingGrab::Facing(_))),
            Kind::ViewRing { from, .. } => from.is_some(),
            Kind::Trackball { .. } => false,
        }
    }

    fn identity(&self) -> Change {
        match self.kind {
            Kind::Ring { .. } | Kind::ViewRing { .. } => Change::turn(self.axis_world, 0.0),
            Kind::Trackball { .. } => Change::RotateFreely(DQuat::IDENTITY),
        }
    }

    fn solve(&self, sample: &Sample<'_>, _hook: &mut SnapHook<'_>) -> Option<Solved> {
        let Sample { press, view, modifiers, value, offset: [offset, _], .. } = *sample;
        Some(match self.kind {
            Kind::Ring { .. } | Kind::ViewRing { .. } => {
                self.limited(press, self.snapped(press, modifiers, value.x) + offset)
            }
            Kind::Trackball { grab, .. } => {
                let (ball, point) = grab?;
                let rotation = ball.rotation(view, value.truncate(), point)?;
                let nudged = DQuat::from_axis_angle(self.axis_world, offset);
                limited_freely(press, if offset == 0.0 { rotation } else { nudged * rotation })
            }
        })
    }

    fn number_from_typed(&self, degrees: f64) -> f64 {
        degrees.to_radians()
    }

    fn solve_numbers(&self, press: &Press, modifiers: Modifiers, [angle, _]: [f64; 2]) -> Solved {
        match self.kind {
            Kind::Ring { .. } | Kind::ViewRing { .. } => {
                let snap = |angle| self.snapped(press, modifiers, angle);
                self.limited(press, snapped_unless_multiple(angle, snap))
            }
            // A drag of the trackball rotates about any axis, and a typed angle about the Z axis of the view.
            Kind::Trackball { .. } => {
                limited_freely(press, DQuat::from_axis_angle(self.axis_world, angle % TAU))
            }
        }
    }

    fn lead_world(&self, lead: DVec3) -> DVec3 {
        match self.kind {
            Kind::Ring { .. } | Kind::ViewRing { .. } => lead,
            Kind::Trackball { .. } => DVec3::ZERO,
        }
    }

    fn lead_from_world(&self, lead: DVec3) -> DVec3 {
        self.lead_world(lead)
    }

    fn rotation_axis(&self) -> Option<Axis> {
        match self.kind {
            Kind::Ring { axis, .. } => Some(axis),
            Kind::ViewRing { .. } | Kind::Trackball { .. } => None,
        }
    }

    fn paint(&self, context: &GuideContext<'_>, painter: &mut GuidePainter<'_>) {
        let (theme, neutral) = (context.theme, context.neutral());
        if let Kind::Trackball { .. } = self.kind {
            let (Some(press_px), Some(cursor_px)) = (context.press.cursor_px, context.cursor_px) else {
                return;
            };
            // In the plane of the pivot, so that every view shows the same displacement.
            let normal = context.view.forward();
            let hit = |px| context.view.pointer_ray(px).plane_hit(context.start, normal);
            if let (Some(from), Some(to)) = (hit(press_px), hit(cursor_px)) {
                guides::start_ghost(painter, from, to, neutral);
            }
            return;
        }
        let Some(sector) = self.sector(context) else { return };
        let color = self.rotation_axis().map_or(theme.neutral, |axis| theme.axes[axis.index()]);
        let fill = faded(color, theme.sector_opacity);
        guides::sector(painter, &sector, fill, neutral.faded(0.7), context.ink(theme.active));
        if let Some(increment) = context.modifiers.snap.rotate {
            let origin = self.snap_origin(context.press, context.modifiers);
            let from = DQuat::from_axis_angle(sector.axis, -origin) * sector.from;
            guides::snap_ticks(painter, &Sector { from, ..sector }, increment.get(), neutral.faded(0.9));
        }
    }

    fn construct(&self, context: &GuideContext<'_>, cursor_px: DVec2, painter: &mut GuidePainter<'_>) {
        let ink = context.ink(context.theme.construction);
        if let Kind::Trackball { .. } = self.kind {
            if let Some(pivot_px) = context.view.px_from_world(context.start) {
                painter.dashes([pivot_px, cursor_px], ink);
            }
            return;
        }
        let Some(sector) = self.sector(context) else { return };
        if let Some(hit) = context.view.pointer_ray(cursor_px).plane_hit(sector.pivot, sector.axis) {
            guides::brought_together(painter, sector.pivot, hit, ink);
        }
    }

    fn write(&self, report: &Report<'_>, text: &mut String) -> fmt::Result {
        if let Some(axis) = self.rotation_axis() {
            write!(text, "{axis:?} ")?;
        }
        match (report.typed, report.motion.change) {
            (Some(typed), _) => write!(text, "{typed}°"),
            (None, Change::RotateFreely(by)) => write_degrees(text, by.to_axis_angle().1),
            (None, change) => write_degrees(text, change.total_angle()),
        }
    }
}
