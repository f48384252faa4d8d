//! Rings: curved strokes from joint to joint.

use crate::draw::item::{FAR_HALF, FAR_WIDTH, Item, RingHalves, TAPER};
use crate::draw::order::PiecePart;
use crate::draw::shape::{
    EDGE_PX, Edge, Geometry, Line, Plane, Projected, Purpose, Shape, Stroke, lit_color,
};
use glam::{DVec2, DVec3, DVec4};
use std::f64::consts::TAU;

/// A range of a ring that is painted at one position in the order.
#[derive(Debug, Clone, Copy)]
struct ArcRange {
    /// The direction at its start: cosine and sine along the Y and Z axes of the part.
    start: DVec2,
    /// The angle from there, in radians.
    sweep: f64,
}

/// A joint between two pieces of a ring.
#[derive(Debug, Clone, Copy)]
struct Joint {
    /// The cosine and the sine of its angle.
    direction: DVec2,
    seen: Projected,
    /// The unit tangent on screen.
    tangent: DVec2,
    half_width: f64,
    /// The width of the stroke with its halo on both sides: toward -perp and perp of the tangent.
    reach_px: [f64; 2],
    /// The factor on the opacity of the halo.
    halo: f64,
    /// The cosine to the light, and the factor on the opacity.
    lit: f64,
    opacity: f32,
}

impl ArcRange {
    /// Returns the range of a ring that is painted as this part, or `None` if there is nothing of it.
    fn new(item: &Item, part: PiecePart) -> Option<Self> {
        let whole = Self { start: DVec2::X, sweep: TAU };
        let to_eye = DVec2::new(item.to_eye.y, item.to_eye.z);
        let most = to_eye.length();
        // The cosine to the eye is `most · cos` of the angle to the nearest point.
        let cosine = FAR_HALF / most;
        let is_near_only = item.halves == RingHalves::None || cosine.is_nan() || cosine <= -1.0;
        match part {
            PiecePart::Far if is_near_only => None,
            _ if is_near_only => Some(whole),
            PiecePart::Far => {
                let half = cosine.acos();
                let start = DVec2::from_angle(half).rotate(to_eye / most);
                Some(Self { start, sweep: TAU - 2.0 * half })
            }
            _ => {
                let half = cosine.acos();
                Some(Self { start: DVec2::from_angle(-half).rotate(to_eye / most), sweep: 2.0 * half })
            }
        }
    }

    fn pieces(&self, radius_px: f64) -> u32 {
        (pieces_of_turn(radius_px) * self.sweep / TAU).ceil().max(1.0) as u32
    }
}

/// Passes the strokes of a ring to `emit`. Pieces are left out if `may_show` returns false for the
/// rectangle around their two ends.
pub(super) fn strokes(
    item: &Item,
    part: PiecePart,
    purpose: Purpose,
    may_show: impl Fn([DVec2; 2]) -> bool,
    mut emit: impl FnMut(Shape),
) {
    let Some(range) = ArcRange::new(item, part) else { return };
    let ring = &Ring::new(item, purpose);
    let count = range.pieces(item.radius_px);
    let step = DVec2::from_angle(range.sweep / f64::from(count));
    let end_at = |direction: DVec2| {
        let seen = item.projected(on_circle(item, direction));
        seen.map(|seen| End { direction, seen, joint: None })
    };
    let mut direction = range.start;
    let mut last = end_at(direction);
    for piece in 1..=count {
        // A whole ring is closed bit for bit.
        direction = if piece == count && range.sweep == TAU { range.start } else { step.rotate(direction) };
        let mut next = end_at(direction);
        if let (Some(from), Some(to)) = (&mut last, &mut next)
            && may_show([from.seen.px.min(to.seen.px), from.seen.px.max(to.seen.px)])
        {
            let joints = [from.joint(ring), to.joint(ring)];
            ring.bisect(joints, MAX_BISECTIONS, &mut emit);
        }
        last = next;
    }
}

/// An end of a piece of a ring, whose joint is computed when the piece is drawn.
struct End {
    direction: DVec2,
    seen: Projected,
    joint: Option<Joint>,
}

impl End {
    fn joint(&mut self, ring: &Ring<'_>) -> &Joint {
        self.joint.get_or_insert_with(|| ring.joint_at(self.direction, self.seen))
    }
}

/// What all pieces of a ring share.
struct Ring<'a> {
    item: &'a Item,
    purpose: Purpose,
    /// How far the arcs reach beyond their chords: to the side of -perp and of perp of the tangent.
    bulges_px: [f64; 2],
}

/// The maximum number of times that a piece is halved where a ring turns sharply on screen.
const MAX_BISECTIONS: u32 = 4;
/// The cosine of the largest turn of the tangent along a piece.
const MIN_TURN: f64 = 0.9;

/// Returns the homogeneous point of the circle in this direction.
fn on_circle(item: &Item, direction: DVec2) -> DVec4 {
    let m = &item.px_from_part;
    m.w_axis + m.y_axis * direction.x + m.z_axis * direction.y
}

/// Returns the cosine to the light of the line on a ring that faces the viewer. Shading by the normals
/// across a tube of a few pixels would look like speckles.
fn lit(item: &Item, direction: DVec2) -> f64 {
    let along = DVec3::new(0.0, -direction.y, direction.x);
    let across = item.to_eye - along * item.to_eye.dot(along);
    across.try_normalize().map_or(1.0, |normal| normal.dot(item.to_light))
}

/// Returns a bound of the sagitta of all pieces of a ring, so that neighbors have the same corners.
fn sagitta_at_most(radius_px: f64) -> f64 {
    let half_step = 0.5 * TAU / pieces_of_turn(radius_px);
    1.1 * radius_px * (1.0 - half_step.cos())
}

/// Returns the number of pieces of a whole ring of this radius: the error of a parabola on an arc is less
/// than a hundredth of a pixel.
fn pieces_of_turn(radius_px: f64) -> f64 {
    (2.0 * radius_px.max(0.0).sqrt()).clamp(12.0, 64.0)
}

/// Returns a bound of how far the arcs of a ring reach beyond their chords, positive if they do so to the
/// side of perp of the tangent.
fn bulge_px(item: &Item) -> f64 {
    let m = &item.px_from_part;
    // The nearest point of the ring, where it is largest on screen.
    let nearest_w = (m.w_axis.w - m.y_axis.w.hypot(m.z_axis.w)).max(0.1 * item.pivot_w);
    let growth = (item.pivot_w / nearest_w).max(1.0);
    let flat = |axis: DVec4| DVec3::new(axis.x, axis.y, axis.w);
    let winding = flat(m.y_axis).cross(flat(m.z_axis)).dot(flat(m.w_axis));
    -winding.signum() * sagitta_at_most(item.radius_px) * growth
}
impl<'a> Ring<'a> {
    fn new(item: &'a Item, purpose: Purpose) -> Self {
        let bulge = bulge_px(item);
        Self { item, purpose, bulges_px: [-bulge.min(0.0), bulge.max(0.0)] }
    }

    /// Passes a piece to `emit`, in halves if the tangent turns much.
    fn bisect(&self, [from, to]: [&Joint; 2], left: u32, emit: &mut impl FnMut(Shape)) {
        let middle = (from.direction + to.direction).normalize_or(from.direction);
        let Some(seen) = self.item.projected(on_circle(self.item, middle)) else { return };
        if left == 0 || from.tangent.dot(to.tangent) > MIN_TURN {
            return emit(self.piece([from, to], seen.px));
        }
        let middle = self.joint_at(middle, seen);
        self.bisect([from, &middle], left - 1, emit);
        self.bisect([&middle, to], left - 1, emit);
    }

    fn joint_at(&self, direction: DVec2, seen: Projected) -> Joint {
        let Self { item, purpose, bulges_px } = *self;
        let m = &item.px_from_part;
        let along = item.change(&seen, m.z_axis * direction.x - m.y_axis * direction.y);
        let tangent = along.normalize_or(DVec2::X);
        let mut half_width = item.half_width_px(seen.w, purpose);
        let (mut opacity, mut halo) = (1.0, 1.0);
        if let RingHalves::Dimmed { far_opacity } = item.halves {
            let facing = direction.dot(DVec2::new(item.to_eye.y, item.to_eye.z));
            let t = ((facing - FAR_HALF + TAPER) / TAPER + 1e-6).clamp(0.0, 1.0);
            let near = t * t * (3.0 - 2.0 * t);
            half_width *= FAR_WIDTH + (1.0 - FAR_WIDTH) * near;
            opacity = far_opacity + (1.0 - far_opacity) * near as f32;
            // The far half is too dim for a halo.
            halo = near;
        }
        let lit = lit(item, direction);
        let reach = half_width + if halo > 0.0 { item.reach_px(purpose) } else { EDGE_PX };
        Joint {
            direction,
            seen,
            tangent,
            half_width,
            reach_px: bulges_px.map(|bulge| reach + bulge),
            halo,
            lit,
            opacity,
        }
    }

    /// Returns the piece between two joints, whose arc is at this pixel in the middle.
    fn piece(&self, [from, to]: [&Joint; 2], middle_px: DVec2) -> Shape {
        let Self { item, purpose, .. } = *self;
        let (a, b) = (from.seen, to.seen);
        let chord = b.px - a.px;
        let length = chord.length();
        let along = chord.normalize_or(from.tangent);
        let up = along.perp();
        // The parabola through both ends and the middle of the arc.
        let by = middle_px - a.px;
        let t = (by.dot(along) / length).clamp(0.25, 0.75);
        let sagitta = up.dot(by) / (4.0 * t * (1.0 - t));
        let sagitta = if sagitta.is_finite() { sagitta } else { 0.0 };
        let reach = from.half_width.max(to.half_width) + item.reach_px(purpose);
        let tilt = along.perp_dot(from.tangent).abs().max(along.perp_dot(to.tangent).abs());
        let half = along * (0.5 * length + tilt * (reach + sagitta.abs()) + 0.8);
        let center = 0.5 * (a.px + b.px) + up * (0.5 * sagitta);
        let edge = Edge {
            start: a.px,
            along,
            length: length.max(1e-3),
            sagitta,
            half_widths: Some([from.half_width, to.half_width]),
            // Neighbors have the same line at their joint.
            bounds: [Line::through(a.px, -from.tangent), Line::through(b.px, to.tangent)],
            depth: Plane {
                origin: a.px,
                value: a.depth,
                change: along * ((b.depth - a.depth) / length.max(1e-3)),
            },
            round: None,
            rect: [center, half, up * (reach + 0.5 * sagitta.abs())],
        };
        let color = |joint: &Joint| {
            let [r, g, b, a] = lit_color(item.color, joint.lit);
            [r, g, b, a * joint.opacity]
        };
        let mut halo = item.halo(purpose);
        halo.opacity *= from.halo.min(to.halo) as f32;
        let reach_px = [from.reach_px, to.reach_px];
        Shape {
            geometry: Geometry::Stroke(Stroke { edge, ends: [a.px, b.px], reach_px, beyond_px: 0.0 }),
            anchor_px: item.anchor_px,
            colors: [color(from), color(to)],
            halo,
        }
    }
}
