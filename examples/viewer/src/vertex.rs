//! Snapping to vertices, while its key is held in a drag that moves: which vertex is under the
//! cursor, and where the drag is to go for it.

use crate::scene::Scene;
use crate::selection::Selection;
use wgpu_gizmo::glam::{DVec2, DVec3};
use wgpu_gizmo::handle::{Channel, PickAnswer, PickOutcome, PickQuery};
use wgpu_gizmo::interaction::{Change, Drag};
use wgpu_gizmo::{Gizmo, View};

/// What is known of the vertex to snap to.
#[derive(Debug, Default)]
pub(crate) struct VertexSnap {
    is_held: bool,
    /// Of the last question.
    asked: Option<(DVec2, View)>,
    sequence: u64,
    found: Option<DVec3>,
    /// Vertices of what is dragged, relative to the pivot; worked out once a drag.
    carried: Option<Vec<DVec3>>,
}

/// The drag that can snap to vertices, if one is going on.
fn moving(gizmo: &Gizmo) -> Option<&Drag> {
    gizmo.drag().filter(|drag| drag.handle().constraint().channel() == Channel::Translate)
}

impl VertexSnap {
    /// The key went down or up.
    pub(crate) fn hold(&mut self, is_held: bool) {
        if self.is_held != is_held {
            *self = Self { is_held, sequence: self.sequence, ..Self::default() };
        }
    }

    /// Forgets the last drag.
    pub(crate) fn forget(&mut self) {
        *self = Self { is_held: self.is_held, sequence: self.sequence, ..Self::default() };
    }

    /// What is to be asked of an ID image without what is dragged and without handles, if
    /// anything is.
    pub(crate) fn query(&mut self, gizmo: &Gizmo, view: &View) -> Option<PickQuery> {
        let drag = moving(gizmo).filter(|drag| self.is_held && !drag.is_by_keyboard())?;
        let asked = (drag.cursor_px()?, *view);
        if self.asked == Some(asked) {
            return None;
        }
        self.asked = Some(asked);
        let radius_px = gizmo.settings.tolerance_lpx * view.scale_factor();
        let query = PickQuery::new(view, asked.0, radius_px);
        self.sequence = query.sequence;
        Some(query)
    }

    /// Takes an answer to the last question; `hit` is the node that was hit, and where.
    pub(crate) fn answer(
        &mut self,
        answer: &PickAnswer,
        hit: Option<(usize, Option<DVec3>)>,
        (scene, selection, gizmo): (&Scene, &Selection, &Gizmo),
    ) {
        let Some(drag) = moving(gizmo).filter(|_| answer.query.sequence == self.sequence && self.is_held)
        else {
            return;
        };
        if answer.outcome == PickOutcome::Lost {
            self.asked = None;
            return;
        }
        self.carried.get_or_insert_with(|| carried(scene, selection, drag));
        self.found = hit.and_then(|(node, hit_world)| nearest(scene, node, &answer.query, hit_world));
    }

    /// The vertex that is snapped to.
    pub(crate) fn found(&self) -> Option<DVec3> {
        self.found
    }

    /// Where the pivot has to go for the nearest vertex of what is dragged to come to lie on the
    /// one that was found; for the pivot itself where what is dragged has none.
    pub(crate) fn snapped(&self, moved_pivot_world: DVec3) -> Option<DVec3> {
        let found = self.found?;
        let from_pivot = self.carried.iter().flatten().copied();
        let apart = |from_pivot: &DVec3| found.distance_squared(moved_pivot_world + *from_pivot);
        let nearest = from_pivot.min_by(|a, b| apart(a).total_cmp(&apart(b)));
        Some(found - nearest.unwrap_or_default())
    }
}

/// Which nodes a drag of the selection takes along: the selected ones, and all that hangs on them.
pub(crate) fn taken_along(scene: &Scene, selection: &Selection) -> Vec<bool> {
    let mut taken = vec![false; scene.nodes().len()];
    let mut rest = selection.nodes().to_vec();
    while let Some(node) = rest.pop() {
        if !std::mem::replace(&mut taken[node], true) {
            rest.extend(&scene.nodes()[node].children);
        }
    }
    taken
}

/// Vertices of a node's mesh, in the world.
fn vertices(scene: &Scene, node: usize) -> impl Iterator<Item = DVec3> {
    let mesh = scene.nodes()[node].mesh.map(|mesh| &scene.meshes()[mesh]);
    let world_from_node = scene.world_from_node(node);
    let positions = mesh.into_iter().flat_map(|mesh| &mesh.positions);
    positions.map(move |position| world_from_node.transform_point3(DVec3::from(position.map(f64::from))))
}

fn carried(scene: &Scene, selection: &Selection, drag: &Drag) -> Vec<DVec3> {
    let moved = match drag.motion().change {
        Change::Translate(by) => by,
        _ => DVec3::ZERO,
    };
    let pivot = drag.pivot_world() + moved;
    let taken = taken_along(scene, selection);
    let nodes = (0..taken.len()).filter(|node| taken[*node]);
    nodes.flat_map(|node| vertices(scene, node)).map(|vertex| vertex - pivot).collect()
}

/// How much farther from the cursor a vertex may be seen, in logical pixels, and still be as good
/// as another.
const AS_NEAR_LPX: f64 = 1.0;

/// The vertex of a node that is seen nearest to the cursor; of several in one place, as a cube's
/// front and back corners are in a view from the front, the one nearest to what was hit.
fn nearest(scene: &Scene, node: usize, query: &PickQuery, hit_world: Option<DVec3>) -> Option<DVec3> {
    let seen = || {
        vertices(scene, node).filter_map(|vertex| {
            let px = query.view.px_from_world(vertex)?;
            Some((px.distance(query.cursor_px), vertex))
        })
    };
    let least = seen().map(|(distance, _)| distance).min_by(f64::total_cmp)?;
    let enough = least + AS_NEAR_LPX * query.view.scale_factor();
    let from_hit = |(distance, vertex): &(f64, DVec3)| {
        hit_world.map_or(*distance, |hit_world| hit_world.distance_squared(*vertex))
    };
    let as_near = seen().filter(|(distance, _)| *distance <= enough);
    as_near.min_by(|a, b| from_hit(a).total_cmp(&from_hit(b))).map(|(_, vertex)| vertex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;
    use crate::shapes;
    use wgpu_gizmo::glam::dcamera::rh;
    use wgpu_gizmo::{Transform, Viewport};

    #[test]
    fn of_corners_in_one_place_the_one_on_the_side_that_was_hit_is_taken() {
        let node = Node { mesh: Some(0), ..Node::new("cube", None, Transform::IDENTITY) };
        let scene = Scene::new(vec![node], vec![shapes::cube()]).expect("a tree");
        let view = View::new(
            rh::view::look_at_mat4(DVec3::Z * 5.0, DVec3::ZERO, DVec3::Y),
            rh::proj::directx::orthographic(-2.0, 2.0, -2.0, 2.0, 0.0, 10.0),
            Viewport::of_size(400, 400),
            1.0,
        )
        .expect("usable");
        let query = PickQuery { cursor_px: DVec2::new(243.0, 160.0), view, radius_px: 5.0, sequence: 1 };
        for z in [0.5, -0.5] {
            let found = nearest(&scene, 0, &query, Some(DVec3::new(0.43, 0.4, z)));
            assert_eq!(found, Some(DVec3::new(0.5, 0.5, z)));
        }
    }
}
