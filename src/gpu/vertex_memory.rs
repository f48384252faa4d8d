use super::error::GpuError;
use super::resources::create_buffer;

/// A vertex buffer that grows with its contents and is written only if they have changed.
#[derive(Debug)]
pub(super) struct VertexMemory {
    label: &'static str,
    /// Created by the first upload; holds `capacity` bytes.
    buffer: Option<wgpu::Buffer>,
    capacity: usize,
    // Kept between calls, so that an upload allocates nothing.
    staged: Vec<u8>,
    /// The contents of the buffer.
    sent: Vec<u8>,
}

impl VertexMemory {
    /// Creates it without a buffer; the first one holds at least `capacity` bytes.
    pub(super) fn new(label: &'static str, capacity: usize) -> Self {
        Self { label, buffer: None, capacity, staged: Vec::new(), sent: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.staged.clear();
    }

    /// Appends vertices or instances, and returns their offset in the buffer.
    pub(super) fn stage<T: bytemuck::NoUninit>(&mut self, contents: &[T]) -> u64 {
        let offset = self.staged.len() as u64;
        self.staged.extend_from_slice(bytemuck::cast_slice(contents));
        offset
    }

    /// Writes the staged bytes if they have changed, and returns their number.
    pub(super) fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<u64, GpuError> {
        if self.staged.is_empty() {
            return Ok(0);
        }
        let is_large_enough = self.buffer.is_some() && self.staged.len() <= self.capacity;
        if !is_large_enough {
            let capacity = self.staged.len().next_power_of_two().max(self.capacity);
            let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
            self.buffer = Some(create_buffer(device, self.label, capacity as u64, usage)?);
            self.capacity = capacity;
            self.sent.clear();
        }
        let (Some(buffer), true) = (&self.buffer, self.staged != self.sent) else { return Ok(0) };
        queue.write_buffer(buffer, 0, &self.staged);
        self.sent.clone_from(&self.staged);
        Ok(self.staged.len() as u64)
    }

    /// Returns the buffer, or `None` before the first upload.
    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }
}
