//! Skins, morph targets and animations. What is broken is left out with a remark, and the rest is shown.

mod animations;
mod influences;
mod targets;

#[cfg(test)]
mod tests;

use crate::budget::Charge;
use crate::file_error::Result;
use crate::json::Json;
use crate::read::Broken;
use crate::read::primitives::MeshReader;
use crate::read::tree::Tree;
use scene::rig::{Deformed, Influence, Rig, Shape, Skin};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use wgpu_gizmo_core::glam::DMat4;

/// Reads the rig of a file, with remarks on what could not be read. Nodes whose meshes are deformed get meshes of
/// their own.
pub(crate) fn read<'a>(
    root: &Json<'a>,
    tree: &mut Tree<'a>,
    meshes: &mut MeshReader<'a>,
) -> Result<(Rig, Vec<String>)> {
    let mut reader = RigReader {
        nodes: root.items_of("nodes")?,
        file_skins: root.items_of("skins")?,
        scene_index: tree.file_indices.iter().copied().zip(0..).collect(),
        ..RigReader::default()
    };
    for mesh in tree.nodes.iter().filter_map(|node| node.mesh) {
        *reader.users.entry(mesh).or_default() += 1;
    }
    let animations = root.items_of("animations")?;
    let morphed = animations::morphed_nodes(&animations);
    let mut deformed = Vec::new();
    for scene_node in 0..tree.nodes.len() {
        meshes.files().check(root)?;
        deformed.extend(reader.node(scene_node, tree, meshes, &morphed));
    }
    let (animations, animation_remarks) = animations::read(&animations, &reader, meshes)?;
    let broken = [reader.broken_skins.remark("skins"), reader.broken_targets.remark("morph targets")];
    let remarks = broken.into_iter().flatten().chain(animation_remarks).collect();
    Ok((Rig { deformed, animations: Arc::new(animations) }, remarks))
}

#[derive(Default)]
struct RigReader<'a> {
    nodes: Vec<Json<'a>>,
    file_skins: Vec<Json<'a>>,
    /// The skins that were read, by index in the file.
    skins: HashMap<usize, Option<Arc<Skin>>>,
    /// The shapes that were read, by the index of the mesh in the file and whether they have influences.
    shapes: HashMap<(usize, bool), Option<Arc<Shape>>>,
    /// Index in the scene by index in the file.
    scene_index: HashMap<usize, usize>,
    /// The number of nodes that show each mesh of the scene.
    users: HashMap<usize, usize>,
    broken_skins: Broken,
    broken_targets: Broken,
    /// The number of morph targets of each deformed node.
    target_counts: HashMap<usize, usize>,
}

impl<'a> RigReader<'a> {
    /// Returns the deformation of a node, if its mesh has a skin or morph targets that can have an effect.
    fn node(
        &mut self,
        scene_node: usize,
        tree: &mut Tree<'a>,
        meshes: &mut MeshReader<'a>,
        morphed: &HashSet<usize>,
    ) -> Option<Deformed> {
        let scene_mesh = tree.nodes[scene_node].mesh?;
        let file_node = tree.file_indices[scene_node];
        let node = self.nodes[file_node].clone();
        let file_mesh = tree.meshes[scene_node].as_ref()?.index().ok()?;
        let skin = node.get("skin").ok().flatten().and_then(|index| self.skin(&index, meshes));
        let mesh = meshes.file_meshes.get(file_mesh)?.clone();
        let weights = self.weights(&node, &mesh, targets::count(&mesh));
        let is_morphed = morphed.contains(&file_node) || weights.iter().any(|weight| *weight != 0.0);
        if skin.is_none() && !is_morphed {
            return None;
        }
        let shape = self.shape(file_mesh, (scene_mesh, skin.is_some()), meshes)?;
        let skin = skin.filter(|_| shape.per_vertex() > 0);
        if skin.is_none() && shape.targets.is_empty() {
            return None;
        }
        let deformed = Deformed { node: scene_node, shape, weights, skin };
        let own_mesh = self.own_mesh(&deformed, scene_mesh, &node, meshes);
        tree.nodes[scene_node].mesh = Some(self.broken_skins.keep(own_mesh)?);
        self.target_counts.insert(scene_node, deformed.shape.targets.len());
        Some(deformed)
    }

    /// Returns the weights of the morph targets at rest: those of the node, or those of the mesh.
    fn weights(&mut self, node: &Json<'a>, mesh: &Json<'a>, count: usize) -> Vec<f32> {
        let list = |of: &Json<'a>| -> Result<Vec<f32>> {
            let weights = of.items_of("weights")?;
            weights.iter().take(count).map(|weight| Ok(weight.number()? as f32)).collect()
        };
        let weights = list(node).and_then(|own| if own.is_empty() { list(mesh) } else { Ok(own) });
        let mut weights = self.broken_targets.keep(weights).unwrap_or_default();
        if !weights.is_empty() {
            weights.resize(count, 0.0);
        }
        weights
    }

    fn skin(&mut self, index: &Json<'a>, meshes: &MeshReader<'a>) -> Option<Arc<Skin>> {
        let file_index = self.broken_skins.keep(index.index_below(self.file_skins.len(), "skins"))?;
        if let Some(skin) = self.skins.get(&file_index) {
            return skin.clone();
        }
        let skin = self.read_skin(&self.file_skins[file_index], meshes);
        let skin = self.broken_skins.keep(skin).map(Arc::new);
        self.skins.insert(file_index, skin.clone());
        skin
    }

    fn read_skin(&self, skin: &Json<'a>, meshes: &MeshReader<'a>) -> Result<Skin> {
        let joints = skin.need("joints")?;
        meshes.files().budget.charge(Charge::Memory, 256 * joints.len() as u64, skin)?;
        let joint = |joint: Json<'a>| {
            let index = joint.index_below(self.nodes.len(), "nodes")?;
            let index = self.scene_index.get(&index);
            index.copied().ok_or_else(|| joint.error("is outside the scene"))
        };
        let joints = joints.items()?.into_iter().map(joint).collect::<Result<Vec<_>, _>>()?;
        let joint_from_mesh = match skin.get("inverseBindMatrices")? {
            None => vec![DMat4::IDENTITY; joints.len()],
            Some(index) => {
                let found = meshes.accessors.count(&index)?;
                if found < joints.len() {
                    let what = format!("has {found} matrices, but the skin has {} joints", joints.len());
                    return Err(index.error(what));
                }
                let matrices = meshes.accessors.floats::<16>(&index, &[16], 0.0)?;
                let matrix = |m: &[f32; 16]| DMat4::from_cols_array(&m.map(f64::from));
                let matrices: Vec<DMat4> = matrices.iter().take(joints.len()).map(matrix).collect();
                if let Some(element) = matrices.iter().position(|matrix| !matrix.is_finite()) {
                    return Err(index.error(format!("matrix {element} is not finite")));
                }
                matrices
            }
        };
        Ok(Skin { joints, joint_from_mesh })
    }

    /// Returns the shape of a mesh: the vertices of its mesh in the scene, with morph targets and, if they
    /// are needed, influences.
    fn shape(
        &mut self,
        file_mesh: usize,
        (scene_mesh, has_skin): (usize, bool),
        meshes: &MeshReader<'a>,
    ) -> Option<Arc<Shape>> {
        if let Some(shape) = self.shapes.get(&(file_mesh, has_skin)) {
            return shape.clone();
        }
        let shape = self.read_shape(file_mesh, (scene_mesh, has_skin), meshes);
        let broken = if has_skin { &mut self.broken_skins } else { &mut self.broken_targets };
        let shape = broken.keep(shape).map(Arc::new);
        self.shapes.insert((file_mesh, has_skin), shape.clone());
        shape
    }

    fn read_shape(
        &mut self,
        file_mesh: usize,
        (scene_mesh, has_skin): (usize, bool),
        meshes: &MeshReader<'a>,
    ) -> Result<Shape> {
        let mesh = &meshes.meshes[scene_mesh];
        let primitives = meshes.drawn_primitives(file_mesh)?;
        let per_vertex = if has_skin { influences::per_vertex(&primitives)? } else { 0 };
        // With the numbers that the influences of a primitive are made from.
        let bytes = (24 + if per_vertex > 0 { 8 * per_vertex + 32 } else { 0 }) * mesh.positions.len();
        meshes.files().budget.charge(Charge::Memory, bytes as u64, &meshes.file_meshes[file_mesh])?;
        let mut shape = Shape {
            positions: mesh.positions.clone(),
            normals: mesh.normals.clone(),
            influences: vec![Influence::default(); per_vertex * mesh.positions.len()],
            ..Shape::default()
        };
        let mut first = 0;
        for primitive in primitives {
            meshes.files().check(&primitive)?;
            let attributes = primitive.need("attributes")?;
            let end = first + meshes.accessors.count(&attributes.need("POSITION")?)?;
            let targets = targets::read(&primitive, first..end, meshes);
            for (index, target) in self.broken_targets.keep(targets).into_iter().flatten().enumerate() {
                match shape.targets.get_mut(index) {
                    Some(same) => same.deltas.extend(target.deltas),
                    None => shape.targets.push(target),
                }
            }
            if per_vertex > 0 {
                let influences = shape.influences.get_mut(per_vertex * first..per_vertex * end);
                let influences =
                    influences.ok_or_else(|| primitive.error("has other vertices than its mesh"))?;
                influences::read(&attributes, influences, per_vertex, meshes)?;
            }
            first = end;
        }
        let used = shape.influences.iter().filter(|influence| influence.weight > 0.0);
        shape.max_joint = used.map(|influence| influence.joint).max();
        Ok(shape)
    }

    /// Returns a mesh that only this node shows, and checks and charges what the deformation needs.
    fn own_mesh(
        &mut self,
        deformed: &Deformed,
        scene_mesh: usize,
        node: &Json<'a>,
        meshes: &mut MeshReader<'a>,
    ) -> Result<usize> {
        let joints = deformed.skin.as_ref().map_or(0, |skin| skin.joints.len());
        if let Some(joint) = deformed.shape.max_joint.filter(|joint| *joint as usize >= joints) {
            return Err(node.error(format!("a vertex uses joint {joint}, but its skin has {joints} joints")));
        }
        // The matrices of the joints and the weights, with those of the last pose.
        let bytes = 192 * joints as u64 + 16 * deformed.shape.targets.len() as u64;
        meshes.files().budget.charge(Charge::Memory, bytes, node)?;
        let users = self.users.entry(scene_mesh).or_default();
        if *users <= 1 {
            return Ok(scene_mesh);
        }
        let copy = meshes.copy(scene_mesh, node)?;
        *users -= 1;
        Ok(copy)
    }
}
