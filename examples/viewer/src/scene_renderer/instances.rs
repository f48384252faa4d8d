//! What is drawn: one instance for each node with a mesh, those of a mesh side by side.

use super::Marks;
use super::lighting::origin;
use crate::scene::Scene;
use bytemuck::{Pod, Zeroable};
use std::num::NonZeroU32;
use std::ops::Range;
use wgpu_gizmo::glam::{DMat3, DMat4, DVec4};
use wgpu_gizmo::math::View;

/// As `LitInput` in the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct LitInstance {
    clip_from_local: [[f32; 4]; 4],
    /// Rows.
    eye_from_local: [[f32; 4]; 3],
    /// Columns.
    normals: [[f32; 4]; 3],
    tint: [f32; 4],
}

/// As `IdInput` in the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct IdInstance {
    clip_from_local: [[f32; 4]; 4],
    id: u32,
}

/// Instances on the GPU, and which of them show which mesh.
#[derive(Debug, Default)]
pub(super) struct Draws {
    buffer: Option<wgpu::Buffer>,
    groups: Vec<(usize, Range<u32>)>,
}

/// Of the colour pass.
#[derive(Debug, Default)]
pub(super) struct ColorDraws(pub(super) Draws);

/// What one id pass draws. Passes in one submit need one each: two writes to one buffer
/// before a submit leave only the last.
#[derive(Debug, Default)]
pub(crate) struct IdDraws(pub(super) Draws);

/// What a pass draws that asks about node after node.
#[derive(Debug, Default)]
pub(crate) struct NodeDraws {
    pub(super) draws: Draws,
    /// By node: its mesh, and the instance that shows it.
    place_of: Vec<Option<(usize, u32)>>,
}

impl NodeDraws {
    /// As [`ids`] has them.
    pub(super) fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        mut of_node: Vec<NodeInstance>,
    ) {
        of_node.sort_by_key(|node| node.mesh);
        self.place_of.clear();
        for (NodeInstance { node, mesh, .. }, place) in of_node.iter().zip(0..) {
            self.place_of.resize(self.place_of.len().max(node + 1), None);
            self.place_of[*node] = Some((*mesh, place));
        }
        self.draws.write(device, queue, of_node.into_iter().map(|node| (node.mesh, node.instance)).collect());
    }

    /// The mesh of a node and its instance, if it is shown.
    pub(super) fn place_of(&self, node: usize) -> Option<(usize, u32)> {
        *self.place_of.get(node)?
    }
}

impl ColorDraws {
    pub(super) fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        of_mesh: Vec<(usize, LitInstance)>,
    ) {
        self.0.write(device, queue, of_mesh);
    }
}

impl IdDraws {
    pub(super) fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, of_node: Vec<NodeInstance>) {
        self.0.write(device, queue, of_node.into_iter().map(|node| (node.mesh, node.instance)).collect());
    }
}

impl Draws {
    /// The instances; `None` where there are none.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref().filter(|_| !self.groups.is_empty())
    }

    /// Index of a mesh, and the instances that show it.
    pub(super) fn groups(&self) -> &[(usize, Range<u32>)] {
        &self.groups
    }

    fn write<I: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, mut of_mesh: Vec<(usize, I)>) {
        of_mesh.truncate(device.limits().max_buffer_size as usize / size_of::<I>());
        of_mesh.sort_by_key(|(mesh, _)| *mesh);
        self.groups.clear();
        let mut first = 0;
        for group in of_mesh.chunk_by(|(a, _), (b, _)| a == b) {
            let end = first + group.len() as u32;
            self.groups.push((group[0].0, first..end));
            first = end;
        }
        let instances: Vec<I> = of_mesh.into_iter().map(|(_, instance)| instance).collect();
        if instances.is_empty() {
            return;
        }
        let bytes: &[u8] = bytemuck::cast_slice(&instances);
        let needed = bytes.len() as u64;
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < needed) {
            let limit = device.limits().max_buffer_size;
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("viewer instances"),
                size: needed.next_power_of_two().min(limit).max(needed),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytes);
        }
    }
}

fn f32s(v: DVec4) -> [f32; 4] {
    v.as_vec4().to_array()
}

fn columns(matrix: DMat4) -> [[f32; 4]; 4] {
    matrix.as_mat4().to_cols_array_2d()
}

/// Nodes that are not hidden, with a mesh whose matrix is finite, with that mesh.
fn shown(scene: &Scene) -> impl Iterator<Item = (usize, usize, DMat4)> {
    let nodes = scene.nodes().iter().enumerate().filter(|(index, _)| scene.is_shown(*index));
    let shown = nodes.filter_map(|(index, node)| Some((index, node.mesh?, scene.world_from_node(index))));
    shown.filter(|(_, _, world_from_local)| world_from_local.is_finite())
}

/// Instances of the colour pass, with the index of their mesh.
pub(super) fn lit(scene: &Scene, view: &View, marks: Marks<'_>) -> Vec<(usize, LitInstance)> {
    let eye_world = origin(view);
    let standings = standings(scene, marks.selected);
    let instance = |(index, mesh, world_from_local): (usize, usize, DMat4)| {
        let mut eye_from_local = world_from_local;
        eye_from_local.w_axis -= eye_world.extend(0.0);
        let rows = eye_from_local.transpose();
        let instance = LitInstance {
            clip_from_local: columns(view.clip_from_world() * world_from_local),
            eye_from_local: [rows.x_axis, rows.y_axis, rows.z_axis].map(f32s),
            normals: normals(DMat3::from_mat4(world_from_local)),
            tint: tint(standings[index], marks.hovered == Some(index)),
        };
        (mesh, instance)
    };
    shown(scene).filter(|(index, ..)| marks.unseen != Some(*index)).map(instance).collect()
}

/// The inverse transpose up to a factor: the matrix of cofactors, which needs no inverse and
/// so stands a scale of 0. Brought to a size that f32 can square.
fn normals(world_from_local: DMat3) -> [[f32; 4]; 3] {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = world_from_local;
    let largest = x.abs().max(y.abs()).max(z.abs()).max_element();
    let [x, y, z] = [x, y, z].map(|axis| axis / largest);
    let cofactors = [y.cross(z), z.cross(x), x.cross(y)];
    let largest = cofactors.iter().map(|c| c.abs().max_element()).fold(0.0, f64::max);
    match largest.is_finite() && largest > 0.0 {
        true => cofactors.map(|cofactor| f32s((cofactor / largest).extend(0.0))),
        // No area, or NaN: the shader takes the triangle's own normal.
        false => [[0.0; 4]; 3],
    }
}

/// How a node stands to the selection.
#[derive(Clone, Copy, PartialEq)]
enum Standing {
    Plain,
    Selected,
    Active,
}

/// Of every node: asking the list for each of them would take long where all are selected.
fn standings(scene: &Scene, selected: &[usize]) -> Vec<Standing> {
    let mut standings = vec![Standing::Plain; scene.nodes().len()];
    selected.iter().for_each(|node| standings[*node] = Standing::Selected);
    if let Some(active) = selected.last() {
        standings[*active] = Standing::Active;
    }
    standings
}

/// Linear red, green, blue, and how much.
fn tint(standing: Standing, is_hovered: bool) -> [f32; 4] {
    match (standing, is_hovered) {
        (Standing::Active, true) => [1.0, 0.42, 0.07, 0.72],
        (Standing::Active, false) => [1.0, 0.36, 0.04, 0.55],
        (Standing::Selected, true) => [0.72, 0.26, 0.06, 0.5],
        (Standing::Selected, false) => [0.62, 0.13, 0.01, 0.4],
        (Standing::Plain, true) => [0.9, 0.94, 1.0, 0.16],
        (Standing::Plain, false) => [0.0; 4],
    }
}

/// A node in the id pass.
pub(super) struct NodeInstance {
    node: usize,
    mesh: usize,
    instance: IdInstance,
}

/// Nodes that have an id, in order.
pub(super) fn ids(
    scene: &Scene,
    clip_from_world: DMat4,
    id_of: impl Fn(usize) -> Option<NonZeroU32>,
) -> Vec<NodeInstance> {
    let instance = |(node, mesh, world_from_local): (usize, usize, DMat4)| {
        let clip_from_local = columns(clip_from_world * world_from_local);
        let instance = IdInstance { clip_from_local, id: id_of(node)?.get() };
        Some(NodeInstance { node, mesh, instance })
    };
    shown(scene).filter_map(instance).collect()
}
