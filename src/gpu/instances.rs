use super::error::{GpuError, check_alive};
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
    ) -> Result<(), GpuError> {
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
            check_alive(device)?;
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
        Ok(())
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

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::super::{meshes::VERTEX_LAYOUT, overlay::Uniform};
    use super::*;
    use crate::handle::Vertex;
    use std::mem::offset_of;
    use wgpu::VertexFormat;
    use wgpu::naga::{self, Binding, ScalarKind, TypeInner};

    const HANDLE: &str = include_str!("../../shaders/handle.wgsl");
    const OVERLAY: &str = include_str!("../../shaders/overlay.wgsl");

    fn parsed(source: &str) -> naga::Module {
        naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)))
    }

    /// Name, location and format of every field of a struct.
    fn inputs(module: &naga::Module, name: &str) -> Vec<(String, u32, VertexFormat)> {
        let wanted = |(_, ty): &(_, &naga::Type)| ty.name.as_deref() == Some(name);
        let (_, ty) = module.types.iter().find(wanted).expect("the shader has the struct");
        let TypeInner::Struct { members, .. } = &ty.inner else { panic!("{name} is a struct") };
        let field = |member: &naga::StructMember| {
            let Some(Binding::Location { location, .. }) = member.binding else { panic!("{member:?}") };
            let format = match module.types[member.ty].inner {
                TypeInner::Scalar(s) if s.kind == ScalarKind::Float => VertexFormat::Float32,
                TypeInner::Scalar(s) if s.kind == ScalarKind::Uint => VertexFormat::Uint32,
                TypeInner::Vector { size: naga::VectorSize::Tri, .. } => VertexFormat::Float32x3,
                TypeInner::Vector { size: naga::VectorSize::Quad, .. } => VertexFormat::Float32x4,
                ref other => panic!("{other:?}"),
            };
            (member.name.clone().expect("named"), location, format)
        };
        members.iter().map(field).collect()
    }

    fn agree(layout: &wgpu::VertexBufferLayout<'_>, shader: &str, rust: &[(&str, usize)], bytes: usize) {
        let inputs = inputs(&parsed(HANDLE), shader);
        assert_eq!(inputs.len(), rust.len());
        for (((name, location, format), attribute), (field, offset)) in
            inputs.iter().zip(layout.attributes).zip(rust)
        {
            assert_eq!(
                (name.as_str(), *location, *format),
                (*field, attribute.shader_location, attribute.format)
            );
            assert_eq!(attribute.offset, *offset as u64, "{name}");
        }
        assert_eq!(layout.array_stride, bytes as u64);
    }

    #[test]
    fn rust_and_wgsl_agree_on_vertices_and_instances() {
        let vertex = [
            ("position", offset_of!(Vertex, position)),
            ("weight", offset_of!(Vertex, weight)),
            ("normal", offset_of!(Vertex, normal)),
            ("lit", offset_of!(Vertex, lit)),
        ];
        agree(&VERTEX_LAYOUT, "Corner", &vertex, size_of::<Vertex>());
        let columns = offset_of!(Instance, clip_from_part);
        let instance = [
            ("clip_from_part_x", columns),
            ("clip_from_part_y", columns + 16),
            ("clip_from_part_z", columns + 32),
            ("clip_from_part_w", columns + 48),
            ("view_depth_from_part", offset_of!(Instance, view_depth_from_part)),
            ("to_eye_part", offset_of!(Instance, to_eye_part)),
            ("color", offset_of!(Instance, color)),
            ("thickness", offset_of!(Instance, thickness)),
            ("far_thickness", offset_of!(Instance, far_thickness)),
            ("far_opacity", offset_of!(Instance, far_opacity)),
            ("id", offset_of!(Instance, id)),
        ];
        agree(&INSTANCE_LAYOUT, "Part", &instance, size_of::<Instance>());
    }

    #[test]
    fn rust_and_wgsl_agree_on_the_uniform() {
        let module = parsed(OVERLAY);
        let wanted = |(_, ty): &(_, &naga::Type)| ty.name.as_deref() == Some("Overlay");
        let (_, ty) = module.types.iter().find(wanted).expect("the shader has the struct");
        let TypeInner::Struct { members, span } = &ty.inner else { panic!("a struct") };
        let offsets: Vec<_> = members.iter().map(|m| (m.name.as_deref(), m.offset as usize)).collect();
        let rust = [
            (Some("origin_px"), offset_of!(Uniform, origin_px)),
            (Some("size_px"), offset_of!(Uniform, size_px)),
            (Some("halo_px"), offset_of!(Uniform, halo_px)),
            (Some("halo_opacity"), offset_of!(Uniform, halo_opacity)),
        ];
        assert_eq!(offsets, rust);
        assert_eq!(*span as usize, size_of::<Uniform>());
    }
}
