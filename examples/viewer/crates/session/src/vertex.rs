//! Vertex snapping: while its key is held during a translate drag, the drag snaps to the vertex under
//! the cursor.

use scene::Scene;
use scene::selection::Selection;
use std::collections::HashMap;
use wgpu_gizmo::glam::{DMat4, DVec2, DVec3};
use wgpu_gizmo::interaction::Drag;
use wgpu_gizmo::pick::{PickAnswer, PickOutcome, PickQuery};
use wgpu_gizmo::{Gizmo, Transform, View};

/// State of vertex snapping.
#[derive(Debug, Default)]
pub struct VertexSnap {
    is_held: bool,
    /// Cursor and view of the last query.
    last_query: Option<(DVec2, View)>,
    sequence: u64,
    found: Option<DVec3>,
    /// Vertices of the dragged nodes, relative to the pivot, as they were at the press; computed once per drag.
    dragged: Option<Vec<DVec3>>,
}

/// Returns the drag in progress if it translates and can therefore snap to vertices.
fn translate_drag(gizmo: &Gizmo) -> Option<&Drag> {
    gizmo.drag().filter(|drag| drag.handle().constraint().translates())
}

impl VertexSnap {
    /// Handles a press or release of the key.
    pub fn hold(&mut self, is_held: bool) {
        if self.is_held != is_held {
            *self = Self { is_held, sequence: self.sequence, ..Self::default() };
        }
    }

    /// Resets the state of the last drag.
    pub fn forget(&mut self) {
        *self = Self { is_held: self.is_held, sequence: self.sequence, ..Self::default() };
    }

    /// Returns the next pick query, if one is needed. It must be answered from an ID image without handles
    /// and without the dragged nodes.
    pub fn query(&mut self, gizmo: &Gizmo, view: &View) -> Option<PickQuery> {
        let drag = translate_drag(gizmo).filter(|drag| self.is_held && !drag.is_by_keyboard())?;
        let query = (drag.cursor_px()?, *view);
        if self.last_query == Some(query) {
            return None;
        }
        self.last_query = Some(query);
        let radius_px = gizmo.settings.tolerance_lpx * view.scale_factor();
        let query = PickQuery::new(view, query.0, radius_px);
        self.sequence = query.sequence;
        Some(query)
    }

    /// Handles the answer to a query. `hit` is the node that was hit and the position in world space.
    pub fn answer(
        &mut self,
        answer: &PickAnswer,
        hit: Option<(usize, Option<DVec3>)>,
        (scene, selection, targets, gizmo): (&Scene, &Selection, &[usize], &Gizmo),
    ) {
        let Some(drag) =
            translate_drag(gizmo).filter(|_| answer.query.sequence == self.sequence && self.is_held)
        else {
            return;
        };
        if answer.outcome == PickOutcome::Lost {
            self.last_query = None;
            return;
        }
        self.dragged.get_or_insert_with(|| match gizmo.is_editing_pivot() {
            // The pivot alone moves.
            true => Vec::new(),
            false => dragged_vertices(scene, selection, targets, drag),
        });
        self.found = hit.and_then(|(node, hit_world)| nearest_vertex(scene, node, &answer.query, hit_world));
    }

    /// Returns the vertex to snap to, in world space.
    pub fn found(&self) -> Option<DVec3> {
        self.found
    }

    /// Returns the pivot position that puts the nearest dragged vertex onto the vertex that was found. If
    /// the dragged nodes have no vertices, it puts the pivot there.
    pub(crate) fn snapped(&self, moved_pivot_world: DVec3) -> Option<DVec3> {
        let found = self.found?;
        let from_pivot = self.dragged.iter().flatten().copied();
        let distance = |from_pivot: &DVec3| found.distance_squared(moved_pivot_world + *from_pivot);
        let nearest = from_pivot.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        Some(found - nearest.unwrap_or_default())
    }
}

/// Returns for each node whether a drag of the selection moves it: the selected nodes and their
/// descendants.
pub fn moved_nodes(scene: &Scene, selection: &Selection) -> Vec<bool> {
    let mut is_moved = vec![false; scene.nodes().len()];
    let mut pending = selection.nodes().to_vec();
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut is_moved[node], true) {
            pending.extend(&scene.nodes()[node].children);
        }
    }
    is_moved
}

/// Returns the vertices of a node's mesh in world space.
fn vertices(scene: &Scene, node: usize, world_from_node: DMat4) -> impl Iterator<Item = DVec3> {
    let mesh = scene.nodes()[node].mesh.map(|mesh| &scene.meshes()[mesh]);
    let positions = mesh.into_iter().flat_map(|mesh| &mesh.positions);
    positions.map(move |position| world_from_node.transform_point3(DVec3::from(position.map(f64::from))))
}

/// Returns the vertices of the dragged nodes at the press, relative to the pivot.
///
/// They are computed from the transforms at the press and not from the moved ones, so that they have the same bits
/// whenever the key is pressed.
fn dragged_vertices(scene: &Scene, selection: &Selection, targets: &[usize], drag: &Drag) -> Vec<DVec3> {
    let is_moved = moved_nodes(scene, selection);
    let starts: HashMap<usize, Transform> = targets.iter().copied().zip(drag.starts()).collect();
    let is_below_moved = |node: usize| scene.nodes()[node].parent.is_some_and(|parent| is_moved[parent]);
    let tops = (0..is_moved.len()).filter(|node| is_moved[*node] && !is_below_moved(*node));
    let mut pending: Vec<_> = tops.map(|node| (node, scene.world_from_parent(node))).collect();
    let mut dragged = Vec::new();
    while let Some((node, world_from_parent)) = pending.pop() {
        let local = starts.get(&node).copied().unwrap_or(scene.shown_local(node));
        let world_from_node = world_from_parent * local.to_matrix();
        dragged.extend(vertices(scene, node, world_from_node).map(|vertex| vertex - drag.pivot_world()));
        pending.extend(scene.nodes()[node].children.iter().map(|child| (*child, world_from_node)));
    }
    dragged
}

/// Vertices whose distances from the cursor differ by at most this many logical pixels are equally near.
const TIE_LPX: f64 = 1.0;

/// Returns the vertex of a node that is nearest to the cursor on screen. Among equally near vertices,
/// such as the front and back corners of a cube seen from the front, it is the one nearest to the hit.
fn nearest_vertex(scene: &Scene, node: usize, query: &PickQuery, hit_world: Option<DVec3>) -> Option<DVec3> {
    let projected = || {
        vertices(scene, node, scene.world_from_node(node)).filter_map(|vertex| {
            let px = query.view.px_from_world(vertex)?;
            Some((px.distance(query.cursor_px), vertex))
        })
    };
    let min_distance = projected().map(|(distance, _)| distance).min_by(f64::total_cmp)?;
    let max_distance = min_distance + TIE_LPX * query.view.scale_factor();
    let from_hit = |(distance, vertex): &(f64, DVec3)| {
        hit_world.map_or(*distance, |hit_world| hit_world.distance_squared(*vertex))
    };
    let nearest = projected().filter(|(distance, _)| *distance <= max_distance);
    nearest.min_by(|a, b| from_hit(a).total_cmp(&from_hit(b))).map(|(_, vertex)| vertex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::Node;
    use scene::shapes;
    use wgpu_gizmo::Viewport;
    use wgpu_gizmo::glam::dcamera::rh;

    #[test]
    fn overlapping_corners_snap_to_hit_side() {
        let node = Node { mesh: Some(0), ..Node::new("cube", None, Transform::IDENTITY) };
        let scene = Scene::new(vec![node], vec![shapes::cube()]).expect("the nodes form a tree");
        let view = View::new(
            rh::view::look_at_mat4(DVec3::Z * 5.0, DVec3::ZERO, DVec3::Y),
            rh::proj::directx::orthographic(-2.0, 2.0, -2.0, 2.0, 0.0, 10.0),
            Viewport::from_size(400, 400),
            1.0,
        )
        .expect("the view is valid");
        let query = PickQuery {
            cursor_px: DVec2::new(243.0, 160.0),
            view,
            radius_px: 5.0,
            sequence: 1,
            is_snap: false,
        };
        for z in [0.5, -0.5] {
            let found = nearest_vertex(&scene, 0, &query, Some(DVec3::new(0.43, 0.4, z)));
            assert_eq!(found, Some(DVec3::new(0.5, 0.5, z)));
        }
    }
}
