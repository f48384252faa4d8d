//! Edges: what the ids, the CPU pick and the picture know of a shape.

use crate::math::Rect;
use glam::DVec2;

/// A line, or half of the plane: the points that are not on the side of its normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The direction of the outside; not a unit vector everywhere.
    pub normal: DVec2,
    /// A point `p` is inside if `normal · p <= offset`.
    pub offset: f64,
}

impl Line {
    /// The half plane that contains everything.
    pub(super) const NOWHERE: Self = Self { normal: DVec2::ZERO, offset: 1e3 };

    pub(super) fn through(point: DVec2, normal: DVec2) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// Returns the line through two points of which `inside` is on the inner side. Its normal is as long as they are
    /// apart.
    pub(super) fn between([a, b]: [DVec2; 2], inside: DVec2) -> Self {
        let line = Self::through(a, (b - a).perp());
        if line.distance(inside) > 0.0 { line.flipped() } else { line }
    }

    fn flipped(self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }

    /// Returns the line, moved toward its normal.
    pub(super) fn moved(self, by: f64) -> Self {
        Self { offset: self.offset + by, ..self }
    }

    /// Returns the distance outside, in lengths of the normal.
    pub(super) fn distance(&self, p: DVec2) -> f64 {
        self.normal.dot(p) - self.offset
    }

    /// Returns the point at which two lines cross, or `None` if they are parallel.
    pub(super) fn crossing(&self, other: &Self) -> Option<DVec2> {
        let (a, b) = (self.normal, other.normal);
        let at = (b.perp() * -self.offset + a.perp() * other.offset) / a.perp_dot(b);
        at.is_finite().then_some(at)
    }
}

/// A linear function of pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// A point.
    pub origin: DVec2,
    /// The value there.
    pub value: f64,
    /// Its change per pixel.
    pub change: DVec2,
}

impl Plane {
    /// Returns the function with these values at three points. If they are on a line, it is constant.
    pub(super) fn through([a, b, c]: [DVec2; 3], [va, vb, vc]: [f64; 3]) -> Self {
        let (ab, ac) = (b - a, c - a);
        let area = ab.perp_dot(ac);
        let change = (DVec2::new(ac.y, -ac.x) * (vb - va) + DVec2::new(-ab.y, ab.x) * (vc - va)) / area;
        if !change.is_finite() || area.abs() < 1e-3 {
            return Self { origin: a, value: (va + vb + vc) / 3.0, change: DVec2::ZERO };
        }
        Self { origin: a, value: va, change }
    }

    /// Returns the value at a point.
    pub fn at(&self, p: DVec2) -> f64 {
        self.value + self.change.dot(p - self.origin)
    }
}

/// One edge of a shape, in pixels from the anchor, and the pixels that belong to it: a stroke around it, or the part of
/// an outline between the middle and this edge.
///
/// The edge is a parabola over a chord.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The start of the chord.
    pub start: DVec2,
    /// The unit direction of the chord.
    pub along: DVec2,
    /// The length of the chord.
    pub length: f64,
    /// The height of the parabola over the middle of the chord, to the side of perp of `along`.
    pub sagitta: f64,
    /// Half of the width of a stroke at the start and at the end. `None` for an edge of an outline, whose outside is on
    /// the side of perp of `along`.
    pub half_widths: Option<[f64; 2]>,
    /// Lines that also bound the pixels, at the start and at the end.
    pub bounds: [Line; 2],
    /// The depth of the view, of a ball at its outline.
    pub depth: Plane,
    /// The change of depth from the outline of a ball to its middle, and their distance in pixels.
    pub round: Option<[f64; 2]>,
    /// The center and the half axes of a rectangle around the pixels.
    pub rect: [DVec2; 3],
}

/// How far a rectangle reaches beyond the pixels of an edge: more than the rounding of a rasterizer.
const MARGIN_PX: f64 = 1.0;

impl Edge {
    /// Returns an edge without an outside: its depth is 0, and `corners` are in its rectangle.
    pub(super) fn new([start, end]: [DVec2; 2], sagitta: f64, bounds: [Line; 2], corners: &[DVec2]) -> Self {
        let chord = end - start;
        let along = chord.normalize_or(DVec2::X);
        let (mut min, mut max) = (DVec2::ZERO, DVec2::new(chord.length(), sagitta));
        for corner in corners {
            let by = corner - start;
            let at = DVec2::new(along.dot(by), along.perp_dot(by));
            (min, max) = (min.min(at), max.max(at));
        }
        let (center, half) = (0.5 * (min + max), 0.5 * (max - min) + MARGIN_PX);
        Self {
            start,
            along,
            length: chord.length().max(1e-3),
            sagitta,
            half_widths: None,
            bounds,
            depth: Plane { origin: start, value: 0.0, change: DVec2::ZERO },
            round: None,
            rect: [start + along * center.x + along.perp() * center.y, along * half.x, along.perp() * half.y],
        }
    }

    /// Returns an edge of an outline. The first of `corners` is inside.
    pub(super) fn of_outline(
        [start, end]: [DVec2; 2],
        sagitta: f64,
        bounds: [Line; 2],
        corners: &[DVec2; 3],
    ) -> Self {
        let is_left = (end - start).perp_dot(corners[0] - start) <= 0.0;
        Self::new(if is_left { [start, end] } else { [end, start] }, sagitta, bounds, corners)
    }

    /// Returns the distance of a pixel from the edge: that beyond the side of a stroke, or outside of the outline.
    /// `ends` is how far the edge goes on before and after the chord, in lengths of the chord.
    fn side(&self, from: DVec2, ends: f64) -> f64 {
        let (x, y) = (self.along.dot(from), self.along.perp_dot(from));
        let t = (x / self.length).clamp(-ends, 1.0 + ends);
        let bend = 4.0 * self.sagitta;
        let slope = bend * (1.0 - 2.0 * t) / self.length;
        let off = (y - bend * t * (1.0 - t)) / (1.0 + slope * slope).sqrt();
        self.half_widths.map_or(off, |[from, to]| off.abs() - (from + (to - from) * t))
    }

    fn beyond_rect(&self, p: DVec2) -> f64 {
        let [center, u, v] = self.rect;
        let from = p - center;
        let [along, across] = [u, v].map(|half| {
            let length = half.length();
            from.dot(half).abs() / length - length
        });
        along.max(across)
    }

    /// Returns the distance from a pixel to the pixels of the edge, 0 or less on them. Outside of an outline, it is that
    /// to the edge itself. `fs_id` in `shaders/handle_ids.wgsl` decides by the same sign.
    pub(super) fn distance(&self, p: DVec2) -> f64 {
        let from = p - self.start;
        let beyond = self.bounds[0].distance(p).max(self.bounds[1].distance(p));
        // Where a ring turns sharply on screen, only its rectangle bounds a stroke to the sides.
        let side = self.side(from, 0.5).max(self.beyond_rect(p));
        if beyond <= 0.0 && (side <= 0.0 || self.half_widths.is_some()) {
            return side;
        }
        let x = self.along.dot(from);
        let side = self.side(from, 0.0);
        // The ends of a stroke are flat.
        let [side, beyond] = match self.half_widths {
            Some(_) => [side.max(0.0), beyond],
            None => [side, (-x).max(x - self.length).max(0.0)],
        };
        DVec2::new(side, beyond).length().max(1e-9)
    }

    /// Returns the distance from a pixel in a rectangle to the pixels of the edge there, in steps of a pixel.
    pub(super) fn distance_in(&self, p: DVec2, rect: &Rect) -> f64 {
        let distance = self.distance(p);
        if distance <= 0.0 {
            return distance;
        }
        let [from, to] = self.half_widths.unwrap_or_default();
        let steps = self.length.ceil().min(4096.0) as u32;
        let distance_at = |step: u32| {
            let t = f64::from(step) / f64::from(steps);
            let by =
                self.along * (self.length * t) + self.along.perp() * (4.0 * self.sagitta * t * (1.0 - t));
            let inside = (self.start + by).clamp(rect.min, rect.max);
            let spare = from + (to - from) * t - inside.distance(self.start + by);
            if spare < 0.0 { f64::INFINITY } else { p.distance(inside) - spare }
        };
        (0..=steps).map(distance_at).fold(f64::INFINITY, f64::min).max(distance)
    }
}
