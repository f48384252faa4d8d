//! Snapping to the geometry under the pointer: vertices, edges, faces and surfaces of the scene.

use super::Editor;
use scene::Scene;
use std::collections::HashMap;
use std::num::NonZeroU32;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DAffine3, DMat4, DVec3};
use wgpu_gizmo_core::interaction::settings::SnapSource;
use wgpu_gizmo_core::pick::snap::{SnapMesh, SnapObject, SnapTo};
use wgpu_gizmo_core::pick::{PickAnswer, PickOutcome, PickQuery};

/// The state of snapping to geometry.
#[derive(Debug, Default)]
pub(super) struct Snapping {
    /// Whether the key is held that snaps to vertices.
    pub(super) is_vertex_held: bool,
    /// The meshes that were snapped to, by their index in the scene.
    meshes: HashMap<usize, BuiltMesh>,
}

/// A mesh that was snapped to.
#[derive(Debug)]
struct BuiltMesh {
    /// `None` if the mesh has no triangles.
    mesh: Option<SnapMesh>,
    /// The value of [`scene::Scene::deformed_at`] when it was built.
    deformed_at: u64,
}

impl Editor {
    /// Calls a function with the snap settings that are in effect: the vertex key replaces those of the user.
    pub(super) fn with_snap_settings<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> R {
        if !self.snapping.is_vertex_held {
            return call(self);
        }
        let of_user = self.gizmo.settings.snap;
        self.gizmo.settings.snap.to = SnapTo::VERTEX;
        self.gizmo.settings.snap.source = SnapSource::NearestVertex;
        self.gizmo.settings.snap.align_to_normal = None;
        let result = call(self);
        self.gizmo.settings.snap = of_user;
        result
    }

    /// Returns the query for what a drag snaps to, if one is needed. It must be answered from an ID image
    /// without handles and with the nodes of [`Editor::may_snap_to`].
    pub(crate) fn snap_query(&mut self) -> Option<PickQuery> {
        self.with_snap_settings(|editor| {
            if editor.gizmo.wants_snap_source() {
                let moved: Vec<(usize, DMat4)> = editor.moved_at_press().collect();
                editor.build_snap_meshes(moved.iter().map(|(node, _)| *node));
                editor.gizmo.snap_from(&snap_objects(&editor.snapping.meshes, &editor.scene, moved));
            }
            editor.gizmo.snap_query()
        })
    }

    /// Returns the visible nodes that a drag moves, with their transforms into world space at the press.
    ///
    /// They are computed from the transforms at the press and not from the moved ones, so that they have the same
    /// bits whenever they are needed.
    fn moved_at_press(&self) -> impl Iterator<Item = (usize, DMat4)> {
        let Self { scene, .. } = self;
        let is_moved = moved_nodes(scene, &self.moved.nodes);
        let starts: HashMap<usize, Transform> =
            self.moved.nodes.iter().copied().zip(self.gizmo.starts()).collect();
        let is_below_moved = |node: usize| scene.nodes()[node].parent.is_some_and(|parent| is_moved[parent]);
        let tops = (0..is_moved.len()).filter(|node| is_moved[*node] && !is_below_moved(*node));
        let mut pending: Vec<_> = tops.map(|node| (node, scene.world_from_parent(node))).collect();
        std::iter::from_fn(move || {
            let (node, world_from_parent) = pending.pop()?;
            let local = starts.get(&node).copied().unwrap_or(scene.shown_local(node));
            let world_from_node = world_from_parent * local.to_matrix();
            pending.extend(scene.nodes()[node].children.iter().map(|child| (*child, world_from_node)));
            Some((node, world_from_node))
        })
        .filter(|(node, _)| scene.is_shown(*node))
    }

    /// Returns a predicate for the nodes that a drag may snap to: all that it does not move.
    pub(crate) fn may_snap_to(&self) -> impl Fn(usize) -> bool + use<> {
        let moved = match self.gizmo.is_editing_pivot() {
            true => vec![false; self.scene.nodes().len()],
            false => moved_nodes(&self.scene, &self.moved.nodes),
        };
        move |node| !moved[node]
    }

    /// Handles the answer to a query of [`Editor::snap_query`]. `neighbors` are the ids within its tolerance.
    pub(crate) fn answer_snap(&mut self, answer: &PickAnswer, neighbors: &[NonZeroU32]) {
        let mut query = answer.query;
        let nodes: Vec<usize> = if self.snapping.is_vertex_held {
            // The nearest vertex of the node under the pointer, however far away it is.
            query.radius_px = f64::INFINITY;
            let hit = match answer.outcome {
                PickOutcome::Hit(hit) => self.node_of(hit.id),
                _ => None,
            };
            hit.into_iter().collect()
        } else {
            neighbors.iter().filter_map(|id| self.node_of(*id)).collect()
        };
        self.build_snap_meshes(nodes.iter().copied());
        let snap_to = self.with_snap_settings(|editor| editor.gizmo.settings.snap.to);
        let placed = nodes.into_iter().map(|node| (node, self.scene.world_from_node(node)));
        let objects = snap_objects(&self.snapping.meshes, &self.scene, placed);
        match snap_to.find(&query, &objects) {
            found @ Some(_) => self.gizmo.answer_snap(&query, found),
            None => self.gizmo.answer(answer),
        }
    }

    /// Returns the point that the drag snaps to, in world space.
    pub fn snapped_to(&self) -> Option<DVec3> {
        self.gizmo.snapped_to().map(|found| found.point_world)
    }

    fn build_snap_meshes(&mut self, nodes: impl Iterator<Item = usize>) {
        for mesh in nodes.filter_map(|node| self.scene.nodes()[node].mesh) {
            let deformed_at = self.scene.deformed_at(mesh);
            let built = self.snapping.meshes.get(&mesh);
            if built.is_none_or(|built| built.deformed_at != deformed_at) {
                let vertices = &self.scene.meshes()[mesh];
                let built = SnapMesh::new(&vertices.positions, &vertices.indices).ok();
                self.snapping.meshes.insert(mesh, BuiltMesh { mesh: built, deformed_at });
            }
        }
    }
}

/// Returns for each node whether it moves with one of these nodes: they and their descendants.
fn moved_nodes(scene: &Scene, nodes: &[usize]) -> Vec<bool> {
    let mut is_moved = vec![false; scene.nodes().len()];
    let mut pending = nodes.to_vec();
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut is_moved[node], true) {
            pending.extend(&scene.nodes()[node].children);
        }
    }
    is_moved
}

/// Returns the nodes with a mesh, at their transforms into world space.
fn snap_objects<'a>(
    meshes: &'a HashMap<usize, BuiltMesh>,
    scene: &Scene,
    placed: impl IntoIterator<Item = (usize, DMat4)>,
) -> Vec<SnapObject<'a>> {
    let object = |(node, world_from_node): (usize, DMat4)| {
        let mesh = meshes.get(&scene.nodes()[node].mesh?)?.mesh.as_ref()?;
        let whole = SnapObject::new(mesh, DAffine3::from_mat4(world_from_node));
        Some(scene.crop_box(node).map_or(whole, |crop| whole.with_crop([crop.min, crop.max])))
    };
    placed.into_iter().filter_map(object).collect()
}
