use super::meshes::Meshes;
use crate::handle::{Instance, Item, MeshKind};
use glam::{DMat4, Mat4};
use std::mem::size_of;
use std::ops::Range;

/// How [`Instance`] reaches the shader.
pub(super) const INSTANCE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Instance>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![
        4 => Float32x4, 5 => Float32x4, 6 => Float32x4, 7 => Float32x4,
        8 => Float32x4, 9 => Float32x4, 10 => Float32x4,
        11 => Float32, 12 => Float32, 13 => Float32, 14 => Uint32,
    ],
};

/// Instances of a first upload: two gizmos of a dozen parts.
const SMALLEST: usize = 32;

/// The parts of one draw list on the GPU.
#[derive(Debug)]
pub(super) struct Instances {
    /// Made at the first upload; holds `capacity` instances.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    /// Kept, so that an upload allocates nothing.
    staged: Vec<Instance>,
    runs: Vec<Run>,
}

/// Neighbours in the buffer that one draw call takes.
#[derive(Debug)]
struct Run {
    mesh: MeshKind,
    translucent: bool,
    instances: Range<u32>,
}

impl Instances {
    pub(super) fn new() -> Self {
        Self { buffer: None, capacity: 0, staged: Vec::new(), runs: Vec::new() }
    }

    /// Replaces what was there. `clip_from_clip` is applied after the instances' own matrices.
    pub(super) fn upload<'a>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        items: impl Iterator<Item = &'a Item>,
        clip_from_clip: DMat4,
    ) {
        self.staged.clear();
        self.runs.clear();
        for item in items {
            let place = self.staged.len() as u32;
            let same = |run: &&mut Run| (run.mesh, run.translucent) == (item.mesh, item.translucent);
            match self.runs.last_mut().filter(same) {
                Some(run) => run.instances.end += 1,
                None => self.runs.push(Run {
                    mesh: item.mesh,
                    translucent: item.translucent,
                    instances: place..place + 1,
                }),
            }
            self.staged.push(seen_through(clip_from_clip, item.instance));
        }
        if self.staged.len() > self.capacity {
            self.capacity = self.staged.len().next_power_of_two().max(SMALLEST);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("wgpu-gizmo instances"),
                size: (self.capacity * size_of::<Instance>()) as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let (Some(buffer), false) = (&self.buffer, self.staged.is_empty()) {
            queue.write_buffer(buffer, 0, bytemuck::cast_slice(&self.staged));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.staged.is_empty()
    }

    /// Makes instances and meshes current in a pass.
    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &Meshes) {
        meshes.bind(pass);
        if let Some(buffer) = &self.buffer {
            pass.set_vertex_buffer(1, buffer.slice(..));
        }
    }

    /// Draws the opaque or the translucent parts, after [`Instances::bind`].
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &Meshes, translucent: bool) {
        for run in self.runs.iter().filter(|run| run.translucent == translucent) {
            meshes.draw(pass, run.mesh, run.instances.clone());
        }
    }
}

fn seen_through(clip_from_clip: DMat4, instance: Instance) -> Instance {
    // Not one bit may change where there is nothing to change.
    if clip_from_clip == DMat4::IDENTITY {
        return instance;
    }
    let clip_from_part = Mat4::from_cols_array_2d(&instance.clip_from_part).as_dmat4();
    let seen = (clip_from_clip * clip_from_part).as_mat4();
    Instance { clip_from_part: seen.to_cols_array_2d(), ..instance }
}
