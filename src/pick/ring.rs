//! The distance from the cursor to a ring and the hit of the ray, from the tube and the cut ends that
//! are drawn.

use super::hull::closest_of_segment;
use super::part_hit::{indices_hit, ray_in_part};
use super::part_outline::{Nearest, PartOutline, ProjectedPoint};
use crate::draw::Item;
use crate::handle::{FAR_HALF, RING_SEGMENTS, TAPER, TUBE_SEGMENTS, direction};
use glam::{DMat3, DVec3, Vec3};
use std::sync::OnceLock;

/// Segments of a ring that are tested together.
const ARC: usize = 8;
const ARCS: usize = RING_SEGMENTS as usize / ARC;

impl PartOutline<'_> {
    /// Returns the arcs that may be within the tolerance and on the near half, by a triangle around each
    /// arc.
    pub(super) fn arcs_within_reach(&self) -> [bool; ARCS] {
        let DMat3 { y_axis: y, z_axis: z, .. } = self.offset_from_part.matrix3;
        let middle = self.offset_from_part.translation;
        let seen = |part: DVec3| {
            // X is 0 all around.
            let offset = y * part.y + z * part.z + middle;
            ProjectedPoint { part, from_cursor: offset.truncate() / offset.z, w: offset.z }
        };
        let (circle, mut near_arcs) = (circle(), [false; ARCS]);
        let mut from = seen(circle[0]);
        for (arc, outside) in arcs().iter().enumerate() {
            let to = seen(circle[(arc + 1) * ARC]);
            let around = [from, seen(*outside), to];
            near_arcs[arc] = !self.is_beyond_reach(around) && !is_on_far_half(self.item, around);
            from = to;
        }
        near_arcs
    }

    /// Returns the nearest point of these arcs.
    pub(super) fn ring(&self, near_arcs: [bool; ARCS]) -> Option<Nearest> {
        let mut best = None;
        for (arc, points) in circle().windows(ARC + 1).step_by(ARC).enumerate() {
            if near_arcs[arc] {
                best = self.nearest_on_circle(points.iter().copied(), best);
            }
        }
        best
    }

    /// Returns true only if everything inside a triangle is farther from the cursor than the tolerance
    /// plus half the stroke width.
    fn is_beyond_reach(&self, [a, b, c]: [ProjectedPoint; 3]) -> bool {
        let nearest_w = a.w.min(b.w).min(c.w);
        if nearest_w.is_nan() || nearest_w <= 0.0 {
            return false;
        }
        let reach = self.cursor.radius_px + self.half_width_w / nearest_w + 1.0;
        let least = a.from_cursor.min(b.from_cursor).min(c.from_cursor);
        let most = a.from_cursor.max(b.from_cursor).max(c.from_cursor);
        least.max_element() > reach || most.min_element() < -reach
    }

    /// Returns the nearest point of the strokes between consecutive points, or `before` if that is nearer.
    pub(super) fn nearest_on_circle(
        &self,
        points: impl Iterator<Item = DVec3>,
        before: Option<Nearest>,
    ) -> Option<Nearest> {
        let mut best = before;
        let mut last: Option<ProjectedPoint> = None;
        for point in points {
            let here = self.seen(point);
            let previous = std::mem::replace(&mut last, here);
            let (Some(a), Some(b)) = (previous, here) else { continue };
            let near = match near_half(self.item, a.part, b.part) {
                None => continue,
                Some([0.0, 1.0]) if !self.is_by_an_end(a.part, b.part) => self.stroke(a, b, best),
                Some(ends) => self.tube(a.part, b.part, ends, best),
            };
            let Some(near) = near else { continue };
            let key = |near: &Nearest| (near.distance_px, near.depth);
            if best.is_none_or(|best| key(&near) < key(&best)) {
                best = Some(near);
            }
        }
        best
    }

    /// Returns the distance to the stroke between two points, unless `best` is nearer.
    fn stroke(&self, a: ProjectedPoint, b: ProjectedPoint, best: Option<Nearest>) -> Option<Nearest> {
        let (t, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
        let half_width = self.half_width_w / (a.w + (b.w - a.w) * t);
        let distance_px = (nearest.length() - half_width).max(0.0);
        if best.is_some_and(|best| distance_px > best.distance_px) {
            return None;
        }
        Some(Nearest { distance_px, depth: self.depth_at(a.part.lerp(b.part, t)), is_cut: false })
    }

    /// Returns the distance along the ray to the tube of the near half. Rings intersect, and the surface
    /// decides which is in front.
    pub(super) fn tube_hit(&self, near_arcs: [bool; ARCS]) -> Option<f64> {
        let mesh = self.item.mesh.mesh()?;
        let ray = ray_in_part(self.item, self.cursor.ray);
        let length = 6 * usize::from(TUBE_SEGMENTS);
        let circle = circle();
        let hits = (0..ARCS).filter(|arc| near_arcs[*arc]);
        let hits = hits.flat_map(|arc| arc * ARC..(arc + 1) * ARC).filter_map(|step| {
            let [from, to] = [circle[step], circle[step + 1]];
            near_half(self.item, from, to)?;
            let [a, b] = [self.seen(from)?, self.seen(to)?];
            let (_, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
            // Twice the half width of the stroke.
            let is_near = nearest.length() * a.w.min(b.w) <= 2.0 * self.half_width_w;
            let indices = &mesh.indices[step * length..(step + 1) * length];
            is_near.then(|| indices_hit(mesh, indices, self.item.instance.thickness, &ray))?
        });
        hits.min_by(f64::total_cmp)
    }

    /// Returns true if the next segment may be cut off, so that the round end of a stroke would reach
    /// beyond the cut.
    fn is_by_an_end(&self, a: DVec3, b: DVec3) -> bool {
        let [x, y, z, halved] = self.item.instance.to_eye_part;
        let to_eye = Vec3::new(x, y, z).as_dvec3();
        halved >= 0.5
            && a.dot(to_eye).min(b.dot(to_eye)) < FAR_HALF + std::f64::consts::TAU / f64::from(RING_SEGMENTS)
    }

    /// Returns the distance to a segment of the tube at an end of the near half, which is flat, not round
    /// like a stroke.
    fn tube(&self, a: DVec3, b: DVec3, ends: [f64; 2], best: Option<Nearest>) -> Option<Nearest> {
        let [a_thickness, b_thickness] = [a, b].map(|point| self.thickness_at(point));
        let sides = (0..TUBE_SEGMENTS).flat_map(|side| {
            let [out, along] = direction(side, TUBE_SEGMENTS).map(f64::from);
            let corner =
                |middle: DVec3, thickness: f64| middle + (DVec3::X * along + middle * out) * thickness;
            let (a, b) = (corner(a, a_thickness), corner(b, b_thickness));
            ends.map(|end| a.lerp(b, end))
        });
        let near = self.hull(sides)?;
        let [from, to] = ends.map(|end| self.seen(a.lerp(b, end)));
        let (true, Some(from), Some(to)) = (near.distance_px <= 0.0, from, to) else { return Some(near) };
        // Inside the hull, the hull does not give the depth.
        let depth = self.stroke(from, to, best).map_or(near.depth, |stroke| stroke.depth);
        Some(Nearest { depth, ..near })
    }

    /// Returns the drawn thickness at a point of the circle. It tapers on the far half, as in the shader.
    fn thickness_at(&self, point: DVec3) -> f64 {
        let instance = &self.item.instance;
        let [x, y, z, _] = instance.to_eye_part;
        let facing = point.dot(Vec3::new(x, y, z).as_dvec3());
        let t = ((facing - FAR_HALF + TAPER) / TAPER).clamp(0.0, 1.0);
        let near_half = t * t * (3.0 - 2.0 * t);
        let (far, near) = (f64::from(instance.far_thickness), f64::from(instance.thickness));
        far + (near - far) * near_half
    }
}

/// Returns the part of a segment that is on the near half, from 0 at `a` to 1 at `b`. All of it is if
/// the part has no far half.
fn near_half(item: &Item, a_part: DVec3, b_part: DVec3) -> Option<[f64; 2]> {
    let [x, y, z, halved] = item.instance.to_eye_part;
    let to_eye = Vec3::new(x, y, z).as_dvec3();
    let [a, b] = [a_part, b_part].map(|point| point.dot(to_eye) - FAR_HALF);
    let cut = a / (a - b);
    match (a >= 0.0, b >= 0.0) {
        _ if halved < 0.5 => Some([0.0, 1.0]),
        (true, true) => Some([0.0, 1.0]),
        (true, false) => Some([0.0, cut]),
        (false, true) => Some([cut, 1.0]),
        (false, false) => None,
    }
}

/// Returns true if a triangle is on the far half by more than rounding.
fn is_on_far_half(item: &Item, corners: [ProjectedPoint; 3]) -> bool {
    let [x, y, z, halved] = item.instance.to_eye_part;
    let to_eye = Vec3::new(x, y, z).as_dvec3();
    halved >= 0.5 && corners.iter().all(|corner| corner.part.dot(to_eye) < FAR_HALF - 1e-9)
}

/// Returns the intersection of the tangents at both ends of each arc. With the ends it is a triangle
/// around the arc.
fn arcs() -> &'static [DVec3; ARCS] {
    static OUTSIDE: OnceLock<[DVec3; ARCS]> = OnceLock::new();
    OUTSIDE.get_or_init(|| {
        std::array::from_fn(|arc| {
            let middle = circle()[arc * ARC + ARC / 2];
            // Half an arc to each side.
            middle / (std::f64::consts::PI / ARCS as f64).cos()
        })
    })
}

/// Returns the closed circle of the ring mesh.
pub(super) fn circle() -> &'static [DVec3; RING_SEGMENTS as usize + 1] {
    static CIRCLE: OnceLock<[DVec3; RING_SEGMENTS as usize + 1]> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, RING_SEGMENTS);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}
