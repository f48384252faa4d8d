//! How near the cursor is to the parts of handles, by their outlines as they are drawn.

use super::cursor::Cursor;
use super::hull::{closest_of_hull, closest_of_segment};
use super::part_hit::{depth_of, hit_of, in_part, mesh_hit, sphere_hit};
use crate::draw::Item;
use crate::handle::{
    FAR_HALF, MeshKind, Priority, RING_SEGMENTS, STEM_SEGMENTS, TAPER, TUBE_SEGMENTS, direction,
};
use crate::math::{ProjectedBox, Rect};
use glam::{DAffine3, DVec2, DVec3, Vec3};
use std::sync::OnceLock;

/// What the cursor is near to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near {
    /// 0 where the cursor is on what is drawn.
    pub(super) distance_px: f64,
    /// World units from the viewer.
    pub(super) depth: f64,
    /// Part of it is behind the viewer, and its outline is not all there.
    pub(super) is_cut: bool,
}

/// Pieces of a ring that are looked at together.
const ARC: usize = 8;
const ARCS: usize = RING_SEGMENTS as usize / ARC;
/// A point on the screen.
#[derive(Debug, Clone, Copy)]
struct ProjectedPoint {
    from_cursor: DVec2,
    w: f64,
    part: DVec3,
}

/// Most points that an outline is the hull of: those of a head.
const MOST_POINTS: usize = 2 * STEM_SEGMENTS as usize + 1;

/// How a part's own space is seen round the cursor.
pub(super) struct Lens<'a> {
    cursor: &'a Cursor<'a>,
    item: &'a Item,
    /// Makes homogeneous pixels of a point of the part's space.
    px_from_part: DAffine3,
    /// Half the width of its strokes, in pixels times w.
    half_width_w: f64,
}

impl<'a> Lens<'a> {
    pub(super) fn new(cursor: &'a Cursor<'a>, item: &'a Item) -> Self {
        let across = item.world_from_part.matrix3.z_axis.length();
        Self {
            cursor,
            item,
            // Linear: worked out for the part's axes once instead of for every point.
            px_from_part: cursor.px_from_world * item.world_from_part,
            half_width_w: across * f64::from(item.instance.thickness) * cursor.px_per_w,
        }
    }

    /// How near the cursor is to the part, `None` where it is out of reach; and how far along the ray
    /// it is met.
    pub(super) fn look(&self) -> (Option<Near>, Option<f64>) {
        let Self { item, cursor: Cursor { ray, .. }, .. } = self;
        match item.mesh {
            MeshKind::Ring => {
                let near = self.ring();
                // A tube a few pixels thick: on screen, the stroke of a circle.
                let met = near.filter(|near| near.distance_px <= 0.0);
                (near, met.map(|near| self.tube_hit().unwrap_or(near.depth)))
            }
            MeshKind::Ball | MeshKind::Dot => {
                let hit = sphere_hit(&in_part(item, ray));
                match hit {
                    Some(depth) => (Some(Near { distance_px: 0.0, depth, is_cut: false }), hit),
                    // Of the trackball no more is asked.
                    None if item.priority == Priority::Trackball => (None, None),
                    None => (self.limb(), None),
                }
            }
            MeshKind::Stem | MeshKind::Cone | MeshKind::Cube | MeshKind::Square | MeshKind::SquareBorder => {
                let Some(near) = self.outline() else { return (None, None) };
                if near.distance_px > 0.0 && !near.is_cut {
                    return (Some(near), None);
                }
                let met = item
                    .mesh
                    .mesh()
                    .and_then(|mesh| mesh_hit(mesh, item.instance.thickness, &in_part(item, ray)));
                // On the very edge of its outline rounding may miss the triangles.
                let hit = met.or((near.distance_px <= 0.0).then_some(near.depth));
                (Some(Near { distance_px: if hit.is_some() { 0.0 } else { near.distance_px }, ..near }), hit)
            }
            // By its triangles, elsewhere.
            MeshKind::Custom(_) => (None, None),
        }
    }

    /// The distance to a mesh with corners, by those that it is drawn with.
    fn outline(&self) -> Option<Near> {
        let thickness = f64::from(self.item.instance.thickness);
        let corner = |y: f64, z: f64| DVec3::new(0.0, y, z);
        let square = |low: f64, high: f64| {
            [corner(low, low), corner(high, low), corner(high, high), corner(low, high)]
        };
        match self.item.mesh {
            MeshKind::Stem => {
                if self.is_axis_beyond_reach(1.0, thickness) {
                    return None;
                }
                let rims = round().iter().step_by(2).flat_map(|rim| {
                    let rim = *rim * thickness;
                    [rim, rim + DVec3::X]
                });
                self.hull(rims)
            }
            MeshKind::Cone => {
                let [length, radius] = [MeshKind::HEAD_LENGTH, MeshKind::HEAD_RADIUS].map(f64::from);
                if self.is_axis_beyond_reach(length, radius) {
                    return None;
                }
                self.hull(round().iter().map(|rim| *rim * radius).chain([DVec3::X * length]))
            }
            MeshKind::Cube => {
                let side = |corner: u8, bit: u8| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                self.hull((0..8).map(|i| DVec3::new(side(i, 0), side(i, 1), side(i, 2))))
            }
            MeshKind::Square => self.hull(square(0.0, 1.0).into_iter()),
            MeshKind::SquareBorder => {
                let outer = self.hull(square(-thickness, 1.0 + thickness).into_iter())?;
                if outer.distance_px > 0.0 || outer.is_cut || thickness >= 0.5 {
                    return Some(outer);
                }
                self.hole(square(thickness, 1.0 - thickness)).or(Some(outer))
            }
            MeshKind::Ring | MeshKind::Ball | MeshKind::Dot | MeshKind::Custom(_) => None,
        }
    }

    /// The distance to the nearest side of a hole that the cursor is in.
    fn hole(&self, corners: [DVec3; 4]) -> Option<Near> {
        if self.hull(corners.into_iter())?.distance_px > 0.0 {
            return None;
        }
        let sides = (0..4).filter_map(|i| {
            let [a, b] = [corners[i], corners[(i + 1) % 4]];
            let (t, nearest) = closest_of_segment(self.seen(a)?.from_cursor, self.seen(b)?.from_cursor);
            Some(Near { distance_px: nearest.length(), depth: self.depth_at(a.lerp(b, t)), is_cut: false })
        });
        sides.min_by(|a, b| a.distance_px.total_cmp(&b.distance_px))
    }

    /// The distance to a ball, by the circle that is its rim as the viewer sees it.
    fn limb(&self) -> Option<Near> {
        let view = self.cursor.view;
        let part = &self.item.world_from_part;
        let (to_eye, nearer) = match view.eye() {
            Some(eye) => {
                let to_eye = part.inverse().transform_point3(eye);
                // The rim is where the lines from the eye touch.
                (to_eye.normalize(), to_eye.length().recip())
            }
            None => (-part.matrix3.transpose() * self.cursor.ray.direction, 0.0),
        };
        let (u, v) = to_eye.try_normalize()?.any_orthonormal_pair();
        let radius = (1.0 - nearer * nearer).max(0.0).sqrt();
        self.hull(round().iter().map(|rim| to_eye * nearer + (u * rim.y + v * rim.z) * radius))
    }

    /// The distance to the convex hull of points in the part's space.
    fn hull(&self, points: impl Iterator<Item = DVec3>) -> Option<Near> {
        let nothing = ProjectedPoint { from_cursor: DVec2::ZERO, w: 0.0, part: DVec3::ZERO };
        let (mut seen, mut count, mut is_cut) = ([nothing; MOST_POINTS], 0, false);
        for point in points {
            match (self.seen(point), seen.get_mut(count)) {
                (Some(point), Some(slot)) => {
                    *slot = point;
                    count += 1;
                }
                _ => is_cut = true,
            }
        }
        let seen = &seen[..count];
        let closest = closest_of_hull(seen, |point| point.from_cursor)?;
        if closest.distance > self.cursor.radius_px && !is_cut {
            return None;
        }
        let [a, b] = closest.between.map(|i| seen[i].part);
        Some(Near { distance_px: closest.distance, depth: self.depth_at(a.lerp(b, closest.t)), is_cut })
    }

    /// Where a point of the part's space is on screen; `None` where it is not in front of the viewer.
    fn seen(&self, part: DVec3) -> Option<ProjectedPoint> {
        let projected = self.px_from_part.transform_point3(part);
        let from_cursor = projected.truncate() / projected.z - self.cursor.px;
        (projected.z > 0.0 && from_cursor.is_finite()).then_some(ProjectedPoint {
            from_cursor,
            w: projected.z,
            part,
        })
    }

    /// World units from the viewer to a point of the part's space.
    fn depth_at(&self, part: DVec3) -> f64 {
        let Cursor { view, ray, .. } = self.cursor;
        depth_of(view, ray, self.item.world_from_part.transform_point3(part))
    }

    /// Whether all within `radius` of the part's X axis, from 0 to `length`, is farther from the cursor
    /// than is looked for; `true` only where it is.
    fn is_axis_beyond_reach(&self, length: f64, radius: f64) -> bool {
        let [Some(a), Some(b)] = [DVec3::ZERO, DVec3::X * length].map(|end| self.seen(end)) else {
            return false;
        };
        // From the cursor a point is at N / w, both linear. Off the axis by the radius they change by
        // at most this much.
        let sides = [self.px_from_part.matrix3.y_axis, self.px_from_part.matrix3.z_axis];
        let [y, z] = sides.map(|side| (side.truncate() - self.cursor.px * side.z).length() * radius);
        let off_w = (sides[0].z.abs() + sides[1].z.abs()) * radius;
        let least_w = a.w.min(b.w) - off_w;
        let (_, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
        let least = (nearest.length() * a.w.min(b.w) - y - z) / (least_w + 2.0 * off_w);
        least_w > 0.0 && least > self.cursor.radius_px
    }

    /// Whether the part may be met, or be within the radius; `false` only where it cannot. A box
    /// that holds its mesh is held against the square round the cursor.
    pub(super) fn may_reach(&self) -> bool {
        let thickness = f64::from(self.item.instance.thickness);
        // Custom meshes have their own test.
        let Some([center, half]) = self.item.mesh.bounds(thickness) else { return true };
        let rows = self.px_from_part.matrix3.transpose();
        let projected = ProjectedBox {
            center: self.px_from_part.transform_point3(center),
            half: [rows.x_axis * half, rows.y_axis * half, rows.z_axis * half],
        };
        let min_w = projected.min_w();
        // Close to the eye, sizes in pixels mean little.
        if min_w.is_nan() || min_w < 0.1 * projected.center.z {
            return true;
        }
        let Cursor { px, radius_px, .. } = self.cursor;
        // The margin covers rounding, and that a stroke is wider than its tube.
        let reach_px = radius_px + self.half_width_w / min_w + 1.0;
        !projected.is_outside(Rect { min: *px - reach_px, max: *px + reach_px })
    }

    /// Distance to a ring: an arc of it at a time, where the triangle round the arc reaches the
    /// cursor.
    pub(super) fn ring(&self) -> Option<Near> {
        let seen = |point: DVec3| {
            let px = self.px_from_part.transform_point3(point);
            ProjectedPoint { part: point, from_cursor: px.truncate() / px.z - self.cursor.px, w: px.z }
        };
        let mut best: Option<Near> = None;
        let mut from = seen(circle()[0]);
        for (arc, outside) in arcs().iter().enumerate() {
            let first = arc * ARC;
            let to = seen(circle()[first + ARC]);
            if !self.is_beyond_reach([from, seen(*outside), to]) {
                best = self.nearest_of_circle(circle()[first..=first + ARC].iter().copied(), best);
            }
            from = to;
        }
        best
    }

    /// Whether what is inside of a triangle is farther from the cursor than the radius, half a
    /// stroke's width included; `true` only where it is.
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

    /// The nearest point of consecutive pieces of the circle, with its stroke, or what was nearer before.
    pub(super) fn nearest_of_circle(
        &self,
        points: impl Iterator<Item = DVec3>,
        before: Option<Near>,
    ) -> Option<Near> {
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
            let key = |near: &Near| (near.distance_px, near.depth);
            if best.is_none_or(|best| key(&near) < key(&best)) {
                best = Some(near);
            }
        }
        best
    }

    /// The distance to a stroke between two points, unless `best` is nearer.
    fn stroke(&self, a: ProjectedPoint, b: ProjectedPoint, best: Option<Near>) -> Option<Near> {
        let (t, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
        let half_width = self.half_width_w / (a.w + (b.w - a.w) * t);
        let distance_px = (nearest.length() - half_width).max(0.0);
        if best.is_some_and(|best| distance_px > best.distance_px) {
            return None;
        }
        Some(Near { distance_px, depth: self.depth_at(a.part.lerp(b.part, t)), is_cut: false })
    }

    /// How far along the ray it meets the tube of a ring's near half: rings go through each other, and
    /// their surfaces tell which is in front.
    fn tube_hit(&self) -> Option<f64> {
        let mesh = self.item.mesh.mesh()?;
        let ray = in_part(self.item, self.cursor.ray);
        let length = 6 * usize::from(TUBE_SEGMENTS);
        let hits = (0..ARCS).filter(|arc| {
            let ends =
                [circle()[arc * ARC], arcs()[*arc], circle()[(arc + 1) * ARC]].map(|end| self.seen(end));
            let [Some(a), Some(b), Some(c)] = ends else { return true };
            !self.is_beyond_reach([a, b, c])
        });
        let hits = hits.flat_map(|arc| arc * ARC..(arc + 1) * ARC).filter_map(|step| {
            let [from, to] = [circle()[step], circle()[step + 1]];
            near_half(self.item, from, to)?;
            let [a, b] = [self.seen(from)?, self.seen(to)?];
            let (_, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
            // Twice as far as a stroke goes.
            let is_near = nearest.length() * a.w.min(b.w) <= 2.0 * self.half_width_w;
            let indices = &mesh.indices[step * length..(step + 1) * length];
            is_near.then(|| hit_of(mesh, indices, self.item.instance.thickness, &ray))?
        });
        hits.min_by(f64::total_cmp)
    }

    /// Whether the next piece of a ring after this one may be cut off: the round end of a stroke would
    /// reach past the cut.
    fn is_by_an_end(&self, a: DVec3, b: DVec3) -> bool {
        let [x, y, z, halved] = self.item.instance.to_eye_part;
        let to_eye = Vec3::new(x, y, z).as_dvec3();
        halved >= 0.5
            && a.dot(to_eye).min(b.dot(to_eye)) < FAR_HALF + std::f64::consts::TAU / f64::from(RING_SEGMENTS)
    }

    /// The distance to a piece of a ring's tube at or by an end of the near half: flat there, not round
    /// as a stroke.
    fn tube(&self, a: DVec3, b: DVec3, ends: [f64; 2], best: Option<Near>) -> Option<Near> {
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
        // The hull tells that the cursor is on it, not where.
        let depth = self.stroke(from, to, best).map_or(near.depth, |stroke| stroke.depth);
        Some(Near { depth, ..near })
    }

    /// The thickness that a ring is drawn with at a point of its circle: as the shader has it, it
    /// tapers on the far half.
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

/// What of a piece of a ring, from 0 at `a` to 1 at `b`, is on the near half; all of what has no
/// halves.
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

/// For each arc of the circle, where the lines that touch it at its ends cross: those three points
/// are a triangle round it.
fn arcs() -> &'static [DVec3; ARCS] {
    static OUTSIDE: OnceLock<[DVec3; ARCS]> = OnceLock::new();
    OUTSIDE.get_or_init(|| {
        std::array::from_fn(|arc| {
            let middle = circle()[arc * ARC + ARC / 2];
            // Half an arc to either side.
            middle / (std::f64::consts::PI / ARCS as f64).cos()
        })
    })
}

/// The circle of [`MeshKind::Ring`] as the mesh has it, closed.
pub(super) fn circle() -> &'static [DVec3; RING_SEGMENTS as usize + 1] {
    static CIRCLE: OnceLock<[DVec3; RING_SEGMENTS as usize + 1]> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, RING_SEGMENTS);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}

/// The unit circle in Y and Z that heads have for a base, and stems every second point of.
fn round() -> &'static [DVec3; 2 * STEM_SEGMENTS as usize] {
    static ROUND_POINTS: OnceLock<[DVec3; 2 * STEM_SEGMENTS as usize]> = OnceLock::new();
    ROUND_POINTS.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, 2 * STEM_SEGMENTS);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}
