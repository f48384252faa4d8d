//! The pose of a scene: meshes that are deformed by joints and morph targets, and an instant of an animation.
//!
//! [`Node::local`](super::Node::local) is always the transform at rest, which is edited and saved. While an
//! animation is shown, its transforms replace it in the world transforms.

use super::{Node, Scene};
use crate::mesh::Mesh;
use crate::rig::{Deformed, Pose, Property, Rig, Skin};
use std::collections::HashMap;
use std::sync::Arc;
use wgpu_gizmo_core::Transform;
use wgpu_gizmo_core::glam::{DMat4, DVec3, Mat4};

/// The rig of a scene, and the pose that is shown.
#[derive(Debug, Clone, Default)]
pub(super) struct PoseState {
    rig: Rig,
    shown: Option<Pose>,
    /// The transforms and the morph weights of the animated nodes.
    locals: HashMap<usize, Transform>,
    weights: HashMap<usize, Vec<f32>>,
    /// Whether a node has moved or a weight has changed since the meshes were deformed.
    is_stale: bool,
    /// What each mesh was deformed by, and the value of [`Scene::moves`] then.
    deformed_by: Vec<Option<DeformedBy>>,
}

/// The numbers that the vertices of a deformed mesh depend on.
#[derive(Debug, Clone)]
struct DeformedBy {
    joints: Option<Vec<Mat4>>,
    weights: Vec<f32>,
    moves: u64,
}

impl PoseState {
    /// Returns the transform of an animated node.
    pub(super) fn local(&self, node: usize) -> Option<Transform> {
        if self.locals.is_empty() { None } else { self.locals.get(&node).copied() }
    }

    /// Records that nodes have moved.
    pub(super) fn moved(&mut self) {
        self.is_stale = !self.rig.deformed.is_empty();
    }
}

impl Scene {
    /// Returns the joint that moves the whole mesh of a node, if the mesh has a skin: the first joint, or the
    /// highest of its ancestors that is a joint.
    pub fn root_joint(&self, node: usize) -> Option<usize> {
        let deformed = self.pose.rig.deformed.iter().find(|deformed| deformed.node == node)?;
        let joints = &deformed.skin.as_ref()?.joints;
        let above = |joint: &usize| self.nodes[*joint].parent.filter(|parent| joints.contains(parent));
        std::iter::successors(joints.first().copied(), above).last()
    }

    /// Sets the skins, morph targets and animations, and deforms the meshes. Each deformed node must have a
    /// mesh of its own. Entries that refer to missing nodes are dropped.
    pub fn set_rig(&mut self, mut rig: Rig) {
        let count = self.nodes.len();
        let has_joints = |skin: &Arc<Skin>| {
            skin.joints.len() == skin.joint_from_mesh.len() && skin.joints.iter().all(|joint| *joint < count)
        };
        let has_vertices = |deformed: &Deformed, mesh: usize| {
            self.meshes[mesh].positions.len() == deformed.shape.positions.len()
                && self.meshes[mesh].normals.len() == deformed.shape.normals.len()
        };
        rig.deformed.retain(|deformed| {
            let mesh = self.nodes.get(deformed.node).and_then(|node| node.mesh);
            mesh.is_some_and(|mesh| has_vertices(deformed, mesh)) && deformed.skin.iter().all(has_joints)
        });
        self.pose = PoseState { deformed_by: vec![None; rig.deformed.len()], rig, ..PoseState::default() };
        self.pose.moved();
        self.deform();
    }

    /// Returns the skins, morph targets and animations.
    pub fn rig(&self) -> &Rig {
        &self.pose.rig
    }

    /// Returns the instant of an animation that is shown, or `None` at rest.
    pub fn pose(&self) -> Option<Pose> {
        self.pose.shown
    }

    /// Shows an instant of an animation, or the scene at rest. The transforms of nodes do not change, only
    /// their world transforms.
    pub fn set_pose(&mut self, pose: Option<Pose>) {
        let pose = pose.filter(|pose| pose.animation < self.pose.rig.animations.len());
        if self.pose.shown == pose {
            return;
        }
        let mut changed: Vec<usize> = self.pose.locals.keys().copied().collect();
        (self.pose.shown, self.pose.locals, self.pose.weights) = Default::default();
        if let Some(pose) = pose {
            self.sample(pose);
        }
        changed.extend(self.pose.locals.keys());
        self.update_worlds_below(&changed);
        let is_finite = |node: &usize| self.worlds[*node].is_finite();
        if pose.is_some() && !(0..self.nodes.len()).all(|node| is_finite(&node)) {
            // A product of huge transforms: the pose cannot be shown.
            self.pose.locals.clear();
            self.update_worlds_below(&changed);
        }
        self.pose.shown = pose;
        self.pose.moved();
        self.deform();
    }

    /// Computes the transforms and weights of an instant.
    fn sample(&mut self, Pose { animation, time }: Pose) {
        let animations = self.pose.rig.animations.clone();
        let animation = &animations[animation];
        let mut vector = Vec::new();
        for channel in &animation.channels {
            let Some(keyframes) = animation.samplers.get(channel.sampler) else { continue };
            let Some(Node { local, .. }) = self.nodes.get(channel.node) else { continue };
            vector.clear();
            keyframes.sample(time, &mut vector);
            let mut posed = self.pose.locals.get(&channel.node).copied().unwrap_or(*local);
            let three = <[f32; 3]>::try_from(vector.as_slice()).ok().map(|v| DVec3::from(v.map(f64::from)));
            match channel.property {
                Property::Weights => {
                    self.pose.weights.insert(channel.node, vector.clone());
                    continue;
                }
                Property::Translation => posed.translation = three.unwrap_or(posed.translation),
                Property::Scale => posed.scale = three.unwrap_or(posed.scale),
                Property::Rotation => {
                    if let Some(rotation) = keyframes.sample_rotation(time) {
                        posed.rotation = rotation.as_dquat();
                    }
                }
            }
            self.pose.locals.insert(channel.node, posed);
        }
    }

    /// Updates the world matrices of these nodes and their descendants, each once.
    fn update_worlds_below(&mut self, changed: &[usize]) {
        if changed.is_empty() {
            return;
        }
        self.moves += 1;
        let mut is_changed = vec![false; self.nodes.len()];
        changed.iter().for_each(|node| is_changed[*node] = true);
        let roots = (0..self.nodes.len()).filter(|node| self.nodes[*node].parent.is_none());
        let mut pending: Vec<usize> = roots.collect();
        while let Some(node) = pending.pop() {
            match is_changed[node] {
                true => self.update_worlds(node),
                false => pending.extend(&self.nodes[node].children),
            }
        }
    }

    /// Deforms the meshes whose joints or morph weights have changed since the last call. Costs nothing if
    /// nothing has moved.
    pub fn deform(&mut self) {
        if !std::mem::take(&mut self.pose.is_stale) {
            return;
        }
        let mut is_first = true;
        for index in 0..self.pose.rig.deformed.len() {
            let deformed = &self.pose.rig.deformed[index];
            let node = deformed.node;
            let joints = deformed.skin.as_ref().map(|skin| self.joint_matrices(node, skin));
            let weights = self.pose.weights.get(&node).unwrap_or(&deformed.weights);
            let before = self.pose.deformed_by[index].as_ref();
            if before.is_some_and(|before| before.joints == joints && before.weights == *weights) {
                continue;
            }
            let Some(mesh) = self.nodes[node].mesh else { continue };
            let vertices = Arc::make_mut(&mut Arc::make_mut(&mut self.meshes)[mesh]);
            deformed.shape.deform(weights, joints.as_deref(), vertices);
            self.mesh_bounds[mesh] = vertices.bounds();
            self.moves += u64::from(std::mem::take(&mut is_first));
            self.moved_at[node] = self.moves;
            let weights = weights.clone();
            self.pose.deformed_by[index] = Some(DeformedBy { joints, weights, moves: self.moves });
        }
    }

    /// Returns the matrix of each joint, from the mesh at rest to the space of its node. The transform of the
    /// node has no effect on where the mesh is, so its inverse is part of them.
    fn joint_matrices(&self, node: usize, skin: &Skin) -> Vec<Mat4> {
        let node_from_world = self.parent_from_world(Some(node)).unwrap_or(DMat4::IDENTITY);
        let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
        joints
            .map(|(joint, joint_from_mesh)| {
                (node_from_world * self.worlds[*joint] * *joint_from_mesh).as_mat4()
            })
            .collect()
    }

    /// Returns the meshes that were deformed after [`Scene::moves`] had this value.
    pub fn deformed_since(&self, moves: u64) -> impl Iterator<Item = usize> {
        let nodes = self.pose.rig.deformed.iter().zip(&self.pose.deformed_by);
        nodes
            .filter(move |(_, by)| by.as_ref().is_some_and(|by| by.moves > moves))
            .filter_map(|(deformed, _)| self.nodes[deformed.node].mesh)
    }

    /// Returns the value of [`Scene::moves`] when a mesh was last deformed, or 0.
    pub fn deformed_at(&self, mesh: usize) -> u64 {
        let nodes = self.pose.rig.deformed.iter().zip(&self.pose.deformed_by);
        let own = nodes.filter(|(deformed, _)| self.nodes[deformed.node].mesh == Some(mesh));
        own.filter_map(|(_, by)| by.as_ref()).map(|by| by.moves).max().unwrap_or(0)
    }

    /// Gives a copy of a deformed node a mesh of its own, which the same joints deform.
    pub(super) fn copy_deformation(&mut self, of: usize, copy: usize) {
        let original = self.pose.rig.deformed.iter().find(|deformed| deformed.node == of);
        let (Some(original), Some(mesh)) = (original.cloned(), self.nodes[of].mesh) else { return };
        let meshes = Arc::make_mut(&mut self.meshes);
        let shared: Arc<Mesh> = meshes[mesh].clone();
        self.nodes[copy].mesh = Some(meshes.len());
        meshes.push(shared);
        self.mesh_bounds.push(self.mesh_bounds[mesh]);
        self.pose.rig.deformed.push(Deformed { node: copy, ..original });
        self.pose.deformed_by.push(None);
        self.pose.moved();
    }
}

#[cfg(test)]
mod tests;
