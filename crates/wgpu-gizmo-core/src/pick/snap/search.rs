use super::mesh::{Content, Node, SnapMesh, Triangle};
use super::{SnapPoint, SnapTo};
use crate::math::{Frustum, Ray, Rect, TriangleRay, View};
use crate::pick::PickQuery;
use glam::{DAffine3, DMat4, DVec2, DVec3, DVec4};
use std::cell::{Cell, LazyCell};
use std::cmp::Ordering;

/// An object that a drag can snap to.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct SnapObject<'a> {
    /// The mesh.
    pub mesh: &'a SnapMesh,
    /// The transform of the mesh.
    pub world_from_local: DAffine3,
    /// The minimum and maximum corner of the box that cuts the mesh, in its own space.
    pub crop_local: Option<[DVec3; 2]>,
}

impl<'a> SnapObject<'a> {
    /// Creates an object with this mesh.
    pub fn new(mesh: &'a SnapMesh, world_from_local: DAffine3) -> Self {
        Self { mesh, world_from_local, crop_local: None }
    }

    /// Returns the object without what is outside of a box in the space of its mesh: neither is it found, nor does it
    /// hide anything.
    #[must_use]
    pub fn with_crop(self, crop_local: [DVec3; 2]) -> Self {
        Self { crop_local: Some(crop_local), ..self }
    }
}

/// A point within the tolerance.
#[derive(Debug, Clone, Copy)]
struct SnapCandidate {
    distance_px: f64,
    /// The distance along the ray, for equal distances in pixels.
    along: f64,
    point: DVec3,
    corners: [DVec3; 3],
}

/// How many candidates are tested for visibility at first. Only if all are hidden, more of them are looked for.
const FIRST_CANDIDATES: usize = 32;
/// How many times as many candidates are tested next.
const MORE: usize = 8;
/// The radius to which a search is limited: larger than every render target.
const MAX_RADIUS_PX: f64 = 65_536.0;
/// Distances in pixels are rounded to multiples of this. Points at an equal one are ordered by their depth.
const TIE_PX: f64 = 1e-6;
/// The fraction of the distance by which a surface must be in front of a point to hide it.
const HIDING: f64 = 1e-6;
/// The fraction of its size by which a crop box is larger, so that points on its sides are inside.
const ON_SIDE: f64 = 1e-6;

impl SnapTo {
    /// Returns the point that a query snaps to. The kinds are tried in order; the nearest visible point of
    /// the first kind that has one within the tolerance of the cursor wins. The objects are those whose ids
    /// are within the tolerance in the ID image, or all objects that may be there, without those that are moved.
    /// Points in front of the near plane or behind the far plane are not drawn, so they are not found and hide nothing.
    ///
    /// ```
    /// use wgpu_gizmo_core::glam::{DAffine3, DVec3, dcamera::rh, dvec2};
    /// use wgpu_gizmo_core::pick::snap::{SnapMesh, SnapObject, SnapTo};
    /// use wgpu_gizmo_core::{PickQuery, View, Viewport};
    ///
    /// let view = View::new(
    ///     rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 10.0), DVec3::ZERO, DVec3::Y),
    ///     rh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 0.1, 100.0),
    ///     Viewport::from_size(800, 600),
    ///     1.0,
    /// )?;
    /// let mesh = SnapMesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2])?;
    /// let object = SnapObject::new(&mesh, DAffine3::IDENTITY);
    /// // A world unit is 100 pixels.
    /// let query = PickQuery::new(&view, dvec2(497.0, 302.0), 5.0);
    /// let found = SnapTo::VERTEX.find(&query, &[object]).expect("a vertex is near");
    /// assert_eq!(found.point_world, DVec3::X);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(self, query: &PickQuery, objects: &[SnapObject<'_>]) -> Option<SnapPoint> {
        let cursor_px = query.cursor_px;
        if !cursor_px.is_finite() {
            return None;
        }
        let radius_px = query.radius_px.clamp(0.0, MAX_RADIUS_PX);
        let half = DVec2::splat(radius_px + 1.0);
        let frustum = Frustum::new(&query.view, Rect { min: cursor_px - half, max: cursor_px + half });
        let cursor_ray = &query.view.pointer_ray(cursor_px).for_triangles();
        // Inverted only if there is a candidate.
        let inverses = || objects.iter().map(|object| object.world_from_local.inverse()).collect();
        let locals_from_world: LazyCell<Vec<DAffine3>, _> = LazyCell::new(inverses);
        let kinds = Self::EACH.into_iter().filter(|kind| self.contains(*kind) && *kind != Self::SURFACE);
        for kind in kinds {
            let mut kept = FIRST_CANDIDATES;
            loop {
                let (view, found, object) = (&query.view, Vec::new(), None);
                let mut search = Search { view, cursor_px, cursor_ray, radius_px, kind, kept, found, object };
                for object in objects {
                    search.visit_object(object, &frustum);
                }
                search.keep_nearest();
                let is_visible =
                    |found: &&SnapCandidate| search.is_visible(found, objects, &locals_from_world);
                if let Some(SnapCandidate { point, corners, .. }) = search.found.iter().find(is_visible) {
                    let normal_world = normal_of(&query.view, corners);
                    return Some(SnapPoint { point_world: *point, normal_world, kind });
                }
                if search.found.len() < kept {
                    break;
                }
                kept *= MORE;
            }
        }
        None
    }
}

impl SnapObject<'_> {
    /// Returns the vertex for which `distance` is the smallest, in world space, and its distance.
    pub(crate) fn nearest_vertex(
        &self,
        distance: impl Fn(DVec3) -> Option<[f64; 2]>,
    ) -> Option<([f64; 2], DVec3)> {
        let measured = self.vertices().filter_map(|point| Some((distance(point)?, point)));
        measured.min_by(|a, b| nearer(a.0, b.0))
    }

    /// Returns the vertices of the triangles, each at least once, in world space.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = DVec3> {
        let used = self
            .mesh
            .triangles
            .iter()
            .flat_map(|triangle| triangle.corners.into_iter().zip(triangle.has_corner));
        let once = used.filter(|(_, counts)| *counts);
        let vertices =
            once.map(|(index, _)| self.world_from_local.transform_point3(self.mesh.position(index)));
        vertices.filter(|point| !self.is_cut_at(*point))
    }

    fn is_cut_at(&self, point: DVec3) -> bool {
        self.crop_local.is_some_and(|[low, high]| {
            let local = self.world_from_local.inverse().transform_point3(point);
            let is_inside = (2.0 * local - low - high).abs().cmple((high - low) * (1.0 + ON_SIDE));
            !is_inside.all()
        })
    }

    /// Returns the part of an edge between two points of the mesh that the crop box leaves, in world space.
    fn edge(&self, [from, to]: [DVec3; 2]) -> Option<[DVec3; 2]> {
        let [a, b] = [from, to].map(|point| self.world_from_local.transform_point3(point));
        let Some([low, high]) = self.crop_local else { return Some([a, b]) };
        let (mut enter, mut exit) = (0.0_f64, 1.0_f64);
        // All points of an edge along a side are on the same side of it.
        for axis in (0..3).filter(|axis| from[*axis] != to[*axis]) {
            let [at_low, at_high] =
                [low, high].map(|side| (side[axis] - from[axis]) / (to[axis] - from[axis]));
            (enter, exit) = (enter.max(at_low.min(at_high)), exit.min(at_low.max(at_high)));
        }
        (enter <= exit).then(|| [a.lerp(b, enter), a.lerp(b, exit)])
    }

    fn world(&self, triangle: &Triangle) -> [DVec3; 3] {
        triangle.corners.map(|index| self.world_from_local.transform_point3(self.mesh.position(index)))
    }

    /// Visits the triangles in the boxes that `may_touch` accepts.
    fn visit(&self, may_touch: impl Fn(&Node) -> bool, mut visit: impl FnMut(&Triangle)) {
        // Deep enough for a tree of halves with all indices of a `u32`.
        let mut stack = [0u32; 64];
        let Some(root) = self.mesh.nodes.len().checked_sub(1) else { return };
        stack[0] = root as u32;
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let node = &self.mesh.nodes[stack[height] as usize];
            if !may_touch(node) {
                continue;
            }
            match node.content {
                Content::Triangles { first, end } => {
                    self.mesh.triangles[first as usize..end as usize].iter().for_each(&mut visit);
                }
                Content::Nodes(children) => {
                    stack[height..height + 2].copy_from_slice(&children);
                    height += 2;
                }
            }
        }
    }
}

struct Search<'a> {
    view: &'a View,
    cursor_px: DVec2,
    cursor_ray: &'a TriangleRay,
    radius_px: f64,
    kind: SnapTo,
    /// How many of the nearest candidates are kept. Between sorts there may be twice as many.
    kept: usize,
    /// The candidates. The nearest are first after [`Search::keep_nearest`].
    found: Vec<SnapCandidate>,
    /// The object that is visited.
    object: Option<&'a SnapObject<'a>>,
}

impl<'a> Search<'a> {
    fn visit_object(&mut self, object: &'a SnapObject<'a>, frustum: &Frustum) {
        self.object = Some(object);
        let matrix = DMat4::from(object.world_from_local).transpose();
        let planes = frustum.planes().map(|plane| matrix * plane);
        let may_touch = |node: &Node| {
            let (low, high) = (node.low.as_dvec3(), node.high.as_dvec3());
            planes.iter().all(|plane| is_partly_inside(plane, low, high))
        };
        object.visit(may_touch, |triangle| self.visit_triangle(object, triangle));
    }

    fn visit_triangle(&mut self, object: &SnapObject<'_>, triangle: &Triangle) {
        let corners = object.world(triangle);
        let [a, b, c] = triangle.corners.map(|index| object.mesh.position(index));
        let edges = [[a, b], [b, c], [c, a]].into_iter().zip(triangle.has_edge);
        match self.kind {
            SnapTo::VERTEX => {
                // The triangle that counts has the corner in its box, so it is visited, too.
                for (corner, _) in corners.into_iter().zip(triangle.has_corner).filter(|(_, counts)| *counts)
                {
                    self.add(corner, corners);
                }
            }
            SnapTo::EDGE => {
                for (edge, _) in edges.filter(|(_, counts)| *counts) {
                    self.add_edge(object.edge(edge), corners);
                }
            }
            SnapTo::MIDPOINT => {
                for ([a, b], _) in edges.filter(|(_, counts)| *counts) {
                    self.add(object.world_from_local.transform_point3(0.5 * (a + b)), corners);
                }
            }
            // A face, at the cursor or at its nearest edge.
            _ => {
                let hit =
                    self.cursor_ray.distance_to(corners).map(|along| (along, self.cursor_ray.ray.at(along)));
                match hit.filter(|(_, point)| !object.is_cut_at(*point)) {
                    Some((along, point)) => {
                        self.push(SnapCandidate { distance_px: 0.0, along, point, corners });
                    }
                    None => edges.for_each(|(edge, _)| self.add_edge(object.edge(edge), corners)),
                }
            }
        }
    }

    fn add(&mut self, point: DVec3, corners: [DVec3; 3]) {
        let Some(px) = self.view.px_from_world(point) else { return };
        let distance_px = px.distance(self.cursor_px);
        if distance_px <= self.radius_px {
            let along = (point - self.view.pointer_ray(px).origin).dot(self.view.forward());
            self.push(SnapCandidate { distance_px, along, point, corners });
        }
    }

    /// Adds the point of an edge that is nearest to the cursor on screen.
    fn add_edge(&mut self, edge: Option<[DVec3; 2]>, corners: [DVec3; 3]) {
        let Some([a, b]) = edge else { return };
        let [w_a, w_b] = [a, b].map(|end| self.view.clip_w(end));
        // An end behind the viewer moves along the edge to just in front. If both are behind, neither has a pixel.
        let min_w = 1e-9 * w_a.max(w_b);
        let clipped = |from: DVec3, w_from: f64, to: DVec3, w_to: f64| {
            if w_from >= min_w { from } else { from + (to - from) * ((min_w - w_from) / (w_to - w_from)) }
        };
        let (a, b) = (clipped(a, w_a, b, w_b), clipped(b, w_b, a, w_a));
        let (Some(px_a), Some(px_b)) = (self.view.px_from_world(a), self.view.px_from_world(b)) else {
            return;
        };
        let [w_a, w_b] = [a, b].map(|end| self.view.clip_w(end));
        let chord = px_b - px_a;
        let s = ((self.cursor_px - px_a).dot(chord) / chord.length_squared()).clamp(0.0, 1.0);
        let s = if s.is_nan() { 0.0 } else { s };
        // Equal steps on screen are not equal in space: w is linear in space, and 1 / w on screen.
        let t = s * w_a / (w_b + s * (w_a - w_b));
        self.add(a + (b - a) * t.clamp(0.0, 1.0), corners);
    }

    /// Returns true if a point is between the near and the far plane, outside of which nothing is drawn.
    fn is_in_depth_range(&self, point: DVec3) -> bool {
        let clip = self.view.clip_from_world() * point.extend(1.0);
        (0.0..=clip.w).contains(&clip.z)
    }

    fn push(&mut self, new: SnapCandidate) {
        let is_cut = self.object.is_some_and(|object| object.is_cut_at(new.point));
        if is_cut || !self.is_in_depth_range(new.point) {
            return;
        }
        self.found.push(new);
        if self.found.len() == 2 * self.kept {
            self.keep_nearest();
        }
    }

    /// Sorts the candidates, and keeps the nearest ones.
    fn keep_nearest(&mut self) {
        let key = |candidate: &SnapCandidate| [candidate.distance_px, candidate.along];
        self.found.sort_by(|a, b| nearer(key(a), key(b)));
        self.found.truncate(self.kept);
        if let Some(farthest) = self.found.get(self.kept - 1) {
            self.radius_px = self.radius_px.min(farthest.distance_px + TIE_PX);
        }
    }

    /// Returns false if a triangle hides the point.
    fn is_visible(
        &self,
        candidate: &SnapCandidate,
        objects: &[SnapObject<'_>],
        locals_from_world: &[DAffine3],
    ) -> bool {
        let Some(px) = self.view.px_from_world(candidate.point) else { return false };
        let ray = self.view.pointer_ray(px);
        let to = (candidate.point - ray.origin).dot(ray.direction);
        let scale = self.view.pixel_size(candidate.point) * self.view.viewport().height;
        let triangle_ray = ray.for_triangles();
        let limit = to - HIDING * to.abs().max(scale);
        !objects.iter().zip(locals_from_world).any(|(object, local_from_world)| {
            let local = LocalRay::new(&ray, local_from_world);
            let is_hidden = Cell::new(false);
            object.visit(
                |node| !is_hidden.get() && local.may_hit(node),
                |triangle| {
                    let hides = || {
                        let along = triangle_ray.distance_to(object.world(triangle));
                        let is_there = |point| self.is_in_depth_range(point) && !object.is_cut_at(point);
                        along.is_some_and(|along| along < limit && is_there(ray.at(along)))
                    };
                    is_hidden.set(is_hidden.get() || hides());
                },
            );
            is_hidden.get()
        })
    }
}

/// Returns the unit normal of a triangle toward the viewer.
fn normal_of(view: &View, [a, b, c]: &[DVec3; 3]) -> Option<DVec3> {
    let normal = (*b - *a).cross(*c - *a).try_normalize()?;
    Some(if normal.dot(view.direction_to(*a)) > 0.0 { -normal } else { normal })
}

/// Compares distances in pixels, and along the view direction if those are equal.
pub(crate) fn nearer([a, along_a]: [f64; 2], [b, along_b]: [f64; 2]) -> Ordering {
    let [a, b] = [a, b].map(|px| (px / TIE_PX).round());
    a.total_cmp(&b).then(along_a.total_cmp(&along_b))
}

fn is_partly_inside(plane: &DVec4, low: DVec3, high: DVec3) -> bool {
    let farthest = DVec3::select(plane.truncate().cmpge(DVec3::ZERO), high, low);
    // Rounding of the planes in local space.
    let size = plane.abs().dot(farthest.abs().extend(1.0));
    plane.dot(farthest.extend(1.0)) >= -1e-9 * size
}

/// A ray in the space of a mesh.
struct LocalRay {
    origin: DVec3,
    inverse: DVec3,
}

impl LocalRay {
    fn new(ray: &Ray, local_from_world: &DAffine3) -> Self {
        Self {
            origin: local_from_world.transform_point3(ray.origin),
            inverse: local_from_world.transform_vector3(ray.direction).recip(),
        }
    }

    /// Returns false if the line of the ray misses a box. A singular transform misses nothing.
    fn may_hit(&self, node: &Node) -> bool {
        let (low, high) = (node.low.as_dvec3(), node.high.as_dvec3());
        // Much less than the spacing of the coordinates, which are `f32`.
        let margin = DVec3::splat(1e-9 * low.abs().max(high.abs()).max_element());
        let to_low = (low - margin - self.origin) * self.inverse;
        let to_high = (high + margin - self.origin) * self.inverse;
        let enter = to_low.min(to_high).max_element();
        let exit = to_low.max(to_high).min_element();
        // NaN: the ray runs along a side.
        enter <= exit || enter.is_nan() || exit.is_nan()
    }
}
