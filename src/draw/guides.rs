//! Guides: anti-aliased strokes and fills in pixel space, drawn in addition to the handles.
//!
//! Guides cannot be picked and are not in the ID image.

use crate::handle::Rgba;
use crate::math::View;
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::{FRAC_PI_4, TAU};

/// A vertex of a guide. Every four consecutive vertices are one quad, with the triangles 0, 1, 2
/// and 0, 2, 3.
///
/// The quad is a piece of a stroke. Vertices 0 and 1 are at its start and have one color, and
/// vertices 2 and 3 are at its end. Vertices 0 and 3 are on one side of the stroke and have the same
/// `across_px`, and vertices 1 and 2 are on the other side. A fragment is covered if the interpolated
/// `across_px[0]` is within half of the stroke width of 0. This edge is anti-aliased over half a
/// pixel on either side.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct GuideVertex {
    /// The position in physical pixels of the render target.
    pub position_px: [f32; 2],
    /// The signed distance from the center line of the stroke, half of the width of the stroke,
    /// and the width of the dark halo around it, in physical pixels.
    pub across_px: [f32; 3],
    /// The sRGB color, not premultiplied.
    pub color: Rgba,
}

/// The color and width of a stroke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StrokeStyle {
    pub(crate) color: Rgba,
    pub(crate) width_lpx: f32,
}

impl StrokeStyle {
    pub(crate) fn faded(self, by: f32) -> Self {
        Self { color: faded(self.color, by), ..self }
    }
}

pub(crate) fn faded([r, g, b, a]: Rgba, by: f32) -> Rgba {
    [r, g, b, a * by]
}

/// Lines are clipped this far outside the viewport, in physical pixels, which is more than any width.
pub(crate) const MARGIN_PX: f64 = 16.0;
/// The width of the halo of a stroke, in logical pixels.
pub(super) const HALO_LPX: f64 = 0.75;
/// The minimum w of a point in front of the viewer, as a fraction of the w of the line's origin.
const MIN_W: f64 = 1e-6;
/// The length over which an infinite line fades out at either end, in logical pixels.
const FADE_LPX: f64 = 140.0;
/// The maximum absolute coordinate of a visible pixel.
const MAX_PX: f64 = 1e6;
/// The angle between neighboring points of an arc, in radians.
const ARC_STEP: f64 = TAU / 96.0;

/// Clips the line `from + t · along`, in homogeneous pixels, to the viewport with a margin and to the
/// half space in front of the viewer. Returns the visible range of `t`.
pub(super) fn clip_line(
    view: &View,
    [from, along]: [DVec3; 2],
    [mut low, mut high]: [f64; 2],
) -> Option<[f64; 2]> {
    let v = view.viewport();
    let right = v.x + v.width + MARGIN_PX;
    let bottom = v.y + v.height + MARGIN_PX;
    let (left, top) = (v.x - MARGIN_PX, v.y - MARGIN_PX);
    let w_scale = from.z.abs().max(f64::MIN_POSITIVE);
    let sides = [
        DVec3::Z,
        DVec3::new(1.0, 0.0, -left),
        DVec3::new(-1.0, 0.0, right),
        DVec3::new(0.0, 1.0, -top),
        DVec3::new(0.0, -1.0, bottom),
    ];
    for (i, side) in sides.into_iter().enumerate() {
        let min = if i == 0 { MIN_W * w_scale } else { 0.0 };
        let (at, slope) = (side.dot(from) - min, side.dot(along));
        if slope > 0.0 {
            low = low.max(-at / slope);
        } else if slope < 0.0 {
            high = high.min(-at / slope);
        } else if at.is_nan() || at < 0.0 {
            return None;
        }
    }
    (low < high).then_some([low, high])
}

/// Returns the pixel of `from + t · along`, which is the vanishing point if `t` is infinite.
fn px_at([from, along]: [DVec3; 2], t: f64) -> DVec2 {
    let at = if t.is_finite() { from + along * t } else { along };
    at.truncate() / at.z
}

/// The visible part of a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct VisibleSegment {
    pub(crate) px: [DVec2; 2],
    /// The parameters of its ends on the segment, which runs from 0 to 1.
    pub(crate) t: [f64; 2],
}

/// Returns the visible part of a segment in world space.
pub(crate) fn segment(view: &View, from: DVec3, to: DVec3) -> Option<VisibleSegment> {
    let line = [from.extend(1.0), (to - from).extend(0.0)].map(|end| view.px_homogeneous(end));
    let t = clip_line(view, line, [0.0, 1.0])?;
    let px = t.map(|t| px_at(line, t));
    (px[0].is_finite() && px[1].is_finite()).then_some(VisibleSegment { px, t })
}

/// Returns the visible part of an infinite line. `origin` must be in front of the viewer.
pub(crate) fn line(view: &View, origin: DVec3, direction: DVec3) -> Option<[DVec2; 2]> {
    let line = [origin.extend(1.0), direction.extend(0.0)].map(|end| view.px_homogeneous(end));
    let px = clip_line(view, line, [f64::NEG_INFINITY, f64::INFINITY])?.map(|t| px_at(line, t));
    (px[0].is_finite() && px[1].is_finite()).then_some(px)
}

/// Returns true if a pixel is close enough to the viewport for `f32` coordinates.
fn is_near(px: DVec2) -> bool {
    px.abs().max_element() < MAX_PX
}

/// Paints guides into one layer of a draw list.
#[derive(Debug)]
pub(crate) struct GuidePainter<'a> {
    layer: &'a mut Vec<GuideVertex>,
    view: View,
    halo_px: f64,
}

impl<'a> GuidePainter<'a> {
    pub(crate) fn new(layer: &'a mut Vec<GuideVertex>, view: View) -> Self {
        Self { layer, halo_px: HALO_LPX * view.scale_factor(), view }
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// Returns the brush without a halo.
    pub(crate) fn without_halo(mut self) -> Self {
        self.halo_px = 0.0;
        self
    }

    /// Paints a straight stroke between two pixels, with a color gradient along it.
    pub(crate) fn stroke_between(&mut self, [a, b]: [DVec2; 2], [from, to]: [Rgba; 2], width_lpx: f32) {
        let along = b - a;
        let length = along.length();
        let half = 0.5 * f64::from(width_lpx) * self.view.scale_factor();
        let is_visible = is_near(a) && is_near(b) && (from[3] > 0.0 || to[3] > 0.0);
        if !(is_visible && length > 1e-3 && half > 0.0) {
            return;
        }
        let reach = half + self.halo_px + 1.0;
        let side = along.perp() / length * reach;
        let corner = |at: DVec2, across: f64, color: Rgba| GuideVertex {
            position_px: (at + side * across).as_vec2().to_array(),
            across_px: [(reach * across) as f32, half as f32, self.halo_px as f32],
            color,
        };
        let [p, q, r, s] =
            [corner(a, -1.0, from), corner(a, 1.0, from), corner(b, 1.0, to), corner(b, -1.0, to)];
        self.layer.extend([p, q, r, s]);
    }

    /// Returns true if a disc around a pixel may intersect the viewport.
    fn is_in_sight(&self, px: DVec2, reach_px: f64) -> bool {
        let v = self.view.viewport();
        let [low, high] = [DVec2::new(v.x, v.y), DVec2::new(v.x + v.width, v.y + v.height)];
        let reach = reach_px + MARGIN_PX;
        px.cmpge(low - reach).all() && px.cmple(high + reach).all()
    }

    /// Paints a straight stroke between two pixels.
    pub(crate) fn stroke(&mut self, ends: [DVec2; 2], ink: StrokeStyle) {
        self.stroke_between(ends, [ink.color; 2], ink.width_lpx);
    }

    /// Paints a stroke between two world points.
    pub(crate) fn world_stroke(&mut self, from: DVec3, to: DVec3, ink: StrokeStyle) {
        if let Some(seen) = segment(&self.view, from, to) {
            self.stroke(seen.px, ink);
        }
    }

    /// Paints a dashed stroke between two pixels.
    pub(crate) fn dashes(&mut self, [a, b]: [DVec2; 2], ink: StrokeStyle) {
        let (dash, period) = (4.0 * self.view.scale_factor(), 7.0 * self.view.scale_factor());
        let length = a.distance(b);
        if !length.is_finite() {
            return;
        }
        // A solid line bounds the number of strokes if the cursor is far away.
        if length > 400.0 * period {
            return self.stroke([a, b], ink);
        }
        let along = (b - a).normalize_or_zero();
        let mut at = 0.0;
        while at < length {
            self.stroke([a + along * at, a + along * (at + dash).min(length)], ink);
            at += period;
        }
    }

    /// Paints a circle in pixel space.
    pub(crate) fn circle(&mut self, center_px: DVec2, radius_px: f64, ink: StrokeStyle) {
        if !(radius_px.abs() < MAX_PX && self.is_in_sight(center_px, radius_px.abs())) {
            return;
        }
        let half = 0.5 * f64::from(ink.width_lpx) * self.view.scale_factor();
        let reach = half + self.halo_px + 1.0;
        // Neighboring quads share their corners, because separate strokes would overlap there.
        let steps = (radius_px.abs().sqrt() * 8.0).clamp(16.0, 96.0).ceil() as u32;
        let corner = |outward: DVec2, across: f64| {
            let across = across.max(-radius_px.abs());
            GuideVertex {
                position_px: (center_px + outward * (radius_px.abs() + across)).as_vec2().to_array(),
                across_px: [across as f32, half as f32, self.halo_px as f32],
                color: ink.color,
            }
        };
        let ends = |outward: DVec2| [corner(outward, -reach), corner(outward, reach)];
        let turn = DVec2::from_angle(TAU / f64::from(steps));
        let (mut outward, mut last) = (DVec2::X, ends(DVec2::X));
        for step in 1..=steps {
            // The last step has the same bits as the first one, so that the circle is closed.
            outward = if step == steps { DVec2::X } else { turn.rotate(outward) };
            let ([p, q], [s, r]) = (last, ends(outward));
            self.layer.extend([p, q, r, s]);
            last = [s, r];
        }
    }

    /// Fills a quad, or a triangle if two neighboring corners are equal.
    fn fill(&mut self, corners: [DVec2; 4], color: Rgba) {
        if corners.into_iter().all(is_near) {
            let corner = |at: DVec2| GuideVertex {
                position_px: at.as_vec2().to_array(),
                across_px: [0.0, 1e3, 0.0],
                color,
            };
            self.layer.extend(corners.map(corner));
        }
    }
}

/// Paints the infinite axis line of a drag, which fades out at the edges of the viewport.
pub(crate) fn axis_line(brush: &mut GuidePainter<'_>, origin: DVec3, direction: DVec3, ink: StrokeStyle) {
    let Some([a, b]) = line(brush.view(), origin, direction) else { return };
    let length = a.distance(b);
    let fade = (FADE_LPX * brush.view().scale_factor()).min(0.3 * length) / length;
    let [c, d] = [fade, 1.0 - fade].map(|t| a.lerp(b, t));
    let (transparent, color) = (faded(ink.color, 0.0), ink.color);
    brush.stroke_between([a, c], [transparent, color], ink.width_lpx);
    brush.stroke_between([c, d], [color; 2], ink.width_lpx);
    brush.stroke_between([d, b], [color, transparent], ink.width_lpx);
}

/// Rounds `least` up to 1, 2 or 5 times a power of ten.
pub(crate) fn nice_length(least: f64) -> Option<f64> {
    let power = 10f64.powf(least.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0].map(|part| part * power).into_iter().find(|nice| *nice >= least * 0.999);
    nice.filter(|nice| nice.is_finite() && *nice > 0.0)
}

/// Paints a circle at the start of a drag, and a stroke from there to the current position.
pub(crate) fn start_ghost(brush: &mut GuidePainter<'_>, start: DVec3, now: DVec3, ink: StrokeStyle) {
    let view = *brush.view();
    let scale = view.scale_factor();
    let Some(start_px) = view.px_from_world(start) else { return };
    let distance = view.px_from_world(now).map_or(f64::INFINITY, |px| px.distance(start_px));
    // Fades in over a few pixels, so that nothing pops up at the first one.
    let opacity = ((distance / scale - 3.0) / 8.0).clamp(0.0, 1.0) as f32;
    if opacity <= 0.0 {
        return;
    }
    let Some(seen) = segment(&view, start, now) else { return };
    let [from, to] = seen.px;
    let ring_px = 4.0 * scale;
    let past_ring = if seen.t[0] > 0.0 { from } else { from + (to - from).normalize_or_zero() * ring_px };
    brush.stroke([past_ring, to], ink.faded(0.7 * opacity));
    brush.circle(start_px, ring_px, ink.faded(opacity));
}

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
    brush: &mut GuidePainter<'_>,
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
        let view = *brush.view();
        let Some(center) = view.px_from_world(pivot) else { return };
        let at = |step: f64| view.px_from_world(sector.rim(angle * step.min(steps) / steps, 1.0));
        // Each quad covers two pieces of the rim.
        let mut step = 0.0;
        while step < steps {
            if let [Some(a), Some(b), Some(c)] = [step, step + 1.0, step + 2.0].map(at) {
                brush.fill([center, a, b, c], fill);
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
    brush.world_stroke(pivot, sector.rim(0.0, 1.0), start);
    if rest != 0.0 {
        brush.world_stroke(pivot, sector.rim(rest, 1.0), now);
    }
}

/// Paints a tick outside the rim at every multiple of the increment, with longer ones at eighths of a turn.
pub(crate) fn snap_ticks(brush: &mut GuidePainter<'_>, sector: &Sector, increment: f64, ink: StrokeStyle) {
    // More than 120 ticks would merge into a band.
    let step = increment * (TAU / increment / 120.0).ceil().max(1.0);
    if !(step.is_finite() && step > 0.0) {
        return;
    }
    let half = (0.5 * TAU / step).floor() as i32;
    // Half a turn in either direction is the same point.
    let first = if (f64::from(half) * step - 0.5 * TAU).abs() < 1e-9 { 1 - half } else { -half };
    for k in first..=half {
        let angle = f64::from(k) * step;
        let eighths = angle / FRAC_PI_4;
        let is_major = (eighths - eighths.round()).abs() < 1e-6;
        let (end, ink) = if is_major { (1.11, ink) } else { (1.065, ink.faded(0.6)) };
        brush.world_stroke(sector.rim(angle, 1.03), sector.rim(angle, end), ink);
    }
}

/// Paints a length along an axis, with ticks at its start value and its current value.
pub(crate) fn scaled_length(
    brush: &mut GuidePainter<'_>,
    [pivot, start, now]: [DVec3; 3],
    before: StrokeStyle,
    after: StrokeStyle,
) {
    brush.world_stroke(pivot, now, after);
    tick(brush, pivot, start, before);
    tick(brush, pivot, now, after);
}

/// Paints a short stroke at `at`, perpendicular to the direction from `from` to `at`.
fn tick(brush: &mut GuidePainter<'_>, from: DVec3, at: DVec3, ink: StrokeStyle) {
    let view = *brush.view();
    let (Some(from), Some(at)) = (view.px_from_world(from), view.px_from_world(at)) else { return };
    let across = (at - from).perp().normalize_or(DVec2::Y) * (7.0 * view.scale_factor());
    if brush.is_in_sight(at, 0.0) {
        brush.stroke([at - across, at + across], ink);
    }
}

/// Paints the outline of a parallelogram with one corner at the pivot.
pub(crate) fn parallelogram(brush: &mut GuidePainter<'_>, pivot: DVec3, sides: [DVec3; 2], ink: StrokeStyle) {
    let [a, b] = sides;
    let corners = [pivot, pivot + a, pivot + a + b, pivot + b];
    for i in 0..4 {
        brush.world_stroke(corners[i], corners[(i + 1) % 4], ink);
    }
}

/// Paints the screen projection of the cursor onto an axis: the drawn axis and the foot of the cursor.
pub(crate) fn foot_on_axis(
    brush: &mut GuidePainter<'_>,
    origin: DVec3,
    direction: DVec3,
    cursor: DVec2,
    ink: StrokeStyle,
) {
    let Some([a, b]) = line(brush.view(), origin, direction) else { return };
    brush.stroke([a, b], ink.faded(0.8));
    let along = (b - a).normalize_or_zero();
    let foot = a + along * (cursor - a).dot(along);
    brush.dashes([cursor, foot], ink);
    mark(brush, foot, ink);
}

/// Paints two points that a solver brings together, and a dashed line between them.
pub(crate) fn brought_together(brush: &mut GuidePainter<'_>, on_axis: DVec3, other: DVec3, ink: StrokeStyle) {
    if let Some(seen) = segment(brush.view(), on_axis, other) {
        brush.dashes(seen.px, ink);
    }
    for point in [on_axis, other] {
        if let Some(px) = brush.view().px_from_world(point) {
            mark(brush, px, ink);
        }
    }
}

/// Paints a small cross.
fn mark(brush: &mut GuidePainter<'_>, at: DVec2, ink: StrokeStyle) {
    let arm = 4.0 * brush.view().scale_factor();
    if !brush.is_in_sight(at, 0.0) {
        return;
    }
    for across in [DVec2::new(arm, arm), DVec2::new(arm, -arm)] {
        brush.stroke([at - across, at + across], ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Viewport;
    use glam::dcamera::rh;

    fn view(eye: DVec3) -> View {
        let view_from_world = rh::view::look_at_mat4(eye, DVec3::ZERO, DVec3::Y);
        let clip_from_view = rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0);
        View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0)
            .expect("the view is valid")
    }

    const INK: StrokeStyle = StrokeStyle { color: [1.0; 4], width_lpx: 2.0 };

    #[test]
    fn nice_length_rounds_up_to_one_two_or_five() {
        for (least, nice) in [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (0.021, 0.05), (51.0, 100.0), (3e-7, 5e-7)]
        {
            let found = nice_length(least).expect("positive");
            assert!((found / nice - 1.0).abs() < 1e-9, "{least}: {found}");
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(nice_length(bad), None, "{bad}");
        }
    }

    #[test]
    fn line_ends_at_viewport_edges_or_vanishing_point() {
        let view = view(DVec3::new(0.0, 1.0, 5.0));
        let [a, b] = line(&view, DVec3::ZERO, DVec3::X).expect("visible");
        let mut xs = [a.x, b.x];
        xs.sort_by(f64::total_cmp);
        assert!((xs[0] + MARGIN_PX).abs() < 1e-6 && (xs[1] - 800.0 - MARGIN_PX).abs() < 1e-6, "{xs:?}");
        // A line along z runs from behind the viewer to the horizon.
        let ends = line(&view, DVec3::ZERO, DVec3::Z).expect("visible");
        let far = view.px_from_world(DVec3::NEG_Z * 1e9).expect("in front of the viewer");
        assert!(ends.iter().any(|end| end.distance(far) < 1e-3), "{ends:?}, {far}");
        assert!(line(&view, DVec3::Y * 1e6, DVec3::X).is_none(), "outside the viewport");
    }

    #[test]
    fn segment_is_clipped_behind_viewer() {
        let view = view(DVec3::Z * 5.0);
        let seen = segment(&view, DVec3::X, DVec3::new(1.0, 0.0, 20.0)).expect("the near part is visible");
        assert!(seen.t[0] == 0.0 && seen.t[1] < 0.3, "{seen:?}");
        assert!(segment(&view, DVec3::Z * 6.0, DVec3::Z * 9.0).is_none());
        let whole = segment(&view, DVec3::ZERO, DVec3::X).expect("visible");
        assert_eq!(whole.t, [0.0, 1.0]);
    }

    /// Returns the total area of all quads, in square pixels.
    fn area(layer: &[GuideVertex]) -> f64 {
        let at = |v: &GuideVertex| DVec2::new(v.position_px[0].into(), v.position_px[1].into());
        let triangle = |a: &_, b: &_, c: &_| 0.5 * (at(b) - at(a)).perp_dot(at(c) - at(a)).abs();
        layer.chunks_exact(4).map(|q| triangle(&q[0], &q[1], &q[2]) + triangle(&q[0], &q[2], &q[3])).sum()
    }

    #[test]
    fn sector_area_matches_angle_and_whole_turns() {
        // An orthographic view along the axis: pixel areas are proportional to world areas.
        let view_from_world = rh::view::look_at_mat4(DVec3::Z * 9.0, DVec3::ZERO, DVec3::Y);
        let clip_from_view = rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0);
        let view = View::new(view_from_world, clip_from_view, Viewport::from_size(800, 600), 1.0)
            .expect("the view is valid");
        let filled = |total: f64| {
            let mut layer = Vec::new();
            let mut brush = GuidePainter::new(&mut layer, view);
            let shape = Sector { pivot: DVec3::ZERO, axis: DVec3::Z, from: DVec3::X, radius: 1.0, total };
            let transparent = StrokeStyle { color: [0.0; 4], ..INK };
            sector(&mut brush, &shape, [1.0; 4], transparent, transparent);
            area(&layer)
        };
        let disc = 0.5 * TAU * 100.0 * 100.0;
        for turns in [0.1, 0.25, -0.25, 0.75, 1.0, 1.5, -2.25] {
            let share = if f64::abs(turns) >= 1.0 { 1.0 } else { 0.0 } + f64::abs(turns % 1.0);
            let found = filled(turns * TAU) / disc;
            assert!((found - share).abs() < 2e-3, "{turns} turns fill {found}");
        }
        assert_eq!(filled(f64::NAN), 0.0);
    }

    #[test]
    fn snap_ticks_mark_multiples_with_longer_eighths() {
        let view = view(DVec3::Z * 5.0);
        let count = |increment: f64| {
            let mut layer = Vec::new();
            let shape =
                Sector { pivot: DVec3::ZERO, axis: DVec3::Z, from: DVec3::X, radius: 1.0, total: 0.0 };
            snap_ticks(&mut GuidePainter::new(&mut layer, view), &shape, increment, INK);
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
