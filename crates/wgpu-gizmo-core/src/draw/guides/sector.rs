//! The sector that a rotation sweeps, and its ticks.

use crate::draw::guides::{GuidePainter, StrokeStyle};
use crate::handle::Rgba;
use crate::math::is_positive;
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_4, TAU};

/// The angle between neighboring points of an arc, in radians.
const ARC_STEP: f64 = TAU / 96.0;

/// The start of a tick, relative to the radius: outside of the ring with its rim and halo.
const TICK_START: f64 = 1.06;

/// A sector that a rotation about an axis has swept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sector {
    pub(crate) pivot: DVec3,
    /// Unit length.
    pub(crate) axis: DVec3,
    /// The direction at which the rotation began: perpendicular to the axis, unit length.
    pub(crate) from: DVec3,
    pub(crate) radius: f64,
    /// The angle in radians by the right-hand rule, including whole turns.
    pub(crate) total: f64,
}

impl Sector {
    /// Returns the point at an angle from the start and at `radius` times the radius of the sector.
    pub(crate) fn rim(&self, angle: f64, radius: f64) -> DVec3 {
        self.pivot + DQuat::from_axis_angle(self.axis, angle) * self.from * (radius * self.radius)
    }
}

/// Paints the swept angle: a disc if there are whole turns, the remaining sector above it, and strokes
/// at its start and end.
pub(crate) fn sector(
    painter: &mut GuidePainter<'_>,
    sector: &Sector,
    fill: Rgba,
    start: StrokeStyle,
    now: StrokeStyle,
) {
    let Sector { pivot, total, .. } = *sector;
    if !total.is_finite() {
        return;
    }
    let rest = total % TAU;
    let mut fan = |angle: f64| {
        let steps = (angle.abs() / ARC_STEP).ceil().max(1.0);
        let view = painter.view();
        let Some(center) = view.px_from_world(pivot) else { return };
        let at = |step: f64| view.px_from_world(sector.rim(angle * step.min(steps) / steps, 1.0));
        // Each quad covers two pieces of the rim.
        let mut step = 0.0;
        while step < steps {
            if let [Some(a), Some(b), Some(c)] = [step, step + 1.0, step + 2.0].map(at) {
                painter.fill([center, a, b, c], fill);
            }
            step += 2.0;
        }
    };
    if total.abs() >= TAU {
        fan(TAU);
    }
    if rest != 0.0 {
        fan(rest);
    }
    painter.world_stroke(pivot, sector.rim(0.0, 1.0), start);
    if rest != 0.0 {
        painter.world_stroke(pivot, sector.rim(rest, 1.0), now);
    }
}

/// Paints a tick outside the rim at every multiple of the increment, with longer ones at eighths of a turn.
pub(crate) fn snap_ticks(painter: &mut GuidePainter<'_>, sector: &Sector, increment: f64, ink: StrokeStyle) {
    // More than 120 ticks would merge into a band.
    let step = increment * (TAU / increment / 120.0).ceil().max(1.0);
    if !is_positive(step) {
        return;
    }
    let half = (0.5 * TAU / step).floor() as i32;
    // Half a turn in either direction is the same point.
    let first = if (f64::from(half) * step - 0.5 * TAU).abs() < 1e-9 { 1 - half } else { -half };
    for k in first..=half {
        let angle = f64::from(k) * step;
        let eighths = angle / FRAC_PI_4;
        let is_major = (eighths - eighths.round()).abs() < 1e-6;
        let (end, ink) = if is_major { (1.16, ink) } else { (1.11, ink.faded(0.75)) };
        painter.world_stroke(sector.rim(angle, TICK_START), sector.rim(angle, end), ink);
    }
}

#[cfg(test)]
mod tests {
    use super::super::GuideVertex;
    use super::*;
    use crate::math::{View, Viewport};
    use glam::{DVec2, dcamera::rh};

    fn view(eye: DVec3) -> View {
        let view_from_world = rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
        let clip_from_view = rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
        View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0)
            .expect("the view is valid")
    }

    const INK: StrokeStyle = StrokeStyle { color: [1.0; 4], width_lpx: 2.0 };

    #[test]
    fn snap_ticks_mark_multiples_with_longer_eighths() {
        let view = view(DVec3::Z * 5.0);
        let count = |increment: f64| {
            let mut layer = Vec::new();
            let shape =
                Sector { pivot: DVec3::ZERO, axis: DVec3::Z, from: DVec3::X, radius: 1.0, total: 0.0 };
            snap_ticks(&mut GuidePainter::new(&mut layer, &view), &shape, increment, INK);
            let length = |t: &[GuideVertex]| {
                let at = |v: &GuideVertex| DVec2::new(v.position_px[0].into(), v.position_px[1].into());
                at(&t[1]).distance(at(&t[2]))
            };
            let lengths: Vec<f64> = layer.chunks_exact(4).map(length).collect();
            let longest = lengths.iter().copied().fold(0.0, f64::max);
            let major = lengths.iter().filter(|length| **length > 0.8 * longest).count();
            (lengths.len(), major)
        };
        assert_eq!(count(TAU / 24.0), (24, 8));
        assert_eq!(count(TAU / 8.0), (8, 8));
        assert_eq!(count(TAU / 36.0), (36, 4), "45° is not a multiple of 10°");
        assert!(count(1e-9).0 <= 121);
        assert_eq!(count(f64::NAN).0, 0);
        assert_eq!(count(10.0).0, 1, "only the start");
    }
}
