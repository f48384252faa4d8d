use super::error::GpuError;
use super::resources::create_buffer;

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

    /// Writes vertices or instances, unless they are those of the last write, and returns the number of bytes, which
    /// must be a multiple of 4.
    pub(super) fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        bytes: &[u8],
        last: &[u8],
    ) -> Result<u64, GpuError> {
        let len = bytes.len();
        if bytes.is_empty() {
            return Ok(0);
        }
        let buffer = match &self.buffer {
            Some(_) if len <= self.capacity && bytes == last => return Ok(0),
            Some(buffer) if len <= self.capacity => buffer,
            _ => {
                let capacity = len.next_power_of_two().max(self.capacity);
                let buffer = create_buffer(device, self.label, capacity as u64, self.usage)?;
                self.capacity = capacity;
                self.buffer.insert(buffer)
            }
        };
        queue.write_buffer(buffer, 0, bytes);
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
        let bytes = self.memory.write(device, queue, bytemuck::cast_slice(indices), &[])?;
        self.written.clear();
        self.written.extend_from_slice(indices);
        Ok(bytes)
    }

    /// Returns the buffer, or `None` before the first write.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.memory.buffer()
    }
}
