//! Distances from the cursor to the drawn outlines of handle parts, for the CPU pick.

use super::cursor::Cursor;
use super::hull::{closest_of_hull, closest_of_segment};
use super::part_hit::{depth_of, mesh_hit, ray_in_part, sphere_hit};
use crate::draw::Item;
use crate::handle::{MeshKind, Priority, STEM_SEGMENTS, direction};
use glam::{DAffine3, DVec2, DVec3, Vec3};
use std::sync::OnceLock;

/// The point of a part that is nearest to the cursor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// The distance from the cursor, 0 if the cursor is on the part.
    pub(super) distance_px: f64,
    /// The distance from the viewer in world units.
    pub(super) depth: f64,
    /// True if a part of the outline is behind the viewer and missing.
    pub(super) is_cut: bool,
}

/// A point of a part, projected onto the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProjectedPoint {
    pub(super) from_cursor: DVec2,
    pub(super) w: f64,
    pub(super) part: DVec3,
}

/// The maximum number of points of a convex hull: those of an arrow head.
const MAX_POINTS: usize = 2 * STEM_SEGMENTS as usize + 1;

/// A part, projected into pixels relative to the cursor.
pub(super) struct PartOutline<'a> {
    pub(super) cursor: &'a Cursor<'a>,
    pub(super) item: &'a Item,
    /// Maps a point in part space to homogeneous pixels relative to the cursor.
    pub(super) offset_from_part: DAffine3,
    /// Half the stroke width, in pixels times w.
    pub(super) half_width_w: f64,
}

impl<'a> PartOutline<'a> {
    pub(super) fn new(cursor: &'a Cursor<'a>, item: &'a Item) -> Self {
        let across = item.world_from_part.matrix3.z_axis.length();
        Self {
            cursor,
            item,
            // The projection is linear, so one matrix serves every point.
            offset_from_part: cursor.offset_from_world * item.world_from_part,
            half_width_w: across * f64::from(item.instance.thickness) * cursor.px_per_w,
        }
    }

    /// Returns the nearest point within the tolerance, and the distance along the ray to the surface.
    pub(super) fn measure(&self) -> (Option<Nearest>, Option<f64>) {
        let Self { item, cursor: Cursor { ray, .. }, .. } = self;
        match item.mesh {
            MeshKind::Ring => {
                let near_arcs = self.arcs_within_reach();
                let near = self.ring(near_arcs);
                // The tube is a few pixels thick, so on screen it is a stroke along a circle.
                let met = near.filter(|near| near.distance_px <= 0.0);
                (near, met.map(|near| self.tube_hit(near_arcs).unwrap_or(near.depth)))
            }
            MeshKind::Ball | MeshKind::Dot => {
                let hit = sphere_hit(&ray_in_part(item, ray));
                match hit {
                    Some(depth) => (Some(Nearest { distance_px: 0.0, depth, is_cut: false }), hit),
                    // The trackball has no tolerance.
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
                    .and_then(|mesh| mesh_hit(mesh, item.instance.thickness, &ray_in_part(item, ray)));
                // At the edge of the outline, rounding may miss the triangles.
                let hit = met.or((near.distance_px <= 0.0).then_some(near.depth));
                (
                    Some(Nearest { distance_px: if hit.is_some() { 0.0 } else { near.distance_px }, ..near }),
                    hit,
                )
            }
            // `Cursor::custom` tests the triangles of custom meshes.
            MeshKind::Custom(_) => (None, None),
        }
    }

    /// Returns the distance to the outline of a mesh, from the vertices it is drawn with.
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

    /// Returns the distance to the nearest side of a hole if the cursor is inside the hole.
    fn hole(&self, corners: [DVec3; 4]) -> Option<Nearest> {
        if self.hull(corners.into_iter())?.distance_px > 0.0 {
            return None;
        }
        let sides = (0..4).filter_map(|i| {
            let [a, b] = [corners[i], corners[(i + 1) % 4]];
            let (t, nearest) = closest_of_segment(self.seen(a)?.from_cursor, self.seen(b)?.from_cursor);
            Some(Nearest { distance_px: nearest.length(), depth: self.depth_at(a.lerp(b, t)), is_cut: false })
        });
        sides.min_by(|a, b| a.distance_px.total_cmp(&b.distance_px))
    }

    /// Returns the distance to a ball, from the circle that bounds its visible half.
    fn limb(&self) -> Option<Nearest> {
        let view = self.cursor.view;
        let part = &self.item.world_from_part;
        let (to_eye, nearer) = match view.eye() {
            Some(eye) => {
                let to_eye = part.inverse().transform_point3(eye);
                // Lines from the eye touch the ball along this circle.
                (to_eye.normalize(), to_eye.length().recip())
            }
            None => (-part.matrix3.transpose() * self.cursor.ray.direction, 0.0),
        };
        let (u, v) = to_eye.try_normalize()?.any_orthonormal_pair();
        let radius = (1.0 - nearer * nearer).max(0.0).sqrt();
        self.hull(round().iter().map(|rim| to_eye * nearer + (u * rim.y + v * rim.z) * radius))
    }

    /// Returns the distance to the convex hull of points in part space.
    pub(super) fn hull(&self, points: impl Iterator<Item = DVec3>) -> Option<Nearest> {
        let nothing = ProjectedPoint { from_cursor: DVec2::ZERO, w: 0.0, part: DVec3::ZERO };
        let (mut seen, mut count, mut is_cut) = ([nothing; MAX_POINTS], 0, false);
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
        Some(Nearest { distance_px: closest.distance, depth: self.depth_at(a.lerp(b, closest.t)), is_cut })
    }

    /// Projects a point in part space. Returns `None` if it is not in front of the viewer.
    pub(super) fn seen(&self, part: DVec3) -> Option<ProjectedPoint> {
        let projected = self.offset_from_part.transform_point3(part);
        let from_cursor = projected.truncate() / projected.z;
        (projected.z > 0.0 && from_cursor.is_finite()).then_some(ProjectedPoint {
            from_cursor,
            w: projected.z,
            part,
        })
    }

    /// Returns the distance from the viewer to a point in part space, in world units.
    pub(super) fn depth_at(&self, part: DVec3) -> f64 {
        let Cursor { view, ray, .. } = self.cursor;
        depth_of(view, ray, self.item.world_from_part.transform_point3(part))
    }

    /// Returns true only if everything within `radius` of the part's X axis, from 0 to `length`, is
    /// farther from the cursor than the tolerance.
    fn is_axis_beyond_reach(&self, length: f64, radius: f64) -> bool {
        let [Some(a), Some(b)] = [DVec3::ZERO, DVec3::X * length].map(|end| self.seen(end)) else {
            return false;
        };
        // A point is at N / w relative to the cursor, both linear in the point. At a distance `radius`
        // from the axis they differ by at most these amounts.
        let sides = [self.offset_from_part.matrix3.y_axis, self.offset_from_part.matrix3.z_axis];
        let [y, z] = sides.map(|side| side.truncate().length() * radius);
        let off_w = (sides[0].z.abs() + sides[1].z.abs()) * radius;
        let least_w = a.w.min(b.w) - off_w;
        let (_, nearest) = closest_of_segment(a.from_cursor, b.from_cursor);
        let least = (nearest.length() * a.w.min(b.w) - y - z) / (least_w + 2.0 * off_w);
        least_w > 0.0 && least > self.cursor.radius_px
    }

    /// Returns false only if the part can neither be hit nor be within the tolerance: its bounding box
    /// does not overlap the square around the cursor.
    pub(super) fn may_reach(&self) -> bool {
        let thickness = f64::from(self.item.instance.thickness);
        // Custom meshes have their own test.
        let Some([center, half]) = self.item.mesh.bounds(thickness) else { return true };
        let center = self.offset_from_part.transform_point3(center);
        // The changes of x, y and w from the center to each side.
        let rows = self.offset_from_part.matrix3.transpose();
        let [x, y, w] = [rows.x_axis * half, rows.y_axis * half, rows.z_axis * half];
        let reach_w = w.abs().element_sum();
        let min_w = center.z - reach_w;
        // Close to the eye, sizes in pixels mean little.
        if min_w.is_nan() || min_w < 0.1 * center.z {
            return true;
        }
        // The margin covers rounding, and that a stroke is wider than its tube. Relative to the cursor one
        // bound serves all four sides of the square, at a fraction of the cost of `ProjectedBox`.
        let reach = (self.cursor.radius_px + self.half_width_w / min_w + 1.0) * (center.z + reach_w);
        let is_beyond = |center: f64, sides: DVec3| center.abs() - sides.abs().element_sum() > reach;
        !(is_beyond(center.x, x) || is_beyond(center.y, y))
    }
}

/// Returns the unit circle in Y and Z: the base of arrow heads, and every second point for stems.
fn round() -> &'static [DVec3; 2 * STEM_SEGMENTS as usize] {
    static ROUND_POINTS: OnceLock<[DVec3; 2 * STEM_SEGMENTS as usize]> = OnceLock::new();
    ROUND_POINTS.get_or_init(|| {
        std::array::from_fn(|step| {
            let [cos, sin] = direction(step as u16, 2 * STEM_SEGMENTS);
            Vec3::new(0.0, cos, sin).as_dvec3()
        })
    })
}
