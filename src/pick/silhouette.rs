//! Distances from the cursor to the parts of handles, measured to their drawn outlines.

use super::cpu_pick::Cursor;
use super::hull::{closest_of_hull, closest_of_segment};
use super::part_hit::{depth_of, indices_hit, mesh_hit, ray_in_part, sphere_hit};
use crate::draw::{FAR_HALF, Item};
use crate::handle::{MeshKind, Priority, RING_SEGMENTS, STEM_SEGMENTS, TUBE_SEGMENTS, direction};
use glam::{DAffine3, DVec2, DVec3, Vec3};
use std::sync::OnceLock;

/// The point of a part that is closest to the cursor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// The distance in pixels, 0 if the cursor is on the part.
    pub(super) distance_px: f64,
    /// The distance of that point from the viewer, in world units.
    pub(super) depth: f64,
    /// The part is partly behind the viewer, so its outline is incomplete.
    pub(super) is_cut: bool,
}

/// The number of segments of a ring in one arc. Arcs out of reach are skipped as a whole.
const ARC: usize = 8;
const ARCS: usize = RING_SEGMENTS as usize / ARC;

/// A point of a part, projected to the screen.
#[derive(Debug, Clone, Copy)]
struct ScreenPoint {
    from_cursor: DVec2,
    w: f64,
    part: DVec3,
}

/// The max number of points in a hull, which is that of a head.
const MAX_POINTS: usize = 2 * STEM_SEGMENTS as usize + 1;

/// The outline of one part as seen around the cursor.
pub(super) struct PartOutline<'a> {
    cursor: &'a Cursor<'a>,
    item: &'a Item,
    /// Maps a point in part space to homogeneous pixels.
    px_from_part: DAffine3,
    /// Half of the stroke width, in pixels times w.
    half_width_w: f64,
}

impl<'a> PartOutline<'a> {
    pub(super) fn new(cursor: &'a Cursor<'a>, item: &'a Item) -> Self {
        let across = item.world_from_part.matrix3.z_axis.length();
        Self {
            cursor,
            item,
            // The map is linear, so it is composed once instead of applied per point.
            px_from_part: cursor.px_from_world * item.world_from_part,
            half_width_w: across * f64::from(item.instance.thickness) * cursor.px_per_w,
        }
    }

    /// Returns the closest point of the part, or `None` if it is out of reach, and the depth at which the ray
    /// hits the part.
    pub(super) fn measure(&self) -> (Option<Nearest>, Option<f64>) {
        let Self { item, cursor: Cursor { ray, .. }, .. } = self;
        match item.mesh {
            MeshKind::Ring => {
                let near = self.ring();
                // The tube is a few pixels thick, so on screen it is the stroke of a circle.
                let met = near.filter(|near| near.distance_px <= 0.0);
                (near, met.map(|near| self.tube_hit().unwrap_or(near.depth)))
            }
            MeshKind::Ball | MeshKind::Dot => {
                let hit = sphere_hit(&ray_in_part(item, ray));
                match hit {
                    Some(depth) => (Some(Nearest { distance_px: 0.0, depth, is_cut: false }), hit),
                    // The trackball has no tolerance.
                    None if item.priority == Priority::Trackball => (None, None),
                    None => (self.sphere_outline(), None),
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
                    .and_then(|mesh| mesh_hit(mesh, item.instance.thickness, &ray_in_part(item, ray)));
                // Exactly on the outline, rounding may miss the triangles.
                let hit = met.or((near.distance_px <= 0.0).then_some(near.depth));
                (
                    Some(Nearest { distance_px: if hit.is_some() { 0.0 } else { near.distance_px }, ..near }),
                    hit,
                )
            }
            // Measured by its triangles in `Cursor::custom`.
            MeshKind::Custom(_) => (None, None),
        }
    }

    /// Returns the closest point of a mesh with corners, from the corners that are drawn.
    fn outline(&self) -> Option<Nearest> {
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
                let rims = unit_circle().iter().step_by(2).flat_map(|rim| {
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
                self.hull(unit_circle().iter().map(|rim| *rim * radius).chain([DVec3::X * length]))
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
                self.hole_edge(square(thickness, 1.0 - thickness)).or(Some(outer))
            }
            MeshKind::Ring | MeshKind::Ball | MeshKind::Dot | MeshKind::Custom(_) => None,
        }
    }

    /// Returns the closest edge of a hole, or `None` if the cursor is not in the hole.
    fn hole_edge(&self, corners: [DVec3; 4]) -> Option<Nearest> {
        if self.hull(corners.into_iter())?.distance_px > 0.0 {
            return None;
        }
        let sides = (0..4).filter_map(|i| {
            let [a, b] = [corners[i], corners[(i + 1) % 4]];
            let (t, nearest) = closest_of_segment(self.project(a)?.from_cursor, self.project(b)?.from_cursor);
            Some(Nearest { distance_px: nearest.length(), depth: self.depth_at(a.lerp(b, t)), is_cut: false })
        });
        sides.min_by(|a, b| a.distance_px.total_cmp(&b.distance_px))
    }

    /// Returns the closest point of a ball, from the circle that is its outline for the viewer.
    fn sphere_outline(&self) -> Option<Nearest> {
        let view = self.cursor.view;
        let part = &self.item.world_from_part;
        let (to_eye, toward_eye) = match view.eye() {
            Some(eye) => {
                let to_eye = part.inverse().transform_point3(eye);
                // The outline is the circle of tangent points.
                (to_eye.normalize(), to_eye.length().recip())
            }
            None => (-part.matrix3.transpose() * self.cursor.ray.direction, 0.0),
        };
        let (u, v) = to_eye.try_normalize()?.any_orthonormal_pair();
        let radius = (1.0 - toward_eye * toward_eye).max(0.0).sqrt();
        self.hull(unit_circle().iter().map(|rim| to_eye * toward_eye + (u * rim.y + v * rim.z) * radius))
    }

    /// Returns the closest point of the convex hull of points in part space.
    fn hull(&self, points: impl Iterator<Item = DVec3>) -> Option<Nearest> {
        let nothing = ScreenPoint { from_cursor: DVec2::ZERO, w: 0.0, part: DVec3::ZERO };
        let (mut seen, mut count, mut is_cut) = ([nothing; MAX_POINTS], 0, false);
        for point in points {
            match (self.project(point), seen.get_mut(count)) {
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
        Some(Nearest { distance_px: closest.distance, depth: self.depth_at(a.lerp(b, closest.t)), is_cut })
    }

    /// Projects a point in part space, or returns `None` if it is not in front of the viewer.
    fn project(&self, part: DVec3) -> Option<ScreenPoint> {
        let projected = self.px_from_part.transform_point3(part);
        let from_cursor = projected.truncate() / projected.z - self.cursor.px;
        (projected.z > 0.0 && from_cursor.is_finite()).then_some(ScreenPoint {
            from_cursor,
            w: projected.z,
            part,
        })
    }

    /// Returns the distance from the viewer to a point in part space, in world units.
    fn depth_at(&self, part: DVec3) -> f64 {
        let Cursor { view, ray, .. } = self.cursor;
        depth_of(view, ray, self.item.world_from_part.transform_point3(part))
    }

    /// Returns true only if the cylinder around the part's X axis, from 0 to `length`, is farther from the
    /// cursor than the tolerance. It is conservative: false does not mean that the cylinder is within reach.
    fn is_axis_beyond_reach(&self, length: f64, radius: f64) -> bool {
        let [Some(a), Some(b)] = [DVec3::ZERO, DVec3::X * length].map(|end| self.project(end)) else {
            return false;
        };
        // A point is N / w from the cursor, where N and w are linear. Moving off the axis by the radius
        // changes them by at most this much.
        let sides = [self.px_from_part.matrix3.y_axis, self.px_from_part.matrix3.z_axis];
        let [y, z] = sides.map(|side| (side.truncate() - self.cursor.px * side.z).length() * radius);
        let off_w = (sides[0].z.abs() + sides[1].z.abs()) * radius;
        let min_w = a.w.min(b.w) - off_w;
        let (_, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
        let min_distance = (nearest.length() * a.w.min(b.w) - y - z) / (min_w + 2.0 * off_w);
        min_w > 0.0 && min_distance > self.cursor.radius_px
    }

    /// Returns false only if the part can neither be hit nor be within the tolerance. Tests the bounding box
    /// of the mesh against the square around the cursor.
    pub(super) fn may_reach(&self) -> bool {
        let thickness = f64::from(self.item.instance.thickness);
        // Custom meshes are tested in `Cursor::custom`.
        let Some([center, half]) = self.item.mesh.bounds(thickness) else { return true };
        let center = self.px_from_part.transform_point3(center);
        // The changes of x, y and w from the center of the box to its faces.
        let sides = self.px_from_part.matrix3.transpose();
        let [x, y, w] = [sides.x_axis * half, sides.y_axis * half, sides.z_axis * half];
        let nearest_w = center.z - w.abs().element_sum();
        // Too close to the viewer for a meaningful size on screen.
        if nearest_w.is_nan() || nearest_w < 0.1 * center.z {
            return true;
        }
        let Cursor { px, radius_px, .. } = self.cursor;
        // Allows for rounding, and for strokes that are wider than the tube they represent.
        let reach_px = radius_px + self.half_width_w / nearest_w + 1.0;
        // The whole box is past a line on the screen if the distance of its center from the line exceeds its
        // extent. Multiplied by w, which is positive, both are linear.
        let is_left = |at: f64, center_at: f64, sides: DVec3| {
            at * center.z - center_at > (sides - w * at).abs().element_sum()
        };
        let is_right = |at: f64, center_at: f64, sides: DVec3| {
            center_at - at * center.z > (sides - w * at).abs().element_sum()
        };
        !(is_left(px.x - reach_px, center.x, x)
            || is_right(px.x + reach_px, center.x, x)
            || is_left(px.y - reach_px, center.y, y)
            || is_right(px.y + reach_px, center.y, y))
    }

    /// Returns the closest point of a ring. Arcs whose bounding triangle is out of reach are skipped.
    pub(super) fn ring(&self) -> Option<Nearest> {
        let project = |point: DVec3| {
            let px = self.px_from_part.transform_point3(point);
            ScreenPoint { part: point, from_cursor: px.truncate() / px.z - self.cursor.px, w: px.z }
        };
        let mut best: Option<Nearest> = None;
        let mut from = project(circle()[0]);
        for (arc, outside) in arcs().iter().enumerate() {
            let first = arc * ARC;
            let to = project(circle()[first + ARC]);
            if !self.is_beyond_reach([from, project(*outside), to]) {
                best = self.nearest_on_circle(circle()[first..=first + ARC].iter().copied(), best);
            }
            from = to;
        }
        best
    }

    /// Returns true only if a triangle is farther from the cursor than the tolerance plus half of the stroke
    /// width.
    fn is_beyond_reach(&self, [a, b, c]: [ScreenPoint; 3]) -> bool {
        let nearest_w = a.w.min(b.w).min(c.w);
        if nearest_w.is_nan() || nearest_w <= 0.0 {
            return false;
        }
        let reach = self.cursor.radius_px + self.half_width_w / nearest_w + 1.0;
        let low = a.from_cursor.min(b.from_cursor).min(c.from_cursor);
        let high = a.from_cursor.max(b.from_cursor).max(c.from_cursor);
        low.max_element() > reach || high.min_element() < -reach
    }

    /// Returns the closest point of consecutive segments of the circle, including the stroke width, or
    /// `before` if that is closer.
    pub(super) fn nearest_on_circle(
        &self,
        points: impl Iterator<Item = DVec3>,
        before: Option<Nearest>,
    ) -> Option<Nearest> {
        let mut best = before;
        let mut last: Option<ScreenPoint> = None;
        for point in points {
            let here = self.project(point);
            let previous = std::mem::replace(&mut last, here);
            let (Some(a), Some(b)) = (previous, here) else { continue };
            let near = match near_half(self.item, a.part, b.part) {
                None => continue,
                Some([0.0, 1.0]) if !self.is_near_cut(a.part, b.part) => self.stroke(a, b, best),
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

    /// Returns the closest point of a stroke between two points, or `None` if `best` is closer.
    fn stroke(&self, a: ScreenPoint, b: ScreenPoint, best: Option<Nearest>) -> Option<Nearest> {
        let (t, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
        let half_width = self.half_width_w / (a.w + (b.w - a.w) * t);
        let distance_px = (nearest.length() - half_width).max(0.0);
        if best.is_some_and(|best| distance_px > best.distance_px) {
            return None;
        }
        Some(Nearest { distance_px, depth: self.depth_at(a.part.lerp(b.part, t)), is_cut: false })
    }

    /// Returns the depth at which the ray hits the tube of the near half of a ring. Rings intersect each
    /// other, so their surfaces decide which one is in front.
    fn tube_hit(&self) -> Option<f64> {
        let mesh = self.item.mesh.mesh()?;
        let ray = ray_in_part(self.item, self.cursor.ray);
        let length = 6 * usize::from(TUBE_SEGMENTS);
        let hits = (0..ARCS).filter(|arc| {
            let ends =
                [circle()[arc * ARC], arcs()[*arc], circle()[(arc + 1) * ARC]].map(|end| self.project(end));
            let [Some(a), Some(b), Some(c)] = ends else { return true };
            !self.is_beyond_reach([a, b, c])
        });
        let hits = hits.flat_map(|arc| arc * ARC..(arc + 1) * ARC).filter_map(|step| {
            let [from, to] = [circle()[step], circle()[step + 1]];
            near_half(self.item, from, to)?;
            let [a, b] = [self.project(from)?, self.project(to)?];
            let (_, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
            // Twice the half width, which allows for the slant of the tube.
            let is_near = nearest.length() * a.w.min(b.w) <= 2.0 * self.half_width_w;
            let indices = &mesh.indices[step * length..(step + 1) * length];
            is_near.then(|| indices_hit(mesh, indices, self.item.instance.thickness, &ray))?
        });
        hits.min_by(f64::total_cmp)
    }

    /// Returns true if the next segment after this one may be cut off, in which case the round end of a
    /// stroke would reach past the cut.
    fn is_near_cut(&self, a: DVec3, b: DVec3) -> bool {
        let [x, y, z, has_far_half] = self.item.instance.to_eye_part;
        let to_eye = Vec3::new(x, y, z).as_dvec3();
        has_far_half >= 0.5
            && a.dot(to_eye).min(b.dot(to_eye)) < FAR_HALF + std::f64::consts::TAU / f64::from(RING_SEGMENTS)
    }

    /// Returns the closest point of a segment of a ring's tube at or next to an end of the near half. The
    /// tube ends flat there, unlike a stroke.
    fn tube(&self, a: DVec3, b: DVec3, ends: [f64; 2], best: Option<Nearest>) -> Option<Nearest> {
        let [a_thickness, b_thickness] = [a, b].map(|point| self.thickness_at(point));
        let sides = (0..TUBE_SEGMENTS).flat_map(|side| {
            let [out, along] = direction(side, TUBE_SEGMENTS).map(f64::from);
            let corner =
                |center: DVec3, thickness: f64| center + (DVec3::X * along + center * out) * thickness;
            let (a, b) = (corner(a, a_thickness), corner(b, b_thickness));
            ends.map(|end| a.lerp(b, end))
        });
        let near = self.hull(sides)?;
        let [from, to] = ends.map(|end| self.project(a.lerp(b, end)));
        let (true, Some(from), Some(to)) = (near.distance_px <= 0.0, from, to) else { return Some(near) };
        // Inside the hull, the closest point is unknown.
        let depth = self.stroke(from, to, best).map_or(near.depth, |stroke| stroke.depth);
        Some(Nearest { depth, ..near })
    }

    /// Returns the thickness of a ring at a point of its circle. As in the shader, it tapers toward the far
    /// half.
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

/// The range of `facing` below `FAR_HALF` in which the stroke of a ring narrows.
pub(super) const TAPER: f64 = 0.17;

/// Returns the range of a ring segment that is on the near half, from 0 at `a` to 1 at `b`. A ring that
/// is drawn whole has no far half.
fn near_half(item: &Item, a_part: DVec3, b_part: DVec3) -> Option<[f64; 2]> {
    let [x, y, z, has_far_half] = item.instance.to_eye_part;
    let to_eye = Vec3::new(x, y, z).as_dvec3();
    let [a, b] = [a_part, b_part].map(|point| point.dot(to_eye) - FAR_HALF);
    let cut = a / (a - b);
    match (a >= 0.0, b >= 0.0) {
        _ if has_far_half < 0.5 => Some([0.0, 1.0]),
        (true, true) => Some([0.0, 1.0]),
        (true, false) => Some([0.0, cut]),
        (false, true) => Some([cut, 1.0]),
        (false, false) => None,
    }
}

/// Returns, for each arc of the circle, the intersection of the tangents at its ends. It forms a bounding
/// triangle with the two ends.
fn arcs() -> &'static [DVec3; ARCS] {
    static OUTSIDE: OnceLock<[DVec3; ARCS]> = OnceLock::new();
    OUTSIDE.get_or_init(|| {
        std::array::from_fn(|arc| {
            let center = circle()[arc * ARC + ARC / 2];
            // The angle is half of an arc.
            center / (std::f64::consts::PI / ARCS as f64).cos()
        })
    })
}

/// Returns the closed circle of [`MeshKind::Ring`], with the vertices of the mesh.
pub(super) fn circle() -> &'static [DVec3; RING_SEGMENTS as usize + 1] {
    static CIRCLE: OnceLock<[DVec3; RING_SEGMENTS as usize + 1]> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, RING_SEGMENTS);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}

/// Returns the unit circle in Y and Z that is the base of a head. A stem uses every second point.
fn unit_circle() -> &'static [DVec3; 2 * STEM_SEGMENTS as usize] {
    static CIRCLE: OnceLock<[DVec3; 2 * STEM_SEGMENTS as usize]> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, 2 * STEM_SEGMENTS);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}
