use super::error::GpuError;
use super::resources::create_buffer;
use wgpu::BufferSize;

/// A buffer that grows with its contents and is written only if they have changed.
#[derive(Debug)]
pub(super) struct VertexMemory {
    label: &'static str,
    usage: wgpu::BufferUsages,
    /// Created by the first write; holds `capacity` bytes.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
}

impl VertexMemory {
    /// Creates it without a buffer; the first one holds at least `capacity` bytes.
    pub(super) fn new(label: &'static str, capacity: usize) -> Self {
        Self::with_usage(label, wgpu::BufferUsages::VERTEX, capacity)
    }

    fn with_usage(label: &'static str, usage: wgpu::BufferUsages, capacity: usize) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self { label, usage, buffer: None, capacity }
    }

    /// Writes vertices or instances, one part after the other, unless they are those of the last write, and
    /// returns the number of bytes. The sizes must be multiples of 4.
    pub(super) fn write<const N: usize>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        parts: [&[u8]; N],
        last: [&[u8]; N],
    ) -> Result<u64, GpuError> {
        let len = parts.iter().map(|part| part.len()).sum::<usize>();
        let Some(size) = BufferSize::new(len as u64) else { return Ok(0) };
        let buffer = match &self.buffer {
            Some(_) if len <= self.capacity && parts == last => return Ok(0),
            Some(buffer) if len <= self.capacity => buffer,
            _ => {
                let capacity = len.next_power_of_two().max(self.capacity);
                let buffer = create_buffer(device, self.label, capacity as u64, self.usage)?;
                self.capacity = capacity;
                self.buffer.insert(buffer)
            }
        };
        // The copies go where wgpu keeps them until the submit, without a copy of all parts together.
        if let Some(mut view) = queue.write_buffer_with(buffer, 0, size) {
            let mut start = 0;
            for part in parts {
                view.slice(start..start + part.len()).copy_from_slice(part);
                start += part.len();
            }
        }
        Ok(len as u64)
    }

    /// Returns the buffer, or `None` before the first write.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }
}

/// An index buffer that grows with its contents.
///
/// It is not written if they are the first of its indices: those of quads depend only on their number.
#[derive(Debug)]
pub(super) struct IndexMemory {
    memory: VertexMemory,
    /// The contents of the buffer.
    written: Vec<u32>,
}

impl IndexMemory {
    /// Creates it without a buffer; the first one holds at least `capacity` bytes.
    pub(super) fn new(label: &'static str, capacity: usize) -> Self {
        let memory = VertexMemory::with_usage(label, wgpu::BufferUsages::INDEX, capacity);
        Self { memory, written: Vec::new() }
    }

    /// Writes the indices if they have changed, and returns the number of bytes.
    pub(super) fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        indices: &[u32],
    ) -> Result<u64, GpuError> {
        if self.written.starts_with(indices) {
            return Ok(0);
        }
        let bytes = self.memory.write(device, queue, [bytemuck::cast_slice(indices)], [&[]])?;
        self.written.clear();
        self.written.extend_from_slice(indices);
        Ok(bytes)
    }

    /// Returns the buffer, or `None` before the first write.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.memory.buffer()
    }
}
