//! Snapping to the geometry under the pointer: vertices, edges, faces and surfaces of the scene.

use super::Editor;
use crate::vertex::moved_nodes;
use std::collections::HashMap;
use std::num::NonZeroU32;
use wgpu_gizmo::View;
use wgpu_gizmo::glam::{DAffine3, DVec3};
use wgpu_gizmo::pick::snap::{SnapMesh, SnapObject};
use wgpu_gizmo::pick::{PickAnswer, PickOutcome, PickQuery};

/// The meshes that were snapped to, by their index in the scene.
#[derive(Debug, Default)]
pub(super) struct SnapMeshes(HashMap<usize, BuiltMesh>);

/// A mesh that was snapped to.
#[derive(Debug)]
struct BuiltMesh {
    /// `None` if the mesh has no triangles.
    mesh: Option<SnapMesh>,
    /// The value of [`scene::Scene::deformed_at`] when it was built.
    deformed_at: u64,
}

impl Editor {
    /// Handles the key that snaps to vertices.
    pub fn hold_vertex(&mut self, is_held: bool) {
        self.vertex.hold(is_held);
    }

    /// Returns the query for what a drag snaps to, if one is needed. It must be answered from an ID image
    /// without handles and with the nodes of [`Editor::may_snap_to`].
    pub fn snap_query(&mut self, view: &View) -> Option<PickQuery> {
        let is_editing = self.gizmo.is_editing_pivot();
        self.vertex.query(&self.gizmo, view).or_else(|| {
            if self.gizmo.wants_snap_source() && !is_editing {
                let moved = moved_nodes(&self.scene, &self.selection);
                let moved: Vec<usize> = (0..moved.len()).filter(|node| moved[*node]).collect();
                self.build_snap_meshes(&moved);
                let objects = snap_objects(&self.snap_meshes, &self.scene, &moved);
                self.gizmo.snap_from(&objects);
            }
            self.gizmo.snap_query()
        })
    }

    /// Returns a predicate for the nodes that a drag may snap to: all that it does not move.
    pub fn may_snap_to(&self) -> impl Fn(usize) -> bool + use<> {
        let moved = match self.gizmo.is_editing_pivot() {
            true => vec![false; self.scene.nodes().len()],
            false => moved_nodes(&self.scene, &self.selection),
        };
        move |node| !moved[node]
    }

    /// Handles the answer to a query of [`Editor::snap_query`]. `neighbors` are the ids within its tolerance.
    pub fn answer_snap(&mut self, answer: &PickAnswer, neighbors: &[NonZeroU32]) {
        let hit = match answer.outcome {
            PickOutcome::Hit(hit) => self.node_of(hit.id).map(|node| (node, hit.position_world)),
            _ => None,
        };
        if !answer.query.is_snap {
            return self.vertex.answer(answer, hit, (&self.scene, &self.selection, &self.moved, &self.gizmo));
        }
        let nodes: Vec<usize> = neighbors.iter().filter_map(|id| self.node_of(*id)).collect();
        self.build_snap_meshes(&nodes);
        let objects = snap_objects(&self.snap_meshes, &self.scene, &nodes);
        match self.gizmo.settings.snap_to.find(&answer.query, &objects) {
            found @ Some(_) => self.gizmo.answer_snap(&answer.query, found),
            None => self.gizmo.answer(answer),
        }
    }

    /// Returns the point that the drag snaps to, in world space.
    pub fn snapped_to(&self) -> Option<DVec3> {
        self.vertex.found().or(self.gizmo.snapped_to().map(|found| found.point_world))
    }

    fn build_snap_meshes(&mut self, nodes: &[usize]) {
        for mesh in nodes.iter().filter_map(|node| self.scene.nodes()[*node].mesh) {
            let deformed_at = self.scene.deformed_at(mesh);
            let built = self.snap_meshes.0.get(&mesh);
            if built.is_none_or(|built| built.deformed_at != deformed_at) {
                let vertices = &self.scene.meshes()[mesh];
                let built = SnapMesh::new(&vertices.positions, &vertices.indices).ok();
                self.snap_meshes.0.insert(mesh, BuiltMesh { mesh: built, deformed_at });
            }
        }
    }
}

/// Returns the nodes with a mesh.
fn snap_objects<'a>(meshes: &'a SnapMeshes, scene: &scene::Scene, nodes: &[usize]) -> Vec<SnapObject<'a>> {
    let object = |node: &usize| {
        let mesh = meshes.0.get(&scene.nodes()[*node].mesh?)?.mesh.as_ref()?;
        Some(SnapObject { mesh, world_from_local: DAffine3::from_mat4(scene.world_from_node(*node)) })
    };
    nodes.iter().filter_map(object).collect()
}
